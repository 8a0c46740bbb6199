/* Evidence of both sides as lines: instructions in total and by function, system calls, the diff. */
#include "unit.h"

#include "cause/cause.h"
#include "cause/evidence.h"
#include "cause/ledger/system_calls.h"
#include "cause/ledger/work.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct found {
	struct scenario_result scenario;
	struct evidence base, head;
	struct changes changes;
};

static void found_release(struct found *found)
{
	scenario_result_release(&found->scenario);
	evidence_release(&found->base);
	evidence_release(&found->head);
	changes_release(&found->changes);
}

/* Adds a caller with its own instructions, and its callee strcmp. */
static void add_work(struct evidence *e, const char *function, double self, double calls, double in_library)
{
	struct work *work = &e->work;
	struct arena *arena = &work->arena;
	struct work_function items[] = {
		{ { function, function, "/srv/app", "/srv/src/app.c", 12, true }, self, calls },
		{ { "strcmp", "strcmp", "/lib/libc.so.6", NULL, 0, false }, in_library, calls },
	};
	struct work_call call = { 0, 1, calls, in_library };

	work->functions = arena_memdup(arena, items, sizeof items);
	work->n_functions = work->cap_functions = COUNT(items);
	work->calls = arena_memdup(arena, &call, sizeof call);
	work->n_calls = work->cap_calls = 1;
	work->total = self + in_library;
}

static void add_call(struct evidence *e, struct system_call call)
{
	struct system_calls *calls = &e->system_calls;

	ARENA_GROW(&calls->arena, calls->items, calls->n, calls->cap);
	calls->items[calls->n++] = call;
	calls->processes = calls->threads = 1;
}

static void find(struct found *found)
{
	found_lines(&found->scenario, &(struct cause_input){ .base = &found->base, .head = &found->head, .changes = &found->changes });
}

static void assert_lines(const struct found *found, const char *const *want)
{
	const struct strv *lines = &found->scenario.evidence;

	for (size_t i = 0; i < lines->n; i++)
		if (!want[i] || strcmp(lines->items[i], want[i]))
			fail_msg("found '%s', expected '%s'", lines->items[i], want[i] ?: "(nothing)");
	if (want[lines->n])
		fail_msg("missing '%s'", want[lines->n]);
}

/* Missing evidence comes last. */
TEST(everything_is_said)
{
	static const char *const want[] = {
		"instructions, counted once on each side: 2.10 M, then 5.10 M (+143 %)",
		"lookup (app.c:12): 2.10 M, then 5.10 M instructions, those of libraries that it calls included; called 1,000 times, then 3,000",
		"system calls, counted once on each side: 13, then 40,021",
		"write: 12 times, then 40,000; 40.0 KiB, then 40.0 KiB; mostly on out.txt; from flush",
		"nanosleep: once, then 20",
		"processes and threads: 1 and 1, then 3 and 4",
		"the diff: 2 places in 1 file (app.c), 1 other file",
		"page faults could not be recorded: no rights", NULL,
	};
	CLEANUP(found_release) struct found found = { 0 };
	struct change changes[] = { { .path = "app.c" }, { .path = "app.c" } };

	arena_push(&found.scenario.arena, &found.scenario.evidence, "page faults could not be recorded: no rights");
	add_work(&found.base, "lookup", 2e6, 1000, 1e5);
	add_work(&found.head, "lookup", 2.1e6, 3000, 3e6);
	add_call(&found.base, (struct system_call){ .name = "write", .calls = 12, .bytes = 40960 });
	add_call(&found.base, (struct system_call){ .name = "nanosleep", .calls = 1 });
	add_call(&found.head, (struct system_call){ .name = "write", .calls = 40000, .bytes = 40960, .file = "/tmp/out.txt", .caller = "flush" });
	add_call(&found.head, (struct system_call){ .name = "nanosleep", .calls = 20 });
	add_call(&found.head, (struct system_call){ .name = "close", .calls = 1 });
	found.head.system_calls.processes = 3;
	found.head.system_calls.threads = 4;
	found.changes.known = true;
	found.changes.items = arena_memdup(&found.changes.arena, changes, sizeof changes);
	found.changes.n = 2;
	arena_push(&found.changes.arena, &found.changes.others, "Makefile");
	find(&found);
	assert_lines(&found, want);
}

