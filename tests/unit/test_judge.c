#include "unit.h"

#include "measure/perf/perf_csv.h"
#include "judge_fixture.h"

/* -------- Gates get their verdicts and reasons. */

/* Judges a fixture whose single gate is on METRIC. */
static void assert_alone(const char *metric, double before, double now, enum verdict verdict, const char *reason)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new(metric);

	measure(&fixture, metric, before, now);
	judge(&fixture);
	assert_gate(&fixture, 0, verdict, reason);
}

/* -------- against a baseline */

TEST(a_plain_pass_needs_no_words)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new("instructions");
	const struct judgement *g;

	measure(&fixture, "instructions", 1e9, 1.001e9);
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_PASS, NULL);
	g = gate_judgement(&fixture.s.gates[0]);
	assert_true(g->baseline == 1e9 && g->current == 1.001e9);
	assert_int_equal(g->n_baseline, RUNS);
	assert_int_equal(g->n_current, RUNS);
	assert_true(fabs(g->change_pct - 0.1) < 1e-9);
	assert_true(g->low_pct < g->change_pct && g->change_pct < g->high_pct);
	assert_ptr_equal(g->metric, METRIC(INSTRUCTIONS));
}

TEST(verdicts_come_with_their_words)
{
	assert_alone("instructions", 1e9, 1.01e9, VERDICT_REGRESSION, NULL);
	assert_alone("instructions", 1e9, 0.99e9, VERDICT_IMPROVEMENT, NULL);
	assert_alone("instructions", 1e9, 1.004e9, VERDICT_INCONCLUSIVE,
		     "the interval reaches beyond the limit; more runs or more sessions narrow it");
	assert_alone("task-clock", 100, 100, VERDICT_INCONCLUSIVE,
		     "a stored time cannot decide: the same program moves by 30 % between two hours on such a machine; "
		     "compare in pairs: pawl run gzip --base REF");
	assert_alone("page-faults", 100, 105, VERDICT_PASS, "the change is smaller than any that counts");
}

/*
 * A stored time needs pairs. The accepted commit is the base, unless it cannot be checked out again. A running target
 * exists only once, so it cannot run in pairs.
 */
TEST(a_stored_time_cannot_decide)
{
	static const struct { const char *hypervisor, *attached, *commit, *reason; } cases[] = {
		{ "kvm", NULL, NULL, "moves by 30 % between two hours on such a machine; compare in pairs: pawl run gzip --base REF" },
		{ NULL, NULL, NULL, "moves by 6 % between two hours on such a machine; compare in pairs: pawl run gzip --base REF" },
		{ NULL, NULL, "5746a68c9297+dirty", "compare in pairs: pawl run gzip --base REF" },
		{ NULL, NULL, "5746a68c9297", "compare in pairs: pawl run gzip --base 5746a68c9297" },
		{ "kvm", "process 12", NULL, "; to compare in pairs, let a service of env: start it" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new("task-clock");

		fixture.here.hypervisor = cases[i].hypervisor;
		fixture.s.head.attached = cases[i].attached;
		fixture.base.sessions[fixture.base.n_sessions - 1].commit = cases[i].commit;
		measure(&fixture, "task-clock", 100, 118);
		judge(&fixture);
		assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, VERDICT_INCONCLUSIVE);
		assert_non_null(strstr(gate_judgement(&fixture.s.gates[0])->reason, cases[i].reason));
	}
}

TEST(too_few_runs_are_noted)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new("task-clock");

	add_same(&fixture.base, "task-clock", 100, 4);
	set_runs(&fixture.s, "task-clock", 200, 3);
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE, "too few runs for an interval (3 against 4); measure at least 5");
}

/* Longer wall time passes a gate on CPU time, but is noted unless CPU time or chance explains it. */
TEST(waiting_is_noted)
{
	static const struct { double wall_before, wall_now, clock_before, clock_now; const char *waits; } cases[] = {
		{ 60, 1060, 50, 52, "wall-time rose from 60.0 ms to 1.06 s, more than CPU time explains: it waits for something, or for "
				    "CPUs that others used; no gate judges it, a gate on wall-time would" },
		{ 100, 130, 50, 50, "wall-time rose from 100 ms to 130 ms, more than CPU time explains: it waits for something, or for "
				    "CPUs that others used; no gate judges it, a gate on wall-time would" },
		{ 100, 112, 50, 50, NULL }, { 100, 90, 50, 50, NULL },
		/* CPU time rose as much; rose in proportion, on a shared machine */
		{ 100, 200, 90, 185, NULL }, { 200, 400, 90, 180, NULL }, { 60, NAN, 50, 52, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new("task-clock");

		measure(&fixture, "wall-time", cases[i].wall_before, cases[i].wall_now);
		measure(&fixture, "task-clock", cases[i].clock_before, cases[i].clock_now);
		judge(&fixture);
		if (cases[i].waits ? !fixture.s.waits || strcmp(fixture.s.waits, cases[i].waits) : fixture.s.waits != NULL)
			fail_msg("case %zu: %s", i, fixture.s.waits ?: "(nothing)");
		judge_scenario(&fixture.s, &fixture.here, NULL);
		assert_null(fixture.s.waits);
	}
}

/* Runs that scatter are sometimes longer by chance. */
TEST(waiting_is_a_multiple_of_its_spread)
{
	static const double scattered[RUNS] = { 60, 75, 90, 62, 80, 70 };
	CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);

	add_to_session(&fixture.base, "wall-time", scattered, RUNS);
	set_runs(&fixture.s, "wall-time", 120, RUNS);
	judge(&fixture);
	assert_null(fixture.s.waits);
	set_runs(&fixture.s, "wall-time", 200, RUNS);
	judge(&fixture);
	assert_non_null(fixture.s.waits);
}

