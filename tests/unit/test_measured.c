#include "unit.h"

#include "measure/perf/perf_csv.h"
#include "model/measured.h"

/* -------- From a run to a result: rows become values, metrics are derived, missing values stay missing. */

static double value_of(const struct side_result *s, size_t run, const char *metric)
{
	for (size_t i = 0; i < s->n_metrics; i++)
		if (!strcmp(s->metrics[i]->name, metric))
			return s->runs[run].values[i];
	fail_msg("there is no column %s", metric);
	return NAN;
}

static void assert_value(const struct side_result *s, size_t run, const char *metric, double expected)
{
	double found = value_of(s, run, metric);

	if (isnan(expected) ? !isnan(found) : fabs(found - expected) > 1e-12 * fabs(expected))
		fail_msg("%s of run %zu: expected %.17g, found %.17g", metric, run, expected, found);
}

static void store_work(struct side_result *s, const char *csv, const char *const *events, size_t n, double work,
		       double p99)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT;
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct metric *printed = metric_custom(&arena, "p99", "ms", false);
	struct measured measured = {
		.wall_ms = 5000, .user_ms = 1500, .system_ms = 500, .cpu_ms = 2000, .max_rss_bytes = 1495040,
		.page_faults = 100, .major_faults = 0, .voluntary_switches = 400, .involuntary_switches = NAN,
		.work = work, .custom = xcalloc(1, sizeof *measured.custom), .n_custom = 1, .dropped = xstrdup("why"),
	};
	struct error err = ERROR_INIT;

	measured.custom[0] = (struct measured_custom){ printed, p99 };
	for (size_t i = 0; i < n; i++)
		strv_push(&list, events[i]);
	assert_int_equal(perf_csv_parse(csv, strlen(csv), PERF_CSV_SEPARATOR, &measured.rows, &err), 0);
	measured_store(&measured, &list, 0, s);
	measured_release(&measured);
	assert_true(!measured.custom && !measured.n_custom && !measured.dropped);
}

static void store(struct side_result *s, const char *csv, const char *const *events, size_t n, unsigned group)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT;
	struct measured measured = {
		.wall_ms = 40, .user_ms = 30, .system_ms = 5, .cpu_ms = 34.5, .max_rss_bytes = 1495040,
		.page_faults = 147, .major_faults = 2, .voluntary_switches = 3, .involuntary_switches = 11,
		.io = { .read_calls = 21, .write_calls = 22, .read_bytes = 23, .written_bytes = 24 },
	};
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < n; i++)
		strv_push(&list, events[i]);
	MUST(perf_csv_parse(csv, strlen(csv), PERF_CSV_SEPARATOR, &measured.rows, &err));
	measured_store(&measured, &list, group, s);
	measured_release(&measured);
}

static const char counted_measured[] =
	"20.00;msec;task-clock;34330976;100.00;0.071;CPUs utilized\n"
	"50000000;;cycles;34333712;100.00;0.774;GHz\n"
	"75000000;;instructions;34333712;100.00;1.29;insn per cycle\n"
	"8000000;;branches;34333712;100.00;209.423;M/sec\n"
	"400000;;branch-misses;34333712;100.00;5.48;of all branches\n"
	"7;;cache-misses;34333712;100.00;;\n";
static const char *const all[] = {
	"task-clock", "cycles", "instructions", "branches", "branch-misses", "cache-misses",
};

TEST(everything_lands_in_its_column)
{
	static const struct { const char *metric; double expected; } cases[] = {
		{ "task-clock", 20 }, { "cycles", 5e7 }, { "instructions", 7.5e7 }, { "branches", 8e6 },
		{ "branch-misses", 4e5 }, { "cache-misses", 7 },
		{ "wall-time", 40 }, { "user-time", 30 }, { "system-time", 5 }, { "cpu-time", 34.5 },
		{ "max-rss", 1495040 }, { "page-faults", 147 }, { "major-faults", 2 }, { "voluntary-switches", 3 },
		{ "involuntary-switches", 11 },
		{ "read-calls", 21 }, { "write-calls", 22 }, { "read-bytes", 23 }, { "written-bytes", 24 },
		{ "ipc", 1.5 }, { "branch-miss-rate", 0.05 }, { "cycles-per-second", 2.5e9 },
	};
	CLEANUP(side_result_release) struct side_result s = { 0 };

	store(&s, counted_measured, all, sizeof all / sizeof all[0], 3);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_value(&s, 0, cases[i].metric, cases[i].expected);
	assert_int_equal(s.n_metrics, sizeof cases / sizeof cases[0]);
	assert_int_equal(s.runs[0].group, 3);
	assert_int_equal(s.runs[0].rows.n, 6);
	assert_string_equal(s.runs[0].rows.items[2].event, "instructions");
}

