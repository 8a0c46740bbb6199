#include "unit.h"

#include "judge/judge.h"
#include "judge/symbols.h"
#include "judge_fixture.h"
#include "profile_samples.h"

/* A scenario with task-clock BEFORE and NOW, and gates.symbols of one percentage point. */
static struct fixture fixture_profiled(double before_ms, double now_ms)
{
	struct fixture fixture = fixture_new(NULL);

	measure(&fixture, "task-clock", before_ms, now_ms);
	fixture.s.symbol_gate = (struct symbol_gate){ .on = true, .top = 10, .rise_pp = 1, .new_pp = 2, .line = 7, .column = 3 };
	return fixture;
}

/* The same, with profiles of three runs of SAMPLES on both sides: shares BEFORE and NOW, as profile_fill() takes them. */
static struct fixture fixture_filled(double before_ms, double now_ms, uint64_t samples, const char *before, const char *now)
{
	struct fixture fixture = fixture_profiled(before_ms, now_ms);

	profile_fill(&fixture.base.profile, samples, 3, before);
	profile_fill(&fixture.s.head.profile, samples, 3, now);
	return fixture;
}

static struct gate_result *gate_of(struct fixture *fixture)
{
	for (size_t i = 0; i < fixture->s.n_gates; i++)
		if (fixture->s.gates[i].gate.kind == GATE_SYMBOLS)
			return &fixture->s.gates[i];
	return NULL;
}

static const struct judgement *row_of(struct fixture *fixture)
{
	const struct gate_result *gate = gate_of(fixture);

	return gate ? gate_judgement(gate) : NULL;
}

static const struct symbol_result *symbol_of(const struct fixture *fixture, const char *name)
{
	for (size_t i = 0; i < fixture->s.n_symbols; i++)
		if (!strcmp(fixture->s.symbols[i].symbol, name))
			return &fixture->s.symbols[i];
	fail_msg("%s is not among the symbols", name);
	return NULL;
}

static void assert_row(const struct judgement *row, const char *name, enum verdict verdict, const char *reason)
{
	assert_non_null(row);
	if (row->verdict != verdict || (reason ? !row->reason || !strstr(row->reason, reason) : row->reason != NULL))
		fail_msg("%s: expected %s: %s\nfound %s: %s", name, verdict_names[verdict], reason ?: "(nothing)",
			 verdict_names[row->verdict], row->reason ?: "(nothing)");
}

/* The rule, on the first symbol of each side */

