/* Source lines where functions of a program begin, by debug information. */
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

static int up(void **state)
{
	snprintf(root, sizeof root, "/tmp/pawl-places.XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int down(void **state)
{
	return file_remove_tree(root, NULL);
}

/* Uses this program's own debug information. */
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
