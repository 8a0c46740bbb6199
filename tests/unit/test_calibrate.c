#include "unit.h"

#include "judge/calibrate.h"
#include "judge/pairs.h"

enum { PAIRS = 240 };

static double uniform(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

/* Returns a standard normal number (Box-Muller). */
static double normal(uint64_t *seed)
{
	double radius = sqrt(-2 * log(uniform(seed)));

	return radius * cos(6.283185307179586 * uniform(seed));
}

static struct gate gate_on(const char *metric)
{
	const struct metric *found = metric_find(metric);

	assert_non_null(found);
	return (struct gate){ .metric = found, .relative = true, .by_default = true, .tolerance_pct = found->stored_tolerance_pct };
}

/* Fills pairs of about 80 ms. Their common drift is far larger than the difference within a pair. */
static void drifting(uint64_t seed, double drift, double pair_sd, double bias, double *base, double *head)
{
	double level = 0;

	for (size_t i = 0; i < PAIRS; i++) {
		level = 0.9 * level + drift * normal(&seed);
		base[i] = 80 * exp(level + pair_sd / sqrt(2) * normal(&seed));
		head[i] = 80 * exp(level + pair_sd / sqrt(2) * normal(&seed) + bias);
	}
}

static bool near(double value, double expected, double by)
{
	return fabs(value - expected) <= by;
}

TEST(keeps_runs_from_pairs_and_finds_a_tolerance)
{
	const struct paired_terms terms = { .gates = 20 };
	const struct gate gate = gate_on("task-clock");
	double base[PAIRS], head[PAIRS];
	CLEANUP(calibrating_release) struct calibrating c;

	drifting(7, 0.03, 0.03, 0, base, head);
	assert_true(calibrating_judge(&gate, base, head, PAIRS, &terms, &c));
	calibrating_settle(&c, 1);
	assert_int_equal(c.pairs, PAIRS);
	assert_true(near(c.pair_sd, 0.03, 0.004));
	assert_true(c.run_sd > 0.05 && c.run_lag > 0.6);
	assert_true(near(c.pair_lag, 0, 0.15));
	assert_true(near(c.median, 80, 10));
	assert_true(c.shift.low < 0 && c.shift.high > 0);
	assert_true(c.tolerance_pct == 3);
	assert_null(c.reason);
	assert_true(c.found_pct >= 2 && c.found_pct <= 3);
	assert_true(c.now.comparisons >= 6 && c.now.comparisons <= 18);
	assert_int_equal(c.now.false_positives, 0);
	assert_true(near(c.false_most, 1 - pow(0.05, 1.0 / c.now.comparisons), 1e-9));
	assert_true(c.now.pairs >= 13 && c.now.pairs <= 40);
	assert_true(c.detectable[0] > c.detectable[1] && c.detectable[2] > c.detectable[3]);
}

/* Calibration shows the same numbers as a comparison, where the first ten pairs determine the spread. */
TEST(sees_what_the_rule_sees)
{
	/* Settings that never decide for worse or not worse, even with many pairs. */
	const struct paired_terms terms = { .gates = 1, .tolerance = 1e-6, .floor = 1 };
	const struct gate gate = gate_on("task-clock");

	for (size_t k = 0; k < CALIBRATING_SIZES; k++) {
		double base[PAIRS_MOST], head[PAIRS_MOST], d[PAIRS_MOST];
		size_t n = calibrating_sizes[k];
		CLEANUP(calibrating_release) struct calibrating c;
		struct paired p;

		for (size_t i = 0; i < n; i++) {
			base[i] = 100;
			head[i] = i % 2 ? 103.2 : 97;
		}
		assert_int_equal(paired_differences(gate.metric, base, head, n, d), n);
		assert_true(paired_decide(d, n, true, &terms, &p));
		assert_true(calibrating_judge(&gate, base, head, n, &terms, &c));
		assert_true(near(c.detectable[k] / p.detectable, sqrt((10.0 - 1) / 10 * n / (n - 1.0)), 1e-6));
	}
}

/* Returns a difference around 0. A fraction OUTLIERS of them is eight times as large. */
static double noise(double sd, double outliers, uint64_t *seed)
{
	double far = uniform(seed) < outliers ? 8 : 1;

	return far * sd * normal(seed);
}

/* Returns how often comparisons of differences around MIDDLE end as VERDICT within WITHIN pairs. */
static double rate(enum verdict verdict, unsigned within, double sd, double outliers, double middle, double tolerance_pct)
{
	const struct paired_terms terms = { .gates = 20, .tolerance = log1p(tolerance_pct / 100) };
	enum { ROUNDS = 600 };
	uint64_t seed = 11;
	unsigned hits = 0;

	for (size_t i = 0; i < ROUNDS; i++) {
		double d[PAIRS_MOST];
		struct paired p;

		for (size_t k = 0; k < within; k++)
			d[k] = middle + noise(sd, outliers, &seed);
		assert_true(paired_decide(d, within, false, &terms, &p));
		hits += p.decided && p.verdict == verdict;
	}
	return (double)hits / ROUNDS;
}

TEST(promises_what_a_simulation_keeps)
{
	static const struct { double sd, outliers, least, most; } cases[] = {
		{ 0.027, 0, 2, 3 }, { 0.04, 0, 3, 4 }, { 0.08, 0, 6, 8 }, { 0.027, 0.05, 2, 4 }, { 0.015, 0.1, 2, 3 },
	};
	const struct metric *metric = metric_find("task-clock");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double d[PAIRS], sd = cases[i].sd, outliers = cases[i].outliers, pct;
		uint64_t seed = 5;

		for (size_t k = 0; k < PAIRS; k++)
			d[k] = 0.001 + noise(sd, outliers, &seed);
		pct = calibrating_tolerance_pct(metric, d, PAIRS, 20);
		if (pct < cases[i].least || pct > cases[i].most)
			fail_msg("case %zu: %g %%", i, pct);
		/* Tolerances are rounded up to half percents, and 240 pairs are only a sample. Hence 0.85. */
		assert_true(rate(VERDICT_PASS, 20, sd, outliers, 0, pct) > 0.85);
		assert_true(rate(VERDICT_PASS, 40, sd * sqrt(2), outliers, 0, pct) > 0.85);
		assert_true(rate(VERDICT_REGRESSION, 40, sd, outliers, log1p(2 * pct / 100), pct) > 0.9);
		assert_true(rate(VERDICT_REGRESSION, 40, sd, outliers, 0, pct) < 0.005);
		/* A smaller tolerance would not suffice. */
		if (pct > 2)
			assert_true(rate(VERDICT_PASS, 20, sd, outliers, 0, pct * 0.7) < 0.8);
	}
}

