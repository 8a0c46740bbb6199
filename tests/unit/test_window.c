/* Windows on real processes under real perf: their edges, the counts between them, and targets that end. */
#include "unit.h"

#include "measure/perf/perf.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "measure/process/processes.h"
#include "measure/run/window.h"
#include "measure/services/attach.h"
#include "measure/services/env.h"
#include "model/measured.h"
#include "perf_fixture.h"

/* A running target (a child of the keeper), and a window on it. */
struct fixture {
	struct child target;
	struct scenario scenario;
	struct plan plan;
	struct session session;
	struct env env;
	struct attached attached;
	struct strv events;
	struct window_recording *recording;	/* sampled, not counted */
	struct strbuf output;
	struct measured m;
};

static void start_target(struct fixture *s, const char *script)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .cwd = root };
	struct error err = ERROR_INIT;

	set_shell(&argv, script);
	MUST(child_start(&keeper, &spec, &s->target, &err));
	MUST(child_release(&s->target, &err));
	assert_true(process_read(s->target.pid, &s->attached.root));
	s->attached.label = xstrdup("the one");
}

static void fixture(struct fixture *s, const char *script, uint64_t window_ms)
{
	*s = (struct fixture){
		.scenario = {
			.target_kind = TARGET_PID,
			.measure = { .window_ns = window_ms * NS_PER_MS, .timeout_ns = PATIENCE_NS },
		},
		.session = { .keeper = &keeper, .perf = perf, .lock_fd = -1, .scratch = root },
	};
	s->plan = (struct plan){ .scenario = &s->scenario, .root = root };
	s->env = (struct env){ .session = &s->session, .plan = &s->plan };
	start_target(s, script);
	if (perf.path)
		strv_push(&s->events, "task-clock");
}

/* SCRIPT loads the target, and prints how much it did. */
static void set_load(struct fixture *s, const char *script)
{
	static char regex[] = "did ([0-9]+)";

	s->scenario.load = (struct load){ .as = WORK_COUNT, .work.regex = regex };
	set_shell(&s->plan.load, script);
}

static int run(struct fixture *s, struct error *err)
{
	const struct window_spec spec = {
		.session = &s->session, .plan = &s->plan, .env = &s->env, .attached = &s->attached, .recording = s->recording,
	};
	struct outcome outcome = { .out = &s->m, .output = &s->output };

	measured_release(&s->m);
	s->m = (struct measured){ 0 };
	strbuf_reset(&s->output);
	return windows_run(&spec, &outcome, 1, s->events.n && !s->recording ? &s->events : NULL, err);
}

static void run_well(struct fixture *s)
{
	struct error err = ERROR_INIT;

	MUST(run(s, &err));
}

static void fixture_release(struct fixture *s)
{
	char names[256];

	child_end(&keeper, &s->target, 0);
	child_dispose(&keeper, &s->target);
	keeper_sweep(&keeper, 0, names, NULL);
	nothing_left();
	assert_null(keeper.children);
	attached_release(&s->attached);
	measured_release(&s->m);
	strv_release(&s->events);
	strv_release(&s->plan.load);
	strbuf_release(&s->output);
}

static double task_clock(const struct fixture *s)
{
	return perf_rows_value(&s->m.rows, "task-clock", NULL);
}

static void need_counting(struct fixture *s)
{
	struct error err = ERROR_INIT;

	if (s->events.n && run(s, &err) == 0 && !isnan(task_clock(s)))
		return;
	fixture_release(s);
	SKIP("perf cannot count here: %s", err.msg);
}

/* True if /proc (10 ms a tick) and perf agree on the CPU time used. */
static bool both_agree(const struct fixture *s)
{
	return fabs(task_clock(s) - s->m.cpu_ms) <= 0.1 * s->m.cpu_ms + 30;
}

/*
 * As run_well(), but retries if a busy or slow machine delayed one of the two readings. A longer window makes the delay
 * matter less.
 */