TEST(without_a_baseline_it_is_new)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new("task-clock");

	measure(&fixture, "task-clock", 100, 120);
	judge_scenario(&fixture.s, &fixture.here, NULL);
	assert_gate(&fixture, 0, VERDICT_NEW, "there is no baseline yet");
	assert_true(gate_judgement(&fixture.s.gates[0])->current == 120);
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->n_current, RUNS);
	assert_true(isnan(gate_judgement(&fixture.s.gates[0])->baseline) && isnan(gate_judgement(&fixture.s.gates[0])->change_pct));
	assert_int_equal(fixture.s.explanation.n, 0);
}

/* -------- another machine */

static const char *const everywhere[] = { "page-faults", "voluntary-switches", "sim-instructions" };
static const char *const here_only[] = { "task-clock", "instructions", "max-rss", "ipc", "branch-miss-rate" };

static void measure_all(struct fixture *fixture)
{
	for (size_t i = 0; i < 3; i++) {
		measure(fixture, everywhere[i], 1e6, 2e6);
		add_gate(fixture, everywhere[i]);
	}
	for (size_t i = 0; i < 5; i++) {
		measure(fixture, here_only[i], 1e9, 2e9);
		add_gate(fixture, here_only[i]);
	}
}

#define FOREIGN(class) \
	"the baseline is of another machine class, " class "; this is x86_64-epyc-4cpu-hw: accept a baseline here"

TEST(another_class_compares_what_is_portable)
{
	static const struct { const char *arch, *part; enum tier tier; bool portable; const char *reason; } cases[] = {
		{ "x86_64", "xeon-4cpu", TIER_HW, true, FOREIGN("x86_64-xeon-4cpu-hw") },
		{ "x86_64", "epyc-4cpu", TIER_SW, true, FOREIGN("x86_64-epyc-4cpu-sw") },
		{ "aarch64", "epyc-4cpu", TIER_HW, false, FOREIGN("aarch64-epyc-4cpu-hw") },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);

		fixture.base.machine.arch = cases[i].arch;
		fixture.base.machine.part = cases[i].part;
		fixture.base.machine.tier = cases[i].tier;
		measure_all(&fixture);
		judge(&fixture);
		for (size_t k = 0; k < 8; k++) {
			bool compared = cases[i].portable && k < 3;
			const struct judgement *g = gate_judgement(&fixture.s.gates[k]);

			assert_gate(&fixture, k, compared ? VERDICT_REGRESSION : VERDICT_NOT_MEASURED, compared ? NULL : cases[i].reason);
			assert_true(g->current == (k < 3 ? 2e6 : 2e9) && isnan(g->baseline) == !compared);
		}
		assert_int_equal(fixture.s.explanation.n, 0);
	}
}

/* The program cannot explain a difference between the times of two CPUs. */
TEST(another_class_explains_no_times)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);

	measure(&fixture, "page-faults", 1000, 2000);
	measure(&fixture, "task-clock", 100, 200);
	measure(&fixture, "cpu-time", 100, 110);
	measure(&fixture, "instructions", 1e9, 2e9);
	measure(&fixture, "cycles", 1e9, 2e9);
	measure(&fixture, "user-time", 100, 200);
	measure(&fixture, "system-time", 100, 200);
	add_gate(&fixture, "page-faults");
	add_gate(&fixture, "task-clock");
	arena_push(&fixture.s.arena, &fixture.s.settings.command, "./other");
	judge(&fixture);
	assert_int_equal(fixture.s.explanation.n, 4);
	fixture.base.machine.part = "xeon-4cpu";
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_int_equal(fixture.s.explanation.n, 1);
	assert_string_equal(fixture.s.explanation.items[0], "the scenario changed since the baseline: its command differs");
}

/* -------- absolute limits */

TEST(budgets_need_no_baseline)
{
	static const struct {
		bool relative;
		double max, min, now;
		enum verdict with, without;	/* a baseline of 100 */
		const char *reason_with, *reason_without;
	} cases[] = {
		{ false, 120, NAN, 120, VERDICT_PASS, VERDICT_PASS, NULL, NULL },
		{ false, 120, NAN, 121, VERDICT_REGRESSION, VERDICT_REGRESSION, "over its absolute budget",
		  "over its absolute budget" },
		{ false, NAN, 90, 90, VERDICT_PASS, VERDICT_PASS, NULL, NULL },
		{ false, NAN, 90, 89, VERDICT_REGRESSION, VERDICT_REGRESSION, "under its absolute minimum",
		  "under its absolute minimum" },
		{ false, 120, 90, 100, VERDICT_PASS, VERDICT_PASS, NULL, NULL },
		{ true, 120, NAN, 100, VERDICT_PASS, VERDICT_NEW, NULL, "there is no baseline yet" },
		{ true, 120, NAN, 119, VERDICT_REGRESSION, VERDICT_NEW, NULL, "there is no baseline yet" },
		{ true, 120, NAN, 121, VERDICT_REGRESSION, VERDICT_REGRESSION, "over its absolute budget",
		  "there is no baseline yet; over its absolute budget" },
		/* an improvement that still exceeds the limit */
		{ true, 20, NAN, 50, VERDICT_REGRESSION, VERDICT_REGRESSION, "over its absolute budget",
		  "there is no baseline yet; over its absolute budget" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);
		struct gate gate = relative_gate(metric_find("instructions"), 0.5);

		measure(&fixture, "instructions", 100, cases[i].now);
		gate.relative = cases[i].relative;
		gate.max = cases[i].max;
		gate.min = cases[i].min;
		scenario_result_add_gate(&fixture.s, &gate);
		judge(&fixture);
		assert_gate(&fixture, 0, cases[i].with, cases[i].reason_with);
		judge_scenario(&fixture.s, &fixture.here, NULL);
		assert_gate(&fixture, 0, cases[i].without, cases[i].reason_without);
		assert_true(gate_judgement(&fixture.s.gates[0])->current == cases[i].now);
	}
}

