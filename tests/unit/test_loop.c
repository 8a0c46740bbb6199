#include "unit.h"

#include <signal.h>

#include "measure/run/loop.h"
#include "model/measured.h"
#include "measure/tools/valgrind.h"
#include "measure/process/interrupt.h"
#include "report/document.h"
#include "scenario/scenario.h"
#include "replay.h"
#include "side_checks.h"

/*
 * The run loop on a recording: fixture_of() a folder of tests/fixtures/replay, fail_at() a call, play() a scenario, then
 * check its result and the log of calls.
 */

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
static void fail_at(struct fixture *fixture, const char *what, unsigned nth, enum error_kind kind)
{
	fixture->fail_at = what;
	fixture->fail_nth = nth;
	fixture->fail_kind = kind;
}

static int log_call(struct fixture *fixture, const char *what, const char *argument, struct error *err)
{
	strbuf_addf(&fixture->calls, "%s%s%s%s", fixture->calls.len ? " / " : "", what, argument ? " " : "", argument ?: "");
	if (!fixture->fail_at || strcmp(fixture->fail_at, what) || --fixture->fail_nth)
		return 0;
	error_set(err, fixture->fail_kind, "%s went wrong", what);
	err->sys = fixture->fail_kind == ERR_INTERRUPTED ? SIGINT : 0;
	return -1;
}

static int fixture_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
			 struct error *err)
{
	struct fixture *fixture = ctx;

	fixture->replay.now_ns += fixture->command_ns;
	return log_call(fixture, what, argv->items[0], err);
}

