/* Gates get their verdicts and the words for them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "judge_fixture.h"

/* The single gate of a fixture on METRIC, judged. */
static void assert_alone(const char *metric, double before, double now, enum verdict verdict, const char *reason)
{
	CLEANUP(fixture_release) struct fixture fixture;

	fixture_open(&fixture);
	measure(&fixture, metric, before, now);
	add_gate(&fixture, metric);
	judge(&fixture);
	assert_gate(&fixture, 0, verdict, reason);
}

/* -------- against a baseline */

static void a_plain_pass_needs_no_words(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;
	const struct judgement *g;

	(void)state;
	fixture_open(&fixture);
	measure(&fixture, "instructions", 1e9, 1.001e9);
	add_gate(&fixture, "instructions");
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_PASS, NULL);
	g = gate_judgement(&fixture.s.gates[0]);
	assert_true(g->baseline == 1e9 && g->current == 1.001e9);
	assert_int_equal(g->n_baseline, RUNS);
	assert_int_equal(g->n_current, RUNS);
	assert_true(fabs(g->change_pct - 0.1) < 1e-9);
	assert_true(g->low_pct < g->change_pct && g->change_pct < g->high_pct);
	assert_false(g->ref.simulated);
}

static void verdicts_come_with_their_words(void **state)
{
	(void)state;
	assert_alone("instructions", 1e9, 1.01e9, VERDICT_REGRESSION, NULL);
	assert_alone("instructions", 1e9, 0.99e9, VERDICT_IMPROVEMENT, NULL);
	assert_alone("instructions", 1e9, 1.004e9, VERDICT_INCONCLUSIVE,
		     "the interval reaches beyond the tolerance; more runs or more sessions narrow it");
	assert_alone("task-clock", 100, 100, VERDICT_INCONCLUSIVE,
		     "a stored time cannot tell: the same program moves by 30 % between two hours on such a machine; "
		     "compare in pairs: pawl ab gzip --base-ref REF");
	assert_alone("page-faults", 100, 105, VERDICT_PASS, "the change is smaller than any that counts");
}

static void the_hypervisor_counts(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	replace(&fixture.here.hypervisor, NULL);
	measure(&fixture, "task-clock", 100, 118);
	add_gate(&fixture, "task-clock");
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE,
		    "a stored time cannot tell: the same program moves by 6 % between two hours on such a machine; "
		    "compare in pairs: pawl ab gzip --base-ref REF");
	/* The accepted commit is the base, unless nobody can have it again. */
	replace(&fixture.base.sessions[fixture.base.n_sessions - 1].commit, "5746a68c9297+dirty");
	judge(&fixture);
	assert_non_null(strstr(gate_judgement(&fixture.s.gates[0])->reason, "pawl ab gzip --base-ref REF"));
	replace(&fixture.base.sessions[fixture.base.n_sessions - 1].commit, "5746a68c9297");
	judge(&fixture);
	assert_non_null(strstr(gate_judgement(&fixture.s.gates[0])->reason, "pawl ab gzip --base-ref 5746a68c9297"));
}

/* There is one of it, so pairs are none. */
static void what_runs_already_has_no_command(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	fixture.s.attached = xstrdup("process 12");
	measure(&fixture, "task-clock", 100, 118);
	add_gate(&fixture, "task-clock");
	judge(&fixture);
	assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, VERDICT_INCONCLUSIVE);
	assert_non_null(strstr(gate_judgement(&fixture.s.gates[0])->reason, "; to compare in pairs, let a service of env: start it"));
}

static void too_few_runs_are_told(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	add_same(&fixture.base, "task-clock", 100, 4);
	set_runs(&fixture.s, "task-clock", 200, 3);
	add_gate(&fixture, "task-clock");
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_INCONCLUSIVE, "too few runs for an interval (3 against 4); measure at least 5");
}

