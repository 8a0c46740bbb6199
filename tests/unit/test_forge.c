/* Addresses on forges: of a remote in each of git's forms, of commits and lines. */
#include "unit.h"

#include "report/forge.h"

TEST(test_repository)
{
	static const struct { const char *remote, *want; } rows[] = {
		{ "https://github.com/o/r", "https://github.com/o/r" },
		{ "https://github.com/o/r.git/", "https://github.com/o/r" },
		{ "https://someone:secret@github.com/o/r.git", "https://github.com/o/r" },
		{ "https://token@gitlab.example.org/group/sub/r.git", "https://gitlab.example.org/group/sub/r" },
		{ "git@github.com:o/r.git", "https://github.com/o/r" },
		{ "git@github.com:/o/r.git", "https://github.com/o/r" },
		{ "ssh://git@gitlab.com:2222/o/r.git", "https://gitlab.com/o/r" },
		{ "git://github.com/o/r", "https://github.com/o/r" },
		{ "https://example.org/o/r.git", NULL }, { "https://github.com", NULL },
		{ "https://github.com/", NULL }, { "git@github.com:", NULL }, { "../github.com/o/r", NULL },
		{ "/srv/git/r.git", NULL }, { "https://github.com/o/\"r", NULL }, { "", NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(free_ptr) char *got = forge_repository(rows[i].remote);

		if (!text_same(got, rows[i].want))
			fail_msg("%s: %s", rows[i].remote, got ?: "NULL");
	}
}

TEST(test_addresses)
{
	static const char hub[] = "https://github.com/o/r", lab[] = "https://gitlab.com/o/r";
	static const struct { const char *repository, *commit, *place, *want; } rows[] = {
		{ hub, "1a2b3c", NULL, "https://github.com/o/r/commit/1a2b3c" },
		{ lab, "1a2b3c", NULL, "https://gitlab.com/o/r/-/commit/1a2b3c" },
		{ hub, "1a2b3c", "src/a.c:12", "https://github.com/o/r/blob/1a2b3c/src/a.c#L12" },
		{ lab, "1a2b3c", "a.c:3", "https://gitlab.com/o/r/-/blob/1a2b3c/a.c#L3" },
		{ hub, "1a2b3c+dirty", NULL, "" }, { hub, NULL, NULL, "" }, { NULL, "1a2b3c", NULL, "" },
		{ "javascript:alert(1)", "1a2b3c", NULL, "" },
		{ "https://x\"onload=1", "1a2b3c", NULL, "" },
		{ hub, "1a2b3c", "a b.c:1", "" }, { hub, "1a2b3c", "a.c", "" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf got = STRBUF_INIT;
		bool line = rows[i].place;
		bool linked = line ? forge_line(&got, rows[i].repository, rows[i].commit, rows[i].place) :
				     forge_commit(&got, rows[i].repository, rows[i].commit);

		assert_string_equal(got.buf, rows[i].want);
		assert_int_equal(linked, *rows[i].want != '\0');
	}
}
