/* Gates get their verdicts and the words for them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "gate/judge.h"
#include "gate_samples.h"
#include "model/perfstat.h"

enum { RUNS = 6 };

/* A scenario that was measured here, and a baseline of the same machine. */
struct court {
	struct machine here;
	struct baseline base;
	struct scenario_result s;
};

static void court_release(struct court *court)
{
	machine_release(&court->here);
	baseline_release(&court->base);
	scenario_result_release(&court->s);
}

static void court_open(struct court *court)
{
	*court = (struct court){
		.here = {
			.arch = xstrdup("x86_64"), .part = xstrdup("epyc-4cpu"), .tier = TIER_HW, .hypervisor = xstrdup("kvm"),
		},
		.s = { .state = SCENARIO_MEASURED, .runs_wanted = 15 },
	};
	machine_copy(&court->base.machine, &court->here);
	add_session(&court->base);
}

static void replace(char **text, const char *with)
{
	free(*text);
	*text = xstrdup(with);
}

/* METRIC was BEFORE and is NOW, in every run; NAN: not measured. */
static void measure(struct court *court, const char *metric, double before, double now)
{
	add_same(&court->base, metric, before, RUNS);
	set_runs(&court->s, metric, now, RUNS);
}

/* The index of a new gate on METRIC, with its own tolerance; for gate_at(). */
static size_t add_gate(struct court *court, const char *metric)
{
	struct gate gate = relative_gate(metric_find(metric), metric_find(metric)->stored_tolerance_pct);

	scenario_result_add_gate(&court->s, &gate);
	return court->s.n_gates - 1;
}

static void judge(struct court *court)
{
	judge_scenario(&court->s, &court->here, &court->base);
}

static void assert_gate(const struct court *court, size_t i, enum verdict verdict, const char *reason)
{
	const struct gate_result *g = &court->s.gates[i];

	if (g->verdict != verdict || (reason ? !g->reason || strcmp(g->reason, reason) : g->reason != NULL))
		fail_msg("%s: expected %s: %s\nfound %s: %s", g->gate.metric->name, verdict_name(verdict),
			 reason ?: "(nothing)", verdict_name(g->verdict), g->reason ?: "(nothing)");
}

/* The single gate of a court on METRIC, judged. */
static void assert_alone(const char *metric, double before, double now, enum verdict verdict, const char *reason)
{
	CLEANUP(court_release) struct court court;

	court_open(&court);
	measure(&court, metric, before, now);
	add_gate(&court, metric);
	judge(&court);
	assert_gate(&court, 0, verdict, reason);
}

/* -------- against a baseline */

static void a_plain_pass_needs_no_words(void **state)
{
	CLEANUP(court_release) struct court court;
	const struct gate_result *g;

	(void)state;
	court_open(&court);
	measure(&court, "instructions", 1e9, 1.001e9);
	add_gate(&court, "instructions");
	judge(&court);
	assert_gate(&court, 0, VERDICT_PASS, NULL);
	g = &court.s.gates[0];
	assert_true(g->baseline == 1e9 && g->current == 1.001e9);
	assert_int_equal(g->n_baseline, RUNS);
	assert_int_equal(g->n_current, RUNS);
	assert_true(fabs(g->change_pct - 0.1) < 1e-9);
	assert_true(g->low_pct < g->change_pct && g->change_pct < g->high_pct);
	assert_false(g->simulated);
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
		     "measure the base commit here and now to be sure");
	assert_alone("page-faults", 100, 105, VERDICT_PASS, "the change is smaller than any that counts");
}

static void the_hypervisor_counts(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	replace(&court.here.hypervisor, NULL);
	measure(&court, "task-clock", 100, 118);
	add_gate(&court, "task-clock");
	judge(&court);
	assert_gate(&court, 0, VERDICT_INCONCLUSIVE,
		    "a stored time cannot tell: the same program moves by 6 % between two hours on such a machine; "
		    "measure the base commit here and now to be sure");
}

