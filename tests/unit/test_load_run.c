/* Loads as real processes: the work they report, reports that fail, and how endless loads are ended. */
#include "unit.h"

#include <sys/wait.h>

#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/services/load_run.h"
#include "model/measured.h"
#include "keeper_fixture.h"
#include "scenario/scenario.h"

enum { WINDOW_S = 2 };

static char regex[] = "did ([0-9.]+)", path[] = "$.requests[0].mean";

struct fixture {
	struct scenario scenario;
	struct plan plan;
	struct load_run load;
};

static void fixture(struct fixture *s, const char *script, enum work_kind as, bool json)
{
	*s = (struct fixture){
		.scenario.load = { .as = as, .work = { json ? NULL : regex, json ? path : NULL } },
		.plan = { .scenario = &s->scenario, .root = root },
	};
	set_shell(&s->plan.load, script);
}

static void fixture_release(struct fixture *s)
{
	load_run_dispose(&keeper, &s->load);
	strv_release(&s->plan.load);
	nothing_left();
}

static void begin(struct fixture *s)
{
	struct error err = ERROR_INIT;

	MUST(load_run_start(&keeper, &s->plan, NULL, &s->load, &err));
	MUST(child_release(&s->load.child, &err));
}

/* Finishes the load and returns its work; NAN with ERR set if that failed. */
static double work_of(struct fixture *s, uint64_t patience_ns, struct error *err)
{
	struct measured m = { .wall_ms = WINDOW_S * 1e3 };

	if (load_run_finish(&keeper, &s->load, clock_now_ns(), patience_ns, err) < 0 || load_run_work(&s->load, WINDOW_S, &m, err) < 0)
		return NAN;
	return m.work;
}

/* The last object that begins a line counts, and must be complete. */
#define LONG_JSON "printf '{\\n\"rows\": ['; i=0; while [ $i -lt 20000 ]; do printf '\"row\",'; i=$((i+1)); done; " \
		  "printf '1],\\n\"requests\": [{\"mean\": 12.5}]}\\n'"

