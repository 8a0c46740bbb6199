#include "cause/waiting.h"

#include <math.h>

#include "base/mem.h"
#include "cause/evidence.h"
#include "cause/ledger/system_calls.h"
#include "cause/readers/offcpu.h"
#include "model/cost.h"
#include "model/metrics/numbers.h"

_Static_assert(sizeof ((struct wall_side *)0)->waited_ms / sizeof(double) == WAIT_KINDS, "a time of each kind");

/* Relative tolerance for equal values. */
#define SAME 0.05
/* Least average number of CPUs at work of a parallel program. */
#define PARALLEL 1.1
/* Least part of the time that an explanation must cover. */
#define EXPLAINS 0.5
/*
 * Relative growth of CPU time, as a part of that of wall time, from which it explains wall time. The first applies if
 * nothing else is known, the second to waits for locks, which take CPU time themselves.
 */
#define IN_PROPORTION 0.6
#define BEYOND_LOCKS 0.8
/* Least part of the increase that CPU time must cover if nothing else is known. */
#define PART_OF_IT 0.25

/*
 * Sets the waits per execution from context switches. If records were lost, scales the recorded time to that of a run.
 */
static void take_switches(const struct offcpu_times *times, struct wall_side *out)
{
	double ns = times->lost ? times->first_ns / out->wall_ms : times->executions * 1e6;

	for (int kind = 0; kind < WAIT_KINDS; kind++)
		out->waited_ms[kind] = (kind == WAIT_LOCK ? times->waited_ns[kind] : times->held_ns[kind]) / ns;
	out->others_ms = times->others_ns / ns;
}

/*
 * Sets the waits of an attached target from a separate window, scaled by CPU time. Waits for others are left out: a
 * server mostly waits for its next request.
 */
static void take_window(const struct offcpu_times *times, struct wall_side *out)
{
	static const enum wait_kind kinds[] = { WAIT_SLEEP, WAIT_IO, WAIT_LOCK };

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		out->waited_ms[kinds[i]] = times->waited_ns[kinds[i]] / times->cpu_ns * out->cpu_ms;
}

/* Leaves out waits that grew only with wall time: a thread that always waits does so longer in a longer run. */
static void leave_out_constant(struct wall_change *change)
{
	for (int kind = WAIT_NONE + 1; kind < WAIT_KINDS; kind++)
		if (change->head.waited_ms[kind] / change->head.wall_ms <= (1 + SAME) * change->base.waited_ms[kind] / change->base.wall_ms)
			change->head.waited_ms[kind] = change->base.waited_ms[kind];
}

static double median_of(const struct side_result *side, const struct metric *metric)
{
	return side_result_median(side, side_result_normalised(side, metric));
}

/* Returns the wall time that its gate judged, else the median. Runs side by side take longer than runs in turn. */
static double wall_ms(const struct scenario_result *s, const struct side_result *side)
{
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct judgement *j = gate_judgement(&s->gates[i]);

		if (s->gates[i].gate.kind == GATE_METRIC && s->gates[i].gate.metric == METRIC(WALL_TIME) && j->current > 0 && j->baseline > 0)
			return side == &s->base ? j->baseline : j->current;
	}
	return median_of(side, METRIC(WALL_TIME));
}

static struct wall_side side_of(const struct scenario_result *s, const struct side_result *side, const struct evidence *evidence, bool by_switches)
{
	struct wall_side out = {
		.wall_ms = wall_ms(s, side), .cpu_ms = median_of(side, METRIC(CPU_TIME)),
		.switches = median_of(side, METRIC(VOLUNTARY_SWITCHES)), .others_ms = NAN,
	};

	if (isnan(out.cpu_ms))
		out.cpu_ms = median_of(side, METRIC(TASK_CLOCK));
	out.cpus = out.cpu_ms / out.wall_ms;
	for (int kind = 0; kind < WAIT_KINDS; kind++)
		out.waited_ms[kind] = NAN;
	if (by_switches)
		take_switches(&evidence->offcpu, &out);
	else if (evidence && side->attached && evidence->offcpu.cpu_ns > 0)
		take_window(&evidence->offcpu, &out);
	return out;
}

/* Returns the largest increase of HEAD's waits of kinds FIRST to LAST, and its kind in OUT. */
static double longest_wait(const struct wall_change *change, int first, int last, int *out)
{
	double most = 0;

	*out = WAIT_NONE;
	for (int kind = first; kind <= last; kind++) {
		double more = change->head.waited_ms[kind] - change->base.waited_ms[kind];

		if (more > most) {
			most = more;
			*out = kind;
		}
	}
	return most;
}

