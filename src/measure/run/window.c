#include "measure/run/window.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/perf/perf.h"
#include "measure/perf/session.h"
#include "measure/tools/strace.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "measure/services/attach.h"
#include "measure/services/env.h"
#include "measure/services/load_run.h"
#include "measure/services/service_run.h"
#include "model/measured.h"
#include "model/metrics/numbers.h"

/* After ATTACH_SETTLED tries a list that still changes is used. */
enum { ATTACH_TRIES = 10, ATTACH_SETTLED = 3 };
/* Nothing else tells when a target that pawl did not start has ended. */
#define LOOK_EVERY_NS (200 * NS_PER_MS)
#define TOUCHED_EVERY_NS (150 * NS_PER_MS)
#define END_REPORTED_NS NS_PER_S
/* A load whose numbers are wanted gets this time after the window, or twice the window. */
#define PATIENCE_NS (5 * NS_PER_S)
#define IDLE_CPUS 0.01
/* On a busy machine two sides on one CPU and their loads wait for each other. */
#define IDLE_CPUS_SHARED 0.001
/* A system call on each end of a unit of work takes more CPU time. */
#define IDLE_UNIT_MS 0.001
#define SAMPLED_LEAST_NS (20 * NS_PER_MS)
/* A load has started once the target has used this CPU time, or after STARTING_NS. */
#define STARTED_CPU_MS 10
#define STARTED_EVERY_NS (10 * NS_PER_MS)
#define STARTING_NS (5 * NS_PER_S)
/* In a shorter window the start and end of a load matter. */
#define HASTY_MS 1000.0
/* perf is on between two readings of the usage, which has ticks of 10 ms. */
#define SLACK_MS 100.0
#define SLACK_PROCESS_MS 20.0

/* Threads that were moved, and the CPUs where they could run before. */
struct moves {
	struct moved {
		pid_t thread;
		cpu_set_t cpus;
	} *items;
	size_t n, cap;
};

struct window {
	const struct window_spec *spec;
	struct outcome *of;
	const struct strv *events;	/* or NULL */
	struct load_run load;
	bool has_load, fixed;		/* FIXED: the load ends it */
	struct perf perf;
	struct processes processes;
	struct moves target_at, others_at;
	struct measured before, after;
	uint64_t on_ns, end_ns, off_ns;	/* 0: not yet */
	bool cut_short;			/* by the load's end */
	struct properties start;	/* pawl's, with the CPUs of the first process */
	uint64_t touched;		/* see struct measured */
};

/* -------- the target */

static int has_ended(const struct window_spec *spec, struct error *err)
{
	return error_set(err, ERR_TARGET, "the target, %s, has ended",
			 spec->attached ? spec->attached->label : spec->plan->attach);
}

/* A service without processes has ended, and the keeper is about to report how. */
static int list_service(struct window *w, const char *name, struct error *err)
{
	const struct window_spec *spec = w->spec;
	struct service_run *service = env_find(spec->env, name);
	size_t before = w->processes.n;
	uint64_t deadline;
	int got = 1;

	if (service_run_processes(service, &w->processes, err) < 0)
		return -1;
	deadline = clock_now_ns() + END_REPORTED_NS;
	while (w->processes.n == before && !service->child.ended && got == 1)
		got = keeper_pump(spec->session->keeper, deadline, err);
	return got < 0 ? -1 : env_check(spec->env, err);
}

static int list_target(struct window *w, struct error *err)
{
	const struct window_spec *spec = w->spec;
	const struct strv *services = &spec->plan->scenario->target_services;

	processes_release(&w->processes);
	if (spec->attached)
		attach_list(spec->attached, &w->processes);
	for (size_t i = 0; !spec->attached && i < services->n; i++)
		if (list_service(w, services->items[i], err) < 0)
			return -1;
	return w->processes.n ? 0 : has_ended(spec, err);
}

/* -------- where it runs */

/* A thread that starts during the move begins on the old CPUs. */
enum { PASSES = 3 };

static const struct moved *find_move(const struct moves *moves, pid_t thread)
{
	for (size_t i = 0; i < moves->n; i++)
		if (moves->items[i].thread == thread)
			return &moves->items[i];
	return NULL;
}

