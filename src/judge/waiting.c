#include "judge/judge.h"

#include <math.h>

#include "base/mem.h"
#include "profile/evidence.h"

_Static_assert(sizeof ((struct wall_side *)0)->waited_ms / sizeof(double) == WAIT_KINDS, "a time of each kind");

/* Of the base's: what differs by less is the same. */
#define SAME 0.05
/* A program that has more CPUs at work on average does things at once. */
#define PARALLEL 1.1
/* Of the time that is to be explained: what explains it is at least so much of it. */
#define EXPLAINS 0.5

static struct wall_side side_of(const struct side_result *side, const struct system_calls *calls)
{
	struct wall_side out = {
		.wall_ms = side_result_median(side, METRIC(WALL_TIME)), .cpu_ms = side_result_median(side, METRIC(CPU_TIME)),
		.switches = side_result_median(side, METRIC(VOLUNTARY_SWITCHES)),
	};

	if (isnan(out.cpu_ms))
		out.cpu_ms = side_result_median(side, METRIC(TASK_CLOCK));
	out.cpus = out.cpu_ms / out.wall_ms;
	for (int kind = 0; kind < WAIT_KINDS; kind++)
		out.waited_ms[kind] = calls && calls->n ? calls->waited_ms[kind] : NAN;
	return out;
}

/* The kind of which HEAD has most more, of those up to LAST. */
static double longest_wait(const struct wall_change *change, int last, int *out)
{
	double most = 0;

	*out = WAIT_NONE;
	for (int kind = WAIT_SLEEP; kind <= last; kind++) {
		double more = change->head.waited_ms[kind] - change->base.waited_ms[kind];

		if (more > most && (kind != WAIT_PIPE || last == WAIT_PIPE)) {
			most = more;
			*out = kind;
		}
	}
	return most;
}

/*
 * Waiting for a child is none of its own: the child is counted, too. So may be who is at the other end of a pipe: that one waits for
 * it is said where nothing else is long enough.
 */
static void find_wait(struct wall_change *change)
{
	change->waited_ms = longest_wait(change, WAIT_LOCK, &change->wait);
	if (change->waited_ms < EXPLAINS * change->rest_ms) {
		int other;
		double pipe_ms = longest_wait(change, WAIT_PIPE, &other);

		if (pipe_ms > change->waited_ms) {
			change->waited_ms = pipe_ms;
			change->wait = other;
		}
	}
}

bool wall_change_of(const struct scenario_result *s, const struct system_calls *base, const struct system_calls *head,
		    struct wall_change *out)
{
	struct wall_change change = { .base = side_of(&s->base, base), .head = side_of(scenario_result_measured(s), head) };
	const struct wall_side *was = &change.base, *is = &change.head;
	double more = is->wall_ms - was->wall_ms, more_cpu = fmax(is->cpu_ms - was->cpu_ms, 0);

	/* The length of a window is the scenario's. */
	if (s->settings.window_s > 0 || !(was->wall_ms > 0) || !(more > 0) || isnan(was->cpu_ms) || isnan(is->cpu_ms))
		return false;
	/* What several CPUs do at once takes less time. */
	change.by_cpu_ms = fmin(more, more_cpu / fmax(1, is->cpus));
	change.rest_ms = more - change.by_cpu_ms;
	find_wait(&change);
	if (change.rest_ms < EXPLAINS * more)
		change.kind = CAUSE_WORK;
	else if (change.wait == WAIT_LOCK && change.waited_ms >= EXPLAINS * change.rest_ms)
		change.kind = CAUSE_LOCK;
	else if (change.wait != WAIT_NONE && change.waited_ms >= EXPLAINS * change.rest_ms)
		change.kind = CAUSE_WAITING;
	else if (was->cpus > PARALLEL && is->cpus < (1 - SAME) * was->cpus)
		change.kind = CAUSE_PARALLELISM;
	else
		change.kind = CAUSE_WAITING;
	*out = change;
	return true;
}

/* -------- in words */

static void add_ms(struct strbuf *out, const char *what, double was, double now)
{
	if (!isnan(was) && !isnan(now))
		strbuf_addf(out, "%s %s -> %s", what, cost_text(was, METRIC(WALL_TIME)).text, cost_text(now, METRIC(WALL_TIME)).text);
}

void wall_change_words(const struct wall_change *change, struct strbuf *out)
{
	static const char *const waits[] = { NULL, "asleep", "for files", "for pipes, sockets and terminals", "for locks" };
	const struct wall_side *was = &change->base, *is = &change->head;

	add_ms(out, "wall-time", was->wall_ms, is->wall_ms);
	add_ms(out, ": CPU time", was->cpu_ms, is->cpu_ms);
	if (was->cpus > PARALLEL || is->cpus > PARALLEL)
		strbuf_addf(out, ", CPUs at work on average %.2f -> %.2f", was->cpus, is->cpus);
	if (!isnan(was->switches) && !isnan(is->switches))
		strbuf_addf(out, ", voluntary switches %.0f -> %.0f", was->switches, is->switches);
	for (int kind = WAIT_SLEEP; kind < WAIT_CHILD; kind++)
		if (is->waited_ms[kind] >= SAME * change->rest_ms || was->waited_ms[kind] >= SAME * change->rest_ms) {
			strbuf_addf(out, ", waiting %s", waits[kind]);
			add_ms(out, "", was->waited_ms[kind], is->waited_ms[kind]);
		}
}