/* Half a percent of a function is noise: 2,004,000 after 2,000,000 is omitted, 2,020,000 is reported. */
TEST(what_differs_by_chance_is_left_out)
{
	static const char *const by_chance[] = {
		"instructions, counted once on each side: 2.00 M, then 2.00 M (+0.20 %)",
		"changed lines are not known: the sides are no trees of one git repository", NULL,
	};
	static const char *const told[] = {
		"instructions, counted once on each side: 2.00 M, then 2.02 M (+1.0 %)",
		"lookup (app.c:12): 2.00 M, then 2.02 M instructions, those of libraries that it calls included; called 1,000 times on both sides",
		"changed lines are not known: the sides are no trees of one git repository", NULL,
	};

	for (int is_told = 0; is_told < 2; is_told++) {
		CLEANUP(found_release) struct found found = { 0 };

		add_work(&found.base, "lookup", 2e6, 1000, 0);
		add_work(&found.head, "lookup", is_told ? 2.02e6 : 2.004e6, 1000, 0);
		find(&found);
		assert_lines(&found, is_told ? told : by_chance);
	}
}

TEST(python_takes_time)
{
	static const char *const want[] = {
		"time in Python functions, measured once on each side: 2.10 ms, then 5.10 ms (+143 %)",
		"lookup (app.c:12): 2.10 ms, then 5.10 ms, that of builtins included; called 1,000 times on both sides",
		"changed lines are not known: the sides are no trees of one git repository", NULL,
	};
	CLEANUP(found_release) struct found found = { 0 };

	add_work(&found.base, "lookup", 2e6, 1000, 1e5);
	add_work(&found.head, "lookup", 5e6, 1000, 1e5);
	found.base.work.timed = found.head.work.timed = true;
	find(&found);
	assert_lines(&found, want);
}

TEST(nothing_is_known_of_nothing)
{
	static const char *const want[] = {
		"changed lines are not known: the sides are no trees of one git repository", NULL,
	};
	CLEANUP(found_release) struct found found = { 0 };

	find(&found);
	assert_lines(&found, want);
}

/* For services, counts are per unit of work, or shares of the total if the work is unknown. A few percent are noise. */
TEST(services_are_counted_for_a_while)
{
	static const char *const per_request[] = {
		"system calls per request, counted for a while on each side: 4.01, then 21.1",
		"read: 1, then 18; 18 B each, then 1 B; mostly on socket; from read_request",
		"write: 1, then 1; 23 B each, then 46 B",
		"changed lines are not known: the sides are no trees of one git repository", NULL,
	};
	static const char *const parts[] = {
		"system calls, counted for a while on each side, as parts of all: how much was done meanwhile is not known (load.work), or the "
		"load did not end",
		"read: 24.9 %, then 85.5 %; 18 B each, then 1 B; mostly on socket; from read_request",
		"write: 24.9 %, then 4.75 %; 23 B each, then 46 B",
		"close: 50.2 %, then 9.74 %",
		"changed lines are not known: the sides are no trees of one git repository", NULL,
	};

	for (int known = 0; known < 2; known++) {
		CLEANUP(found_release) struct found found = { 0 };

		add_call(&found.base, (struct system_call){ .name = "read", .calls = 400, .bytes = 7200 });
		add_call(&found.base, (struct system_call){ .name = "write", .calls = 400, .bytes = 9200 });
		add_call(&found.base, (struct system_call){ .name = "close", .calls = 806 });
		add_call(&found.head, (struct system_call){ .name = "read", .calls = 7200, .bytes = 7200, .file = "socket", .caller = "read_request" });
		add_call(&found.head, (struct system_call){ .name = "write", .calls = 400, .bytes = 18400 });
		add_call(&found.head, (struct system_call){ .name = "close", .calls = 820 });
		found.base.system_calls.work = found.head.system_calls.work = known ? 400 : 0;
		if (known)
			found.scenario.head.work_unit = "request";
		system_calls_settle(&found.base.system_calls, &found.head.system_calls);
		find(&found);
		assert_lines(&found, known ? per_request : parts);
	}
}

/* A function that only one side has, and a very long name. */
TEST(names_are_cut)
{
	CLEANUP(found_release) struct found found = { 0 };
	char name[10001];

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	add_work(&found.base, "lookup", 1e6, 1, 0);
	add_work(&found.head, name, 2e6, 1, 0);
	find(&found);
	assert_int_equal(found.scenario.evidence.n, 4);
	assert_non_null(strstr(found.scenario.evidence.items[1], "... (app.c:12) is new: 2.00 M instructions"));
	assert_true(strlen(found.scenario.evidence.items[1]) < 200);
	assert_non_null(strstr(found.scenario.evidence.items[2], "lookup (app.c:12) is gone: 1.00 M instructions"));
}
