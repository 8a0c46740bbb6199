#include "measure/perf/perf.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/process.h"

#define END_TIMEOUT_NS (20 * NS_PER_S)
enum { OUTPUT_LARGEST = 1 << 20 };

static void build_argv(const struct perf_tool *tool, const struct strv *events, const char *pids, struct strv *argv)
{
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < events->n; i++)
		strbuf_addf(&list, "%s%s", i ? "," : "", events->items[i]);
	strv_push(argv, tool->path);
	strv_push(argv, "stat");
	strv_pushf(argv, "-x%c", PERF_CSV_SEPARATOR);
	strv_push(argv, "--log-fd");
	strv_pushf(argv, "%d", PERF_OUTPUT);
	strv_push(argv, "-e");
	strv_take(argv, strbuf_take(&list));
	perf_attached_options(argv, pids);
}

int perf_stat_attach(struct keeper *keeper, const struct perf_tool *tool, const struct strv *events, const char *pids,
		     struct perf_stat *out, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	int output[2], ret;

	*out = (struct perf_stat)PERF_STAT_INIT;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, output) < 0)
		return error_sys(err, errno, "cannot make a socket pair for perf");
	out->output_fd = output[0];
	build_argv(tool, events, pids, &argv);
	ret = perf_attached_start(keeper, tool, &argv, "perf stat", output[1], &out->attached, err);
	close(output[1]);
	return ret;
}

int perf_stat_switch(struct keeper *keeper, struct perf_stat *stat, bool on, struct error *err)
{
	return perf_attached_switch(keeper, &stat->attached, on, err);
}

/* perf has ended: what it wrote is there, whole. */
static int read_output(int fd, struct strbuf *out, struct error *err)
{
	char chunk[4096];

	while (out->len < OUTPUT_LARGEST) {
		ssize_t n = recv(fd, chunk, sizeof chunk, MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return error_sys(err, errno, "cannot read what perf stat counted");
		if (n <= 0)
			return 0;
		strbuf_add(out, chunk, (size_t)n);
	}
	return error_set(err, ERR_SYSTEM, "perf stat wrote more than %d bytes", OUTPUT_LARGEST);
}

int perf_stat_read(struct keeper *keeper, struct perf_stat *stat, struct perf_rows *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (perf_attached_end(keeper, &stat->attached, END_TIMEOUT_NS, err) < 0 ||
	    read_output(stat->output_fd, &text, err) < 0)
		return -1;
	return perf_csv_parse(text.buf, text.len, PERF_CSV_SEPARATOR, out, err);
}

void perf_stat_dispose(struct keeper *keeper, struct perf_stat *stat)
{
	perf_attached_dispose(keeper, &stat->attached);
	if (stat->output_fd >= 0)
		close(stat->output_fd);
	*stat = (struct perf_stat)PERF_STAT_INIT;
}
