#include "unit.h"

#include "judge/judge.h"
#include "judge/pairs.h"
#include "stats/stats.h"
#include "gate_samples.h"
#include "pair_samples.h"

/* -------- Gates get their verdicts from pairs. */

/* -------- one gate */

static void assert_pair(const char *metric, const struct pair_values *values, enum verdict verdict, const char *reason)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(metric);

	measure_pairs(&fixture, metric, values);
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, verdict, reason);
}

TEST(verdicts_come_with_what_it_would_take)
{
	assert_pair("task-clock", &(struct pair_values){ 100, 1.0, 0.01, 20 }, VERDICT_PASS, NULL);
	assert_pair("task-clock", &(struct pair_values){ 100, 1.2, 0.01, 11 }, VERDICT_REGRESSION, NULL);
	assert_pair("task-clock", &(struct pair_values){ 100, 0.8, 0.01, 11 }, VERDICT_IMPROVEMENT, NULL);
	assert_pair("task-clock", &(struct pair_values){ 100, 1.2, 0.01, 8 }, VERDICT_INCONCLUSIVE,
		    "8 pairs, of which at least 11 are needed: a larger --budget");
	assert_pair("page-faults", &(struct pair_values){ 100, 1.05, 0, 11 }, VERDICT_PASS,
		    "the change is smaller than any that counts");
	assert_pair("page-faults", &(struct pair_values){ 1000, 1.05, 0, 11 }, VERDICT_REGRESSION, NULL);
	/* The least change that counts is 0.3 points in pairs, 0.1 against stored runs. */
	assert_pair("branch-miss-rate", &(struct pair_values){ 0.01, 1.25, 0, 11 }, VERDICT_PASS,
		    "the change is smaller than any that counts");
	assert_pair("branch-miss-rate", &(struct pair_values){ 0.01, 1.35, 0, 11 }, VERDICT_REGRESSION, NULL);
	assert_pair("ipc", &(struct pair_values){ 2, 0.9, 0.01, 11 }, VERDICT_REGRESSION, NULL);
	assert_pair("ipc", &(struct pair_values){ 2, 1.2, 0.01, 11 }, VERDICT_IMPROVEMENT, NULL);
}

TEST(more_pairs_are_named)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(NULL);
	const struct judgement *g;

	fixture.s.pairing.pairs_most = 40;
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

TEST(what_no_pairs_resolve_is_said)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("task-clock");
	const struct judgement *g;

	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.029, 0.3, 40 });
	judge_in_pairs(&fixture);
	g = gate_judgement(&fixture.s.gates[0]);
	assert_int_equal(g->verdict, VERDICT_INCONCLUSIVE);
	assert_true(isinf(g->more_pairs));
	assert_ptr_equal(strstr(g->reason, "cannot be resolved on this machine"), g->reason);
}

/* Too few pairs because of --runs have a different remedy than too few because of the time limit. */
TEST(remedies_fit_what_ended_it)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(NULL);

	fixture.s.pairing.pairs_most = 6;
	add_pair_gate(&fixture, "task-clock");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0.01, 6 });
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE, "6 pairs, of which at least 11 are needed: --runs 11");
	fixture.s.pairing.pairs_most = 8;
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE, "6 pairs, of which at least 11 are needed: --runs 11 and a larger --budget");
	fixture.s.head.state = SCENARIO_PARTIAL;
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE, "6 pairs, of which at least 11 are needed: it was interrupted");
}

TEST(numbers_are_those_of_the_look)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("task-clock");
	const struct judgement *g;

	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0, 40 });
	for (size_t i = 11; i < 40; i++)
		scenario_result_measured(&fixture.s)->runs[i].values[0] = 500;
	judge_in_pairs(&fixture);
	g = gate_judgement(&fixture.s.gates[0]);
	assert_int_equal(g->verdict, VERDICT_REGRESSION);
	assert_int_equal(g->pairs, 11);
	assert_true(fabs(g->current - 120) < 1e-9 && fabs(g->baseline - 100) < 1e-9);
	assert_true(fabs(g->change_pct - 20) < 1e-9);
	assert_true(isnan(g->more_pairs) && isfinite(g->detectable_pct));
}

/* A neighbour can move a time by a few percent. Counts are not affected and show that the program is unchanged. */
TEST(the_same_work_is_doubted)
{
	static const struct {
		const char *counted; double ratio, of_count; size_t n; enum verdict verdict; unsigned pairs, next;
		const char *reason;
	} cases[] = {
		{ "sim-instructions", 1.04, 1, 11, VERDICT_REGRESSION, 11, 20, "exact counts are the same on both sides, so 11 pairs were taken before it counts" },
		{ "sim-instructions", 1.04, 1, 60, VERDICT_REGRESSION, 60, 0, "exact counts are the same on both sides, so 60 pairs were taken before it counts" },
		{ "sim-instructions", 1.04, 1.00005, 11, VERDICT_REGRESSION, 11, 20, "exact counts are the same on both sides, so 11 pairs were taken before it counts" },
		{ "instructions", 1.04, 1, 11, VERDICT_REGRESSION, 11, 20, "exact counts are the same on both sides, so 11 pairs were taken before it counts" },
		{ "sim-instructions", 1.04, 1.0002, 60, VERDICT_REGRESSION, 11, 0, NULL },
		{ "sim-instructions", 1.2, 1, 60, VERDICT_REGRESSION, 11, 0, NULL },
		{ "page-faults", 1.04, 1, 60, VERDICT_REGRESSION, 11, 0, NULL },
		{ "sim-instructions", 1, 1, 60, VERDICT_PASS, 11, 0, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("task-clock");

		measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, cases[i].ratio, 0.001, cases[i].n });
		measure_pairs(&fixture, cases[i].counted, &(struct pair_values){ 1e6, cases[i].of_count, 0, cases[i].n });
		assert_int_equal(judge_pairs_next_look(&fixture.s), cases[i].next);
		judge_in_pairs(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, cases[i].reason);
		assert_int_equal(gate_judgement(&fixture.s.gates[0])->pairs, cases[i].pairs);
	}
}

TEST(more_faults_are_other_work)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("task-clock");

	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.04, 0.001, 60 });
	measure_pairs(&fixture, "sim-instructions", &(struct pair_values){ 1e6, 1, 0, 60 });
	measure_pairs(&fixture, "page-faults", &(struct pair_values){ 100, 1.03, 0, 60 });
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->pairs, 11);
}

TEST(what_one_side_lacks_is_named)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("task-clock");

	add_pair_gate(&fixture, "max-rss");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1, 0.01, 11 });
	for (size_t i = 0; i < 11; i++)
		fixture.s.base.runs[i].values[0] = NAN;
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, "only the head has a value; no run gave a value");
	assert_gate(&fixture, 1, VERDICT_NOT_MEASURED, "no run gave a value");
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
	fixture.s.head.state = SCENARIO_FAILED;
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, "the scenario failed");
}

TEST(counts_that_were_none_have_no_ratio)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("page-faults");

	measure_pairs(&fixture, "page-faults", &(struct pair_values){ 100, 1, 0, 11 });
	for (size_t i = 0; i < 11; i++)
		fixture.s.base.runs[i].values[0] = 0;
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, "one side counted none, so there is no ratio");
	assert_true(isnan(gate_judgement(&fixture.s.gates[0])->change_pct));
}

TEST(limits_hold_for_the_head)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(NULL);
	struct gate limit = relative_gate(metric_find("task-clock"), NAN);

	limit.relative = false;
	limit.max = 110;
	scenario_result_add_gate(&fixture.s, &limit);
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0.01, 11 });
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, "over its absolute budget");
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->pairs, 0);
}

