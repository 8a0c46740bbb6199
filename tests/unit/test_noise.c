/* The arithmetic of noise, and the notes it produces. */
#include "unit.h"

#include <poll.h>
#include <unistd.h>

#include "measure/machine/machine.h"
#include "measure/process/interrupt.h"

/* Returns the ticks of one CPU in SECONDS. */
static uint64_t ticks(double seconds)
{
	return (uint64_t)(seconds * (double)sysconf(_SC_CLK_TCK) + 0.5);
}

TEST(stat_is_parsed_or_refused)
{
	static const char good[] = "cpu  100 20 30 4000 50 6 7 89 11 12\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
	static const char *const bad[] = { "", "cpu", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3 4", "intr 1 2 3 4 5 6 7 8" };
	struct noise noise = { .busy_ticks = 7, .steal_ticks = 8 };

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_false(noise_parse_stat(bad[i], &noise));
		assert_int_equal(noise.busy_ticks, 7);
		assert_int_equal(noise.steal_ticks, 8);
	}
	assert_true(noise_parse_stat(good, &noise));
	assert_int_equal(noise.busy_ticks, 163);
	assert_int_equal(noise.steal_ticks, 89);
}

/* Ten seconds of a machine: CPU seconds used by all, pawl, its children and the hypervisor. */
struct situation {
	double busy, own, children, steal;
	unsigned cpus;
	double load1;
	uint64_t throttled;
	const char *governor;
	bool turbo;
};

static void make(const struct situation *s, struct noise *before, struct noise *after)
{
	*before = (struct noise){
		.at_ns = 5 * NS_PER_S,
		.busy_ticks = 1000,
		.steal_ticks = 500,
		.own_ticks = 20,
		.load1 = s->load1,
		.throttled = 3,
	};
	*after = *before;
	after->at_ns += 10 * NS_PER_S;
	after->busy_ticks += ticks(s->busy);
	after->own_ticks += ticks(s->own);
	after->steal_ticks += ticks(s->steal);
	after->throttled += s->throttled;
	after->turbo = s->turbo;
	snprintf(after->governor, sizeof after->governor, "%s", s->governor ?: "");
}

static char *joined(const struct strv *list)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < list->n; i++)
		strbuf_addf(&text, "%s%s", i ? "; " : "", list->items[i]);
	return strbuf_take(&text);
}

TEST(situations_are_described)
{
	static const struct { struct situation is; const char *why, *notes; } cases[] = {
		{ { .busy = 10, .own = 1, .children = 9, .cpus = 2 }, "", "" },
		/* The kernel's account and pawl's differ. The result is never negative. */
		{ { .busy = 9, .children = 10, .cpus = 2 }, "", "" },
		{ { .busy = 23, .own = 1, .children = 9, .cpus = 2 },
		  "other processes used 1.3 of 2 CPUs while measuring",
		  "other processes used 1.3 of 2 CPUs while measuring" },
		{ { .busy = 20, .children = 10, .cpus = 2 }, "", "other processes used 1.0 of 2 CPUs while measuring" },
		{ { .busy = 16, .children = 10, .cpus = 1 }, "other processes used 0.6 of 1 CPU while measuring",
		  "other processes used 0.6 of 1 CPU while measuring" },
		{ { .busy = 11, .children = 10, .cpus = 64 }, "", "" },
		{ { .busy = 10, .children = 10, .steal = 0.78, .cpus = 2 },
		  "the hypervisor took 7.2 % of the CPU time (steal)",
		  "the hypervisor took 7.2 % of the CPU time (steal)" },
		{ { .busy = 9.6, .children = 9.6, .steal = 0.4, .cpus = 2 }, "",
		  "the hypervisor took 4.0 % of the CPU time (steal)" },
		/* One tick is rounding, even on an otherwise idle machine. */
		{ { .busy = 0.05, .children = 0.05, .steal = 0.01, .cpus = 2 }, "", "" },
		{ { .busy = 10, .children = 10, .cpus = 2, .throttled = 12 }, "", "the CPU was throttled 12 times" },
		{ { .busy = 10, .children = 10, .cpus = 2, .throttled = 1 }, "", "the CPU was throttled 1 time" },
		{ { .busy = 10, .children = 10, .cpus = 2, .load1 = 5.24 }, "",
		  "the load average was 5.2 on 2 CPUs when measuring began" },
		{ { .busy = 10, .children = 10, .cpus = 2, .governor = "powersave", .turbo = true }, "",
		  "the cpufreq governor is powersave: clock rates vary; "
		  "turbo is on: clock rates depend on heat and on the other cores" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strv_release) struct strv why = STRV_INIT, notes = STRV_INIT;
		double own_ms = cases[i].is.children * 1000;
		struct noise before, after;

		make(&cases[i].is, &before, &after);
		noise_describe(&before, &after, own_ms, cases[i].is.cpus, &notes, &why);
		CLEANUP(free_ptr) char *why_text = joined(&why), *notes_text = joined(&notes);
		assert_string_equal(why_text, cases[i].why);
		assert_string_equal(notes_text, cases[i].notes);
	}
}

TEST(counters_that_step_back_are_no_noise)
{
	CLEANUP(strv_release) struct strv notes = STRV_INIT, busy = STRV_INIT;
	struct noise before = { .at_ns = 9, .busy_ticks = 90, .steal_ticks = 90, .throttled = 9 };
	struct noise after = { .at_ns = 9, .busy_ticks = 10, .steal_ticks = 10, .throttled = 1 };

	noise_describe(&before, &after, 0, 2, &notes, &busy);
	assert_int_equal(notes.n, 0);
	assert_int_equal(busy.n, 0);
}

/* pawl's own work is not attributed to others: a busy loop of 300 ms adds less than that to their time. */
TEST(own_work_is_counted_as_own)
{
	struct noise before, after;
	uint64_t end;

	noise_read(&before);
	end = before.at_ns + 300 * NS_PER_MS;
	while (clock_now_ns() < end)
		;
	noise_read(&after);
	assert_true(after.at_ns >= end);
	assert_true(after.own_ticks > before.own_ticks);
	assert_true(after.busy_ticks > before.busy_ticks);
	after.busy_ticks = before.busy_ticks + (after.own_ticks - before.own_ticks);
	assert_true(noise_others(&before, &after, 0) < 1e-9);
}
