/* What a search found, as people read it, in each of its outcomes. */
#include "golden.h"
#include "report_samples.h"

#include <math.h>

#include "base/mem.h"
#include "report/report.h"

enum { COMMITS = 5 };

/* The id of commit I: a digit, repeated. */
static char *id_of(size_t i)
{
	char id[41] = { 0 };

	memset(id, (int)('1' + i), 40);
	return xstrdup(id);
}

static void set_step(struct bisect_step *step, const char *base, char *head, enum bisect_state state, double change_pct)
{
	*step = (struct bisect_step){
		.base = xstrdup(base), .head = head, .state = state, .change_pct = change_pct, .low_pct = change_pct - 2,
		.high_pct = change_pct + 2, .pairs = 12, .elapsed_s = 30,
	};
}

static void open_search(struct bisection *b)
{
	static const char *const subjects[COMMITS] = { "one", "two", "a | b, `c`, @d", "\x1b[31mred\nlines", "the last" };
	struct commits commits = { 0 };

	*b = (struct bisection){
		.scenario = xstrdup("startup"), .good = xstrdup("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), .bad = id_of(COMMITS - 1),
		.good_ref = xstrdup("v1.0"), .bad_ref = xstrdup("HEAD"), .metric = xstrdup("task-clock"), .seed = 42,
	};
	for (size_t i = 0; i < COMMITS; i++) {
		CLEANUP(free_ptr) char *id = id_of(i);

		commits_add(&commits, id, i == 3 ? "<b>Jo</b>" : "Jo Doe", "2026-11-20", subjects[i]);
	}
	assert_int_equal(bisection_place(b, &commits, NULL), 0);
	set_step(&b->whole, b->good, xstrdup(b->bad), BISECT_BAD, 98.3);
}

static void take(struct bisection *b, size_t at, enum bisect_state state, double change_pct)
{
	struct bisect_step step;

	set_step(&step, b->good, id_of(at), state, change_pct);
	if (state == BISECT_SKIPPED) {
		step.reason = xstrdup("the build failed, its log is /tmp/log\nmake: *** [all] Error 1");
		step.change_pct = step.low_pct = step.high_pct = NAN;
		step.pairs = 0;
	}
	bisection_add_step(b, at, &step);
}

static void find(struct bisection *b, size_t at, enum bisect_state state, double change_pct)
{
	CLEANUP(free_ptr) char *before = xstrdup(bisection_before(b));

	set_step(&b->found, before, id_of(at), state, change_pct);
	strv_push(&b->explanation, "parse_field() costs 12.1 ms more a run, 97 % of the change");
	b->folder = xstrdup("pawl-out/x/startup");
	b->difference = true;
}

static void found(struct bisection *b)
{
	take(b, 2, BISECT_GOOD, 0.4);
	take(b, 3, BISECT_BAD, 97);
	find(b, 3, BISECT_BAD, 96.6);
}

static void partly(struct bisection *b)
{
	take(b, 2, BISECT_BAD, 60);
	take(b, 1, BISECT_GOOD, 10);
	find(b, 2, BISECT_BAD, 30);
}

static void narrowed(struct bisection *b)
{
	take(b, 2, BISECT_SKIPPED, 0);
	take(b, 1, BISECT_GOOD, 1);
	take(b, 3, BISECT_BAD, 98);
	find(b, 3, BISECT_BAD, 96);
}

static void unconfirmed(struct bisection *b)
{
	take(b, 2, BISECT_BAD, 41);
	take(b, 1, BISECT_GOOD, 39);
	find(b, 2, BISECT_GOOD, 1);
}

static void lost(struct bisection *b)
{
	for (size_t i = 0; i + 1 < COMMITS; i++)
		take(b, i, BISECT_SKIPPED, 0);
}

static void nothing(struct bisection *b)
{
	b->whole.state = BISECT_GOOD;
	b->whole.reason = xstrdup("bad is not slower than good");
	strv_push(&b->explanation, "PASS task-clock: not higher by more than 2.2 %, 14 pairs");
}

static void untold(struct bisection *b)
{
	b->whole.state = BISECT_SKIPPED;
	b->whole.reason = xstrdup("whether bad is slower than good could not be decided");
	strv_push(&b->explanation, "INCONCLUSIVE task-clock +4.1 % (-0.4 to +8.8), tolerance 3 %, 60 pairs");
	b->argument = xstrdup("scenarios/servers/start up.yaml");
}

static void outcomes(void **state)
{
	static const struct {
		const char *name;
		void (*fill)(struct bisection *b);
	} rows[] = {
		{ "found", found }, { "partly", partly }, { "narrowed", narrowed }, { "unconfirmed", unconfirmed }, { "lost", lost },
		{ "nothing", nothing }, { "untold", untold },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(bisection_release) struct bisection b;
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, markdown = STRBUF_INIT, path = STRBUF_INIT;

		open_search(&b);
		rows[i].fill(&b);
		bisection_text(&b, &(struct report_options){ 0 }, &text);
		bisection_markdown(&b, &markdown);
		strbuf_addf(&path, "tests/fixtures/report/bisect-%s.txt", rows[i].name);
		golden_compare(path.buf, &text);
		strbuf_reset(&path);
		strbuf_addf(&path, "tests/fixtures/report/bisect-%s.md", rows[i].name);
		golden_compare(path.buf, &markdown);
	}
}

/* Found, and nearly all of the change by its estimate, or less of it, yet not surely. */
static void overlapping(struct bisection *b)
{
	take(b, 2, BISECT_GOOD, 0.4);
	take(b, 3, BISECT_BAD, 97);
	find(b, 3, BISECT_BAD, 62);
	b->found.low_pct = 20;
	b->found.high_pct = 99;
}

static void no_remainder_is_claimed_that_may_be_noise(void **state)
{
	CLEANUP(bisection_release) struct bisection b;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	(void)state;
	open_search(&b);
	overlapping(&b);
	bisection_text(&b, &(struct report_options){ 0 }, &text);
	assert_non_null(strstr(text.buf, "the whole change is +98.3 % (+96.3 % to +100 %) of task-clock from v1.0 (aaaaaaaaaaaa) to HEAD "
					 "(555555555555): this may be all of it"));
	assert_null(strstr(text.buf, "other commits have their part"));
	assert_null(strstr(text.buf, "% of the whole change"));
}

static void the_page_begins_with_the_search(void **state)
{
	CLEANUP(bisection_release) struct bisection b;
	CLEANUP(strbuf_release) struct strbuf page = STRBUF_INIT;
	struct result last = { .mode = MODE_PAIRED, .commit = "444444444444" };
	const char *search, *comparison;

	(void)state;
	open_search(&b);
	found(&b);
	result_add_scenario(&last, "startup");
	report_html(&last, &(struct report_options){ .search = &b }, &page);
	assert_non_null(strstr(page.buf, "<title>FIRST BAD: startup is slower since 444444444444 &quot;\\x1b[31mred"));
	search = strstr(page.buf, "<h2 id=\"search\">");
	comparison = strstr(page.buf, "id=\"s0\"");
	assert_true(search && comparison && search < comparison);
	assert_non_null(strstr(page.buf, "4444444444444444444444444444444444444444, 2026-11-20, &lt;b&gt;Jo&lt;/b&gt;"));
	assert_non_null(strstr(page.buf, "<th scope=\"row\">333333333333</th><td data-title=\"subject\" class=\"words\">a | b, `c`, @d</td>"
					 "<td data-title=\"against good\" class=\"number\">+0.40 %</td>"));
	result_release(&last);

	/* As people see it, with what a comparison has to show. */
	strbuf_reset(&page);
	last = (struct result){ 0 };
	sample_caused(&last);
	report_html(&last, &(struct report_options){ .search = &b }, &page);
	golden_leave_out(&page, html_style);
	golden_compare("tests/fixtures/report/bisect-found.html", &page);
	result_release(&last);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outcomes), cmocka_unit_test(no_remainder_is_claimed_that_may_be_noise),
		cmocka_unit_test(the_page_begins_with_the_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