TEST(a_budget_holds_on_any_machine)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new("max-rss");

	fixture.base.machine.arch = "aarch64";
	measure(&fixture, "max-rss", 1e8, 2e8);
	fixture.s.gates[0].gate.max = 1.5e8;
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, FOREIGN("aarch64-epyc-4cpu-hw") "; over its absolute budget");
	fixture.s.gates[0].gate.relative = false;
	fixture.s.gates[0].gate.max = 2e8;
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_PASS, NULL);
}

TEST(required_gates_make_the_status)
{
	static const struct { bool required, strict, measured; int status; } cases[] = {
		{ true, false, false, STATUS_NOT_MEASURED }, { true, true, false, STATUS_NOT_MEASURED },
		{ false, false, false, STATUS_OK }, { false, true, false, STATUS_UNDECIDED },
		{ true, true, true, STATUS_OK },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new("ipc");

		measure(&fixture, "page-faults", 1000, 1000);
		if (cases[i].measured)
			measure(&fixture, "ipc", 2, 2);
		fixture.s.gates[0].gate.required = cases[i].required;
		judge(&fixture);
		scenario_result_settle(&fixture.s, cases[i].strict);
		assert_int_equal(fixture.s.status, cases[i].status);
	}
}

/* -------- gates that depend on each other */

TEST(ipc_may_fall_when_work_went)
{
	static const struct {
		double clock, instructions, cycles, min, max, ipc; enum verdict verdict; const char *reason;
	} cases[] = {
		/* base: 2 */
		{ 80, 6e8, 8e8, NAN, NAN, 1.5, VERDICT_PASS,
		  "IPC fell because cheap instructions went: 40.0 % fewer of them and 20.0 % less task-clock" },
		{ 80, 6e8, 8e8, 1.4, 3, 1.5, VERDICT_PASS,
		  "IPC fell because cheap instructions went: 40.0 % fewer of them and 20.0 % less task-clock" },
		{ 101, 6e8, 8e8, NAN, NAN, 1.5, VERDICT_REGRESSION, NULL },
		{ 80, 1e9, 8e8, NAN, NAN, 1.5, VERDICT_REGRESSION, NULL },
		{ 80, 6e8, 1.1e9, NAN, NAN, 1.5, VERDICT_REGRESSION, NULL },
		{ NAN, 6e8, 8e8, NAN, NAN, 1.5, VERDICT_REGRESSION, NULL },
		{ 80, NAN, 8e8, NAN, NAN, 1.5, VERDICT_REGRESSION, NULL },
		/* an absolute limit still applies */
		{ 80, 6e8, 8e8, 1.6, NAN, 1.5, VERDICT_REGRESSION, "under its absolute minimum" },
		{ 80, 6e8, 8e8, NAN, 2.1, 2.5, VERDICT_REGRESSION, "over its absolute budget" },
		/* nothing to excuse */
		{ 80, 6e8, 8e8, NAN, NAN, 2, VERDICT_PASS, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new("ipc");

		measure(&fixture, "task-clock", 100, cases[i].clock);
		measure(&fixture, "instructions", 1e9, cases[i].instructions);
		measure(&fixture, "cycles", 1e9, cases[i].cycles);
		measure(&fixture, "ipc", 2, cases[i].ipc);
		fixture.s.gates[0].gate.min = cases[i].min;
		fixture.s.gates[0].gate.max = cases[i].max;
		judge(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, cases[i].reason);
	}
}

TEST(judging_again_replaces)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new("instructions");

	measure(&fixture, "instructions", 1e9, 2e9);
	measure(&fixture, "sim-instructions", 1e9, 2e9);
	judge(&fixture);
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_int_equal(fixture.s.explanation.n, 1);
	judge_scenario(&fixture.s, &fixture.here, NULL);
	assert_gate(&fixture, 0, VERDICT_NEW, "there is no baseline yet");
	assert_true(isnan(gate_judgement(&fixture.s.gates[0])->baseline) && isnan(gate_judgement(&fixture.s.gates[0])->low_pct));
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->n_baseline, 0);
	assert_int_equal(fixture.s.explanation.n, 0);
}

/* -------- over all scenarios */

