#include "unit.h"

#include "judge/explain.h"
#include "judge/symbol_rule.h"
#include "gate_samples.h"
#include "judge_fixture.h"
#include "model/cost.h"
#include "profile_samples.h"

/* -------- explanations of a change, and changes too small to explain */

enum { VALUES_MAX = 6 };

/* A metric of base and head; NAN: not measured. */
struct value {
	const char *metric;
	double before, now;
};

struct pair {
	struct baseline base;
	struct scenario_result scenario;
};

static void pair_release(struct pair *pair)
{
	baseline_release(&pair->base);
	scenario_result_release(&pair->scenario);
}

/* Fills PAIR with VALUES in three runs per side, and a task-clock gate of 25 % with VERDICT. */
static void pair_make(struct pair *pair, const struct value values[VALUES_MAX], enum verdict verdict)
{
	struct gate gate = relative_gate(metric_find("task-clock"), 25);

	*pair = (struct pair){ 0 };
	add_session(&pair->base);
	for (size_t i = 0; i < VALUES_MAX && values[i].metric; i++) {
		add_same(&pair->base, values[i].metric, values[i].before, 3);
		set_runs(&pair->scenario, values[i].metric, values[i].now, 3);
	}
	scenario_result_add_gate(&pair->scenario, &gate)->stored.verdict = verdict;
}

static void assert_lines(const struct scenario_result *s, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < s->explanation.n; i++)
		strbuf_addf(&text, "%s\n", s->explanation.items[i]);
	assert_string_equal(text.buf, expected);
}

struct explained {
	struct value values[VALUES_MAX];
	const char *expected;
};

static void assert_explained(const struct explained *cases, size_t n, enum verdict verdict)
{
	for (size_t i = 0; i < n; i++) {
		CLEANUP(pair_release) struct pair pair;

		pair_make(&pair, cases[i].values, verdict);
		explain_scenario(&pair.scenario, &pair.base, true);
		assert_lines(&pair.scenario, cases[i].expected);
	}
}

static const struct value none[VALUES_MAX] = { { NULL, 0, 0 } };

TEST(the_parts_make_up_the_whole)
{
	static const struct explained cases[] = {
		/* 1.3 = 1.1 (more instructions) x 1.2 / 1.1 (more cycles each) x 1.3 / 1.2 (more time per cycle) */
		{ { { "task-clock", 100, 130 }, { "instructions", 1e9, 1.1e9 }, { "cycles", 5e8, 6e8 } },
		  "task-clock +30.0 % is made of: +10.0 % instructions (more work), +9.1 % cycles per instruction "
		  "(worse IPC), +8.3 % time per cycle (slower clock)\n" },
		{ { { "task-clock", 100, 76 }, { "instructions", 1e9, 0.9e9 }, { "cycles", 5e8, 4e8 } },
		  "task-clock -24.0 % is made of: -10.0 % instructions (less work), -11.1 % cycles per instruction "
		  "(better IPC), -5.0 % time per cycle (faster clock)\n" },
		{ { { "task-clock", 100, 150 }, { "instructions", 1e9, 1.5e9 }, { "cycles", 5e8, 7.5e8 } },
		  "task-clock +50.0 % is made of: +50.0 % instructions (more work)\n" },
		{ { { "task-clock", 100, 150 }, { "instructions", 1e9, 1e9 }, { "cycles", 5e8, 7.5e8 } },
		  "task-clock +50.0 % is made of: +50.0 % cycles per instruction (worse IPC)\n" },
		{ { { "task-clock", 100, 150 }, { "instructions", 1e9, 1.001e9 }, { "cycles", 5e8, 5.005e8 } },
		  "task-clock +50.0 % is made of: +49.9 % time per cycle (slower clock)\n" },
		/* no explanation: a part is unknown, the total is too small, or every part is too small */
		{ { { "task-clock", 100, 150 }, { "instructions", 1e9, 1.5e9 } }, "" },
		{ { { "task-clock", 100, 150 }, { "instructions", 1e9, 1.5e9 }, { "cycles", NAN, 1e9 } }, "" },
		{ { { "task-clock", 100, 100.4 }, { "instructions", 1e9, 1.5e9 }, { "cycles", 5e8, 7.5e8 } }, "" },
		{ { { "task-clock", 100, 100.9 }, { "instructions", 1e9, 1.003e9 }, { "cycles", 5e8, 5.03e8 } }, "" },
		{ { { "task-clock", 0, 100 }, { "instructions", 1e9, 1.5e9 }, { "cycles", 5e8, 7.5e8 } }, "" },
	};

	assert_explained(cases, sizeof cases / sizeof cases[0], VERDICT_REGRESSION);
}

