#include "judge/judge.h"

#include <math.h>

#include "base/mem.h"
#include "model/result.h"
#include "stats/stats.h"

/* -------- the rule, on numbers alone */

/* For the whole suite; a quarter of it for each look, so that there are never more than four. */
#define ERROR_WORSE 0.01
#define ERROR_PASS 0.02
/* The number of pairs still needed is an estimate; so much more is named. */
#define CAUTION 1.2
/* Where pairs are too few for bounds: eleven times in every one of them is no noise, see docs/deciding.md. */
#define GROSS 2.4
enum { FEWEST = 10, LOOKS_MOST = 4, BUDGETS_MOST = 4, PAIRS_FOR_SPREAD = 10 };

static const unsigned later_looks[] = { 20, 30 };

static double look_error(unsigned gates)
{
	return ERROR_WORSE / (LOOKS_MOST * (double)(gates ?: 1));
}

unsigned paired_first_look(unsigned gates)
{
	unsigned n = 1;

	/* As many as have a chance below the error to fall all on one side. */
	for (double chance = 0.5; chance > look_error(gates); chance /= 2)
		n++;
	return n > FEWEST ? n : FEWEST;
}

static unsigned pairs_most(const struct paired_terms *terms)
{
	return terms->pairs_most ?: PAIRS_MOST;
}

static unsigned last_look(const struct paired_terms *terms)
{
	unsigned most = pairs_most(terms);

	return most < SIGNRANK_MOST ? most : SIGNRANK_MOST;
}

unsigned paired_next_look(const struct paired_terms *terms, unsigned n)
{
	unsigned first = paired_first_look(terms->gates), last = last_look(terms);

	if (n >= last)
		return 0;
	if (n < first)
		return first < last ? first : last;
	for (size_t i = 0; i < sizeof later_looks / sizeof later_looks[0]; i++)
		if (later_looks[i] > n && later_looks[i] < last)
			return later_looks[i];
	return last;
}

double paired_tolerance_pct(const struct gate *gate)
{
	if (gate->by_default && gate->calibrated_pct > 0)
		return gate->calibrated_pct;
	if (gate->by_default && gate->metric->paired_tolerance_pct > 0)
		return gate->metric->paired_tolerance_pct;
	return gate->tolerance_pct;
}

double paired_tolerance(const struct gate *gate)
{
	return judge_tolerance(gate->metric, paired_tolerance_pct(gate));
}

/* Measured, see docs/deciding.md. */
double paired_power_factor(size_t n)
{
	static const double at[] = { 10, 20, 30 }, factors[] = { 3.9, 3.2, 2.9 };
	size_t last = sizeof at / sizeof at[0] - 1, i = 0;

	if ((double)n >= at[last])
		return factors[last];
	if ((double)n < at[0])
		return factors[0];
	while ((double)n >= at[i + 1])
		i++;
	return factors[i] + (factors[i + 1] - factors[i]) * ((double)n - at[i]) / (at[i + 1] - at[i]);
}

static double detectable(const double *differences, size_t n)
{
	if (n < PAIRS_FOR_SPREAD)
		return NAN;
	return paired_power_factor(n) * stats_sd(differences, PAIRS_FOR_SPREAD) / sqrt((double)n);
}

/* How many pairs would decide, by the interval growing narrower about this estimate; INFINITY when none would. */
static double pairs_wanted(const struct paired *p, const struct paired_terms *terms)
{
	bool below = p->estimate < terms->tolerance;
	double reach = below ? p->high - p->estimate : p->estimate - p->low;
	double room = below ? terms->tolerance - p->estimate : p->estimate - terms->floor;

	return room > 0 ? p->pairs * pow(reach / room, 2) * CAUTION : INFINITY;
}

static double pairs_missing(const struct paired *p, const struct paired_terms *terms)
{
	double wanted;

	if (p->too_few)
		return paired_first_look(terms->gates) - (double)p->pairs;
	wanted = pairs_wanted(p, terms);
	if (wanted > (double)BUDGETS_MOST * last_look(terms))
		return INFINITY;
	return fmax(ceil(wanted - p->pairs), 1);
}

