/* The search: every position of the culprit, with and without commits that cannot be compared, and what comparisons say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "gate_samples.h"
#include "judge/judge.h"

enum { COMMITS_MOST = 70 };

/* -------- the search */

static void open_search(struct bisection *b, size_t n)
{
	struct commits commits = { 0 };
	struct error err = ERROR_INIT;

	*b = (struct bisection){ .good = xstrdup("good"), .bad = xstrdup("bad") };
	for (size_t i = 0; i < n; i++) {
		char id[32];

		snprintf(id, sizeof id, "c%zu", i);
		commits_add(&commits, id, "Jo", "2026-11-20", "a change");
	}
	assert_int_equal(bisection_place(b, &commits, &err), 0);
	b->whole.state = BISECT_BAD;
}

/* Test what it asks for until it asks no more: how many steps that took. */
static unsigned search(struct bisection *b, size_t culprit, const bool *broken)
{
	unsigned steps = 0;
	size_t at;

	while (bisection_next(b, &at)) {
		struct bisect_step step = { .head = xstrdup(b->commits.items[at].id) };

		assert_true(at + 1 < b->commits.n);
		assert_int_equal(b->states[at], BISECT_UNTESTED);
		step.state = broken && broken[at] ? BISECT_SKIPPED : at >= culprit ? BISECT_BAD : BISECT_GOOD;
		bisection_add_step(b, at, &step);
		steps++;
	}
	assert_int_equal(bisection_steps_left(b), 0);
	return steps;
}

static unsigned log2_up(size_t n)
{
	unsigned bits = 0;

	while ((size_t)1 << bits < n)
		bits++;
	return bits;
}

static void every_culprit_is_found(void **state)
{
	(void)state;
	for (size_t n = 1; n <= COMMITS_MOST; n++)
		for (size_t culprit = 0; culprit < n; culprit++) {
			CLEANUP(bisection_release) struct bisection b;
			struct suspects s;
			unsigned steps;

			open_search(&b, n);
			steps = search(&b, culprit, NULL);
			s = bisection_suspects(&b);
			if (s.first != culprit || s.last != culprit || s.skipped)
				fail_msg("of %zu commits the culprit %zu was not found: %zu to %zu", n, culprit, s.first, s.last);
			if (steps > log2_up(n))
				fail_msg("of %zu commits finding %zu took %u steps", n, culprit, steps);
			assert_string_equal(bisection_before(&b), culprit ? b.commits.items[culprit - 1].id : "good");
		}
}

/* A generator of its own, so that a failure repeats. */
static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

static void check_narrowed(const struct bisection *b, size_t culprit, const bool *broken)
{
	struct suspects s = bisection_suspects(b);

	assert_true(s.first <= culprit && culprit <= s.last);
	for (size_t i = s.first; i < s.last; i++)
		assert_true(broken[i]);
	assert_int_equal(s.untested, 0);
	assert_int_equal(s.skipped, s.last - s.first);
}

static void what_is_skipped_only_blurs(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		CLEANUP(bisection_release) struct bisection b;
		bool broken[COMMITS_MOST] = { false };
		size_t n = 1 + next_random(&seed) % COMMITS_MOST, culprit = next_random(&seed) % n;
		unsigned percent = next_random(&seed) % 101;

		for (size_t i = 0; i + 1 < n; i++)
			broken[i] = next_random(&seed) % 100 < percent;
		open_search(&b, n);
		search(&b, culprit, broken);
		check_narrowed(&b, culprit, broken);
	}
}

/* A stretch of commits that do not build is left behind in leaps, not commit by commit. */
static void a_broken_stretch_is_left_soon(void **state)
{
	CLEANUP(bisection_release) struct bisection b;
	bool broken[COMMITS_MOST] = { false };
	unsigned steps;

	(void)state;
	for (size_t i = 25; i < 50; i++)
		broken[i] = true;
	open_search(&b, COMMITS_MOST);
	steps = search(&b, 60, broken);
	if (steps > 12)
		fail_msg("%u steps", steps);
	check_narrowed(&b, 60, broken);
	assert_int_equal(bisection_suspects(&b).first, 60);
}