static void run_agreed(struct fixture *s)
{
	for (int tries = 0; tries < 5; tries++, s->scenario.measure.window_ns *= 2) {
		run_well(s);
		if (both_agree(s))
			return;
	}
	fail_msg("task-clock %g ms, by /proc %g ms, of %g ms", task_clock(s), s->m.cpu_ms, s->m.wall_ms);
}

#define BURN "while :; do :; done"

/* -------- edges */

/* A window is never too short. On a busy machine only the best of a few shows how much longer it is. */
TEST_WITH(a_window_is_as_long_as_it_should_be, fixture_up, fixture_down)
{
	static const uint64_t lengths_ms[] = { 50, 333, 1000 };

	for (size_t i = 0; i < sizeof lengths_ms / sizeof lengths_ms[0]; i++) {
		double over_ms = INFINITY;
		CLEANUP(fixture_release) struct fixture s;

		fixture(&s, BURN, lengths_ms[i]);
		for (int tries = 0; tries < 10 && over_ms >= 5; tries++) {
			run_well(&s);
			assert_true(s.m.wall_ms >= (double)lengths_ms[i]);
			over_ms = fmin(over_ms, s.m.wall_ms - (double)lengths_ms[i]);
		}
		if (over_ms >= 5)
			fail_msg("%g ms over %g ms", over_ms, (double)lengths_ms[i]);
	}
}

/* The window begins before the load works and ends shortly after it. */
TEST_WITH(a_load_of_fixed_work_ends_the_window, fixture_up, fixture_down)
{
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, BURN, 60000);
	set_load(&s, "sleep 0.3; echo did 12");
	run_well(&s);
	assert_true(s.m.wall_ms >= 300 && s.m.wall_ms < 30000);
	assert_true(s.m.work == 12);
	assert_null(s.m.dropped);
	assert_string_equal(s.output.buf, "did 12\n");
}

TEST_WITH(a_load_that_ends_too_early_drops_the_window, fixture_up, fixture_down)
{
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, BURN, 60000);
	/* A slow machine needs a longer load, for the window to begin before the load ends. */
	for (unsigned tenths = 5; tenths < 200 && !s.m.dropped; tenths *= 3) {
		CLEANUP(free_ptr) char *load = text_printf("sleep %g", tenths / 10.);
		struct error err = ERROR_INIT;

		set_shell(&s.plan.load, load);
		if (run(&s, &err) < 0 && !strstr(err.msg, "before the window began"))
			fail_msg("%s", err.msg);
	}
	assert_true(s.m.wall_ms < 30000);
	assert_non_null(s.m.dropped);
	assert_memory_equal(s.m.dropped, "it was cut short: the load ended after", 38);
}

/* -------- counting */

TEST_WITH(a_burning_process_burns_all_the_time_it_gets, fixture_up, fixture_down)
{
	double share = 0;
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, BURN, 400);
	need_counting(&s);
	for (int tries = 0; tries < 10 && share < 0.9; tries++) {
		run_agreed(&s);
		assert_true(task_clock(&s) <= s.m.wall_ms * 1.02);
		assert_null(s.m.dropped);
		share = fmax(share, task_clock(&s) / s.m.wall_ms);
	}
	/* Takes the best of ten, because other programs may use the CPU. */
	assert_true(share > 0.15);
}

TEST_WITH(the_whole_tree_is_counted, fixture_up, fixture_down)
{
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "(" BURN ") & (" BURN ") & setsid sh -c '" BURN "' & echo >up; wait", 400);
	wait_for_file("up");
	need_counting(&s);
	run_agreed(&s);
	/* The first process only waits. */
	assert_true(task_clock(&s) > 0.1 * s.m.wall_ms);
}