TEST(a_group_measures_what_it_counted)
{
	static const char *const first[] = { "task-clock", "cycles", "instructions" };
	static const char *const second[] = { "task-clock", "branches", "branch-misses" };
	CLEANUP(side_result_release) struct side_result s = { 0 };

	store(&s, counted_measured, first, 3, 0);
	store(&s, counted_measured, second, 3, 1);
	assert_value(&s, 0, "ipc", 1.5);
	assert_value(&s, 0, "branches", NAN);
	assert_value(&s, 0, "branch-miss-rate", NAN);
	assert_value(&s, 1, "cycles", NAN);
	assert_value(&s, 1, "ipc", NAN);
	assert_value(&s, 1, "branch-miss-rate", 0.05);
	assert_value(&s, 1, "task-clock", 20);
	assert_int_equal(s.runs[1].group, 1);
}

TEST(what_cannot_be_trusted_is_missing)
{
	static const char csv[] = "0.00;msec;task-clock;0;100.00;;\n"
				  "26543174;;cycles;18411200;53.00;0.772;GHz\n"
				  "34376532;;instructions;20131984;100.00;1.30;insn per cycle\n"
				  "0;;branches;20131984;100.00;;\n"
				  "0;;branch-misses;20131984;100.00;;\n"
				  "<not supported>;;cache-misses;0;100.00;;\n";
	CLEANUP(side_result_release) struct side_result s = { 0 };

	store(&s, csv, all, sizeof all / sizeof all[0], 0);
	assert_value(&s, 0, "cycles", NAN);
	assert_value(&s, 0, "instructions", 34376532);
	assert_value(&s, 0, "cache-misses", NAN);
	assert_value(&s, 0, "branches", 0);
	/* A column without values is absent: no ipc without cycles, no rate without branches. */
	for (size_t i = 0; i < s.n_metrics; i++) {
		assert_string_not_equal(s.metrics[i]->name, "ipc");
		assert_string_not_equal(s.metrics[i]->name, "branch-miss-rate");
		assert_string_not_equal(s.metrics[i]->name, "cycles-per-second");
	}
}

TEST(a_run_without_perf_has_the_targets_values)
{
	CLEANUP(side_result_release) struct side_result s = { 0 };

	store(&s, "", NULL, 0, 0);
	assert_value(&s, 0, "wall-time", 40);
	assert_int_equal(s.n_metrics, 13);
}

TEST(simulated_rates_are_derived_too)
{
	CLEANUP(side_result_release) struct side_result s = { 0 };
	struct run *run = side_result_add_run(&s);

	measured_set(&s, run, metric_find("sim-branches"), 1000);
	measured_set(&s, run, metric_find("sim-branch-misses"), 50);
	measured_set(&s, run, metric_find("sim-l1d-loads"), 800);
	measured_set(&s, run, metric_find("sim-l1d-misses"), 200);
	measured_derive(&s, run);
	assert_value(&s, 0, "sim-branch-miss-rate", 0.05);
	assert_value(&s, 0, "sim-l1d-miss-rate", 0.25);
	assert_int_equal(s.n_metrics, 6);
}

