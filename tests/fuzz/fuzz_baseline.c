/* Any bytes as a baseline: an error with a message, or a value that survives writing and reading. */
#include "store/store.h"
#include "fuzz.h"

static void check_written(const struct baseline *baseline)
{
	CLEANUP(baseline_release) struct baseline again = { 0 };
	CLEANUP(free_ptr) char *text = baseline_format(baseline), *twice = NULL;
	struct error err = ERROR_INIT;

	if (baseline_parse(text, strlen(text), "written", &again, &err) < 0)
		abort();
	twice = baseline_format(&again);
	if (strcmp(text, twice))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	struct error err = ERROR_INIT;

	if (!baseline_parse((const char *)data, size, "fuzz", &baseline, &err))
		check_written(&baseline);
	else if (err.kind != ERR_INPUT || !err.msg[0] || strcmp(err.at.path, "fuzz"))
		abort();
	return 0;
}