static const struct rule {
	const char *name;
	double before_ms, now_ms;
	uint64_t samples;	/* of each of three runs, on both sides */
	const char *before, *now;	/* shares, as profile_fill() takes them */
	enum verdict verdict;
	const char *reason;
	const char *symbol;
	enum symbol_change change;
} rules[] = {
	{ "nothing changed", 100, 100, 30000, "a 20, b 5", "a 20, b 5", VERDICT_PASS, NULL, "a", SYMBOL_SAME },
	{ "less than is tolerated", 100, 100, 30000, "a 10", "a 10.5", VERDICT_PASS, NULL, "a", SYMBOL_ROSE },
	{ "share and cost rose", 100, 110, 3000, "a 10, b 40", "a 18.2, b 36.4",
	  VERDICT_REGRESSION,
	  "a rose from 10.0 % to 18.2 % of the samples, limit 1 pp, and costs 10.0 ms more per run", "a", SYMBOL_ROSE },
	{ "beside one that fell as all others", 100, 110, 3000, "a 10, b 80", "a 18.2, b 72.7",
	  VERDICT_REGRESSION, "a rose", "b", SYMBOL_FELL },
	{ "only others shrank", 100, 50, 3000, "a 10, b 60", "a 20, b 20", VERDICT_PASS,
	  "a rose from 10.0 % to 20.0 % of the samples only because others shrank: it costs 10.0 ms per run, and cost 10.0 ms",
	  "a", SYMBOL_ROSE },
	{ "too little to tell", 100, 103, 1500, "a 30", "a 33", VERDICT_INCONCLUSIVE,
	  "a +3.0 pp (+0.2 to +5.8 pp), limit 1 pp: about 14000 samples a side would decide", "a", SYMBOL_ROSE },
	{ "within what its own samples leave open", 100, 100, 1500, "a 30", "a 31", VERDICT_PASS,
	  "a rise of a by less than 5.5 pp does not show in 4500 samples a side; about 34000 show one of 2 pp", "a", SYMBOL_SAME },
	{ "beyond the tolerance, surely beyond half of it", 100, 102, 12000, "a 10", "a 11.8", VERDICT_REGRESSION,
	  "a rose from 10.0 % to 11.8 % of the samples, limit 1 pp", "a", SYMBOL_ROSE },
	{ "surely more, but not beyond the tolerance", 100, 101, 300000, "a 10", "a 10.9", VERDICT_PASS, NULL, "a", SYMBOL_ROSE },
	{ "a new one", 100, 106, 3000, "a 30", "a 28.3, n 5.7", VERDICT_REGRESSION,
	  "n is new with 5.7 % of the samples, limit 2 pp, and costs 6.04 ms more per run", "n", SYMBOL_NEW },
	{ "a new one within its own tolerance", 100, 101, 30000, "a 30", "a 29.7, n 1.5", VERDICT_PASS,
	  NULL, "n", SYMBOL_NEW },
	{ "one vanished", 100, 95, 30000, "a 30, v 5", "a 30.6", VERDICT_PASS, NULL, "v", SYMBOL_VANISHED },
	{ "moved into its caller", 100, 100, 9000, "a 10, inner 8, c 40", "a 18, c 40",
	  VERDICT_PASS, "a rose by 8.0 pp, by which inner fell: the code moved, and costs the same per run", "a", SYMBOL_MOVED },
	{ "moved, and named so on both", 100, 100, 9000, "old 12, c 40", "newer 12, c 40",
	  VERDICT_PASS, "newer rose by 12.0 pp, by which old fell", "old", SYMBOL_MOVED },
	{ "two that are nearly all, one slower", 100, 110, 3000, "a 20, b 78", "a 27.3, b 70.9",
	  VERDICT_REGRESSION, "a rose", "a", SYMBOL_ROSE },
	{ "two that are nearly all, one moved", 100, 100, 9000, "a 20, b 78", "a 28, b 70",
	  VERDICT_PASS, "by which b fell", "b", SYMBOL_MOVED },
	{ "the program was renamed", 100, 100, 3000, "a 20 prog-base", "a 20 prog-head",
	  VERDICT_PASS, NULL, "a",
	  SYMBOL_SAME },
	{ "inlined into two callers", 100, 100, 12000, "a 10/30, b 8/20, h 32, c 40", "a 28/30, b 22/20, c 40", VERDICT_PASS,
	  "a rose by 18.0 pp, by which what it calls fell: the code moved, and costs the same per run", "a", SYMBOL_MOVED },
	{ "inlined into two callers, and cheaper for it", 100, 92, 12000, "a 10/30, b 8/20, h 32, c 40",
	  "a 26.1/28.3, b 17/17, c 43.5", VERDICT_PASS,
	  "a and b rose by 25.1 pp together, by which h fell and more: the code moved, and costs less per run", "b", SYMBOL_MOVED },
	{ "inlined, and called elsewhere still", 100, 100, 12000, "a 10/34, h 16, i 16, c 40", "a 26/34, h 8, i 8, c 40",
	  VERDICT_PASS, "a rose by 16.0 pp, by which what it calls fell", "a", SYMBOL_MOVED },
	{ "inlined into three callers, and no stack tells", 100, 100, 12000, "a 8, b 6, c 4, h 32, d 40",
	  "a 22, b 16, c 12, d 40", VERDICT_PASS, "a, b and c rose by 32.0 pp together, by which h fell", "c", SYMBOL_MOVED },
	{ "taken out of three callers", 100, 100, 12000, "a 22, b 16, c 12, d 40", "h 32, a 8, b 6, c 4, d 40", VERDICT_PASS,
	  "h rose by 32.0 pp, by which a, b and c fell", "c", SYMBOL_MOVED },
	{ "split in three", 100, 100, 12000, "x 40, d 50", "x1 14, x2 14, x3 12, d 50", VERDICT_PASS,
	  "x1, x2 and x3 rose by 40.0 pp together, by which x fell: the code moved", "x3", SYMBOL_MOVED },
	{ "split in two, which it calls", 100, 100, 12000, "x 40, d 50", "x 12/40, x1 16, x2 12, d 50", VERDICT_PASS,
	  "x1 and x2 rose by 28.0 pp together, by which x fell", "x", SYMBOL_MOVED },
	{ "four merged into a new one", 100, 100, 12000, "p 10, q 10, r 10, s 10, d 50", "m 40, d 50", VERDICT_PASS,
	  "m rose by 40.0 pp, by which p, q, r and 1 more fell", "s", SYMBOL_MOVED },
	{ "four merged into the first", 100, 100, 12000, "p 10, q 10, r 10, s 10, d 50", "p 40, d 50", VERDICT_PASS,
	  "p rose by 30.0 pp, by which q, r and s fell", "p", SYMBOL_MOVED },
	{ "split and renamed", 100, 100, 12000, "x 40 old, d 50 old", "x1 20 new, x2 20 new, d 50 new", VERDICT_PASS,
	  "x1 and x2 rose by 40.0 pp together, by which x fell", "x1", SYMBOL_MOVED },
	{ "split, and one part is slower", 100, 112, 12000, "x 40, d 50", "x1 17.9, x2 28.6, d 44.6", VERDICT_REGRESSION,
	  "x2 is new with 28.6 %", "x1", SYMBOL_NEW },
	{ "one is slower while another is faster by more", 100, 90, 12000, "a 20, b 30, c 50", "a 33.3, b 11.1, c 55.6",
	  VERDICT_REGRESSION, "a rose from 20.0 % to 33.3 %", "a", SYMBOL_ROSE },
	{ "one is slower while what it calls is faster by more", 100, 88, 12000, "a 10/40, h 30, c 60", "a 20.5/31.8, h 11.4, c 68.2",
	  VERDICT_REGRESSION, "a rose from 10.0 % to 20.5 %", "a", SYMBOL_ROSE },
	{ "one is slower while another was dropped", 100, 88, 12000, "a 10/10, v 20, c 60", "a 20.5/20.5, c 68.2",
	  VERDICT_REGRESSION, "a rose from 10.0 % to 20.5 %", "v", SYMBOL_VANISHED },
	{ "two are slower while others shrink beside them", 100, 120, 12000, "a 10, b 10, c 40, d 40",
	  "a 16.7, b 16.7, c 33.3, d 33.3", VERDICT_REGRESSION, "a rose from 10.0 % to 16.7 %", "c", SYMBOL_FELL },
	{ "the head was stripped", 100, 100, 3000, "a 40, b 36, memcpy 10 libc", "[unknown] 76, memcpy 10 libc",
	  VERDICT_NOT_MEASURED,
	  "prog lost symbols since the baseline: 76.0 % of the samples are in code of it that has no symbol, against 0.0 % there; "
	  "build it with -g and install it unstripped", "[unknown]", SYMBOL_SAME },
	{ "some of its names are exported", 100, 100, 3000, "a 40, b 36", "a 40, [unknown] 36", VERDICT_NOT_MEASURED,
	  "prog lost symbols since the baseline: 36.0 %", "a", SYMBOL_SAME },
	{ "the baseline was stripped", 100, 100, 3000, "[unknown] 76, memcpy 10 libc", "a 40, b 36, memcpy 10 libc",
	  VERDICT_NOT_MEASURED,
	  "the baseline lacks symbols of prog: 76.0 % of its samples are in code of it that has no symbol, against 0.0 % now; accept a new baseline",
	  "[unknown]", SYMBOL_SAME },
	{ "one library was stripped, and another symbol is slower", 100, 110, 3000, "a 10, b 40, inflate 30 libz",
	  "a 18.2, b 36.4, [unknown] 27.3 libz", VERDICT_REGRESSION,
	  "a rose from 10.0 % to 18.2 % of the samples, limit 1 pp, and costs 10.0 ms more per run; libz lost symbols since",
	  "[unknown]", SYMBOL_SAME },
	{ "nobody tells perf of code made at run time", 100, 100, 3000, "JS:f 30 [jit], b 30", "[unknown] 30 [jit], b 30",
	  VERDICT_NOT_MEASURED, "let its engine write a symbol map for perf (node --perf-basic-prof", "[unknown]", SYMBOL_SAME },
	{ "its file is not known either", 100, 100, 3000, "a 40 x, b 36", "[unknown] 40 -, b 36", VERDICT_NOT_MEASURED,
	  "some file lost symbols since the baseline: 40.0 %", "[unknown]", SYMBOL_SAME },
	{ "code that never had symbols is slower", 100, 120, 3000, "[unknown] 40 libv, b 50", "[unknown] 50 libv, b 41.7",
	  VERDICT_REGRESSION, "[unknown] in libv rose from 40.0 % to 50.0 %", "[unknown]", SYMBOL_ROSE },
	{ "nobody knows which", 100, 100, 3000, "[unknown] 20 x", "[unknown] 20 y", VERDICT_PASS,
	  "[unknown] in y rose by 20.0 pp, by which [unknown] in x fell", "[unknown]", SYMBOL_MOVED },
};

