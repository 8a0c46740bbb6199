#include "unit.h"

#include <ctype.h>

#include "model/metrics/metric.h"
#include "model/result.h"

/* -------- The catalogue: it names only existing metrics, and its defaults are the documented ones. */

TEST(names_are_found_once)
{
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *m = &metric_catalogue[i];

		if (metric_find(m->name) != m)
			fail_msg("%s is not found, or another one is", m->name);
		assert_true(m->help && isalpha((unsigned char)*m->help));
	}
	assert_null(metric_find(""));
	assert_null(metric_find("Task-Clock"));
	assert_null(metric_find("task-cloc"));
}

TEST(parts_and_simulated_metrics_fit)
{
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *m = &metric_catalogue[i];
		const struct metric *simulated = m->simulated;

		assert_int_equal(!m->numerator, !m->denominator);
		assert_ptr_equal(metric_find(m->name), m);
		if (m->source == SOURCE_DERIVED)
			assert_non_null(m->numerator);
		if (!simulated)
			continue;
		assert_int_equal(simulated->source, SOURCE_SIMULATED);
		assert_int_equal(simulated->unit, m->unit);
		assert_int_equal(simulated->higher_is_better, m->higher_is_better);
		assert_memory_equal(simulated->name, "sim-", 4);
	}
}

TEST(only_what_no_cpu_model_changes_is_portable)
{
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *m = &metric_catalogue[i];
		bool counted_anywhere = !strcmp(m->name, "page-faults") || !strcmp(m->name, "voluntary-switches");
		bool of_heap = strstr(m->name, "allocations") || text_starts(m->name, "heap-");

		bool of_kernel = m->source == SOURCE_CALLS || m->source == SOURCE_FILE || text_starts(m->name, "read-") ||
				 text_starts(m->name, "write-") || text_starts(m->name, "written-");

		assert_int_equal(m->portable, m->source == SOURCE_SIMULATED || counted_anywhere || of_heap || of_kernel);
	}
}

TEST(defaults_are_the_documented_ones)
{
	static const struct { const char *name; enum metric_kind kind; double stored, paired, least; } cases[] = {
		{ "task-clock", KIND_TIME, 25, 3, 0 }, { "wall-time", KIND_TIME, 0, 0, 0 },
		{ "user-time", KIND_TIME, 0, 0, 0 }, { "system-time", KIND_TIME, 0, 0, 0 },
		{ "cycles", KIND_TIME, 25, 3, 0 },
		{ "instructions", KIND_COUNT, 0.5, 0.5, 0 },
		{ "branches", KIND_COUNT, 0.5, 0.5, 0 },
		{ "sim-instructions", KIND_COUNT, 0.5, 0.5, 0 },
		{ "max-rss", KIND_SIZE, 5, 5, 262144 },
		{ "rss-growth", KIND_SIZE, 25, 25, 262144 },
		{ "page-faults", KIND_COUNT, 1, 1, 10 },
		{ "voluntary-switches", KIND_COUNT, 20, 20, 10 },
		{ "ipc", KIND_RATE, 10, 3, 0 }, { "read-calls", KIND_COUNT, 1, 1, 10 },
		{ "write-calls", KIND_COUNT, 1, 1, 10 },
		{ "read-bytes", KIND_COUNT, 1, 1, 1024 },
		{ "written-bytes", KIND_COUNT, 1, 1, 1024 },
		{ "system-calls", KIND_COUNT, 1, 1, 10 },
		{ "processes", KIND_COUNT, 1, 1, 10 }, { "text-size", KIND_SIZE, 1, 1, 1024 },
		{ "work", KIND_COUNT, 0, 0, 0 }, { "throughput", KIND_TIME, 25, 3, 0 },
		{ "branch-miss-rate", KIND_RATE, 20, 10, 0.001 },
		{ "l1d-miss-rate", KIND_RATE, 20, 10, 0.001 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct metric *m = metric_find(cases[i].name);

		if (m->kind != cases[i].kind || m->stored_tolerance_pct != cases[i].stored ||
		    m->paired_tolerance_pct != cases[i].paired || m->least != cases[i].least)
			fail_msg("%s: stored %g, paired %g, least %g", m->name, m->stored_tolerance_pct,
				 m->paired_tolerance_pct, m->least);
	}
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const char *name = metric_catalogue[i].name;

		assert_int_equal(metric_catalogue[i].higher_is_better,
				 !strcmp(name, "ipc") || !strcmp(name, "cycles-per-second") ||
				 !strcmp(name, "work") || !strcmp(name, "throughput"));
	}
}

