/* What accounts for a change, in words, and what is not worth any. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "gate_samples.h"
#include "judge/judge.h"

enum { VALUES_MAX = 6 };

/* A metric before and now; NAN: not measured. */
struct value {
	const char *metric;
	double before, now;
};

struct pair {
	struct baseline base;
	struct scenario_result scenario;
};

static void pair_release(struct pair *pair)
{
	baseline_release(&pair->base);
	scenario_result_release(&pair->scenario);
}

/* VALUES in three runs a side, and a task-clock gate of 25 % that was judged as VERDICT. */
static void pair_make(struct pair *pair, const struct value values[VALUES_MAX], enum verdict verdict)
{
	struct gate gate = relative_gate(metric_find("task-clock"), 25);

	*pair = (struct pair){ 0 };
	add_session(&pair->base);
	for (size_t i = 0; i < VALUES_MAX && values[i].metric; i++) {
		add_same(&pair->base, values[i].metric, values[i].before, 3);
		set_runs(&pair->scenario, values[i].metric, values[i].now, 3);
	}
	scenario_result_add_gate(&pair->scenario, &gate)->stored.verdict = verdict;
}

static void assert_lines(const struct scenario_result *s, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < s->explanation.n; i++)
		strbuf_addf(&text, "%s\n", s->explanation.items[i]);
	assert_string_equal(text.buf, expected);
}

