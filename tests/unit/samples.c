/* Usage: samples FOLDER. Writes each sample of report_samples.h to FOLDER/NAME.json. */
#include <stdio.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "report/formats/report.h"
#include "report_samples.h"

int main(int argc, char **argv)
{
	for (size_t i = 0; i < SAMPLES && argc == 2; i++) {
		CLEANUP(strbuf_release) struct strbuf json = STRBUF_INIT;
		CLEANUP(free_ptr) char *path = text_printf("%s/%s.json", argv[1], samples[i].name);
		CLEANUP(result_release) struct result result = { 0 };
		struct error err = ERROR_INIT;

		samples[i].fill(&result);
		report_json(&result, &(struct report_options){ 0 }, &json);
		if (file_write(path, json.buf, json.len, &err) < 0) {
			fprintf(stderr, "samples: %s\n", err.msg);
			return 1;
		}
	}
	return argc == 2 ? 0 : 2;
}
