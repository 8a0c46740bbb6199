#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/commands.h"
#include "report_samples.h"

static void test_commands(void **state)
{
	static const struct {
		const char *mode, *command, *name, *path;
		const char *again, *accept;
	} rows[] = {
		{"stored", "pawl run", "gzip", "scenarios/gzip.yaml", "pawl run gzip",
	     "pawl baseline update gzip --reason \"...\""},
		{"stored", "pawl run gzip --strict --attach 12 --out o --runs=5 --tag gzip -v", "gzip", "scenarios/gzip.yml",
	     "pawl run gzip --strict --attach 12 --runs=5", "pawl baseline update gzip --reason \"...\""},
		{"stored", "pawl run --baselines 'my base' perf/a.yaml", "a", "perf/a.yaml",
	     "pawl run perf/a.yaml --baselines 'my base'",
	     "pawl baseline update perf/a.yaml --baselines 'my base' --reason \"...\""},
		{"stored", "pawl run --budget 'a'\\''b; rm x'", "a", NULL, "pawl run a --budget 'a'\\''b; rm x'",
	     "pawl baseline update a --reason \"...\""},
		{ "stored", "pawl run -- --strict", "a", NULL, "pawl run a", "pawl baseline update a --reason \"...\"" },
		{"paired", "pawl ab x --base old --head new", "x", "scenarios/x.yaml", "pawl ab x --base old --head new",
	     "pawl baseline update x --reason \"...\""},
		{"paired", "pawl ab --base-cmd 'sleep 1' --head-cmd 'sleep 2'", "sleep", NULL,
	     "pawl ab --base-cmd 'sleep 1' --head-cmd 'sleep 2'", "pawl baseline update sleep --reason \"...\""},
		{ "stored", NULL, "a", NULL, "pawl run a", "pawl baseline update a --reason \"...\"" },
		{ "stored", "pawl run --runs", "a", NULL, "pawl run a --runs", "pawl baseline update a --reason \"...\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct result result = {.mode = xstrdup(rows[i].mode), .command = xstrdup(rows[i].command)};
		struct scenario_result *scenario = result_add_scenario(&result, rows[i].name);
		struct strbuf again = STRBUF_INIT, accept = STRBUF_INIT;

		scenario->path = xstrdup(rows[i].path);
		command_again(&again, &result, scenario);
		command_accept(&accept, &result, scenario);
		assert_string_equal(again.buf, rows[i].again);
		assert_string_equal(accept.buf, rows[i].accept);
		strbuf_release(&again);
		strbuf_release(&accept);
		result_release(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_commands)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