TEST(the_rule_judges_symbols)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		const struct rule *rule = &rules[i];
		CLEANUP(fixture_release) struct fixture fixture =
			fixture_filled(rule->before_ms, rule->now_ms, rule->samples, rule->before, rule->now);

		judge(&fixture);
		assert_row(row_of(&fixture), rule->name, rule->verdict, rule->reason);
		if (symbol_of(&fixture, rule->symbol)->change != rule->change)
			fail_msg("%s: %s is '%s'", rule->name, rule->symbol,
				 symbol_change_names[symbol_of(&fixture, rule->symbol)->change]);
	}
}

TEST(the_row_has_the_worst_symbols_numbers)
{
	CLEANUP(fixture_release) struct fixture fixture =
		fixture_filled(100, 110, 3000, "b 40, a 10", "b 36.4, a 18.2");
	const struct judgement *row;
	const struct symbol_result *a;

	judge(&fixture);
	row = row_of(&fixture);
	assert_true(fabs(row->baseline - 0.10) < 1e-9 && fabs(row->current - 0.182) < 1e-9);
	assert_true(fabs(row->change_pct - 8.2) < 1e-9 && row->low_pct > 5 && row->high_pct < 10);
	assert_int_equal(gate_of(&fixture)->gate.line, 7);
	assert_int_equal(row->n_current, 3);
	assert_true(gate_of(&fixture)->gate.relative && row->tolerance_pct == 1);
	a = symbol_of(&fixture, "a");
	assert_true(fabs(a->cost_ms - 20.02) < 1e-6 && fabs(a->base_cost_ms - 10) < 1e-6);
	assert_true(a->low_pct < 18.2 && a->high_pct > 18.2 && a->high_pct - a->low_pct < 2);
	assert_int_equal(a->samples, 1638);
	assert_int_equal(a->base_samples, 900);
	assert_int_equal(a->verdict, VERDICT_REGRESSION);
	assert_int_equal(symbol_of(&fixture, "b")->verdict, VERDICT_PASS);
	assert_true(scenario_result_regressed(&fixture.s));
}

/*
 * Fills PROFILE with functions of one script as V8 reports them to perf. PLACES are "NAME@LINE:COLUMN SHARE"; "-" is a
 * function without a name.
 */
static void fill_script(struct profile *profile, const char *places)
{
	profile_begin(profile, 12000, 3);
	while (*places) {
		char name[80], key[80], place[20], function[20];
		double pct;
		int len;
		uint64_t hits;
		struct profile_symbol *symbol;

		if (sscanf(places, " %19[^@ ]@%19s %lf%n", function, place, &pct, &len) != 3)
			abort();
		places += len;
		snprintf(name, sizeof name, "JS:*%s work.js:%s", *function == '-' ? "" : function, place);
		snprintf(key, sizeof key, *function == '-' ? "JS: work.js:%s" : "JS:work work.js", place);
		hits = (uint64_t)lround(120 * pct);
		profile_hits(profile, key, "[jit]", (uint64_t[]){ hits, hits, hits });
		symbol = &profile->symbols[profile->n_symbols - 1];
		symbol->symbol = arena_strdup(&profile->arena, name);
	}
	profile_hits(profile, "light", NULL, (uint64_t[]){ 6, 6, 6 });
}

