#include "measure/perf/target_run.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/machine/machine.h"
#include "measure/perf/launcher.h"
#include "measure/perf/perf.h"
#include "measure/perf/session.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "model/measured.h"
#include "model/metrics/numbers.h"

/* Time for the last processes of a pipeline to end. */
#define ORPHAN_GRACE_NS (200 * NS_PER_MS)
/* Interval of looks at threads. Fewer than LOOKS_LEAST looks prove nothing. */
#define LOOK_EVERY_NS (3 * NS_PER_MS)
/* Interval of looks for changes from outside: the first one, which doubles up to the second. */
#define TOUCHED_FIRST_NS (5 * NS_PER_MS)
#define TOUCHED_EVERY_NS (250 * NS_PER_MS)
enum { LOOKS_LEAST = 3 };
#define FAILED_GRACE_NS (500 * NS_PER_MS)
/* perf is switched on before the exec, and the kernel rounds, however short the run. */
#define SLACK_MS 5.0

/* Usage of the held child before its exec, which is subtracted. */
struct before {
	double faults, major_faults, voluntary, cpu_ms;
	struct io_counts io;
};

static struct before read_before(pid_t pid)
{
	CLEANUP(strbuf_release) struct strbuf schedstat = STRBUF_INIT, io = STRBUF_INIT;
	struct before before = { 0 };
	struct process process;
	uint64_t switches;

	if (process_read(pid, &process)) {
		before.faults = (double)(process.minor_faults + process.major_faults);
		before.major_faults = (double)process.major_faults;
	}
	if (process_read_status(pid, "voluntary_ctxt_switches", &switches))
		before.voluntary = (double)switches;
	if (process_read_file(pid, "schedstat", &schedstat))
		before.cpu_ms = strtod(schedstat.buf, NULL) / 1e6;
	process_read_file(pid, "io", &io);
	before.io = io_counts_parse(io.buf);
	return before;
}

static struct measured used_since(const struct child *child, const struct before *before)
{
	const struct rusage *u = &child->usage;

	return (struct measured){
		.wall_ms = (double)(child->end_ns - child->start_ns) / 1e6,
		.user_ms = timeval_ms(u->ru_utime),
		.system_ms = timeval_ms(u->ru_stime),
		.cpu_ms = fmax(0, rusage_ms(u) - before->cpu_ms),
		.max_rss_bytes = (double)u->ru_maxrss * 1024,
		.page_faults = fmax(0, (double)(u->ru_minflt + u->ru_majflt) - before->faults),
		.major_faults = fmax(0, (double)u->ru_majflt - before->major_faults),
		.voluntary_switches = fmax(0, (double)u->ru_nvcsw - before->voluntary),
		.involuntary_switches = (double)u->ru_nivcsw,
		.io = io_counts_add(child->io, before->io, -1),
	};
}

struct running {
	const struct target_spec *spec;
	struct outcome *of;
	struct child child;
	struct perf perf;
	struct before before;
	double idle, crowd;
	char *launcher;		/* see struct measured */
	struct properties start;	/* when it was held */
	uint64_t touched;	/* see struct measured */
};

struct looks {
	struct running *all;
	size_t n;
	uint64_t every_ns, next_ns;
};

static int hold(struct session *session, const struct strv *events, struct running *r, struct error *err)
{
	char pid[16];

	if (child_start(session->keeper, &r->spec->child, &r->child, err) < 0)
		return -1;
	child_settle(&r->child);
	snprintf(pid, sizeof pid, "%d", (int)r->child.pid);
	if (events && (perf_stat_attach(session->keeper, &session->perf, events, pid, &r->perf, err) < 0 ||
		       perf_switch(session->keeper, &r->perf, true, err) < 0))
		return -1;
	if (r->spec->record && perf_switch(session->keeper, r->spec->record, true, err) < 0)
		return -1;
	r->before = read_before(r->child.pid);
	process_properties(r->child.pid, &r->start);
	return 0;
}

static int release(struct running *r, struct error *err)
{
	if (child_release(&r->child, err) == 0)
		return 0;
	err->kind = ERR_TARGET;
	return error_wrap(err, "the target %s", r->spec->child.argv->items[0]);
}

