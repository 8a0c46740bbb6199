#include "measure/process/processes.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/process/proc.h"
#include "model/measured.h"

/* -------- processes */

enum { MEMBERS_LARGEST = 16 << 20 };
enum { TOUCHED_MOST = 32, DEPTH_MOST = 64 };

bool process_read_file(pid_t pid, const char *name, struct strbuf *out)
{
	char path[128];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return pid > 0 && file_read_fact(path, out);
}

bool process_read_status(pid_t pid, const char *key, uint64_t *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	return process_read_file(pid, "status", &text) && proc_status_number(text.buf, key, 10, out);
}

bool process_read(pid_t pid, struct process *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	return process_read_file(pid, "stat", &text) && process_parse(text.buf, out);
}

double process_ticks_ms(uint64_t ticks)
{
	return (double)ticks * 1e3 / (double)sysconf(_SC_CLK_TCK);
}

void process_threads(pid_t pid, struct strv *out)
{
	CLEANUP(free_ptr) char *tasks = text_printf("/proc/%d/task", (int)pid);

	file_list(tasks, out, NULL);
}

bool process_read_thread(pid_t pid, const char *thread, const char *name, struct strbuf *out)
{
	CLEANUP(free_ptr) char *path = text_printf("task/%s/%s", thread, name);

	return process_read_file(pid, path, out);
}

pid_t *process_children(pid_t pid, size_t *n_out)
{
	CLEANUP(strv_release) struct strv threads = STRV_INIT;
	pid_t *children = NULL;
	size_t cap = 0;

	*n_out = 0;
	process_threads(pid, &threads);
	for (size_t i = 0; i < threads.n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		pid_t child;

		process_read_thread(pid, threads.items[i], "children", &text);
		for (char *p = text.buf; (child = (pid_t)strtol(p, &p, 10)) > 0;)
			*VEC_ADD(children, *n_out, cap) = child;
	}
	return children;
}

unsigned process_crowd(pid_t pid, void (*busy)(void *ctx, pid_t pid), void *ctx)
{
	CLEANUP(strv_release) struct strv threads = STRV_INIT;
	unsigned ready = 0, most = 0;
	size_t n;
	CLEANUP(free_ptr) pid_t *children = process_children(pid, &n);

	process_threads(pid, &threads);
	for (size_t i = 0; i < threads.n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		struct process thread;

		ready += process_read_thread(pid, threads.items[i], "stat", &text) && process_parse(text.buf, &thread) && thread.state == 'R';
	}
	for (size_t i = 0; i < n; i++) {
		unsigned crowd = process_crowd(children[i], busy, ctx);

		most = crowd > most ? crowd : most;
	}
	if (ready && busy)
		busy(ctx, pid);
	return ready > most ? ready : most;
}

static bool is_below(pid_t pid, pid_t root)
{
	struct process process = { .parent = pid };

	for (int depth = 0; depth < DEPTH_MOST && process.parent > 1; depth++) {
		if (process.parent == root)
			return true;
		if (!process_read(process.parent, &process))
			return false;
	}
	return false;
}

/* -------- properties that other processes can change */

static const char *const touched_words[PROPERTIES] = {
	[PROPERTY_TRACER] = "traced by a process that it did not start",
	[PROPERTY_STOP] = "stopped",
	[PROPERTY_CPUS] = "moved to other CPUs",
	[PROPERTY_POLICY] = "given another scheduling class",
	[PROPERTY_NICE] = "given another nice value",
	[PROPERTY_IO_PRIORITY] = "given another I/O priority",
	[PROPERTY_LIMITS] = "given other resource limits",
	[PROPERTY_TIMER_SLACK] = "given another timer slack",
};

/* See ioprio_get(2). Kernels differ on processes whose priority is only that of their nice value. */
static uint64_t io_priority_of(const struct process *process)
{
	enum { WHO_PROCESS = 1, CLASS_SHIFT = 13, BEST_EFFORT = 2 };
	long priority = syscall(SYS_ioprio_get, WHO_PROCESS, process->pid);

	if (priority < 0)
		return 0;
	if (!(priority >> CLASS_SHIFT) || priority == (BEST_EFFORT << CLASS_SHIFT | (process->nice + 20) / 5))
		return 1;
	return 2 + (uint64_t)priority;
}