TEST(what_a_window_did_divides_what_it_took)
{
	static const struct { const char *metric; double expected; } cases[] = {
		{ "work", 200 }, { "throughput", 40 }, { "p99", 1.25 },
		{ "task-clock", 20 }, { "task-clock-per-work", 0.1 },
		{ "wall-time-per-work", 25 }, { "user-time-per-work", 7.5 }, { "cpu-time-per-work", 10 },
		{ "page-faults-per-work", 0.5 }, { "major-faults-per-work", 0 }, { "voluntary-switches-per-work", 2 },
		{ "instructions-per-work", 375000 }, { "branch-misses-per-work", 2000 },
		{ "cache-misses", 7 }, { "cache-misses-per-work", 0.035 }, { "ipc", 1.5 }, { "max-rss", 1495040 },
	};
	static const char *const none[] = {
		"max-rss-per-work", "ipc-per-work", "p99-per-work", "work-per-work", "throughput-per-work",
		"branch-miss-rate-per-work", "involuntary-switches-per-work", "task-clock-per-work-per-work",
	};
	CLEANUP(side_result_release) struct side_result s = { 0 };

	store_work(&s, counted_measured, all, sizeof all / sizeof all[0], 200, 1.25);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_value(&s, 0, cases[i].metric, cases[i].expected);
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
		assert_int_equal(side_result_count(&s, own_metrics_find(&s.own_metrics, none[i])), 0);
	/* The metric's own definition is already released. */
	assert_int_equal(own_metrics_find(&s.own_metrics, "p99")->unit, UNIT_MS);
	assert_int_equal(own_metrics_find(&s.own_metrics, "task-clock-per-work")->unit, UNIT_MS);
	assert_ptr_equal(own_metrics_find(&s.own_metrics, "cache-misses-per-work")->of, own_metrics_find(&s.own_metrics, "cache-misses"));
	/* 6 events, 9 of the target, 3 derived, 2 of the load, p99, and 13 normalised ones */
	assert_int_equal(s.n_metrics, 6 + 13 + 3 + 2 + 1 + 17);
}

/* If the load did not report its work, the window has no normalised values. */
TEST(unknown_work_divides_nothing)
{
	static const double unknown[] = { 0, -1, NAN };
	CLEANUP(side_result_release) struct side_result s = { 0 };

	store_work(&s, counted_measured, all, 1, 10, NAN);
	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
		store_work(&s, counted_measured, all, 1, unknown[i], 2);
	assert_value(&s, 0, "task-clock-per-work", 2);
	assert_value(&s, 0, "p99", NAN);
	for (size_t i = 1; i < 4; i++) {
		assert_value(&s, i, "task-clock", 20);
		assert_value(&s, i, "task-clock-per-work", NAN);
		assert_value(&s, i, "work", NAN);
		assert_value(&s, i, "throughput", NAN);
		assert_value(&s, i, "p99", 2);
	}
}

/* Windows at once and windows in turn do different work. A value is divided by the work of its own windows. */
TEST(a_value_is_divided_by_the_work_done_meanwhile)
{
	static const struct { const char *metric; double both_ways, at_once; } cases[] = {
		/* Measured at once: 90 units of work. */
		{ "task-clock", 20, 20 }, { "task-clock-per-work", 20 / 90.0, 20 / 90.0 },
		{ "instructions-per-work", 7.5e7 / 90, 7.5e7 / 90 }, { "cache-misses-per-work", 7 / 90.0, 7 / 90.0 },
		{ "user-time-per-work", 1500 / 90.0, 1500 / 90.0 }, { "cpu-time-per-work", 2000 / 90.0, 2000 / 90.0 },
		{ "page-faults-per-work", 100 / 90.0, 100 / 90.0 },
		/* In turn: 200. */
		{ "work", 200, 90 }, { "throughput", 50, NAN }, { "wall-time", 4000, NAN }, { "wall-time-per-work", 20, NAN },
		{ "voluntary-switches", 300, NAN }, { "voluntary-switches-per-work", 1.5, NAN }, { "involuntary-switches", 7, NAN },
		{ "p99", 3, NAN },
	};
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct metric *printed = metric_custom(&arena, "p99", "ms", false);
	const bool ways[] = { true, false };

	for (size_t way = 0; way < 2; way++) {
		CLEANUP(side_result_release) struct side_result s = { 0 };
		CLEANUP(strv_release) struct strv events = STRV_INIT;
		CLEANUP(measured_release) struct measured both = {
			.wall_ms = 5000, .user_ms = 1500, .system_ms = 500, .cpu_ms = 2000, .max_rss_bytes = 1495040,
			.page_faults = 100, .voluntary_switches = 400, .involuntary_switches = 90, .work = 90,
			.custom = xcalloc(1, sizeof *both.custom), .n_custom = 1,
		};
		CLEANUP(measured_release) struct measured in_turn = {
			.wall_ms = 4000, .user_ms = 9, .system_ms = 9, .cpu_ms = 9, .max_rss_bytes = 9, .page_faults = 9,
			.voluntary_switches = 300, .involuntary_switches = 7, .work = 200,
			.custom = xcalloc(1, sizeof *in_turn.custom), .n_custom = 1,
		};

		for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
			strv_push(&events, all[i]);
		assert_int_equal(perf_csv_parse(counted_measured, strlen(counted_measured), PERF_CSV_SEPARATOR, &both.rows, NULL), 0);
		both.custom[0] = (struct measured_custom){ printed, 8 };
		in_turn.custom[0] = (struct measured_custom){ printed, 3 };
		measured_at_once(&both, ways[way] ? &in_turn : NULL);
		measured_store(&both, &events, 0, &s);
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			double expected = ways[way] ? cases[i].both_ways : cases[i].at_once;
			const struct metric *metric = own_metrics_find(&s.own_metrics, cases[i].metric);

			if (isnan(expected))
				assert_int_equal(side_result_count(&s, metric), 0);
			else
				assert_value(&s, 0, cases[i].metric, expected);
		}
		assert_true(s.runs[0].both_ms == 5000);
	}
}