TEST(keeps_to_the_least_of_a_metric)
{
	static const struct { const char *metric; double sd, least, most; } cases[] = {
		{ "task-clock", 0, 2, 2 }, { "task-clock", 0.01, 2, 2 }, { "user-time", 0.05, 3.5, 5 }, { "instructions", 0, 0.5, 0.5 },
		{ "instructions", 0.01, 0.5, 1 }, { "page-faults", 0, 1, 1 }, { "page-faults", 0.02, 1.5, 2 }, { "ipc", 0.001, 3, 3 },
		{ "ipc", 0.06, 4, 5.5 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double d[PAIRS], pct;
		uint64_t seed = 8;

		for (size_t k = 0; k < PAIRS; k++)
			d[k] = noise(cases[i].sd, 0, &seed);
		pct = calibrating_tolerance_pct(metric_find(cases[i].metric), d, PAIRS, 20);
		if (pct < cases[i].least || pct > cases[i].most || pct * 2 != floor(pct * 2))
			fail_msg("%s, %g: %g", cases[i].metric, cases[i].sd, pct);
	}
}

TEST(promises_nothing_where_a_side_is_favoured)
{
	const struct paired_terms terms = { .gates = 20 };
	const struct gate gate = gate_on("task-clock");
	double base[PAIRS], head[PAIRS];
	struct calibrating c[2];

	drifting(3, 0.02, 0.025, 0.01, base, head);
	assert_true(calibrating_judge(&gate, base, head, PAIRS, &terms, &c[0]));
	drifting(4, 0.02, 0.025, 0, base, head);
	assert_true(calibrating_judge(&gate, base, head, PAIRS, &terms, &c[1]));
	calibrating_settle(c, 2);
	assert_true(calibrating_biased(&c[0]));
	assert_true(c[0].shift.low > 0);
	assert_true(c[0].found_pct == 0);
	assert_non_null(strstr(c[0].reason, "A differs from A here"));
	assert_false(calibrating_biased(&c[1]));
	assert_true(c[1].adjusted_p >= c[1].p);
	assert_null(c[1].reason);
	calibrating_release(&c[0]);
	calibrating_release(&c[1]);
}

TEST(says_why_nothing_is_promised)
{
	static const struct { size_t pairs; double pair_sd, bias; const char *reason; } cases[] = {
		{ 39, 0.03, 0, "39 pairs are too few to know how far pairs spread; it takes 40" },
		{ PAIRS, 0.4, 0, "pairs spread by" },
		{ PAIRS, 0.01, 0.1, "A differs from A here" },
	};
	const struct paired_terms terms = { .gates = 20 };
	const struct gate gate = gate_on("task-clock");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double base[PAIRS], head[PAIRS];
		CLEANUP(calibrating_release) struct calibrating c;

		drifting(9, 0.02, cases[i].pair_sd, cases[i].bias, base, head);
		assert_true(calibrating_judge(&gate, base, head, cases[i].pairs, &terms, &c));
		calibrating_settle(&c, 1);
		assert_true(c.found_pct == 0);
		assert_non_null(strstr(c.reason, cases[i].reason));
	}
}

