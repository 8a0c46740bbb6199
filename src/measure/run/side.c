#include "measure/run/loop.h"

#include <math.h>

/* Of a command that takes a moment the ticks of the clock say nothing. */
#define CPUS_SHOWN_MS 10.0

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

/* An environment would leave the same notes at every end: each is kept once. */
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
	side->rate = fmax(side->rate, side_rate(measured));
	if (measured->wall_ms > 0)
		side->cpus = fmax(side->cpus, measured->cpu_ms / fmax(measured->wall_ms, CPUS_SHOWN_MS));
	side->crowd = fmax(side->crowd, measured->crowd);
}

int side_warm_up(const struct loop *loop, struct side *side, struct error *err)
{
	const struct scenario *s = side->plan->scenario;
	unsigned least = in_pairs(loop) ? WARM_UP_RUNS : 0;
	unsigned runs = s->warmup_ns || s->warmup_runs < least ? least : s->warmup_runs;
	uint64_t start_ns = now(loop), spent_ns = 0;

	if (side_command(side, "warmup", &side->plan->warmup, err) < 0)
		return -1;
	for (unsigned i = 0; i < runs || spent_ns < s->warmup_ns; i++) {
		CLEANUP(measured_release) struct measured measured = { 0 };

		side_progress(side, (struct loop_progress){ .phase = PHASE_WARMUP, .run = i + 1, .of = s->warmup_ns ? 0 : runs });
		if (side_run(side, NULL, spent_ns < s->warmup_ns ? s->warmup_ns - spent_ns : 0, &measured, err) < 0)
			return error_wrap(err, "in warm-up %s %u", run_name(side), i + 1);
		side_note_warm_up(side, &measured);
		spent_ns = now(loop) - start_ns;
	}
	return 0;
}
