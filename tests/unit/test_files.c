/* Files: bounded reads, atomic writes, removal that follows no link. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "root_fixture.h"

static void put(const char *path, const char *text)
{
	struct error err = ERROR_INIT;

	MUST(file_write(path, text, strlen(text), &err));
}

static void assert_holds(const char *path, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	MUST(file_read(path, 1000, &text, &err));
	assert_string_equal(text.buf, expected);
}

static void assert_names(const char *path, const char *expected)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	assert_int_equal(file_list(path, &names, NULL), 0);
	for (size_t i = 0; i < names.n; i++)
		strbuf_addf(&text, "%s ", names.items[i]);
	assert_string_equal(text.buf, expected);
}

TEST_WITH(write_makes_folders_and_leaves_nothing_else, make_root, drop_root)
{
	CLEANUP(free_ptr) char *folder = in_root("a//b"), *path = file_join(folder, "result.json");
	mode_t mask = umask(022);
	struct stat st;

	put(path, "first, and longer");
	put(path, "second");
	umask(mask);
	assert_holds(path, "second");
	assert_names(folder, "result.json ");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
}

TEST_WITH(write_replaces_a_link_and_spares_its_target, make_root, drop_root)
{
	CLEANUP(free_ptr) char *victim = in_root("victim"), *path = in_root("link");
	struct stat st;

	put(victim, "untouched");
	assert_int_equal(symlink(victim, path), 0);
	put(path, "new");
	assert_holds(victim, "untouched");
	assert_holds(path, "new");
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
}

TEST_WITH(a_failed_write_keeps_the_old_and_cleans_up, make_root, drop_root)
{
	CLEANUP(free_ptr) char *folder = in_root("taken"), *file = in_root("file"), *below = file_join(file, "x");
	CLEANUP(free_ptr) char *slashed = in_root("new/");
	struct error err = ERROR_INIT;

	assert_int_equal(file_make_dirs(folder, &err), 0);
	assert_int_equal(file_write(folder, "x", 1, &err), -1);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_non_null(strstr(err.msg, folder));
	assert_names(root, "taken ");
	put(file, "old");
	assert_int_equal(file_write(below, "x", 1, &err), -1);
	assert_int_equal(err.sys, ENOTDIR);
	assert_int_equal(file_write(slashed, "x", 1, &err), -1);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_holds(file, "old");
	assert_names(root, "file taken ");
}

/* A temporary file of a crashed process with the same number is not an obstacle. */
TEST_WITH(write_passes_a_stale_temporary, make_root, drop_root)
{
	CLEANUP(free_ptr) char *path = in_root("out");
	char stale[128];

	snprintf(stale, sizeof stale, "%s/.pawl-%ld-0.tmp", root, (long)getpid());
	put(stale, "stale");
	put(path, "fresh");
	assert_holds(path, "fresh");
	assert_holds(stale, "stale");
}

/* Makes system call NUMBER end the process, as SIGKILL would. */
static void die_at(long number)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof program / sizeof program[0], program };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
		_exit(77);
}