static int fixture_run(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
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

static int fixture_up(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	struct fixture *fixture = ctx;

	fixture->replay.now_ns += fixture->up_ns;
	if (fixture->env && log_call(fixture, "up", NULL, err) < 0)
		return -1;
	return fixture->inner.up(fixture->inner.ctx, plan, result, err);
}

static void fixture_down(void *ctx, const struct plan *plan, struct side_result *result)
{
	struct fixture *fixture = ctx;

	if (fixture->env)
		log_call(fixture, "down", NULL, NULL);
	fixture->inner.down(fixture->inner.ctx, plan, result);
}

static int fixture_simulate(void *ctx, const struct plan *plan, struct simulated *out, struct error *err)
{
	struct fixture *fixture = ctx;

	if (log_call(fixture, "simulate", NULL, err) < 0)
		return -1;
	return fixture->inner.simulate(fixture->inner.ctx, plan, out, err);
}

static int fixture_profile(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	struct fixture *fixture = ctx;

	assert_true(result->n_runs > 0);
	return log_call(fixture, "profile", NULL, err);
}

static void fixture_last_words(void *ctx, struct strbuf *out)
{
	struct fixture *fixture = ctx;

	fixture->inner.last_words(fixture->inner.ctx, out);
}

static uint64_t fixture_now(void *ctx)
{
	struct fixture *fixture = ctx;

	return fixture->inner.now_ns(fixture->inner.ctx);
}

static void fixture_progress(void *ctx, const struct loop_progress *progress)
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
static struct fixture fixture_of(const char *recording)
{
	return (struct fixture){
		.replay = replay_load(recording), .wanted = 3, .calls = STRBUF_INIT, .progress = STRBUF_INIT, .err = ERROR_INIT,
		.options = { .budget_ns = NEVER, .counters = 6, .perf = true },
	};
}

static void fixture_close(struct fixture *fixture)
{
	replay_release(&fixture->replay);
	strbuf_release(&fixture->calls);
	strbuf_release(&fixture->progress);
	side_result_release(&fixture->result);
}

/* Runs the loop over a scenario of BODY, on the options of FIXTURE. */
static int play(struct fixture *fixture, const char *body)
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

/*
 * The run loop on recordings of real runs (tests/fixtures/replay): what it asks for, in which order, and what it keeps.
 */

/* -------- counted runs */

TEST(runs_are_counted_until_there_are_enough)
{
	CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

	f.wanted = 15;
	assert_int_equal(play(&f, ""), 0);
	assert_int_equal(f.err.kind, ERR_NONE);
	assert_int_equal(f.result.state, SCENARIO_MEASURED);
	assert_null(f.result.failure);
	assert_notes(&f.result, "");
	assert_int_equal(f.result.n_runs, 15);
	assert_int_equal(f.result.runs_wanted, 15);
	assert_memory_equal(f.calls.buf, "run / run task-clock," ALL " / run", strlen("run / run task-clock," ALL " / run"));
	/* The first run of the recording was the warm-up. */
	assert_true(value_of(&f.result, 0, "instructions") == 34331794);
	assert_true(value_of(&f.result, 0, "page-faults") == 147);
	assert_true(value_of(&f.result, 0, "wall-time") == 34.63);
	assert_true(fabs(value_of(&f.result, 0, "ipc") - 34331794. / 26582075) < 1e-12);
	assert_true(value_of(&f.result, 14, "wall-time") == f.replay.runs[15].measured.wall_ms);
}

TEST(the_budget_ends_it_early)
{
	static const struct {
		const char *body; double budget_ms, command_ms, up_ms; size_t runs; const char *notes;
	} cases[] = {
		/* the warm-up took 35 ms, a run takes 34.6 */
		{ "", 200, 0, 0, 5, "the budget of 0.2 s ended after 5 of 15 runs; raise measure.budget\n" },
		{ "", 174, 0, 0, 5, "the budget of 0.174 s ended after 5 of 15 runs; raise measure.budget\n" },
		{ "", 173, 0, 0, 4, "the budget of 0.173 s ended after 4 of 15 runs; raise measure.budget\n" },
		{ "", 1, 0, 0, 1, "the budget of 0.001 s ended after 1 of 15 runs; raise measure.budget\n" },
		{ "", 560, 0, 0, 15, "" },
		/* so does the time that services need to start */
		{ "", 200, 0, 100, 2, "the budget of 0.2 s ended after 2 of 15 runs; raise measure.budget\n" },
		{ "", 200, 0, 300, 1, "the budget of 0.2 s ended after 1 of 15 runs; raise measure.budget\n" },
		/* steps done once do not count towards the budget; repeated steps do */
		{ "setup: [s]\ncleanup: [c]\n", 200, 5000, 0, 5,
		  "the budget of 0.2 s ended after 5 of 15 runs; raise measure.budget\n" },
		{ "prepare: [p]\n", 1000, 200, 0, 4,
		  "the budget of 1 s ended after 4 of 15 runs; raise measure.budget\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

		f.command_ns = (uint64_t)(cases[i].command_ms * 1e6);
		f.up_ns = (uint64_t)(cases[i].up_ms * 1e6);
		f.wanted = 15;
		f.options.budget_ns = (uint64_t)(cases[i].budget_ms * 1e6);
		assert_int_equal(play(&f, cases[i].body), 0);
		assert_int_equal(f.result.state, SCENARIO_MEASURED);
		assert_int_equal(f.result.n_runs, cases[i].runs);
		assert_notes(&f.result, cases[i].notes);
	}
}

TEST(without_perf_the_target_is_measured_alone)
{
	CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

	f.options.perf = false;
	assert_int_equal(play(&f, "measure: { events: [cache-misses] }\n"), 0);
	assert_string_equal(f.calls.buf, "run / run / run / run");
	assert_int_equal(f.result.n_runs, 3);
	assert_true(value_of(&f.result, 2, "page-faults") == f.replay.runs[3].measured.page_faults);
	assert_true(isnan(value_of(&f.result, 0, "instructions")));
	assert_true(isnan(value_of(&f.result, 0, "cache-misses")));
}

/* -------- the order of things */

#define E "task-clock,cycles"
TEST(everything_comes_in_its_order)
{
	static const struct { const char *body; unsigned wanted; bool simulate; const char *calls; } cases[] = {
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

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);
		CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;

		f.replay.next = 1;	/* skips the uncounted run; not every case has a warm-up */
		f.wanted = cases[i].wanted;
		f.options.simulate = cases[i].simulate;
		f.options.counters = 1;
		strbuf_addf(&body, "%sgates: { cycles: +5%% }\n", cases[i].body);
		assert_int_equal(play(&f, body.buf), 0);
		if (strcmp(f.calls.buf, cases[i].calls))
			fail_msg("%s:\nexpected %s\nfound    %s", cases[i].body, cases[i].calls, f.calls.buf);
		assert_int_equal(f.result.n_runs, cases[i].wanted);
	}
}

TEST(commands_are_not_measured)
{
	CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

	f.command_ns = NS_PER_S;
	assert_int_equal(play(&f, "prepare: [p]\n"), 0);
	for (size_t i = 0; i < 3; i++)
		assert_true(value_of(&f.result, i, "wall-time") < 35);
}

TEST(progress_is_reported)
{
	CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

	f.options.simulate = true;
	assert_int_equal(play(&f, "setup: [s]\ncleanup: [c]\nwarmup: { runs: 2 }\n"), 0);
	assert_string_equal(f.progress.buf, "S0/0 W1/2 W2/2 R1/3 R2/3(69ms) R3/3(35ms) V1/1 C0/0");
}

/* The time left never exceeds the budget. */
TEST(the_time_left_is_within_the_budget)
{
	CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

	f.options.budget_ns = 110 * NS_PER_MS;
	assert_int_equal(play(&f, "warmup: { duration: 10ms }\n"), 0);
	assert_string_equal(f.progress.buf, "W1/0 R1/3 R2/3(40ms) R3/3(5ms)");
}

/* -------- fewer counters than expected */

#define GATES "gates: { ipc: -10%, branch-miss-rate: +20%, l1d-miss-rate: +20% }\n"
#define FIRST "task-clock,instructions,cycles,branch-misses,branches"
#define SECOND "task-clock,L1-dcache-load-misses,L1-dcache-loads"

TEST(multiplexed_events_are_split_up)
{
	CLEANUP(fixture_close) struct fixture f = fixture_of(CROWDED);

	assert_int_equal(play(&f, GATES), 0);
	assert_string_equal(f.calls.buf,
			    "run / run " FIRST ",L1-dcache-load-misses,L1-dcache-loads / "
			    "run " FIRST " / run " SECOND " / run " FIRST " / run " SECOND " / run " FIRST " / run " SECOND);
	assert_notes(&f.result, "instructions was multiplexed with 6 events at once: split into smaller groups\n"
			      "the events need 2 groups of at most 5 counters: each is counted in runs of its own\n");
	assert_int_equal(f.result.n_runs, 7);
	assert_true(isnan(value_of(&f.result, 0, "cycles")));
	assert_true(isnan(value_of(&f.result, 0, "ipc")));
	assert_true(isnan(value_of(&f.result, 0, "l1d-miss-rate")));
	assert_true(value_of(&f.result, 0, "task-clock") == 34.40);
	assert_true(value_of(&f.result, 1, "instructions") == 34313833);
	assert_true(isnan(value_of(&f.result, 1, "l1d-miss-rate")));
	assert_true(fabs(value_of(&f.result, 2, "l1d-miss-rate") - 324151. / 6961598) < 1e-12);
	assert_true(isnan(value_of(&f.result, 2, "ipc")));
	assert_int_equal(f.result.runs[1].group, 0);
	assert_int_equal(f.result.runs[2].group, 1);
	/* The rows of the multiplexed run are kept for the report. */
	assert_true(f.result.runs[0].rows.items[1].running_pct == 53);
}

/* The budget counts executions: three for each group. */
TEST(groups_share_the_budget)
{
	CLEANUP(fixture_close) struct fixture f = fixture_of(CROWDED);

	f.options.budget_ns = 150 * NS_PER_MS;
	assert_int_equal(play(&f, GATES), 0);
	assert_int_equal(f.result.n_runs, 4);
	assert_string_equal(f.result.notes.items[1], "the budget of 0.15 s ended after 4 of 6 runs; raise measure.budget");
}

/* A single event without a counter cannot be split further. */
TEST(what_cannot_be_split_is_left)
{
	CLEANUP(fixture_close) struct fixture f = fixture_of(CROWDED);

	f.options.counters = f.wanted = 1;
	assert_int_equal(play(&f, "gates: { cycles: +5% }\n"), 0);
	assert_string_equal(f.calls.buf, "run / run task-clock,cycles");
	assert_notes(&f.result, "");
	assert_true(isnan(value_of(&f.result, 0, "cycles")));
}

/* -------- simulation */

TEST(simulated_values_land_in_the_first_run)
{
	static const struct { const char *metric; double expected; } cases[] = {
		{ "sim-instructions", 32020761 }, { "sim-branches", 5251222 }, { "sim-branch-misses", 336379 },
		{ "sim-l1d-loads", 6868005 }, { "sim-l1d-misses", 948550 },
		{ "sim-branch-miss-rate", 336379. / 5251222 }, { "sim-l1d-miss-rate", 948550. / 6868005 },
	};
	CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

	f.options.simulate = true;
	assert_int_equal(play(&f, ""), 0);
	assert_int_equal(f.result.n_runs, 3);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_true(fabs(value_of(&f.result, 0, cases[i].metric) - cases[i].expected) < 1e-12);
		assert_true(isnan(value_of(&f.result, 1, cases[i].metric)));
		assert_true(isnan(value_of(&f.result, 2, cases[i].metric)));
	}
	assert_true(value_of(&f.result, 0, "instructions") == 34331794);
	assert_notes(&f.result, "simulated values come from one more run, under valgrind's cachegrind\n");
}

