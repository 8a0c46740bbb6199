#include "measure/tools/calls.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/tools/strace.h"
#include "model/machine.h"
#include "model/measured.h"

/* Flags may make it a thread. */
#define STARTS_ONE "fork,vfork,clone,clone3"
#define EVERY_CALL "raw_syscalls:sys_enter"

static const char *call_of(const struct metric *metric)
{
	return text_starts(metric->name, METRIC_OF_CALL) ? metric->name + strlen(METRIC_OF_CALL) : NULL;
}

/* -------- strace's text */

/* Processes inside a call that starts another. strace shows it in two lines. */
struct starting {
	long *pids;
	size_t n, cap;
};

struct line {
	const char *text;
	size_t len;
	long pid;
	char name[64];		/* or of the call that is resumed */
	bool resumed;
};

/* Reads "123 1600000000.000000 openat(AT_FDCWD, ..." or "... <... read resumed>". False for signals and ends. */
static bool read_line(const char *text, size_t len, struct line *out)
{
	static const char resumed[] = "<... ";
	size_t at = 0, end;
	char *digits_end;

	*out = (struct line){ .text = text, .len = len };
	while (at < len && (text_is_digit(text[at]) || text[at] == ' ' || text[at] == '.'))
		at++;
	if (at == len)
		return false;
	out->pid = strtol(text, &digits_end, 10);
	out->resumed = len - at > sizeof resumed && text_starts(text + at, resumed);
	at += out->resumed ? sizeof resumed - 1 : 0;
	for (end = at; end < len && ((text[end] >= 'a' && text[end] <= 'z') || text_is_digit(text[end]) || text[end] == '_'); end++)
		;
	if (end == at || end == len || end - at >= sizeof out->name || text[end] != (out->resumed ? ' ' : '('))
		return false;
	memcpy(out->name, text + at, end - at);
	return true;
}

static bool line_has(const struct line *line, const char *word)
{
	return memmem(line->text, line->len, word, strlen(word));
}

/* A failed call returns -1, and one that a signal restarts "?". */
static bool returned_one(const struct line *line)
{
	const char *result = line->text + line->len;

	while (result > line->text && text_is_digit(result[-1]))
		result--;
	return result < line->text + line->len && result - line->text > 2 && !memcmp(result - 2, "= ", 2);
}

/* True if LINE completes a call that started a process. */
static bool starts_process(const struct line *line, struct starting *starting)
{
	size_t i = 0;

	if (!TEXT_IS(line->name, "fork", "vfork", "clone", "clone3") || (!line->resumed && line_has(line, "CLONE_THREAD")))
		return false;
	if (!line->resumed && line_has(line, "<unfinished ...>")) {
		*VEC_ADD(starting->pids, starting->n, starting->cap) = line->pid;
		return false;
	}
	while (line->resumed && i < starting->n && starting->pids[i] != line->pid)
		i++;
	if (line->resumed && i == starting->n)
		return false;
	if (line->resumed)
		starting->pids[i] = starting->pids[--starting->n];
	return returned_one(line);
}

static void add_line(const struct line *line, bool started, struct call_counts *counts)
{
	for (size_t i = 0; i < counts->n; i++) {
		const char *call = call_of(counts->metrics[i]);

		if (counts->metrics[i] == METRIC(PROCESSES))
			counts->values[i] += started;
		else if (!line->resumed)
			counts->values[i] += !call || !strcmp(line->name, call);
	}
}

void calls_add(const char *text, size_t len, struct call_counts *counts)
{
	const char *end = text + len, *at = text;
	struct starting starting = { 0 };
	struct line line;

	while ((text = text_next_line(&at, end, &len)))
		if (read_line(text, len, &line))
			add_line(&line, starts_process(&line, &starting), counts);
	free(starting.pids);
}

static int count_by_strace(struct session *session, const struct target_spec *spec, uint64_t limit_ns, struct call_counts *counts,
			   struct error *err)
{
	bool only_processes = counts->n == 1 && counts->metrics[0] == METRIC(PROCESSES);
	const struct strace_wish wish = { .calls = only_processes ? STARTS_ONE : NULL, .limit_ns = limit_ns };
	struct strace_text traced = { .text = STRBUF_INIT };
	int ret = strace_run(session, spec, 1, &wish, &traced, err);

	if (ret == 0 && traced.cut)
		ret = error_set(err, ERR_SYSTEM, "it takes longer under strace than the time that was left; --budget TIME gives it more");
	for (size_t i = 0; i < counts->n; i++)
		counts->values[i] = counts->metrics[i] == METRIC(PROCESSES);
	if (ret == 0) {
		calls_add(traced.text.buf, traced.text.len, counts);
		counts->by = "strace";
	}
	strbuf_release(&traced.text);
	return ret;
}

/* -------- tracepoints */

/* No tracepoint leaves threads out of processes. */
static bool has_tracepoint(const struct metric *metric, struct strv *events)
{
	static const char *const folders[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	const char *call = call_of(metric);
	bool found = false;

	if (metric == METRIC(PROCESSES))
		return false;
	for (size_t i = 0; !found && i < sizeof folders / sizeof *folders; i++) {
		CLEANUP(free_ptr) char *path = call ? text_printf("%s/events/syscalls/sys_enter_%s/id", folders[i], call) :
						      text_printf("%s/events/raw_syscalls/sys_enter/id", folders[i]);

		found = access(path, R_OK) == 0;
	}
	if (call)
		strv_pushf(events, "syscalls:sys_enter_%s", call);
	return found;
}

/* Returns 1 if perf counted, 0 if it cannot, -1 if the target failed or was interrupted. */
static int count_by_perf(struct session *session, const struct target_spec *spec, struct call_counts *counts, struct error *err)
{
	CLEANUP(strv_release) struct strv events = STRV_INIT;
	CLEANUP(measured_release) struct measured measured = { 0 };
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	size_t at = 1;

	strv_push(&events, EVERY_CALL);
	for (size_t i = 0; i < counts->n; i++)
		if (!has_tracepoint(counts->metrics[i], &events))
			return 0;
	if (session->machine.tier == TIER_SIM)
		return 0;
	if (target_run(session, spec, &events, &measured, &output, err) < 0)
		return err->kind == ERR_SYSTEM ? 0 : -1;
	/* Without permission, perf counts no call and prints 0. */
	if (!(perf_rows_value(&measured.rows, EVERY_CALL, NULL) > 0))
		return 0;
	for (size_t i = 0; i < counts->n; i++)
		counts->values[i] = perf_rows_value(&measured.rows, call_of(counts->metrics[i]) ? events.items[at++] : EVERY_CALL, NULL);
	counts->by = "perf";
	return 1;
}

int calls_count(struct session *session, const struct target_spec *spec, uint64_t limit_ns, struct call_counts *counts, struct error *err)
{
	int ret = count_by_perf(session, spec, counts, err);

	return ret ? (ret < 0 ? -1 : 0) : count_by_strace(session, spec, limit_ns, counts, err);
}
