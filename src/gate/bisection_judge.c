/* What a comparison says of a commit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "gate/bisection.h"

const char *const bisect_state_names[] = {
	[BISECT_UNTESTED] = "untested", [BISECT_GOOD] = "good", [BISECT_BAD] = "bad", [BISECT_SKIPPED] = "skipped", NULL,
};

const char *bisect_state_name(enum bisect_state state)
{
	return bisect_state_names[state];
}

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

	return j->verdict == VERDICT_REGRESSION && gate->gate.relative && metric->source != SOURCE_PROFILE &&
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
