#include "cause/waiting.h"

#include <math.h>

#include "base/mem.h"
#include "cause/changed.h"
#include "cause/explain.h"
#include "cause/kind.h"
#include "cause/ledger/system_calls.h"
#include "cause/readers/offcpu.h"
#include "cause/sentence.h"
#include "model/cost.h"
#include "model/metrics/numbers.h"

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

/* Returns the wall time that its gate judged, else the median. Runs side by side take longer than runs in turn. */
static double wall_ms(const struct scenario_result *s, const struct side_result *side)
{
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct judgement *j = gate_judgement(&s->gates[i]);

		if (s->gates[i].gate.kind == GATE_METRIC && s->gates[i].gate.metric == METRIC(WALL_TIME) && j->current > 0 && j->baseline > 0)
			return side == &s->base ? j->baseline : j->current;
	}
	return median_on(side, METRIC(WALL_TIME));
}

static struct wall_side side_of(const struct scenario_result *s, const struct side_result *side, const struct evidence *evidence, bool by_switches)
{
	struct wall_side out = {
		.wall_ms = wall_ms(s, side), .cpu_ms = median_on(side, METRIC(CPU_TIME)),
		.switches = median_on(side, METRIC(VOLUNTARY_SWITCHES)), .others_ms = NAN,
	};

	if (isnan(out.cpu_ms))
		out.cpu_ms = median_on(side, METRIC(TASK_CLOCK));
	out.cpus = out.cpu_ms / out.wall_ms;
	for (int kind = 0; kind < WAIT_KINDS; kind++)
		out.waited_ms[kind] = NAN;
	if (by_switches)
		take_switches(&evidence->offcpu, &out);
	else if (side->attached && evidence->offcpu.cpu_ns > 0)
		take_window(&evidence->offcpu, &out);
	return out;
}

/* Finds the wait that grew most. Those for others and for locks count only while it explains too little. */
static void find_wait(struct wall_change *change)
{
	static const enum wait_kind kinds[] = { WAIT_SLEEP, WAIT_IO, WAIT_PIPE, WAIT_THREAD, WAIT_CHILD, WAIT_LOCK };

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		double more = change->head.waited_ms[kinds[i]] - change->base.waited_ms[kinds[i]];
		bool looked_for = kinds[i] <= WAIT_PIPE || change->waited_ms < EXPLAINS * change->rest_ms;

		if (looked_for && more > change->waited_ms) {
			change->waited_ms = more;
			change->wait = kinds[i];
		}
	}
}

/*
 * If no waits were recorded, finds the system call that always waits and is made more often. The time that is left is
 * its. Each such call is a voluntary switch.
 */
