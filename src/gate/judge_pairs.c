#include "gate/judge_pairs.h"

#include <math.h>

#include "gate/explain.h"
#include "gate/judge_gate.h"
#include "gate/judge_missing.h"
#include "gate/judge_pair.h"
#include "gate/judge_symbols.h"
#include "gate/pair_words.h"

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

		if (g->gate.metric->source != SOURCE_PROFILE || !g->gate.relative)
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

		if (g->gate.metric->source == SOURCE_PROFILE)
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