static void look_at_all(struct looks *looks)
{
	if (clock_now_ns() < looks->next_ns)
		return;
	for (size_t i = 0; i < looks->n; i++) {
		struct running *r = &looks->all[i];

		if (!r->child.ended)
			r->touched |= process_touched(r->child.pid, &r->start);
	}
	looks->every_ns = looks->every_ns < TOUCHED_EVERY_NS / 2 ? 2 * looks->every_ns : TOUCHED_EVERY_NS;
	looks->next_ns = clock_now_ns() + looks->every_ns;
}

static void look_at_busy(void *launcher, pid_t pid)
{
	CLEANUP(free_ptr) char *link = text_printf("/proc/%d/exe", (int)pid);
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	char exe[LAUNCHED_LONGEST];
	ssize_t len = readlink(link, exe, sizeof exe - 1);
	struct process process;

	if (len <= 0 || !process_read_file(pid, "cmdline", &words) || !words.len || !process_read(pid, &process))
		return;
	exe[len] = '\0';
	launcher_look(launcher, &(struct launcher_process){
		.pid = pid, .cpu_ms = process_ticks_ms(process.user_ticks + process.system_ticks), .exe = exe, .words = words.buf, .len = words.len,
	});
}

static int watch(struct session *session, struct running *r, struct looks *looks, uint64_t deadline_ns, struct error *err)
{
	unsigned looked = 0, at_work = 0, crowded = 0;
	struct launcher launcher = { 0 };

	while (!r->child.ended && clock_now_ns() < deadline_ns) {
		uint64_t next_ns = clock_now_ns() + LOOK_EVERY_NS;
		unsigned crowd = process_crowd(r->child.pid, look_at_busy, &launcher);
		struct process leader;

		looked += process_read(r->child.pid, &leader) && leader.state != 'Z';
		at_work += crowd > 0;
		crowded += crowd > 1;
		look_at_all(looks);
		while (!r->child.ended && clock_now_ns() < next_ns)
			if (keeper_pump(session->keeper, next_ns, err) < 0)
				return -1;
	}
	r->idle = looked >= LOOKS_LEAST ? 1 - (double)at_work / looked : NAN;
	r->crowd = at_work >= LOOKS_LEAST ? (double)crowded / at_work : 0;
	r->launcher = launcher_advice(&launcher);
	return 0;
}

/* N targets share a CPU, so each may take N times as long. */
static int wait_for_end(struct session *session, struct running *r, struct looks *looks, struct error *err)
{
	size_t n = looks->n;
	uint64_t deadline_ns = r->child.start_ns + n * r->spec->timeout_ns;
	int waited = 1;

	if (r->spec->crowd && watch(session, r, looks, deadline_ns, err) < 0)
		return -1;
	while (waited > 0 && clock_now_ns() < deadline_ns) {
		waited = child_wait(session->keeper, &r->child, deadline_ns < looks->next_ns ? deadline_ns : looks->next_ns, err);
		look_at_all(looks);
	}
	if (waited > 0)
		waited = child_wait(session->keeper, &r->child, deadline_ns, err);
	if (waited <= 0)
		return waited;
	error_set(err, ERR_TARGET, "the target did not end within %s (%smeasure.timeout); it was ended",
		  format_duration(n * r->spec->timeout_ns).s, n > 1 ? "both sides at once: twice " : "");
	/* The judge needs this mark: the run may be slower. */
	if (err)
		err->sys = ETIMEDOUT;
	return -1;
}

static int check_end(const struct running *r, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	if (!r->child.status || (r->spec->may_fail && WIFEXITED(r->child.status)))
		return 0;
	child_describe_status(r->child.status, &words);
	return error_set(err, ERR_TARGET, "the target %s", words.buf);
}

static int fail_of(struct running *r)
{
	r->of->failed = true;
	return -1;
}

