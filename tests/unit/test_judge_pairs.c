/* Gates get their verdicts from pairs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "judge/judge.h"
#include "pair_samples.h"

/* -------- one gate */

static void assert_pair(const char *metric, const struct pair_values *values, enum verdict verdict, const char *reason)
{
	CLEANUP(fixture_release) struct fixture fixture;

	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, metric);
	measure_pairs(&fixture, metric, values);
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, verdict, reason);
}

static void verdicts_come_with_what_it_would_take(void **state)
{
	(void)state;
	assert_pair("task-clock", &(struct pair_values){ 100, 1.0, 0.01, 20 }, VERDICT_PASS, NULL);
	assert_pair("task-clock", &(struct pair_values){ 100, 1.2, 0.01, 10 }, VERDICT_REGRESSION, NULL);
	assert_pair("task-clock", &(struct pair_values){ 100, 0.8, 0.01, 10 }, VERDICT_IMPROVEMENT, NULL);
	assert_pair("task-clock", &(struct pair_values){ 100, 1.2, 0.01, 8 }, VERDICT_INCONCLUSIVE,
		    "8 pairs, of which at least 10 are needed: a larger --budget");
	assert_pair("page-faults", &(struct pair_values){ 100, 1.05, 0, 10 }, VERDICT_PASS,
		    "the change is smaller than any that counts");
	assert_pair("page-faults", &(struct pair_values){ 1000, 1.05, 0, 10 }, VERDICT_REGRESSION, NULL);
	/* 0.3 points count in pairs, where 0.1 do against stored runs. */
	assert_pair("branch-miss-rate", &(struct pair_values){ 0.01, 1.25, 0, 10 }, VERDICT_PASS,
		    "the change is smaller than any that counts");
	assert_pair("branch-miss-rate", &(struct pair_values){ 0.01, 1.35, 0, 10 }, VERDICT_REGRESSION, NULL);
	assert_pair("ipc", &(struct pair_values){ 2, 0.9, 0.01, 10 }, VERDICT_REGRESSION, NULL);
	assert_pair("ipc", &(struct pair_values){ 2, 1.2, 0.01, 10 }, VERDICT_IMPROVEMENT, NULL);
}

static void more_pairs_are_named(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;
	const struct judgement *g;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "task-clock");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.022, 0.06, 40 });
	judge_in_pairs(&fixture);
	g = gate_judgement(&fixture.s.gates[0]);
	assert_int_equal(g->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(g->pairs, 40);
	assert_true(isfinite(g->more_pairs) && g->more_pairs >= 1);
	assert_non_null(strstr(g->reason, "more would decide: --runs "));
	assert_null(strstr(g->reason, "budget"));
}

static void what_no_pairs_resolve_is_said(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;
	const struct judgement *g;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "task-clock");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.029, 0.3, 40 });
	judge_in_pairs(&fixture);
	g = gate_judgement(&fixture.s.gates[0]);
	assert_int_equal(g->verdict, VERDICT_INCONCLUSIVE);
	assert_true(isinf(g->more_pairs));
	assert_ptr_equal(strstr(g->reason, "cannot be resolved on this machine"), g->reason);
}

/* Too few because of --runs is another remedy than too few because of the time. */
static void remedies_fit_what_ended_it(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	fixture.s.pairing->pairs_most = 6;
	add_pair_gate(&fixture, "task-clock");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0.01, 6 });
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE, "6 pairs, of which at least 10 are needed: --runs 10");
	fixture.s.pairing->pairs_most = 8;
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE, "6 pairs, of which at least 10 are needed: --runs 10 and a larger --budget");
	fixture.s.state = SCENARIO_PARTIAL;
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE, "6 pairs, of which at least 10 are needed: it was interrupted");
}

static void numbers_are_those_of_the_look(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;
	const struct judgement *g;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "task-clock");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0, 40 });
	for (size_t i = 10; i < 40; i++)
		fixture.s.pairing->head.measured->runs[i].values[0] = 500;
	judge_in_pairs(&fixture);
	g = gate_judgement(&fixture.s.gates[0]);
	assert_int_equal(g->verdict, VERDICT_REGRESSION);
	assert_int_equal(g->pairs, 10);
	assert_true(fabs(g->current - 120) < 1e-9 && fabs(g->baseline - 100) < 1e-9);
	assert_true(fabs(g->change_pct - 20) < 1e-9);
	assert_true(isnan(g->more_pairs) && isfinite(g->detectable_pct));
}

static void what_one_side_lacks_is_named(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "task-clock");
	add_pair_gate(&fixture, "max-rss");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1, 0.01, 10 });
	for (size_t i = 0; i < 10; i++)
		fixture.s.pairing->base.measured->runs[i].values[0] = NAN;
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, "only the head has a value; no run gave a value");
	assert_gate(&fixture, 1, VERDICT_NOT_MEASURED, "no run gave a value");
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
	fixture.s.state = SCENARIO_FAILED;
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, "the scenario failed");
}

