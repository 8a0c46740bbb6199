#include "unit.h"

#include "golden.h"
#include "report/formats/report.h"
#include "report_samples.h"

TEST(test_golden)
{
	for (size_t i = 0; i < SAMPLES; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, path = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };

		samples[i].fill(&result);
		report_annotations(&result, &out);
		strbuf_addf(&path, "tests/fixtures/report/%s.annotations", samples[i].name);
		golden_compare(path.buf, &out);
	}
}

static size_t lines_with(const char *text, const char *start)
{
	size_t n = 0;

	for (; *text; text += strcspn(text, "\n") + 1)
		n += !strncmp(text, start, strlen(start));
	return n;
}

static void fill(struct result *result, int regressed, int fresh)
{
	sample_begin(result);
	for (int i = 0; i < regressed + fresh; i++)
		sample_gate(sample_scenario(result, "s"),
			    (struct sample_gate){"task-clock", i < regressed ? VERDICT_REGRESSION : VERDICT_NEW, 10, 20,
						 100, 90, 110, 5, 0, NULL, 0});
	result_settle(result);
}

/* GitHub shows ten annotations of a kind. For eleven, pawl prints nine and one that counts the other two. */
TEST(test_most)
{
	static const struct { int regressed, fresh; size_t errors, warnings; const char *rest; } rows[] = {
		{1, 0, 1, 0, NULL},
		{10, 10, 10, 10, NULL},
		{11, 0, 10, 0, "::error title=and 2 more::the report has all 11\n"},
		{1, 40, 1, 10, "::warning title=and 31 more::the report has all 40\n"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };

		fill(&result, rows[i].regressed, rows[i].fresh);
		report_annotations(&result, &out);
		assert_int_equal(lines_with(out.buf, "::error "), rows[i].errors);
		assert_int_equal(lines_with(out.buf, "::warning "), rows[i].warnings);
		if (rows[i].rest)
			assert_non_null(strstr(out.buf, rows[i].rest));
		else
			assert_null(strstr(out.buf, "title=and "));
	}
}

/* A regression is annotated at the changed line that caused it, if known, and names its gate. */
TEST(test_changed_line)
{
	for (int known = 0; known < 2; known++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };

		fill(&result, 1, 0);
		sample_cause(&result.scenarios[0], (struct cause){ .kind = CAUSE_WORK, .sentence = "more", .changed_at = known ? "src/hash.c:88" : NULL });
		report_annotations(&result, &out);
		assert_int_equal(lines_with(out.buf, "::error file=src/hash.c,line=88,title=REGRESSION"), known);
		assert_int_equal(lines_with(out.buf, "::error file=scenarios/s.yaml,"), !known);
		assert_true(!known || strstr(out.buf, "%0AGate: scenarios/s.yaml:"));
	}
}

/* A required gate that was not measured is an error. Any other unmeasured gate is a warning. */
TEST(test_required)
{
	for (int required = 0; required < 2; required++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };

		sample_begin(&result);
		sample_passing(&result, "gzip-6");
		sample_gate(&result.scenarios[0], (struct sample_gate){"ipc", VERDICT_NOT_MEASURED, NAN, NAN, NAN, NAN,
								       NAN, 10, 0, "no counters", 7})
		    ->gate.required = required;
		result_settle(&result);
		report_annotations(&result, &out);
		assert_int_equal(lines_with(out.buf, "::error file=scenarios/gzip-6.yaml,line=7,"), required);
		assert_int_equal(lines_with(out.buf, "::warning file=scenarios/gzip-6.yaml,line=7,"), !required);
	}
}

/* Hostile texts do not break a line: every line is one command from pawl. */
TEST(test_hostile)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(result_release) struct result result = { 0 };
	size_t lines = 0;

	sample_hostile(&result);
	result.scenarios[0].path = "a,line=1::x\n::error::y";
	report_annotations(&result, &out);
	for (const char *at = out.buf; *at; at++)
		lines += *at == '\n';
	assert_int_equal(lines, lines_with(out.buf, "::error file=") + lines_with(out.buf, "::warning file="));
	assert_non_null(strstr(out.buf, "file=a%2Cline=1%3A%3Ax%0A%3A%3Aerror%3A%3Ay,line="));
}
