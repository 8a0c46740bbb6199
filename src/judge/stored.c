#include "judge/stored.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "judge/gate.h"
#include "model/metrics/numbers.h"
#include "stats/stats.h"

/* -------- whether the baseline can be compared with */

/* Largest difference in length of comparable windows, as a part of the longer one. */
#define WINDOW_TOLERANCE 0.01

static void add_window(struct strbuf *out, double window_s)
{
	if (window_s > 0)
		strbuf_adds(out, format_duration((uint64_t)(1e9 * window_s)).s);
	else
		strbuf_adds(out, "none");
}

/* True if BASE's values of J's metric are comparable with S's; else J gets the reason. */
static bool is_comparable(struct judgement *j, struct scenario_result *s, const struct machine *machine,
			  const struct baseline *base)
{
	double here = s->settings.window_s, there = base->settings.window_s;
	CLEANUP(strbuf_release) struct strbuf windows = STRBUF_INIT;

	if (!judge_class_allows(s, j, machine, base, j->metric))
		return false;
	if (!baseline_count(base, j->metric)) {
		if (j->metric->of)
			judge_reason(s, j, "the baseline has no values per %s; accept a new one",
				     scenario_result_work_unit(s));
		else
			judge_reason(s, j, "the baseline has no value of %s; accept a new one", j->metric->name);
		return false;
	}
	if (!baseline_counted_alike(base, s->head.simulator, j->metric)) {
		j->counted_otherwise = true;
		judge_reason(s, j, "the baseline was simulated by another valgrind or C library (%s; here %s), so its count does not compare: "
			     "accept a new one, or set 'build:' in pawl.yaml so that pawl can simulate the base here",
			     baseline_simulator(base) ?: "an older pawl", s->head.simulator ?: "an older pawl");
		return false;
	}
	/* A window twice as long counts twice as much. If the work is unknown, only windows of equal length compare. */
	if (!s->head.attached || !j->metric->normalised ||
	    fabs(here - there) <= WINDOW_TOLERANCE * fmax(here, there))
		return true;
	add_window(&windows, here);
	strbuf_adds(&windows, ", the baseline's ");
	add_window(&windows, there);
	judge_reason(s, j, "the window differs (%s), and it is not known how much work was done: accept a new baseline, "
		     "or add load.work", windows.buf);
	return false;
}

/* -------- how values move */

/* One-sided error of each bound. */
#define ALPHA 0.01
enum { RUNS_FOR_RANKS = 5, SESSIONS_FOR_SPREAD = 3 };

/* The shift between two blocks of time, which repeating does not reveal, on the log scale. */
struct block_spread {
	double unknown_virtual, unknown_bare, least;
};

static const struct block_spread spreads[] = {
	[KIND_TIME] = { .unknown_virtual = 0.15, .unknown_bare = 0.03, .least = 0.01 },
	[KIND_COUNT] = { .unknown_virtual = 0.003, .unknown_bare = 0.003, .least = 0.001 },
	[KIND_RATE] = { .unknown_virtual = 0.03, .unknown_bare = 0.03, .least = 0.01 },
	[KIND_SIZE] = { .unknown_virtual = 0.01, .unknown_bare = 0.01, .least = 0.005 },
};

/*
 * With too few runs for an interval, the nearest new run must lie this many times the largest spread beyond every
 * stored run. `least` is the smallest spread assumed, whatever the machine was when the baseline was measured. Both
 * `least` and `stored` are larger for metrics that other processes make worse by using the CPU. Measured, see
 * docs/research/recorded-noise.md.
 */
#define BEYOND_SPREADS 6
static const struct { double least; size_t stored; } gross[] = {
	{ .least = 0.15, .stored = 1 },		/* CPU time of commands, and metrics that repeat better */
	{ .least = 0.40, .stored = 3 },		/* metrics that include waiting, and windows */
};

/* The sessions of a baseline that show how its values move. */
struct sessions {
	double medians[SESSIONS_KEPT];	/* logarithms; of the quiet sessions, if the metric is one that other programs change */
	size_t n;
	bool disturbed;			/* all values are of busy sessions */
};

