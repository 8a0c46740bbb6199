/*
 * The run loop on a recording: stage_open() a folder of tests/fixtures/replay, say what is to fail,
 * play() a scenario, look at the log of calls. The caller includes cmocka first.
 */
#ifndef PAWL_TESTS_STAGE_H
#define PAWL_TESTS_STAGE_H

#include <math.h>
#include <signal.h>

#include "base/mem.h"
#include "measure/process/process.h"
#include "replay.h"

#define SIX "tests/fixtures/replay/six"
#define CROWDED "tests/fixtures/replay/crowded"
#define FAILING "tests/fixtures/replay/failing"

#define NEVER (3600 * NS_PER_S)
#define ALL "cycles,instructions,branches,branch-misses,L1-dcache-loads,L1-dcache-load-misses"

/* A replay that keeps a log of what it is asked for, and can fail at any call of it. */
struct stage {
	struct replay replay;
	struct loop_ops inner;
	struct strbuf calls, progress;	/* separated by " / " */
	uint64_t command_ns;		/* what a command takes */

	const char *fail_at;		/* a call: "setup", "prepare", "run", "simulate", ...; NULL: none */
	unsigned fail_nth;		/* of those, from 1 */
	enum error_kind fail_kind;

	bool env;			/* starting and stopping the environment is logged too */
	const char *dropped;		/* a letter a run from the first on: 'x' must not be counted, 'h' was hasty */

	unsigned wanted;		/* complete runs */
	bool profile;			/* and then a profile */
};

static inline int log_call(struct stage *stage, const char *what, const char *argument, struct error *err)
{
	strbuf_addf(&stage->calls, "%s%s%s%s", stage->calls.len ? " / " : "", what, argument ? " " : "", argument ?: "");
	if (!stage->fail_at || strcmp(stage->fail_at, what) || --stage->fail_nth)
		return 0;
	error_set(err, stage->fail_kind, "%s went wrong", what);
	err->sys = stage->fail_kind == ERR_INTERRUPTED ? SIGINT : 0;
	return -1;
}

static inline int stage_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
			 struct error *err)
{
	struct stage *stage = ctx;

	(void)plan;
	stage->replay.now_ns += stage->command_ns;
	return log_call(stage, what, argv->items[0], err);
}

static inline int stage_run(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
			    struct measured *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	struct stage *stage = ctx;

	for (size_t i = 0; events && i < events->n; i++)
		strbuf_addf(&list, "%s%s", i ? "," : "", events->items[i]);
	if (log_call(stage, "run", events ? list.buf : NULL, err) < 0 ||
	    stage->inner.run(stage->inner.ctx, plan, events, limit_ns, out, err) < 0)
		return -1;
	if (!stage->dropped || !*stage->dropped)
		return 0;
	out->dropped = *stage->dropped == 'x' ? xstrdup("it was idle") : NULL;
	out->hasty = *stage->dropped++ == 'h';
	return 0;
}

static inline int stage_up(void *ctx, const struct plan *plan, struct scenario_result *result, struct error *err)
{
	struct stage *stage = ctx;

	if (stage->env && log_call(stage, "up", NULL, err) < 0)
		return -1;
	return stage->inner.up(stage->inner.ctx, plan, result, err);
}

static inline void stage_down(void *ctx, const struct plan *plan, struct scenario_result *result)
{
	struct stage *stage = ctx;

	if (stage->env)
		log_call(stage, "down", NULL, NULL);
	stage->inner.down(stage->inner.ctx, plan, result);
}

static inline int stage_simulate(void *ctx, const struct plan *plan, struct simulated *out, struct error *err)
{
	struct stage *stage = ctx;

	if (log_call(stage, "simulate", NULL, err) < 0)
		return -1;
	return stage->inner.simulate(stage->inner.ctx, plan, out, err);
}

static inline int stage_profile(void *ctx, const struct plan *plan, struct scenario_result *result, struct error *err)
{
	struct stage *stage = ctx;

	(void)plan;
	assert_true(result->n_runs > 0);
	return log_call(stage, "profile", NULL, err);
}

