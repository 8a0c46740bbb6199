/* Files of massif as stacks. */
#include "unit.h"

#include "measure/files/files.h"
#include "profile/folded.h"
#include "profile/foreign.h"
#include "profile/names.h"
#include "profile/stacks.h"

typedef int reader_fn(const char *text, size_t len, struct stacks *out, struct error *err);

/* Asserts that TEXT reads as this folded text, or fails with this message. */
static void assert_read(reader_fn *reader, const char *text, const char *expected)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf folded = STRBUF_INIT;
	struct error err = ERROR_INIT;

	if (reader(text, strlen(text), &stacks, &err) < 0) {
		assert_int_equal(err.kind, ERR_INPUT);
		strbuf_adds(&folded, err.msg);
	} else {
		names_resolve(&stacks);
		assert_int_equal(folded_write(&stacks, FOLDED_BY_TEXT, &folded, &err), 0);
	}
	assert_string_equal(folded.buf, expected);
}

static void assert_file(reader_fn *reader, const char *name, enum profile_kind kind, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	assert_int_equal(file_read(name, 1 << 20, &text, NULL), 0);
	assert_int_equal(profile_kind_of(text.buf, text.len), kind);
	if (reader)
		assert_read(reader, text.buf, expected);
}

TEST(recordings_are_read)
{
	assert_file(massif_read, "tests/fixtures/heap/massif.out", PROFILE_KIND_MASSIF,
		    "./m;[small];a 10\n./m;main;b;a 200000\n");
	assert_file(NULL, "tests/fixtures/heap/jemalloc.heap", PROFILE_KIND_JEMALLOC, "");
}

#define MASSIF "desc: (none)\ncmd: ./m\ntime_unit: i\n#-----------\nsnapshot=0\n"

TEST(what_massif_writes_is_read)
{
	/* a node keeps the remainder of its children; C++ names have parentheses; a frame without a name */
	assert_read(massif_read, MASSIF "heap_tree=peak\nn2: 100 (heap allocation functions) malloc\n n1: 70 0x1: f(int) (a.cc:1)\n"
		    "  n0: 50 0x2: app::g() const (in /srv/p/prog)\n n0: 30 0x3: ??? (in /usr/lib/libx.so.1)\n#-----------\n",
		    "./m;[libx.so.1] 30\n./m;app::g() const;f(int) 50\n./m;f(int) 20\n");
	/* the peak tree, wherever it is; otherwise the last tree */
	assert_read(massif_read, MASSIF "heap_tree=detailed\nn1: 5 (heap)\n n0: 5 0x1: a (m.c:1)\n#-----------\nsnapshot=1\n"
		    "heap_tree=peak\nn1: 9 (heap)\n n0: 9 0x1: b (m.c:1)\n#-----------\nheap_tree=detailed\nn1: 7 (heap)\n n0: 7 0x1: c (m.c:1)\n",
		    "./m;b 9\n");
	assert_read(massif_read, MASSIF "heap_tree=detailed\nn1: 5 (heap)\n n0: 5 0x1: a (m.c:1)\n#-----------\nsnapshot=1\n"
		    "heap_tree=detailed\nn1: 7 (heap)\n n0: 7 0x1: c (m.c:1)\n", "./m;c 7\n");
	assert_read(massif_read, MASSIF "heap_tree=empty\n", "no snapshot in it has a tree: nothing was allocated, or it was cut off");
	assert_read(massif_read, MASSIF "heap_tree=peak\nwhat\n", "line 7: expected a node of massif's tree, found 'what'");
	assert_read(massif_read, MASSIF "heap_tree=peak\nn1: 5 (heap)\n   n0: 5 0x1: a\n",
		    "line 8: expected a node of massif's tree, found '   n0: 5 0x1: a'");
	assert_read(massif_read, MASSIF "heap_tree=peak\nn1: 99999999999999999999 (heap)\n", "line 7: a number is too large");
}