/* All processes that burn CPU start after perf was attached, and end before the window does. */
TEST_WITH(what_is_forked_within_is_counted, fixture_up, fixture_down)
{
	CLEANUP(fixture_release) struct fixture s;

	run_script("mkfifo go done");
	fixture(&s, "while read x <go; do for i in 1 2 3; do (n=0; while [ $n -lt 100000 ]; do n=$((n+1)); done) & done; wait; "
	      "echo >done; done", 60000);
	set_load(&s, "echo >go; read x <done; echo did 3");
	need_counting(&s);
	run_agreed(&s);
	assert_true(task_clock(&s) > 30 && task_clock(&s) > 0.1 * s.m.wall_ms);
	assert_true(s.m.work == 3);
}

/* -------- sampling */

static int add_text(void *ctx, const char *data, size_t len, struct error *err)
{
	strbuf_add(ctx, data, len);
	return 0;
}

static unsigned samples(const struct fixture *s)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	unsigned n = 0;

	if (perf_script_read(&keeper, &perf, &(struct recorded){ .file = "perf.data", .fd = s->recording->spec.fd }, add_text, &text, &err) < 0)
		fail_msg("%s", err.msg);
	for (const char *p = text.buf; (p = strstr(p, s->recording->spec.event)); p++)
		n++;
	return n;
}

/*
 * Samples the tree of SCRIPT for LENGTH_MS, or while a load of that length runs, in a recording of two windows. True if
 * there was about one sample per millisecond of CPU time.
 */
static bool sample_tree(const char *script, bool loaded, unsigned length_ms)
{
	CLEANUP(free_ptr) char *up = in_root("up"), *load = text_printf("sleep %g; echo did 12", length_ms / 1e3);
	struct window_recording recording = {
		.spec = {
			.event = geteuid() ? "cpu-clock:u" : "cpu-clock", .frequency = 997, .fd = file_unnamed(root, NULL),
		},
		.length_ns = length_ms * NS_PER_MS, .record = PERF_INIT,
	};
	double cpu_ms = 0;
	unsigned found;
	struct fixture s;

	fixture(&s, script, 50);
	wait_for_file("up");
	need_counting(&s);
	s.scenario.measure.window_ns = 60 * NS_PER_S;
	unlink(up);
	s.recording = &recording;
	if (loaded)
		set_load(&s, load);
	for (int window = 0; window < 2; window++) {
		run_well(&s);
		assert_int_equal(s.m.rows.n, 0);
		/* Without a load the first window leaves little of the recording's time. */
		assert_true(s.m.wall_ms >= (window && !loaded ? 20 : length_ms) && s.m.wall_ms < 30000);
		assert_true(s.m.work == (loaded ? 12 : 0));
		cpu_ms += s.m.cpu_ms;
	}
	assert_int_equal(perf_record_end(&keeper, &recording.record, NULL), 0);
	perf_dispose(&keeper, &recording.record);
	found = samples(&s);
	print_message("%u samples of %g ms\n", found, cpu_ms);
	close(recording.spec.fd);
	fixture_release(&s);
	return found >= 0.5 * cpu_ms && found <= 1.3 * cpu_ms + 60;
}

/* Repeats with longer windows, because a slow machine reads the CPU time long before and after a window. */
TEST_WITH(the_whole_tree_is_sampled, fixture_up, fixture_down)
{
	static const struct { const char *script; bool loaded; } cases[] = {
		{ "echo >up; " BURN, false },
		{ "(" BURN ") & (" BURN ") & echo >up; wait", false },
		{ "echo >up; while :; do (n=0; while [ $n -lt 10000 ]; do n=$((n+1)); done); done", false },
		{ "echo >up; " BURN, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned length_ms = 300;

		while (!sample_tree(cases[i].script, cases[i].loaded, length_ms))
			if ((length_ms *= 3) > 3000)
				fail_msg("case %zu", i);
	}
}

/* -------- targets that fail */

TEST_WITH(an_idle_target_drops_the_window, fixture_up, fixture_down)
{
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "exec sleep 3691", 100);
	run_well(&s);
	assert_non_null(s.m.dropped);
	assert_memory_equal(s.m.dropped, "the target was idle (", 21);
}

