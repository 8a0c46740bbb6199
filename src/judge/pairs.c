#include "judge/pairs.h"

#include <math.h>

#include "base/mem.h"
#include "judge/explain.h"
#include "judge/gate.h"
#include "judge/stored.h"
#include "judge/symbols.h"
#include "stats/stats.h"

/* -------- the rule, on numbers alone */

/* Probability that any gate of a suite of unchanged programs is called a regression. Each look gets a quarter of it. */
#define ERROR_WORSE 0.002
#define ERROR_PASS 0.02
/* Factor on the estimated number of pairs still needed. */
#define CAUTION 1.2
/* With too few pairs for bounds, eleven times as slow in every pair is not noise, see docs/research/. */
#define GROSS 2.4
/* If exact counts are equal, a rise of a time below this many tolerances is judged by all pairs. */
#define DOUBTED 2
enum { FEWEST = 11, QUARTERS = 4, BUDGETS_MOST = 4, PAIRS_FOR_SPREAD = 10 };
/* The looks after the first. A last look after LATE pairs or more shares the quarter of the look at LATE. */
enum { SECOND = 20, THIRD = 30, LATE = 40 };
/*
 * Looks that can only pass, for pairs taken at once, which spread less. The bound at ERROR_PASS exists from 6 pairs
 * on.
 */
static const unsigned looks_to_pass[] = { 6, 8, 10, 15 };

/* Verdicts that a look may reach. */
enum look { LOOK_ONLY, LOOK_PASS, LOOK_ALL, LOOK_LAST };

static double quarter_of_error(unsigned gates)
{
	return ERROR_WORSE / (QUARTERS * (double)(gates ?: 1));
}

unsigned paired_first_look(unsigned gates)
{
	unsigned n = 1;

	/* Enough pairs that all fall on one side with a chance below the error. */
	for (double chance = 0.5; chance > quarter_of_error(gates); chance /= 2)
		n++;
	return n > FEWEST ? n : FEWEST;
}

static unsigned pairs_most(const struct paired_terms *terms)
{
	return terms->pairs_most ?: PAIRS_MOST;
}

static unsigned last_look(const struct paired_terms *terms)
{
	return pairs_most(terms) < SIGNRANK_MOST ? pairs_most(terms) : SIGNRANK_MOST;
}

static double look_error(const struct paired_terms *terms, size_t n)
{
	bool shared = n > THIRD && last_look(terms) > LATE;

	return quarter_of_error(terms->gates) / (shared ? 2 : 1);
}

/* Returns the first of LOOKS after N pairs, or LAST. */
static unsigned look_after(const unsigned *looks, size_t n_looks, unsigned n, unsigned last)
{
	for (size_t i = 0; i < n_looks; i++)
		if (looks[i] > n)
			return looks[i] < last ? looks[i] : last;
	return last;
}

/* Returns N, or as many pairs as the first look comes after. */
static unsigned not_before(const struct paired_terms *terms, unsigned n)
{
	return terms->pairs_least > n + 1 ? terms->pairs_least - 1 : n;
}

/* Returns the next look after N pairs that may reach any verdict. */
static unsigned next_full_look(const struct paired_terms *terms, unsigned n)
{
	const unsigned last = last_look(terms), looks[] = { paired_first_look(terms->gates), SECOND, THIRD, LATE };

	return n >= last ? 0 : look_after(looks, sizeof looks / sizeof *looks, not_before(terms, n), last);
}

unsigned paired_next_look(const struct paired_terms *terms, unsigned n)
{
	unsigned full = next_full_look(terms, n);

	if (!terms->together || !full)
		return full;
	return look_after(looks_to_pass, sizeof looks_to_pass / sizeof *looks_to_pass, not_before(terms, n), full);
}

double paired_tolerance_pct(const struct gate *gate, bool together)
{
	if (gate->by_default && together && gate->metric->together_tolerance_pct > 0)
		return gate->metric->together_tolerance_pct;
	if (gate->by_default && gate->metric->paired_tolerance_pct > 0)
		return gate->metric->paired_tolerance_pct;
	return gate->tolerance_pct;
}

double paired_tolerance(const struct gate *gate, bool together)
{
	return judge_tolerance(gate->metric, paired_tolerance_pct(gate, together));
}

/* Measured by pairs after the first look, and by gates, see docs/research/pairs-at-once.md. */
double paired_power_factor(unsigned gates, size_t n)
{
	static const double after[] = { 0, 1, 4, 9, 19 }, factors[] = { 7, 6.1, 5.7, 5.3, 5.1 };
	double many = 1 + 0.08 * log(gates ?: 1), more = (double)n - paired_first_look(gates);
	size_t last = sizeof after / sizeof after[0] - 1, i = 0;

	if (more >= after[last])
		return many * factors[last];
	if (more < after[0])
		return many * factors[0];
	while (more >= after[i + 1])
		i++;
	return many * (factors[i] + (factors[i + 1] - factors[i]) * (more - after[i]) / (after[i + 1] - after[i]));
}