TEST(what_moves_together_is_the_machine)
{
	static const struct {
		double changes[4];	/* change of task-clock in percent; NAN: not compared; 99: no such gate */
		const char *note;
	} cases[] = {
		{ { 6, 10, 30, 5.1 }, "all 4 scenarios became slower together: suspect the machine, not the program" },
		{ { 6, 10, 30, NAN }, "all 3 scenarios became slower together: suspect the machine, not the program" },
		{ { 6, 99, 30, 7 }, "all 3 scenarios became slower together: suspect the machine, not the program" },
		{ { -6, -10, -30, -5.1 }, "all 4 scenarios became faster together: suspect the machine, not the program" },
		{ { 6, 10, 30, 5 }, NULL }, { { 6, 10, 30, -6 }, NULL }, { { 6, 10, NAN, NAN }, NULL },
		{ { NAN, NAN, NAN, NAN }, NULL }, { { 0, 0, 0, 0 }, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(result_release) struct result result = { 0 };

		for (size_t k = 0; k < 4; k++) {
			bool clock = cases[i].changes[k] != 99;
			struct gate gate = relative_gate(metric_find(clock ? "task-clock" : "page-faults"), 25);
			struct scenario_result *s = result_add_scenario(&result, "s");

			scenario_result_add_gate(s, &gate)->stored.change_pct = cases[i].changes[k];
		}
		judge_together(&result);
		assert_int_equal(result.notes.n, cases[i].note != NULL);
		if (cases[i].note)
			assert_string_equal(result.notes.items[0], cases[i].note);
	}
}

/* Waiting for a busy CPU lengthens wall time whatever the program does. CPU time remains the program's own. */
TEST(a_busy_machine_excuses_waiting)
{
	static const struct {
		const char *metric; bool busy, attached, per_work; double max; enum verdict verdict;
	} cases[] = {
		{ "wall-time", true, false, false, NAN, VERDICT_INCONCLUSIVE },
		{ "wall-time", false, false, false, NAN, VERDICT_REGRESSION },
		{ "wall-time", true, true, true, NAN, VERDICT_INCONCLUSIVE },
		{ "wall-time", true, false, false, 99, VERDICT_REGRESSION },
		{ "throughput", true, true, false, NAN, VERDICT_INCONCLUSIVE },
		{ "voluntary-switches", true, true, true, NAN, VERDICT_INCONCLUSIVE },
		{ "p99", true, true, false, NAN, VERDICT_INCONCLUSIVE },
		{ "heap", true, true, false, NAN, VERDICT_REGRESSION },
		{ "task-clock", true, false, false, NAN, VERDICT_REGRESSION },
		{ "task-clock", true, true, true, NAN, VERDICT_REGRESSION },
		{ "task-clock", true, true, false, NAN, VERDICT_INCONCLUSIVE },
		{ "page-faults", true, false, false, NAN, VERDICT_REGRESSION },
		{ "max-rss", true, true, false, NAN, VERDICT_REGRESSION },
	};
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct metric *p99 = metric_custom(&arena, "p99", "ms", false), *heap = metric_custom(&arena, "heap", "MiB", false);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(result_release) struct result result = { 0 };
		struct scenario_result *s = result_add_scenario(&result, "s");
		const struct metric *printed = strcmp(cases[i].metric, "heap") ? p99 : heap;
		struct gate gate = relative_gate(metric_find(cases[i].metric) ?: printed, 25);
		struct judgement *g;

		if (cases[i].busy)
			arena_push(&result.arena, &result.busy, "others used all CPUs");
		s->head.attached = cases[i].attached ? "service web" : NULL;
		gate.max = cases[i].max;
		g = &scenario_result_add_gate(s, &gate)->stored;
		g->verdict = VERDICT_REGRESSION;
		g->current = 100;
		g->metric = cases[i].per_work ? g->metric->normalised : g->metric;
		arena_push(&s->arena, &s->explanation, "the cause");
		arena_push(&s->arena, &s->explanation, "same executable");
		s->n_cost_lines = 1;
		judge_together(&result);
		/* An excused gate has no cause. */
		assert_string_equal(s->explanation.items[0], g->verdict == VERDICT_INCONCLUSIVE ? "same executable" : "the cause");
		if (g->verdict != cases[i].verdict)
			fail_msg("%zu: %s: found %s", i, cases[i].metric, verdict_names[g->verdict]);
		if (g->verdict == VERDICT_INCONCLUSIVE)
			assert_string_equal(g->reason, "the machine was busy, which alone makes it worse: others used all CPUs; "
						       "measure again when it is quiet");
	}
}

/* -------- Gates without a number: the reason, and when a simulated value replaces it. */

/* Windows of five seconds on a service, with a baseline of such windows. */
static struct fixture fixture_attached(const char *gate)
{
	struct fixture fixture = fixture_new(gate);

	fixture.s.head.attached = "service redis (pid 12)";
	fixture.s.head.work_unit = "request";
	fixture.s.settings.window_s = fixture.base.settings.window_s = 5;
	return fixture;
}

/* -------- no value */

