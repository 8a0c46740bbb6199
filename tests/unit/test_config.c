#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "scenario/scenario.h"

/* -------- config */

static int parse(const char *text, struct config *config, struct diags *diags)
{
	return config_parse(text, strlen(text), "pawl.yaml", config, diags);
}

static void has_defaults(void **state)
{
	struct diags diags = DIAGS_INIT;
	struct config config;

	(void)state;
	config_init(&config);
	assert_int_equal(parse("", &config, &diags), 0);
	assert_int_equal(parse("# nothing set\n", &config, &diags), 0);
	assert_int_equal(parse("{}\n", &config, &diags), 0);
	assert_string_equal(config.scenarios, "scenarios");
	assert_string_equal(config.baselines, "baselines");
	assert_string_equal(config.out, "pawl-out");
	assert_int_equal(config.build.argv.n, 0);
	assert_int_equal(config.defaults.measure.runs, 10);
	assert_int_equal(config.defaults.gates.n, 2);
	assert_true(config.defaults.gates.items[0].builtin);
	config_release(&config);
}

static void reads_every_key(void **state)
{
	struct diags diags = DIAGS_INIT;
	struct config config;

	(void)state;
	config_init(&config);
	assert_int_equal(parse("build: make -j${jobs:-2}\n"
			       "scenarios: perf/scenarios\n"
			       "baselines: perf/..base\n"
			       "out: .\n"
			       "calibration: perf/calibration.yaml\n"
			       "measure: { runs: 20, events: [cache-misses] }\n"
			       "gates: { cache-misses: +8%, ipc: default }\n",
			       &config, &diags),
			 0);
	assert_string_equal(config.build.argv.items[2], "make -j${jobs:-2}");
	assert_string_equal(config.scenarios, "perf/scenarios");
	assert_string_equal(config.baselines, "perf/..base");
	assert_string_equal(config.out, ".");
	assert_string_equal(config.calibration, "perf/calibration.yaml");
	assert_int_equal(config.defaults.measure.runs, 20);
	assert_int_equal(config.defaults.gates.n, 4);
	assert_true(config.defaults.gates.items[1].builtin);
	assert_false(config.defaults.gates.items[2].builtin);
	assert_string_equal(config.defaults.gates.items[2].metric->name, "cache-misses");
	assert_int_equal(config.defaults.gates.items[2].line, 7);

	assert_int_equal(parse("out: elsewhere\n", &config, &diags), 0);
	assert_string_equal(config.out, "elsewhere");
	assert_string_equal(config.scenarios, "perf/scenarios");
	assert_string_equal(config.calibration, "perf/calibration.yaml");
	assert_int_equal(config.defaults.measure.runs, 20);
	config_release(&config);
}