/* Estimates how many more pairs decide, if the interval narrows about this estimate. */
static double pairs_missing(const struct paired *p, const struct paired_terms *terms)
{
	bool claimed = terms->claim > 0, below = p->estimate < (claimed ? -terms->claim : terms->tolerance);
	double reach = below ? p->high - p->estimate : p->estimate - p->low;
	double room = claimed ? fabs(terms->claim + p->estimate) : below ? terms->tolerance - p->estimate : p->estimate - terms->floor;
	double wanted = room > 0 ? p->pairs * pow(reach / room, 2) * CAUTION : INFINITY;

	if (p->too_few)
		return paired_first_look(terms->gates) - (double)p->pairs;
	return wanted > (double)BUDGETS_MOST * last_look(terms) ? INFINITY : fmax(ceil(wanted - p->pairs), 1);
}

/* Decides a claim by bounds whose errors are those of an improvement. Few pairs can refute it, but not prove it. */
static void look_at_claim(const double *d, size_t n, enum look look, const struct paired_terms *terms, struct paired *out)
{
	struct shift shift;

	signrank_shift(d, n, ERROR_PASS, look_error(terms, n), &shift);
	out->low = shift.low;
	out->high = shift.high;
	if (look != LOOK_ONLY)
		out->verdict = judge_claimed(terms->claim, shift.low, shift.high);
	if (out->verdict == VERDICT_IMPROVEMENT && (look < LOOK_ALL || out->too_few || shift.high >= -terms->floor))
		out->verdict = VERDICT_INCONCLUSIVE;
	out->too_few = out->too_few && out->verdict == VERDICT_INCONCLUSIVE;
}

/* Returns the lower bound with the error of a pass. */
static double bound_of_better(const double *d, size_t n)
{
	struct shift shift = { .low = -INFINITY };

	signrank_shift(d, n, ERROR_PASS, ERROR_PASS, &shift);
	return shift.low;
}

/* Describes the first N pairs and sets the verdict, if LOOK may reach it. */
static void look_at(const double *d, size_t n, enum look look, const struct paired_terms *terms, struct paired *out)
{
	double error = look_error(terms, n), tolerance = terms->tolerance * (1 + JUDGE_ROUNDING);
	double least = terms->both_ways ? bound_of_better(d, n) : 0;
	struct shift worse, better = { .high = INFINITY };

	signrank_shift(d, n, error, ERROR_PASS, &worse);
	*out = (struct paired){
		.verdict = VERDICT_INCONCLUSIVE, .pairs = (unsigned)n, .estimate = worse.estimate, .low = worse.low,
		.high = worse.high, .detectable = NAN, .more = NAN, .too_few = n < paired_first_look(terms->gates),
	};
	if (n >= PAIRS_FOR_SPREAD)
		out->detectable = paired_power_factor(terms->gates, n) * stats_sd(d, PAIRS_FOR_SPREAD) / sqrt((double)n);
	if (terms->claim > 0) {
		look_at_claim(d, n, look, terms, out);
	} else if (look == LOOK_ONLY) {
		return;
	} else if (terms->together && out->high <= tolerance && out->estimate >= -tolerance && least >= -tolerance) {
		/* A pass needs fewer pairs than a regression. A possible improvement waits for those. */
		out->verdict = VERDICT_PASS;
		out->too_few = false;
	} else if (look >= LOOK_ALL && out->too_few) {
		if (stats_least(d, n) > GROSS && out->estimate > terms->tolerance)
			out->verdict = VERDICT_REGRESSION;
	} else if (look >= LOOK_ALL) {
		/* An improvement mirrors a regression, so the errors of the bounds are exchanged. */
		if (out->estimate < -tolerance)
			signrank_shift(d, n, ERROR_PASS, error, &better);
		if (better.high < -terms->floor) {
			out->verdict = VERDICT_IMPROVEMENT;
			out->low = better.low;
			out->high = better.high;
		} else if (out->low > terms->floor && out->estimate > tolerance) {
			out->doubted = terms->same_work && out->estimate < DOUBTED * tolerance;
			if (!out->doubted || look == LOOK_LAST)
				out->verdict = VERDICT_REGRESSION;
		} else if (out->high <= tolerance && (least >= -tolerance || look == LOOK_LAST)) {
			out->verdict = VERDICT_PASS;
		}
	}
	if (terms->both_ways && out->verdict == VERDICT_PASS)
		out->low = least;
	out->decided = out->verdict != VERDICT_INCONCLUSIVE;
}

bool paired_decide(const double *differences, size_t n, bool ended, const struct paired_terms *terms, struct paired *out)
{
	struct paired found = { 0 };
	unsigned look, before = 0;

	if (!n || !stats_all_finite(differences, n))
		return false;
	for (look = paired_next_look(terms, 0); look && look <= n && !found.decided; look = paired_next_look(terms, look)) {
		enum look kind = look != next_full_look(terms, before) ? LOOK_PASS : next_full_look(terms, look) ? LOOK_ALL : LOOK_LAST;

		look_at(differences, look, kind, terms, &found);
		before = look;
	}
	/* The last pairs may come after a look that could only pass. */
	if (!found.decided && look)
		look_at(differences, n, ended ? LOOK_LAST : LOOK_ONLY, terms, &found);
	if (!found.decided)
		found.more = pairs_missing(&found, terms);
	*out = found;
	return true;
}

