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
		int passing; bool regressed; bool folds;
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
	if (strstr(out->buf, never) || strstr(out->buf, "nan") || strstr(out->buf, "y=\"-") || strstr(out->buf, "height=\"-"))
		fail_msg("%s has %s", out->buf, never);
}

static const struct chart_label labels[] = { { .at = 0, .text = "<pair> 1" }, { .at = 3, .text = "3", .link = "https://x/?a&b" } };

TEST(test_chart)
{
	static struct chart_dot spread[] = { { 0.5, 10, "of-base", "base 1", NULL }, { 1.5, 11.5, "of-head", "<b>", "https://x/\"" } },
		same[] = { { 0.5, 100, "point", NULL, NULL } }, zero[] = { { 0.5, 0, "point", NULL, NULL } };
	static struct chart_line near[] = { { 0, 3, 12, 12, "limit" } }, far[] = { { 0, 3, 1200, 1200, "limit" } };
	static struct chart_mark marks[] = { { 1, "worse", "a > b" } };
	static const struct { struct chart chart; const char *want[3], *never; } rows[] = {
		{ { .words = "a \"<b>\"", .metric = METRIC(TASK_CLOCK), .columns = 3, .room_from = -INFINITY, .room_to = 12, .dots = spread,
		    .n_dots = 2, .lines = near, .n_lines = 1, .marks = marks, .n_marks = 1, .labels = (struct chart_label *)labels,
		    .n_labels = 2 },
		  { "aria-label=\"a &quot;&lt;b&gt;&quot;\"", ">10.5 ms</text>",
		    "<circle class=\"of-base\" cx=\"16.67%\" cy=\"148.0\" r=\"4\"><title>10.0 ms, base 1</title></circle>" }, "<b>" },
		{ { .words = "w", .metric = METRIC(TASK_CLOCK), .columns = 3, .room_from = -INFINITY, .room_to = 12, .dots = spread,
		    .n_dots = 2, .lines = near, .n_lines = 1, .labels = (struct chart_label *)labels, .n_labels = 2 },
		  { "class=\"room\"", "<a href=\"https://x/&quot;\" tabindex=\"-1\"><circle",
		    "<a href=\"https://x/?a&amp;b\"><text x=\"100.00%\" y=\"168\" text-anchor=\"end\">3</text></a>" }, "inf" },
		/* A limit too far away is not drawn. */
		{ { .words = "w", .metric = METRIC(TASK_CLOCK), .columns = 3, .room_from = NAN, .room_to = NAN, .dots = spread, .n_dots = 2,
		    .lines = far, .n_lines = 1 }, { "<circle" }, "limit" },
		/* Equal values are in the middle, between numbers that differ by one percent. */
		{ { .words = "w", .metric = METRIC(TASK_CLOCK), .columns = 1, .room_from = NAN, .room_to = NAN, .dots = same, .n_dots = 1 },
		  { ">99 ms</text>", "cy=\"78.0\"", ">101 ms</text>" }, "room" },
		{ { .words = "w", .metric = METRIC(PAGE_FAULTS), .columns = 1, .room_from = NAN, .room_to = NAN, .dots = zero, .n_dots = 1 },
		  { ">0</text>", "cy=\"148.0\"" }, "title></title" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		chart_add(&out, &rows[i].chart);
		assert_holds(&out, rows[i].want, rows[i].never);
		check_balance(out.buf);
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

/* A gate that the scenario does not set is folded unless it found something. */
TEST(test_unset_gates)
{
	for (int set = 0; set < 2; set++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };
		struct scenario_result *scenario;
		const char *row, *fold;
		struct gate_result *gate;

		sample_begin(&result);
		scenario = sample_scenario(&result, "slow");
		sample_gate(scenario, (struct sample_gate){ "task-clock", VERDICT_REGRESSION, 50, 80, 60, 55, 65, 5, 0, NULL, 0 });
		gate = sample_gate(scenario, (struct sample_gate){ "page-faults", VERDICT_PASS, 50, 50, 0, -1, 1, 5, 0, NULL, 0 });
		gate->gate.by_default = !set;
		gate->gate.line = set;
		result_settle(&result);
		render(&result, &out);
		row = strstr(out.buf, "<th scope=\"row\">page-faults</th>");
		fold = strstr(out.buf, "<summary>Also measured</summary>");
		assert_non_null(row);
		assert_non_null(strstr(out.buf, "<h1><span class=\"tag bad\">"));
		assert_non_null(strstr(out.buf, " slow is 60.0 % slower</h1>"));
		assert_int_equal(fold && row > fold, !set);
	}
}
