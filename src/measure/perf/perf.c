#include "measure/perf/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/perf/execs.h"
#include "measure/perf/perf_csv.h"
#include "measure/perf/perf_tool.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "model/metrics/numbers.h"

#define OUTPUT "4"
#define ATTACH_TIMEOUT_NS (20 * NS_PER_S)
#define STAT_END_NS (20 * NS_PER_S)
/* perf looks up build-ids of all it sampled. An unwound stack takes 8 KiB. */
#define RECORD_END_NS (60 * NS_PER_S)
/* All CPUs together. */
#define BUFFERS_BYTES (64u << 20)
enum { WORDS_LINES = 16, CSV_LARGEST = 1 << 20 };

static void set_environment(struct strv *environment)
{
	strv_push(environment, "LC_ALL=C");
	strv_push(environment, "PERF_CONFIG=/dev/null");
	/* A debuginfod server would make runs slow on some machines. */
	strv_push(environment, "DEBUGINFOD_URLS=");
}

/* -------- what perf printed */

/* Returns an ERR_SYSTEM "WHAT FAILED: " with perf's last lines, without those that it always prints and its options. */
static int quote_perf(struct child *perf, const char *what, const char *failed, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT, words = STRBUF_INIT;
	const char *usage, *at, *line;
	size_t len;

	child_read_output(perf);
	tail_lines(&perf->output, WORDS_LINES, &printed);
	strbuf_addc(&printed, '\n');
	usage = strstr(printed.buf, "\n Usage: ");
	if (usage)
		strbuf_truncate(&printed, (size_t)(usage + 1 - printed.buf));
	at = printed.buf;
	while ((line = text_next_line(&at, printed.buf + printed.len, &len)))
		if (!TEXT_IS(line, "\n*", "Error:\n*", "Events enabled\n*", "Events disabled\n*", "[ perf record: *"))
			strbuf_add(&words, line, len + 1);
	strbuf_trim_end(&words, "\n");
	return error_set(err, ERR_SYSTEM, "%s %s: %s", what, failed, words.len ? words.buf : "it said nothing");
}

/* -------- perf on processes that run already */

static int attach(struct keeper *keeper, struct strv *argv, const char *pids, int output_fd, struct perf *out,
		  struct error *err)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	struct child_spec spec = { .argv = argv, .environment = &environment };
	int control[2], ret;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) < 0)
		return error_sys(err, errno, "cannot make a socket pair for perf");
	strv_push_all(argv, ARGV("-D", "-1", "--control", "fd:3,3", "-p", pids));
	set_environment(&environment);
	spec.extra_fds[0] = control[1];
	spec.extra_fds[1] = output_fd;
	ret = child_start(keeper, &spec, &out->child, err);
	close(control[1]);
	out->control_fd = control[0];
	return ret < 0 ? -1 : child_release(&out->child, err);
}

int perf_stat_attach(struct keeper *keeper, const struct perf_tool *tool, const struct strv *events, const char *pids,
		     struct perf *out, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	const char separator[] = { '-', 'x', PERF_CSV_SEPARATOR, '\0' };
	int output[2], ret;

	*out = (struct perf){ .what = "perf stat", .path = tool->path, .control_fd = -1, .output_fd = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, output) < 0)
		return error_sys(err, errno, "cannot make a socket pair for perf");
	out->output_fd = output[0];
	for (size_t i = 0; i < events->n; i++)
		strbuf_addf(&list, "%s%s", i ? "," : "", events->items[i]);
	strv_push_all(&argv, ARGV(tool->path, "stat", separator, "--log-fd", OUTPUT, "-e", list.buf));
	ret = attach(keeper, &argv, pids, output[1], out, err);
	close(output[1]);
	return ret;
}