TEST(simulated_values_need_no_pairs)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("instructions");

	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1, 0.01, 11 });
	set_one(&fixture.s.base, "sim-instructions", 1e9);
	set_one(scenario_result_measured(&fixture.s), "sim-instructions", 1.02e9);
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_ptr_equal(gate_judgement(&fixture.s.gates[0])->metric, METRIC(SIM_INSTRUCTIONS));
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->pairs, 0);
}

TEST(tolerances_of_pairs_stand_by_default)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(NULL);
	struct gate gate = relative_gate(metric_find("task-clock"), 25);

	gate.by_default = true;
	scenario_result_add_gate(&fixture.s, &gate);
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.06, 0.005, 20 });
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_true(gate_judgement(&fixture.s.gates[0])->tolerance_pct == 3);
}

/* -------- when to look */

TEST(looks_follow_what_is_undecided)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("task-clock");

	assert_int_equal(judge_pairs_next_look(&fixture.s), 11);
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.012, 0.06, 11 });
	assert_int_equal(judge_pairs_next_look(&fixture.s), 20);
	fixture.s.pairing.pairs_most = 15;
	assert_int_equal(judge_pairs_next_look(&fixture.s), 15);
	fixture.s.pairing.pairs_most = 11;
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
	/* A decided scenario needs no look. */
	fixture.s.pairing.pairs_most = 0;
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0.01, 11 });
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
}

/* In pairs run both ways, wall time comes from the runs in turn and follows their looks. */
TEST(looks_are_those_of_how_a_metric_was_measured)
{
	static const struct { const char *metric; enum pair_way way; unsigned first; } cases[] = {
		{ "task-clock", PAIR_IN_TURN, 11 }, { "task-clock", PAIR_TOGETHER, 6 }, { "task-clock", PAIR_BOTH_WAYS, 6 },
		{ "wall-time", PAIR_IN_TURN, 11 }, { "wall-time", PAIR_BOTH_WAYS, 11 },
		{ "voluntary-switches", PAIR_BOTH_WAYS, 11 }, { "max-rss", PAIR_BOTH_WAYS, 6 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(NULL);
		struct gate gate = relative_gate(metric_find(cases[i].metric), 5);
		const struct judgement *j;

		fixture.s.pairing.way = cases[i].way;
		scenario_result_add_gate(&fixture.s, &gate);
		assert_int_equal(judge_pairs_next_look(&fixture.s), cases[i].first);
		measure_pairs(&fixture, cases[i].metric, &(struct pair_values){ 1e9, 1, 0.001, 6 });
		judge_in_pairs(&fixture);
		j = gate_judgement(&fixture.s.gates[0]);
		if (j->verdict != (cases[i].first == 6 ? VERDICT_PASS : VERDICT_INCONCLUSIVE))
			fail_msg("%s, %s: %s", cases[i].metric, pair_way_names[cases[i].way], verdict_names[j->verdict]);
	}
}

/* The gate nearest to its decision determines the number of missing pairs. */
TEST(the_nearest_decision_knows_what_is_missing)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("max-rss");
	double one;

	assert_true(judge_pairs_missing(&fixture.s) == 0);
	measure_pairs(&fixture, "max-rss", &(struct pair_values){ 1e9, 1, 0.9, 11 });
	assert_true(isinf(judge_pairs_missing(&fixture.s)));
	add_pair_gate(&fixture, "task-clock");
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.012, 0.06, 11 });
	one = judge_pairs_missing(&fixture.s);
	assert_true(one > 0 && one < 200);
	/* This gate is now decided. The remaining one cannot be. */
	fixture.s.gates[1].gate.tolerance_pct = 900;
	fixture.s.gates[1].gate.by_default = false;
	assert_true(isinf(judge_pairs_missing(&fixture.s)));
}

TEST(one_program_is_no_comparison)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("task-clock");

	fixture.s.pairing.one_program = "both sides ran /bin/prog";
	assert_int_equal(judge_pairs_next_look(&fixture.s), 1);
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1, 0.01, 11 });
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, "both sides ran /bin/prog");
	assert_int_equal(fixture.s.explanation.n, 0);
}

/* Pairs without a value of a metric do not count towards its next look. */
TEST(looks_count_what_was_measured)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("task-clock");

	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0.01, 11 });
	for (size_t i = 0; i < 3; i++)
		scenario_result_measured(&fixture.s)->runs[i].values[0] = NAN;
	assert_int_equal(judge_pairs_next_look(&fixture.s), 14);
	fixture.s.pairing.pairs_most = 12;
	assert_int_equal(judge_pairs_next_look(&fixture.s), 12);
}

TEST(gates_in_pairs_are_counted)
{
	struct gate gates[] = {
		relative_gate(metric_find("task-clock"), 3), relative_gate(metric_find("sim-instructions"), 1),
		relative_gate(metric_find("max-rss"), 5), relative_gate(metric_find("ipc"), 5),
	};

	gates[2].relative = false;
	assert_int_equal(judge_pairs_gates(gates, 4), 2);
}

/* -------- notes on both sides */

TEST(both_sides_are_noted)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("task-clock");

	fixture.s.gates[0].gate.tolerance_pct = 1;
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.2, 0.01, 11 });
	fixture.s.base.executable = "fnv1a:1234";
	scenario_result_measured(&fixture.s)->executable = "fnv1a:1234";
	judge_in_pairs(&fixture);
	judge_in_pairs(&fixture);
	assert_int_equal(fixture.s.explanation.n, 1);
	assert_string_equal(fixture.s.explanation.items[0], "both sides run the same executable (fnv1a:1234): look at its "
							  "arguments, its input and its libraries");
	assert_int_equal(fixture.s.head.notes.n, 1);
	assert_string_equal(fixture.s.head.notes.items[0], "a limit of 1 % on task-clock judges the linker: the order of linking alone "
						    "moves a program by up to 2 %");
}

TEST(different_work_is_noted)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(NULL);

	fixture.s.head.work_unit = "request";
	measure_pairs(&fixture, "work", &(struct pair_values){ 1000, 1.2, 0, 11 });
	judge_in_pairs(&fixture);
	assert_string_equal(fixture.s.explanation.items[0], "the sides do different work: 1000 a window in the base, 1200 in the "
							  "head; what grows with it is judged per request");
	fixture.s.settings.window_s = 5;
	judge_in_pairs(&fixture);
	assert_int_equal(fixture.s.explanation.n, 0);
}

/* A load with a fixed duration does a varying amount of work in each window. */
TEST(work_that_only_spreads_is_no_other_work)
{
	static const struct { double ratio, spread; size_t n; bool noted; } cases[] = {
		{ 1.02, 0.05, 11, false }, { 1.2, 0.02, 11, true }, { 1.2, 0, 1, false }, { 1.2, 0, 2, true }, { 1.005, 0, 10, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(NULL);

		fixture.s.head.work_unit = "request";
		measure_pairs(&fixture, "work", &(struct pair_values){ 1000, cases[i].ratio, cases[i].spread, cases[i].n });
		judge_in_pairs(&fixture);
		if (fixture.s.explanation.n != cases[i].noted)
			fail_msg("case %zu: %zu lines", i, fixture.s.explanation.n);
	}
}

/* Waiting for a CPU affects both sides equally. */
TEST(a_busy_machine_excuses_no_pairs)
{
	CLEANUP(result_release) struct result result = { .mode = MODE_PAIRED };
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("wall-time");

	fixture.s.gates[0].gate.tolerance_pct = 5;
	measure_pairs(&fixture, "wall-time", &(struct pair_values){ 100, 1.5, 0.01, 11 });
	judge_in_pairs(&fixture);
	arena_push(&result.arena, &result.busy, "steal took 20 % of CPU time");
	result.scenarios = &fixture.s;
	result.n_scenarios = 1;
	judge_together(&result);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	result.scenarios = NULL;
	result.n_scenarios = 0;
}

TEST(ipc_is_forgiven_in_pairs_too)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs("ipc");

	measure_pairs(&fixture, "ipc", &(struct pair_values){ 2, 0.8, 0.01, 11 });
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 0.7, 0, 11 });
	measure_pairs(&fixture, "instructions", &(struct pair_values){ 1e9, 0.5, 0, 11 });
	measure_pairs(&fixture, "cycles", &(struct pair_values){ 1e9, 0.6, 0, 11 });
	judge_in_pairs(&fixture);
	assert_gate(&fixture, 0, VERDICT_PASS, "IPC fell because cheap instructions went: 50.0 % fewer of them and 30.0 % less "
					     "task-clock");
}