static bool move_process(struct moves *moves, pid_t pid, const cpu_set_t *to)
{
	CLEANUP(strv_release) struct strv threads = STRV_INIT;
	bool any = false;

	process_threads(pid, &threads);
	for (size_t i = 0; i < threads.n; i++) {
		struct moved moved = { .thread = (pid_t)strtol(threads.items[i], NULL, 10) };

		if (sched_getaffinity(moved.thread, sizeof moved.cpus, &moved.cpus) < 0 || CPU_EQUAL(&moved.cpus, to) ||
		    sched_setaffinity(moved.thread, sizeof *to, to) < 0)
			continue;
		any = true;
		if (find_move(moves, moved.thread))
			continue;
		*VEC_ADD(moves->items, moves->n, moves->cap) = moved;
	}
	return any;
}

static void move_all(struct moves *moves, const struct processes *processes, const cpu_set_t *to)
{
	bool any = true;

	for (int pass = 0; any && pass < PASSES; pass++) {
		any = false;
		for (size_t i = 0; i < processes->n; i++)
			any |= move_process(moves, processes->items[i].pid, to);
	}
}

/* A thread that started meanwhile may run where its process's first thread could. */
static void restore_all(struct moves *moves, const struct processes *processes)
{
	for (size_t i = 0; moves->n && i < processes->n; i++) {
		const struct moved *first = find_move(moves, processes->items[i].pid) ?: &moves->items[0];
		CLEANUP(strv_release) struct strv threads = STRV_INIT;

		process_threads(processes->items[i].pid, &threads);
		for (size_t k = 0; k < threads.n; k++) {
			pid_t thread = (pid_t)strtol(threads.items[k], NULL, 10);
			const struct moved *was = find_move(moves, thread) ?: first;

			sched_setaffinity(thread, sizeof was->cpus, &was->cpus);
		}
	}
	free(moves->items);
}

static void list_others(const struct window *w, struct processes *out)
{
	CLEANUP(processes_release) struct processes all = { 0 };

	for (size_t i = 0; i < w->spec->env->n; i++)
		service_run_processes(&w->spec->env->services[i], &all, NULL);
	for (size_t i = 0; i < all.n; i++)
		if (!processes_find(&w->processes, all.items[i].pid))
			processes_add(out, &all.items[i]);
}

/* A target that starts on its CPUs could make a thread for each. So it is moved for the window. */
static int move_to_cpus(struct window *w, struct error *err)
{
	CLEANUP(processes_release) struct processes others = { 0 };
	const struct window_spec *spec = w->spec;
	cpu_set_t cpus, other_cpus;

	if (!spec->cpus)
		return 0;
	if (list_target(w, err) < 0 || child_cpu_set(spec->cpus, &cpus, err) < 0 ||
	    child_cpu_set(spec->other_cpus, &other_cpus, err) < 0)
		return -1;
	move_all(&w->target_at, &w->processes, &cpus);
	list_others(w, &others);
	move_all(&w->others_at, &others, &other_cpus);
	return 0;
}

static void move_back(struct window *w)
{
	CLEANUP(processes_release) struct processes others = { 0 };

	if (!w->target_at.n && !w->others_at.n)
		return;
	if (list_target(w, NULL) < 0)
		processes_release(&w->processes);
	list_others(w, &others);
	restore_all(&w->target_at, &w->processes);
	restore_all(&w->others_at, &others);
}

/* -------- attaching */

static int attach_once(struct window *w, const struct processes *processes, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf pids = STRBUF_INIT;
	struct window_recording *recording = w->spec->recording;
	struct session *session = w->spec->session;
	struct perf *perf = recording ? &recording->record : &w->perf;
	int ret;

	for (size_t i = 0; i < processes->n; i++)
		strbuf_addf(&pids, "%s%d", i ? "," : "", (int)processes->items[i].pid);
	perf_dispose(session->keeper, perf);
	ret = recording ? perf_record_attach(session->keeper, &session->perf, &recording->spec, pids.buf, perf, err) :
			  perf_stat_attach(session->keeper, &session->perf, w->events, pids.buf, perf, err);
	return ret < 0 ? -1 : perf_switch(session->keeper, perf, false, err);
}

