#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/mem.h"
#include "model/baseline.h"

/* -------- A baseline's sessions and values, and which settings differ. */

static void add_session(struct baseline *baseline, const char *date, const char *metric, double value)
{
	struct baseline_session session = { .date = xstrdup(date), .reason = xstrdup("because") };

	series_add(&session.series, own_metrics_find(&baseline->own_metrics, metric), value);
	baseline_add_session(baseline, &session);
	assert_null(session.date);
	assert_int_equal(session.series.n, 0);
}

static void ten_sessions_are_kept(void **state)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(free_ptr) double *values = NULL;
	size_t n;

	(void)state;
	for (int i = 1; i <= 13; i++) {
		CLEANUP(strv_release) struct strv date = STRV_INIT;

		strv_pushf(&date, "day %d", i);
		add_session(&baseline, date.items[0], "task-clock", i);
		assert_int_equal(baseline.n_sessions, i < 10 ? i : 10);
	}
	assert_string_equal(baseline.sessions[0].date, "day 4");
	assert_string_equal(baseline.sessions[9].date, "day 13");
	values = baseline_values(&baseline, metric_find("task-clock"), &n);
	assert_int_equal(n, 10);
	assert_true(values[0] == 4 && values[9] == 13);
}

static void values_span_the_sessions_that_have_any(void **state)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(free_ptr) double *values = NULL;
	size_t n = 99;

	(void)state;
	assert_null(baseline_values(&baseline, metric_find("ipc"), &n));
	assert_int_equal(n, 0);
	add_session(&baseline, "1", "ipc", 1);
	series_add(&baseline.sessions[0].series, metric_find("ipc"), 2);
	add_session(&baseline, "2", "other", 7);
	add_session(&baseline, "3", "ipc", NAN);
	add_session(&baseline, "4", "ipc", 3);
	values = baseline_values(&baseline, metric_find("ipc"), &n);
	assert_int_equal(n, 3);
	assert_true(values[0] == 1 && values[1] == 2 && values[2] == 3);
	assert_null(baseline_values(&baseline, METRIC(CYCLES), &n));
	assert_int_equal(n, 0);
}

static void one_measurement_is_one_session(void **state)
{
	static const struct {
		const char *a, *a_date;
		double a_value;
		const char *b, *b_date;
		double b_value;
		bool same;
	} rows[] = {
		{ "1", "noon", 2, "1", "noon", 2, true },
		{ "1", "noon", 2, "2", "noon", 2, false },
		/* Wherever it was copied to, and whatever became of it there. */
		{ "1", "noon", 2, "1", "later", 3, true },
		/* One without a name is known by its second and its values. */
		{ NULL, "noon", 2, "1", "noon", 2, true },
		{ NULL, "noon", 2, NULL, "noon", 2, true },
		{ NULL, "noon", 2, NULL, "noon", 3, false },
		{ NULL, "noon", 2, NULL, "later", 2, false },
		{ "1", "noon", 2, NULL, "later", 2, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(baseline_session_release) struct baseline_session a = { .measurement = xstrdup(rows[i].a), .date = xstrdup(rows[i].a_date) };
		CLEANUP(baseline_session_release) struct baseline_session b = { .measurement = xstrdup(rows[i].b), .date = xstrdup(rows[i].b_date) };

		series_add(&a.series, metric_find("ipc"), rows[i].a_value);
		series_add(&b.series, metric_find("ipc"), rows[i].b_value);
		if (baseline_same_measurement(&a, &b) != rows[i].same || baseline_same_measurement(&b, &a) != rows[i].same)
			fail_msg("row %zu", i);
	}
}

static void a_measurement_is_found_among_the_sessions(void **state)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(baseline_session_release) struct baseline_session one = { .date = xstrdup("2") };

	(void)state;
	add_session(&baseline, "1", "ipc", 1.23456789);
	add_session(&baseline, "2", "ipc", 1.23456789);
	series_add(&one.series, metric_find("ipc"), 1.23457);
	assert_ptr_equal(baseline_find_measurement(&baseline, &one), &baseline.sessions[1]);
	series_add(&one.series, metric_find("ipc"), 1.23457);
	assert_null(baseline_find_measurement(&baseline, &one));
}

static void fill(struct settings *s)
{
	strv_push(&s->command, "./prog");
	s->setup = xstrdup("make");
	s->prepare = xstrdup("sync");
	strv_push(&s->environment, "LANG=C");
	strv_push(&s->events, "cache-misses");
	s->cpus = xstrdup("1");
	s->aslr_off = true;
	strv_push(&s->services, "redis: redis-server");
	s->load = xstrdup("redis-benchmark");
	settings_extract(s, "p99", "ms", "p99=([0-9.]+)", EXTRACTED_LOWER);
	s->window_s = 5;
}

static void replace(char **text, const char *with)
{
	free(*text);
	*text = xstrdup(with);
}