/* An edit above anonymous functions moves their lines, so one may take the place of another. */
TEST(functions_without_a_name_are_kept_apart)
{
	static const struct { const char *before, *now; enum verdict verdict; const char *reason; } cases[] = {
		{ "-@5:86 20 -@6:96 8", "-@5:86 20 -@6:96 8", VERDICT_PASS, NULL },
		{ "-@5:86 8 -@6:96 20", "-@5:86 18 -@6:96 10", VERDICT_PASS, "JS:* work.js:5:86 rose by 10.0 pp, by which JS:* work.js:6:96 fell" },
		{ "-@5:86 8 -@6:96 20", "-@5:86 22 -@6:96 17", VERDICT_REGRESSION, "JS:* work.js:5:86 rose from 8.0 % to 22.0 %" },
		{ "-@5:10 20 -@6:10 8 -@7:10 2", "-@6:10 20 -@7:10 8 -@8:10 2", VERDICT_PASS, NULL },
		{ "-@5:10 20 -@6:10 8 -@90:4 9", "-@7:10 20 -@8:10 8 -@92:4 9", VERDICT_PASS, NULL },
		{ "-@3:4 9 -@5:10 20 -@6:12 8", "-@3:4 9 -@6:10 20 -@7:12 8", VERDICT_PASS, NULL },
		{ "f@3:14 30 -@5:10 20 -@6:10 1", "f@4:14 30 -@6:10 20", VERDICT_PASS, NULL },
		{ "-@1:100 20 -@1:900 8", "-@1:110 20 -@1:910 8", VERDICT_PASS, NULL },
		{ "-@5:86 20", "-@5:86 17 -@40:3 15", VERDICT_REGRESSION, "JS:* work.js:40:3 is new with 15.0 %" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_profiled(100, cases[i].verdict == VERDICT_PASS ? 100 : 118);

		fill_script(&fixture.base.profile, cases[i].before);
		fill_script(&fixture.s.head.profile, cases[i].now);
		judge(&fixture);
		assert_row(row_of(&fixture), cases[i].now, cases[i].verdict, cases[i].reason);
	}
}

/* A baseline with few symbols does not show which are new. Symbols that it may have omitted are not regressions. */
TEST(short_lists_prove_nothing)
{
	static const struct { double lightest_pct; enum verdict verdict; enum symbol_change change; } cases[] = {
		{ 0.1, VERDICT_REGRESSION, SYMBOL_NEW }, { 4, VERDICT_INCONCLUSIVE, SYMBOL_NEW }, { 7, VERDICT_INCONCLUSIVE, SYMBOL_ROSE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_profiled(100, 106);
		uint64_t hits = (uint64_t)(30 * cases[i].lightest_pct), most = 900;

		profile_begin(&fixture.base.profile, 3000, 3);
		profile_hits(&fixture.base.profile, "a", NULL, (uint64_t[]){ most, most, most });
		profile_hits(&fixture.base.profile, "b", NULL, (uint64_t[]){ hits, hits, hits });
		profile_fill(&fixture.s.head.profile, 3000, 3, "a 28.3, n 5.7, b 0.1");
		judge(&fixture);
		assert_int_equal(symbol_of(&fixture, "n")->verdict, cases[i].verdict);
		assert_int_equal(symbol_of(&fixture, "n")->change, cases[i].change);
	}
}

TEST(judging_again_adds_no_rows)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_filled(100, 100, 3000, "a 10", "a 10");
	struct share_budget budget = { .symbol = "a*", .max_pct = 50 };

	add_gate(&fixture, "task-clock");
	scenario_result_gate_symbols(&fixture.s, &fixture.s.symbol_gate, &budget, 1);
	for (int i = 0; i < 3; i++) {
		judge(&fixture);
		assert_int_equal(fixture.s.n_gates, 3);
		assert_int_equal(fixture.s.n_symbols, 2);
		assert_string_equal(fixture.s.gates[0].gate.metric->name, "task-clock");
	}
}

/* Changes that make shares incomparable */

/* Changes to make; 0 and NULL: none. */
static const struct spoiled {
	enum verdict verdict;
	const char *reason;
	/* another baseline */
	const char *event, *part;
	unsigned frequency, normaliser;
	enum call_graph call_graph;
	/* another profile of the baseline and of the head, in so many runs; no samples: none */
	struct { const char *shares; unsigned samples, runs; } before, now;
	const char *warning;	/* of the head's profile */
	bool cut, failed, costless;
} spoiled[] = {
	{ VERDICT_NOT_MEASURED, "the baseline's profile has another event (cycles, now cpu-clock): accept a new", .event = "cycles" },
	{ VERDICT_NOT_MEASURED, "another frequency (99 Hz, now 997 Hz)", .frequency = 99 },
	{ VERDICT_NOT_MEASURED, "another call graph (dwarf, now fp)", .call_graph = CALL_GRAPH_DWARF },
	{ VERDICT_NOT_MEASURED, "another way of comparing names (version 7, now version 1)", .normaliser = 7 },
	{ VERDICT_NOT_MEASURED, "the baseline is of another machine class", .part = "i386" },
	{ VERDICT_NEW, "the baseline has no profile yet", .before = { "" } },
	{ VERDICT_NOT_MEASURED, "no profile was taken", .now = { "" } },
	{ VERDICT_NOT_MEASURED, "perf may not sample here", .now = { "" },
	  .warning = "perf may not sample here: sysctl kernel.perf_event_paranoid=1" },
	{ VERDICT_INCONCLUSIVE, "too few samples (2700 of 3000): raise profile.duration, or profile.frequency", .now = { "a 30", 900, 3 } },
	{ VERDICT_INCONCLUSIVE, "too few profiled runs (2 of 3) in the baseline: raise profile.duration, then accept a new baseline",
	  .before = { "a 30", 9000, 2 } },
	{ VERDICT_INCONCLUSIVE, "raise --budget, or profile.frequency", .now = { "a 30", 900, 3 }, .cut = true },
	{ VERDICT_NOT_MEASURED, "the scenario failed", .failed = true },
	{ VERDICT_INCONCLUSIVE, "whether it costs more is not known", .costless = true },
};

static void replace_profile(struct profile *profile, const char *shares, unsigned samples, unsigned runs)
{
	if (shares)
		profile_release(profile);
	if (samples)
		profile_fill(profile, samples, runs, shares);
}

TEST(what_cannot_be_compared_is_said)
{
	for (size_t i = 0; i < sizeof spoiled / sizeof *spoiled; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_filled(100, 130, 3000, "a 10", "a 30");
		struct profile *before = &fixture.base.profile, *now = &fixture.s.head.profile;
		const struct spoiled *c = &spoiled[i];

		if (c->event)
			before->event = arena_strdup(&before->arena, c->event);
		before->frequency = c->frequency ?: before->frequency;
		before->normaliser = c->normaliser ?: before->normaliser;
		before->call_graph = c->call_graph ?: before->call_graph;
		fixture.base.machine.part = c->part ?: fixture.base.machine.part;
		replace_profile(before, c->before.shares, c->before.samples, c->before.runs);
		replace_profile(now, c->now.shares, c->now.samples, c->now.runs);
		if (c->warning)
			arena_push(&now->arena, &now->warnings, c->warning);
		now->cut = c->cut;
		if (c->failed)
			fixture.s.head.state = SCENARIO_FAILED;
		if (c->costless)
			fixture.base.sessions[0].series.n = 0;
		judge(&fixture);
		assert_row(row_of(&fixture), c->reason, c->verdict, c->reason);
	}
}

TEST(runs_that_disagree_do_not_decide)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_filled(100, 130, 3000, "a 10", "a 30");
	struct profile *now = &fixture.s.head.profile;

	profile_release(now);
	profile_begin(now, 3000, 3);
	profile_hits(now, "a", NULL, (uint64_t[]){ 300, 301, 2400 });
	judge(&fixture);
	assert_row(row_of(&fixture), "at odds", VERDICT_INCONCLUSIVE, "a +23.3 pp");
	/* The weight rose through longer periods; the number of samples did not. */
	replace_profile(now, "a 9.5", 3000, 3);
	now->symbols[0].weight *= 3;
	judge(&fixture);
	assert_row(row_of(&fixture), "weight alone", VERDICT_INCONCLUSIVE,
		   "a rose from 10.0 % to 28.5 % of the samples, but only in 0 % of the pairs of");
}