/* -------- Gates flagged by stored runs are confirmed, or pass, in pairs. */

/* Judges task-clock NOW against a stored 100, then in pairs in which the head takes RATIO times as long as the base. */
static struct fixture screened(double now, double ratio)
{
	struct fixture fixture = fixture_new("task-clock");

	measure(&fixture, "task-clock", 100, now);
	fixture.s.gates[0].gate.by_default = true;
	judge(&fixture);
	fixture.s.baseline_class = arena_take(&fixture.s.arena, machine_class(&fixture.here));
	open_pairing(&fixture, true);
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, ratio, 0.01, 20 });
	return fixture;
}

TEST(a_flagged_time_is_confirmed)
{
	CLEANUP(fixture_release) struct fixture fixture = screened(200, 1.5);
	const struct gate_result *g;

	g = &fixture.s.gates[0];
	assert_int_equal(gate_judgement(g)->verdict, VERDICT_REGRESSION);
	assert_true(judge_pairs_wants_confirming(&fixture.s, g));
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_true(fabs(g->paired.change_pct - 50) < 3 && g->paired.tolerance_pct == 3 && g->paired.pairs >= 10);
	assert_true(gate_judged_again(g) && g->stored.verdict == VERDICT_REGRESSION && g->stored.tolerance_pct == 73);
	assert_true(fabs(g->stored.change_pct - 100) < 1e-6 && g->stored.baseline == 100);
	assert_false(judge_pairs_wants_confirming(&fixture.s, g));
}

TEST(what_pairs_do_not_see_passes)
{
	CLEANUP(fixture_release) struct fixture fixture = screened(140, 1);

	assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, VERDICT_INCONCLUSIVE);
	assert_true(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[0]));
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	assert_gate(&fixture, 0, VERDICT_PASS, NULL);
	assert_non_null(strstr(fixture.s.gates[0].stored.reason, "a stored time cannot decide"));
}

TEST(few_pairs_prove_nothing_against_the_screen)
{
	CLEANUP(fixture_release) struct fixture fixture = screened(200, 1);

	scenario_result_measured(&fixture.s)->n_runs = 7;
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, "not confirmed: 7 pairs of at least 11");
	assert_false(gate_judged_again(&fixture.s.gates[0]));
	assert_true(fixture.s.gates[0].gate.tolerance_pct == 25 && gate_judgement(&fixture.s.gates[0])->pairs == 0);
	scenario_result_measured(&fixture.s)->n_runs = 20;
}

/* Pairs whose head is RATIO times the base of VALUE, and a baseline of STORED, of another CPU if FOREIGN. */
struct both {
	const char *metric;
	double value, ratio, stored;
	bool one_program, foreign;
	enum verdict verdict;
	bool by_baseline, noted;
};

static void assert_both(const struct both *c)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(NULL);
	CLEANUP(baseline_release) struct baseline accepted = { 0 };
	bool noted = false, compared, portable = metric_find(c->metric)->portable;
	const struct gate_result *g;

	machine_copy(&accepted.machine, &fixture.here);
	if (c->foreign)
		accepted.machine.part = "xeon-4cpu";
	add_session(&accepted);
	add_same(&accepted, c->metric, c->stored, RUNS);
	add_gate(&fixture, c->metric);
	fixture.s.gates[0].gate.by_default = true;
	fixture.s.pairing.one_program = c->one_program ? "both sides ran one program" : NULL;
	measure_pairs(&fixture, c->metric, &(struct pair_values){ c->value, c->ratio, 0.001, 20 });
	judge_in_pairs(&fixture);
	compared = judge_beside_pairs(&fixture.s, &fixture.here, &accepted);
	g = &fixture.s.gates[0];
	for (size_t i = 0; i < fixture.s.head.notes.n; i++)
		noted |= strstr(fixture.s.head.notes.items[i], "did not regress in pairs") != NULL;
	if (gate_judgement(g)->verdict != c->verdict || g->by_baseline != c->by_baseline || noted != c->noted ||
	    compared != (!c->one_program && (portable || !c->foreign)) || g->stored.done != compared)
		fail_msg("%s %g x %g against %g: %s, by the baseline %d, noted %d", c->metric, c->value, c->ratio, c->stored,
			 verdict_names[gate_judgement(g)->verdict], g->by_baseline, noted);
}

TEST(counts_have_the_worse_verdict_and_times_that_of_the_pairs)
{
	static const struct both cases[] = {
		{ "page-faults", 10000, 1, 9000, .verdict = VERDICT_REGRESSION, .by_baseline = true },
		{ "page-faults", 10000, 1, 10000, .verdict = VERDICT_PASS },
		{ "page-faults", 10000, 1, 12000, .verdict = VERDICT_PASS },
		{ "page-faults", 10000, 1.1, 11000, .verdict = VERDICT_REGRESSION },
		{ "page-faults", 10000, 1.1, 9000, .verdict = VERDICT_REGRESSION },
		{ "page-faults", 10000, 1, 9000, .foreign = true, .verdict = VERDICT_REGRESSION, .by_baseline = true },
		{ "page-faults", 10000, 1, 9000, .one_program = true, .verdict = VERDICT_NOT_MEASURED },
		{ "instructions", 1e9, 1, 9e8, .foreign = true, .verdict = VERDICT_PASS },
		{ "task-clock", 100, 1, 20, .verdict = VERDICT_PASS, .noted = true },
		{ "task-clock", 100, 1.2, 20, .verdict = VERDICT_REGRESSION },
		{ "task-clock", 100, 1, 100, .verdict = VERDICT_PASS },
		{ "ipc", 2, 1, 4, .verdict = VERDICT_PASS, .noted = true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_both(&cases[i]);
}

TEST(only_what_was_flagged_wants_confirming)
{
	static const struct { const char *metric; double before, now; bool wants; } cases[] = {
		{ "task-clock", 100, 85, false },
		{ "task-clock", 100, 95, true },	/* within the tolerance, but not certain */
		{ "task-clock", 100, 110, true }, { "task-clock", 100, 130, true }, { "task-clock", 100, 300, true },
		{ "task-clock", 100, 40, true }, { "page-faults", 1000, 2000, true },
		{ "page-faults", 1000, 500, false }, { "page-faults", 1000, 1000, false },
		{ "read-calls", 1000, 1100, true },
		{ "sim-instructions", 1e6, 1.2e6, true },
		{ "sim-instructions", 1e6, 0.8e6, false },
		{ "max-rss", 1e8, 2e8, false }, { "throughput", 1000, 300, true }, { "throughput", 1000, 3000, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);

		measure(&fixture, cases[i].metric, cases[i].before, cases[i].now);
		add_gate(&fixture, cases[i].metric);
		judge(&fixture);
		if (judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[0]) != cases[i].wants)
			fail_msg("%s %g to %g", cases[i].metric, cases[i].before, cases[i].now);
	}
}

/* If stored runs gave no verdict, pairs are shown even if too few to decide. */
TEST(few_pairs_are_more_than_nothing)
{
	CLEANUP(fixture_release) struct fixture fixture = screened(140, 1.5);

	assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, VERDICT_INCONCLUSIVE);
	scenario_result_measured(&fixture.s)->n_runs = 7;
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	scenario_result_measured(&fixture.s)->n_runs = 20;
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->pairs, 7);
	assert_true(gate_judged_again(&fixture.s.gates[0]) && fabs(gate_judgement(&fixture.s.gates[0])->change_pct - 50) < 3);
	assert_non_null(strstr(gate_judgement(&fixture.s.gates[0])->reason, "7 pairs, of which at least 11 are needed"));
}

