#include "judge/judge.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/events.h"
#include "model/measured.h"
#include "stats/stats.h"

/* -------- why a gate cannot be judged */

/* How far windows may differ in length, as a part of the longer one. */
#define WINDOW_TOLERANCE 0.01

void judge_reason(struct judgement *j, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list args;

	if (j->reason)
		strbuf_addf(&text, "%s; ", j->reason);
	va_start(args, fmt);
	strbuf_vaddf(&text, fmt, args);
	va_end(args);
	free(j->reason);
	j->reason = strbuf_take(&text);
}

/* perf's own rows tell best: the first event of METRIC without a value, in the last run that asked for it. */
static const char *row_reason(const struct scenario_result *s, const struct metric *metric)
{
	const char *events[2];
	size_t n = metric_events(metric, events);

	for (size_t i = 0; i < n; i++) {
		for (size_t r = s->n_runs; r-- > 0;) {
			enum missing why;

			perf_rows_value(&s->runs[r].rows, events[i], &why);
			if (why != MISSING_NOT && why != MISSING_ROW)
				return missing_reason(why);
		}
	}
	return NULL;
}

void judge_missing(struct judgement *j, const struct scenario_result *s, const struct machine *machine)
{
	const struct metric *metric = j->ref.metric;
	const char *events[2];
	bool hardware = metric_events(metric, events) && event_needs_counter(events[0]);
	bool simulable = metric->simulated && !s->attached;
	const char *row = row_reason(s, metric);

	if (s->state == SCENARIO_FAILED)
		judge_reason(j, "the scenario failed");
	else if (s->state != SCENARIO_MEASURED)
		judge_reason(j, "interrupted after %zu of %u %s", s->n_runs, s->runs_wanted,
		       scenario_result_runs(s, s->runs_wanted));
	else if (metric->source == SOURCE_PRINTED)
		judge_reason(j, "the output had no match of metrics.%s", metric->name);
	else if (metric->source == SOURCE_PROFILE)
		judge_reason(j, "%s", s->profile.warnings.n ? s->profile.warnings.items[0] :
			     "no profile was taken");
	else if (metric->source == SOURCE_LOAD)
		judge_reason(j, "nothing tells how much work was done: the scenario needs load.work");
	else if (hardware && !tier_has_hardware(machine->tier))
		judge_reason(j, "%s%s", machine->tier_reason ?: "this machine has no hardware counters",
		       simulable ? "; with valgrind installed and counters: auto it is simulated" : "");
	else if (metric->source == SOURCE_SIMULATED && s->attached)
		judge_reason(j, "simulation needs a command target; this one was attached to");
	else if (machine->tier == TIER_SIM && metric->source != SOURCE_SIMULATED)
		judge_reason(j, "%s", machine->tier_reason ?: "perf is not used");
	else if (metric->source == SOURCE_SIMULATED)
		judge_reason(j, "no simulation ran; valgrind is not installed");
	else
		judge_reason(j, "%s", row ?: "no run gave a value");
}

bool judge_same_class(const struct machine *machine, const struct baseline *base)
{
	CLEANUP(free_ptr) char *here = machine_class(machine);
	CLEANUP(free_ptr) char *there = machine_class(&base->machine);

	return !strcmp(here, there);
}

bool judge_class_allows(struct judgement *j, const struct machine *machine, const struct baseline *base,
			const struct metric *metric)
{
	CLEANUP(free_ptr) char *here = machine_class(machine);
	CLEANUP(free_ptr) char *there = machine_class(&base->machine);

	if (!strcmp(here, there) || (metric->portable && !strcmp(machine->arch, base->machine.arch)))
		return true;
	judge_reason(j, "the baseline is of another machine class, %s; this is %s: accept a baseline here", there, here);
	return false;
}

static bool has_values(struct judgement *j, const struct scenario_result *s, const struct machine *machine,
		       const struct baseline *base)
{
	CLEANUP(free_ptr) char *series = metric_ref_name(&j->ref);

	if (!judge_class_allows(j, machine, base, metric_find(series) ?: j->ref.metric))
		return false;
	if (baseline_count(base, series))
		return true;
	if (j->ref.per_work)
		judge_reason(j, "the baseline has no values per %s; accept a new one", scenario_result_work_unit(s));
	else
		judge_reason(j, "the baseline has no value of %s; accept a new one", series);
	return false;
}

static void add_window(struct strbuf *out, double window_s)
{
	if (window_s > 0)
		strbuf_addf(out, "%g s", window_s);
	else
		strbuf_adds(out, "none");
}

/* Twice as long a window counts twice as much: without the work that was done, only equal ones compare. */
static bool same_window(struct judgement *j, const struct scenario_result *s, const struct baseline *base)
{
	double here = s->settings.window_s, there = base->settings.window_s;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!s->attached || j->ref.per_work || !metric_grows_with_work(j->ref.metric) ||
	    fabs(here - there) <= WINDOW_TOLERANCE * fmax(here, there))
		return true;
	add_window(&text, here);
	strbuf_adds(&text, ", the baseline's ");
	add_window(&text, there);
	judge_reason(j, "the window differs (%s), and nothing tells how much work was done: accept a new baseline, or "
			"add load.work", text.buf);
	return false;
}

bool judge_comparable(struct judgement *j, const struct scenario_result *s, const struct machine *machine,
		      const struct baseline *base)
{
	return has_values(j, s, machine, base) && same_window(j, s, base);
}

