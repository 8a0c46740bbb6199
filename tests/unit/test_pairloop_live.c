/* The loop of pairs on real processes, and on runs that were recorded. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "keeper_fixture.h"
#include "measure/run/run.h"
#include "measure/services/services.h"
#include "replay.h"
#include "stats/stats.h"

#define SIX "tests/fixtures/replay/six"

/* Two trees, ROOT/base and ROOT/head, and a scenario that is run in both. */
struct two {
	struct scenario_defaults defaults;
	struct scenario scenario;
	struct plan plans[2];
	struct system lives[2];
	struct ports ports[2];
	struct scenario_result results[2];
	struct session session;
	struct loop *loop;
};

static const char *const names[] = { "base", "head" };

static void quiet(void *ctx, const struct loop_progress *progress)
{
	(void)ctx;
	(void)progress;
}

static void write_file(const char *side, const char *name, const char *text)
{
	CLEANUP(free_ptr) char *folder = in_root(side);
	CLEANUP(free_ptr) char *path = file_join(folder, name);

	assert_int_equal(file_make_dirs(folder, NULL), 0);
	assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
}

static void parse_scenario(struct two *t, const char *body)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	*t = (struct two){ .session = { .keeper = &keeper, .lock_fd = -1, .scratch = root } };
	scenario_defaults_init(&t->defaults);
	strbuf_addf(&text, "version: 1\nname: two\n%s", body);
	if (scenario_parse(text.buf, text.len, "two.yaml", &t->defaults, &t->scenario, &diags) < 0)
		fail_msg("%s", diags.items[0].message);
}

static void open_two(struct two *t, const char *body, enum pair_services services)
{
	const struct loop_options options = { .seed = 1, .batch = 1, .wanted = 10, .services = services };
	struct loop_side sides[2];

	parse_scenario(t, body);
	for (int i = 0; i < 2; i++) {
		CLEANUP(free_ptr) char *folder = in_root(names[i]);
		const struct plan_context context = {
			.root = folder, .scenario_dir = folder, .out = folder, .tmp = folder, .port = ports_get, .ctx = &t->ports[i],
		};

		assert_int_equal(plan_build(&t->scenario, &context, &t->plans[i], NULL), 0);
		t->lives[i] = (struct system){ .session = &t->session, .progress = quiet };
		sides[i] = (struct loop_side){
			.name = names[i], .plan = &t->plans[i], .ops = system_ops(&t->lives[i]), .result = &t->results[i],
		};
	}
	t->loop = loop_new(sides, 2, &options);
}

static void close_two(struct two *t)
{
	loop_free(t->loop);
	for (int i = 0; i < 2; i++) {
		system_finish(&t->lives[i]);
		plan_release(&t->plans[i]);
		ports_release(&t->ports[i]);
		scenario_result_release(&t->results[i]);
	}
	scenario_release(&t->scenario);
	scenario_defaults_release(&t->defaults);
	nothing_left();
}

