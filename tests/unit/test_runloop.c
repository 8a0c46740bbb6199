/*
 * The run loop on recordings of real runs (tests/fixtures/replay): what it asks for, in which
 * order, what it keeps, and that it cleans up whatever happened.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/clock.h"
#include "measure/replay.h"
#include "measure/runloop.h"

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

	unsigned wanted;		/* complete runs, for the decider */
	struct strbuf asked;		/* the complete runs it was told of */
};

static int log_call(struct stage *stage, const char *what, const char *argument, struct error *err)
{
	strbuf_addf(&stage->calls, "%s%s%s%s", stage->calls.len ? " / " : "", what, argument ? " " : "", argument ?: "");
	if (!stage->fail_at || strcmp(stage->fail_at, what) || --stage->fail_nth)
		return 0;
	error_set(err, stage->fail_kind, "%s went wrong", what);
	err->sys = stage->fail_kind == ERR_INTERRUPTED ? SIGINT : 0;
	return -1;
}

static int stage_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
			 struct error *err)
{
	struct stage *stage = ctx;

	(void)plan;
	stage->replay.now_ns += stage->command_ns;
	return log_call(stage, what, argv->items[0], err);
}

static int stage_run(void *ctx, const struct plan *plan, const struct strv *events, struct measured *out,
		     struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	struct stage *stage = ctx;

	for (size_t i = 0; events && i < events->n; i++)
		strbuf_addf(&list, "%s%s", i ? "," : "", events->items[i]);
	if (log_call(stage, "run", events ? list.buf : NULL, err) < 0)
		return -1;
	return stage->inner.run(stage->inner.ctx, plan, events, out, err);
}

static int stage_simulate(void *ctx, const struct plan *plan, struct simulated *out, struct error *err)
{
	struct stage *stage = ctx;

	if (log_call(stage, "simulate", NULL, err) < 0)
		return -1;
	return stage->inner.simulate(stage->inner.ctx, plan, out, err);
}

static void stage_last_words(void *ctx, struct strbuf *out)
{
	struct stage *stage = ctx;

	stage->inner.last_words(stage->inner.ctx, out);
}

static uint64_t stage_now(void *ctx)
{
	struct stage *stage = ctx;

	return stage->inner.now_ns(stage->inner.ctx);
}

static void stage_progress(void *ctx, const struct loop_progress *progress)
{
	static const char letters[] = "SWRVC";
	struct stage *stage = ctx;

	assert_string_equal(progress->scenario, "gzip");
	strbuf_addf(&stage->progress, "%s%c%u/%u", stage->progress.len ? " " : "", letters[progress->phase],
		    progress->run, progress->of);
	if (progress->left_ns)
		strbuf_addf(&stage->progress, "(%.0fms)", (double)progress->left_ns / 1e6);
}

static bool more(void *ctx, const struct scenario_result *so_far, unsigned complete)
{
	struct stage *stage = ctx;

	assert_true(so_far->n_runs > 0);
	strbuf_addf(&stage->asked, "%s%u", stage->asked.len ? " " : "", complete);
	return complete < stage->wanted;
}

static void stage_open(struct stage *stage, const char *recording)
{
	struct error err = ERROR_INIT;

	*stage = (struct stage){ .wanted = 3, .calls = STRBUF_INIT, .progress = STRBUF_INIT, .asked = STRBUF_INIT };
	if (replay_load(recording, &stage->replay, &err) < 0)
		fail_msg("%s", err.msg);
	stage->inner = replay_ops(&stage->replay);
}

static void stage_close(struct stage *stage)
{
	replay_release(&stage->replay);
	strbuf_release(&stage->calls);
	strbuf_release(&stage->progress);
	strbuf_release(&stage->asked);
}

