/* Source lines where functions of a program begin, by debug information. */
#include "unit.h"

#include <unistd.h>

#include "cause/ledger/own_code.h"
#include "cause/ledger/work.h"
#include "job/sides/places.h"
#include "model/side.h"
#include "model/source/changes.h"
#include "root_fixture.h"

/* Uses this program's own debug information. */
TEST_WITH(debug_information_says_where, make_root, drop_root)
{
	char self[512] = "";
	CLEANUP(work_release) struct work work = { 0 };
	static const struct { const char *key; bool own; const char *source; } cases[] = {
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
}

static volatile int ticks;

enum { FIRST = __LINE__ };
static inline __attribute__((always_inline)) void tick(int n)
{
	/* A comment has no code. */
	ticks += n;
}

static __attribute__((noinline)) void turn(void)
{
	tick(3);
}

/* The changed lines of this file, in a tree that its build called otherwise. */
TEST_WITH(changed_lines_have_code, make_root, drop_root)
{
	static struct change changes[] = {
		{ .path = "unit/test_places.c", .line = FIRST + 4, .n_lines = 1 },
		{ .path = "unit/test_places.c", .function = "tick", .line = FIRST + 3, .n_lines = 1 },
		{ .path = "test_places.c", .line = FIRST + 4, .n_lines = 1 },
	};
	struct changes diff = { .items = changes, .n = 3, .top = { NULL, root } };
	CLEANUP(free_ptr) char *copy = in_root("unit/test_places.c"), *other = in_root("test_places.c");
	char self[512] = "";

	turn();
	assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	assert_int_equal(file_write(copy, "", 0, NULL), 0);
	assert_int_equal(file_write(other, "", 0, NULL), 0);
	places_of_changes(&diff, HEAD, &(struct work){ 0 }, &(struct own_code){ .root = root, .program = self });
	assert_int_equal(changes[0].n_code, 1);
	assert_string_equal(changes[0].code[0].key, "turn");
	assert_string_equal(changes[0].code[0].through, "tick");
	assert_string_equal(changes[0].function, "tick");
	assert_int_equal(changes[1].n_code, 0);
	assert_int_equal(changes[2].n_code, 0);
	arena_release(&diff.arena);
}
