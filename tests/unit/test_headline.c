#include "unit.h"

#include "report/headline.h"
#include "golden.h"
#include "report/formats/report.h"
#include "report_samples.h"

static void render(void (*fill)(struct result *), const struct report_options *options, struct strbuf *out)
{
	CLEANUP(result_release) struct result result = { 0 };

	fill(&result);
	report_text(&result, options, out);
}

static void compare(void (*fill)(struct result *), const char *name, const struct report_options *options)
{
	CLEANUP(free_ptr) char *path = text_printf("tests/fixtures/report/%s.txt", name);
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	render(fill, options, &out);
	golden_compare(path, &out);
}

TEST(test_golden)
{
	for (size_t i = 0; i < SAMPLES; i++)
		compare(samples[i].fill, samples[i].name, &(struct report_options){ 0 });
	compare(sample_regression, "regression-verbose", &(struct report_options){ .verbose = true });
	compare(sample_caused, "caused-verbose", &(struct report_options){ .verbose = true });
	compare(sample_regression, "regression-color", &(struct report_options){ .color = true });
}

/* Prose wraps at the width. Commands and tables do not. Without colour there are no control characters. */
TEST(test_width)
{
	struct report_options options = {.width = 70};
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	render(sample_pass, &options, &out);
	for (const char *line = out.buf; *line; line += strcspn(line, "\n") + 1)
		if (strncmp(line, "  command", 9))
			assert_true(strcspn(line, "\n") <= 70);
	strbuf_reset(&out);
	render(sample_hostile, &options, &out);
	assert_null(strchr(out.buf, '\x1b'));
}

/* A report line must not begin with a GitHub log command. */
static void log_commands(struct result *result)
{
	struct scenario_result *scenario;

	sample_begin(result);
	scenario = sample_scenario(result, "::error::name");
	scenario->head.state = SCENARIO_FAILED;
	scenario->head.failure = "::error::one\n::error::two ::error::three ::error::four ::error::five";
	scenario->head.log_tail = "::error::log\n##[error]log\n\n::error::log";
	sample_gate(scenario, (struct sample_gate){"::error::gate", VERDICT_NEW, NAN, 1, NAN, NAN, NAN, 5, 0,
						   "::error::reason", 0});
	arena_push(&scenario->arena, &scenario->explanation, "x\n::error::y");
	NOTE(result, "::error::note");
	result_settle(result);
}

TEST(test_no_log_commands)
{
	struct report_options options = {.width = 30, .verbose = true};
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	render(log_commands, &options, &out);
	for (const char *line = out.buf; *line; line += strcspn(line, "\n") + 1)
		assert_memory_not_equal(line + strspn(line, " "), "::", 2);
	assert_null(strstr(out.buf, "##["));
	assert_non_null(strstr(out.buf, "error::five"));
}

/* Gates of several results below. */
static const struct sample_gate no_ipc = { "ipc", VERDICT_NOT_MEASURED, NAN, NAN, NAN, NAN, NAN, 10, 0, "no hardware counters", 0 };
static const struct sample_gate new_clock = { "task-clock", VERDICT_NEW, NAN, 61, NAN, NAN, NAN, 25, 0, NULL, 0 };
static const struct sample_gate new_faults = { "page-faults", VERDICT_NEW, NAN, 1204, NAN, NAN, NAN, 1, 0, NULL, 0 };
static const struct sample_gate small_rss = { "max-rss", VERDICT_PASS, NAN, 1e6, NAN, NAN, NAN, 0, 2e6, NULL, 0 };
static const struct sample_gate slow_clock = { "task-clock", VERDICT_REGRESSION, 10, 20, 100, 90, 110, 5, 0, NULL, 0 };

/* The first line, for every outcome of a result. */

static void failed_only(struct result *result)
{
	struct scenario_result *scenario;

	sample_begin(result);
	scenario = sample_scenario(result, "redis-get");
	scenario->head.state = SCENARIO_FAILED;
	scenario->head.failure = "the target exited with status 1\nin run 3";
	result_settle(result);
}