/* The loop over a scenario of BODY on STAGE; what it returns. RESULT is for scenario_result_release(). */
static int play(struct stage *stage, const char *body, const struct loop_options *options,
		struct scenario_result *result, struct error *err)
{
	const struct loop_ops ops = {
		.ctx = stage, .command = stage_command, .run = stage_run, .simulate = stage_simulate,
		.last_words = stage_last_words, .now_ns = stage_now, .progress = stage_progress,
	};
	const struct loop_decider decider = { .more = more, .ctx = stage };
	const struct plan_context context = { .root = "/p", .scenario_dir = "/p/scenarios", .out = "/o", .tmp = "/t" };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct scenario_defaults defaults;
	struct diags diags = DIAGS_INIT;
	struct scenario scenario;
	struct plan plan;
	int ret;

	*result = (struct scenario_result){ 0 };
	scenario_defaults_init(&defaults);
	strbuf_addf(&text, "version: 1\nname: gzip\ntarget: { command: [gzip] }\n%s", body);
	if (scenario_parse(text.buf, text.len, "gzip.yaml", &defaults, &scenario, &diags) < 0)
		fail_msg("%s", diags.items[0].message);
	assert_int_equal(plan_build(&scenario, &context, &plan, NULL), 0);
	ret = runloop(&plan, options, &ops, &decider, result, err);
	plan_release(&plan);
	scenario_release(&scenario);
	scenario_defaults_release(&defaults);
	return ret;
}

static const struct loop_options six_counters = {
	.runs_wanted = 3, .budget_ns = NEVER, .counters = 6, .perf = true,
};

static double value_of(const struct scenario_result *s, size_t run, const char *metric)
{
	for (size_t i = 0; i < s->n_metrics; i++)
		if (!strcmp(s->metrics[i]->name, metric))
			return s->runs[run].values[i];
	return NAN;
}

/* The notes, one a line. */
static void assert_notes(const struct scenario_result *result, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < result->notes.n; i++)
		strbuf_addf(&text, "%s\n", result->notes.items[i]);
	assert_string_equal(text.buf, expected);
}

/* -------- counted runs */

