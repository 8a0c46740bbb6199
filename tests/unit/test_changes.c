/* Differences between commits, working trees and folders, with a real git, any configuration and any file names. */
#include "unit.h"

#include "measure/git/changes.h"
#include "measure/git/contexts.h"
#include "measure/git/git.h"
#include "measure/files/files.h"
#include "model/source/changes.h"
#include "model/source/source_text.h"
#include "keeper_fixture.h"

static struct git git;
static char *first, *second;

static void put(const char *name, const char *text)
{
	CLEANUP(free_ptr) char *path = file_join(root, name);

	assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
}

static void run_git(const char *const *args)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(free_ptr) char *dir = file_join(root, "repo");
	struct error err = ERROR_INIT;

	if (git_run_there(&git, dir, args, 0, &out, &err) < 0)
		fail_msg("%s: %s", args[0], err.msg);
}

#define GIT(...) run_git((const char *const[]){ __VA_ARGS__, NULL })
#define COMMIT() do { GIT("add", "-A"); GIT("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"); } while (0)

static const char before[] =
	"#define STEP 16\n"
	"int grow(int n)\n"
	"{\n"
	"	return n * 2;\n"
	"}\n"
	"int use(int n)\n"
	"{\n"
	"	return n + STEP;\n"
	"}\n";

static int up(void **state)
{
	CLEANUP(free_ptr) char *dir = NULL;

	if (fixture_up(state) < 0)
		return -1;
	git = (struct git){ .keeper = &keeper };
	dir = file_join(root, "repo");
	put("repo/sub/src/lmem.c", before);
	put("repo/in.txt", "1\n");
	GIT("init", "-q");
	COMMIT();
	git_resolve(&git, dir, "HEAD", &first, NULL);
	put("repo/sub/src/lmem.c", "#define STEP 1\nint grow(int n)\n{\n	return n + STEP; /* more */\n}\n"
	    "int use(int n)\n{\n	return n + STEP;\n}\n");
	put("repo/odd \"name\t\303\274.c", "int odd;\n");
	COMMIT();
	git_resolve(&git, dir, "HEAD", &second, NULL);
	return first && second ? 0 : -1;
}

static int down(void **state)
{
	git_release(&git);
	free(first);
	free(second);
	first = second = NULL;
	return fixture_down(state);
}

/* Compares the sides. Each side has a folder, a commit, or both. */
static void check(const char *base_folder, const char *base_commit, const char *head_folder, const char *head_commit, const char *expected)
{
	CLEANUP(changes_release) struct changes changes = { 0 };
	CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;
	CLEANUP(free_ptr) char *base_root = base_folder ? file_join(root, base_folder) : NULL;
	CLEANUP(free_ptr) char *head_root = head_folder ? file_join(root, head_folder) : NULL;
	struct change_side base = { base_root, base_commit }, head = { head_root, head_commit };
	struct error err = ERROR_INIT;

	MUST(changes_read(&git, root, &base, &head, &changes, &err));
	if (!changes.known)
		strbuf_adds(&found, "unknown\n");
	for (size_t i = 0; i < changes.n; i++)
		strbuf_addf(&found, "%s:%u %s|%s\n", changes.items[i].path, changes.items[i].line, changes.items[i].function ?: "",
			    changes.items[i].holder ?: "");
	for (size_t i = 0; i < changes.n_uses; i++)
		strbuf_addf(&found, "%s in %s:%u %s\n", changes.uses[i].word, changes.uses[i].path, changes.uses[i].line,
			    changes.uses[i].function ?: "");
	for (size_t i = 0; i < changes.others.n; i++)
		strbuf_addf(&found, "other %s\n", changes.others.items[i]);
	assert_string_equal(found.buf, expected);
}

#define SECOND_CHANGES \
	"odd \"name\t\303\274.c:1 |\n" \
	"sub/src/lmem.c:1 |STEP\n" \
	"sub/src/lmem.c:4 grow|\n"
#define SECOND_USES \
	"STEP in sub/src/lmem.c:4 grow\n" \
	"STEP in sub/src/lmem.c:8 use\n"

TEST_WITH(commits_are_compared, up, down)
{
	check(NULL, first, "repo", second, SECOND_CHANGES SECOND_USES);
	check(NULL, first, "repo/sub", second, SECOND_CHANGES SECOND_USES);
	check(NULL, first, "repo", first, "");
}

TEST_WITH(a_working_tree_is_compared, up, down)
{
	put("repo/new.c", "int fresh(void)\n{\n	return 1;\n}\n");
	put("repo/new.txt", "1\n");
	put("repo/in.txt", "2\n");
	check(NULL, second, "repo", NULL, "new.c:1 fresh|\nother in.txt\n");
	/* Files that the base's build also made */
	put("base/new.c", "int fresh(void)\n{\n	return 1;\n}\n");
	check(NULL, second, "repo/sub", NULL, "new.c:1 fresh|\nother in.txt\n");
}

