#include "gate/pair_wall.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/paired.h"

/* Less is told by its row alone, in percent. */
enum { TOLD_FROM_PCT = 20 };

static bool is_judged(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, "wall-time"))
			return true;
	return false;
}

/* By the rule that gates have: surely longer, and by more than is told. */
static bool is_longer(const struct scenario_result *s, double *change_out)
{
	struct gate_result wall = { .gate = { .metric = metric_find("wall-time"), .relative = true } };
	struct paired_terms terms = {
		.gates = s->pairing->gates, .pairs_most = s->pairing->pairs_most, .tolerance = log1p(TOLD_FROM_PCT / 100.0),
	};
	CLEANUP(free_ptr) double *base = NULL, *head = NULL, *differences = NULL;
	CLEANUP(free_ptr) char *series = NULL;
	struct paired paired;
	size_t n;

	wall.per_work = scenario_result_count(s->pairing->head.measured, METRIC_WORK) &&
			metric_grows_with_work(wall.gate.metric);
	series = gate_result_series(&wall);
	scenario_result_pair_values(s, series, &base, &head, &n);
	differences = xcalloc(n + 1, sizeof *differences);
	n = paired_differences(wall.gate.metric, base, head, n, differences);
	if (!n || !paired_decide(differences, n, true, &terms, &paired) || paired.verdict != VERDICT_REGRESSION)
		return false;
	*change_out = paired.estimate;
	return true;
}

static const char *although(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, "task-clock") && s->gates[i].verdict == VERDICT_IMPROVEMENT)
			return "CPU time fell";
	return "no gate regressed";
}

bool pair_wall_words(const struct scenario_result *s, struct strbuf *out)
{
	double change;

	if (s->state == SCENARIO_FAILED || s->settings.window_s > 0 || is_judged(s) || scenario_result_regressed(s) ||
	    !is_longer(s, &change))
		return false;
	if (exp(change) >= 2)
		strbuf_addf(out, "wall-time is %.1f times as long", exp(change));
	else
		strbuf_addf(out, "wall-time is longer by %.0f %%", 100 * expm1(change));
	strbuf_addf(out, " although %s: the head waits for something; wall time is shown, not judged: gate wall-time in a "
		    "scenario", although(s));
	return true;
}