static inline void stage_last_words(void *ctx, struct strbuf *out)
{
	struct stage *stage = ctx;

	stage->inner.last_words(stage->inner.ctx, out);
}

static inline uint64_t stage_now(void *ctx)
{
	struct stage *stage = ctx;

	return stage->inner.now_ns(stage->inner.ctx);
}

static inline void stage_progress(void *ctx, const struct loop_progress *progress)
{
	static const char letters[] = "SEWRVPC";
	struct stage *stage = ctx;

	assert_string_equal(progress->scenario, "gzip");
	strbuf_addf(&stage->progress, "%s%c%u/%u", stage->progress.len ? " " : "", letters[progress->phase],
		    progress->run, progress->of);
	if (progress->left_ns)
		strbuf_addf(&stage->progress, "(%.0fms)", (double)progress->left_ns / 1e6);
}

static inline void stage_open(struct stage *stage, const char *recording)
{
	struct error err = ERROR_INIT;

	*stage = (struct stage){ .wanted = 3, .calls = STRBUF_INIT, .progress = STRBUF_INIT };
	if (replay_load(recording, &stage->replay, &err) < 0)
		fail_msg("%s", err.msg);
	stage->inner = replay_ops(&stage->replay);
}

static inline void stage_close(struct stage *stage)
{
	replay_release(&stage->replay);
	strbuf_release(&stage->calls);
	strbuf_release(&stage->progress);
}

/* The loop over a scenario of BODY on STAGE; what it returns. RESULT is for scenario_result_release(). */
static inline int play(struct stage *stage, const char *body, const struct loop_options *options,
		struct scenario_result *result, struct error *err)
{
	struct loop_side side = {
		.result = result,
		.ops = {
			.ctx = stage, .command = stage_command, .up = stage_up, .down = stage_down, .run = stage_run,
			.simulate = stage_simulate, .profile = stage_profile, .last_words = stage_last_words, .now_ns = stage_now,
			.progress = stage_progress,
		},
	};
	const struct plan_context context = { .root = "/p", .scenario_dir = "/p/scenarios", .out = "/o", .tmp = "/t" };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct scenario_defaults defaults;
	struct diags diags = DIAGS_INIT;
	struct scenario scenario;
	struct plan plan;
	struct loop *loop;
	int ret;

	*result = (struct scenario_result){ 0 };
	scenario_defaults_init(&defaults);
	strbuf_addf(&text, "version: 1\nname: gzip\n%s%s", strstr(body, "target:") ? "" : "target: { command: [gzip] }\n", body);
	if (scenario_parse(text.buf, text.len, "gzip.yaml", &defaults, &scenario, &diags) < 0)
		fail_msg("%s", diags.items[0].message);
	assert_int_equal(plan_build(&scenario, &context, &plan, NULL), 0);
	side.plan = &plan;
	loop = loop_new(&side, 1, options);
	ret = loop_measure(loop, stage->wanted, 0, err);
	if (ret == 0)
		ret = loop_simulate(loop, err);
	if (ret == 0 && stage->profile)
		ret = loop_profile(loop, err);
	loop_free(loop);
	plan_release(&plan);
	scenario_release(&scenario);
	scenario_defaults_release(&defaults);
	return ret;
}

static const struct loop_options six_counters = {
	.budget_ns = NEVER, .counters = 6, .perf = true,
};

static inline double value_of(const struct scenario_result *s, size_t run, const char *metric)
{
	for (size_t i = 0; i < s->n_metrics; i++)
		if (!strcmp(s->metrics[i]->name, metric))
			return s->runs[run].values[i];
	return NAN;
}

/* The notes, one a line. */
static inline void assert_notes(const struct scenario_result *result, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < result->notes.n; i++)
		strbuf_addf(&text, "%s\n", result->notes.items[i]);
	assert_string_equal(text.buf, expected);
}

#endif
