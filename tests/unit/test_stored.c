/*
 * The stored rule on tables worked out by hand.
 *
 * If all runs of a side are alike, every difference is the same number d. Estimate and both bounds
 * are then d before widening, so the boundaries follow from tolerance and spread alone.
 * Other bounds were computed in Python from the Gaussian binomial (k = 2 for five against five, 12
 * for fifteen against five, at 1 % a side).
 */
#include "unit.h"

#include "judge/stored.h"
#include "gate_samples.h"

enum { VM = 1, BARE = 0 };

static void assert_near(const char *what, double found, double expected)
{
	if (found != expected && !(fabs(found - expected) <= 1e-8 * fmax(1, fabs(expected))))
		fail_msg("%s: expected %.12g, found %.12g", what, expected, found);
}

/* A judgement, and facts taken from its reason. */
struct found {
	enum verdict verdict;
	double baseline, current, change_pct, low_pct, high_pct;
	bool gross;
	bool by_medians;	/* no interval */
	bool too_few;		/* too few runs for any bound */
	bool below_least;
	double moves_pct;	/* reported movement of an unchanged program; NaN: not reported */
};

static struct found compare(const struct metric *metric, double tolerance_pct, const struct baseline *base, const double *now,
			    size_t n, bool virtual_machine, bool windows)
{
	CLEANUP(scenario_result_release) struct scenario_result s = { .name = "gzip", .head.attached = windows ? "redis" : NULL };
	const struct machine machine = { .hypervisor = virtual_machine ? "kvm" : NULL };
	const struct gate gate = relative_gate(metric, tolerance_pct);
	struct judgement j = { 0 };
	struct found found;
	const char *reason, *moves;

	judgement_reset(&j, &gate);
	stored_compare(&(struct stored_terms){ &gate, &s, &machine, base }, &j, now, n);
	reason = j.reason ?: "";
	moves = strstr(reason, "the same program moves by ");
	found = (struct found){
		.verdict = j.verdict, .baseline = j.baseline, .current = j.current, .change_pct = j.change_pct,
		.low_pct = j.low_pct, .high_pct = j.high_pct, .gross = j.gross,
		.by_medians = isnan(j.low_pct) || j.low_pct == j.high_pct,
		.too_few = strstr(reason, "too few ") == reason,
		.below_least = !strcmp(reason, "the change is smaller than any that counts"),
		.moves_pct = moves ? strtod(moves + strlen("the same program moves by "), NULL) : NAN,
	};
	assert_int_equal(j.n_current, n);
	return found;
}

static struct found compare_runs(const struct metric *metric, double tolerance_pct, const struct baseline *base,
				 const double *now, size_t n, bool virtual_machine)
{
	return compare(metric, tolerance_pct, base, now, n, virtual_machine, false);
}

/* Compares N_BASE runs of BASE in each of SESSIONS sessions with N_NOW runs of NOW. */
static struct found compare_alike(const struct metric *metric, double tolerance_pct, bool virtual_machine,
				   size_t sessions, double base, size_t n_base, double now, size_t n_now)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(free_ptr) double *values = xcalloc(n_now, sizeof *values);

	for (size_t i = 0; i < sessions; i++) {
		add_session(&baseline);
		add_same(&baseline, metric->name, base, n_base);
	}
	for (size_t i = 0; i < n_now; i++)
		values[i] = now;
	return compare_runs(metric, tolerance_pct, &baseline, values, n_now, virtual_machine);
}

/* -------- boundaries */