size_t paired_differences(const struct metric *metric, const double *base, const double *head, size_t n, double *out)
{
	/* Smallest value above zero by unit. For quotients, one part in a million. */
	static const double least[] = {
		[UNIT_COUNT] = 1, [UNIT_MS] = 1e-3, [UNIT_BYTES] = 4096, [UNIT_RATIO] = 1e-6, [UNIT_FRACTION] = 1e-6, [UNIT_HZ] = 1,
	};
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		double b = base[i], h = head[i], d = 0;

		if (!(b >= 0 && h >= 0 && isfinite(b) && isfinite(h)))
			continue;
		/* A custom metric, or the mean of a batch, may be smaller than that. Zero must still count as less. */
		if (b != h)
			d = log(h > 0 ? h : fmin(least[metric->unit], b) / 2) - log(b > 0 ? b : fmin(least[metric->unit], h) / 2);
		out[kept++] = metric->higher_is_better ? -d : d;
	}
	return kept;
}

/* -------- wall time that no gate judges */

/* Smallest rise that gets a warning, in percent. The row shows smaller ones. */
enum { WALL_FROM_PCT = 20 };

static void take_values(const struct scenario_result *s, const struct metric *metric, double **base, double **head, size_t *n)
{
	scenario_result_pair_values(s, side_result_normalised(scenario_result_measured(s), metric), base, head, n);
}

/* Returns the rise of wall time on the log scale if the paired rule calls it a regression; else 0. */
static double longer(const struct scenario_result *s, const double *base, const double *head, size_t n)
{
	const struct paired_terms terms = {
		.gates = s->pairing.gates, .pairs_most = s->pairing.pairs_most, .tolerance = log1p(WALL_FROM_PCT / 100.0),
	};
	CLEANUP(free_ptr) double *differences = xcalloc(n + 1, sizeof *differences);
	struct paired paired;

	n = paired_differences(METRIC(WALL_TIME), base, head, n, differences);
	if (!paired_decide(differences, n, true, &terms, &paired) || paired.verdict != VERDICT_REGRESSION)
		return 0;
	return paired.estimate;
}

bool pair_wall_words(const struct scenario_result *s, struct strbuf *out)
{
	CLEANUP(free_ptr) double *base = NULL, *head = NULL, *clock_base = NULL, *clock_head = NULL;
	CLEANUP(free_ptr) double *less = NULL, *scaled = NULL;
	const char *although = "no gate regressed";
	double change;
	size_t n;

	if (s->head.state == SCENARIO_FAILED || s->settings.window_s > 0 || scenario_result_regressed(s) ||
	    side_result_benchmarks(scenario_result_measured(s)))
		return false;
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct metric *metric = s->gates[i].gate.metric;

		if (metric == METRIC(WALL_TIME))
			return false;
		if (metric == METRIC(TASK_CLOCK) && gate_judgement(&s->gates[i])->verdict == VERDICT_IMPROVEMENT)
			although = "CPU time fell";
	}
	take_values(s, METRIC(WALL_TIME), &base, &head, &n);
	/* Use times with both sides running: a waiting side takes longer there, too. */
	for (size_t i = 0; i < n && s->pairing.way == PAIR_TOGETHER; i++) {
		base[i] = s->base.runs[i].both_ms;
		head[i] = scenario_result_measured(s)->runs[i].both_ms;
	}
	change = longer(s, base, head, n);
	if (!(change > 0))
		return false;

	/*
	 * The head must take longer than more CPU time explains, in two ways. Subtract the additional CPU time. Scale
	 * by the ratio of CPU times, since a program that needs more CPU time on a busy machine waits longer in
	 * proportion.
	 */
	take_values(s, METRIC(TASK_CLOCK), &clock_base, &clock_head, &n);
	less = xcalloc(n, sizeof *less);
	scaled = xcalloc(n, sizeof *scaled);
	for (size_t i = 0; i < n; i++) {
		bool more = clock_base[i] > 0 && clock_head[i] > clock_base[i];

		less[i] = more ? fmax(head[i] - (clock_head[i] - clock_base[i]), 0) : head[i];
		scaled[i] = more ? head[i] * clock_base[i] / clock_head[i] : head[i];
	}
	if (!(longer(s, base, less, n) > 0) || !(longer(s, base, scaled, n) > 0))
		return false;

	if (s->pairing.way == PAIR_TOGETHER)
		strbuf_adds(out, "with both sides at once ");
	if (exp(change) >= 2)
		strbuf_addf(out, "wall-time is %.1f times as long", exp(change));
	else
		strbuf_addf(out, "wall-time is longer by %.0f %%", 100 * expm1(change));
	strbuf_addf(out, " although %s: the head waits for something, which no gate judges; a gate on wall-time would", although);
	return true;
}