/*
 * In a window, growth is the memory added from start to end, also per unit of work. Memory given back is growth 0.
 * Commands have no growth.
 */
TEST(memory_grows_from_edge_to_edge)
{
	static const struct { double before, after, work, growth, per_work; } cases[] = {
		{ 1e6, 3e6, 0, 2e6, NAN }, { 1e6, 3e6, 1000, 2e6, 2000 }, { 3e6, 1e6, 1000, 0, 0 }, { 1e6, 1e6, 0, 0, NAN },
		{ 0, 0, 0, NAN, NAN }, { NAN, 1e6, 10, NAN, NAN }, { 1e6, NAN, 10, NAN, NAN },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(side_result_release) struct side_result s = { 0 };
		const struct strv none = STRV_INIT;
		const struct metric *metric = METRIC(RSS_GROWTH);
		struct measured m = {
			.wall_ms = 1000, .resident_before_bytes = cases[i].before, .resident_bytes = cases[i].after, .work = cases[i].work,
		};

		measured_store(&m, &none, 0, &s);
		assert_int_equal(side_result_count(&s, metric), !isnan(cases[i].growth));
		assert_int_equal(side_result_count(&s, metric->normalised), !isnan(cases[i].per_work));
		if (!isnan(cases[i].growth))
			assert_value(&s, 0, "rss-growth", cases[i].growth);
		if (!isnan(cases[i].per_work))
			assert_value(&s, 0, "rss-growth-per-work", cases[i].per_work);
	}
}

