#include "measure/perf/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/process.h"

/* -------- recordings to text */

/*
 * A perf that hangs must end. Reading names takes seconds whatever the size; a mebibyte has about 5,000 samples without their
 * stack, and unwinding takes a millisecond a sample on a slow machine.
 */
#define READ_LEAST_NS (60 * NS_PER_S)
#define READ_MIB_NS (10 * NS_PER_S)
#define READ_MOST_NS (600 * NS_PER_S)
/* Others go on printing meanwhile, and somebody must read that. */
#define LOOK_EVERY_NS (50 * NS_PER_MS)
enum { PIPE_BYTES = 1 << 20, CHUNK = 1 << 16 };

struct reading {
	struct keeper *keeper;
	struct child perf;
	int fd;
	const struct recorded *recorded;
	script_feed_fn *feed;
	void *ctx;
};

static void script_build_argv(const struct perf_tool *tool, const struct recorded *recorded, struct strv *argv)
{
	strv_push(argv, tool->path);
	strv_push(argv, "script");
	strv_push(argv, "-i");
	strv_push(argv, recorded->fd < 0 ? recorded->file : "/proc/self/fd/3");
	strv_push(argv, "--no-inline");
	strv_push(argv, "--no-demangle");
	strv_push(argv, "--show-lost-events");
	strv_push(argv, "-F");
	strv_push(argv, PERF_SCRIPT_FIELDS);
}

static int start(struct reading *r, const struct perf_tool *tool, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT, environment = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .environment = &environment };
	int pipe[2], ret;

	if (pipe2(pipe, O_CLOEXEC) < 0)
		return error_sys(err, errno, "cannot make a pipe for perf script");
	fcntl(pipe[1], F_SETPIPE_SZ, PIPE_BYTES);
	r->fd = pipe[0];
	script_build_argv(tool, r->recorded, &argv);
	perf_environment(&environment);
	spec.stdout_fd = pipe[1];
	if (r->recorded->fd >= 0)
		spec.extra_fds[0] = r->recorded->fd;
	ret = child_start(r->keeper, &spec, &r->perf, err);
	close(pipe[1]);
	return ret < 0 ? -1 : child_release(&r->perf, err);
}

/* 1 with a piece handed on, 0 at the end, -1. */
static int hand_on(struct reading *r, char *chunk, struct error *err)
{
	ssize_t n = read(r->fd, chunk, CHUNK);

	if (n < 0)
		return errno == EINTR ? 1 : error_sys(err, errno, "cannot read from perf script");
	if (n == 0)
		return 0;
	return r->feed(r->ctx, chunk, (size_t)n, err) < 0 ? -1 : 1;
}

uint64_t perf_script_limit_ns(const struct recorded *recorded)
{
	struct stat st = { 0 };
	uint64_t mib;

	if ((recorded->fd < 0 ? stat(recorded->file, &st) : fstat(recorded->fd, &st)) < 0)
		return READ_MOST_NS;
	mib = (uint64_t)st.st_size >> 20;
	return mib * READ_MIB_NS < READ_MOST_NS - READ_LEAST_NS ? READ_LEAST_NS + mib * READ_MIB_NS : READ_MOST_NS;
}

static int hand_on_all(struct reading *r, char *chunk, uint64_t limit_ns, uint64_t deadline, struct error *err)
{
	int more = 1;

	while (more) {
		struct pollfd p = { .fd = r->fd, .events = POLLIN };
		struct wire message;

		if (clock_now_ns() >= deadline)
			return error_set(err, ERR_SYSTEM, "perf script did not end within %.3g s on %s",
					 (double)limit_ns / 1e9, r->recorded->file);
		if (poll(&p, 1, clock_poll_ms(clock_now_ns() + LOOK_EVERY_NS)) < 0 && errno != EINTR)
			return error_sys(err, errno, "cannot wait for perf script");
		if (keeper_pump(r->keeper, clock_now_ns(), &message, err) < 0)
			return -1;
		more = p.revents ? hand_on(r, chunk, err) : 1;
		if (more < 0)
			return -1;
	}
	return 0;
}

static int read_all(struct reading *r, struct error *err)
{
	uint64_t limit_ns = r->recorded->limit_ns ?: perf_script_limit_ns(r->recorded);
	uint64_t deadline = clock_now_ns() + limit_ns;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT, said = STRBUF_INIT;
	CLEANUP(free_ptr) char *chunk = xmalloc(CHUNK);
	int waited;

	if (hand_on_all(r, chunk, limit_ns, deadline, err) < 0)
		return -1;
	waited = child_wait(r->keeper, &r->perf, deadline, err);
	if (waited < 0)
		return -1;
	if (!waited && !r->perf.status)
		return 0;
	perf_words(&r->perf, &said);
	child_describe_status(r->perf.status, &words);
	return error_set(err, ERR_SYSTEM, "perf script %s on %s: %s", waited ? "hangs" : words.buf, r->recorded->file,
			 said.len ? said.buf : "it said nothing");
}

int perf_script_read(struct keeper *keeper, const struct perf_tool *tool, const struct recorded *recorded,
		     script_feed_fn *feed, void *ctx, struct error *err)
{
	struct reading r = { .keeper = keeper, .fd = -1, .recorded = recorded, .feed = feed, .ctx = ctx };
	int ret = start(&r, tool, err);

	if (ret == 0)
		ret = read_all(&r, err);
	child_dispose(keeper, &r.perf);
	if (r.fd >= 0)
		close(r.fd);
	return ret;
}

/* -------- recording */

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
	strv_push(argv, call_graph_names[spec->call_graph]);
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
		return perf_attached_error(&record->attached, "failed", err);
	return 0;
}

void perf_record_dispose(struct keeper *keeper, struct perf_record *record)
{
	perf_attached_dispose(keeper, &record->attached);
}