static void change_command(struct settings *s) { strv_push(&s->command, "--fast"); }
static void change_setup(struct settings *s) { replace(&s->setup, "make -j"); }
static void drop_setup(struct settings *s) { replace(&s->setup, NULL); }
static void change_prepare(struct settings *s) { replace(&s->prepare, ""); }
static void drop_prepare(struct settings *s) { replace(&s->prepare, NULL); }
static void change_environment(struct settings *s) { strv_push(&s->environment, "A=1"); }
static void drop_environment(struct settings *s) { strv_release(&s->environment); }
static void change_events(struct settings *s) { strv_push(&s->events, "bus-cycles"); }
static void change_cpus(struct settings *s) { replace(&s->cpus, "2"); }
static void drop_cpus(struct settings *s) { replace(&s->cpus, NULL); }
static void change_aslr(struct settings *s) { s->aslr_off = false; }
static void change_services(struct settings *s) { strv_push(&s->services, "web: nginx"); }
static void change_load(struct settings *s) { replace(&s->load, "wrk"); }
static void drop_load(struct settings *s) { replace(&s->load, NULL); }
static void change_metrics(struct settings *s) { s->extracted[0].as = EXTRACTED_HIGHER; }
static void change_unit(struct settings *s) { replace(&s->extracted[0].unit, NULL); }
static void change_regex(struct settings *s) { replace(&s->extracted[0].where, "p99: ([0-9.]+)"); }
static void add_metric(struct settings *s) { settings_extract(s, "p50", "ms", "p50", EXTRACTED_LOWER); }
static void change_window(struct settings *s) { s->window_s = 10; }
static void change_much(struct settings *s) { change_aslr(s); change_events(s); change_setup(s); }
static void change_nothing(struct settings *s) { (void)s; }

static void the_first_difference_is_named(void **state)
{
	static const struct {
		void (*change)(struct settings *settings);
		const char *expected;
	} cases[] = {
		{ change_nothing, NULL },
		{ change_command, "command" },
		{ change_setup, "setup" }, { drop_setup, "setup" },
		{ change_prepare, "prepare" }, { drop_prepare, "prepare" },
		{ change_environment, "environment" }, { drop_environment, "environment" },
		{ change_events, "events" },
		{ change_cpus, "cpus" }, { drop_cpus, "cpus" },
		{ change_aslr, "aslr" },
		{ change_services, "services" },
		{ change_load, "load" },
		{ drop_load, "load" },
		{ change_metrics, "metrics" }, { change_unit, "metrics" }, { change_regex, "metrics" }, { add_metric, "metrics" },
		{ change_window, "window" },
		{ change_much, "setup" },
	};
	CLEANUP(settings_release) struct settings original = { 0 };

	(void)state;
	fill(&original);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(settings_release) struct settings copy = { 0 };

		settings_copy(&copy, &original);
		cases[i].change(&copy);
		for (int swapped = 0; swapped < 2; swapped++) {
			const char *found = settings_difference(swapped ? &copy : &original, swapped ? &original : &copy);

			if (cases[i].expected)
				assert_string_equal(found, cases[i].expected);
			else
				assert_null(found);
		}
	}
}

static void empty_settings_are_equal(void **state)
{
	struct settings a = { 0 }, b = { 0 };

	(void)state;
	assert_null(settings_difference(&a, &b));
	settings_copy(&b, &a);
	assert_null(settings_difference(&a, &b));
	settings_release(&b);
}

static int run_baseline(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_sessions_are_kept),
		cmocka_unit_test(one_measurement_is_one_session),
		cmocka_unit_test(a_measurement_is_found_among_the_sessions),
		cmocka_unit_test(values_span_the_sessions_that_have_any),
		cmocka_unit_test(the_first_difference_is_named),
		cmocka_unit_test(empty_settings_are_equal),
	};

	return cmocka_run_group_tests_name("baseline", tests, NULL, NULL);
}

/* -------- Values of named metrics: what was not measured is not there. */

static void values_stay_apart_and_in_order(void **state)
{
	struct series_set set = { 0 };
	const struct series *found;

	(void)state;
	for (int i = 0; i < 100; i++) {
		series_add(&set, metric_find("task-clock"), i);
		series_add(&set, i % 2 ? METRIC(IPC) : METRIC(MAX_RSS), 1000 + i);
	}
	assert_int_equal(set.n, 3);
	found = series_find(&set, metric_find("task-clock"));
	assert_int_equal(found->n, 100);
	for (int i = 0; i < 100; i++)
		assert_true(found->values[i] == i);
	found = series_find(&set, METRIC(IPC));
	assert_int_equal(found->n, 50);
	assert_true(found->values[49] == 1099);
	assert_null(series_find(&set, METRIC(CYCLES)));
	series_set_release(&set);
	assert_int_equal(set.n, 0);
	assert_null(series_find(&set, METRIC(IPC)));
	series_set_release(&set);
}

static void what_was_not_measured_leaves_nothing(void **state)
{
	struct series_set set = { 0 };

	(void)state;
	series_add(&set, metric_find("ipc"), NAN);
	assert_null(series_find(&set, metric_find("ipc")));
	series_add(&set, metric_find("ipc"), 0);
	series_add(&set, metric_find("ipc"), NAN);
	series_add(&set, metric_find("ipc"), 2);
	assert_int_equal(series_find(&set, metric_find("ipc"))->n, 2);
	assert_true(series_find(&set, metric_find("ipc"))->values[1] == 2);
	series_set_release(&set);
}

static int run_series(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_stay_apart_and_in_order),
		cmocka_unit_test(what_was_not_measured_leaves_nothing),
	};

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}

int main(void)
{
	return run_baseline() + run_series();
}
