/* The calibration file: what is accepted is written, and reads back the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_back(const struct calibration *calibration)
{
	struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct calibration read;

	calibration_print(calibration, &text);
	if (calibration_parse(text.buf, text.len, "c.yaml", &read, &diags) < 0)
		abort();
	calibration_print(&read, &again);
	if (strcmp(text.buf, again.buf))
		abort();
	calibration_release(&read);
	strbuf_release(&text);
	strbuf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diags diags = DIAGS_INIT;
	struct strbuf shown = STRBUF_INIT;
	struct calibration calibration;

	if (!calibration_parse((const char *)data, size, "c.yaml", &calibration, &diags)) {
		write_back(&calibration);
		calibration_release(&calibration);
	} else if (!diags.n) {
		abort();
	}
	diags_render(&diags, &shown);
	diags_release(&diags);
	strbuf_release(&shown);
	return 0;
}