static void too_few_runs_are_told(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	add_same(&court.base, "task-clock", 100, 4);
	set_runs(&court.s, "task-clock", 900, 3);
	add_gate(&court, "task-clock");
	judge(&court);
	assert_gate(&court, 0, VERDICT_INCONCLUSIVE, "too few runs for an interval (3 against 4); measure at least 5");
}

static void without_a_baseline_it_is_new(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	measure(&court, "task-clock", 100, 120);
	add_gate(&court, "task-clock");
	judge_scenario(&court.s, &court.here, NULL);
	assert_gate(&court, 0, VERDICT_NEW, "there is no baseline yet");
	assert_true(court.s.gates[0].current == 120);
	assert_int_equal(court.s.gates[0].n_current, RUNS);
	assert_true(isnan(court.s.gates[0].baseline) && isnan(court.s.gates[0].change_pct));
	assert_int_equal(court.s.explanation.n, 0);
}

/* -------- another machine */

static const char *const everywhere[] = { "page-faults", "voluntary-switches", "sim-instructions" };
static const char *const here_only[] = { "task-clock", "instructions", "max-rss", "ipc", "branch-miss-rate" };

static void measure_all(struct court *court)
{
	for (size_t i = 0; i < 3; i++) {
		measure(court, everywhere[i], 1e6, 2e6);
		add_gate(court, everywhere[i]);
	}
	for (size_t i = 0; i < 5; i++) {
		measure(court, here_only[i], 1e9, 2e9);
		add_gate(court, here_only[i]);
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
		CLEANUP(court_release) struct court court;

		court_open(&court);
		replace(&court.base.machine.part, cases[i].part);
		court.base.machine.tier = cases[i].tier;
		measure_all(&court);
		judge(&court);
		for (size_t k = 0; k < 3; k++)
			assert_gate(&court, k, VERDICT_REGRESSION, NULL);
		for (size_t k = 3; k < 8; k++) {
			assert_gate(&court, k, VERDICT_NOT_MEASURED, cases[i].reason);
			assert_true(court.s.gates[k].current == 2e9 && isnan(court.s.gates[k].baseline));
		}
	}
}

static void another_architecture_compares_nothing(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	replace(&court.base.machine.arch, "aarch64");
	measure_all(&court);
	judge(&court);
	for (size_t i = 0; i < 8; i++)
		assert_gate(&court, i, VERDICT_NOT_MEASURED,
			    "the baseline is of another machine class, aarch64-epyc-4cpu-hw; this is x86_64-epyc-4cpu-hw: "
			    "accept a baseline here");
	assert_int_equal(court.s.explanation.n, 0);
}

/* Times of two CPUs have no difference that the program could explain. */
static void another_class_explains_no_times(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	measure(&court, "page-faults", 1000, 2000);
	measure(&court, "task-clock", 100, 200);
	measure(&court, "cpu-time", 100, 110);
	measure(&court, "instructions", 1e9, 2e9);
	measure(&court, "cycles", 1e9, 2e9);
	measure(&court, "user-time", 100, 200);
	measure(&court, "system-time", 100, 200);
	add_gate(&court, "page-faults");
	add_gate(&court, "task-clock");
	strv_push(&court.s.settings.command, "./other");
	judge(&court);
	assert_int_equal(court.s.explanation.n, 4);
	replace(&court.base.machine.part, "xeon-4cpu");
	judge(&court);
	assert_gate(&court, 0, VERDICT_REGRESSION, NULL);
	assert_int_equal(court.s.explanation.n, 1);
	assert_string_equal(court.s.explanation.items[0], "the scenario changed since the baseline: its command differs");
}

/* -------- no value */

