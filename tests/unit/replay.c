#include "replay.h"
#include "base/mem.h"
#include "base/parse.h"

#include "measure/tools/valgrind.h"
#include "measure/perf/perf_csv.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "measure/run/loop.h"

enum { FILE_LARGEST = 1 << 20 };

/* -------- usage */

static const struct member {
	const char *name;
	size_t offset;
} members[] = {
#define MEMBER(name) { #name, offsetof(struct measured, name) }
	MEMBER(wall_ms), MEMBER(user_ms), MEMBER(system_ms), MEMBER(cpu_ms), MEMBER(max_rss_bytes),
	MEMBER(page_faults), MEMBER(major_faults), MEMBER(voluntary_switches), MEMBER(involuntary_switches),
#undef MEMBER
};
enum { MEMBERS = sizeof members / sizeof members[0] };

static int parse_member(char *line, struct measured *out, bool seen[MEMBERS], struct error *err)
{
	char *equals = strchr(line, '=');
	double value;

	if (!equals)
		return error_set(err, ERR_INPUT, "expected KEY=VALUE, found '%.60s'", line);
	*equals = '\0';
	for (size_t i = 0; i < MEMBERS; i++) {
		if (strcmp(members[i].name, line))
			continue;
		if (seen[i])
			return error_set(err, ERR_INPUT, "%s is given twice", line);
		if (parse_double(equals + 1, &value, err) < 0)
			return error_wrap(err, "%s", line);
		if (value < 0)
			return error_set(err, ERR_INPUT, "%s: expected nothing below 0, found '%.60s'", line, equals + 1);
		*(double *)((char *)out + members[i].offset) = value;
		seen[i] = true;
		return 0;
	}
	return error_set(err, ERR_INPUT, "unknown key '%.60s'", line);
}

int replay_parse_usage(const char *text, size_t len, struct measured *out, struct error *err)
{
	struct measured usage = *out;
	bool seen[MEMBERS] = { false };

	for (const char *p = text, *end = text + len; p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p)) ?: end;
		CLEANUP(free_ptr) char *line = xstrndup(p, (size_t)(eol - p));

		if (*line && parse_member(line, &usage, seen, err) < 0)
			return -1;
		p = eol + 1;
	}
	for (size_t i = 0; i < MEMBERS; i++)
		if (!seen[i])
			return error_set(err, ERR_INPUT, "%s is missing", members[i].name);
	*out = usage;
	return 0;
}

/* -------- reading a recording */

static void recorded_release(struct recorded_run *run)
{
	measured_release(&run->measured);
	free(run->failure);
	free(run->words);
	*run = (struct recorded_run){ 0 };
}

static char *run_path(const char *dir, size_t number, const char *suffix)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/run-%03zu.%s", dir, number, suffix);
	return strbuf_take(&path);
}

/* Appends the file's text and returns 1. Returns 0 if the file does not exist. */
static int read_if_there(const char *path, struct strbuf *text, struct error *err)
{
	if (!file_exists(path))
		return 0;
	return file_read(path, FILE_LARGEST, text, err) < 0 ? -1 : 1;
}

static int load_usage(const char *path, struct recorded_run *run, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (file_read(path, FILE_LARGEST, &text, err) < 0)
		return -1;
	if (replay_parse_usage(text.buf, text.len, &run->measured, err) < 0)
		return error_wrap(err, "%s", path);
	return 0;
}

static int load_rows(const char *path, struct recorded_run *run, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	int got = read_if_there(path, &text, err);

	if (got <= 0)
		return got;
	if (perf_csv_parse(text.buf, text.len, PERF_CSV_SEPARATOR, &run->measured.rows, err) < 0)
		return error_wrap(err, "%s", path);
	run->counted = true;
	return 0;
}

static int load_failure(const char *path, struct recorded_run *run, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	int got = read_if_there(path, &text, err);
	size_t first = strcspn(text.buf, "\n");

	if (got <= 0)
		return got;
	run->failure = xstrndup(text.buf, first);
	if (text.buf[first] && text.buf[first + 1])
		run->words = xstrdup(text.buf + first + 1);
	return 0;
}