static void keeps_what_has_no_fault(void **state)
{
	static const struct {
		const char *text, *fault;
	} cases[] = {
		{ "out: /tmp\n",
		  "1:6: out: expected a folder inside the project: relative, without '..', found '/tmp'" },
		{ "out: ..\n", "1:6: out: expected a folder inside the project: relative, without '..', found '..'" },
		{ "out: a/../b\n",
		  "1:6: out: expected a folder inside the project: relative, without '..', found 'a/../b'" },
		{ "out: a/..\n",
		  "1:6: out: expected a folder inside the project: relative, without '..', found 'a/..'" },
		{ "calibration: ../c.yaml\n",
		  "1:14: calibration: expected a file inside the project: relative, without '..', found '../c.yaml'" },
		{ "calibration: []\n", "1:14: calibration: expected a file inside the project: relative, without '..', found a list" },
		{ "out: \"\"\n", "1:6: out: the text is empty" },
		{ "out: [a]\n", "1:6: out: expected a folder inside the project: relative, without '..', found a list" },
		{ "scenario: a\n", "1:1: unknown key 'scenario'; did you mean 'scenarios'?" },
		{ "version: 1\n",
		  "1:1: unknown key 'version'; the keys here are build, scenarios, baselines, out, calibration, "
		  "measure, profile, gates" },
		{ "profile: { kinds: [waits] }\n", "1:20: profile.kinds: expected cpu, offcpu, faults or heap, found 'waits'" },
		{ "build: []\n", "1:8: build: the command is empty" },
		{ "measure: { runs: x }\n", "1:18: measure.runs: expected a whole number from 1 to 10000, found 'x'" },
		{ "gates: { ipcc: 5% }\n", "1:10: gates: unknown metric 'ipcc'; did you mean 'ipc'?" },
		{ "text\n", "1:1: expected a mapping, found 'text'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diags diags = DIAGS_INIT;
		struct strbuf expected = STRBUF_INIT, shown = STRBUF_INIT;
		struct config config;

		config_init(&config);
		assert_int_equal(parse(cases[i].text, &config, &diags), -1);
		assert_int_equal(diags.n, 1);
		free(diags.items[0].source);
		diags.items[0].source = NULL;
		diags_render(&diags, &shown);
		strbuf_addf(&expected, "pawl.yaml:%s\n", cases[i].fault);
		assert_string_equal(shown.buf, expected.buf);
		assert_string_equal(config.out, "pawl-out");
		assert_int_equal(config.defaults.measure.runs, 10);
		assert_int_equal(config.defaults.gates.n, 2);
		config_release(&config);
		strbuf_release(&shown);
		strbuf_release(&expected);
		diags_release(&diags);
	}
}

static int run_config(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_defaults),
		cmocka_unit_test(reads_every_key),
		cmocka_unit_test(keeps_what_has_no_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* -------- calibration */

#define HEAD "version: 1\nentries:\n"
#define ENTRY(machine, scenario, tolerances) \
	"  - machine: " machine "\n    scenario: " scenario "\n    date: 2026-11-21T09:12:33Z\n    pairs: 240\n" \
	"    tolerances: " tolerances "\n"

static int parse_calibration(const char *text, struct calibration *out, struct diags *diags)
{
	return calibration_parse(text, strlen(text), "calibration.yaml", out, diags);
}

static void must_parse(const char *text, struct calibration *out)
{
	struct diags diags = DIAGS_INIT;

	if (parse_calibration(text, out, &diags) < 0) {
		struct strbuf shown = STRBUF_INIT;

		diags_render(&diags, &shown);
		fail_msg("%s", shown.buf);
	}
}

static void reads_what_is_found_by_machine_and_scenario(void **state)
{
	struct calibration calibration;
	const struct calibration_entry *entry;

	(void)state;
	must_parse(HEAD ENTRY("b-sw", "gzip", "{ task-clock: 2.5%, \"cpu/event=0x1,umask=2/\": 1% }")
			   ENTRY("a-hw", "gzip", "{ task-clock: 2% }"),
		   &calibration);
	assert_int_equal(calibration.n, 2);
	entry = calibration_find(&calibration, "b-sw", "gzip");
	assert_string_equal(entry->date, "2026-11-21T09:12:33Z");
	assert_int_equal(entry->pairs, 240);
	assert_int_equal(entry->n, 2);
	assert_string_equal(entry->items[1].metric, "cpu/event=0x1,umask=2/");
	assert_true(entry->items[0].pct == 2.5);
	assert_null(calibration_find(&calibration, "b-sw", "xz"));
	assert_null(calibration_find(&calibration, "c-sw", "gzip"));
	assert_string_equal(calibration.entries[0].machine, "a-hw");
	calibration_release(&calibration);
}

static void tells_every_fault_with_its_place(void **state)
{
	static const struct {
		const char *text, *fault;
	} cases[] = {
		{ "", "1:1: the file is empty: a calibration has 'version: 1' and 'entries:'" },
		{ "version: 2\nentries:\n" ENTRY("m", "s", "{ a: 2% }"),
		  "1:10: version: expected 1, the version of the format that this pawl reads, found '2'" },
		{ "version: 1\n", "1:1: the key 'entries' is missing; add what `pawl calibrate --write` found" },
		{ "version: 1\nentries: {}\n", "2:10: entries: expected a list of 1 to 1000 entries, found a mapping" },
		{ "version: 1\nentrys: []\n", "2:1: unknown key 'entrys'; did you mean 'entries'?" },
		{ HEAD ENTRY("../m", "s", "{ a: 2% }"), "3:14: entries.machine: expected a machine class such as "
		  "x86_64-intel-xeon-8370c-4cpu-sw, found '../m'" },
		{ HEAD ENTRY("m", "a/b", "{ a: 2% }"), "4:15: entries.scenario: " },
		{ HEAD ENTRY("m", "s", "[]"), "7:17: entries.tolerances: expected a mapping of metrics to tolerances, found a list" },
		{ HEAD ENTRY("m", "s", "{}"), "7:17: entries.tolerances: expected a mapping of metrics to tolerances, found a mapping" },
		{ HEAD ENTRY("m", "s", "{ task-clock: 0% }"),
		  "7:31: entries.tolerances.task-clock: expected a tolerance above 0% and up to 100%, such as 2.5%, found '0%'" },
		{ HEAD ENTRY("m", "s", "{ task-clock: 2 }"), "7:31: entries.tolerances.task-clock: expected a tolerance" },
		{ HEAD ENTRY("m", "s", "{ task-clock: 101% }"), "7:31: entries.tolerances.task-clock: expected a tolerance" },
		{ HEAD ENTRY("m", "s", "{ \"a b\": 2% }"), "7:19: entries.tolerances.a b: expected the name of a metric, found 'a b'" },
		{ HEAD ENTRY("m", "s", "{ a: 2%, a: 3% }"), "7:26: " },
		{ HEAD ENTRY("m", "s", "{ a: 2% }") ENTRY("m", "s", "{ a: 3% }"),
		  "8:5: entries: the same machine and scenario as on line 3; keep one" },
		{ HEAD "  - { machine: m, scenario: s, date: yesterday, pairs: 3, tolerances: { a: 2% } }\n",
		  "3:38: entries.date: expected a time in UTC such as 2026-11-21T09:12:33Z, found 'yesterday'" },
		{ HEAD "  - { machine: m, scenario: s, date: 2026-11-21T09:12:33Z0, pairs: 3, tolerances: { a: 2% } }\n",
		  "3:38: entries.date: expected a time in UTC" },
		{ HEAD "  - { machine: m, scenario: s, date: 2026-11-21T09:12:33Z, pairs: 0, tolerances: { a: 2% } }\n",
		  "3:67: entries.pairs: expected a whole number from 1 to 1000000, found '0'" },
		{ HEAD "  - { machine: m, scenario: s, date: 2026-11-21T09:12:33Z, pairs: 1 }\n",
		  "3:5: entries: the key 'tolerances' is missing; add one such as tolerances: { task-clock: 2.5% }" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct calibration calibration = { .n = 77 };
		struct diags diags = DIAGS_INIT;
		struct strbuf expected = STRBUF_INIT, shown = STRBUF_INIT;

		assert_int_equal(parse_calibration(cases[i].text, &calibration, &diags), -1);
		assert_int_equal(calibration.n, 77);
		diags_render(&diags, &shown);
		if (diags.n != 1)
			fail_msg("case %zu: %zu faults\n%s", i, diags.n, shown.buf);
		strbuf_addf(&expected, "calibration.yaml:%s", cases[i].fault);
		if (strncmp(shown.buf, expected.buf, expected.len))
			fail_msg("case %zu: expected %s\nfound %s", i, expected.buf, shown.buf);
		strbuf_release(&shown);
		strbuf_release(&expected);
		diags_release(&diags);
	}
}

static void put(struct calibration *calibration, const char *machine, const char *scenario, double pct)
{
	struct arena *arena = &calibration->arena;
	struct calibration_entry entry = {
		.machine = arena_strdup(arena, machine), .scenario = arena_strdup(arena, scenario),
		.date = arena_strdup(arena, "2026-11-22T00:00:00Z"), .pairs = 80,
	};

	calibration_entry_add(arena, &entry, "task-clock", pct);
	calibration_put(calibration, &entry);
}

static void is_merged_and_written_back(void **state)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
	struct calibration calibration, read;

	(void)state;
	must_parse(HEAD ENTRY("m-sw", "\"null\"", "{ task-clock: 2.5%, user-time: 3% }"), &calibration);
	put(&calibration, "m-sw", "gzip", 2);
	put(&calibration, "a-sw", "xz", 3.5);
	put(&calibration, "m-sw", "null", 4);
	assert_int_equal(calibration.n, 3);
	calibration_print(&calibration, &text);
	must_parse(text.buf, &read);
	calibration_print(&read, &again);
	assert_string_equal(again.buf, text.buf);
	assert_string_equal(read.entries[0].scenario, "xz");
	assert_string_equal(read.entries[1].scenario, "gzip");
	assert_string_equal(read.entries[2].scenario, "null");
	assert_int_equal(read.entries[2].n, 1);
	assert_true(read.entries[2].items[0].pct == 4);
	calibration_release(&calibration);
	calibration_release(&read);
}

static void sets_the_gates_of_its_scenario_alone(void **state)
{
	static const char scenario_text[] = "version: 1\nname: gzip\ntarget: { command: \"true\" }\n"
					    "gates: { task-clock: default, page-faults: default }\n";
	struct diags diags = DIAGS_INIT;
	struct scenario_defaults defaults;
	struct calibration calibration;
	struct scenario scenario;

	(void)state;
	scenario_defaults_init(&defaults);
	assert_int_equal(scenario_parse(scenario_text, strlen(scenario_text), "s.yaml", &defaults, &scenario, &diags), 0);
	must_parse(HEAD ENTRY("m-sw", "gzip", "{ task-clock: 2.5%, nobody-gates-this: 9% }")
			   ENTRY("m-sw", "xz", "{ page-faults: 7% }"),
		   &calibration);
	calibration_apply(&calibration, "m-sw", &scenario);
	assert_true(scenario.gates.items[0].calibrated_pct == 2.5);
	assert_true(scenario.gates.items[1].calibrated_pct == 0);
	calibration_apply(&calibration, "other", &scenario);
	assert_true(scenario.gates.items[0].calibrated_pct == 0);
	calibration_release(&calibration);
	scenario_release(&scenario);
	scenario_defaults_release(&defaults);
}

static int run_calibration(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_is_found_by_machine_and_scenario),
		cmocka_unit_test(tells_every_fault_with_its_place),
		cmocka_unit_test(is_merged_and_written_back),
		cmocka_unit_test(sets_the_gates_of_its_scenario_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
	return run_config() + run_calibration();
}