/* A machine whose noise shifts. The bounds hold on average, but no tolerance is promised. */
TEST(counts_false_positives)
{
	const struct paired_terms terms = { .gates = 1 };
	const struct gate gate = gate_on("task-clock");
	double base[PAIRS], head[PAIRS];
	CLEANUP(calibrating_release) struct calibrating c;
	uint64_t seed = 21;

	for (size_t i = 0; i < PAIRS; i++) {
		base[i] = 80;
		head[i] = 80 * exp((i / 60 % 2 ? 0.06 : -0.06) + 0.01 * normal(&seed));
	}
	assert_true(calibrating_judge(&gate, base, head, PAIRS, &terms, &c));
	calibrating_settle(&c, 1);
	assert_true(c.now.false_positives > 0 && c.now.false_improvements > 0);
	assert_true(c.pair_lag > 0.9);
	assert_true(c.found_pct == 0);
	assert_non_null(strstr(c.reason, "the rule called an unchanged program a regression"));
}

TEST(leaves_out_what_was_not_measured)
{
	const struct paired_terms terms = { .gates = 1 };
	const struct gate gate = gate_on("page-faults");
	double base[50], head[50];
	struct calibrating c;

	for (size_t i = 0; i < 50; i++)
		base[i] = head[i] = 200;
	base[3] = NAN;
	head[7] = NAN;
	assert_true(calibrating_judge(&gate, base, head, 50, &terms, &c));
	calibrating_settle(&c, 1);
	assert_int_equal(c.pairs, 48);
	assert_true(c.pair_sd == 0 && near(c.run_sd, 0, 1e-12) && isnan(c.pair_lag) && isnan(c.run_lag));
	assert_true(c.p == 1 && c.found_pct == 1);
	assert_int_equal(c.then.passed, c.then.comparisons);
	calibrating_release(&c);

	/* One pair, or none, does not determine the spread. */
	assert_false(calibrating_judge(&gate, base, head, 1, &terms, &c));
	assert_false(calibrating_judge(&gate, base, head, 0, &terms, &c));
	head[0] = INFINITY;
	assert_false(calibrating_judge(&gate, base, head, 10, &terms, &c));

	/* Zeros have no logarithm. */
	for (size_t i = 0; i < 50; i++)
		base[i] = head[i] = i % 2 ? 0 : 3;
	assert_true(calibrating_judge(&gate, base, head, 50, &terms, &c));
	assert_true(isnan(c.run_sd) && c.pair_sd == 0);
	calibrating_release(&c);
}