TEST(other_words_come_where_they_help)
{
	static const struct explained cases[] = {
		{ { { "user-time", 100, 120 }, { "system-time", 20, 15 } },
		  "CPU time per run: user +20.0 ms, system -5.00 ms\n" },
		{ { { "user-time", 100, 120 } }, "" },
		{ { { "user-time", 100, 100.04 }, { "system-time", 20, 19.96 } }, "" },
		{ { { "user-time", 100, 100.06 }, { "system-time", 20, 20 } },
		  "CPU time per run: user +60.0 us, system +0 ms\n" },
		{ { { "sim-instructions", 1e9, 1.02e9 } }, "instructions (simulated) +2.0 %: the program does more work\n" },
		{ { { "sim-instructions", 1e9, 0.98e9 } }, "instructions (simulated) -2.0 %: the program does less work\n" },
		{ { { "sim-instructions", 1e9, 1.004e9 } }, "" },

		/* steal: the part of task-clock beyond user and system time, if larger than the tolerance */
		{ { { "task-clock", 100, 130 }, { "cpu-time", 100, 103 } },
		  "task-clock rose by +30.0 %, user and system time only by +3.0 %: the rest is steal, time the hypervisor "
		  "gave to others\n" },
		{ { { "task-clock", 100, 130 }, { "cpu-time", 100, 104.1 } }, "" },
		{ { { "task-clock", 100, 130 } }, "" },
		/* task-clock did not rise */
		{ { { "task-clock", 100, 95 }, { "cpu-time", 100, 60 } }, "" },
	};

	assert_explained(cases, sizeof cases / sizeof cases[0], VERDICT_IMPROVEMENT);
}

