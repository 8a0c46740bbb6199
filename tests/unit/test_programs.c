/* The tree that each side's programs come from, by the files they execute and load. */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cause/ledger/system_calls.h"
#include "job/sides/programs.h"
#include "measure/files/files.h"
#include "measure/git/tree_map.h"
#include "model/side.h"
#include "model/source/changes.h"
#include "scenario/scenario.h"

enum { CALLS_MOST = 8 };

/* ROOT/base and ROOT/head are the trees, ROOT/else is neither. Not in /tmp, which holds temporary files of programs. */
static char root[] = "/dev/shm/pawl-test-programs-XXXXXX";
static struct tree_map maps[SIDES];
static struct plan plans[SIDES];
static struct program_side sides[SIDES];

/* Returns a path for free(): T/x is in the side's own tree, O/x in the other one, E/x in neither. */
static char *place(unsigned side, const char *name)
{
	static const char *const trees[] = { "base", "head" };

	if (name[1] != '/' || !strchr("TOE", name[0]))
		return xstrdup(name);
	return text_printf("%s/%s%s", root, name[0] == 'E' ? "else" : trees[name[0] == 'T' ? side : !side], name + 1);
}

static void put(const char *name, const void *text, size_t len)
{
	for (unsigned i = 0; i < SIDES; i++) {
		CLEANUP(free_ptr) char *path = place(i, name);

		assert_int_equal(file_write(path, text, len, NULL), 0);
		assert_int_equal(chmod(path, 0755), 0);
	}
}

static int set_up(void **state)
{
	static const char *const trees[] = { "base", "head" };
	static const char *const binaries[] = { "T/bin/prog", "T/lib/libown.so", "E/prog", "E/other", "E/lib/libelse.so.1", "E/python3.12", "E/go" };
	static const char *const texts[] = {
		"T/src/pkg/core.py", "T/bench.py", "T/wsgi.py", "T/data.txt", "T/data.sh", "T/go.mod", "T/.venv/lib/site-packages/dep/a.py",
		"E/site-packages/pkg/core.py", "E/site-packages/dep/a.py",
	};
	CLEANUP(strbuf_release) struct strbuf elf = STRBUF_INIT;
	char *tops[SIDES];

	assert_non_null(mkdtemp(root));
	assert_int_equal(file_read("/bin/true", 1 << 20, &elf, NULL), 0);
	for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
		put(binaries[i], elf.buf, elf.len);
	strbuf_reset(&elf);
	assert_int_equal(file_read("/bin/false", 1 << 20, &elf, NULL), 0);
	put("T/bin/changed", elf.buf, elf.len);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		put(texts[i], "text\n", 5);
	put("T/run.sh", "#!/bin/sh\n", 10);
	put("E/gunicorn", "#!/usr/bin/python3\n", 19);
	put("T/empty", "", 0);
	for (unsigned i = 0; i < SIDES; i++)
		tops[i] = file_join(root, trees[i]);
	for (unsigned i = 0; i < SIDES; i++) {
		tree_map_init(&maps[i], tops[i], (const char *const *)tops, SIDES);
		plans[i] = (struct plan){ .root = arena_strdup(&plans[i].arena, tops[i]), .cwd = arena_strdup(&plans[i].arena, tops[i]) };
		sides[i] = (struct program_side){ &plans[i], &maps[i], "/nowhere/out", "/nowhere/tmp" };
	}
	for (unsigned i = 0; i < SIDES; i++)
		free(tops[i]);
	return 0;
}

static int tear_down(void **state)
{
	for (unsigned i = 0; i < SIDES; i++) {
		tree_map_release(&maps[i]);
		arena_release(&plans[i].arena);
	}
	return file_remove_tree(root, NULL);
}
FIXTURE(set_up, tear_down);

