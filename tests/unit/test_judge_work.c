/* Attached targets: gates per unit of work, windows that differ, and what no window can tell. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "judge_fixture.h"

/* Windows of five seconds on a service, with a baseline of the same. */
static void fixture_attach(struct fixture *fixture)
{
	fixture_open(fixture);
	fixture->s.attached = xstrdup("service redis (pid 12)");
	fixture->s.work_unit = xstrdup("request");
	fixture->s.settings.window_s = fixture->base.settings.window_s = 5;
}

/* As measured_store() does it: METRIC took BEFORE and NOW in windows that did WORK. */
static void measure_work(struct fixture *fixture, const char *metric, double before, double work_before, double now,
			 double work_now)
{
	CLEANUP(free_ptr) char *twin = metric_per_work_name(scenario_result_metric(&fixture->s, metric));

	measure(fixture, metric, before, now);
	measure(fixture, twin, before / work_before, now / work_now);
	measure(fixture, METRIC_WORK, work_before, work_now);
}

/* With a baseline of three sessions that are alike: how far windows move between sessions is known. */
static void judge_settled(struct fixture *fixture)
{
	for (size_t i = 0; i < 2; i++) {
		const struct series_set *first;

		add_session(&fixture->base);
		first = &fixture->base.sessions[0].series;
		for (size_t k = 0; k < first->n; k++)
			add_to_session(&fixture->base, first->items[k].metric, first->items[k].values, first->items[k].n);
	}
	judge(fixture);
}

static void windows_that_go_one_way_are_told(void **state)
{
	static const struct {
		double values[6];
		size_t n;
		bool attached, works;
		const char *note;
	} cases[] = {
		{ { 285, 170, 110, 80, 60, 50 }, 6, true, true, "the target was not steady: its task-clock per request fell by 76 % from "
		  "the first windows to the last; warm it up for longer than that took, with warmup: { duration: TIME }" },
		{ { 10, 11, 12, 13, 14, 15 }, 6, true, false, "the target was not steady: its task-clock of a window rose by 38 % from "
		  "the first windows to the last; warm it up for longer than that took, with warmup: { duration: TIME }" },
		/* executions of a command, each of which starts anew */
		{ { 285, 170, 110, 80, 60, 50 }, 6, false, false, NULL },
		{ { 285, 170, 110, 80 }, 4, true, true, NULL },
		/* as a machine may move */
		{ { 100, 102, 104, 106, 108, 110 }, 6, true, true, NULL },
		{ { 285, 50, 270, 60, 300, 50 }, 6, true, true, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open(&fixture);
		fixture.s.attached = cases[i].attached ? xstrdup("service jvm (pid 12)") : NULL;
		fixture.s.work_unit = cases[i].works ? xstrdup("request") : NULL;
		for (size_t k = 0; k < cases[i].n; k++) {
			const char *metric = cases[i].works ? metric_per_work_name(scenario_result_metric(&fixture.s, "task-clock"))
							    : xstrdup("task-clock");

			measured_set(&fixture.s, scenario_result_add_run(&fixture.s), metric, cases[i].values[k]);
			free((char *)(uintptr_t)metric);
		}
		judge(&fixture);
		/* Judged again it is said once. */
		judge(&fixture);
		assert_int_equal(fixture.s.notes.n, cases[i].note ? 1 : 0);
		if (cases[i].note)
			assert_string_equal(fixture.s.notes.items[0], cases[i].note);
	}
}

static void the_work_divides(void **state)
{
	static const struct {
		const char *metric;
		double before, work_before, now, work_now;
		enum verdict verdict;
	} cases[] = {
		/* twice the work in the same time; the same work in twice the time */
		{ "instructions", 1e9, 1000, 2e9, 2000, VERDICT_PASS },
		{ "instructions", 1e9, 1000, 1e9, 500, VERDICT_REGRESSION },
		{ "instructions", 1e9, 1000, 1e9, 2000, VERDICT_IMPROVEMENT },
		{ "cache-misses", 1e6, 1000, 2e6, 2000, VERDICT_PASS },
		{ "cache-misses", 1e6, 1000, 2e6, 1000, VERDICT_REGRESSION },
		{ "task-clock", 1000, 1000, 4000, 1000, VERDICT_REGRESSION },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;
		struct gate gate;
		const struct judgement *g;

		fixture_attach(&fixture);
		measure_work(&fixture, cases[i].metric, cases[i].before, cases[i].work_before, cases[i].now,
			     cases[i].work_now);
		gate = relative_gate(scenario_result_metric(&fixture.s, cases[i].metric), 5);
		scenario_result_add_gate(&fixture.s, &gate);
		judge_settled(&fixture);
		g = gate_judgement(&fixture.s.gates[0]);
		if (g->verdict != cases[i].verdict)
			fail_msg("%zu: %s: %s", i, verdict_names[g->verdict], g->reason ?: "");
		assert_true(g->ref.per_work && !g->ref.simulated);
		assert_true(g->baseline == cases[i].before / cases[i].work_before);
		assert_true(g->current == cases[i].now / cases[i].work_now);
		assert_int_equal(g->n_baseline, 3 * RUNS);
	}
}

/* What the work does not make grow is judged as it is. */
static void quotients_and_sizes_stay(void **state)
{
	static const char *const metrics[] = { "ipc", "max-rss", "throughput", "branch-miss-rate" };

	(void)state;
	for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_attach(&fixture);
		measure(&fixture, METRIC_WORK, 1000, 4000);
		measure(&fixture, metrics[i], 2e6, 2e6);
		add_gate(&fixture, metrics[i]);
		judge(&fixture);
		assert_false(gate_judgement(&fixture.s.gates[0])->ref.per_work);
		assert_true(gate_judgement(&fixture.s.gates[0])->current == 2e6);
		assert_true(gate_judgement(&fixture.s.gates[0])->verdict == VERDICT_PASS || gate_judgement(&fixture.s.gates[0])->verdict == VERDICT_INCONCLUSIVE);
	}
}