/* Many loads count error answers as work. Forbidden text early in a long output is found too. */
TEST_WITH(work_is_reported_or_missed, fixture_up, fixture_down)
{
	static char fail[] = "^Non-2xx|Socket errors";
	static const struct {
		const char *script;
		enum work_kind as;
		bool json, may_fail;
		double work;		/* NAN: none, for this reason */
		const char *reason;
	} cases[] = {
		{ "echo did 150 requests", WORK_COUNT, false, false, 150, "" },
		{ "echo did 150 requests >&2", WORK_COUNT, false, false, 150, "" },
		{ "echo did 150; echo did 170", WORK_COUNT, false, false, 170, "" },
		{ "echo did 150.5 a second", WORK_RATE, false, false, 150.5 * WINDOW_S, "" },
		{ "head -c 300000 /dev/zero | tr '\\0' x; echo; echo did 9", WORK_COUNT, false, false, 9, "" },
		{ "echo started; echo '{ \"requests\": [ { \"mean\": 12.5 } ] }'", WORK_COUNT, true, false, 12.5, "" },
		{ LONG_JSON, WORK_RATE, true, false, 12.5 * WINDOW_S, "" },
		{ "true", WORK_UNKNOWN, false, false, 0, "" },
		{ "(sleep 3681 &); echo did 4", WORK_COUNT, false, false, 4, "" },
		{ "echo did 7 Non-2xx", WORK_COUNT, false, true, 7, "" },
		{ "echo cannot connect; exit 5", WORK_COUNT, false, false, NAN, "the load exited with status 5" },
		{ "echo did 7; kill -SEGV $$", WORK_COUNT, false, false, NAN, "the load was killed by SIGSEGV" },
		{ "echo hello", WORK_COUNT, false, false, NAN,
		  "the load reported no throughput: its output has no match of 'did ([0-9.]+)' (load.work)" },
		{ "true", WORK_COUNT, false, false, NAN, "the load reported no throughput: its output has no match of 'did ([0-9.]+)' (load.work)" },
		{ "echo did 0 requests", WORK_COUNT, false, false, NAN, "the load did no work: it reported 0" },
		{ "echo '{}'", WORK_COUNT, true, false, NAN,
		  "the load reported no throughput: its output has no JSON with '$.requests[0].mean' (load.work)" },
		{ "echo '{\"requests\": [{\"mean\": 0}]}'", WORK_COUNT, true, false, NAN, "the load did no work: it reported 0" },
		{ "echo did 7; echo Non-2xx or 3xx responses: 5", WORK_COUNT, false, true, NAN,
		  "the load reported that it failed: 'Non-2xx or 3xx responses: 5' (load.fail)" },
		{ "echo 'Socket errors: 3'; head -c 300000 /dev/zero | tr '\\0' x; echo; echo did 9", WORK_COUNT, false, true, NAN,
		  "the load reported that it failed: 'Socket errors: 3' (load.fail)" },
		{ "echo Socket errors: 4 >&2; exit 5", WORK_COUNT, false, true, NAN,
		  "the load reported that it failed: 'Socket errors: 4' (load.fail)" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err = ERROR_INIT;
		CLEANUP(fixture_release) struct fixture s;
		double work;

		fixture(&s, cases[i].script, cases[i].as, cases[i].json);
		s.plan.load_fail = cases[i].may_fail ? fail : NULL;
		begin(&s);
		work = work_of(&s, PATIENCE_NS, &err);
		if (strcmp(err.msg, cases[i].reason) || (isnan(cases[i].work) ? !isnan(work) : work != cases[i].work))
			fail_msg("%s: %g, %s", cases[i].script, work, err.msg);
		assert_int_equal(err.kind, isnan(work) ? ERR_TARGET : ERR_NONE);
		assert_false(s.load.stopped);
		assert_int_equal(s.load.outlasted_ns, 0);
	}
}

/* Like most load generators, the load prints its results on SIGINT. */
TEST_WITH(an_endless_load_is_asked_to_end, fixture_up, fixture_down)
{
	static const struct {
		const char *script, *expected;	/* NULL: the load reports its work */
	} cases[] = {
		{ "trap 'echo did 7; exit 1' INT; echo >up; while :; do sleep 0.02; done", NULL },
		{ "echo did 7; echo >up; exec sleep 3682", NULL },
		{ "(setsid sleep 3683 &); echo did 7; echo >up; exec sleep 3684", NULL },
		{ "trap 'exit 0' INT; echo >up; while :; do sleep 0.02; done", "the load reported no throughput: it still ran 0." },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err = ERROR_INIT;
		CLEANUP(fixture_release) struct fixture s;
		double work;

		fixture(&s, cases[i].script, WORK_COUNT, false);
		begin(&s);
		wait_for_file("up");
		work = work_of(&s, 50 * NS_PER_MS, &err);
		assert_true(s.load.stopped);
		assert_true(s.load.outlasted_ns >= 50 * NS_PER_MS);
		if (!cases[i].expected && work != 7)
			fail_msg("%s: %g, %s", cases[i].script, work, err.msg);
		if (cases[i].expected && strncmp(err.msg, cases[i].expected, strlen(cases[i].expected)))
			fail_msg("%s: %g, %s", cases[i].script, work, err.msg);
		run_script("rm up");
	}
}

TEST_WITH(one_that_will_not_hear_is_killed, fixture_up, fixture_down)
{
	uint64_t before = clock_now_ns();
	struct error err = ERROR_INIT;
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "trap '' INT TERM; echo did 3; echo >up; while :; do sleep 0.02; done", WORK_COUNT, false);
	begin(&s);
	wait_for_file("up");
	assert_true(work_of(&s, 0, &err) == 3);
	assert_true(s.load.stopped);
	assert_true(WIFSIGNALED(s.load.child.status) && WTERMSIG(s.load.child.status) == SIGKILL);
	assert_true(clock_now_ns() - before < 10 * NS_PER_S);
}

/* Disposal also ends a load that was never asked to end, and one that was stopped. */
TEST_WITH(nothing_of_a_load_stays, fixture_up, fixture_down)
{
	struct fixture s;

	fixture(&s, "trap '' INT TERM; (setsid sleep 3685 &); echo >up; while :; do sleep 0.02; done", WORK_COUNT, false);
	begin(&s);
	wait_for_file("up");
	fixture_release(&s);
	fixture(&s, "sleep 3686", WORK_COUNT, false);
	assert_int_equal(load_run_start(&keeper, &s.plan, NULL, &s.load, NULL), 0);
	fixture_release(&s);
	fixture(&s, "sleep 3687", WORK_COUNT, false);
	fixture_release(&s);
}

TEST_WITH(what_cannot_be_started_is_reported, fixture_up, fixture_down)
{
	struct error err = ERROR_INIT;
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "true", WORK_COUNT, false);
	s.plan.root = (char *)"/nonexistent";
	assert_int_equal(load_run_start(&keeper, &s.plan, NULL, &s.load, &err), -1);
	assert_memory_equal(err.msg, "the load: cannot enter the working folder /nonexistent", 54);
	assert_int_equal(s.load.child.pid, 0);
}