/* "x NAME" is executed, "r NAME" is opened by the last executed file, "0 NAME" has no known format. */
static void make_calls(unsigned side, const char *const *lines, struct system_calls *out)
{
	for (; *lines; lines++) {
		CLEANUP(free_ptr) char *path = place(side, *lines + 2);
		const char *kept = arena_strdup(&out->arena, path);

		if (**lines == 'x') {
			ARENA_GROW(&out->arena, out->execs, out->n_execs, out->cap_execs);
			out->execs[out->n_execs++] = (struct traced_exec){ .path = kept };
		} else if (**lines == 'r') {
			ARENA_GROW(&out->arena, out->opens, out->n_opens, out->cap_opens);
			out->opens[out->n_opens++] = (struct traced_open){ kept, (uint32_t)out->n_execs - 1 };
		} else {
			arena_push(&out->arena, &out->unformatted, kept);
		}
	}
}

static char *judge(const char *const *base, const char *const *head, bool complete, bool built_just_now, bool *known)
{
	struct timespec from = { 0 }, to = { 0 };
	struct system_calls calls[SIDES] = { 0 };
	char *why;

	clock_gettime(CLOCK_REALTIME, &to);
	from = to;
	from.tv_sec -= built_just_now ? 600 : 0;
	to.tv_sec += built_just_now ? 1 : 0;
	make_calls(BASE, base, &calls[BASE]);
	make_calls(HEAD, head, &calls[HEAD]);
	why = programs_loaded(sides, calls, complete, &from, &to, known);
	for (unsigned i = 0; i < SIDES; i++)
		system_calls_release(&calls[i]);
	return why;
}

