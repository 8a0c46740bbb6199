#include "gate/judge.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "gate/explain.h"
#include "gate/stored.h"
#include "model/passes.h"
#include "model/perfstat.h"
#include "stats/order.h"

/* Scenarios that must all have moved the same way, and by how much, before the machine is suspected. */
enum { TOGETHER_LEAST = 3 };
#define TOGETHER_CHANGE 0.05

static void __attribute__((format(printf, 2, 3))) reason(struct gate_result *g, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list args;

	if (g->reason)
		strbuf_addf(&text, "%s; ", g->reason);
	va_start(args, fmt);
	strbuf_vaddf(&text, fmt, args);
	va_end(args);
	free(g->reason);
	g->reason = strbuf_take(&text);
}

static void forget(struct gate_result *g)
{
	free(g->reason);
	*g = (struct gate_result){
		.gate = g->gate,
		.verdict = VERDICT_NOT_MEASURED,
		.baseline = NAN, .current = NAN,
		.change_pct = NAN, .low_pct = NAN, .high_pct = NAN,
	};
}

/* -------- why there is no number */

/* perf's own rows tell best: the first event of METRIC without a value, in the last run that asked for it. */
static const char *row_reason(const struct scenario_result *s, const struct metric *metric)
{
	const char *events[2];
	size_t n = metric_events(metric, events);

	for (size_t i = 0; i < n; i++) {
		for (size_t r = s->n_runs; r-- > 0;) {
			enum missing why;

			perfstat_value(&s->runs[r].rows, events[i], &why);
			if (why != MISSING_NOT && why != MISSING_ROW)
				return missing_reason(why);
		}
	}
	return NULL;
}

static void not_measured(struct gate_result *g, const struct scenario_result *s, const struct machine *machine)
{
	const struct metric *metric = g->gate.metric;
	const char *events[2];
	bool hardware = metric_events(metric, events) && event_needs_counter(events[0]);
	const char *row = row_reason(s, metric);

	if (s->state == SCENARIO_FAILED)
		reason(g, "the scenario failed");
	else if (s->state != SCENARIO_MEASURED)
		reason(g, "interrupted after %zu of %u runs", s->n_runs, s->runs_wanted);
	else if (hardware && !tier_has_hardware(machine->tier))
		reason(g, "%s%s", machine->tier_reason ?: "this machine has no hardware counters",
		       metric->simulated ? "; with valgrind installed and counters: auto it is simulated" : "");
	else if (machine->tier == TIER_SIM && metric->source != SOURCE_SIMULATED)
		reason(g, "%s", machine->tier_reason ?: "perf is not used");
	else if (metric->source == SOURCE_SIMULATED)
		reason(g, "no simulation ran; valgrind is not installed");
	else
		reason(g, "%s", row ?: "no run gave a value");
}

/* -------- one gate */

/* The metric whose values stand for the gate: its own, or its simulated twin's where it has none. */
static const char *judged_metric(const struct scenario_result *s, const struct metric *metric)
{
	const char *const candidates[] = { metric->name, metric->simulated };

	for (size_t i = 0; i < 2 && candidates[i]; i++)
		if (scenario_result_count(s, candidates[i]))
			return candidates[i];
	return NULL;
}

/* NULL within it; a limit that is NaN is none. */
static const char *beyond_budget(const struct gate_result *g)
{
	if (g->current > g->gate.max)
		return "over its absolute budget";
	return g->current < g->gate.min ? "under its absolute minimum" : NULL;
}

static void check_budget(struct gate_result *g)
{
	const char *beyond = beyond_budget(g);

	if (beyond) {
		g->verdict = VERDICT_REGRESSION;
		reason(g, "%s", beyond);
	} else if (!g->gate.relative) {
		g->verdict = VERDICT_PASS;
	}
}

static bool same_class(const struct machine *machine, const struct baseline *base)
{
	CLEANUP(free_ptr) char *here = machine_class(machine);
	CLEANUP(free_ptr) char *there = machine_class(&base->machine);

	return !strcmp(here, there);
}

static bool comparable(struct gate_result *g, const struct machine *machine, const struct baseline *base,
		       const char *metric)
{
	CLEANUP(free_ptr) char *here = machine_class(machine);
	CLEANUP(free_ptr) char *there = machine_class(&base->machine);
	const struct metric *judged = metric_find(metric) ?: g->gate.metric;

	if (!same_class(machine, base) && (!judged->portable || strcmp(machine->arch, base->machine.arch))) {
		reason(g, "the baseline is of another machine class, %s; this is %s: accept a baseline here", there, here);
		return false;
	}
	if (baseline_count(base, metric))
		return true;
	reason(g, "the baseline has no value of %s; accept a new one", metric);
	return false;
}