/* Windows whose loads did 1000 and 2000 requests. Totals over a window explain nothing. */
TEST(work_is_explained_per_unit_of_it)
{
	static const struct value values[VALUES_MAX] = {
		{ "task-clock", 100, 100 }, { "instructions", 1e9, 1e9 }, { "work", 1000, 2000 },
	};
	static const struct { struct value values[VALUES_MAX]; const char *unit, *expected; } cases[] = {
		{ { { "task-clock-per-work", 0.1, 0.15 }, { "instructions-per-work", 1e6, 1.5e6 },
		    { "cycles-per-work", 5e5, 7.5e5 } },
		  "request", "task-clock per request +50.0 % is made of: +50.0 % instructions (more work)\n" },
		{ { { "task-clock-per-work", 0.1, 0.15 }, { "cpu-time-per-work", 0.1, 0.101 } },
		  NULL,
		  "task-clock per unit of work rose by +50.0 %, user and system time only by +1.0 %: the rest is steal, time "
		  "the hypervisor gave to others\n" },
		{ { { "user-time-per-work", 0.01, 0.0125 }, { "system-time-per-work", 0.002, 0.0019 } },
		  "request", "CPU time per request: user +2.50 us, system -100 ns\n" },
		{ { { "user-time-per-work", 1e-4, 4e-4 }, { "system-time-per-work", 2e-4, 1e-4 } },
		  "query", "CPU time per query: user +300 ns, system -100 ns\n" },
		{ { { "user-time-per-work", 10, 12 }, { "system-time-per-work", 2, 2 } },
		  "query", "CPU time per query: user +2.00 ms, system +0 ms\n" },
		/* 0.02 ms in the whole window */
		{ { { "user-time-per-work", 0.01, 0.01001 }, { "system-time-per-work", 0.002, 0.002 } }, "request", "" },
		/* the baseline does not contain the amount of work */
		{ { { "user-time", 1, 2 }, { "system-time", 1, 2 } }, "request", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(pair_release) struct pair pair;

		pair_make(&pair, values, VERDICT_REGRESSION);
		for (size_t k = 0; k < VALUES_MAX && cases[i].values[k].metric; k++) {
			add_same(&pair.base, cases[i].values[k].metric, cases[i].values[k].before, 3);
			set_runs(&pair.scenario, cases[i].values[k].metric, cases[i].values[k].now, 3);
		}
		pair.scenario.head.attached = "service x (pid 1)";
		pair.scenario.head.work_unit = cases[i].unit;
		explain_scenario(&pair.scenario, &pair.base, true);
		assert_lines(&pair.scenario, cases[i].expected);
	}
}

TEST(only_a_change_is_explained)
{
	static const struct { enum verdict verdict; bool explained; } cases[] = {
		{ VERDICT_PASS, false }, { VERDICT_REGRESSION, true }, { VERDICT_IMPROVEMENT, true },
		{ VERDICT_INCONCLUSIVE, false }, { VERDICT_NOT_MEASURED, false }, { VERDICT_NEW, false },
		{ VERDICT_ACCEPTED, false },
	};
	static const struct value values[VALUES_MAX] = { { "sim-instructions", 1e9, 1.02e9 } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(pair_release) struct pair pair;

		pair_make(&pair, values, cases[i].verdict);
		explain_scenario(&pair.scenario, &pair.base, true);
		assert_int_equal(pair.scenario.explanation.n, cases[i].explained);
	}
}

/* Times of two different CPUs are not explained. The note on the executable remains. */
TEST(numbers_of_another_class_are_not_explained)
{
	static const struct value values[VALUES_MAX] = {
		{ "task-clock", 100, 150 }, { "instructions", 1e9, 1.5e9 }, { "cycles", 5e8, 7.5e8 }, { "cpu-time", 1, 1 },
		{ "user-time", 100, 120 }, { "system-time", 20, 15 },
	};
	CLEANUP(pair_release) struct pair pair;

	pair_make(&pair, values, VERDICT_REGRESSION);
	pair.base.sessions[0].executable = "fnv1a:1";
	pair.scenario.head.executable = "fnv1a:1";
	explain_scenario(&pair.scenario, &pair.base, false);
	assert_lines(&pair.scenario, "same executable as the baseline's (fnv1a:1): look at its input, its libraries or the "
				     "machine\n");
}

TEST(the_same_bytes_are_noted)
{
	static const char id[] = "build-id:0123456789abcdef0123456789abcdef";
	static const struct { const char *before, *now; enum verdict verdict; const char *expected; } cases[] = {
		{ id, id, VERDICT_PASS, "same executable as the baseline's (build-id:0123456789abcde)\n" },
		{ id, id, VERDICT_IMPROVEMENT, "same executable as the baseline's (build-id:0123456789abcde)\n" },
		{ id, id, VERDICT_REGRESSION,
		  "same executable as the baseline's (build-id:0123456789abcde): look at its input, its libraries or the "
		  "machine\n" },
		{ id, "fnv1a:1", VERDICT_REGRESSION, "" },
		{ NULL, id, VERDICT_REGRESSION, "" }, { id, NULL, VERDICT_REGRESSION, "" },
		{ NULL, NULL, VERDICT_REGRESSION, "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(pair_release) struct pair pair;

		pair_make(&pair, none, cases[i].verdict);
		/* An older session does not count. */
		pair.base.sessions[0].executable = "fnv1a:1";
		add_session(&pair.base);
		pair.base.sessions[1].executable = cases[i].before;
		pair.scenario.head.executable = cases[i].now;
		explain_scenario(&pair.scenario, &pair.base, true);
		assert_lines(&pair.scenario, cases[i].expected);
	}
}

TEST(a_changed_scenario_is_noted)
{
	CLEANUP(pair_release) struct pair pair;

	pair_make(&pair, none, VERDICT_PASS);
	arena_push(&pair.scenario.arena, &pair.scenario.settings.events, "cache-misses");
	explain_scenario(&pair.scenario, &pair.base, true);
	arena_push(&pair.scenario.arena, &pair.scenario.settings.command, "./other");
	explain_scenario(&pair.scenario, &pair.base, true);
	assert_lines(&pair.scenario, "the scenario changed since the baseline: its events differ\n"
				     "the scenario changed since the baseline: its command differs\n");
}

TEST(a_baseline_without_sessions_is_fine)
{
	struct baseline empty = { 0 };
	CLEANUP(pair_release) struct pair pair;

	pair_make(&pair, none, VERDICT_REGRESSION);
	pair.scenario.head.executable = "fnv1a:1";
	explain_scenario(&pair.scenario, &empty, true);
	assert_lines(&pair.scenario, "");
}

TEST(changes_are_of_medians)
{
	static const double before[] = { 1, 100, 100 }, now[] = { 200, 900, 200 };
	CLEANUP(baseline_release) struct baseline base = { 0 };
	CLEANUP(scenario_result_release) struct scenario_result s = { 0 };

	add_session(&base);
	add_to_session(&base, "task-clock", before, 3);
	add_to_session(&base, "major-faults", (const double[]){ 0 }, 1);
	set_runs(&s, "task-clock", 0, 3);
	set_runs(&s, "major-faults", 3, 3);
	for (size_t i = 0; i < 3; i++)
		measured_set(&s.head, &s.head.runs[i], METRIC(TASK_CLOCK), now[i]);
	assert_true(fabs(explain_change(&s, &base, metric_find("task-clock")) - log(2)) < 1e-12);
	assert_true(isnan(explain_change(&s, &base, metric_find("cycles"))));
	assert_true(isnan(explain_change(&s, &base, metric_find("major-faults"))));
}

/* If a cause is known, the rougher explanation moves to the evidence. Otherwise it stays. */
TEST(causes_take_the_place_of_rough_lines)
{
	static const struct value values[VALUES_MAX] = { { "task-clock", 100, 200 }, { "user-time", 50, 150 }, { "system-time", 50, 50 },
							 { "cpu-time", 100, 110 }, { "sim-instructions", 100, 150 } };
	static const char steal[] = "task-clock rose by +100.0 %, user and system time only by +10.0 %: the rest is steal, time the "
				    "hypervisor gave to others\n";

	for (int known = 0; known < 2; known++) {
		CLEANUP(pair_release) struct pair pair;
		struct scenario_result *s = &pair.scenario;
		struct cause cause = { .function = "f", .sentence = "f costs more" };

		pair_make(&pair, values, VERDICT_REGRESSION);
		explain_scenario(s, &pair.base, true);
		arena_push(&s->arena, &s->evidence, "what was found");
		s->causes = &cause;
		s->n_causes = (size_t)known;
		assert_int_equal(s->explanation.n, 3);
		explain_by_causes(s);
		assert_int_equal(s->explanation.n, known ? 1 : 3);
		if (known)
			assert_lines(s, steal);
		assert_int_equal(s->evidence.n, known ? 3 : 1);
		assert_string_equal(s->evidence.items[0], "what was found");
	}
}

/* -------- attribute */

static void profile_both(struct fixture *fixture, const char *before, const char *now)
{
	profile_fill(&fixture->base.profile, 3000, 3, before);
	profile_fill(&fixture->s.head.profile, 3000, 3, now);
}

/* Compares the lines of the explanation that begin with a metric. */
static void assert_attributed(const struct fixture *fixture, const char *name, const char *const *want)
{
	size_t found = 0;

	for (size_t i = 0; i < fixture->s.explanation.n; i++) {
		const char *line = fixture->s.explanation.items[i];

		if (strncmp(line, "task-clock: ", 12) && strncmp(line, "wall-time: ", 11) && strncmp(line, "instructions: ", 14) && strncmp(line, "cycles: ", 8))
			continue;
		if (!want[found] || strcmp(line, want[found]))
			fail_msg("%s: found '%s', expected '%s'", name, line, want[found] ?: "(nothing)");
		found++;
	}
	if (want[found])
		fail_msg("%s: missing '%s'", name, want[found]);
}

static const struct {
	const char *name;
	struct value values[VALUES_MAX];	/* with "work": of an attached target */
	const char *gates[3];
	const char *before, *now;		/* NULL: no profile */
	const char *lines[3];
} cases_attribute[] = {
	{ "no profile", { { "task-clock", 100, 200 } }, { "task-clock" }, NULL, NULL, { NULL } },
	{ "one did it", { { "task-clock", 100, 150 } }, { "task-clock" }, "a 10, b 60, c 30", "a 40, b 40, c 20",
	  { "task-clock: a costs 50.0 ms more per run, 100 % of the change" } },
	{ "two did it", { { "task-clock", 100, 160 } }, { "task-clock" }, "a 10, b 60, c 30", "a 31.25, b 50, c 18.75",
	  { "task-clock: a costs 40.0 ms more per run, 67 % of the change",
	    "task-clock: b costs 20.0 ms more per run, 33 % of the change" } },
	{ "a new one did it", { { "task-clock", 100, 150 } }, { "task-clock" }, "a 40, b 60", "n 33.34, a 26.66, b 40",
	  { "task-clock: n is new and costs 50.0 ms per run, 100 % of the change" } },
	{ "one hides a part of it", { { "task-clock", 100, 140 } }, { "task-clock" }, "a 10, b 60, c 30", "a 50, b 28.57, c 21.43",
	  { "task-clock: a costs 60.0 ms more per run, 100 % of what was added",
	    "task-clock: b costs 20.0 ms less per run, which hides a part of it" } },
	{ "all of them did", { { "task-clock", 100, 150 } }, { "task-clock" }, "a 4, b 4, c 4, d 4, e 4, f 4, g 4, h 4, i 4, j 4, k 4, l 4, m 4, n 4, o 4, p 4, q 4, r 4, s 4, t 4, u 4",
	  "a 4, b 4, c 4, d 4, e 4, f 4, g 4, h 4, i 4, j 4, k 4, l 4, m 4, n 4, o 4, p 4, q 4, r 4, s 4, t 4, u 4",
	  { "task-clock: no symbol stands out, the change is spread: the largest part is a with 2.00 ms per run, 4 % of it" } },
	{ "nothing stands out", { { "task-clock", 100, 150 } }, { "task-clock" }, "a 0.4, b 0.4", "a 0.4, b 0.4",
	  { "task-clock: no symbol stands out, the change is spread: the largest part is a with 200 us per run, within what its "
	    "samples leave open (+-339 us)" } },
	{ "the head was stripped", { { "task-clock", 100, 150 } }, { "task-clock" }, "a 40, b 40, c 20 lib", "[unknown] 86.67, c 13.33 lib",
	  { "task-clock: code of prog costs 50.0 ms more per run, 100 % of the change" } },
	{ "nothing failed", { { "task-clock", 100, 101 } }, { "task-clock" }, "a 10", "a 10", { NULL } },
	/* cycles add nothing to task-clock; instructions do. */
	{ "one clock is enough", { { "cycles", 1e9, 2e9 }, { "task-clock", 100, 200 }, { "instructions", 1e9, 1.5e9 } },
	  { "cycles", "instructions", "task-clock" }, "a 10, b 90", "a 55, b 45",
	  { "task-clock: a costs 100 ms more per run, 100 % of the change",
	    "instructions: a costs about 725 M instructions more per run, 100 % of what was added" } },
	/* b's share of the instructions rose only because a's IPC fell. b takes less time than before. */
	{ "instructions of whoever takes more time", { { "task-clock", 100, 110 }, { "instructions", 1e9, 2e9 } }, { "instructions" },
	  "a 50, b 50", "a 60, b 40", { "instructions: a costs about 700 M instructions more per run, 70 % of the change" } },
	{ "nobody takes surely more time", { { "task-clock", 100, 110 }, { "instructions", 1e9, 2e9 } }, { "instructions" },
	  "a 50, b 50", "a 45.45, b 45.45",
	  { "instructions: no symbol takes surely more CPU time, so the profile does not show which one executes them" } },
	{ "work is the unit", { { "work", 1000, 1000 }, { "task-clock", 10, 20 }, { "task-clock-per-work", 0.01, 0.02 } }, { "task-clock" },
	  "a 10, b 90", "a 55, b 45", { "task-clock: a costs 10.0 us more per request, 100 % of the change" } },
	/* Waiting is in no profile. */
	{ "CPU time alone", { { "wall-time", 200, 250 }, { "task-clock", 100, 150 } }, { "wall-time" }, "a 10, b 90", "a 40, b 60",
	  { "wall-time: a costs 50.0 ms more per run, 100 % of the change" } },
	{ "CPU time and waiting", { { "wall-time", 200, 300 }, { "task-clock", 100, 150 } }, { "wall-time" }, "a 10, b 90", "a 40, b 60",
	  { "wall-time: a costs 50.0 ms more per run, 50 % of the change",
	    "wall-time: CPU time accounts for 50.0 ms of 100 ms more per run: the rest is waiting, which the profile does not see" } },
	{ "waiting alone", { { "wall-time", 200, 300 }, { "task-clock", 100, 100 } }, { "wall-time" }, "a 10, b 90", "a 10, b 90",
	  { "wall-time: CPU time accounts for 0 ms of 100 ms more per run: the rest is waiting, which the profile does not see" } },
	/* If CPU time already has a cause, only the waiting is added. */
	{ "waiting beside CPU time", { { "wall-time", 200, 600 }, { "task-clock", 100, 200 } }, { "task-clock", "wall-time" },
	  "a 10, b 90", "a 55, b 45",
	  { "task-clock: a costs 100 ms more per run, 100 % of the change",
	    "wall-time: CPU time accounts for 100 ms of 400 ms more per run: the rest is waiting, which the profile does not see" } },
};

TEST(symbols_account_for_a_change)
{
	for (size_t i = 0; i < sizeof cases_attribute / sizeof *cases_attribute; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);
		const struct value *values = cases_attribute[i].values;
		bool attached = !strcmp(values[0].metric, "work");

		/* A change of wall time alone is decided on bare metal. */
		if (!strcmp(cases_attribute[i].gates[0], "wall-time"))
			fixture.here.hypervisor = NULL;
		fixture.s.head.attached = attached ? "service redis" : NULL;
		fixture.s.head.work_unit = attached ? "request" : NULL;
		for (size_t k = 0; k < VALUES_MAX && values[k].metric; k++)
			measure(&fixture, values[k].metric, values[k].before, values[k].now);
		for (size_t k = 0; k < 3 && cases_attribute[i].gates[k]; k++) {
			const struct metric *metric = metric_find(cases_attribute[i].gates[k]);
			struct gate gate = relative_gate(metric, metric->stored_tolerance_pct ?: 10);

			scenario_result_add_gate(&fixture.s, &gate);
		}
		if (cases_attribute[i].now)
			profile_both(&fixture, cases_attribute[i].before, cases_attribute[i].now);
		judge(&fixture);
		assert_attributed(&fixture, cases_attribute[i].name, cases_attribute[i].lines);
	}
}

/* An inconclusive change has no cause, however well the samples fit. An improvement has one. */
TEST(only_what_was_decided_has_a_cause)
{
	static const struct { double now; enum verdict verdict; const char *line; } changes[] = {
		{ 130, VERDICT_INCONCLUSIVE, NULL }, { 110, VERDICT_INCONCLUSIVE, NULL }, { 90, VERDICT_PASS, NULL },
		{ 200, VERDICT_REGRESSION, "task-clock: a costs 90.0 ms more per run, 90 % of the change" },
		{ 50, VERDICT_IMPROVEMENT, "task-clock: b costs 65.0 ms less per run, 100 % of what was saved" },
	};

	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new("task-clock");
		bool found;

		measure(&fixture, "task-clock", 100, changes[i].now);
		profile_both(&fixture, "a 10, b 90", "a 50, b 50");
		judge(&fixture);
		assert_int_equal(gate_judgement(&fixture.s.gates[0])->verdict, changes[i].verdict);
		found = changes[i].line && fixture.s.explanation.n && !strcmp(fixture.s.explanation.items[0], changes[i].line);
		if (changes[i].line ? !found : fixture.s.explanation.n != 0)
			fail_msg("%g: %s", changes[i].now, fixture.s.explanation.n ? fixture.s.explanation.items[0] : "(nothing)");
	}
}

