#include "unit.h"

#include "measure/process/output.h"

/* -------- Lines of a stream are matched with an expression, wherever reads split them. */

static struct line_watch *watch_new(const char *regex)
{
	struct line_watch *watch = xmalloc(sizeof *watch);
	struct error err = ERROR_INIT;

	/* Initialisation must not depend on previous contents. */
	memset(watch, 0xff, sizeof *watch);
	MUST(line_watch_init(watch, regex, &err));
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

TEST(a_line_is_seen_however_it_is_cut)
{
	static const struct { const char *regex, *data; size_t len; bool seen; } cases[] = {
		{ "ready", BYTES("starting\nready to serve\n"), true },
		{ "ready", BYTES("starting\nready"), true },
		{ "ready", BYTES("rea\ndy\n"), false }, { "ready", BYTES(""), false }, { "", BYTES("x"), true },
		{ "^ready$", BYTES("a\nready\nb\n"), true },
		{ "^ready$", BYTES("a\r\nready\r\nb\r\n"), true },
		{ "^ready$", BYTES("not ready\nready soon\n"), false },
		{ "ready$", BYTES("ready"), false }, { "^b", BYTES("ab\n"), false },
		{ "(listening|serving) on port [0-9]+", BYTES("x\nserving on port 80"), true },
		{ "a.b", BYTES("a\nb\n"), false }, { "^$", BYTES("x\n\ny\n"), true }, { "a b", BYTES("a\0b\n"), true },
		{ "b", BYTES("a\0b"), true },
	};
	static const size_t steps[] = { 1, 2, 3, 7, 1000 };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
			if (seen(cases[i].regex, cases[i].data, cases[i].len, steps[k]) != cases[i].seen)
				fail_msg("case %zu by %zu: '%s' is %sseen", i, steps[k], cases[i].regex,
					 cases[i].seen ? "not " : "");
}

/* True if REGEX matches LEN times x followed by TEXT. */
static bool seen_behind(const char *regex, size_t len, const char *text, size_t step)
{
	CLEANUP(strbuf_release) struct strbuf data = STRBUF_INIT;

	strbuf_pad(&data, 'x', len);
	strbuf_adds(&data, text);
	return seen(regex, data.buf, data.len, step);
}

TEST(of_a_long_line_its_start_counts)
{
	static const size_t steps[] = { 1, 1000, WATCH_LINE, 1 << 20 };

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		assert_true(seen_behind("xend", WATCH_LINE - 3, "end and more\n", steps[i]));
		assert_false(seen_behind("xend", WATCH_LINE - 2, "end\n", steps[i]));
		assert_true(seen_behind("^end$", 3 * WATCH_LINE, "\nend\n", steps[i]));
		/* The cut in a long line is not its end. */
		assert_false(seen_behind("x$", 3 * WATCH_LINE, "y\n", steps[i]));
	}
}

/* After a match the state is final and further text costs nothing. */
TEST(what_was_seen_stays_seen)
{
	CLEANUP(free_ptr) struct line_watch *watch = watch_new("^ready");

	line_watch_feed(watch, BYTES("ready\nmore"));
	assert_true(watch->seen);
	line_watch_feed(watch, BYTES("other\n"));
	assert_true(watch->seen);
	assert_int_equal(watch->len, 0);
	line_watch_release(watch);
}

TEST(a_wrong_expression_is_reported)
{
	struct error err = ERROR_INIT;
	struct line_watch watch;

	assert_int_equal(line_watch_init(&watch, "ready (", &err), -1);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_string_equal(err.msg, "the regular expression 'ready (' cannot be used: missing closing parenthesis");
}

/* Text after the fault costs nothing either. */
TEST(one_that_takes_too_long_is_a_fault)
{
	CLEANUP(free_ptr) struct line_watch *watch = watch_new("(a|aa)+[bc]");
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_pad(&line, 'a', 200);
	strbuf_addc(&line, '\n');
	line_watch_feed(watch, line.buf, line.len);
	assert_false(watch->seen);
	assert_int_equal(watch->fault.kind, ERR_INPUT);
	assert_string_equal(watch->fault.msg, "the regular expression '(a|aa)+[bc]' cannot be used: it takes too long on a text of 200 "
			    "bytes; repeat less within repeats");
	line_watch_feed(watch, BYTES("ab\n"));
	assert_false(watch->seen);
	line_watch_release(watch);
}

/* -------- The tail of a stream: complete while it fits, and the end is always kept. */

static void assert_text(const struct tail *tail, const char *head, const char *kept, size_t len)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, "kept before");
	tail_text(tail, &text);
	assert_memory_equal(text.buf, "kept before", 11);
	assert_int_equal(text.len, 11 + strlen(head) + len);
	assert_memory_equal(text.buf + 11, head, strlen(head));
	assert_memory_equal(text.buf + 11 + strlen(head), kept, len);
}