static void the_parts_make_up_the_whole(void **state)
{
	static const struct {
		struct value values[VALUES_MAX];
		const char *expected;
	} cases[] = {
		/* 1.3 = 1.1 more instructions x 1.2 / 1.1 more cycles each x 1.3 / 1.2 more time a cycle */
		{ { { "task-clock", 100, 130 }, { "instructions", 1e9, 1.1e9 }, { "cycles", 5e8, 6e8 } },
		  "task-clock +30.0 % is made of: +10.0 % instructions (more work), +9.1 % cycles per instruction "
		  "(worse IPC), +8.3 % time per cycle (slower clock)\n" },
		{ { { "task-clock", 100, 76 }, { "instructions", 1e9, 0.9e9 }, { "cycles", 5e8, 4e8 } },
		  "task-clock -24.0 % is made of: -10.0 % instructions (less work), -11.1 % cycles per instruction "
		  "(better IPC), -5.0 % time per cycle (faster clock)\n" },
		{ { { "task-clock", 100, 150 }, { "instructions", 1e9, 1.5e9 }, { "cycles", 5e8, 7.5e8 } },
		  "task-clock +50.0 % is made of: +50.0 % instructions (more work)\n" },
		{ { { "task-clock", 100, 150 }, { "instructions", 1e9, 1e9 }, { "cycles", 5e8, 7.5e8 } },
		  "task-clock +50.0 % is made of: +50.0 % cycles per instruction (worse IPC)\n" },
		{ { { "task-clock", 100, 150 }, { "instructions", 1e9, 1.001e9 }, { "cycles", 5e8, 5.005e8 } },
		  "task-clock +50.0 % is made of: +49.9 % time per cycle (slower clock)\n" },
		/* nothing to say: a part unknown, too little in all, too little in every part */
		{ { { "task-clock", 100, 150 }, { "instructions", 1e9, 1.5e9 } }, "" },
		{ { { "task-clock", 100, 150 }, { "instructions", 1e9, 1.5e9 }, { "cycles", NAN, 1e9 } }, "" },
		{ { { "task-clock", 100, 100.4 }, { "instructions", 1e9, 1.5e9 }, { "cycles", 5e8, 7.5e8 } }, "" },
		{ { { "task-clock", 100, 100.9 }, { "instructions", 1e9, 1.003e9 }, { "cycles", 5e8, 5.03e8 } }, "" },
		{ { { "task-clock", 0, 100 }, { "instructions", 1e9, 1.5e9 }, { "cycles", 5e8, 7.5e8 } }, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(pair_release) struct pair pair;

		pair_make(&pair, cases[i].values, VERDICT_REGRESSION);
		explain_scenario(&pair.scenario, &pair.base, true);
		assert_lines(&pair.scenario, cases[i].expected);
	}
}

static void other_words_come_where_they_help(void **state)
{
	static const struct {
		struct value values[VALUES_MAX];
		const char *expected;
	} cases[] = {
		{ { { "user-time", 100, 120 }, { "system-time", 20, 15 } },
		  "CPU time per run: user +20.0 ms, system -5.0 ms\n" },
		{ { { "user-time", 100, 120 } }, "" },
		{ { { "user-time", 100, 100.04 }, { "system-time", 20, 19.96 } }, "" },
		{ { { "user-time", 100, 100.06 }, { "system-time", 20, 20 } },
		  "CPU time per run: user +0.1 ms, system +0.0 ms\n" },
		{ { { "sim-instructions", 1e9, 1.02e9 } }, "instructions (simulated) +2.0 %: the program does more work\n" },
		{ { { "sim-instructions", 1e9, 0.98e9 } }, "instructions (simulated) -2.0 %: the program does less work\n" },
		{ { { "sim-instructions", 1e9, 1.004e9 } }, "" },

		/* steal: the part of task-clock that user and system time do not have, beyond the tolerance */
		{ { { "task-clock", 100, 130 }, { "cpu-time", 100, 103 } },
		  "task-clock rose by +30.0 %, user and system time only by +3.0 %: the rest is steal, time the hypervisor "
		  "gave to others\n" },
		{ { { "task-clock", 100, 130 }, { "cpu-time", 100, 104.1 } }, "" },
		{ { { "task-clock", 100, 130 } }, "" },
		/* it did not rise */
		{ { { "task-clock", 100, 95 }, { "cpu-time", 100, 60 } }, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(pair_release) struct pair pair;

		pair_make(&pair, cases[i].values, VERDICT_IMPROVEMENT);
		explain_scenario(&pair.scenario, &pair.base, true);
		assert_lines(&pair.scenario, cases[i].expected);
	}
}

/* Windows whose loads did 1000 and 2000 requests: what they took in all explains nothing. */
static void work_is_explained_per_unit_of_it(void **state)
{
	static const struct value values[VALUES_MAX] = {
		{ "task-clock", 100, 100 }, { "instructions", 1e9, 1e9 }, { "work", 1000, 2000 },
	};
	static const struct {
		struct value values[VALUES_MAX];
		const char *unit, *expected;
	} cases[] = {
		{ { { "task-clock-per-work", 0.1, 0.15 }, { "instructions-per-work", 1e6, 1.5e6 },
		    { "cycles-per-work", 5e5, 7.5e5 } },
		  "request", "task-clock per request +50.0 % is made of: +50.0 % instructions (more work)\n" },
		{ { { "task-clock-per-work", 0.1, 0.15 }, { "cpu-time-per-work", 0.1, 0.101 } },
		  NULL,
		  "task-clock per unit of work rose by +50.0 %, user and system time only by +1.0 %: the rest is steal, time "
		  "the hypervisor gave to others\n" },
		{ { { "user-time-per-work", 0.01, 0.0125 }, { "system-time-per-work", 0.002, 0.0019 } },
		  "request", "CPU time per request: user +2.5 us, system -0.1 us\n" },
		{ { { "user-time-per-work", 1e-4, 4e-4 }, { "system-time-per-work", 2e-4, 1e-4 } },
		  "query", "CPU time per query: user +300.0 ns, system -100.0 ns\n" },
		{ { { "user-time-per-work", 10, 12 }, { "system-time-per-work", 2, 2 } },
		  "query", "CPU time per query: user +2.0 ms, system +0.0 ms\n" },
		/* 0.02 ms in the whole window */
		{ { { "user-time-per-work", 0.01, 0.01001 }, { "system-time-per-work", 0.002, 0.002 } }, "request", "" },
		/* the baseline knows nothing of the work */
		{ { { "user-time", 1, 2 }, { "system-time", 1, 2 } }, "request", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(pair_release) struct pair pair;

		pair_make(&pair, values, VERDICT_REGRESSION);
		for (size_t k = 0; k < VALUES_MAX && cases[i].values[k].metric; k++) {
			add_same(&pair.base, cases[i].values[k].metric, cases[i].values[k].before, 3);
			set_runs(&pair.scenario, cases[i].values[k].metric, cases[i].values[k].now, 3);
		}
		pair.scenario.attached = xstrdup("service x (pid 1)");
		pair.scenario.work_unit = xstrdup(cases[i].unit);
		explain_scenario(&pair.scenario, &pair.base, true);
		assert_lines(&pair.scenario, cases[i].expected);
	}
}

static void only_a_change_is_explained(void **state)
{
	static const struct {
		enum verdict verdict;
		bool explained;
	} cases[] = {
		{ VERDICT_PASS, false }, { VERDICT_REGRESSION, true }, { VERDICT_IMPROVEMENT, true },
		{ VERDICT_INCONCLUSIVE, false }, { VERDICT_NOT_MEASURED, false }, { VERDICT_NEW, false },
		{ VERDICT_ACCEPTED, false },
	};
	static const struct value values[VALUES_MAX] = { { "sim-instructions", 1e9, 1.02e9 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(pair_release) struct pair pair;

		pair_make(&pair, values, cases[i].verdict);
		explain_scenario(&pair.scenario, &pair.base, true);
		assert_int_equal(pair.scenario.explanation.n, cases[i].explained);
	}
}

/* What two CPUs took for it explains nothing; what was run still does. */
static void numbers_of_another_class_are_not_explained(void **state)
{
	static const struct value values[VALUES_MAX] = {
		{ "task-clock", 100, 150 }, { "instructions", 1e9, 1.5e9 }, { "cycles", 5e8, 7.5e8 }, { "cpu-time", 1, 1 },
		{ "user-time", 100, 120 }, { "system-time", 20, 15 },
	};
	CLEANUP(pair_release) struct pair pair;

	(void)state;
	pair_make(&pair, values, VERDICT_REGRESSION);
	pair.base.sessions[0].executable = xstrdup("fnv1a:1");
	pair.scenario.executable = xstrdup("fnv1a:1");
	explain_scenario(&pair.scenario, &pair.base, false);
	assert_lines(&pair.scenario, "same executable as the baseline's (fnv1a:1): look at its input, its libraries or the "
				     "machine\n");
}

static void the_same_bytes_are_told(void **state)
{
	static const char id[] = "build-id:0123456789abcdef0123456789abcdef";
	static const struct {
		const char *before, *now;
		enum verdict verdict;
		const char *expected;
	} cases[] = {
		{ id, id, VERDICT_PASS, "same executable as the baseline's (build-id:0123456789abcde)\n" },
		{ id, id, VERDICT_IMPROVEMENT, "same executable as the baseline's (build-id:0123456789abcde)\n" },
		{ id, id, VERDICT_REGRESSION,
		  "same executable as the baseline's (build-id:0123456789abcde): look at its input, its libraries or the "
		  "machine\n" },
		{ id, "fnv1a:1", VERDICT_REGRESSION, "" },
		{ NULL, id, VERDICT_REGRESSION, "" },
		{ id, NULL, VERDICT_REGRESSION, "" },
		{ NULL, NULL, VERDICT_REGRESSION, "" },
	};
	static const struct value none[VALUES_MAX] = { { NULL, 0, 0 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(pair_release) struct pair pair;

		pair_make(&pair, none, cases[i].verdict);
		/* An older session's does not count. */
		pair.base.sessions[0].executable = xstrdup("fnv1a:1");
		add_session(&pair.base);
		pair.base.sessions[1].executable = xstrdup(cases[i].before);
		pair.scenario.executable = xstrdup(cases[i].now);
		explain_scenario(&pair.scenario, &pair.base, true);
		assert_lines(&pair.scenario, cases[i].expected);
	}
}

static void a_changed_scenario_is_told(void **state)
{
	static const struct value none[VALUES_MAX] = { { NULL, 0, 0 } };
	CLEANUP(pair_release) struct pair pair;

	(void)state;
	pair_make(&pair, none, VERDICT_PASS);
	strv_push(&pair.scenario.settings.events, "cache-misses");
	explain_scenario(&pair.scenario, &pair.base, true);
	strv_push(&pair.scenario.settings.command, "./other");
	explain_scenario(&pair.scenario, &pair.base, true);
	assert_lines(&pair.scenario, "the scenario changed since the baseline: its events differ\n"
				     "the scenario changed since the baseline: its command differs\n");
}

static void a_baseline_without_sessions_is_fine(void **state)
{
	static const struct value none[VALUES_MAX] = { { NULL, 0, 0 } };
	struct baseline empty = { 0 };
	CLEANUP(pair_release) struct pair pair;

	(void)state;
	pair_make(&pair, none, VERDICT_REGRESSION);
	pair.scenario.executable = xstrdup("fnv1a:1");
	explain_scenario(&pair.scenario, &empty, true);
	assert_lines(&pair.scenario, "");
}

static void changes_are_of_medians(void **state)
{
	static const double before[] = { 1, 100, 100 }, now[] = { 200, 900, 200 };
	CLEANUP(baseline_release) struct baseline base = { 0 };
	CLEANUP(scenario_result_release) struct scenario_result s = { 0 };

	(void)state;
	add_session(&base);
	add_to_session(&base, "task-clock", before, 3);
	add_to_session(&base, "major-faults", (const double[]){ 0 }, 1);
	set_runs(&s, "task-clock", 0, 3);
	set_runs(&s, "major-faults", 3, 3);
	for (size_t i = 0; i < 3; i++)
		measured_set(&s, &s.runs[i], "task-clock", now[i]);
	assert_true(fabs(explain_change(&s, &base, "task-clock") - log(2)) < 1e-12);
	assert_true(isnan(explain_change(&s, &base, "cycles")));
	assert_true(isnan(explain_change(&s, &base, "major-faults")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_parts_make_up_the_whole),
		cmocka_unit_test(other_words_come_where_they_help),
		cmocka_unit_test(work_is_explained_per_unit_of_it),
		cmocka_unit_test(only_a_change_is_explained),
		cmocka_unit_test(numbers_of_another_class_are_not_explained),
		cmocka_unit_test(the_same_bytes_are_told),
		cmocka_unit_test(a_changed_scenario_is_told),
		cmocka_unit_test(a_baseline_without_sessions_is_fine),
		cmocka_unit_test(changes_are_of_medians),
	};

	return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
