#include "report/reasons.h"

#include <string.h>

#include "report/format.h"
#include "report/standing.h"

static bool same_reason(const struct gate_result *a, const struct gate_result *b)
{
	return a->reason && b->reason && !strcmp(a->reason, b->reason);
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
	strbuf_addf(&text, ": %s", scenario->gates[first].reason);
	strv_take(out, strbuf_take(&text));
}

void reasons_list(const struct scenario_result *scenario, struct strv *out)
{
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (scenario->gates[i].reason && !standing_follows(scenario, &scenario->gates[i]) &&
		    !said_before(scenario, i))
			add_reason(scenario, i, out);
	if (standing_of(scenario) == STANDING_NO_GATES)
		strv_pushf(out, "no gate judges it: write gates: in %s",
			   scenario->path ? scenario->path : scenario->name);
}