/* -------- The run loop reports failures and cleans up after them. */

#define FULL "setup: [s]\nprepare: [p]\ncleanup: [c]\nwarmup: { command: [w], runs: 1 }\n"

TEST(a_failure_is_told_and_cleaned_up)
{
	static const struct { const char *at; unsigned nth; const char *failure, *last; size_t runs; } cases[] = {
		{ "setup", 1, "setup went wrong", "setup s / cleanup c", 0 },
		{ "warmup", 1, "warmup went wrong", "warmup w / cleanup c", 0 },
		{ "prepare", 1, "in warm-up run 1: prepare went wrong", "prepare p / cleanup c", 0 },
		{ "run", 1, "in warm-up run 1: run went wrong", "prepare p / run / cleanup c", 0 },
		{ "prepare", 2, "in run 1: prepare went wrong", "run / prepare p / cleanup c", 0 },
		{ "run", 4, "in run 3: run went wrong", "prepare p / run task-clock / cleanup c", 2 },
		{ "prepare", 5, "prepare went wrong", "run task-clock / prepare p / cleanup c", 3 },
		{ "simulate", 1, "simulate went wrong", "prepare p / simulate / cleanup c", 3 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);
		size_t last = strlen(cases[i].last);

		f.options = (struct loop_options){ .budget_ns = NEVER, .perf = true, .simulate = true };
		f.profile = true;
		fail_at(&f, cases[i].at, cases[i].nth, i % 2 ? ERR_TARGET : ERR_SYSTEM);
		assert_int_equal(play(&f, FULL), 0);
		assert_int_equal(f.err.kind, ERR_NONE);
		assert_int_equal(f.result.state, SCENARIO_FAILED);
		assert_string_equal(f.result.failure, cases[i].failure);
		assert_int_equal(f.result.n_runs, cases[i].runs);
		assert_null(f.result.log_tail);
		assert_true(f.calls.len >= last);
		assert_string_equal(f.calls.buf + f.calls.len - last, cases[i].last);
	}
}

