#include "judge/judge.h"

#include <math.h>

#include "base/mem.h"
#include "base/regex.h"
#include "base/text.h"
#include "judge/explain.h"
#include "judge/gate.h"
#include "judge/pairs.h"
#include "judge/stored.h"
#include "judge/symbols.h"
#include "model/cost.h"
#include "stats/stats.h"

/* -------- windows that go one way */

/*
 * Fewest windows, z score and change from which a trend is the target's doing. One in a hundred sets of five windows
 * has such a trend by chance, but not by a quarter. A machine that changes meanwhile moves a program by less.
 */
enum { UNSTEADY_LEAST = 5 };
#define UNSTEADY_Z 2.1
#define UNSTEADY_CHANGE 0.25

static double trend_of(const struct scenario_result *s, const struct metric *metric, double *change_out)
{
	size_t n, third;
	CLEANUP(free_ptr) double *values = side_result_values(&s->head, s->head.work_unit ? metric->normalised : metric, &n);
	double z;

	if (n < UNSTEADY_LEAST)
		return 0;
	z = stats_trend(values, n);
	third = n / 3;
	*change_out = stats_median(values + n - third, third) / stats_median(values, third) - 1;
	return z;
}

/*
 * Notes that the target was not steady. A target that has just started compiles its code and fills its caches, so
 * each measurement finds it in a different state.
 */
static void note_unsteady(struct scenario_result *s)
{
	const struct metric *metric = METRIC(TASK_CLOCK);
	CLEANUP(strbuf_release) struct strbuf note = STRBUF_INIT;
	double change = 0, z = trend_of(s, metric, &change);

	if (!z)
		z = trend_of(s, metric = METRIC(CPU_TIME), &change);
	if (!s->head.attached || s->paired || fabs(z) < UNSTEADY_Z || !(fabs(log1p(change)) > log1p(UNSTEADY_CHANGE)))
		return;
	strbuf_addf(&note, "the target was not steady: its %s %s %s %s by %.0f %% from the first windows to the last; warm it "
		    "up for longer than that took, with warmup: { duration: TIME }", metric->name,
		    s->head.work_unit ? "per" : "of a", s->head.work_unit ? scenario_result_work_unit(s) : "window",
		    change > 0 ? "rose" : "fell", fabs(change) * 100);
	arena_push_new(&s->head.arena, &s->head.notes, note.buf);
}

/* -------- waiting, which no CPU time shows */

/*
 * A rise of wall time is mentioned from this part of it, and from this many spreads. A spread is at least
 * WAITS_SPREAD.
 */
#define WAITS_LEAST 0.2
#define WAITS_SPREADS 4
#define WAITS_SPREAD 0.03
enum { WAITS_STORED = 3 };

/* Returns the standard deviation of the logarithms. */
static double spread_of(const double *values, size_t n)
{
	CLEANUP(free_ptr) double *logs = xcalloc(n + 1, sizeof *logs);

	for (size_t i = 0; i < n; i++)
		logs[i] = log(values[i]);
	return stats_sd(logs, n);
}

/* Finds a rise of wall time that CPU time and chance do not explain and that no gate found. */
static void find_waits(struct scenario_result *s, const struct machine *machine, const struct baseline *base)
{
	const struct metric *wall = side_result_normalised(&s->head, METRIC(WALL_TIME));
	const struct metric *clock = side_result_normalised(&s->head, METRIC(TASK_CLOCK));
	CLEANUP(free_ptr) double *x = NULL, *y = NULL, *clocks = NULL;
	const struct gate_result *g = judge_find_gate(s, METRIC(WALL_TIME));
	double before, now, more_cpu, spread, unexplained, clock_before;
	size_t nx, ny, n;

	s->waits = NULL;
	if (!base || s->head.state != SCENARIO_MEASURED || s->settings.window_s > 0 || !judge_same_class(machine, base) ||
	    (g && g->stored.verdict == VERDICT_REGRESSION))
		return;
	x = baseline_values(base, wall, &nx);
	y = side_result_values(&s->head, wall, &ny);
	if (nx < WAITS_STORED || !ny || !(stats_least(x, nx) > 0) || !(stats_least(y, ny) > stats_most(x, nx)))
		return;
	before = stats_median(x, nx);
	now = stats_median(y, ny);
	clocks = baseline_values(base, clock, &n);
	clock_before = stats_median(clocks, n);
	more_cpu = fmax(side_result_median(&s->head, clock) - clock_before, 0);
	spread = fmax(WAITS_SPREAD, fmax(spread_of(x, nx), spread_of(y, ny)));
	/* A program that needs more CPU time on a busy machine also waits longer, in proportion. */
	unexplained = log(now / before) - (more_cpu > 0 ? log1p(more_cpu / clock_before) : 0);
	if (now - before - more_cpu < WAITS_LEAST * before || !(unexplained > log1p(WAITS_LEAST)) ||
	    !(unexplained > WAITS_SPREADS * spread))
		return;
	s->waits = arena_printf(&s->arena, "wall-time rose from %s to %s, more than CPU time explains: it waits for something, or for "
				"CPUs that others used%s", cost_text(before, wall).text, cost_text(now, wall).text,
				g ? "" : "; no gate judges it, a gate on wall-time would");
}

