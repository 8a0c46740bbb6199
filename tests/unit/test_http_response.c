/* HTTP responses, cut in every way, and what is none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "model/http_response.h"

#define BYTES(text) text, sizeof(text) - 1

/* As feeding does, then the end of the connection unless it was complete before. */
static int read_all(struct http_response *r, const char *data, size_t len, size_t step, struct error *err)
{
	int got = 0;

	for (size_t at = 0; at < len && !got; at += step)
		got = http_response_feed(r, data + at, len - at < step ? len - at : step, err);
	if (got)
		return got < 0 ? -1 : 0;
	return http_response_end(r, err);
}

static const size_t steps[] = { 1, 2, 3, 5, 11, 100000 };
enum { N_STEPS = sizeof steps / sizeof steps[0] };

static void responses_are_read_however_they_are_cut(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		unsigned status;
		const char *body;
	} cases[] = {
		{ BYTES("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), 200, "hello" },
		{ BYTES("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more"), 200, "hello" },
		{ BYTES("HTTP/1.0 200 OK\n\nhello\n"), 200, "hello\n" },
		{ BYTES("HTTP/1.1 503\r\n\r\n"), 503, "" },
		{ BYTES("HTTP/1.1 503 \r\ncontent-length:0\r\n\r\n"), 503, "" },
		{ BYTES("HTTP/1.1 301 Moved\r\nLocation: http://a:b/\r\nCONTENT-LENGTH:\t 2 \t\r\n\r\nok"), 301, "ok" },
		{ BYTES("HTTP/1.1 204 No Content\r\nX: y\r\n\r\n"), 204, "" },
		{ BYTES("HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n"), 304, "" },
		{ BYTES("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nbytes"), 101, "" },
		{ BYTES("HTTP/1.1 100 Continue\r\nContent-Length: 7\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
			"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), 200, "ok" },
		{ BYTES("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n00A;x=\"y\"\r\n, chunks!\n\r\n"
			"0\r\n\r\nmore"), 200, "hello, chunks!\n" },
		{ BYTES("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Length: 3\r\n\r\n2\nok\n0\nTrailer: x\n\n"), 200,
		  "ok" },
		{ BYTES("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok"), 200, "ok" },
		{ BYTES("HTTP/1.1 200 OK\r\nX-Content-Length: 9\r\nContent-Lengths: 9\r\nA:\r\n folded: 1\r\n\tmore\r\n\r\nok"),
		  200, "ok" },
		{ BYTES("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok"), 200, "ok" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (size_t k = 0; k < N_STEPS; k++) {
			CLEANUP(http_response_release) struct http_response r = HTTP_RESPONSE_INIT;
			struct error err = ERROR_INIT;

			if (read_all(&r, cases[i].text, cases[i].len, steps[k], &err) < 0)
				fail_msg("case %zu by %zu: %s", i, steps[k], err.msg);
			assert_true(r.headed);
			assert_false(r.cut);
			assert_int_equal(r.status, cases[i].status);
			assert_string_equal(r.body.buf, cases[i].body);
			assert_int_equal(r.body.len, strlen(cases[i].body));
			/* What comes behind it is not looked at. */
			assert_int_equal(http_response_feed(&r, BYTES("\xff\n"), &err), 1);
		}
	}
}

#define HEAD "HTTP/1.1 200 OK\r\n"
#define CHUNKED HEAD "Transfer-Encoding: chunked\r\n\r\n"

static void what_is_no_response_is_refused(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		const char *why;
	} cases[] = {
		{ BYTES(""), "it closed the connection without an answer" },
		{ BYTES("H"), "its answer ends too early" },
		{ BYTES("HTTP/1.1 200 OK"), "its answer ends too early" },
		{ BYTES(HEAD), "its answer ends too early" },
		{ BYTES(HEAD "A: b\r\n"), "its answer ends too early" },
		{ BYTES("HTTP/1.1 100 Continue\r\n\r\n"), "its answer ends too early" },
		{ BYTES(HEAD "Content-Length: 5\r\n\r\nhell"), "its answer ends too early" },
		{ BYTES(CHUNKED), "its answer ends too early" },
		{ BYTES(CHUNKED "5\r\nhell"), "its answer ends too early" },
		{ BYTES(CHUNKED "5\r\nhello\r\n"), "its answer ends too early" },
		{ BYTES(CHUNKED "5\r\nhello\r\n0\r\n"), "its answer ends too early" },
		{ BYTES("SSH-2.0-OpenSSH_9.2\r\n"), "it does not speak HTTP/1, its answer begins with '" },
		{ BYTES("HTTP/2 200\r\n"), "it does not speak HTTP/1, its answer begins with '" },
		{ BYTES("\0\0\x06\x04"), "it does not speak HTTP/1, its answer begins with '" },
		{ BYTES("\r\nHTTP/1.1 200 OK\r\n"), "it does not speak HTTP/1, its answer begins with '" },
		{ BYTES("http/1.1 200 OK\r\n"), "it does not speak HTTP/1, its answer begins with '" },
		{ BYTES("HTTP/1.1 OK\r\n"), "its answer has no status but 'HTTP/1.1 OK'" },
		{ BYTES("HTTP/1.1 20\r\n"), "its answer has no status but 'HTTP/1.1 20'" },
		{ BYTES("HTTP/1.1 2000\r\n"), "its answer has no status but 'HTTP/1.1 2000'" },
		{ BYTES("HTTP/1.1 099 x\r\n"), "its answer has no status but 'HTTP/1.1 099 x'" },
		{ BYTES("HTTP/1.  200 x\r\n"), "its answer has no status but 'HTTP/1.  200 x'" },
		{ BYTES("HTTP/1.1\r\n"), "its answer has no status but 'HTTP/1.1'" },
		{ BYTES(HEAD "what is this\r\n"), "its answer has a line that is no field: 'what is this'" },
		{ BYTES(HEAD ": x\r\n"), "its answer has a line that is no field: ': x'" },
		{ BYTES(HEAD "a\0: x\r\n"), "its answer has a line that is no field: 'a'" },
		{ BYTES(HEAD "Content-Length: -1\r\n"), "its answer has a wrong length: 'Content-Length: -1'" },
		{ BYTES(HEAD "Content-Length:\r\n"), "its answer has a wrong length: 'Content-Length:'" },
		{ BYTES(HEAD "Content-Length: 99999999999999999999\r\n"), "its answer has a wrong length: 'Content-Length: 999999" },
		{ BYTES(HEAD "Content-Length: 1\r\nContent-Length: 2\r\n"), "its answer has a wrong length: 'Content-Length: 2'" },
		{ BYTES(HEAD "Transfer-Encoding: gzip, chunked\r\n"), "its answer is encoded in a way that was not asked for: " },
		{ BYTES(CHUNKED "x\r\n"), "its answer has a chunk of unknown size: 'x'" },
		{ BYTES(CHUNKED "\r\n"), "its answer has a chunk of unknown size: ''" },
		{ BYTES(CHUNKED "-1\r\n"), "its answer has a chunk of unknown size: '-1'" },
		{ BYTES(CHUNKED "0x5\r\n"), "its answer has a chunk of unknown size: '0x5'" },
		{ BYTES(CHUNKED "1000000000000000\r\n"), "its answer has a chunk of unknown size: '1000000000000000'" },
		{ BYTES(CHUNKED "4\r\nhello\r\n"), "its answer has a chunk that is longer than it says, by 'o'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (size_t k = 0; k < N_STEPS; k++) {
			CLEANUP(http_response_release) struct http_response r = HTTP_RESPONSE_INIT;
			struct error err = ERROR_INIT;

			if (read_all(&r, cases[i].text, cases[i].len, steps[k], &err) == 0)
				fail_msg("case %zu by %zu was taken", i, steps[k]);
			assert_int_equal(err.kind, ERR_TARGET);
			if (strncmp(err.msg, cases[i].why, strlen(cases[i].why)))
				fail_msg("case %zu by %zu: %s", i, steps[k], err.msg);
		}
	}
}

/* Whoever speaks first and then waits is known by its first bytes. */
static void a_stranger_is_known_at_once(void **state)
{
	CLEANUP(http_response_release) struct http_response r = HTTP_RESPONSE_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(http_response_feed(&r, BYTES("220 mail.example ESMTP\r\n250-more"), &err), -1);
	assert_string_equal(err.msg, "it does not speak HTTP/1, its answer begins with '220 mail.example ESMTP'");
}

static void the_status_stands_before_the_body(void **state)
{
	CLEANUP(http_response_release) struct http_response r = HTTP_RESPONSE_INIT;

	(void)state;
	assert_int_equal(http_response_feed(&r, BYTES(HEAD "X: y\r\n"), NULL), 0);
	assert_false(r.headed);
	assert_int_equal(r.status, 0);
	assert_int_equal(http_response_feed(&r, BYTES("\r\n"), NULL), 0);
	assert_true(r.headed);
	assert_int_equal(r.status, 200);
}

/* HEAD, then LEN bytes of x in chunks of SIZE (0: all in one), then what ends a body of that kind. */
static void large(const char *head, size_t len, size_t chunk, struct strbuf *out)
{
	strbuf_adds(out, head);
	for (size_t n; len; len -= n) {
		n = chunk && chunk < len ? chunk : len;
		if (chunk)
			strbuf_addf(out, "%zx\r\n", n);
		strbuf_pad(out, 'x', n);
		strbuf_adds(out, chunk ? "\r\n" : "");
	}
	strbuf_adds(out, chunk ? "0\r\n\r\n" : "");
}

static void a_large_body_is_cut(void **state)
{
	static const struct {
		const char *head;
		size_t chunk, len;
		bool cut;
	} cases[] = {
		{ HEAD "\r\n", 0, HTTP_BODY_LARGEST, false },
		{ HEAD "\r\n", 0, HTTP_BODY_LARGEST + 1, true },
		{ HEAD "Content-Length: 1048576\r\n\r\n", 0, HTTP_BODY_LARGEST, false },
		{ HEAD "Content-Length: 9223372036854775807\r\n\r\n", 0, HTTP_BODY_LARGEST + 1, true },
		{ CHUNKED, 4096, HTTP_BODY_LARGEST, false },
		{ CHUNKED, 10, HTTP_BODY_LARGEST, false },
		{ CHUNKED, 4096, HTTP_BODY_LARGEST + 1, true },
		{ CHUNKED, 1 << 30, HTTP_BODY_LARGEST + 1, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(http_response_release) struct http_response r = HTTP_RESPONSE_INIT;
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		struct error err = ERROR_INIT;

		large(cases[i].head, cases[i].len, cases[i].chunk, &text);
		if (read_all(&r, text.buf, text.len, 65536, &err) < 0)
			fail_msg("case %zu: %s", i, err.msg);
		assert_int_equal(r.cut, cases[i].cut);
		assert_int_equal(r.body.len, HTTP_BODY_LARGEST);
		assert_int_equal(strspn(r.body.buf, "x"), HTTP_BODY_LARGEST);
	}
}

/* Whichever line it is that has no end, or however many there are. */
static void endless_lines_are_refused(void **state)
{
	static const struct {
		const char *head, *again;
	} cases[] = {
		{ "HTTP/1.1 200 ", "x" }, { HEAD, "x" }, { HEAD, "a: b\r\n" }, { "", "HTTP/1.1 100 Continue\r\n\r\n" },
		{ CHUNKED "1;", "x" }, { CHUNKED "1\r\nx", " " }, { CHUNKED "0\r\n", "a: b\r\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(http_response_release) struct http_response r = HTTP_RESPONSE_INIT;
		struct error err = ERROR_INIT;
		int got = http_response_feed(&r, cases[i].head, strlen(cases[i].head), &err);
		size_t fed = 0;

		for (; !got && fed < 2 * HTTP_HEAD_LARGEST; fed += strlen(cases[i].again))
			got = http_response_feed(&r, cases[i].again, strlen(cases[i].again), &err);
		assert_int_equal(got, -1);
		assert_in_range(fed, HTTP_HEAD_LARGEST - 100, HTTP_HEAD_LARGEST + 100);
		assert_string_equal(err.msg, "its answer has more than 64 KiB of fields");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(responses_are_read_however_they_are_cut),
		cmocka_unit_test(what_is_no_response_is_refused),
		cmocka_unit_test(a_stranger_is_known_at_once),
		cmocka_unit_test(the_status_stands_before_the_body),
		cmocka_unit_test(a_large_body_is_cut),
		cmocka_unit_test(endless_lines_are_refused),
	};

	return cmocka_run_group_tests_name("http_response", tests, NULL, NULL);
}