TEST_WITH(folders_are_compared, up, down)
{
	put("one/a.c", before);
	put("two/a.c", "#define STEP 16\nint grow(int n)\n{\n	return n * 3;\n}\nint use(int n)\n{\n	return n + STEP;\n}\n");
	put("two/.gitignore", "*.o\n");
	put("two/a.o", "x");
	put("two/Makefile", "all:\n");
	check("one", NULL, "two", NULL, "a.c:4 grow|\nother .gitignore\nother Makefile\n");
	/* A commit that the head's repository does not have */
	check("one", first, "two", NULL, "a.c:4 grow|\nother .gitignore\nother Makefile\n");
	check("one", NULL, "one", NULL, "unknown\n");
	check(NULL, "0123456789012345678901234567890123456789", "repo", NULL, "unknown\n");
	assert_int_equal(access(root, F_OK), 0);
}

TEST_WITH(configuration_changes_nothing, up, down)
{
	GIT("config", "diff.noprefix", "true");
	GIT("config", "diff.mnemonicPrefix", "true");
	GIT("config", "diff.external", "false");
	GIT("config", "diff.context", "0");
	GIT("config", "diff.renames", "false");
	GIT("config", "diff.orderFile", "/nowhere");
	GIT("config", "diff.relative", "true");
	GIT("config", "diff.algorithm", "minimal");
	GIT("config", "diff.wordRegex", ".");
	GIT("config", "diff.colorMoved", "zebra");
	GIT("config", "diff.submodule", "log");
	GIT("config", "color.ui", "always");
	GIT("config", "core.quotePath", "false");
	GIT("config", "core.pager", "false");
	GIT("config", "core.fsmonitor", "false");
	GIT("config", "grep.lineNumber", "true");
	GIT("config", "grep.patternType", "perl");
	GIT("config", "grep.column", "true");
	GIT("config", "diff.odd.textconv", "false");
	GIT("config", "diff.odd.command", "false");
	put("repo/.git/info/attributes", "*.c diff=odd\n");
	check(NULL, first, "repo", second, SECOND_CHANGES SECOND_USES);
}

/* What git, and Python's parser, say is around each line: "1 function", "2 |holder", "4 nothing" for runs of lines. */
TEST_WITH(lines_have_their_contexts, up, down)
{
	static const struct { const char *path, *text, *found; } cases[] = {
		{ "a.c", "int\ngrow(int x)\n{\nlabel:\n\treturn x;\n}\n\nstatic int t[] = {\n\t1,\n};\nint last(void) { return 1; }\n",
		  "1 2 grow 8 |t 11 last" },
		{ "a.cc", "class P {\n\tint n;\n\tint side() const {\n\t\tif (n) {\n\t\t}\n\t\tstd::thread t([&]() {\n\t\t});\n\t}\n};\nint P::area()\n{\n}\n",
		  "1 |P 3 side 10 P::area" },
		{ "a.rs", "impl A {\n    pub fn one(&self) {\n        x();\n    }\n}\nconst T: [u8; 2] = [\n    1, 2,\n];\nfn two() {\n}\n", "1 2 one 6 |T 9 two" },
		{ "a.go", "package a\n\nfunc (t *T) One() {\n\tx()\n}\n\nvar prices = []int{\n\t1,\n}\n", "1 3 One 7 |prices" },
		{ "a.js", "class V {\n  render(x) {\n    if (x) {\n    }\n  }\n}\nconst pick = (n) => {\n  return n;\n};\nfunction last() {\n}\n",
		  "1 |V 2 render 7 pick 10 last" },
		{ "a.lua", "local t = 1\nlocal function f(x)\n  return x\nend\n", "1 |t 2 f" },
		{ "a.sh", "a=1\nname() {\n  echo\n}\n", "1 2 name" },
		{ "A.java", "class A {\n    int f(int x) {\n        return x;\n    }\n}\n", "1 |A 2 f" },
		{ "a.py", "import x\n@x.cached\ndef f(n):\n    'text'\n    def g():\n        pass\n    return g\nT = [\n    1,\n]\nclass A:\n    async def h(self):\n        await x\n\nx()\n",
		  "1 2 f 5 g 7 f 8 |T 11 |A 12 h 14" },
		/* Not Python: git's word */
		{ "b.py", "def f(n):\n    return (\ndef g():\n    pass\n", "1 f 3 g" },
		{ "c", "", "" },
	};
	enum { N = sizeof cases / sizeof cases[0] };
	struct contexts contexts = { &git, root, 10 * NS_PER_S };
	struct source_text texts[N], *all[N];

	for (size_t i = 0; i < N; i++) {
		all[i] = &texts[i];
		source_text_init(&texts[i], cases[i].path, cases[i].text, strlen(cases[i].text), source_text_language(cases[i].path, NULL));
	}
	contexts_find(&contexts, all, N);
	for (size_t i = 0; i < N; i++) {
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;
		const char *last = "";

		for (unsigned line = 1; line <= texts[i].n_lines; line++) {
			struct source_place place = source_text_place(&texts[i], line);
			const char *text = place.holder ? arena_printf(&texts[i].arena, " |%s", place.holder) :
					   place.function ? arena_printf(&texts[i].arena, " %s", place.function) : "";

			if (line == 1 || strcmp(text, last) != 0)
				strbuf_addf(&found, "%s%u%s", line == 1 ? "" : " ", line, text);
			last = text;
		}
		if (strcmp(found.buf, cases[i].found) != 0)
			fail_msg("%s: %s", cases[i].path, found.buf);
		source_text_release(&texts[i]);
	}
}