static void counts_that_were_none_have_no_ratio(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "page-faults");
	measure_pairs(&fixture, "page-faults", &(struct pair_values){ 100, 1, 0, 10 });
	for (size_t i = 0; i < 10; i++)
		fixture.s.pairing->base.measured->runs[i].values[0] = 0;
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, "one side counted none, so there is no ratio");
	assert_true(isnan(gate_judgement(&fixture.s.gates[0])->change_pct));
}

static void limits_hold_for_the_head(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;
	struct gate limit = relative_gate(metric_find("task-clock"), NAN);

	(void)state;
	fixture_open_pairs(&fixture);
	limit.relative = false;
	limit.max = 110;
	scenario_result_add_gate(&fixture.s, &limit);
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0.01, 10 });
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, "over its absolute budget");
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->pairs, 0);
}

static void simulated_values_need_no_pairs(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "instructions");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1, 0.01, 10 });
	set_one(fixture.s.pairing->base.measured, "sim-instructions", 1e9);
	set_one(fixture.s.pairing->head.measured, "sim-instructions", 1.02e9);
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_true(gate_judgement(&fixture.s.gates[0])->ref.simulated);
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->pairs, 0);
}

static void tolerances_of_pairs_stand_by_default(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;
	struct gate gate = relative_gate(metric_find("task-clock"), 25);

	(void)state;
	fixture_open_pairs(&fixture);
	gate.by_default = true;
	scenario_result_add_gate(&fixture.s, &gate);
	gate.calibrated_pct = 8;
	scenario_result_add_gate(&fixture.s, &gate);
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.06, 0.005, 20 });
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_true(gate_judgement(&fixture.s.gates[0])->tolerance_pct == 3);
	assert_gate(&fixture, 1, VERDICT_PASS, NULL);
	assert_true(gate_judgement(&fixture.s.gates[1])->tolerance_pct == 8);
}

/* -------- when to look */

static void looks_follow_what_is_undecided(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "task-clock");
	assert_int_equal(judge_pairs_next_look(&fixture.s), 10);
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.012, 0.06, 10 });
	assert_int_equal(judge_pairs_next_look(&fixture.s), 20);
	fixture.s.pairing->pairs_most = 15;
	assert_int_equal(judge_pairs_next_look(&fixture.s), 15);
	fixture.s.pairing->pairs_most = 10;
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
}

static void a_decided_scenario_needs_no_look(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "task-clock");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0.01, 10 });
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
}

/* Of two gates the one that is nearer to its decision tells how many pairs are missing. */
static void the_nearest_decision_tells_what_is_missing(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;
	double one;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "max-rss");
	assert_true(judge_pairs_missing(&fixture.s) == 0);
	measure_pairs(&fixture, "max-rss", &(struct pair_values){ 1e9, 1, 0.9, 10 });
	assert_true(isinf(judge_pairs_missing(&fixture.s)));
	add_pair_gate(&fixture, "task-clock");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.012, 0.06, 10 });
	one = judge_pairs_missing(&fixture.s);
	assert_true(one > 0 && one < 200);
	/* Decided: what is left is what cannot be. */
	fixture.s.gates[1].gate.tolerance_pct = 900;
	fixture.s.gates[1].gate.by_default = false;
	assert_true(isinf(judge_pairs_missing(&fixture.s)));
}

static void one_program_is_no_comparison(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "task-clock");
	fixture.s.pairing->one_program = xstrdup("both sides ran /bin/prog");
	assert_int_equal(judge_pairs_next_look(&fixture.s), 1);
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1, 0.01, 10 });
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, "both sides ran /bin/prog");
	assert_int_equal(fixture.s.explanation.n, 0);
}

/* A pair that did not count a metric does not bring its look nearer. */
static void looks_count_what_was_measured(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "task-clock");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0.01, 10 });
	for (size_t i = 0; i < 3; i++)
		fixture.s.pairing->head.measured->runs[i].values[0] = NAN;
	assert_int_equal(judge_pairs_next_look(&fixture.s), 13);
	fixture.s.pairing->pairs_most = 12;
	assert_int_equal(judge_pairs_next_look(&fixture.s), 12);
}

static void gates_in_pairs_are_counted(void **state)
{
	struct gate gates[] = {
		relative_gate(metric_find("task-clock"), 3), relative_gate(metric_find("sim-instructions"), 1),
		relative_gate(metric_find("max-rss"), 5), relative_gate(metric_find("ipc"), 5),
	};

	(void)state;
	gates[2].relative = false;
	assert_int_equal(judge_pairs_gates(gates, 4), 2);
}

/* -------- what is said of both sides */