static void runs_are_counted_until_there_are_enough(void **state)
{
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;
	struct error err = ERROR_INIT;

	(void)state;
	stage_open(&stage, SIX);
	stage.wanted = options.runs_wanted = 15;
	assert_int_equal(play(&stage, "", &options, &result, &err), 0);
	assert_int_equal(err.kind, ERR_NONE);
	assert_int_equal(result.state, SCENARIO_MEASURED);
	assert_null(result.failure);
	assert_notes(&result, "");
	assert_int_equal(result.n_runs, 15);
	assert_int_equal(result.runs_wanted, 15);
	assert_string_equal(stage.asked.buf, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
	assert_memory_equal(stage.calls.buf, "run / run task-clock," ALL " / run", strlen("run / run task-clock," ALL " / run"));
	/* The first run of the recording was the warm-up. */
	assert_true(value_of(&result, 0, "instructions") == 34331794);
	assert_true(value_of(&result, 0, "page-faults") == 147);
	assert_true(value_of(&result, 0, "wall-time") == 34.63);
	assert_true(fabs(value_of(&result, 0, "ipc") - 34331794. / 26582075) < 1e-12);
	assert_true(value_of(&result, 14, "wall-time") == stage.replay.runs[15].measured.wall_ms);
}

static void the_decider_decides(void **state)
{
	(void)state;
	for (unsigned wanted = 1; wanted < 6; wanted++) {
		CLEANUP(stage_close) struct stage stage;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

		stage_open(&stage, SIX);
		stage.wanted = wanted;
		assert_int_equal(play(&stage, "", &six_counters, &result, NULL), 0);
		assert_int_equal(result.n_runs, wanted);
	}
}

static void the_budget_ends_it_early(void **state)
{
	static const struct {
		const char *body;
		double budget_ms, command_ms;
		size_t runs;
		const char *notes;
	} cases[] = {
		/* the warm-up took 35 ms, a run takes 34.6 */
		{ "", 200, 0, 5, "the budget of 0.2 s ended after 5 of 15 runs; raise measure.budget\n" },
		{ "", 174, 0, 5, "the budget of 0.174 s ended after 5 of 15 runs; raise measure.budget\n" },
		{ "", 173, 0, 4, "the budget of 0.173 s ended after 4 of 15 runs; raise measure.budget\n" },
		{ "", 1, 0, 1, "the budget of 0.001 s ended after 1 of 15 runs; raise measure.budget\n" },
		{ "", 560, 0, 15, "" },
		/* what is done once is not of the budget, what is done again and again is */
		{ "setup: [s]\ncleanup: [c]\n", 200, 5000, 5,
		  "the budget of 0.2 s ended after 5 of 15 runs; raise measure.budget\n" },
		{ "prepare: [p]\n", 1000, 200, 4,
		  "the budget of 1 s ended after 4 of 15 runs; raise measure.budget\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stage_close) struct stage stage;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		struct loop_options options = six_counters;

		stage_open(&stage, SIX);
		stage.command_ns = (uint64_t)(cases[i].command_ms * 1e6);
		stage.wanted = options.runs_wanted = 15;
		options.budget_ns = (uint64_t)(cases[i].budget_ms * 1e6);
		assert_int_equal(play(&stage, cases[i].body, &options, &result, NULL), 0);
		assert_int_equal(result.state, SCENARIO_MEASURED);
		assert_int_equal(result.n_runs, cases[i].runs);
		assert_notes(&result, cases[i].notes);
	}
}

static void without_perf_the_target_is_measured_alone(void **state)
{
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	stage_open(&stage, SIX);
	options.perf = false;
	assert_int_equal(play(&stage, "measure: { events: [cache-misses] }\n", &options, &result, NULL), 0);
	assert_string_equal(stage.calls.buf, "run / run / run / run");
	assert_int_equal(result.n_runs, 3);
	assert_true(value_of(&result, 2, "page-faults") == stage.replay.runs[3].measured.page_faults);
	assert_true(isnan(value_of(&result, 0, "instructions")));
	assert_true(isnan(value_of(&result, 0, "cache-misses")));
}

/* -------- the order of things */

#define E "task-clock,cycles"
static void everything_comes_in_its_order(void **state)
{
	static const struct {
		const char *body;
		unsigned wanted;
		bool simulate;
		const char *calls;
	} cases[] = {
		{ "", 2, false, "run / run " E " / run " E },
		{ "warmup: { runs: 0 }\n", 1, false, "run " E },
		{ "warmup: { runs: 3 }\n", 1, false, "run / run / run / run " E },
		/* three runs take 103.8 ms, two 69.2 */
		{ "warmup: { duration: 100ms }\n", 1, false, "run / run / run / run " E },
		{ "warmup: { duration: 70ms }\n", 1, false, "run / run / run / run " E },
		{ "warmup: { duration: 69ms }\n", 1, false, "run / run / run " E },
		{ "warmup: { command: [w] }\n", 1, false, "warmup w / run / run " E },
		{ "warmup: { command: [w], runs: 0 }\n", 1, false, "warmup w / run " E },
		{ "setup: [s]\nprepare: [p]\ncleanup: [c]\n", 2, false,
		  "setup s / prepare p / run / prepare p / run " E " / prepare p / run " E " / cleanup c" },
		{ "prepare: [p]\ncleanup: [c]\n", 1, true,
		  "prepare p / run / prepare p / run " E " / prepare p / simulate / cleanup c" },
		{ "setup: [s]\nwarmup: { command: [w], runs: 0 }\nprepare: [p]\n", 1, false,
		  "setup s / warmup w / prepare p / run " E },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stage_close) struct stage stage;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;
		struct loop_options options = six_counters;

		stage_open(&stage, SIX);
		stage.replay.next = 1;	/* behind the one that was not counted: not every case has a warm-up */
		stage.wanted = cases[i].wanted;
		options.simulate = cases[i].simulate;
		options.counters = 1;
		strbuf_addf(&body, "%sgates: { cycles: +5%% }\n", cases[i].body);
		assert_int_equal(play(&stage, body.buf, &options, &result, NULL), 0);
		if (strcmp(stage.calls.buf, cases[i].calls))
			fail_msg("%s:\nexpected %s\nfound    %s", cases[i].body, cases[i].calls, stage.calls.buf);
		assert_int_equal(result.n_runs, cases[i].wanted);
	}
}

static void commands_are_not_measured(void **state)
{
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

	(void)state;
	stage_open(&stage, SIX);
	stage.command_ns = NS_PER_S;
	assert_int_equal(play(&stage, "prepare: [p]\n", &six_counters, &result, NULL), 0);
	for (size_t i = 0; i < 3; i++)
		assert_true(value_of(&result, i, "wall-time") < 35);
}

static void progress_is_told(void **state)
{
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	stage_open(&stage, SIX);
	options.simulate = true;
	assert_int_equal(play(&stage, "setup: [s]\ncleanup: [c]\nwarmup: { runs: 2 }\n", &options, &result, NULL), 0);
	assert_string_equal(stage.progress.buf, "S0/0 W1/2 W2/2 R1/3 R2/3(69ms) R3/3(35ms) V1/1 C0/0");
}

/* What is left is never more than the budget has. */
static void the_time_left_is_within_the_budget(void **state)
{
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	stage_open(&stage, SIX);
	options.budget_ns = 110 * NS_PER_MS;
	assert_int_equal(play(&stage, "warmup: { duration: 10ms }\n", &options, &result, NULL), 0);
	assert_string_equal(stage.progress.buf, "W1/0 R1/3 R2/3(40ms) R3/3(5ms)");
}

/* -------- what goes wrong */

#define FULL "setup: [s]\nprepare: [p]\ncleanup: [c]\nwarmup: { command: [w], runs: 1 }\n"

static void a_failure_is_told_and_cleaned_up(void **state)
{
	static const struct {
		const char *at;
		unsigned nth;
		const char *failure, *last;
		size_t runs;
	} cases[] = {
		{ "setup", 1, "setup went wrong", "setup s / cleanup c", 0 },
		{ "warmup", 1, "warmup went wrong", "warmup w / cleanup c", 0 },
		{ "prepare", 1, "in warm-up run 1: prepare went wrong", "prepare p / cleanup c", 0 },
		{ "run", 1, "in warm-up run 1: run went wrong", "prepare p / run / cleanup c", 0 },
		{ "prepare", 2, "in run 1: prepare went wrong", "run / prepare p / cleanup c", 0 },
		{ "run", 4, "in run 3: run went wrong", "prepare p / run task-clock / cleanup c", 2 },
		{ "prepare", 5, "prepare went wrong", "run task-clock / prepare p / cleanup c", 3 },
		{ "simulate", 1, "simulate went wrong", "prepare p / simulate / cleanup c", 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stage_close) struct stage stage;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		struct loop_options options = { .runs_wanted = 3, .budget_ns = NEVER, .perf = true, .simulate = true };
		struct error err = ERROR_INIT;
		size_t last = strlen(cases[i].last);

		stage_open(&stage, SIX);
		stage.fail_at = cases[i].at;
		stage.fail_nth = cases[i].nth;
		stage.fail_kind = i % 2 ? ERR_TARGET : ERR_SYSTEM;
		assert_int_equal(play(&stage, FULL, &options, &result, &err), 0);
		assert_int_equal(err.kind, ERR_NONE);
		assert_int_equal(result.state, SCENARIO_FAILED);
		assert_string_equal(result.failure, cases[i].failure);
		assert_int_equal(result.n_runs, cases[i].runs);
		assert_null(result.log_tail);
		assert_true(stage.calls.len >= last);
		assert_string_equal(stage.calls.buf + stage.calls.len - last, cases[i].last);
	}
}

static void what_the_target_printed_last_is_quoted(void **state)
{
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

	(void)state;
	stage_open(&stage, FAILING);
	stage.wanted = 15;
	assert_int_equal(play(&stage, "cleanup: [c]\n", &six_counters, &result, NULL), 0);
	assert_int_equal(result.state, SCENARIO_FAILED);
	assert_string_equal(result.failure, "in run 3: exited with status 1");
	assert_string_equal(result.log_tail, "reading input.csv\ninput.csv: line 7: no such column\n");
	assert_int_equal(result.n_runs, 2);
	assert_true(strbuf_ends_with(&stage.calls, " / cleanup c"));
}

static void a_failing_cleanup_is_a_note(void **state)
{
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

	(void)state;
	stage_open(&stage, SIX);
	stage.fail_at = "cleanup";
	stage.fail_nth = 1;
	stage.fail_kind = ERR_TARGET;
	assert_int_equal(play(&stage, "cleanup: [c]\n", &six_counters, &result, NULL), 0);
	assert_int_equal(result.state, SCENARIO_MEASURED);
	assert_null(result.failure);
	assert_notes(&result, "cleanup failed: cleanup went wrong\n");
}

static void an_interrupt_leaves_a_part(void **state)
{
	static const struct {
		const char *at;
		unsigned nth;
		size_t runs;
	} cases[] = {
		{ "setup", 1, 0 }, { "warmup", 1, 0 }, { "run", 1, 0 }, { "prepare", 2, 0 }, { "run", 4, 2 },
		{ "simulate", 1, 3 },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stage_close) struct stage stage;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		struct loop_options options = six_counters;
		struct error err = ERROR_INIT;

		stage_open(&stage, SIX);
		options.simulate = true;
		stage.fail_at = cases[i / 2].at;
		stage.fail_nth = cases[i / 2].nth;
		stage.fail_kind = ERR_INTERRUPTED;
		assert_int_equal(play(&stage, FULL, &options, &result, i % 2 ? NULL : &err), -1);
		if (i % 2 == 0) {
			assert_int_equal(err.kind, ERR_INTERRUPTED);
			assert_int_equal(err.sys, SIGINT);
		}
		assert_int_equal(result.state, SCENARIO_PARTIAL);
		assert_null(result.failure);
		assert_int_equal(result.n_runs, cases[i / 2].runs);
		assert_true(strbuf_ends_with(&stage.calls, " / cleanup c"));
	}
}