/* perf's message about permissions is long. The owner is the reason. */
static void error_of_owner(const struct processes *processes, struct error *err)
{
	for (size_t i = 0; geteuid() != 0 && i < processes->n; i++) {
		char path[64];
		struct stat st;

		snprintf(path, sizeof path, "/proc/%d", (int)processes->items[i].pid);
		if (stat(path, &st) < 0 || st.st_uid == geteuid())
			continue;
		error_set(err, ERR_TARGET, "process %d (%s) is another user's (uid %u): perf may not look at it; run pawl as "
			  "that user, or as root", (int)processes->items[i].pid, processes->items[i].name, (unsigned)st.st_uid);
		return;
	}
}

static void select_lasting(const struct processes *now, const struct processes *before, struct processes *out)
{
	for (size_t i = 0; i < now->n; i++) {
		const struct process *known = processes_find(before, now->items[i].pid);

		if (known && known->start == now->items[i].start)
			processes_add(out, &now->items[i]);
	}
	for (size_t i = 0; !out->n && i < now->n; i++)
		processes_add(out, &now->items[i]);
}

/*
 * perf fails if a process ends meanwhile, and a new process has no counters. So the list is read again, and attaching
 * repeated with those that lasted, and their children. If children come and go all the time, a few are missed.
 */
static int attach_lasting(struct window *w, struct error *err)
{
	CLEANUP(processes_release) struct processes before = { 0 };
	int ret = -1;

	for (int i = 0; i < ATTACH_TRIES; i++) {
		CLEANUP(processes_release) struct processes chosen = { 0 };

		if (list_target(w, err) < 0)
			return -1;
		select_lasting(&w->processes, i ? &before : &w->processes, &chosen);
		ret = attach_once(w, &chosen, err);
		if (ret < 0 && err->kind == ERR_INTERRUPTED)
			return -1;
		if (ret < 0)
			error_of_owner(&chosen, err);
		processes_release(&before);
		before = w->processes;
		w->processes = (struct processes){ 0 };
		if (list_target(w, err) < 0)
			return -1;
		if (processes_equal(&chosen, &w->processes) || (ret == 0 && i + 1 >= ATTACH_SETTLED))
			return ret;
	}
	return ret;
}

static int attach(struct window *w, struct error *err)
{
	struct window_recording *recording = w->spec->recording;

	if (recording ? recording->attached : !w->events)
		return list_target(w, err);
	if (attach_lasting(w, err) < 0)
		return -1;
	if (recording)
		recording->attached = true;
	return 0;
}

static int trace(struct window *w, struct error *err)
{
	struct window_trace *trace = w->spec->trace;

	if (!trace)
		return 0;
	if (list_target(w, err) < 0)
		return -1;
	return strace_attach(w->spec->session, &w->processes, &trace->wish, &trace->strace, err);
}

/* -------- from edge to edge */

static int switch_counting(struct window *w, bool on, struct error *err)
{
	struct window_recording *recording = w->spec->recording;
	struct keeper *keeper = w->spec->session->keeper;
	uint64_t *edge_ns = on ? &w->on_ns : &w->off_ns;

	if ((w->events && perf_switch(keeper, &w->perf, on, err) < 0) ||
	    (recording && perf_switch(keeper, &recording->record, on, err) < 0)) {
		struct error why = ERROR_INIT;

		/* perf ends with its last process, whose end is the error. */
		if (err->kind != ERR_INTERRUPTED && list_target(w, &why) < 0)
			*err = why;
		return -1;
	}
	*edge_ns = clock_now_ns();
	if (recording && !recording->began_ns)
		recording->began_ns = *edge_ns;
	if (recording)
		recording->ended_ns = *edge_ns;
	return 0;
}

static int release_load(struct window *w, struct error *err)
{
	if (child_release(&w->load.child, err) == 0)
		return 0;
	err->kind = ERR_TARGET;
	return error_wrap(err, "the load %s", w->spec->plan->load.items[0]);
}