/* A gate read ten page faults a run as nobody's regression: so it does ten in a window's thousand requests. */
static void the_least_change_is_the_windows(void **state)
{
	static const struct {
		double now;
		enum verdict verdict;
		const char *reason;
	} cases[] = {
		{ 109, VERDICT_PASS, "the change is smaller than any that counts" },
		{ 112, VERDICT_REGRESSION, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_attach(&fixture);
		measure_work(&fixture, "page-faults", 100, 1000, cases[i].now, 1000);
		add_gate(&fixture, "page-faults");
		judge_settled(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, cases[i].reason);
	}
}

/* A server touches new memory in some windows only, and three windows prove nothing. */
static void windows_do_not_repeat_like_runs(void **state)
{
	static const struct {
		double before, now;
		size_t n;
		bool zero;
		const char *reason;
	} cases[] = {
		{ 1000, 4000, 3, false, "too few windows for an interval (3 against 6); measure at least 5" },
		{ 1000, 1200, RUNS, false,
		  "the interval reaches beyond the tolerance; more windows or more sessions narrow it" },
		{ 1000, 4000, RUNS, true,
		  "some windows show 0, and the others do not differ enough from the baseline's to tell" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_attach(&fixture);
		add_same(&fixture.base, "page-faults", cases[i].before, RUNS);
		set_runs(&fixture.s, "page-faults", cases[i].now, cases[i].n);
		if (cases[i].zero)
			for (size_t k = 0; k < 2; k++)
				measured_set(&fixture.s, &fixture.s.runs[k], "page-faults", 0);
		add_gate(&fixture, "page-faults");
		judge(&fixture);
		assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE, cases[i].reason);
	}
}

static void budgets_are_per_unit_of_work(void **state)
{
	static const struct {
		double max, min;
		enum verdict verdict;
		const char *reason;
	} cases[] = {
		{ 0.03, NAN, VERDICT_PASS, NULL },
		{ 0.02, NAN, VERDICT_REGRESSION, "over its absolute budget" },
		{ NAN, 0.03, VERDICT_REGRESSION, "under its absolute minimum" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;
		struct gate gate = { .metric = metric_find("task-clock"), .max = cases[i].max, .min = cases[i].min };

		fixture_attach(&fixture);
		measure_work(&fixture, "task-clock", 1000, 40000, 1000, 40000);
		scenario_result_add_gate(&fixture.s, &gate);
		judge(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, cases[i].reason);
		assert_true(gate_judgement(&fixture.s.gates[0])->ref.per_work);
	}
}

static void a_baseline_may_know_nothing_of_the_work(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_attach(&fixture);
	add_same(&fixture.base, "task-clock", 1000, RUNS);
	set_runs(&fixture.s, "task-clock", 1000, RUNS);
	set_runs(&fixture.s, "task-clock-per-work", 1, RUNS);
	set_runs(&fixture.s, METRIC_WORK, 1000, RUNS);
	add_gate(&fixture, "task-clock");
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED,
		    "the baseline has no values per request; accept a new one");
	assert_true(gate_judgement(&fixture.s.gates[0])->ref.per_work && gate_judgement(&fixture.s.gates[0])->current == 1);
}

/* Another machine's page faults per request compare, its time does not. */
static void portable_twins_cross_machines(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_attach(&fixture);
	replace(&fixture.base.machine.part, "xeon-4cpu");
	measure_work(&fixture, "page-faults", 1000, 1000, 1000, 1000);
	measure_work(&fixture, "task-clock", 1000, 1000, 1000, 1000);
	add_gate(&fixture, "page-faults");
	add_gate(&fixture, "task-clock");
	judge_settled(&fixture);
	assert_gate(&fixture, 0, VERDICT_PASS, NULL);
	assert_int_equal(gate_judgement(&fixture.s.gates[1])->verdict, VERDICT_NOT_MEASURED);
	assert_non_null(strstr(gate_judgement(&fixture.s.gates[1])->reason, "another machine class"));
}

#define WINDOW(lengths) \
	"the window differs (" lengths "), and nothing tells how much work was done: accept a new baseline, or add " \
	"load.work"

static void only_equal_windows_compare(void **state)
{
	static const struct {
		const char *metric;
		double before_s, now_s;
		bool attached, work;
		const char *reason;
	} cases[] = {
		{ "instructions", 5, 5, true, false, NULL },
		{ "instructions", 5, 5.04, true, false, NULL },
		{ "instructions", 0, 0, true, false, NULL },
		{ "instructions", 10, 5, true, false, WINDOW("5 s, the baseline's 10 s") },
		{ "instructions", 5, 5.06, true, false, WINDOW("5.06 s, the baseline's 5 s") },
		{ "instructions", 5, 0, true, false, WINDOW("none, the baseline's 5 s") },
		{ "instructions", 0, 2.5, true, false, WINDOW("2.5 s, the baseline's none") },
		{ "instructions", 10, 5, true, true, NULL },
		{ "instructions", 10, 5, false, false, NULL },
		{ "max-rss", 10, 5, true, false, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_attach(&fixture);
		if (!cases[i].attached)
			free(take_ptr(&fixture.s.attached));
		fixture.base.settings.window_s = cases[i].before_s;
		fixture.s.settings.window_s = cases[i].now_s;
		if (cases[i].work)
			measure_work(&fixture, cases[i].metric, 1e9, 1000, 1e9, 1000);
		else
			measure(&fixture, cases[i].metric, 1e9, 1e9);
		add_gate(&fixture, cases[i].metric);
		judge_settled(&fixture);
		assert_gate(&fixture, 0, cases[i].reason ? VERDICT_NOT_MEASURED : VERDICT_PASS, cases[i].reason);
		assert_int_equal(gate_judgement(&fixture.s.gates[0])->ref.per_work, cases[i].work);
	}
}

/* What a scenario prints, and an attached target without counters, have reasons of their own. */
static void what_is_missing_is_told(void **state)
{
	static const struct {
		const char *metric;
		enum tier tier;
		const char *expected;
	} cases[] = {
		{ "p99", TIER_HW, "the output had no match of metrics.p99" },
		{ "p99", TIER_SIM, "the output had no match of metrics.p99" },
		{ "throughput", TIER_SW, "nothing tells how much work was done: the scenario needs load.work" },
		{ "instructions", TIER_SW, "this machine has no hardware counters" },
		{ "ipc", TIER_SW, "this machine has no hardware counters" },
		{ "sim-instructions", TIER_SW, "simulation needs a command target; this one was attached to" },
		{ "task-clock", TIER_SW, "no run gave a value" },
	};
	struct metric *p99 = metric_new_printed("p99", "ms", false);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;
		struct gate gate = relative_gate(metric_find(cases[i].metric) ?: p99, 5);

		fixture_attach(&fixture);
		fixture.here.tier = fixture.base.machine.tier = cases[i].tier;
		measure(&fixture, "wall-time", 5000, 5000);
		scenario_result_add_gate(&fixture.s, &gate);
		judge(&fixture);
		assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, cases[i].expected);
	}
	metric_free_event(p99);
}

