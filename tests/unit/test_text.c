#include "unit.h"

#include <malloc.h>

/* -------- Growing text. */

TEST(is_readable_while_empty)
{
	struct strbuf sb = STRBUF_INIT;
	char *text;

	assert_string_equal(sb.buf, "");
	strbuf_reset(&sb);
	strbuf_add(&sb, NULL, 0);
	strbuf_truncate(&sb, 10);
	assert_true(strbuf_ends_with(&sb, ""));
	assert_false(strbuf_ends_with(&sb, "x"));
	strbuf_release(&sb);
	text = strbuf_take(&sb);
	assert_string_equal(text, "");
	free(text);
}

TEST(appends)
{
	CLEANUP(strbuf_release) struct strbuf sb = STRBUF_INIT;

	strbuf_adds(&sb, "a");
	strbuf_addc(&sb, 'b');
	strbuf_add(&sb, "cde", 2);
	strbuf_pad(&sb, '-', 3);
	strbuf_pad(&sb, '+', 0);
	strbuf_addf(&sb, "%d%%%s", 42, "x");
	assert_string_equal(sb.buf, "abcd---42%x");
	assert_int_equal(sb.len, strlen(sb.buf));
	strbuf_add(&sb, "\0z", 2);
	assert_int_equal(sb.len, 13);
	assert_memory_equal(sb.buf, "abcd---42%x\0z", 14);
}

TEST(keeps_everything_while_growing)
{
	CLEANUP(strbuf_release) struct strbuf sb = STRBUF_INIT;

	for (unsigned i = 0; i < 10000; i++)
		strbuf_addf(&sb, "%05u", i);
	assert_int_equal(sb.len, 50000);
	for (unsigned i = 0; i < 10000; i++)
		assert_int_equal(strtoul((char[]){ sb.buf[5 * i], sb.buf[5 * i + 1], sb.buf[5 * i + 2],
						   sb.buf[5 * i + 3], sb.buf[5 * i + 4], 0 }, NULL, 10), i);
}

/* Lengths around the first capacity, where the terminator just fits or just does not. */
TEST(terminates_at_every_length)
{
	for (size_t len = 60; len < 70; len++) {
		CLEANUP(strbuf_release) struct strbuf sb = STRBUF_INIT;

		strbuf_pad(&sb, 'x', len);
		assert_int_equal(strlen(sb.buf), len);
		strbuf_addf(&sb, "%0*d", (int)len, 7);
		assert_int_equal(strlen(sb.buf), 2 * len);
		assert_true(sb.cap > sb.len);
	}
}

TEST(shortens_and_hands_on)
{
	struct strbuf sb = STRBUF_INIT;
	char *text;

	strbuf_adds(&sb, "baseline.json");
	assert_true(strbuf_ends_with(&sb, ".json"));
	assert_true(strbuf_ends_with(&sb, "baseline.json"));
	assert_false(strbuf_ends_with(&sb, "a baseline.json"));
	assert_false(strbuf_ends_with(&sb, "JSON"));
	strbuf_truncate(&sb, 100);
	assert_int_equal(sb.len, 13);
	strbuf_truncate(&sb, 8);
	assert_string_equal(sb.buf, "baseline");
	text = strbuf_take(&sb);
	assert_string_equal(text, "baseline");
	assert_string_equal(sb.buf, "");
	assert_int_equal(sb.cap, 0);
	free(text);
	strbuf_adds(&sb, "again");
	strbuf_reset(&sb);
	assert_string_equal(sb.buf, "");
	assert_true(sb.cap > 0);
	strbuf_release(&sb);
	strbuf_release(&sb);
}

/* -------- utf8 */