/* A failed program may print only empty lines. Results of other programs may lack the reason. */
TEST(failure_without_words)
{
	static const struct { const char *failure, *want; } rows[] = {
		{ NULL, "reason unknown" }, { "", "reason unknown" }, { "\n \n", "reason unknown" }, { "\nno such file\nx", "no such file" },
		{ "no such file", "no such file" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(result_release) struct result result = { 0 };
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		failed_only(&result);
		result.scenarios[0].head.failure = (char *)rows[i].failure;
		assert_string_equal(headline_failure(&result.scenarios[0]).s, rows[i].want);
		report_text(&result, &(struct report_options){ 0 }, &text);
		assert_null(strstr(text.buf, "()"));
		assert_non_null(strstr(text.buf, rows[i].want));
	}
}

static void required_only(struct result *result)
{
	sample_begin(result);
	sample_passing(result, "gzip-6");
	sample_gate(&result->scenarios[0], no_ipc)->gate.required = true;
	result_settle(result);
}

static void not_measured_only(struct result *result)
{
	sample_begin(result);
	sample_gate(sample_scenario(result, "gzip-6"), no_ipc);
	result_settle(result);
}

static void foreign_only(struct result *result)
{
	not_measured_only(result);
	result->scenarios[0].baseline_class = "aarch64-neoverse-n2-4cpu-hw";
}

static void interrupted_only(struct result *result)
{
	sample_begin(result);
	sample_scenario(result, "gzip-6")->head.state = SCENARIO_PARTIAL;
	result->partial = true;
	result_settle(result);
	result->status = 130;
}

static void nothing(struct result *result)
{
	sample_begin(result);
}

static void no_gates(struct result *result)
{
	sample_begin(result);
	sample_scenario(result, "gzip-6");
	result_settle(result);
}

static void many(struct result *result)
{
	sample_begin(result);
	for (int i = 0; i < 5; i++) {
		char name[] = "s0";

		name[1] = (char)('0' + i);
		sample_gate(sample_scenario(result, name), slow_clock);
	}
	sample_passing(result, "fine");
	result_settle(result);
}

static void one_scenario(struct result *result)
{
	sample_begin(result);
	sample_regressed(result, "sqlite-join");
	result_settle(result);
}

/* The responsible function follows the slower scenario, unless its verdict is inconclusive. */
static void one_function(struct result *result)
{
	one_scenario(result);
	sample_symbols(&result->scenarios[0], 61.2, 117.6, (struct sample_symbol[]){
		{ "sqlite3BtreeInsert", "", 60, 21, SYMBOL_ROSE, VERDICT_REGRESSION, NULL },
		{ NULL, NULL, 0, 0, SYMBOL_SAME, VERDICT_PASS, NULL } });
}

static void no_function(struct result *result)
{
	one_function(result);
	result->scenarios[0].symbols[0].verdict = VERDICT_INCONCLUSIVE;
}

static void unmeasured_beside_pass(struct result *result)
{
	required_only(result);
	result->scenarios[0].gates[2].gate.required = false;
	result_settle(result);
}

/* Medians that fall although the paired change rises. */
static void other_medians(struct result *result)
{
	struct scenario_result *s;

	sample_begin(result);
	s = sample_scenario(result, "gzip-6");
	sample_gate(s, (struct sample_gate){"task-clock", VERDICT_PASS, 61.2, 59.2, 1.5, -5.1, 6.2, 25, 0, NULL, 0});
	sample_gate(s, (struct sample_gate){"page-faults", VERDICT_PASS, 1204, 1204, 0, NAN, NAN, 1, 0, NULL, 0});
	result_settle(result);
}

TEST(test_medians_beside_a_change)
{
	static const char words[] = "task-clock: the change is the median of all differences between runs";
	struct report_options options = { .verbose = true };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT, plain = STRBUF_INIT;

	render(other_medians, &options, &out);
	assert_non_null(strstr(out.buf, words));
	render(sample_pass, &options, &plain);
	assert_null(strstr(plain.buf, words));
}

/* Two notes are two notes, not one with a continuation line. */
static void two_notes(struct result *result)
{
	sample_pass(result);
	NOTE(result, "one");
	NOTE(result, "two");
}

TEST(test_notes_keep_their_labels)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	render(two_notes, &(struct report_options){ 0 }, &out);
	assert_non_null(strstr(out.buf, "\n  note     one\n  note     two\n"));
}

