/* The paired rule: when it looks, what it says, and what it would take. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "gate_samples.h"
#include "judge/judge.h"
#include "stats/stats.h"

#define N(array) (sizeof(array) / sizeof *(array))

enum { MANY = 1100 };

static void assert_close(double found, double expected, double precision)
{
	if (!(found == expected || fabs(found - expected) <= precision))
		fail_msg("expected %.12g, found %.12g", expected, found);
}

static void the_first_look_is_where_something_can_be_proven(void **state)
{
	static const struct {
		unsigned gates, pairs;
	} cases[] = { { 0, 10 }, { 1, 10 }, { 2, 10 }, { 3, 11 }, { 5, 11 }, { 6, 12 }, { 20, 13 }, { 100, 16 }, { 2621, 20 },
		      { 2622, 21 } };

	(void)state;
	for (size_t i = 0; i < N(cases); i++)
		assert_int_equal(paired_first_look(cases[i].gates), cases[i].pairs);
}

static void looks_are_planned(void **state)
{
	static const struct {
		unsigned gates, most;
		unsigned looks[5];
	} cases[] = {
		{ 1, 0, { 10, 20, 30, 40 } }, { 20, 40, { 13, 20, 30, 40 } }, { 20, 200, { 13, 20, 30, 200 } },
		{ 20, 41, { 13, 20, 30, 41 } }, { 20, 35, { 13, 20, 30, 35 } }, { 20, 30, { 13, 20, 30 } },
		{ 20, 25, { 13, 20, 25 } }, { 20, 14, { 13, 14 } }, { 20, 13, { 13 } }, { 20, 5, { 5 } }, { 20, 1, { 1 } },
		{ 2621, 40, { 20, 30, 40 } }, { 3000, 40, { 21, 30, 40 } }, { 20, 5000, { 13, 20, 30, SIGNRANK_MOST } },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		const struct paired_terms terms = { .gates = cases[i].gates, .pairs_most = cases[i].most };
		unsigned n = 0;

		for (size_t j = 0; j < N(cases[i].looks); j++) {
			n = paired_next_look(&terms, n);
			assert_int_equal(n, cases[i].looks[j]);
			if (!n)
				break;
		}
	}
	assert_int_equal(paired_next_look(&(struct paired_terms){ .gates = 20 }, 17), 20);
	assert_int_equal(paired_next_look(&(struct paired_terms){ .gates = 20 }, 1000), 0);
}

/* N differences about MIDDLE, half of them above it, at most SPREAD away. */
static void fill(double *d, size_t n, double middle, double spread)
{
	for (size_t i = 0; i < n; i++)
		d[i] = middle + spread * (double)((i * 7) % 11 + 1) / 11 * (i % 2 ? 1 : -1);
}