static void windows_are_called_so(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_attach(&fixture);
	fixture.s.state = SCENARIO_PARTIAL;
	set_runs(&fixture.s, "instructions", 1e9, 4);
	add_gate(&fixture, "instructions");
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, "interrupted after 4 of 15 windows");
	fixture.s.state = SCENARIO_MEASURED;
	add_same(&fixture.base, "instructions", 1e9, RUNS);
	set_runs(&fixture.s, "instructions", 1.0045e9, RUNS);
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE,
		    "the interval reaches beyond the tolerance; more windows or more sessions narrow it");
}

/* A printed metric knows which way is worse, though its scenario is gone. */
static void printed_metrics_are_judged(void **state)
{
	static const struct {
		bool higher;
		double now;
		enum verdict verdict;
	} cases[] = {
		{ false, 20, VERDICT_REGRESSION }, { false, 5, VERDICT_IMPROVEMENT },
		{ true, 20, VERDICT_IMPROVEMENT }, { true, 5, VERDICT_REGRESSION },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;
		struct metric *printed = metric_new_printed("score", "points", cases[i].higher);
		struct gate gate = relative_gate(printed, 10);

		fixture_attach(&fixture);
		scenario_result_add_gate(&fixture.s, &gate);
		metric_free_event(printed);
		measure(&fixture, "score", 10, cases[i].now);
		measure(&fixture, METRIC_WORK, 1000, 1000);
		judge(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, NULL);
		assert_false(gate_judgement(&fixture.s.gates[0])->ref.per_work);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_work_divides),
		cmocka_unit_test(quotients_and_sizes_stay),
		cmocka_unit_test(the_least_change_is_the_windows),
		cmocka_unit_test(windows_do_not_repeat_like_runs),
		cmocka_unit_test(budgets_are_per_unit_of_work),
		cmocka_unit_test(a_baseline_may_know_nothing_of_the_work),
		cmocka_unit_test(portable_twins_cross_machines),
		cmocka_unit_test(windows_that_go_one_way_are_told),
		cmocka_unit_test(only_equal_windows_compare),
		cmocka_unit_test(what_is_missing_is_told),
		cmocka_unit_test(windows_are_called_so),
		cmocka_unit_test(printed_metrics_are_judged),
	};

	return cmocka_run_group_tests_name("judge_work", tests, NULL, NULL);
}