/* If the profiles list every function, the parts sum up to the whole change. */
TEST(parts_sum_up)
{
	static const struct { const char *before, *now; } sums[] = {
		{ "a 10, b 60, c 30", "a 40, b 40, c 20" }, { "a 50, b 50", "c 30, d 70" }, { "a 100", "a 100" },
	};

	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);
		CLEANUP(symbol_pairs_release) struct symbol_pairs pairs;
		struct cost cost;
		double sum = 0;

		profile_both(&fixture, sums[i].before, sums[i].now);
		cost_find(&fixture.s, NULL, &cost);
		symbol_pairs_build(&fixture.s.head.profile, &fixture.base.profile, &cost, &pairs);
		for (int turn = 0; turn < 2; turn++) {
			CLEANUP(free_ptr) struct cost_part *parts = attribute_parts(&pairs, turn ? 90 : 140, 120);

			sum = 0;
			for (size_t k = 0; k < pairs.n; k++) {
				sum += parts[k].delta;
				if (k)
					assert_true(turn ? parts[k].delta <= parts[k - 1].delta : parts[k].delta >= parts[k - 1].delta);
			}
			assert_true(fabs(sum - (turn ? 30 : -20)) < 1e-6);
		}
	}
}

static const struct { double amount; const char *metric, *text; } amounts[] = {
	{ 6.1, "task-clock", "6.10 ms" }, { -6.1, "task-clock", "6.10 ms" }, { 0.31, "task-clock", "310 us" },
	{ 61234, "task-clock", "61.2 s" }, { 1e-5, "task-clock", "10.0 ns" }, { 0, "task-clock", "0 ms" }, { 0, "cycles", "0 cycles" },
	{ 12.4e6, "instructions", "12.4 M instructions" }, { 3e9, "instructions", "3.00 G instructions" },
	{ 500, "instructions", "500 instructions" }, { 25e3, "cycles", "25.0 k cycles" },
};

TEST(amounts_are_readable)
{
	for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
		assert_string_equal(cost_text(amounts[i].amount, metric_find(amounts[i].metric)).text, amounts[i].text);
}
