#include "measure/perf_stat.h"

#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "model/perfstat.h"

#define END_TIMEOUT_NS (20 * NS_PER_S)
enum { OUTPUT_LARGEST = 1 << 20 };

static void build_argv(const struct perf_tool *tool, const struct strv *events, const char *pids,
		       const char *file, struct strv *argv)
{
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < events->n; i++)
		strbuf_addf(&list, "%s%s", i ? "," : "", events->items[i]);
	strv_push(argv, tool->path);
	strv_push(argv, "stat");
	strv_pushf(argv, "-x%c", PERFSTAT_SEPARATOR);
	strv_push(argv, "-o");
	strv_push(argv, file);
	strv_push(argv, "-e");
	strv_take(argv, strbuf_take(&list));
	perf_attached_options(argv, pids);
}

int perf_stat_attach(struct keeper *keeper, const struct perf_tool *tool, const struct strv *events, const char *pids,
		     const char *file, struct perf_stat *out, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;

	*out = (struct perf_stat){ .file = xstrdup(file) };
	build_argv(tool, events, pids, file, &argv);
	return perf_attached_start(keeper, tool, &argv, "perf stat", &out->attached, err);
}

int perf_stat_switch(struct keeper *keeper, struct perf_stat *stat, bool on, struct error *err)
{
	return perf_attached_switch(keeper, &stat->attached, on, err);
}

int perf_stat_read(struct keeper *keeper, struct perf_stat *stat, struct perf_rows *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (perf_attached_end(keeper, &stat->attached, END_TIMEOUT_NS, err) < 0)
		return -1;
	if (file_read(stat->file, OUTPUT_LARGEST, &text, err) < 0)
		return perf_attached_blame(&stat->attached, "cannot attach", err);
	return perfstat_parse(text.buf, text.len, PERFSTAT_SEPARATOR, out, err);
}

void perf_stat_dispose(struct keeper *keeper, struct perf_stat *stat)
{
	perf_attached_dispose(keeper, &stat->attached);
	if (stat->file)
		unlink(stat->file);
	free(stat->file);
	*stat = (struct perf_stat)PERF_STAT_INIT;
}
