#include "unit.h"

#include "golden.h"
#include "report/formats/report.h"
#include "report_samples.h"

TEST(test_golden)
{
	struct report_options options = { 0 };

	for (size_t i = 0; i < WHOLE_SAMPLES; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, path = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };

		samples[i].fill(&result);
		report_markdown(&result, &options, &out);
		strbuf_addf(&path, "tests/fixtures/report/%s.md", samples[i].name);
		golden_compare(path.buf, &out);
	}
}

/* Detail is dropped to keep within the limit, in whole items, and the report notes this. */
TEST(test_limit)
{
	static const size_t limits[] = {1500, 3000, 10000, 60000, 200000};
	CLEANUP(result_release) struct result result = { 0 };
	char name[16];

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
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		strbuf_adds(&out, "before\n");
		report_markdown(&result, &options, &out);
		assert_true(out.len <= limits[i] + strlen("before\n"));
		assert_memory_equal(out.buf, "before\n## ", 10);
		assert_non_null(strstr(out.buf, "; 300 of 3000 scenarios are slower"));
		assert_non_null(strstr(out.buf, "**Left out** to stay under "));
		assert_true(strbuf_ends_with(&out, "renders it again.\n"));
		assert_int_equal(occurrences(out.buf, "<details>"), occurrences(out.buf, "</details>"));
	}
}

/* Returns the number of table columns in the first line of TEXT. */
static size_t columns_of(const char *text)
{
	size_t n = 0;

	for (; *text && *text != '\n'; text++)
		n += *text == '|' && text[-1] != '\\';
	return n - 1;
}

/* A comment on a hundred scenarios, most of them red. The important ones come first, within GitHub's size limit. */
TEST(test_comment)
{
	const struct report_options options = { 0 };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(result_release) struct result result = { 0 };
	char name[16];

	sample_begin(&result);
	result.out_dir = "/srv/runner7/out";
	for (int i = 0; i < 100; i++) {
		struct scenario_result *s;

		snprintf(name, sizeof name, "s%02d", i);
		if (i % 3 == 0) {
			sample_passing(&result, name);
			continue;
		}
		sample_regressed(&result, name);
		s = &result.scenarios[i];
		sample_cause(s, (struct cause){ CAUSE_WORK, "walk", "sqlite", "btree.c:7", NULL, 57.7, UNIT_MS, 99,
						"walk (btree.c:7) costs 57.7 ms more per run", NULL, NULL });
		sample_symbols(s, 61.2, 117.6, (struct sample_symbol[]){
			{ "sqlite3BtreeInsert", "", 60, 21, SYMBOL_ROSE, VERDICT_REGRESSION, NULL },
			{ NULL, NULL, 0, 0, SYMBOL_SAME, VERDICT_PASS, NULL } });
	}
	result_settle(&result);
	report_markdown(&result, &options, &out);
	assert_true(out.len <= 60000);
	assert_non_null(strstr(out.buf, "## \u2717 REGRESSION `s01` CPU time +92.1 %, "));
	assert_non_null(strstr(out.buf, "; 66 of 100 scenarios are slower; "));
	assert_non_null(strstr(out.buf, "**Left out** to stay under 60000 bytes: "));
	assert_int_equal(occurrences(out.buf, "<details>"), occurrences(out.buf, "</details>"));
	/* Regressions and their causes precede the fold, of which there is one. */
	assert_int_equal(occurrences(out.buf, "<details>"), 1);
	strbuf_truncate(&out, (size_t)(strstr(out.buf, "<details>") - out.buf));
	assert_int_equal(occurrences(out.buf, "\n| **REGRESSION** |"), 20);
	assert_int_equal(occurrences(out.buf, "\n- cause: more work: walk"), 3);
	for (const char *line = out.buf; (line = strstr(line, "\n|")); line++)
		assert_int_equal(columns_of(line + 1), 5);
}

/* Paths of the measuring machine mean nothing to readers of a comment, and may contain a user's name. */
TEST(test_paths)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(result_release) struct result result = { 0 };

	sample_profiled(&result);
	result.out_dir = "/srv/runner7/out";
	result.scenarios[1].head.state = SCENARIO_FAILED;
	result.scenarios[1].head.log_path = "/srv/runner7/out/gzip-6/target.log";
	result.scenarios[0].baseline_path = "/srv/runner7/baselines/x.json";
	report_markdown(&result, &(struct report_options){ 0 }, &out);
	assert_non_null(strstr(out.buf, "- log: `gzip-6/target.log`\n"));
	/* Exception: the command that accepts the runs names their folder. */
	assert_int_equal(occurrences(out.buf, "/srv/runner7"), occurrences(out.buf, " --from /srv/runner7/out"));
}

TEST(test_default_limit)
{
	struct report_options options = { 0 };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(result_release) struct result result = { 0 };

	sample_pass(&result);
	report_markdown(&result, &options, &out);
	assert_null(strstr(out.buf, "Left out"));
}

/* Even a limit too small for any content is kept. */
TEST(test_tiny_limit)
{
	CLEANUP(result_release) struct result result = { 0 };

	sample_hostile(&result);
	for (size_t limit = 1; limit < 600; limit += 7) {
		struct report_options options = {.limit = limit};
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		report_markdown(&result, &options, &out);
		assert_true(out.len <= limit);
	}
}

/* One scenario with texts of a megabyte must not push the others out. */
TEST(test_huge_texts)
{
	struct report_options options = {.limit = 60000};
	CLEANUP(strbuf_release) struct strbuf huge = STRBUF_INIT, out = STRBUF_INIT;
	CLEANUP(result_release) struct result result = { 0 };
	struct scenario_result *scenario;

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
}