TEST(what_the_machine_cannot_count_is_noted)
{
	static const struct {
		const char *metric;
		enum tier tier;
		const char *tier_reason, *expected;
		bool attached;
		const char *note;	/* of the run, if a tool failed */
	} cases[] = {
		{ "ipc", TIER_SW, "this virtual machine has no counters", "this virtual machine has no counters", false, NULL },
		{ "instructions", TIER_SW, "this virtual machine has no counters",
		  "this virtual machine has no counters; with valgrind installed and counters: auto it is simulated", false, NULL },
		{ "branch-miss-rate", TIER_SIM, NULL,
		  "this machine has no hardware counters; with valgrind installed and counters: auto it is simulated", false, NULL },
		{ "cycles", TIER_SW_USER, NULL, "this machine has no hardware counters", false, NULL },
		{ "sim-instructions", TIER_HW, NULL, "no simulation ran; valgrind is not installed", false, NULL },
		{ "sim-branch-miss-rate", TIER_SW, "none", "no simulation ran; valgrind is not installed", false, NULL },
		{ "task-clock", TIER_SIM, NULL, "perf is not used", false, NULL },
		{ "task-clock", TIER_SIM, "perf is not installed", "perf is not installed", false, NULL },
		{ "ipc", TIER_HW, "only that", "no run gave a value", false, NULL },
		{ "task-clock", TIER_SW, "no counters", "no run gave a value", false, NULL },
		{ "wall-time", TIER_SW, "no counters", "no run gave a value", false, NULL },
		{ "sim-instructions", TIER_SW, NULL, "nothing was simulated: under valgrind: exited with status 132", false,
		  NOTE_NOT_SIMULATED ": under valgrind: exited with status 132" },
		/* Printed metrics, and attached targets without counters */
		{ "p99", TIER_HW, NULL, "the output had no match of metrics.p99", true, NULL },
		{ "p99", TIER_SIM, NULL, "the output had no match of metrics.p99", true, NULL },
		{ "throughput", TIER_SW, NULL, "it is not known how much work was done: the scenario needs load.work", true, NULL },
		{ "instructions", TIER_SW, NULL, "this machine has no hardware counters", true, NULL },
		{ "ipc", TIER_SW, NULL, "this machine has no hardware counters", true, NULL },
		{ "sim-instructions", TIER_SW, NULL, "simulation needs a command target; this one was attached to", true, NULL },
		{ "task-clock", TIER_SW, NULL, "no run gave a value", true, NULL },
	};
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct metric *p99 = metric_custom(&arena, "p99", "ms", false);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = cases[i].attached ? fixture_attached(NULL) : fixture_new(NULL);
		struct gate gate = relative_gate(metric_find(cases[i].metric) ?: p99, 5);

		fixture.here.tier = fixture.base.machine.tier = cases[i].tier;
		fixture.here.tier_reason = cases[i].tier_reason;
		measure(&fixture, "page-faults", 1000, 1000);
		if (cases[i].note)
			NOTE(&fixture.s.head, "%s", cases[i].note);
		if (!cases[i].attached)
			add_same(&fixture.base, cases[i].metric, 1, RUNS);
		scenario_result_add_gate(&fixture.s, &gate);
		judge(&fixture);
		assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, cases[i].expected);
		assert_true(isnan(gate_judgement(&fixture.s.gates[0])->current));
		assert_int_equal(gate_judgement(&fixture.s.gates[0])->n_current, 0);
		assert_int_equal(fixture.s.head.state, SCENARIO_MEASURED);
	}
}

static void add_rows(struct fixture *fixture, const char *csv)
{
	CLEANUP(perf_rows_release) struct perf_rows rows = { 0 };
	struct error err = ERROR_INIT;

	MUST(perf_csv_parse(csv, strlen(csv), PERF_CSV_SEPARATOR, &rows, &err));
	perf_rows_copy(&fixture->s.head.arena, &side_result_add_run(&fixture->s.head)->rows, &rows);
}

#define PART "the event was counted only part of the time, so perf's value is an extrapolation"
#define NEVER_COUNTED \
	"the event was never counted: the target ended before its turn, or too many events share the counters"
#define UNSUPPORTED "this machine does not support the event"

TEST(perf_says_best_why)
{
	static const struct { const char *metric, *first, *last, *expected; } cases[] = {
		{ "cycles", "1;;cycles;1;53.00;;\n", "1;;cycles;1;53.00;;\n", PART },
		{ "cycles", "<not counted>;;cycles;0;0.00;;\n", "1;;cycles;1;53.00;;\n", PART },
		{ "cycles", "1;;cycles;1;53.00;;\n", "<not counted>;;cycles;0;0.00;;\n", NEVER_COUNTED },
		/* the last run that asked for it; other passes did not */
		{ "cycles", "1;;cycles;1;53.00;;\n", "1;;branches;1;100.00;;\n", PART },
		/* names the missing one of two parts */
		{ "ipc", "1;;instructions;1;100.00;;\n<not supported>;;cycles;0;100.00;;\n", "", UNSUPPORTED },
		{ "ipc", "<not counted>;;instructions;0;0.00;;\n1;;cycles;1;100.00;;\n", "", NEVER_COUNTED },
		{ "cycles-per-second", "1;msec;task-clock;1;100.00;;\n1;;cycles;1;20.00;;\n", "", PART },
		{ "cycles", "", "1;;branches;1;100.00;;\n", "no run gave a value" },
		{ "task-clock", "<not supported>;msec;task-clock;0;100.00;;\n", "", UNSUPPORTED },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(cases[i].metric);

		add_rows(&fixture, cases[i].first);
		add_rows(&fixture, cases[i].last);
		judge(&fixture);
		assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, cases[i].expected);
	}
}

TEST(a_baseline_may_lack_the_metric)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new("ipc");

	set_runs(&fixture.s, "ipc", 2, RUNS);
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, "the baseline has no value of ipc; accept a new one");
	assert_true(gate_judgement(&fixture.s.gates[0])->current == 2);
}