static void steps_left_are_counted(void **state)
{
	static const struct {
		size_t n;
		unsigned steps;
	} rows[] = { { 1, 0 }, { 2, 1 }, { 3, 2 }, { 4, 2 }, { 5, 3 }, { 64, 6 } };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(bisection_release) struct bisection b;

		open_search(&b, rows[i].n);
		assert_int_equal(bisection_steps_left(&b), rows[i].steps);
	}
}

static void stored_steps_are_placed(void **state)
{
	static const struct {
		const char *head;
		int ret;
	} rows[] = { { "c0", 0 }, { "c1", 0 }, { "c2", -1 }, { "c3", -1 }, { "good", -1 } };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(bisection_release) struct bisection b = { .good = xstrdup("good"), .bad = xstrdup("bad") };
		struct error err = ERROR_INIT;
		struct commits commits = { 0 };
		struct bisect_step step = { .head = xstrdup(rows[i].head), .state = BISECT_GOOD };

		VEC_GROW(b.steps, b.n_steps, b.cap_steps);
		b.steps[b.n_steps++] = step;
		for (size_t k = 0; k < 3; k++) {
			char id[32];

			snprintf(id, sizeof id, "c%zu", k);
			commits_add(&commits, id, "Jo", "2026-11-20", "a change");
		}
		assert_int_equal(bisection_place(&b, &commits, &err), rows[i].ret);
		if (rows[i].ret == 0)
			assert_int_equal(bisection_suspects(&b).first, i + 1);
		else
			assert_int_equal(err.kind, ERR_INPUT);
	}
}

/* -------- what comparisons say */

static void set_gate(struct scenario_result *s, const char *metric, enum verdict verdict, double change_pct)
{
	struct gate gate = relative_gate(metric_find(metric), 3);
	struct judgement *out = &scenario_result_add_gate(s, &gate)->stored;

	out->verdict = verdict;
	out->change_pct = change_pct;
	out->low_pct = change_pct - 1;
	out->high_pct = change_pct + 1;
}