void judge_excuse(struct scenario_result *s, const char *why, bool new)
{
	s->state = SCENARIO_MEASURED;
	for (size_t i = 0; i < s->n_gates; i++) {
		struct gate_result *g = &s->gates[i];

		gate_result_forget(g);
		g->gate.required = false;
		g->stored.verdict = new && g->gate.relative ? VERDICT_NEW : VERDICT_NOT_MEASURED;
		judge_reason(&g->stored, "%s (%s)", why, s->failure);
	}
	strv_pushf(&s->notes, "%s: %s", why, s->failure);
	free(s->failure);
	s->failure = NULL;
}

/* -------- what a busy machine excuses */

/* CPU time is the program's own; where nothing tells the work, a window's is what it was given. */
static bool waits(const struct scenario_result *s, const struct judgement *j)
{
	const struct metric *metric = j->ref.metric;

	if (metric->source == SOURCE_PRINTED)
		return metric->kind == KIND_TIME;
	return metric->waits || (s->attached && !j->ref.per_work && metric_grows_with_work(metric));
}

/* What is no longer said to have changed has no cause any more. */
static void forget_causes(struct scenario_result *s)
{
	struct strv rest = STRV_INIT;

	for (size_t i = s->n_causes; i < s->explanation.n; i++)
		strv_push(&rest, s->explanation.items[i]);
	strv_release(&s->explanation);
	s->explanation = rest;
	s->n_causes = 0;
}

void judge_busy(struct result *result)
{
	for (size_t i = 0; result->busy.n && i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];
		bool excused = false;

		for (size_t k = 0; k < s->n_gates; k++) {
			const struct gate *gate = &s->gates[k].gate;
			struct judgement *j = &s->gates[k].stored;

			if (s->gates[k].paired.done || j->verdict != VERDICT_REGRESSION || j->gross || !waits(s, j) ||
			    judge_beyond_budget(gate, j))
				continue;
			j->verdict = VERDICT_INCONCLUSIVE;
			judge_reason(j, "the machine was busy, which alone makes it worse: %s; measure again when it is quiet",
				     result->busy.items[0]);
			excused = true;
		}
		if (excused && !scenario_result_cost_changed(s))
			forget_causes(s);
	}
}

/* -------- what judging does with every gate */

/* A timeout is so many times what the longest run took, or it proves nothing. */
#define OVERRUN_TIMES 10.0

bool judge_choose_values(const struct metric *metric, const struct scenario_result *s, struct metric_ref *out)
{
	CLEANUP(free_ptr) char *name = NULL;

	*out = (struct metric_ref){ .metric = metric };
	out->per_work = scenario_result_count(s, METRIC_WORK) && metric_grows_with_work(metric);
	out->simulated = metric->source == SOURCE_SIMULATED ||
			 (!out->per_work && metric->simulated && !scenario_result_count(s, metric->name));
	name = metric_ref_name(out);
	return scenario_result_count(s, name) > 0;
}

const char *judge_beyond_budget(const struct gate *gate, const struct judgement *j)
{
	if (j->current > gate->max)
		return "over its absolute budget";
	return j->current < gate->min ? "under its absolute minimum" : NULL;
}

void judge_check_budget(const struct gate *gate, struct judgement *j)
{
	const char *beyond = judge_beyond_budget(gate, j);

	if (beyond) {
		j->verdict = VERDICT_REGRESSION;
		judge_reason(j, "%s", beyond);
	} else if (!gate->relative) {
		j->verdict = VERDICT_PASS;
	}
}

bool judge_overrun(const struct gate *gate, struct judgement *j, const struct scenario_result *s, double timed_out_ms,
		   const double *walls, size_t n, const char *whose)
{
	if (!gate->relative || gate->metric->kind != KIND_TIME || gate->metric->source == SOURCE_PRINTED ||
	    !(timed_out_ms > 0) || n < OVERRUN_LEAST || stats_most(walls, n) * OVERRUN_TIMES > timed_out_ms)
		return false;
	j->verdict = VERDICT_REGRESSION;
	j->gross = true;
	judge_reason(j, "a %s reached its timeout of %.4g s; none of %s (%zu) took more than %.2g s",
		     scenario_result_runs(s, 1), timed_out_ms / 1e3, whose, n, stats_most(walls, n) / 1e3);
	return true;
}

struct gate_result *judge_find_gate(struct scenario_result *s, const char *metric)
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
void judge_forgive_ipc(struct scenario_result *s, const struct baseline *base)
{
	struct gate_result *ipc = judge_find_gate(s, "ipc");
	double clock, instructions, cycles;
	struct judgement *j;

	if (!base || !ipc)
		return;
	j = ipc->paired.done ? &ipc->paired : &ipc->stored;
	if (j->verdict != VERDICT_REGRESSION || judge_beyond_budget(&ipc->gate, j))
		return;
	clock = explain_change(s, base, "task-clock");
	instructions = explain_change(s, base, "instructions");
	cycles = explain_change(s, base, "cycles");
	if (!(clock < 0 && instructions < 0 && cycles < 0))
		return;
	j->verdict = VERDICT_PASS;
	judge_reason(j, "IPC fell because cheap instructions went: %.1f %% fewer of them and %.1f %% less task-clock",
		       -expm1(instructions) * 100, -expm1(clock) * 100);
}