/* Changes to KIND if it explains more than the wait found so far, which explains too little. */
static void find_other_wait(struct wall_change *change, int kind)
{
	int other;
	double ms = longest_wait(change, kind, kind, &other);

	if (change->waited_ms < EXPLAINS * change->rest_ms && ms > change->waited_ms) {
		change->waited_ms = ms;
		change->wait = other;
	}
}

static void find_wait(struct wall_change *change)
{
	change->waited_ms = longest_wait(change, WAIT_SLEEP, WAIT_PIPE, &change->wait);
	find_other_wait(change, WAIT_THREAD);
	find_other_wait(change, WAIT_CHILD);
	find_other_wait(change, WAIT_LOCK);
}

/*
 * If no waits were recorded, finds the system call that always waits and is made more often. The time that is left is
 * its. Each such call is a voluntary switch.
 */
static void find_waiting_call(struct wall_change *change, const struct evidence *base, const struct evidence *head)
{
	double switches = change->head.switches - change->base.switches, most = 0;

	for (size_t i = 0; i < head->system_calls.n && base->system_calls.n; i++) {
		const struct system_call *now = &head->system_calls.items[i], *was = system_calls_find(&base->system_calls, now->name);
		double before = was ? was->calls : 0, more = now->calls - before;

		if ((system_call_sleeps(now) || system_call_syncs(now)) && more > most && now->calls >= 2 * before && !(switches < EXPLAINS * more)) {
			most = more;
			change->wait = system_call_sleeps(now) ? WAIT_SLEEP : WAIT_IO;
			change->waited_ms = change->rest_ms;
			change->call = now->name;
		}
	}
}

static bool seen_by_switches(const struct evidence *base, const struct evidence *head)
{
	return base && head && base->offcpu.executions && head->offcpu.executions;
}

static bool has_fewer_threads(const struct evidence *base, const struct evidence *head)
{
	return base && head && head->system_calls.threads && head->system_calls.threads < base->system_calls.threads &&
	       head->system_calls.processes == base->system_calls.processes && !head->system_calls.cut && !base->system_calls.cut;
}

/* Returns how much longer threads of an execution were ready to run while others had the CPU. That is no waiting. */
static double more_delay_ms(const struct evidence *base, const struct evidence *head)
{
	if (!seen_by_switches(base, head))
		return 0;
	return fmax(0, head->offcpu.preempted_ns / head->offcpu.executions - base->offcpu.preempted_ns / base->offcpu.executions) / 1e6;
}

/* Most waits for files or others, as a part of the calls that grew, for which the calls are no waits. */
#define WAITS_PART 0.05
enum { CALLS_ROSE = 1000 };

/* True if a call is made much more often and its calls cannot have waited: there are hardly more voluntary switches. */
static bool calls_without_waiting(const struct wall_change *change, const struct evidence *base, const struct evidence *head)
{
	double waits = fmax(change->head.switches - change->base.switches, 0);
	bool may = change->wait == WAIT_NONE || change->wait == WAIT_IO || change->wait == WAIT_PIPE;

	for (size_t i = 0; may && base && head && base->system_calls.n && i < head->system_calls.n; i++) {
		const struct system_call *now = &head->system_calls.items[i], *was = system_calls_find(&base->system_calls, now->name);
		double more = now->calls - (was ? was->calls : 0);

		if (more >= CALLS_ROSE && now->calls >= 2 * (was ? was->calls : 0) && waits < WAITS_PART * more)
			return true;
	}
	return false;
}

static enum cause_kind kind_of_wall(const struct wall_change *change, const struct evidence *base, const struct evidence *head)
{
	const struct wall_side *was = &change->base, *is = &change->head;
	bool by_switches = seen_by_switches(base, head);
	double more = is->wall_ms - was->wall_ms, others_more = by_switches ? is->others_ms - was->others_ms : 0;
	double proportion = fmax(is->cpu_ms - was->cpu_ms, 0) / was->cpu_ms / (more / was->wall_ms);

