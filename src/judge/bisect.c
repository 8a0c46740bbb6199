#include "judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* -------- what a comparison says of a commit */

/* What a comparison says of a commit. */

const char *const bisect_state_names[] = {
	[BISECT_UNTESTED] = "untested", [BISECT_GOOD] = "good", [BISECT_BAD] = "bad", [BISECT_SKIPPED] = "skipped", NULL,
};

/* On the log scale, positive is worse. */
static double worsening(double change_pct, bool higher_is_better)
{
	double change = log1p(change_pct / 100);

	return higher_is_better ? -change : change;
}

/* Half of a change, as a tolerance is written. */
static double half_pct(double change, bool higher_is_better)
{
	return higher_is_better ? -100 * expm1(-change / 2) : 100 * expm1(change / 2);
}

/* Shares of a profile are no ratio of two runs, and an absolute limit knows no base. */
static bool can_decide(const struct gate_result *gate)
{
	const struct metric *metric = gate->gate.metric;
	const struct judgement *j = gate_judgement(gate);

	return j->verdict == VERDICT_REGRESSION && gate->gate.kind == GATE_METRIC && gate->gate.relative &&
	       j->change_pct > -100 && isfinite(j->change_pct) && worsening(j->change_pct, metric->higher_is_better) > 0;
}

static const struct gate_result *worst_gate(const struct scenario_result *s)
{
	const struct gate_result *worst = NULL;
	double most = 0;

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate_result *gate = &s->gates[i];
		double change = !can_decide(gate) ? 0 : worsening(gate_judgement(gate)->change_pct, gate->gate.metric->higher_is_better);

		if (change > most) {
			most = change;
			worst = gate;
		}
	}
	return worst;
}

/* With fewer pairs than the first look needs a gate has no count of them, but they were measured. */
static void take_numbers(const struct scenario_result *measured, const struct judgement *j, struct bisect_step *step)
{
	step->change_pct = j->change_pct;
	step->low_pct = j->low_pct;
	step->high_pct = j->high_pct;
	step->pairs = (unsigned)scenario_result_pairs(measured);
}

bool bisection_plan(struct bisection *b, const struct scenario_result *whole)
{
	const struct gate_result *gate = worst_gate(whole);

	if (!gate)
		return false;
	take_numbers(whole, gate_judgement(gate), &b->whole);
	b->whole.state = BISECT_BAD;
	free(b->metric);
	b->metric = xstrdup(gate->gate.metric->name);
	b->higher_is_better = gate->gate.metric->higher_is_better;
	b->tolerance_pct = half_pct(worsening(b->whole.change_pct, b->higher_is_better), b->higher_is_better);
	return true;
}

struct gate bisection_gate(const struct bisection *b, const struct metric *metric)
{
	return (struct gate){
		.metric = metric, .relative = true, .tolerance_pct = b->tolerance_pct, .max = NAN, .min = NAN,
	};
}

static char *why_undecided(const struct scenario_result *measured, const struct judgement *j)
{
	struct strbuf words = STRBUF_INIT;

	if (j->verdict == VERDICT_NOT_MEASURED || j->verdict == VERDICT_NEW)
		strbuf_addf(&words, "%s was not measured%s%s", j->ref.metric->name, j->reason ? ": " : "", j->reason ?: "");
	else
		strbuf_addf(&words, "undecided after %zu pairs", scenario_result_pairs(measured));
	return strbuf_take(&words);
}

static const struct judgement *deciding(const struct bisection *b, const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (s->gates[i].gate.relative && !strcmp(s->gates[i].gate.metric->name, b->metric))
			return gate_judgement(&s->gates[i]);
	return NULL;
}

void bisection_judge(const struct bisection *b, const struct scenario_result *measured, struct bisect_step *step)
{
	const struct judgement *j = deciding(b, measured);

	free(step->reason);
	step->reason = NULL;
	step->state = BISECT_SKIPPED;
	step->change_pct = step->low_pct = step->high_pct = NAN;
	if (j)
		take_numbers(measured, j, step);
	if (!j || measured->state == SCENARIO_FAILED) {
		step->reason = xstrdup(measured->failure ?: "it could not be measured");
	} else if (j->verdict == VERDICT_REGRESSION) {
		step->state = BISECT_BAD;
	} else if (j->verdict == VERDICT_PASS || j->verdict == VERDICT_IMPROVEMENT) {
		step->state = BISECT_GOOD;
	} else {
		step->reason = why_undecided(measured, j);
	}
}

