/* The table of the hottest symbols, for a terminal and in Markdown, also with hostile names. */
#include "unit.h"

#include "profile/shares.h"
#include "profile_text.h"

static void build(struct stacks *stacks, struct profile *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (int i = 0; i < 3; i++)
		text_sample(&text, "t", "cpu-clock", 1000000, "f (/bin/a)|main (/bin/a)");
	text_sample(&text, "w", "cpu-clock", 1000000, "</title><script>|x (/bin/a)|main (/bin/a)");
	text_sample(&text, "w", "cpu-clock", 1000000, "red\x1b[31m (/lib/libc.so.6)|main (/bin/a)");
	text_stacks(text.buf, stacks);
	shares_build(stacks, NULL, out);
}

TEST(tables_are_rendered)
{
	static const struct { struct top_options options; const char *expected; } cases[] = {
		{ { .symbols = 2 },
		  "cpu-clock: 5 samples, 5.0 ms, 4 lost\n"
		  "warning: few \\x1b samples\n"
		  "\nBy self share\n"
		  "    self      95 % interval  inclusive   samples  file                      symbol\n"
		  " 60.00 %   23.07 to  88.24   60.00 %         3  a                         f\n"
		  " 20.00 %    3.62 to  62.45   20.00 %         1  [unknown]                 </title><script>\n"
		  "\nBy inclusive share\n"
		  "    self      95 % interval  inclusive   samples  file                      symbol\n"
		  "  0.00 %    0.00 to  43.45  100.00 %         0  a                         main\n"
		  " 60.00 %   23.07 to  88.24   60.00 %         3  a                         f\n"
		  "\nBy file\n"
		  "   share      95 % interval   samples\n"
		  " 60.00 %   23.07 to  88.24         3  a\n"
		  " 20.00 %    3.62 to  62.45         1  [unknown]\n"
		  " 20.00 %    3.62 to  62.45         1  libc.so.6\n" },
		{ { .symbols = 3, .markdown = true },
		  "`cpu-clock`: 5 samples, 5.0 ms, 4 lost\n"
		  "\n- few \\x1b samples\n"
		  "\n### By self share\n\n"
		  "| self | 95 % interval | inclusive | samples | file | symbol |\n|---:|---:|---:|---:|---|---|\n"
		  "| 60.00 % | 23.07 to 88.24 | 60.00 % | 3 | `a` | `f` |\n"
		  "| 20.00 % | 3.62 to 62.45 | 20.00 % | 1 | `[unknown]` | `</title><script>` |\n"
		  "| 20.00 % | 3.62 to 62.45 | 20.00 % | 1 | `libc.so.6` | `red\\x1b[31m` |\n"
		  "\n### By inclusive share\n\n"
		  "| self | 95 % interval | inclusive | samples | file | symbol |\n|---:|---:|---:|---:|---|---|\n"
		  "| 0.00 % | 0.00 to 43.45 | 100.00 % | 0 | `a` | `main` |\n"
		  "| 60.00 % | 23.07 to 88.24 | 60.00 % | 3 | `a` | `f` |\n"
		  "| 20.00 % | 3.62 to 62.45 | 20.00 % | 1 | `[unknown]` | `</title><script>` |\n"
		  "\n### By file\n\n"
		  "| share | 95 % interval | samples | |\n|---:|---:|---:|---|\n"
		  "| 60.00 % | 23.07 to 88.24 | 3 | `a` |\n"
		  "| 20.00 % | 3.62 to 62.45 | 1 | `[unknown]` |\n"
		  "| 20.00 % | 3.62 to 62.45 | 1 | `libc.so.6` |\n"
		  "\n### By thread\n\n"
		  "| share | 95 % interval | samples | |\n|---:|---:|---:|---|\n"
		  "| 60.00 % | 23.07 to 88.24 | 3 | `t` |\n"
		  "| 40.00 % | 11.76 to 76.93 | 2 | `w` |\n" },
	};
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(profile_release) struct profile profile = { 0 };

	build(&stacks, &profile);
	profile.lost = 4;
	arena_push(&profile.arena, &profile.warnings, "few \x1b samples");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		top_render(&profile, &cases[i].options, &out);
		assert_string_equal(out.buf, cases[i].expected);
	}
}

