#include "judge/gate.h"

#include <math.h>

#include "base/mem.h"
#include "judge/explain.h"
#include "model/events.h"
#include "model/measured.h"
#include "model/metrics/numbers.h"
#include "stats/stats.h"

/* -------- why a gate cannot be judged */

void judge_reason(struct scenario_result *s, struct judgement *j, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	va_list args;

	if (j->reason)
		strbuf_addf(&text, "%s; ", j->reason);
	va_start(args, fmt);
	strbuf_vaddf(&text, fmt, args);
	va_end(args);
	j->reason = arena_strdup(&s->arena, text.buf);
}

static const char *find_note(const struct side_result *side, const char *with)
{
	for (size_t i = 0; i < side->notes.n; i++)
		if (text_starts(side->notes.items[i], with))
			return side->notes.items[i];
	return NULL;
}

void judge_missing(struct scenario_result *s, struct judgement *j, const struct side_result *side,
		   const struct machine *machine)
{
	const struct metric *metric = j->metric;
	const char *events[2], *reason = "no run gave a value";
	size_t n_events = metric_events(metric, events);
	bool simulable = metric->simulated && !side->attached;
	const char *not_simulated = find_note(side, NOTE_NOT_SIMULATED);

	/*
	 * perf's own rows have the best reason. Take the first event of METRIC without a value, in the last run that
	 * counted it.
	 */
	for (size_t i = n_events; i-- > 0;)
		for (size_t r = 0; r < side->n_runs; r++) {
			enum missing why;

			perf_rows_value(&side->runs[r].rows, events[i], &why);
			if (why != MISSING_NOT && why != MISSING_ROW)
				reason = missing_reason(why);
		}

	if (side->state == SCENARIO_FAILED)
		judge_reason(s, j, "the scenario failed");
	else if (side->state != SCENARIO_MEASURED)
		judge_reason(s, j, "interrupted after %zu of %u %s%s", side->n_runs, side->runs_wanted,
			     side->attached ? "window" : "run", side->runs_wanted == 1 ? "" : "s");
	else if (metric->benchmark)
		judge_reason(s, j, "it has no value%s%s", metric->why ? ": " : "", metric->why ?: "");
	else if (metric->source == SOURCE_CUSTOM)
		judge_reason(s, j, "the output had no match of metrics.%s", metric->name);
	else if (metric->source == SOURCE_PROFILE)
		judge_reason(s, j, "%s",
			     side->profile.warnings.n ? side->profile.warnings.items[0] : "no profile was taken");
	else if (metric->source == SOURCE_LOAD)
		judge_reason(s, j, "it is not known how much work was done: the scenario needs load.work");
	else if (events_counting(metric, machine->tier) < COUNTING_USER)
		judge_reason(s, j, "%s%s%s", machine->tier_reason ?: event_needs_counter(events[0]) ?
			     "this machine has no hardware counters" : "perf is not used", simulable ? "; " : "",
			     !simulable ? "" : not_simulated ?: "with valgrind installed and counters: auto it is simulated");
	else if (metric->source == SOURCE_SIMULATED && side->attached)
		judge_reason(s, j, "simulation needs a command target; this one was attached to");
	else if (metric->source == SOURCE_HEAP)
		judge_reason(s, j, side->attached ? "heaptrack needs a command target; this one was attached to" :
			     "heaptrack counted nothing: see the notes");
	else if (metric->source == SOURCE_CALLS)
		judge_reason(s, j, "%s", side->attached ? "system calls are counted from a command's start; this target was attached to" :
			     find_note(side, NOTE_NOT_TRACED) ?: "system calls were not counted");
	else if (metric->source == SOURCE_FILE)
		judge_reason(s, j, side->attached ? "sizes are those of a command's file; this target was attached to" :
			     "its command is not a compiled program, which is where the sizes come from");
	else if (metric->source == SOURCE_SIMULATED)
		judge_reason(s, j, "%s", not_simulated ?: "no simulation ran; valgrind is not installed");
	else
		judge_reason(s, j, "%s", reason);
}