void bisection_confirm(const struct bisection *b, const struct scenario_result *measured, struct bisect_step *step)
{
	double least;

	bisection_judge(b, measured, step);
	least = worsening(b->higher_is_better ? step->high_pct : step->low_pct, b->higher_is_better);
	if (measured->state == SCENARIO_FAILED || !(least > 0) || !isfinite(least))
		return;
	/* The scenario's tolerance is for the whole; part of it counts here. */
	step->state = BISECT_BAD;
	free(step->reason);
	step->reason = NULL;
}

const char *bisect_outcome_name(enum bisect_outcome outcome)
{
	static const char *const names[] = {
		[BISECT_UNFINISHED] = "unfinished", [BISECT_NOTHING] = "nothing", [BISECT_FIRST_BAD] = "first-bad",
		[BISECT_NARROWED] = "narrowed", [BISECT_UNCONFIRMED] = "unconfirmed", [BISECT_LOST] = "lost",
	};

	return names[outcome];
}

enum bisect_outcome bisection_outcome(const struct bisection *b)
{
	struct suspects s = bisection_suspects(b);

	if (b->whole.state == BISECT_GOOD || b->whole.state == BISECT_SKIPPED)
		return BISECT_NOTHING;
	if (b->whole.state == BISECT_UNTESTED || s.untested)
		return BISECT_UNFINISHED;
	if (s.skipped && s.last - s.first + 1 == b->commits.n)
		return BISECT_LOST;
	if (b->found.state == BISECT_UNTESTED)
		return BISECT_UNFINISHED;
	if (b->found.state != BISECT_BAD)
		return BISECT_UNCONFIRMED;
	return s.skipped ? BISECT_NARROWED : BISECT_FIRST_BAD;
}

int bisection_status(const struct bisection *b)
{
	enum bisect_outcome outcome = bisection_outcome(b);

	return outcome == BISECT_FIRST_BAD || outcome == BISECT_NARROWED ? STATUS_OK : STATUS_NOT_MEASURED;
}

double bisection_explained_pct(const struct bisection *b)
{
	double whole = worsening(b->whole.change_pct, b->higher_is_better);

	if (b->found.state == BISECT_UNTESTED || !(whole > 0))
		return NAN;
	return 100 * worsening(b->found.change_pct, b->higher_is_better) / whole;
}

/* The least and the most that STEP is worse by, on the log scale. */
static void bounds(const struct bisect_step *step, bool higher_is_better, double *least, double *most)
{
	*least = worsening(higher_is_better ? step->high_pct : step->low_pct, higher_is_better);
	*most = worsening(higher_is_better ? step->low_pct : step->high_pct, higher_is_better);
}

int bisection_found_differs(const struct bisection *b)
{
	double least, most, whole_least, whole_most;

	if (b->found.state == BISECT_UNTESTED)
		return 0;
	bounds(&b->found, b->higher_is_better, &least, &most);
	bounds(&b->whole, b->higher_is_better, &whole_least, &whole_most);
	return (least > whole_most) - (most < whole_least);
}

/* -------- the search */

/* The last one known to be good comes before FIRST, the first one known to be bad is LAST. */
struct suspects bisection_suspects(const struct bisection *b)
{
	struct suspects s = { .last = b->commits.n ? b->commits.n - 1 : 0 };

	for (size_t i = 0; i < b->commits.n; i++)
		if (b->states[i] == BISECT_BAD) {
			s.last = i;
			break;
		}
	for (size_t i = 0; i < s.last; i++)
		if (b->states[i] == BISECT_GOOD)
			s.first = i + 1;
	for (size_t i = s.first; i < s.last; i++) {
		s.untested += b->states[i] == BISECT_UNTESTED;
		s.skipped += b->states[i] == BISECT_SKIPPED;
	}
	return s;
}

/* How many commits lie between I and the nearest one that was skipped, and one more; 0: none was. */
static size_t skipped_distance(const struct bisection *b, const struct suspects *s, size_t i)
{
	size_t nearest = 0;

	for (size_t k = s->first; k < s->last; k++) {
		size_t distance = k > i ? k - i : i - k;

		if (b->states[k] == BISECT_SKIPPED && (!nearest || distance < nearest))
			nearest = distance;
	}
	return nearest;
}

/*
 * What a comparison of commit I is worth: so many commits are ruled out whatever it says, times the chance that it says
 * anything. What keeps a commit from being built often keeps its neighbours too, the more so the more were skipped.
 */
