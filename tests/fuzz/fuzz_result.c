/* Any bytes as a result: an error with a message, or a value that survives writing and reading. */
#include "store/store.h"
#include "fuzz.h"

static void check_written(const struct result *result)
{
	CLEANUP(result_release) struct result again = { 0 };
	CLEANUP(free_ptr) char *text = result_format(result), *twice = NULL;
	struct error err = ERROR_INIT;

	if (result_parse(text, strlen(text), "written", &again, &err) < 0)
		abort();
	twice = result_format(&again);
	if (strcmp(text, twice))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(result_release) struct result result = { 0 };
	struct error err = ERROR_INIT;

	if (!result_parse((const char *)data, size, "fuzz", &result, &err))
		check_written(&result);
	else if (err.kind != ERR_INPUT || !err.msg[0] || strcmp(err.at.path, "fuzz"))
		abort();
	return 0;
}