/* A neighbour shifts shares and CPU time, but not the instructions of a program. */
TEST(the_same_work_is_doubted_against_stored_runs)
{
	static const struct {
		const char *counted; double now; bool paired; enum verdict verdict; const char *reason;
	} cases[] = {
		{ "sim-instructions", 1e8, false, VERDICT_INCONCLUSIVE, "; but exact counts are those of the baseline, so a neighbour" },
		{ "instructions", 1.00009e8, false, VERDICT_INCONCLUSIVE, "; but exact counts are those of the baseline" },
		{ "sim-instructions", 1.0002e8, false, VERDICT_REGRESSION, "a rose from 10.0 % to 30.0 %" },
		{ "sim-instructions", 1e8, true, VERDICT_REGRESSION, "a rose from 10.0 % to 30.0 %" },
		{ "page-faults", 1e8, false, VERDICT_REGRESSION, "a rose from 10.0 % to 30.0 %" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_filled(100, 130, 9000, "a 10", "a 30");

		measure(&fixture, cases[i].counted, 1e8, cases[i].now);
		fixture.s.paired = cases[i].paired;
		judge_symbols(&fixture.s, &fixture.here, &fixture.base);
		assert_row(row_of(&fixture), cases[i].counted, cases[i].verdict, cases[i].reason);
		fixture.s.paired = false;
	}
}

/* At two frequencies, samples at a program's start that only the higher frequency takes are not a rise. */
TEST(frequencies_are_compared)
{
	static const struct {
		double now_ms; unsigned before, now; const char *then, *shares; enum verdict verdict;
		const char *reason;
	} cases[] = {
		{ 100, 997, 4999, "a 10, b 50", "a 10.3, b 49.8", VERDICT_PASS, NULL },
		/* Only the higher frequency sees 0.8 ms of 100. */
		{ 102, 997, 4999, "a 10, b 50", "a 11.5, b 49", VERDICT_PASS, NULL },
		{ 102, 4999, 4999, "a 10, b 50", "a 11.7, b 49", VERDICT_REGRESSION, "a rose from 10.0 % to 11.7 %" },
		{ 102, 997, 4999, "a 10, b 50", "a 11.7, b 49", VERDICT_INCONCLUSIVE, "a +1.7 pp" },
		{ 110, 997, 4999, "a 10, b 50", "a 18.2, b 45.4", VERDICT_REGRESSION, "a rose from 10.0 % to 18.2 %" },
		{ 110, 4999, 997, "a 10, b 50", "a 18.2, b 45.4", VERDICT_REGRESSION, "a rose from 10.0 % to 18.2 %" },
		{ 110, 99, 4999, "a 10, b 50", "a 18.2, b 45.4", VERDICT_NOT_MEASURED, "another frequency (99 Hz, now 4999 Hz)" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(fixture_release) struct fixture fixture =
			fixture_filled(100, cases[i].now_ms, 30000, cases[i].then, cases[i].shares);

		fixture.base.profile.frequency = cases[i].before;
		fixture.s.head.profile.frequency = cases[i].now;
		judge(&fixture);
		assert_row(row_of(&fixture), cases[i].shares, cases[i].verdict, cases[i].reason);
	}
}

/* Each program has a first tick, and the number of started programs is unknown. */
TEST(frequencies_of_several_programs_are_not)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_filled(100, 110, 30000, "a 10", "a 18");

	fixture.s.head.profile.frequency = 4999;
	profile_add_part(&fixture.s.head.profile, &fixture.s.head.profile.threads, "sh", 2000, 100);
	profile_add_part(&fixture.s.head.profile, &fixture.s.head.profile.threads, "work", 1500, 100);
	judge(&fixture);
	assert_row(row_of(&fixture), "two programs", VERDICT_NOT_MEASURED, "another frequency (997 Hz, now 4999 Hz)");
}

TEST(without_a_baseline_it_is_new)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_profiled(100, 100);

	profile_fill(&fixture.s.head.profile, 3000, 3, "a 10");
	judge_scenario(&fixture.s, &fixture.here, NULL);
	assert_row(row_of(&fixture), "no baseline", VERDICT_NEW, "there is no baseline yet");
	assert_true(fabs(row_of(&fixture)->current - 0.1) < 1e-9);
	assert_true(isnan(symbol_of(&fixture, "a")->base_share_pct) && isnan(symbol_of(&fixture, "a")->change_pp));
	assert_true(fabs(symbol_of(&fixture, "a")->cost_ms - 10) < 1e-9);
}

