/* Lines of a stream against an expression, however the bytes are cut. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/process/process.h"

static struct line_watch *watch_new(const char *regex)
{
	struct line_watch *watch = xmalloc(sizeof *watch);
	struct error err = ERROR_INIT;

	/* Whatever was there before does not matter. */
	memset(watch, 0xff, sizeof *watch);
	if (line_watch_init(watch, regex, &err) < 0)
		fail_msg("%s", err.msg);
	return watch;
}

static bool seen(const char *regex, const char *data, size_t len, size_t step)
{
	struct line_watch *watch = watch_new(regex);
	bool result;

	for (size_t at = 0; at < len; at += step)
		line_watch_feed(watch, data + at, len - at < step ? len - at : step);
	result = watch->seen;
	line_watch_release(watch);
	free(watch);
	return result;
}

#define BYTES(text) text, sizeof(text) - 1

static void a_line_is_seen_however_it_is_cut(void **state)
{
	static const struct {
		const char *regex, *data;
		size_t len;
		bool seen;
	} cases[] = {
		{ "ready", BYTES("starting\nready to serve\n"), true },
		{ "ready", BYTES("starting\nready"), true },
		{ "ready", BYTES("rea\ndy\n"), false },
		{ "ready", BYTES(""), false },
		{ "", BYTES("x"), true },
		{ "^ready$", BYTES("a\nready\nb\n"), true },
		{ "^ready$", BYTES("a\r\nready\r\nb\r\n"), true },
		{ "^ready$", BYTES("not ready\nready soon\n"), false },
		{ "ready$", BYTES("ready"), false },
		{ "^b", BYTES("ab\n"), false },
		{ "(listening|serving) on port [0-9]+", BYTES("x\nserving on port 80"), true },
		{ "a.b", BYTES("a\nb\n"), false },
		{ "^$", BYTES("x\n\ny\n"), true },
		{ "a b", BYTES("a\0b\n"), true },
		{ "b", BYTES("a\0b"), true },
	};
	static const size_t steps[] = { 1, 2, 3, 7, 1000 };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
			if (seen(cases[i].regex, cases[i].data, cases[i].len, steps[k]) != cases[i].seen)
				fail_msg("case %zu by %zu: '%s' is %sseen", i, steps[k], cases[i].regex,
					 cases[i].seen ? "not " : "");
}

/* LEN times x, then TEXT. */
static bool seen_behind(const char *regex, size_t len, const char *text, size_t step)
{
	CLEANUP(strbuf_release) struct strbuf data = STRBUF_INIT;

	strbuf_pad(&data, 'x', len);
	strbuf_adds(&data, text);
	return seen(regex, data.buf, data.len, step);
}

static void of_a_long_line_its_start_counts(void **state)
{
	static const size_t steps[] = { 1, 1000, WATCH_LINE, 1 << 20 };

	(void)state;
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		assert_true(seen_behind("xend", WATCH_LINE - 3, "end and more\n", steps[i]));
		assert_false(seen_behind("xend", WATCH_LINE - 2, "end\n", steps[i]));
		assert_true(seen_behind("^end$", 3 * WATCH_LINE, "\nend\n", steps[i]));
		/* Where it was cut is not where it ends. */
		assert_false(seen_behind("x$", 3 * WATCH_LINE, "y\n", steps[i]));
	}
}

/* Once seen it stays so, and costs nothing any more. */
static void what_was_seen_stays_seen(void **state)
{
	struct line_watch *watch = watch_new("^ready");

	(void)state;
	line_watch_feed(watch, BYTES("ready\nmore"));
	assert_true(watch->seen);
	line_watch_feed(watch, BYTES("other\n"));
	assert_true(watch->seen);
	assert_int_equal(watch->len, 0);
	line_watch_release(watch);
	free(watch);
}

static void a_wrong_expression_is_told(void **state)
{
	struct error err = ERROR_INIT;
	struct line_watch watch;

	(void)state;
	assert_int_equal(line_watch_init(&watch, "ready (", &err), -1);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_string_equal(err.msg, "the regular expression 'ready (' cannot be used: Unmatched ( or \\(");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_seen_however_it_is_cut),
		cmocka_unit_test(of_a_long_line_its_start_counts),
		cmocka_unit_test(what_was_seen_stays_seen),
		cmocka_unit_test(a_wrong_expression_is_told),
	};

	return cmocka_run_group_tests_name("line_watch", tests, NULL, NULL);
}