TEST(events_are_what_perf_must_count)
{
	static const struct { const char *name; size_t n; const char *first, *second; } cases[] = {
		{ "task-clock", 1, "task-clock", NULL }, { "ipc", 2, "instructions", "cycles" },
		{ "l1d-miss-rate", 2, "L1-dcache-load-misses", "L1-dcache-loads" },
		{ "cycles-per-second", 2, "cycles", "task-clock" },
		{ "page-faults", 0, NULL, NULL }, { "wall-time", 0, NULL, NULL },
		{ "sim-branch-miss-rate", 0, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *events[2] = { NULL, NULL };

		assert_int_equal(metric_events(metric_find(cases[i].name), events), cases[i].n);
		if (cases[i].n > 0)
			assert_string_equal(events[0], cases[i].first);
		if (cases[i].n > 1)
			assert_string_equal(events[1], cases[i].second);
	}
}

TEST(an_event_is_a_metric_of_its_own)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct metric *m = metric_event(&arena, "cpu/event=0x3c/");
	const char *events[2];

	assert_string_equal(m->name, "cpu/event=0x3c/");
	assert_int_equal(metric_events(m, events), 1);
	assert_string_equal(events[0], m->name);
	assert_false(m->portable || m->higher_is_better);
	assert_true(m->stored_tolerance_pct == 0);
}