/* pawl's default gate raises no doubt in cases where a scenario's gate would. */
TEST(nobody_asked_for_it)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_profiled(100, 100);

	add_gate(&fixture, "task-clock");
	judge(&fixture);
	assert_int_equal(fixture.s.n_gates, 2);
	fixture.s.symbol_gate.by_default = true;
	judge(&fixture);
	assert_null(row_of(&fixture));
	profile_fill(&fixture.s.head.profile, 3000, 3, "a 10");
	judge(&fixture);
	assert_row(row_of(&fixture), "by default", VERDICT_NEW, "the baseline has no profile yet");
	fixture.s.gates[0].stored.verdict = VERDICT_PASS;
	scenario_result_settle(&fixture.s, true);
	assert_int_equal(fixture.s.status, STATUS_OK);
	gate_of(&fixture)->gate.by_default = false;
	scenario_result_settle(&fixture.s, true);
	assert_int_equal(fixture.s.status, STATUS_UNDECIDED);
	fixture.s.symbol_gate.required = true;
	profile_release(&fixture.s.head.profile);
	profile_fill(&fixture.base.profile, 3000, 3, "a 10");
	judge(&fixture);
	scenario_result_settle(&fixture.s, false);
	assert_int_equal(fixture.s.status, STATUS_NOT_MEASURED);
}

/* One line covers all scenarios. Scenarios without any baseline get no line. */
TEST(unjudged_symbols_are_noted_once)
{
	CLEANUP(result_release) struct result result = { 0 };

	for (size_t i = 0; i < 3; i++) {
		struct scenario_result *s = result_add_scenario(&result, "x");
		CLEANUP(fixture_release) struct fixture fixture = fixture_profiled(100, 100);

		fixture.s.symbol_gate.by_default = true;
		add_gate(&fixture, "task-clock");
		profile_fill(&fixture.s.head.profile, 3000, 3, "a 10");
		if (i == 2)
			judge_scenario(&fixture.s, &fixture.here, NULL);
		else
			judge(&fixture);
		scenario_result_release(s);
		*s = fixture.s;
		fixture.s = (struct scenario_result){ 0 };
	}
	judge_together(&result);
	assert_int_equal(result.notes.n, 1);
	assert_string_equal(result.notes.items[0],
			    "symbols are not judged in 2 scenarios: the baseline has no profile yet: accept a new one");
}

TEST(symbols_are_kept_without_a_gate)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_filled(100, 130, 3000, "a 10", "a 30");

	fixture.s.symbol_gate.on = false;
	judge(&fixture);
	assert_null(row_of(&fixture));
	assert_int_equal(symbol_of(&fixture, "a")->change, SYMBOL_ROSE);
	assert_int_equal(symbol_of(&fixture, "a")->verdict, VERDICT_NOT_MEASURED);
}

TEST(costs_are_per_unit_of_work)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_filled(4000, 5000, 3000, "a 10, b 50", "a 28, b 40");

	fixture.s.head.attached = "service redis";
	fixture.s.head.work_unit = "request";
	measure(&fixture, "work", 1000, 1000);
	measure(&fixture, "task-clock-per-work", 0.004, 0.005);
	judge(&fixture);
	assert_row(row_of(&fixture), "per work", VERDICT_REGRESSION, "and costs 1.00 us more per request");
}

TEST(instructions_stand_in_for_a_missing_clock)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);

	fixture.s.symbol_gate = (struct symbol_gate){ .on = true, .top = 10, .rise_pp = 1, .new_pp = 1 };
	measure(&fixture, "instructions", 1e9, 1.25e9);
	profile_fill(&fixture.base.profile, 3000, 3, "a 10");
	profile_fill(&fixture.s.head.profile, 3000, 3, "a 28");
	judge(&fixture);
	assert_row(row_of(&fixture), "instructions", VERDICT_REGRESSION, "and costs 250 M instructions more per run");
	assert_true(isnan(symbol_of(&fixture, "a")->cost_ms));
}

/* Twenty scenarios require more standard errors. */
TEST(many_scenarios_want_more)
{
	static const struct { size_t scenarios; double pct; enum verdict verdict; } cases[] = {
		{ 1, 13, VERDICT_REGRESSION }, { 19, 13, VERDICT_REGRESSION }, { 20, 13, VERDICT_INCONCLUSIVE },
		{ 20, 16.0, VERDICT_REGRESSION },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(result_release) struct result result = { 0 };
		CLEANUP(fixture_release) struct fixture fixture = fixture_profiled(100, 106);
		char share[16];

		profile_fill(&fixture.base.profile, 3000, 3, "a 10");
		snprintf(share, sizeof share, "a %g", cases[i].pct);
		profile_fill(&fixture.s.head.profile, 3000, 3, share);
		judge(&fixture);
		for (size_t k = 0; k < cases[i].scenarios; k++)
			result_add_scenario(&result, "x");
		scenario_result_release(&result.scenarios[0]);
		result.scenarios[0] = fixture.s;
		fixture.s = (struct scenario_result){ 0 };
		judge_together(&result);
		fixture.s = result.scenarios[0];
		result.scenarios[0] = (struct scenario_result){ 0 };
		assert_row(row_of(&fixture), "suite", cases[i].verdict, "a rose from 10.0 %");
	}
}