/* Leaves out limits that runtimes and compilers raise at their start. */
static uint64_t limits_of(const struct process *process)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	uint64_t hash = FNV_START;
	const char *at, *line;
	size_t len;

	if (!process_read_file(process->pid, "limits", &text))
		return 0;
	at = text.buf;
	while ((line = text_next_line(&at, text.buf + text.len, &len)))
		if (!text_starts(line, "Max open files") && !text_starts(line, "Max stack size") && !text_starts(line, "Max core file size"))
			hash = fnv_bytes(hash, line, len);
	return hash | 1;
}

/* False if PID is gone. Only root sees the timer slack of others. */
static bool read_properties(pid_t pid, pid_t root, struct properties *out)
{
	CLEANUP(strbuf_release) struct strbuf slack = STRBUF_INIT;
	struct process process;
	uint64_t tracer;
	cpu_set_t cpus;

	*out = (struct properties){ 0 };
	if (!process_read(pid, &process) || process_is_dead(&process))
		return false;
	if (process_read_status(pid, "TracerPid", &tracer))
		out->of[PROPERTY_TRACER] = 1 + (tracer && !is_below((pid_t)tracer, root));
	out->of[PROPERTY_STOP] = 1 + (process.state == 'T');
	if (sched_getaffinity(pid, sizeof cpus, &cpus) == 0)
		out->of[PROPERTY_CPUS] = fnv_bytes(FNV_START, &cpus, sizeof cpus) | 1;
	out->of[PROPERTY_POLICY] = 1 + (uint64_t)process.policy;
	out->of[PROPERTY_NICE] = (uint64_t)(process.nice + 64);
	out->of[PROPERTY_IO_PRIORITY] = io_priority_of(&process);
	out->of[PROPERTY_LIMITS] = limits_of(&process);
	if (process_read_file(pid, "timerslack_ns", &slack))
		out->of[PROPERTY_TIMER_SLACK] = 1 + strtoull(slack.buf, NULL, 10);
	return true;
}

void process_properties(pid_t pid, struct properties *out)
{
	if (read_properties(pid, pid, out))
		out->of[PROPERTY_TRACER] = out->of[PROPERTY_STOP] = 1;
}

static uint64_t touched_one(pid_t pid, pid_t root, const struct properties *start)
{
	struct properties now;
	uint64_t bits = 0;

	read_properties(pid, root, &now);
	for (size_t i = 0; i < PROPERTIES; i++)
		if (now.of[i] && start->of[i] && now.of[i] != start->of[i])
			bits |= 1ull << (8 * i + (now.of[i] ^ now.of[i] >> 8) % 8);
	return bits;
}

static uint64_t touched_below(pid_t pid, pid_t root, const struct properties *start, unsigned *left)
{
	uint64_t bits = touched_one(pid, root, start);
	size_t n;
	CLEANUP(free_ptr) pid_t *children = process_children(pid, &n);

	for (size_t i = 0; i < n && *left; i++, --*left)
		bits |= touched_below(children[i], root, start, left);
	return bits;
}

uint64_t process_touched(pid_t root, const struct properties *start)
{
	unsigned left = TOUCHED_MOST;

	return touched_below(root, root, start, &left);
}

const char *process_touched_words(uint64_t bits)
{
	size_t i = 0;

	while (i < PROPERTIES - 1 && !(bits & PROPERTY_BITS(i)))
		i++;
	return touched_words[i];
}

/* -------- which processes live */

ino_t process_namespace(pid_t pid, const char *kind)
{
	struct stat st;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, kind);
	return stat(path, &st) == 0 ? st.st_ino : 0;
}

bool process_is_dead(const struct process *process)
{
	return process->state == 'Z' || process->state == 'X' || process->state == 'x';
}

