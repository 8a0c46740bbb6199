#include "report/standing.h"

#include <math.h>

#include "base/mem.h"

static const struct {
	const char *word;
	enum tone tone;
} standings[] = {
	[STANDING_FAILED] = {"FAILED", TONE_BAD},
	[STANDING_MISSING] = {"NOT MEASURED", TONE_BAD},
	[STANDING_REGRESSION] = {"REGRESSION", TONE_BAD},
	[STANDING_PARTIAL] = {"PARTIAL", TONE_DOUBT},
	[STANDING_SKIPPED] = {"NOT STARTED", TONE_DOUBT},
	[STANDING_INCONCLUSIVE] = {"INCONCLUSIVE", TONE_DOUBT},
	[STANDING_NOT_MEASURED] = {"NOT MEASURED", TONE_DOUBT},
	[STANDING_NEW] = {"NEW", TONE_DOUBT},
	[STANDING_NO_GATES] = {"NO GATES", TONE_DOUBT},
	[STANDING_ACCEPTED] = {"accepted", TONE_GOOD},
	[STANDING_IMPROVEMENT] = {"improvement", TONE_GOOD},
	[STANDING_PASS] = {"pass", TONE_GOOD},
	[STANDING_QUIET_INCONCLUSIVE] = {"inconclusive", TONE_PLAIN},
	[STANDING_QUIET_NOT_MEASURED] = {"not measured", TONE_PLAIN},
	[STANDING_QUIET_NEW] = {"new", TONE_PLAIN},
};

const char *standing_word(enum standing standing)
{
	return standings[standing].word;
}

enum tone standing_tone(enum standing standing)
{
	return standings[standing].tone;
}

enum standing standing_of_gate(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	static const enum standing of_verdict[] = {
		[VERDICT_PASS] = STANDING_PASS,
		[VERDICT_REGRESSION] = STANDING_REGRESSION,
		[VERDICT_IMPROVEMENT] = STANDING_IMPROVEMENT,
		[VERDICT_INCONCLUSIVE] = STANDING_INCONCLUSIVE,
		[VERDICT_NOT_MEASURED] = STANDING_NOT_MEASURED,
		[VERDICT_NEW] = STANDING_NEW,
		[VERDICT_ACCEPTED] = STANDING_ACCEPTED,
	};

	if (gate_result_quiet(gate))
		return j->verdict == VERDICT_NEW ? STANDING_QUIET_NEW :
		       j->verdict == VERDICT_INCONCLUSIVE ? STANDING_QUIET_INCONCLUSIVE : STANDING_QUIET_NOT_MEASURED;
	if (j->verdict == VERDICT_NOT_MEASURED && gate->gate.required)
		return STANDING_MISSING;
	return of_verdict[j->verdict];
}

bool standing_follows(const struct scenario_result *scenario, const struct gate_result *gate)
{
	return scenario->state != SCENARIO_MEASURED && gate_judgement(gate)->verdict == VERDICT_NOT_MEASURED;
}

static enum standing of_state(const struct scenario_result *scenario)
{
	switch (scenario->state) {
	case SCENARIO_FAILED:
		return scenario_result_overran(scenario) ? STANDING_PASS : STANDING_FAILED;
	case SCENARIO_PARTIAL:
		return STANDING_PARTIAL;
	case SCENARIO_SKIPPED:
		return STANDING_SKIPPED;
	default:
		return scenario->n_gates ? STANDING_PASS : STANDING_NO_GATES;
	}
}

enum standing standing_of(const struct scenario_result *scenario)
{
	enum standing worst = of_state(scenario);

	for (size_t i = 0; i < scenario->n_gates; i++) {
		enum standing standing = standing_of_gate(&scenario->gates[i]);

		if (standing < worst && !standing_follows(scenario, &scenario->gates[i]))
			worst = standing;
	}
	return worst;
}

const struct gate_result *standing_gate(const struct scenario_result *scenario, enum standing standing)
{
	const struct gate_result *first = NULL;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		if (standing_of_gate(gate) != standing || standing_follows(scenario, gate))
			continue;
		if (gate->gate.metric->kind == KIND_TIME)
			return gate;
		first = first ? first : gate;
	}
	return first;
}

size_t standing_count(const struct scenario_result *scenario, enum standing standing)
{
	size_t n = 0;

	for (size_t i = 0; i < scenario->n_gates; i++)
		n += standing_of_gate(&scenario->gates[i]) == standing &&
		     !standing_follows(scenario, &scenario->gates[i]);
	return n;
}

size_t standing_compared(const struct scenario_result *scenario)
{
	size_t n = 0;

	for (size_t i = 0; i < scenario->n_gates; i++)
		n += gate_result_judged(&scenario->gates[i]);
	return n;
}

const struct scenario_result *standing_first(const struct result *result, enum standing standing)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (standing_of(&result->scenarios[i]) == standing)
			return &result->scenarios[i];
	return NULL;
}

size_t standing_scenarios(const struct result *result, enum standing standing)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++)
		n += standing_of(&result->scenarios[i]) == standing;
	return n;
}

size_t standing_scenarios_with(const struct result *result, enum standing standing)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++)
		n += standing_count(&result->scenarios[i], standing) > 0;
	return n;
}

size_t standing_gates(const struct result *result, enum standing standing)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++)
		n += standing_count(&result->scenarios[i], standing);
	return n;
}

size_t standing_gates_all(const struct result *result)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++)
		n += result->scenarios[i].n_gates;
	return n;
}

size_t standing_gates_loud(const struct result *result)
{
	return standing_gates_all(result) - standing_gates(result, STANDING_QUIET_NEW) -
	       standing_gates(result, STANDING_QUIET_NOT_MEASURED) - standing_gates(result, STANDING_QUIET_INCONCLUSIVE);
}

/* A gate whose value the baseline has nothing to compare with. */
static bool lacks_baseline(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return j->verdict == VERDICT_NOT_MEASURED && gate->gate.relative && !isnan(j->current);
}

bool standing_can_accept(const struct scenario_result *scenario)
{
	if (scenario->state == SCENARIO_FAILED || (scenario->pairing && !scenario->pairing->confirming))
		return false;
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (lacks_baseline(&scenario->gates[i]))
			return true;
	return standing_count(scenario, STANDING_REGRESSION) || standing_count(scenario, STANDING_IMPROVEMENT) ||
	       standing_count(scenario, STANDING_NEW);
}

size_t *standing_order(const struct result *result)
{
	size_t *order = xcalloc(result->n_scenarios + 1, sizeof *order);
	size_t n = 0;

	for (int standing = 0; standing < STANDING_COUNT; standing++)
		for (size_t i = 0; i < result->n_scenarios; i++)
			if ((int)standing_of(&result->scenarios[i]) == standing)
				order[n++] = i;
	return order;
}

const char *standing_foreign_class(const struct result *result, const struct scenario_result *scenario)
{
	char *class = machine_class(&result->machine);
	bool foreign = scenario->baseline_class && strcmp(scenario->baseline_class, class);

	free(class);
	return foreign ? scenario->baseline_class : NULL;
}