static void sessions_take(struct sessions *out, const struct baseline *base, const struct metric *values)
{
	*out = (struct sessions){ .n = 0 };
	for (size_t i = 0; i < base->n_sessions && out->n < SESSIONS_KEPT; i++) {
		const struct baseline_session *session = &base->sessions[i];
		const struct series *series = series_find(&session->series, values);

		if (!baseline_counts(base, session, values))
			continue;
		out->disturbed = session->busy.n && metric_disturbed(values);
		if (!out->disturbed)
			out->medians[out->n++] = log(stats_median(series->values, series->n));
	}
}

/*
 * Returns the shift to expect between two sessions, whatever is repeated within them. Another neighbour shifts a time by
 * as much on bare metal as on a virtual machine.
 */
static double block_spread(const struct metric *values, const struct sessions *sessions, bool virtual_machine, bool windows,
			   double tolerance)
{
	const struct metric *metric = values->of ?: values;
	bool loose = windows && metric->kind == KIND_COUNT;
	enum metric_kind kind = !loose ? metric->kind : metric->source == SOURCE_HARDWARE ? KIND_RATE : KIND_TIME;
	double unknown = virtual_machine || sessions->disturbed ? spreads[kind].unknown_virtual : spreads[kind].unknown_bare;

	if (sessions->n >= SESSIONS_FOR_SPREAD)
		return fmax(stats_sd(sessions->medians, sessions->n), spreads[metric->kind].least);
	/*
	 * Counts and sizes repeat so well that an unknown spread is an upper bound, not an estimate. It takes at most
	 * half of the tolerance; otherwise no pass could be proven before the third session.
	 */
	return kind == KIND_COUNT || kind == KIND_SIZE ? fmin(unknown, tolerance / 4) : unknown;
}

/* TOLERANCE and CLAIM are those of a gate on the log scale; without a claim, the latter is 0. */
struct limits {
	double tolerance, claim;
};

static enum verdict decide(double estimate, double low, double high, const struct limits *limits)
{
	double tolerance = limits->tolerance;

	if (limits->claim > 0)
		return judge_claimed(limits->claim, low, high);
	if (low > 0 && estimate > tolerance)
		return VERDICT_REGRESSION;
	if (high < 0 && estimate < -tolerance)
		return VERDICT_IMPROVEMENT;
	return high < tolerance ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
}

/* The logarithms of one side's runs, larger when worse. */
struct logs {
	double *values;
	size_t n;
};

static void logs_take(struct logs *out, const struct metric *metric, const double *values, size_t n)
{
	double sign = metric->higher_is_better ? -1 : 1;

	*out = (struct logs){ .values = xcalloc(n, sizeof *out->values), .n = n };
	for (size_t i = 0; i < n; i++)
		out->values[i] = sign * log(values[i]);
}

static void logs_release(struct logs *logs)
{
	free(logs->values);
}

/* -------- the default limit of a time */

/* Standard errors beyond which 2 % of the normal distribution lie. */
#define Z_98 2.0537
/*
 * The shift between two sessions of one program as measured, see docs/research/stored-limits.md: the root of two times
 * the spread of sessions. It counts as much as this many sessions of a baseline, because those in a row tell little
 * about another day.
 */
#define SHIFT_VIRTUAL 0.12
#define SHIFT_BARE 0.042
#define SHIFT_SESSIONS 6

/* Returns half of the interval of a session's runs against those of all sessions, each freed of its session's median. */
static double half_width(const struct baseline *base, const struct metric *values)
{
	CLEANUP(free_ptr) double *all = xcalloc(baseline_count(base, values), sizeof *all);
	struct shift shift;
	size_t n = 0, last = 0;

	for (size_t i = 0; i < base->n_sessions; i++) {
		const struct series *series = series_find(&base->sessions[i].series, values);

		if (!baseline_counts(base, &base->sessions[i], values))
			continue;
		last = n;
		for (size_t k = 0; k < series->n; k++)
			all[n++] = log(series->values[k] / stats_median(series->values, series->n));
	}
	if (!ranksum_shift(all, n, all + last, n - last, ALPHA, &shift) || isinf(shift.high - shift.low))
		return 0;
	return (shift.high - shift.low) / 2;
}

