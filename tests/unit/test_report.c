#include "unit.h"

#include "golden.h"
#include "report/formats/report.h"
#include "store/store.h"
#include "report_samples.h"

TEST(test_find)
{
	static const char *const unknown[] = {"", "tex", "text ", "TEXT", "xml"};

	for (size_t i = 0; report_formats[i]; i++)
		assert_non_null(report_format_find(report_formats[i]));
	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
		assert_null(report_format_find(unknown[i]));
	assert_true(report_format_find("text") == report_text && report_format_find("openmetrics") == report_openmetrics);
	assert_true(report_format_find("html") == report_html && report_format_find("junit") == report_junit);
}

/* A report made from the written result equals the report of the measurement. */
TEST(test_again_from_json)
{
	struct report_options options = {.verbose = true};

	for (size_t i = 0; i < SAMPLES; i++) {
		CLEANUP(strbuf_release) struct strbuf json = STRBUF_INIT, before = STRBUF_INIT, after = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 }, again = { 0 };
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
	}
}

/* A terminal shows some of many new scenarios. With -v it shows all. */
TEST(test_many_new)
{
	for (int verbose = 0; verbose < 2; verbose++) {
		struct report_options options = { .verbose = verbose };
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };

		sample_begin(&result);
		for (int i = 0; i < 500; i++)
			sample_gate(sample_scenario(&result, "fresh"),
				    (struct sample_gate){ "task-clock", VERDICT_NEW, NAN, 20, NAN, NAN, NAN, 5, 0, NULL, 0 });
		result_settle(&result);
		report_text(&result, &options, &out);
		assert_int_equal(occurrences(out.buf, "\nfresh"), verbose ? 500 : 10);
		assert_int_equal(occurrences(out.buf, "\nnew and 490 more scenarios"), !verbose);
	}
}

/* A verdict comes before noise. */
TEST(test_noise_of_many)
{
	for (int merged = 0; merged < 2; merged++) {
		struct report_options options = { 0 };
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };
		const char *noise, *verdict;

		sample_begin(&result);
		sample_gate(sample_scenario(&result, "slow"),
			    (struct sample_gate){ "task-clock", VERDICT_REGRESSION, 10, 20, 100, 90, 110, 5, 0, NULL, 0 });
		arena_push(&result.machine.arena, &result.machine.notes, "a neighbour was busy");
		result.merged = merged;
		result_settle(&result);
		report_text(&result, &options, &out);
		noise = strstr(out.buf, "a neighbour was busy");
		verdict = strstr(out.buf, "REGRESSION slow");
		assert_true(noise && verdict && noise > verdict);
	}
}
