#include "report/severity.h"

#include <string.h>

#include "base/mem.h"
#include "model/cause.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/result.h"

static const struct {
	const char *word;
	enum tone tone;
	const char *means;	/* NULL: an earlier entry has the same word */
} severities[] = {
	[SEVERITY_FAILED] = { "FAILED", TONE_BAD, "a scenario could not be measured; its reason and the last lines of its output follow" },
	[SEVERITY_MISSING] = { "NOT MEASURED", TONE_BAD, "a gate's metric has no value; if the gate is `required`, the status is 3" },
	[SEVERITY_REGRESSION] = { "REGRESSION", TONE_BAD, "a gate is worse than its limit allows" },
	[SEVERITY_REFUTED] = { "REFUTED", TONE_BAD, "a claimed improvement is smaller than claimed, or there is none" },
	[SEVERITY_UNPROVEN] = { "NOT PROVEN", TONE_BAD, "the measurement cannot decide a claimed improvement" },
	[SEVERITY_PARTIAL] = { "PARTIAL", TONE_WARNING, "measuring was interrupted; complete runs are kept" },
	[SEVERITY_SKIPPED] = { "NOT STARTED", TONE_WARNING, "the run was interrupted before this scenario" },
	[SEVERITY_INCONCLUSIVE] = { "INCONCLUSIVE", TONE_WARNING, "the measurement cannot decide a gate; the report says what would" },
	[SEVERITY_NOT_MEASURED] = { "NOT MEASURED", TONE_WARNING, NULL },
	[SEVERITY_NEW] = { "new", TONE_PLAIN, "measured, with nothing to compare with" },
	[SEVERITY_NO_GATES] = { "NO GATES", TONE_WARNING, "a scenario was measured but has no gate, so nothing can fail" },
	[SEVERITY_ACCEPTED] = { "accepted", TONE_GOOD, "a regression that the change's own baseline accepts" },
	[SEVERITY_IMPROVEMENT] = { "improvement", TONE_GOOD, "better by more than the limit" },
	[SEVERITY_PROVEN] = { "PROVEN", TONE_GOOD, "a claimed improvement holds" },
	[SEVERITY_PASS] = { "pass", TONE_GOOD, "no gate is worse than its limit allows" },
	[SEVERITY_QUIET_INCONCLUSIVE] = { "inconclusive", TONE_PLAIN, "pawl's own gate on symbols could not decide; it does not count" },
	[SEVERITY_QUIET_NOT_MEASURED] = { "not measured", TONE_PLAIN, "pawl's own gate on symbols was not measured; it does not count" },
	[SEVERITY_QUIET_NEW] = { "new", TONE_PLAIN, NULL },
	[SEVERITY_FOLLOWS] = { "NOT MEASURED", TONE_WARNING, NULL },
};

const char *severity_word(enum severity severity)
{
	return severities[severity].word;
}

const char *severity_means(enum severity severity)
{
	return severities[severity].means;
}

enum tone severity_tone(enum severity severity)
{
	return severities[severity].tone;
}

enum severity severity_of_gate(const struct scenario_result *scenario, const struct gate_result *gate)
{
	static const struct {
		enum severity loud, quiet, claim;
	} of_verdict[] = {
		[VERDICT_PASS] = { SEVERITY_PASS, SEVERITY_PASS, SEVERITY_PASS },
		[VERDICT_REGRESSION] = { SEVERITY_REGRESSION, SEVERITY_REGRESSION, SEVERITY_REFUTED },
		[VERDICT_IMPROVEMENT] = { SEVERITY_IMPROVEMENT, SEVERITY_IMPROVEMENT, SEVERITY_PROVEN },
		[VERDICT_INCONCLUSIVE] = { SEVERITY_INCONCLUSIVE, SEVERITY_QUIET_INCONCLUSIVE, SEVERITY_UNPROVEN },
		[VERDICT_NOT_MEASURED] = { SEVERITY_NOT_MEASURED, SEVERITY_QUIET_NOT_MEASURED, SEVERITY_MISSING },
		[VERDICT_NEW] = { SEVERITY_NEW, SEVERITY_QUIET_NEW, SEVERITY_MISSING },
		[VERDICT_ACCEPTED] = { SEVERITY_ACCEPTED, SEVERITY_ACCEPTED, SEVERITY_ACCEPTED },
	};
	enum verdict verdict = gate_judgement(gate)->verdict;

	if (scenario->head.state != SCENARIO_MEASURED && verdict == VERDICT_NOT_MEASURED)
		return SEVERITY_FOLLOWS;
	if (gate->gate.claim)
		return of_verdict[verdict].claim;
	if (gate_result_quiet(gate))
		return of_verdict[verdict].quiet;
	return verdict == VERDICT_NOT_MEASURED && gate->gate.required ? SEVERITY_MISSING : of_verdict[verdict].loud;
}

static bool is_first(const struct scenario_result *scenario)
{
	size_t n = 0;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		enum severity severity = severity_of_gate(scenario, &scenario->gates[i]);

		if (severity != SEVERITY_NEW && severity != SEVERITY_NOT_MEASURED && severity < SEVERITY_QUIET_INCONCLUSIVE)
			return false;
		n += severity == SEVERITY_NEW;
	}
	return n && !scenario->baseline_label;
}

enum severity severity_of(const struct scenario_result *scenario)
{
	enum severity worst = scenario->n_gates ? SEVERITY_PASS : SEVERITY_NO_GATES;

	if (scenario->head.state == SCENARIO_FAILED)
		worst = scenario_result_overran(scenario) ? SEVERITY_PASS : SEVERITY_FAILED;
	else if (scenario->head.state != SCENARIO_MEASURED)
		worst = scenario->head.state == SCENARIO_PARTIAL ? SEVERITY_PARTIAL : SEVERITY_SKIPPED;
	for (size_t i = 0; i < scenario->n_gates; i++) {
		enum severity severity = severity_of_gate(scenario, &scenario->gates[i]);

		worst = severity < worst ? severity : worst;
	}
	/* A first measurement is reported as one, even if the machine cannot measure some gate. */
	return worst == SEVERITY_NOT_MEASURED && is_first(scenario) ? SEVERITY_NEW : worst;
}

/* True if GATE can show the scenario's cause. Waiting shows only in metrics that include it; CPU time may rise too. */
static bool is_of_the_cause(const struct scenario_result *scenario, const struct gate_result *gate)
{
	enum cause_kind kind = scenario->n_causes ? scenario->causes[0].kind : CAUSE_KINDS;

	return gate->gate.metric->waits || (kind != CAUSE_WAITING && kind != CAUSE_PARALLELISM);
}

const struct gate_result *severity_gate(const struct scenario_result *scenario, enum severity severity)
{
	const struct gate_result *first = NULL, *first_time = NULL;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		if (severity_of_gate(scenario, gate) != severity)
			continue;
		first = first ?: gate;
		if (gate->gate.metric->kind != KIND_TIME)
			continue;
		if (is_of_the_cause(scenario, gate))
			return gate;
		first_time = first_time ?: gate;
	}
	return first_time ?: first;
}

size_t severity_count(const struct scenario_result *scenario, enum severity severity)
{
	size_t n = 0;

	for (size_t i = 0; i < scenario->n_gates; i++)
		n += severity_of_gate(scenario, &scenario->gates[i]) == severity;
	return n;
}

const char *scenario_foreign_class(const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);

	return scenario->baseline_class && strcmp(scenario->baseline_class, class) ? scenario->baseline_class : NULL;
}

bool pairs_only(const struct scenario_result *scenario)
{
	return scenario->paired && !scenario->pairing.confirming;
}