/* Returns pages per CPU; 0: perf's default is enough. Everything that locks memory shares the user's limit. */
static unsigned buffer_pages(void)
{
	enum { PAGES_USUAL = 128, PAGES_MOST = 2048 };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), page = sysconf(_SC_PAGESIZE);
	struct rlimit limit;
	uint64_t bytes = BUFFERS_BYTES;
	unsigned pages = PAGES_MOST;

	if (geteuid() != 0 && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur / 2 < bytes)
		bytes = limit.rlim_cur / 2;
	while (pages > PAGES_USUAL && (uint64_t)pages * (uint64_t)page * (uint64_t)cpus > bytes)
		pages /= 2;
	return pages > PAGES_USUAL ? pages : 0;
}

int perf_record_attach(struct keeper *keeper, const struct perf_tool *tool, const struct record_spec *spec,
		       const char *pids, struct perf *out, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	const char *call_graph = call_graph_names[spec->call_graph];

	*out = (struct perf){ .what = "perf record", .path = tool->path, .control_fd = -1, .output_fd = -1 };
	/* perf would rename a file that an earlier try left. */
	if (ftruncate(spec->fd, 0) < 0)
		return error_sys(err, errno, "cannot empty the recording");
	strv_push_all(&argv, ARGV(tool->path, "record", "-o", "/proc/self/fd/" OUTPUT, "-e", spec->event, "--no-buildid-cache",
				  "--call-graph"));
	if (spec->call_graph == CALL_GRAPH_DWARF && spec->stack_bytes)
		strv_pushf(&argv, "%s,%u", call_graph, spec->stack_bytes);
	else
		strv_push(&argv, call_graph);
	if (spec->switches)
		strv_push(&argv, "--switch-events");
	/* As root, querying BPF programs at the end takes most of a second. */
	strv_push(&argv, "--no-bpf-event");
	strv_push(&argv, spec->frequency ? "-F" : "-c");
	strv_pushf(&argv, "%" PRIu64, spec->frequency ? spec->frequency : spec->period);
	if (spec->bursts && buffer_pages()) {
		strv_push(&argv, "-m");
		strv_pushf(&argv, "%u", buffer_pages());
	}
	return attach(keeper, &argv, pids, spec->fd, out, err);
}

/* perf answers "ack" through the same socket. */
int perf_switch(struct keeper *keeper, struct perf *perf, bool on, struct error *err)
{
	const char *word = on ? "enable\n" : "disable\n";
	char answer[16];
	int ready;

	/* A dead perf has closed its end. SIGPIPE is ignored. */
	if (write(perf->control_fd, word, strlen(word)) < 0 && errno != EPIPE)
		return error_sys(err, errno, "cannot reach perf");
	ready = keeper_poll(keeper, perf->control_fd, POLLIN, clock_now_ns() + ATTACH_TIMEOUT_NS, err);
	if (ready < 0)
		return -1;
	if (!ready)
		return error_set(err, ERR_SYSTEM, "%s did not attach within 20 s; is %s a perf that works?", perf->what, perf->path);
	return read(perf->control_fd, answer, sizeof answer) > 0 ? 0 : quote_perf(&perf->child, perf->what, "cannot attach", err);
}

/* Fails if perf takes longer than TIMEOUT_NS, or was killed. */
static int end(struct keeper *keeper, struct perf *perf, uint64_t timeout_ns, struct error *err)
{
	int waited;

	/* With -p, perf looks for its process only once a second. */
	child_signal(keeper, &perf->child, SIGINT);
	waited = child_wait(keeper, &perf->child, clock_now_ns() + timeout_ns, err);
	if (waited < 0)
		return -1;
	if (waited)
		return error_set(err, ERR_SYSTEM, "%s did not end within %s of its stop signal", perf->what,
				 format_duration(timeout_ns).s);
	/* Output of a killed perf is no measurement. Without output, events would seem uncountable. */
	if (WIFSIGNALED(perf->child.status) && WTERMSIG(perf->child.status) != SIGINT)
		return error_set(err, ERR_SYSTEM, "%s was killed by SIG%s while it worked", perf->what,
				 sigabbrev_np(WTERMSIG(perf->child.status)) ?: "?");
	return 0;
}