/* What the first N pairs are, not what they mean; the bounds are those of a regression and of a pass. */
static void describe(const double *d, size_t n, const struct paired_terms *terms, struct paired *out)
{
	struct shift shift;

	signrank_shift(d, n, look_error(terms->gates), ERROR_PASS, &shift);
	*out = (struct paired){
		.verdict = VERDICT_INCONCLUSIVE, .pairs = (unsigned)n, .estimate = shift.estimate, .low = shift.low,
		.high = shift.high, .detectable = detectable(d, n), .more = NAN,
		.too_few = n < paired_first_look(terms->gates),
	};
}

static enum verdict judge(const struct paired *p, const struct paired_terms *terms)
{
	double tolerance = terms->tolerance * (1 + JUDGE_ROUNDING);

	if (p->low > terms->floor && p->estimate > tolerance)
		return VERDICT_REGRESSION;
	return p->high <= tolerance ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
}

/* The mirror image of a regression, with the errors of both bounds exchanged; false, leaving *P alone, when it is none. */
static bool credit(const double *d, const struct paired_terms *terms, struct paired *p)
{
	struct shift shift;

	if (!(p->estimate < -terms->tolerance * (1 + JUDGE_ROUNDING)))
		return false;
	signrank_shift(d, p->pairs, ERROR_PASS, look_error(terms->gates), &shift);
	if (!(shift.high < -terms->floor))
		return false;
	p->low = shift.low;
	p->high = shift.high;
	return true;
}

/* One look: returns true when it decides. */
static bool look_at(const double *d, size_t n, const struct paired_terms *terms, struct paired *out)
{
	describe(d, n, terms, out);
	if (out->too_few)
		out->verdict = stats_least(d, n) > GROSS && out->estimate > terms->tolerance ? VERDICT_REGRESSION : VERDICT_INCONCLUSIVE;
	else
		out->verdict = credit(d, terms, out) ? VERDICT_IMPROVEMENT : judge(out, terms);
	out->decided = out->verdict != VERDICT_INCONCLUSIVE;
	return out->decided;
}

bool paired_decide(const double *differences, size_t n, bool ended, const struct paired_terms *terms, struct paired *out)
{
	struct paired found = { 0 };
	unsigned look = paired_next_look(terms, 0);

	if (!n || !stats_all_finite(differences, n))
		return false;
	while (look && look <= n && !look_at(differences, look, terms, &found))
		look = paired_next_look(terms, look);
	if (!found.decided && look && found.pairs < n) {
		if (ended)
			look_at(differences, n, terms, &found);
		else
			describe(differences, n, terms, &found);
	}
	if (!found.decided)
		found.more = pairs_missing(&found, terms);
	*out = found;
	return true;
}

/* The logarithm of VALUE, which stands beside OTHER, where one of them is not 0. */
static double log_beside(const struct metric *metric, double value, double other)
{
	/* What can be told from nothing; of quotients one part in a million, as of a million events. */
	static const double least[] = {
		[UNIT_COUNT] = 1, [UNIT_MS] = 1e-3, [UNIT_BYTES] = 4096, [UNIT_RATIO] = 1e-6, [UNIT_FRACTION] = 1e-6, [UNIT_HZ] = 1,
	};

	/* A printed figure, or the mean of a batch, may be smaller than that: nothing is less than something all the same. */
	return log(value > 0 ? value : fmin(least[metric->unit], other) / 2);
}

static double difference(const struct metric *metric, double base, double head)
{
	double d = base == head ? 0 : log_beside(metric, head, base) - log_beside(metric, base, head);

	return metric->higher_is_better ? -d : d;
}

size_t paired_differences(const struct metric *metric, const double *base, const double *head, size_t n, double *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (base[i] >= 0 && head[i] >= 0 && isfinite(base[i]) && isfinite(head[i]))
			out[kept++] = difference(metric, base[i], head[i]);
	return kept;
}

/* -------- wall time that no gate judges */

/* Less is told by its row alone, in percent. */
enum { TOLD_FROM_PCT = 20 };

static bool is_judged(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, "wall-time"))
			return true;
	return false;
}

/* One metric of both sides, pair by pair, by what it is judged by. */
struct sides {
	double *base, *head;
	size_t n;
};