/* An interpreter takes seconds to start. */
static int wait_for_work(struct window *w, struct error *err)
{
	struct keeper *keeper = w->spec->session->keeper;
	uint64_t give_up = clock_now_ns() + STARTING_NS;
	struct measured used = { 0 };
	struct measured before, now;

	if (!w->has_load || w->fixed)
		return 0;
	if (!w->spec->limit_ns || w->spec->trace) {
		usage_read(&w->processes, &before);
		do {
			if (keeper_pump(keeper, clock_now_ns() + STARTED_EVERY_NS, err) < 0)
				return -1;
			usage_read(&w->processes, &now);
			usage_difference(&before, &now, &used);
		} while (used.cpu_ms < STARTED_CPU_MS && !w->load.child.ended && clock_now_ns() < give_up);
	}
	if (!w->load.child.ended)
		return 0;
	if (load_run_finish(keeper, &w->load, clock_now_ns(), 0, err) < 0)
		return -1;
	return error_set(err, ERR_TARGET, "the load ended %s after its start, before the window began; give it more to do",
			 format_duration(w->load.child.end_ns - w->load.child.start_ns).s);
}

/* Returns 0 for the scenario's duration. */
static uint64_t shortened(const struct window *w)
{
	return w->fixed || w->spec->recording || w->spec->trace ? 0 : w->spec->window_ns;
}

static uint64_t longest(const struct window *w)
{
	const struct measure_settings *measure = &w->spec->plan->scenario->measure;
	const struct window_recording *recording = w->spec->recording;
	uint64_t longest_ns = w->fixed ? measure->timeout_ns : shortened(w) ?: measure->window_ns, limit_ns = w->spec->limit_ns;

	if (!w->fixed && recording) {
		uint64_t end = recording->began_ns + recording->length_ns;
		uint64_t left_ns = end > w->on_ns + SAMPLED_LEAST_NS ? end - w->on_ns : SAMPLED_LEAST_NS;

		longest_ns = left_ns < longest_ns ? left_ns : longest_ns;
	}
	return limit_ns && limit_ns < longest_ns ? limit_ns : longest_ns;
}

static int begin(struct window *w, struct error *err)
{
	struct properties first;

	process_properties(w->processes.n ? w->processes.items[0].pid : 0, &first);
	process_properties(getpid(), &w->start);
	w->start.of[PROPERTY_CPUS] = first.of[PROPERTY_CPUS];
	if (switch_counting(w, true, err) < 0)
		return -1;
	w->end_ns = w->on_ns + longest(w);
	return 0;
}

static bool load_has_ended(const struct window *w)
{
	return w->has_load && w->load.child.ended;
}

static int end(struct window *w, struct error *err)
{
	w->cut_short = !w->fixed && load_has_ended(w) && clock_now_ns() < w->end_ns;
	if (!w->fixed || w->load.child.ended || w->spec->limit_ns)
		return switch_counting(w, false, err);
	error_set(err, ERR_TARGET, "the load did not end within %s (measure.timeout)",
		  format_duration(w->spec->plan->scenario->measure.timeout_ns).s);
	/* This marks a timeout, as for targets that run to their end. */
	if (err)
		err->sys = ETIMEDOUT;
	return -1;
}

static int read_what_was_used(struct window *w, struct error *err)
{
	if (list_target(w, err) < 0)
		return -1;
	usage_read(&w->processes, &w->after);
	w->after.resident_bytes = usage_resident(&w->processes);
	return env_check(w->spec->env, err);
}

static int look_at_target(const struct window *w, struct error *err)
{
	const struct window_spec *spec = w->spec;

	/* Events in the last moments are seen after the edge. */
	if (w->off_ns || clock_now_ns() >= w->end_ns)
		return 0;
	if (env_check(spec->env, err) < 0)
		return -1;
	return spec->attached && !attach_lives(spec->attached) ? has_ended(spec, err) : 0;
}

#define OF(w, step)	((w)->of->failed = (step) < 0)

static int end_some(struct window *all, size_t n, bool *left, struct error *err)
{
	bool over[AT_ONCE_MOST] = { false };
	uint64_t now = clock_now_ns();

	*left = false;
	for (size_t i = 0; i < n; i++) {
		over[i] = !all[i].off_ns && (now >= all[i].end_ns || load_has_ended(&all[i]));
		if (over[i] && OF(&all[i], end(&all[i], err)))
			return -1;
		*left |= !all[i].off_ns;
	}
	/* Reading takes time, so it comes after all edges. */
	for (size_t i = 0; i < n; i++)
		if (over[i] && OF(&all[i], read_what_was_used(&all[i], err)))
			return -1;
	return 0;
}