static int load_run(const char *dir, size_t number, struct replay *replay, struct error *err)
{
	CLEANUP(free_ptr) char *usage = run_path(dir, number, "usage");
	CLEANUP(free_ptr) char *csv = run_path(dir, number, "csv");
	CLEANUP(free_ptr) char *fail = run_path(dir, number, "fail");
	CLEANUP(recorded_release) struct recorded_run run = { 0 };

	if (load_usage(usage, &run, err) < 0 || load_rows(csv, &run, err) < 0 || load_failure(fail, &run, err) < 0)
		return -1;
	VEC_GROW(replay->runs, replay->n, replay->cap);
	replay->runs[replay->n++] = run;
	run = (struct recorded_run){ 0 };
	return 0;
}

static int load_simulation(const char *dir, struct replay *replay, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(dir, "simulation.out");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	int got = read_if_there(path, &text, err);

	if (got <= 0)
		return got;
	if (cachegrind_add(text.buf, text.len, &replay->simulated, err) < 0)
		return error_wrap(err, "%s", path);
	replay->has_simulated = true;
	return 0;
}

static bool has_run(const char *dir, size_t number)
{
	CLEANUP(free_ptr) char *usage = run_path(dir, number, "usage");

	return file_exists(usage);
}

int replay_load(const char *dir, struct replay *out, struct error *err)
{
	CLEANUP(replay_release) struct replay replay = { 0 };

	do {
		if (load_run(dir, replay.n + 1, &replay, err) < 0)
			return -1;
	} while (has_run(dir, replay.n + 1));
	if (load_simulation(dir, &replay, err) < 0)
		return -1;
	*out = replay;
	replay = (struct replay){ 0 };
	return 0;
}

void replay_release(struct replay *replay)
{
	for (size_t i = 0; i < replay->n; i++)
		recorded_release(&replay->runs[i]);
	free(replay->runs);
	*replay = (struct replay){ 0 };
}

/* -------- operations */

static int replay_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
			  struct error *err)
{
	(void)ctx;
	(void)plan;
	(void)what;
	(void)argv;
	(void)err;
	return 0;
}

static int replay_up(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	(void)ctx;
	(void)plan;
	(void)result;
	(void)err;
	return 0;
}

static void replay_down(void *ctx, const struct plan *plan, struct side_result *result)
{
	(void)ctx;
	(void)plan;
	(void)result;
}

static int replay_run(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
		      struct measured *out, struct error *err)
{
	struct replay *replay = ctx;
	struct recorded_run *run;

	(void)plan;
	(void)limit_ns;
	if (replay->next == replay->n)
		return error_set(err, ERR_SYSTEM, "the recording ends after %zu runs", replay->n);
	run = &replay->runs[replay->next++];
	replay->now_ns += (uint64_t)(run->measured.wall_ms * (double)NS_PER_MS);
	if (run->failure)
		return error_set(err, ERR_TARGET, "%s", run->failure);
	if (events && !run->counted)
		return error_set(err, ERR_SYSTEM, "run %zu of the recording was not counted", replay->next);
	*out = run->measured;
	out->rows = (struct perf_rows){ 0 };
	if (events) {
		out->rows = run->measured.rows;
		run->measured.rows = (struct perf_rows){ 0 };
	}
	return 0;
}

static int replay_simulate(void *ctx, const struct plan *plan, struct simulated *out, struct error *err)
{
	const struct replay *replay = ctx;

	(void)plan;
	if (!replay->has_simulated)
		return error_set(err, ERR_SYSTEM, "the recording has no simulation.out");
	*out = replay->simulated;
	return 0;
}

/* A recording contains counted runs only. */
static int replay_profile(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	(void)ctx;
	(void)plan;
	(void)result;
	return error_set(err, ERR_SYSTEM, "the recording has no profile");
}

static void replay_last_words(void *ctx, struct strbuf *out)
{
	const struct replay *replay = ctx;
	const char *words = replay->next ? replay->runs[replay->next - 1].words : NULL;

	if (words)
		strbuf_adds(out, words);
}

static uint64_t replay_now(void *ctx)
{
	return ((const struct replay *)ctx)->now_ns;
}

static void replay_progress(void *ctx, const struct loop_progress *progress)
{
	(void)ctx;
	(void)progress;
}

struct loop_ops replay_ops(struct replay *replay)
{
	return (struct loop_ops){
		.ctx = replay,
		.command = replay_command,
		.up = replay_up,
		.down = replay_down,
		.run = replay_run,
		.simulate = replay_simulate,
		.profile = replay_profile,
		.last_words = replay_last_words,
		.now_ns = replay_now,
		.progress = replay_progress,
	};
}
