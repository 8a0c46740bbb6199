/* Runs as one: of a batch, and of groups of events. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/mem.h"
#include "measure/perf/perf.h"
#include "model/measured.h"

enum { MOST = 4 };

static void parse_rows(const char *csv, struct measured *out)
{
	struct error err = ERROR_INIT;

	if (perfstat_parse(csv, strlen(csv), PERFSTAT_SEPARATOR, &out->rows, &err) < 0)
		fail_msg("%s", err.msg);
}

static void assert_near(const char *what, double found, double expected)
{
	if (isnan(expected) ? !isnan(found) : !(fabs(found - expected) <= 1e-12 * fabs(expected)))
		fail_msg("%s: expected %.17g, found %.17g", what, expected, found);
}

/* -------- a batch */

static void members_are_means_but_for_the_peak(void **state)
{
	struct measured runs[] = {
		{ .wall_ms = 10, .user_ms = 4, .system_ms = 1, .cpu_ms = 5, .max_rss_bytes = 700, .page_faults = 100,
		  .major_faults = 0, .voluntary_switches = 3, .involuntary_switches = 1, .work = 20 },
		{ .wall_ms = 20, .user_ms = 5, .system_ms = 2, .cpu_ms = 7, .max_rss_bytes = 900, .page_faults = 110,
		  .major_faults = 3, .voluntary_switches = 3, .involuntary_switches = NAN, .work = 22, .hasty = true },
		{ .wall_ms = 60, .user_ms = 6, .system_ms = 3, .cpu_ms = 9, .max_rss_bytes = 800, .page_faults = 120,
		  .major_faults = 0, .voluntary_switches = 6, .involuntary_switches = 1, .work = 24 },
	};
	struct measured mean;

	(void)state;
	measured_mean(runs, 3, &mean);
	assert_near("wall_ms", mean.wall_ms, 30);
	assert_near("user_ms", mean.user_ms, 5);
	assert_near("system_ms", mean.system_ms, 2);
	assert_near("cpu_ms", mean.cpu_ms, 7);
	assert_near("max_rss_bytes", mean.max_rss_bytes, 900);
	assert_near("page_faults", mean.page_faults, 110);
	assert_near("major_faults", mean.major_faults, 1);
	assert_near("voluntary_switches", mean.voluntary_switches, 4);
	assert_near("involuntary_switches", mean.involuntary_switches, NAN);
	assert_near("work", mean.work, 22);
	assert_true(mean.hasty);
	measured_release(&mean);

	/* A peak that nobody told makes the largest unknown, wherever it stands. */
	for (size_t i = 0; i < 3; i++) {
		double kept = runs[i].max_rss_bytes;

		runs[i].max_rss_bytes = NAN;
		measured_mean(runs, 3, &mean);
		assert_near("max_rss_bytes", mean.max_rss_bytes, NAN);
		measured_release(&mean);
		runs[i].max_rss_bytes = kept;
	}
}

