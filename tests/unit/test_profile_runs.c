/* The amount of profiling: runs, samples and time, on a perf that prints text of the test. */
#include "unit.h"

#include "measure/perf/perf.h"
#include "measure/perf/session.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "measure/run/profile_runs.h"
#include "model/measured.h"
#include "keeper_fixture.h"
#include "scenario/scenario.h"

/* A simulated target: its CPU time per execution, and the failures to simulate. */
struct act {
	struct profile_settings settings;
	enum tier tier;
	double cpu_ms;			/* of one execution */
	double wall_ms;			/* wall time of recording it */
	unsigned samples;		/* of a run; 0: as many as its CPU time gives */
	unsigned fail_run;		/* recording this one fails, from 1 */
	enum error_kind fail_kind;
	enum call_graph refused;	/* with fail_run 0 and refusing set */
	bool refusing;
	bool without_cycles, silent_cycles;	/* perf refuses to sample by cycles, or takes no samples */
	bool cut;			/* the budget left less than profile.duration */
	bool attached, works;		/* an attached target, whose load reports its work */

	struct strbuf log;		/* "fp 3000ms" a run */
	struct strbuf text;
	unsigned tried, lines;

	struct side_result result;
	struct profile_taken taken;
};

static char *fake;

static int fake_perf(void **state)
{
	static const char script[] = "#!/bin/sh\nexec cat \"$3\"\n";

	if (fixture_up(state) < 0)
		return -1;
	fake = in_root("perf");
	return file_write(fake, script, strlen(script), NULL) < 0 ? -1 : chmod(fake, 0755);
}

static int drop_fake(void **state)
{
	free(fake);
	return fixture_down(state);
}

/* -------- the sink counts lines */

static int sink_begin(void *ctx, struct error *err)
{
	((struct act *)ctx)->lines = 0;
	return 0;
}

static int sink_feed(void *ctx, const char *data, size_t len, struct error *err)
{
	struct act *act = ctx;

	for (size_t i = 0; i < len; i++)
		act->lines += data[i] == '\n';
	return 0;
}

static int sink_end(void *ctx, uint64_t *samples_out, struct error *err)
{
	*samples_out = ((const struct act *)ctx)->lines;
	return 0;
}

/* -------- the target */

static int refuse(struct act *act, const struct record_spec *spec, struct error *err)
{
	if (act->without_cycles && !strncmp(spec->event, "cycles", 6))
		return error_set(err, ERR_SYSTEM, "no interrupts");
	if (act->refusing && spec->call_graph == act->refused)
		return error_set(err, ERR_SYSTEM, "refused");
	if (act->fail_run && act->tried == act->fail_run)
		return error_set(err, act->fail_kind, "the target exited with status 7");
	return 0;
}

static int act_record(void *ctx, const struct record_spec *spec, const struct record_quota *quota, struct cpu_times *out,
		      uint64_t *spent_ns, struct error *err)
{
	uint64_t start = clock_now_ns();
	CLEANUP(strbuf_release) struct strbuf lines = STRBUF_INIT;
	struct act *act = ctx;
	double used_ms = 0;

	act->tried++;
	if (refuse(act, spec, err) < 0)
		return -1;
	do {
		rest((uint64_t)(act->wall_ms * (double)NS_PER_MS));
		cpu_times_add(out, act->cpu_ms);
		used_ms += act->cpu_ms;
	} while (used_ms < quota->cpu_ms && clock_now_ns() < quota->until_ns);
	*spent_ns = clock_now_ns() - start;
	strbuf_addf(&act->log, "%s%s %u %.0fms", act->log.len ? " / " : "", spec->event,
		    spec->frequency, used_ms);
	if (act->silent_cycles && !strncmp(spec->event, "cycles", 6))
		return 0;
	for (unsigned n = act->samples ?: (unsigned)(used_ms * spec->frequency / 1e3 + 0.5); n; n--)
		strbuf_addc(&lines, '\n');
	assert_int_equal(write(spec->fd, lines.buf, lines.len), lines.len);
	return 0;
}

static void act_progress(void *ctx, unsigned run, unsigned of)
{
	assert_int_equal(of, run <= PROFILE_RUNS_LEAST ? PROFILE_RUNS_LEAST : 0);
}

