/* Runs in growing columns, and the exit status for a set of verdicts. */
#include "unit.h"

#include "model/result.h"

/* -------- columns */

TEST(a_late_metric_was_not_measured_before)
{
	CLEANUP(scenario_result_release) struct scenario_result s = { 0 };
	CLEANUP(free_ptr) double *values = NULL;
	size_t clock, ipc, n = 99;

	clock = side_result_column(&s.head, metric_find("task-clock"));
	side_result_add_run(&s.head)->values[clock] = 1;
	ipc = side_result_column(&s.head, metric_find("ipc"));
	assert_int_equal(ipc, 1);
	assert_int_equal(side_result_column(&s.head, metric_find("task-clock")), clock);
	assert_true(isnan(s.head.runs[0].values[ipc]));
	assert_true(isnan(side_result_add_run(&s.head)->values[clock]));
	assert_null(side_result_values(&s.head, metric_find("cycles"), &n));
	assert_int_equal(n, 0);
	free(side_result_values(&s.head, metric_find("ipc"), &n));
	assert_int_equal(n, 0);
	s.head.runs[1].values[clock] = 2;
	s.head.runs[1].values[ipc] = 3;
	values = side_result_values(&s.head, metric_find("task-clock"), &n);
	assert_int_equal(n, 2);
	assert_true(values[0] == 1 && values[1] == 2);
}

TEST(many_runs_and_metrics_stay_apart)
{
	CLEANUP(scenario_result_release) struct scenario_result s = { 0 };

	for (size_t m = 0; m < metric_catalogue_size; m++) {
		struct run *run = side_result_add_run(&s.head);
		size_t column = side_result_column(&s.head, &metric_catalogue[m]);

		run = &s.head.runs[s.head.n_runs - 1];
		run->values[column] = (double)m;
	}
	for (size_t m = 0; m < metric_catalogue_size; m++) {
		size_t n;
		CLEANUP(free_ptr) double *values = side_result_values(&s.head, &metric_catalogue[m], &n);

		assert_int_equal(n, 1);
		assert_true(values[0] == (double)m);
	}
}

TEST(events_become_metrics_of_the_result)
{
	CLEANUP(scenario_result_release) struct scenario_result s = { 0 };
	const struct metric *event = own_metrics_find(&s.head.own_metrics, "cache-misses");

	assert_string_equal(event->name, "cache-misses");
	assert_ptr_equal(own_metrics_find(&s.head.own_metrics, "cache-misses"), event);
	assert_ptr_equal(own_metrics_find(&s.head.own_metrics, "page-faults"), metric_find("page-faults"));
	assert_int_equal(s.head.own_metrics.n, 1);
}

/* The scenario that defined the metric is released before its result is read. */
TEST(a_gate_outlives_its_scenario)
{
	CLEANUP(scenario_result_release) struct scenario_result s = { 0 };
	struct arena arena = ARENA_INIT;
	struct gate gate = { .metric = metric_event(&arena, "cache-misses"), .relative = true, .tolerance_pct = 7, .max = NAN, .min = NAN };
	const struct gate_result *result = scenario_result_add_gate(&s, &gate);

	arena_release(&arena);
	assert_string_equal(result->gate.metric->name, "cache-misses");
	assert_int_equal(gate_judgement(result)->verdict, VERDICT_NOT_MEASURED);
	assert_true(result->gate.tolerance_pct == 7);
	assert_true(isnan(result->stored.baseline) && isnan(result->stored.current) && isnan(result->paired.change_pct));
}

/* A printed metric keeps the unit and direction of its first definition. */
TEST(a_printed_metric_is_defined_once)
{
	CLEANUP(scenario_result_release) struct scenario_result s = { 0 };
	struct arena arena = ARENA_INIT;
	struct gate gate = { .metric = metric_custom(&arena, "p99", "us", false), .max = NAN, .min = NAN };
	const struct gate_result *judged;

	own_metrics_add(&s.head.own_metrics, metric_custom(&arena, "rate", "req/s", true));
	own_metrics_add(&s.head.own_metrics, metric_custom(&arena, "rate", "ms", false));
	judged = scenario_result_add_gate(&s, &gate);
	assert_int_equal(s.head.own_metrics.n, 2);
	assert_true(own_metrics_find(&s.head.own_metrics, "rate")->higher_is_better);
	assert_string_equal(own_metrics_find(&s.head.own_metrics, "rate")->label, "req/s");
	assert_ptr_equal(judged->gate.metric, own_metrics_find(&s.head.own_metrics, "p99"));
	assert_int_equal(judged->gate.metric->unit, UNIT_MS);
	/* A metric in the catalogue cannot be redefined. */
	own_metrics_add(&s.head.own_metrics, metric_custom(&arena, "ipc", "ms", false));
	arena_release(&arena);
	assert_ptr_equal(own_metrics_find(&s.head.own_metrics, "ipc"), metric_find("ipc"));
}