bool judge_same_class(const struct machine *machine, const struct baseline *base)
{
	CLEANUP(free_ptr) char *here = machine_class(machine), *there = machine_class(&base->machine);

	return !strcmp(here, there);
}

bool judge_class_allows(struct scenario_result *s, struct judgement *j, const struct machine *machine,
			const struct baseline *base, const struct metric *metric)
{
	CLEANUP(free_ptr) char *here = machine_class(machine), *there = machine_class(&base->machine);

	if (!strcmp(here, there) || (metric->portable && !strcmp(machine->arch, base->machine.arch)))
		return true;
	judge_reason(s, j, "the baseline is of another machine class, %s; this is %s: accept a baseline here", there,
		     here);
	return false;
}

void judge_excuse(struct scenario_result *s, const char *why, bool new)
{
	s->head.state = SCENARIO_MEASURED;
	for (size_t i = 0; i < s->n_gates; i++) {
		struct gate_result *g = &s->gates[i];

		gate_result_forget(g);
		g->gate.required = false;
		g->stored.verdict = new && g->gate.relative ? VERDICT_NEW : VERDICT_NOT_MEASURED;
		judge_reason(s, &g->stored, "%s (%s)", why, s->head.failure);
	}
	NOTE(&s->head, "%s: %s", why, s->head.failure);
	s->head.failure = NULL;
}

/* -------- steps common to every gate */

/* A timeout proves a regression only from this multiple of the longest run. */
#define OVERRUN_TIMES 10.0
/* Fewest runs for that proof. */
enum { OVERRUN_LEAST = 3 };

double judge_tolerance(const struct metric *metric, double tolerance_pct)
{
	double t = tolerance_pct / 100;

	return metric->higher_is_better ? -log1p(-t) : log1p(t);
}

double judge_claim(const struct gate *gate)
{
	double t = gate->tolerance_pct / 100;

	if (!gate->claim)
		return 0;
	return gate->metric->higher_is_better ? log1p(t) : -log1p(-t);
}

enum verdict judge_claimed(double claim, double low, double high)
{
	double least = claim * (1 - JUDGE_ROUNDING);

	return -high >= least ? VERDICT_IMPROVEMENT : -low < least ? VERDICT_REGRESSION : VERDICT_INCONCLUSIVE;
}

/* Converts the logarithm of a ratio to a change in percent. */
static double percent(double log_ratio)
{
	return expm1(log_ratio) * 100;
}

void judge_set_change(struct judgement *j, double estimate, double low, double high)
{
	bool flip = j->metric->higher_is_better;

	j->change_pct = percent(flip ? -estimate : estimate);
	j->low_pct = percent(flip ? -high : low);
	j->high_pct = percent(flip ? -low : high);
}

bool judge_below_least(enum verdict verdict, double difference, double least)
{
	return (verdict == VERDICT_REGRESSION || verdict == VERDICT_INCONCLUSIVE) && least > 0 && fabs(difference) <= least;
}

void judge_pass_small(struct scenario_result *s, struct judgement *j)
{
	j->verdict = VERDICT_PASS;
	j->more_pairs = NAN;
	/* An unchanged value needs no reason. */
	if (j->current != j->baseline)
		judge_reason(s, j, "the change is smaller than any that counts");
}

/* Tolerances of exact counts: a path in the environment may be one byte longer. */
#define SAME_WORK 1e-4
enum { SAME_FAULTS = 2 };

static double median_of(const struct side_result *head, const struct side_result *base, const struct baseline *stored,
			const struct metric *metric)
{
	CLEANUP(free_ptr) double *values = NULL;
	size_t n;

	if (base)
		return side_result_median(base, metric);
	if (!baseline_counted_alike(stored, head->simulator, metric))
		return NAN;
	values = baseline_values(stored, metric, &n);
	return n ? stats_median(values, n) : NAN;
}

