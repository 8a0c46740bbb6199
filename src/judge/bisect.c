#include "judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* -------- what a comparison makes of a commit */

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
	const struct gate_result *worst = NULL;
	double most = 0, half;

	for (size_t i = 0; i < whole->n_gates; i++) {
		const struct gate_result *g = &whole->gates[i];
		const struct judgement *j = gate_judgement(g);
		double change;

		/* Shares of a profile, and waiting, are no ratio of two runs, and an absolute limit knows no base. */
		if (j->verdict != VERDICT_REGRESSION || g->gate.kind != GATE_METRIC || g->gate.metric->source == SOURCE_SWITCHES || !g->gate.relative ||
		    !(j->change_pct > -100) || isinf(j->change_pct))
			continue;
		change = bisection_worsening(j->change_pct, g->gate.metric->higher_is_better);
		if (change > most) {
			most = change;
			worst = g;
		}
	}
	if (!worst)
		return false;
	take_numbers(whole, gate_judgement(worst), &b->whole);
	b->whole.state = BISECT_BAD;
	free(b->metric);
	b->metric = xstrdup(worst->gate.metric->name);
	b->higher_is_better = worst->gate.metric->higher_is_better;
	half = most / 2;
	b->tolerance_pct = b->higher_is_better ? -100 * expm1(-half) : 100 * expm1(half);
	return true;
}

struct gate bisection_gate(const struct bisection *b, const struct metric *metric)
{
	return (struct gate){
		.metric = metric, .relative = true, .tolerance_pct = b->tolerance_pct, .max = NAN, .min = NAN,
	};
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
	struct strbuf reason = STRBUF_INIT;

	free(step->reason);
	step->reason = NULL;
	step->state = BISECT_SKIPPED;
	step->change_pct = step->low_pct = step->high_pct = NAN;
	if (j)
		take_numbers(measured, j, step);
	if (!j || measured->head.state == SCENARIO_FAILED)
		strbuf_adds(&reason, measured->head.failure ?: "it could not be measured");
	else if (j->verdict == VERDICT_REGRESSION)
		step->state = BISECT_BAD;
	else if (j->verdict == VERDICT_PASS || j->verdict == VERDICT_IMPROVEMENT)
		step->state = BISECT_GOOD;
	else if (j->verdict == VERDICT_NOT_MEASURED || j->verdict == VERDICT_NEW)
		strbuf_addf(&reason, "%s was not measured%s%s", b->metric, j->reason ? ": " : "", j->reason ?: "");
	else
		strbuf_addf(&reason, "undecided after %zu pairs", scenario_result_pairs(measured));
	if (step->state == BISECT_SKIPPED)
		step->reason = strbuf_take(&reason);
}

void bisection_confirm(const struct bisection *b, const struct scenario_result *measured, struct bisect_step *step)
{
	double least;

	bisection_judge(b, measured, step);
	least = bisection_worsening(b->higher_is_better ? step->high_pct : step->low_pct, b->higher_is_better);
	if (measured->head.state == SCENARIO_FAILED || !(least > 0) || isinf(least))
		return;
	/* The scenario's tolerance is for the whole; part of it counts here. */
	step->state = BISECT_BAD;
	free(step->reason);
	step->reason = NULL;
}

/* -------- the search */

/*
 * What a comparison of commit I is worth: so many commits are ruled out whatever it finds, times the chance that it
 * finds anything. What keeps a commit from being built often keeps its neighbours too, the more so the more were
 * skipped.
 */
static double worth(const struct bisection *b, const struct suspects *s, size_t i)
{
	size_t before = i - s->first + 1, behind = s->last - i, nearest = 0;
	double chance = 1;

	for (size_t k = s->first; k < s->last; k++) {
		size_t distance = k > i ? k - i : i - k;

		if (b->states[k] == BISECT_SKIPPED && (!nearest || distance < nearest))
			nearest = distance;
	}
	if (nearest)
		chance = (double)nearest / (double)(nearest + s->skipped);
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
	unsigned steps = 0;

	for (size_t n = bisection_suspects(b).untested; n; n /= 2)
		steps++;
	return steps;
}