/*
 * Returns the default limit of a time in percent: the least one that an unchanged program passes 98 times in 100, and
 * never less than the catalogue's. It depends on the baseline and the kind of machine alone. The bound that must stay
 * below it lies half the interval and twice SPREAD above the estimate, and the estimate lies anywhere within the spread
 * of sessions.
 */
static double default_limit_pct(const struct metric *values, const struct baseline *base, const struct sessions *sessions,
				bool virtual_machine, double spread)
{
	const struct metric *metric = values->of ?: values;
	double shift = virtual_machine || sessions->disturbed ? SHIFT_VIRTUAL : SHIFT_BARE, n = (double)sessions->n, sd, limit;

	if (sessions->n >= SESSIONS_FOR_SPREAD) {
		sd = stats_sd(sessions->medians, sessions->n);
		shift = sqrt((SHIFT_SESSIONS * shift * shift + (n - 1) * sd * sd * (1 + 1 / n)) / (SHIFT_SESSIONS + n - 1));
	}
	limit = 2 * spread + half_width(base, values) + Z_98 * shift;
	return fmax(metric->stored_tolerance_pct, ceil(100 * (metric->higher_is_better ? -expm1(-limit) : expm1(limit))));
}

/* -------- the rule */

/* How far the same program's values move from one session to the next. */
struct noisiness {
	bool windows;	/* the runs are windows on a service */
	double spread;	/* see block_spread() */
};

/*
 * True if a change is gross, which even too few runs for an interval prove. All new runs then lie further beyond
 * every stored run than the machine ever moves them. The bound is the rest of that distance.
 */
static bool is_gross(const struct metric *metric, const struct logs *base, const struct logs *now, const struct noisiness *noise,
		     struct shift *shift)
{
	/* User and system time are counted in ticks, each for itself, so a short one is imprecise. */
	bool loose = noise->windows || metric->waits || metric == METRIC(USER_TIME) || metric == METRIC(SYSTEM_TIME);
	double beyond = BEYOND_SPREADS * fmax(gross[loose].least, fmax(noise->spread, stats_sd(base->values, base->n)));
	double above = stats_least(now->values, now->n) - stats_most(base->values, base->n) - beyond;
	double below = stats_most(now->values, now->n) - stats_least(base->values, base->n) + beyond;

	/* Numbers that a program prints may have any distribution. */
	if (metric->source == SOURCE_CUSTOM || base->n < gross[loose].stored || !(above > 0 || below < 0))
		return false;
	if (above > 0)
		shift->low = above;
	else
		shift->high = below;
	return true;
}

/*
 * Compares by the ranks of the logarithms, and widens the interval by NOISE's spread. Returns true if the runs are too
 * few for an interval.
 */
static bool compare_ranks(struct judgement *j, const struct logs *base, const struct logs *now, const struct noisiness *noise,
			  const struct limits *limits)
{
	struct shift shift = { .estimate = 0, .low = -INFINITY, .high = INFINITY };
	bool too_few;

	ranksum_shift(base->values, base->n, now->values, now->n, ALPHA, &shift);
	too_few = isinf(shift.low) || isinf(shift.high);
	if (too_few) {
		j->gross = is_gross(j->metric->of ?: j->metric, base, now, noise, &shift);
	} else {
		shift.low -= 2 * noise->spread;
		shift.high += 2 * noise->spread;
	}
	judge_set_change(j, shift.estimate, shift.low, shift.high);
	j->verdict = decide(shift.estimate, shift.low, shift.high, limits);
	j->gross = j->gross && (j->verdict == VERDICT_REGRESSION || j->verdict == VERDICT_IMPROVEMENT);
	return too_few;
}

/* Suggests what would decide: two instances that pawl starts side by side. */
static void refer_to_pairs(struct judgement *j, struct scenario_result *s, const struct baseline *base,
			   double moves_pct)
{
	const char *commit = base->n_sessions ? base->sessions[base->n_sessions - 1].commit : NULL;
	CLEANUP(strbuf_release) struct strbuf how = STRBUF_INIT;

	if (!s->path) {
		/* The file is another program's, so its command is unknown. */
		strbuf_adds(&how, "compare the commands in pairs: pawl ab 'OLD' 'NEW'");
	} else if (s->head.attached && !s->settings.services.n) {
		strbuf_adds(&how, "to compare in pairs, let a service of env: start it");
	} else {
		strbuf_adds(&how, "compare in pairs: pawl run ");
		escape_shell(&how, s->name);
		strbuf_adds(&how, " --base ");
		/* A tree with uncommitted changes has no commit. */
		escape_shell(&how, commit && *commit && !strchr(commit, '+') ? commit : "REF");
	}
	judge_reason(s, j, "a stored time cannot decide: the same program moves by %.0f %% between two hours on such a machine; %s",
		     moves_pct, how.buf);
}

