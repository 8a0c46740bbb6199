/* Paths into the project, mapped for each side of a comparison. */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "measure/files/files.h"
#include "measure/git/tree_map.h"

/* ROOT/head and ROOT/base have bin/prog, only the head has new/prog. ROOT/links/ points into the head. */
static char root[64];
static struct tree_map of_base, of_head;

static char *at(const char *name)
{
	return file_join(root, name);
}

static void put(const char *name)
{
	CLEANUP(free_ptr) char *path = at(name);

	assert_int_equal(file_write(path, "#!/bin/sh\n", 10, NULL), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

static void link_to(const char *target, const char *name)
{
	CLEANUP(free_ptr) char *to = at(target), *path = at(name);

	assert_int_equal(symlink(to, path), 0);
}

static int make_trees(void **state)
{
	char made[] = "/tmp/pawl-map.XXXXXX";
	CLEANUP(free_ptr) char *head = NULL, *base = NULL, *links = NULL;

	assert_non_null(mkdtemp(made));
	memcpy(root, made, sizeof made);
	put("head/bin/prog");
	put("head/new/prog");
	put("base/bin/prog");
	links = at("links");
	assert_int_equal(file_make_dirs(links, NULL), 0);
	link_to("head/bin", "links/bin");
	link_to("head/bin/prog", "links/prog");
	link_to("head", "links/project");
	head = at("head");
	base = at("base");
	tree_map_init(&of_base, base, (const char *const[]){ base, head, head }, 3);
	tree_map_init(&of_head, head, (const char *const[]){ base, head, head }, 3);
	return 0;
}

static int drop_trees(void **state)
{
	tree_map_release(&of_base);
	tree_map_release(&of_head);
	return file_remove_tree(root, NULL);
}

/* Returns TEXT with '^' replaced by ROOT, for free(). */
static char *in_root(const char *text)
{
	struct strbuf out = STRBUF_INIT;

	for (; *text; text++)
		strbuf_adds(&out, *text == '^' ? root : (char[]){ *text, '\0' });
	return strbuf_take(&out);
}

static void assert_mapped(const struct tree_map *map, const char *text, const char *expected)
{
	CLEANUP(free_ptr) char *given = in_root(text), *wanted = in_root(expected), *found = tree_map_text(map, given);

	assert_string_equal(found, wanted);
}

TEST_WITH(a_path_into_a_tree_means_the_own_one, make_trees, drop_trees)
{
	static const struct { const char *text, *base; } cases[] = {
		{ "^/head/bin/prog", "^/base/bin/prog" },
		{ "^/base/bin/prog", "^/base/bin/prog" },
		{ "^/head", "^/base" },
		{ "cd ^/head && ./bin/prog <^/head/in >out", "cd ^/base && ./bin/prog <^/base/in >out" },
		{ "--data=^/head/x,^/head/y:^/head/z", "--data=^/base/x,^/base/y:^/base/z" },
		{ "-I^/head/include '^/head/a' \"^/head/b\" @^/head/args", "-I^/base/include '^/base/a' \"^/base/b\" @^/base/args" },
		{ "file://^/head/page", "file://^/base/page" },
		{ "^/head${x}", "^/base${x}" },
		/* Links are followed; a missing file belongs to its existing folder. */
		{ "^/links/bin/prog -v", "^/base/bin/prog -v" },
		{ "^/links/project/made/later", "^/base/made/later" },
		/* Other paths that look similar. */
		{ "^/header/bin/prog", "^/header/bin/prog" },
		{ "^/head.old ^/head2/x", "^/head.old ^/head2/x" },
		{ "${tmp}^/head/x", "${tmp}^/head/x" },
		{ "sub^/head/x ..^/head/x /usr^/head/x", "sub^/head/x ..^/head/x /usr^/head/x" },
		{ "http:/^/head/x", "http:/^/head/x" },
		{ "/usr/bin/env head/bin/prog /etc/passwd", "/usr/bin/env head/bin/prog /etc/passwd" },
		{ "/proc/self/cwd/x /dev/stdin", "/proc/self/cwd/x /dev/stdin" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_mapped(&of_base, cases[i].text, cases[i].base);
	assert_mapped(&of_head, "^/base/bin/prog ^/head/bin/prog", "^/head/bin/prog ^/head/bin/prog");
}

TEST_WITH(what_a_shell_would_read_is_not_put_into_texts, make_trees, drop_trees)
{
	CLEANUP(free_ptr) char *odd = at("my base"), *head = at("head");
	CLEANUP(tree_map_release) struct tree_map map;

	tree_map_init(&map, odd, (const char *const[]){ head }, 1);
	assert_mapped(&map, "^/head/bin/prog", "^/head/bin/prog");
}

TEST_WITH(one_tree_needs_no_map, make_trees, drop_trees)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct strv environment = STRV_INIT;
	CLEANUP(free_ptr) char *head = at("head"), *link = at("links/project");
	CLEANUP(tree_map_release) struct tree_map map;

	tree_map_init(&map, head, (const char *const[]){ link }, 1);
	assert_mapped(&map, "^/links/project/bin/prog", "^/links/project/bin/prog");
	setenv("PAWL_TEST", head, 1);
	tree_map_environment(&map, NULL, &arena, &environment);
	assert_int_equal(environment.n, 0);
}

/* -------- the environment */

static void assert_variable(const struct tree_map *map, const char *name, const char *value, const char *expected)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct strv environment = STRV_INIT;
	CLEANUP(free_ptr) char *given = in_root(value), *kept = xstrdup(getenv(name));
	CLEANUP(strbuf_release) struct strbuf wanted = STRBUF_INIT;
	size_t found = 0;

	setenv(name, given, 1);
	tree_map_environment(map, NULL, &arena, &environment);
	if (kept)
		setenv(name, kept, 1);
	else
		unsetenv(name);
	strbuf_addf(&wanted, "%s=", name);
	if (expected) {
		CLEANUP(free_ptr) char *text = in_root(expected);

		strbuf_adds(&wanted, text);
	}
	for (size_t i = 0; i < environment.n; i++) {
		if (strncmp(environment.items[i], wanted.buf, strlen(name) + 1))
			continue;
		assert_string_equal(environment.items[i], wanted.buf);
		found++;
	}
	assert_int_equal(found, expected != NULL);
}

TEST_WITH(variables_name_the_own_tree, make_trees, drop_trees)
{
	assert_variable(&of_base, "PATH", "^/head/bin:/usr/bin", "^/base/bin:/usr/bin");
	assert_variable(&of_head, "PATH", "^/head/bin:/usr/bin", "^/head/bin:/usr/bin");
	assert_variable(&of_base, "PATH", "/usr/bin:^/links/bin", "/usr/bin:^/base/bin");
	/* A folder in only one tree, such as a virtual environment: the own path comes first, in case setup creates it. */
	assert_variable(&of_base, "PATH", "^/head/new:/usr/bin", "^/base/new:^/head/new:/usr/bin");
	assert_variable(&of_base, "PYTHONPATH", "^/head/new", "^/base/new:^/head/new");
	assert_variable(&of_base, "PAWL_TEST_NOT", "^/head", NULL);
	assert_variable(&of_base, "GITHUB_WORKSPACE", "^/head", "^/base");
	assert_variable(&of_base, "DATA", "^/head/new/prog", "^/head/new/prog");
	assert_variable(&of_base, "HOME", "^/head", NULL);
	assert_variable(&of_base, "TMPDIR", "^/head/bin", NULL);
	assert_variable(&of_base, "XDG_CACHE_HOME", "^/head/bin", NULL);
	assert_variable(&of_base, "SERVER", "https://example.com/a:/etc", NULL);
}

TEST_WITH(what_the_scenario_sets_stays, make_trees, drop_trees)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct strv environment = STRV_INIT;
	CLEANUP(free_ptr) char *head = at("head");

	arena_push(&arena, &environment, "WHERE=mine");
	setenv("WHERE", head, 1);
	tree_map_environment(&of_base, NULL, &arena, &environment);
	unsetenv("WHERE");
	for (size_t i = 1; i < environment.n; i++)
		assert_int_not_equal(strncmp(environment.items[i], "WHERE=", 6), 0);
}

/* -------- the tree of a file */

static enum tree_whose whose(const struct tree_map *map, const char *name)
{
	CLEANUP(free_ptr) char *path = at(name);

	return tree_map_whose(map, path);
}

TEST_WITH(files_belong_where_they_lie, make_trees, drop_trees)
{
	assert_int_equal(whose(&of_base, "base/bin/prog"), TREE_OWN);
	assert_int_equal(whose(&of_base, "head/bin/prog"), TREE_OTHER);
	assert_int_equal(whose(&of_base, "links/prog"), TREE_OTHER);
	assert_int_equal(whose(&of_head, "links/prog"), TREE_OWN);
	assert_int_equal(whose(&of_base, "links"), TREE_NONE);
	assert_int_equal(tree_map_whose(&of_base, "/bin/sh"), TREE_NONE);
}

/* A base inside the head's folder is not part of the head. */
TEST_WITH(the_inner_of_two_trees_counts, make_trees, drop_trees)
{
	CLEANUP(free_ptr) char *head = at("head"), *inner = at("head/old");
	CLEANUP(tree_map_release) struct tree_map map;

	put("head/old/bin/prog");
	tree_map_init(&map, inner, (const char *const[]){ head }, 1);
	assert_int_equal(whose(&map, "head/old/bin/prog"), TREE_OWN);
	assert_int_equal(whose(&map, "head/bin/prog"), TREE_OTHER);
	assert_mapped(&map, "^/head/bin/prog ^/head/old/bin/prog", "^/head/old/bin/prog ^/head/old/bin/prog");
}

TEST_WITH(folders_stand_for_each_other, make_trees, drop_trees)
{
	CLEANUP(free_ptr) char *link = at("links/prog"), *plain = at("head/bin/prog"), *wanted = at("base/bin");
	CLEANUP(free_ptr) char *found = tree_map_folder(&of_base, link);

	assert_non_null(found);
	assert_string_equal(found, wanted);
	assert_null(tree_map_folder(&of_base, plain));
	assert_null(tree_map_folder(&of_base, "/bin/sh"));
}
