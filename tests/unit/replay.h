/*
 * The run loop's operations on a recording. They return what perf and wait4() reported of real runs, one
 * after the other. They use no processes, no perf and no real clock.
 *
 *	run-001.usage	the run around perf: "wall_ms=34.6" and so on, on one line
 *	run-001.csv	output of `perf stat -x;`; missing if the run was not counted
 *	run-001.fail	the run failed: the error message, then the target's last output
 *	simulation.out	cachegrind's output; missing if nothing was simulated
 *
 *	replay_load() -> runloop() with replay_ops() -> replay_release()
 *
 * Runs are numbered from 1 without gaps, warm-ups included, and replayed in that order. If the loop asks for
 * more runs, or counts a run that was not counted, it gets an ERR_SYSTEM. Commands succeed and take no time.
 * The caller includes cmocka first.
 */
#ifndef PAWL_TESTS_REPLAY_H
#define PAWL_TESTS_REPLAY_H

#include "measure/tools/valgrind.h"
#include "measure/files/files.h"
#include "measure/perf/perf_csv.h"
#include "measure/run/loop.h"
#include "read_file.h"

struct recorded_run {
	struct measured measured;
	bool counted;
	char *failure, *words;	/* NULL: it did not fail, it printed nothing */
};

struct replay {
	struct recorded_run *runs;
	size_t n, cap;
	size_t next;		/* the next run to replay, from 0 */
	struct simulated simulated;
	bool has_simulated;
	uint64_t now_ns;	/* the clock; each run advances it by its wall time */
};

static inline void load_usage(const char *path, struct measured *m)
{
	CLEANUP(strbuf_release) struct strbuf text = read_file(path);

	if (sscanf(text.buf, "wall_ms=%lf user_ms=%lf system_ms=%lf cpu_ms=%lf max_rss_bytes=%lf page_faults=%lf major_faults=%lf "
		   "voluntary_switches=%lf involuntary_switches=%lf", &m->wall_ms, &m->user_ms, &m->system_ms, &m->cpu_ms, &m->max_rss_bytes,
		   &m->page_faults, &m->major_faults, &m->voluntary_switches, &m->involuntary_switches) != 9)
		fail_msg("%s is no usage of a run", path);
}

/* Adds run NUMBER of the folder. Returns false if there is none. */
static inline bool load_run(const char *dir, size_t number, struct replay *out)
{
	CLEANUP(free_ptr) char *usage = text_printf("%s/run-%03zu.usage", dir, number);
	CLEANUP(free_ptr) char *csv = text_printf("%s/run-%03zu.csv", dir, number), *fail = text_printf("%s/run-%03zu.fail", dir, number);
	struct recorded_run *run;

	if (!file_exists(usage))
		return false;
	VEC_GROW(out->runs, out->n, out->cap);
	run = &out->runs[out->n++];
	*run = (struct recorded_run){ .counted = file_exists(csv) };
	load_usage(usage, &run->measured);
	if (run->counted) {
		CLEANUP(strbuf_release) struct strbuf text = read_file(csv);

		assert_int_equal(perf_csv_parse(text.buf, text.len, PERF_CSV_SEPARATOR, &run->measured.rows, NULL), 0);
	}
	if (file_exists(fail)) {
		CLEANUP(strbuf_release) struct strbuf text = read_file(fail);
		size_t first = strcspn(text.buf, "\n");

		run->failure = xstrndup(text.buf, first);
		run->words = text.buf[first] && text.buf[first + 1] ? xstrdup(text.buf + first + 1) : NULL;
	}
	return true;
}

/* Loads a recording, which the caller releases with replay_release(). */
static inline struct replay replay_load(const char *dir)
{
	CLEANUP(free_ptr) char *simulation = file_join(dir, "simulation.out");
	struct replay replay = { .has_simulated = file_exists(simulation) };

	while (load_run(dir, replay.n + 1, &replay))
		;
	assert_true(replay.n > 0);
	if (replay.has_simulated) {
		CLEANUP(strbuf_release) struct strbuf text = read_file(simulation);

		assert_int_equal(cachegrind_add(text.buf, text.len, &replay.simulated, NULL), 0);
	}
	return replay;
}

static inline void replay_release(struct replay *replay)
{
	for (size_t i = 0; i < replay->n; i++) {
		measured_release(&replay->runs[i].measured);
		free(replay->runs[i].failure);
		free(replay->runs[i].words);
	}
	free(replay->runs);
	*replay = (struct replay){ 0 };
}

/* -------- operations */

static inline int replay_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
			  struct error *err)
{
	return 0;
}

static inline int replay_up(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	return 0;
}

static inline void replay_down(void *ctx, const struct plan *plan, struct side_result *result)
{
}

static inline int replay_run(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
		      struct measured *out, struct error *err)
{
	struct replay *replay = ctx;
	struct recorded_run *run;

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

static inline int replay_simulate(void *ctx, const struct plan *plan, struct simulated *out, struct error *err)
{
	const struct replay *replay = ctx;

	if (!replay->has_simulated)
		return error_set(err, ERR_SYSTEM, "the recording has no simulation.out");
	*out = replay->simulated;
	return 0;
}

/* A recording contains counted runs only. */
static inline int replay_profile(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	return error_set(err, ERR_SYSTEM, "the recording has no profile");
}

static inline void replay_last_words(void *ctx, struct strbuf *out)
{
	const struct replay *replay = ctx;
	const char *words = replay->next ? replay->runs[replay->next - 1].words : NULL;

	if (words)
		strbuf_adds(out, words);
}

static inline uint64_t replay_now(void *ctx)
{
	return ((const struct replay *)ctx)->now_ns;
}

static inline void replay_progress(void *ctx, const struct loop_progress *progress)
{
}

static inline struct loop_ops replay_ops(struct replay *replay)
{
	return (struct loop_ops){
		.ctx = replay, .command = replay_command, .up = replay_up, .down = replay_down, .run = replay_run, .simulate = replay_simulate,
		.profile = replay_profile, .last_words = replay_last_words, .now_ns = replay_now, .progress = replay_progress,
	};
}

#endif