TEST(what_the_target_printed_last_is_quoted)
{
	CLEANUP(fixture_close) struct fixture f = fixture_of(FAILING);

	f.wanted = 15;
	assert_int_equal(play(&f, "cleanup: [c]\n"), 0);
	assert_int_equal(f.result.state, SCENARIO_FAILED);
	assert_string_equal(f.result.failure, "in run 3: exited with status 1");
	assert_string_equal(f.result.log_tail, "reading input.csv\ninput.csv: line 7: no such column\n");
	assert_int_equal(f.result.n_runs, 2);
	assert_true(strbuf_ends_with(&f.calls, " / cleanup c"));
}

TEST(an_interrupt_leaves_a_part)
{
	static const struct { const char *at; unsigned nth; size_t runs; } cases[] = {
		{ "setup", 1, 0 }, { "warmup", 1, 0 }, { "run", 1, 0 }, { "prepare", 2, 0 }, { "run", 4, 2 },
		{ "simulate", 1, 3 }, { "profile", 1, 3 },
	};

	for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

		f.options.simulate = f.profile = f.env = true;
		fail_at(&f, cases[i / 2].at, cases[i / 2].nth, ERR_INTERRUPTED);
		f.no_error = i % 2;
		assert_int_equal(play(&f, FULL), -1);
		if (i % 2 == 0) {
			assert_int_equal(f.err.kind, ERR_INTERRUPTED);
			assert_int_equal(f.err.sys, SIGINT);
		}
		assert_int_equal(f.result.state, SCENARIO_PARTIAL);
		assert_null(f.result.failure);
		assert_int_equal(f.result.n_runs, cases[i / 2].runs);
		assert_true(strbuf_ends_with(&f.calls, i < 2 ? "setup s / cleanup c" : " / down / cleanup c"));
	}
}

/* -------- The run loop around an environment, and with windows that must not be counted. */

#define ENV "env:\n  - { name: web, command: [web] }\ntarget: { service: web }\n"

