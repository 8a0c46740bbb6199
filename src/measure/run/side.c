#include "measure/run/loop_parts.h"

#include <math.h>

#include "base/mem.h"
#include "measure/process/processes.h"
#include "model/measured.h"
#include "model/metrics/numbers.h"

/* Ticks show nothing about the CPUs of a shorter command. */
#define CPUS_SHOWN_MS 10.0
/* Starting a process is not waiting. */
#define START_MS 1.0

void side_progress(const struct side *side, struct loop_progress progress)
{
	progress.scenario = side->plan->scenario->name;
	progress.windows = plan_attaches(side->plan);
	side->ops.progress(side->ops.ctx, &progress);
}

int side_failed(struct loop *loop, const struct side *side, struct error *err)
{
	if (err->kind == ERR_INTERRUPTED)
		return -1;
	loop->failing = side;
	return in_pairs(loop) ? error_wrap(err, "%s", side->name) : -1;
}

int side_command(const struct side *side, const char *what, const struct strv *argv, struct error *err)
{
	return argv->n ? side->ops.command(side->ops.ctx, side->plan, what, argv, err) : 0;
}

int side_run(const struct side *side, const struct strv *events, uint64_t limit_ns, struct measured *out, struct error *err)
{
	if (side_command(side, "prepare", &side->plan->prepare, err) < 0)
		return -1;
	return side->ops.run(side->ops.ctx, side->plan, events, limit_ns, out, err);
}

int side_up(struct side *side, struct error *err)
{
	side->is_up = true;
	return side->ops.up(side->ops.ctx, side->plan, side->result, err);
}

/* Each stop would repeat the same notes. */
void side_down(struct side *side)
{
	struct side_result left = { 0 };

	if (!side->is_up)
		return;
	side->ops.down(side->ops.ctx, side->plan, &left);
	side->is_up = false;
	arena_merge(&side->result->arena, &side->result->notes, &left.notes);
	side_result_release(&left);
}

void side_all_down(struct loop *loop)
{
	for (unsigned i = loop->n; i-- > 0;)
		side_down(&loop->sides[i]);
}

double side_rate(const struct measured *measured)
{
	return measured->work > 0 && measured->wall_ms > 0 ? measured->work / measured->wall_ms : 0;
}

void side_note_warm_up(struct side *side, const struct measured *measured)
{
	side->fastest_ms = fmin(side->fastest_ms, measured->wall_ms);
	if (measured->wall_ms > 0) {
		side->cpus = fmax(side->cpus, measured->cpu_ms / fmax(measured->wall_ms, CPUS_SHOWN_MS));
		/* A thread that is ready waits because the machine is busy. */
		side->waiting = fmin(side->waiting, isfinite(measured->idle) ? measured->idle :
				     (measured->wall_ms - measured->cpu_ms - START_MS) / measured->wall_ms);
	}
	side->crowd = fmax(side->crowd, measured->crowd);
	if (measured->launcher && !side->launched) {
		side->launched = true;
		NOTE(side->result, "%s", measured->launcher);
	}
	/* A benchmark is known from its first run on. */
	for (size_t i = 0; i < measured->n_custom; i++)
		if (measured->custom[i].metric->benchmark)
			side_result_column(side->result, measured->custom[i].metric);
	side->touched |= measured->touched & ~PROPERTY_BITS(PROPERTY_TRACER);
}

/* -------- warm-up */

/* A window that is cheaper than the best before it by this part is not steady. */
#define STILL_FASTER 0.05
enum { LEVEL_LEAST = 2 };

static bool is_steady(const struct warming *w)
{
	return w->level >= LEVEL_LEAST;
}

bool warming_goes_on(const struct side *side, unsigned runs, uint64_t spent_ns)
{
	const struct scenario *s = side->plan->scenario;
	const struct warming *w = &side->warming;

	if (s->warmup_work)
		return w->work < s->warmup_work && spent_ns < s->measure.budget_ns;
	if (s->warmup_steady_ns)
		return !is_steady(w) && spent_ns < s->warmup_steady_ns;
	return w->runs < runs || spent_ns < s->warmup_ns;
}

uint64_t warming_limit(const struct side *side, uint64_t spent_ns)
{
	uint64_t whole_ns = side->plan->scenario->warmup_ns;

	return spent_ns < whole_ns ? whole_ns - spent_ns : 0;
}

void warming_add(struct side *side, const struct measured *measured)
{
	struct warming *w = &side->warming;
	double ms = measured->work > 0 && measured->cpu_ms > 0 ? measured->cpu_ms / measured->work : NAN;

	if (w->runs) {
		w->level = ms >= (1 - STILL_FASTER) * w->best_ms ? w->level + 1 : 0;
		w->best_ms = fmin(w->best_ms, ms);
	} else {
		w->best_ms = ms;
	}
	w->work += measured->work;
	w->runs++;
}