/* A scenario without a baseline, with two gates that need one and, if LIMITED, one gate that does not. */
static struct scenario_result *unknown(struct result *result, const char *name, bool limited)
{
	struct scenario_result *s = sample_scenario(result, name);

	scenario_result_set_baseline(s, NULL, NULL, NULL);
	sample_gate(s, new_clock);
	sample_gate(s, new_faults);
	if (limited)
		sample_gate(s, small_rss);
	return s;
}

static void two_new_one_limit(struct result *result)
{
	sample_begin(result);
	unknown(result, "gzip-6", false);
	unknown(result, "xz", true);
	result_settle(result);
}

static void new_beside_known(struct result *result)
{
	sample_begin(result);
	unknown(result, "gzip-6", true);
	sample_passing(result, "xz");
	unknown(result, "jq", false);
	result_settle(result);
}

static void one_new_with_limit(struct result *result)
{
	sample_begin(result);
	unknown(result, "gzip-6", true);
	result_settle(result);
}

/* In pairs there is no baseline to accept, not even for a scenario that the base lacks. */
static void new_in_pairs(struct result *result)
{
	sample_begin(result);
	unknown(result, "gzip-6", false);
	result->mode = MODE_PAIRED;
	result_settle(result);
}

static void only_limits(struct result *result)
{
	struct scenario_result *s;

	sample_begin(result);
	s = sample_scenario(result, "gzip-6");
	sample_gate(s, small_rss);
	sample_gate(s, (struct sample_gate){"wall-time", VERDICT_PASS, NAN, 61, NAN, NAN, NAN, 0, 100, NULL, 0});
	result_settle(result);
}

static void new_value(struct result *result)
{
	sample_begin(result);
	sample_passing(result, "gzip-6");
	result->scenarios[0].gates[1].stored.verdict = VERDICT_NEW;
	result_settle(result);
}

static void new_and_inconclusive(struct result *result)
{
	new_beside_known(result);
	result->scenarios[1].gates[0].stored.verdict = VERDICT_INCONCLUSIVE;
	result_settle(result);
}

static void new_and_unmeasured(struct result *result)
{
	new_beside_known(result);
	result->scenarios[1].gates[1].stored.verdict = VERDICT_NOT_MEASURED;
	result->scenarios[1].gates[1].stored.current = NAN;
	result_settle(result);
}

#define X40 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

/* A cause replaces the symbol. A very long cause is cut. */
static void one_cause(struct result *result)
{
	one_function(result);
	sample_cause(&result->scenarios[0], (struct cause){
		CAUSE_WORK, "walk", "sqlite", "btree.c:7", NULL, 57.7, UNIT_MS, 99, "walk (btree.c:7) costs 57.7 ms more per run", NULL, NULL });
}

static void one_long_cause(struct result *result)
{
	struct scenario_result *scenario;
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	one_cause(result);
	scenario = &result->scenarios[0];
	strbuf_pad(&name, 'x', 10000);
	scenario->causes[0].sentence = arena_strdup(&scenario->arena, name.buf);
}

/* A qualified function name. many_parts_and_open() adds an inconclusive gate. */
static void many_parts(struct result *result)
{
	struct scenario_result *s;

	sample_begin(result);
	s = sample_scenario(result, "ledger-book");
	sample_gate(s, (struct sample_gate){"task-clock", VERDICT_REGRESSION, 91.7, 125, 36.3, 24.6, 38.1, 25, 0, NULL, 0});
	sample_cause(s, (struct cause){ CAUSE_WORK, "ledger::account::Accounts::book", "ledger", "account.rs:30", NULL, 32.1, UNIT_MS, 97,
					"ledger::account::Accounts::book (account.rs:30) costs 32.1 ms more per run, 97 % of the change", NULL, NULL });
	result_settle(result);
}