int perf_stat_end(struct keeper *keeper, struct perf *perf, struct perf_rows *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char chunk[4096];
	ssize_t n;

	if (end(keeper, perf, STAT_END_NS, err) < 0)
		return -1;
	while ((n = recv(perf->output_fd, chunk, sizeof chunk, MSG_DONTWAIT)) > 0 || (n < 0 && errno == EINTR)) {
		strbuf_add(&text, chunk, n > 0 ? (size_t)n : 0);
		if (text.len >= CSV_LARGEST)
			return error_set(err, ERR_SYSTEM, "perf stat wrote more than %d bytes", CSV_LARGEST);
	}
	if (n < 0 && errno != EAGAIN)
		return error_sys(err, errno, "cannot read what perf stat counted");
	return perf_csv_parse(text.buf, text.len, PERF_CSV_SEPARATOR, out, err);
}

int perf_record_end(struct keeper *keeper, struct perf *perf, struct error *err)
{
	if (end(keeper, perf, RECORD_END_NS, err) < 0)
		return -1;
	return WIFEXITED(perf->child.status) && WEXITSTATUS(perf->child.status) ?
	       quote_perf(&perf->child, perf->what, "failed", err) : 0;
}

void perf_dispose(struct keeper *keeper, struct perf *perf)
{
	child_dispose(keeper, &perf->child);
	if (perf->control_fd >= 0)
		close(perf->control_fd);
	if (perf->output_fd >= 0)
		close(perf->output_fd);
	*perf = (struct perf)PERF_INIT;
}

/* -------- recordings to text */

/*
 * Time after which perf script counts as hung. Names take seconds whatever the size. A MiB has 5,000 samples without
 * stacks, and unwinding takes a millisecond a sample on a slow machine.
 */
#define READ_LEAST_NS (60 * NS_PER_S)
#define READ_MIB_NS (10 * NS_PER_S)
#define READ_MOST_NS (600 * NS_PER_S)
enum { PIPE_BYTES = 1 << 20, CHUNK = 1 << 16 };

uint64_t perf_script_limit_ns(const struct recorded *recorded)
{
	struct stat st = { 0 };
	uint64_t mib;

	if ((recorded->fd < 0 ? stat(recorded->file, &st) : fstat(recorded->fd, &st)) < 0)
		return READ_MOST_NS;
	mib = (uint64_t)st.st_size >> 20;
	return mib * READ_MIB_NS < READ_MOST_NS - READ_LEAST_NS ? READ_LEAST_NS + mib * READ_MIB_NS : READ_MOST_NS;
}

static int start_script(struct keeper *keeper, const struct perf_tool *tool, const struct recorded *recorded,
			struct child *out, int *fd_out, struct error *err)
{
	const char *file = recorded->fd < 0 ? recorded->file : "/proc/self/fd/3";
	CLEANUP(strv_release) struct strv argv = STRV_INIT, environment = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .environment = &environment };
	int pipe[2], ret;

	if (pipe2(pipe, O_CLOEXEC) < 0)
		return error_sys(err, errno, "cannot make a pipe for perf script");
	fcntl(pipe[1], F_SETPIPE_SZ, PIPE_BYTES);
	*fd_out = pipe[0];
	strv_push_all(&argv, ARGV(tool->path, "script", "-i", file, "--no-inline", "--no-demangle", "--show-lost-events", "-F",
				  "comm,pid,tid,time,period,event,ip,sym,dso"));
	if (recorded->switches)
		strv_push_all(&argv, ARGV("--show-switch-events", "--show-task-events"));
	set_environment(&environment);
	spec.stdout_fd = pipe[1];
	if (recorded->fd >= 0)
		spec.extra_fds[0] = recorded->fd;
	ret = child_start(keeper, &spec, out, err);
	close(pipe[1]);
	return ret < 0 ? -1 : child_release(out, err);
}

struct printed {
	struct keeper *keeper;
	int fd;
	uint64_t deadline;
};