static int run_to_end(struct session *session, struct running *all, size_t n, struct error *err)
{
	struct looks looks = { .all = all, .n = n, .every_ns = TOUCHED_FIRST_NS };
	char names[256];
	int killed;

	for (size_t i = 0; i < n; i++)
		if (release(&all[i], err) < 0)
			return fail_of(&all[i]);
	looks.next_ns = clock_now_ns() + looks.every_ns;
	for (size_t i = 0; i < n; i++) {
		if (wait_for_end(session, &all[i], &looks, err) < 0)
			return fail_of(&all[i]);
		/* The keeper's work is not the target's. */
		if (all[i].spec->record && perf_switch(session->keeper, all[i].spec->record, false, err) < 0)
			return -1;
	}
	killed = keeper_sweep(session->keeper, ORPHAN_GRACE_NS, names, err);
	if (killed < 0 || keeper_check_tracer(session->keeper, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (check_end(&all[i], err) < 0)
			return fail_of(&all[i]);
	if (killed)
		return error_set(err, ERR_TARGET,
				 "the target ended but left %d process%s behind, which pawl ended: %s; "
				 "wait for them in the command", killed, killed == 1 ? "" : "es", names);
	return 0;
}

bool target_takes_rights(const struct child_spec *child)
{
	CLEANUP(free_ptr) char *path = geteuid() ? file_find_program(child->argv->items[0], child->cwd ? child->cwd : ".") : NULL;
	struct stat st;

	return path && stat(path, &st) == 0 && (st.st_mode & (S_ISUID | S_ISGID));
}

static int run_held(struct session *session, const struct strv *events, struct running *all, size_t n, struct error *err)
{
	double orphans_ms, charged_before_ms = session->keeper->cpu_ms;
	struct io_counts orphans_io = session->keeper->orphans_io;
	uint64_t stolen = noise_stolen_ticks();

	if (run_to_end(session, all, n, err) < 0)
		return -1;
	stolen = noise_stolen_ticks() - stolen;
	orphans_ms = session->keeper->cpu_ms - charged_before_ms;
	orphans_io = io_counts_add(session->keeper->orphans_io, orphans_io, -1);
	for (size_t i = 0; i < n; i++)
		orphans_ms -= rusage_ms(&all[i].child.usage);
	for (size_t i = 0; i < n; i++) {
		struct running *r = &all[i];
		struct measured *out = r->of->out;
		double kernel_ms = rusage_ms(&r->child.usage) - r->before.cpu_ms;

		*out = used_since(&r->child, &r->before);
		out->idle = r->spec->crowd ? r->idle : NAN;
		out->crowd = r->crowd;
		out->launcher = take_ptr(&r->launcher);
		out->touched = r->touched;
		/* With several targets, the owner of orphans is unknown. */
		out->io = io_counts_add(out->io, orphans_io, n == 1 || (orphans_io.read_calls == 0 && orphans_io.write_calls == 0) ? 1 : NAN);
		if (events && perf_stat_end(session->keeper, &r->perf, &out->rows, err) < 0)
			return -1;
		/* perf counts orphans, too. */
		if (events)
			measured_check(out, kernel_ms + (n == 1 ? orphans_ms : 0),
				       (target_takes_rights(&r->spec->child) ? 0 : SLACK_MS) + (n == 1 ? 0 : orphans_ms),
				       process_ticks_ms(stolen));
	}
	return 0;
}

int targets_run(struct session *session, const struct target_spec *specs, struct outcome *outcomes, size_t n,
		const struct strv *events, struct error *err)
{
	struct running all[AT_ONCE_MOST];
	uint64_t grace_ns = 0;
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		all[i] = (struct running){ .spec = &specs[i], .of = &outcomes[i], .child.output_fd = -1, .perf = PERF_INIT };
		outcomes[i].failed = false;
	}
	for (size_t i = 0; ret == 0 && i < n; i++)
		ret = hold(session, events, &all[i], err);
	if (ret == 0)
		ret = run_held(session, events, all, n, err);
	if (ret < 0 && err && err->sys == ETIMEDOUT)
		grace_ns = specs[0].grace_ns;
	for (size_t i = 0; i < n; i++) {
		perf_dispose(session->keeper, &all[i].perf);
		free(all[i].launcher);
		if (ret < 0)
			child_end(session->keeper, &all[i].child, grace_ns ?: FAILED_GRACE_NS);
	}
	if (ret < 0)
		keeper_sweep(session->keeper, grace_ns, NULL, NULL);
	for (size_t i = 0; i < n; i++) {
		child_read_output(&all[i].child);
		tail_text(&all[i].child.output, outcomes[i].output);
		child_dispose(session->keeper, &all[i].child);
	}
	return ret;
}

int target_run(struct session *session, const struct target_spec *spec, const struct strv *events, struct measured *out,
	       struct strbuf *output, struct error *err)
{
	struct outcome outcome = { .out = out, .output = output };

	return targets_run(session, spec, &outcome, 1, events, err);
}