TEST(the_environment_is_inside_setup_and_cleanup)
{
	static const struct { const char *body, *fails, *calls, *failure; } cases[] = {
		{ "setup: a\ncleanup: b\n" ENV, NULL, "setup /bin/sh / up / run / run task-clock," ALL " / down / cleanup /bin/sh", NULL },
		{ "cleanup: b\n" ENV, "up", "up / down / cleanup /bin/sh", "up went wrong" },
		{ "setup: a\n" ENV, "setup", "setup /bin/sh", "setup went wrong" },
		{ ENV, "run", "up / run / down", "in warm-up window 1: run went wrong" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

		f.env = true;
		f.wanted = 1;
		fail_at(&f, cases[i].fails, 1, ERR_TARGET);
		assert_int_equal(play(&f, cases[i].body), 0);
		assert_string_equal(f.calls.buf, cases[i].calls);
		assert_string_equal(f.result.failure ?: "", cases[i].failure ?: "");
		assert_int_equal(f.result.state, cases[i].failure ? SCENARIO_FAILED : SCENARIO_MEASURED);
	}
}

/* A dropped window is told and measured again; three in a row are a failure. Warnings about the warm-up are not noted. */
TEST(windows_that_do_not_count)
{
	static const struct {
		const char *windows;	/* from the warm-up on */
		size_t counted[2];	/* windows of the recording; the warm-up is the first; 0: none */
		const char *notes, *failure;
	} cases[] = {
		{ "x.", { 1, 2 }, "", NULL },
		{ ".x", { 2, 3 }, "a window was not counted: it was idle\n", NULL },
		{ "h", { 1, 2 }, "", NULL }, { ".hh", { 1, 2 },
		  "in 2 of 2 windows the load ended within a second: its rate is taken to have held while it started and "
		  "ended as well, so that too much work is counted; give it more to do than a window takes, or report its "
		  "work 'as: count'\n", NULL },
		{ ".xx.x.", { 3, 5 }, "3 windows were not counted; the last: it was idle\n", NULL },
		{ "..xxx", { 1, 0 }, "3 windows were not counted; the last: it was idle\n", "3 windows in a row could not be counted: it was idle" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

		f.wanted = 2;
		f.dropped = cases[i].windows;
		assert_int_equal(play(&f, ENV), 0);
		assert_int_equal(f.result.state, cases[i].failure ? SCENARIO_FAILED : SCENARIO_MEASURED);
		assert_string_equal(f.result.failure ?: "", cases[i].failure ?: "");
		assert_int_equal(f.result.n_runs, cases[i].counted[1] ? 2 : 1);
		for (size_t k = 0; k < f.result.n_runs; k++)
			assert_true(value_of(&f.result, k, "wall-time") == f.replay.runs[cases[i].counted[k]].measured.wall_ms);
		assert_notes(&f.result, cases[i].notes);
	}
}

/* -------- The run loop's profile: when it is taken, and what happens if it cannot be taken. */

#define COUNTED "run task-clock," ALL

TEST(it_is_taken_while_the_environment_stands)
{
	static const struct { bool profile; const char *calls; } cases[] = {
		{ false, "setup s / up / run / " COUNTED " / " COUNTED " / down / cleanup c" },
		{ true, "setup s / up / run / " COUNTED " / " COUNTED " / profile / down / cleanup c" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

		f.wanted = 2;
		f.env = true;
		f.profile = cases[i].profile;
		assert_int_equal(play(&f, "setup: [s]\ncleanup: [c]\n"), 0);
		assert_string_equal(f.calls.buf, cases[i].calls);
		assert_int_equal(f.result.state, SCENARIO_MEASURED);
	}
}

TEST(without_one_the_counted_runs_stay)
{
	static const enum error_kind kinds[] = { ERR_TARGET, ERR_SYSTEM, ERR_INPUT };

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		CLEANUP(fixture_close) struct fixture f = fixture_of(SIX);

		fail_at(&f, "profile", 1, kinds[i]);
		f.profile = true;
		assert_int_equal(play(&f, ""), 0);
		assert_int_equal(f.result.state, SCENARIO_MEASURED);
		assert_int_equal(f.result.n_runs, 3);
		assert_null(f.result.failure);
		assert_notes(&f.result, "no profile could be taken: profile went wrong\n");
		assert_int_equal(f.result.profile.warnings.n, 1);
		assert_string_equal(f.result.profile.warnings.items[0], f.result.notes.items[0]);
	}
}