/* If perf and the kernel differ by more than either is known to miss, the run is not measured. */
TEST(perf_and_the_kernel_agree_or_the_run_is_not_measured)
{
	static const struct { double clock_ms, kernel_ms, slack_ms, stolen_ms; bool dropped, unwaited; } cases[] = {
		{ 100, 100, 5, 0, false, false },
		/* A program that forks thirty times with 100 MB; a run with much steal time. */
		{ 163, 314, 5, 0, false, false }, { 300, 100, 5, 10, false, true }, { 300, 100, 5, 100, false, false },
		/* Short runs differ by whole multiples. */
		{ 0.2, 5, 5, 0, false, false }, { 5, 0.2, 5, 0, false, false }, { 3, 152, 5, 0, true, false },
		{ 0, 152, 5, 0, true, false }, { 3, 152, 100, 0, false, false }, { 152, 3, 5, 0, false, true },
		{ 1e6, 3, 5, INFINITY, false, false }, { NAN, 152, 5, 0, false, false }, { 3, NAN, 5, 0, false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(measured_release) struct measured m = { .cpu_ms = 152, .user_ms = 100, .page_faults = 7, .wall_ms = 200 };
		char csv[64];

		snprintf(csv, sizeof csv, isnan(cases[i].clock_ms) ? "1;;page-faults;1;100.00;;\n" :
			 "%g;msec;task-clock;1000000;100.00;;\n", cases[i].clock_ms);
		assert_int_equal(perf_csv_parse(csv, strlen(csv), PERF_CSV_SEPARATOR, &m.rows, NULL), 0);
		measured_check(&m, cases[i].kernel_ms, cases[i].slack_ms, cases[i].stolen_ms);
		if (!m.dropped != !cases[i].dropped || m.unwaited != cases[i].unwaited || isnan(m.cpu_ms) != m.unwaited ||
		    isnan(m.page_faults) != m.unwaited || isnan(m.wall_ms))
			fail_msg("case %zu: %s", i, m.dropped ?: "not dropped");
	}
}

/* -------- Runs as one: of a batch, and of groups of events. */

enum { MOST = 4 };

static void parse_rows(const char *csv, struct measured *out)
{
	struct error err = ERROR_INIT;

	MUST(perf_csv_parse(csv, strlen(csv), PERF_CSV_SEPARATOR, &out->rows, &err));
}

static void assert_near(const char *what, double found, double expected)
{
	if (isnan(expected) ? !isnan(found) : !(fabs(found - expected) <= 1e-12 * fabs(expected)))
		fail_msg("%s: expected %.17g, found %.17g", what, expected, found);
}

/* -------- a batch */

TEST(members_are_means_but_for_the_peak)
{
	struct measured runs[] = {
		{ .wall_ms = 10, .user_ms = 4, .system_ms = 1, .cpu_ms = 5, .max_rss_bytes = 700, .page_faults = 100,
		  .major_faults = 0, .voluntary_switches = 3, .involuntary_switches = 1, .work = 20, .io.read_calls = 1,
		  .resident_before_bytes = 1000, .resident_bytes = 1300 },
		{ .wall_ms = 20, .user_ms = 5, .system_ms = 2, .cpu_ms = 7, .max_rss_bytes = 900, .page_faults = 110,
		  .major_faults = 3, .voluntary_switches = 3, .involuntary_switches = NAN, .work = 22, .hasty = true, .io.read_calls = 2,
		  .resident_before_bytes = 1300, .resident_bytes = 1100 },
		{ .wall_ms = 60, .user_ms = 6, .system_ms = 3, .cpu_ms = 9, .max_rss_bytes = 800, .page_faults = 120,
		  .major_faults = 0, .voluntary_switches = 6, .involuntary_switches = 1, .work = 24, .io.read_calls = 6,
		  .resident_before_bytes = 1100, .resident_bytes = 1500 },
	};
	struct measured mean;

	measured_mean(runs, 3, &mean);
	assert_near("wall_ms", mean.wall_ms, 30);
	assert_near("user_ms", mean.user_ms, 5);
	assert_near("system_ms", mean.system_ms, 2);
	assert_near("cpu_ms", mean.cpu_ms, 7);
	assert_near("max_rss_bytes", mean.max_rss_bytes, 900);
	/* A fall in one window reduces the growth of the others. */
	assert_near("growth", mean.resident_bytes - mean.resident_before_bytes, 500.0 / 3);
	assert_near("page_faults", mean.page_faults, 110);
	assert_near("major_faults", mean.major_faults, 1);
	assert_near("voluntary_switches", mean.voluntary_switches, 4);
	assert_near("involuntary_switches", mean.involuntary_switches, NAN);
	assert_near("work", mean.work, 22);
	assert_near("read_calls", mean.io.read_calls, 3);
	assert_true(mean.hasty);
	measured_release(&mean);

	/* One unmeasured peak makes the largest peak unknown, whatever its position. */
	for (size_t i = 0; i < 3; i++) {
		double kept = runs[i].max_rss_bytes;

		runs[i].max_rss_bytes = NAN;
		measured_mean(runs, 3, &mean);
		assert_near("max_rss_bytes", mean.max_rss_bytes, NAN);
		measured_release(&mean);
		runs[i].max_rss_bytes = kept;
	}
}

TEST(rows_are_means_of_what_all_counted)
{
	static const struct { const char *csv[MOST]; const char *event; double value; enum missing why; } cases[] = {
		{ { "10;;cycles;100;100.00\n" }, "cycles", 10, MISSING_NOT },
		{ { "10;;cycles;100;100.00\n", "20;;cycles;200;100.00\n", "60;;cycles;300;100.00\n" }, "cycles", 30, MISSING_NOT },
		{ { "10;;cycles:u;100;100.00\n", "20;;cycles:u;200;100.00\n" }, "cycles", 15, MISSING_NOT },
		{ { "1.5;msec;task-clock;100;100.00\n7;;cycles;1;100.00\n", "2.5;msec;task-clock;200;100.00\n9;;cycles;1;100.00\n" },
		  "cycles", 8, MISSING_NOT },
		/* perf may omit a row, which shifts the rows after it */
		{ { "7;;cycles;1;100.00\n5;;faults;1;100.00\n", "7;;faults;1;100.00\n9;;cycles;1;100.00\n" }, "cycles", 8, MISSING_NOT },
		{ { "10;;cycles;100;100.00\n", "20;;cycles;100;70.00\n" }, "cycles", NAN, MISSING_MULTIPLEXED },
		{ { "10;;cycles;100;100.00\n", "<not counted>;;cycles;0;0.00\n" }, "cycles", NAN, MISSING_NOT_COUNTED },
		{ { "<not counted>;;cycles;0;0.00\n", "10;;cycles;100;100.00\n" }, "cycles", NAN, MISSING_NOT_COUNTED },
		{ { "<not supported>;;cycles;0;0.00\n", "<not supported>;;cycles;0;0.00\n" }, "cycles", NAN, MISSING_UNSUPPORTED },
		{ { "10;;cycles;100;100.00\n", "20;;faults;100;100.00\n" }, "cycles", NAN, MISSING_NOT_COUNTED },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct measured runs[MOST] = { 0 }, mean;
		enum missing why;
		size_t n = 0;

		for (; n < MOST && cases[i].csv[n]; n++)
			parse_rows(cases[i].csv[n], &runs[n]);
		measured_mean(runs, n, &mean);
		assert_near(cases[i].csv[0], perf_rows_value(&mean.rows, cases[i].event, &why), cases[i].value);
		assert_int_equal(why, cases[i].why);
		for (size_t k = 0; k < n; k++)
			measured_release(&runs[k]);
		measured_release(&mean);
	}
}

TEST(custom_metrics_are_means_of_those_printed)
{
	static const struct { double values[MOST]; size_t n; double mean; } cases[] = {
		{ { 3 }, 1, 3 }, { { 3, 4, 8 }, 3, 5 }, { { 3, NAN, 8 }, 3, 5.5 }, { { NAN, NAN }, 2, NAN }, { { NAN, 2 }, 2, 2 },
	};
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct metric *printed = metric_custom(&arena, "p99", "ms", false);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct measured runs[MOST] = { 0 }, mean;

		for (size_t k = 0; k < cases[i].n; k++) {
			runs[k].custom = xcalloc(1, sizeof *runs[k].custom);
			runs[k].custom[0] = (struct measured_custom){ printed, cases[i].values[k] };
			runs[k].n_custom = 1;
		}
		measured_mean(runs, cases[i].n, &mean);
		assert_int_equal(mean.n_custom, 1);
		assert_ptr_equal(mean.custom[0].metric, printed);
		assert_near("p99", mean.custom[0].value, cases[i].mean);
		for (size_t k = 0; k < cases[i].n; k++)
			measured_release(&runs[k]);
		measured_release(&mean);
	}
}