bool process_lives(pid_t pid, uint64_t start)
{
	struct process now;

	return start && process_read(pid, &now) && now.start == start && !process_is_dead(&now);
}

bool process_numbers_are_own(void)
{
	char self[16] = "";

	return readlink("/proc/self", self, sizeof self - 1) > 0 && strtol(self, NULL, 10) == getpid();
}

uint32_t process_view(void)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct stat pids, time = { 0 };
	uint64_t hash;

	/* Kernels before 5.6 have no time namespaces. */
	if (!process_numbers_are_own() || stat("/proc/self/ns/pid", &pids) < 0 ||
	    (stat("/proc/self/ns/time", &time) < 0 && errno != ENOENT) || !file_read_fact("/proc/sys/kernel/random/boot_id", &text))
		return 0;
	strbuf_addf(&text, " %ju %ju", (uintmax_t)pids.st_ino, (uintmax_t)time.st_ino);
	hash = fnv_text(FNV_START, text.buf);
	return (uint32_t)(hash ^ hash >> 32);
}

bool process_is_gone(pid_t pid, uint64_t start, uint32_t view)
{
	struct process now;

	if (!view || view != process_view() || pid <= 0)
		return false;
	if (kill(pid, 0) < 0 && errno == ESRCH)
		return true;
	return process_read(pid, &now) && (process_is_dead(&now) || (start && now.start != start));
}

bool process_end_tracer(pid_t pid, pid_t keeper, char names[256])
{
	CLEANUP(processes_release) struct processes all = { 0 };
	uint64_t number;
	pid_t tracer;

	if (!process_read_status(pid, "TracerPid", &number) || !number || (pid_t)number == keeper)
		return false;
	tracer = (pid_t)number;
	processes_read(&all);
	if (!processes_descends(&all, tracer, keeper) || kill(tracer, SIGKILL) < 0)
		return false;
	snprintf(names, 256, "%s (%d)", processes_find(&all, tracer)->name, (int)tracer);
	/* The stop that began the tracing outlasts it. */
	kill(pid, SIGCONT);
	return true;
}

void process_command_line(pid_t pid, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct process process;

	process_read_file(pid, "cmdline", &text);
	while (text.len && !text.buf[text.len - 1])
		strbuf_truncate(&text, text.len - 1);
	for (size_t i = 0; i < text.len; i++)
		strbuf_addc(out, text.buf[i] ? text.buf[i] : ' ');
	if (!text.len && process_read(pid, &process))
		strbuf_addf(out, "[%s]", process.name);
}

/* -------- lists */

void processes_read(struct processes *out)
{
	CLEANUP(close_dir) DIR *dir = opendir("/proc");
	const struct dirent *entry;
	struct process process;

	*out = (struct processes){ 0 };
	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    process_read((pid_t)strtol(entry->d_name, NULL, 10), &process))
			processes_add(out, &process);
}

void processes_release(struct processes *processes)
{
	free(processes->items);
	*processes = (struct processes){ 0 };
}

static size_t place_of(const struct processes *processes, pid_t pid)
{
	/* /proc lists processes in order. */
	if (processes->n && processes->items[processes->n - 1].pid < pid)
		return processes->n;
	return SEARCH_FIRST(i, processes->n, processes->items[i].pid >= pid);
}

const struct process *processes_find(const struct processes *processes, pid_t pid)
{
	size_t i = place_of(processes, pid);

	return i < processes->n && processes->items[i].pid == pid ? &processes->items[i] : NULL;
}

void processes_add(struct processes *processes, const struct process *process)
{
	size_t i = place_of(processes, process->pid);

	if (i < processes->n && processes->items[i].pid == process->pid)
		return;
	VEC_GROW(processes->items, processes->n, processes->cap);
	memmove(processes->items + i + 1, processes->items + i, (processes->n++ - i) * sizeof *process);
	processes->items[i] = *process;
}