static void many_parts_and_open(struct result *result)
{
	many_parts(result);
	sample_gate(&result->scenarios[0],
		    (struct sample_gate){"wall-time", VERDICT_INCONCLUSIVE, 91.7, 125, 36.3, -4.6, 38.1, 25, 0, NULL, 0});
	result_settle(result);
}

struct first_line {
	void (*fill)(struct result *);
	const char *want;
};

static void assert_first_lines(const struct first_line *rows, size_t n, size_t width)
{
	for (size_t i = 0; i < n; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };
		CLEANUP(arena_release) struct arena arena = ARENA_INIT;
		struct headline headline;

		rows[i].fill(&result);
		headline_build(&result, &arena, width, &headline);
		for (size_t k = 0; k < headline.n; k++)
			strbuf_addf(&out, "%s%s: %s%s%s", k ? "; " : "", headline.items[k].word, headline.items[k].text,
				    headline.items[k].command ? ": " : "", headline.items[k].command ?: "");
		assert_string_equal(out.buf, rows[i].want);
	}
}

TEST(test_first_line)
{
	static const struct first_line rows[] = {
		{sample_pass, "pass: 2 scenarios, 4 gates compared"},
		{one_scenario, "REGRESSION: sqlite-join is slower (CPU time +92.1 %); NOT MEASURED: 1 of 4 gates (ipc)"},
		{one_function, "REGRESSION: sqlite-join is slower (CPU time +92.1 %, sqlite3BtreeInsert +57.7 ms); "
			       "NOT MEASURED: 1 of 4 gates (ipc)"},
		{one_cause, "REGRESSION: sqlite-join is slower (CPU time +92.1 %): walk (btree.c:7) costs 57.7 ms more per run; "
			    "NOT MEASURED: 1 of 4 gates (ipc)"},
		{one_long_cause, "REGRESSION: sqlite-join is slower (CPU time +92.1 %): " X40 X40 X40 X40 X40 X40 "...; "
				 "NOT MEASURED: 1 of 4 gates (ipc)"},
		{no_function, "REGRESSION: sqlite-join is slower (CPU time +92.1 %); NOT MEASURED: 1 of 4 gates (ipc)"},
		{many, "REGRESSION: 5 of 6 scenarios are slower (s0 CPU time +100 %, s1 CPU time +100 %, "
		   "s2 CPU time +100 % and 2 more)"},
		{unmeasured_beside_pass, "NOT MEASURED: 1 of 3 gates (ipc); pass: 1 scenario, 2 of 3 gates compared"},
		{two_new_one_limit, "new: 2 of 2 scenarios have no baseline (gzip-6, xz), so 4 of 5 gates were not compared; "
				    "pass: 1 of 2 scenarios, 1 of 5 gates within its limit"},
		{new_beside_known, "new: 2 of 3 scenarios have no baseline (gzip-6, jq), so 4 of 7 gates were not compared; "
				   "pass: 2 of 3 scenarios, 2 of 7 gates compared, 1 within its limit"},
		{one_new_with_limit, "new: gzip-6 has no baseline, so 2 of 3 gates were not compared; "
				     "pass: 1 scenario, 1 of 3 gates within its limit"},
		{only_limits, "pass: 1 scenario, 2 gates within their limits"},
		{new_value, "new: 1 of 2 gates has nothing to compare with; pass: 1 scenario, 1 of 2 gates compared"},
		{new_and_inconclusive, "INCONCLUSIVE: 1 of 7 gates (xz CPU time +0.33 %); new: 2 of 3 scenarios have no baseline "
				       "(gzip-6, jq), so 4 of 7 gates were not compared"},
		{new_and_unmeasured, "NOT MEASURED: 1 of 7 gates (xz page-faults); new: 2 of 3 scenarios have no baseline (gzip-6, jq), "
				     "so 4 of 7 gates were not compared; pass: 2 of 3 scenarios, 1 of 7 gates compared, 1 within its limit"},
		{required_only, "COULD NOT MEASURE: 1 required gate (ipc)"},
		{failed_only, "NOTHING WAS COMPARED: could not measure redis-get (the target exited with status 1); "
			  "once it is fixed: pawl run redis-get --strict --runs 15"},
		{not_measured_only, "NOTHING WAS COMPARED: no hardware counters; see what this machine can count: "
				"pawl doctor; NOT MEASURED: 1 gate (ipc)"},
		{foreign_only, "NOTHING WAS COMPARED: the baseline is of another machine class "
			   "(aarch64-neoverse-n2-4cpu-hw); accept one of this class: "
			   "pawl baseline update gzip-6 --reason \"...\"; NOT MEASURED: 1 gate (ipc)"},
		{interrupted_only, "NOTHING WAS COMPARED: PARTIAL, interrupted before a gate could be judged; "
			       "start again: pawl run gzip-6 --strict --runs 15"},
		{nothing, "NOTHING WAS COMPARED: no scenario was run; see which there are: pawl check"},
		{new_in_pairs, "NOTHING WAS COMPARED: the base has no values of gzip-6"},
		{no_gates, "NOTHING WAS COMPARED: no scenario has a gate; write gates: in scenarios/gzip-6.yaml, then: "
		       "pawl run gzip-6 --strict --runs 15"},
	};

	assert_first_lines(rows, sizeof rows / sizeof rows[0], 0);
}