/* -------- groups of events */

static void store_measured_mean(struct side_result *result, const char *csv, const char *event, double wall_ms, double rss)
{
	CLEANUP(strv_release) struct strv events = STRV_INIT;
	CLEANUP(measured_release) struct measured measured = { .wall_ms = wall_ms, .max_rss_bytes = rss };

	strv_push(&events, "task-clock");
	strv_push(&events, event);
	parse_rows(csv, &measured);
	measured_store(&measured, &events, 0, result);
}

static double value_of_measured_mean(const struct side_result *result, const char *metric)
{
	return side_result_median(result, metric_find(metric));
}

TEST(groups_become_one_run)
{
	CLEANUP(side_result_release) struct side_result result = { 0 };

	store_measured_mean(&result, "5;msec;task-clock;1;100.00\n1;;faults;1;100.00\n", "faults", 1, 1);
	store_measured_mean(&result, "10;msec;task-clock;1;100.00\n30;;cycles;1;100.00\n", "cycles", 10, 800);
	store_measured_mean(&result, "20;msec;task-clock;1;100.00\n50;;branches;1;100.00\n", "branches", 30, 700);
	measured_fold(&result, 2);
	assert_int_equal(result.n_runs, 2);
	assert_near("task-clock", result.runs[0].values[side_result_column(&result, metric_find("task-clock"))], 5);
	assert_near("task-clock", result.runs[1].values[side_result_column(&result, metric_find("task-clock"))], 15);
	assert_near("wall-time", result.runs[1].values[side_result_column(&result, metric_find("wall-time"))], 20);
	assert_near("max-rss", result.runs[1].values[side_result_column(&result, metric_find("max-rss"))], 800);
	assert_near("cycles", value_of_measured_mean(&result, "cycles"), 30);
	assert_near("branches", value_of_measured_mean(&result, "branches"), 50);
	assert_int_equal(result.runs[1].rows.n, 4);
	assert_string_equal(result.runs[1].rows.items[3].event, "branches");
	/* A single run is unchanged. */
	measured_fold(&result, 1);
	assert_int_equal(result.n_runs, 2);
	assert_near("cycles", value_of_measured_mean(&result, "cycles"), 30);
}