/* -------- a target that does next to nothing */

/* In ms. Most of a shorter run is starting the program. */
#define IDLE_BELOW 5.0

/* Returns the least wall time, in ms, which a busy machine hardly changes. Of sides that ran at once on one CPU it is half of theirs. */
static double least_wall(const struct side_result *side)
{
	double least = INFINITY;

	for (size_t i = 0; i < side->n_runs; i++) {
		const struct run *run = &side->runs[i];

		least = fmin(least, run->both_ms > 0 ? run->both_ms / 2 : run_value(side, run, METRIC(WALL_TIME)));
	}
	return least;
}

char *judge_idle_words(double ms, bool failed, const char *output)
{
	/* A program that fails may print its complaint first. */
	if (regex_matches(failed ? "(?im)^[ \\t]*usage\\b[^\\n]*:" : "(?i)\\A\\s*usage:", output))
		return xstrdup("prints a usage text and does no work: add its arguments to target.command");
	if (failed || !(ms < IDLE_BELOW))
		return NULL;
	return text_printf("does next to nothing (%.1f ms per run): give it more work, or repeat it in a loop", ms);
}

void judge_idle(struct scenario_result *s, const char *output)
{
	const struct side_result *side = &s->head;
	CLEANUP(free_ptr) char *words = judge_idle_words(fmax(side_result_median(side, METRIC(TASK_CLOCK)), least_wall(side)),
							 side->state != SCENARIO_MEASURED, output);

	s->idle = s->path && !side->attached && !(s->settings.window_s > 0) ? arena_strdup(&s->arena, words) : NULL;
}

/* -------- a busy machine */

/* True if J's metric depends on waiting. CPU time does not, except in windows whose work is unknown. */
static bool waits(const struct scenario_result *s, const struct judgement *j)
{
	if (j->metric->source == SOURCE_CUSTOM)
		return j->metric->kind == KIND_TIME;
	return j->metric->waits || (s->head.attached && j->metric->normalised);
}

static void judge_busy(struct result *result)
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
			judge_reason(s, j, "the machine was busy, which alone makes it worse: %s; measure again when it is quiet",
				     result->busy.items[0]);
			excused = true;
		}
		/* Drop the explanation of a change that no longer counts. */
		if (excused && !scenario_result_cost_changed(s)) {
			struct strv rest = STRV_INIT;

			for (size_t k = s->n_cost_lines; k < s->explanation.n; k++)
				arena_push(&s->arena, &rest, s->explanation.items[k]);
			s->explanation = rest;
			s->n_cost_lines = 0;
		}
	}
}

/* -------- all of them */

/* Fewest scenarios that must all move the same way, and by how much, before a note suspects the machine. */
enum { TOGETHER_LEAST = 3 };
#define TOGETHER_CHANGE 0.05

