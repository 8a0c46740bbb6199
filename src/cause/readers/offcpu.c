#include "cause/readers/offcpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cause/ledger/system_calls.h"
#include "model/profile.h"
#include "profile/names.h"
#include "profile/script.h"

/*
 * Between two records a thread is running, waiting, or in an unknown state. The time between two records of an
 * execution is assigned to the state of its first thread.
 */

/* Most frames from the leaf to examine for the kind of wait. */
enum { LOOKED_AT = 40 };

enum state { UNSEEN, RUNNING, PREEMPTED, WAITING, ENDED };

struct thread {
	enum state state;
	enum wait_kind kind;		/* for WAITING */
	bool passed_over;		/* the keeper's: not counted */
	bool has_stack, sleeps_in_own;	/* of the wait; sleeps_in_own: SLEEP or IO in own code */
	uint32_t comm, tid;
	uint32_t first;			/* number of its execution's first thread; or NOBODY */
	uint64_t since_ns;		/* start of the state */
	uint32_t *frames;		/* stack where it last left the CPU, root first, with room for one more */
	size_t n, cap;
	double held_ns, others_ns;	/* of the current wait */
	/* For first threads only. */
	uint64_t looked_ns;
	unsigned running;		/* other threads running or ready to run */
	unsigned sleeping;		/* other threads with sleeps_in_own */
	uint32_t sleeper;		/* one of these, if still asleep */
};

#define NOBODY UINT32_MAX

enum sum { SUM_WAITING, SUM_HELD, SUM_OTHERS, SUM_LOCKED, SUMS };

static const char *const sum_names[SUMS] = { OFFCPU_WAITING, OFFCPU_HELD, OFFCPU_OTHERS, OFFCPU_LOCKED };

struct offcpu {
	struct stacks *into;
	const struct own_code *own;
	const char *without;
	struct script *script;
	struct pair_index by_tid;
	struct thread *threads;
	size_t n, cap;
	signed char *is_own;	/* by frame: -1 no, 1 yes, 0 not looked at */
	size_t n_is_own;
	uint32_t current;		/* first thread of the last execution that began; or NOBODY */
	uint32_t event_of_switch;	/* string of the last event that was a switch */
	uint64_t last_ns;		/* time of the last record; never decreases */
	double sums[SUMS];	/* as read, to compare with the stacks */
	struct offcpu_times times;
};

static const char *const wait_frames[] = { NULL, "[sleep]", "[I/O]", "[pipe]", "[lock]", "[thread]", "[child]" };

uint32_t wait_frame(struct stacks *stacks, enum wait_kind kind)
{
	return stacks_frame_of(stacks, wait_frames[kind], strlen(wait_frames[kind]), "");
}

enum wait_kind wait_named(const char *name)
{
	for (int kind = WAIT_NONE + 1; kind < WAIT_KINDS; kind++)
		if (!strcmp(name, wait_frames[kind]))
			return (enum wait_kind)kind;
	return WAIT_NONE;
}

/* -------- the kind of a wait */