bool processes_descends(const struct processes *all, pid_t pid, pid_t root)
{
	const struct process *process = processes_find(all, pid);

	/* A reused number could form a cycle. */
	for (size_t i = 0; process && i <= all->n; i++) {
		if (process->pid == root)
			return true;
		process = processes_find(all, process->parent);
	}
	return false;
}

void processes_add_tree(struct processes *out, const struct processes *all, pid_t root)
{
	for (size_t i = 0; i < all->n; i++)
		if (!process_is_dead(&all->items[i]) && processes_descends(all, all->items[i].pid, root))
			processes_add(out, &all->items[i]);
}

bool processes_equal(const struct processes *a, const struct processes *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->items[i].pid != b->items[i].pid || a->items[i].start != b->items[i].start)
			return false;
	return true;
}

void processes_name(const struct processes *processes, size_t most, struct strbuf *out)
{
	for (size_t i = 0; i < processes->n && i < most; i++) {
		strbuf_adds(out, i ? ", " : "");
		escape_terminal(out, processes->items[i].name);
		strbuf_addf(out, " (%d)", (int)processes->items[i].pid);
	}
	if (processes->n > most)
		strbuf_addf(out, "%s%zu more", most ? " and " : "", processes->n - most);
}

/* -------- cgroups */

int processes_add_cgroup(struct processes *out, const char *dir)
{
	CLEANUP(free_ptr) char *path = file_join(dir, "cgroup.procs");
	CLEANUP(strbuf_release) struct strbuf members = STRBUF_INIT;
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	struct error err = ERROR_INIT;
	struct process process;
	const char *at, *line;
	size_t len;

	/* Only the group above lists the processes of a threaded group. */
	if (file_read(path, MEMBERS_LARGEST, &members, &err) < 0 && err.sys != EOPNOTSUPP) {
		errno = err.sys ? err.sys : EINVAL;
		return -1;
	}
	/* A process outside this pid namespace appears as 0. */
	at = members.buf;
	while ((line = text_next_line(&at, members.buf + members.len, &len)))
		if (process_read((pid_t)strtol(line, NULL, 10), &process) && !process_is_dead(&process))
			processes_add(out, &process);
	file_list(dir, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *below = file_join(dir, names.items[i]);
		struct stat st;

		/* A group that was removed meanwhile has no members. */
		if (lstat(below, &st) == 0 && S_ISDIR(st.st_mode))
			processes_add_cgroup(out, below);
	}
	return 0;
}

/* -------- usage */

/* If members start and end children all the time, the last reading is used. */
enum { TRIES = 6 };

/* *WAITED only grows. */
static struct measured add_up(const struct processes *processes, size_t *n, uint64_t *waited)
{
	struct measured sums = { 0 };

	*n = *waited = 0;
	for (size_t i = 0; i < processes->n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		struct process s;

		if (!process_read(processes->items[i].pid, &s) || s.start != processes->items[i].start)
			continue;
		process_read_file(s.pid, "io", &text);
		sums.io = io_counts_add(sums.io, io_counts_parse(text.buf), 1);
		++*n;
		*waited += s.waited_minor_faults + s.waited_major_faults + s.waited_user_ticks + s.waited_system_ticks;
		sums.user_ms += process_ticks_ms(s.user_ticks + s.waited_user_ticks);
		sums.system_ms += process_ticks_ms(s.system_ticks + s.waited_system_ticks);
		sums.major_faults += (double)(s.major_faults + s.waited_major_faults);
		sums.page_faults += (double)(s.minor_faults + s.waited_minor_faults + s.major_faults + s.waited_major_faults);
	}
	return sums;
}

static void add_status(pid_t pid, struct measured *out)
{
	CLEANUP(strv_release) struct strv threads = STRV_INIT;
	uint64_t peak_kb, switches;

	if (process_read_status(pid, "VmHWM", &peak_kb))
		out->max_rss_bytes = fmax(out->max_rss_bytes, (double)peak_kb * 1024);
	process_threads(pid, &threads);
	for (size_t i = 0; i < threads.n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		if (!process_read_thread(pid, threads.items[i], "status", &text))
			continue;
		if (proc_status_number(text.buf, "voluntary_ctxt_switches", 10, &switches))
			out->voluntary_switches += (double)switches;
		if (proc_status_number(text.buf, "nonvoluntary_ctxt_switches", 10, &switches))
			out->involuntary_switches += (double)switches;
	}
}

