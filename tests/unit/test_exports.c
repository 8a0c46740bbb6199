/* Exports for other programs and the output of typed commands, compared with golden files. */
#include "unit.h"

#include "report/formats/report.h"
#include "report/typed.h"
#include "golden.h"
#include "report_samples.h"

TEST(what_is_exported)
{
	static const struct {
		const char *sample;
		report_fn *render;
		const char *ending;
	} rows[] = {
		{ "mixed", report_bmf, "bmf.json" }, { "mixed", report_smaller, "smaller.json" }, { "mixed", report_bigger, "bigger.json" },
		{ "mixed", report_openmetrics, "openmetrics" }, { "paired", report_bmf, "bmf.json" },
		{ "paired", report_openmetrics, "openmetrics" }, { "failed", report_bmf, "bmf.json" },
		{ "failed", report_openmetrics, "openmetrics" }, { "commands", report_typed, "typed.txt" },
		{ "confirmed", report_bmf, "bmf.json" }, { "confirmed", report_openmetrics, "openmetrics" },
		{ "commands", report_typed_json, "typed.json" }, { "commands", report_typed_markdown, "typed.md" },
		{ "hostile", report_typed, "typed.txt" }, { "hostile", report_openmetrics, "openmetrics" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (size_t k = 0; k < SAMPLES; k++) {
			CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, path = STRBUF_INIT;
			CLEANUP(result_release) struct result result = { 0 };

			if (strcmp(samples[k].name, rows[i].sample))
				continue;
			samples[k].fill(&result);
			rows[i].render(&result, &(struct report_options){ 0 }, &out);
			strbuf_addf(&path, "tests/fixtures/report/%s.%s", rows[i].sample, rows[i].ending);
			golden_compare(path.buf, &out);
		}
}
