#include "report/reasons.h"

#include <math.h>
#include <string.h>

#include "report/format.h"
#include "report/standing.h"

/* A change that is so much off that of the medians, in points, and by half or more, is told to be another number. */
#define DISAGREE_PCT 2.0

static bool same_reason(const struct gate_result *a, const struct gate_result *b)
{
	const char *x = gate_judgement(a)->reason, *y = gate_judgement(b)->reason;

	return x && y && !strcmp(x, y);
}

static bool said_before(const struct scenario_result *scenario, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (same_reason(&scenario->gates[i], &scenario->gates[at]))
			return true;
	return false;
}

static void add_reason(const struct scenario_result *scenario, size_t first, struct strv *out)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = first; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		if (!same_reason(&scenario->gates[first], gate))
			continue;
		strbuf_adds(&text, text.len ? ", " : "");
		format_gate(&text, scenario, gate);
	}
	strbuf_addf(&text, ": %s", gate_judgement(&scenario->gates[first])->reason);
	strv_take(out, strbuf_take(&text));
}

/*
 * Whether a reader must wonder: the change is the middle of the differences between runs, which may go another way than the two
 * medians that stand beside it.
 */
static bool medians_disagree(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	double pct = 100 * (j->current / j->baseline - 1);

	if (gate->gate.metric->source == SOURCE_PROFILE || !(j->baseline > 0) || !isfinite(pct) || !isfinite(j->change_pct))
		return false;
	return fabs(pct - j->change_pct) >= DISAGREE_PCT &&
	       (pct * j->change_pct <= 0 || fabs(pct) > 2 * fabs(j->change_pct) || 2 * fabs(pct) < fabs(j->change_pct));
}

static void add_disagreements(const struct scenario_result *scenario, struct strv *out)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		if (!medians_disagree(&scenario->gates[i]))
			continue;
		strbuf_adds(&names, names.len ? ", " : "");
		format_gate(&names, scenario, &scenario->gates[i]);
	}
	if (names.len)
		strv_pushf(out, "%s: the change is the middle of all differences between %s, not that of the two medians beside it",
			   names.buf, scenario->pairing ? "runs of a pair" : "runs");
	strbuf_release(&names);
}

void reasons_list(const struct scenario_result *scenario, struct strv *out)
{
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (gate_judgement(&scenario->gates[i])->reason && !standing_follows(scenario, &scenario->gates[i]) &&
		    !said_before(scenario, i))
			add_reason(scenario, i, out);
	add_disagreements(scenario, out);
	if (standing_of(scenario) == STANDING_NO_GATES)
		strv_pushf(out, "no gate judges it: write gates: in %s",
			   scenario->path ? scenario->path : scenario->name);
}