void usage_read(const struct processes *processes, struct measured *out)
{
	CLEANUP(processes_release) struct processes all = { 0 }, counted = { 0 };
	size_t n = 0, n_before;
	uint64_t waited = 0, waited_before;
	int tries = 0;

	processes_read(&all);
	for (size_t i = 0; i < processes->n; i++)
		processes_add(&counted, &processes->items[i]);
	for (size_t i = 0; i < all.n; i++)
		if (process_is_dead(&all.items[i]) && processes_find(processes, all.items[i].parent))
			processes_add(&counted, &all.items[i]);
	/*
	 * A child that is waited for meanwhile would count twice or not at all. Two readings with the same number of
	 * processes and the same waited-for usage rule that out.
	 */
	do {
		n_before = n;
		waited_before = waited;
		*out = add_up(&counted, &n, &waited);
	} while (++tries < TRIES && (tries == 1 || n != n_before || waited != waited_before));
	for (size_t i = 0; i < processes->n; i++)
		if (process_lives(processes->items[i].pid, processes->items[i].start))
			add_status(processes->items[i].pid, out);
}

void usage_reset_peaks(const struct processes *processes)
{
	for (size_t i = 0; i < processes->n; i++) {
		const struct process *process = &processes->items[i];
		CLEANUP(free_ptr) char *path = text_printf("/proc/%d/clear_refs", (int)process->pid);
		CLEANUP(close_fd) int fd = process_lives(process->pid, process->start) ? open(path, O_WRONLY | O_CLOEXEC) : -1;

		/* If refused, the peak covers the whole life. */
		if (fd >= 0)
			(void)!write(fd, "5", 1);
	}
}

/* Older kernels, and users without permission, see whole pages instead of parts of shared ones. */
static bool read_resident(pid_t pid, double *bytes_out)
{
	static const struct { const char *file, *anonymous, *shared; } sources[] = {
		{ "smaps_rollup", "Pss_Anon", "Pss_Shmem" }, { "status", "RssAnon", "RssShmem" },
	};

	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		uint64_t anonymous_kb, shared_kb;

		if (process_read_file(pid, sources[i].file, &text) &&
		    proc_status_number(text.buf, sources[i].anonymous, 10, &anonymous_kb) &&
		    proc_status_number(text.buf, sources[i].shared, 10, &shared_kb)) {
			*bytes_out = (double)(anonymous_kb + shared_kb) * 1024;
			return true;
		}
	}
	return false;
}

double usage_resident(const struct processes *processes)
{
	double sum = 0;

	for (size_t i = 0; i < processes->n; i++) {
		const struct process *process = &processes->items[i];
		double bytes;

		if (read_resident(process->pid, &bytes))
			sum += process_lives(process->pid, process->start) ? bytes : 0;
		else if (process_lives(process->pid, process->start))
			return NAN;
	}
	return sum;
}

void usage_difference(const struct measured *before, const struct measured *after, struct measured *out)
{
	static const size_t members[] = {
#define MEMBER(name) offsetof(struct measured, name)
		MEMBER(user_ms), MEMBER(system_ms), MEMBER(page_faults), MEMBER(major_faults), MEMBER(voluntary_switches),
		MEMBER(involuntary_switches), MEMBER(io.read_calls), MEMBER(io.write_calls), MEMBER(io.read_bytes), MEMBER(io.written_bytes),
#undef MEMBER
	};

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		double was = *(const double *)((const char *)before + members[i]), is = *(const double *)((const char *)after + members[i]);

		*(double *)((char *)out + members[i]) = is >= was ? is - was : NAN;
	}
	out->cpu_ms = out->user_ms + out->system_ms;
	out->max_rss_bytes = after->max_rss_bytes > 0 ? after->max_rss_bytes : NAN;
}