/* On a terminal, details that do not fit into the first line follow below. */
TEST(test_first_line_in_80_columns)
{
	static const struct first_line rows[] = {
		{ sample_pass, "pass: 2 scenarios, 4 gates compared" },
		{ one_scenario, "REGRESSION: sqlite-join is slower (CPU time +92.1 %); NOT MEASURED: 1 of 4 gates" },
		{ one_long_cause, "REGRESSION: sqlite-join is slower (CPU time +92.1 %); NOT MEASURED: 1 of 4 gates" },
		{ many, "REGRESSION: 5 of 6 scenarios are slower" },
		{ many_parts, "REGRESSION: ledger-book is slower (CPU time +36.3 %, book +32.1 ms)" },
		{ many_parts_and_open, "REGRESSION: ledger-book is slower (CPU time +36.3 %, book +32.1 ms)" },
		{ unmeasured_beside_pass, "NOT MEASURED: 1 of 3 gates (ipc); pass: 1 scenario, 2 of 3 gates compared" },
		{ required_only, "COULD NOT MEASURE: 1 required gate (ipc)" },
		{ not_measured_only, "NOTHING WAS COMPARED: no hardware counters; see what this machine can count: "
				     "pawl doctor; NOT MEASURED: 1 gate" },
	};

	assert_first_lines(rows, sizeof rows / sizeof rows[0], 80);
}

/* Many of everything: gates of each kind, causes, notes. */
static void very_red(struct result *result)
{
	static const char *const words = "a sentence that is long enough to need more than two lines of a terminal, as reasons, "
					 "causes and notes are that name files, functions and what they cost, one after the other";
	struct scenario_result *s;

	sample_begin(result);
	s = sample_scenario(result, "sqlite-join");
	for (int i = 0; i < 6; i++)
		sample_gate(s, (struct sample_gate){ "task-clock", VERDICT_REGRESSION, 10, 20, 100, 90, 110, 5, 0, words, 0 });
	for (int i = 0; i < 3; i++) {
		sample_gate(s, (struct sample_gate){ "cpu-time", VERDICT_INCONCLUSIVE, 10, 11, 10, -1, 21, 5, 0, NULL, 0 });
		sample_gate(s, (struct sample_gate){ "ipc", VERDICT_NOT_MEASURED, NAN, NAN, NAN, NAN, NAN, 5, 0, words, 0 });
		sample_cause(s, (struct cause){ CAUSE_WORK, "walk", "sqlite", "btree.c:7", "btree.c:8: a -> b", 57.7, UNIT_MS, 99,
						words, NULL, NULL });
		arena_push(&s->arena, &s->explanation, words);
		NOTE(&s->head, "%s", words);
	}
	result_settle(result);
}