	if (change->rest_ms < EXPLAINS * more)
		return CAUSE_WORK;
	if (change->by_cpu_ms >= PART_OF_IT * more && calls_without_waiting(change, base, head))
		return CAUSE_WORK;
	if (change->waited_ms < EXPLAINS * change->rest_ms ? proportion >= IN_PROPORTION
							      : change->wait == WAIT_LOCK && proportion >= BEYOND_LOCKS)
		/*
		 * To wait for others is to wait for more work. Next to other programs, each ms of it takes longer, too.
		 */
		return CAUSE_WORK;
	if (change->wait == WAIT_LOCK && change->waited_ms >= EXPLAINS * change->rest_ms)
		return CAUSE_LOCK;
	if (change->wait != WAIT_SLEEP && has_fewer_threads(base, head))
		/* Independent of the CPUs that other programs left, and of the speed of the disk. */
		return CAUSE_PARALLELISM;
	if ((change->wait == WAIT_THREAD || change->wait == WAIT_CHILD) && others_more > fmax(change->waited_ms, EXPLAINS * change->rest_ms))
		/* Those it waits for work meanwhile, but no more than before. */
		return CAUSE_PARALLELISM;
	if (change->wait != WAIT_NONE && change->waited_ms >= EXPLAINS * change->rest_ms)
		return CAUSE_WAITING;
	if (was->cpus > PARALLEL && is->cpus < (1 - SAME) * was->cpus)
		return CAUSE_PARALLELISM;
	if (by_switches && change->by_cpu_ms >= PART_OF_IT * more)
		/* The recorded waits do not explain it: other programs needed the CPUs, too. */
		return CAUSE_WORK;
	if (others_more >= EXPLAINS * change->rest_ms)
		/*
		 * Others do as much as before, but later. Next to other programs, the number of CPUs they got means
		 * little.
		 */
		return CAUSE_PARALLELISM;
	return CAUSE_WAITING;
}

bool wall_change_of(const struct scenario_result *s, const struct evidence *base, const struct evidence *head, struct wall_change *out)
{
	bool by_switches = seen_by_switches(base, head);
	struct wall_change change = {
		.base = side_of(s, &s->base, base, by_switches), .head = side_of(s, scenario_result_measured(s), head, by_switches),
	};
	const struct wall_side *was = &change.base, *is = &change.head;
	double more = is->wall_ms - was->wall_ms, more_cpu = fmax(is->cpu_ms - was->cpu_ms, 0);

	/* The scenario sets the length of a window. */
	if (s->settings.window_s > 0 || !(was->wall_ms > 0) || !(more > 0) || isnan(was->cpu_ms) || isnan(is->cpu_ms))
		return false;
	/* Work on several CPUs at once takes less wall time. */
	change.by_cpu_ms = fmin(more, more_cpu / fmax(1, is->cpus));
	change.rest_ms = fmax(0, more - change.by_cpu_ms - more_delay_ms(base, head));
	if (s->head.attached)
		leave_out_constant(&change);
	find_wait(&change);
	if (base && head && isnan(change.head.waited_ms[WAIT_SLEEP]))
		find_waiting_call(&change, base, head);
	change.kind = kind_of_wall(&change, base, head);
	change.unseen = change.kind == CAUSE_WAITING && change.waited_ms < EXPLAINS * change.rest_ms;
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
	static const char *const waits[] = {
		NULL, "asleep", "for files", "for pipes, sockets and terminals", "for locks", "for other threads", "for child processes",
	};
	const struct wall_side *was = &change->base, *is = &change->head;

	add_ms(out, "wall-time", was->wall_ms, is->wall_ms);
	add_ms(out, ": CPU time", was->cpu_ms, is->cpu_ms);
	if (was->cpus > PARALLEL || is->cpus > PARALLEL)
		strbuf_addf(out, ", CPUs at work on average %s -> %s", format_value(was->cpus, UNIT_RATIO).s, format_value(is->cpus, UNIT_RATIO).s);
	if (!isnan(was->switches) && !isnan(is->switches))
		strbuf_addf(out, ", voluntary switches %s -> %s", format_count(was->switches).s, format_count(is->switches).s);
	for (int kind = WAIT_SLEEP; kind < WAIT_KINDS; kind++)
		if (is->waited_ms[kind] >= SAME * change->rest_ms || was->waited_ms[kind] >= SAME * change->rest_ms) {
			strbuf_addf(out, ", waiting %s", waits[kind]);
			add_ms(out, "", was->waited_ms[kind], is->waited_ms[kind]);
		}
	if (is->others_ms >= SAME * change->rest_ms || was->others_ms >= SAME * change->rest_ms) {
		strbuf_adds(out, ", its first thread waits for others' work");
		add_ms(out, "", was->others_ms, is->others_ms);
	}
}
