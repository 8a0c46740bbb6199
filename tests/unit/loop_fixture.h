/*
 * The run loop on a recording: fixture_of() a folder of tests/fixtures/replay, fail_at() a call, play() a scenario, then
 * check its result and the log of calls. The caller includes cmocka first.
 */
#ifndef PAWL_TESTS_FIXTURE_H
#define PAWL_TESTS_FIXTURE_H

#include <math.h>
#include <signal.h>

#include "base/error.h"
#include "base/mem.h"
#include "measure/tools/valgrind.h"
#include "measure/process/interrupt.h"
#include "measure/run/loop.h"
#include "report/document.h"
#include "scenario/scenario.h"
#include "replay.h"
#include "side_checks.h"

#define SIX "tests/fixtures/replay/six"
#define CROWDED "tests/fixtures/replay/crowded"
#define FAILING "tests/fixtures/replay/failing"

#define NEVER (3600 * NS_PER_S)
#define ALL "cycles,instructions,branches,branch-misses,L1-dcache-loads,L1-dcache-load-misses"

/* A replay that logs each call and can fail at any of them. */
struct fixture {
	struct replay replay;
	struct loop_ops inner;
	struct strbuf calls, progress;	/* separated by " / " */
	uint64_t command_ns, up_ns;	/* duration of a command, and of starting the environment */

	const char *fail_at;		/* failing call: "setup", "prepare", "run", "simulate", ...; NULL: none */
	unsigned fail_nth;		/* which of those calls fails, from 1 */
	enum error_kind fail_kind;

	bool env;			/* also log start and stop of the environment */
	const char *dropped;		/* one letter per run, from the first: 'x' does not count, 'h' was hasty */

	unsigned wanted;		/* complete runs */
	bool profile;			/* take a profile after the runs */
	struct loop_options options;

	bool no_error;			/* give the loop no error to fill */
	struct error err;
	struct side_result result;
};

/* The call WHAT fails the NTH time, from 1. */
static inline void fail_at(struct fixture *fixture, const char *what, unsigned nth, enum error_kind kind)
{
	fixture->fail_at = what;
	fixture->fail_nth = nth;
	fixture->fail_kind = kind;
}

static inline int log_call(struct fixture *fixture, const char *what, const char *argument, struct error *err)
{
	strbuf_addf(&fixture->calls, "%s%s%s%s", fixture->calls.len ? " / " : "", what, argument ? " " : "", argument ?: "");
	if (!fixture->fail_at || strcmp(fixture->fail_at, what) || --fixture->fail_nth)
		return 0;
	error_set(err, fixture->fail_kind, "%s went wrong", what);
	err->sys = fixture->fail_kind == ERR_INTERRUPTED ? SIGINT : 0;
	return -1;
}

static inline int fixture_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
			 struct error *err)
{
	struct fixture *fixture = ctx;

	fixture->replay.now_ns += fixture->command_ns;
	return log_call(fixture, what, argv->items[0], err);
}

static inline int fixture_run(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
			    struct measured *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	struct fixture *fixture = ctx;

	for (size_t i = 0; events && i < events->n; i++)
		strbuf_addf(&list, "%s%s", i ? "," : "", events->items[i]);
	if (log_call(fixture, "run", events ? list.buf : NULL, err) < 0 ||
	    fixture->inner.run(fixture->inner.ctx, plan, events, limit_ns, out, err) < 0)
		return -1;
	if (!fixture->dropped || !*fixture->dropped)
		return 0;
	out->dropped = *fixture->dropped == 'x' ? xstrdup("it was idle") : NULL;
	out->hasty = *fixture->dropped++ == 'h';
	return 0;
}

static inline int fixture_up(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	struct fixture *fixture = ctx;

	fixture->replay.now_ns += fixture->up_ns;
	if (fixture->env && log_call(fixture, "up", NULL, err) < 0)
		return -1;
	return fixture->inner.up(fixture->inner.ctx, plan, result, err);
}