/* SIZE bytes without repeated neighbourhoods. */
static char *stream(size_t size)
{
	char *bytes = xmalloc(size);

	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)('a' + (i * i + i / 26) % 26);
	return bytes;
}

TEST(the_end_of_any_length_is_kept)
{
	static const size_t totals[] = {
		0, 1, TAIL_KEPT - 1, TAIL_KEPT, TAIL_KEPT + 1, 2 * TAIL_KEPT - 1, 2 * TAIL_KEPT, 3 * TAIL_KEPT + 7,
	};
	static const size_t chunks[] = { 977, TAIL_KEPT - 1, TAIL_KEPT, TAIL_KEPT + 1, 5 * TAIL_KEPT };
	CLEANUP(free_ptr) char *bytes = stream(4 * TAIL_KEPT);

	for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
		for (size_t c = 0; c < sizeof chunks / sizeof chunks[0]; c++) {
			CLEANUP(tail_release) struct tail tail = TAIL_INIT;
			CLEANUP(strbuf_release) struct strbuf head = STRBUF_INIT;
			size_t total = totals[t], kept = total < TAIL_KEPT ? total : TAIL_KEPT;

			for (size_t at = 0; at < total;) {
				size_t len = total - at < chunks[c] ? total - at : chunks[c];

				tail_feed(&tail, bytes + at, len);
				tail_feed(&tail, NULL, 0);
				at += len;
			}
			assert_int_equal(tail.total, total);
			if (total > kept)
				strbuf_addf(&head, "[%zu bytes before this were not kept]\n", total - kept);
			assert_text(&tail, head.buf, bytes + total - kept, kept);
		}
	}
}

TEST(as_much_is_kept_as_was_asked_for)
{
	static const size_t keeps[] = { 1, 7, TAIL_KEPT - 1, TAIL_KEPT + 1, 3 * TAIL_KEPT };
	static const size_t chunks[] = { 1, 13, TAIL_KEPT, 4 * TAIL_KEPT };
	CLEANUP(free_ptr) char *bytes = stream(4 * TAIL_KEPT);

	for (size_t k = 0; k < sizeof keeps / sizeof keeps[0]; k++) {
		for (size_t c = 0; c < sizeof chunks / sizeof chunks[0]; c++) {
			size_t keep = keeps[k], totals[] = { keep - 1, keep, keep + 1, 4 * TAIL_KEPT };

			for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
				CLEANUP(tail_release) struct tail tail = { .keep = keep };
				CLEANUP(strbuf_release) struct strbuf head = STRBUF_INIT;
				size_t total = totals[t], kept = total < keep ? total : keep;

				for (size_t at = 0; at < total; at += chunks[c])
					tail_feed(&tail, bytes + at, total - at < chunks[c] ? total - at : chunks[c]);
				if (total > keep)
					strbuf_addf(&head, "[%zu bytes before this were not kept]\n", total - keep);
				assert_text(&tail, head.buf, bytes + total - kept, kept);
			}
		}
	}
}