/* Returns 0 at the end, 1 after the deadline. */
static int feed_all(const struct printed *from, script_feed_fn *feed, void *ctx, struct error *err)
{
	CLEANUP(free_ptr) char *chunk = xmalloc(CHUNK);
	int ready;

	while ((ready = keeper_poll(from->keeper, from->fd, POLLIN, from->deadline, err)) > 0) {
		ssize_t n = read(from->fd, chunk, CHUNK);

		if (n == 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return error_sys(err, errno, "cannot read from perf script");
		if (n > 0 && feed(ctx, chunk, (size_t)n, err) < 0)
			return -1;
	}
	return ready < 0 ? -1 : 1;
}

/* Passes on whole samples, which an empty line ends. */
struct whole {
	script_feed_fn *feed;
	void *ctx;
	struct strbuf held;
	bool any;
};

static int feed_whole(void *ctx, const char *data, size_t len, struct error *err)
{
	struct whole *w = ctx;
	size_t end = w->held.len + len;

	strbuf_add(&w->held, data, len);
	while (end >= 2 && memcmp(w->held.buf + end - 2, "\n\n", 2) != 0)
		end--;
	if (end < 2)
		return 0;
	if (w->feed(w->ctx, w->held.buf, end, err) < 0)
		return -1;
	w->any = true;
	strbuf_cut_start(&w->held, end);
	return 0;
}

/* For a recording that may be cut, what was read by the deadline is all of it. */
static int feed_until(const struct printed *from, const struct recorded *recorded, script_feed_fn *feed, void *ctx,
		      struct error *err)
{
	struct whole whole = { .feed = feed, .ctx = ctx, .held = STRBUF_INIT };
	int ret;

	if (!recorded->cut)
		return feed_all(from, feed, ctx, err);
	ret = feed_all(from, feed_whole, &whole, err);
	if (ret == 0 && whole.held.len)
		ret = feed(ctx, whole.held.buf, whole.held.len, err);
	*recorded->cut = ret > 0 && whole.any;
	strbuf_release(&whole.held);
	return ret;
}

/* A failure leaves stacks as perf unwinds them. */
static void part_execs(int fd)
{
	struct stat st;
	void *data;

	if (fstat(fd, &st) < 0 || st.st_size <= 0)
		return;
	data = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (data == MAP_FAILED)
		return;
	perf_data_part_execs(data, (size_t)st.st_size);
	munmap(data, (size_t)st.st_size);
}

int perf_script_read(struct keeper *keeper, const struct perf_tool *tool, const struct recorded *recorded,
		     script_feed_fn *feed, void *ctx, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf ended = STRBUF_INIT;
	uint64_t limit_ns = recorded->limit_ns ?: perf_script_limit_ns(recorded);
	struct child perf = { 0 };
	struct printed printed = { .keeper = keeper, .fd = -1 };
	bool cut;
	int ret;

	if (recorded->fd >= 0)
		part_execs(recorded->fd);
	ret = start_script(keeper, tool, recorded, &perf, &printed.fd, err);
	printed.deadline = clock_now_ns() + limit_ns;
	if (ret == 0)
		ret = feed_until(&printed, recorded, feed, ctx, err);
	cut = ret > 0 && recorded->cut && *recorded->cut;
	if (cut)
		ret = 0;
	else if (ret > 0)
		ret = error_set(err, ERR_SYSTEM, "perf script did not end within %s on %s", format_duration(limit_ns).s,
				recorded->file);
	else if (ret == 0)
		ret = child_wait(keeper, &perf, printed.deadline, err);
	if (ret > 0 || (ret == 0 && !cut && perf.status)) {
		if (ret > 0)
			strbuf_adds(&ended, "hangs");
		else
			child_describe_status(perf.status, &ended);
		strbuf_addf(&ended, " on %s", recorded->file);
		ret = quote_perf(&perf, "perf script", ended.buf, err);
	}
	child_dispose(keeper, &perf);
	if (printed.fd >= 0)
		close(printed.fd);
	return ret;
}