TEST(normalised_metrics_are_made_of_what_their_names_say)
{
	static const struct { const char *name, *base; enum metric_unit unit; } cases[] = {
		{ "task-clock-per-work", "task-clock", UNIT_MS },
		{ "page-faults-per-work", "page-faults", UNIT_COUNT },
		{ "cache-misses-per-work", "cache-misses", UNIT_COUNT },
		/* no base: metrics that do not grow with the work, unknown names */
		{ "ipc-per-work", NULL, UNIT_COUNT }, { "p99-per-work", NULL, UNIT_COUNT },
		{ "task-clock-per-work-per-work", NULL, UNIT_COUNT },
		{ "-per-work", NULL, UNIT_COUNT },
	};
	CLEANUP(scenario_result_release) struct scenario_result s = { 0 };
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;

	own_metrics_add(&s.head.own_metrics, metric_custom(&arena, "p99", "ms", false));
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct metric *m = own_metrics_find(&s.head.own_metrics, cases[i].name);

		assert_string_equal(m->name, cases[i].name);
		assert_int_equal(m->of != NULL, cases[i].base != NULL);
		assert_int_equal(m->unit, cases[i].unit);
		if (cases[i].base)
			assert_string_equal(m->of->name, cases[i].base);
		assert_ptr_equal(own_metrics_find(&s.head.own_metrics, cases[i].name), m);
	}
	assert_ptr_equal(own_metrics_find(&s.head.own_metrics, "wall-time-per-work"), METRIC(WALL_TIME)->normalised);
}

TEST(the_least_change_is_normalised_too)
{
	CLEANUP(side_result_release) struct side_result s = { 0 };
	const struct gate gate = { .metric = METRIC(PAGE_FAULTS) };
	size_t work = side_result_column(&s, METRIC(WORK));

	assert_true(side_result_least(&s, &gate, gate.metric, false) == 10);
	assert_ptr_equal(side_result_normalised(&s, gate.metric), gate.metric);
	for (int i = 1; i <= 3; i++)
		side_result_add_run(&s)->values[work] = 1000 * i;
	assert_ptr_equal(side_result_normalised(&s, gate.metric), gate.metric->normalised);
	assert_ptr_equal(side_result_normalised(&s, METRIC(IPC)), METRIC(IPC));
	assert_true(side_result_least(&s, &gate, gate.metric->normalised, true) == 10.0 / 2000);
	assert_true(side_result_median(&s, METRIC(WORK)) == 2000 && isnan(side_result_median(&s, METRIC(IPC))));
}

/* -------- exit status */

/* Adds a gate per letter: Pass, Regression, Improvement, inConclusive, Not measured, neW, Accepted; "!": required. */
static void add_gates(struct scenario_result *s, const char *letters)
{
	static const char known[] = "PRICNWA";

	for (; *letters; letters++) {
		struct gate gate = { .metric = metric_find("task-clock"), .relative = true, .max = NAN, .min = NAN };

		gate.required = letters[1] == '!';
		scenario_result_add_gate(s, &gate)->stored.verdict = (enum verdict)(strchr(known, *letters) - known);
		letters += gate.required;
	}
}