void stored_compare(const struct stored_terms *terms, struct judgement *j, const double *measured, size_t n)
{
	struct scenario_result *s = terms->scenario;
	const struct metric *metric = j->metric;
	CLEANUP(free_ptr) double *x = baseline_values(terms->base, metric, &j->n_baseline), *y = xcalloc(n, sizeof *y);
	size_t nx = j->n_baseline, least_n = nx < n ? nx : n;
	struct noisiness noise = { .windows = s->head.attached, .spread = 0 };
	bool exact = metric_repeats(metric), too_few = false;
	/* True for a metric that has the same value in each run. */
	bool repeats = exact || (metric->kind == KIND_COUNT && !noise.windows), zeros;
	struct sessions sessions;
	struct limits limits;
	double least;

	/* Round as a baseline does, so that a value that repeats exactly is unchanged. */
	for (size_t i = 0; i < n; i++)
		y[i] = metric_round(metric, measured[i]);
	j->n_current = n;
	j->baseline = stats_median(x, nx);
	j->current = stats_median(y, n);
	zeros = stats_least(x, nx) <= 0 || stats_least(y, n) <= 0;
	sessions_take(&sessions, terms->base, metric);
	noise.spread = block_spread(metric, &sessions, terms->machine->hypervisor, noise.windows, judge_tolerance(metric, j->tolerance_pct));
	if (terms->gate->by_default && metric->kind == KIND_TIME && !zeros)
		j->tolerance_pct = default_limit_pct(metric, terms->base, &sessions, terms->machine->hypervisor, noise.spread);
	limits = (struct limits){ judge_tolerance(metric, j->tolerance_pct), judge_claim(terms->gate) };
	if (j->baseline <= 0 || j->current <= 0) {
		/* Zero has no logarithm. A count that rises from zero has a difference but no ratio. */
		bool same = j->current == j->baseline, more = j->current > j->baseline;

		j->change_pct = j->low_pct = j->high_pct = same ? 0 : NAN;
		j->verdict = more != metric->higher_is_better ? VERDICT_REGRESSION : VERDICT_IMPROVEMENT;
		if (same)
			j->verdict = terms->gate->claim ? VERDICT_REGRESSION : VERDICT_PASS;
	} else if (zeros || exact || (repeats && least_n < RUNS_FOR_RANKS)) {
		double worse = log(j->current / j->baseline) * (metric->higher_is_better ? -1 : 1);

		judge_set_change(j, worse, worse, worse);
		limits.tolerance *= 1 + JUDGE_ROUNDING;
		j->verdict = decide(worse, worse, worse, &limits);
		/* A change of exactly the tolerance passes. */
		if (j->verdict == VERDICT_INCONCLUSIVE)
			j->verdict = VERDICT_PASS;
	} else {
		CLEANUP(logs_release) struct logs before = { 0 }, now = { 0 };

		logs_take(&before, metric, x, nx);
		logs_take(&now, metric, y, n);
		too_few = compare_ranks(j, &before, &now, &noise, &limits);
	}

	/* If zeros leave only the medians, a metric that varies must at least have left its old range. */
	if (zeros && !repeats && j->verdict != VERDICT_PASS) {
		struct shift shift = { .estimate = 0, .low = -INFINITY, .high = INFINITY };

		ranksum_shift(x, nx, y, n, ALPHA, &shift);
		if (!(shift.low > 0 || shift.high < 0)) {
			j->verdict = VERDICT_INCONCLUSIVE;
			j->low_pct = j->high_pct = NAN;
		}
	}

	least = side_result_least(&s->head, terms->gate, metric, false);
	if (!too_few && !terms->gate->claim && judge_below_least(j->verdict, j->current - j->baseline, least))
		judge_pass_small(s, j);
	else if (j->gross)
		judge_reason(s, j, "too few %s for an interval (%zu against %zu), but %s than every one of the baseline's by more "
			     "than noise explains", scenario_result_runs(s, 2), n, nx,
			     j->verdict == VERDICT_REGRESSION ? "worse" : "better");
	else if (too_few)
		judge_reason(s, j, "too few %s for an interval (%zu against %zu); measure at least 5",
			     scenario_result_runs(s, 2), n, nx);
	else if (j->verdict == VERDICT_INCONCLUSIVE && zeros)
		judge_reason(s, j, "some %s show 0, and the others do not differ enough from the baseline's to decide",
			     scenario_result_runs(s, 2));
	else if (j->verdict == VERDICT_INCONCLUSIVE && metric->kind == KIND_TIME)
		refer_to_pairs(j, s, terms->base, 2 * noise.spread * 100);
	else if (j->verdict == VERDICT_INCONCLUSIVE)
		judge_reason(s, j, "the interval reaches beyond the limit; more %s or more sessions narrow it",
			     scenario_result_runs(s, 2));
}

