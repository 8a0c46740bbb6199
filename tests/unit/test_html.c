#include "unit.h"

#include "report/formats/charts.h"
#include "report/formats/html.h"
#include "golden.h"
#include "report/formats/report.h"
#include "report_samples.h"

static void render(const struct result *result, struct strbuf *out)
{
	struct report_options options = { 0 };

	report_html(result, &options, out);
}

TEST(test_golden)
{
	for (size_t i = 0; i < WHOLE_SAMPLES; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, path = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };

		samples[i].fill(&result);
		render(&result, &out);
		golden_leave_out(&out, html_style);
		strbuf_addf(&path, "tests/fixtures/report/%s.html", samples[i].name);
		golden_compare(path.buf, &out);
	}
}

/* Elements are closed in order, so foreign text did not open or close one. */
static void check_balance(const char *page)
{
	CLEANUP(strv_release) struct strv open = STRV_INIT;

	for (const char *at = strchr(page, '<'); at; at = strchr(at + 1, '<')) {
		bool closing = at[1] == '/';
		const char *name = at + 1 + closing, *end = strchr(at, '>');
		size_t len = strcspn(name, " >/");

		assert_non_null(end);
		if (end[-1] == '/' || text_starts(name, "meta ") || text_starts(name, "!DOCTYPE "))
			continue;
		if (!closing) {
			strv_push(&open, "");
			free(open.items[open.n - 1]);
			open.items[open.n - 1] = xstrndup(name, len);
			continue;
		}
		assert_true(open.n > 0);
		if (strlen(open.items[open.n - 1]) != len || strncmp(open.items[open.n - 1], name, len))
			fail_msg("</%.*s> closes <%s>", (int)len, name, open.items[open.n - 1]);
		free(open.items[--open.n]);
		open.items[open.n] = NULL;
	}
	assert_int_equal(open.n, 0);
}

/* Neither pawl's own markup nor foreign text loads, runs or links to anything outside. */
TEST(test_alone)
{
	static const char *const never[] = {"<script", "<img",	      "<link",	  "<iframe", "src=", "url(",
					    "@import", "href=\"http", "style=\"", "onerror", "\x1b", "\xff"};

	for (size_t i = 0; i < SAMPLES; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };

		samples[i].fill(&result);
		render(&result, &out);
		golden_leave_out(&out, html_style);
		for (size_t k = 0; k < sizeof never / sizeof never[0]; k++)
			if (strstr(out.buf, never[k]) && samples[i].fill != sample_hostile)
				fail_msg("%s holds %s", samples[i].name, never[k]);
		assert_null(strstr(out.buf, "<img"));
		assert_null(strstr(out.buf, "href=\"http"));
		assert_null(strchr(out.buf, '\x1b'));
		assert_null(strchr(out.buf, '\xff'));
		assert_non_null(strstr(out.buf, "content=\"default-src 'none';"));
		check_balance(out.buf);
	}
	for (size_t k = 0; k < sizeof never / sizeof never[0]; k++)
		assert_null(strstr(html_style, never[k]));
}

/* Passed scenarios are folded only if another one did not pass, or if there are many. */
TEST(test_folding)
{
	static const struct {
		int passing;
		bool regressed;
		bool folds;
	} rows[] = {{1, false, false}, {6, false, false}, {7, false, true}, {1, true, true}};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };
		char name[16];

		sample_begin(&result);
		for (int k = 0; k < rows[i].passing; k++) {
			snprintf(name, sizeof name, "s%d", k);
			sample_passing(&result, name);
		}
		if (rows[i].regressed)
			sample_regressed(&result, "slow");
		result_settle(&result);
		render(&result, &out);
		assert_int_equal(strstr(out.buf, "<details><summary><h2") != NULL, rows[i].folds);
		assert_int_equal(strstr(out.buf, "<nav") != NULL, result.n_scenarios > 1);
	}
}

/* OUT holds each of WANT, up to a NULL, and not NEVER. */
static void assert_holds(const struct strbuf *out, const char *const want[3], const char *never)
{
	for (size_t k = 0; k < 3 && want[k]; k++)
		if (!strstr(out->buf, want[k]))
			fail_msg("%s lacks %s", out->buf, want[k]);
	if (strstr(out->buf, never) || strstr(out->buf, "nan") || strstr(out->buf, "=\"-"))
		fail_msg("%s has %s", out->buf, never);
}

#define STRIP(of, count, id, base, most, least)                                                                \
	{                                                                                                      \
		.values = of, .n = count, .runs = count == 1 ? "run" : "runs", .metric = METRIC(id), .baseline = base, \
		.at_most = most, .at_least = least                                                             \
	}