/* Other programs increase the scheduler's share of time and shift shares slightly. */
TEST(a_busy_machine_shifts_shares)
{
	static const struct { const char *before, *now; bool busy; enum verdict verdict; } cases[] = {
		{ "[kernel] 0.5 [kernel]", "[kernel] 6 [kernel]", false, VERDICT_REGRESSION },
		{ "[kernel] 0.5 [kernel]", "[kernel] 6 [kernel]", true, VERDICT_INCONCLUSIVE },
		{ "memcpy 0.5", "memcpy 6", true, VERDICT_REGRESSION },
		{ "memcpy 20", "memcpy 24", false, VERDICT_REGRESSION },
		{ "memcpy 20", "memcpy 24", true, VERDICT_INCONCLUSIVE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(result_release) struct result result = { 0 };
		struct scenario_result *s = result_add_scenario(&result, "x");
		CLEANUP(fixture_release) struct fixture fixture =
			fixture_filled(100, 106, 3000, cases[i].before, cases[i].now);

		judge(&fixture);
		if (cases[i].busy)
			arena_push(&result.arena, &result.busy, "other processes used 1.5 of 2 CPUs");
		scenario_result_release(s);
		*s = fixture.s;
		judge_together(&result);
		fixture.s = *s;
		*s = (struct scenario_result){ 0 };
		assert_row(row_of(&fixture), cases[i].now, cases[i].verdict, cases[i].verdict == VERDICT_INCONCLUSIVE ? "the machine was busy" : "rose");
	}
}

/* Budgets */

static const struct {
	const char *symbol, *dso;
	double max_pct;
	uint64_t samples;
	const char *name;
	enum verdict verdict;
	const char *reason;
	double share;
} budgets[] = {
	{ "sqlx::*", NULL, 20, 3000, "symbol sqlx::*", VERDICT_PASS, NULL, 0.15 },
	{ "sqlx::*", NULL, 5, 3000, "symbol sqlx::*", VERDICT_REGRESSION,
	  "over its budget: sqlx::query 10.0 %, sqlx::bind 5.0 %", 0.15 },
	{ "sqlx::*", NULL, 15, 3000, "symbol sqlx::*", VERDICT_INCONCLUSIVE, "too near to the budget for 9000 samples", 0.15 },
	{ NULL, "lib*.so.?", 45, 3000, "dso lib*.so.?", VERDICT_PASS, NULL, 0.4 },
	{ NULL, "lib*", 10, 3000, "dso lib*", VERDICT_REGRESSION, "over its budget: memcpy 40.0 %", 0.4 },
	{ "nothing", NULL, 50, 3000, "symbol nothing", VERDICT_PASS, "nothing that was sampled matches it", 0 },
	{ "operator[]*", NULL, 0, 3000, "symbol operator[]*", VERDICT_REGRESSION, "over its budget: operator[](int) 1.0 %", 0.01 },
	{ "sqlx::*", NULL, 5, 500, "symbol sqlx::*", VERDICT_INCONCLUSIVE, "too few samples (1500 of 3000)", 0.15 },
};

TEST(budgets_need_no_baseline)
{
	static const char shares[] = "memcpy 40 libc.so.6, sqlx::query 10, sqlx::bind 5, operator[](int) 1, main 44";

	for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
		struct share_budget budget = {
			.symbol = budgets[i].symbol, .dso = budgets[i].dso, .max_pct = budgets[i].max_pct, .line = 9,
		};
		CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);
		struct symbol_gate off = { .on = false };

		scenario_result_gate_symbols(&fixture.s, &off, &budget, 1);
		profile_fill(&fixture.s.head.profile, budgets[i].samples, 3, shares);
		judge_scenario(&fixture.s, &fixture.here, NULL);
		assert_int_equal(fixture.s.n_gates, 1);
		assert_string_equal(gate_name(&fixture.s.gates[0]), budgets[i].name);
		assert_row(gate_judgement(&fixture.s.gates[0]), budgets[i].name, budgets[i].verdict, budgets[i].reason);
		assert_true(fabs(gate_judgement(&fixture.s.gates[0])->current - budgets[i].share) < 1e-9);
		assert_int_equal(fixture.s.gates[0].gate.line, 9);
		assert_true(gate_result_judged(&fixture.s.gates[0]));
	}
}

TEST(a_budget_without_a_profile_is_not_measured)
{
	struct share_budget budget = { .symbol = "a", .max_pct = 5, .required = true };
	struct symbol_gate off = { .on = false };
	CLEANUP(fixture_release) struct fixture fixture = fixture_new(NULL);

	scenario_result_gate_symbols(&fixture.s, &off, &budget, 1);
	judge(&fixture);
	assert_row(gate_judgement(&fixture.s.gates[0]), "budget", VERDICT_NOT_MEASURED, "no profile was taken");
	scenario_result_settle(&fixture.s, false);
	assert_int_equal(fixture.s.status, STATUS_NOT_MEASURED);
}

/* Chance */

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Returns a binomial count by the normal approximation, from a sum of uniform numbers. */
static uint64_t draw(uint64_t *state, uint64_t n, double p)
{
	double z = -6, hits;

	for (int i = 0; i < 12; i++)
		z += (double)(next_random(state) >> 11) * 0x1p-53;
	hits = (double)n * p + z * sqrt((double)n * p * (1 - p));
	return (uint64_t)fmax(0, round(hits));
}

static const double typical[] = { 0.22, 0.14, 0.10, 0.07, 0.05, 0.04, 0.03, 0.03, 0.02, 0.02, 0.015, 0.01 };

static void draw_profile(uint64_t *state, struct profile *profile, uint64_t samples, double extra)
{
	double whole = 1 + extra;

	profile_begin(profile, samples, 3);
	for (size_t i = 0; i < sizeof typical / sizeof *typical; i++) {
		char name[] = { (char)('a' + (char)i), '\0' };
		double p = (typical[i] + (i == 2 ? extra : 0)) / whole;
		uint64_t hits[3];

		for (size_t r = 0; r < 3; r++)
			hits[r] = draw(state, samples, p);
		profile_hits(profile, name, NULL, hits);
	}
}

/*
 * Returns how many of TRIES get VERDICT, with profiles of three runs of SAMPLES each. The third symbol has a tenth of the
 * whole and becomes slower by EXTRA, a part of the whole.
 */
static size_t count(enum verdict verdict, size_t tries, uint64_t samples, double extra, double slower)
{
	uint64_t state = 88172645463325252u;
	size_t n = 0;

	for (size_t i = 0; i < tries; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_profiled(100, 100 * (1 + slower));

		draw_profile(&state, &fixture.base.profile, samples, 0);
		draw_profile(&state, &fixture.s.head.profile, samples, extra);
		judge(&fixture);
		n += row_of(&fixture)->verdict == verdict;
	}
	return n;
}

TEST(an_unchanged_program_does_not_regress)
{
	assert_int_equal(count(VERDICT_REGRESSION, 5000, 3000, 0, 0.05), 0);
	assert_int_equal(count(VERDICT_REGRESSION, 5000, 12000, 0, 0.05), 0);
}

