/* Where a gate has no number: the words why, and when a simulated one stands in. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "judge_fixture.h"
#include "measure/perf/perf.h"

/* -------- no value */

static void what_the_machine_cannot_count_is_told(void **state)
{
	static const struct {
		const char *metric;
		enum tier tier;
		const char *tier_reason, *expected;
	} cases[] = {
		{ "ipc", TIER_SW, "this virtual machine has no counters", "this virtual machine has no counters" },
		{ "instructions", TIER_SW, "this virtual machine has no counters",
		  "this virtual machine has no counters; with valgrind installed and counters: auto it is simulated" },
		{ "branch-miss-rate", TIER_SIM, NULL,
		  "this machine has no hardware counters; with valgrind installed and counters: auto it is simulated" },
		{ "cycles", TIER_SW_USER, NULL, "this machine has no hardware counters" },
		{ "sim-instructions", TIER_HW, NULL, "no simulation ran; valgrind is not installed" },
		{ "sim-branch-miss-rate", TIER_SW, "none", "no simulation ran; valgrind is not installed" },
		{ "task-clock", TIER_SIM, NULL, "perf is not used" },
		{ "task-clock", TIER_SIM, "perf is not installed", "perf is not installed" },
		{ "ipc", TIER_HW, "only that", "no run gave a value" },
		{ "task-clock", TIER_SW, "no counters", "no run gave a value" },
		{ "wall-time", TIER_SW, "no counters", "no run gave a value" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open(&fixture);
		fixture.here.tier = fixture.base.machine.tier = cases[i].tier;
		fixture.here.tier_reason = xstrdup(cases[i].tier_reason);
		measure(&fixture, "page-faults", 1000, 1000);
		add_same(&fixture.base, cases[i].metric, 1, RUNS);
		add_gate(&fixture, cases[i].metric);
		judge(&fixture);
		assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, cases[i].expected);
		assert_true(isnan(gate_judgement(&fixture.s.gates[0])->current));
		assert_int_equal(gate_judgement(&fixture.s.gates[0])->n_current, 0);
	}
}

static void add_rows(struct fixture *fixture, const char *csv)
{
	struct error err = ERROR_INIT;

	if (perfstat_parse(csv, strlen(csv), PERFSTAT_SEPARATOR, &scenario_result_add_run(&fixture->s)->rows, &err) < 0)
		fail_msg("%s", err.msg);
}

#define PART "the event was counted only part of the time, so perf's value is an extrapolation"
#define NEVER_COUNTED \
	"the event was never counted: the target ended before its turn, or too many events share the counters"
#define UNSUPPORTED "this machine does not support the event"

static void perf_says_best_why(void **state)
{
	static const struct {
		const char *metric, *first, *last, *expected;
	} cases[] = {
		{ "cycles", "1;;cycles;1;53.00;;\n", "1;;cycles;1;53.00;;\n", PART },
		{ "cycles", "<not counted>;;cycles;0;0.00;;\n", "1;;cycles;1;53.00;;\n", PART },
		{ "cycles", "1;;cycles;1;53.00;;\n", "<not counted>;;cycles;0;0.00;;\n", NEVER_COUNTED },
		/* the last run that asked for it: other passes do not */
		{ "cycles", "1;;cycles;1;53.00;;\n", "1;;branches;1;100.00;;\n", PART },
		/* of two parts the one that is missing, whichever it is */
		{ "ipc", "1;;instructions;1;100.00;;\n<not supported>;;cycles;0;100.00;;\n", "", UNSUPPORTED },
		{ "ipc", "<not counted>;;instructions;0;0.00;;\n1;;cycles;1;100.00;;\n", "", NEVER_COUNTED },
		{ "cycles-per-second", "1;msec;task-clock;1;100.00;;\n1;;cycles;1;20.00;;\n", "", PART },
		{ "cycles", "", "1;;branches;1;100.00;;\n", "no run gave a value" },
		{ "task-clock", "<not supported>;msec;task-clock;0;100.00;;\n", "", UNSUPPORTED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open(&fixture);
		add_rows(&fixture, cases[i].first);
		add_rows(&fixture, cases[i].last);
		add_gate(&fixture, cases[i].metric);
		judge(&fixture);
		assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, cases[i].expected);
	}
}

static void a_baseline_may_lack_the_metric(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	set_runs(&fixture.s, "ipc", 2, RUNS);
	add_gate(&fixture, "ipc");
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, "the baseline has no value of ipc; accept a new one");
	assert_true(gate_judgement(&fixture.s.gates[0])->current == 2);
}

