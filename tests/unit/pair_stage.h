/*
 * The loop of pairs on two made-up targets that share a clock and a log: open_pairs() a scenario, say what is to
 * happen, measure, look at the log of calls. The caller includes cmocka first.
 *
 * In the log, "b" is a run of the base and "h" one of the head, in capitals where they are counted; other calls are
 * spelled out: "base:setup". Values: run i of a side, from 1 and warm-ups included, takes its wall_ms, uses i ms of
 * user time, and has a peak of i bytes.
 */
#ifndef PAWL_TESTS_PAIR_STAGE_H
#define PAWL_TESTS_PAIR_STAGE_H

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>

#include "base/mem.h"
#include "measure/process/process.h"
#include "measure/run/run.h"

struct pair_stage;

struct fake_side {
	struct pair_stage *stage;
	const char *name;
	double wall_ms;
	unsigned runs, ups;
	double work;
};

struct pair_stage {
	struct fake_side base, head;
	struct strbuf log, progress;
	uint64_t now_ns, slept_ns, stolen;
	/* By number of a run of either side, from 1; 0: none. */
	unsigned fail_from, fail_to, interrupt_at, steal_from, steal_to, sleep_at, stop_clock_at, drop_at, crowd_at;
	unsigned steal_ticks;	/* in each of those */
	bool times_out;		/* what fails */
	const char *fail_call;	/* "head:setup" */
	unsigned runs;

	struct scenario_defaults defaults;
	struct scenario scenario;
	struct plan plan;
	struct scenario_result results[2];
	struct loop *loop;
};

static inline int fake_log(struct fake_side *side, const char *what, struct error *err)
{
	struct pair_stage *stage = side->stage;
	char call[64];

	snprintf(call, sizeof call, "%s:%s", side->name, what);
	strbuf_addf(&stage->log, "%s%s ", stage->log.len && stage->log.buf[stage->log.len - 1] != ' ' ? " " : "", call);
	return stage->fail_call && !strcmp(stage->fail_call, call) ? error_set(err, ERR_TARGET, "%s went wrong", what) : 0;
}

static inline int fake_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
			       struct error *err)
{
	(void)plan;
	(void)argv;
	return fake_log(ctx, what, err);
}

static inline int fake_up(void *ctx, const struct plan *plan, struct scenario_result *result, struct error *err)
{
	struct fake_side *side = ctx;

	(void)result;
	side->ups++;
	return plan->scenario->n_services ? fake_log(side, "up", err) : 0;
}

static inline void fake_down(void *ctx, const struct plan *plan, struct scenario_result *result)
{
	if (!plan->scenario->n_services)
		return;
	fake_log(ctx, "down", NULL);
	strv_push(&result->notes, "it had to be killed");
}

static inline void fake_rows(const struct pair_stage *stage, const struct strv *events, struct measured *out)
{
	for (size_t i = 0; i < events->n; i++) {
		bool crowded = stage->runs == stage->crowd_at && strcmp(events->items[i], "task-clock") != 0;

		VEC_GROW(out->rows.items, out->rows.n, out->rows.cap);
		out->rows.items[out->rows.n++] = (struct perf_row){
			.event = xstrdup(events->items[i]), .state = ROW_COUNTED, .value = out->wall_ms * (double)(i + 1),
			.run_ns = 1000, .running_pct = crowded ? 50 : 100,
		};
	}
}

static inline int fake_run(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
			   struct measured *out, struct error *err)
{
	struct fake_side *side = ctx;
	struct pair_stage *stage = side->stage;
	unsigned at = ++stage->runs;

	(void)plan;
	(void)limit_ns;
	strbuf_addf(&stage->log, "%c", events ? toupper(side->name[0]) : side->name[0]);
	side->runs++;
	stage->now_ns += (uint64_t)(side->wall_ms * 1e6);
	if (at >= stage->steal_from && at <= stage->steal_to)
		stage->stolen += stage->steal_ticks;
	/* A reading that steps back by the jitter of two clocks. */
	stage->slept_ns -= stage->slept_ns ? 1 : 0;
	if (at == stage->sleep_at)
		stage->slept_ns += 5 * NS_PER_S;
	if (at == stage->interrupt_at) {
		error_set(err, ERR_INTERRUPTED, "interrupted");
		err->sys = SIGINT;
		return -1;
	}
	if (at >= stage->fail_from && at <= stage->fail_to) {
		error_set(err, ERR_TARGET, stage->times_out ? "did not end within 60 s" : "exited with status 1");
		err->sys = stage->times_out ? ETIMEDOUT : 0;
		return -1;
	}
	*out = (struct measured){
		.wall_ms = at == stage->stop_clock_at ? 0 : side->wall_ms, .user_ms = side->runs, .max_rss_bytes = side->runs,
		.work = side->work, .dropped = at == stage->drop_at ? xstrdup("it was idle") : NULL,
	};
	if (events)
		fake_rows(stage, events, out);
	return 0;
}