/* Symbols of waits. The first match from the leaf decides; a '*' ends a prefix. */
static const struct {
	const char *symbol;
	enum wait_kind kind;
} waits[] = {
	/* the kernel */
	{ "io_schedule*", WAIT_IO }, { "folio_wait*", WAIT_IO }, { "wait_on_page*", WAIT_IO }, { "submit_bio_wait*", WAIT_IO },
	{ "jbd2_*", WAIT_IO }, { "wait_on_buffer*", WAIT_IO }, { "balance_dirty_pages*", WAIT_IO }, { "do_fsync*", WAIT_IO },
	{ "io_cqring_wait*", WAIT_IO }, { "read_events", WAIT_IO }, { "fuse_*", WAIT_IO }, { "nfs*", WAIT_IO },
	{ "do_nanosleep*", WAIT_SLEEP }, { "hrtimer_nanosleep*", WAIT_SLEEP }, { "do_sigtimedwait*", WAIT_SLEEP }, { "timerfd_read*", WAIT_SLEEP },
	{ "__do_sys_pause*", WAIT_SLEEP }, { "__x64_sys_pause*", WAIT_SLEEP }, { "__arm64_sys_pause*", WAIT_SLEEP },
	{ "pipe_read*", WAIT_PIPE }, { "pipe_write*", WAIT_PIPE }, { "anon_pipe_*", WAIT_PIPE }, { "pipe_wait*", WAIT_PIPE },
	{ "wait_for_partner*", WAIT_PIPE }, { "fifo_open*", WAIT_PIPE }, { "eventfd_*", WAIT_PIPE }, { "unix_*", WAIT_PIPE },
	{ "sock_*", WAIT_PIPE }, { "sk_*", WAIT_PIPE }, { "tcp_*", WAIT_PIPE }, { "inet_*", WAIT_PIPE }, { "udp_*", WAIT_PIPE },
	{ "__skb_wait*", WAIT_PIPE }, { "do_poll*", WAIT_PIPE }, { "do_sys_poll*", WAIT_PIPE }, { "do_select*", WAIT_PIPE },
	{ "ep_poll*", WAIT_PIPE }, { "do_epoll_wait*", WAIT_PIPE }, { "n_tty_*", WAIT_PIPE }, { "tty_*", WAIT_PIPE }, { "do_msgrcv*", WAIT_PIPE },
	{ "do_wait", WAIT_CHILD }, { "__do_wait*", WAIT_CHILD }, { "kernel_wait*", WAIT_CHILD }, { "wait_for_vfork*", WAIT_CHILD },
	{ "kernel_clone*", WAIT_CHILD }, { "sigsuspend*", WAIT_CHILD }, { "__do_sys_rt_sigsuspend*", WAIT_CHILD },
	{ "flock_lock*", WAIT_LOCK }, { "locks_lock*", WAIT_LOCK }, { "fcntl_setlk*", WAIT_LOCK }, { "do_semtimedop*", WAIT_LOCK },
	{ "futex_lock_pi*", WAIT_LOCK },
	/* libraries: they show the purpose of a futex, and everything if the kernel has no names */
	{ "pthread_cond_*", WAIT_THREAD }, { "__pthread_cond_*", WAIT_THREAD }, { "pthread_join*", WAIT_THREAD }, { "__pthread_*join*", WAIT_THREAD },
	{ "pthread_timedjoin*", WAIT_THREAD }, { "pthread_clockjoin*", WAIT_THREAD }, { "__pthread_clockjoin*", WAIT_THREAD },
	{ "__pthread_timedjoin*", WAIT_THREAD }, { "pthread_barrier*", WAIT_THREAD }, { "__pthread_barrier*", WAIT_THREAD },
	{ "__lll_lock_wait*", WAIT_LOCK }, { "__GI___lll_lock*", WAIT_LOCK }, { "lll_*lock*", WAIT_LOCK }, { "pthread_mutex_*", WAIT_LOCK },
	{ "__pthread_mutex_*", WAIT_LOCK }, { "___pthread_mutex_*", WAIT_LOCK }, { "pthread_rwlock_*", WAIT_LOCK },
	{ "__pthread_rwlock_*", WAIT_LOCK }, { "___pthread_rwlock_*", WAIT_LOCK }, { "sem_wait*", WAIT_LOCK }, { "__new_sem_*", WAIT_LOCK },
	{ "mtx_lock*", WAIT_LOCK }, { "runtime.lock*", WAIT_LOCK }, { "runtime.semacquire*", WAIT_LOCK }, { "sync.(*Mutex).*", WAIT_LOCK },
	{ "sync.runtime_Semacquire*", WAIT_LOCK },
	{ "nanosleep*", WAIT_SLEEP }, { "__nanosleep*", WAIT_SLEEP }, { "clock_nanosleep*", WAIT_SLEEP }, { "__clock_nanosleep*", WAIT_SLEEP },
	{ "usleep*", WAIT_SLEEP }, { "sleep", WAIT_SLEEP }, { "__sleep", WAIT_SLEEP }, { "pause", WAIT_SLEEP },
	{ "poll*", WAIT_PIPE }, { "__poll*", WAIT_PIPE }, { "select*", WAIT_PIPE }, { "__select*", WAIT_PIPE }, { "epoll_*", WAIT_PIPE },
	{ "recv*", WAIT_PIPE }, { "__recv*", WAIT_PIPE }, { "__libc_recv*", WAIT_PIPE }, { "send*", WAIT_PIPE }, { "__send*", WAIT_PIPE },
	{ "__libc_send*", WAIT_PIPE }, { "accept*", WAIT_PIPE }, { "__libc_accept*", WAIT_PIPE }, { "connect*", WAIT_PIPE },
	{ "wait4*", WAIT_CHILD }, { "__wait4*", WAIT_CHILD }, { "waitpid*", WAIT_CHILD }, { "__waitpid*", WAIT_CHILD }, { "waitid*", WAIT_CHILD },
	{ "__waitid*", WAIT_CHILD }, { "posix_spawn*", WAIT_CHILD }, { "__spawn*", WAIT_CHILD }, { "sigsuspend*", WAIT_CHILD },
	{ "flock*", WAIT_LOCK }, { "__flock*", WAIT_LOCK },
};