/* Returns the number of lines of a scenario, from the one that begins with FIRST to the empty line after it. */
static size_t lines_of_scenario(const char *text, const char *first)
{
	const char *start = strstr(text, first), *end;
	size_t n = 0;

	assert_non_null(start);
	end = strstr(start, "\n\n") ?: start + strlen(start);
	for (const char *s = start; s <= end && *s; s++)
		n += *s == '\n';
	return n;
}

static void assert_narrow(const char *text)
{
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		CLEANUP(free_ptr) char *copy = xstrndup(line, strcspn(line, "\n"));

		/* A verdict never wraps, so that grep finds all of it; commands and paths stay on one line, for copying. */
		if (*copy == ' ' && !text_starts(copy, "  rerun ") && !text_starts(copy, "  accept ") && !text_starts(copy, "  changed ") &&
		    utf8_width(copy) > 80)
			fail_msg("%zu columns: %s", utf8_width(copy), copy);
	}
}

/* A cause in counts names their unit, unless the gate's metric is that count. */
TEST(test_what_a_cause_counts)
{
	static const struct { const char *metric; enum metric_unit unit; double amount; const char *want; } rows[] = {
		{ "task-clock", UNIT_MS, 57.7, ", walk +57.7 ms)" },
		{ "task-clock", UNIT_COUNT, 2e5, ", walk +200 k instructions)" },
		{ "instructions", UNIT_COUNT, 2e5, ", walk +200 k instructions)" },
		{ "sim-instructions", UNIT_COUNT, 2e5, ", walk +200 k instructions)" },
		{ "page-faults", UNIT_COUNT, 400, ", walk +400)" },
		{ "allocations", UNIT_COUNT, 400, ", walk +400)" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(result_release) struct result result = { 0 };
		CLEANUP(arena_release) struct arena arena = { 0 };
		struct headline headline;
		struct scenario_result *s;

		sample_begin(&result);
		s = sample_scenario(&result, "a");
		sample_gate(s, (struct sample_gate){ rows[i].metric, VERDICT_REGRESSION, 10, 20, 100, 90, 110, 5, 0, NULL, 0 });
		sample_cause(s, (struct cause){ .kind = CAUSE_WORK, .function = "walk", .amount = rows[i].amount, .unit = rows[i].unit,
						.share_pct = 99, .sentence = "walk costs more" });
		/* With a single scenario, the headline would contain the cause's sentence instead. */
		sample_passing(&result, "fine");
		result_settle(&result);
		headline_build(&result, &arena, 0, &headline);
		if (!text_ends(headline.items[0].text, strlen(headline.items[0].text), rows[i].want))
			fail_msg("%s", headline.items[0].text);
	}
}

/* In fewer columns, first the sentence is dropped, then the location, then names. */
TEST(test_narrower)
{
	static const struct { size_t width; const char *regression; } rows[] = {
		{ 0, "sqlite-join is slower (CPU time +92.1 %): walk (btree.c:7) costs 57.7 ms more per run" },
		{ 119, "sqlite-join is slower (CPU time +92.1 %, walk (btree.c:7) +57.7 ms)" },
		{ 104, "sqlite-join is slower (CPU time +92.1 %, walk +57.7 ms)" },
		{ 78, "sqlite-join is slower" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(result_release) struct result result = { 0 };
		CLEANUP(arena_release) struct arena arena = { 0 };
		struct headline headline;

		one_cause(&result);
		headline_build(&result, &arena, rows[i].width, &headline);
		assert_string_equal(headline.items[0].text, rows[i].regression);
	}
}

/* Failed scenarios take at most ten lines of 80 columns. Passed scenarios are brief. */
TEST(test_short)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	render(very_red, &(struct report_options){ 0 }, &out);
	assert_int_equal(lines_of_scenario(out.buf, "REGRESSION sqlite-join"), 10);
	assert_narrow(out.buf);
	assert_non_null(strstr(out.buf, "\n  rerun    pawl run sqlite-join"));
	assert_non_null(strstr(out.buf, " findings with -v\n"));
	strbuf_reset(&out);
	render(sample_regression, &(struct report_options){ 0 }, &out);
	assert_true(lines_of_scenario(out.buf, "\nREGRESSION sqlite-join") <= 10 + 1);
	assert_narrow(out.buf);
	assert_int_equal(lines_of_scenario(out.buf, "\npass  gzip-6"), 3 + 1);
}

/* The source location of the first cause is always printed in full, at any width. */
TEST(test_changed_line_stays)
{
	static const unsigned widths[] = { 0, 40, 60, 200 };
	static const char *const lines[] = {
		"btree.c:8: a -> b", "btree.c:123: if (moveToChild(pCur, get4byte(findCell(pPage, idx))) != 0) -> if (moveToRoot(pCur) != 0)",
	};

	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
		for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
			CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
			CLEANUP(result_release) struct result result = { 0 };
			CLEANUP(free_ptr) char *want = text_printf("\n  changed  %s\n", lines[k]);

			very_red(&result);
			result.scenarios[0].causes[0].changed = lines[k];
			report_text(&result, &(struct report_options){ .width = widths[i] }, &out);
			assert_non_null(strstr(out.buf, want));
			assert_int_equal(lines_of_scenario(out.buf, "REGRESSION sqlite-join"), 10);
		}
}

