#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden.h"
#include "report/report.h"
#include "report_samples.h"

static void test_golden(void **state)
{
	struct report_options options = { 0 };

	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		struct strbuf out = STRBUF_INIT, path = STRBUF_INIT;
		struct result result = { 0 };

		samples[i].fill(&result);
		report_markdown(&result, &options, &out);
		strbuf_addf(&path, "tests/fixtures/report/%s.md", samples[i].name);
		golden_compare(path.buf, &out);
		strbuf_release(&out);
		strbuf_release(&path);
		result_release(&result);
	}
}

static size_t occurrences(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		n++;
	return n;
}

/* Detail goes before the limit is broken, whole items only, and the report says so. */
static void test_limit(void **state)
{
	static const size_t limits[] = {1500, 3000, 10000, 60000, 1 << 20};
	struct result result = { 0 };
	char name[16];

	(void)state;
	sample_begin(&result);
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof name, "s%d", i);
		if (i % 10)
			sample_passing(&result, name);
		else
			sample_regressed(&result, name);
	}
	result_settle(&result);
	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		struct report_options options = {.limit = limits[i]};
		struct strbuf out = STRBUF_INIT;

		strbuf_adds(&out, "before\n");
		report_markdown(&result, &options, &out);
		assert_true(out.len <= limits[i] + strlen("before\n"));
		assert_memory_equal(out.buf, "before\n## ", 10);
		assert_non_null(strstr(out.buf, "REGRESSION: 300 of 3000 scenarios are slower"));
		assert_non_null(strstr(out.buf, "**Left out** to stay under "));
		assert_true(strbuf_ends_with(&out, "renders it again.\n"));
		assert_int_equal(occurrences(out.buf, "<details>"), occurrences(out.buf, "</details>"));
		strbuf_release(&out);
	}
	result_release(&result);
}

static void test_default_limit(void **state)
{
	struct report_options options = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct result result = { 0 };

	(void)state;
	sample_pass(&result);
	report_markdown(&result, &options, &out);
	assert_null(strstr(out.buf, "Left out"));
	strbuf_release(&out);
	result_release(&result);
}

/* A limit too small for anything is kept all the same. */
static void test_tiny_limit(void **state)
{
	struct result result = { 0 };

	(void)state;
	sample_hostile(&result);
	for (size_t limit = 1; limit < 600; limit += 7) {
		struct report_options options = {.limit = limit};
		struct strbuf out = STRBUF_INIT;

		report_markdown(&result, &options, &out);
		assert_true(out.len <= limit);
		strbuf_release(&out);
	}
	result_release(&result);
}

/* One scenario with texts of a megabyte must not push the others out. */
static void test_huge_texts(void **state)
{
	struct report_options options = {.limit = 60000};
	struct strbuf huge = STRBUF_INIT, out = STRBUF_INIT;
	struct result result = { 0 };
	struct scenario_result *scenario;

	(void)state;
	strbuf_pad(&huge, '$', 1 << 20);
	sample_begin(&result);
	scenario = sample_scenario(&result, "huge");
	scenario->head.state = SCENARIO_FAILED;
	scenario->head.failure = huge.buf;
	scenario->head.log_tail = huge.buf;
	sample_regressed(&result, "sqlite-join");
	result_settle(&result);
	report_markdown(&result, &options, &out);
	assert_true(out.len <= options.limit);
	assert_non_null(strstr(out.buf, "`sqlite-join`"));
	strbuf_release(&huge);
	strbuf_release(&out);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_golden),     cmocka_unit_test(test_limit),	  cmocka_unit_test(test_default_limit),
	    cmocka_unit_test(test_tiny_limit), cmocka_unit_test(test_huge_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