static void both_sides_are_told_of(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "task-clock");
	fixture.s.gates[0].gate.tolerance_pct = 1;
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0.01, 10 });
	fixture.s.pairing->base.measured->executable = xstrdup("fnv1a:1234");
	fixture.s.pairing->head.measured->executable = xstrdup("fnv1a:1234");
	judge_in_pairs(&fixture);
	judge_in_pairs(&fixture);
	assert_int_equal(fixture.s.explanation.n, 1);
	assert_string_equal(fixture.s.explanation.items[0], "both sides run the same executable (fnv1a:1234): look at its "
							  "arguments, its input and its libraries");
	assert_int_equal(fixture.s.notes.n, 1);
	assert_string_equal(fixture.s.notes.items[0], "a tolerance of 1 % on task-clock judges the linker: the order of linking alone "
						    "moves a program by up to 2 %");
}

static void different_work_is_told(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	fixture.s.work_unit = xstrdup("request");
	measure_pairs(&fixture, METRIC_WORK, &(struct pair_values){ 1000, 1.2, 0, 10 });
	judge_in_pairs(&fixture);
	assert_string_equal(fixture.s.explanation.items[0], "the sides do different work: 1000 a window in the base, 1200 in the "
							  "head; what grows with it is judged per request");
	fixture.s.settings.window_s = 5;
	judge_in_pairs(&fixture);
	assert_int_equal(fixture.s.explanation.n, 0);
}

/* A load that works for a fixed time does as much as it can, which differs from window to window. */
static void work_that_only_spreads_is_no_other_work(void **state)
{
	static const struct { double ratio, spread; size_t n; bool told; } cases[] = {
		{ 1.02, 0.05, 10, false }, { 1.2, 0.02, 10, true }, { 1.2, 0, 1, false }, { 1.2, 0, 2, true }, { 1.005, 0, 10, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open_pairs(&fixture);
		fixture.s.work_unit = xstrdup("request");
		measure_pairs(&fixture, METRIC_WORK, &(struct pair_values){ 1000, cases[i].ratio, cases[i].spread, cases[i].n });
		judge_in_pairs(&fixture);
		if (fixture.s.explanation.n != cases[i].told)
			fail_msg("case %zu: %zu lines", i, fixture.s.explanation.n);
	}
}

/* Who waited for a CPU waited on both sides. */
static void a_busy_machine_excuses_no_pairs(void **state)
{
	struct result result = { .mode = MODE_PAIRED };
	struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "wall-time");
	fixture.s.gates[0].gate.tolerance_pct = 5;
	measure_pairs(&fixture, "wall-time", &(struct pair_values){ 100, 1.5, 0.01, 10 });
	judge_in_pairs(&fixture);
	strv_push(&result.busy, "steal took 20 % of CPU time");
	result.scenarios = &fixture.s;
	result.n_scenarios = 1;
	judge_together(&result);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	result.scenarios = NULL;
	result.n_scenarios = 0;
	result_release(&result);
	fixture_release(&fixture);
}

static void ipc_is_forgiven_in_pairs_too(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open_pairs(&fixture);
	add_pair_gate(&fixture, "ipc");
	measure_pairs(&fixture, "ipc", &(struct pair_values){ 2, 0.8, 0.01, 10 });
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 0.7, 0, 10 });
	measure_pairs(&fixture, "instructions", &(struct pair_values){ 1e9, 0.5, 0, 10 });
	measure_pairs(&fixture, "cycles", &(struct pair_values){ 1e9, 0.6, 0, 10 });
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_PASS, "IPC fell because cheap instructions went: 50.0 % fewer of them and 30.0 % less "
					     "task-clock");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_come_with_what_it_would_take),
		cmocka_unit_test(more_pairs_are_named),
		cmocka_unit_test(what_no_pairs_resolve_is_said),
		cmocka_unit_test(remedies_fit_what_ended_it),
		cmocka_unit_test(numbers_are_those_of_the_look),
		cmocka_unit_test(what_one_side_lacks_is_named),
		cmocka_unit_test(counts_that_were_none_have_no_ratio),
		cmocka_unit_test(limits_hold_for_the_head),
		cmocka_unit_test(simulated_values_need_no_pairs),
		cmocka_unit_test(tolerances_of_pairs_stand_by_default),
		cmocka_unit_test(looks_follow_what_is_undecided),
		cmocka_unit_test(a_decided_scenario_needs_no_look),
		cmocka_unit_test(looks_count_what_was_measured),
		cmocka_unit_test(the_nearest_decision_tells_what_is_missing),
		cmocka_unit_test(one_program_is_no_comparison),
		cmocka_unit_test(gates_in_pairs_are_counted),
		cmocka_unit_test(both_sides_are_told_of),
		cmocka_unit_test(different_work_is_told),
		cmocka_unit_test(work_that_only_spreads_is_no_other_work),
		cmocka_unit_test(a_busy_machine_excuses_no_pairs),
		cmocka_unit_test(ipc_is_forgiven_in_pairs_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