static void look_at_touched(struct window *w)
{
	for (size_t i = 0; i < w->processes.n; i++)
		if (!processes_find(&w->processes, w->processes.items[i].parent))
			w->touched |= process_touched(w->processes.items[i].pid, &w->start);
}

static int wait_for_ends(struct window *all, size_t n, struct error *err)
{
	uint64_t next_ns = clock_now_ns() + TOUCHED_EVERY_NS;
	bool left;

	for (;;) {
		uint64_t look = clock_now_ns() + LOOK_EVERY_NS;

		if (end_some(all, n, &left, err) < 0)
			return -1;
		if (!left)
			return 0;
		for (size_t i = 0; i < n; i++)
			if (!all[i].off_ns && all[i].end_ns < look)
				look = all[i].end_ns;
		if (keeper_pump(all->spec->session->keeper, look, err) < 0)
			return -1;
		for (size_t i = 0; i < n; i++)
			if (OF(&all[i], look_at_target(&all[i], err)))
				return -1;
		if (clock_now_ns() < next_ns)
			continue;
		for (size_t i = 0; i < n; i++)
			look_at_touched(&all[i]);
		next_ns = clock_now_ns() + TOUCHED_EVERY_NS;
	}
}

static int count_between_edges(struct window *all, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		usage_reset_peaks(&all[i].processes);
		usage_read(&all[i].processes, &all[i].before);
		all[i].before.resident_bytes = usage_resident(&all[i].processes);
	}
	for (size_t i = 0; i < n; i++)
		if (OF(&all[i], begin(&all[i], err)))
			return -1;
	for (size_t i = 0; i < n; i++)
		if (all[i].fixed && OF(&all[i], release_load(&all[i], err)))
			return -1;
	return wait_for_ends(all, n, err);
}

/* -------- results */

static uint64_t patience(const struct window *w)
{
	const struct scenario *s = w->spec->plan->scenario;
	uint64_t window_ns = w->off_ns - w->on_ns, traced_until = w->on_ns + w->spec->limit_ns;

	if (w->spec->trace && s->load.as != WORK_UNKNOWN)
		return traced_until > w->off_ns ? traced_until - w->off_ns : 0;
	/* A load goes on after a shorter, sampled window. */
	if (w->spec->recording && s->measure.window_ns > window_ns)
		window_ns = s->measure.window_ns;
	if (w->spec->limit_ns || shortened(w) || (s->load.as == WORK_UNKNOWN && !s->n_metrics))
		return 0;
	return 2 * window_ns > PATIENCE_NS ? 2 * window_ns : PATIENCE_NS;
}

static int finish_load(struct window *w, struct measured *m, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!w->has_load)
		return 0;
	if (load_run_finish(w->spec->session->keeper, &w->load, w->off_ns, patience(w), err) < 0)
		return -1;
	/* A load that was cut off has no report yet. */
	if (w->spec->limit_ns && !w->spec->trace)
		return 0;
	/* The work then shows the cost of sampling, or of tracing. */
	if (w->spec->recording || w->spec->trace) {
		double worked_ms = w->spec->trace ? (double)(w->load.child.end_ns - w->on_ns) / 1e6 : m->wall_ms;

		load_run_work(&w->load, worked_ms / 1e3, m, NULL);
		return 0;
	}
	if (load_run_work(&w->load, m->wall_ms / 1e3, m, err) < 0)
		return -1;
	tail_text(&w->load.child.output, &text);
	return custom_metrics_read(w->spec->plan->scenario, &text, m, err);
}

bool window_is_idle(double cpu_ms, double wall_ms, double work, bool shared)
{
	double least_ms = wall_ms * (shared ? IDLE_CPUS_SHARED : IDLE_CPUS);

	return cpu_ms < (work > 0 ? fmin(least_ms, work * IDLE_UNIT_MS) : least_ms);
}