static void sides_release(struct sides *sides)
{
	free(sides->base);
	free(sides->head);
}

static void take_sides(const struct scenario_result *s, const char *metric, struct sides *out)
{
	const struct metric_ref ref = scenario_result_normalised(s->pairing->head.measured, metric);
	CLEANUP(free_ptr) char *series = metric_ref_name(&ref);

	scenario_result_pair_values(s, series, &out->base, &out->head, &out->n);
}

/* By the rule that gates have: surely longer, and by more than is told. */
static bool is_longer(const struct scenario_result *s, const double *base, const double *head, size_t n, double *change_out)
{
	struct paired_terms terms = {
		.gates = s->pairing->gates, .pairs_most = s->pairing->pairs_most, .tolerance = log1p(TOLD_FROM_PCT / 100.0),
	};
	CLEANUP(free_ptr) double *differences = xcalloc(n + 1, sizeof *differences);
	struct paired paired;

	n = paired_differences(metric_find("wall-time"), base, head, n, differences);
	if (!n || !paired_decide(differences, n, true, &terms, &paired) || paired.verdict != VERDICT_REGRESSION)
		return false;
	*change_out = paired.estimate;
	return true;
}

/*
 * Whether more CPU time is no reason: the head took longer than by so much more CPU time, and by more than in the proportion that
 * CPU time rose in, since who needs more of a busy machine's CPUs waits for them longer.
 */
static bool is_unaccounted(const struct scenario_result *s, const struct sides *wall)
{
	CLEANUP(sides_release) struct sides clock = { 0 };
	CLEANUP(free_ptr) double *less = xcalloc(wall->n + 1, sizeof *less);
	CLEANUP(free_ptr) double *scaled = xcalloc(wall->n + 1, sizeof *scaled);
	double unused;

	take_sides(s, "task-clock", &clock);
	for (size_t i = 0; i < wall->n; i++) {
		bool known = i < clock.n && clock.base[i] > 0 && clock.head[i] > clock.base[i];

		less[i] = known ? fmax(wall->head[i] - (clock.head[i] - clock.base[i]), 0) : wall->head[i];
		scaled[i] = known ? wall->head[i] * clock.base[i] / clock.head[i] : wall->head[i];
	}
	return is_longer(s, wall->base, less, wall->n, &unused) && is_longer(s, wall->base, scaled, wall->n, &unused);
}

static const char *although(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, "task-clock") &&
		    gate_judgement(&s->gates[i])->verdict == VERDICT_IMPROVEMENT)
			return "CPU time fell";
	return "no gate regressed";
}

bool pair_wall_words(const struct scenario_result *s, struct strbuf *out)
{
	CLEANUP(sides_release) struct sides wall = { 0 };
	double change;

	if (s->state == SCENARIO_FAILED || s->settings.window_s > 0 || is_judged(s) || scenario_result_regressed(s))
		return false;
	take_sides(s, "wall-time", &wall);
	if (!is_longer(s, wall.base, wall.head, wall.n, &change) || !is_unaccounted(s, &wall))
		return false;
	if (exp(change) >= 2)
		strbuf_addf(out, "wall-time is %.1f times as long", exp(change));
	else
		strbuf_addf(out, "wall-time is longer by %.0f %%", 100 * expm1(change));
	strbuf_addf(out, " although %s: the head waits for something; wall time is shown, not judged: gate wall-time in a "
		    "scenario", although(s));
	return true;
}

/* -------- why a gate is no plain pass */

/* Link orders of one program differ by up to so much, in percent of its time. */
#define LINKER_PCT 2
/* Work that differs by more is told, as a part of the base's. */
#define WORK_DIFFERS 0.01
/* A single window has no range. */
enum { WORK_PAIRS = 2 };

