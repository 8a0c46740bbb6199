/* A pruned profile sums up the omitted stacks. The total and the weights of kept stacks stay the same. */
#include "unit.h"

#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/names.h"
#include "profile/stacks.h"

static void prune(const char *folded, double least_pct, struct strbuf *out)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT, pruned = STACKS_INIT;
	struct error err = ERROR_INIT;

	assert_int_equal(folded_read(folded, strlen(folded), &stacks, &err), 0);
	names_resolve(&stacks);
	flame_tree_prune(&stacks, least_pct, &pruned);
	assert_int_equal(folded_write(&pruned, FOLDED_AS_GIVEN, out, &err), 0);
	if (stacks.n)
		assert_int_equal(pruned.events[0].samples, stacks.events[0].samples);
}

TEST(small_frames_are_summed_below_their_caller)
{
	static const struct { const char *folded; double least_pct; const char *expected; } cases[] = {
		{ "a;b 90\na;c 6\na;d 4\n", 5, "a;[small] 4\na;b 90\na;c 6\n" },
		{ "a;b 90\na;c 6\na;d 4\n", 0, "a;b 90\na;c 6\na;d 4\n" },
		{ "a;b 90\na;c 6\na;d 4\n", 50, "a;[small] 10\na;b 90\n" },
		{ "a 3\nb 97\n", 5, "[small] 3\nb 97\n" },
		/* Small leaves of one caller become [small]; the caller stays. */
		{ "a;b;x 4\na;b;y 4\na;b;z 4\na;c 88\n", 5, "a;b;[small] 12\na;c 88\n" },
		{ "a 10\na;b 1\n", 10, "a 10\na;[small] 1\n" },
		{ "a;b 0.5\na;c 1.25\n", 0, "a;b 0.5\na;c 1.25\n" },
		{ "", 5, "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		prune(cases[i].folded, cases[i].least_pct, &out);
		assert_string_equal(out.buf, cases[i].expected);
	}
}

TEST(a_pruned_profile_pruned_is_the_same)
{
	CLEANUP(strbuf_release) struct strbuf once = STRBUF_INIT, twice = STRBUF_INIT;

	prune("m;a;b 700\nm;a;c 3\nm;d;e;f 200\nm;d;e;g 2\nm;h 95\n", 1, &once);
	prune(once.buf, 1, &twice);
	assert_string_equal(once.buf, "m;a;[small] 3\nm;a;b 700\nm;d;e;[small] 2\nm;d;e;f 200\nm;h 95\n");
	/* [small] is itself small by then and stays [small]. */
	assert_string_equal(twice.buf, once.buf);
}
