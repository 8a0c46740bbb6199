/*
 * Waits of a real recording (tests/fixtures/offcpu/waits.c) by kind and function. Sums match the records, and missing
 * records are handled.
 */
#include "unit.h"

#include "cause/ledger/own_code.h"
#include "cause/ledger/system_calls.h"
#include "cause/readers/offcpu.h"
#include "profile/names.h"
#include "profile/stacks.h"
#include "read_file.h"

static const struct own_code own = { .root = "/srv/app" };

static int read_text(const char *text, size_t len, size_t piece, struct stacks *out, struct offcpu_times *times, struct error *err)
{
	struct offcpu *offcpu = offcpu_new(out, &own, "pawl-keeper");
	int ret = 0;

	for (size_t at = 0; ret == 0 && at < len; at += piece)
		ret = offcpu_feed(offcpu, text + at, len - at < piece ? len - at : piece, err);
	if (ret == 0)
		ret = offcpu_end(offcpu, times, err);
	offcpu_free(offcpu);
	names_resolve(out);
	return ret;
}

/* Returns the weight of EVENT in ms over stacks that contain FUNCTION and end with LEAF; NULL matches any. */
static double weight_ms(const struct stacks *stacks, const char *event, const char *function, const char *leaf)
{
	double sum = 0;

	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *s = &stacks->items[i];
		const uint32_t *frames = stacks->pool + s->first;
		bool has = !function;

		for (size_t k = 0; k < s->n; k++)
			has |= function && !strcmp(stacks_text(stacks, stacks->frames[frames[k]].name), function);
		if (has && !strcmp(stacks_text(stacks, stacks->events[s->event].name), event) &&
		    (!leaf || !strcmp(stacks_text(stacks, stacks->frames[frames[s->n - 1]].name), leaf)))
			sum += s->weight / 1e6;
	}
	return sum;
}

static void assert_near(double found, double expected, const char *what)
{
	if (!(fabs(found - expected) <= 0.002))
		fail_msg("%s: %.3f, not %.3f", what, found, expected);
}

TEST(what_a_program_waits_for)
{
	static const struct { const char *event, *function, *leaf; double ms; } cases[] = {
		/* Times in the records between OUT and IN, except "preempt" */
		{ OFFCPU_WAITING, NULL, NULL, 221.081 }, { OFFCPU_WAITING, "hold", "[sleep]", 52.020 }, { OFFCPU_WAITING, "hold", "[lock]", 27.719 },
		{ OFFCPU_WAITING, "doze", "[sleep]", 23.315 }, { OFFCPU_WAITING, "ask", "[sleep]", 30.095 }, { OFFCPU_WAITING, "ask", "[pipe]", 30.297 },
		{ OFFCPU_WAITING, "ask", "[child]", 0.143 }, { OFFCPU_WAITING, "keep", "[I/O]", 5.276 }, { OFFCPU_WAITING, "spin", NULL, 0 },
		{ OFFCPU_WAITING, "__pthread_clockjoin_ex", "[thread]", 52.216 },
		/* main() waits for sleeping threads and a sleeping process: these hold it up, not the waiter */
		{ OFFCPU_HELD, "hold", "[sleep]", 51.657 }, { OFFCPU_HELD, "doze", "[sleep]", 23.315 }, { OFFCPU_HELD, "ask", "[sleep]", 30.095 },
		{ OFFCPU_HELD, "ask", "[pipe]", 0.028 }, { OFFCPU_HELD, "__pthread_clockjoin_ex", NULL, 0.125 }, { OFFCPU_HELD, "keep", "[I/O]", 5.276 },
		{ OFFCPU_HELD, NULL, "[lock]", 0 },
		{ OFFCPU_OTHERS, "__pthread_clockjoin_ex", NULL, 0.434 }, { OFFCPU_OTHERS, "ask", NULL, 0.174 },
		{ OFFCPU_LOCKED, NULL, NULL, 27.719 }, { OFFCPU_LOCKED, "hold", "[lock]", 27.719 },
	};
	CLEANUP(strbuf_release) struct strbuf text = read_file("tests/fixtures/offcpu/waits.txt.xz");

	/* In one piece, then in pieces that end anywhere. */
	for (size_t piece = text.len; piece; piece = piece > 7 ? 7 : 0) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		struct offcpu_times times;
		struct error err = ERROR_INIT;
		double held = 0;

		MUST(read_text(text.buf, text.len, piece, &stacks, &times, &err));
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
			assert_near(weight_ms(&stacks, cases[i].event, cases[i].function, cases[i].leaf), cases[i].ms,
				    cases[i].function ?: cases[i].event);
		for (int kind = 0; kind < WAIT_KINDS; kind++)
			held += times.held_ns[kind] / 1e6;
		assert_int_equal(times.executions, 1);
		assert_int_equal(times.waits, 23);
		assert_near(times.preempted_ns / 1e6, 53.314, "preempted");
		assert_near(times.first_ns / 1e6, 181.524, "from exec to exit");
		assert_near(times.first_cpu_ns / 1e6 + held + times.others_ns / 1e6, times.first_ns / 1e6, "told apart");
	}
}