/* " --runs 58 and a larger --budget": what lets N pairs be measured, where fewer were. */
static void say_how(struct judgement *j, const struct scenario_result *s, const char *what, unsigned n,
		    const struct paired_terms *terms)
{
	bool capped = n > pairs_most(terms), ended = scenario_result_pairs(s) < pairs_most(terms);

	/* Neither was the limit. */
	if (s->state == SCENARIO_PARTIAL)
		judge_reason(j, "%s: it was interrupted", what);
	/* There, --runs is how many stored runs there are. */
	else if (capped && s->pairing->confirming)
		judge_reason(j, "%s: pawl ab with --runs %u", what, n);
	else if (capped && ended)
		judge_reason(j, "%s: --runs %u and a larger --budget", what, n);
	else if (capped)
		judge_reason(j, "%s: --runs %u", what, n);
	else
		judge_reason(j, "%s: a larger --budget", what);
}

static void say_too_few(struct judgement *j, const struct scenario_result *s, const struct paired_terms *terms)
{
	unsigned least = paired_first_look(terms->gates);
	char what[120];

	snprintf(what, sizeof what, "%u pair%s, of which at least %u are needed", j->pairs, j->pairs == 1 ? "" : "s", least);
	say_how(j, s, what, least, terms);
}

static void say_inconclusive(struct judgement *j, const struct scenario_result *s, const struct paired_terms *terms)
{
	char what[120];

	if (isinf(j->more_pairs)) {
		judge_reason(j, "cannot be resolved on this machine: with four times as many pairs the change would still be too "
				"near to the tolerance for their spread");
		if (isfinite(j->detectable_pct))
			judge_reason(j, "changes from %.1f %% are seen in %u pairs", j->detectable_pct, j->pairs);
	} else if (isfinite(j->more_pairs)) {
		snprintf(what, sizeof what, "about %.0f more would decide", ceil(j->more_pairs));
		say_how(j, s, what, j->pairs + (unsigned)ceil(j->more_pairs), terms);
	} else {
		judge_reason(j, "the interval reaches beyond the tolerance");
	}
}

/* J has its numbers and PAIRED's verdict; its reason is added. */
static void pair_words(struct judgement *j, const struct scenario_result *s, const struct paired_terms *terms,
		const struct paired *paired)
{
	if (paired->too_few && j->verdict == VERDICT_REGRESSION)
		judge_reason(j, "too few pairs for an interval (%u), but worse in each of them by more than noise explains", j->pairs);
	else if (paired->too_few)
		say_too_few(j, s, terms);
	else if (j->verdict == VERDICT_INCONCLUSIVE)
		say_inconclusive(j, s, terms);
	else if (isnan(j->change_pct) && j->verdict == VERDICT_REGRESSION)
		judge_reason(j, "one side counted none, so there is no ratio");
}

/* -------- of the scenario */

static void note_once(struct scenario_result *s, const char *note)
{
	if (!strv_has(&s->notes, note))
		strv_push(&s->notes, note);
}

static void say_identity(struct scenario_result *s)
{
	const char *base = s->pairing->base.measured->executable, *head = s->pairing->head.measured->executable;

	if (base && head && !strcmp(base, head))
		strv_pushf(&s->explanation, "both sides run the same executable (%.24s)%s", head,
			   scenario_result_regressed(s) ? ": look at its arguments, its input and its libraries" : "");
}

static double range_of_work(const struct scenario_result *side)
{
	size_t n;
	CLEANUP(free_ptr) double *work = scenario_result_values(side, METRIC_WORK, &n);

	return n ? stats_most(work, n) - stats_least(work, n) : NAN;
}

/*
 * A window of a fixed length ends when it ends, and so does a load that works for a fixed time: there, more work is
 * what a faster program does. So a side's work must differ by more than it does from window to window.
 */
static void say_work(struct scenario_result *s)
{
	const struct scenario_result *sides[] = { s->pairing->base.measured, s->pairing->head.measured };
	double base = scenario_result_median(sides[0], METRIC_WORK), head = scenario_result_median(sides[1], METRIC_WORK);
	double range = fmax(range_of_work(sides[0]), range_of_work(sides[1]));

	if (s->settings.window_s > 0 || scenario_result_pairs(s) < WORK_PAIRS ||
	    !(fabs(head - base) > fmax(WORK_DIFFERS * base, 2 * range)))
		return;
	strv_pushf(&s->explanation, "the sides do different work: %.6g a window in the base, %.6g in the head; what grows with "
		   "it is judged per %s", base, head, scenario_result_work_unit(s));
}