/* True for Rust's locks, by mangled name: "std::sys::sync::mutex::futex::Mutex::lock_contended". */
static bool is_rust_lock(const char *symbol)
{
	return strstr(symbol, "lock_contended") || strstr(symbol, "read_contended") || strstr(symbol, "write_contended");
}

static enum wait_kind kind_of(const struct stacks *stacks, const uint32_t *frames, size_t n)
{
	bool futex = false, kernel = false;

	for (size_t i = n; i > 0 && i + LOOKED_AT > n; i--) {
		const struct frame *f = &stacks->frames[frames[i - 1]];
		const char *symbol = stacks_text(stacks, f->name);

		futex |= strstr(symbol, "futex") != NULL;
		kernel |= dso_is_kernel(stacks_text(stacks, f->dso));
		for (size_t k = 0; k < sizeof waits / sizeof waits[0]; k++)
			if (text_matches(symbol, waits[k].symbol) && (!futex || waits[k].kind == WAIT_LOCK || waits[k].kind == WAIT_THREAD))
				return waits[k].kind;
		if (futex && is_rust_lock(symbol))
			return WAIT_LOCK;
	}
	/* Threads signal each other by futexes for many purposes. Most other waits in the kernel are for files. */
	return futex ? WAIT_THREAD : kernel ? WAIT_IO : WAIT_NONE;
}

static bool is_own(struct offcpu *o, uint32_t frame)
{
	const char *path;

	o->is_own = xextend(o->is_own, &o->n_is_own, frame + 1UL, sizeof *o->is_own);
	if (!o->is_own[frame]) {
		path = stacks_text(o->into, o->into->frames[frame].dso);
		o->is_own[frame] = *path == '/' && own_code_has(o->own, path) ? 1 : -1;
	}
	return o->is_own[frame] > 0;
}

static bool has_own(struct offcpu *o, const struct thread *t)
{
	for (size_t i = 0; o->own && i < t->n; i++)
		if (is_own(o, t->frames[i]))
			return true;
	return false;
}

/* -------- sums */

static void add_stack(struct offcpu *o, struct thread *t, enum sum sum, double ns)
{
	uint32_t frames[1], *all = frames;
	size_t n = 0;

	if (!(ns > 0))
		return;
	if (t->has_stack) {
		all = t->frames;
		n = t->n;
	}
	if (!n)
		all[n++] = stacks_frame_of(o->into, "[unknown]", 9, "[unknown]");
	if (t->kind != WAIT_NONE && t->has_stack)
		all[n++] = wait_frame(o->into, t->kind);
	stacks_add(o->into, (struct stack_sample){ stacks_event(o->into, sum_names[sum], strlen(sum_names[sum])), t->comm, all, n, 1, ns });
	o->sums[sum] += ns;
}