void judge_scenario(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	scenario->explanation = (struct strv)STRV_INIT;
	scenario->n_cost_lines = 0;
	for (size_t i = 0; i < scenario->n_gates; i++) {
		if (scenario->gates[i].gate.kind != GATE_METRIC)
			continue;
		gate_result_forget(&scenario->gates[i]);
		judge_stored(&scenario->gates[i], scenario, machine, base);
	}
	note_unsteady(scenario);
	judge_forgive_ipc(scenario, base);
	judge_symbols(scenario, machine, base);
	find_waits(scenario, machine, base);
	if (base && scenario->head.state == SCENARIO_MEASURED)
		explain_scenario(scenario, base, judge_same_class(machine, base));
}

/* Notes a change since the baseline that pairs do not show, and that therefore is not the head's. */
static void note_drift(struct scenario_result *s, const struct judgement *stored, const struct baseline *base)
{
	const struct baseline_session *last = &base->sessions[base->n_sessions - 1];

	NOTE(&s->head, "%s is %+.1f %% against the baseline of %.10s, but did not regress in pairs: earlier changes or the machine "
	     "caused that", stored->metric->name, stored->change_pct, last->date ?: "?");
}

static bool is_decided(const struct judgement *j)
{
	return j->verdict == VERDICT_PASS || j->verdict == VERDICT_REGRESSION || j->verdict == VERDICT_IMPROVEMENT;
}

bool judge_beside_pairs(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	bool any = false, decided = false;

	/* If both sides ran one program, it may not be the head's. */
	if (scenario->pairing.one_program || !scenario_result_pairs(scenario))
		return false;
	for (size_t i = 0; i < scenario->n_gates; i++) {
		struct gate_result *g = &scenario->gates[i];
		const struct metric *metric = g->gate.metric;

		/* A claim is about the base alone. */
		if (g->gate.kind != GATE_METRIC || !g->gate.relative || g->gate.claim)
			continue;
		judge_stored(g, scenario, machine, base);
		if (!is_decided(&g->stored) && g->stored.verdict != VERDICT_INCONCLUSIVE) {
			judgement_reset(&g->stored, &g->gate);
			continue;
		}
		any = true;
		if (metric->kind == KIND_COUNT || metric->kind == KIND_SIZE)
			g->by_baseline = g->paired.verdict != VERDICT_REGRESSION && is_decided(&g->stored) &&
					 (g->stored.verdict == VERDICT_REGRESSION || !is_decided(&g->paired));
		else if (g->stored.verdict == VERDICT_REGRESSION && isfinite(g->stored.change_pct) && is_decided(&g->paired) &&
			 g->paired.verdict != VERDICT_REGRESSION)
			note_drift(scenario, &g->stored, base);
		decided |= g->by_baseline;
	}
	if (decided)
		explain_identity(scenario, base);
	return any;
}

void judge_note_sides(struct result *result, const struct scenario_result *s)
{
	if (s->pairing.other_work)
		NOTE(result, "%s: %s", s->name, s->pairing.other_work);
	if (s->pairing.unchanged)
		NOTE(result, "%s: %s", s->name, s->pairing.unchanged);
}

void judge_together(struct result *result)
{
	size_t judged = 0, slower = 0, faster = 0, paired = 0;

	judge_busy(result);
	judge_symbols_together(result);
	/* A note makes waiting visible outside the table. */
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

		judge_note_sides(result, s);
		if (s->paired && !s->pairing.confirming && pair_wall_words(s, &words))
			NOTE(result, "%s: %s", s->name, words.buf);
		else if (s->waits)
			NOTE(result, "%s: %s", s->name, s->waits);
	}
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct gate_result *g = judge_find_gate(&result->scenarios[i], METRIC(TASK_CLOCK));
		double change = g ? gate_judgement(g)->change_pct / 100 : NAN;

		if (isnan(change))
			continue;
		judged++;
		paired += gate_judgement(g)->pairs > 0;
		slower += change > TOGETHER_CHANGE;
		faster += change < -TOGETHER_CHANGE;
	}
	if (judged < TOGETHER_LEAST || (slower != judged && faster != judged))
		return;
	/* Both sides of a pair ran on the same machine, so the machine is not suspect. */
	NOTE(result, "all %zu scenarios became %s together: suspect %s", judged, slower ? "slower" : "faster",
	     paired == judged ? "what they share, such as the compiler, its options or a library" :
	     "the machine, not the program");
}