static void say_linker(struct scenario_result *s)
{
	char note[200];

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct judgement *j = gate_judgement(&s->gates[i]);

		if (!j->pairs || j->ref.metric->kind != KIND_TIME || j->tolerance_pct >= LINKER_PCT)
			continue;
		snprintf(note, sizeof note, "a tolerance of %g %% on %.60s judges the linker: the order of linking alone moves a "
			 "program by up to %d %%", j->tolerance_pct, j->ref.metric->name, LINKER_PCT);
		note_once(s, note);
	}
}

/* In a comparison of pairs alone the whole result says it first, see judge_together(). */
static void say_wall(struct scenario_result *s)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	if (s->pairing->confirming && pair_wall_words(s, &words))
		note_once(s, words.buf);
}

/* What the reader must know of both sides: the same bytes, different work, a tolerance that judges the linker. */
static void pair_words_scenario(struct scenario_result *s)
{
	say_identity(s);
	say_work(s);
	say_linker(s);
	say_wall(s);
}

/* -------- one gate */

/* The values of a metric in the pairs of which both sides have one that has a ratio, in order. */
struct pair_series {
	double *base, *head, *differences;
	size_t n, n_differences;
};

static void pair_series_release(struct pair_series *series)
{
	free(series->base);
	free(series->head);
	free(series->differences);
}

bool judge_pair_applies(const struct gate *gate)
{
	return gate->kind == GATE_METRIC && gate->relative && gate->metric->source != SOURCE_SIMULATED;
}

/* What S's pairing holds GATE to. */
static struct paired_terms judge_pair_terms(const struct scenario_result *s, const struct gate *gate)
{
	const struct pairing *pairing = s->pairing;

	return (struct paired_terms){
		.gates = pairing->gates, .pairs_most = pairing->pairs_most, .floor = log1p(pairing->floor_pct / 100),
		.tolerance = paired_tolerance(gate),
	};
}

static void take_series(const struct scenario_result *s, const struct metric_ref *ref, struct pair_series *out)
{
	CLEANUP(free_ptr) char *name = metric_ref_name(ref);
	size_t n, kept = 0;

	*out = (struct pair_series){ 0 };
	scenario_result_pair_values(s, name, &out->base, &out->head, &n);
	for (size_t i = 0; i < n; i++) {
		if (!(out->base[i] >= 0 && out->head[i] >= 0))
			continue;
		out->base[kept] = out->base[i];
		out->head[kept++] = out->head[i];
	}
	out->n = kept;
	out->differences = xcalloc(kept + 1, sizeof *out->differences);
	out->n_differences = paired_differences(ref->metric, out->base, out->head, kept, out->differences);
}

/* What the pairs say; false when they say nothing. */
static bool look(const struct scenario_result *s, const struct gate *gate, const struct pair_series *series, bool ended,
		 struct paired *out)
{
	struct paired_terms terms = judge_pair_terms(s, gate);

	return series->n_differences && paired_decide(series->differences, series->n_differences, ended, &terms, out);
}

static bool is_below_least(const struct scenario_result *s, const struct metric_ref *ref, const struct pair_series *series,
			   const struct paired *paired)
{
	CLEANUP(free_ptr) double *more = xcalloc(series->n + 1, sizeof *more);

	for (size_t i = 0; i < paired->pairs; i++)
		more[i] = series->head[i] - series->base[i];
	return !paired->too_few && judge_below_least(paired->verdict, stats_median(more, paired->pairs),
						     scenario_result_least(s->pairing->head.measured, ref, true));
}

/*
 * Whether the pairs so far leave GATE undecided. Then *LOOK_OUT is after how many to look again, 0: there is no look left, and
 * *MORE_OUT about how many more would decide it, INFINITY: this machine cannot tell; 0 before the first pair. What no pair
 * has measured is not undecided, since more pairs would not tell.
 */