static bool is_held_by_itself(const struct thread *t)
{
	return t->kind == WAIT_SLEEP || t->kind == WAIT_IO;
}

static struct thread *find_sleeper(struct offcpu *o, struct thread *first)
{
	uint32_t number = (uint32_t)(first - o->threads);

	if (!first->sleeping)
		return NULL;
	for (size_t i = 0, at = first->sleeper; i < o->n; i++, at = (at + 1) % o->n) {
		struct thread *t = &o->threads[at];

		if (t->first == number && t->state == WAITING && t->sleeps_in_own) {
			first->sleeper = (uint32_t)at;
			return t;
		}
	}
	return NULL;
}

/* Assigns the time since the execution's last record to the state of its first thread. */
static void pass(struct offcpu *o, struct thread *first, uint64_t now)
{
	double ns = now > first->looked_ns ? (double)(now - first->looked_ns) : 0;
	struct thread *sleeper;

	first->looked_ns = now;
	if (first->state == ENDED || first->state == UNSEEN)
		return;
	o->times.first_ns += ns;
	if (first->state != WAITING) {
		o->times.first_cpu_ns += ns;
	} else if (!is_held_by_itself(first) && first->running) {
		first->others_ns += ns;
	} else {
		sleeper = is_held_by_itself(first) ? NULL : find_sleeper(o, first);
		*(sleeper ? &sleeper->held_ns : &first->held_ns) += ns;
	}
}

static void end_wait(struct offcpu *o, struct thread *t, double ns)
{
	o->times.waits++;
	o->times.waited_ns[t->kind] += ns;
	o->times.held_ns[t->kind] += t->held_ns;
	o->times.others_ns += t->others_ns;
	add_stack(o, t, SUM_WAITING, ns);
	add_stack(o, t, SUM_HELD, t->held_ns);
	add_stack(o, t, SUM_OTHERS, t->others_ns);
	if (t->kind == WAIT_LOCK)
		add_stack(o, t, SUM_LOCKED, ns);
}

/* Counts T's time in its state until NOW, then changes the state. */
static void change(struct offcpu *o, struct thread *t, enum state state, uint64_t now)
{
	struct thread *first = t->first != NOBODY ? &o->threads[t->first] : NULL;
	bool ran = t->state == RUNNING || t->state == PREEMPTED, runs = state == RUNNING || state == PREEMPTED;
	double ns = now > t->since_ns ? (double)(now - t->since_ns) : 0;

	if (first)
		pass(o, first, now);
	if (!t->passed_over) {
		o->times.cpu_ns += t->state == RUNNING ? ns : 0;
		o->times.preempted_ns += t->state == PREEMPTED ? ns : 0;
		if (t->state == WAITING)
			end_wait(o, t, ns);
	}
	if (first && first != t) {
		first->running += runs;
		first->running -= ran;
		first->sleeping -= t->state == WAITING && t->sleeps_in_own;
		first->sleeping += state == WAITING && t->sleeps_in_own;
	}
	t->held_ns = t->others_ns = 0;
	t->state = state;
	t->since_ns = now;
	if (state == RUNNING)
		t->has_stack = false;
}

/* Handles a missing record of T: the end of its last state is unknown. */
static void forget(struct offcpu *o, struct thread *t, uint64_t now)
{
	t->since_ns = now;
	t->held_ns = t->others_ns = 0;
	change(o, t, UNSEEN, now);
}

/* -------- threads */

static struct thread *thread_of(struct offcpu *o, uint32_t tid)
{
	uint32_t number = pair_index_of(&o->by_tid, tid, 0);

	if (number == o->n)
		*VEC_ADD(o->threads, o->n, o->cap) = (struct thread){ .tid = tid, .first = NOBODY };
	return &o->threads[number];
}

