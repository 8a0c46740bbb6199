#include "measure/perf_record.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "measure/clock.h"

/* It looks up the build-ids of all that was sampled, and unwound stacks are 8 KiB a sample. */
#define END_TIMEOUT_NS (60 * NS_PER_S)

const char *perf_record_event(enum tier tier)
{
	static const char *const events[] = {
		[TIER_HW] = "cycles", [TIER_HW_USER] = "cycles:u", [TIER_SW] = "cpu-clock", [TIER_SW_USER] = "cpu-clock:u",
		[TIER_SIM] = NULL, [TIER_NONE] = NULL,
	};

	return events[tier];
}

const char *perf_record_clock(enum tier tier)
{
	return tier == TIER_HW_USER || tier == TIER_SW_USER ? "cpu-clock:u" : "cpu-clock";
}

static void build_argv(const struct perf_tool *tool, const struct record_spec *spec, const char *pids, struct strv *argv)
{
	strv_push(argv, tool->path);
	strv_push(argv, "record");
	strv_push(argv, "-o");
	strv_pushf(argv, "/proc/self/fd/%d", PERF_OUTPUT);
	strv_push(argv, "-e");
	strv_push(argv, spec->event);
	strv_push(argv, "-F");
	strv_pushf(argv, "%u", spec->frequency);
	strv_push(argv, "--call-graph");
	strv_push(argv, call_graph_name(spec->call_graph));
	strv_push(argv, "--no-buildid-cache");
	/* As root it would ask the kernel for every BPF program, most of a second, at its end. */
	strv_push(argv, "--no-bpf-event");
	perf_attached_options(argv, pids);
}

int perf_record_attach(struct keeper *keeper, const struct perf_tool *tool, const struct record_spec *spec,
		       const char *pids, struct perf_record *out, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;

	/* One that holds something, of an attempt before, perf would rename. */
	if (ftruncate(spec->fd, 0) < 0)
		return error_sys(err, errno, "cannot empty the recording");
	*out = (struct perf_record)PERF_RECORD_INIT;
	build_argv(tool, spec, pids, &argv);
	return perf_attached_start(keeper, tool, &argv, "perf record", spec->fd, &out->attached, err);
}

int perf_record_switch(struct keeper *keeper, struct perf_record *record, bool on, struct error *err)
{
	return perf_attached_switch(keeper, &record->attached, on, err);
}

int perf_record_end(struct keeper *keeper, struct perf_record *record, struct error *err)
{
	const struct child *perf = &record->attached.perf;

	if (perf_attached_end(keeper, &record->attached, END_TIMEOUT_NS, err) < 0)
		return -1;
	if (WIFEXITED(perf->status) && WEXITSTATUS(perf->status))
		return perf_attached_blame(&record->attached, "failed", err);
	return 0;
}

void perf_record_dispose(struct keeper *keeper, struct perf_record *record)
{
	perf_attached_dispose(keeper, &record->attached);
}