TEST(each_side_must_run_its_own)
{
	static const struct {
		const char *what;
		const char *calls[CALLS_MOST];
		const char *why;	/* NULL: both sides run their own */
	} rows[] = {
		{ "a program of the tree", { "x T/bin/prog" }, NULL },
		{ "relative", { "x bin/prog" }, NULL },
		{ "by a shell", { "x /bin/sh", "x T/bin/prog" }, NULL },
		{ "a script with a #! line", { "x T/run.sh", "r T/run.sh" }, NULL },
		{ "a script of an interpreter", { "x /usr/bin/python3", "r T/bench.py" }, NULL },
		{ "a module that was compiled", { "x E/python3.12", "r T/src/pkg/__pycache__/core.cpython-312.pyc" }, NULL },
		{ "gunicorn --chdir app wsgi:app", { "x E/gunicorn", "r T/wsgi.py" }, NULL },
		{ "a server with LD_PRELOAD", { "x /usr/sbin/mariadbd", "r T/lib/libown.so" }, NULL },
		{ "haproxy with a configuration", { "x /usr/sbin/haproxy", "r T/data.txt" }, NULL },
		{ "the system's sort of a file", { "x /usr/bin/sort", "r T/data.txt" }, NULL },
		{ "a build tool", { "x E/go", "r T/go.mod", "x E/other" }, NULL },
		{ "a script that starts another's program", { "x T/run.sh", "r T/run.sh", "x E/other" }, NULL },
		{ "packages of others", { "x E/python3.12", "r E/site-packages/dep/a.py", "r T/bench.py" }, NULL },

		{ "a script as data", { "x E/other", "r T/data.sh" }, "E/other, which is in neither tree: start" },
		{ "data of another program", { "x /bin/sh", "x /bin/cat", "r T/data.txt", "x E/other" }, "E/other, which is in neither tree: start" },
		{ "given by a shell", { "x /bin/sh", "r T/data.txt", "x E/other" }, "E/other, which is in neither tree: start" },
		{ "the project's, installed", { "x E/prog", "r T/data.txt" }, "although the project makes bin/prog: start ./bin/prog" },
		{ "by a script", { "x T/run.sh", "r T/run.sh", "x E/prog" }, "although the project makes bin/prog" },
		{ "nothing of the tree", { "x /bin/sh" }, "names no program or file" },
		{ "the system's alone", { "x /usr/bin/sort" }, "/usr/bin/sort, which is in neither tree" },
		{ "the other tree's program", { "x O/bin/prog" }, "base ran ROOT/head/bin/prog, which is not in its own tree but in the head's" },
		{ "the other tree's module", { "x E/python3.12", "r T/bench.py", "r O/src/pkg/core.py" }, "base loaded ROOT/head/src/pkg/core.py" },
		{ "the other tree's library", { "x T/bin/prog", "r O/lib/libown.so" }, "base loaded ROOT/head/lib/libown.so" },
		{ "an installed package of the tree's", { "x E/python3.12", "r T/bench.py", "r E/site-packages/pkg/core.py" },
		  "base loaded ROOT/else/site-packages/pkg/core.py, not src/pkg/core.py of its own tree" },
		{ "an empty program", { "x /bin/sh", "0 T/empty" }, "the base could not execute ROOT/base/empty, which is empty" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		bool known = false;
		CLEANUP(free_ptr) char *why = judge(rows[i].calls, rows[i].calls, true, false, &known), *found = NULL;
		CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;

		for (const char *c = rows[i].why ?: ""; *c;) {
			bool mark = text_starts(c, "ROOT/");

			mark ? strbuf_addf(&expected, "%s/", root) : strbuf_addc(&expected, *c);
			c += mark ? strlen("ROOT/") : 1;
		}
		if (text_starts(expected.buf, "E/")) {
			found = text_printf("%s/else/%s", root, expected.buf + 2);
			strbuf_reset(&expected);
			strbuf_adds(&expected, found);
		}
		assert_true(known);
		if (!why != !rows[i].why || (why && !strstr(why, expected.buf)))
			fail_msg("%s: %s, not %s", rows[i].what, why, expected.buf);
	}
}

TEST(equal_programs_lack_the_change)
{
	static const struct { const char *base, *head, *changed; bool warns; } rows[] = {
		{ "T/bin/prog", "T/bin/prog", "src/prog.c", true },
		{ "T/bin/prog", "T/bin/prog", "src/main.rs", true },
		{ "T/bin/prog", "T/bin/prog", "tests/test_prog.c", false },
		{ "T/bin/prog", "T/bin/prog", "tools/gen.py", false },
		{ "T/bin/prog", "T/bin/prog", NULL, false },
		{ "T/bin/prog", "T/run.sh", "src/prog.c", false },
		{ "T/run.sh", "T/run.sh", "src/prog.c", false },
		{ "T/bin/prog", "T/bin/changed", "src/prog.c", false },
		{ "E/prog", "E/prog", "src/prog.c", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct change change = { .path = rows[i].changed };
		const struct changes changes = { .items = &change, .n = rows[i].changed != NULL, .known = true };
		struct strv kept[SIDES] = { STRV_INIT, STRV_INIT };
		CLEANUP(free_ptr) char *why = NULL;
		const char *program;

		for (unsigned side = 0; side < SIDES; side++) {
			CLEANUP(free_ptr) char *line = text_printf("x %s", side == BASE ? rows[i].base : rows[i].head);
			CLEANUP(system_calls_release) struct system_calls calls = { 0 };

			make_calls(side, (const char *const[]){ line, NULL }, &calls);
			programs_keep(&sides[side], &calls, &kept[side]);
		}
		program = programs_equal(kept);
		why = program ? programs_unchanged(program, &changes) : NULL;
		if (!why == rows[i].warns || (why && !strstr(why, "the same binary (prog) although src/")))
			fail_msg("%s, %s, %s: %s", rows[i].base, rows[i].head, rows[i].changed, why);
		for (unsigned side = 0; side < SIDES; side++)
			strv_release(&kept[side]);
	}
}

/* The base imports the working tree, as with an editable install. */
TEST(one_side_may_be_wrong)
{
	static const char *const own[] = { "x E/python3.12", "r T/src/pkg/core.py", NULL };
	static const char *const others[] = { "x E/python3.12", "r O/src/pkg/core.py", NULL };
	/* A venv in the working tree also holds third-party packages. */
	static const char *const packages[] = { "x E/python3.12", "r T/src/pkg/core.py", "r O/.venv/lib/site-packages/dep/a.py", NULL };
	bool known;
	CLEANUP(free_ptr) char *base = judge(others, own, true, false, &known), *head = judge(own, others, true, false, &known);
	CLEANUP(free_ptr) char *venv = judge(packages, own, true, false, &known);

	assert_non_null(strstr(base, "the base loaded"));
	assert_non_null(strstr(base, "which is in the head's tree"));
	assert_non_null(strstr(head, "the head loaded"));
	assert_null(venv);
}

TEST(what_a_build_installs_elsewhere_is_seen)
{
	static const char *const calls[] = { "x T/bin/prog", "r E/lib/libelse.so.1", NULL };
	static const char *const packages[] = { "x E/python3.12", "r E/site-packages/dep/a.py", "r T/bench.py", NULL };
	bool known;
	CLEANUP(free_ptr) char *before = judge(calls, calls, true, false, &known), *now = judge(calls, calls, true, true, &known);
	CLEANUP(free_ptr) char *one_side = judge(calls, calls + 1, true, true, &known);

	assert_null(before);
	assert_non_null(strstr(now, "else/lib/libelse.so.1, which a build wrote"));
	assert_non_null(one_side);
	/* Packages and interpreters installed by a build are seldom the project's own. */
	free(now);
	now = judge(packages, packages, true, true, &known);
	assert_null(now);
}

/* Only the mapped files of a server are seen, and only the beginning of a long run. */
TEST(a_part_decides_only_what_is_certain)
{
	static const char *const none[] = { "x /usr/bin/python3", NULL }, *const own[] = { "x T/bin/prog", NULL };
	static const char *const other[] = { "x O/bin/prog", NULL };
	bool known;
	CLEANUP(free_ptr) char *why = judge(none, none, false, false, &known);

	assert_false(known);
	assert_null(judge(own, own, false, false, &known));
	assert_true(known);
	free(why);
	why = judge(other, own, false, false, &known);
	assert_true(known && why);
}

/* The words of a command show neither what a script starts nor what an interpreter loads. */
TEST(words_accuse_only_what_is_certain)
{
	static const struct {
		const char *words[CALLS_MOST];
		const char *why;	/* NULL: nothing is known against it */
	} rows[] = {
		{ { "T/bin/prog", "E/other" }, NULL }, { { "./run.sh", "E/prog" }, NULL }, { { "sort", "src" }, NULL },
		{ { "python3", "bench.py" }, NULL },
		{ { "E/python3.12", "-c", "pass" }, NULL },
		{ { "E/go", "test" }, NULL }, { { "E/gunicorn", "wsgi:app" }, NULL },
		{ { "sort" }, "sort, which is in neither tree" },
		{ { "E/gunicorn" }, "else/gunicorn, which is in neither tree" },
		{ { "E/other", "src" }, "else/other, which is in neither tree" },
		{ { "env", "A=1", "E/other" }, "else/other, which is in neither tree" },
		{ { "E/prog", "src" }, "although the project makes bin/prog: start ./bin/prog" },
		{ { "O/bin/prog" }, "base ran " }, { { "O/run.sh" }, "base ran " },
		{ { "nothing" }, "names no program or file" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct timespec never = { 0 };
		CLEANUP(free_ptr) char *why = NULL;
		bool known;

		for (unsigned side = 0; side < SIDES; side++)
			for (size_t k = 0; rows[i].words[k]; k++) {
				CLEANUP(free_ptr) char *word = place(side, rows[i].words[k]);

				arena_push(&plans[side].arena, &plans[side].target, word);
			}
		why = programs_loaded(sides, NULL, false, &never, &never, &known);
		for (unsigned side = 0; side < SIDES; side++)
			plans[side].target = (struct strv)STRV_INIT;
		if (!why != !rows[i].why || (why && !strstr(why, rows[i].why)))
			fail_msg("%s %s: %s, not %s", rows[i].words[0], rows[i].words[1] ?: "", why, rows[i].why);
	}
}