/* -------- records that are missing or strange */

#define SLEEP "\tffffffff8220043e do_nanosleep ([kernel.kallsyms])\n\t 127d f (/srv/app/a)\n\n"
#define SAMPLE(comm, tid, time) comm " 7/" tid " " time ":          1 context-switches: \n" SLEEP
#define OUT(comm, tid, time) comm " 7/" tid " " time ": PERF_RECORD_SWITCH OUT        \n"
#define PUSHED(comm, tid, time) comm " 7/" tid " " time ": PERF_RECORD_SWITCH OUT preempt\n"
#define IN(comm, tid, time) comm " 7/" tid " " time ": PERF_RECORD_SWITCH IN         \n"

TEST(what_is_missing)
{
	static const struct {
		const char *what, *text; double waiting_ms, preempted_ms, unknown_ms; unsigned executions;
	} cases[] = {
		{ "a wait", SAMPLE("a", "7", "1.000000") OUT("a", "7", "1.000000") IN("a", "7", "1.002000"), 2, 0, 0, 0 },
		{ "ns", SAMPLE("a", "7", "1.000000000") OUT("a", "7", "1.000000000") IN("a", "7", "1.002000500"), 2.0005, 0, 0, 0 },
		{ "pushed off", SAMPLE("a", "7", "1.0") PUSHED("a", "7", "1.0") IN("a", "7", "1.002"), 0, 2, 0, 0 },
		{ "no stack", OUT("a", "7", "1.0") IN("a", "7", "1.002"), 2, 0, 2, 0 },
		{ "no return: until the end", SAMPLE("a", "7", "1.0") OUT("a", "7", "1.0") IN("a", "8", "1.003"), 3, 0, 0, 0 },
		{ "no leave", IN("a", "7", "1.0") IN("a", "7", "1.002"), 0, 0, 0, 0 },
		{ "records were lost meanwhile", SAMPLE("a", "7", "1.0") OUT("a", "7", "1.0") "a 7/7 1.1: PERF_RECORD_LOST lost 3\n"
		  IN("a", "7", "5.0") SAMPLE("a", "7", "5.0") OUT("a", "7", "5.0") IN("a", "7", "5.001"), 1, 0, 0, 0 },
		{ "a return is missing", SAMPLE("a", "7", "1.0") OUT("a", "7", "1.0") SAMPLE("a", "7", "4.0") OUT("a", "7", "4.0")
		  IN("a", "7", "4.001"), 1, 0, 0, 0 },
		{ "time that goes back", SAMPLE("a", "7", "9.0") OUT("a", "7", "9.0") IN("a", "7", "1.0"), 0, 0, 0, 0 },
		{ "after its end", "a 7/7 1.0: PERF_RECORD_EXIT(7:7):(1:1)\n" OUT("a", "7", "1.1") IN("a", "7", "1.2"), 0, 0, 0, 0 },
		{ "pawl's own", SAMPLE("pawl-keeper", "7", "1.0") OUT("pawl-keeper", "7", "1.0") IN("pawl-keeper", "7", "1.5"), 0, 0, 0, 0 },
		{ "a program", "a 7/7 1.0: PERF_RECORD_COMM exec: a:7/7\n" SAMPLE("a", "7", "1.0") OUT("a", "7", "1.0") IN("a", "7", "1.5"),
		  500, 0, 0, 1 },
		{ "a name with a line feed", SAMPLE("x\ny", "7", "1.0") OUT("x\ny", "7", "1.0") IN("x\ny", "7", "1.002"), 2, 0, 0, 0 },
		{ "a name that looks like a sample", "a 7/7 1.0: PERF_RECORD_COMM exec: 1.2: e: x:7/7\n" IN("a", "7", "1.1"), 0, 0, 0, 1 },
		{ "numbers that are too large", "a 7/7 1.0: PERF_RECORD_FORK(99999999999999999999:7):(:)\n"
		  "a 99999999999/99999999999 99999999999999999999999.5: PERF_RECORD_SWITCH IN\n", 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		struct offcpu_times times;
		struct error err = ERROR_INIT;

		if (read_text(cases[i].text, strlen(cases[i].text), 1000, &stacks, &times, &err) < 0)
			fail_msg("%s: %s", cases[i].what, err.msg);
		assert_near(weight_ms(&stacks, OFFCPU_WAITING, NULL, NULL), cases[i].waiting_ms, cases[i].what);
		assert_near(times.preempted_ns / 1e6, cases[i].preempted_ms, cases[i].what);
		assert_near(times.waited_ns[WAIT_NONE] / 1e6, cases[i].unknown_ms, cases[i].what);
		if (times.executions != cases[i].executions)
			fail_msg("%s: %u executions", cases[i].what, times.executions);
	}
}

TEST(what_is_none)
{
	static const char *const texts[] = { "main;f 12\n", "a 7/7 1.0:          1 context-switches: \n\tffff f\n", "a 7/7 1.0: PERF_RECORD_SW" };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		struct offcpu_times times;
		struct error err = ERROR_INIT;

		assert_int_equal(read_text(texts[i], strlen(texts[i]), 1000, &stacks, &times, &err), -1);
		assert_int_equal(err.kind, ERR_INPUT);
	}
}

