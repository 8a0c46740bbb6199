#include "report/nothing.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "report/commands.h"
#include "report/standing.h"

/* Bytes of a failure that a headline has room for. */
enum { FAILURE_LONGEST = 120 };

void nothing_add_failure(struct strbuf *out, const struct scenario_result *scenario)
{
	size_t line = scenario->failure ? strcspn(scenario->failure, "\n") : 0;
	size_t len = scenario->failure ? utf8_clip(scenario->failure, FAILURE_LONGEST) : 0;

	strbuf_add(out, scenario->failure, line < len ? line : len);
	if (len < line)
		strbuf_adds(out, "...");
}

/* The first gate of that standing which says why. */
static const struct gate_result *first_reasoned(const struct result *result, enum standing standing)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		for (size_t k = 0; k < result->scenarios[i].n_gates; k++) {
			const struct gate_result *gate = &result->scenarios[i].gates[k];

			if (standing_of_gate(gate) == standing && gate_judgement(gate)->reason)
				return gate;
		}
	return NULL;
}

static void add_others(struct strbuf *out, size_t n)
{
	if (n > 1)
		strbuf_addf(out, " and %zu more", n - 1);
}

static void blame_failed(const struct result *result, struct strbuf *why, struct strbuf *command)
{
	const struct scenario_result *scenario = standing_first(result, STANDING_FAILED);

	strbuf_adds(why, "could not measure ");
	strbuf_adds(why, scenario->name);
	add_others(why, standing_scenarios(result, STANDING_FAILED));
	if (scenario->failure) {
		strbuf_adds(why, " (");
		nothing_add_failure(why, scenario);
		strbuf_addc(why, ')');
	}
	strbuf_adds(why, "; once it is mended");
	command_again(command, result, scenario);
}

static void blame_unfinished(const struct result *result, struct strbuf *why, struct strbuf *command)
{
	strbuf_adds(why, "PARTIAL, interrupted before a gate could be judged; start again");
	command_again(command, result, result->n_scenarios == 1 ? &result->scenarios[0] : NULL);
}

static void blame_new(const struct result *result, struct strbuf *why, struct strbuf *command)
{
	size_t n = standing_scenarios_with(result, STANDING_NEW);
	const struct scenario_result *scenario = NULL;

	for (size_t i = 0; i < result->n_scenarios && !scenario; i++)
		if (standing_count(&result->scenarios[i], STANDING_NEW))
			scenario = &result->scenarios[i];
	strbuf_addf(why, "no baseline for %s", scenario->name);
	add_others(why, n);
	strbuf_adds(why, "; accept what is measured");
	command_accept(command, result, n == 1 ? scenario : NULL);
}

/* What a program prints is no matter of this machine's counters. */
static bool says_itself(const struct metric *metric)
{
	return metric->source == SOURCE_PRINTED || metric->source == SOURCE_LOAD;
}

/* Nor is which program was started. */
static bool says_one_program(const struct result *result, const struct gate_result *gate)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct pairing *pairing = result->scenarios[i].pairing;

		if (pairing && pairing->one_program && !strcmp(pairing->one_program, gate_judgement(gate)->reason))
			return true;
	}
	return false;
}

static void blame_not_measured(const struct result *result, struct strbuf *why, struct strbuf *command)
{
	const struct scenario_result *only = result->n_scenarios == 1 ? &result->scenarios[0] : NULL;
	const char *foreign = standing_foreign_class(result, &result->scenarios[0]);
	const struct gate_result *gate = first_reasoned(result, STANDING_MISSING);

	if (!gate)
		gate = first_reasoned(result, STANDING_NOT_MEASURED);
	if (foreign) {
		strbuf_addf(why, "the baseline is of another machine class (%s); accept one of this class", foreign);
		command_accept(command, result, only);
		return;
	}
	strbuf_adds(why, gate ? gate_judgement(gate)->reason : "no gated metric was measured");
	if (gate && !isnan(gate_judgement(gate)->current)) {
		strbuf_adds(why, "; accept what is measured");
		command_accept(command, result, only);
	} else if (gate && (says_itself(gate->gate.metric) || says_one_program(result, gate))) {
		strbuf_adds(why, "; once it is mended");
		command_again(command, result, only);
	} else {
		strbuf_adds(why, "; see what this machine can count");
		strbuf_adds(command, "pawl doctor");
	}
}

static void blame_no_gates(const struct result *result, struct strbuf *why, struct strbuf *command)
{
	const struct scenario_result *scenario = standing_first(result, STANDING_NO_GATES);

	if (!scenario) {
		strbuf_adds(why, "no scenario was run; see which there are");
		strbuf_adds(command, "pawl list");
		return;
	}
	strbuf_addf(why, "no scenario has a gate; write gates: in %s, then",
		    scenario->path ? scenario->path : scenario->name);
	command_again(command, result, scenario);
}

enum blame nothing_blame(const struct result *result)
{
	if (result_judged_anything(result))
		return BLAME_NOBODY;
	if (standing_scenarios(result, STANDING_FAILED))
		return BLAME_FAILED;
	if (result->partial || standing_scenarios(result, STANDING_PARTIAL) ||
	    standing_scenarios(result, STANDING_SKIPPED))
		return BLAME_UNFINISHED;
	if (standing_gates(result, STANDING_MISSING))
		return BLAME_NOT_MEASURED;
	if (standing_gates(result, STANDING_NEW))
		return BLAME_NEW;
	return standing_gates(result, STANDING_NOT_MEASURED) ? BLAME_NOT_MEASURED : BLAME_NO_GATES;
}

void nothing_explain(const struct result *result, enum blame blame, struct strbuf *why, struct strbuf *command)
{
	static void (*const explain[])(const struct result *, struct strbuf *, struct strbuf *) = {
		[BLAME_FAILED] = blame_failed,     [BLAME_UNFINISHED] = blame_unfinished,
		[BLAME_NEW] = blame_new,	       [BLAME_NOT_MEASURED] = blame_not_measured,
		[BLAME_NO_GATES] = blame_no_gates,
	};

	explain[blame](result, why, command);
}