TEST(another_class_wants_confirming)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);

	fixture.base.machine.part = "xeon-8cpu";
	measure(&fixture, "task-clock", 100, 100);
	measure(&fixture, "page-faults", 100, 100);
	add_gate(&fixture, "task-clock");
	add_gate(&fixture, "page-faults");
	judge(&fixture);
	fixture.s.baseline_class = arena_take(&fixture.s.arena, machine_class(&fixture.base.machine));
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, VERDICT_NOT_MEASURED);
	assert_true(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[0]));
	assert_false(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[1]));
	/* A portable count is comparable across classes, so it was not compared for another reason. */
	fixture.s.gates[1].stored.verdict = VERDICT_NOT_MEASURED;
	assert_false(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[1]));
	fixture.s.gates[1].stored.verdict = VERDICT_PASS;
	open_pairing(&fixture, true);
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.5, 0.01, 11 });
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_gate(&fixture, 1, VERDICT_PASS, NULL);
}

/* A count that repeats is confirmed by one run of each side, whatever another valgrind counted. */
TEST(one_run_confirms_a_count_that_repeats)
{
	static const struct { const char *simulator; double stored, base, head; enum verdict verdict; } cases[] = {
		{ NULL, 1.2e6, 1e6, 1.2e6, VERDICT_REGRESSION },
		{ NULL, 1.2e6, 1.2e6, 1.2e6, VERDICT_PASS },
		{ "valgrind-3.22.0", 1e6, 1e6, 1e6, VERDICT_PASS },
		{ "valgrind-3.22.0", 1e6, 1e6, 1.01e6, VERDICT_REGRESSION },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);
		struct side_result *head;

		measure(&fixture, "sim-instructions", 1e6, cases[i].stored);
		fixture.s.head.simulator = cases[i].simulator;
		add_gate(&fixture, "sim-instructions");
		judge(&fixture);
		assert_true(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[0]));
		assert_false(judge_pairs_wants_counts(&fixture.s));
		open_pairing(&fixture, true);
		head = scenario_result_measured(&fixture.s);
		assert_true(judge_pairs_wants_counts(&fixture.s));
		assert_int_equal(judge_pairs_next_look(&fixture.s), 1);
		measured_set(&fixture.s.base, side_result_add_run(&fixture.s.base), METRIC(SIM_INSTRUCTIONS), cases[i].base);
		measured_set(head, side_result_add_run(head), METRIC(SIM_INSTRUCTIONS), cases[i].head);
		assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
		judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
		assert_gate(&fixture, 0, cases[i].verdict, NULL);
		assert_true(gate_judged_again(&fixture.s.gates[0]));
	}
}

/* With counts alone, one pair decides. Times are then no gates. */
TEST(one_pair_is_enough_for_counts)
{
	static const struct { const char *metric; double base, head; enum verdict verdict; } cases[] = {
		{ "page-faults", 1000, 1000, VERDICT_PASS }, { "page-faults", 1000, 1100, VERDICT_REGRESSION },
		{ "page-faults", 20, 29, VERDICT_PASS }, { "read-calls", 100, 300, VERDICT_REGRESSION },
		{ "instructions", 1e9, 1.01e9, VERDICT_REGRESSION }, { "written-bytes", 4096, 1024, VERDICT_IMPROVEMENT },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(cases[i].metric);

		fixture.s.pairing.counts = true;
		assert_int_equal(judge_pairs_next_look(&fixture.s), 1);
		set_value(&fixture.s.base, cases[i].metric, 0, cases[i].base);
		set_value(scenario_result_measured(&fixture.s), cases[i].metric, 0, cases[i].head);
		assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
		judge_pairs(&fixture.s, &fixture.here, &fixture.base);
		assert_gate(&fixture, 0, cases[i].verdict, cases[i].base == 20 ? "the change is smaller than any that counts" : NULL);
	}
}

/* Only flagged gates are measured in pairs. */
TEST(nothing_flagged_needs_no_look)
{
	CLEANUP(fixture_release) struct fixture fixture = screened(85, 1.012);

	scenario_result_measured(&fixture.s)->n_runs = 0;
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
	scenario_result_measured(&fixture.s)->n_runs = 20;
}

/* A gross regression is already proven. Pairs of such long runs would far exceed the allowed time. */
TEST(what_is_gross_needs_no_confirming)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);

	measure(&fixture, "task-clock", 100, 1600);
	fixture.s.head.n_runs = 1;
	add_gate(&fixture, "task-clock");
	judge(&fixture);
	fixture.s.head.n_runs = RUNS;
	assert_gate(&fixture, 0, VERDICT_REGRESSION, "too few runs for an interval (1 against 6), but worse than every one of the "
		    "baseline's by more than noise explains");
	assert_true(gate_judgement(&fixture.s.gates[0])->gross);
	assert_false(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[0]));
}

TEST(limits_are_not_confirmed_away)
{
	CLEANUP(fixture_release) struct fixture fixture = screened(200, 1);

	fixture.s.gates[0].gate.max = 150;
	fixture.s.gates[0].gate.by_default = false;
	judge(&fixture);
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, "over its absolute budget against the stored runs");
}

/* -------- The paired rule: its looks, its verdicts, and the number of pairs it would take. */

#define N(array) (sizeof(array) / sizeof *(array))

enum { MANY = 1100 };

static void assert_close(double found, double expected, double precision)
{
	if (!(found == expected || fabs(found - expected) <= precision))
		fail_msg("expected %.12g, found %.12g", expected, found);
}

TEST(the_first_look_is_where_something_can_be_proven)
{
	static const struct {
		unsigned gates, pairs;
	} cases[] = { { 0, 11 }, { 1, 11 }, { 2, 12 }, { 4, 13 }, { 5, 14 }, { 20, 16 }, { 100, 18 }, { 262, 19 }, { 263, 20 },
		      { 524, 20 }, { 525, 21 } };

	for (size_t i = 0; i < N(cases); i++)
		assert_int_equal(paired_first_look(cases[i].gates), cases[i].pairs);
}

/* A 0 ends LOOKS. */
static void assert_looks(const struct paired_terms *terms, const unsigned *looks)
{
	unsigned n = 0;

	do {
		n = paired_next_look(terms, n);
		assert_int_equal(n, *looks);
	} while (*looks++);
}

TEST(looks_are_planned)
{
	static const struct { unsigned gates, most; unsigned looks[6]; } cases[] = {
		{ 1, 0, { 11, 20, 30, 40, 60 } }, { 20, 40, { 16, 20, 30, 40 } }, { 20, 200, { 16, 20, 30, 40, 200 } },
		{ 20, 41, { 16, 20, 30, 40, 41 } }, { 20, 35, { 16, 20, 30, 35 } }, { 20, 30, { 16, 20, 30 } },
		{ 20, 25, { 16, 20, 25 } }, { 20, 17, { 16, 17 } }, { 20, 16, { 16 } }, { 20, 5, { 5 } }, { 20, 1, { 1 } },
		{ 524, 40, { 20, 30, 40 } }, { 600, 40, { 21, 30, 40 } }, { 20, 5000, { 16, 20, 30, 40, SIGNRANK_MOST } },
	};

	for (size_t i = 0; i < N(cases); i++)
		assert_looks(&(struct paired_terms){ .gates = cases[i].gates, .pairs_most = cases[i].most }, cases[i].looks);
	assert_int_equal(paired_next_look(&(struct paired_terms){ .gates = 20 }, 17), 20);
	assert_int_equal(paired_next_look(&(struct paired_terms){ .gates = 20 }, 1000), 0);
}