static void count_runs(struct act *act)
{
	static const double cpu_ms[] = { 95, 100, 300 };

	act->result.attached = act->attached ? "the one" : NULL;
	act->result.work_unit = act->works ? "request" : NULL;
	for (size_t i = 0; i < 3; i++) {
		struct measured measured = { .cpu_ms = cpu_ms[i], .wall_ms = 1000, .work = act->works ? 50 : 0 };

		measured_store(&measured, &(struct strv)STRV_INIT, 0, &act->result);
	}
}

/* Takes profiles up to a total of SAMPLES. */
static int take_more(struct act *act, unsigned samples, struct error *err)
{
	struct session session = { .keeper = &keeper, .perf = { .path = fake }, .machine.tier = act->tier, .lock_fd = -1 };
	const struct profile_wish wish = {
		.settings = &act->settings, .cut = act->cut, .samples = samples, .dir = root,
		.sink = { .ctx = act, .begin = sink_begin, .feed = sink_feed, .end = sink_end },
	};
	const struct profile_ops ops = { .ctx = act, .record = act_record, .progress = act_progress };

	return profile_runs_take(&session, &wish, &ops, &act->result, &act->taken, err);
}

static int take(struct act *act, struct error *err)
{
	count_runs(act);
	return take_more(act, 0, err);
}

static void take_well(struct act *act)
{
	struct error err = ERROR_INIT;

	MUST(take(act, &err));
}

static const struct profile_settings usual = {
	.frequency = 1000, .samples = 9000, .duration_ns = 10 * NS_PER_S, .call_graph = CALL_GRAPH_FP,
};

static void drop(struct act *act)
{
	strbuf_release(&act->log);
	side_result_release(&act->result);
	profile_taken_release(&act->taken);
}

/* -------- amount */

TEST_WITH(samples_are_divided_among_three_runs, fake_perf, drop_fake)
{
	static const struct { double cpu_ms; unsigned samples; const char *log; } cases[] = {
		{ 3000, 0, "cpu-clock 1000 3000ms / cpu-clock 1000 3000ms / cpu-clock 1000 3000ms" },
		/* Several short executions per run, as many as needed. */
		{ 20, 0, "cpu-clock 1000 3000ms / cpu-clock 1000 3000ms / cpu-clock 1000 3000ms" },
		{ 1700, 0, "cpu-clock 1000 3400ms / cpu-clock 1000 3400ms / cpu-clock 1000 3400ms" },
		/* One execution exceeds the need, and is not cut. */
		{ 50000, 0, "cpu-clock 1000 50000ms / cpu-clock 1000 50000ms / cpu-clock 1000 50000ms" },
		/* Fewer samples than expected from the CPU time: the missing ones are recorded in further runs. */
		{ 1000, 2500, "cpu-clock 1000 3000ms / cpu-clock 1000 4000ms / cpu-clock 1000 4000ms / "
		  "cpu-clock 1000 2000ms" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(drop) struct act act = { .settings = usual, .tier = TIER_SW, .cpu_ms = cases[i].cpu_ms, .samples = cases[i].samples };

		take_well(&act);
		assert_string_equal(act.log.buf, cases[i].log);
		assert_string_equal(act.taken.event, "cpu-clock");
		assert_true(act.taken.samples >= 9000);
		assert_int_equal(act.result.notes.n, 0);
	}
}

/* Takes a quarter of the requested samples. take_more() takes the others. */
static void take_a_quarter(struct act *act)
{
	act->settings.samples = 36000;
	count_runs(act);
	assert_int_equal(take_more(act, 9000, NULL), 0);
}

/* A first request for fewer samples counts towards a later one for more. */
TEST_WITH(it_goes_on_where_it_stopped, fake_perf, drop_fake)
{
	CLEANUP(drop) struct act act = { .settings = usual, .tier = TIER_SW, .cpu_ms = 100 };

	take_a_quarter(&act);
	assert_string_equal(act.log.buf, "cpu-clock 1000 3000ms / cpu-clock 1000 3000ms / cpu-clock 1000 3000ms");
	assert_int_equal(take_more(&act, 9000, NULL), 0);
	assert_int_equal(act.taken.runs, 3);
	assert_int_equal(take_more(&act, 18000, NULL), 0);
	assert_int_equal(take_more(&act, 0, NULL), 0);
	assert_string_equal(act.log.buf, "cpu-clock 1000 3000ms / cpu-clock 1000 3000ms / cpu-clock 1000 3000ms / "
			    "cpu-clock 1000 9000ms / cpu-clock 1000 18000ms");
	assert_int_equal(act.taken.samples, 36000);
	assert_int_equal(act.taken.times.n, 360);
	assert_true(act.taken.execution_ms == 100 && fabs(act.taken.overhead_pct) < 1e-9);
}

/* A later failure discards the profile. */
TEST_WITH(a_later_failure_leaves_no_profile, fake_perf, drop_fake)
{
	CLEANUP(drop) struct act act = { .settings = usual, .tier = TIER_SW, .cpu_ms = 100, .fail_run = 4, .fail_kind = ERR_TARGET };

	take_a_quarter(&act);
	assert_non_null(act.taken.event);
	assert_int_equal(take_more(&act, 18000, NULL), -1);
	assert_null(act.taken.event);
}

TEST_WITH(the_duration_ends_it, fake_perf, drop_fake)
{
	static const struct {
		double wall_ms, duration_ms;
		unsigned least, most;	/* runs */
		const char *note;
		bool cut;
	} cases[] = {
		{ 300, 200, 1, 1, "profile: 1 of 3 profiled runs fitted into 0.2 s; raise profile.duration", false },
		{ 300, 500, 2, 2, "profile: 2 of 3 profiled runs fitted into 0.5 s; raise profile.duration", false },
		{ 300, 200, 1, 1, "profile: 1 of 3 profiled runs fitted into 0.2 s; raise --budget", true },
		{ 10, 400, 3, 3, NULL, false },
	};
	/* Below the least number that is judged, no number is too low. */
	enum { WANTED = PROFILE_SAMPLES_GATED - 1 };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(drop) struct act act = { .settings = usual, .tier = TIER_SW, .cpu_ms = 1, .wall_ms = cases[i].wall_ms };

		act.cut = cases[i].cut;
		act.settings.duration_ns = (uint64_t)(cases[i].duration_ms * (double)NS_PER_MS);
		act.settings.samples = WANTED;
		take_well(&act);
		assert_in_range(act.taken.runs, cases[i].least, cases[i].most);
		assert_int_equal(act.result.notes.n, cases[i].note ? 1 : 0);
		if (cases[i].note)
			assert_string_equal(act.result.notes.items[0], cases[i].note);
	}
}