/* What waits passes every gate on CPU time; only what that explains, or chance, is not told. */
static void waiting_is_told(void **state)
{
	static const struct {
		double wall_before, wall_now, clock_before, clock_now;
		const char *waits;
	} cases[] = {
		{ 60, 1060, 50, 52, "wall-time rose from 60.0 ms to 1.1 s, more than CPU time explains: it waits for something, or for "
				    "CPUs that others used; no gate judges it, a gate on wall-time would" },
		{ 100, 130, 50, 50, "wall-time rose from 100 ms to 130 ms, more than CPU time explains: it waits for something, or for "
				    "CPUs that others used; no gate judges it, a gate on wall-time would" },
		{ 100, 112, 50, 50, NULL },
		{ 100, 90, 50, 50, NULL },
		/* as much more CPU time; and as much in proportion, on a machine that is shared */
		{ 100, 200, 90, 185, NULL },
		{ 200, 400, 90, 180, NULL },
		{ 60, NAN, 50, 52, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open(&fixture);
		measure(&fixture, "wall-time", cases[i].wall_before, cases[i].wall_now);
		measure(&fixture, "task-clock", cases[i].clock_before, cases[i].clock_now);
		add_gate(&fixture, "task-clock");
		judge(&fixture);
		if (cases[i].waits ? !fixture.s.waits || strcmp(fixture.s.waits, cases[i].waits) : fixture.s.waits != NULL)
			fail_msg("case %zu: %s", i, fixture.s.waits ?: "(nothing)");
		judge_scenario(&fixture.s, &fixture.here, NULL);
		assert_null(fixture.s.waits);
	}
}

/* Runs that scatter are longer now and then. */
static void waiting_is_a_multiple_of_its_spread(void **state)
{
	static const double scattered[RUNS] = { 60, 75, 90, 62, 80, 70 };
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	add_to_session(&fixture.base, "wall-time", scattered, RUNS);
	set_runs(&fixture.s, "wall-time", 120, RUNS);
	judge(&fixture);
	assert_null(fixture.s.waits);
	set_runs(&fixture.s, "wall-time", 200, RUNS);
	judge(&fixture);
	assert_non_null(fixture.s.waits);
}

static void without_a_baseline_it_is_new(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	measure(&fixture, "task-clock", 100, 120);
	add_gate(&fixture, "task-clock");
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

static void another_class_compares_what_is_portable(void **state)
{
	static const struct {
		const char *part;
		enum tier tier;
		const char *reason;
	} cases[] = {
		{ "xeon-4cpu", TIER_HW,
		  "the baseline is of another machine class, x86_64-xeon-4cpu-hw; this is x86_64-epyc-4cpu-hw: accept a "
		  "baseline here" },
		{ "epyc-4cpu", TIER_SW,
		  "the baseline is of another machine class, x86_64-epyc-4cpu-sw; this is x86_64-epyc-4cpu-hw: accept a "
		  "baseline here" },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open(&fixture);
		replace(&fixture.base.machine.part, cases[i].part);
		fixture.base.machine.tier = cases[i].tier;
		measure_all(&fixture);
		judge(&fixture);
		for (size_t k = 0; k < 3; k++)
			assert_gate(&fixture, k, VERDICT_REGRESSION, NULL);
		for (size_t k = 3; k < 8; k++) {
			assert_gate(&fixture, k, VERDICT_NOT_MEASURED, cases[i].reason);
			assert_true(gate_judgement(&fixture.s.gates[k])->current == 2e9 && isnan(gate_judgement(&fixture.s.gates[k])->baseline));
		}
	}
}

static void another_architecture_compares_nothing(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	replace(&fixture.base.machine.arch, "aarch64");
	measure_all(&fixture);
	judge(&fixture);
	for (size_t i = 0; i < 8; i++)
		assert_gate(&fixture, i, VERDICT_NOT_MEASURED,
			    "the baseline is of another machine class, aarch64-epyc-4cpu-hw; this is x86_64-epyc-4cpu-hw: "
			    "accept a baseline here");
	assert_int_equal(fixture.s.explanation.n, 0);
}

/* Times of two CPUs have no difference that the program could explain. */
static void another_class_explains_no_times(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	measure(&fixture, "page-faults", 1000, 2000);
	measure(&fixture, "task-clock", 100, 200);
	measure(&fixture, "cpu-time", 100, 110);
	measure(&fixture, "instructions", 1e9, 2e9);
	measure(&fixture, "cycles", 1e9, 2e9);
	measure(&fixture, "user-time", 100, 200);
	measure(&fixture, "system-time", 100, 200);
	add_gate(&fixture, "page-faults");
	add_gate(&fixture, "task-clock");
	strv_push(&fixture.s.settings.command, "./other");
	judge(&fixture);
	assert_int_equal(fixture.s.explanation.n, 4);
	replace(&fixture.base.machine.part, "xeon-4cpu");
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION, NULL);
	assert_int_equal(fixture.s.explanation.n, 1);
	assert_string_equal(fixture.s.explanation.items[0], "the scenario changed since the baseline: its command differs");
}

/* -------- absolute limits */

static void budgets_need_no_baseline(void **state)
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
		/* an improvement that is still over */
		{ true, 20, NAN, 50, VERDICT_REGRESSION, VERDICT_REGRESSION, "over its absolute budget",
		  "there is no baseline yet; over its absolute budget" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;
		struct gate gate = relative_gate(metric_find("instructions"), 0.5);

		fixture_open(&fixture);
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

static void a_budget_holds_on_any_machine(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	replace(&fixture.base.machine.arch, "aarch64");
	measure(&fixture, "max-rss", 1e8, 2e8);
	add_gate(&fixture, "max-rss");
	fixture.s.gates[0].gate.max = 1.5e8;
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_REGRESSION,
		    "the baseline is of another machine class, aarch64-epyc-4cpu-hw; this is x86_64-epyc-4cpu-hw: "
		    "accept a baseline here; over its absolute budget");
	fixture.s.gates[0].gate.relative = false;
	fixture.s.gates[0].gate.max = 2e8;
	judge(&fixture);
	assert_gate(&fixture, 0, VERDICT_PASS, NULL);
}

static void required_gates_make_the_status(void **state)
{
	static const struct {
		bool required, strict, measured;
		int status;
	} cases[] = {
		{ true, false, false, STATUS_NOT_MEASURED }, { true, true, false, STATUS_NOT_MEASURED },
		{ false, false, false, STATUS_OK }, { false, true, false, STATUS_UNDECIDED },
		{ true, true, true, STATUS_OK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open(&fixture);
		measure(&fixture, "page-faults", 1000, 1000);
		if (cases[i].measured)
			measure(&fixture, "ipc", 2, 2);
		add_gate(&fixture, "ipc");
		fixture.s.gates[0].gate.required = cases[i].required;
		judge(&fixture);
		scenario_result_settle(&fixture.s, cases[i].strict);
		assert_int_equal(fixture.s.status, cases[i].status);
	}
}

/* -------- gates that know of each other */

static void ipc_may_fall_when_work_went(void **state)
{
	static const struct {
		double clock, instructions, cycles, min, max, ipc;
		enum verdict verdict;
		const char *reason;
	} cases[] = {
		/* of 2 before */
		{ 80, 6e8, 8e8, NAN, NAN, 1.5, VERDICT_PASS,
		  "IPC fell because cheap instructions went: 40.0 % fewer of them and 20.0 % less task-clock" },
		{ 80, 6e8, 8e8, 1.4, 3, 1.5, VERDICT_PASS,
		  "IPC fell because cheap instructions went: 40.0 % fewer of them and 20.0 % less task-clock" },
		{ 101, 6e8, 8e8, NAN, NAN, 1.5, VERDICT_REGRESSION, NULL },
		{ 80, 1e9, 8e8, NAN, NAN, 1.5, VERDICT_REGRESSION, NULL },
		{ 80, 6e8, 1.1e9, NAN, NAN, 1.5, VERDICT_REGRESSION, NULL },
		{ NAN, 6e8, 8e8, NAN, NAN, 1.5, VERDICT_REGRESSION, NULL },
		{ 80, NAN, 8e8, NAN, NAN, 1.5, VERDICT_REGRESSION, NULL },
		/* a limit is a limit */
		{ 80, 6e8, 8e8, 1.6, NAN, 1.5, VERDICT_REGRESSION, "under its absolute minimum" },
		{ 80, 6e8, 8e8, NAN, 2.1, 2.5, VERDICT_REGRESSION, "over its absolute budget" },
		/* nothing to forgive */
		{ 80, 6e8, 8e8, NAN, NAN, 2, VERDICT_PASS, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture;

		fixture_open(&fixture);
		measure(&fixture, "task-clock", 100, cases[i].clock);
		measure(&fixture, "instructions", 1e9, cases[i].instructions);
		measure(&fixture, "cycles", 1e9, cases[i].cycles);
		measure(&fixture, "ipc", 2, cases[i].ipc);
		add_gate(&fixture, "ipc");
		fixture.s.gates[0].gate.min = cases[i].min;
		fixture.s.gates[0].gate.max = cases[i].max;
		judge(&fixture);
		assert_gate(&fixture, 0, cases[i].verdict, cases[i].reason);
	}
}

static void judging_again_replaces(void **state)
{
	CLEANUP(fixture_release) struct fixture fixture;

	(void)state;
	fixture_open(&fixture);
	measure(&fixture, "instructions", 1e9, 2e9);
	measure(&fixture, "sim-instructions", 1e9, 2e9);
	add_gate(&fixture, "instructions");
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

static void what_moves_together_is_the_machine(void **state)
{
	static const struct {
		double changes[4];	/* of task-clock in percent; NAN: not compared; 99: no such gate */
		const char *note;
	} cases[] = {
		{ { 6, 10, 30, 5.1 }, "all 4 scenarios became slower together: suspect the machine, not the program" },
		{ { 6, 10, 30, NAN }, "all 3 scenarios became slower together: suspect the machine, not the program" },
		{ { 6, 99, 30, 7 }, "all 3 scenarios became slower together: suspect the machine, not the program" },
		{ { -6, -10, -30, -5.1 }, "all 4 scenarios became faster together: suspect the machine, not the program" },
		{ { 6, 10, 30, 5 }, NULL },
		{ { 6, 10, 30, -6 }, NULL },
		{ { 6, 10, NAN, NAN }, NULL },
		{ { NAN, NAN, NAN, NAN }, NULL },
		{ { 0, 0, 0, 0 }, NULL },
	};

	(void)state;
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

/* Who waits for a CPU takes longer, whatever the program does; what it uses of one is its own. */
static void a_busy_machine_excuses_waiting(void **state)
{
	static const struct {
		const char *metric;
		bool busy, attached, per_work;
		double max;
		enum verdict verdict;
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
	struct metric *p99 = metric_new_printed("p99", "ms", false), *heap = metric_new_printed("heap", "MiB", false);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(result_release) struct result result = { 0 };
		struct scenario_result *s = result_add_scenario(&result, "s");
		const struct metric *printed = strcmp(cases[i].metric, "heap") ? p99 : heap;
		struct gate gate = relative_gate(metric_find(cases[i].metric) ?: printed, 25);
		struct judgement *g;

		if (cases[i].busy)
			strv_push(&result.busy, "others used all CPUs");
		s->attached = cases[i].attached ? xstrdup("service web") : NULL;
		gate.max = cases[i].max;
		g = &scenario_result_add_gate(s, &gate)->stored;
		g->verdict = VERDICT_REGRESSION;
		g->current = 100;
		g->ref.per_work = cases[i].per_work;
		strv_push(&s->explanation, "the cause");
		strv_push(&s->explanation, "same executable");
		s->n_causes = 1;
		judge_together(&result);
		/* What is excused has no cause left. */
		assert_string_equal(s->explanation.items[0], g->verdict == VERDICT_INCONCLUSIVE ? "same executable" : "the cause");
		if (g->verdict != cases[i].verdict)
			fail_msg("%zu: %s: found %s", i, cases[i].metric, verdict_names[g->verdict]);
		if (g->verdict == VERDICT_INCONCLUSIVE)
			assert_string_equal(g->reason, "the machine was busy, which alone makes it worse: others used all CPUs; "
						       "measure again when it is quiet");
	}
	metric_free_event(p99);
	metric_free_event(heap);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_pass_needs_no_words),
		cmocka_unit_test(verdicts_come_with_their_words),
		cmocka_unit_test(the_hypervisor_counts),
		cmocka_unit_test(what_runs_already_has_no_command),
		cmocka_unit_test(too_few_runs_are_told),
		cmocka_unit_test(waiting_is_told),
		cmocka_unit_test(waiting_is_a_multiple_of_its_spread),
		cmocka_unit_test(without_a_baseline_it_is_new),
		cmocka_unit_test(another_class_compares_what_is_portable),
		cmocka_unit_test(another_architecture_compares_nothing),
		cmocka_unit_test(another_class_explains_no_times),
		cmocka_unit_test(budgets_need_no_baseline),
		cmocka_unit_test(a_budget_holds_on_any_machine),
		cmocka_unit_test(required_gates_make_the_status),
		cmocka_unit_test(ipc_may_fall_when_work_went),
		cmocka_unit_test(judging_again_replaces),
		cmocka_unit_test(what_moves_together_is_the_machine),
		cmocka_unit_test(a_busy_machine_excuses_waiting),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