bool judge_same_work(const struct side_result *head, const struct side_result *base, const struct baseline *stored)
{
	static const struct { const struct metric *metric; double least; bool needed; } counts[] = {
		{ METRIC(SIM_INSTRUCTIONS), 0, true }, { METRIC(INSTRUCTIONS), 0, true }, { METRIC(PAGE_FAULTS), SAME_FAULTS, false },
		{ METRIC(ALLOCATIONS), 0, false },
	};
	bool known = false;

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		double now = side_result_median(head, counts[i].metric), before = median_of(head, base, stored, counts[i].metric);

		/* The CPU's own count is inexact, and is used only without a simulated one. */
		if (isnan(now) || isnan(before) || (known && counts[i].needed))
			continue;
		if (fabs(now - before) > fmax(SAME_WORK * before, counts[i].least))
			return false;
		known |= counts[i].needed;
	}
	return known;
}

const struct metric *judge_choose_values(const struct metric *metric, const struct side_result *side)
{
	const struct metric *normalised = side_result_normalised(side, metric);

	if (normalised == metric && metric->simulated && !side_result_count(side, metric))
		return metric->simulated;
	return normalised;
}

const char *judge_beyond_budget(const struct gate *gate, const struct judgement *j)
{
	if (j->current > gate->max)
		return "over its absolute budget";
	return j->current < gate->min ? "under its absolute minimum" : NULL;
}

void judge_check_budget(struct scenario_result *s, const struct gate *gate, struct judgement *j)
{
	const char *beyond = judge_beyond_budget(gate, j);

	if (beyond) {
		j->verdict = VERDICT_REGRESSION;
		judge_reason(s, j, "%s", beyond);
	} else if (!gate->relative) {
		j->verdict = VERDICT_PASS;
	}
}

bool judge_overrun(const struct gate *gate, struct judgement *j, struct scenario_result *s, double timed_out_ms,
		   const struct earlier_runs *earlier)
{
	double longest;

	if (!gate->relative || gate->metric->kind != KIND_TIME || gate->metric->source == SOURCE_CUSTOM ||
	    !(timed_out_ms > 0) || earlier->n < OVERRUN_LEAST)
		return false;
	longest = stats_most(earlier->walls, earlier->n);
	if (longest * OVERRUN_TIMES > timed_out_ms)
		return false;
	j->verdict = VERDICT_REGRESSION;
	j->gross = true;
	judge_reason(s, j, "a %s reached its timeout of %s; none of %s (%zu) took more than %s",
		     scenario_result_runs(s, 1), format_duration((uint64_t)(1e6 * timed_out_ms)).s, earlier->whose, earlier->n,
		     format_duration((uint64_t)(1e6 * longest)).s);
	return true;
}

struct gate_result *judge_find_gate(struct scenario_result *s, const struct metric *metric)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (s->gates[i].gate.metric == metric)
			return &s->gates[i];
	return NULL;
}

/*
 * IPC also falls if cheap instructions are removed. Less work in less time is not a regression, and cycles fall too.
 * If cycles rose, the remaining work takes longer and the regression stays.
 */
void judge_forgive_ipc(struct scenario_result *s, const struct baseline *base)
{
	struct gate_result *ipc = judge_find_gate(s, METRIC(IPC));
	double clock, instructions, cycles;
	struct judgement *j;

	if (!base || !ipc)
		return;
	j = ipc->paired.done ? &ipc->paired : &ipc->stored;
	if (j->verdict != VERDICT_REGRESSION || judge_beyond_budget(&ipc->gate, j))
		return;
	clock = explain_change(s, base, METRIC(TASK_CLOCK));
	instructions = explain_change(s, base, METRIC(INSTRUCTIONS));
	cycles = explain_change(s, base, METRIC(CYCLES));
	if (!(clock < 0 && instructions < 0 && cycles < 0))
		return;
	j->verdict = VERDICT_PASS;
	judge_reason(s, j, "IPC fell because cheap instructions went: %.1f %% fewer of them and %.1f %% less task-clock",
		     -expm1(instructions) * 100, -expm1(clock) * 100);
}