/* -------- differences between the sides */

/* Difference between link orders of one program, in percent of its time. */
#define LINKER_PCT 2
/* Smallest difference of work that is mentioned, as a part of the base's. */
#define WORK_DIFFERS 0.01
/* Fewest pairs with a range of work. */
enum { WORK_PAIRS = 2 };

static double range_of_work(const struct side_result *side)
{
	size_t n;
	CLEANUP(free_ptr) double *work = side_result_values(side, METRIC(WORK), &n);

	return n ? stats_most(work, n) - stats_least(work, n) : NAN;
}

/* IDENTITY contains a '+' if it covers several programs, such as a pipeline. */
static void explain_same(struct scenario_result *s, const char *identity)
{
	const struct side_result *base = &s->base, *head = scenario_result_measured(s);
	CLEANUP(free_ptr) char *which = strchr(identity, '+') ? xstrdup("s") : text_printf(" (%.24s)", identity);
	bool differ = base->commit && head->commit && strcmp(base->commit, head->commit) != 0;

	EXPLAIN(s, SAME_EXECUTABLE "%s%s%s", which, differ ? " of two commits: does build: make them?" : "",
		scenario_result_regressed(s) ? ": look at its arguments, its input and its libraries" : "");
}

/*
 * Explains what a reader must know about the sides: identical executables, different work, and a tolerance below the
 * effect of link order.
 */
static void explain_sides(struct scenario_result *s)
{
	const struct side_result *base = &s->base, *head = scenario_result_measured(s);
	double work = side_result_median(base, METRIC(WORK)), work_now = side_result_median(head, METRIC(WORK));
	CLEANUP(strbuf_release) struct strbuf wall = STRBUF_INIT;

	if (base->executable && head->executable && !strcmp(base->executable, head->executable) && !s->pairing.unchanged)
		explain_same(s, head->executable);

	/*
	 * A window or load of a fixed duration does more work if the program is faster. So the sides' work must
	 * differ by more than it varies from window to window.
	 */
	if (!(s->settings.window_s > 0) && scenario_result_pairs(s) >= WORK_PAIRS &&
	    fabs(work_now - work) > fmax(WORK_DIFFERS * work, 2 * fmax(range_of_work(base), range_of_work(head))))
		EXPLAIN(s, "the sides do different work: %.6g a window in the base, %.6g in the head; what "
			"grows with it is judged per %s", work, work_now, scenario_result_work_unit(s));

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct metric *metric = s->gates[i].gate.metric;
		const struct judgement *j = gate_judgement(&s->gates[i]);
		char note[200];

		if (!j->pairs || metric->kind != KIND_TIME || j->tolerance_pct >= LINKER_PCT)
			continue;
		snprintf(note, sizeof note, "a limit of %g %% on %.60s judges the linker: the order of linking alone moves a "
			 "program by up to %d %%", j->tolerance_pct, metric->name, LINKER_PCT);
		arena_push_new(&s->head.arena, &s->head.notes, note);
	}
	/* If measured in pairs only, the result has it as a note, see judge_together(). */
	if (s->pairing.confirming && pair_wall_words(s, &wall))
		arena_push_new(&s->head.arena, &s->head.notes, wall.buf);
}

/* -------- one gate */

/* Values of a metric, in order, of the pairs in which both sides have one with a ratio. */
struct pair_series {
	double *base, *head, *differences;
	size_t n;
};

static void pair_series_release(struct pair_series *series)
{
	free(series->base);
	free(series->head);
	free(series->differences);
}

static struct pair_series take_series(const struct scenario_result *s, const struct metric *metric)
{
	struct pair_series out = { 0 };
	size_t n, kept = 0;

	scenario_result_pair_values(s, metric, &out.base, &out.head, &n);
	out.differences = xcalloc(n + 1, sizeof *out.differences);
	out.n = paired_differences(metric, out.base, out.head, n, out.differences);
	for (size_t i = 0; i < n; i++)
		if (out.base[i] >= 0 && out.head[i] >= 0) {
			out.base[kept] = out.base[i];
			out.head[kept++] = out.head[i];
		}
	return out;
}

bool judge_pair_applies(const struct gate *gate)
{
	return gate->kind == GATE_METRIC && gate->relative && !metric_repeats(gate->metric);
}

static double tolerance_pct_of(const struct scenario_result *s, const struct gate *gate)
{
	return paired_tolerance_pct(gate, scenario_result_together(s, gate->metric));
}

/* Returns the terms that S's pairing applies to GATE. */
static struct paired_terms terms_of(const struct scenario_result *s, const struct gate *gate)
{
	const struct pairing *pairing = &s->pairing;
	bool together = scenario_result_together(s, gate->metric);

	return (struct paired_terms){
		.gates = pairing->gates, .pairs_least = pairing->pairs_least, .pairs_most = pairing->pairs_most,
		.floor = log1p(pairing->floor_pct / 100),
		.tolerance = paired_tolerance(gate, together), .claim = judge_claim(gate), .together = together,
		.both_ways = pairing->both_ways,
		.same_work = gate->metric->kind == KIND_TIME && !gate->metric->benchmark &&
			     judge_same_work(scenario_result_measured(s), &s->base, NULL),
	};
}