/* Bounds are widened by 30 % of log scale on a virtual machine, 6 % on bare metal, 2 % with three sessions. */
TEST(times_have_their_boundaries)
{
	static const struct {
		const char *metric; double tolerance; int virtual_machine; size_t sessions; double now;
		enum verdict verdict;
	} cases[] = {
		/* a regression needs exp(0.30) = 1.34986, more than the tolerance of 25 % */
		{ "task-clock", 25, VM, 1, 134.98, VERDICT_INCONCLUSIVE },
		{ "task-clock", 25, VM, 1, 135.00, VERDICT_REGRESSION },
		{ "task-clock", 25, VM, 2, 134.98, VERDICT_INCONCLUSIVE },
		{ "task-clock", 25, VM, 2, 135.00, VERDICT_REGRESSION },
		/* 125 exp(-0.30) = 92.602; exp(-0.30) = 0.74082 */
		{ "task-clock", 25, VM, 1, 100.00, VERDICT_INCONCLUSIVE },
		{ "task-clock", 25, VM, 1, 92.60, VERDICT_PASS },
		{ "task-clock", 25, VM, 1, 74.09, VERDICT_PASS },
		{ "task-clock", 25, VM, 1, 74.07, VERDICT_IMPROVEMENT },
		{ "task-clock", 40, VM, 1, 139.99, VERDICT_INCONCLUSIVE },
		{ "task-clock", 40, VM, 1, 140.01, VERDICT_REGRESSION },

		/* 125 exp(-0.06) = 117.72 */
		{ "task-clock", 25, BARE, 1, 117.71, VERDICT_PASS },
		{ "task-clock", 25, BARE, 1, 117.73, VERDICT_INCONCLUSIVE },
		{ "task-clock", 25, BARE, 1, 124.99, VERDICT_INCONCLUSIVE },
		{ "task-clock", 25, BARE, 1, 125.01, VERDICT_REGRESSION },
		{ "task-clock", 25, BARE, 2, 117.73, VERDICT_INCONCLUSIVE },
		{ "task-clock", 25, BARE, 2, 79.99, VERDICT_IMPROVEMENT },
		{ "cycles", 25, BARE, 1, 117.73, VERDICT_INCONCLUSIVE },
		/* exp(0.06) = 1.0618 */
		{ "task-clock", 3, BARE, 1, 106.17, VERDICT_INCONCLUSIVE },
		{ "task-clock", 3, BARE, 1, 106.19, VERDICT_REGRESSION },

		/* sessions that agree: at least 1 %, so 125 exp(-0.02) = 122.525, on any machine */
		{ "task-clock", 25, VM, 3, 122.52, VERDICT_PASS },
		{ "task-clock", 25, VM, 3, 122.53, VERDICT_INCONCLUSIVE },
		{ "task-clock", 25, VM, 3, 125.01, VERDICT_REGRESSION },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct found c = compare_alike(metric_find(cases[i].metric), cases[i].tolerance, cases[i].virtual_machine,
						cases[i].sessions, 100, 5, cases[i].now, 5);

		if (c.verdict != cases[i].verdict)
			fail_msg("case %zu, %g: found %s, %g to %g %%", i, cases[i].now, verdict_names[c.verdict], c.low_pct,
				 c.high_pct);
	}
}

/* Busy sessions, however many agree, leave the spread unknown, as on a virtual machine. */
TEST(busy_sessions_do_not_show_the_spread)
{
	static const struct { const char *metric; bool busy; double now; enum verdict verdict; } cases[] = {
		{ "task-clock", false, 122.51, VERDICT_PASS },
		{ "task-clock", true, 92.60, VERDICT_PASS },
		{ "task-clock", true, 92.61, VERDICT_INCONCLUSIVE },
		{ "task-clock", true, 134.98, VERDICT_INCONCLUSIVE },
		{ "task-clock", true, 135.00, VERDICT_REGRESSION },
		{ "page-faults", true, 122.51, VERDICT_PASS },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(baseline_release) struct baseline baseline = { 0 };
		double now[5] = { cases[i].now, cases[i].now, cases[i].now, cases[i].now, cases[i].now };

		for (size_t k = 0; k < 3; k++) {
			add_session(&baseline);
			add_same(&baseline, cases[i].metric, 100, 5);
			if (cases[i].busy)
				arena_push(&baseline.arena, &baseline.sessions[k].busy, "others");
		}
		assert_int_equal(compare_runs(metric_find(cases[i].metric), 25, &baseline, now, 5, BARE).verdict, cases[i].verdict);
	}
}

/*
 * The default limit of a time: twice the session spread and 2.0537 times the shift of sessions, of which the measured
 * one counts as six sessions. Runs that are alike add nothing. An explicit limit stays as written.
 */