/* A command of a millisecond: pawl does not spend the duration on a profile too small for its gates. */
TEST_WITH(a_pace_that_gives_too_few_ends_it, fake_perf, drop_fake)
{
	static const struct {
		unsigned samples;	/* of a run that takes a third of the duration or slightly more */
		unsigned least, most;	/* runs */
	} cases[] = { { 100, 1, 1 }, { 900, 2, 3 } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(drop) struct act act = { .settings = usual, .tier = TIER_SW, .cpu_ms = 10, .wall_ms = 30, .samples = cases[i].samples };

		act.settings.duration_ns = 400 * NS_PER_MS;
		take_well(&act);
		assert_in_range(act.taken.runs, cases[i].least, cases[i].most);
		if (cases[i].most == 1) {
			assert_int_equal(act.result.notes.n, 1);
			assert_non_null(strstr(act.result.notes.items[0], "profile: ended after "));
			assert_non_null(strstr(act.result.notes.items[0], "symbols are judged from 3000; raise profile.duration"));
		}
	}
}

TEST_WITH(there_is_a_limit_to_runs, fake_perf, drop_fake)
{
	CLEANUP(drop) struct act act = { .settings = usual, .tier = TIER_SW, .cpu_ms = 10000, .samples = 1 };

	act.settings.samples = PROFILE_SAMPLES_GATED - 1;
	take_well(&act);
	assert_int_equal(act.taken.runs, PROFILE_RUNS_MAX);
}

/* -------- overhead */

TEST_WITH(the_overhead_is_against_the_counted_runs, fake_perf, drop_fake)
{
	static const struct { bool attached, works; double cpu, pct; } cases[] = {
		{ false, false, 103, 3 },	/* of a median of 100 ms */
		{ true, true, 2.2, 10 },	/* of 100 ms for 50 requests */
		{ true, false, 0.1, 0 },	/* of 100 ms in a second */
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(drop) struct act act = {
			.settings = usual, .tier = TIER_SW, .cpu_ms = cases[i].cpu, .samples = 3000, .attached = cases[i].attached,
			.works = cases[i].works,
		};

		take_well(&act);
		assert_true(fabs(act.taken.overhead_pct - cases[i].pct) < 1e-9);
		assert_true(cases[i].attached ? isnan(act.taken.execution_ms) : act.taken.execution_ms == cases[i].cpu);
	}
}

