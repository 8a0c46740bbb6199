#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "report/report.h"
#include "report_samples.h"
#include "store/store.h"

static void test_find(void **state)
{
	static const char *const unknown[] = {"", "tex", "text ", "TEXT", "xml"};

	(void)state;
	for (size_t i = 0; i < report_formats_size; i++)
		assert_ptr_equal(report_format_find(report_formats[i].name), &report_formats[i]);
	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
		assert_null(report_format_find(unknown[i]));
	assert_ptr_equal(report_format_find("text")->render, report_text);
	assert_ptr_equal(report_format_find("markdown")->render, report_markdown);
	assert_ptr_equal(report_format_find("html")->render, report_html);
	assert_ptr_equal(report_format_find("json")->render, report_json);
	assert_ptr_equal(report_format_find("junit")->render, report_junit);
}

/* A report made from what was written is the report of what was measured. */
static void test_again_from_json(void **state)
{
	struct report_options options = {.verbose = true};

	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		struct strbuf json = STRBUF_INIT, before = STRBUF_INIT, after = STRBUF_INIT;
		struct result result = { 0 }, again = { 0 };
		struct error err = ERROR_INIT;

		if (samples[i].fill == sample_hostile)
			continue;
		samples[i].fill(&result);
		report_json(&result, &options, &json);
		if (result_parse(json.buf, json.len, "result.json", &again, &err) < 0)
			fail_msg("%s: %s", samples[i].name, err.msg);
		cmd_shaping_options(&again.command, &again.arena, &again.options);
		report_text(&result, &options, &before);
		report_text(&again, &options, &after);
		assert_string_equal(after.buf, before.buf);
		strbuf_release(&json);
		strbuf_release(&before);
		strbuf_release(&after);
		result_release(&result);
		result_release(&again);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_find),
	    cmocka_unit_test(test_again_from_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