static bool judge_pair_undecided(const struct scenario_result *s, const struct gate *gate, unsigned *look_out, double *more_out)
{
	struct paired_terms terms = judge_pair_terms(s, gate);
	unsigned most = pairs_most(&terms), next;
	CLEANUP(pair_series_release) struct pair_series series;
	size_t n = scenario_result_pairs(s);
	struct metric_ref ref;
	struct paired paired;

	judge_choose_values(gate->metric, s->pairing->head.measured, &ref);
	take_series(s, &ref, &series);
	if (n && (ref.simulated || !look(s, gate, &series, false, &paired) || paired.decided ||
		  is_below_least(s, &ref, &series, &paired)))
		return false;
	next = paired_next_look(&terms, (unsigned)series.n_differences);
	/* Pairs that did not measure it do not bring its look nearer. */
	if (next)
		next += (unsigned)(n - series.n_differences);
	*look_out = next > most && n < most ? most : next > most ? 0 : next;
	*more_out = n ? paired.more : 0;
	return true;
}

/* -------- what was found, as the gate shows it */

static double finite_or_nan(double x)
{
	return isinf(x) ? NAN : x;
}

static void set_numbers(struct judgement *j, const struct pair_series *series, const struct paired *paired)
{
	double detectable = finite_or_nan(paired->detectable);

	j->pairs = paired->pairs;
	j->n_baseline = j->n_current = paired->pairs;
	j->verdict = paired->verdict;
	j->baseline = stats_median(series->base, paired->pairs);
	j->current = stats_median(series->head, paired->pairs);
	j->detectable_pct = 100 * (j->ref.metric->higher_is_better ? -expm1(-detectable) : expm1(detectable));
	if (paired->verdict == VERDICT_INCONCLUSIVE)
		j->more_pairs = paired->more;
	/* From nothing, or to nothing, there is no ratio. */
	if (!(j->baseline > 0 && j->current > 0) && j->baseline != j->current)
		return;
	judge_set_change(j, finite_or_nan(paired->estimate), finite_or_nan(paired->low), finite_or_nan(paired->high));
}

static bool judge_differences(const struct gate *gate, struct judgement *j, const struct scenario_result *s)
{
	CLEANUP(pair_series_release) struct pair_series series;
	struct paired_terms terms = judge_pair_terms(s, gate);
	struct paired paired;

	take_series(s, &j->ref, &series);
	if (!look(s, gate, &series, true, &paired)) {
		judge_reason(j, "no pair has a value of both sides that can be compared");
		return false;
	}
	j->tolerance_pct = paired_tolerance_pct(gate);
	set_numbers(j, &series, &paired);
	if (is_below_least(s, &j->ref, &series, &paired)) {
		judge_let_small_pass(j);
	} else {
		pair_words(j, s, &terms, &paired);
	}
	return true;
}

/* -------- what needs no pairs */

/* A simulated value repeats: the base's side is compared as a baseline would be. */
static void judge_simulated(struct judgement *j, const struct scenario_result *s, const struct machine *machine)
{
	CLEANUP(free_ptr) char *name = metric_ref_name(&j->ref);
	CLEANUP(free_ptr) double *base = NULL, *head = NULL;
	struct baseline_session session = { 0 };
	struct baseline before = { .sessions = &session, .n_sessions = 1 };

	base = scenario_result_values(s->pairing->base.measured, name, &j->n_baseline);
	head = scenario_result_values(s->pairing->head.measured, name, &j->n_current);
	for (size_t i = 0; i < j->n_baseline; i++)
		series_add(&session.series, name, base[i]);
	stored_compare(j, s, machine, &before, head, j->n_current);
	series_set_release(&session.series);
}

/* Limits hold for the head, whatever the base did. */
static void judge_limits(struct judgement *j, const struct scenario_result *s)
{
	CLEANUP(free_ptr) char *name = metric_ref_name(&j->ref);
	CLEANUP(free_ptr) double *head = scenario_result_values(s->pairing->head.measured, name, &j->n_current);

	j->current = stats_median(head, j->n_current);
}

/* -------- whether there is anything to judge by */

static bool lacks(const struct scenario_result *side, const struct metric_ref *ref)
{
	CLEANUP(free_ptr) char *name = metric_ref_name(ref);

	return !scenario_result_count(side, name);
}