/* Parses "(12:34):(5:6)" into the numbers of the child and of the parent. */
static bool take_numbers(const char *text, size_t len, uint32_t out[4])
{
	const char *end = text + len;

	for (int i = 0; i < 4; i++) {
		uint64_t value = 0;

		while (text < end && !text_is_digit(*text))
			text++;
		if (text == end)
			return false;
		for (; text < end && text_is_digit(*text); text++)
			value = value < UINT32_MAX ? value * 10 + (uint64_t)(*text - '0') : value;
		out[i] = (uint32_t)value & RECORDED_PID_MASK;
	}
	return true;
}

static void note_fork(struct offcpu *o, const struct script_moment *at, const char *text, size_t len)
{
	uint32_t numbers[4], first = NOBODY;
	struct thread *parent, *child;
	bool passed_over;

	if (!take_numbers(text, len, numbers) || numbers[1] == numbers[3])
		return;
	parent = thread_of(o, numbers[3]);
	/*
	 * The child joins its parent's execution. If the parent has ended, its number is in use again and the execution
	 * unknown.
	 */
	first = parent->state == ENDED ? NOBODY : parent->first;
	passed_over = parent->passed_over && first == NOBODY;
	child = thread_of(o, numbers[1]);
	change(o, child, ENDED, o->last_ns);
	child->first = first;
	child->passed_over = passed_over;
	child->sleeps_in_own = false;
	child->comm = at->comm;
	change(o, child, RUNNING, o->last_ns);
}

/*
 * Begins an execution if a process outside of any executes a program. Executions follow one another. During one, such a
 * process belongs to it, and only its parent was not recorded.
 */
static void note_exec(struct offcpu *o, struct thread *t, const struct script_moment *at)
{
	t->passed_over = false;
	if (t->first != NOBODY || at->pid != at->tid || (o->current != NOBODY && o->threads[o->current].state != ENDED))
		return;
	change(o, t, RUNNING, o->last_ns);
	t->first = o->current = (uint32_t)(t - o->threads);
	t->running = t->sleeping = 0;
	t->looked_ns = o->last_ns;
	o->times.executions++;
}

/* After a loss, the states of all threads are unknown. */
static void note_loss(struct offcpu *o)
{
	for (size_t i = 0; i < o->n; i++) {
		struct thread *t = &o->threads[i];

		if (t->state == ENDED)
			continue;
		t->state = UNSEEN;
		t->running = t->sleeping = 0;
		t->held_ns = t->others_ns = 0;
		t->has_stack = false;
	}
}

/* -------- records */

static bool contains(const char *text, size_t len, const char *what)
{
	return memmem(text, len, what, strlen(what)) != NULL;
}

static void take_switch(struct offcpu *o, struct thread *t, const struct script_moment *at, bool out, bool preempt)
{
	bool known = t->state == RUNNING;

	if (t->state == ENDED)
		return;
	if (!out) {
		t->passed_over = o->without && !strcmp(stacks_text(o->into, at->comm), o->without);
		change(o, t, RUNNING, o->last_ns);
		return;
	}
	if (!known)
		forget(o, t, o->last_ns);
	t->comm = at->comm;
	t->passed_over = o->without && !strcmp(stacks_text(o->into, at->comm), o->without);
	if (!t->has_stack)
		t->n = 0;
	t->sleeps_in_own = false;
	if (preempt) {
		change(o, t, PREEMPTED, o->last_ns);
		return;
	}
	/* The kind set here applies to the coming wait; the running time until now ignores it. */
	t->kind = t->has_stack ? kind_of(o->into, t->frames, t->n) : WAIT_NONE;
	t->sleeps_in_own = known && is_held_by_itself(t) && has_own(o, t);
	change(o, t, WAITING, o->last_ns);
}

/* Advances the time. Records out of order count as simultaneous: a wait cannot be shorter than the delay it causes. */
static void pass_time(struct offcpu *o, uint64_t time_ns)
{
	o->last_ns = time_ns > o->last_ns ? time_ns : o->last_ns;
}

