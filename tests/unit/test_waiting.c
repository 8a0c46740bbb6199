/* Wall time told apart: CPU time, waiting by its kind, and fewer CPUs at once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "judge/judge.h"
#include "pair_samples.h"
#include "profile/evidence.h"

struct side {
	double wall_ms, cpu_ms, switches;
	double waited_ms[WAIT_KINDS];
};

static void set_side(struct side_result *out, const struct side *side)
{
	for (size_t i = 0; i < 3; i++) {
		set_value(out, "wall-time", i, side->wall_ms);
		set_value(out, "cpu-time", i, side->cpu_ms);
		set_value(out, "voluntary-switches", i, side->switches);
	}
}

static struct system_calls traced(const struct side *side)
{
	struct system_calls calls = { .n = 1 };

	for (int i = 0; i < WAIT_KINDS; i++)
		calls.waited_ms[i] = side->waited_ms[i];
	return calls;
}

static void what_makes_it_longer(void **state)
{
	static const struct {
		struct side base, head;
		enum cause_kind kind;	/* CAUSE_KINDS: nothing is said */
		enum wait_kind wait;
		double by_cpu_ms, rest_ms;
		const char *words;
	} cases[] = {
		{ { 100, 98, 2, { 0 } }, { 150, 147, 2, { 0 } }, CAUSE_WORK, WAIT_NONE, 49, 1,
		  "wall-time 100 ms -> 150 ms: CPU time 98.0 ms -> 147 ms, voluntary switches 2 -> 2" },
		{ { 100, 98, 2, { 0 } }, { 300, 99, 202, { [WAIT_SLEEP] = 200 } }, CAUSE_WAITING, WAIT_SLEEP, 1, 199,
		  "wall-time 100 ms -> 300 ms: CPU time 98.0 ms -> 99.0 ms, voluntary switches 2 -> 202, waiting asleep 0 ms -> 200 ms" },
		/* The parent waits as long as its child */
		{ { 100, 98, 2, { 0 } }, { 150, 98, 9, { [WAIT_IO] = 48, [WAIT_CHILD] = 50 } }, CAUSE_WAITING, WAIT_IO, 0, 50, NULL },
		/* A process that sleeps lets its peer wait; a peer of whom nothing else is known */
		{ { 100, 98, 2, { 0 } }, { 150, 98, 9, { [WAIT_SLEEP] = 40, [WAIT_PIPE] = 90 } }, CAUSE_WAITING, WAIT_SLEEP, 0, 50, NULL },
		{ { 100, 98, 2, { 0 } }, { 150, 98, 9, { [WAIT_SLEEP] = 4, [WAIT_PIPE] = 90 } }, CAUSE_WAITING, WAIT_PIPE, 0, 50, NULL },
		/* Four threads that wait for a lock; for each other; with a lock that is not the reason */
		{ { 100, 400, 9, { 0 } }, { 210, 402, 900, { [WAIT_LOCK] = 420 } }, CAUSE_LOCK, WAIT_LOCK, 1.0448, 108.955, NULL },
		{ { 100, 398, 9, { 0 } }, { 200, 400, 9, { [WAIT_CHILD] = 400 } }, CAUSE_PARALLELISM, WAIT_NONE, 1, 99,
		  "wall-time 100 ms -> 200 ms: CPU time 398 ms -> 400 ms, CPUs at work on average 3.98 -> 2.00, voluntary switches 9 -> 9" },
		{ { 100, 398, 9, { [WAIT_LOCK] = 3 } }, { 200, 398, 9, { [WAIT_LOCK] = 9 } }, CAUSE_PARALLELISM, WAIT_LOCK, 0, 100, NULL },
		/* One thread: nobody knows for what */
		{ { 100, 98, 2, { 0 } }, { 150, 98, 2, { 0 } }, CAUSE_WAITING, WAIT_NONE, 0, 50, NULL },
		/* More work that four CPUs share is more work */
		{ { 100, 400, 9, { 0 } }, { 200, 800, 9, { 0 } }, CAUSE_WORK, WAIT_NONE, 100, 0, NULL },
		{ { 100, 98, 2, { 0 } }, { 90, 98, 2, { 0 } }, CAUSE_KINDS, WAIT_NONE, 0, 0, NULL },
		{ { 100, NAN, 2, { 0 } }, { 190, NAN, 2, { 0 } }, CAUSE_KINDS, WAIT_NONE, 0, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
		struct system_calls before = traced(&cases[i].base), now = traced(&cases[i].head);
		struct wall_change change;
		struct fixture f;

		fixture_open_pairs(&f);
		set_side(&f.s.base, &cases[i].base);
		set_side(scenario_result_measured(&f.s), &cases[i].head);
		if (wall_change_of(&f.s, &before, &now, &change) != (cases[i].kind != CAUSE_KINDS))
			fail_msg("case %zu: something is said, or nothing", i);
		if (cases[i].kind != CAUSE_KINDS) {
			if (change.kind != cases[i].kind || change.wait != (int)cases[i].wait)
				fail_msg("case %zu: %s, %s", i, cause_kind_names[change.kind], wait_kind_names[change.wait]);
			if (fabs(change.by_cpu_ms - cases[i].by_cpu_ms) > 0.01 || fabs(change.rest_ms - cases[i].rest_ms) > 0.01)
				fail_msg("case %zu: %g and %g ms", i, change.by_cpu_ms, change.rest_ms);
			wall_change_words(&change, &words);
			if (cases[i].words)
				assert_string_equal(words.buf, cases[i].words);
			/* Without a trace there is no kind of waiting; windows have a length of their own. */
			assert_true(wall_change_of(&f.s, NULL, NULL, &change) && change.wait == WAIT_NONE);
			f.s.settings.window_s = 1;
			assert_false(wall_change_of(&f.s, &before, &now, &change));
		}
		fixture_release(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_makes_it_longer),
	};

	return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