static void count(struct strbuf *text, const char *frames, int n)
{
	for (int i = 0; i < n; i++)
		text_sample(text, "t", "cpu-clock", 1000000, frames);
}

/* One symbol rose, one fell, one is gone, one is within the noise. The program's file was renamed. */
TEST(two_profiles_are_compared)
{
	static const struct { bool absolute; size_t symbols; const char *expected; } cases[] = {
		{ false, 0, "head  cpu-clock: 1000 samples, 1000.0 ms\n"
		  "base  cpu-clock: 800 samples, 800.0 ms\n"
		  "\nBy change of self share, head against base\n"
		  "    points   noise           base        head  file                      symbol\n"
		  "    +25.00  \xc2\xb1" "10.14        25.00 %     50.00 %  new                       up\n"
		  "    -18.75  \xc2\xb1" "8.05         28.75 %     10.00 %  new                       down\n"
		  "    -12.50  \xc2\xb1" "4.76         12.50 %        none  libc.so.6                 gone\n"
		  "\n2 symbols changed by no more than the noise of sampling\n" },
		{ true, 1, "head  cpu-clock: 1000 samples, 1000.0 ms\n"
		  "base  cpu-clock: 800 samples, 800.0 ms\n"
		  "\nBy change of self weight, head against base\n"
		  "        ms   noise           base        head  file                      symbol\n"
		  "      +300  \xc2\xb1" "116              200         500  new                       up\n"
		  "and 3 smaller changes\n"
		  "\n1 symbol changed by no more than the noise of sampling\n" },
	};
	CLEANUP(strbuf_release) struct strbuf head = STRBUF_INIT, base = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks head_stacks = STACKS_INIT, base_stacks = STACKS_INIT;
	CLEANUP(profile_release) struct profile now = { 0 }, before = { 0 };

	count(&head, "up (/bin/new)|main (/bin/new)", 500);
	count(&head, "down (/bin/new)|main (/bin/new)", 100);
	count(&head, "same (/bin/new)|main (/bin/new)", 400);
	count(&base, "up (/bin/old)|main (/bin/old)", 200);
	count(&base, "down (/bin/old)|main (/bin/old)", 230);
	count(&base, "same (/bin/old)|main (/bin/old)", 270);
	count(&base, "gone (/lib/libc.so.6)|main (/bin/old)", 100);
	text_stacks(head.buf, &head_stacks);
	text_stacks(base.buf, &base_stacks);
	shares_build(&head_stacks, NULL, &now);
	shares_build(&base_stacks, NULL, &before);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		const struct top_options options = { .absolute = cases[i].absolute, .symbols = cases[i].symbols };

		top_render_difference(&now, &before, &options, &out);
		assert_string_equal(out.buf, cases[i].expected);
	}
}

/* Two files now have a symbol that a single other file had, so the match is ambiguous. */
TEST(one_symbol_is_not_two)
{
	CLEANUP(strbuf_release) struct strbuf head = STRBUF_INIT, base = STRBUF_INIT, out = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks head_stacks = STACKS_INIT, base_stacks = STACKS_INIT;
	CLEANUP(profile_release) struct profile now = { 0 }, before = { 0 };
	const struct top_options options = { 0 };

	count(&head, "same (/bin/a)", 400);
	count(&head, "same (/bin/b)", 600);
	count(&base, "same (/bin/c)", 1000);
	text_stacks(head.buf, &head_stacks);
	text_stacks(base.buf, &base_stacks);
	shares_build(&head_stacks, NULL, &now);
	shares_build(&base_stacks, NULL, &before);
	top_render_difference(&now, &before, &options, &out);
	assert_non_null(strstr(out.buf, "100.00 %        none  c "));
	assert_non_null(strstr(out.buf, "none     40.00 %  a "));
	assert_non_null(strstr(out.buf, "none     60.00 %  b "));
}

TEST(without_a_profile_that_is_said)
{
	CLEANUP(profile_release) struct profile none = { 0 }, empty = { 0 };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	const struct top_options options = { 0 };

	top_render(&none, &options, &out);
	assert_string_equal(out.buf, "There is no profile.\n");
	strbuf_reset(&out);
	shares_build(&stacks, "cycles", &empty);
	top_render(&empty, &options, &out);
	assert_non_null(strstr(out.buf, "cycles: 0 samples, weight 0\n"));
}