/* Sides that run at once have more looks. Only looks that are also planned in turn may find a regression. */
TEST(more_looks_are_planned_at_once)
{
	static const struct { unsigned gates, most; unsigned looks[10]; } cases[] = {
		{ 1, 0, { 6, 8, 10, 11, 15, 20, 30, 40, 60 } }, { 20, 40, { 6, 8, 10, 15, 16, 20, 30, 40 } },
		{ 20, 17, { 6, 8, 10, 15, 16, 17 } }, { 1, 7, { 6, 7 } }, { 1, 6, { 6 } }, { 20, 5, { 5 } },
		{ 525, 200, { 6, 8, 10, 15, 21, 30, 40, 200 } },
	};

	for (size_t i = 0; i < N(cases); i++)
		assert_looks(&(struct paired_terms){ .gates = cases[i].gates, .pairs_most = cases[i].most, .together = true },
			     cases[i].looks);
}

/* Fills D with N differences around MIDDLE, half of them above it, at most SPREAD away. */
static void fill(double *d, size_t n, double middle, double spread)
{
	for (size_t i = 0; i < n; i++)
		d[i] = middle + spread * (double)((i * 7) % 11 + 1) / 11 * (i % 2 ? 1 : -1);
}

TEST(gives_three_answers)
{
	static const struct {
		const char *words; double middle, spread; size_t n; bool ended; unsigned gates, most; double floor;
		enum verdict verdict; unsigned pairs;
	} cases[] = {
		{ "the same", 0, 0, 40, true, 20, 40, 0, VERDICT_PASS, 16 },
		{ "much worse", 0.10, 0.05, 40, true, 20, 40, 0, VERDICT_REGRESSION, 16 },
		{ "much better", -0.10, 0.05, 40, true, 20, 40, 0, VERDICT_IMPROVEMENT, 16 },
		{ "one gate needs fewer", 0.10, 0.05, 40, true, 1, 40, 0, VERDICT_REGRESSION, 11 },
		{ "worse, but tolerated", 0.02, 0.001, 40, true, 20, 40, 0, VERDICT_PASS, 16 },
		{ "better, but hardly", -0.02, 0.001, 40, true, 20, 40, 0, VERDICT_PASS, 16 },
		{ "as worse as is tolerated", 0.03, 0, 40, true, 20, 40, 0, VERDICT_PASS, 16 },
		{ "a hair worse than is tolerated", 0.0300001, 0, 40, true, 20, 40, 0, VERDICT_REGRESSION, 16 },
		{ "too noisy", 0.02, 0.20, 40, true, 20, 40, 0, VERDICT_INCONCLUSIVE, 40 },
		{ "no longer too noisy", 0.010, 0.05, 40, true, 20, 40, 0, VERDICT_PASS, 20 },
		{ "pairs beyond the last look do not count", 0.02, 0.20, 60, true, 20, 40, 0, VERDICT_INCONCLUSIVE, 40 },
		{ "not looked at yet", 0.10, 0.05, 12, false, 20, 40, 0, VERDICT_INCONCLUSIVE, 12 },
		{ "too few", 0.10, 0.05, 12, true, 20, 40, 0, VERDICT_INCONCLUSIVE, 12 },
		{ "capped below the first look", 0.10, 0.05, 8, true, 20, 8, 0, VERDICT_INCONCLUSIVE, 8 },
		{ "one", 0.10, 0, 1, true, 20, 40, 0, VERDICT_INCONCLUSIVE, 1 },
		{ "between looks", 0.010, 0.05, 19, false, 20, 40, 0, VERDICT_INCONCLUSIVE, 19 },
		{ "ended between looks", 0.010, 0.05, 19, true, 20, 40, 0, VERDICT_PASS, 19 },
		{ "a hair too wide to pass", 0.025, 0.0125, 16, true, 20, 16, 0, VERDICT_INCONCLUSIVE, 16 },
		{ "narrow enough", 0.025, 0.0115, 16, true, 20, 16, 0, VERDICT_PASS, 16 },
		{ "below the floor", 0.04, 0.001, 40, true, 20, 40, 0.05, VERDICT_INCONCLUSIVE, 40 },
		{ "above the floor", 0.04, 0.001, 40, true, 20, 40, 0.01, VERDICT_REGRESSION, 16 },
		{ "not for sure above the floor", 0.04, 0.04, 16, true, 20, 40, 0.01, VERDICT_INCONCLUSIVE, 16 },
		{ "for sure worse", 0.0401, 0.04, 16, true, 20, 40, 0, VERDICT_REGRESSION, 16 },
		{ "not for sure better than the floor", -0.0401, 0.04, 16, true, 20, 40, 0.01, VERDICT_PASS, 16 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		const struct paired_terms terms = {
			.gates = cases[i].gates, .pairs_most = cases[i].most, .floor = cases[i].floor, .tolerance = 0.03,
		};
		struct paired p;
		double d[64];

		fill(d, cases[i].n, cases[i].middle, cases[i].spread);
		assert_true(paired_decide(d, cases[i].n, cases[i].ended, &terms, &p));
		if (p.verdict != cases[i].verdict || p.pairs != cases[i].pairs)
			fail_msg("%s: expected %s after %u, found %s after %u: %g (%g to %g)", cases[i].words,
				 verdict_names[cases[i].verdict], cases[i].pairs, verdict_names[p.verdict], p.pairs, p.estimate, p.low,
				 p.high);
		assert_int_equal(p.decided, p.verdict != VERDICT_INCONCLUSIVE);
		assert_int_equal(p.decided, isnan(p.more));
		assert_int_equal(p.too_few, p.pairs < paired_first_look(cases[i].gates));
		assert_true(p.low <= p.estimate && p.estimate <= p.high);
	}
}

TEST(a_pass_needs_fewer_pairs_at_once)
{
	static const struct {
		const char *words; double middle, spread; size_t n; bool ended; unsigned gates;
		enum verdict verdict; unsigned pairs; bool too_few;
	} cases[] = {
		{ "the same", 0, 0, 6, false, 1, VERDICT_PASS, 6, false },
		{ "the same, many gates", 0, 0.01, 40, true, 100, VERDICT_PASS, 6, false },
		{ "too few for that", 0, 0, 5, true, 1, VERDICT_INCONCLUSIVE, 5, true },
		{ "as worse as is tolerated", 0.02, 0, 6, true, 1, VERDICT_PASS, 6, false },
		{ "beyond the tolerance once", 0, 0.025, 6, true, 1, VERDICT_INCONCLUSIVE, 6, true },
		{ "that is decided later", 0, 0.025, 40, true, 1, VERDICT_PASS, 8, false },
		{ "between looks", 0, 0.025, 7, false, 1, VERDICT_INCONCLUSIVE, 7, true },
		{ "worse waits", 0.10, 0.01, 9, false, 1, VERDICT_INCONCLUSIVE, 9, true },
		{ "worse", 0.10, 0.01, 40, true, 1, VERDICT_REGRESSION, 11, false },
		{ "worse, many gates", 0.10, 0.01, 40, true, 20, VERDICT_REGRESSION, 16, false },
		{ "better waits", -0.10, 0.01, 9, false, 1, VERDICT_INCONCLUSIVE, 9, true },
		{ "better", -0.10, 0.01, 40, true, 1, VERDICT_IMPROVEMENT, 11, false },
		{ "better, but tolerated", -0.015, 0.001, 40, true, 1, VERDICT_PASS, 6, false },
		{ "worse, between looks", 0.10, 0.01, 17, false, 1, VERDICT_REGRESSION, 11, false },
		{ "not yet worse, at a look that can only pass", 0.026, 0.05, 15, false, 1, VERDICT_INCONCLUSIVE, 15, false },
		{ "worse, ended at such a look", 0.06, 0.03, 16, true, 20, VERDICT_REGRESSION, 16, false },
		{ "worse, ended at one after noise", 0.03, 0.038, 15, true, 1, VERDICT_REGRESSION, 15, false },
	};

	for (size_t i = 0; i < N(cases); i++) {
		const struct paired_terms terms = { .gates = cases[i].gates, .tolerance = 0.02, .together = true };
		struct paired p;
		double d[40];

		fill(d, cases[i].n, cases[i].middle, cases[i].spread);
		assert_true(paired_decide(d, cases[i].n, cases[i].ended, &terms, &p));
		if (p.verdict != cases[i].verdict || p.pairs != cases[i].pairs || p.too_few != cases[i].too_few)
			fail_msg("%s: expected %s after %u, found %s after %u: %g (%g to %g)", cases[i].words,
				 verdict_names[cases[i].verdict], cases[i].pairs, verdict_names[p.verdict], p.pairs, p.estimate, p.low,
				 p.high);
	}
}

/* If an improvement is an answer, too, a possible one passes only at the last look. */
TEST(a_pass_may_claim_no_improvement_either)
{
	static const struct {
		const char *words;
		double middle, spread;
		size_t n;
		bool together;
		enum verdict one_way, both_ways;
		unsigned pairs, pairs_both_ways;
	} cases[] = {
		{ "the same", 0, 0.01, 60, false, VERDICT_PASS, VERDICT_PASS, 11, 11 },
		{ "the same, at once", 0, 0.01, 60, true, VERDICT_PASS, VERDICT_PASS, 6, 6 },
		{ "better, in all pairs but one", -0.10, 0.12, 60, false, VERDICT_PASS, VERDICT_IMPROVEMENT, 11, 20 },
		{ "perhaps better", -0.02, 0.05, 60, true, VERDICT_PASS, VERDICT_PASS, 6, 40 },
		{ "perhaps better, when it ended", -0.06, 0.12, 19, false, VERDICT_PASS, VERDICT_PASS, 11, 19 },
		{ "worse", 0.10, 0.05, 60, false, VERDICT_REGRESSION, VERDICT_REGRESSION, 11, 11 },
	};

	for (size_t i = 0; i < 2 * N(cases); i++) {
		bool both = i % 2;
		const struct paired_terms terms = { .gates = 1, .tolerance = 0.03, .together = cases[i / 2].together, .both_ways = both };
		enum verdict verdict = both ? cases[i / 2].both_ways : cases[i / 2].one_way;
		unsigned pairs = both ? cases[i / 2].pairs_both_ways : cases[i / 2].pairs;
		struct paired p;
		double d[60];

		fill(d, cases[i / 2].n, cases[i / 2].middle, cases[i / 2].spread);
		assert_true(paired_decide(d, cases[i / 2].n, true, &terms, &p));
		if (p.verdict != verdict || p.pairs != pairs)
			fail_msg("%s, %s: expected %s after %u, found %s after %u: %g (%g to %g)", cases[i / 2].words,
				 both ? "both ways" : "one way", verdict_names[verdict], pairs, verdict_names[p.verdict], p.pairs,
				 p.estimate, p.low, p.high);
		if (both && p.verdict == VERDICT_PASS && p.pairs < cases[i / 2].n)
			assert_true(p.low >= -terms.tolerance);
	}
}

TEST(claims_are_proven_refuted_or_open)
{
	static const struct {
		const char *words; double middle, spread; size_t n; bool together; double floor;
		enum verdict verdict; unsigned pairs;
	} cases[] = {
		{ "far better", -0.30, 0.02, 40, true, 0, VERDICT_IMPROVEMENT, 11 },
		{ "better, in turn", -0.30, 0.02, 40, false, 0, VERDICT_IMPROVEMENT, 11 },
		{ "better, but few pairs prove nothing", -0.30, 0.02, 8, true, 0, VERDICT_INCONCLUSIVE, 8 },
		{ "the same: few pairs refute it", 0, 0.02, 40, true, 0, VERDICT_REGRESSION, 6 },
		{ "worse", 0.10, 0.02, 40, true, 0, VERDICT_REGRESSION, 6 },
		{ "better by less", -0.05, 0.02, 40, true, 0, VERDICT_REGRESSION, 6 },
		{ "better by less, in turn", -0.05, 0.02, 40, false, 0, VERDICT_REGRESSION, 11 },
		{ "better by about that", -0.101, 0.04, 40, true, 0, VERDICT_INCONCLUSIVE, 40 },
		{ "better by little more needs more pairs", -0.13, 0.045, 40, true, 0, VERDICT_IMPROVEMENT, 20 },
		{ "not for sure beyond the floor", -0.15, 0.02, 40, true, 0.145, VERDICT_INCONCLUSIVE, 40 },
		{ "beyond the floor", -0.15, 0.02, 40, true, 0.12, VERDICT_IMPROVEMENT, 11 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		const struct paired_terms terms = {
			.gates = 1, .pairs_most = 40, .tolerance = 0.1, .claim = 0.1, .together = cases[i].together, .floor = cases[i].floor,
		};
		struct paired p;
		double d[40];

		fill(d, cases[i].n, cases[i].middle, cases[i].spread);
		assert_true(paired_decide(d, cases[i].n, true, &terms, &p));
		if (p.verdict != cases[i].verdict || p.pairs != cases[i].pairs)
			fail_msg("%s: expected %s after %u, found %s after %u: %g (%g to %g), %g more", cases[i].words,
				 verdict_names[cases[i].verdict], cases[i].pairs, verdict_names[p.verdict], p.pairs, p.estimate, p.low,
				 p.high, p.more);
		if (p.verdict == VERDICT_IMPROVEMENT)
			assert_true(p.high <= -0.1);
		if (p.verdict == VERDICT_REGRESSION)
			assert_true(p.low > -0.1);
		assert_int_equal(isnan(p.more), p.verdict != VERDICT_INCONCLUSIVE);
	}
}

TEST(a_verdict_stays)
{
	const struct paired_terms terms = { .gates = 20, .tolerance = 0.03 };
	struct paired early, late;
	double d[40];

	fill(d, 16, 0.10, 0.05);
	fill(d + 16, 24, -0.50, 0.05);
	assert_true(paired_decide(d, 16, false, &terms, &early));
	assert_true(paired_decide(d, 40, true, &terms, &late));
	assert_int_equal(early.verdict, VERDICT_REGRESSION);
	assert_int_equal(late.verdict, VERDICT_REGRESSION);
	assert_int_equal(late.pairs, 16);
	assert_true(late.estimate == early.estimate && late.low == early.low && late.high == early.high);
	assert_true(late.detectable == early.detectable);
}

/* With the opposite sign a regression is an improvement, and its bounds are mirrored. */
TEST(improvements_mirror_regressions)
{
	static const double middles[] = { 0.02, 0.035, 0.05, 0.1 }, spreads[] = { 0.01, 0.04, 0.06, 0.15 };
	unsigned found = 0;

	for (size_t i = 0; i < N(middles) * N(spreads); i++) {
		/* One look only: an improvement that is not yet certain would pass at an earlier look. */
		const struct paired_terms terms = { .gates = 20, .pairs_most = 20, .tolerance = 0.03, .floor = 0.002 };
		struct paired worse, better;
		double d[20], mirrored[20];

		fill(d, N(d), middles[i / N(spreads)], spreads[i % N(spreads)]);
		for (size_t j = 0; j < N(d); j++)
			mirrored[j] = -d[j];
		assert_true(paired_decide(d, N(d), true, &terms, &worse));
		assert_true(paired_decide(mirrored, N(d), true, &terms, &better));
		if (worse.verdict != VERDICT_REGRESSION || worse.pairs != better.pairs)
			continue;
		found++;
		assert_int_equal(better.verdict, VERDICT_IMPROVEMENT);
		assert_true(better.estimate == -worse.estimate && better.low == -worse.high && better.high == -worse.low);
	}
	assert_in_range(found, 5, 16);
}

TEST(bounds_have_the_errors_of_a_look)
{
	const struct paired_terms terms = { .gates = 5, .tolerance = 0.03 };
	struct shift expected;
	struct paired p;
	double d[40];

	fill(d, N(d), 0.028, 0.20);
	assert_true(signrank_shift(d, N(d), 0.002 / 20 / 2, 0.02, &expected));
	assert_true(paired_decide(d, N(d), true, &terms, &p));
	assert_true(p.estimate == expected.estimate && p.low == expected.low && p.high == expected.high);
}

TEST(says_how_many_more_would_decide)
{
	static const struct { double middle, spread, floor; bool resolvable; } cases[] = {
		{ 0.018, 0.080, 0, true },	/* close to a pass */
		{ 0.050, 0.150, 0, true },	/* close to a regression */
		{ 0.050, 0.120, 0.01, true },
		{ 0.015, 0.120, 0, true },	/* just under four times as many */
		{ 0.018, 0.100, 0, false },	/* just over that */
		{ 0.0299, 0.080, 0, false },	/* almost equal to the tolerance */
		{ 0.010, 0.400, 0, false },
		{ 0.040, 0.001, 0.05, false },	/* the floor rules it out for any number of pairs */
	};

	for (size_t i = 0; i < N(cases); i++) {
		const struct paired_terms terms = { .gates = 20, .tolerance = 0.03, .floor = cases[i].floor, .pairs_most = 40 };
		struct paired p;
		double d[40], total;

		fill(d, N(d), cases[i].middle, cases[i].spread);
		assert_true(paired_decide(d, N(d), true, &terms, &p));
		assert_int_equal(p.verdict, VERDICT_INCONCLUSIVE);
		if (p.estimate < 0.03)
			total = 40 * pow((p.high - p.estimate) / (0.03 - p.estimate), 2) * 1.2;
		else
			total = 40 * pow((p.estimate - p.low) / (p.estimate - cases[i].floor), 2) * 1.2;
		assert_int_equal(isfinite(p.more), cases[i].resolvable);
		if (cases[i].resolvable)
			assert_close(p.more, ceil(total - 40), 1e-9);
	}
}

TEST(too_few_lack_those_of_the_first_look)
{
	static const struct {
		size_t n; unsigned most; double more;
	} cases[] = { { 1, 40, 15 }, { 15, 40, 1 }, { 5, 5, 11 } };

	for (size_t i = 0; i < N(cases); i++) {
		const struct paired_terms terms = { .gates = 20, .pairs_most = cases[i].most, .tolerance = 0.03 };
		struct paired p;
		double d[40];

		fill(d, cases[i].n, 0.1, 0.01);
		assert_true(paired_decide(d, cases[i].n, true, &terms, &p));
		assert_true(p.too_few && isinf(p.low) && p.more == cases[i].more);
	}
}

TEST(knows_the_smallest_change_it_can_see)
{
	static const struct {
		size_t n;
		double factor;
	} cases[] = { { 9, NAN }, { 10, 7 }, { 11, 7 }, { 13, 6.1 - 0.4 / 3 }, { 15, 5.7 }, { 20, 5.3 }, { 25, 5.2 }, { 30, 5.1 }, { 40, 5.1 } };
	const struct paired_terms terms = { .gates = 1, .tolerance = 0.001 };
	double d[40];

	fill(d, N(d), 0.0005, 0.1);
	for (size_t i = 0; i < N(cases); i++) {
		struct paired p;

		assert_true(paired_decide(d, cases[i].n, true, &terms, &p));
		if (isnan(cases[i].factor))
			assert_true(isnan(p.detectable));
		else
			assert_close(p.detectable, cases[i].factor * stats_sd(d, 10) / sqrt((double)cases[i].n), 1e-12);
	}
	/* More gates see less. As simulated, see docs/research/pairs-at-once.md. */
	assert_close(paired_power_factor(20, 20), 6.97, 0.2);
	assert_close(paired_power_factor(20, 40), 6.2, 0.2);
	assert_close(paired_power_factor(300, 21), 9.29, 0.5);
	assert_close(paired_power_factor(300, 30), 7.56, 0.2);
	assert_close(paired_power_factor(1000, 40), 7.85, 0.2);
}

TEST(refuses_what_is_no_number)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };
	const struct paired_terms terms = { .gates = 20, .tolerance = 0.03 };
	struct paired p = { .pairs = 7 };
	double *d = xcalloc(MANY, sizeof *d);

	assert_false(paired_decide(d, 0, true, &terms, &p));
	for (size_t i = 0; i < N(bad); i++) {
		d[39] = bad[i];
		assert_false(paired_decide(d, 40, true, &terms, &p));
	}
	assert_int_equal(p.pairs, 7);
	/* More than the exact distribution covers. */
	fill(d, MANY, 0.0299, 0.4);
	assert_true(paired_decide(d, MANY, true, &(struct paired_terms){ .gates = 20, .tolerance = 0.03, .pairs_most = MANY }, &p));
	assert_int_equal(p.pairs, SIGNRANK_MOST);
	free(d);
}