/* True if the change is too small to count. */
static bool is_below_least(const struct scenario_result *s, const struct gate *gate, const struct metric *metric,
			   const struct pair_series *series, const struct paired *paired)
{
	CLEANUP(free_ptr) double *more = xcalloc(series->n + 1, sizeof *more);

	for (size_t i = 0; i < paired->pairs; i++)
		more[i] = series->head[i] - series->base[i];
	return !paired->too_few && !gate->claim && judge_below_least(paired->verdict, stats_median(more, paired->pairs),
						     side_result_least(scenario_result_measured(s), gate, metric, true));
}

/* Adds the options that allow N pairs, if fewer were measured: ": --runs 58 and a larger --budget". */
static void add_remedy(struct strbuf *out, const struct scenario_result *s, unsigned n, unsigned most)
{
	bool capped = n > most, ended = scenario_result_pairs(s) < most;

	/* Neither option was the limit. */
	if (s->head.state == SCENARIO_PARTIAL)
		strbuf_adds(out, ": it was interrupted");
	/* When confirming, --runs is the number of stored runs. */
	else if (capped && s->pairing.confirming)
		strbuf_addf(out, ": pawl run --base with --runs %u", n);
	else if (capped)
		strbuf_addf(out, ": --runs %u%s", n, ended ? " and a larger --budget" : "");
	else
		strbuf_adds(out, ": a larger --budget");
}

/* Adds reasons to J, whose numbers are set, unless PAIRED is a plain pass. */
static void explain_verdict(struct judgement *j, struct scenario_result *s, const struct paired_terms *terms,
			    const struct paired *paired)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	unsigned wanted = 0;

	if (paired->too_few && j->verdict == VERDICT_REGRESSION) {
		judge_reason(s, j, "too few pairs for an interval (%u), but worse in each of them by more than noise explains",
			     j->pairs);
	} else if (paired->too_few) {
		wanted = paired_first_look(terms->gates);
		strbuf_addf(&words, "%u pair%s, of which at least %u are needed", j->pairs, j->pairs == 1 ? "" : "s", wanted);
	} else if (j->verdict == VERDICT_REGRESSION && paired->doubted) {
		judge_reason(s, j, "exact counts are the same on both sides, so %u pairs were taken before it counts", j->pairs);
	} else if (j->verdict == VERDICT_REGRESSION && isnan(j->change_pct)) {
		judge_reason(s, j, "one side counted none, so there is no ratio");
	} else if (j->verdict == VERDICT_INCONCLUSIVE && isinf(j->more_pairs)) {
		judge_reason(s, j, "cannot be resolved on this machine: with four times as many pairs the change would still be too "
			     "near to the limit for their spread");
		if (isfinite(j->detectable_pct))
			judge_reason(s, j, "changes from %.1f %% are seen in %u pairs", j->detectable_pct, j->pairs);
	} else if (j->verdict == VERDICT_INCONCLUSIVE) {
		wanted = j->pairs + (unsigned)ceil(j->more_pairs);
		strbuf_addf(&words, "about %.0f more would decide", ceil(j->more_pairs));
	}
	if (wanted) {
		add_remedy(&words, s, wanted, pairs_most(terms));
		judge_reason(s, j, "%s", words.buf);
	}
}

static double finite_or_nan(double x)
{
	return isinf(x) ? NAN : x;
}

/* Largest error of the medians' ratio, on the log scale, that does not contradict the printed change. */
#define CONTRADICTS 5e-4

/*
 * Fits the base's median to the change. The medians of both sides may come from different moments, so that their
 * ratio is not that of the pairs. The head's median stays, since absolute limits apply to it.
 */
static void fit_to_change(struct judgement *j)
{
	double base = j->current / (1 + j->change_pct / 100);

	if (j->baseline > 0 && base > 0 && isfinite(base) && fabs(log(base / j->baseline)) > CONTRADICTS)
		j->baseline = base;
}

static bool judge_differences(const struct gate *gate, struct judgement *j, struct scenario_result *s)
{
	CLEANUP(pair_series_release) struct pair_series series = take_series(s, j->metric);
	const struct paired_terms terms = terms_of(s, gate);
	double detectable;
	struct paired paired;

	if (!paired_decide(series.differences, series.n, true, &terms, &paired)) {
		judge_reason(s, j, "no pair has a value of both sides that can be compared");
		return false;
	}
	j->tolerance_pct = tolerance_pct_of(s, gate);
	j->verdict = paired.verdict;
	j->pairs = paired.pairs;
	j->n_baseline = j->n_current = paired.pairs;
	j->baseline = stats_median(series.base, paired.pairs);
	j->current = stats_median(series.head, paired.pairs);
	detectable = finite_or_nan(paired.detectable);
	j->detectable_pct = 100 * (gate->metric->higher_is_better ? -expm1(-detectable) : expm1(detectable));
	if (paired.verdict == VERDICT_INCONCLUSIVE)
		j->more_pairs = paired.more;
	/* A change from or to zero has no ratio. */
	if ((j->baseline > 0 && j->current > 0) || j->baseline == j->current)
		judge_set_change(j, finite_or_nan(paired.estimate), finite_or_nan(paired.low), finite_or_nan(paired.high));
	if (is_below_least(s, gate, j->metric, &series, &paired)) {
		judge_pass_small(s, j);
	} else {
		explain_verdict(j, s, &terms, &paired);
		fit_to_change(j);
	}
	return true;
}