TEST(the_default_limit_is_what_sessions_can_decide)
{
	static const struct {
		const char *metric; int virtual_machine; size_t sessions, busy; bool explicit; double limit;
	} cases[] = {
		/* 0.30 + 2.0537 * 0.12 = 0.5464 */
		{ "task-clock", VM, 1, 0, false, 73 }, { "task-clock", VM, 2, 0, false, 73 },
		{ "cpu-time", VM, 1, 0, false, 73 }, { "throughput", VM, 1, 0, false, 43 },
		/* 0.02 + 2.0537 * sqrt(6 * 0.12^2 / 8) = 0.2334; ten sessions: 0.176 */
		{ "task-clock", VM, 3, 0, false, 27 }, { "task-clock", VM, 10, 0, false, 25 },
		{ "task-clock", BARE, 1, 0, false, 25 }, { "task-clock", BARE, 3, 0, false, 25 },
		{ "task-clock", BARE, 3, 3, false, 73 }, { "task-clock", VM, 4, 1, false, 27 },
		{ "task-clock", VM, 1, 0, true, 25 }, { "page-faults", VM, 1, 0, false, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct metric *metric = metric_find(cases[i].metric);
		CLEANUP(scenario_result_release) struct scenario_result s = { .name = "gzip" };
		CLEANUP(baseline_release) struct baseline base = { 0 };
		const struct machine machine = { .hypervisor = cases[i].virtual_machine ? "kvm" : NULL };
		struct gate gate = relative_gate(metric, metric->stored_tolerance_pct);
		struct judgement j = { 0 };

		gate.by_default = !cases[i].explicit;
		for (size_t k = 0; k < cases[i].sessions; k++) {
			add_session(&base);
			add_same(&base, cases[i].metric, 1000, 5);
			if (k < cases[i].busy)
				arena_push(&base.arena, &base.sessions[k].busy, "others");
		}
		judgement_reset(&j, &gate);
		stored_compare(&(struct stored_terms){ &gate, &s, &machine, &base }, &j, (double[]){ 1000, 1000, 1000, 1000, 1000 }, 5);
		if (j.tolerance_pct != cases[i].limit)
			fail_msg("case %zu: %g", i, j.tolerance_pct);
		assert_int_equal(j.verdict, cases[i].explicit ? VERDICT_INCONCLUSIVE : VERDICT_PASS);
	}
}

/* Runs that scatter widen the default limit, by half of the interval that they leave. The present runs do not. */
TEST(the_default_limit_depends_on_the_baseline_alone)
{
	static const double scattered[] = { 90, 95, 100, 105, 110 }, wild[] = { 20, 50, 100, 200, 500 };
	const struct metric *metric = metric_find("task-clock");
	CLEANUP(baseline_release) struct baseline base = { 0 };
	const struct machine machine = { .hypervisor = "kvm" };
	struct gate gate = relative_gate(metric, 25);
	double limits[2];

	gate.by_default = true;
	add_session(&base);
	add_to_session(&base, "task-clock", scattered, 5);
	for (size_t i = 0; i < 2; i++) {
		CLEANUP(scenario_result_release) struct scenario_result s = { .name = "gzip" };
		struct judgement j = { 0 };

		judgement_reset(&j, &gate);
		stored_compare(&(struct stored_terms){ &gate, &s, &machine, &base }, &j, i ? wild : scattered, 5);
		limits[i] = j.tolerance_pct;
	}
	assert_true(limits[0] > 73 && limits[0] == limits[1]);
}

/* An unknown spread is 0.3 % for counts and 1 % for sizes, but at most a quarter of the tolerance. */
TEST(counts_sizes_and_rates_have_theirs)
{
	static const struct {
		const char *metric; double tolerance; size_t sessions; double base, now; enum verdict verdict;
	} cases[] = {
		/* half of ln 1.005 remains: 1.0024969 */
		{ "instructions", 0.5, 1, 1e7, 10024968, VERDICT_PASS },
		{ "instructions", 0.5, 1, 1e7, 10024970, VERDICT_INCONCLUSIVE },
		{ "instructions", 0.5, 1, 1e7, 10050001, VERDICT_REGRESSION },
		{ "instructions", 0.5, 2, 1e7, 10024970, VERDICT_INCONCLUSIVE },
		{ "instructions", 0.5, 1, 1e7, 9950249, VERDICT_PASS },
		{ "instructions", 0.5, 1, 1e7, 9950248, VERDICT_IMPROVEMENT },
		/* 1.02 exp(-0.006) = 1.0138983 */
		{ "instructions", 2, 1, 1e7, 10138982, VERDICT_PASS },
		{ "instructions", 2, 1, 1e7, 10138984, VERDICT_INCONCLUSIVE },
		/* three sessions: 1.005 exp(-0.002) = 1.002992 */
		{ "instructions", 0.5, 3, 1e7, 10029920, VERDICT_PASS },
		{ "instructions", 0.5, 3, 1e7, 10029921, VERDICT_INCONCLUSIVE },

		/* 1.05 exp(-0.02) = 1.0292086 */
		{ "max-rss", 5, 1, 1e8, 102920858, VERDICT_PASS },
		{ "max-rss", 5, 1, 1e8, 102920861, VERDICT_INCONCLUSIVE },
		{ "max-rss", 5, 1, 1e8, 105000001, VERDICT_REGRESSION },
		/* 1.05 exp(-0.01) = 1.0395523 */
		{ "max-rss", 5, 3, 1e8, 103955232, VERDICT_PASS },
		{ "max-rss", 5, 3, 1e8, 103955233, VERDICT_INCONCLUSIVE },

		/* rates have no such cap: 1.2 exp(-0.06) = 1.1301174 and exp(0.06) = 1.0618365 */
		{ "branch-misses", 20, 1, 1e8, 113011743, VERDICT_PASS },
		{ "branch-misses", 20, 1, 1e8, 113011745, VERDICT_INCONCLUSIVE },
		{ "branch-misses", 20, 1, 1e8, 120000001, VERDICT_REGRESSION },
		{ "branch-misses", 3, 1, 1e8, 106183654, VERDICT_INCONCLUSIVE },
		{ "branch-misses", 3, 1, 1e8, 106183656, VERDICT_REGRESSION },
		/* 1.2 exp(-0.02) = 1.1762384 */
		{ "branch-misses", 20, 3, 1e8, 117623840, VERDICT_PASS },
		{ "branch-misses", 20, 3, 1e8, 117623842, VERDICT_INCONCLUSIVE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (int machine = BARE; machine <= VM; machine++) {
			struct found c = compare_alike(metric_find(cases[i].metric), cases[i].tolerance, machine,
							cases[i].sessions, cases[i].base, 5, cases[i].now, 5);

			if (c.verdict != cases[i].verdict)
				fail_msg("%s %.0f, %zu sessions: found %s, %g to %g %%", cases[i].metric, cases[i].now,
					 cases[i].sessions, verdict_names[c.verdict], c.low_pct, c.high_pct);
		}
	}
}

/* -------- intervals */

static const double hundred[] = { 100, 102, 104, 106, 108 };

static struct found against_hundred(const double *now, bool virtual_machine)
{
	CLEANUP(baseline_release) struct baseline base = { 0 };

	add_session(&base);
	add_to_session(&base, "task-clock", hundred, 5);
	return compare_runs(metric_find("task-clock"), 25, &base, now, 5, virtual_machine);
}

TEST(the_interval_is_the_ranks_widened)
{
	static const double slower[] = { 141, 133, 130, 139, 135 }, alike[] = { 101, 103, 104, 107, 109 };
	struct found c = against_hundred(slower, VM);

	assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
	assert_true(c.baseline == 104 && c.current == 135);
	assert_near("estimate", c.change_pct, 30.392156863);
	assert_near("low", c.low_pct, -9.144935199);
	assert_near("high", c.high_pct, 87.630374253);
	assert_near("spread", c.moves_pct, 30);
	assert_false(c.by_medians || c.too_few || c.below_least);

	c = against_hundred(slower, BARE);
	assert_int_equal(c.verdict, VERDICT_REGRESSION);
	assert_near("estimate", c.change_pct, 30.392156863);
	assert_near("low", c.low_pct, 15.499423930);
	assert_near("high", c.high_pct, 47.595279970);

	c = against_hundred(alike, BARE);
	assert_int_equal(c.verdict, VERDICT_PASS);
	assert_near("estimate", c.change_pct, 0.943396226);
	assert_near("low", c.low_pct, -10.265832177);
	assert_near("high", c.high_pct, 13.616510480);
}

/* Session medians 5 % apart on the log scale have a spread of 5 %: each bound moves by 10 %. */
TEST(the_spread_is_that_of_three_sessions)
{
	static const struct { double now, low, high; enum verdict verdict; } cases[] = {
		{ 107, -7.904246523, 24.316263972, VERDICT_PASS },
		{ 108, -7.043538546, 25.478098215, VERDICT_INCONCLUSIVE },
		{ 124, 6.727789077, 44.067446098, VERDICT_INCONCLUSIVE },
		{ 126, 8.449205030, 46.391114584, VERDICT_REGRESSION },
		{ 95, -18.232742240, 10.374253059, VERDICT_PASS },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(baseline_release) struct baseline base = { 0 };
		const double now[] = { cases[i].now, cases[i].now, cases[i].now, cases[i].now, cases[i].now };
		struct found c;

		for (int k = -1; k <= 1; k++) {
			add_session(&base);
			add_same(&base, "task-clock", 100 * exp(k * 0.05), 5);
		}
		/* Sessions without a value do not count. */
		add_session(&base);
		c = compare_runs(metric_find("task-clock"), 25, &base, now, 5, VM);
		if (c.verdict == VERDICT_INCONCLUSIVE)
			assert_near("spread", c.moves_pct, 10);
		assert_near("low", c.low_pct, cases[i].low);
		assert_near("high", c.high_pct, cases[i].high);
		assert_int_equal(c.verdict, cases[i].verdict);
	}
}

/* -------- sign */

TEST(higher_may_be_better)
{
	static const struct { double now; enum verdict verdict; } cases[] = {
		/* 10 % less of 2 is 1.8; with 6 % on either side 1.8 exp(0.06) = 1.9113, 2 exp(0.06) = 2.1237 */
		{ 1.790, VERDICT_REGRESSION }, { 1.801, VERDICT_INCONCLUSIVE }, { 1.911, VERDICT_INCONCLUSIVE },
		{ 1.912, VERDICT_PASS }, { 2.2, VERDICT_PASS }, { 2.222, VERDICT_PASS }, { 2.223, VERDICT_IMPROVEMENT },
	};
	static const double before[] = { 2.00, 2.02, 1.98, 2.01, 1.99 }, now[] = { 1.70, 1.72, 1.68, 1.71, 1.69 };
	CLEANUP(baseline_release) struct baseline base = { 0 };
	struct found c;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		c = compare_alike(metric_find("ipc"), 10, VM, 1, 2, 5, cases[i].now, 5);
		if (c.verdict != cases[i].verdict)
			fail_msg("%g: found %s", cases[i].now, verdict_names[c.verdict]);
	}
	/* Reported values keep the raw sign, and low is below high. */
	add_session(&base);
	add_to_session(&base, "ipc", before, 5);
	c = compare_runs(metric_find("ipc"), 10, &base, now, 5, VM);
	assert_int_equal(c.verdict, VERDICT_REGRESSION);
	assert_near("estimate", c.change_pct, -15);
	assert_near("low", c.low_pct, -21.285352417);
	assert_near("high", c.high_pct, -8.223172861);
}

/* In the opposite direction a regression is an improvement. */
TEST(improvement_mirrors_regression)
{
	static const enum verdict mirror[] = {
		[VERDICT_REGRESSION] = VERDICT_IMPROVEMENT, [VERDICT_IMPROVEMENT] = VERDICT_REGRESSION,
	};
	size_t seen = 0;

	for (size_t sessions = 1; sessions <= 3; sessions += 2) {
		for (double now = 60; now < 170; now += 0.37) {
			struct found c = compare_alike(metric_find("task-clock"), 25, VM, sessions, 100, 5, now, 5);
			struct found back = compare_alike(metric_find("task-clock"), 25, VM, sessions, now, 5, 100, 5);

			if (c.verdict != VERDICT_REGRESSION && c.verdict != VERDICT_IMPROVEMENT)
				continue;
			assert_int_equal(back.verdict, mirror[c.verdict]);
			seen++;
		}
	}
	assert_true(seen > 100);
}

/* -------- medians */

TEST(few_counts_are_compared_by_medians)
{
	static const struct {
		const char *metric; double tolerance; size_t n_base, n_now; double base, now; enum verdict verdict;
	} cases[] = {
		{ "instructions", 0.5, 4, 4, 1000, 1005, VERDICT_PASS },
		{ "instructions", 0.5, 4, 4, 1000, 1006, VERDICT_REGRESSION },
		{ "instructions", 0.5, 4, 15, 1000, 1004, VERDICT_PASS },
		{ "instructions", 0.5, 15, 4, 1000, 1004, VERDICT_PASS },
		{ "instructions", 0.5, 4, 4, 1005, 1000, VERDICT_PASS },
		{ "instructions", 0.5, 4, 4, 1006, 1000, VERDICT_IMPROVEMENT },
		{ "instructions", 0, 4, 4, 1000, 1000, VERDICT_PASS },
		{ "instructions", 0, 4, 4, 1000, 1001, VERDICT_REGRESSION },
		{ "sim-instructions", 0.5, 1, 15, 1000, 1005, VERDICT_PASS },
		{ "sim-instructions", 0.5, 15, 15, 1000, 1006, VERDICT_REGRESSION },
		{ "sim-branch-miss-rate", 1, 5, 5, 0.0500, 0.0506, VERDICT_REGRESSION },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct found c = compare_alike(metric_find(cases[i].metric), cases[i].tolerance, VM, 1, cases[i].base,
						cases[i].n_base, cases[i].now, cases[i].n_now);

		assert_true(c.by_medians);
		assert_false(c.too_few);
		if (c.verdict != cases[i].verdict)
			fail_msg("case %zu: found %s", i, verdict_names[c.verdict]);
		assert_near("change", c.change_pct, (cases[i].now / cases[i].base - 1) * 100);
		assert_true(c.low_pct == c.change_pct && c.high_pct == c.change_pct);
	}
	assert_false(compare_alike(metric_find("instructions"), 0.5, VM, 1, 1000, 5, 1006, 5).by_medians);
	assert_false(compare_alike(metric_find("task-clock"), 25, VM, 1, 100, 4, 100, 4).by_medians);
}

/* Rounding must not decide a change of exactly the tolerance, in either direction. */
TEST(exactly_the_tolerance_passes)
{
	static const double tolerances[] = { 0.1, 0.2, 0.5, 1, 2, 2.5, 4, 5, 10, 12.5, 20, 25, 30, 40, 50, 60, 75, 90 };
	const struct metric up = { .name = "up", .kind = KIND_COUNT, .higher_is_better = true };
	size_t seen = 0;

	for (size_t t = 0; t < sizeof tolerances / sizeof tolerances[0]; t++) {
		for (unsigned base = 1; base <= 2000; base++) {
			double step = base * tolerances[t] / 100;

			if (step != floor(step))
				continue;
			assert_int_equal(compare_alike(metric_find("instructions"), tolerances[t], VM, 1, base, 1, base + step, 1)
						 .verdict, VERDICT_PASS);
			assert_int_equal(compare_alike(metric_find("instructions"), tolerances[t], VM, 1, base + step, 1, base, 1)
						 .verdict, VERDICT_PASS);
			assert_int_equal(compare_alike(&up, tolerances[t], VM, 1, base, 1, base - step, 1).verdict,
					 VERDICT_PASS);
			seen++;
		}
	}
	assert_true(seen > 1000);
}

TEST(zero_has_no_ratio)
{
	const struct metric up = { .name = "up", .kind = KIND_COUNT, .higher_is_better = true };
	const struct metric *faults = metric_find("page-faults"), *major = metric_find("major-faults");
	const struct {
		const struct metric *metric; double base, now, change; enum verdict verdict; bool below_least;
	} cases[] = {
		{ major, 0, 0, 0, VERDICT_PASS, false },
		{ major, 0, 1, NAN, VERDICT_REGRESSION, false },
		{ major, 1, 0, NAN, VERDICT_IMPROVEMENT, false },
		{ &up, 0, 1, NAN, VERDICT_IMPROVEMENT, false },
		{ &up, 1, 0, NAN, VERDICT_REGRESSION, false },
		{ faults, 0, 10, NAN, VERDICT_PASS, true },
		{ faults, 0, 11, NAN, VERDICT_REGRESSION, false },
		{ metric_find("task-clock"), 0, 0, 0, VERDICT_PASS, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct found c = compare_alike(cases[i].metric, 50, VM, 1, cases[i].base, 7, cases[i].now, 7);

		if (c.verdict != cases[i].verdict || c.below_least != cases[i].below_least)
			fail_msg("case %zu: found %s", i, verdict_names[c.verdict]);
		assert_true(c.by_medians);
		assert_true(isnan(cases[i].change) ? isnan(c.change_pct) : c.change_pct == cases[i].change);
		assert_true(isnan(cases[i].change) ? isnan(c.low_pct) && isnan(c.high_pct) : !c.low_pct && !c.high_pct);
	}
}

/* Zeros among runs have no logarithm, even if the medians have one. */
TEST(some_zeros_leave_the_medians)
{
	static const double befores[][6] = { { 0, 4, 4, 4, 4, 4 }, { 4, 4, 4, 4, 4, 4 }, { 0, 4, 4, 4, 4, 4 } };
	static const double nows[][6] = { { 5, 5, 5, 5, 5, 0 }, { 5, 5, 5, 5, 5, 0 }, { 5, 5, 5, 5, 5, 5 } };

	for (size_t i = 0; i < 3; i++) {
		CLEANUP(baseline_release) struct baseline base = { 0 };
		struct found c;

		add_session(&base);
		add_to_session(&base, "major-faults", befores[i], 6);
		c = compare_runs(metric_find("major-faults"), 30, &base, nows[i], 6, VM);
		assert_true(c.by_medians);
		assert_near("change", c.change_pct, 25);
		assert_int_equal(c.verdict, VERDICT_PASS);
		c = compare_runs(metric_find("major-faults"), 20, &base, nows[i], 6, VM);
		assert_int_equal(c.verdict, VERDICT_REGRESSION);
	}
}

/* -------- the least change that counts */

TEST(small_changes_do_not_count)
{
	static const struct {
		const char *metric; double tolerance; size_t n; double base, now; enum verdict verdict; bool below;
	} cases[] = {
		{ "page-faults", 1, 1, 100, 110, VERDICT_PASS, true },
		{ "page-faults", 1, 1, 100, 111, VERDICT_REGRESSION, false },
		{ "page-faults", 1, 5, 100, 110, VERDICT_PASS, true },
		{ "page-faults", 1, 5, 100, 111, VERDICT_REGRESSION, false },
		{ "page-faults", 1, 5, 5000, 5040, VERDICT_INCONCLUSIVE, false },
		{ "page-faults", 1, 5, 1000, 1009, VERDICT_PASS, true },
		/* an improvement has no least change */
		{ "page-faults", 1, 5, 100, 95, VERDICT_IMPROVEMENT, false },
		{ "voluntary-switches", 20, 5, 2, 12, VERDICT_PASS, true },
		{ "voluntary-switches", 20, 5, 2, 13, VERDICT_REGRESSION, false },
		{ "max-rss", 5, 5, 1 << 20, (1 << 20) + (256 << 10), VERDICT_PASS, true },
		{ "max-rss", 5, 5, 1 << 20, (1 << 20) + (257 << 10), VERDICT_REGRESSION, false },
		{ "branch-miss-rate", 20, 5, 0.0010, 0.0019, VERDICT_PASS, true },
		{ "branch-miss-rate", 20, 5, 0.0010, 0.0021, VERDICT_REGRESSION, false },
		{ "instructions", 0.5, 5, 100, 101, VERDICT_REGRESSION, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct found c = compare_alike(metric_find(cases[i].metric), cases[i].tolerance, VM, 1, cases[i].base,
						cases[i].n, cases[i].now, cases[i].n);

		if (c.verdict != cases[i].verdict || c.below_least != cases[i].below)
			fail_msg("%s %g to %g: found %s", cases[i].metric, cases[i].base, cases[i].now,
				 verdict_names[c.verdict]);
	}
}

/* -------- windows on an attached target */

static struct found compare_windows(const char *metric, double tolerance_pct, bool virtual_machine, size_t sessions,
				     const double *before, const double *now, size_t n)
{
	CLEANUP(baseline_release) struct baseline base = { 0 };

	for (size_t i = 0; i < sessions; i++) {
		add_session(&base);
		add_to_session(&base, metric, before, n);
	}
	return compare(metric_find(metric), tolerance_pct, &base, now, n, virtual_machine, true);
}

/* Cases that would be proven regressions of a command, which repeats its counts exactly. */
TEST(counts_of_windows_move_like_times)
{
	static const struct {
		const char *metric; bool virtual_machine; size_t sessions, n; double tolerance, base, now;
		enum verdict verdict;
	} cases[] = {
		{ "page-faults", VM, 1, 5, 1, 1e6, 1.3e6, VERDICT_INCONCLUSIVE },
		{ "page-faults", VM, 1, 5, 1, 1e6, 1.36e6, VERDICT_REGRESSION },	/* exp(0.3) = 1.3499 */
		{ "page-faults", BARE, 1, 5, 1, 1e6, 1.06e6, VERDICT_INCONCLUSIVE },
		{ "page-faults", BARE, 1, 5, 1, 1e6, 1.07e6, VERDICT_REGRESSION },	/* exp(0.06) = 1.0618 */
		{ "voluntary-switches", VM, 1, 5, 20, 1e6, 1.3e6, VERDICT_INCONCLUSIVE },
		{ "instructions", VM, 1, 5, 0.5, 1e9, 1.06e9, VERDICT_INCONCLUSIVE },
		{ "instructions", VM, 1, 5, 0.5, 1e9, 1.07e9, VERDICT_REGRESSION },
		/* three similar sessions: as for a command */
		{ "page-faults", VM, 3, 5, 1, 1e6, 1.007e6, VERDICT_PASS },
		{ "page-faults", VM, 3, 5, 1, 1e6, 1.02e6, VERDICT_REGRESSION },
		/* few runs are never compared by medians */
		{ "page-faults", VM, 1, 3, 1, 1e6, 4e6, VERDICT_INCONCLUSIVE },
		{ "page-faults", VM, 3, 1, 1, 1e6, 4e6, VERDICT_INCONCLUSIVE },
		{ "max-rss", VM, 1, 5, 5, 1e8, 1.0501e8, VERDICT_REGRESSION },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const double before[] = { cases[i].base, cases[i].base, cases[i].base, cases[i].base, cases[i].base };
		const double now[] = { cases[i].now, cases[i].now, cases[i].now, cases[i].now, cases[i].now };
		struct found c = compare_windows(cases[i].metric, cases[i].tolerance, cases[i].virtual_machine,
						  cases[i].sessions, before, now, cases[i].n);

		if (c.verdict != cases[i].verdict)
			fail_msg("%s %.0f, case %zu: found %s, %g to %g %%", cases[i].metric, cases[i].now, i,
				 verdict_names[c.verdict], c.low_pct, c.high_pct);
	}
}

/* A server that touches new memory in some windows only. */
TEST(zeros_among_windows_prove_little)
{
	static const struct { const char *metric; double before[5], now[5]; enum verdict verdict; } cases[] = {
		{ "page-faults", { 0, 0, 0, 300, 280 }, { 0, 290, 310, 300, 0 }, VERDICT_INCONCLUSIVE },
		{ "page-faults", { 0, 290, 310, 300, 0 }, { 0, 0, 0, 300, 280 }, VERDICT_INCONCLUSIVE },
		{ "page-faults", { 0, 200, 210, 190, 200 }, { 0, 290, 310, 300, 280 }, VERDICT_INCONCLUSIVE },
		{ "page-faults", { 0, 0, 0, 5, 5 }, { 5, 5, 0, 5, 5 }, VERDICT_PASS },
		{ "page-faults", { 0, 0, 0, 0, 0 }, { 290, 280, 310, 300, 300 }, VERDICT_REGRESSION },
		{ "page-faults", { 290, 280, 310, 300, 300 }, { 0, 0, 0, 0, 0 }, VERDICT_IMPROVEMENT },
		{ "page-faults", { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, VERDICT_PASS },
		{ "system-time", { 0, 0, 0, 10, 10 }, { 0, 0, 10, 10, 10 }, VERDICT_INCONCLUSIVE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct found c = compare_windows(cases[i].metric, 1, VM, 1, cases[i].before, cases[i].now, 5);

		if (c.verdict != cases[i].verdict)
			fail_msg("case %zu: found %s", i, verdict_names[c.verdict]);
		assert_true(c.by_medians);
		assert_true(c.verdict != VERDICT_INCONCLUSIVE || (isnan(c.low_pct) && isnan(c.high_pct)));
	}
}

TEST(too_few_runs_decide_nothing)
{
	static const struct { const char *metric; size_t n_base, n_now; bool too_few; } cases[] = {
		{ "task-clock", 1, 1, true }, { "task-clock", 4, 4, true }, { "task-clock", 4, 5, false },
		{ "task-clock", 3, 15, false }, { "task-clock", 1, 98, true }, { "task-clock", 1, 99, false },
		{ "max-rss", 3, 3, true }, { "branch-miss-rate", 2, 2, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct found c = compare_alike(metric_find(cases[i].metric), 25, VM, 1, 0.1, cases[i].n_base, 0.2,
						cases[i].n_now);

		assert_int_equal(c.too_few, cases[i].too_few);
		assert_int_equal(c.verdict, cases[i].too_few && strcmp(cases[i].metric, "max-rss") ?
						    VERDICT_INCONCLUSIVE : c.verdict);
		assert_near("change", c.change_pct, 100);
		assert_false(c.gross);
		assert_int_equal(isinf(c.high_pct) != 0, cases[i].too_few);
		assert_true(!cases[i].too_few || (c.low_pct == -100 && !c.below_least));
	}
}

/*
 * Six times 0.15 is a factor of 2.4596, six times 0.4 a factor of 11.023. A gross change exceeds the worst stored run,
 * here 100, by that factor.
 */
TEST(few_runs_prove_what_is_gross)
{
	static const struct {
		const char *metric; bool windows; size_t stored; double now[3]; size_t n; enum verdict verdict;
	} cases[] = {
		{ "task-clock", false, 21, { 1600 }, 1, VERDICT_REGRESSION },
		{ "task-clock", false, 21, { 245.9 }, 1, VERDICT_INCONCLUSIVE },
		{ "task-clock", false, 21, { 246 }, 1, VERDICT_REGRESSION },
		{ "task-clock", false, 1, { 246 }, 1, VERDICT_REGRESSION },
		{ "task-clock", false, 4, { 1600, 246, 900 }, 3, VERDICT_REGRESSION },
		/* all runs must exceed it */
		{ "task-clock", false, 4, { 1600, 245, 900 }, 3, VERDICT_INCONCLUSIVE },
		{ "task-clock", false, 21, { 40.6 }, 1, VERDICT_IMPROVEMENT },
		{ "task-clock", false, 21, { 40.7 }, 1, VERDICT_INCONCLUSIVE },
		{ "max-rss", false, 21, { 1e6 * 246 }, 1, VERDICT_REGRESSION },
		{ "ipc", false, 21, { 40.6 }, 1, VERDICT_REGRESSION },
		{ "wall-time", false, 21, { 1102 }, 1, VERDICT_INCONCLUSIVE },
		{ "wall-time", false, 21, { 1103 }, 1, VERDICT_REGRESSION },
		{ "wall-time", false, 2, { 9e9 }, 1, VERDICT_INCONCLUSIVE },
		{ "throughput", false, 3, { 9 }, 1, VERDICT_REGRESSION },
		{ "user-time", false, 21, { 1102 }, 1, VERDICT_INCONCLUSIVE },
		{ "task-clock", true, 21, { 1102 }, 1, VERDICT_INCONCLUSIVE },
		{ "task-clock", true, 21, { 1103 }, 1, VERDICT_REGRESSION },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(baseline_release) struct baseline base = { 0 };
		double unit = strcmp(cases[i].metric, "max-rss") ? 1 : 1e6;
		struct found c;

		add_session(&base);
		add_same(&base, cases[i].metric, 100 * unit, cases[i].stored);
		c = compare(metric_find(cases[i].metric), 25, &base, cases[i].now, cases[i].n, i % 2, cases[i].windows);
		if (c.verdict != cases[i].verdict || c.gross != (cases[i].verdict != VERDICT_INCONCLUSIVE) || !c.too_few)
			fail_msg("case %zu, %s %g: found %s, %g to %g %%", i, cases[i].metric, cases[i].now[0],
				 verdict_names[c.verdict], c.low_pct, c.high_pct);
	}
}

/* Widely scattered runs or sessions increase the required distance. A tolerance beyond the change decides nothing. */
TEST(gross_is_a_multiple_of_every_spread)
{
	static const double wide[] = { 50, 70, 100 }, now[] = { 400 };
	CLEANUP(baseline_release) struct baseline runs = { 0 }, sessions = { 0 };
	struct found c;

	/* the logarithms have a standard deviation of 0.347; 800 is exp(2.08) times 100 */
	add_session(&runs);
	add_to_session(&runs, "task-clock", wide, 3);
	c = compare_runs(metric_find("task-clock"), 25, &runs, now, 1, VM);
	assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
	c = compare_runs(metric_find("task-clock"), 25, &runs, (double[]){ 803 }, 1, VM);
	assert_int_equal(c.verdict, VERDICT_REGRESSION);
	assert_true(c.low_pct > 0 && c.low_pct < 1 && isinf(c.high_pct));
	for (size_t i = 0; i < 3; i++) {
		add_session(&sessions);
		add_same(&sessions, "task-clock", wide[i], 1);
	}
	c = compare_runs(metric_find("task-clock"), 25, &sessions, (double[]){ 800 }, 1, VM);
	assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
	c = compare_runs(metric_find("task-clock"), 2000, &runs, (double[]){ 803 }, 1, VM);
	assert_true(c.verdict == VERDICT_INCONCLUSIVE && !c.gross);
}
