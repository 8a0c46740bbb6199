#include "measure/perf/perf.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/machine/machine.h"

/* What a pipeline's last processes may take to notice that they are done. */
#define ORPHAN_GRACE_NS (200 * NS_PER_MS)
/* How long it gets to end by itself when it failed. */
#define FAILED_GRACE_NS (500 * NS_PER_MS)
/* What both are off by however short the run is: perf is switched on before its exec, and the kernel rounds. */
#define SLACK_MS 5.0
#define TICK_MS (1e3 / (double)sysconf(_SC_CLK_TCK))

/* What the held child used before it became the target; subtracted afterwards. */
struct before {
	double faults, major_faults, voluntary, cpu_ms;
};

static struct before read_before(pid_t pid)
{
	CLEANUP(strbuf_release) struct strbuf schedstat = STRBUF_INIT;
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
	return before;
}

static struct measured used_since(const struct child *child, const struct before *before)
{
	const struct rusage *u = &child->usage;

	return (struct measured){
		.wall_ms = (double)(child->end_ns - child->start_ns) / 1e6,
		.user_ms = timeval_ms(u->ru_utime),
		.system_ms = timeval_ms(u->ru_stime),
		.cpu_ms = fmax(0, timeval_ms(u->ru_utime) + timeval_ms(u->ru_stime) - before->cpu_ms),
		.max_rss_bytes = (double)u->ru_maxrss * 1024,
		.page_faults = fmax(0, (double)(u->ru_minflt + u->ru_majflt) - before->faults),
		.major_faults = fmax(0, (double)u->ru_majflt - before->major_faults),
		.voluntary_switches = fmax(0, (double)u->ru_nvcsw - before->voluntary),
		.involuntary_switches = (double)u->ru_nivcsw,
	};
}

/* From its release to the end of all that it started. */
static int run_to_end(struct session *session, const struct target_spec *spec, struct child *child, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	char names[256];
	int waited, killed;

	if (child_release(child, err) < 0) {
		err->kind = ERR_TARGET;
		return error_wrap(err, "the target %s", spec->child.argv->items[0]);
	}
	waited = child_wait(session->keeper, child, child->start_ns + spec->timeout_ns, err);
	if (waited > 0) {
		error_set(err, ERR_TARGET, "the target did not end within %.3g s (measure.timeout); it was ended",
			  (double)spec->timeout_ns / 1e9);
		/* It may be a slower one, so whoever judges must know. */
		if (err)
			err->sys = ETIMEDOUT;
	}
	if (waited)
		return -1;
	/* What the keeper does from here on is not the target's. */
	if (spec->record && perf_switch(session->keeper, spec->record, false, err) < 0)
		return -1;

	killed = keeper_sweep(session->keeper, ORPHAN_GRACE_NS, names, err);
	if (killed < 0 || keeper_check_tracer(session->keeper, err) < 0)
		return -1;
	if (child->status) {
		child_describe_status(child->status, &words);
		return error_set(err, ERR_TARGET, "the target %s", words.buf);
	}
	if (killed)
		return error_set(err, ERR_TARGET,
				 "the target ended but left %d process%s behind, which pawl ended: %s; "
				 "wait for them in the command", killed, killed == 1 ? "" : "es", names);
	return 0;
}

static int run_held(struct session *session, const struct target_spec *spec, const struct strv *events, struct child *child,
		    struct perf *perf, struct measured *out, struct error *err)
{
	struct before before;
	struct measured measured;
	uint64_t stolen;
	double kernel_ms;
	char pid[16];

	/* What it does until it is held is neither to be counted nor sampled. */
	child_settle(child);
	snprintf(pid, sizeof pid, "%d", (int)child->pid);
	if (events && (perf_stat_attach(session->keeper, &session->perf, events, pid, perf, err) < 0 ||
		       perf_switch(session->keeper, perf, true, err) < 0))
		return -1;
	if (spec->record && perf_switch(session->keeper, spec->record, true, err) < 0)
		return -1;
	before = read_before(child->pid);
	kernel_ms = session->keeper->cpu_ms + before.cpu_ms;
	stolen = noise_stolen_ticks();
	if (run_to_end(session, spec, child, err) < 0)
		return -1;
	measured = used_since(child, &before);
	kernel_ms = session->keeper->cpu_ms - kernel_ms;
	stolen = noise_stolen_ticks() - stolen;
	if (events && perf_stat_end(session->keeper, perf, &measured.rows, err) < 0)
		return -1;
	/* With its orphans, which perf counts too. */
	if (events)
		measured_check(&measured, kernel_ms, SLACK_MS, (double)stolen * TICK_MS);
	*out = measured;
	return 0;
}

int target_run(struct session *session, const struct target_spec *spec, const struct strv *events, struct measured *out,
	       struct strbuf *output, struct error *err)
{
	struct perf perf = PERF_INIT;
	struct child child = { 0 };
	char names[256];
	int ret;

	if (child_start(session->keeper, &spec->child, &child, err) < 0)
		return -1;
	ret = run_held(session, spec, events, &child, &perf, out, err);
	perf_dispose(session->keeper, &perf);
	if (ret < 0) {
		child_end(session->keeper, &child, FAILED_GRACE_NS);
		keeper_sweep(session->keeper, 0, names, NULL);
	}
	child_read_output(&child);
	tail_text(&child.output, output);
	child_dispose(session->keeper, &child);
	return ret;
}