/* Holds for every number of samples that is judged; 1,000 in a run are the fewest. */
TEST(an_unchanged_program_passes)
{
	static const uint64_t samples[] = { 1000, 3000, 12000 };

	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
		assert_in_range(count(VERDICT_PASS, 1000, samples[i], 0, 0), 950, 1000);
}

/* A rise of 3 percentage points or more is found, even if the machine is slightly slower. */
TEST(a_slower_function_is)
{
	assert_true(count(VERDICT_REGRESSION, 200, 3000, 0.06, 0.06) >= 190);
	assert_true(count(VERDICT_REGRESSION, 200, 3000, 0.06, 0.09) >= 190);
}

/* With the default of 36,000 samples: a fifth more of a function with a tenth. */
TEST(a_slightly_slower_function_is_in_most_cases)
{
	assert_in_range(count(VERDICT_REGRESSION, 500, 12000, 0.02, 0.02), 400, 500);
	assert_in_range(count(VERDICT_PASS, 500, 12000, 0.02, 0.02), 0, 25);
}

/* A profile judged while it grows: three runs, then two runs that each double the total. */
enum { GROWING_RUNS = 5 };
static const uint64_t growing[GROWING_RUNS] = { 3000, 3000, 3000, 9000, 18000 };

static void begin_growing(struct profile *profile, size_t runs, uint64_t hits[][GROWING_RUNS])
{
	uint64_t all = 0;

	profile_begin(profile, 0, runs);
	for (size_t r = 0; r < runs; r++)
		all += profile->run_samples[r] = growing[r];
	profile->samples = profile->rest_samples = all;
	profile->weight = (double)all * 1e6;
	for (size_t i = 0; i < sizeof typical / sizeof *typical; i++)
		profile_hits(profile, (char[]){ (char)('a' + (char)i), '\0' }, NULL, hits[i]);
}

/* As count(), for profiles that stop growing once settled. *SAMPLES receives their mean number of samples. */
static size_t count_looks(enum verdict verdict, size_t tries, double extra, double slower, double *samples)
{
	uint64_t state = 88172645463325252u, all = 0;
	size_t n = 0;

	for (size_t i = 0; i < tries; i++) {
		uint64_t hits[sizeof typical / sizeof *typical][GROWING_RUNS];
		CLEANUP(fixture_release) struct fixture fixture = fixture_profiled(100, 100 * (1 + slower));
		bool settled = false;

		draw_profile(&state, &fixture.base.profile, 12000, 0);
		for (size_t s = 0; s < sizeof typical / sizeof *typical; s++)
			for (size_t r = 0; r < GROWING_RUNS; r++)
				hits[s][r] = draw(&state, growing[r], (typical[s] + (s == 2 ? extra : 0)) / (1 + extra));
		for (size_t runs = 3; runs <= GROWING_RUNS && !settled; runs++) {
			profile_release(&fixture.s.head.profile);
			begin_growing(&fixture.s.head.profile, runs, hits);
			settled = judge_symbols_settled(&fixture.s, &fixture.here, &fixture.base, 36000);
		}
		all += fixture.s.head.profile.samples;
		judge(&fixture);
		n += row_of(&fixture)->verdict == verdict;
	}
	*samples = (double)all / (double)tries;
	return n;
}

/* If runs differ by more than sampling error, further samples would not decide the gate. */
TEST(more_of_the_same_is_not_taken)
{
	CLEANUP(fixture_release) struct fixture fixture = fixture_profiled(100, 105);

	profile_fill(&fixture.base.profile, 12000, 3, "b 30");
	profile_hits(&fixture.base.profile, "a", NULL, (uint64_t[]){ 3900, 4200, 4900 });
	profile_begin(&fixture.s.head.profile, 3000, 3);
	profile_hits(&fixture.s.head.profile, "a", NULL, (uint64_t[]){ 1200, 1280, 1100 });
	profile_hits(&fixture.s.head.profile, "b", NULL, (uint64_t[]){ 800, 790, 810 });
	assert_true(judge_symbols_settled(&fixture.s, &fixture.here, &fixture.base, 36000));
	judge(&fixture);
	assert_int_equal(row_of(&fixture)->verdict, VERDICT_INCONCLUSIVE);
}

/* Widely scattered runs may regress only after all samples were taken. */
TEST(what_scatters_is_judged_by_all)
{
	static const struct {
		uint64_t hits[3];
		bool settled;
	} cases[] = { { { 600, 610, 605 }, true }, { { 480, 610, 730 }, false } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(fixture_release) struct fixture fixture = fixture_profiled(100, 115);

		profile_fill(&fixture.base.profile, 12000, 3, "a 3, b 30");
		profile_begin(&fixture.s.head.profile, 3000, 3);
		profile_hits(&fixture.s.head.profile, "a", NULL, cases[i].hits);
		profile_hits(&fixture.s.head.profile, "b", NULL, (uint64_t[]){ 800, 790, 810 });
		assert_int_equal(judge_symbols_settled(&fixture.s, &fixture.here, &fixture.base, 36000), cases[i].settled);
		judge(&fixture);
		assert_int_equal(row_of(&fixture)->verdict, VERDICT_REGRESSION);
	}
}

/* Early looks keep false positives and detection unchanged, and save more than half of the samples. */
TEST(looks_find_as_much)
{
	double samples;

	assert_int_equal(count_looks(VERDICT_REGRESSION, 5000, 0, 0.05, &samples), 0);
	assert_in_range(count_looks(VERDICT_PASS, 1000, 0, 0, &samples), 990, 1000);
	assert_in_range(samples, 9000, 18000);
	assert_in_range(count_looks(VERDICT_REGRESSION, 500, 0.02, 0.02, &samples), 400, 500);
	assert_in_range(count_looks(VERDICT_PASS, 500, 0.02, 0.02, &samples), 0, 25);
	/* A clear regression is found at the first look. */
	assert_int_equal(count_looks(VERDICT_REGRESSION, 200, 0.06, 0.06, &samples), 200);
	assert_in_range(samples, 9000, 10000);
}