TEST(nothing_changed_passes_without_a_tolerance)
{
	const struct paired_terms terms = { .gates = 20 };
	double d[16] = { 0 };
	struct paired p;

	assert_true(paired_decide(d, N(d), true, &terms, &p));
	assert_int_equal(p.verdict, VERDICT_PASS);
	assert_true(p.estimate == 0 && p.detectable == 0);
}

TEST(tolerances_come_from_the_right_place)
{
	static const struct {
		const char *metric; bool by_default, together; double pct, expected_pct, expected;
	} cases[] = {
		{ "task-clock", false, false, 5, 5, 0.048790164169432 },
		{ "task-clock", true, false, 25, 3, 0.029558802241544 },
		{ "task-clock", true, true, 25, 2, 0.0198026272961797 },
		{ "task-clock", false, true, 5, 5, 0.048790164169432 },
		{ "ipc", true, true, 10, 3, 0.030459207484709 },
		{ "ipc", true, false, 10, 3, 0.030459207484709 },
		{ "ipc", false, false, 10, 10, 0.105360515657826 },
		/* gated only on request */
		{ "wall-time", true, false, 7, 7, 0.067658648473815 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct gate gate = relative_gate(metric_find(cases[i].metric), cases[i].pct);

		gate.by_default = cases[i].by_default;
		assert_close(paired_tolerance_pct(&gate, cases[i].together), cases[i].expected_pct, 0);
		assert_close(paired_tolerance(&gate, cases[i].together), cases[i].expected, 1e-12);
	}
}

TEST(differences_are_signed_so_that_positive_is_worse)
{
	static const struct { const char *metric; double base[3], head[3], expected[3]; size_t kept; } cases[] = {
		{ "task-clock", { 100, 200, 50 }, { 110, 200, 25 }, { 0.0953101798043, 0, -0.6931471805599 }, 3 },
		{ "ipc", { 1, 2, 4 }, { 0.5, 2, 8 }, { 0.6931471805599, 0, -0.6931471805599 }, 3 },
		{ "task-clock", { NAN, 1, 2 }, { 1, NAN, 2 }, { 0 }, 1 },
		{ "task-clock", { NAN, INFINITY, -1 }, { NAN, 1, 2 }, { 0 }, 0 },
		/* Zero counts as half the resolution, ... */
		{ "page-faults", { 0, 4, 0 }, { 8, 0, 0 }, { 2.7725887222398, -2.0794415416798, 0 }, 3 },
		{ "task-clock", { 0, 4, 0.001 }, { 8, 4, 0 }, { 9.6803440012219, 0, -0.6931471805599 }, 3 },
		{ "max-rss", { 0, 8192, 0 }, { 4096, 0, 0 }, { 0.6931471805599, -1.3862943611199, 0 }, 3 },
		{ "branch-miss-rate", { 0, 0.01, 0 }, { 0.01, 0, 0 }, { 9.9034875525361, -9.9034875525361, 0 }, 3 },
		{ "ipc", { 0, 4, 4 }, { 4, 4, 4 }, { -15.8949520996441, 0, 0 }, 3 },
		/* ... but never as more than the other side's value. */
		{ "page-faults", { 0, 0.25, 0 }, { 0.25, 0, 1 }, { 0.6931471805599, -0.6931471805599, 0.6931471805599 }, 3 },
		{ "cycles-per-second", { 0, 2, 0 }, { 2, 0, 0.5 }, { -1.3862943611199, 1.3862943611199, -0.6931471805599 }, 3 },
		{ "page-faults", { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, 3 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		double found[3];
		size_t kept = paired_differences(metric_find(cases[i].metric), cases[i].base, cases[i].head, 3, found);

		assert_int_equal(kept, cases[i].kept);
		for (size_t j = 0; j < kept; j++)
			assert_close(found[j], cases[i].expected[j], 1e-12);
	}
}

/* Otherwise a smaller value in a later pair would change a reported verdict. */
TEST(later_pairs_change_no_difference)
{
	static const double base[] = { 0, 100, 0, 1 }, head[] = { 100, 0, 0, 0 };
	double alone[4], together[4];

	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *metric = &metric_catalogue[i];

		assert_int_equal(paired_differences(metric, base, head, N(base), together), N(base));
		for (size_t n = 1; n < N(base); n++) {
			assert_int_equal(paired_differences(metric, base, head, n, alone), n);
			for (size_t k = 0; k < n; k++)
				assert_true(alone[k] == together[k]);
		}
	}
}

/* A single pair suffices if the head takes sixteen times as long. One pair that is not gross leaves the verdict open. */
TEST(few_pairs_prove_what_is_gross)
{
	static const struct { double d[3]; size_t n; enum verdict verdict; } rows[] = {
		{ { 2.77 }, 1, VERDICT_REGRESSION }, { { 2.39 }, 1, VERDICT_INCONCLUSIVE }, { { 2.77, 2.5, 3 }, 3, VERDICT_REGRESSION },
		{ { 2.77, 2.3, 3 }, 3, VERDICT_INCONCLUSIVE }, { { -2.77 }, 1, VERDICT_INCONCLUSIVE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct paired_terms terms = { .gates = 2, .tolerance = 0.03 };
		struct paired p;

		assert_true(paired_decide(rows[i].d, rows[i].n, true, &terms, &p));
		assert_int_equal(p.verdict, rows[i].verdict);
		assert_true(p.too_few);
		/* While more pairs follow, only planned looks decide. */
		assert_true(paired_decide(rows[i].d, rows[i].n, false, &terms, &p));
		assert_int_equal(p.verdict, VERDICT_INCONCLUSIVE);
	}
}

/* -------- Wall time without a gate is noted if it is significantly longer. */

TEST(words_say_by_how_much)
{
	static const struct {
		const char *name;
		struct pair_values clock, wall;
		const char *words;	/* the beginning of the note; NULL: no note */
		double tolerance_pct;	/* 0: the tolerance of pairs */
		double window_s;	/* has its own length, or ends with its load */
		const char *gate;	/* NULL: task-clock */
	} rows[] = {
		{ "waits", { 100, 0.53, 0.01, 11 }, { 100, 25.6, 0.01, 11 },
		  "wall-time is 25.6 times as long although CPU time fell: the head waits for something, which ", 0, 0, NULL },
		{ "a third", { 100, 0.53, 0.01, 11 }, { 100, 1.31, 0.01, 11 },
		  "wall-time is longer by 31 % although CPU time fell: ", 0, 0, NULL },
		{ "same CPU time", { 100, 1, 0.01, 11 }, { 100, 3, 0.01, 11 },
		  "wall-time is 3.0 times as long although no gate regressed: ", 0, 0, NULL },
		{ "more CPU time too", { 100, 1.15, 0.01, 11 }, { 150, 2.1, 0.01, 11 },
		  "wall-time is 2.1 times as long although no gate regressed: ", 300, 0, NULL },
		{ "as much CPU time", { 100, 2.01, 0.01, 11 }, { 110, 1.94, 0.01, 11 }, NULL, 300, 0, NULL },
		{ "on several CPUs", { 400, 2, 0.01, 11 }, { 110, 1.9, 0.01, 11 }, NULL, 300, 0, NULL },
		{ "waits for CPUs", { 100, 2, 0.01, 11 }, { 400, 2.1, 0.01, 11 }, NULL, 300, 0, NULL },
		{ "not by much", { 100, 1, 0.01, 11 }, { 100, 1.15, 0.01, 11 }, NULL, 0, 0, NULL },
		{ "not for sure", { 100, 1, 0.01, 20 }, { 100, 1.3, 0.9, 20 }, NULL, 0, 0, NULL },
		{ "too few pairs", { 100, 1, 0.01, 8 }, { 100, 3, 0.01, 8 }, NULL, 0, 0, NULL },
		{ "faster", { 100, 1, 0.01, 11 }, { 100, 0.2, 0.01, 11 }, NULL, 0, 0, NULL },
		{ "it regressed", { 100, 2, 0.01, 11 }, { 100, 3, 0.01, 11 }, NULL, 0, 0, NULL },
		{ "a window", { 100, 1, 0.01, 11 }, { 100, 3, 0.01, 11 }, NULL, .window_s = 2 },
		{ "a gate speaks for itself", { 100, 1, 0.01, 11 }, { 100, 3, 0.01, 11 }, NULL, .gate = "wall-time" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(rows[i].gate ?: "task-clock");
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

		fixture.s.settings.window_s = rows[i].window_s;
		fixture.s.gates[0].gate.tolerance_pct = rows[i].tolerance_pct ?: fixture.s.gates[0].gate.tolerance_pct;
		fixture.s.gates[0].gate.by_default = !rows[i].tolerance_pct;
		measure_pairs(&fixture, "task-clock", &rows[i].clock);
		measure_pairs(&fixture, "wall-time", &rows[i].wall);
		judge_in_pairs(&fixture);
		if (pair_wall_words(&fixture.s, &words) != (rows[i].words != NULL) ||
		    (rows[i].words && strncmp(words.buf, rows[i].words, strlen(rows[i].words))))
			fail_msg("%s: %s", rows[i].name, words.buf);
		assert_true(rows[i].gate || !fixture.s.head.notes.n);
	}
}

/* If stored runs come first, the note is the scenario's. */
TEST(a_confirmation_says_it_of_the_scenario)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);

	open_pairing(&fixture, true);
	measure_pairs(&fixture, "wall-time", &(struct pair_values){ 100, 3, 0.01, 11 });
	judge_in_pairs(&fixture);
	assert_int_equal(fixture.s.head.notes.n, 1);
	assert_ptr_equal(strstr(fixture.s.head.notes.items[0], "wall-time is 3.0 times as long"), fixture.s.head.notes.items[0]);
}

TEST(the_result_says_it_first)
{
	CLEANUP(result_release) struct result result = { .mode = MODE_PAIRED };
	CLEANUP(fixture_release) struct fixture fixture = fixture_in_pairs(NULL);

	measure_pairs(&fixture, "wall-time", &(struct pair_values){ 100, 3, 0.01, 11 });
	judge_in_pairs(&fixture);
	scenario_result_release(result_add_scenario(&result, "gzip"));
	result.scenarios[0] = fixture.s;
	judge_together(&result);
	assert_int_equal(result.notes.n, 1);
	assert_ptr_equal(strstr(result.notes.items[0], "gzip: wall-time is 3.0 times as long"), result.notes.items[0]);
	fixture.s = (struct scenario_result){ 0 };
}
