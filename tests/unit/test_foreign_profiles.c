#include "unit.h"

#include "profile/folded.h"
#include "profile/foreign.h"
#include "profile/names.h"
#include "profile/script.h"
#include "profile/stacks.h"
#include "read_file.h"

/* tests/fixtures/profiles contains small files as other tools produce them, one per kind of fault. */
#define P "tests/fixtures/profiles/"

static int read_profile(const char *name, struct stacks *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = read_file(name);
	enum profile_kind kind = profile_kind_of(text.buf, text.len);
	struct script *script;
	int ret;

	if (kind == PROFILE_KIND_FOLDED)
		return folded_read(text.buf, text.len, out, err);
	if (kind == PROFILE_KIND_MASSIF)
		return massif_read(text.buf, text.len, out, err);
	if (kind != PROFILE_KIND_SCRIPT)
		fail_msg("%s: kind %d", name, kind);
	script = script_new(out);
	ret = script_feed(script, text.buf, text.len, err) < 0 || script_end(script, err) < 0 ? -1 : 0;
	script_free(script);
	return ret;
}

TEST(each_is_read)
{
	static const struct { const char *file, *folded; bool cut; } cases[] = {
		{ P "addr.txt", "app;fill 2\n", false },
		{ P "data-source.txt", "memhog;walk 1\n", false },
		{ P "branches.txt", "app;work 100003\n", false },
		{ P "registers.txt", "app;main;work 250000\napp;work 250000\n", false },
		{ P "page-sizes.txt", "app;main;work 250000\napp;work 250000\n", false },
		{ P "source-text.txt", "app;main;work 250000\napp;work 250000\n", false },
		{ P "brackets.txt", "app;main;sig;App.run 250000\n", false },
		{ P "no-last-line.txt", "app;main;work 250000\n", true },
		{ P "mark.folded", "a;b 13\n", false },
		{ P "massif-crlf.out",
		  "./app x;[small];alloc(unsigned long) 500\n./app x;[unknown];[unknown];[libstdc++.so.6.0.33] 1000\n"
		  "./app x;main;F::g(N**)::Inner::process(C*, N*)::V::visit(N**);alloc(unsigned long) 1000\n", false },
		{ P "java-inlined.txt", "java;a/B::outer;a/C::mid;a/D::leaf 5\n", false },
		/* kept unchanged, except in comparisons */
		{ P "numbered-base.folded", "run;com/App$$Lambda$14/0x0000000800c03000.apply 900\nrun;x_[j] 100\n", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;
		struct error err = ERROR_INIT;

		if (read_profile(cases[i].file, &stacks, &err) < 0)
			fail_msg("%s: %s", cases[i].file, err.msg);
		names_resolve(&stacks);
		assert_int_equal(folded_write(&stacks, FOLDED_BY_TEXT, &found, NULL), 0);
		assert_string_equal(found.buf, cases[i].folded);
		assert_int_equal(stacks.cut, cases[i].cut);
	}
}

TEST(the_rest_is_refused_or_named)
{
	static const struct { const char *file; enum profile_kind kind; } kinds[] = {
		{ P "cachegrind.out", PROFILE_KIND_CACHEGRIND }, { P "callgrind.out", PROFILE_KIND_CALLGRIND }, { P "dhat.json", PROFILE_KIND_DHAT },
		{ P "no-time-blanks.txt", PROFILE_KIND_SCRIPT },
	};
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = read_file(kinds[i].file);

		assert_int_equal(profile_kind_of(text.buf, text.len), kinds[i].kind);
	}
	assert_int_equal(read_profile(P "no-time-blanks.txt", &stacks, &err), -1);
	assert_non_null(strstr(err.msg, "the sample has no time; make the text with perf script -F"));
}

/* Numbers that an engine generates are not a difference. */
TEST(numbered_names_do_not_differ)
{
	static const char *const files[] = { P "numbered-base.folded", P "numbered-head.folded" };
	struct stacks stacks[2] = { STACKS_INIT, STACKS_INIT };

	for (size_t side = 0; side < 2; side++) {
		assert_int_equal(read_profile(files[side], &stacks[side], NULL), 0);
		names_resolve(&stacks[side]);
	}
	assert_int_equal(stacks[0].n_frames, stacks[1].n_frames);
	for (size_t i = 0; i < stacks[0].n_frames; i++)
		assert_string_equal(stacks_text(&stacks[0], stacks[0].frames[i].key), stacks_text(&stacks[1], stacks[1].frames[i].key));
	stacks_release(&stacks[0]);
	stacks_release(&stacks[1]);
}