/* -------- what is waited for, with and without kernel symbols */

TEST(what_for)
{
	static const struct {
		const char *frames;	/* the leaf first */
		enum wait_kind kind;
	} cases[] = {
		{ "schedule [k] io_schedule [k] folio_wait_bit [k] fsync f", WAIT_IO },
		{ "schedule [k] anon_pipe_read [k] read f", WAIT_PIPE }, { "schedule [k] unix_stream_read_generic [k] recv f", WAIT_PIPE },
		{ "schedule [k] ep_poll [k] epoll_wait f", WAIT_PIPE }, { "schedule [k] do_wait [k] wait4 f", WAIT_CHILD },
		{ "schedule [k] flock_lock_inode_wait [k] flock f", WAIT_LOCK }, { "schedule [k] some_driver [k] read f", WAIT_IO },
		{ "schedule [k] futex_wait [k] __lll_lock_wait pthread_mutex_lock f", WAIT_LOCK },
		{ "schedule [k] futex_wait [k] pthread_cond_wait send_all f", WAIT_THREAD },
		/* A project function of that name is no evidence of a futex */
		{ "schedule [k] futex_wait [k] sleep f", WAIT_THREAD },
		{ "schedule [k] futex_wait [k] _ZN3std3sys4sync5mutex5futex5Mutex14lock_contended17hE f", WAIT_LOCK },
		{ "schedule [k] futex_wait [k] runtime.futex runtime.lock2 f", WAIT_LOCK },
		{ "[unknown] [k] clock_nanosleep f", WAIT_SLEEP }, { "[unknown] [k] __poll f", WAIT_PIPE },
		{ "[unknown] [k] pthread_mutex_lock f", WAIT_LOCK }, { "f main", WAIT_NONE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(free_ptr) char *frames = xstrdup(cases[i].frames);
		struct offcpu_times times;
		struct error err = ERROR_INIT;
		char *save = NULL;

		strbuf_adds(&text, "a 7/7 1.0:          1 context-switches: \n");
		for (char *word = strtok_r(frames, " ", &save), *next; word; word = next) {
			bool kernel;

			next = strtok_r(NULL, " ", &save);
			kernel = next && !strcmp(next, "[k]");
			strbuf_addf(&text, "\t%s %s (%s)\n", kernel ? "ffffffff8220043e" : "            127d", word,
				    kernel ? "[kernel.kallsyms]" : "/usr/lib/libc.so.6");
			if (kernel)
				next = strtok_r(NULL, " ", &save);
		}
		strbuf_adds(&text, "\n" OUT("a", "7", "1.0") IN("a", "7", "1.5"));
		if (read_text(text.buf, text.len, text.len, &stacks, &times, &err) < 0)
			fail_msg("%s: %s", cases[i].frames, err.msg);
		for (int kind = 0; kind < WAIT_KINDS; kind++)
			if ((times.waited_ns[kind] > 0) != (kind == (int)cases[i].kind))
				fail_msg("%s: %d", cases[i].frames, (int)kind);
	}
}