TEST(unfinished_scenarios_are_not_judged)
{
	static const struct { enum scenario_state state; size_t runs; const char *attached, *expected; } cases[] = {
		{ SCENARIO_FAILED, 6, NULL, "the scenario failed" },
		{ SCENARIO_FAILED, 0, NULL, "the scenario failed" },
		{ SCENARIO_PARTIAL, 6, NULL, "interrupted after 6 of 15 runs" },
		{ SCENARIO_PARTIAL, 4, "service redis (pid 12)", "interrupted after 4 of 15 windows" },
		{ SCENARIO_SKIPPED, 0, NULL, "interrupted after 0 of 15 runs" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new("instructions");

		fixture.s.head.state = cases[i].state;
		fixture.s.head.attached = cases[i].attached;
		add_same(&fixture.base, "instructions", 1e9, RUNS);
		if (cases[i].runs)
			set_runs(&fixture.s, "instructions", 2e9, cases[i].runs);
		/* Even a limit that is far exceeded is not judged: half a measurement proves nothing. */
		fixture.s.gates[0].gate.max = 1;
		arena_push(&fixture.s.arena, &fixture.s.settings.command, "./other");
		judge(&fixture);
		assert_gate(&fixture, 0, VERDICT_NOT_MEASURED, cases[i].expected);
		assert_int_equal(fixture.s.explanation.n, 0);
	}
}

/* A timeout does not show how slow the head is. If the base took a tenth of the timeout, the head is certainly slower. */
TEST(a_timeout_may_be_a_regression)
{
	static const struct {
		const char *metric; double stored_ms, timed_out_ms; size_t n; const char *reason;
	} cases[] = {
		{ "task-clock", 1000, 10000, 3, "a run reached its timeout of 10 s; none of the baseline's (3) took more than 1 s" },
		{ "wall-time", 20, 60000, 5, "a run reached its timeout of 60 s; none of the baseline's (5) took more than 0.02 s" },
		{ "task-clock", 1001, 10000, 3, NULL }, { "task-clock", 1000, 10000, 2, NULL },
		{ "task-clock", 1000, 0, 3, NULL }, { "page-faults", 1000, 10000, 3, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(cases[i].metric);

		fixture.s.head.state = SCENARIO_FAILED;
		fixture.s.head.timed_out_ms = cases[i].timed_out_ms;
		add_same(&fixture.base, "wall-time", cases[i].stored_ms, cases[i].n);
		judge(&fixture);
		scenario_result_settle(&fixture.s, false);
		assert_gate(&fixture, 0, cases[i].reason ? VERDICT_REGRESSION : VERDICT_NOT_MEASURED,
			    cases[i].reason ?: "the scenario failed");
		assert_int_equal(fixture.s.status, cases[i].reason ? STATUS_REGRESSION : STATUS_NOT_MEASURED);
	}
}

/* -------- simulated values */

/* A simulated value stands in for a counted one, and is never compared with a counted baseline. */
TEST(a_twin_stands_in_and_is_labelled)
{
	static const struct {
		const char *gate;
		double counted[2], simulated[2];	/* of the baseline and now; NAN: not measured */
		bool stands_in;
		enum verdict verdict;
		const char *reason;
	} cases[] = {
		{ "instructions", { 1e9, 1e9 }, { 5e8, 6e8 }, false, VERDICT_PASS, NULL },
		{ "instructions", { 1e9, NAN }, { 5e8, 6e8 }, true, VERDICT_REGRESSION, NULL },
		{ "sim-instructions", { 1e9, NAN }, { 5e8, 6e8 }, true, VERDICT_REGRESSION, NULL },
		{ "instructions", { 6e8, NAN }, { NAN, 6e8 }, true, VERDICT_NOT_MEASURED, "the baseline has no value of sim-instructions; accept a new one" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const double *values = cases[i].stands_in ? cases[i].simulated : cases[i].counted;
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(cases[i].gate);
		const struct judgement *g = gate_judgement(&fixture.s.gates[0]);

		fixture.here.tier = fixture.base.machine.tier = cases[i].stands_in ? TIER_SW : TIER_HW;
		measure(&fixture, "instructions", cases[i].counted[0], cases[i].counted[1]);
		measure(&fixture, "sim-instructions", cases[i].simulated[0], cases[i].simulated[1]);
		judge(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, cases[i].reason);
		assert_int_equal(g->metric->source == SOURCE_SIMULATED, cases[i].stands_in);
		assert_true(g->current == values[1] && (isnan(values[0]) ? isnan(g->baseline) : g->baseline == values[0]));
	}
}

/* A different valgrind, C library or pawl counts the same program differently. */
TEST(another_simulator_is_not_compared)
{
	static const struct { const char *before, *now; enum verdict verdict; const char *reason; } cases[] = {
		{ "valgrind-3.22.0, glibc 2.39", "valgrind-3.22.0, glibc 2.39", VERDICT_REGRESSION, NULL },
		{ NULL, NULL, VERDICT_REGRESSION, NULL },
		{ "valgrind-3.22.0, glibc 2.39", "valgrind-3.22.0, glibc 2.40", VERDICT_NOT_MEASURED,
		  "the baseline was simulated by another valgrind or C library (valgrind-3.22.0, glibc 2.39; here valgrind-3.22.0, "
		  "glibc 2.40), so its count does not compare: accept a new one, or set 'build:' in pawl.yaml so that pawl can simulate "
		  "the base here" },
		{ NULL, "valgrind-3.22.0, glibc 2.39", VERDICT_NOT_MEASURED,
		  "the baseline was simulated by another valgrind or C library (an older pawl; here valgrind-3.22.0, glibc 2.39), so its "
		  "count does not compare: accept a new one, or set 'build:' in pawl.yaml so that pawl can simulate the base here" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new("sim-instructions");

		measure(&fixture, "sim-instructions", 5e8, 6e8);
		fixture.base.sessions[fixture.base.n_sessions - 1].simulator = cases[i].before;
		fixture.s.head.simulator = cases[i].now;
		judge(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, cases[i].reason);
		assert_int_equal(fixture.s.gates[0].stored.counted_otherwise, cases[i].verdict == VERDICT_NOT_MEASURED);
	}
}

/* -------- Attached targets: gates per unit of work, windows that differ, and limits of windows. */

/* Stores METRIC as measured_store() does: values BEFORE and NOW, from windows that did WORK. */
static void measure_work(struct fixture *fixture, const char *metric, double before, double work_before, double now,
			 double work_now)
{
	measure(fixture, metric, before, now);
	measure(fixture, own_metrics_find(&fixture->s.head.own_metrics, metric)->normalised->name, before / work_before, now / work_now);
	measure(fixture, "work", work_before, work_now);
}

/* Judges against a baseline of three similar sessions, so that the spread of windows between sessions is known. */
static void judge_settled(struct fixture *fixture)
{
	for (size_t i = 0; i < 2; i++) {
		const struct series_set *first;

		add_session(&fixture->base);
		first = &fixture->base.sessions[0].series;
		for (size_t k = 0; k < first->n; k++)
			add_to_session(&fixture->base, first->items[k].metric->name, first->items[k].values, first->items[k].n);
	}
	judge(fixture);
}

TEST(windows_that_go_one_way_are_noted)
{
	static const struct { double values[6]; size_t n; bool attached, works; const char *note; } cases[] = {
		{ { 285, 170, 110, 80, 60, 50 }, 6, true, true, "the target was not steady: its task-clock per request fell by 76 % from "
		  "the first windows to the last; warm it up for longer than that took, with warmup: { duration: TIME }" },
		{ { 10, 11, 12, 13, 14, 15 }, 6, true, false, "the target was not steady: its task-clock of a window rose by 38 % from "
		  "the first windows to the last; warm it up for longer than that took, with warmup: { duration: TIME }" },
		/* executions of a command, each a fresh process */
		{ { 285, 170, 110, 80, 60, 50 }, 6, false, false, NULL },
		{ { 285, 170, 110, 80 }, 4, true, true, NULL },
		/* within the drift of a machine */
		{ { 100, 102, 104, 106, 108, 110 }, 6, true, true, NULL },
		{ { 285, 50, 270, 60, 300, 50 }, 6, true, true, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);

		fixture.s.head.attached = cases[i].attached ? "service jvm (pid 12)" : NULL;
		fixture.s.head.work_unit = cases[i].works ? "request" : NULL;
		for (size_t k = 0; k < cases[i].n; k++)
			measured_set(&fixture.s.head, side_result_add_run(&fixture.s.head),
				     cases[i].works ? METRIC(TASK_CLOCK)->normalised : METRIC(TASK_CLOCK), cases[i].values[k]);
		judge(&fixture);
		/* Judging again does not repeat the note. */
		judge(&fixture);
		assert_int_equal(fixture.s.head.notes.n, cases[i].note ? 1 : 0);
		if (cases[i].note)
			assert_string_equal(fixture.s.head.notes.items[0], cases[i].note);
	}
}

TEST(the_work_divides)
{
	static const struct {
		const char *metric; double before, work_before, now, work_now; enum verdict verdict;
	} cases[] = {
		/* twice the work in the same time; the same work in twice the time */
		{ "instructions", 1e9, 1000, 2e9, 2000, VERDICT_PASS },
		{ "instructions", 1e9, 1000, 1e9, 500, VERDICT_REGRESSION },
		{ "instructions", 1e9, 1000, 1e9, 2000, VERDICT_IMPROVEMENT },
		{ "cache-misses", 1e6, 1000, 2e6, 2000, VERDICT_PASS },
		{ "cache-misses", 1e6, 1000, 2e6, 1000, VERDICT_REGRESSION },
		{ "task-clock", 1000, 1000, 4000, 1000, VERDICT_REGRESSION },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_attached(NULL);
		struct gate gate;
		const struct judgement *g;

		measure_work(&fixture, cases[i].metric, cases[i].before, cases[i].work_before, cases[i].now,
			     cases[i].work_now);
		gate = relative_gate(own_metrics_find(&fixture.s.head.own_metrics, cases[i].metric), 5);
		scenario_result_add_gate(&fixture.s, &gate);
		judge_settled(&fixture);
		g = gate_judgement(&fixture.s.gates[0]);
		if (g->verdict != cases[i].verdict)
			fail_msg("%zu: %s: %s", i, verdict_names[g->verdict], g->reason ?: "");
		assert_ptr_equal(g->metric, fixture.s.gates[0].gate.metric->normalised);
		assert_true(g->baseline == cases[i].before / cases[i].work_before);
		assert_true(g->current == cases[i].now / cases[i].work_now);
		assert_int_equal(g->n_baseline, 3 * RUNS);
	}
}

/* Metrics that do not grow with the work are judged as they are. */
TEST(quotients_and_sizes_stay)
{
	static const char *const metrics[] = { "ipc", "max-rss", "throughput", "branch-miss-rate" };

	for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_attached(metrics[i]);

		measure(&fixture, "work", 1000, 4000);
		measure(&fixture, metrics[i], 2e6, 2e6);
		judge(&fixture);
		assert_null(gate_judgement(&fixture.s.gates[0])->metric->of);
		assert_true(gate_judgement(&fixture.s.gates[0])->current == 2e6);
		assert_true(gate_judgement(&fixture.s.gates[0])->verdict == VERDICT_PASS || gate_judgement(&fixture.s.gates[0])->verdict == VERDICT_INCONCLUSIVE);
	}
}

/* A gate ignores ten more page faults in a run. It also ignores ten in a window of a thousand requests. */
TEST(the_least_change_is_the_windows)
{
	static const struct { double now; enum verdict verdict; const char *reason; } cases[] = {
		{ 109, VERDICT_PASS, "the change is smaller than any that counts" },
		{ 112, VERDICT_REGRESSION, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_attached("page-faults");

		measure_work(&fixture, "page-faults", 100, 1000, cases[i].now, 1000);
		judge_settled(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, cases[i].reason);
	}
}

/* A server touches new memory in some windows only, so three windows prove nothing. */
TEST(windows_do_not_repeat_like_runs)
{
	static const struct { double before, now; size_t n; bool zero; const char *reason; } cases[] = {
		{ 1000, 4000, 3, false, "too few windows for an interval (3 against 6); measure at least 5" },
		{ 1000, 1200, RUNS, false,
		  "the interval reaches beyond the limit; more windows or more sessions narrow it" },
		{ 1000, 4000, RUNS, true,
		  "some windows show 0, and the others do not differ enough from the baseline's to decide" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_attached("page-faults");

		add_same(&fixture.base, "page-faults", cases[i].before, RUNS);
		set_runs(&fixture.s, "page-faults", cases[i].now, cases[i].n);
		if (cases[i].zero)
			for (size_t k = 0; k < 2; k++)
				measured_set(&fixture.s.head, &fixture.s.head.runs[k], METRIC(PAGE_FAULTS), 0);
		judge(&fixture);
		assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE, cases[i].reason);
	}
}

TEST(budgets_are_per_unit_of_work)
{
	static const struct { double max, min; enum verdict verdict; const char *reason; } cases[] = {
		{ 0.03, NAN, VERDICT_PASS, NULL },
		{ 0.02, NAN, VERDICT_REGRESSION, "over its absolute budget" },
		{ NAN, 0.03, VERDICT_REGRESSION, "under its absolute minimum" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_attached(NULL);
		struct gate gate = { .metric = metric_find("task-clock"), .max = cases[i].max, .min = cases[i].min };

		measure_work(&fixture, "task-clock", 1000, 40000, 1000, 40000);
		scenario_result_add_gate(&fixture.s, &gate);
		judge(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, cases[i].reason);
		assert_non_null(gate_judgement(&fixture.s.gates[0])->metric->of);
	}
}

TEST(a_baseline_may_know_nothing_of_the_work)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_attached("task-clock");

	add_same(&fixture.base, "task-clock", 1000, RUNS);
	set_runs(&fixture.s, "task-clock", 1000, RUNS);
	set_runs(&fixture.s, "task-clock-per-work", 1, RUNS);
	set_runs(&fixture.s, "work", 1000, RUNS);
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_NOT_MEASURED,
		    "the baseline has no values per request; accept a new one");
	assert_true(gate_judgement(&fixture.s.gates[0])->metric->of && gate_judgement(&fixture.s.gates[0])->current == 1);
}

/* Page faults per request compare across machines; times do not. */
TEST(portable_twins_cross_machines)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_attached(NULL);

	fixture.base.machine.part = "xeon-4cpu";
	measure_work(&fixture, "page-faults", 1000, 1000, 1000, 1000);
	measure_work(&fixture, "task-clock", 1000, 1000, 1000, 1000);
	add_gate(&fixture, "page-faults");
	add_gate(&fixture, "task-clock");
	judge_settled(&fixture);
	assert_gate(&fixture, 0, VERDICT_PASS, NULL);
	assert_int_equal(gate_judgement(&fixture.s.gates[1])->verdict, VERDICT_NOT_MEASURED);
	assert_non_null(strstr(gate_judgement(&fixture.s.gates[1])->reason, "another machine class"));
}

#define WINDOW(lengths) \
	"the window differs (" lengths "), and it is not known how much work was done: accept a new baseline, or add " \
	"load.work"

TEST(only_equal_windows_compare)
{
	static const struct {
		const char *metric; double before_s, now_s; bool attached, work; const char *reason;
	} cases[] = {
		{ "instructions", 5, 5, true, false, NULL },
		{ "instructions", 5, 5.04, true, false, NULL },
		{ "instructions", 0, 0, true, false, NULL },
		{ "instructions", 10, 5, true, false, WINDOW("5 s, the baseline's 10 s") },
		{ "instructions", 5, 5.06, true, false, WINDOW("5.06 s, the baseline's 5 s") },
		{ "instructions", 5, 0, true, false, WINDOW("none, the baseline's 5 s") },
		{ "instructions", 0, 2.5, true, false, WINDOW("2.5 s, the baseline's none") },
		{ "instructions", 10, 5, true, true, NULL },
		{ "instructions", 10, 5, false, false, NULL },
		{ "max-rss", 10, 5, true, false, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_attached(cases[i].metric);

		if (!cases[i].attached)
			fixture.s.head.attached = NULL;
		fixture.base.settings.window_s = cases[i].before_s;
		fixture.s.settings.window_s = cases[i].now_s;
		if (cases[i].work)
			measure_work(&fixture, cases[i].metric, 1e9, 1000, 1e9, 1000);
		else
			measure(&fixture, cases[i].metric, 1e9, 1e9);
		judge_settled(&fixture);
		assert_gate(&fixture, 0, cases[i].reason ? VERDICT_NOT_MEASURED : VERDICT_PASS, cases[i].reason);
		assert_int_equal(gate_judgement(&fixture.s.gates[0])->metric->of != NULL, cases[i].work);
	}
}

/* A printed metric keeps its direction after its scenario was released. */
TEST(printed_metrics_are_judged)
{
	static const struct { bool higher; double now; enum verdict verdict; } cases[] = {
		{ false, 20, VERDICT_REGRESSION }, { false, 5, VERDICT_IMPROVEMENT },
		{ true, 20, VERDICT_IMPROVEMENT }, { true, 5, VERDICT_REGRESSION },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_attached(NULL);
		struct arena arena = ARENA_INIT;
		struct gate gate = relative_gate(metric_custom(&arena, "score", "points", cases[i].higher), 10);

		scenario_result_add_gate(&fixture.s, &gate);
		arena_release(&arena);
		measure(&fixture, "score", 10, cases[i].now);
		measure(&fixture, "work", 1000, 1000);
		judge(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, NULL);
		assert_null(gate_judgement(&fixture.s.gates[0])->metric->of);
	}
}