TEST(test_strip)
{
	static const double spread[] = {10, 11, 12}, same[] = {100, 100}, zero[] = { 0 };
	static const struct {
		struct html_strip strip;
		const char *want[3], *never;
	} rows[] = {
		{ STRIP(NULL, 0, TASK_CLOCK, NAN, NAN, NAN), { "-" }, "<svg" },
		{ STRIP(spread, 3, TASK_CLOCK, 10, 12.5, NAN),
		  { "3 runs, from 10.0 ms to 12.0 ms; baseline 10.0 ms; limit, at most 12.5 ms",
		   "class=\"dots\" d=\"M5.0 5.0h0M53.8 15.0h0M102.6 25.0h0\"", "class=\"room\" x=\"0.0\" width=\"127.0\"" },
		  "nan" },
		{ STRIP(spread, 3, IPC, 11, NAN, 9),
		  { "limit, at least 9.00", "class=\"limit\" d=\"M5.0 0V30\"", "class=\"base\" d=\"M86.3 0V30\"" },
		  "at most" },
		{ STRIP(same, 2, PAGE_FAULTS, NAN, NAN, NAN), { "2 runs, from 100 to 100", "M66.0 5.0h0M66.0 25.0h0" }, "room" },
		/* Values half a percent apart are drawn to scale, not across the whole strip. */
		{ STRIP(same, 2, PAGE_FAULTS, 99.5, NAN, NAN), { "class=\"base\" d=\"M35.4 0V30\"", "M96.6 5.0h0" }, "nan" },
		{ STRIP(zero, 1, PAGE_FAULTS, NAN, NAN, NAN), { "1 run,", "d=\"M66.0 15.0h0\"" }, "nan" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		html_strip(&out, &rows[i].strip);
		assert_holds(&out, rows[i].want, rows[i].never);
	}
}

/* A strip stays small with any number of runs, and states how many it omits. */
TEST(test_strip_is_small)
{
	struct html_strip strip = {.n = 10000, .runs = "runs", .metric = metric_find("task-clock"), .baseline = 1, .at_most = NAN, .at_least = NAN};
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	double *values = xcalloc(strip.n, sizeof *values);

	for (size_t i = 0; i < strip.n; i++)
		values[i] = 1 + (double)i;
	strip.values = values;
	html_strip(&out, &strip);
	assert_true(out.len < 3000);
	assert_non_null(strstr(out.buf, "10000 runs (120 drawn), from 1.00 ms to 10.0 s"));
	free(values);
}

/* Charts contain only finite numbers, and everything lies within the drawing. */
TEST(test_chart)
{
	static const double few[] = { 10, 11, 12 }, slow[] = { 20, 21, 22 }, same[] = { 5, 5 };
	static const struct chart_column sessions[] = {
		{ .label = "11-20", .values = few, .n = 3, .middle = 11 }, { .label = "11-21", .values = few, .n = 3, .middle = 11 },
		{ .label = "<now>", .values = slow, .n = 3, .middle = 21, .judged = true },
	}, pairs[] = { { .label = "pairs", .values = few, .n = 3, .middle = NAN, .judged = true } },
	  equal[] = { { .label = "now", .values = same, .n = 2, .middle = 5, .judged = true } };
	static const struct {
		struct chart chart;
		const char *want[3], *never;
	} rows[] = {
		{ { "a \"<b>\"", METRIC(TASK_CLOCK), sessions, 3, 11, 12.1, NAN, 21, 19, 23 },
		  { "aria-label=\"a &quot;&lt;b&gt;&quot;\"", ">&lt;now&gt;</text>", "class=\"trend\"" }, "judged judged" },
		/* An unknown bound is infinite, and is drawn up to the edge of the picture. */
		{ { "w", METRIC(TASK_CLOCK), sessions, 3, 11, 12.1, NAN, 21, -INFINITY, 23 }, { "class=\"interval\"", "V130.0" }, "inf" },
		{ { "w", METRIC(TASK_CLOCK), sessions, 3, 11, 12.1, NAN, 21, NAN, NAN }, { "class=\"estimate\"" }, "interval" },
		/* The limit is too far away to draw, and everything drawn is within it. */
		{ { "w", METRIC(TASK_CLOCK), sessions, 3, 11, 1100, NAN, 21, 19, 23 }, { "class=\"room\"" }, "limit" },
		{ { "w", NULL, pairs, 1, 1, 1.05, NAN, 11, 10, 12 }, { ">0 %</text>", ">pairs</text>" }, "trend" },
		{ { "w", METRIC(IPC), equal, 1, 5, NAN, 4.9, 5, 5, 5 }, { "class=\"limit\"", "class=\"room\"" }, "nan" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		chart_runs(&out, &rows[i].chart);
		assert_holds(&out, rows[i].want, rows[i].never);
	}
}

/* Pictures are markup already. They are left out if the page would become too large. */
TEST(test_pictures)
{
	CLEANUP(free_ptr) char *huge = xcalloc(1, 2 << 20);
	struct report_pictures pictures[SAMPLES] = { { (char[]){ "<svg class=\"flame\"></svg>" }, (char[]){ "<svg id=\"d\"></svg>" } } };
	CLEANUP(result_release) struct result result = { 0 };

	memset(huge, 'x', (2 << 20) - 1);
	sample_begin(&result);
	sample_regressed(&result, "slow");
	sample_regressed(&result, "slower");
	result_settle(&result);
	for (int i = 0; i < 2; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		pictures[1].flame = i ? huge : NULL;
		pictures[0].flame = i ? huge : pictures[0].flame;
		report_html(&result, &(struct report_options){ .pictures = pictures }, &out);
		assert_non_null(strstr(out.buf, "<figure class=\"flames\">\n<svg id=\"d\"></svg></figure>"));
		assert_non_null(strstr(out.buf, ".u0>rect{"));
		assert_int_equal(strstr(out.buf, "Flame graphs are left out") != NULL, i);
		assert_true(out.len < 3 << 20);
	}
}
