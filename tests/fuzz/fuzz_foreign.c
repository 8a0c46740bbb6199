/* Any bytes as a file of another program: a fault with words, or a result that is written and read back. */
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A date, a command and a machine are what such a file does not have and a result needs. */
static void check_result(struct result *result)
{
	CLEANUP(result_release) struct result again = { 0 };
	struct error err = ERROR_INIT;
	CLEANUP(free_ptr) char *text = NULL;

	if (!result->n_scenarios)
		abort();
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (!result->scenarios[i].head.n_runs != (result->scenarios[i].head.state == SCENARIO_FAILED) &&
		    !result->scenarios[i].head.failure)
			abort();
	result->date = "2026-11-20T10:05:54Z";
	arena_push(&result->arena, &result->command, "pawl");
	result->machine.arch = result->machine.arch ?: "unknown";
	result->machine.cpu = result->machine.kernel = result->machine.os = "unknown";
	result->machine.part = result->machine.part ?: "unknown";
	result->machine.cpus = result->machine.cpus ?: 1;
	result_settle(result);
	text = result_format(result);
	if (result_parse(text, strlen(text), "written", &again, &err) < 0 || again.n_scenarios != result->n_scenarios)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(result_release) struct result result = { 0 };
	struct error err = ERROR_INIT;
	enum foreign program;

	if (foreign_parse((const char *)data, size, "fuzz", &program, &result, &err) < 0) {
		if (err.kind != ERR_INPUT || !err.msg[0] || strcmp(err.at.path, "fuzz"))
			abort();
	} else if (program != FOREIGN_PAWL) {
		check_result(&result);
	} else if (result.n_scenarios) {
		abort();
	}
	return 0;
}