static double worth(const struct bisection *b, const struct suspects *s, size_t i)
{
	size_t before = i - s->first + 1, behind = s->last - i;
	size_t distance = s->skipped ? skipped_distance(b, s, i) : 0;
	double chance = distance ? (double)distance / (double)(distance + s->skipped) : 1;

	return (double)(before < behind ? before : behind) * chance;
}

bool bisection_next(const struct bisection *b, size_t *out)
{
	struct suspects s = bisection_suspects(b);
	double best = 0;

	for (size_t i = s.first; i < s.last; i++)
		if (b->states[i] == BISECT_UNTESTED && worth(b, &s, i) > best) {
			best = worth(b, &s, i);
			*out = i;
		}
	return best > 0;
}

unsigned bisection_steps_left(const struct bisection *b)
{
	struct suspects s = bisection_suspects(b);
	unsigned steps = 0;

	for (size_t n = s.untested; n; n /= 2)
		steps++;
	return steps;
}

/* -------- what is known */

void bisect_step_release(struct bisect_step *step)
{
	free(step->base);
	free(step->head);
	free(step->reason);
	*step = (struct bisect_step){ 0 };
}

void bisection_release(struct bisection *b)
{
	char *const texts[] = { b->pawl, b->scenario, b->text, b->class, b->good, b->bad, b->good_ref, b->bad_ref, b->metric,
				b->folder, b->argument };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		free(texts[i]);
	bisect_step_release(&b->whole);
	bisect_step_release(&b->found);
	for (size_t i = 0; i < b->n_steps; i++)
		bisect_step_release(&b->steps[i]);
	free(b->steps);
	strv_release(&b->explanation);
	commits_release(&b->commits);
	free(b->states);
	*b = (struct bisection){ 0 };
}

static bool find(const struct bisection *b, const char *id, size_t *out)
{
	for (size_t i = 0; i < b->commits.n; i++)
		if (!strcmp(b->commits.items[i].id, id)) {
			*out = i;
			return true;
		}
	return false;
}

int bisection_place(struct bisection *b, struct commits *commits, struct error *err)
{
	size_t at;

	b->commits = *commits;
	*commits = (struct commits){ 0 };
	b->states = xcalloc(b->commits.n + 1, sizeof *b->states);
	if (b->commits.n)
		b->states[b->commits.n - 1] = BISECT_BAD;
	for (size_t i = 0; i < b->n_steps; i++) {
		if (!find(b, b->steps[i].head, &at) || at + 1 == b->commits.n)
			return error_set(err, ERR_INPUT, "commit %.12s is not between %.12s and %.12s", b->steps[i].head, b->good,
					 b->bad);
		b->states[at] = b->steps[i].state;
	}
	return 0;
}

const struct commit *bisection_commit(const struct bisection *b, const char *id)
{
	size_t at;

	return id && find(b, id, &at) ? &b->commits.items[at] : NULL;
}

void bisection_note(struct bisection *b, size_t at, struct bisect_step *step)
{
	VEC_GROW(b->steps, b->n_steps, b->cap_steps);
	b->steps[b->n_steps++] = *step;
	b->states[at] = step->state;
	*step = (struct bisect_step){ 0 };
}

const char *bisection_before(const struct bisection *b)
{
	struct suspects s = bisection_suspects(b);

	return s.first ? b->commits.items[s.first - 1].id : b->good;
}

/* The whole, the steps and what was found, one after the other; NULL behind them. */
static const struct bisect_step *step_at(const struct bisection *b, size_t i)
{
	if (!i || i > b->n_steps + 1)
		return i ? NULL : &b->whole;
	return i <= b->n_steps ? &b->steps[i - 1] : &b->found;
}

unsigned bisection_pairs(const struct bisection *b)
{
	const struct bisect_step *step;
	unsigned pairs = 0;

	for (size_t i = 0; (step = step_at(b, i)); i++)
		pairs += step->pairs;
	return pairs;
}

double bisection_elapsed_s(const struct bisection *b)
{
	const struct bisect_step *step;
	double elapsed_s = 0;

	for (size_t i = 0; (step = step_at(b, i)); i++)
		elapsed_s += step->elapsed_s;
	return elapsed_s;
}

unsigned bisection_comparisons(const struct bisection *b)
{
	const struct bisect_step *step;
	unsigned n = 0;

	for (size_t i = 0; (step = step_at(b, i)); i++)
		n += step->pairs > 0;
	return n;
}
