#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

struct row {
	const char *in, *want;
};

static void check(void (*escape)(struct strbuf *, const char *), const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct strbuf out = STRBUF_INIT;

		strbuf_addc(&out, '>');
		escape(&out, rows[i].in);
		assert_string_equal(out.buf + 1, rows[i].want);
		strbuf_release(&out);
	}
}

#define CHECK(escape, rows) check(escape, rows, sizeof(rows) / sizeof *(rows))

static void test_terminal(void **state)
{
	static const struct row rows[] = {
		{ "", "" },
		{ "plain text, c:\\path", "plain text, c:\\path" },
		{ "a\nb\tc\r", "a\\nb\\tc\\r" },
		{ "\x1b[31mred\x7f", "\\x1b[31mred\\x7f" },
		{ "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7" },
	    /* Not UTF-8: a lone byte, one cut off, an overlong slash, a surrogate, beyond U+10FFFF. */
		{ "\xff", "\\xff" },
		{ "\xe2\x82", "\\xe2\\x82" },
		{ "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
	    /* C1 control, right-to-left override, zero width space, line separator. */
		{"\xc2\x9b", "\\u{9b}"},
		{"a\xe2\x80\xae"
	     "b",
	     "a\\u{202e}b"},
		{"a\xe2\x80\x8b"
	     "b",
	     "a\\u{200b}b"},
		{"a\xe2\x80\xa8"
	     "b",
	     "a\\u{2028}b"},
		{ "::error::x", "\\x3a:error::x" },
		{ "  ::error::x", "  \\x3a:error::x" },
		{ "std::map, ##[error]x", "std::map, ##\\x5berror]x" },
	    /* The runner trims all white space of Unicode: no-break, ideographic, em, narrow no-break space. */
		{ "\xc2\xa0::error::x", "\xc2\xa0\\x3a:error::x" },
		{ " \xe3\x80\x80\xe2\x80\x83\xe2\x80\xaf::x", " \xe3\x80\x80\xe2\x80\x83\xe2\x80\xaf\\x3a:x" },
		{ "\t::x", "\\t::x" },
		{ ":", "\\x3a" },
		{ ":x a:: b", ":x a:: b" },
	    /* Fillers, joiners, selectors, tags and what else is drawn as nothing. */
		{ "\xe3\x85\xa4\xe1\x85\x9f\xe1\x85\xa0\xef\xbe\xa0", "\\u{3164}\\u{115f}\\u{1160}\\u{ffa0}" },
		{ "\xe1\xa0\x8e\xcd\x8f\xc2\xad\xe2\xa0\x80", "\\u{180e}\\u{34f}\\u{ad}\\u{2800}" },
		{ "\xef\xb8\x8f\xe2\x80\x8d\xe2\x80\x8c", "\\u{fe0f}\\u{200d}\\u{200c}" },
		{ "\xf3\xa0\x80\xa0\xf3\xa0\x84\x80\xf0\x9f\xbf\xbe", "\\u{e0020}\\u{e0100}\\u{1fffe}" },
	};

	(void)state;
	CHECK(escape_terminal, rows);
}

static void test_lines(void **state)
{
	static const struct row rows[] = {
		{ "", "" },
		{ "a\nb\tc\n", "a\nb\\tc\n" },
		{ "git says:\n\xc2\xa0::error::x\n::y", "git says:\n\xc2\xa0\\x3a:error::x\n\\x3a:y" },
	};
	static const struct {
		const char *line;
		bool is;
	} commands[] = {
		{ "::x", true }, { " \xe3\x80\x80::x", true }, { "", false }, { "  ", false }, { "a ::x", false }, { ":x", false },
		{ "\\x3a:x", false }, { "\xff", false },
	};

	(void)state;
	CHECK(escape_lines, rows);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		assert_int_equal(escape_is_command(commands[i].line), commands[i].is);
}

static void test_json(void **state)
{
	static const struct row rows[] = {
		{ "", "\"\"" },
		{ "\"\\\n\x1b", "\"\\\"\\\\\\n\\u001b\"" },
		{ "\xc2\x9b\xe2\x80\xae\xe3\x85\xa4", "\"\\u009b\\u202e\\u3164\"" },
		{ "\xf3\xa0\x80\xa0", "\"\\udb40\\udc20\"" },
		{ "::x ##[error]", "\"::x ##\\u005berror]\"" },
		{ "\xff", "\"\xef\xbf\xbd\"" },
	};

	(void)state;
	CHECK(escape_json, rows);
}

static void test_html(void **state)
{
	static const struct row rows[] = {
		{ "a < b && c > \"d\" 'e'", "a &lt; b &amp;&amp; c &gt; &quot;d&quot; &#39;e&#39;" },
		{ "</script>\n", "&lt;/script&gt;\\n" },
		{"\x01\xef\xbf\xbf\xfe", "\\x01\\u{ffff}\\xfe"},
		{ "::x ##[y", "\\x3a:x ##\\x5by" },
		{ "\xe4\xb8\xad", "\xe4\xb8\xad" },
	};

	(void)state;
	CHECK(escape_html, rows);
}

static void test_markdown(void **state)
{
	static const struct row rows[] = {
		{ "branch-miss-rate 6.8.0 +5 % (x)", "branch-miss-rate 6.8.0 +5 % (x)" },
		{ "a|b", "a\\|b" },
		{ "*a* _b_ ~c~ `d` [e](f) \\", "\\*a\\* \\_b\\_ \\~c\\~ \\`d\\` \\[e\\](f) \\\\" },
		{ "<b>&amp;", "&lt;b&gt;&amp;amp;" },
		{ "line\nnext", "line\\nnext" },
		{ "@octocat a@b.example @ 2 GHz", "@&#8203;octocat a@&#8203;b.example @ 2 GHz" },
		{ "#12 gh-7 GH-8 x-9 # a", "#&#8203;12 gh-&#8203;7 GH-&#8203;8 x-9 # a" },
		{ "http://x www.x WWW.y w.z", "http:&#8203;//x www&#8203;.x WWW&#8203;.y w.z" },
		{ "a::key::b :+1: std::map", "a::&#8203;key::b :&#8203;+1: std::map" },
		{ "$x$", "<span>$</span>x<span>$</span>" },
		{ "# head", "\\# head" },
		{ "- item", "\\- item" },
		{ "---", "\\---" },
		{ "+ item", "\\+ item" },
		{ "12. item", "12\\. item" },
		{ "12) item", "12\\) item" },
		{ "-5 %", "-5 %" },
		{ "    code", "&#32;   code" },
		{ "a\x1b[0m", "a\\x1b\\[0m" },
		{ "\xc2\xa0::stop-commands::x", "\xc2\xa0\\x3a:&#8203;stop-commands::x" },
	};

	(void)state;
	CHECK(escape_markdown, rows);
}

static void test_code_span(void **state)
{
	static const struct row rows[] = {
		{ "plain <b> @x *y*", "`plain <b> @x *y*`" },
		{ "a`b", "``a`b``" },
		{ "``", "``` `` ```" },
		{ " x", "`  x `" },
		{ "a``b`c", "```a``b`c```" },
		{ "x\ny", "`x\\ny`" },
		{ "a|b*<", "<code>a&#124;b&#42;&#60;</code>" },
		{ "", "<code></code>" },
	};

	(void)state;
	CHECK(escape_code_span, rows);
}

static void annotation_text(struct strbuf *out, const char *s)
{
	escape_annotation(out, s, 0);
}

static void annotation_property(struct strbuf *out, const char *s)
{
	escape_annotation(out, s, 1);
}

static void test_annotation(void **state)
{
	static const struct row text[] = {
		{ "5 %, a:b\r\nc", "5 %25, a:b%0D%0Ac" },
		{ "%0A::error::", "%250A::error::" },
		{ "\x1b\t", "\\x1b\\t" },
	};
	static const struct row property[] = {{"a:b,c%\n", "a%3Ab%2Cc%25%0A"}};

	(void)state;
	CHECK(annotation_text, text);
	CHECK(annotation_property, property);
}

static void test_shell(void **state)
{
	static const struct row rows[] = {
		{ "--runs=15", "--runs=15" },
		{ "scenarios/a.yaml", "scenarios/a.yaml" },
		{ "", "''" },
		{ "two words", "'two words'" },
		{ "it's", "'it'\\''s'" },
		{ "$(rm) `x` ; \\", "'$(rm) `x` ; \\'" },
		{ "*.c", "'*.c'" },
		{ "~root", "'~root'" },
		{ "a\nb's", "$'a\\012b\\'s'" },
		{ "\xff", "$'\\377'" },
		{ "::x", "$'\\072:x'" },
	};

	(void)state;
	CHECK(escape_shell, rows);
}

static void words_of_a_shell_line_are_read_back(void **state)
{
	static const char *const words[] = { "pawl", "", "a b", "it's", "$(rm) `x` ; \\", "a\nb's\\", "\xff", "::x", "--runs=5", "$'" };
	struct strv in = STRV_INIT, out = STRV_INIT;
	struct strbuf line = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		strv_push(&in, words[i]);
	escape_shell_words(&line, &in);
	escape_shell_split(line.buf, &out);
	assert_true(strv_equal(&in, &out));
	strv_release(&in);
	strv_release(&out);
	strbuf_release(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_terminal),  cmocka_unit_test(test_lines),
	    cmocka_unit_test(test_json),      cmocka_unit_test(test_html),	 cmocka_unit_test(test_markdown),
	    cmocka_unit_test(test_code_span), cmocka_unit_test(test_annotation), cmocka_unit_test(test_shell),
	    cmocka_unit_test(words_of_a_shell_line_are_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