/* Judges a value that repeats, simulated or counted by heaptrack. The base's side is compared like a baseline. */
static void judge_repeated(const struct gate *gate, struct judgement *j, struct scenario_result *s,
			    const struct machine *machine)
{
	CLEANUP(free_ptr) double *base = side_result_values(&s->base, j->metric, &j->n_baseline);
	CLEANUP(free_ptr) double *head = side_result_values(scenario_result_measured(s), j->metric, &j->n_current);
	struct series series = { .metric = j->metric, .values = base, .n = j->n_baseline };
	struct baseline_session session = { .series = { .items = &series, .n = 1 } };
	const struct baseline before = { .sessions = &session, .n_sessions = 1 };
	const struct stored_terms terms = { .gate = gate, .scenario = s, .machine = machine, .base = &before };

	stored_compare(&terms, j, head, j->n_current);
}

/* Returns SIDE's own metric of the benchmark METRIC, which it knows. */
static const struct metric *benchmark_of(const struct side_result *side, const struct metric *metric)
{
	size_t i = 0;

	while (!metric_same(side->metrics[i], metric))
		i++;
	return side->metrics[i];
}

/* Explains why the benchmark J cannot be compared: one side alone has it, or it had no value. It is never compared with another. */
static void explain_benchmark(struct scenario_result *s, struct judgement *j, const struct side_result *base,
			      const struct side_result *head)
{
	bool in_base = side_result_knows(base, j->metric), in_head = side_result_knows(head, j->metric);
	const struct side_result *without = side_result_count(head, j->metric) ? base : head;

	if (!in_base && !in_head) {
		judge_reason(s, j, "no benchmark has such a name");
	} else if (in_base && in_head) {
		const struct metric *metric = benchmark_of(without, j->metric);

		judge_reason(s, j, "the %s has no value of it%s%s", without == head ? "head" : "base", metric->why ? ": " : "", metric->why ?: "");
	} else {
		j->verdict = in_head ? VERDICT_NEW : VERDICT_NOT_MEASURED;
		judge_reason(s, j, in_head ? "only the head has this benchmark" : "gone; only the base has this benchmark");
	}
}

bool judge_pair(const struct gate *gate, struct judgement *j, struct scenario_result *s, const struct machine *machine)
{
	const struct side_result *base = &s->base, *head = scenario_result_measured(s);
	const struct metric *metric = judge_choose_values(gate->metric, head);
	bool known = side_result_count(head, metric), in_base = side_result_count(base, metric), judged = true;
	CLEANUP(free_ptr) double *walls = NULL, *values = NULL;
	struct earlier_runs earlier = { .whose = "the base's" };
	const struct identical_build *same = &s->pairing.identical;
	struct side_result without;

	judgement_reset(j, gate);
	j->done = true;
	/* The base's runs of this session take the place of stored runs. */
	if (!s->pairing.one_program) {
		earlier.walls = walls = side_result_values(base, METRIC(WALL_TIME), &earlier.n);
		if (judge_overrun(gate, j, s, head->timed_out_ms, &earlier)) {
			j->tolerance_pct = tolerance_pct_of(s, gate);
			return true;
		}
	}

	if (same->binary && s->head.state == SCENARIO_MEASURED) {
		j->tolerance_pct = tolerance_pct_of(s, gate);
		j->verdict = gate->claim ? VERDICT_REGRESSION : VERDICT_PASS;
		judge_reason(s, j, "identical: same binary, %u librar%s, %u file%s", same->libraries, same->libraries == 1 ? "y" : "ies",
			     same->files, same->files == 1 ? "" : "s");
		return true;
	}
	/* Without a complete pair, nothing can be judged. */
	if (s->head.state == SCENARIO_FAILED || !scenario_result_pairs(s)) {
		judge_reason(s, j, s->head.state == SCENARIO_FAILED ? "the scenario failed" :
			     "interrupted before a pair was complete");
		return false;
	}
	if (gate->relative && s->pairing.one_program) {
		judge_reason(s, j, "%s", s->pairing.one_program);
		return false;
	}
	if (gate->metric->benchmark && (!known || (gate->relative && !in_base))) {
		explain_benchmark(s, j, base, head);
		return false;
	}
	if (!known || (gate->relative && !in_base)) {
		if (known || in_base)
			judge_reason(s, j, "only the %s has a value", known ? "head" : "base");
		/* The pairs were measured, whatever the side's own state. */
		without = known ? *base : *head;
		without.state = SCENARIO_MEASURED;
		judge_missing(s, j, &without, machine);
		return false;
	}

	j->metric = metric;
	if (!gate->relative) {
		/* Absolute limits apply to the head, whatever the base did. */
		values = side_result_values(head, metric, &j->n_current);
		j->current = stats_median(values, j->n_current);
	} else if (metric_repeats(metric) || (s->pairing.counts && metric_counted(metric))) {
		j->tolerance_pct = tolerance_pct_of(s, gate);
		judge_repeated(gate, j, s, machine);
	} else {
		judged = judge_differences(gate, j, s);
	}
	if (judged)
		judge_check_budget(s, gate, j);
	return judged;
}