TEST(a_scenario_settles_by_its_worst)
{
	static const struct { enum scenario_state state; const char *gates; int status, strict; } cases[] = {
		{ SCENARIO_MEASURED, "P", 0, 0 }, { SCENARIO_MEASURED, "PIA", 0, 0 },
		{ SCENARIO_MEASURED, "PRP", 1, 1 }, { SCENARIO_MEASURED, "PC", 0, 4 },
		{ SCENARIO_MEASURED, "PW", 0, 4 }, { SCENARIO_MEASURED, "PN", 0, 4 },
		{ SCENARIO_MEASURED, "PN!", 3, 3 }, { SCENARIO_MEASURED, "P!W!C!", 0, 4 },
		{ SCENARIO_MEASURED, "CNWR", 1, 1 }, { SCENARIO_MEASURED, "RN!", 3, 3 },
		{ SCENARIO_MEASURED, "N!R", 3, 3 }, { SCENARIO_MEASURED, "", 0, 4 }, { SCENARIO_FAILED, "", 3, 3 },
		{ SCENARIO_FAILED, "N", 3, 3 }, { SCENARIO_FAILED, "R", 3, 3 }, { SCENARIO_PARTIAL, "", 0, 0 },
		{ SCENARIO_PARTIAL, "N", 0, 4 }, { SCENARIO_SKIPPED, "", 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(scenario_result_release) struct scenario_result s = { .head.state = cases[i].state, .status = 99 };

		add_gates(&s, cases[i].gates);
		scenario_result_settle(&s, false);
		if (s.status != cases[i].status)
			fail_msg("'%s': expected %d, found %d", cases[i].gates, cases[i].status, s.status);
		scenario_result_settle(&s, true);
		if (s.status != cases[i].strict)
			fail_msg("'%s', strict: expected %d, found %d", cases[i].gates, cases[i].strict, s.status);
	}
}

/* Commas separate scenarios; F is a failed one. */
TEST(the_whole_settles_by_its_worst)
{
	static const struct { const char *scenarios; int status, strict; } cases[] = {
		{ "", 0, 0 }, { "P,P,P", 0, 0 }, { "P,R,P", 1, 1 }, { "R,F", 3, 3 }, { "F,R", 3, 3 }, { "W,P", 0, 4 },
		{ "W,R", 1, 1 }, { "R,W", 1, 1 }, { "C,N!,R", 3, 3 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(result_release) struct result result = { .status = 99 };
		CLEANUP(free_ptr) char *copy = xstrdup(cases[i].scenarios);
		char *rest = copy, *word;

		while (*cases[i].scenarios && (word = strsep(&rest, ","))) {
			struct scenario_result *s = result_add_scenario(&result, word);

			s->head.state = *word == 'F' ? SCENARIO_FAILED : SCENARIO_MEASURED;
			add_gates(s, *word == 'F' ? "" : word);
		}
		for (int strict = 0; strict < 2; strict++) {
			result.strict = strict;
			result_settle(&result);
			if (result.status != (strict ? cases[i].strict : cases[i].status))
				fail_msg("'%s', strict %d: found %d", cases[i].scenarios, strict, result.status);
		}
	}
}

TEST(a_new_scenario_was_never_started)
{
	CLEANUP(result_release) struct result result = { 0 };
	struct scenario_result *s = result_add_scenario(&result, "redis-get");

	assert_string_equal(s->name, "redis-get");
	assert_int_equal(s->head.state, SCENARIO_SKIPPED);
}

TEST(something_was_judged_or_nothing)
{
	static const struct { const char *gates; bool judged; } cases[] = {
		{ "", false }, { "N", false }, { "W", false }, { "NW", false }, { "NP", true }, { "R", true },
		{ "I", true }, { "C", true }, { "A", true }, { "WC", true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(result_release) struct result result = { 0 };

		result_add_scenario(&result, "none");
		add_gates(result_add_scenario(&result, "some"), cases[i].gates);
		assert_int_equal(result_judged_anything(&result), cases[i].judged);
	}
}

TEST(verdicts_have_names)
{
	static const char *const names[] = {
		[VERDICT_PASS] = "pass", [VERDICT_REGRESSION] = "regression", [VERDICT_IMPROVEMENT] = "improvement",
		[VERDICT_INCONCLUSIVE] = "inconclusive", [VERDICT_NOT_MEASURED] = "not-measured",
		[VERDICT_NEW] = "new", [VERDICT_ACCEPTED] = "accepted",
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_string_equal(verdict_names[(enum verdict)i], names[i]);
}

/* Precedence: 2, 3, 1, 4, 0. A signal precedes all of them. */
TEST(the_worst_status_wins)
{
	static const int worst_first[] = { 130, 2, 3, 1, 4, 0 };
	enum { N = sizeof worst_first / sizeof worst_first[0] };

	for (size_t i = 0; i < N; i++) {
		for (size_t k = i; k < N; k++) {
			assert_int_equal(status_worse(worst_first[i], worst_first[k]), worst_first[i]);
			assert_int_equal(status_worse(worst_first[k], worst_first[i]), worst_first[i]);
		}
	}
	assert_int_equal(status_worse(130, 143), 130);
	assert_int_equal(status_worse(2, 143), 143);
}
