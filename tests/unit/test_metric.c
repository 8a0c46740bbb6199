/* The catalogue: it names only what exists, and its defaults are the documented ones. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <string.h>

#include "model/metric.h"

static void names_and_aliases_are_found_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *m = &metric_catalogue[i];

		if (metric_find(m->name) != m || (m->alias && metric_find(m->alias) != m))
			fail_msg("%s is not found, or another one is", m->name);
		assert_true(m->help && isalpha((unsigned char)*m->help));
	}
	assert_null(metric_find(""));
	assert_null(metric_find("Task-Clock"));
	assert_null(metric_find("task-cloc"));
}

static void parts_and_twins_exist(void **state)
{
	(void)state;
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *m = &metric_catalogue[i];
		const struct metric *twin = m->simulated ? metric_find(m->simulated) : NULL;

		assert_int_equal(!m->numerator, !m->denominator);
		if (m->source == SOURCE_DERIVED)
			assert_non_null(m->numerator);
		if (m->numerator) {
			assert_non_null(metric_find(m->numerator));
			assert_non_null(metric_find(m->denominator));
		}
		if (!m->simulated)
			continue;
		assert_non_null(twin);
		assert_int_equal(twin->source, SOURCE_SIMULATED);
		assert_int_equal(twin->unit, m->unit);
		assert_int_equal(twin->higher_is_better, m->higher_is_better);
	}
}

static void only_what_no_cpu_model_changes_is_portable(void **state)
{
	(void)state;
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *m = &metric_catalogue[i];
		bool counted_anywhere = !strcmp(m->name, "page-faults") || !strcmp(m->name, "voluntary-switches");

		assert_int_equal(m->portable, m->source == SOURCE_SIMULATED || counted_anywhere);
	}
}

static void defaults_are_the_documented_ones(void **state)
{
	static const struct {
		const char *name;
		enum metric_kind kind;
		double stored, paired, least;
	} cases[] = {
		{ "task-clock", KIND_TIME, 25, 3, 0 },
		{ "wall-time", KIND_TIME, 0, 0, 0 },
		{ "user-time", KIND_TIME, 0, 0, 0 },
		{ "system-time", KIND_TIME, 0, 0, 0 },
		{ "cycles", KIND_TIME, 25, 3, 0 },
		{ "instructions", KIND_COUNT, 0.5, 0.5, 0 },
		{ "branches", KIND_COUNT, 0.5, 0.5, 0 },
		{ "sim-instructions", KIND_COUNT, 0.5, 0.5, 0 },
		{ "page-faults", KIND_COUNT, 1, 1, 10 },
		{ "voluntary-switches", KIND_COUNT, 20, 20, 10 },
		{ "ipc", KIND_RATE, 10, 3, 0 },
		{ "branch-miss-rate", KIND_RATE, 20, 10, 0.001 },
		{ "l1d-miss-rate", KIND_RATE, 20, 10, 0.001 },
	};

	(void)state;
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
				 !strcmp(name, "ipc") || !strcmp(name, "cycles-per-second"));
	}
}

static void events_are_what_perf_must_count(void **state)
{
	static const struct {
		const char *name;
		size_t n;
		const char *first, *second;
	} cases[] = {
		{ "task-clock", 1, "task-clock", NULL },
		{ "cpu-cycles", 1, "cycles", NULL },
		{ "ipc", 2, "instructions", "cycles" },
		{ "l1d-miss-rate", 2, "L1-dcache-load-misses", "L1-dcache-loads" },
		{ "cycles-per-second", 2, "cycles", "task-clock" },
		{ "page-faults", 0, NULL, NULL },
		{ "wall", 0, NULL, NULL },
		{ "sim-branch-miss-rate", 0, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *events[2] = { NULL, NULL };

		assert_int_equal(metric_events(metric_find(cases[i].name), events), cases[i].n);
		if (cases[i].n > 0)
			assert_string_equal(events[0], cases[i].first);
		if (cases[i].n > 1)
			assert_string_equal(events[1], cases[i].second);
	}
}

static void an_event_is_a_metric_of_its_own(void **state)
{
	struct metric *m = metric_new_event("cpu/event=0x3c/");
	const char *events[2];

	(void)state;
	assert_string_equal(m->name, "cpu/event=0x3c/");
	assert_int_equal(metric_events(m, events), 1);
	assert_string_equal(events[0], m->name);
	assert_false(m->portable || m->higher_is_better);
	assert_true(m->stored_tolerance_pct == 0);
	metric_free_event(m);
	metric_free_event(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_aliases_are_found_once),
		cmocka_unit_test(parts_and_twins_exist),
		cmocka_unit_test(only_what_no_cpu_model_changes_is_portable),
		cmocka_unit_test(defaults_are_the_documented_ones),
		cmocka_unit_test(events_are_what_perf_must_count),
		cmocka_unit_test(an_event_is_a_metric_of_its_own),
	};

	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
