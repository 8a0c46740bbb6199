/* System calls that grew and the functions that make them: made-up counts and stacks, and two programs under strace. */
#include "unit.h"

#include "cause/ledger/own_code.h"
#include "cause/ledger/system_calls.h"
#include "profile/names.h"
#include "profile/stacks.h"

static struct system_calls calls_of(const struct system_call *items, size_t n)
{
	struct system_calls calls = { 0 };

	for (size_t i = 0; i < n; i++) {
		ARENA_GROW(&calls.arena, calls.items, calls.n, calls.cap);
		calls.items[calls.n++] = items[i];
	}
	return calls;
}

#define CALLS(...) calls_of((const struct system_call[]){ __VA_ARGS__ }, sizeof((const struct system_call[]){ __VA_ARGS__ }) / sizeof(struct system_call))

TEST(those_that_grew)
{
	struct system_calls base = CALLS({ .name = "read", .calls = 12 }, { .name = "mmap", .calls = 30 }, { .name = "write", .calls = 10000 },
					 { .name = "futex", .calls = 5 });
	struct system_calls head = CALLS({ .name = "read", .calls = 40000 }, { .name = "mmap", .calls = 49 }, { .name = "write", .calls = 10200 },
					 { .name = "futex", .calls = 5 }, { .name = "stat", .calls = 500 });
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	system_calls_grown(&base, &head, &names);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.items[0], "read");
	assert_string_equal(names.items[1], "stat");
	strv_release(&names);
	system_calls_grown(&head, &base, &names);
	assert_int_equal(names.n, 0);
	/* One more process is worth reporting; one more thread is not. */
	base.items[1].name = head.items[1].name = "clone";
	head.items[1].calls = base.items[1].calls + 1;
	system_calls_grown(&base, &head, &names);
	assert_false(strv_has(&names, "clone"));
	head.processes = 1;
	strv_release(&names);
	system_calls_grown(&base, &head, &names);
	assert_true(strv_has(&names, "clone"));
	system_calls_release(&base);
	system_calls_release(&head);
}

/*
 * Base counts are scaled to the head's work. If either work is unknown, they are scaled to the head's number of calls.
 */
TEST(services_do_as_much_on_both_sides)
{
	static const struct { double base_work, head_work, work, reads, closes, processes; } cases[] = {
		{ 100, 300, 300, 300, 600, 31 }, { 300, 100, 100, 100.0 / 3, 200.0 / 3, 4 }, { 0, 300, 0, 500, 1000, 51 }, { 100, 0, 0, 500, 1000, 51 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(system_calls_release) struct system_calls base = CALLS({ .name = "read", .calls = 100, .bytes = 1800, .errors = 10 }, { .name = "close", .calls = 200 });
		CLEANUP(system_calls_release) struct system_calls head = CALLS({ .name = "read", .calls = 1200, .bytes = 5400 }, { .name = "close", .calls = 300 });

		base.processes = 11;
		head.processes = base.threads = head.threads = 1;
		base.work = cases[i].base_work;
		head.work = cases[i].head_work;
		system_calls_settle(&base, &head);
		assert_true(base.attached && head.attached && base.work == cases[i].work && head.work == cases[i].work);
		assert_float_equal(base.items[0].calls, cases[i].reads, 1e-9);
		assert_float_equal(base.items[0].bytes, 18 * cases[i].reads, 1e-6);
		assert_float_equal(base.items[0].errors, cases[i].reads / 10, 1e-9);
		assert_float_equal(base.items[1].calls, cases[i].closes, 1e-9);
		assert_true(base.processes == (unsigned)cases[i].processes && base.threads == 1);
		assert_true(head.items[0].calls == 1200 && head.items[0].bytes == 5400);
	}
}

/* Adds a stack. FRAMES run from the root, "name@dso" each. */
static void add(struct stacks *stacks, const char *event, double weight, const char *const frames[])
{
	uint32_t numbers[8];
	size_t n = 0;

	for (; frames[n]; n++) {
		const char *at = strchr(frames[n], '@');

		numbers[n] = stacks_frame_of(stacks, frames[n], (size_t)(at - frames[n]), at + 1);
	}
	stacks_add(stacks, (struct stack_sample){ stacks_event(stacks, event, strlen(event)), 0, numbers, n, 1, weight });
}

#define FRAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Each side is built in a tree of its own. */
TEST(the_caller_is_in_the_file_of_its_side)
{
	CLEANUP(system_calls_release) struct system_calls base = CALLS({ .name = "mremap", .calls = 7 });
	CLEANUP(system_calls_release) struct system_calls head = CALLS({ .name = "mremap", .calls = 620 });
	const struct own_code base_own = { .root = "/srv/base" }, head_own = { .root = "/srv/head" };
	CLEANUP(stacks_release) struct stacks before = STACKS_INIT, now = STACKS_INIT;

	add(&before, "mremap", 7, FRAMES("main@/srv/base/a", "grow@/srv/base/libx.so", "realloc@/lib/libc.so.6"));
	add(&now, "mremap", 620, FRAMES("main@/srv/head/a", "grow@/srv/head/libx.so", "realloc@/lib/libc.so.6"));
	names_resolve(&before);
	names_resolve(&now);
	system_calls_name_callers(&base, &head, &before, &now, &base_own, &head_own);
	assert_string_equal(system_calls_find(&base, "mremap")->caller, "grow");
	assert_string_equal(system_calls_find(&base, "mremap")->caller_object, "/srv/base/libx.so");
	assert_string_equal(system_calls_find(&head, "mremap")->caller_object, "/srv/head/libx.so");
}

TEST(who_makes_more_of_them)
{
	/* The base's stacks cover half of its calls, the head's a tenth. */
	CLEANUP(system_calls_release) struct system_calls base = CALLS({ .name = "write", .calls = 1000 }, { .name = "futex", .calls = 10 });
	CLEANUP(system_calls_release) struct system_calls head = CALLS({ .name = "write", .calls = 1500 }, { .name = "futex", .calls = 10 }, { .name = "stat", .calls = 50 });
	const struct own_code own = { .root = "/srv/demo" };
	CLEANUP(stacks_release) struct stacks before = STACKS_INIT, now = STACKS_INIT;

	add(&before, "write", 500, FRAMES("main@/srv/demo/a", "print@/srv/demo/a", "write@/lib/libc.so.6"));
	add(&now, "write", 100, FRAMES("main@/srv/demo/a", "print@/srv/demo/a", "write@/lib/libc.so.6"));
	add(&now, "write", 50, FRAMES("main@/srv/demo/a", "note@/srv/demo/a", "puts@/lib/libc.so.6", "write@/lib/libc.so.6"));
	add(&now, "futex", 7, FRAMES("main@/srv/demo/a", "wait@/srv/demo/a"));
	add(&now, "stat", 7, FRAMES("_dl_start@/lib/ld-linux-x86-64.so.2"));
	add(&now, "other", 7, FRAMES("main@/srv/demo/a"));
	names_resolve(&before);
	names_resolve(&now);
	system_calls_name_callers(&base, &head, &before, &now, &own, &own);
	assert_string_equal(system_calls_find(&head, "write")->caller, "note");
	assert_string_equal(system_calls_find(&head, "write")->caller_object, "/srv/demo/a");
	assert_true(system_calls_find(&head, "write")->by_caller == 500);
	assert_null(system_calls_find(&base, "write")->caller);
	assert_string_equal(system_calls_find(&head, "futex")->caller, "wait");
	assert_null(system_calls_find(&head, "stat")->caller);
}
