#include "unit.h"

#include "stats/stats.h"

#define N(array) (sizeof(array) / sizeof *(array))

/* Returns seeded, nearly normal noise: the sum of twelve uniform numbers, with mean 0 and variance 1. */
static double noise(uint64_t *state)
{
	double sum = -6;

	for (unsigned i = 0; i < 12; i++) {
		*state = *state * 6364136223846793005u + 1442695040888963407u;
		sum += (double)(*state >> 33) / (double)(1u << 31);
	}
	return sum;
}

/* Fills VALUES with levels that last LENGTHS, plus noise of SD. Returns the number of values. */
static size_t make(const double *levels, const size_t *lengths, size_t n, double sd, uint64_t seed, double *values)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < lengths[i]; k++)
			values[at++] = levels[i] + sd * noise(&seed);
	return at;
}

TEST(finds_planted_steps)
{
	static const struct { double levels[4]; size_t lengths[4], n, tolerance; double sd; } cases[] = {
		{ { 10, 11 }, { 8, 8 }, 2, 0, 0.05 }, { { 10, 10.5 }, { 30, 30 }, 2, 2, 0.2 },
		{ { 10, 9 }, { 47, 3 }, 2, 0, 0.05 },
		{ { 10, 11, 10 }, { 40, 10, 40 }, 3, 0, 0.1 },
		{ { 10, 10.3, 10.6, 10.9 }, { 15, 15, 15, 15 }, 4, 1, 0.05 },
		/* counts repeat exactly, at any magnitude */
		{ { 100, 101 }, { 20, 20 }, 2, 0, 0 },
		{ { 1e15, 1e15 + 8 }, { 20, 20 }, 2, 0, 0 },
		{ { 0, 1e-9 }, { 20, 20 }, 2, 0, 0 },
		{ { 10, 11, 10.5 }, { 600, 100, 1300 }, 3, 2, 0.3 },
	};
	static double values[2000];

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(free_ptr) struct changepoint *found = NULL;
		size_t n = make(cases[i].levels, cases[i].lengths, cases[i].n, cases[i].sd, i + 1, values), at = 0;
		size_t k = changepoints_find(values, n, CHANGEPOINT_LEVEL, &found);

		if (k != cases[i].n - 1)
			fail_msg("case %zu: %zu changes, not %zu", i, k, cases[i].n - 1);
		for (size_t c = 0; c < k; c++) {
			at += cases[i].lengths[c];
			if (found[c].at > at + cases[i].tolerance || found[c].at + cases[i].tolerance < at)
				fail_msg("case %zu: a change at %zu, not at %zu", i, found[c].at, at);
			assert_true(found[c].p > 0 && found[c].p <= CHANGEPOINT_LEVEL);
			assert_false(found[c].spread);
			assert_true((found[c].after > found[c].before) == (cases[i].levels[c + 1] > cases[i].levels[c]));
			assert_true(fabs(found[c].after - cases[i].levels[c + 1]) <= cases[i].sd);
		}
	}
}

/* With 16 values, a step is rare enough if both levels last at least five: C(16, 5) = 4,368. Chance does not decide. */
TEST(a_short_series_needs_five_on_each_side)
{
	const double levels[] = { 10, 11 };
	double values[16];

	for (size_t last = 3; last <= N(values) - 3; last++)
		for (unsigned noisy = 0; noisy < 2; noisy++) {
			CLEANUP(free_ptr) struct changepoint *found = NULL;
			const size_t lengths[] = { N(values) - last, last };
			size_t n = make(levels, lengths, 2, noisy * 0.1, last, values);
			size_t k = changepoints_find(values, n, CHANGEPOINT_LEVEL, &found);

			if (k != (last >= 5 && last <= 11) || (k && found[0].at != lengths[0]))
				fail_msg("%zu values of a new level: %zu changes", last, k);
		}
}

/* False alarms stay at the level. At that rate, 200 series exceed the bound once in a thousand times. */
TEST(keeps_its_level)
{
	static const struct {
		double level;
		unsigned most;
	} cases[] = { { 0.05, 21 }, { 0.01, 8 }, { CHANGEPOINT_LEVEL, 2 } };
	const size_t length = 40;
	const double level = 10;
	double values[40];

	for (size_t i = 0; i < N(cases); i++) {
		unsigned alarms = 0;

		for (unsigned seed = 1; seed <= 200; seed++) {
			CLEANUP(free_ptr) struct changepoint *found = NULL;

			make(&level, &length, 1, 1, seed * 7919u, values);
			alarms += changepoints_find(values, length, cases[i].level, &found) > 0;
		}
		if (alarms > cases[i].most)
			fail_msg("%u of 200 series without a change have one at %g", alarms, cases[i].level);
	}
}

TEST(sees_a_drift_as_steps_in_one_direction)
{
	CLEANUP(free_ptr) struct changepoint *found = NULL;
	double values[200];
	uint64_t seed = 3;
	size_t n;

	for (size_t i = 0; i < N(values); i++)
		values[i] = 10 + 0.01 * (double)i + 0.05 * noise(&seed);
	n = changepoints_find(values, N(values), CHANGEPOINT_LEVEL, &found);
	assert_true(n >= 3);
	for (size_t i = 0; i < n; i++)
		assert_true(found[i].after > found[i].before);
}

TEST(knows_what_only_scatters_more)
{
	CLEANUP(free_ptr) struct changepoint *found = NULL;
	double values[400];
	uint64_t seed = 11;

	for (size_t i = 0; i < N(values); i++)
		values[i] = 10 + (i < 200 ? 0.05 : 0.5) * noise(&seed);
	assert_int_equal(changepoints_find(values, N(values), CHANGEPOINT_LEVEL, &found), 1);
	assert_true(found[0].spread);
}

TEST(finds_nothing_where_nothing_is)
{
	double same[50], few[15], gap[6] = { 1, NAN, 2, INFINITY, 3, -INFINITY };
	struct changepoint *found;

	for (size_t i = 0; i < N(same); i++)
		same[i] = 0.1;
	for (size_t i = 0; i < N(few); i++)
		few[i] = i < 3;
	for (size_t n = 0; n <= N(same); n++) {
		assert_int_equal(changepoints_find(same, n, CHANGEPOINT_LEVEL, &found), 0);
		free(found);
	}
	assert_int_equal(changepoints_find(few, 5, 0.5, &found), 0);
	free(found);
	assert_int_equal(changepoints_find(few, 12, CHANGEPOINT_LEVEL, &found), 0);
	free(found);
	assert_int_equal(changepoints_find(gap, N(gap), CHANGEPOINT_LEVEL, &found), 0);
	free(found);
	assert_int_equal(changepoints_find(NULL, 0, CHANGEPOINT_LEVEL, &found), 0);
	free(found);
}

TEST(passes_over_what_was_not_measured)
{
	CLEANUP(free_ptr) struct changepoint *found = NULL;
	double values[60];

	for (size_t i = 0; i < N(values); i++)
		values[i] = i % 3 == 1 ? NAN : i < 31 ? 5 : 6;
	assert_int_equal(changepoints_find(values, N(values), CHANGEPOINT_LEVEL, &found), 1);
	/* 31 was not measured */
	assert_int_equal(found[0].at, 32);
	assert_true(found[0].before == 5 && found[0].after == 6);
}