static void on_record(void *ctx, const struct script_moment *at, const char *text, size_t len)
{
	struct offcpu *o = ctx;

	pass_time(o, at->time_ns);
	if (text_starts_within(text, len, "PERF_RECORD_LOST"))
		note_loss(o);
	else if (text_starts_within(text, len, "PERF_RECORD_SWITCH"))
		take_switch(o, thread_of(o, at->tid), at, contains(text, len, " OUT"), contains(text, len, " preempt"));
	else if (text_starts_within(text, len, "PERF_RECORD_FORK("))
		note_fork(o, at, text, len);
	else if (text_starts_within(text, len, "PERF_RECORD_EXIT("))
		change(o, thread_of(o, at->tid), ENDED, o->last_ns);
	else if (text_starts_within(text, len, "PERF_RECORD_COMM exec") && at->time_ns)
		note_exec(o, thread_of(o, at->tid), at);
}

static bool is_switch(struct offcpu *o, uint32_t event)
{
	const char *name;

	if (event == o->event_of_switch)
		return true;
	name = stacks_text(o->into, event);
	if (!TEXT_IS(name, "context-switches*", "cs*", "sched:sched_switch*"))
		return false;
	o->event_of_switch = event;
	return true;
}

static void on_sample(void *ctx, const struct script_moment *at, const uint32_t *frames, size_t n)
{
	struct offcpu *o = ctx;
	struct thread *t;

	if (!is_switch(o, at->event))
		return;
	pass_time(o, at->time_ns);
	t = thread_of(o, at->tid);
	if (t->state == ENDED)
		return;
	if (t->cap < n + 1) {
		t->cap = n + 16;
		t->frames = xrealloc(t->frames, t->cap * sizeof *t->frames);
	}
	memcpy(t->frames, frames, n * sizeof *frames);
	t->n = n;
	/* It runs, if only to leave the CPU. Its return was not recorded. */
	if (t->state != RUNNING) {
		forget(o, t, o->last_ns);
		change(o, t, RUNNING, o->last_ns);
	}
	t->has_stack = n > 0;
}

/* -------- the stream */

struct offcpu *offcpu_new(struct stacks *into, const struct own_code *own, const char *without)
{
	struct offcpu *o = xcalloc(1, sizeof *o);

	o->into = into;
	o->own = own;
	o->without = without;
	o->event_of_switch = UINT32_MAX;
	o->current = NOBODY;
	o->script = script_new(into);
	script_observe(o->script, &(struct script_observer){ .ctx = o, .sample = on_sample, .record = on_record });
	return o;
}

void offcpu_free(struct offcpu *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->n; i++)
		free(o->threads[i].frames);
	free(o->threads);
	free(o->is_own);
	pair_index_release(&o->by_tid);
	script_free(o->script);
	free(o);
}

int offcpu_feed(struct offcpu *o, const char *data, size_t len, struct error *err)
{
	return script_feed(o->script, data, len, err);
}

int offcpu_end(struct offcpu *o, struct offcpu_times *out, struct error *err)
{
	if (script_end(o->script, err) < 0)
		return -1;
	/* Ends waits still open at the end of the recording. */
	for (size_t i = 0; i < o->n; i++)
		if (o->threads[i].state != ENDED)
			change(o, &o->threads[i], ENDED, o->last_ns);
	for (uint32_t i = 0; i < o->into->n_events; i++) {
		const char *name = stacks_text(o->into, o->into->events[i].name);

		for (int sum = 0; sum < SUMS; sum++)
			if (!strcmp(name, sum_names[sum]) && (fabs(o->into->events[i].weight - o->sums[sum]) > 1e-9 * o->sums[sum] ||
							     !stacks_complete(o->into, i)))
				return error_set(err, ERR_SYSTEM, "%s: %.0f ns were read, but the stacks hold others; this is a defect of pawl",
						 name, o->sums[sum]);
	}
	o->times.lost = o->into->lost;
	*out = o->times;
	return 0;
}