/* Marks a window that would mislead an average, or the reader. */
static void check(const struct window *w, struct measured *m)
{
	const struct scenario *s = w->spec->plan->scenario;
	double clock_ms = perf_rows_value(&m->rows, "task-clock", NULL);
	double used_ms = isnan(clock_ms) ? m->cpu_ms : clock_ms;

	if (window_is_idle(used_ms, m->wall_ms, m->work, w->spec->cpus))
		m->dropped = text_printf("the target was idle (%.2g %% of a CPU): %s", 100 * used_ms / m->wall_ms,
					 w->has_load ? "does the load reach it?" : "nothing drives it; add 'load:'");
	else if (w->cut_short && s->load.as == WORK_UNKNOWN)
		m->dropped = text_printf("it was cut short: the load ended after %s of %s; give it more to do",
					 format_duration((uint64_t)(1e6 * m->wall_ms)).s, format_duration(longest(w)).s);
	/* Children that were not waited for are missing in most windows. */
	else if (w->events)
		measured_check(m, m->cpu_ms, SLACK_MS + SLACK_PROCESS_MS * (double)w->processes.n, INFINITY);
	m->hasty = w->cut_short && s->load.as == WORK_RATE && m->wall_ms < HASTY_MS;
}

static int hold_load(struct window *w, struct error *err)
{
	w->has_load = w->spec->plan->load.n > 0;
	w->fixed = w->spec->plan->scenario->load.as == WORK_COUNT;
	if (!w->has_load)
		return 0;
	if (load_run_start(w->spec->session->keeper, w->spec->plan, w->spec->load_anywhere ? NULL : w->spec->other_cpus, &w->load, err) < 0)
		return -1;
	return w->fixed ? 0 : release_load(w, err);
}

/* A load may leave processes that serve the other side, so nothing is swept before both have ended. */
static int wait_for_loads(struct window *all, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++)
		if (all[i].has_load &&
		    child_wait(all[i].spec->session->keeper, &all[i].load.child, all[i].off_ns + patience(&all[i]), err) < 0)
			return -1;
	return 0;
}

static int yield(struct window *w, struct error *err)
{
	CLEANUP(measured_release) struct measured m = {
		.wall_ms = (double)(w->off_ns - w->on_ns) / 1e6,
		.resident_before_bytes = w->before.resident_bytes, .resident_bytes = w->after.resident_bytes, .touched = w->touched,
	};

	usage_difference(&w->before, &w->after, &m);
	if (w->events && perf_stat_end(w->spec->session->keeper, &w->perf, &m.rows, err) < 0)
		return -1;
	if (finish_load(w, &m, err) < 0)
		return -1;
	check(w, &m);
	*w->of->out = m;
	m = (struct measured){ 0 };
	return 0;
}

static int run(struct window *all, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++)
		if (OF(&all[i], move_to_cpus(&all[i], err)) || OF(&all[i], trace(&all[i], err)) || OF(&all[i], hold_load(&all[i], err)))
			return -1;
	for (size_t i = 0; i < n; i++)
		if (OF(&all[i], attach(&all[i], err)))
			return -1;
	for (size_t i = 0; i < n; i++)
		if (OF(&all[i], wait_for_work(&all[i], err)))
			return -1;
	if (count_between_edges(all, n, err) < 0 || wait_for_loads(all, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (OF(&all[i], yield(&all[i], err)))
			return -1;
	return 0;
}

int windows_run(const struct window_spec *specs, struct outcome *outcomes, size_t n, const struct strv *events,
		struct error *err)
{
	struct window all[AT_ONCE_MOST];
	int ret;

	for (size_t i = 0; i < n; i++) {
		all[i] = (struct window){
			.spec = &specs[i], .of = &outcomes[i], .events = events, .perf = PERF_INIT, .load.child.output_fd = -1,
		};
		outcomes[i].failed = false;
	}
	ret = run(all, n, err);
	for (size_t i = 0; i < n; i++) {
		struct window *w = &all[i];

		perf_dispose(w->spec->session->keeper, &w->perf);
		child_read_output(&w->load.child);
		tail_text(&w->load.child.output, outcomes[i].output);
		load_run_dispose(w->spec->session->keeper, &w->load);
		move_back(w);
		processes_release(&w->processes);
	}
	return ret;
}