static void what_the_machine_cannot_count_is_told(void **state)
{
	static const struct {
		const char *metric;
		enum tier tier;
		const char *tier_reason, *expected;
	} cases[] = {
		{ "ipc", TIER_SW, "this virtual machine has no counters", "this virtual machine has no counters" },
		{ "instructions", TIER_SW, "this virtual machine has no counters",
		  "this virtual machine has no counters; install valgrind and pawl simulates it" },
		{ "branch-miss-rate", TIER_SIM, NULL,
		  "this machine has no hardware counters; install valgrind and pawl simulates it" },
		{ "cycles", TIER_SW_USER, NULL, "this machine has no hardware counters" },
		{ "sim-instructions", TIER_HW, NULL, "no simulation ran; valgrind is not installed" },
		{ "sim-branch-miss-rate", TIER_SW, "none", "no simulation ran; valgrind is not installed" },
		{ "task-clock", TIER_SIM, NULL, "perf is not used" },
		{ "task-clock", TIER_SIM, "perf is not installed", "perf is not installed" },
		{ "ipc", TIER_HW, "only that", "no run gave a value" },
		{ "task-clock", TIER_SW, "no counters", "no run gave a value" },
		{ "wall-time", TIER_SW, "no counters", "no run gave a value" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(court_release) struct court court;

		court_open(&court);
		court.here.tier = court.base.machine.tier = cases[i].tier;
		court.here.tier_reason = xstrdup(cases[i].tier_reason);
		measure(&court, "page-faults", 1000, 1000);
		add_same(&court.base, cases[i].metric, 1, RUNS);
		add_gate(&court, cases[i].metric);
		judge(&court);
		assert_gate(&court, 0, VERDICT_NOT_MEASURED, cases[i].expected);
		assert_true(isnan(court.s.gates[0].current));
		assert_int_equal(court.s.gates[0].n_current, 0);
	}
}

static void add_rows(struct court *court, const char *csv)
{
	struct error err = ERROR_INIT;

	if (perfstat_parse(csv, strlen(csv), PERFSTAT_SEPARATOR, &scenario_result_add_run(&court->s)->rows, &err) < 0)
		fail_msg("%s", err.msg);
}

#define PART "the event was counted only part of the time, so perf's value is an extrapolation"
#define NEVER_COUNTED \
	"the event was never counted: the target ended before its turn, or too many events share the counters"
#define UNSUPPORTED "this machine does not support the event"

static void perf_says_best_why(void **state)
{
	static const struct {
		const char *metric, *first, *last, *expected;
	} cases[] = {
		{ "cycles", "1;;cycles;1;53.00;;\n", "1;;cycles;1;53.00;;\n", PART },
		{ "cycles", "<not counted>;;cycles;0;0.00;;\n", "1;;cycles;1;53.00;;\n", PART },
		{ "cycles", "1;;cycles;1;53.00;;\n", "<not counted>;;cycles;0;0.00;;\n", NEVER_COUNTED },
		/* the last run that asked for it: other passes do not */
		{ "cycles", "1;;cycles;1;53.00;;\n", "1;;branches;1;100.00;;\n", PART },
		/* of two parts the one that is missing, whichever it is */
		{ "ipc", "1;;instructions;1;100.00;;\n<not supported>;;cycles;0;100.00;;\n", "", UNSUPPORTED },
		{ "ipc", "<not counted>;;instructions;0;0.00;;\n1;;cycles;1;100.00;;\n", "", NEVER_COUNTED },
		{ "cycles-per-second", "1;msec;task-clock;1;100.00;;\n1;;cycles;1;20.00;;\n", "", PART },
		{ "cycles", "", "1;;branches;1;100.00;;\n", "no run gave a value" },
		{ "task-clock", "<not supported>;msec;task-clock;0;100.00;;\n", "", UNSUPPORTED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(court_release) struct court court;

		court_open(&court);
		add_rows(&court, cases[i].first);
		add_rows(&court, cases[i].last);
		add_gate(&court, cases[i].metric);
		judge(&court);
		assert_gate(&court, 0, VERDICT_NOT_MEASURED, cases[i].expected);
	}
}

static void a_baseline_may_lack_the_metric(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	set_runs(&court.s, "ipc", 2, RUNS);
	add_gate(&court, "ipc");
	judge(&court);
	assert_gate(&court, 0, VERDICT_NOT_MEASURED, "the baseline has no value of ipc; accept a new one");
	assert_true(court.s.gates[0].current == 2);
}

static void unfinished_scenarios_are_not_judged(void **state)
{
	static const struct {
		enum scenario_state state;
		size_t runs;
		const char *expected;
	} cases[] = {
		{ SCENARIO_FAILED, 6, "the scenario failed" },
		{ SCENARIO_FAILED, 0, "the scenario failed" },
		{ SCENARIO_PARTIAL, 6, "interrupted after 6 of 15 runs" },
		{ SCENARIO_SKIPPED, 0, "interrupted after 0 of 15 runs" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(court_release) struct court court;

		court_open(&court);
		court.s.state = cases[i].state;
		add_same(&court.base, "instructions", 1e9, RUNS);
		if (cases[i].runs)
			set_runs(&court.s, "instructions", 2e9, cases[i].runs);
		add_gate(&court, "instructions");
		/* Not even a limit that is far exceeded: half a measurement proves nothing. */
		court.s.gates[0].gate.max = 1;
		strv_push(&court.s.settings.command, "./other");
		judge(&court);
		assert_gate(&court, 0, VERDICT_NOT_MEASURED, cases[i].expected);
		assert_int_equal(court.s.explanation.n, 0);
	}
}

/* -------- simulated values */

static void counted_values_come_before_simulated_ones(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	measure(&court, "instructions", 1e9, 1e9);
	measure(&court, "sim-instructions", 5e8, 6e8);
	add_gate(&court, "instructions");
	judge(&court);
	assert_gate(&court, 0, VERDICT_PASS, NULL);
	assert_false(court.s.gates[0].simulated);
	assert_true(court.s.gates[0].baseline == 1e9);
}

static void a_twin_stands_in_and_is_labelled(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	court.here.tier = court.base.machine.tier = TIER_SW;
	measure(&court, "instructions", 1e9, NAN);
	measure(&court, "sim-instructions", 5e8, 6e8);
	add_gate(&court, "instructions");
	add_gate(&court, "sim-instructions");
	judge(&court);
	for (size_t i = 0; i < 2; i++) {
		assert_gate(&court, i, VERDICT_REGRESSION, NULL);
		assert_true(court.s.gates[i].simulated);
		assert_true(court.s.gates[i].baseline == 5e8 && court.s.gates[i].current == 6e8);
	}
}

/* A counted baseline says nothing of a simulated value. */
static void a_twin_is_compared_with_its_own_kind(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	add_same(&court.base, "instructions", 6e8, RUNS);
	set_runs(&court.s, "sim-instructions", 6e8, 1);
	add_gate(&court, "instructions");
	judge(&court);
	assert_gate(&court, 0, VERDICT_NOT_MEASURED, "the baseline has no value of sim-instructions; accept a new one");
	assert_true(court.s.gates[0].simulated);
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
		CLEANUP(court_release) struct court court;
		struct gate gate = relative_gate(metric_find("instructions"), 0.5);

		court_open(&court);
		measure(&court, "instructions", 100, cases[i].now);
		gate.relative = cases[i].relative;
		gate.max = cases[i].max;
		gate.min = cases[i].min;
		scenario_result_add_gate(&court.s, &gate);
		judge(&court);
		assert_gate(&court, 0, cases[i].with, cases[i].reason_with);
		judge_scenario(&court.s, &court.here, NULL);
		assert_gate(&court, 0, cases[i].without, cases[i].reason_without);
		assert_true(court.s.gates[0].current == cases[i].now);
	}
}

static void a_budget_holds_on_any_machine(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	replace(&court.base.machine.arch, "aarch64");
	measure(&court, "max-rss", 1e8, 2e8);
	add_gate(&court, "max-rss");
	court.s.gates[0].gate.max = 1.5e8;
	judge(&court);
	assert_gate(&court, 0, VERDICT_REGRESSION,
		    "the baseline is of another machine class, aarch64-epyc-4cpu-hw; this is x86_64-epyc-4cpu-hw: "
		    "accept a baseline here; over its absolute budget");
	court.s.gates[0].gate.relative = false;
	court.s.gates[0].gate.max = 2e8;
	judge(&court);
	assert_gate(&court, 0, VERDICT_PASS, NULL);
}

static void required_gates_make_the_status(void **state)
{
	static const struct {
		bool required, strict, measured;
		int status;
	} cases[] = {
		{ true, false, false, STATUS_NOT_MEASURED }, { true, true, false, STATUS_NOT_MEASURED },
		{ false, false, false, STATUS_OK }, { false, true, false, STATUS_DOUBTFUL },
		{ true, true, true, STATUS_OK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(court_release) struct court court;

		court_open(&court);
		measure(&court, "page-faults", 1000, 1000);
		if (cases[i].measured)
			measure(&court, "ipc", 2, 2);
		add_gate(&court, "ipc");
		court.s.gates[0].gate.required = cases[i].required;
		judge(&court);
		scenario_result_settle(&court.s, cases[i].strict);
		assert_int_equal(court.s.status, cases[i].status);
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
		CLEANUP(court_release) struct court court;

		court_open(&court);
		measure(&court, "task-clock", 100, cases[i].clock);
		measure(&court, "instructions", 1e9, cases[i].instructions);
		measure(&court, "cycles", 1e9, cases[i].cycles);
		measure(&court, "ipc", 2, cases[i].ipc);
		add_gate(&court, "ipc");
		court.s.gates[0].gate.min = cases[i].min;
		court.s.gates[0].gate.max = cases[i].max;
		judge(&court);
		assert_gate(&court, 0, cases[i].verdict, cases[i].reason);
	}
}

static void judging_again_replaces(void **state)
{
	CLEANUP(court_release) struct court court;

	(void)state;
	court_open(&court);
	measure(&court, "instructions", 1e9, 2e9);
	measure(&court, "sim-instructions", 1e9, 2e9);
	add_gate(&court, "instructions");
	judge(&court);
	judge(&court);
	assert_gate(&court, 0, VERDICT_REGRESSION, NULL);
	assert_int_equal(court.s.explanation.n, 1);
	judge_scenario(&court.s, &court.here, NULL);
	assert_gate(&court, 0, VERDICT_NEW, "there is no baseline yet");
	assert_true(isnan(court.s.gates[0].baseline) && isnan(court.s.gates[0].low_pct));
	assert_int_equal(court.s.gates[0].n_baseline, 0);
	assert_int_equal(court.s.explanation.n, 0);
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

			scenario_result_add_gate(s, &gate)->change_pct = cases[i].changes[k];
		}
		judge_together(&result);
		assert_int_equal(result.notes.n, cases[i].note != NULL);
		if (cases[i].note)
			assert_string_equal(result.notes.items[0], cases[i].note);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_pass_needs_no_words),
		cmocka_unit_test(verdicts_come_with_their_words),
		cmocka_unit_test(the_hypervisor_counts),
		cmocka_unit_test(too_few_runs_are_told),
		cmocka_unit_test(without_a_baseline_it_is_new),
		cmocka_unit_test(another_class_compares_what_is_portable),
		cmocka_unit_test(another_architecture_compares_nothing),
		cmocka_unit_test(another_class_explains_no_times),
		cmocka_unit_test(what_the_machine_cannot_count_is_told),
		cmocka_unit_test(perf_says_best_why),
		cmocka_unit_test(a_baseline_may_lack_the_metric),
		cmocka_unit_test(unfinished_scenarios_are_not_judged),
		cmocka_unit_test(counted_values_come_before_simulated_ones),
		cmocka_unit_test(a_twin_stands_in_and_is_labelled),
		cmocka_unit_test(a_twin_is_compared_with_its_own_kind),
		cmocka_unit_test(budgets_need_no_baseline),
		cmocka_unit_test(a_budget_holds_on_any_machine),
		cmocka_unit_test(required_gates_make_the_status),
		cmocka_unit_test(ipc_may_fall_when_work_went),
		cmocka_unit_test(judging_again_replaces),
		cmocka_unit_test(what_moves_together_is_the_machine),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