/* Why SIDE has no value: as judge_missing() says it of a scenario that was measured. */
static void say_missing(struct judgement *j, const struct scenario_result *side, const struct scenario_result *s,
			const struct machine *machine)
{
	struct scenario_result view = *side;

	view.state = SCENARIO_MEASURED;
	view.attached = s->attached;
	judge_missing(j, &view, machine);
}

static bool has_values(const struct gate *gate, struct judgement *j, const struct scenario_result *s,
		       const struct machine *machine)
{
	const struct scenario_result *base = s->pairing->base.measured, *head = s->pairing->head.measured;
	struct metric_ref ref;
	bool known;

	if (s->state == SCENARIO_FAILED || !scenario_result_pairs(s)) {
		judge_reason(j, s->state == SCENARIO_FAILED ? "the scenario failed" : "interrupted before a pair was complete");
		return false;
	}
	if (gate->relative && s->pairing->one_program) {
		judge_reason(j, "%s", s->pairing->one_program);
		return false;
	}
	known = judge_choose_values(gate->metric, head, &ref);
	if (known && !(gate->relative && lacks(base, &ref))) {
		j->ref = ref;
		return true;
	}
	if (known)
		judge_reason(j, "only the head has a value");
	else if (!lacks(base, &ref))
		judge_reason(j, "only the base has a value");
	say_missing(j, known ? base : head, s, machine);
	return false;
}

/* The base's runs of the same session stand for the stored ones. */
static bool judge_overrun_in_pairs(const struct gate *gate, struct judgement *j, const struct scenario_result *s)
{
	CLEANUP(free_ptr) double *walls = NULL;
	size_t n;

	if (s->pairing->one_program)
		return false;
	walls = scenario_result_values(s->pairing->base.measured, "wall-time", &n);
	if (!judge_overrun(gate, j, s, s->pairing->head.measured->timed_out_ms, walls, n, "the base's"))
		return false;
	j->tolerance_pct = paired_tolerance_pct(gate);
	return true;
}

bool judge_pair(const struct gate *gate, struct judgement *j, const struct scenario_result *s, const struct machine *machine)
{
	bool judged = true;

	judgement_reset(j, gate);
	j->done = true;
	if (judge_overrun_in_pairs(gate, j, s))
		return true;
	if (!has_values(gate, j, s, machine))
		return false;
	if (!gate->relative) {
		judge_limits(j, s);
	} else if (j->ref.simulated) {
		j->tolerance_pct = paired_tolerance_pct(gate);
		judge_simulated(j, s, machine);
	} else {
		judged = judge_differences(gate, j, s);
	}
	if (judged)
		judge_check_budget(gate, j);
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

static bool is_looked_at(const struct scenario_result *s, const struct gate_result *g)
{
	return judge_pair_applies(&g->gate) && (!s->pairing->confirming || judge_pairs_wants_confirming(s, g));
}

/* Without any gate in pairs, those of the first look serve for what is shown and simulated. */
static unsigned first_look(const struct scenario_result *s)
{
	struct paired_terms terms = { .gates = s->pairing->gates, .pairs_most = s->pairing->pairs_most };

	return s->pairing->confirming ? 0 : paired_next_look(&terms, 0);
}

unsigned judge_pairs_next_look(const struct scenario_result *scenario)
{
	unsigned next = scenario_result_pairs(scenario) ? 0 : first_look(scenario);

	/* One, for what is limited, and to see that it runs. */
	if (scenario->pairing->one_program)
		return scenario_result_pairs(scenario) ? 0 : 1;
	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *g = &scenario->gates[i];
		unsigned look = 0;
		double more;

		if (is_looked_at(scenario, g) && judge_pair_undecided(scenario, &g->gate, &look, &more) && look && (!next || look < next))
			next = look;
	}
	return next;
}

double judge_pairs_missing(const struct scenario_result *scenario)
{
	double least = INFINITY, more;
	unsigned look;

	for (size_t i = 0; i < scenario->n_gates; i++)
		if (is_looked_at(scenario, &scenario->gates[i]) &&
		    judge_pair_undecided(scenario, &scenario->gates[i].gate, &look, &more) && look)
			least = fmin(least, more);
	return least;
}

/* -------- once no more come */