TEST(test_decode)
{
	static const struct { const char *bytes; size_t len; uint32_t code; } rows[] = {
		{ "a", 1, 'a' }, { "\x7f", 1, 0x7f }, { "\xc2\x80", 2, 0x80 }, { "\xdf\xbf", 2, 0x7ff },
		{ "\xe0\xa0\x80", 3, 0x800 }, { "\xef\xbf\xbf", 3, 0xffff }, { "\xf0\x90\x80\x80", 4, 0x10000 },
		{ "\xf4\x8f\xbf\xbf", 4, 0x10ffff }, { "\x80", 0, 0 }, { "\xc1\xbf", 0, 0 }, { "\xe0\x9f\xbf", 0, 0 },
		{ "\xed\xbf\xbf", 0, 0 }, { "\xf0\x8f\xbf\xbf", 0, 0 }, { "\xf4\x90\x80\x80", 0, 0 },
		{ "\xf8\x88\x80\x80\x80", 0, 0 }, { "\xe2\x82", 0, 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint32_t code = 0;

		assert_int_equal(utf8_decode(rows[i].bytes, &code), rows[i].len);
		assert_int_equal(code, rows[i].code);
	}
}

TEST(test_width)
{
	static const struct { const char *text; size_t width; } rows[] = {
		{ "", 0 }, { "abc", 3 }, { "gr\xc3\xbc\xc3\x9f", 4 }, { "\xe4\xb8\xad\xe6\x96\x87", 4 },
		{ "e\xcc\x81", 1 }, { "\xf0\x9f\x90\xa7", 2 }, { "a\xff", 2 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_int_equal(utf8_width(rows[i].text), rows[i].width);
}

TEST(test_clip)
{
	assert_int_equal(utf8_clip("abc", 0), 0);
	assert_int_equal(utf8_clip("abc", 2), 2);
	assert_int_equal(utf8_clip("abc", 3), 3);
	assert_int_equal(utf8_clip("abc", 99), 3);
	assert_int_equal(utf8_clip("a\xe2\x82\xac", 3), 1);
	assert_int_equal(utf8_clip("a\xe2\x82\xac", 4), 4);
}

/* -------- escape */

struct row {
	const char *in, *want;
};

static void check(void (*escape)(struct strbuf *, const char *), const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		strbuf_addc(&out, '>');
		escape(&out, rows[i].in);
		assert_string_equal(out.buf + 1, rows[i].want);
	}
}

#define CHECK(escape, rows) check(escape, rows, sizeof(rows) / sizeof *(rows))

TEST(test_terminal)
{
	static const struct row rows[] = {
		{ "", "" },
		{ "plain text, c:\\path", "plain text, c:\\path" },
		{ "a\nb\tc\r", "a\\nb\\tc\\r" },
		{ "\x1b[31mred\x7f", "\\x1b[31mred\\x7f" },
		{ "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7" },
	    /* Not UTF-8: a lone byte, one cut off, an overlong slash, a surrogate, beyond U+10FFFF. */
		{ "\xff", "\\xff" }, { "\xe2\x82", "\\xe2\\x82" }, { "\xc0\xaf", "\\xc0\\xaf" },
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
		{ "::error::x", "\\x3a:error::x" }, { "  ::error::x", "  \\x3a:error::x" },
		{ "std::map, ##[error]x", "std::map, ##\\x5berror]x" },
	    /* The runner trims all Unicode white space: no-break, ideographic, em, narrow no-break space. */
		{ "\xc2\xa0::error::x", "\xc2\xa0\\x3a:error::x" },
		{ " \xe3\x80\x80\xe2\x80\x83\xe2\x80\xaf::x", " \xe3\x80\x80\xe2\x80\x83\xe2\x80\xaf\\x3a:x" },
		{ "\t::x", "\\t::x" }, { ":", "\\x3a" }, { ":x a:: b", ":x a:: b" },
	    /* Fillers, joiners, selectors, tags and other invisible characters. */
		{ "\xe3\x85\xa4\xe1\x85\x9f\xe1\x85\xa0\xef\xbe\xa0", "\\u{3164}\\u{115f}\\u{1160}\\u{ffa0}" },
		{ "\xe1\xa0\x8e\xcd\x8f\xc2\xad\xe2\xa0\x80", "\\u{180e}\\u{34f}\\u{ad}\\u{2800}" },
		{ "\xef\xb8\x8f\xe2\x80\x8d\xe2\x80\x8c", "\\u{fe0f}\\u{200d}\\u{200c}" },
		{ "\xf3\xa0\x80\xa0\xf3\xa0\x84\x80\xf0\x9f\xbf\xbe", "\\u{e0020}\\u{e0100}\\u{1fffe}" },
	};

	CHECK(escape_terminal, rows);
}

TEST(test_lines)
{
	static const struct row rows[] = {
		{ "", "" }, { "a\nb\tc\n", "a\nb\\tc\n" },
		{ "git says:\n\xc2\xa0::error::x\n::y", "git says:\n\xc2\xa0\\x3a:error::x\n\\x3a:y" },
	};
	static const struct { const char *line; bool is; } commands[] = {
		{ "::x", true }, { " \xe3\x80\x80::x", true }, { "", false }, { "  ", false }, { "a ::x", false }, { ":x", false },
		{ "\\x3a:x", false }, { "\xff", false },
	};

	CHECK(escape_lines, rows);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		assert_int_equal(escape_is_command(commands[i].line), commands[i].is);
}

TEST(test_json)
{
	static const struct row rows[] = {
		{ "", "\"\"" },
		{ "\"\\\n\x1b", "\"\\\"\\\\\\n\\u001b\"" },
		{ "\xc2\x9b\xe2\x80\xae\xe3\x85\xa4", "\"\\u009b\\u202e\\u3164\"" },
		{ "\xf3\xa0\x80\xa0", "\"\\udb40\\udc20\"" },
		{ "::x ##[error]", "\"::x ##\\u005berror]\"" },
		{ "a/b \b\f\r\t\x01\x7f", "\"a/b \\b\\f\\r\\t\\u0001\\u007f\"" },
		{ "gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\xa7", "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\xa7\"" },
		{ "a\xff\xc3", "\"a\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	};

	CHECK(escape_json, rows);
}

TEST(test_html)
{
	static const struct row rows[] = {
		{ "a < b && c > \"d\" 'e'", "a &lt; b &amp;&amp; c &gt; &quot;d&quot; &#39;e&#39;" },
		{ "</script>\n", "&lt;/script&gt;\\n" },
		{"\x01\xef\xbf\xbf\xfe", "\\x01\\u{ffff}\\xfe"},
		{ "::x ##[y", "\\x3a:x ##\\x5by" }, { "\xe4\xb8\xad", "\xe4\xb8\xad" },
	};

	CHECK(escape_html, rows);
}

TEST(test_markdown)
{
	static const struct row rows[] = {
		{ "branch-miss-rate 6.8.0 +5 % (x)", "branch-miss-rate 6.8.0 +5 % (x)" },
		{ "a|b", "a\\|b" },
		{ "*a* _b_ ~c~ `d` [e](f) \\", "\\*a\\* \\_b\\_ \\~c\\~ \\`d\\` \\[e\\](f) \\\\" },
		{ "<b>&amp;", "&lt;b&gt;&amp;amp;" }, { "line\nnext", "line\\nnext" },
		{ "@octocat a@b.example @ 2 GHz", "@&#8203;octocat a@&#8203;b.example @ 2 GHz" },
		{ "#12 gh-7 GH-8 x-9 # a", "#&#8203;12 gh-&#8203;7 GH-&#8203;8 x-9 # a" },
		{ "http://x www.x WWW.y w.z", "http:&#8203;//x www&#8203;.x WWW&#8203;.y w.z" },
		{ "a::key::b :+1: std::map", "a::&#8203;key::b :&#8203;+1: std::map" },
		{ "$x$", "<span>$</span>x<span>$</span>" },
		{ "# head", "\\# head" }, { "- item", "\\- item" }, { "---", "\\---" }, { "+ item", "\\+ item" },
		{ "12. item", "12\\. item" }, { "12) item", "12\\) item" }, { "-5 %", "-5 %" },
		{ "    code", "&#32;   code" }, { "a\x1b[0m", "a\\x1b\\[0m" },
		{ "\xc2\xa0::stop-commands::x", "\xc2\xa0\\x3a:&#8203;stop-commands::x" },
	};

	CHECK(escape_markdown, rows);
}

TEST(test_code_span)
{
	static const struct row rows[] = {
		{ "plain <b> @x *y*", "`plain <b> @x *y*`" },
		{ "a`b", "``a`b``" }, { "``", "``` `` ```" }, { " x", "`  x `" }, { "a``b`c", "```a``b`c```" },
		{ "x\ny", "`x\\ny`" },
		{ "a|b*<", "<code>a&#124;b&#42;&#60;</code>" },
		{ "", "<code></code>" },
	};

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

TEST(test_annotation)
{
	static const struct row text[] = {
		{ "5 %, a:b\r\nc", "5 %25, a:b%0D%0Ac" },
		{ "%0A::error::", "%250A::error::" }, { "\x1b\t", "\\x1b\\t" },
	};
	static const struct row property[] = {{"a:b,c%\n", "a%3Ab%2Cc%25%0A"}};

	CHECK(annotation_text, text);
	CHECK(annotation_property, property);
}

TEST(test_shell)
{
	static const struct row rows[] = {
		{ "--runs=15", "--runs=15" },
		{ "scenarios/a.yaml", "scenarios/a.yaml" },
		{ "", "''" }, { "two words", "'two words'" }, { "it's", "'it'\\''s'" },
		{ "$(rm) `x` ; \\", "'$(rm) `x` ; \\'" },
		{ "*.c", "'*.c'" }, { "~root", "'~root'" }, { "a\nb's", "$'a\\012b\\'s'" }, { "\xff", "$'\\377'" },
		{ "::x", "$'\\072:x'" },
	};

	CHECK(escape_shell, rows);
}

TEST(words_of_a_shell_line_are_read_back)
{
	static const char *const words[] = { "pawl", "", "a b", "it's", "$(rm) `x` ; \\", "a\nb's\\", "\xff", "::x", "--runs=5", "$'" };
	CLEANUP(strv_release) struct strv in = STRV_INIT, out = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		strv_push(&in, words[i]);
	escape_shell_words(&line, &in);
	assert_true(escape_shell_split(line.buf, &out));
	assert_true(strv_equal(&in, &out));
}

TEST(typed_lines_are_split_as_a_shell_does)
{
	static const struct {
		const char *line, *words;	/* each word in brackets; NULL: unclosed quotation mark */
	} rows[] = {
		{ "", "" }, { " \t\n", "" }, { " a  b\tc ", "[a][b][c]" }, { "a\\ b", "[a b]" }, { "'a  b'c", "[a  bc]" },
		{ "\"a 'b'\" '\"'", "[a 'b'][\"]" }, { "\"\\\"\\\\\\n$x\"", "[\"\\\\n$x]" }, { "'' \"\"", "[][]" }, { "$HOME *", "[$HOME][*]" },
		{ "'a", NULL }, { "a\"b", NULL }, { "a\\", "[a\\]" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strv_release) struct strv words = STRV_INIT;
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

		assert_int_equal(escape_shell_split(rows[i].line, &words), rows[i].words != NULL);
		for (size_t k = 0; k < words.n; k++)
			strbuf_addf(&found, "[%s]", words.items[k]);
		if (rows[i].words)
			assert_string_equal(found.buf, rows[i].words);
	}
}

/* -------- Hashes match other implementations, because files of other versions contain them. */

TEST(known_texts_have_known_hashes)
{
	static const struct { const char *text; uint64_t hash; } cases[] = {
		{ "", 0xcbf29ce484222325u }, { "a", 0xaf63dc4c8601ec8cu }, { "foobar", 0x85944171f73967e8u },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_true(fnv_text(FNV_START, cases[i].text) == cases[i].hash);
}

TEST(parts_go_on)
{
	static const unsigned char zeros[2] = { 0 };

	assert_true(fnv_text(fnv_text(FNV_START, "foo"), "bar") == fnv_text(FNV_START, "foobar"));
	assert_true(fnv_bytes(FNV_START, zeros, 1) != FNV_START);
	assert_true(fnv_bytes(FNV_START, zeros, 1) != fnv_bytes(FNV_START, zeros, 2));
	assert_true(fnv_bytes(FNV_START, "\xff", 1) == (FNV_START ^ 0xffu) * 0x100000001b3u);
}

/* -------- paths */

TEST(test_name_and_parent)
{
	static const struct { const char *path, *name, *parent; } cases[] = {
		{ "/a/b", "b", "/a" }, { "a/b.c", "b.c", "a" }, { "b", "b", "." }, { "/b", "b", "/" }, { "", "", "." }, { "/", "/", "/" },
		{ "a/", "a/", "a" }, { "./b", "b", "." },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *parent = path_parent(cases[i].path);

		assert_string_equal(path_name(cases[i].path), cases[i].name);
		assert_string_equal(parent, cases[i].parent);
	}
}

TEST(test_tidy)
{
	static const struct { const char *path, *tidy; } cases[] = {
		{ "/p/build/../src/./x.c", "/p/src/x.c" }, { "./src/./x.c", "src/x.c" }, { "../../x.c", "../../x.c" },
		{ "a/../../x.c", "../x.c" }, { "../a/../x.c", "../x.c" }, { "/../x.c", "/x.c" }, { "/", "/" }, { "", "" }, { "x.c", "x.c" },
		{ "/p//x.c", "/p/x.c" }, { "/p/...", "/p/..." }, { "/p/./-dash.c", "/p/-dash.c" }, { "/a/b/../..", "/" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *path = strdup(cases[i].path);

		path_tidy(path);
		assert_string_equal(path, cases[i].tidy);
	}
}

TEST(test_below)
{
	static const struct { const char *path, *folder, *below; } cases[] = {
		{ "/a/b/c", "/a", "b/c" }, { "/a", "/a", "" }, { "/ab", "/a", NULL }, { "/b", "/a", NULL }, { "/", "/a", NULL },
		{ "/a/b", "/", "a/b" }, { "/", "/", "" }, { "/a/", "/a", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *below = path_below(cases[i].path, cases[i].folder);

		assert_int_equal(!below, !cases[i].below);
		if (below)
			assert_string_equal(below, cases[i].below);
	}
}

/* -------- lists of strings, usable as argv */

static int fill_fresh_memory(void **state)
{
	return mallopt(M_PERTURB, 0x55) ? 0 : -1;
}
FIXTURE(fill_fresh_memory, NULL);

/* Returns the letters of WORDS, one string each. */
static struct strv letters(const char *words)
{
	struct strv list = STRV_INIT;

	for (; *words; words++)
		strv_pushf(&list, "%c", *words);
	return list;
}

TEST(an_empty_list_is_fine_everywhere)
{
	struct strv a = STRV_INIT, b = STRV_INIT;

	assert_null(a.items);
	strv_sort(&a);
	strv_copy(&a, &b);
	assert_int_equal(a.n, 0);
	assert_false(strv_has(&a, ""));
	assert_true(strv_equal(&a, &b));
	strv_push(&a, "a");
	strv_release(&a);
	assert_null(a.items);
	assert_false(strv_has(&a, "a"));
	strv_release(&a);
}

TEST(it_is_terminated_after_every_push)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT;

	for (size_t i = 0; i < 100; i++) {
		strv_pushf(&list, "%zu", i);
		assert_int_equal(list.n, i + 1);
		assert_null(list.items[i + 1]);
	}
	assert_string_equal(list.items[0], "0");
	assert_string_equal(list.items[99], "99");
}

TEST(strings_are_copied_or_taken)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT, copy = STRV_INIT;
	char text[] = "before", *own = xstrdup("own");

	strv_push(&list, text);
	strv_take(&list, own);
	text[0] = 'B';
	assert_string_equal(list.items[0], "before");
	assert_ptr_equal(list.items[1], own);
	strv_push(&copy, "first");
	strv_copy(&copy, &list);
	assert_int_equal(copy.n, 3);
	assert_string_equal(copy.items[2], "own");
	assert_null(copy.items[3]);
	assert_ptr_not_equal(copy.items[2], own);
}

TEST(lists_are_compared_word_by_word)
{
	static const struct { const char *a, *b; bool equal; } cases[] = {
		{ "", "", true }, { "ab", "ab", true }, { "ab", "a", false }, { "a", "ab", false },
		{ "ab", "ba", false }, { "ab", "ac", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strv_release) struct strv a = letters(cases[i].a), b = letters(cases[i].b);

		assert_int_equal(strv_equal(&a, &b), cases[i].equal);
	}
}

TEST(shortening_keeps_the_first)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT;

	strv_shorten(&list, 0);
	strv_push(&list, "a");
	strv_push(&list, "b");
	strv_shorten(&list, 3);
	assert_int_equal(list.n, 2);
	strv_shorten(&list, 1);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.items[0], "a");
	assert_null(list.items[1]);
}

TEST(sorting_is_by_bytes)
{
	CLEANUP(strv_release) struct strv list = letters("cBa\xe4" "1"), sorted = letters("1Bac\xe4");

	strv_sort(&list);
	assert_true(strv_equal(&list, &sorted));
	assert_null(list.items[list.n]);
}

TEST(it_knows_what_it_has)
{
	CLEANUP(strv_release) struct strv list = letters("ab");

	assert_true(strv_has(&list, "b"));
	assert_false(strv_has(&list, "ab"));
	assert_false(strv_has(&list, ""));
}