/* -------- baseline values for pictures */

static void keep_session(struct accepted_session *to, const struct baseline_session *session, const struct series *series,
			 struct arena *arena)
{
	CLEANUP(free_ptr) double *values = xcalloc(series->n, sizeof *values);

	memcpy(values, series->values, series->n * sizeof *values);
	*to = (struct accepted_session){
		.date = arena_strdup(arena, session->date), .commit = arena_strdup(arena, session->commit),
		.runs = series->n, .median = stats_median(series->values, series->n),
		.n = series->n < ACCEPTED_VALUES_MOST ? series->n : ACCEPTED_VALUES_MOST,
	};
	if (to->n < to->runs)
		stats_sort(values, to->runs);
	for (size_t i = 0; i < to->n; i++)
		to->values[i] = values[to->n < to->runs ? i * (to->runs - 1) / (to->n - 1) : i];
}

static void keep_sessions(struct gate_result *g, struct scenario_result *s, const struct baseline *base)
{
	for (size_t i = 0; i < base->n_sessions; i++) {
		const struct series *series = series_find(&base->sessions[i].series, g->stored.metric);

		if (!series || !series->n)
			continue;
		keep_session(ARENA_ADD(&s->arena, g->sessions, g->n_sessions, g->cap_sessions), &base->sessions[i], series, &s->arena);
	}
}

/* -------- one gate */

void judge_stored(struct gate_result *g, struct scenario_result *s, const struct machine *machine,
		  const struct baseline *base)
{
	struct judgement *j = &g->stored;
	const struct metric *metric = judge_choose_values(g->gate.metric, &s->head);
	CLEANUP(free_ptr) double *values = NULL, *walls = NULL;
	struct earlier_runs earlier = { .whose = "the baseline's" };
	size_t n;

	judgement_reset(j, &g->gate);
	g->n_sessions = 0;
	j->done = true;
	if (s->head.state == SCENARIO_FAILED && base && judge_same_class(machine, base)) {
		earlier.walls = walls = baseline_values(base, METRIC(WALL_TIME), &earlier.n);
		if (judge_overrun(&g->gate, j, s, s->head.timed_out_ms, &earlier))
			return;
	}
	values = side_result_values(&s->head, metric, &n);
	if (s->head.state != SCENARIO_MEASURED || !n) {
		judge_missing(s, j, &s->head, machine);
		return;
	}
	j->metric = metric;
	j->n_current = n;
	if (g->gate.relative && !base) {
		j->verdict = VERDICT_NEW;
		judge_reason(s, j, "there is no baseline yet");
	} else if (g->gate.relative && is_comparable(j, s, machine, base)) {
		const struct stored_terms terms = { .gate = &g->gate, .scenario = s, .machine = machine, .base = base };

		stored_compare(&terms, j, values, n);
		keep_sessions(g, s, base);
	}
	/* Limits apply to the measured values, not to those rounded for a baseline. */
	j->current = stats_median(values, n);
	judge_check_budget(s, &g->gate, j);
}
