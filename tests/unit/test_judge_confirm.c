/* What stored runs flag is confirmed, or cleared, by pairs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "judge/judge.h"
#include "pair_samples.h"

/* Stored runs call task-clock NOW against 100 what they do; the pairs say HEAD times the base. */
static void screen(struct fixture *fixture, double now, double ratio)
{
	fixture_open(fixture);
	measure(fixture, "task-clock", 100, now);
	add_gate(fixture, "task-clock");
	fixture->s.gates[0].gate.by_default = true;
	judge(fixture);
	fixture->s.baseline_class = machine_class(&fixture->here);
	open_pairing(fixture);
	fixture->s.pairing->confirming = true;
	measure_pairs(fixture, "task-clock", &(struct pair_values){ 100, ratio, 0.01, 20 });
}

static void a_flagged_time_is_confirmed(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;
	const struct gate_result *g;

	(void)state;
	screen(&fixture, 200, 1.5);
	g = &fixture.s.gates[0];
	assert_int_equal(gate_judgement(g)->verdict, VERDICT_REGRESSION);
	assert_true(judge_pairs_wants_confirming(&fixture.s, g));
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_true(fabs(g->paired.change_pct - 50) < 3 && g->paired.tolerance_pct == 3 && g->paired.pairs >= 10);
	assert_true(gate_judged_again(g) && g->stored.verdict == VERDICT_REGRESSION && g->stored.tolerance_pct == 25);
	assert_true(fabs(g->stored.change_pct - 100) < 1e-6 && g->stored.baseline == 100);
	assert_false(judge_pairs_wants_confirming(&fixture.s, g));
}

static void what_pairs_do_not_see_is_cleared(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	screen(&fixture, 130, 1);
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, VERDICT_INCONCLUSIVE);
	assert_true(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[0]));
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	assert_gate(&fixture, 0, VERDICT_PASS, NULL);
	assert_non_null(strstr(fixture.s.gates[0].stored.reason, "a stored time cannot tell"));
}

static void few_pairs_prove_nothing_against_the_screen(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	screen(&fixture, 200, 1);
	fixture.s.pairing->head.measured->n_runs = 7;
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, "not confirmed: 7 pairs of at least 10");
	assert_false(gate_judged_again(&fixture.s.gates[0]));
	assert_true(fixture.s.gates[0].gate.tolerance_pct == 25 && gate_judgement(&fixture.s.gates[0])->pairs == 0);
	fixture.s.pairing->head.measured->n_runs = 20;
}

static void only_what_was_flagged_wants_confirming(void **state)
{
	static const struct {
		const char *metric;
		double before, now;
		bool wants;
	} cases[] = {
		{ "task-clock", 100, 85, false },
		{ "task-clock", 100, 95, true },	/* within the tolerance, but nobody knows */
		{ "task-clock", 100, 110, true },
		{ "task-clock", 100, 130, true },
		{ "task-clock", 100, 300, true },
		{ "task-clock", 100, 40, false },
		{ "page-faults", 1000, 2000, false },
		{ "throughput", 1000, 300, true },
		{ "throughput", 1000, 3000, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open(&fixture);
		measure(&fixture, cases[i].metric, cases[i].before, cases[i].now);
		add_gate(&fixture, cases[i].metric);
		judge(&fixture);
		if (judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[0]) != cases[i].wants)
			fail_msg("%s %g to %g", cases[i].metric, cases[i].before, cases[i].now);
	}
}

/* Where stored runs told nothing, pairs that are too few to decide are at least shown. */
static void few_pairs_are_more_than_nothing(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	screen(&fixture, 130, 1.5);
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, VERDICT_INCONCLUSIVE);
	fixture.s.pairing->head.measured->n_runs = 7;
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	fixture.s.pairing->head.measured->n_runs = 20;
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->pairs, 7);
	assert_true(gate_judged_again(&fixture.s.gates[0]) && fabs(gate_judgement(&fixture.s.gates[0])->change_pct - 50) < 3);
	assert_non_null(strstr(gate_judgement(&fixture.s.gates[0])->reason, "7 pairs, of which at least 10 are needed"));
}

static void another_class_wants_confirming(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	replace(&fixture.base.machine.part, "xeon-8cpu");
	measure(&fixture, "task-clock", 100, 100);
	measure(&fixture, "page-faults", 100, 100);
	add_gate(&fixture, "task-clock");
	add_gate(&fixture, "page-faults");
	judge(&fixture);
	fixture.s.baseline_class = machine_class(&fixture.base.machine);
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, VERDICT_NOT_MEASURED);
	assert_true(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[0]));
	assert_false(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[1]));
	/* A portable count that could not be compared could not for another reason than the class. */
	fixture.s.gates[1].stored.verdict = VERDICT_NOT_MEASURED;
	assert_false(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[1]));
	fixture.s.gates[1].stored.verdict = VERDICT_PASS;
	open_pairing(&fixture);
	fixture.s.pairing->confirming = true;
	measure_pairs(&fixture, "task-clock", &(struct pair_values){ 100, 1.5, 0.01, 10 });
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_gate(&fixture, 1, VERDICT_PASS, NULL);
}

/* Only flagged gates are worth pairs. */
static void nothing_flagged_needs_no_look(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	screen(&fixture, 85, 1.012);
	fixture.s.pairing->head.measured->n_runs = 0;
	assert_int_equal(judge_pairs_next_look(&fixture.s), 0);
	fixture.s.pairing->head.measured->n_runs = 20;
}

/* Pairs of such runs would take many times what was allowed, to prove what is proven. */
static void what_is_gross_needs_no_confirming(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	measure(&fixture, "task-clock", 100, 1600);
	fixture.s.n_runs = 1;
	add_gate(&fixture, "task-clock");
	judge(&fixture);
	fixture.s.n_runs = RUNS;
	assert_gate(&fixture, 0, VERDICT_REGRESSION, "too few runs for an interval (1 against 6), but worse than every one of the "
		    "baseline's by more than noise explains");
	assert_true(gate_judgement(&fixture.s.gates[0])->gross);
	assert_false(judge_pairs_wants_confirming(&fixture.s, &fixture.s.gates[0]));
}

static void limits_are_not_confirmed_away(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	screen(&fixture, 200, 1);
	fixture.s.gates[0].gate.max = 150;
	fixture.s.gates[0].gate.by_default = false;
	judge(&fixture);
	judge_pairs_confirm(&fixture.s, &fixture.here, &fixture.base);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, "over its absolute budget against the stored runs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flagged_time_is_confirmed),
		cmocka_unit_test(what_pairs_do_not_see_is_cleared),
		cmocka_unit_test(few_pairs_prove_nothing_against_the_screen),
		cmocka_unit_test(only_what_was_flagged_wants_confirming),
		cmocka_unit_test(few_pairs_are_more_than_nothing),
		cmocka_unit_test(another_class_wants_confirming),
		cmocka_unit_test(nothing_flagged_needs_no_look),
		cmocka_unit_test(what_is_gross_needs_no_confirming),
		cmocka_unit_test(limits_are_not_confirmed_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