static void rows_are_means_of_what_all_counted(void **state)
{
	static const struct {
		const char *csv[MOST];
		const char *event;
		double value;
		enum missing why;
	} cases[] = {
		{ { "10;;cycles;100;100.00\n" }, "cycles", 10, MISSING_NOT },
		{ { "10;;cycles;100;100.00\n", "20;;cycles;200;100.00\n", "60;;cycles;300;100.00\n" }, "cycles", 30, MISSING_NOT },
		{ { "10;;cycles:u;100;100.00\n", "20;;cycles:u;200;100.00\n" }, "cycles", 15, MISSING_NOT },
		{ { "1.5;msec;task-clock;100;100.00\n7;;cycles;1;100.00\n", "2.5;msec;task-clock;200;100.00\n9;;cycles;1;100.00\n" },
		  "cycles", 8, MISSING_NOT },
		/* perf may leave a row out, so that those behind it stand elsewhere */
		{ { "7;;cycles;1;100.00\n5;;faults;1;100.00\n", "7;;faults;1;100.00\n9;;cycles;1;100.00\n" }, "cycles", 8, MISSING_NOT },
		{ { "10;;cycles;100;100.00\n", "20;;cycles;100;70.00\n" }, "cycles", NAN, MISSING_MULTIPLEXED },
		{ { "10;;cycles;100;100.00\n", "<not counted>;;cycles;0;0.00\n" }, "cycles", NAN, MISSING_NOT_COUNTED },
		{ { "<not counted>;;cycles;0;0.00\n", "10;;cycles;100;100.00\n" }, "cycles", NAN, MISSING_NOT_COUNTED },
		{ { "<not supported>;;cycles;0;0.00\n", "<not supported>;;cycles;0;0.00\n" }, "cycles", NAN, MISSING_UNSUPPORTED },
		{ { "10;;cycles;100;100.00\n", "20;;faults;100;100.00\n" }, "cycles", NAN, MISSING_NOT_COUNTED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct measured runs[MOST] = { 0 }, mean;
		enum missing why;
		size_t n = 0;

		for (; n < MOST && cases[i].csv[n]; n++)
			parse_rows(cases[i].csv[n], &runs[n]);
		measured_mean(runs, n, &mean);
		assert_near(cases[i].csv[0], perfstat_value(&mean.rows, cases[i].event, &why), cases[i].value);
		assert_int_equal(why, cases[i].why);
		for (size_t k = 0; k < n; k++)
			measured_release(&runs[k]);
		measured_release(&mean);
	}
}

static void figures_are_means_of_those_printed(void **state)
{
	static const struct { double values[MOST]; size_t n; double mean; } cases[] = {
		{ { 3 }, 1, 3 }, { { 3, 4, 8 }, 3, 5 }, { { 3, NAN, 8 }, 3, 5.5 }, { { NAN, NAN }, 2, NAN }, { { NAN, 2 }, 2, 2 },
	};
	struct metric *printed = metric_new_printed("p99", "ms", false);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct measured runs[MOST] = { 0 }, mean;

		for (size_t k = 0; k < cases[i].n; k++) {
			runs[k].figures = xcalloc(1, sizeof *runs[k].figures);
			runs[k].figures[0] = (struct measured_figure){ printed, cases[i].values[k] };
			runs[k].n_figures = 1;
		}
		measured_mean(runs, cases[i].n, &mean);
		assert_int_equal(mean.n_figures, 1);
		assert_ptr_equal(mean.figures[0].metric, printed);
		assert_near("p99", mean.figures[0].value, cases[i].mean);
		for (size_t k = 0; k < cases[i].n; k++)
			measured_release(&runs[k]);
		measured_release(&mean);
	}
	metric_free_event(printed);
}

/* -------- groups of events */

static void store(struct scenario_result *result, const char *csv, const char *event, double wall_ms, double rss)
{
	CLEANUP(strv_release) struct strv events = STRV_INIT;
	struct measured measured = { .wall_ms = wall_ms, .max_rss_bytes = rss };

	strv_push(&events, "task-clock");
	strv_push(&events, event);
	parse_rows(csv, &measured);
	measured_store(&measured, &events, 0, result);
	measured_release(&measured);
}

static double value_of(const struct scenario_result *result, const char *metric)
{
	return scenario_result_median(result, metric);
}

static void groups_become_one_run(void **state)
{
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

	(void)state;
	store(&result, "5;msec;task-clock;1;100.00\n1;;faults;1;100.00\n", "faults", 1, 1);
	store(&result, "10;msec;task-clock;1;100.00\n30;;cycles;1;100.00\n", "cycles", 10, 800);
	store(&result, "20;msec;task-clock;1;100.00\n50;;branches;1;100.00\n", "branches", 30, 700);
	measured_fold(&result, 2);
	assert_int_equal(result.n_runs, 2);
	assert_near("task-clock", result.runs[0].values[scenario_result_column(&result, metric_find("task-clock"))], 5);
	assert_near("task-clock", result.runs[1].values[scenario_result_column(&result, metric_find("task-clock"))], 15);
	assert_near("wall-time", result.runs[1].values[scenario_result_column(&result, metric_find("wall-time"))], 20);
	assert_near("max-rss", result.runs[1].values[scenario_result_column(&result, metric_find("max-rss"))], 800);
	assert_near("cycles", value_of(&result, "cycles"), 30);
	assert_near("branches", value_of(&result, "branches"), 50);
	assert_int_equal(result.runs[1].rows.n, 4);
	assert_string_equal(result.runs[1].rows.items[3].event, "branches");
	/* One alone stays as it is. */
	measured_fold(&result, 1);
	assert_int_equal(result.n_runs, 2);
	assert_near("cycles", value_of(&result, "cycles"), 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_means_but_for_the_peak),
		cmocka_unit_test(rows_are_means_of_what_all_counted),
		cmocka_unit_test(figures_are_means_of_those_printed),
		cmocka_unit_test(groups_become_one_run),
	};

	return cmocka_run_group_tests_name("measured_mean", tests, NULL, NULL);
}