/* A gate that was not measured is named with its reason, however many others passed. */
TEST(test_not_measured_is_named)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	render(unmeasured_beside_pass, &(struct report_options){ 0 }, &out);
	assert_non_null(strstr(out.buf, "NOT MEASURED gzip-6 ipc\n"));
	assert_non_null(strstr(out.buf, "ipc: no hardware counters\n"));
	assert_non_null(strstr(out.buf, "\n  2 gates passed\n"));
	strbuf_reset(&out);
	render(sample_regression, &(struct report_options){ 0 }, &out);
	assert_non_null(strstr(out.buf, "  note     NOT MEASURED ipc: this virtual machine exposes no hardware counters\n"));
}

/* A scenario's verdict as a title, for a page. */
TEST(test_title)
{
	static const struct { struct sample_gate gate; const char *want; } rows[] = {
		{ { "task-clock", VERDICT_REGRESSION, 50, 80, 60, 55, 65, 5, 0, NULL, 0 }, "words is 60.0 % slower" },
		{ { "task-clock", VERDICT_REGRESSION, 50, 615, 1130, 900, 1300, 5, 0, NULL, 0 }, "words is 1130 % slower" },
		{ { "task-clock", VERDICT_IMPROVEMENT, 50, 35, -30, -35, -25, 5, 0, NULL, 0 }, "words takes 30.0 % less CPU time" },
		{ { "ipc", VERDICT_REGRESSION, 2, 1.5, -25, -30, -20, 5, 0, NULL, 0 }, "words: ipc is 25.0 % lower" },
		{ { "page-faults", VERDICT_REGRESSION, 0, 12, INFINITY, NAN, NAN, 5, 0, NULL, 0 }, "words: page-faults unknown" },
		{ { "task-clock", VERDICT_INCONCLUSIVE, 50, 51, 2, -1, 5, 5, 0, NULL, 0 }, "words: inconclusive" },
		{ { "task-clock", VERDICT_PASS, 50, 50, 0, -1, 1, 5, 0, NULL, 0 }, "words is not slower" },
		{ { "max-rss", VERDICT_PASS, 50, 50, 0, -1, 1, 5, 0, NULL, 0 }, "words: no regression found" },
		{ { "task-clock", VERDICT_NEW, NAN, 48.4, NAN, NAN, NAN, 5, 0, NULL, 0 }, "words: 48.4 ms CPU time, measured for the first time" },
		{ { "ipc", VERDICT_NOT_MEASURED, NAN, NAN, NAN, NAN, NAN, 5, 0, NULL, 0 }, "words: a gate was not measured" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { 0 };

		sample_begin(&result);
		sample_gate(sample_scenario(&result, "words"), rows[i].gate);
		headline_title(&title, &result.scenarios[0]);
		assert_string_equal(title.buf, rows[i].want);
	}
}
