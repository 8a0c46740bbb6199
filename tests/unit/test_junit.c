#include "unit.h"

#include "golden.h"
#include "report/formats/report.h"
#include "report_samples.h"

static void render(void (*fill)(struct result *), struct strbuf *out)
{
	struct report_options options = { 0 };
	CLEANUP(result_release) struct result result = { 0 };

	fill(&result);
	report_junit(&result, &options, out);
}

TEST(test_golden)
{
	for (size_t i = 0; i < WHOLE_SAMPLES; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, path = STRBUF_INIT;

		render(samples[i].fill, &out);
		strbuf_addf(&path, "tests/fixtures/report/%s.junit.xml", samples[i].name);
		golden_compare(path.buf, &out);
	}
}

static unsigned long attribute(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	assert_non_null(at);
	return strtoul(at + strlen(name), NULL, 10);
}

/* The sums in the first element match the elements below it. */
TEST(test_sums)
{
	static const struct { const char *name, *element; } sums[] = {
		{ " tests=\"", "<testcase " }, { " failures=\"", "<failure " }, { " errors=\"", "<error " },
		{ " skipped=\"", "<skipped " },
	};

	for (size_t i = 0; i < SAMPLES; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		render(samples[i].fill, &out);
		for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++)
			assert_int_equal(attribute(out.buf, sums[k].name), occurrences(out.buf, sums[k].element));
		assert_int_equal(occurrences(out.buf, "<testcase "), occurrences(out.buf, "</testcase>"));
	}
}

static void fill_required(struct result *result)
{
	struct scenario_result *scenario;

	sample_begin(result);
	scenario = sample_scenario(result, "gzip-6");
	sample_gate(scenario, (struct sample_gate){"ipc", VERDICT_NOT_MEASURED, NAN, NAN, NAN, NAN, NAN, 10, 0,
						   "no hardware counters", 24})
	    ->gate.required = true;
	result_settle(result);
}

static void fill_failed_without_words(struct result *result)
{
	sample_begin(result);
	sample_scenario(result, "gzip-6")->head.state = SCENARIO_FAILED;
	result_settle(result);
}

/* A gate without a proven pass must not look like one. */
TEST(test_outcomes)
{
	static const struct { void (*fill)(struct result *); const char *want; } rows[] = {
		{sample_regression,
	     "<failure message=\"REGRESSION CPU time +92.1 %, 61.2 ms -&gt; 118 ms (at least +41.2 %, limit 25 %)\""},
		{sample_regression,
	     "<skipped message=\"NOT MEASURED: this virtual machine exposes no hardware counters\"/>"},
		{sample_regression, "name=\"task-clock\" file=\"scenarios/sqlite-join.yaml\" time=\"0.118\" line=\"21\""},
		{sample_new, "<skipped message=\"new: there is no baseline for this scenario yet\"/>"},
		{sample_failed, "<error message=\"the target exited with status 1 in run 3\" type=\"failed\">"},
		{sample_partial, "<skipped message=\"interrupted before its first run\"/>"},
		{sample_partial, "<skipped message=\"NOT MEASURED: interrupted after 4 of 15 runs\"/>"},
		{sample_mixed, "<skipped message=\"INCONCLUSIVE CPU time +4.2 %, 53.0 ms -&gt; 55.2 ms (unknown to +8.8 %, limit 3 %): "},
		{sample_mixed, "<skipped message=\"no gate judges it: write gates: in scenarios/redis-get.yaml\"/>"},
		{sample_hostile, "classname=\"pawl.a|b `c` &lt;img src=x&gt; @octocat"},
		{sample_hostile, "https://evil.example\\n\\x1b[2J\\xff"},
		{fill_required, "<error message=\"NOT MEASURED ipc: no hardware counters\" type=\"not-measured\">"},
		{fill_failed_without_words, "<error message=\"reason unknown\" type=\"failed\">"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		render(rows[i].fill, &out);
		if (!strstr(out.buf, rows[i].want))
			fail_msg("row %zu: %s\nis not in\n%s", i, rows[i].want, out.buf);
	}
}