static inline int fake_simulate(void *ctx, const struct plan *plan, struct simulated *out, struct error *err)
{
	(void)plan;
	*out = (struct simulated){ .instructions = 7 };
	return fake_log(ctx, "simulate", err);
}

static inline int fake_profile(void *ctx, const struct plan *plan, struct scenario_result *result, struct error *err)
{
	(void)plan;
	(void)result;
	return fake_log(ctx, "profile", err);
}

static inline void fake_last_words(void *ctx, struct strbuf *out)
{
	strbuf_addf(out, "the last words of %s", ((const struct fake_side *)ctx)->name);
}

static inline uint64_t fake_now(void *ctx)
{
	return ((const struct fake_side *)ctx)->stage->now_ns;
}

static inline uint64_t fake_slept(void *ctx)
{
	return ((const struct fake_side *)ctx)->stage->slept_ns;
}

static inline uint64_t fake_stolen(void *ctx)
{
	return ((const struct fake_side *)ctx)->stage->stolen;
}

static inline void fake_progress(void *ctx, const struct loop_progress *progress)
{
	struct pair_stage *stage = ((const struct fake_side *)ctx)->stage;

	if (progress->phase == PHASE_RUN)
		strbuf_addf(&stage->progress, "%u/%u(%.0fms) ", progress->run, progress->of, (double)progress->left_ns / 1e6);
}

static inline struct loop_side fake_ops(struct pair_stage *stage, struct fake_side *side, const char *name,
					    struct scenario_result *result)
{
	side->stage = stage;
	side->name = name;
	return (struct loop_side){
		.name = name, .plan = &stage->plan, .result = result,
		.ops = {
			.ctx = side, .command = fake_command, .up = fake_up, .down = fake_down, .run = fake_run,
			.simulate = fake_simulate, .profile = fake_profile, .last_words = fake_last_words, .now_ns = fake_now,
			.stolen_ticks = fake_stolen, .slept_ns = fake_slept, .progress = fake_progress,
		},
	};
}

static inline int fake_port(void *ctx, const char *name, struct error *err)
{
	(void)ctx;
	(void)name;
	(void)err;
	return 8000;
}

/* STAGE is zeroed but for what is to happen. */
static inline void open_pairs(struct pair_stage *stage, const char *body, const struct loop_options *options)
{
	const struct plan_context context = {
		.root = "/p", .scenario_dir = "/p/scenarios", .out = "/o", .tmp = "/t", .port = fake_port,
	};
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct loop_side sides[2];

	scenario_defaults_init(&stage->defaults);
	strbuf_addf(&text, "version: 1\nname: gzip\n%s%s", strstr(body, "target:") ? "" : "target: { command: [gzip] }\n", body);
	if (scenario_parse(text.buf, text.len, "gzip.yaml", &stage->defaults, &stage->scenario, &diags) < 0)
		fail_msg("%s", diags.items[0].message);
	assert_int_equal(plan_build(&stage->scenario, &context, &stage->plan, NULL), 0);
	stage->log = stage->progress = (struct strbuf)STRBUF_INIT;
	stage->base.wall_ms = stage->base.wall_ms ?: 100;
	stage->head.wall_ms = stage->head.wall_ms ?: 100;
	sides[0] = fake_ops(stage, &stage->base, "base", &stage->results[0]);
	sides[1] = fake_ops(stage, &stage->head, "head", &stage->results[1]);
	stage->loop = loop_new(sides, 2, options);
}

/* Ends the loop: only then the notes are complete. */
static inline void end_pairs(struct pair_stage *stage)
{
	loop_free(stage->loop);
	stage->loop = NULL;
}

static inline void close_pairs(struct pair_stage *stage)
{
	end_pairs(stage);
	for (int i = 0; i < 2; i++)
		scenario_result_release(&stage->results[i]);
	plan_release(&stage->plan);
	scenario_release(&stage->scenario);
	scenario_defaults_release(&stage->defaults);
	strbuf_release(&stage->log);
	strbuf_release(&stage->progress);
}

/* The log without a blank at its end. */
static inline void assert_log(const struct pair_stage *stage, const char *expected)
{
	size_t len = stage->log.len;

	while (len && stage->log.buf[len - 1] == ' ')
		len--;
	if (strlen(expected) != len || strncmp(expected, stage->log.buf, len))
		fail_msg("expected %s\n         found    %.*s", expected, (int)len, stage->log.buf);
}

static inline double pair_value(const struct scenario_result *result, size_t run, const char *metric)
{
	for (size_t i = 0; i < result->n_metrics; i++)
		if (!strcmp(result->metrics[i]->name, metric))
			return result->runs[run].values[i];
	return NAN;
}

static inline void assert_pair_notes(const struct scenario_result *result, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < result->notes.n; i++)
		strbuf_addf(&text, "%s\n", result->notes.items[i]);
	assert_string_equal(text.buf ?: "", expected);
}

#endif