static void gives_three_answers(void **state)
{
	static const struct {
		const char *words;
		double middle, spread;
		size_t n;
		bool ended;
		unsigned gates, most;
		double floor;
		enum verdict verdict;
		unsigned pairs;
	} cases[] = {
		{ "the same", 0, 0, 40, true, 20, 40, 0, VERDICT_PASS, 13 },
		{ "much worse", 0.10, 0.05, 40, true, 20, 40, 0, VERDICT_REGRESSION, 13 },
		{ "much better", -0.10, 0.05, 40, true, 20, 40, 0, VERDICT_IMPROVEMENT, 13 },
		{ "one gate needs fewer", 0.10, 0.05, 40, true, 1, 40, 0, VERDICT_REGRESSION, 10 },
		{ "worse, but tolerated", 0.02, 0.001, 40, true, 20, 40, 0, VERDICT_PASS, 13 },
		{ "better, but hardly", -0.02, 0.001, 40, true, 20, 40, 0, VERDICT_PASS, 13 },
		{ "as worse as is tolerated", 0.03, 0, 40, true, 20, 40, 0, VERDICT_PASS, 13 },
		{ "a hair worse than is tolerated", 0.0300001, 0, 40, true, 20, 40, 0, VERDICT_REGRESSION, 13 },
		{ "too noisy", 0.02, 0.20, 40, true, 20, 40, 0, VERDICT_INCONCLUSIVE, 40 },
		{ "no longer too noisy", 0.010, 0.05, 40, true, 20, 40, 0, VERDICT_PASS, 20 },
		{ "pairs beyond the last look do not count", 0.02, 0.20, 60, true, 20, 40, 0, VERDICT_INCONCLUSIVE, 40 },
		{ "not looked at yet", 0.10, 0.05, 12, false, 20, 40, 0, VERDICT_INCONCLUSIVE, 12 },
		{ "too few", 0.10, 0.05, 12, true, 20, 40, 0, VERDICT_INCONCLUSIVE, 12 },
		{ "capped below the first look", 0.10, 0.05, 8, true, 20, 8, 0, VERDICT_INCONCLUSIVE, 8 },
		{ "one", 0.10, 0, 1, true, 20, 40, 0, VERDICT_INCONCLUSIVE, 1 },
		{ "between looks", 0.010, 0.05, 19, false, 20, 40, 0, VERDICT_INCONCLUSIVE, 19 },
		{ "ended between looks", 0.010, 0.05, 19, true, 20, 40, 0, VERDICT_PASS, 19 },
		{ "a hair too wide to pass", 0.025, 0.0125, 13, true, 20, 13, 0, VERDICT_INCONCLUSIVE, 13 },
		{ "narrow enough", 0.025, 0.0115, 13, true, 20, 13, 0, VERDICT_PASS, 13 },
		{ "below the floor", 0.04, 0.001, 40, true, 20, 40, 0.05, VERDICT_INCONCLUSIVE, 40 },
		{ "above the floor", 0.04, 0.001, 40, true, 20, 40, 0.01, VERDICT_REGRESSION, 13 },
		{ "not for sure above the floor", 0.04, 0.04, 13, true, 20, 40, 0.01, VERDICT_INCONCLUSIVE, 13 },
		{ "for sure worse", 0.0401, 0.04, 13, true, 20, 40, 0, VERDICT_REGRESSION, 13 },
		{ "not for sure better than the floor", -0.0401, 0.04, 13, true, 20, 40, 0.01, VERDICT_PASS, 13 },
	};

	(void)state;
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

static void a_verdict_stays(void **state)
{
	const struct paired_terms terms = { .gates = 20, .tolerance = 0.03 };
	struct paired early, late;
	double d[40];

	(void)state;
	fill(d, 13, 0.10, 0.05);
	fill(d + 13, 27, -0.50, 0.05);
	assert_true(paired_decide(d, 13, false, &terms, &early));
	assert_true(paired_decide(d, 40, true, &terms, &late));
	assert_int_equal(early.verdict, VERDICT_REGRESSION);
	assert_int_equal(late.verdict, VERDICT_REGRESSION);
	assert_int_equal(late.pairs, 13);
	assert_true(late.estimate == early.estimate && late.low == early.low && late.high == early.high);
	assert_true(late.detectable == early.detectable);
}

/* Whatever is accused with a sign is credited with the other, by bounds that are mirrored. */
static void improvements_mirror_regressions(void **state)
{
	static const double middles[] = { 0.02, 0.035, 0.05, 0.1 }, spreads[] = { 0.01, 0.04, 0.06, 0.15 };
	unsigned found = 0;

	(void)state;
	for (size_t i = 0; i < N(middles) * N(spreads); i++) {
		/* Looked at once, as an improvement that is not sure yet is a pass. */
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

static void bounds_have_the_errors_of_a_look(void **state)
{
	const struct paired_terms terms = { .gates = 5, .tolerance = 0.03 };
	struct shift expected;
	struct paired p;
	double d[40];

	(void)state;
	fill(d, N(d), 0.028, 0.20);
	assert_true(signrank_shift(d, N(d), 0.01 / 20, 0.02, &expected));
	assert_true(paired_decide(d, N(d), true, &terms, &p));
	assert_true(p.estimate == expected.estimate && p.low == expected.low && p.high == expected.high);
}

static void says_how_many_more_would_decide(void **state)
{
	static const struct {
		double middle, spread, floor;
		bool resolvable;
	} cases[] = {
		{ 0.018, 0.080, 0, true },	/* about to pass */
		{ 0.050, 0.150, 0, true },	/* about to be accused */
		{ 0.050, 0.120, 0.01, true },
		{ 0.015, 0.120, 0, true },	/* just under four times as many */
		{ 0.018, 0.100, 0, false },	/* just over that */
		{ 0.0299, 0.080, 0, false },	/* as good as the tolerance itself */
		{ 0.010, 0.400, 0, false },
		{ 0.040, 0.001, 0.05, false },	/* the floor forbids it for ever */
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		const struct paired_terms terms = { .gates = 20, .tolerance = 0.03, .floor = cases[i].floor };
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

static void too_few_lack_those_of_the_first_look(void **state)
{
	static const struct {
		size_t n;
		unsigned most;
		double more;
	} cases[] = { { 1, 40, 12 }, { 12, 40, 1 }, { 5, 5, 8 } };

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		const struct paired_terms terms = { .gates = 20, .pairs_most = cases[i].most, .tolerance = 0.03 };
		struct paired p;
		double d[40];

		fill(d, cases[i].n, 0.1, 0.01);
		assert_true(paired_decide(d, cases[i].n, true, &terms, &p));
		assert_true(p.too_few && isinf(p.low) && p.more == cases[i].more);
	}
}

static void knows_the_smallest_change_it_can_see(void **state)
{
	static const struct {
		size_t n;
		double factor;
	} cases[] = { { 9, NAN }, { 10, 3.9 }, { 15, 3.55 }, { 20, 3.2 }, { 25, 3.05 }, { 30, 2.9 }, { 40, 2.9 } };
	const struct paired_terms terms = { .gates = 1, .tolerance = 0.001 };
	double d[40];

	(void)state;
	fill(d, N(d), 0.0005, 0.1);
	for (size_t i = 0; i < N(cases); i++) {
		struct paired p;

		assert_true(paired_decide(d, cases[i].n, true, &terms, &p));
		if (isnan(cases[i].factor))
			assert_true(isnan(p.detectable));
		else
			assert_close(p.detectable, cases[i].factor * stats_sd(d, 10) / sqrt((double)cases[i].n), 1e-12);
	}
}

static void refuses_what_is_no_number(void **state)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };
	const struct paired_terms terms = { .gates = 20, .tolerance = 0.03 };
	struct paired p = { .pairs = 7 };
	double *d = xcalloc(MANY, sizeof *d);

	(void)state;
	assert_false(paired_decide(d, 0, true, &terms, &p));
	for (size_t i = 0; i < N(bad); i++) {
		d[39] = bad[i];
		assert_false(paired_decide(d, 40, true, &terms, &p));
	}
	assert_int_equal(p.pairs, 7);
	/* More than there is a distribution for. */
	fill(d, MANY, 0.0299, 0.4);
	assert_true(paired_decide(d, MANY, true, &(struct paired_terms){ .gates = 20, .tolerance = 0.03, .pairs_most = MANY }, &p));
	assert_int_equal(p.pairs, SIGNRANK_MOST);
	free(d);
}

static void nothing_changed_passes_without_a_tolerance(void **state)
{
	const struct paired_terms terms = { .gates = 20 };
	double d[13] = { 0 };
	struct paired p;

	(void)state;
	assert_true(paired_decide(d, N(d), true, &terms, &p));
	assert_int_equal(p.verdict, VERDICT_PASS);
	assert_true(p.estimate == 0 && p.detectable == 0);
}

static void tolerances_come_from_the_right_place(void **state)
{
	static const struct {
		const char *metric;
		bool by_default;
		double pct, calibrated, expected_pct, expected;
	} cases[] = {
		{ "task-clock", false, 5, 0, 5, 0.048790164169432 },
		{ "task-clock", false, 5, 4, 5, 0.048790164169432 },
		{ "task-clock", true, 25, 0, 3, 0.029558802241544 },
		{ "task-clock", true, 25, 4, 4, 0.039220713153281 },
		{ "ipc", true, 10, 0, 3, 0.030459207484709 },
		{ "ipc", false, 10, 0, 10, 0.105360515657826 },
		/* not gated unless a scenario says so */
		{ "wall-time", true, 7, 0, 7, 0.067658648473815 },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct gate gate = relative_gate(metric_find(cases[i].metric), cases[i].pct);

		gate.by_default = cases[i].by_default;
		gate.calibrated_pct = cases[i].calibrated;
		assert_close(paired_tolerance_pct(&gate), cases[i].expected_pct, 0);
		assert_close(paired_tolerance(&gate), cases[i].expected, 1e-12);
	}
}

static void differences_are_signed_so_that_positive_is_worse(void **state)
{
	static const struct {
		const char *metric;
		double base[3], head[3], expected[3];
		size_t kept;
	} cases[] = {
		{ "task-clock", { 100, 200, 50 }, { 110, 200, 25 }, { 0.0953101798043, 0, -0.6931471805599 }, 3 },
		{ "ipc", { 1, 2, 4 }, { 0.5, 2, 8 }, { 0.6931471805599, 0, -0.6931471805599 }, 3 },
		{ "task-clock", { NAN, 1, 2 }, { 1, NAN, 2 }, { 0 }, 1 },
		{ "task-clock", { NAN, INFINITY, -1 }, { NAN, 1, 2 }, { 0 }, 0 },
		/* Zero is half of what can be told from it, ... */
		{ "page-faults", { 0, 4, 0 }, { 8, 0, 0 }, { 2.7725887222398, -2.0794415416798, 0 }, 3 },
		{ "task-clock", { 0, 4, 0.001 }, { 8, 4, 0 }, { 9.6803440012219, 0, -0.6931471805599 }, 3 },
		{ "max-rss", { 0, 8192, 0 }, { 4096, 0, 0 }, { 0.6931471805599, -1.3862943611199, 0 }, 3 },
		{ "branch-miss-rate", { 0, 0.01, 0 }, { 0.01, 0, 0 }, { 9.9034875525361, -9.9034875525361, 0 }, 3 },
		{ "ipc", { 0, 4, 4 }, { 4, 4, 4 }, { -15.8949520996441, 0, 0 }, 3 },
		/* ... and never more than what stands beside it. */
		{ "page-faults", { 0, 0.25, 0 }, { 0.25, 0, 1 }, { 0.6931471805599, -0.6931471805599, 0.6931471805599 }, 3 },
		{ "cycles-per-second", { 0, 2, 0 }, { 2, 0, 0.5 }, { -1.3862943611199, 1.3862943611199, -0.6931471805599 }, 3 },
		{ "page-faults", { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, 3 },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		double found[3];
		size_t kept = paired_differences(metric_find(cases[i].metric), cases[i].base, cases[i].head, 3, found);

		assert_int_equal(kept, cases[i].kept);
		for (size_t j = 0; j < kept; j++)
			assert_close(found[j], cases[i].expected[j], 1e-12);
	}
}

/* Or a smaller value that comes later would move a verdict that has been told. */
static void later_pairs_change_no_difference(void **state)
{
	static const double base[] = { 0, 100, 0, 1 }, head[] = { 100, 0, 0, 0 };
	double alone[4], together[4];

	(void)state;
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

/* One pair of a head that takes sixteen times as long is no "too few"; one of them that is not gross leaves it open. */
static void few_pairs_prove_what_is_gross(void **state)
{
	static const struct {
		double d[3];
		size_t n;
		enum verdict verdict;
	} rows[] = {
		{ { 2.77 }, 1, VERDICT_REGRESSION }, { { 2.39 }, 1, VERDICT_INCONCLUSIVE }, { { 2.77, 2.5, 3 }, 3, VERDICT_REGRESSION },
		{ { 2.77, 2.3, 3 }, 3, VERDICT_INCONCLUSIVE }, { { -2.77 }, 1, VERDICT_INCONCLUSIVE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct paired_terms terms = { .gates = 2, .tolerance = 0.03 };
		struct paired p;

		assert_true(paired_decide(rows[i].d, rows[i].n, true, &terms, &p));
		assert_int_equal(p.verdict, rows[i].verdict);
		assert_true(p.too_few);
		/* While more are coming, the planned looks alone decide. */
		assert_true(paired_decide(rows[i].d, rows[i].n, false, &terms, &p));
		assert_int_equal(p.verdict, VERDICT_INCONCLUSIVE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_look_is_where_something_can_be_proven),
		cmocka_unit_test(looks_are_planned),
		cmocka_unit_test(gives_three_answers),
		cmocka_unit_test(few_pairs_prove_what_is_gross),
		cmocka_unit_test(a_verdict_stays),
		cmocka_unit_test(improvements_mirror_regressions),
		cmocka_unit_test(bounds_have_the_errors_of_a_look),
		cmocka_unit_test(says_how_many_more_would_decide),
		cmocka_unit_test(too_few_lack_those_of_the_first_look),
		cmocka_unit_test(knows_the_smallest_change_it_can_see),
		cmocka_unit_test(refuses_what_is_no_number),
		cmocka_unit_test(nothing_changed_passes_without_a_tolerance),
		cmocka_unit_test(tolerances_come_from_the_right_place),
		cmocka_unit_test(differences_are_signed_so_that_positive_is_worse),
		cmocka_unit_test(later_pairs_change_no_difference),
	};

	return cmocka_run_group_tests_name("paired", tests, NULL, NULL);
}