/* Returns false if the child did not die at NUMBER while replacing PATH. */
static bool killed_at(long number, const char *path)
{
	pid_t child = fork();
	int status;

	if (!child) {
		die_at(number);
		file_write(path, "half", 4, NULL);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		return false;
	assert_true(WIFSIGNALED(status));
	return true;
}

static bool has_unnamed_files(void)
{
	int fd = open(root, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

TEST_WITH(write_that_is_killed_leaves_nothing, make_root, drop_root)
{
	CLEANUP(free_ptr) char *folder = in_root("killed"), *path = file_join(folder, "out");

	put(path, "old");
	if (!has_unnamed_files() || !killed_at(SYS_fsync, path))
		skip();
	assert_names(folder, "out ");
	assert_holds(path, "old");
}

TEST_WITH(sweep_removes_what_was_left, make_root, drop_root)
{
	CLEANUP(free_ptr) char *folder = in_root("swept");
	const char *names[] = { ".pawl-1-0.tmp", ".pawl-.tmp", ".pawl.tmp", "x.tmp", ".gitignore", "pawl-1-0.tmp" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		CLEANUP(free_ptr) char *path = file_join(folder, names[i]);

		put(path, "x");
	}
	file_sweep(folder);
	assert_names(folder, ".gitignore .pawl-.tmp .pawl.tmp pawl-1-0.tmp x.tmp ");
	file_sweep("/nonexistent");
}

TEST_WITH(read_is_bounded_and_all_or_nothing, make_root, drop_root)
{
	CLEANUP(free_ptr) char *path = in_root("five");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	put(path, "12345");
	strbuf_adds(&text, "kept");
	assert_int_equal(file_read(path, 4, &text, &err), -1);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_non_null(strstr(err.msg, "limit of 4 bytes"));
	assert_string_equal(text.buf, "kept");
	assert_int_equal(file_read(path, 5, &text, &err), 0);
	assert_string_equal(text.buf, "kept12345");
}

TEST_WITH(what_cannot_be_read_is_distinguished, make_root, drop_root)
{
	static const struct { const char *name, *words; } cases[] = {
		{ "missing", "No such file" }, { "folder", "it is a folder" }, { "fifo", "not a regular file" },
		{ "loop", "Too many levels" },
	};
	CLEANUP(free_ptr) char *folder = in_root("folder"), *fifo = in_root("fifo"), *loop = in_root("loop");

	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink("loop", loop), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(free_ptr) char *path = in_root(cases[i].name);
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		struct error err = ERROR_INIT;

		assert_int_equal(file_read(path, 100, &text, &err), -1);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_non_null(strstr(err.msg, cases[i].words));
		assert_non_null(strstr(err.msg, path));
	}
}

TEST_WITH(facts_are_trimmed_numbers_whole, make_root, drop_root)
{
	static const struct { const char *text; bool number; long long value; } cases[] = {
		{ "2\n", true, 2 },   { "-1", true, -1 },  { "\n", false, 0 },
		{ "", false, 0 },     { "3x\n", false, 0 }, { "1 2\n", false, 0 },
		{ "99999999999999999999\n", false, 0 },
	};
	CLEANUP(free_ptr) char *path = in_root("fact");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		long long value = 77;

		put(path, cases[i].text);
		assert_int_equal(file_read_number(path, &value), cases[i].number);
		assert_int_equal(value, cases[i].number ? cases[i].value : 77);
	}
	put(path, "on\n\n");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	assert_true(file_read_fact(path, &text));
	assert_string_equal(text.buf, "on\n");
	assert_false(file_read_fact("/nonexistent/fact", &text));
	assert_string_equal(text.buf, "on\n");
}

TEST_WITH(removal_follows_no_link, make_root, drop_root)
{
	CLEANUP(free_ptr) char *outside = in_root("outside"), *precious = file_join(outside, "precious");
	CLEANUP(free_ptr) char *tree = in_root("tree"), *deep = file_join(tree, "x/y/z");
	CLEANUP(free_ptr) char *locked = file_join(tree, "x"), *link = file_join(tree, "x/link");
	CLEANUP(free_ptr) char *top_link = in_root("top");
	struct error err = ERROR_INIT;

	put(precious, "kept");
	put(deep, "gone");
	assert_int_equal(symlink(outside, link), 0);
	assert_int_equal(symlink(outside, top_link), 0);
	assert_int_equal(chmod(locked, 0500), 0);
	MUST(file_remove_tree(tree, &err));
	assert_int_equal(file_remove_tree(top_link, &err), 0);
	assert_int_equal(file_remove_tree(tree, &err), 0);
	assert_holds(precious, "kept");
	assert_names(root, "outside ");
}

TEST_WITH(lists_are_sorted_and_missing_is_empty, make_root, drop_root)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	static const char *const made[] = { "b", "a", ".c" };
	struct error err = ERROR_INIT;
	char path[128];

	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", root, made[i]);
		put(path, "");
	}
	assert_names(root, ".c a b ");
	assert_int_equal(file_list(path, &names, &err), -1);
	assert_int_equal(err.sys, ENOTDIR);
	snprintf(path, sizeof path, "%s/none", root);
	assert_int_equal(file_list(path, &names, &err), 0);
	assert_int_equal(names.n, 0);
}

/* Waits until the file system's clock has ticked, and returns its time. */
static struct timespec next_tick(const char *mark)
{
	struct stat first, st;

	put(mark, "");
	assert_int_equal(stat(mark, &first), 0);
	do {
		put(mark, "");
		assert_int_equal(stat(mark, &st), 0);
	} while (!memcmp(&st.st_ctim, &first.st_ctim, sizeof first.st_ctim));
	return st.st_ctim;
}

