#include "unit.h"

#include "model/baseline.h"
#include "store_parse.h"

/* -------- A baseline's sessions and values, and which settings differ. */

static void add_session(struct baseline *baseline, const char *date, const char *metric, double value)
{
	struct baseline_session *session = baseline_add_session(baseline);

	assert_int_equal(session->series.n, 0);
	session->date = arena_strdup(&baseline->arena, date);
	baseline_add_value(baseline, session, own_metrics_find(&baseline->own_metrics, metric), value);
}

TEST(ten_sessions_are_kept)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(free_ptr) double *values = NULL;
	size_t n;

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

TEST(values_span_the_sessions_that_have_any)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(free_ptr) double *values = NULL;
	size_t n = 99;

	assert_null(baseline_values(&baseline, metric_find("ipc"), &n));
	assert_int_equal(n, 0);
	add_session(&baseline, "1", "ipc", 1);
	baseline_add_value(&baseline, &baseline.sessions[0], metric_find("ipc"), 2);
	add_session(&baseline, "2", "other", 7);
	add_session(&baseline, "3", "ipc", NAN);
	add_session(&baseline, "4", "ipc", 3);
	values = baseline_values(&baseline, metric_find("ipc"), &n);
	assert_int_equal(n, 3);
	assert_true(values[0] == 1 && values[1] == 2 && values[2] == 3);
	assert_null(baseline_values(&baseline, METRIC(CYCLES), &n));
	assert_int_equal(n, 0);
}

static void add_busy_session(struct baseline *baseline, double value)
{
	struct baseline_session *session = baseline_add_session(baseline);

	arena_push(&baseline->arena, &session->busy, "others");
	baseline_add_value(baseline, session, METRIC(TASK_CLOCK), value);
	baseline_add_value(baseline, session, METRIC(PAGE_FAULTS), value);
}

/* Times of a busy machine count only until there is a quiet session with them. Counts always do. */
TEST(times_of_busy_sessions_count_for_little)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };

	add_busy_session(&baseline, 1);
	add_busy_session(&baseline, 2);
	assert_int_equal(baseline_count(&baseline, METRIC(TASK_CLOCK)), 2);
	add_session(&baseline, "3", "page-faults", 3);
	assert_int_equal(baseline_count(&baseline, METRIC(TASK_CLOCK)), 2);
	add_session(&baseline, "4", "task-clock", 4);
	assert_int_equal(baseline_count(&baseline, METRIC(TASK_CLOCK)), 1);
	assert_int_equal(baseline_count(&baseline, METRIC(PAGE_FAULTS)), 3);
}

/* A busy session never replaces a quiet one as long as there is another busy one. */
TEST(busy_sessions_are_dropped_first)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };

	add_session(&baseline, "the first", "task-clock", 1);
	for (int i = 0; i < 12; i++)
		add_busy_session(&baseline, i);
	assert_int_equal(baseline.n_sessions, 10);
	assert_string_equal(baseline.sessions[0].date, "the first");
	assert_true(baseline.sessions[1].series.items[0].values[0] == 3 && baseline.sessions[9].series.items[0].values[0] == 11);
}

/* Simulated values come only from sessions with the simulator of the last session. */
TEST(simulated_values_are_of_one_simulator)
{
	static const struct { const char *simulator, *metric; } sessions[] = {
		{ NULL, "sim-instructions" }, { "valgrind-3.22.0", "sim-instructions" }, { "valgrind-3.22.0", "sim-instructions" },
		{ NULL, "task-clock" },
	};
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	size_t n;

	for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
		add_session(&baseline, "2026-11-20T10:05:54Z", sessions[i].metric, 100 + (double)i);
		baseline.sessions[i].simulator = sessions[i].simulator;
		free(baseline_values(&baseline, METRIC(SIM_INSTRUCTIONS), &n));
		assert_int_equal(n, i < 2 ? 1 : 2);
	}
	assert_string_equal(baseline_simulator(&baseline), "valgrind-3.22.0");
	assert_int_equal(baseline_count(&baseline, METRIC(TASK_CLOCK)), 1);
}

TEST(one_measurement_is_one_session)
{
	static const struct {
		const char *a, *a_date; double a_value; const char *b, *b_date; double b_value; bool same;
	} rows[] = {
		{ "1", "noon", 2, "1", "noon", 2, true },
		{ "1", "noon", 2, "2", "noon", 2, false },
		/* A session stays the same after it was copied and edited elsewhere. */
		{ "1", "noon", 2, "1", "later", 3, true },
		/* A session without a name is identified by its time and its values. */
		{ NULL, "noon", 2, "1", "noon", 2, true },
		{ NULL, "noon", 2, NULL, "noon", 2, true },
		{ NULL, "noon", 2, NULL, "noon", 3, false },
		{ NULL, "noon", 2, NULL, "later", 2, false },
		{ "1", "noon", 2, NULL, "later", 2, false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(baseline_release) struct baseline baseline = { 0 };
		struct baseline_session a = { .measurement = rows[i].a, .date = rows[i].a_date };
		struct baseline_session b = { .measurement = rows[i].b, .date = rows[i].b_date };

		baseline_add_value(&baseline, &a, metric_find("ipc"), rows[i].a_value);
		baseline_add_value(&baseline, &b, metric_find("ipc"), rows[i].b_value);
		if (baseline_same_measurement(&a, &b) != rows[i].same || baseline_same_measurement(&b, &a) != rows[i].same)
			fail_msg("row %zu", i);
	}
}

TEST(a_measurement_is_found_among_the_sessions)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	struct baseline_session one = { .date = "2" };

	add_session(&baseline, "1", "ipc", 1.23456789);
	add_session(&baseline, "2", "ipc", 1.23456789);
	baseline_add_value(&baseline, &one, metric_find("ipc"), 1.23457);
	assert_ptr_equal(baseline_find_measurement(&baseline, &one), &baseline.sessions[1]);
	baseline_add_value(&baseline, &one, metric_find("ipc"), 1.23457);
	assert_null(baseline_find_measurement(&baseline, &one));
}