static void explain_verdict(struct gate_result *g, const struct change *change)
{
	if (change->below_least)
		reason(g, "the change is smaller than any that counts");
	else if (change->too_few)
		reason(g, "too few runs for an interval (%zu against %zu); measure at least 5", g->n_current, g->n_baseline);
	else if (g->verdict == VERDICT_INCONCLUSIVE && g->gate.metric->kind == KIND_TIME)
		reason(g, "a stored time cannot tell: the same program moves by %.0f %% between two hours on such a machine; "
		       "measure the base commit here and now to be sure", 2 * change->session_spread_pct);
	else if (g->verdict == VERDICT_INCONCLUSIVE)
		reason(g, "the interval reaches beyond the tolerance; more runs or more sessions narrow it");
}

static void compare(struct gate_result *g, const struct machine *machine, const struct baseline *base,
		    const char *metric, const double *values, size_t n)
{
	struct change change;

	if (!base) {
		g->verdict = VERDICT_NEW;
		reason(g, "there is no baseline yet");
		return;
	}
	if (!comparable(g, machine, base, metric))
		return;
	g->n_baseline = baseline_count(base, metric);
	stored_compare(&g->gate, base, metric, values, n, machine->hypervisor != NULL, &change);
	g->verdict = change.verdict;
	g->baseline = change.baseline;
	g->change_pct = change.change_pct;
	g->low_pct = change.low_pct;
	g->high_pct = change.high_pct;
	explain_verdict(g, &change);
}

static void judge_gate(struct gate_result *g, const struct scenario_result *s, const struct machine *machine,
		       const struct baseline *base)
{
	const char *metric = judged_metric(s, g->gate.metric);
	double *values;
	size_t n;

	forget(g);
	if (s->state != SCENARIO_MEASURED || !metric) {
		not_measured(g, s, machine);
		return;
	}
	values = scenario_result_values(s, metric, &n);
	g->current = stats_median(values, n);
	g->n_current = n;
	g->simulated = strcmp(metric, g->gate.metric->name) != 0 || g->gate.metric->source == SOURCE_SIMULATED;
	if (g->gate.relative)
		compare(g, machine, base, metric, values, n);
	check_budget(g);
	free(values);
}

/* -------- gates that know of each other */

static struct gate_result *find_gate(struct scenario_result *s, const char *metric)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, metric))
			return &s->gates[i];
	return NULL;
}

/*
 * IPC also falls when cheap instructions are removed: less work in less time is no regression. Then
 * the cycles fall too; where they rose, what is left takes longer, however little work went.
 */
static void forgive_ipc(struct scenario_result *s, const struct baseline *base)
{
	struct gate_result *ipc = find_gate(s, "ipc");
	double clock, instructions, cycles;

	if (!base || !ipc || ipc->verdict != VERDICT_REGRESSION || beyond_budget(ipc))
		return;
	clock = explain_change(s, base, "task-clock");
	instructions = explain_change(s, base, "instructions");
	cycles = explain_change(s, base, "cycles");
	if (!(clock < 0 && instructions < 0 && cycles < 0))
		return;
	ipc->verdict = VERDICT_PASS;
	reason(ipc, "IPC fell because cheap instructions went: %.1f %% fewer of them and %.1f %% less task-clock",
	       -expm1(instructions) * 100, -expm1(clock) * 100);
}

void judge_scenario(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	strv_release(&scenario->explanation);
	for (size_t i = 0; i < scenario->n_gates; i++)
		judge_gate(&scenario->gates[i], scenario, machine, base);
	forgive_ipc(scenario, base);
	if (base && scenario->state == SCENARIO_MEASURED)
		explain_scenario(scenario, base, same_class(machine, base));
}

void judge_together(struct result *result)
{
	size_t judged = 0, slower = 0, faster = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct gate_result *g = find_gate(&result->scenarios[i], "task-clock");
		double change = g ? g->change_pct / 100 : NAN;

		if (isnan(change))
			continue;
		judged++;
		slower += change > TOGETHER_CHANGE;
		faster += change < -TOGETHER_CHANGE;
	}
	if (judged >= TOGETHER_LEAST && (slower == judged || faster == judged))
		strv_pushf(&result->notes,
			   "all %zu scenarios became %s together: suspect the machine, not the program", judged,
			   slower ? "slower" : "faster");
}