static void find_waiting_call(struct wall_change *change, const struct evidence *base, const struct evidence *head)
{
	double switches = change->head.switches - change->base.switches, most = 0;

	for (size_t i = 0; i < head->system_calls.n && base->system_calls.n; i++) {
		const struct system_call *now = &head->system_calls.items[i];
		double before = system_calls_of(&base->system_calls, now->name), more = now->calls - before;

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
	return base->offcpu.executions && head->offcpu.executions;
}

static bool has_fewer_threads(const struct evidence *base, const struct evidence *head)
{
	return head->system_calls.threads && head->system_calls.threads < base->system_calls.threads &&
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

	for (size_t i = 0; may && base->system_calls.n && i < head->system_calls.n; i++) {
		const struct system_call *now = &head->system_calls.items[i];
		double before = system_calls_of(&base->system_calls, now->name), more = now->calls - before;

		if (more >= CALLS_ROSE && now->calls >= 2 * before && waits < WAITS_PART * more)
			return true;
	}
	return false;
}

/* One CPU after the other instead of several at once cannot take longer than all of the CPU time. */
static bool lost_parallelism(const struct wall_change *change)
{
	const struct wall_side *was = &change->base, *is = &change->head;

	return was->cpus > PARALLEL && is->cpus < (1 - SAME) * was->cpus &&
	       is->cpu_ms * (1 - 1 / was->cpus) >= EXPLAINS * change->rest_ms;
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
	if (lost_parallelism(change))
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
	if (isnan(change.head.waited_ms[WAIT_SLEEP]))
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

/* -------- who waits */

static const struct suspect *changed_one(const struct search *s, bool locking)
{
	for (size_t i = 0; i < s->n; i++)
		if (suspect_changed(&s->suspects[i]) && (!locking || kind_locks(s, &s->suspects[i], HEAD) > 0))
			return &s->suspects[i];
	return NULL;
}

static enum cost_kind waits_of(const struct wall_change *wall)
{
	return wall->kind == CAUSE_LOCK ? COST_LOCKED : wall->kind == CAUSE_PARALLELISM ? COST_OTHERS : COST_HELD;
}

/*
 * Returns the own function that takes a contended lock, or whose waiting delays the command. If unknown, returns a
 * changed function, or NULL. A function that merely waits for others does not count.
 */
static const struct suspect *who_waits(const struct search *s, const struct wall_change *wall)
{
	enum cost_kind wait = waits_of(wall);
	double least = CAUSE_LEAST * wall->rest_ms;
	/* Functions touched by the diff rank first. */
	const struct suspect *best = SUSPECT_MOST(s, x, more_of(x, wait) >= least ? more_of(x, wait) * suspect_nearness(x) : 0);

	/* A function that waits for a lock, or for others to finish, may be the victim of a changed one. */
	if ((wall->kind == CAUSE_LOCK || wall->kind == CAUSE_PARALLELISM) && !(best && suspect_changed(best)))
		best = changed_one(s, wall->kind == CAUSE_LOCK) ?: best;
	return best ?: changed_one(s, false);
}

/* Appends why it waits in CALLEE, a C library function. The system call of that name gives the count. */
static void add_wait(const struct search *s, const char *callee, struct strbuf *out)
{
	const struct system_call *call = system_calls_find(&s->in->head->system_calls, callee);
	const struct system_call *was = system_calls_find(&s->in->base->system_calls, callee);

	if (call && (!was || call->calls > MORE_CALLS * was->calls)) {
		strbuf_addf(out, "%s is called ", callee);
		sentence_add_calls(s, call, was, out);
	} else {
		strbuf_addf(out, "in %s", callee);
	}
}

void wall_change_prefer_lock(const struct search *s, struct wall_change *wall)
{
	double more = wall->head.waited_ms[WAIT_LOCK] - wall->base.waited_ms[WAIT_LOCK];

	if (wall->kind == CAUSE_WORK || wall->wait == WAIT_LOCK || !(more >= MOST_OF * wall->rest_ms))
		return;
	for (size_t i = 0; i < s->n; i++)
		if (suspect_changed(&s->suspects[i]) && kind_locks_more(s, &s->suspects[i])) {
			wall->kind = CAUSE_LOCK;
			wall->wait = WAIT_LOCK;
			wall->waited_ms = more;
			wall->unseen = false;
			return;
		}
}

/*
 * Returns the waiting time to report, at most the waits that were recorded: a thread that is ready to run does not
 * wait.
 */
static double waiting_ms(const struct wall_change *wall)
{
	bool seen = wall->wait != WAIT_NONE && !wall->unseen && wall->kind != CAUSE_PARALLELISM;

	return seen ? fmin(wall->rest_ms, wall->waited_ms) : wall->rest_ms;
}

void wall_change_explain(struct search *s, const struct wall_change *wall)
{
	static const char *const what[WAIT_KINDS] = {
		[WAIT_IO] = " for files", [WAIT_PIPE] = " for what another process writes or reads", [WAIT_LOCK] = " for a lock",
		[WAIT_THREAD] = " for another thread", [WAIT_CHILD] = " for a process that it started",
	};
	struct arena *arena = &s->scenario->arena;
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;
	const struct suspect *who = who_waits(s, wall);
	const struct callee_cost *callee = who ? suspect_callee(s, who, waits_of(wall), 0) : NULL;
	struct cause *cause = sentence_add_cause(s, wall->kind);
	const char *name = who ? sentence_name_suspect(s, cause, who) : NULL;
	struct words words = { .reason = reason.buf };
	const struct change *script;
	size_t n_scripts;

	cause->amount = waiting_ms(wall);
	cause->share_pct = 100 * fmin(1, cause->amount / (wall->head.wall_ms - wall->base.wall_ms));
	if (!name && (script = changed_script(s, &n_scripts)))
		name = arena_printf(arena, "%s, in which %s changed,", path_name(script->path), sentence_name_change(s, cause, script, n_scripts));
	else if (!name && changed_function(s))
		name = sentence_name_change(s, cause, changed_function(s), 1);
	if (wall->kind == CAUSE_PARALLELISM) {
		words.who = who ? arena_printf(arena, "%s makes it run less in parallel", name) : "the program runs less in parallel";
		strbuf_addf(&reason, "%s CPUs are at work instead of %s, which takes %s more per %s", format_value(wall->head.cpus, UNIT_RATIO).s,
			    format_value(wall->base.cpus, UNIT_RATIO).s, cost_text(wall->rest_ms, METRIC(WALL_TIME)).text, s->per);
	} else if (wall->unseen && !name) {
		words.who = arena_printf(arena, "%s more per %s pass in which it neither runs nor was seen to wait",
					 cost_text(wall->rest_ms, METRIC(WALL_TIME)).text, s->per);
	} else {
		words.who = name ?: "it";
		words.does = wall->wait == WAIT_SLEEP ? "sleeps" : "waits";
		words.for_what = what[wall->wait];
		if (callee || wall->call)
			add_wait(s, callee ? callee->callee : wall->call, &reason);
	}
	words.reason = reason.buf;
	sentence_set(s, cause, METRIC(WALL_TIME), &words);
}