enum change { NOTHING, WRITTEN, WRITTEN_IN_GIT, WRITTEN_IN_SKIPPED, MADE, REMOVED, RENAMED, LINKED_WRITTEN };

static void change(enum change what)
{
	CLEANUP(free_ptr) char *file = in_root("tree/folder/file"), *other = in_root("tree/folder/other");
	CLEANUP(free_ptr) char *git = in_root("tree/.git/index"), *out = in_root("tree/out/x"), *target = in_root("target");

	switch (what) {
	case WRITTEN: put(file, "more"); break;
	case WRITTEN_IN_GIT: put(git, "more"); break;
	case WRITTEN_IN_SKIPPED: put(out, "more"); break;
	case MADE: put(other, ""); break;
	case REMOVED: unlink(file); break;
	case RENAMED: rename(file, other); break;
	case LINKED_WRITTEN: put(target, "more"); break;
	case NOTHING: break;
	}
}

TEST_WITH(what_changed_since_is_found, make_root, drop_root)
{
	static const struct { enum change what; const char *changed; } cases[] = {
		{ NOTHING, NULL }, { WRITTEN, "tree/folder/file" }, { WRITTEN_IN_GIT, NULL }, { WRITTEN_IN_SKIPPED, NULL },
		{ MADE, "tree/folder/other" }, { REMOVED, "tree/folder" }, { RENAMED, "tree/folder/other" }, { LINKED_WRITTEN, "tree/link" },
	};
	CLEANUP(free_ptr) char *tree = in_root("tree"), *link = in_root("tree/link"), *mark = in_root("mark");
	CLEANUP(strv_release) struct strv skip = STRV_INIT;

	strv_take(&skip, in_root("tree/out"));
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *found = NULL, *expected = cases[i].changed ? in_root(cases[i].changed) : NULL;
		struct timespec since;

		file_remove_tree(tree, NULL);
		for (enum change k = WRITTEN; k <= WRITTEN_IN_SKIPPED; k++)
			change(k);
		change(LINKED_WRITTEN);
		assert_int_equal(symlink("../target", link), 0);
		since = next_tick(mark);
		next_tick(mark);
		change(cases[i].what);
		found = file_changed_since(tree, since, &skip);
		if (!text_same(found, expected))
			fail_msg("case %zu: %s", i, found ?: "(nothing)");
	}
}

TEST(paths_are_made_absolute)
{
	CLEANUP(free_ptr) char *cwd = getcwd(NULL, 0);
	static const struct { const char *path, *under_cwd; } cases[] = {
		{ "x", "x" }, { "./x", "x" }, { ".//./x/y", "x/y" }, { "../x", "../x" }, { ".x", ".x" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(free_ptr) char *expected = file_join(cwd, cases[i].under_cwd);
		CLEANUP(free_ptr) char *path = file_absolute(cases[i].path);

		assert_string_equal(path, expected);
	}
	CLEANUP(free_ptr) char *here = file_absolute("."), *kept = file_absolute("/a/../b");
	assert_string_equal(here, cwd);
	assert_string_equal(kept, "/a/../b");
}

TEST_WITH(programs_are_found_as_a_shell_would, make_root, drop_root)
{
	CLEANUP(free_ptr) char *prog = in_root("bin/prog"), *plain = in_root("first/prog");
	CLEANUP(free_ptr) char *folder = in_root("second/prog"), *kept = xstrdup(getenv("PATH"));
	char path[300];

	put(prog, "#!/bin/sh\n");
	put(plain, "not executable");
	assert_int_equal(file_make_dirs(folder, NULL), 0);
	assert_int_equal(chmod(prog, 0755), 0);
	snprintf(path, sizeof path, "%s/first:%s/second:%s/bin", root, root, root);
	setenv("PATH", path, 1);
	CLEANUP(free_ptr) char *on_path = file_find_program("prog", NULL);
	CLEANUP(free_ptr) char *relative = file_find_program("bin/prog", root);
	setenv("PATH", "", 1);
	CLEANUP(free_ptr) char *missing = file_find_program("prog", NULL);
	CLEANUP(free_ptr) char *not_program = file_find_program("first/prog", root);
	if (kept)
		setenv("PATH", kept, 1);
	assert_non_null(on_path);
	assert_string_equal(on_path, prog);
	assert_non_null(relative);
	assert_string_equal(relative, prog);
	assert_null(missing);
	assert_null(not_program);
	assert_null(file_find_program("", NULL));
}
