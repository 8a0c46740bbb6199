/* The end of a stream: nothing of it is lost while it fits, and the end is always kept. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "measure/process/process.h"

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

/* SIZE bytes in which no two neighbourhoods are alike. */
static char *stream(size_t size)
{
	char *bytes = xmalloc(size);

	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)('a' + (i * i + i / 26) % 26);
	return bytes;
}

static void the_end_of_any_length_is_kept(void **state)
{
	static const size_t totals[] = {
		0, 1, TAIL_KEPT - 1, TAIL_KEPT, TAIL_KEPT + 1, 2 * TAIL_KEPT - 1, 2 * TAIL_KEPT, 3 * TAIL_KEPT + 7,
	};
	static const size_t chunks[] = { 977, TAIL_KEPT - 1, TAIL_KEPT, TAIL_KEPT + 1, 5 * TAIL_KEPT };
	CLEANUP(free_ptr) char *bytes = stream(4 * TAIL_KEPT);

	(void)state;
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

static void as_much_is_kept_as_was_asked_for(void **state)
{
	static const size_t keeps[] = { 1, 7, TAIL_KEPT - 1, TAIL_KEPT + 1, 3 * TAIL_KEPT };
	static const size_t chunks[] = { 1, 13, TAIL_KEPT, 4 * TAIL_KEPT };
	CLEANUP(free_ptr) char *bytes = stream(4 * TAIL_KEPT);

	(void)state;
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

static void lines_are_found_in_what_was_asked_for(void **state)
{
	CLEANUP(tail_release) struct tail tail = { .keep = 8 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	(void)state;
	tail_feed(&tail, "one\ntwo\nthree\n", 14);
	tail_lines(&tail, 9, &text);
	assert_string_equal(text.buf, "o\nthree");
}

static void the_last_lines_are_found(void **state)
{
	static const struct {
		const char *text;
		unsigned lines;
		const char *expected;
	} cases[] = {
		{ "", 3, "" }, { "\n\n", 3, "" },
		{ "one", 1, "one" }, { "one\n", 1, "one" }, { "one\n", 9, "one" },
		{ "one\ntwo\nthree\n", 1, "three" }, { "one\ntwo\nthree\n", 2, "two\nthree" },
		{ "one\ntwo\nthree\n", 3, "one\ntwo\nthree" }, { "one\ntwo\nthree", 4, "one\ntwo\nthree" },
		{ "one\n\nthree\n\n\n", 2, "\nthree" }, { "\none", 2, "\none" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(tail_release) struct tail tail = TAIL_INIT;
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		tail_feed(&tail, cases[i].text, strlen(cases[i].text));
		tail_lines(&tail, cases[i].lines, &text);
		assert_string_equal(text.buf, cases[i].expected);
	}
}

static void lines_are_found_across_the_seam(void **state)
{
	CLEANUP(tail_release) struct tail tail = TAIL_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *bytes = stream(TAIL_KEPT - 4);

	(void)state;
	tail_feed(&tail, bytes, TAIL_KEPT - 4);
	tail_feed(&tail, "\nfirst\nsecond\n", 14);
	tail_lines(&tail, 2, &text);
	assert_string_equal(text.buf, "first\nsecond");
}

static void a_released_tail_starts_anew(void **state)
{
	struct tail tail = TAIL_INIT;
	CLEANUP(free_ptr) char *bytes = stream(2 * TAIL_KEPT);

	(void)state;
	tail_feed(&tail, bytes, TAIL_KEPT);
	tail_feed(&tail, bytes, 5);
	tail_release(&tail);
	assert_text(&tail, "", "", 0);
	tail_feed(&tail, "new", 3);
	assert_text(&tail, "", "new", 3);
	tail_release(&tail);
	assert_null(tail.ring);
	assert_text(&tail, "", "", 0);
	tail_release(&tail);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_of_any_length_is_kept),
		cmocka_unit_test(as_much_is_kept_as_was_asked_for),
		cmocka_unit_test(lines_are_found_in_what_was_asked_for),
		cmocka_unit_test(the_last_lines_are_found),
		cmocka_unit_test(lines_are_found_across_the_seam),
		cmocka_unit_test(a_released_tail_starts_anew),
	};

	return cmocka_run_group_tests_name("tail", tests, NULL, NULL);
}