/* -------- fallbacks */

/* Some virtual machines count cycles but lack the overflow interrupt. */
TEST_WITH(what_is_not_to_be_had_is_replaced, fake_perf, drop_fake)
{
	static const struct {
		enum tier tier;
		bool lbr, refusing, without_cycles, silent;
		enum call_graph used;
		const char *event, *note;
	} cases[] = {
		{ TIER_SW, true, false, false, false, CALL_GRAPH_FP, "cpu-clock",
		  "profile: a call graph by lbr is not to be had here (there are no hardware counters); by fp instead" },
		{ TIER_HW, true, true, false, false, CALL_GRAPH_FP, "cycles",
		  "profile: a call graph by lbr is not to be had here (refused); by fp instead" },
		{ TIER_HW, true, false, false, false, CALL_GRAPH_LBR, "cycles", NULL },
		{ TIER_HW, false, false, false, false, CALL_GRAPH_FP, "cycles", NULL },
		{ TIER_HW, false, false, true, false, CALL_GRAPH_FP, "cpu-clock",
		  "profile: sampling by cycles is not to be had here (no interrupts); by cpu-clock instead" },
		{ TIER_HW_USER, false, false, true, false, CALL_GRAPH_FP, "cpu-clock:u",
		  "profile: sampling by cycles is not to be had here (no interrupts); by cpu-clock instead" },
		{ TIER_HW, false, false, false, true, CALL_GRAPH_FP, "cpu-clock",
		  "profile: sampling by cycles is not to be had here (no sample came); by cpu-clock instead" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(drop) struct act act = {
			.settings = usual, .tier = cases[i].tier, .cpu_ms = 3000, .refusing = cases[i].refusing, .refused = CALL_GRAPH_LBR,
			.without_cycles = cases[i].without_cycles, .silent_cycles = cases[i].silent,
		};

		act.settings.call_graph = cases[i].lbr ? CALL_GRAPH_LBR : CALL_GRAPH_FP;
		take_well(&act);
		assert_int_equal(act.taken.call_graph, cases[i].used);
		assert_string_equal(act.taken.event, cases[i].event);
		assert_int_equal(act.taken.runs, 3);
		assert_int_equal(act.taken.samples, 9000);
		assert_int_equal(act.result.notes.n, cases[i].note ? 1 : 0);
		if (cases[i].note)
			assert_string_equal(act.result.notes.items[0], cases[i].note);
	}
}

TEST_WITH(more_than_the_kernel_allows_is_not_asked_for, fake_perf, drop_fake)
{
	CLEANUP(strbuf_release) struct strbuf note = STRBUF_INIT;
	CLEANUP(drop) struct act act = { .settings = usual, .tier = TIER_SW, .cpu_ms = 3000, .samples = 3000 };
	long long most;

	if (!file_read_number("/proc/sys/kernel/perf_event_max_sample_rate", &most))
		skip();
	act.settings.frequency = (unsigned)most + 1;
	take_well(&act);
	assert_int_equal(act.taken.frequency, most);
	strbuf_addf(&note, "profile: sampled at %lld Hz, not %lld, ", most, most + 1);
	assert_int_equal(act.result.notes.n, 1);
	assert_memory_equal(act.result.notes.items[0], note.buf, note.len);
}

TEST_WITH(what_fails_is_reported, fake_perf, drop_fake)
{
	static const struct { unsigned run; enum error_kind kind; enum tier tier; const char *words; } cases[] = {
		{ 1, ERR_TARGET, TIER_SW, "in profiled run 1: the target exited with status 7" },
		{ 3, ERR_TARGET, TIER_SW, "in profiled run 3: the target exited with status 7" },
		{ 2, ERR_INTERRUPTED, TIER_SW, "in profiled run 2: the target exited with status 7" },
		{ 0, ERR_SYSTEM, TIER_SIM, "perf is not used here, so nothing can be sampled" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(drop) struct act act = {
			.settings = usual, .tier = cases[i].tier, .cpu_ms = 3000, .fail_run = cases[i].run, .fail_kind = cases[i].kind,
		};
		struct error err = ERROR_INIT;

		assert_int_equal(take(&act, &err), -1);
		assert_int_equal(err.kind, cases[i].kind);
		assert_string_equal(err.msg, cases[i].words);
		assert_null(act.taken.event);
		assert_int_equal(act.result.notes.n, 0);
	}
}