/* -------- fewer counters than were believed */

#define GATES "gates: { ipc: -10%, branch-miss-rate: +20%, l1d-miss-rate: +20% }\n"
#define FIRST "task-clock,instructions,cycles,branch-misses,branches"
#define SECOND "task-clock,L1-dcache-load-misses,L1-dcache-loads"

static void multiplexed_events_are_split_up(void **state)
{
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

	(void)state;
	stage_open(&stage, CROWDED);
	assert_int_equal(play(&stage, GATES, &six_counters, &result, NULL), 0);
	assert_string_equal(stage.calls.buf,
			    "run / run " FIRST ",L1-dcache-load-misses,L1-dcache-loads / "
			    "run " FIRST " / run " SECOND " / run " FIRST " / run " SECOND " / run " FIRST " / run " SECOND);
	/* A run is complete when both halves of it were counted; the multiplexed one is none. */
	assert_string_equal(stage.asked.buf, "0 0 1 1 2 2 3");
	assert_notes(&result, "instructions was multiplexed with 6 events at once: split into smaller groups\n"
			      "the events need 2 groups of at most 5 counters: each is counted in runs of its own\n");
	assert_int_equal(result.n_runs, 7);
	assert_true(isnan(value_of(&result, 0, "cycles")));
	assert_true(isnan(value_of(&result, 0, "ipc")));
	assert_true(isnan(value_of(&result, 0, "l1d-miss-rate")));
	assert_true(value_of(&result, 0, "task-clock") == 34.40);
	assert_true(value_of(&result, 1, "instructions") == 34313833);
	assert_true(isnan(value_of(&result, 1, "l1d-miss-rate")));
	assert_true(fabs(value_of(&result, 2, "l1d-miss-rate") - 324151. / 6961598) < 1e-12);
	assert_true(isnan(value_of(&result, 2, "ipc")));
	assert_int_equal(result.runs[1].pass, 0);
	assert_int_equal(result.runs[2].pass, 1);
	/* perf's words of the multiplexed run are kept for the report. */
	assert_true(result.runs[0].rows.items[1].running_pct == 53);
}