TEST(a_printed_unit_says_what_it_is)
{
	static const struct {
		const char *word; enum metric_unit unit; enum metric_kind kind; double factor;
	} cases[] = {
		{ "ns", UNIT_MS, KIND_TIME, 1e-6 }, { "us", UNIT_MS, KIND_TIME, 1e-3 }, { "ms", UNIT_MS, KIND_TIME, 1 },
		{ "s", UNIT_MS, KIND_TIME, 1000 },
		{ "B", UNIT_BYTES, KIND_SIZE, 1 }, { "KiB", UNIT_BYTES, KIND_SIZE, 1024 },
		{ "MiB", UNIT_BYTES, KIND_SIZE, 1048576 }, { "GiB", UNIT_BYTES, KIND_SIZE, 1073741824 },
		{ "%", UNIT_FRACTION, KIND_TIME, 0.01 }, { "count", UNIT_COUNT, KIND_COUNT, 1 },
		{ "req/s", UNIT_RATIO, KIND_TIME, 1 }, { "MS", UNIT_RATIO, KIND_TIME, 1 },
		{ NULL, UNIT_RATIO, KIND_TIME, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(arena_release) struct arena arena = ARENA_INIT;
		struct arena first = ARENA_INIT;
		const struct metric *copy = metric_copy(&arena, metric_custom(&first, "p99", cases[i].word, i % 2));
		const char *events[2];

		arena_release(&first);
		assert_string_equal(copy->name, "p99");
		if (cases[i].word)
			assert_string_equal(copy->label, cases[i].word);
		else
			assert_null(copy->label);
		assert_int_equal(copy->unit, cases[i].unit);
		assert_int_equal(copy->kind, cases[i].kind);
		assert_int_equal(copy->source, SOURCE_CUSTOM);
		assert_int_equal(copy->higher_is_better, i % 2);
		assert_true(copy->factor == cases[i].factor && copy->stored_tolerance_pct == 0 && !copy->portable);
		assert_int_equal(metric_events(copy, events), 0);
	}
}

TEST(units_are_short_words)
{
	static const struct { const char *unit; bool valid; } cases[] = {
		{ "req/s", true }, { "%", true }, { "\xc2\xb5s", true }, { "12345678901234567890123456789012", true },
		{ "", false }, { "req / s", false }, { "a\tb", false }, { "\x1b[2J", false }, { "\x7f", false },
		{ "\xff", false }, { "123456789012345678901234567890123", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (metric_unit_valid(cases[i].unit) != cases[i].valid)
			fail_msg("'%s'", cases[i].unit);
}

TEST(rounding_keeps_what_a_metric_can_know)
{
	static const struct { const char *metric; double value, rounded; } rows[] = {
		/* A clock counts nanoseconds, whatever the number of digits. */
		{ "wall-time", 123456.78901249999, 123456.789012 },
		{ "task-clock", 1.0000004, 1 }, { "task-clock", 0.0000001, 0.0000001 },
		{ "user-time", 0.33333333333333331, 0.333333 },
		/* A count is an integer. The mean of several runs is no more exact than its parts. */
		{ "instructions", 1040123456789, 1040123456789 },
		{ "page-faults", 1204.3333333333333, 1204.33 },
		{ "instructions", 1040123456.3333334, 1040123456 },
		{ "max-rss", 13533184, 13533184 }, { "page-faults", 0, 0 },
		/* Quotients and rates of a load. */
		{ "branch-miss-rate", 0.14285714285714285, 0.142857 },
		{ "ipc", 1.3333333333333333, 1.33333 },
		{ "throughput", 159597.08553888925, 159597 },
		{ "cycles-per-second", 2600123456.789, 2600123457 },
		{ "sim-l1d-miss-rate", 6.666666666666667e-06, 6.66667e-06 },
		/* Extreme magnitudes. */
		{ "work", 1e300, 1e300 }, { "ipc", 1e-300, 1e-300 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct metric *metric = metric_find(rows[i].metric);
		double once = metric_round(metric, rows[i].value);

		if (once != rows[i].rounded || metric_round(metric, once) != once)
			fail_msg("%s %.17g becomes %.17g", rows[i].metric, rows[i].value, once);
	}
	assert_true(isnan(metric_round(metric_find("ipc"), NAN)));
	assert_true(isinf(metric_round(metric_find("ipc"), INFINITY)));
}

TEST(counts_are_seen_in_one_run)
{
	static const struct { const char *name; bool counted, repeats; } cases[] = {
		{ "instructions", true, false }, { "sim-instructions", true, true }, { "page-faults", true, false },
		{ "page-faults-per-work", true, false }, { "allocations", true, true }, { "heap-peak", true, true },
		{ "system-calls", true, true }, { "system-calls:openat", true, true }, { "file-size", true, true },
		{ "read-bytes", true, false }, { "task-clock", false, false }, { "max-rss", false, false },
		{ "voluntary-switches", false, false }, { "branch-misses", false, false }, { "work", false, false },
		{ "cache-misses", false, false },
	};
	CLEANUP(own_metrics_release) struct own_metrics own = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct metric *m = own_metrics_find(&own, cases[i].name);

		if (metric_counted(m) != cases[i].counted || metric_repeats(m) != cases[i].repeats)
			fail_msg("%s", cases[i].name);
	}
}

TEST(system_calls_have_known_names)
{
	static const struct { const char *name; bool known; const char *near; } cases[] = {
		{ "system-calls:openat", true, "openat" }, { "system-calls:opennat", false, "openat" },
		{ "system-calls:wirte", false, "write" }, { "system-calls:", false, NULL }, { "system-calls:xyzzyxyzzy", false, NULL },
		{ "openat", false, NULL }, { "system-calls:openat-per-work", false, NULL },
	};
	CLEANUP(own_metrics_release) struct own_metrics own = { 0 };
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct metric *m = metric_call(&arena, cases[i].name);

		if ((m != NULL) != cases[i].known)
			fail_msg("%s", cases[i].name);
		if (cases[i].near)
			assert_string_equal(metric_call_near(cases[i].name), cases[i].near);
		if (m) {
			assert_string_equal(m->name, cases[i].name);
			assert_int_equal(metric_copy(&arena, m)->source, SOURCE_CALLS);
			assert_ptr_equal(own_metrics_find(&own, cases[i].name), own_metrics_add(&own, m));
			assert_string_equal(metric_name_taken(m->name), "how pawl counts system calls");
		}
	}
}

TEST(per_unit_of_work_no_nanosecond_is_the_least)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct metric *normalised = METRIC(TASK_CLOCK)->normalised;
	const struct metric *custom = metric_custom(&arena, "p99", "us", false);

	assert_true(metric_round(normalised, 0.0000123456789) == 0.0000123457);
	assert_true(metric_round(normalised, 12.3456789012) == 12.3457);
	assert_true(metric_round(custom, 127 * custom->factor) == 0.127);
}

TEST(what_grows_with_the_work_is_normalised)
{
	static const char *const growing[] = {
		"task-clock", "wall-time", "user-time", "system-time", "cpu-time", "cycles", "instructions", "branches",
		"branch-misses", "L1-dcache-loads", "L1-dcache-load-misses", "rss-growth", "page-faults", "major-faults",
		"voluntary-switches", "involuntary-switches", "read-calls", "write-calls", "read-bytes", "written-bytes",
	};
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct metric *event = metric_event(&arena, "cache-misses");
	size_t found = 0;

	for (size_t i = 0; i < metric_catalogue_size; i++)
		found += metric_catalogue[i].normalised != NULL;
	assert_int_equal(found, sizeof growing / sizeof growing[0]);
	for (size_t i = 0; i <= found; i++) {
		const struct metric *m = i < found ? metric_find(growing[i]) : event, *normalised = m->normalised;
		const char *events[2];

		assert_memory_equal(normalised->name, m->name, strlen(m->name));
		assert_string_equal(normalised->name + strlen(m->name), "-per-work");
		assert_ptr_equal(normalised->of, m);
		assert_true(normalised->unit == m->unit && normalised->kind == m->kind);
		assert_true(normalised->portable == m->portable && normalised->waits == m->waits);
		assert_true(!m->of && !normalised->normalised);
		assert_int_equal(metric_events(normalised, events), 0);
	}
	assert_null(metric_custom(&arena, "p99", "ms", false)->normalised);
}

/* -------- Metrics from a baseline's settings: units of custom metrics, and the load's unit of work. */

TEST(what_is_extracted_is_known)
{
	CLEANUP(baseline_release) struct baseline b = { 0 };
	const struct metric *metric;

	assert_string_equal(baseline_work_unit(&b), "unit of work");
	settings_extract(&b.arena, &b.settings, "work", "request", "did ([0-9]+) higher", EXTRACTED_COUNT);
	settings_extract(&b.arena, &b.settings, "p99", "us", "p99  ([0-9.]+) higher", EXTRACTED_LOWER);
	settings_extract(&b.arena, &b.settings, "rate", "req/s", "a.b c", EXTRACTED_HIGHER);
	settings_extract(&b.arena, &b.settings, "plain", NULL, "x", EXTRACTED_HIGHER);
	baseline_define_metrics(&b);
	assert_string_equal(baseline_work_unit(&b), "request");
	assert_int_equal(b.own_metrics.n, 3);
	metric = own_metrics_find(&b.own_metrics, "p99");
	assert_int_equal(metric->source, SOURCE_CUSTOM);
	assert_int_equal(metric->unit, UNIT_MS);
	assert_false(metric->higher_is_better);
	metric = own_metrics_find(&b.own_metrics, "rate");
	assert_string_equal(metric->label, "req/s");
	assert_true(metric->higher_is_better);
	metric = own_metrics_find(&b.own_metrics, "plain");
	assert_int_equal(metric->source, SOURCE_CUSTOM);
	assert_null(metric->label);
	assert_int_equal(own_metrics_find(&b.own_metrics, "task-clock-per-work")->unit, UNIT_MS);
	assert_int_equal(b.own_metrics.n, 3);
}
