#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "stats/stats.h"

enum { RUNS = 3 };

static const uint64_t whole[RUNS] = { 1000, 1000, 1000 };

static struct share_count count(const uint64_t *hits)
{
	uint64_t all = 0;

	for (size_t i = 0; hits && i < RUNS; i++)
		all += hits[i];
	return (struct share_count){
		.share = (double)all / 3000, .samples = 3000, .run_hits = hits, .run_samples = whole, .n_runs = RUNS,
	};
}

static void assert_near(double a, double b)
{
	if (fabs(a - b) > 1e-6 * fmax(1, fabs(b)))
		fail_msg("%.9g is not %.9g", a, b);
}

static void even_runs_have_the_least_dispersion(void **state)
{
	struct share_count a = count((const uint64_t[]){ 100, 100, 100 }), b = count((const uint64_t[]){ 130, 130, 130 });
	struct share_change change;
	double p = 690.0 / 6000;

	(void)state;
	share_compare(&b, &a, &change);
	assert_near(change.rise, 0.03);
	assert_near(change.dispersion, 2);
	assert_near(change.error, sqrt(2 * p * (1 - p) * 2 / 3000));
	share_compare(&a, &b, &change);
	assert_near(change.rise, -0.03);
}

/* (30^2 + 0 + 30^2) / 90 = 20 on two degrees of freedom, nothing on the other two: 5. */
static void scattered_runs_widen_the_error(void **state)
{
	struct share_count a = count((const uint64_t[]){ 70, 100, 130 }), b = count((const uint64_t[]){ 100, 100, 100 });

	(void)state;
	assert_near(share_dispersion(&a, NULL), 10);
	assert_near(share_dispersion(&a, &b), 5);
	assert_near(share_error(0.1, 3000, 5), sqrt(5 * 0.09 / 3000));
}

static void what_one_side_does_not_have_is_none(void **state)
{
	struct share_count none = count(NULL), some = count((const uint64_t[]){ 60, 60, 60 });
	struct share_change change;

	(void)state;
	share_compare(&some, &none, &change);
	assert_near(change.rise, 0.06);
	assert_near(change.error, sqrt(2 * 0.03 * 0.97 * 2 / 3000));
	assert_near(share_agreement(&some, &none), 1);
	assert_near(share_agreement(&none, &some), 0);
	assert_near(share_agreement(&none, &none), 0.5);
	none.n_runs = 0;
	assert_near(share_agreement(&some, &none), 0);
}

static void agreement_counts_pairs(void **state)
{
	struct share_count a = count((const uint64_t[]){ 100, 100, 100 }), b = count((const uint64_t[]){ 90, 100, 130 });

	(void)state;
	assert_near(share_agreement(&b, &a), 4.5 / 9);
}

static void nothing_at_all_is_no_trap(void **state)
{
	struct share_count a = { .share = 0, .samples = 3000 }, all = count(whole);

	(void)state;
	assert_near(share_dispersion(&a, &a), 2);
	assert_near(share_dispersion(&all, NULL), 2);
	assert_true(isinf(share_error(0.5, 0, 2)));
	assert_near(share_error(0, 100, 2), 0);
}

static void twice_the_distance_takes_a_quarter(void **state)
{
	(void)state;
	assert_near(share_samples_needed(9000, 0.01, 2, 0.02), 9000);
	assert_near(share_samples_needed(9000, 0.01, 2, 0.01), 36000);
	assert_true(isinf(share_samples_needed(9000, 0.01, 2, 0)));
	assert_true(isinf(share_samples_needed(9000, 0.01, 2, -1)));
}

static void wilson_is_wilson(void **state)
{
	static const struct { double hits, n, low, high; } cases[] = {
		{ 0, 0, 0, 1 }, { 0, 10, 0, 0.277533 }, { 10, 10, 0.722467, 1 }, { 5, 10, 0.236593, 0.763407 },
		{ 900, 9000, 0.093968, 0.106372 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct interval got = stats_wilson(cases[i].hits, cases[i].n, 1.959964);

		assert_true(fabs(got.low - cases[i].low) < 1e-5 && fabs(got.high - cases[i].high) < 1e-5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(even_runs_have_the_least_dispersion),
		cmocka_unit_test(scattered_runs_widen_the_error),
		cmocka_unit_test(what_one_side_does_not_have_is_none),
		cmocka_unit_test(agreement_counts_pairs),
		cmocka_unit_test(nothing_at_all_is_no_trap),
		cmocka_unit_test(twice_the_distance_takes_a_quarter),
		cmocka_unit_test(wilson_is_wilson),
	};

	return cmocka_run_group_tests_name("share test", tests, NULL, NULL);
}