/* The budget speaks of executions: three of each group. */
static void groups_share_the_budget(void **state)
{
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	stage_open(&stage, CROWDED);
	options.budget_ns = 150 * NS_PER_MS;
	assert_int_equal(play(&stage, GATES, &options, &result, NULL), 0);
	assert_int_equal(result.n_runs, 4);
	assert_string_equal(result.notes.items[1], "the budget of 0.15 s ended after 4 of 6 runs; raise measure.budget");
}

/* One event at a time that still does not get its counter cannot be split any further. */
static void what_cannot_be_split_is_left(void **state)
{
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	stage_open(&stage, CROWDED);
	options.counters = stage.wanted = 1;
	assert_int_equal(play(&stage, "gates: { cycles: +5% }\n", &options, &result, NULL), 0);
	assert_string_equal(stage.calls.buf, "run / run task-clock,cycles");
	assert_notes(&result, "");
	assert_true(isnan(value_of(&result, 0, "cycles")));
}

/* -------- simulation */

static void simulated_values_land_in_the_first_run(void **state)
{
	static const struct {
		const char *metric;
		double expected;
	} cases[] = {
		{ "sim-instructions", 32020761 }, { "sim-branches", 5251222 }, { "sim-branch-misses", 336379 },
		{ "sim-l1d-loads", 6868005 }, { "sim-l1d-misses", 948550 },
		{ "sim-branch-miss-rate", 336379. / 5251222 }, { "sim-l1d-miss-rate", 948550. / 6868005 },
	};
	CLEANUP(stage_close) struct stage stage;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	stage_open(&stage, SIX);
	options.simulate = true;
	assert_int_equal(play(&stage, "", &options, &result, NULL), 0);
	assert_int_equal(result.n_runs, 3);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_true(fabs(value_of(&result, 0, cases[i].metric) - cases[i].expected) < 1e-12);
		assert_true(isnan(value_of(&result, 1, cases[i].metric)));
		assert_true(isnan(value_of(&result, 2, cases[i].metric)));
	}
	assert_true(value_of(&result, 0, "instructions") == 34331794);
	assert_notes(&result, "simulated values come from one more run, under valgrind's cachegrind\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_are_counted_until_there_are_enough),
		cmocka_unit_test(the_decider_decides),
		cmocka_unit_test(the_budget_ends_it_early),
		cmocka_unit_test(without_perf_the_target_is_measured_alone),
		cmocka_unit_test(everything_comes_in_its_order),
		cmocka_unit_test(commands_are_not_measured),
		cmocka_unit_test(progress_is_told),
		cmocka_unit_test(the_time_left_is_within_the_budget),
		cmocka_unit_test(a_failure_is_told_and_cleaned_up),
		cmocka_unit_test(what_the_target_printed_last_is_quoted),
		cmocka_unit_test(a_failing_cleanup_is_a_note),
		cmocka_unit_test(an_interrupt_leaves_a_part),
		cmocka_unit_test(multiplexed_events_are_split_up),
		cmocka_unit_test(groups_share_the_budget),
		cmocka_unit_test(what_cannot_be_split_is_left),
		cmocka_unit_test(simulated_values_land_in_the_first_run),
	};

	return cmocka_run_group_tests_name("runloop", tests, NULL, NULL);
}