static void assert_file(const char *side, const char *name, const char *expected)
{
	CLEANUP(free_ptr) char *folder = in_root(side);
	CLEANUP(free_ptr) char *path = file_join(folder, name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	assert_int_equal(file_read(path, 1000, &text, NULL), 0);
	assert_string_equal(text.buf, expected);
}

static size_t file_length(const char *side, const char *name)
{
	CLEANUP(free_ptr) char *folder = in_root(side);
	CLEANUP(free_ptr) char *path = file_join(folder, name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	assert_int_equal(file_read(path, 1000, &text, NULL), 0);
	return text.len;
}

/* -------- commands */

#define WORK(rounds) "i=0; while [ $i -lt " #rounds " ]; do i=$((i + 1)); done\n"

static void the_slower_side_is_seen(void **state)
{
	CLEANUP(close_two) struct two t;
	double ratios[7];

	(void)state;
	write_file("base", "work.sh", WORK(20000));
	write_file("head", "work.sh", WORK(80000));
	open_two(&t, "target: { command: [sh, work.sh] }\n", PAIR_SERVICES_NONE);
	assert_int_equal(loop_measure(t.loop, 7, 0, NULL), 0);
	assert_false(loop_failed(t.loop));
	assert_int_equal(scenario_result_count(&t.results[1], "cpu-time"), 7);
	for (size_t i = 0; i < 7; i++)
		ratios[i] = t.results[1].runs[i].values[scenario_result_column(&t.results[1], metric_find("cpu-time"))] /
			    t.results[0].runs[i].values[scenario_result_column(&t.results[0], metric_find("cpu-time"))];
	assert_true(stats_median(ratios, 7) > 1.5);
}

static void each_side_lives_in_its_tree(void **state)
{
	struct two t;

	(void)state;
	write_file("base", "log", "");
	write_file("head", "log", "");
	open_two(&t, "setup: printf s >>log\nprepare: printf p >>log\ncleanup: printf c >>log\n"
		     "target: { command: printf r >>log }\n", PAIR_SERVICES_NONE);
	assert_int_equal(loop_measure(t.loop, 2, 0, NULL), 0);
	close_two(&t);
	assert_file("base", "log", "sprprprc");
	assert_file("head", "log", "sprprprc");
}

static void a_run_that_fails_is_dropped(void **state)
{
	struct two t;

	(void)state;
	write_file("base", "log", "");
	write_file("head", "log", "");
	write_file("base", "work.sh", "printf r >>log\n");
	write_file("head", "work.sh", "printf r >>log; [ \"$(cat log)\" != rrr ]\n");
	open_two(&t, "target: { command: [sh, work.sh] }\n", PAIR_SERVICES_NONE);
	assert_int_equal(loop_measure(t.loop, 4, 0, NULL), 0);
	assert_int_equal(t.results[0].state, SCENARIO_MEASURED);
	assert_int_equal(t.results[1].n_runs, 4);
	assert_int_equal(loop_state(t.loop).dropped, 1);
	close_two(&t);
	assert_int_equal(file_length("head", "log"), 6);
}

static void one_that_fails_always_is_told_with_its_words(void **state)
{
	CLEANUP(close_two) struct two t;

	(void)state;
	write_file("base", "work.sh", ":\n");
	write_file("head", "work.sh", "echo no such table; exit 3\n");
	open_two(&t, "target: { command: [sh, work.sh] }\n", PAIR_SERVICES_NONE);
	assert_int_equal(loop_measure(t.loop, 4, 0, NULL), 0);
	assert_int_equal(t.results[0].state, SCENARIO_FAILED);
	assert_non_null(strstr(t.results[0].failure, "head: in warm-up run 1: "));
	assert_non_null(strstr(t.results[0].failure, "status 3"));
	assert_string_equal(t.results[1].log_tail, "no such table");
}

/* -------- services */

#define BUSY								\
	"env:\n  - name: s\n    command: printf u >>log; while :; do :; done\n    stop: { grace: 1s }\n"	\
	"target: { service: s }\nmeasure: { window: 100ms }\n"

static void services_start_as_often_as_they_should(void **state)
{
	static const struct { enum pair_services services; size_t starts; } cases[] = {
		{ PAIR_SERVICES_BESIDE, 2 },
		{ PAIR_SERVICES_AFRESH, 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned dropped;
		struct two t;

		write_file("base", "log", "");
		write_file("head", "log", "");
		open_two(&t, BUSY, cases[i].services);
		assert_int_equal(loop_measure(t.loop, 2, 0, NULL), 0);
		if (t.results[0].failure)
			fail_msg("%s", t.results[0].failure);
		assert_int_equal(t.results[0].n_runs, 2);
		assert_string_equal(t.results[0].attached, "service s");
		/* Before the loop ends nothing is left up. */
		nothing_left();
		/* On a machine with other things to do a window may be idle. */
		dropped = loop_state(t.loop).dropped;
		close_two(&t);
		assert_in_range(file_length("base", "log"), cases[i].starts, cases[i].starts + dropped);
		assert_in_range(file_length("head", "log"), cases[i].starts, cases[i].starts + dropped);
	}
}

static void one_that_ends_is_told(void **state)
{
	CLEANUP(close_two) struct two t;

	(void)state;
	write_file("base", "log", "");
	write_file("head", "log", "");
	write_file("base", "work.sh", "while :; do :; done\n");
	write_file("head", "work.sh", "echo out of memory; exit 9\n");
	open_two(&t, "env:\n  - { name: s, command: [sh, work.sh], ready: { delay: 200ms } }\ntarget: { service: s }\n"
		     "measure: { window: 100ms }\n", PAIR_SERVICES_BESIDE);
	assert_int_equal(loop_measure(t.loop, 2, 0, NULL), 0);
	assert_int_equal(t.results[0].state, SCENARIO_FAILED);
	assert_memory_equal(t.results[0].failure, "head: ", 6);
	assert_non_null(strstr(t.results[0].log_tail, "out of memory"));
}

/* -------- recorded runs */

static void recorded_runs_come_in_their_order(void **state)
{
	const struct loop_options options = { .seed = 1, .counters = 6, .perf = true, .batch = 3, .wanted = 5 };
	struct replay replays[2];
	struct loop_side sides[2];
	struct two t;

	(void)state;
	parse_scenario(&t, "target: { command: [gzip] }\n");
	for (int i = 0; i < 2; i++) {
		const struct plan_context context = { .root = "/p", .scenario_dir = "/p", .out = "/o", .tmp = "/t" };

		assert_int_equal(replay_load(SIX, &replays[i], NULL), 0);
		assert_int_equal(plan_build(&t.scenario, &context, &t.plans[i], NULL), 0);
		sides[i] = (struct loop_side){
			.name = names[i], .plan = &t.plans[i], .ops = replay_ops(&replays[i]), .result = &t.results[i],
		};
	}
	t.loop = loop_new(sides, 2, &options);
	assert_int_equal(loop_measure(t.loop, 5, 0, NULL), 0);
	if (t.results[0].failure)
		fail_msg("%s", t.results[0].failure);
	/* The first run of the recording is the warm-up; then three are a value. Both sides are the same. */
	for (size_t i = 0; i < 5; i++) {
		const struct recorded_run *runs = &replays[0].runs[1 + 3 * i];
		size_t wall = scenario_result_column(&t.results[0], metric_find("wall-time"));
		double mean = (runs[0].measured.wall_ms + runs[1].measured.wall_ms + runs[2].measured.wall_ms) / 3;

		assert_true(fabs(t.results[0].runs[i].values[wall] - mean) < 1e-9);
		assert_true(t.results[1].runs[i].values[wall] == t.results[0].runs[i].values[wall]);
	}
	assert_false(isnan(scenario_result_median(&t.results[1], "ipc")));
	/* It ends when the recording does. */
	assert_int_equal(loop_measure(t.loop, 6, 0, NULL), 0);
	assert_true(loop_failed(t.loop));
	assert_string_equal(t.results[0].failure, "head: the recording ends after 17 runs; 2 of 7 pairs failed");
	for (int i = 0; i < 2; i++)
		replay_release(&replays[i]);
	close_two(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_slower_side_is_seen, fixture_up, fixture_down),
		cmocka_unit_test_setup_teardown(each_side_lives_in_its_tree, fixture_up, fixture_down),
		cmocka_unit_test_setup_teardown(a_run_that_fails_is_dropped, fixture_up, fixture_down),
		cmocka_unit_test_setup_teardown(one_that_fails_always_is_told_with_its_words, fixture_up, fixture_down),
		cmocka_unit_test_setup_teardown(services_start_as_often_as_they_should, fixture_up, fixture_down),
		cmocka_unit_test_setup_teardown(one_that_ends_is_told, fixture_up, fixture_down),
		cmocka_unit_test_setup_teardown(recorded_runs_come_in_their_order, fixture_up, fixture_down),
	};

	return cmocka_run_group_tests_name("pairloop_live", tests, NULL, NULL);
}