TEST(lines_are_found_in_what_was_asked_for)
{
	CLEANUP(tail_release) struct tail tail = { .keep = 8 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	tail_feed(&tail, "one\ntwo\nthree\n", 14);
	tail_lines(&tail, 9, &text);
	assert_string_equal(text.buf, "o\nthree");
}

TEST(the_last_lines_are_found)
{
	static const struct { const char *text; unsigned lines; const char *expected; } cases[] = {
		{ "", 3, "" }, { "\n\n", 3, "" },
		{ "one", 1, "one" }, { "one\n", 1, "one" }, { "one\n", 9, "one" },
		{ "one\ntwo\nthree\n", 1, "three" }, { "one\ntwo\nthree\n", 2, "two\nthree" },
		{ "one\ntwo\nthree\n", 3, "one\ntwo\nthree" }, { "one\ntwo\nthree", 4, "one\ntwo\nthree" },
		{ "one\n\nthree\n\n\n", 2, "\nthree" }, { "\none", 2, "\none" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(tail_release) struct tail tail = TAIL_INIT;
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		tail_feed(&tail, cases[i].text, strlen(cases[i].text));
		tail_lines(&tail, cases[i].lines, &text);
		assert_string_equal(text.buf, cases[i].expected);
	}
}

TEST(lines_are_found_across_the_seam)
{
	CLEANUP(tail_release) struct tail tail = TAIL_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *bytes = stream(TAIL_KEPT - 4);

	tail_feed(&tail, bytes, TAIL_KEPT - 4);
	tail_feed(&tail, "\nfirst\nsecond\n", 14);
	tail_lines(&tail, 2, &text);
	assert_string_equal(text.buf, "first\nsecond");
}

TEST(a_released_tail_starts_anew)
{
	struct tail tail = TAIL_INIT;
	CLEANUP(free_ptr) char *bytes = stream(2 * TAIL_KEPT);

	tail_feed(&tail, bytes, TAIL_KEPT);
	tail_feed(&tail, bytes, 5);
	tail_release(&tail);
	assert_text(&tail, "", "", 0);
	tail_feed(&tail, "new", 3);
	assert_text(&tail, "", "new", 3);
	tail_release(&tail);
	assert_int_equal(tail.text.cap, 0);
	assert_text(&tail, "", "", 0);
	tail_release(&tail);
}

/* -------- lines as hashes */

static const char *const base_places[] = { "/b/tree", NULL }, *const head_places[] = { "/longer/head/tree", NULL };

static void feed_text(struct lines *lines, const char *text, size_t step)
{
	for (size_t len = strlen(text), i = 0; i < len; i += step)
		lines_feed(lines, text + i, len - i < step ? len - i : step);
	lines_end(lines);
}

TEST(the_first_line_that_differs_is_found)
{
	static const struct { const char *base[2], *head[2]; long expected; } cases[] = {
		{ { "", "" }, { "", "" }, 0 },
		{ { "a\nb\n", "a\nb\n" }, { "a\nb\n", "a\nb\n" }, 0 },
		{ { "a\nb\n", "a\nb\n" }, { "a\nc\n", "a\nc\n" }, 2 },
		{ { "a\n", "a\n" }, { "a\nc\n", "a\nc\n" }, 2 },
		{ { "a\nc", "a\nc" }, { "a\n", "a\n" }, 2 },
		{ { "", "" }, { "a", "a" }, 1 },
		/* The last newline counts. */
		{ { "a\n", "a\n" }, { "a", "a" }, 1 },
		/* Lines that differ from run to run of a side do not count. */
		{ { "1\nb\n", "2\nb\n" }, { "3\nb\n", "3\nb\n" }, 0 },
		{ { "1\nb\n", "2\nb\n" }, { "3\nc\n", "4\nc\n" }, 2 },
		{ { "1\nb\n", "1\nb\n" }, { "3\nb\n", "4\nb\n" }, 0 },
		{ { "b\n", "x\nb\n" }, { "c\n", "c\n" }, 0 },
		/* The place of a side does not count, but other folders do. */
		{ { "at /b/tree/x\n", "at /b/tree/x\n" }, { "at /longer/head/tree/x\n", "at /longer/head/tree/x\n" }, 0 },
		{ { "/b/tree /b/tree", "/b/tree /b/tree" }, { "/longer/head/tree /longer/head/tree", "/longer/head/tree /longer/head/tree" }, 0 },
		{ { "at /b/tree/x\n", "at /b/tree/x\n" }, { "at /longer/head/tree/y\n", "at /longer/head/tree/y\n" }, 1 },
		{ { "/b/tree", "/b/tree" }, { "/b/tree", "/b/tree" }, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (size_t step = 1; step < 40; step += 38) {
			struct lines base[2] = { LINES_INIT(base_places), LINES_INIT(base_places) };
			struct lines head[2] = { LINES_INIT(head_places), LINES_INIT(head_places) };

			for (size_t k = 0; k < 2; k++) {
				feed_text(&base[k], cases[i].base[k], step);
				feed_text(&head[k], cases[i].head[k], 40 - step);
			}
			if (lines_compare(base, head) != cases[i].expected)
				fail_msg("case %zu: found %ld, expected %ld", i, lines_compare(base, head), cases[i].expected);
			for (size_t k = 0; k < 2; k++) {
				lines_release(&base[k]);
				lines_release(&head[k]);
			}
		}
}

TEST(a_difference_beyond_the_kept_lines_has_no_number)
{
	struct lines base[2] = { LINES_INIT(NULL), LINES_INIT(NULL) }, head[2] = { LINES_INIT(NULL), LINES_INIT(NULL) };

	for (size_t k = 0; k < 2; k++) {
		for (unsigned i = 0; i < LINES_KEPT + 10; i++) {
			lines_feed(&base[k], "line\n", 5);
			lines_feed(&head[k], i == LINES_KEPT + 5 ? "else\n" : "line\n", 5);
		}
	}
	assert_int_equal(base[0].n, LINES_KEPT);
	assert_int_equal(lines_compare(base, base), LINES_SAME);
	assert_int_equal(lines_compare(base, head), LINES_LATER);
	for (size_t k = 0; k < 2; k++) {
		lines_release(&base[k]);
		lines_release(&head[k]);
	}
}

TEST(a_line_of_any_length_takes_little_memory)
{
	CLEANUP(lines_release) struct lines lines = LINES_INIT(base_places);
	CLEANUP(free_ptr) char *bytes = stream(1 << 20);

	for (unsigned i = 0; i < 64; i++)
		lines_feed(&lines, bytes, 1 << 16);
	assert_true(lines.part.cap < 1 << 20);
	lines_end(&lines);
	assert_int_equal(lines.n, 1);
}