/* Symbols of one program tell as little of the change as its times. */
static void judge_one_program(struct scenario_result *s, const struct machine *machine)
{
	judge_symbols(s, machine, NULL);
	for (size_t i = 0; i < s->n_gates; i++) {
		struct gate_result *g = &s->gates[i];

		if (g->gate.kind == GATE_METRIC || !g->gate.relative)
			continue;
		judgement_reset(&g->stored, &g->gate);
		judge_reason(&g->stored, "%s", s->pairing->one_program);
	}
}

void judge_pairs(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	strv_release(&scenario->explanation);
	for (size_t i = 0; i < scenario->n_gates; i++) {
		struct gate_result *g = &scenario->gates[i];

		if (g->gate.kind != GATE_METRIC)
			continue;
		judgement_reset(&g->stored, &g->gate);
		judge_pair(&g->gate, &g->paired, scenario, machine);
	}
	if (scenario->pairing->one_program) {
		judge_one_program(scenario, machine);
		return;
	}
	judge_forgive_ipc(scenario, base);
	judge_symbols(scenario, machine, base);
	if (scenario->state == SCENARIO_FAILED || !scenario_result_pairs(scenario))
		return;
	explain_scenario(scenario, base, true);
	pair_words_scenario(scenario);
}

/* -------- confirming */

bool judge_pairs_wants_confirming(const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct metric *metric = gate->gate.metric;
	const struct judgement *stored = &gate->stored;

	if (scenario->state != SCENARIO_MEASURED || gate->paired.done || stored->ref.simulated ||
	    !judge_pair_applies(&gate->gate))
		return false;
	/* It was measured, and no baseline of this class could be set beside it. */
	if (stored->verdict == VERDICT_NOT_MEASURED)
		return !metric->portable && scenario->baseline_class && !isnan(stored->current);
	return metric->kind == KIND_TIME && !stored->gross &&
	       (stored->verdict == VERDICT_REGRESSION || stored->verdict == VERDICT_INCONCLUSIVE);
}

/*
 * Pairs that are no pairs leave the stored judgement as it was; so do too few of them against one that called it a
 * regression. Where stored runs told nothing, what few pairs tell is more. True: it was judged by pairs.
 */
static bool confirm(struct gate_result *g, const struct scenario_result *s, const struct machine *machine)
{
	const char *beyond = judge_beyond_budget(&g->gate, &g->stored);
	unsigned least = paired_first_look(s->pairing->gates);
	struct judgement *paired = &g->paired;

	if (judge_pair(&g->gate, paired, s, machine) &&
	    (paired->pairs >= least || paired->verdict == VERDICT_REGRESSION || g->stored.verdict != VERDICT_REGRESSION)) {
		if (beyond && !judge_beyond_budget(&g->gate, paired)) {
			paired->verdict = VERDICT_REGRESSION;
			judge_reason(paired, "%s against the stored runs", beyond);
		}
		return paired->pairs > 0;
	}
	if (paired->pairs)
		judge_reason(&g->stored, "not confirmed: %u pairs of at least %u", paired->pairs, least);
	else
		judge_reason(&g->stored, "could not be confirmed: %s", paired->reason ?: "no pair was measured");
	judgement_reset(paired, &g->gate);
	return false;
}

static bool take_head_profile(struct scenario_result *s)
{
	const struct profile *head = &s->pairing->head.measured->profile;

	if (!profile_exists(head))
		return false;
	profile_release(&s->profile);
	profile_copy(&s->profile, head);
	return true;
}

void judge_pairs_confirm(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	bool confirmed = false;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		struct gate_result *g = &scenario->gates[i];

		if (judge_pairs_wants_confirming(scenario, g) && confirm(g, scenario, machine))
			confirmed = true;
	}
	if (!confirmed)
		return;
	judge_forgive_ipc(scenario, base);
	strv_release(&scenario->explanation);
	/* Profiles of both sides are there where something regressed: then they, too, are of one hour. */
	if (take_head_profile(scenario) && profile_exists(&base->profile))
		judge_symbols(scenario, machine, base);
	else
		judge_symbols_account(scenario, machine, base);
	explain_scenario(scenario, base, true);
	pair_words_scenario(scenario);
}