/* -------- while pairs are measured */

unsigned judge_pairs_gates(const struct gate *gates, size_t n)
{
	unsigned count = 0;

	for (size_t i = 0; i < n; i++)
		count += judge_pair_applies(&gates[i]);
	return count;
}

/*
 * True if G is undecided and another look may decide it. *LOOK_OUT is the number of pairs at that look. *MORE_OUT
 * estimates the pairs still needed: INFINITY if never on this machine, 0 before the first pair. A metric that no pair
 * measured is not undecided, because more pairs would not decide it.
 */
static unsigned next_look_of(const struct scenario_result *s, const struct gate_result *g, double *more_out)
{
	CLEANUP(pair_series_release) struct pair_series series = { 0 };
	struct paired_terms terms = terms_of(s, &g->gate);
	unsigned most = pairs_most(&terms), next;
	size_t n = scenario_result_pairs(s);
	const struct metric *metric = judge_choose_values(g->gate.metric, scenario_result_measured(s));
	struct paired paired = { .more = 0 };

	if (!judge_pair_applies(&g->gate) || s->pairing.counts ||
	    (s->pairing.confirming && (metric_repeats(g->stored.metric) || !judge_pairs_wants_confirming(s, g))))
		return 0;
	series = take_series(s, metric);
	if (n && (metric_repeats(metric) ||
		  !paired_decide(series.differences, series.n, false, &terms, &paired) || paired.decided ||
		  is_below_least(s, &g->gate, metric, &series, &paired)))
		return 0;
	next = paired_next_look(&terms, (unsigned)series.n);
	/* Pairs without the metric do not count towards its look. */
	if (next)
		next += (unsigned)(n - series.n);
	*more_out = paired.more;
	return next <= most ? next : n < most ? most : 0;
}

bool judge_pairs_undecided(const struct scenario_result *scenario, const struct gate_result *gate)
{
	double more;

	return next_look_of(scenario, gate, &more) > 0;
}

unsigned judge_pairs_next_look(const struct scenario_result *scenario)
{
	const struct pairing *pairing = &scenario->pairing;
	const struct paired_terms terms = { .gates = pairing->gates, .pairs_least = pairing->pairs_least, .pairs_most = pairing->pairs_most };
	bool begun = scenario_result_pairs(scenario) > 0;
	unsigned next, look;
	double more;

	if (pairing->identical.binary)
		return 0;
	/* One pair, to check absolute limits and that the program runs. It also holds the counts that repeat. */
	if (pairing->one_program || pairing->counts)
		return begun ? 0 : 1;
	/* Without a gate in pairs, the pairs of the first look serve shown and simulated values. */
	next = begun || pairing->confirming ? 0 : paired_next_look(&terms, 0);
	for (size_t i = 0; i < scenario->n_gates; i++) {
		look = next_look_of(scenario, &scenario->gates[i], &more);
		next = look && (!next || look < next) ? look : next;
	}
	return next || begun ? next : judge_pairs_wants_counts(scenario);
}

double judge_pairs_missing(const struct scenario_result *scenario)
{
	double least = INFINITY, more;

	for (size_t i = 0; i < scenario->n_gates; i++)
		if (next_look_of(scenario, &scenario->gates[i], &more))
			least = fmin(least, more);
	return least;
}

/* -------- once no more come */

/* Adds the gate on the work of both sides, which has no number. */
static void judge_work(struct scenario_result *s)
{
	const struct gate gate = { .kind = GATE_OUTPUT, .relative = true, .tolerance_pct = NAN, .max = NAN, .min = NAN, .required = true };
	const struct pairing *pairing = &s->pairing;
	struct gate_result *g;
	bool judged = pairing->work_known || pairing->other_work || pairing->identical.binary;

	if (!pairing->same_wanted || s->head.state == SCENARIO_FAILED)
		return;
	g = scenario_result_add_gate(s, &gate);
	g->share = METRIC_OUTPUT;
	judgement_reset(&g->paired, &g->gate);
	g->paired.done = true;
	if (judged)
		g->paired.verdict = pairing->other_work ? VERDICT_REGRESSION : VERDICT_PASS;
	if (pairing->other_work || !judged)
		judge_reason(s, &g->paired, "%s", pairing->other_work ?: "the output of two runs of each side was not compared");
}

