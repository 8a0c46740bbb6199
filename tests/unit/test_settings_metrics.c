/* What settings tell of a scenario's figures: units of printed metrics, and what the load does. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "model/result.h"

#define N(array) (sizeof(array) / sizeof *(array))

static void what_is_added_is_known_again(void **state)
{
	CLEANUP(scenario_result_release) struct scenario_result s = { 0 };
	CLEANUP(settings_release) struct settings settings = { 0 };
	const struct metric *metric;

	(void)state;
	settings_add_figure(&settings, METRIC_WORK, "request", "did ([0-9]+) higher", "count");
	settings_add_figure(&settings, "p99", "us", "p99  ([0-9.]+) higher", "lower");
	settings_add_figure(&settings, "rate", "req/s", "a.b c", "higher");
	settings_add_figure(&settings, "plain", NULL, "x", "higher");
	assert_string_equal(settings.metrics.items[1], "p99 us p99  ([0-9.]+) higher lower");
	assert_string_equal(settings.metrics.items[3], "plain - x higher");
	settings_define_metrics(&settings, &s);
	assert_string_equal(s.work_unit, "request");
	assert_int_equal(s.n_own_metrics, 3);
	metric = scenario_result_metric(&s, "p99");
	assert_int_equal(metric->source, SOURCE_PRINTED);
	assert_int_equal(metric->unit, UNIT_MS);
	assert_false(metric->higher_is_better);
	metric = scenario_result_metric(&s, "rate");
	assert_string_equal(metric->label, "req/s");
	assert_true(metric->higher_is_better);
	metric = scenario_result_metric(&s, "plain");
	assert_int_equal(metric->source, SOURCE_PRINTED);
	assert_null(metric->label);
	assert_int_equal(scenario_result_metric(&s, "task-clock-per-work")->unit, UNIT_MS);
	assert_int_equal(s.n_own_metrics, 4);
}

static void what_is_no_figure_is_passed_over(void **state)
{
	static const char *const texts[] = { "", " ", "a", "a ", "a  ", " a b c", "a ms", "task-clock s x lower", "work x" };
	CLEANUP(scenario_result_release) struct scenario_result s = { 0 };
	CLEANUP(settings_release) struct settings settings = { 0 };

	(void)state;
	for (size_t i = 0; i < N(texts); i++)
		strv_push(&settings.metrics, texts[i]);
	settings_define_metrics(&settings, &s);
	assert_int_equal(s.n_own_metrics, 0);
	assert_null(s.work_unit);

	strv_push(&settings.metrics, "odd m\ts x higher");
	strv_push(&settings.metrics, "work \x1b[1m x rate");
	settings_define_metrics(&settings, &s);
	assert_int_equal(s.n_own_metrics, 1);
	assert_null(s.own_metrics[0]->label);
	assert_null(s.work_unit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_added_is_known_again),
		cmocka_unit_test(what_is_no_figure_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