void warming_end(struct side *side)
{
	const struct scenario *s = side->plan->scenario;
	const struct warming *w = &side->warming;

	if (!s->warmup_work && !s->warmup_steady_ns)
		return;
	side->warm_ups++;
	side->unsteady += s->warmup_work ? w->work < s->warmup_work : !is_steady(w);
}

void warming_note(const struct side *side)
{
	const struct scenario *s = side->plan->scenario;

	if (side->unsteady && s->warmup_work)
		NOTE(side->result, "%u of %u warm-ups had not done %u %ss when the budget of %s was over; lower warmup.work",
		     side->unsteady, side->warm_ups, s->warmup_work, s->load.unit ?: "unit", format_duration(s->measure.budget_ns).s);
	else if (side->unsteady)
		NOTE(side->result, "the target was not steady after %s in %u of %u warm-ups: its windows still got faster by more than "
		     "%.0f %%; raise warmup.steady", format_duration(s->warmup_steady_ns).s, side->unsteady, side->warm_ups, 100 * STILL_FASTER);
}

int side_warm_up(const struct loop *loop, struct side *side, struct error *err)
{
	const struct scenario *s = side->plan->scenario;
	unsigned least = in_pairs(loop) ? WARM_UP_RUNS : 0;
	unsigned runs = s->warmup_runs < least ? least : s->warmup_runs;
	uint64_t start_ns = now(loop), spent_ns = 0;

	if (side_command(side, "warmup", &side->plan->warmup, err) < 0)
		return -1;
	side->warming = (struct warming){ 0 };
	for (unsigned i = 0; warming_goes_on(side, runs, spent_ns); i++) {
		CLEANUP(measured_release) struct measured measured = { 0 };

		side_progress(side, (struct loop_progress){ .phase = PHASE_WARMUP, .run = i + 1, .of = warmup_counts(s) ? runs : 0 });
		if (side_run(side, NULL, warming_limit(side, spent_ns), &measured, err) < 0)
			return error_wrap(err, "in warm-up %s %u", run_name(side), i + 1);
		side_note_warm_up(side, &measured);
		warming_add(side, &measured);
		spent_ns = now(loop) - start_ns;
	}
	warming_end(side);
	return 0;
}

/* -------- warnings */

void side_warn(struct side *side, const struct measured *window)
{
	struct warnings *warnings = &side->warnings;

	warnings->windows++;
	warnings->hasty += window->hasty;
	warnings->unwaited += window->unwaited;
	if (!window->dropped)
		return;
	warnings->dropped++;
	free(warnings->why);
	warnings->why = xstrdup(window->dropped);
}

void side_note_warnings(const struct side *side)
{
	const struct warnings *w = &side->warnings;
	struct side_result *result = side->result;
	const char *what = run_name(side);

	if (w->dropped == 1 && w->windows > 1)
		NOTE(result, "a %s was not counted: %s", what, w->why);
	else if (w->dropped && w->dropped < w->windows)
		NOTE(result, "%u %ss were not counted; the last: %s", w->dropped, what, w->why);
	if (w->unwaited)
		NOTE(result, "in %u of %u %ss processes ended that nobody waited for (SIGCHLD is ignored): the kernel reports neither "
		     "their CPU time nor their faults, switches and memory, so these are not measured; task-clock is",
		     w->unwaited, w->windows, what);
	if (w->hasty)
		NOTE(result, "in %u of %u windows the load ended within a second: its rate is taken to have held while it started "
		     "and ended as well, so that too much work is counted; give it more to do than a window takes, or "
		     "report its work 'as: count'", w->hasty, w->windows);
}

/* -------- groups of events */

void side_groups_plan(struct loop *loop)
{
	const struct scenario *s = loop->sides[loop->n - 1].plan->scenario;

	event_groups_release(&loop->groups);
	event_groups_plan(s->gates.items, s->gates.n, &s->measure.events, loop->options.counters, &loop->groups);
	memset(loop->counted, 0, sizeof loop->counted);
}

bool side_groups_split(struct loop *loop, const struct perf_rows *rows, const struct strv *events, struct arena *arena,
		       struct strv *notes)
{
	const char *event = perf_rows_multiplexed(rows, events);
	unsigned used = events_counters(events);

	if (!event || used < 2 || used - 1 >= loop->options.counters)
		return false;
	arena_pushf(arena, notes, "%s was multiplexed with %u events at once: split into smaller groups", event, used);
	loop->options.counters = used - 1;
	side_groups_plan(loop);
	return true;
}