void judge_pairs(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	const char *one_program = scenario->pairing.one_program;
	bool identical = scenario->pairing.identical.binary;

	scenario->explanation = (struct strv)STRV_INIT;
	for (size_t i = 0; i < scenario->n_gates; i++) {
		struct gate_result *g = &scenario->gates[i];

		if (g->gate.kind != GATE_METRIC && !identical)
			continue;
		judgement_reset(&g->stored, &g->gate);
		judge_pair(&g->gate, &g->paired, scenario, machine);
	}
	if (!one_program && !identical)
		judge_forgive_ipc(scenario, base);
	if (!identical)
		judge_symbols(scenario, machine, one_program ? NULL : base);
	judge_work(scenario);
	/* If both sides run one program, its symbols do not show the change either. */
	for (size_t i = 0; one_program && i < scenario->n_gates; i++) {
		struct gate_result *g = &scenario->gates[i];

		if (g->gate.kind == GATE_METRIC || !g->gate.relative)
			continue;
		judgement_reset(&g->stored, &g->gate);
		judge_reason(scenario, &g->stored, "%s", one_program);
	}
	if (one_program || scenario->head.state == SCENARIO_FAILED || !scenario_result_pairs(scenario))
		return;
	if (!side_result_benchmarks(&scenario->head))
		explain_scenario(scenario, base, true);
	explain_sides(scenario);
}

/* -------- confirming */

bool judge_pairs_wants_confirming(const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct metric *metric = gate->gate.metric;
	const struct judgement *stored = &gate->stored;

	if (scenario->head.state != SCENARIO_MEASURED || gate->paired.done || gate->gate.kind != GATE_METRIC || !gate->gate.relative)
		return false;
	if (stored->counted_otherwise || (metric_counted(stored->metric) && stored->verdict == VERDICT_REGRESSION))
		return true;
	if (metric_repeats(stored->metric))
		return false;
	/* A measured value for which only a baseline of another class exists. */
	if (stored->verdict == VERDICT_NOT_MEASURED)
		return !metric->portable && scenario->baseline_class && !isnan(stored->current);
	return metric->kind == KIND_TIME && !stored->gross &&
	       (stored->verdict == VERDICT_REGRESSION || stored->verdict == VERDICT_IMPROVEMENT || stored->verdict == VERDICT_INCONCLUSIVE ||
		(stored->verdict == VERDICT_PASS && scenario->accepted_kept));
}

bool judge_pairs_wants_counts(const struct scenario_result *scenario)
{
	for (size_t i = 0; scenario->pairing.confirming && i < scenario->n_gates; i++) {
		const struct gate_result *g = &scenario->gates[i];

		if (g->stored.done && metric_repeats(g->stored.metric) && judge_pairs_wants_confirming(scenario, g))
			return true;
	}
	return false;
}

/*
 * Judges G by the pairs and returns true if they count. The stored judgement stays if no pairs were measured, or if
 * too few pairs oppose a stored regression. If the stored runs decided nothing, even a few pairs show more.
 */
static bool confirm(struct gate_result *g, struct scenario_result *s, const struct machine *machine)
{
	const char *beyond = judge_beyond_budget(&g->gate, &g->stored);
	unsigned least = paired_first_look(s->pairing.gates);
	struct judgement *paired = &g->paired;

	if (judge_pair(&g->gate, paired, s, machine) &&
	    (paired->pairs >= least || paired->verdict == VERDICT_REGRESSION || paired->verdict == VERDICT_PASS ||
	     g->stored.verdict != VERDICT_REGRESSION)) {
		if (beyond && !judge_beyond_budget(&g->gate, paired)) {
			paired->verdict = VERDICT_REGRESSION;
			judge_reason(s, paired, "%s against the stored runs", beyond);
		}
		return paired->pairs > 0 || (paired->metric && metric_repeats(paired->metric));
	}
	if (paired->pairs)
		judge_reason(s, &g->stored, "not confirmed: %u pairs of at least %u", paired->pairs, least);
	else
		judge_reason(s, &g->stored, "%s: %s", g->stored.verdict == VERDICT_PASS ? "not compared in pairs" : "could not be confirmed",
			     paired->reason ?: "no pair was measured");
	judgement_reset(paired, &g->gate);
	return false;
}

void judge_pairs_confirm(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	bool profiled = profile_exists(&scenario->again.profile), confirmed = false;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		struct gate_result *g = &scenario->gates[i];

		if (judge_pairs_wants_confirming(scenario, g))
			confirmed |= confirm(g, scenario, machine);
	}
	if (!confirmed)
		return;
	judge_forgive_ipc(scenario, base);
	scenario->explanation = (struct strv)STRV_INIT;
	/* After a regression both sides have profiles, taken in the same hour. */
	if (profiled) {
		profile_release(&scenario->head.profile);
		scenario->head.profile = scenario->again.profile;
		scenario->again.profile = (struct profile){ .overhead_pct = NAN };
	}
	if (profiled && profile_exists(&base->profile))
		judge_symbols(scenario, machine, base);
	else
		judge_symbols_account(scenario, machine, base);
	explain_scenario(scenario, base, true);
	explain_sides(scenario);
}
