/* Weighted stacks: each string, frame and stack stored once, totals by event, merging. */
#include "unit.h"

#include "profile/stacks.h"

enum { MANY = 20000 };

static uint32_t string(struct stacks *stacks, const char *text)
{
	return stacks_string(stacks, text, strlen(text));
}

static uint32_t frame(struct stacks *stacks, const char *name, const char *dso)
{
	return stacks_frame(stacks, string(stacks, name), string(stacks, dso));
}

TEST(strings_are_kept_once)
{
	static const char *const texts[] = { "", "a", "ab", "abcdefg", "abcdefgh", "abcdefghi", "abcdefgh\x01", "\xff" };
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;

	assert_string_equal(stacks_text(&stacks, 0), "");
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
			assert_int_equal(string(&stacks, texts[i]), i);
			assert_string_equal(stacks_text(&stacks, (uint32_t)i), texts[i]);
		}
	/* a prefix is a different string; the first string is always empty */
	assert_int_equal(stacks_string(&stacks, "abX", 2), 2);
	stacks_release(&stacks);
	assert_int_equal(string(&stacks, "a"), 1);
	assert_int_equal(string(&stacks, ""), 0);
}

TEST(many_are_found_again)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	size_t before = stacks_bytes(&stacks);

	for (int again = 0; again < 2; again++)
		for (uint32_t i = 0; i < MANY; i++) {
			uint32_t event = stacks_event(&stacks, "cycles", 6), frames[3];
			char name[32];

			snprintf(name, sizeof name, "f%u", i);
			frames[0] = frame(&stacks, "main", "/a");
			frames[1] = frame(&stacks, name, "/a");
			frames[2] = frame(&stacks, name, "/b");
			stacks_add(&stacks, (struct stack_sample){ event, string(&stacks, "comm"), frames, i % 4, 1, i });
		}
	assert_int_equal(stacks.n_frames, 2 * MANY + 1);
	/* depths 0 and 1 have only one stack each */
	assert_int_equal(stacks.n, MANY / 2 + 2);
	assert_int_equal(stacks.events[0].samples, 2 * MANY);
	assert_true(stacks.events[0].weight == (double)MANY * (MANY - 1));
	assert_true(stacks_complete(&stacks, 0));
	assert_int_equal(before, 0);
	assert_true(stacks_bytes(&stacks) > (2 * MANY + 1) * sizeof(struct frame) + stacks.n * sizeof(struct stack) + stacks.n_pool * 4);
}

TEST(stacks_differ_by_event_thread_frames_and_order)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	uint32_t e1 = stacks_event(&stacks, "cycles", 6), e2 = stacks_event(&stacks, "faults", 6);
	uint32_t c1 = string(&stacks, "x"), c2 = string(&stacks, "y");
	const uint32_t ab[] = { frame(&stacks, "a", ""), frame(&stacks, "b", "") }, ba[] = { ab[1], ab[0] };

	assert_int_equal(stacks_event(&stacks, "cycles", 6), e1);
	for (int again = 0; again < 2; again++) {
		stacks_add(&stacks, (struct stack_sample){ e1, c1, ab, 2, 1, 10 });
		stacks_add(&stacks, (struct stack_sample){ e1, c1, ba, 2, 1, 20 });
		stacks_add(&stacks, (struct stack_sample){ e1, c1, ab, 1, 1, 30 });
		stacks_add(&stacks, (struct stack_sample){ e1, c1, ab, 0, 1, 40 });
		stacks_add(&stacks, (struct stack_sample){ e1, c2, ab, 2, 1, 50 });
		stacks_add(&stacks, (struct stack_sample){ e2, c1, ab, 2, 2, 0.5 });
	}
	assert_int_equal(stacks.n, 6);
	for (size_t i = 0; i < 5; i++)
		assert_true(stacks.items[i].samples == 2 && stacks.items[i].weight == 20.0 * (double)(i + 1));
	assert_true(stacks.items[5].samples == 4 && stacks.items[5].weight == 1);
	assert_true(stacks.events[e1].samples == 10 && stacks.events[e1].weight == 300);
	assert_true(stacks.events[e2].samples == 4 && stacks.events[e2].weight == 1);
}

TEST(what_is_lost_is_noticed)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	uint32_t event = stacks_event(&stacks, "cycles", 6), f = frame(&stacks, "f", "");

	for (int i = 0; i < 1000; i++)
		stacks_add(&stacks, (struct stack_sample){ event, 0, &f, 1, 1, 0.1 });
	assert_true(stacks_complete(&stacks, event));
	stacks.items[0].weight -= 0.1;
	assert_false(stacks_complete(&stacks, event));
	stacks.items[0].weight += 0.1;
	stacks.items[0].samples--;
	assert_false(stacks_complete(&stacks, event));
}

TEST(two_are_made_one)
{
	CLEANUP(stacks_release) struct stacks a = STACKS_INIT, b = STACKS_INIT;
	uint32_t main_a, event, frames[2];

	main_a = frame(&a, "main", "/a");
	stacks_add(&a, (struct stack_sample){ stacks_event(&a, "cycles", 6), string(&a, "t"), &main_a, 1, 1, 10 });
	a.lost = 2;
	frames[1] = frame(&b, "f.cold", "/b");
	frames[0] = frame(&b, "main", "/a");
	b.frames[frames[1]].shown = string(&b, "f [cold]");
	b.frames[frames[1]].key = string(&b, "f");
	stacks_add(&b, (struct stack_sample){ stacks_event(&b, "faults", 6), string(&b, "u"), frames, 2, 3, 7 });
	stacks_add(&b, (struct stack_sample){ stacks_event(&b, "cycles", 6), string(&b, "t"), frames, 1, 1, 5 });
	stacks_add(&b, (struct stack_sample){ stacks_event(&b, "cycles", 6), string(&b, "t"), frames, 0, 1, 1 });
	b.lost = 3;

	stacks_merge(&a, &b, STACKS_EVERY_EVENT, NULL);
	assert_int_equal(a.lost, 5);
	assert_int_equal(a.n, 3);
	assert_true(a.items[0].samples == 2 && a.items[0].weight == 15);
	assert_int_equal(a.n_frames, 2);
	assert_string_equal(stacks_frame_shown(&a, 0), "main");
	assert_string_equal(stacks_frame_shown(&a, 1), "f [cold]");
	assert_string_equal(stacks_text(&a, a.frames[1].name), "f.cold");
	assert_string_equal(stacks_text(&a, a.frames[1].key), "f");
	event = stacks_event(&a, "faults", 6);
	assert_true(a.events[event].samples == 3 && a.events[event].weight == 7);
	assert_true(stacks_complete(&a, 0) && stacks_complete(&a, event));
	assert_string_equal(stacks_text(&a, a.items[1].comm), "u");
}

TEST(nothing_merges_and_is_released)
{
	CLEANUP(stacks_release) struct stacks a = STACKS_INIT, b = STACKS_INIT;

	stacks_merge(&a, &b, STACKS_EVERY_EVENT, NULL);
	assert_int_equal(a.n, 0);
	stacks_release(&a);
	assert_int_equal(stacks_bytes(&a), 0);
}
