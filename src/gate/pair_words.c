#include "gate/pair_words.h"

#include <math.h>

#include "base/cleanup.h"
#include "gate/judge_missing.h"
#include "gate/pair_wall.h"
#include "stats/order.h"

/* Link orders of one program differ by up to so much, in percent of its time. */
#define LINKER_PCT 2
/* Work that differs by more is told, as a part of the base's. */
#define WORK_DIFFERS 0.01
/* A single window has no range. */
enum { WORK_PAIRS = 2 };

static unsigned pairs_most(const struct paired_terms *terms)
{
	return terms->pairs_most ? terms->pairs_most : PAIRS_MOST;
}

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

void pair_words(struct judgement *j, const struct scenario_result *s, const struct paired_terms *terms,
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

void pair_words_scenario(struct scenario_result *s)
{
	say_identity(s);
	say_work(s);
	say_linker(s);
	say_wall(s);
}
