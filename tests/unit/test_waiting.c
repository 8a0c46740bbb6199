/* Parts of a rise in wall time: CPU time, waiting by kind, and less parallelism. */
#include "unit.h"

#include "cause/evidence.h"
#include "cause/ledger/system_calls.h"
#include "cause/readers/offcpu.h"
#include "cause/waiting.h"
#include "pair_samples.h"

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

/* Returns the times of one execution. waited_ms is the time it is held up; for locks, the wait of all threads. */
static struct offcpu_times switched(const struct side *side)
{
	struct offcpu_times times = { .executions = 1 };

	for (int i = 0; i < WAIT_KINDS; i++)
		*(i == WAIT_LOCK ? &times.waited_ns[i] : &times.held_ns[i]) = side->waited_ms[i] * 1e6;
	return times;
}

TEST(what_makes_it_longer)
{
	static const struct {
		struct side base, head;
		enum cause_kind kind;	/* CAUSE_KINDS: no cause */
		enum wait_kind wait;
		double by_cpu_ms, rest_ms;
		const char *words;
	} cases[] = {
		{ { 100, 98, 2, { 0 } }, { 150, 147, 2, { 0 } }, CAUSE_WORK, WAIT_NONE, 49, 1,
		  "wall-time 100 ms -> 150 ms: CPU time 98.0 ms -> 147 ms, voluntary switches 2 -> 2" },
		{ { 100, 98, 2, { 0 } }, { 300, 99, 202, { [WAIT_SLEEP] = 200 } }, CAUSE_WAITING, WAIT_SLEEP, 1, 199,
		  "wall-time 100 ms -> 300 ms: CPU time 98.0 ms -> 99.0 ms, voluntary switches 2 -> 202, waiting asleep 0 ms -> 200 ms" },
		/* The parent waits as long as its child does */
		{ { 100, 98, 2, { 0 } }, { 150, 98, 9, { [WAIT_IO] = 48, [WAIT_CHILD] = 50 } }, CAUSE_WAITING, WAIT_IO, 0, 50, NULL },
		/* Four threads wait for a lock; for each other; and a lock is not the cause */
		{ { 100, 400, 9, { 0 } }, { 210, 402, 900, { [WAIT_LOCK] = 420 } }, CAUSE_LOCK, WAIT_LOCK, 1.0448, 108.955, NULL },
		{ { 100, 398, 9, { 0 } }, { 200, 400, 9, { 0 } }, CAUSE_PARALLELISM, WAIT_NONE, 1, 99,
		  "wall-time 100 ms -> 200 ms: CPU time 398 ms -> 400 ms, CPUs at work on average 3.98 -> 2.00, voluntary switches 9 -> 9" },
		{ { 100, 398, 9, { [WAIT_LOCK] = 3 } }, { 200, 398, 9, { [WAIT_LOCK] = 9 } }, CAUSE_PARALLELISM, WAIT_LOCK, 0, 100, NULL },
		/* One thread waits for an unknown reason */
		{ { 100, 98, 2, { 0 } }, { 150, 98, 2, { 0 } }, CAUSE_WAITING, WAIT_NONE, 0, 50, NULL },
		/* More work shared by four CPUs is more work */
		{ { 100, 400, 9, { 0 } }, { 200, 800, 9, { 0 } }, CAUSE_WORK, WAIT_NONE, 100, 0, NULL },
		{ { 100, 98, 2, { 0 } }, { 90, 98, 2, { 0 } }, CAUSE_KINDS, WAIT_NONE, 0, 0, NULL },
		{ { 100, NAN, 2, { 0 } }, { 190, NAN, 2, { 0 } }, CAUSE_KINDS, WAIT_NONE, 0, 0, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
		struct evidence before = { .offcpu = switched(&cases[i].base) }, now = { .offcpu = switched(&cases[i].head) };
		struct wall_change change;
		CLEANUP(fixture_release) struct fixture f;

		fixture_open_pairs(&f);
		set_side(&f.s.base, &cases[i].base);
		set_side(scenario_result_measured(&f.s), &cases[i].head);
		if (wall_change_of(&f.s, &before, &now, &change) != (cases[i].kind != CAUSE_KINDS))
			fail_msg("case %zu: something is said, or nothing", i);
		if (cases[i].kind != CAUSE_KINDS) {
			if (change.kind != cases[i].kind || change.wait != cases[i].wait)
				fail_msg("case %zu: %s, wait %d", i, cause_kind_names[change.kind], change.wait);
			if (fabs(change.by_cpu_ms - cases[i].by_cpu_ms) > 0.01 || fabs(change.rest_ms - cases[i].rest_ms) > 0.01)
				fail_msg("case %zu: %g and %g ms", i, change.by_cpu_ms, change.rest_ms);
			wall_change_words(&change, &words);
			if (cases[i].words)
				assert_string_equal(words.buf, cases[i].words);
			/* Without switches the kind of waiting is unknown. Windows have a fixed length. */
			assert_true(wall_change_of(&f.s, &(struct evidence){ 0 }, &(struct evidence){ 0 }, &change) && change.wait == WAIT_NONE);
			f.s.settings.window_s = 1;
			assert_false(wall_change_of(&f.s, &before, &now, &change));
		}
	}
}

/* From context switches: the waits that hold up the command, and the first thread's waits for work of others. */
TEST(what_switches_tell)
{
	static const struct {
		struct side base, head;		/* waited_ms is the time it is held up; for locks, the wait of all */
		double others_ms[2];
		enum cause_kind kind;
		enum wait_kind wait;
		unsigned threads[2];		/* 0: not counted */
	} cases[] = {
		{ { 100, 98, 2, { 0 } }, { 150, 98, 9, { [WAIT_CHILD] = 49 } }, { 0, 0 }, CAUSE_WAITING, WAIT_CHILD, { 0 } },
		{ { 100, 98, 2, { 0 } }, { 150, 98, 9, { [WAIT_THREAD] = 49 } }, { 0, 0 }, CAUSE_WAITING, WAIT_THREAD, { 0 } },
		{ { 100, 98, 2, { 0 } }, { 150, 98, 9, { [WAIT_PIPE] = 45, [WAIT_SLEEP] = 4 } }, { 0, 0 }, CAUSE_WAITING, WAIT_PIPE, { 0 } },
		/* It waits for threads: one at a time gets the lock; they are started one after the other */
		{ { 100, 190, 9, { 0 } }, { 190, 190, 900, { [WAIT_LOCK] = 92 } }, { 90, 180 }, CAUSE_LOCK, WAIT_LOCK, { 0 } },
		{ { 100, 190, 9, { [WAIT_LOCK] = 1 } }, { 190, 190, 9, { [WAIT_LOCK] = 2 } }, { 90, 180 }, CAUSE_PARALLELISM, WAIT_LOCK, { 0 } },
		/* Threads wait for a lock, but a sleeping thread holds all of them up */
		{ { 100, 190, 9, { 0 } }, { 190, 190, 900, { [WAIT_LOCK] = 92, [WAIT_SLEEP] = 88 } }, { 90, 90 }, CAUSE_WAITING, WAIT_SLEEP, { 0 } },
		{ { 100, 98, 2, { 0 } }, { 150, 147, 2, { [WAIT_IO] = 40 } }, { 0, 0 }, CAUSE_WORK, WAIT_IO, { 0 } },
		/* More work, delayed by others on the CPU; no more work */
		{ { 100, 98, 2, { 0 } }, { 150, 118, 2, { [WAIT_IO] = 3 } }, { 0, 0 }, CAUSE_WORK, WAIT_IO, { 0 } },
		{ { 100, 98, 2, { 0 } }, { 150, 99, 2, { [WAIT_IO] = 3 } }, { 0, 0 }, CAUSE_WAITING, WAIT_IO, { 0 } },
		/* Its first thread waits for a queue as other threads have more work, on a busy machine; they also sleep */
		{ { 250, 101, 89, { [WAIT_LOCK] = 117 } }, { 547, 224, 117, { [WAIT_LOCK] = 291 } }, { 235, 546 }, CAUSE_WORK, WAIT_LOCK, { 0 } },
		{ { 250, 101, 89, { 0 } }, { 547, 224, 117, { [WAIT_SLEEP] = 174 } }, { 0, 0 }, CAUSE_WAITING, WAIT_SLEEP, { 0 } },
		{ { 130, 97, 126, { [WAIT_LOCK] = 39 } }, { 200, 130, 1735, { [WAIT_LOCK] = 173 } }, { 106, 153 }, CAUSE_LOCK, WAIT_LOCK, { 0 } },
		{ { 224, 103, 94, { [WAIT_LOCK] = 120 } }, { 308, 115, 540, { [WAIT_LOCK] = 270 } }, { 186, 198 }, CAUSE_LOCK, WAIT_LOCK, { 0 } },
		/* Threads one after the other, while other programs take most of the CPUs */
		{ { 107, 76, 24, { [WAIT_THREAD] = 2 } }, { 172, 76, 40, { [WAIT_THREAD] = 7 } }, { 95, 156 }, CAUSE_PARALLELISM, WAIT_THREAD, { 0 } },
		/* Children one after the other: without a CPU for a while; asleep for most of the time */
		{ { 197, 203, 2131, { [WAIT_CHILD] = 3 } }, { 250, 197, 2492, { [WAIT_CHILD] = 34 } }, { 169, 219 }, CAUSE_PARALLELISM, WAIT_CHILD, { 0 } },
		{ { 197, 203, 2131, { [WAIT_CHILD] = 3 } }, { 250, 197, 2492, { [WAIT_CHILD] = 50 } }, { 169, 199 }, CAUSE_WAITING, WAIT_CHILD, { 0 } },
		/* A process asks another over and over; at times both were at work */
		{ { 69.6, 76.6, 329, { 0 } }, { 775, 159, 22049, { [WAIT_PIPE] = 228 } }, { 0.2, 137 }, CAUSE_WAITING, WAIT_PIPE, { 0 } },
		/* One thread fewer; the same threads, delayed by other programs */
		{ { 95, 103, 154, { [WAIT_LOCK] = 21 } }, { 104, 103, 179, { [WAIT_LOCK] = 1 } }, { 100, 102 }, CAUSE_PARALLELISM, WAIT_NONE, { 4, 3 } },
		{ { 95, 103, 154, { [WAIT_LOCK] = 21 } }, { 104, 103, 179, { [WAIT_LOCK] = 1 } }, { 100, 102 }, CAUSE_WAITING, WAIT_NONE, { 4, 4 } },
		/* The same with a slow disk; with a sleep */
		{ { 89, 104, 149, { 0 } }, { 107, 105, 132, { [WAIT_IO] = 53 } }, { 100, 100 }, CAUSE_PARALLELISM, WAIT_IO, { 4, 3 } },
		{ { 89, 104, 149, { 0 } }, { 107, 105, 132, { [WAIT_IO] = 53 } }, { 100, 100 }, CAUSE_WAITING, WAIT_IO, { 4, 4 } },
		{ { 89, 104, 149, { 0 } }, { 107, 105, 132, { [WAIT_SLEEP] = 17 } }, { 100, 100 }, CAUSE_WAITING, WAIT_SLEEP, { 4, 3 } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
		const struct side *sides[2] = { &cases[i].base, &cases[i].head };
		struct evidence found[2] = { 0 };
		struct wall_change change;
		CLEANUP(fixture_release) struct fixture f;

		fixture_open_pairs(&f);
		set_side(&f.s.base, sides[0]);
		set_side(scenario_result_measured(&f.s), sides[1]);
		for (int k = 0; k < 2; k++) {
			struct offcpu_times *t = &found[k].offcpu;

			/* Two executions; or one and a half, with the rest lost */
			found[k].system_calls.threads = cases[i].threads[k];
			t->executions = 2;
			t->lost = k ? 7 : 0;
			t->first_ns = (k ? 1.5 : 2) * sides[k]->wall_ms * 1e6;
			t->others_ns = t->first_ns / sides[k]->wall_ms * cases[i].others_ms[k];
			for (int kind = 0; kind < WAIT_KINDS; kind++)
				*(kind == WAIT_LOCK ? &t->waited_ns[kind] : &t->held_ns[kind]) =
					t->first_ns / sides[k]->wall_ms * sides[k]->waited_ms[kind];
		}
		assert_true(wall_change_of(&f.s, &found[0], &found[1], &change));
		if (change.kind != cases[i].kind || change.wait != cases[i].wait)
			fail_msg("case %zu: %s, wait %d", i, cause_kind_names[change.kind], change.wait);
		wall_change_words(&change, &words);
		if (i == 3)
			assert_string_equal(words.buf, "wall-time 100 ms -> 190 ms: CPU time 190 ms -> 190 ms, CPUs at work on average 1.90 -> 1.00, "
					    "voluntary switches 9 -> 900, waiting for locks 0 ms -> 92.0 ms, "
					    "its first thread waits for others' work 90.0 ms -> 180 ms");
	}
}

/* Calls that hardly wait are system calls, and a thread that is ready to run does not wait. */
TEST(work_is_no_waiting)
{
	static const struct {
		const char *name;
		double writes[2], switches[2], io_ms, delay_ms, cpu_ms;		/* the base takes 100 ms, 98 of CPU time; the head 200 */
		enum cause_kind kind;
	} rows[] = {
		{ "each write waits", { 100, 5000 }, { 9, 5000 }, 60, 0, 135, CAUSE_WAITING },
		{ "hardly any write waits", { 100, 5000 }, { 9, 40 }, 60, 0, 135, CAUSE_WORK },
		{ "as many writes, which wait longer", { 5000, 5000 }, { 9, 9 }, 60, 0, 135, CAUSE_WAITING },
		{ "more writes, and hardly more CPU time", { 100, 5000 }, { 9, 40 }, 90, 0, 105, CAUSE_WAITING },
		{ "other programs have the CPU", { 100, 100 }, { 9, 9 }, 0, 80, 110, CAUSE_WORK },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct system_call writes[2] = { { .name = "write", .calls = rows[i].writes[0] }, { .name = "write", .calls = rows[i].writes[1] } };
		struct evidence found[2] = { { .offcpu.executions = 1 }, { .offcpu.executions = 1 } };
		const struct side base = { 100, 98, rows[i].switches[0], { 0 } }, head = { 200, rows[i].cpu_ms, rows[i].switches[1], { 0 } };
		struct wall_change change;
		CLEANUP(fixture_release) struct fixture f;

		fixture_open_pairs(&f);
		set_side(&f.s.base, &base);
		set_side(scenario_result_measured(&f.s), &head);
		found[1].offcpu.held_ns[WAIT_IO] = rows[i].io_ms * 1e6;
		found[1].offcpu.preempted_ns = rows[i].delay_ms * 1e6;
		for (int k = 0; k < 2; k++) {
			found[k].system_calls.items = &writes[k];
			found[k].system_calls.n = 1;
		}
		assert_true(wall_change_of(&f.s, &found[0], &found[1], &change));
		if (change.kind != rows[i].kind)
			fail_msg("%s: %s", rows[i].name, cause_kind_names[change.kind]);
	}
}

/* If no waits were recorded, calls that always wait show the kind. Each is a voluntary switch. */
TEST(calls_show_what_it_waits_for)
{
	static const struct { const char *call; double calls[2], switches[2]; enum wait_kind wait; } rows[] = {
		{ "clock_nanosleep", { 0, 106 }, { 326, 420 }, WAIT_SLEEP }, { "fsync", { 3, 106 }, { 326, 420 }, WAIT_IO },
		{ "clock_nanosleep", { 100, 106 }, { 326, 420 }, WAIT_NONE }, { "clock_nanosleep", { 0, 106 }, { 326, 330 }, WAIT_NONE },
		{ "write", { 0, 106 }, { 326, 420 }, WAIT_NONE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct system_call calls[2] = { { .name = rows[i].call, .calls = rows[i].calls[0] }, { .name = rows[i].call, .calls = rows[i].calls[1] } };
		const struct side base = { 326, 96, rows[i].switches[0], { 0 } }, head = { 666, 109, rows[i].switches[1], { 0 } };
		struct evidence found[2] = { 0 };
		struct wall_change change;
		CLEANUP(fixture_release) struct fixture f;

		fixture_open_pairs(&f);
		set_side(&f.s.base, &base);
		set_side(scenario_result_measured(&f.s), &head);
		for (int k = 0; k < 2; k++) {
			found[k].system_calls.items = &calls[k];
			found[k].system_calls.n = 1;
		}
		assert_true(wall_change_of(&f.s, &found[0], &found[1], &change));
		if (change.kind != CAUSE_WAITING || change.wait != rows[i].wait || change.unseen != (rows[i].wait == WAIT_NONE))
			fail_msg("row %zu: %s, wait %d", i, cause_kind_names[change.kind], change.wait);
	}
}

/*
 * A service's own waits are known per ms of CPU time in a window, independently of the time of a request. Its waits for
 * others are mostly waits for the next request.
 */
TEST(what_a_service_waits_for)
{
	static const struct {
		const char *name;
		struct side base, head;		/* per request; waited_ms is per window */
		double window_ms[2];		/* of CPU time */
		enum cause_kind kind;
		enum wait_kind wait;
		double waited_ms[2];		/* for that kind, per request */
	} rows[] = {
		{ "a request sleeps", { 10, 2, NAN, { 0 } }, { 30, 2, NAN, { [WAIT_SLEEP] = 2000 } }, { 200, 200 }, CAUSE_WAITING, WAIT_SLEEP, { 0, 20 } },
		{ "in a window half as long", { 10, 2, NAN, { 0 } }, { 30, 2, NAN, { [WAIT_SLEEP] = 1000 } }, { 200, 100 }, CAUSE_WAITING, WAIT_SLEEP, { 0, 20 } },
		{ "files", { 10, 2, NAN, { [WAIT_IO] = 100 } }, { 30, 2, NAN, { [WAIT_IO] = 2000 } }, { 200, 200 }, CAUSE_WAITING, WAIT_IO, { 1, 20 } },
		{ "locks", { 10, 2, NAN, { 0 } }, { 30, 2, NAN, { [WAIT_LOCK] = 1500 } }, { 200, 200 }, CAUSE_LOCK, WAIT_LOCK, { 0, 15 } },
		/* Waits for input from others are not the service's */
		{ "the next request", { 10, 2, NAN, { 0 } }, { 30, 2, NAN, { [WAIT_PIPE] = 2000 } }, { 200, 200 }, CAUSE_WAITING, WAIT_NONE, { NAN, NAN } },
		/* A thread that always sleeps has longer sleeps during a longer request */
		{ "a timer", { 10, 2, NAN, { [WAIT_SLEEP] = 1000 } }, { 30, 2, NAN, { [WAIT_SLEEP] = 3000 } }, { 200, 200 }, CAUSE_WAITING, WAIT_NONE, { NAN, NAN } },
		{ "a timer, and files", { 10, 2, NAN, { [WAIT_SLEEP] = 1000 } }, { 30, 2, NAN, { [WAIT_SLEEP] = 3000, [WAIT_IO] = 1200 } }, { 200, 200 },
		  CAUSE_WAITING, WAIT_IO, { 0, 12 } },
		{ "more than a timer", { 10, 2, NAN, { [WAIT_SLEEP] = 1000 } }, { 30, 2, NAN, { [WAIT_SLEEP] = 3500 } }, { 200, 200 },
		  CAUSE_WAITING, WAIT_SLEEP, { 10, 35 } },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct side *sides[2] = { &rows[i].base, &rows[i].head };
		struct evidence found[2] = { 0 };
		struct wall_change change;
		CLEANUP(fixture_release) struct fixture f;

		fixture_open_pairs(&f);
		for (int k = 0; k < 2; k++) {
			struct side_result *side = k ? scenario_result_measured(&f.s) : &f.s.base;

			set_side(side, sides[k]);
			side->attached = "service shop (pid 12)";
			found[k].offcpu.cpu_ns = rows[i].window_ms[k] * 1e6;
			for (int kind = 0; kind < WAIT_KINDS; kind++)
				found[k].offcpu.waited_ns[kind] = sides[k]->waited_ms[kind] * 1e6;
		}
		assert_true(wall_change_of(&f.s, &found[0], &found[1], &change));
		if (change.kind != rows[i].kind || change.wait != rows[i].wait)
			fail_msg("%s: %s, wait %d", rows[i].name, cause_kind_names[change.kind], change.wait);
		if (change.wait != WAIT_NONE && (fabs(change.base.waited_ms[change.wait] - rows[i].waited_ms[0]) > 1e-6 ||
						 fabs(change.head.waited_ms[change.wait] - rows[i].waited_ms[1]) > 1e-6))
			fail_msg("%s: %g -> %g ms", rows[i].name, change.base.waited_ms[change.wait], change.head.waited_ms[change.wait]);
	}
}