static inline void fixture_down(void *ctx, const struct plan *plan, struct side_result *result)
{
	struct fixture *fixture = ctx;

	if (fixture->env)
		log_call(fixture, "down", NULL, NULL);
	fixture->inner.down(fixture->inner.ctx, plan, result);
}

static inline int fixture_simulate(void *ctx, const struct plan *plan, struct simulated *out, struct error *err)
{
	struct fixture *fixture = ctx;

	if (log_call(fixture, "simulate", NULL, err) < 0)
		return -1;
	return fixture->inner.simulate(fixture->inner.ctx, plan, out, err);
}

static inline int fixture_profile(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	struct fixture *fixture = ctx;

	assert_true(result->n_runs > 0);
	return log_call(fixture, "profile", NULL, err);
}

static inline void fixture_last_words(void *ctx, struct strbuf *out)
{
	struct fixture *fixture = ctx;

	fixture->inner.last_words(fixture->inner.ctx, out);
}

static inline uint64_t fixture_now(void *ctx)
{
	struct fixture *fixture = ctx;

	return fixture->inner.now_ns(fixture->inner.ctx);
}

static inline void fixture_progress(void *ctx, const struct loop_progress *progress)
{
	static const char letters[] = "SEWRVPQC";
	struct fixture *fixture = ctx;

	assert_string_equal(progress->scenario, "gzip");
	strbuf_addf(&fixture->progress, "%s%c%u/%u", fixture->progress.len ? " " : "", letters[progress->phase],
		    progress->run, progress->of);
	if (progress->left_ns)
		strbuf_addf(&fixture->progress, "(%.0fms)", (double)progress->left_ns / 1e6);
}

/* Three runs with six counters. */
static inline struct fixture fixture_of(const char *recording)
{
	return (struct fixture){
		.replay = replay_load(recording), .wanted = 3, .calls = STRBUF_INIT, .progress = STRBUF_INIT, .err = ERROR_INIT,
		.options = { .budget_ns = NEVER, .counters = 6, .perf = true },
	};
}

static inline void fixture_close(struct fixture *fixture)
{
	replay_release(&fixture->replay);
	strbuf_release(&fixture->calls);
	strbuf_release(&fixture->progress);
	side_result_release(&fixture->result);
}

/* Runs the loop over a scenario of BODY, on the options of FIXTURE. */
static inline int play(struct fixture *fixture, const char *body)
{
	const struct loop_options *options = &fixture->options;
	struct error *err = fixture->no_error ? NULL : &fixture->err;
	struct loop_side side = {
		.result = &fixture->result,
		.ops = {
			.ctx = fixture, .command = fixture_command, .up = fixture_up, .down = fixture_down, .run = fixture_run,
			.simulate = fixture_simulate, .profile = fixture_profile, .last_words = fixture_last_words, .now_ns = fixture_now,
			.progress = fixture_progress,
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

	fixture->inner = replay_ops(&fixture->replay);
	scenario_defaults_init(&defaults);
	strbuf_addf(&text, "version: 1\nname: gzip\n%s%s", strstr(body, "target:") ? "" : "target: { command: [gzip] }\n", body);
	if (scenario_parse(text.buf, text.len, "gzip.yaml", &defaults, &scenario, &diags) < 0)
		fail_msg("%s", diags.items[0].message);
	assert_int_equal(plan_build(&scenario, &context, &plan, NULL), 0);
	side.plan = &plan;
	loop = loop_new(&side, 1, options);
	ret = loop_measure(loop, fixture->wanted, options->budget_ns == NEVER ? 0 : fixture->replay.now_ns + options->budget_ns, err);
	if (ret == 0)
		ret = loop_simulate(loop, err);
	if (ret == 0 && fixture->profile)
		ret = loop_profile(loop, err);
	loop_free(loop);
	plan_release(&plan);
	scenario_release(&scenario);
	scenario_defaults_release(&defaults);
	return ret;
}

#endif
