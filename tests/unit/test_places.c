/* Source lines where functions of a program begin, with and without debug information. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/own_code.h"
#include "cause/work.h"
#include "job/places.h"
#include "measure/process/files.h"

static char root[64];

static void put(const char *name, const char *text)
{
	CLEANUP(free_ptr) char *path = file_join(root, name);

	assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
}

static int up(void **state)
{
	snprintf(root, sizeof root, "/tmp/pawl-places.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	put("src/a.c", "static int small(int x)\n{\n	return x;\n}\n\n/* grow() */\nint\ngrow(int x)\n{\n	return small(x);\n}\n"
	    "static int twice(void)\n{\n}\n");
	put("src/b.c", "static int twice(void)\n{\n}\nint only(void)\n{\n}\n");
	put("src/p.cc", "namespace n {\nclass P {\n	int area();\n	int side() { return 1; }\n};\ntemplate <typename T>\n"
	    "int P::area()\n{\n}\n}\n");
	put(".hidden/c.c", "int hidden(void)\n{\n}\n");
	put("node_modules/c.c", "int module(void)\n{\n}\n");
	return 0;
}

static int down(void **state)
{
	return file_remove_tree(root, NULL);
}

TEST_WITH(functions_begin_where_their_names_are, up, down)
{
	static const struct {
		const char *key, *source;	/* below the root; NULL: no debug information */
		unsigned line;
		bool own;
		const char *found;
		unsigned found_line;
	} cases[] = {
		{ "grow", "src/a.c", 3, true, "src/a.c", 8 }, { "grow", "./src/a.c", 3, true, "./src/a.c", 8 },
		{ "grow", NULL, 0, true, "src/a.c", 8 }, { "only", NULL, 0, true, "src/b.c", 4 },
		/* One of two functions of a name, if debug information identifies it; otherwise no place. */
		{ "twice", "src/b.c", 2, true, "src/b.c", 1 }, { "twice", NULL, 0, true, NULL, 0 },
		{ "n::P::area()", NULL, 0, true, "src/p.cc", 7 }, { "n::P::side()", "src/p.cc", 4, true, "src/p.cc", 4 },
		{ "Q::area()", NULL, 0, true, NULL, 0 }, { "hidden", NULL, 0, true, NULL, 0 }, { "module", NULL, 0, true, NULL, 0 },
		{ "grow", NULL, 0, false, NULL, 0 }, { "missing", "src/gone.c", 7, true, "src/gone.c", 7 },
		{ "[unknown]", NULL, 0, true, NULL, 0 }, { "()", NULL, 0, true, NULL, 0 },
	};
	struct work work = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *key = arena_strdup(&work.arena, cases[i].key);

		ARENA_GROW(&work.arena, work.functions, work.n_functions, work.cap_functions);
		work.functions[work.n_functions++] = (struct work_function){ .code = {
			.function = key, .key = key, .object = "/app", .line = cases[i].line, .own = cases[i].own,
			.source = cases[i].source && cases[i].source[0] == '.' ? cases[i].source :
				  cases[i].source ? arena_printf(&work.arena, "%s/%s", root, cases[i].source) : NULL,
		} };
	}
	places_find(&work, &(struct own_code){ .root = root });
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct code *code = &work.functions[i].code;
		const char *source = code->source ? path_below(code->source, root) ?: code->source : NULL;

		if (!text_same(source, cases[i].found) || code->line != cases[i].found_line)
			fail_msg("%s: %s:%u", cases[i].key, source ?: "nowhere", code->line);
	}
	work_release(&work);
}

/* Uses this program's own debug information and reads no sources. */
TEST_WITH(debug_information_says_where, up, down)
{
	char self[512] = "";
	struct work work = { 0 };
	static const struct {
		const char *key;
		bool own;
		const char *source;
	} cases[] = {
		{ "debug_information_says_where", true, "test_places.c" }, { "places_find", true, "places.c" },
		{ "no_such_function", true, NULL }, { "places_find", false, NULL },
	};
	ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);

	assert_true(len > 0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ARENA_GROW(&work.arena, work.functions, work.n_functions, work.cap_functions);
		work.functions[work.n_functions++] = (struct work_function){ .code = {
			.function = cases[i].key, .key = cases[i].key, .object = self, .own = cases[i].own,
		} };
	}
	places_find(&work, &(struct own_code){ .root = root });
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct code *code = &work.functions[i].code;

		if (!text_same(code->source ? path_name(code->source) : NULL, cases[i].source) || !code->line != !cases[i].source ||
		    code->own != cases[i].own)
			fail_msg("%s: %s:%u", cases[i].key, code->source ?: "nowhere", code->line);
	}
	work_release(&work);
}