static void unfinished_scenarios_are_not_judged(void **state)
{
	static const struct {
		enum scenario_state state;
		size_t runs;
		const char *expected;
	} cases[] = {
		{ SCENARIO_FAILED, 6, "the scenario failed" },
		{ SCENARIO_FAILED, 0, "the scenario failed" },
		{ SCENARIO_PARTIAL, 6, "interrupted after 6 of 15 runs" },
		{ SCENARIO_SKIPPED, 0, "interrupted after 0 of 15 runs" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open(&fixture);
		fixture.s.state = cases[i].state;
		add_same(&fixture.base, "instructions", 1e9, RUNS);
		if (cases[i].runs)
			set_runs(&fixture.s, "instructions", 2e9, cases[i].runs);
		add_gate(&fixture, "instructions");
		/* Not even a limit that is far exceeded: half a measurement proves nothing. */
		fixture.s.gates[0].gate.max = 1;
		strv_push(&fixture.s.settings.command, "./other");
		judge(&fixture);
		assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, cases[i].expected);
		assert_int_equal(fixture.s.explanation.n, 0);
	}
}

/* How slow it is nobody knows; that it is slower than what took a tenth of the timeout is sure. */
static void a_timeout_may_be_a_regression(void **state)
{
	static const struct {
		const char *metric;
		double stored_ms, timed_out_ms;
		size_t n;
		const char *reason;
	} cases[] = {
		{ "task-clock", 1000, 10000, 3, "a run reached its timeout of 10 s; none of the baseline's (3) took more than 1 s" },
		{ "wall-time", 20, 60000, 5, "a run reached its timeout of 60 s; none of the baseline's (5) took more than 0.02 s" },
		{ "task-clock", 1001, 10000, 3, NULL },
		{ "task-clock", 1000, 10000, 2, NULL },
		{ "task-clock", 1000, 0, 3, NULL },
		{ "page-faults", 1000, 10000, 3, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open(&fixture);
		fixture.s.state = SCENARIO_FAILED;
		fixture.s.timed_out_ms = cases[i].timed_out_ms;
		add_same(&fixture.base, "wall-time", cases[i].stored_ms, cases[i].n);
		add_gate(&fixture, cases[i].metric);
		judge(&fixture);
		scenario_result_settle(&fixture.s, false);
		assert_gate(&fixture, 0, cases[i].reason ? VERDICT_REGRESSION : VERDICT_NOT_MEASURED,
			    cases[i].reason ?: "the scenario failed");
		assert_int_equal(fixture.s.status, cases[i].reason ? STATUS_REGRESSION : STATUS_NOT_MEASURED);
	}
}

/* -------- simulated values */

static void counted_values_come_before_simulated_ones(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	measure(&fixture, "instructions", 1e9, 1e9);
	measure(&fixture, "sim-instructions", 5e8, 6e8);
	add_gate(&fixture, "instructions");
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_PASS, NULL);
	assert_false(gate_judgement(&fixture.s.gates[0])->ref.simulated);
	assert_true(gate_judgement(&fixture.s.gates[0])->baseline == 1e9);
}

static void a_twin_stands_in_and_is_labelled(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	fixture.here.tier = fixture.base.machine.tier = TIER_SW;
	measure(&fixture, "instructions", 1e9, NAN);
	measure(&fixture, "sim-instructions", 5e8, 6e8);
	add_gate(&fixture, "instructions");
	add_gate(&fixture, "sim-instructions");
	judge(&fixture);
	for (size_t i = 0; i < 2; i++) {
		assert_gate(&fixture, i, VERDICT_REGRESSION, NULL);
		assert_true(gate_judgement(&fixture.s.gates[i])->ref.simulated);
		assert_true(gate_judgement(&fixture.s.gates[i])->baseline == 5e8 && gate_judgement(&fixture.s.gates[i])->current == 6e8);
	}
}

/* A counted baseline says nothing of a simulated value. */
static void a_twin_is_compared_with_its_own_kind(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	add_same(&fixture.base, "instructions", 6e8, RUNS);
	set_runs(&fixture.s, "sim-instructions", 6e8, 1);
	add_gate(&fixture, "instructions");
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, "the baseline has no value of sim-instructions; accept a new one");
	assert_true(gate_judgement(&fixture.s.gates[0])->ref.simulated);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_machine_cannot_count_is_told),
		cmocka_unit_test(perf_says_best_why),
		cmocka_unit_test(a_baseline_may_lack_the_metric),
		cmocka_unit_test(unfinished_scenarios_are_not_judged),
		cmocka_unit_test(a_timeout_may_be_a_regression),
		cmocka_unit_test(counted_values_come_before_simulated_ones),
		cmocka_unit_test(a_twin_stands_in_and_is_labelled),
		cmocka_unit_test(a_twin_is_compared_with_its_own_kind),
	};

	return cmocka_run_group_tests_name("judge_missing", tests, NULL, NULL);
}