/* On a busy machine a working target gets little CPU time. Its work shows that it is not idle. */
TEST(idle_is_who_did_no_work)
{
	static const struct { double cpu_ms, wall_ms, work; bool shared, idle; } cases[] = {
		{ 11, 1000, 0, false, false }, { 9, 1000, 0, false, true }, { 0, 1000, 0, false, true },
		{ 9, 1000, 0, true, false }, { 0.9, 1000, 0, true, true },
		/* 50 requests of 0.1 ms each, whose load was starved */
		{ 5, 20000, 50, false, false }, { 5, 20000, 50, true, false },
		/* 50,000 requests that another server answered */
		{ 3, 1000, 50000, false, true }, { 0, 1000, 3, false, true },
		/* bytes cost almost nothing each: judged as without work */
		{ 11, 1000, 1e9, false, false }, { 9, 1000, 1e9, false, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (window_is_idle(cases[i].cpu_ms, cases[i].wall_ms, cases[i].work, cases[i].shared) != cases[i].idle)
			fail_msg("case %zu", i);
}

/* The target works only for a moment of the second that its load takes. */
TEST_WITH(a_load_that_reports_work_shows_it_was_not_idle, fixture_up, fixture_down)
{
	struct fixture s;

	fixture(&s, BURN, 50);
	need_counting(&s);
	fixture_release(&s);
	fixture(&s, "mkfifo ask; echo >made; while :; do read line <ask; i=0; while [ $i -lt 500 ]; do i=$((i+1)); done; done", 50);
	set_load(&s, "while ! [ -e made ]; do sleep 0.01; done; echo go >ask; sleep 1; echo did 1");
	run_well(&s);
	assert_true(s.m.work == 1);
	if (s.m.dropped)
		fail_msg("%s", s.m.dropped);
	fixture_release(&s);
}

TEST_WITH(a_target_that_ends_is_told_soon, fixture_up, fixture_down)
{
	struct error err = ERROR_INIT;
	CLEANUP(fixture_release) struct fixture s;
	uint64_t before;

	fixture(&s, "n=0; while ! [ -e go ]; do n=$((n+1)); done", 60000);
	set_shell(&s.plan.load, "sleep 0.5; echo >go; exec sleep 3692");
	before = clock_now_ns();
	assert_int_equal(run(&s, &err), -1);
	assert_int_equal(err.kind, ERR_TARGET);
	assert_string_equal(err.msg, "the target, the one, has ended");
	assert_true(clock_now_ns() - before < 10 * NS_PER_S);
	/* Repeats this with a target that is gone before the window begins. */
	strv_release(&s.plan.load);
	assert_int_equal(run(&s, &err), -1);
	assert_string_equal(err.msg, "the target, the one, has ended");
}

TEST_WITH(nothing_is_counted_in_a_warm_up, fixture_up, fixture_down)
{
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, BURN, 50);
	strv_release(&s.events);
	run_well(&s);
	assert_int_equal(s.m.rows.n, 0);
	assert_true(s.m.wall_ms >= 50);
}

/* -------- two at once */

static void release_two(struct fixture s[2])
{
	child_end(&keeper, &s[1].target, 0);
	child_dispose(&keeper, &s[1].target);
	keeper_sweep(&keeper, 0, NULL, NULL);
	fixture_release(&s[0]);
	fixture_release(&s[1]);
}

static void assert_everywhere(const struct fixture *s)
{
	CLEANUP(processes_release) struct processes target = { 0 };
	cpu_set_t mine, its;

	assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
	attach_list(&s->attached, &target);
	assert_int_equal(target.n, 2);
	for (size_t i = 0; i < target.n; i++) {
		assert_int_equal(sched_getaffinity(target.items[i].pid, sizeof its, &its), 0);
		assert_true(CPU_EQUAL(&mine, &its));
	}
}

/* During the windows, both targets and their children run on one CPU and both loads on others. */
TEST_WITH(two_windows_share_a_cpu_for_a_while, fixture_up, fixture_down)
{
	CLEANUP(strbuf_release) struct strbuf others = STRBUF_INIT, script = STRBUF_INIT, expected = STRBUF_INIT;
	int cpu = child_cpu(NULL, 1);
	char name[16];
	struct fixture s[2];
	struct window_spec specs[2];
	struct outcome outcomes[2];
	struct error err = ERROR_INIT;
	double used_ms, wall_ms;

	if (!child_other_cpus(cpu, &others))
		SKIP("there is one CPU");
	snprintf(name, sizeof name, "%d", cpu);
	strbuf_addf(&expected, "Cpus_allowed_list:\t%d\nCpus_allowed_list:\t%d\ndid 12\n", cpu, cpu);
	for (int i = 0; i < 2; i++) {
		fixture(&s[i], "(" BURN ") & wait", 60000);
		strbuf_reset(&script);
		strbuf_addf(&script, "p=%d; for q in $p $(cat /proc/$p/task/$p/children); do grep Cpus_allowed_list /proc/$q/status; done; "
				     "[ \"$(taskset -cp $$ | sed 's/.*: //')\" != %s ] || exit 3; sleep %s; echo did 12",
			    (int)s[i].target.pid, name, i ? "0.6" : "0.3");
		set_load(&s[i], script.buf);
		specs[i] = (struct window_spec){
			.session = &s[i].session, .plan = &s[i].plan, .env = &s[i].env, .attached = &s[i].attached,
			.cpus = name, .other_cpus = others.buf,
		};
		outcomes[i] = (struct outcome){ .out = &s[i].m, .output = &s[i].output };
		rest(50 * NS_PER_MS);
		assert_everywhere(&s[i]);
	}
	MUST(windows_run(specs, outcomes, 2, s->events.n ? &s->events : NULL, &err));
	for (int i = 0; i < 2; i++) {
		assert_string_equal(s[i].output.buf, expected.buf);
		assert_everywhere(&s[i]);
		assert_true(s[i].m.work == 12 && !s[i].m.dropped);
	}
	/* Each window ends with its own load. */
	assert_true(s[0].m.wall_ms >= 300 && s[1].m.wall_ms >= 600);
	assert_true(s[0].m.wall_ms < s[1].m.wall_ms);
	/* Together both use one CPU, apart from the ticks of /proc. */
	used_ms = s[0].m.cpu_ms + s[1].m.cpu_ms;
	wall_ms = fmax(s[0].m.wall_ms, s[1].m.wall_ms);
	assert_true(used_ms < 1.1 * wall_ms + 40);
	release_two(s);
}

/* A failed load is reported for its own window. */
TEST_WITH(of_two_windows_the_one_that_fails_is_known, fixture_up, fixture_down)
{
	struct window_spec specs[2];
	struct outcome outcomes[2];
	struct fixture s[2];
	struct error err = ERROR_INIT;

	for (int i = 0; i < 2; i++) {
		fixture(&s[i], BURN, 300);
		set_shell(&s[i].plan.load, i ? "sleep 0.1; exit 5" : "sleep 5");
		specs[i] = (struct window_spec){ .session = &s[i].session, .plan = &s[i].plan, .env = &s[i].env, .attached = &s[i].attached };
		outcomes[i] = (struct outcome){ .out = &s[i].m, .output = &s[i].output };
	}
	assert_int_equal(windows_run(specs, outcomes, 2, NULL, &err), -1);
	assert_int_equal(err.kind, ERR_TARGET);
	assert_true(!outcomes[0].failed && outcomes[1].failed);
	release_two(s);
}