static const char original[] =
	"{\"command\": [\"./prog\"], \"setup\": \"make\", \"prepare\": \"sync\", \"environment\": [\"LANG=C\"], \"events\": [\"cache-misses\"],"
	" \"cpus\": \"1\", \"aslr_off\": true, \"services\": [\"redis: redis-server\"], \"load\": \"redis-benchmark\","
	" \"metrics\": [\"p99 ms p99=([0-9.]+) lower\"], \"window_s\": 5}";

static void read_settings(const char *text, struct arena *arena, struct settings *out)
{
	struct error err = ERROR_INIT;
	cJSON *tree = json_parse(text, strlen(text), "x.json", &err);
	struct json root = { .value = tree, .strict = true, .arena = arena };

	*out = (struct settings){ 0 };
	if (!tree || json_read(&root, &settings_fields, out, &err) < 0)
		fail_msg("%s: %s", text, err.msg);
	cJSON_Delete(tree);
}

TEST(the_first_difference_is_named)
{
	static const struct { const char *from, *to, *expected; } cases[] = {
		{ "sync", "sync", NULL },
		{ "\"./prog\"", "\"./prog\", \"--fast\"", "command" },
		{ "\"make\"", "\"make -j\"", "setup" }, { "\"make\"", "null", "setup" },
		{ "\"sync\"", "\"\"", "prepare" }, { "\"sync\"", "null", "prepare" },
		{ "\"LANG=C\"", "\"LANG=C\", \"A=1\"", "environment" }, { "\"LANG=C\"", "", "environment" },
		{ "\"cache-misses\"", "\"cache-misses\", \"bus-cycles\"", "events" },
		{ "\"1\"", "\"2\"", "cpus" }, { "\"1\"", "null", "cpus" },
		{ "true", "false", "aslr" },
		{ "\"redis: redis-server\"", "\"redis: redis-server\", \"web: nginx\"", "services" },
		{ "\"redis-benchmark\"", "\"wrk\"", "load" }, { "\"redis-benchmark\"", "null", "load" },
		{ "lower", "higher", "metrics" }, { "p99 ms", "p99 -", "metrics" }, { "p99=", "p99: ", "metrics" },
		{ "lower\"", "lower\", \"p50 ms p50 lower\"", "metrics" },
		{ "\"window_s\": 5", "\"window_s\": 10", "window" },
		{ "\"make\", \"prepare\": \"sync\", \"environment\": [\"LANG=C\"]", "\"make -j\", \"environment\": []", "setup" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(arena_release) struct arena arena = ARENA_INIT;
		CLEANUP(free_ptr) char *changed = replaced(original, cases[i].from, cases[i].to);
		struct settings a, b;

		read_settings(original, &arena, &a);
		read_settings(changed, &arena, &b);
		assert_true(text_same(settings_difference(&a, &b), cases[i].expected));
		assert_true(text_same(settings_difference(&b, &a), cases[i].expected));
	}
	assert_null(settings_difference(&(struct settings){ 0 }, &(struct settings){ 0 }));
}

/* -------- Values of named metrics. Unmeasured values are absent. */

TEST(values_stay_apart_and_in_order)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	struct baseline_session *session = baseline_add_session(&baseline);
	const struct series_set *set = &session->series;
	const struct series *found;

	for (int i = 0; i < 100; i++) {
		baseline_add_value(&baseline, session, metric_find("task-clock"), i);
		baseline_add_value(&baseline, session, i % 2 ? METRIC(IPC) : METRIC(MAX_RSS), 1000 + i);
	}
	assert_int_equal(set->n, 3);
	found = series_find(set, metric_find("task-clock"));
	assert_int_equal(found->n, 100);
	for (int i = 0; i < 100; i++)
		assert_true(found->values[i] == i);
	found = series_find(set, METRIC(IPC));
	assert_int_equal(found->n, 50);
	assert_true(found->values[49] == 1099);
	assert_null(series_find(set, METRIC(CYCLES)));
}

TEST(what_was_not_measured_leaves_nothing)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	struct baseline_session *session = baseline_add_session(&baseline);
	const struct metric *ipc = metric_find("ipc");

	baseline_add_value(&baseline, session, ipc, NAN);
	assert_null(series_find(&session->series, ipc));
	baseline_add_value(&baseline, session, ipc, 0);
	baseline_add_value(&baseline, session, ipc, NAN);
	baseline_add_value(&baseline, session, ipc, 2);
	assert_int_equal(series_find(&session->series, ipc)->n, 2);
	assert_true(series_find(&session->series, ipc)->values[1] == 2);
}