static void half_of_the_largest_change_decides(void **state)
{
	static const struct {
		const char *metric;
		double change_pct, tolerance_pct;
	} rows[] = {
		{ "task-clock", 300, 100 }, { "task-clock", 21, 10 }, { "ipc", -19, 10 }, { "ipc", -75, 50 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(scenario_result_release) struct scenario_result s = { 0 };
		CLEANUP(bisection_release) struct bisection b = { 0 };
		struct gate gate;

		set_gate(&s, "page-faults", VERDICT_REGRESSION, 5);
		set_gate(&s, rows[i].metric, VERDICT_REGRESSION, rows[i].change_pct);
		set_gate(&s, "instructions", VERDICT_PASS, 900);
		assert_true(bisection_plan(&b, &s));
		assert_string_equal(b.metric, rows[i].metric);
		gate = bisection_gate(&b, metric_find(b.metric));
		if (fabs(gate.tolerance_pct - rows[i].tolerance_pct) > 1e-9)
			fail_msg("%s %+g %%: half of it is %.9g %%", b.metric, rows[i].change_pct, gate.tolerance_pct);
		assert_true(gate.relative && isnan(gate.max) && isnan(gate.min) && !gate.by_default);
	}
}

static void without_a_regression_there_is_no_plan(void **state)
{
	static const struct {
		enum verdict verdict;
		double change_pct;
	} rows[] = {
		{ VERDICT_PASS, 1 }, { VERDICT_IMPROVEMENT, -50 }, { VERDICT_INCONCLUSIVE, 50 }, { VERDICT_NOT_MEASURED, NAN },
		{ VERDICT_REGRESSION, NAN }, { VERDICT_REGRESSION, -5 }, { VERDICT_REGRESSION, INFINITY },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(scenario_result_release) struct scenario_result s = { 0 };
		CLEANUP(bisection_release) struct bisection b = { 0 };

		set_gate(&s, "task-clock", rows[i].verdict, rows[i].change_pct);
		assert_false(bisection_plan(&b, &s));
		assert_null(b.metric);
	}
}

static void a_comparison_has_a_state(void **state)
{
	static const struct {
		enum verdict verdict;
		enum scenario_state scenario;
		enum bisect_state state;
		const char *reason;
	} rows[] = {
		{ VERDICT_REGRESSION, SCENARIO_MEASURED, BISECT_BAD, NULL },
		{ VERDICT_PASS, SCENARIO_MEASURED, BISECT_GOOD, NULL },
		{ VERDICT_IMPROVEMENT, SCENARIO_MEASURED, BISECT_GOOD, NULL },
		{ VERDICT_INCONCLUSIVE, SCENARIO_MEASURED, BISECT_SKIPPED, "undecided after 0 pairs" },
		{ VERDICT_NOT_MEASURED, SCENARIO_MEASURED, BISECT_SKIPPED, "task-clock was not measured" },
		{ VERDICT_REGRESSION, SCENARIO_FAILED, BISECT_SKIPPED, "it crashed" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(scenario_result_release) struct scenario_result s = { .head.state = rows[i].scenario };
		CLEANUP(bisection_release) struct bisection b = { .metric = xstrdup("task-clock") };
		CLEANUP(bisect_step_release) struct bisect_step step = { 0 };

		if (s.head.state == SCENARIO_FAILED)
			s.head.failure = "it crashed";
		set_gate(&s, "ipc", VERDICT_REGRESSION, 1);
		set_gate(&s, "task-clock", rows[i].verdict, 40);
		bisection_judge(&b, &s, &step);
		assert_int_equal(step.state, rows[i].state);
		assert_true(step.change_pct == 40 && step.low_pct == 39 && step.high_pct == 41);
		if (rows[i].reason)
			assert_string_equal(step.reason, rows[i].reason);
		else
			assert_null(step.reason);
	}
}

/* What a commit costs may lie within the scenario's tolerance, and is its cost all the same. */
static void what_is_surely_worse_is_confirmed(void **state)
{
	static const struct {
		const char *metric;
		enum verdict verdict;
		double change_pct;	/* and one percent on either side */
		enum bisect_state state;
	} rows[] = {
		{ "task-clock", VERDICT_REGRESSION, 40, BISECT_BAD }, { "task-clock", VERDICT_PASS, 2, BISECT_BAD },
		{ "task-clock", VERDICT_INCONCLUSIVE, 2, BISECT_BAD }, { "task-clock", VERDICT_PASS, 0.5, BISECT_GOOD },
		{ "task-clock", VERDICT_INCONCLUSIVE, 0.5, BISECT_SKIPPED }, { "task-clock", VERDICT_PASS, -2, BISECT_GOOD },
		{ "task-clock", VERDICT_NOT_MEASURED, NAN, BISECT_SKIPPED }, { "ipc", VERDICT_PASS, -2, BISECT_BAD },
		{ "ipc", VERDICT_PASS, 2, BISECT_GOOD },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(scenario_result_release) struct scenario_result s = { .head.state = SCENARIO_MEASURED };
		CLEANUP(bisection_release) struct bisection b = { .metric = xstrdup(rows[i].metric) };
		CLEANUP(bisect_step_release) struct bisect_step step = { 0 };

		b.higher_is_better = metric_find(rows[i].metric)->higher_is_better;
		set_gate(&s, rows[i].metric, rows[i].verdict, rows[i].change_pct);
		bisection_confirm(&b, &s, &step);
		if (step.state != rows[i].state)
			fail_msg("row %zu: %s", i, bisect_state_names[step.state]);
		assert_true(!step.reason == (step.state != BISECT_SKIPPED));
	}
}

/* -------- the end */

static void outcomes_and_statuses(void **state)
{
	static const struct {
		const char *words;
		enum bisect_state whole, first, second, found;	/* of three commits, the last of which is bad */
		const char *outcome;
		int status;
	} rows[] = {
		{ "nothing yet", BISECT_UNTESTED, BISECT_UNTESTED, BISECT_UNTESTED, BISECT_UNTESTED, "unfinished", 3 },
		{ "no slower", BISECT_GOOD, BISECT_UNTESTED, BISECT_UNTESTED, BISECT_UNTESTED, "nothing", 3 },
		{ "not sure", BISECT_SKIPPED, BISECT_UNTESTED, BISECT_UNTESTED, BISECT_UNTESTED, "nothing", 3 },
		{ "one to go", BISECT_BAD, BISECT_GOOD, BISECT_UNTESTED, BISECT_UNTESTED, "unfinished", 3 },
		{ "to confirm", BISECT_BAD, BISECT_GOOD, BISECT_GOOD, BISECT_UNTESTED, "unfinished", 3 },
		{ "found", BISECT_BAD, BISECT_GOOD, BISECT_GOOD, BISECT_BAD, "first-bad", 0 },
		{ "narrowed", BISECT_BAD, BISECT_GOOD, BISECT_SKIPPED, BISECT_BAD, "narrowed", 0 },
		{ "denied", BISECT_BAD, BISECT_GOOD, BISECT_BAD, BISECT_GOOD, "unconfirmed", 3 },
		{ "unsure", BISECT_BAD, BISECT_GOOD, BISECT_BAD, BISECT_SKIPPED, "unconfirmed", 3 },
		{ "all skipped", BISECT_BAD, BISECT_SKIPPED, BISECT_SKIPPED, BISECT_UNTESTED, "lost", 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(bisection_release) struct bisection b;

		open_search(&b, 3);
		b.whole.state = rows[i].whole;
		b.states[0] = rows[i].first;
		b.states[1] = rows[i].second;
		b.found.state = rows[i].found;
		if (strcmp(bisect_outcome_names[bisection_outcome(&b)], rows[i].outcome))
			fail_msg("%s: %s", rows[i].words, bisect_outcome_names[bisection_outcome(&b)]);
		assert_int_equal(bisection_status(&b), rows[i].status);
	}
}

static void parts_are_on_the_log_scale(void **state)
{
	struct bisection b = { .whole = { .change_pct = 300 }, .found = { .change_pct = 100 } };

	(void)state;
	assert_true(isnan(bisection_explained_pct(&b)));
	b.found.state = BISECT_BAD;
	assert_true(fabs(bisection_explained_pct(&b) - 50) < 1e-9);
	b.higher_is_better = true;
	assert_true(isnan(bisection_explained_pct(&b)));
}

/* Others have their part only where both intervals say so. */
static void a_remainder_is_what_the_intervals_exclude(void **state)
{
	static const struct {
		double low, high, whole_low, whole_high;
		bool higher_is_better;
		int differs;
	} rows[] = {
		{ 60, 90, 80, 120, false, 0 }, { 60, 120, 80, 110, false, 0 }, { 60, 79, 80, 120, false, -1 },
		{ 121, 140, 80, 120, false, 1 }, { 60, NAN, 80, 120, false, 0 }, { 60, 70, NAN, NAN, false, 0 },
		{ -30, -20, -60, -31, true, -1 }, { -40, -20, -60, -31, true, 0 }, { -80, -70, -60, -31, true, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct bisection b = {
			.whole = { .low_pct = rows[i].whole_low, .high_pct = rows[i].whole_high }, .higher_is_better = rows[i].higher_is_better,
			.found = { .low_pct = rows[i].low, .high_pct = rows[i].high },
		};

		assert_int_equal(bisection_found_differs(&b), 0);
		b.found.state = BISECT_BAD;
		assert_int_equal(bisection_found_differs(&b), rows[i].differs);
	}
}

static void all_comparisons_count(void **state)
{
	CLEANUP(bisection_release) struct bisection b;
	struct bisect_step built = { .state = BISECT_SKIPPED, .elapsed_s = 4 };
	struct bisect_step measured = { .state = BISECT_GOOD, .elapsed_s = 30, .pairs = 12 };

	(void)state;
	open_search(&b, 3);
	b.whole.pairs = 10;
	bisection_add_step(&b, 0, &built);
	bisection_add_step(&b, 1, &measured);
	assert_int_equal(bisection_effort(&b).pairs, 22);
	assert_int_equal(bisection_effort(&b).comparisons, 2);
	assert_true(bisection_effort(&b).elapsed_s == 34);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_culprit_is_found),
		cmocka_unit_test(what_is_skipped_only_blurs),
		cmocka_unit_test(a_broken_stretch_is_left_soon),
		cmocka_unit_test(steps_left_are_counted),
		cmocka_unit_test(stored_steps_are_placed),
		cmocka_unit_test(half_of_the_largest_change_decides),
		cmocka_unit_test(without_a_regression_there_is_no_plan),
		cmocka_unit_test(a_comparison_has_a_state),
		cmocka_unit_test(what_is_surely_worse_is_confirmed),
		cmocka_unit_test(outcomes_and_statuses),
		cmocka_unit_test(parts_are_on_the_log_scale),
		cmocka_unit_test(a_remainder_is_what_the_intervals_exclude),
		cmocka_unit_test(all_comparisons_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
