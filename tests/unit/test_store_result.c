#include "unit.h"

#include <stdlib.h>

#include "golden.h"
#include "json_samples.h"
#include "store_parse.h"

/* -------- result_json */

#define N(array) (sizeof(array) / sizeof *(array))

static void parse(const char *text, struct result *out)
{
	struct error err = ERROR_INIT;

	MUST(result_parse(text, strlen(text), "x.json", out, &err));
}

static void assert_reads_back(const struct result *result)
{
	CLEANUP(result_release) struct result back = { 0 };
	CLEANUP(free_ptr) char *text = result_format(result), *again = NULL;

	parse(text, &back);
	again = result_format(&back);
	assert_string_equal(text, again);
}

/* Every member of the sample has a key in the file, and the parsed file is written back unchanged. */
TEST(reads_back_everything)
{
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *json = NULL;

	sample_result(&result);
	json = result_format(&result);
	strbuf_adds(&text, json);
	golden_compare("tests/fixtures/result.json", &text);
	assert_reads_back(&result);
}

/* Keys that were renamed since schema 1 are also read by their old names, and later ones may be missing. */
TEST(reads_the_schema_before)
{
	static const struct { const char *now, *before; } renamed[] = {
		{ "\"schema\": 2", "\"schema\": 1" }, { "\"way\": \"in-turn\",", "" }, { "\"apart\": null,", "" },
		{ "\"stored\": {", "\"screen\": {" }, { ",\n            \"pairs\": 0", "" }, { "\"warnings\": ", "\"doubts\": " },
		{ "\"event_groups\": [0", "\"passes\": [0" }, { "\"event_groups\": []", "\"passes\": []" },
	};
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(strbuf_release) struct strbuf old = STRBUF_INIT, text = read_file("tests/fixtures/result.json");
	CLEANUP(free_ptr) char *json = NULL;

	for (size_t i = 0; i < N(renamed); i++) {
		CLEANUP(free_ptr) char *changed = replaced(i ? old.buf : text.buf, renamed[i].now, renamed[i].before);

		strbuf_reset(&old);
		strbuf_adds(&old, changed);
	}
	parse(old.buf, &result);
	json = result_format(&result);
	assert_string_equal(json, text.buf);
}

TEST(reads_back_what_may_be_missing)
{
	CLEANUP(result_release) struct result result = { 0 };
	struct machine *machine = &result.machine;

	sample_result(&result);
	result.commit = NULL;
	result.out_dir = NULL;
	result.scenarios[0].path = NULL;
	machine->perf_path = NULL;
	machine->perf_version = NULL;
	machine->hypervisor = NULL;
	machine->tier_reason = NULL;
	machine->tier_remedy = NULL;
	machine->notes = (struct strv)STRV_INIT;
	result.notes = (struct strv)STRV_INIT;
	assert_reads_back(&result);
}

/* A result without a search for causes has no keys for them. */
TEST(leaves_causes_out_where_there_are_none)
{
	CLEANUP(result_release) struct result result = { 0 }, back = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	sample_result(&result);
	result.scenarios[0].n_causes = 0;
	result.scenarios[0].evidence.n = 0;
	text = result_format(&result);
	assert_null(strstr(text, "\"causes\""));
	assert_null(strstr(text, "\"evidence\""));
	parse(text, &back);
	assert_int_equal(back.scenarios[0].n_causes, 0);
	assert_int_equal(back.scenarios[0].evidence.n, 0);
}

TEST(reads_back_every_word)
{
	CLEANUP(result_release) struct result result = { 0 };

	sample_result(&result);
	for (int i = 0; i <= VERDICT_ACCEPTED; i++) {
		struct gate gate = { .metric = metric_find("ipc"), .max = NAN, .min = NAN };

		scenario_result_add_gate(&result.scenarios[0], &gate)->stored.verdict = (enum verdict)i;
	}
	for (int i = 0; i <= SCENARIO_SKIPPED; i++) {
		struct scenario_result *scenario = result_add_scenario(&result, "another");

		scenario->path = "another.yaml";
		scenario->head.state = (enum scenario_state)i;
		scenario->status = i;
	}
	result.mode = MODE_PAIRED;
	result.status = 130;
	for (int i = 0; i < CAUSE_KINDS; i++) {
		result.scenarios[0].causes[1].kind = (enum cause_kind)i;
		result.scenarios[0].causes[1].unit = (enum metric_unit)(i % (UNIT_HZ + 1));
		assert_reads_back(&result);
	}
}

TEST(reads_back_columns_without_runs_and_unbounded_values)
{
	CLEANUP(result_release) struct result result = { 0 };
	struct judgement *paired;

	sample_result(&result);
	side_result_column(&result.scenarios[1].head, metric_find("task-clock"));
	assert_reads_back(&result);
	paired = &result.scenarios[0].gates[0].paired;
	paired->low_pct = -INFINITY;
	paired->high_pct = paired->more_pairs = INFINITY;
	assert_reads_back(&result);
	paired->more_pairs = NAN;
	assert_reads_back(&result);
}

/* After an interrupted comparison one side may be a run ahead. Only complete pairs are kept. */
TEST(keeps_whole_pairs_only)
{
	CLEANUP(result_release) struct result result = { 0 }, back = { 0 };

	sample_result(&result);
	side_result_add_run(scenario_result_measured(&result.scenarios[0]));
	read_result(&result, &back);
	assert_int_equal(scenario_result_pairs(&back.scenarios[0]), 3);
	assert_int_equal(scenario_result_measured(&back.scenarios[0])->n_runs, 3);
}

/* Scripts see the values of a pair next to each other. Results without pairs do not have these keys. */
TEST(pairs_stand_beside_each_other)
{
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	sample_result(&result);
	text = result_format(&result);
	assert_non_null(strstr(text, "{\"base\": {\"task-clock\": 61.2, \"p99\": 1.25, \"task-clock-per-work\": null}, "
				     "\"head\": {\"task-clock\": 64.5, \"p99\": 1.25, \"task-clock-per-work\": null}, "
				     "\"first\": \"base\"}"));
	assert_non_null(strstr(text, "\"seed\": \"18446744073709551614\""));
	assert_null(strstr(strstr(text, "never-started"), "pair"));
}

TEST(makes_foreign_bytes_valid)
{
	CLEANUP(result_release) struct result result = { 0 }, back = { 0 };

	sample_result(&result);
	result.scenarios[0].head.log_tail = "caf\xe9 \x01\n";
	read_result(&result, &back);
	assert_string_equal(back.scenarios[0].head.log_tail, "caf\xef\xbf\xbd \x01\n");
}

/* The smallest result: keys that scripts rely on and every report shows. */
static const char least[] =
	"{\"schema\": 1, \"mode\": \"stored\", \"status\": 0, \"partial\": false, \"command\": \"pawl run\",\n"
	"\"date\": \"2026-11-21T10:05:54Z\", \"pawl\": \"0.1.7\", \"machine\": {\"arch\": \"aarch64\", \"cpu\": \"N1\",\n"
	"\"part\": \"n1-2cpu\", \"cpus\": 2, \"tier\": \"hw\", \"kernel\": \"6.1\", \"os\": \"Debian\"},\n"
	"\"scenarios\": [{\"name\": \"a\", \"path\": \"a.yaml\", \"state\": \"measured\", \"status\": 0,\n"
	"\"gates\": [{\"metric\": \"ipc\", \"verdict\": \"pass\"}],\n"
	"\"runs\": [{\"task-clock\": 1.5, \"ipc\": null}, {\"ipc\": 2, \"task-clock\": 2.5}]}]}\n";

TEST(takes_the_least)
{
	CLEANUP(result_release) struct result result = { 0 };
	const struct scenario_result *scenario;

	parse(least, &result);
	assert_int_equal(result.n_scenarios, 1);
	scenario = &result.scenarios[0];
	assert_int_equal(scenario->head.n_metrics, 2);
	assert_int_equal(scenario->head.n_runs, 2);
	assert_true(scenario->head.runs[0].values[0] == 1.5 && isnan(scenario->head.runs[0].values[1]));
	assert_true(scenario->head.runs[1].values[0] == 2.5 && scenario->head.runs[1].values[1] == 2);
	assert_true(isnan(scenario->gates[0].gate.max) && isnan(scenario->gates[0].gate.min));
	assert_true(isnan(scenario->gates[0].stored.baseline) && isnan(scenario->gates[0].gate.tolerance_pct));
}

/* The definition of a printed metric precedes the gates and runs that name it, and is kept. */
TEST(keeps_what_printed_metrics_are)
{
	CLEANUP(result_release) struct result result = { 0 }, back = { 0 };
	const struct scenario_result *scenario;
	struct arena arena = ARENA_INIT;
	struct gate gate = { .metric = metric_custom(&arena, "rate", NULL, true), .max = NAN, .min = NAN };

	sample_result(&result);
	scenario_result_add_gate(&result.scenarios[0], &gate);
	arena_release(&arena);
	read_result(&result, &back);
	scenario = &back.scenarios[0];
	assert_string_equal(scenario->head.work_unit, "request");
	assert_string_equal(scenario->head.attached, "service redis (pid 12)");
	assert_ptr_equal(gate_judgement(&scenario->gates[0])->metric, METRIC(TASK_CLOCK)->normalised);
	assert_true(scenario->gates[3].gate.metric->higher_is_better);
	assert_null(scenario->gates[3].gate.metric->label);
	assert_string_equal(scenario->head.metrics[3]->name, "p99");
	assert_int_equal(scenario->head.metrics[3]->source, SOURCE_CUSTOM);
	assert_int_equal(scenario->head.metrics[3]->unit, UNIT_MS);
	assert_string_equal(scenario->head.metrics[3]->label, "us");
	assert_true(scenario->head.metrics[3]->higher_is_better && scenario->head.metrics[3]->factor == 1e-3);
	assert_ptr_equal(scenario->head.metrics[4], METRIC(TASK_CLOCK)->normalised);
	assert_int_equal(scenario->head.metrics[4]->unit, UNIT_MS);
}

TEST(ignores_keys_of_a_newer_pawl)
{
	static const char *const places[] = { "\"mode\"", "\"arch\"", "\"name\"", "\"metric\"" };

	for (size_t i = 0; i < N(places); i++) {
		CLEANUP(result_release) struct result result = { 0 };
		CLEANUP(strbuf_release) struct strbuf to = STRBUF_INIT;
		CLEANUP(free_ptr) char *text = NULL;

		strbuf_addf(&to, "\"novelty\": {\"x\": [1]}, %s", places[i]);
		text = replaced(least, places[i], to.buf);
		parse(text, &result);
		assert_int_equal(result.scenarios[0].n_gates, 1);
	}
}

/* A row whose wrong part TO stands before KEY in the scenario. */
#define BEFORE(key, to, message) { "\"" #key "\": [", to ", \"" #key "\": [", "$.scenarios[0]." message }

TEST(refuses_what_is_wrong)
{
	static const struct wrong cases[] = {
		{ "\"schema\": 1", "\"schema\": 3",
		  "$.schema: schema 3 is newer than this pawl " PAWL_VERSION " reads; use pawl 0.1.7, which wrote it" },
		{ "\"schema\": 1", "\"schema\": 0", "$.schema: schema 0 is unknown; this pawl " PAWL_VERSION " reads schema 2" },
		{ "\"schema\": 1", "\"schema\": 1.5",
		  "$.schema: expected a whole number from 0 to 9007199254740992, found 1.5" },
		{ "\"stored\"", "\"guessed\"", "$.mode: expected one of stored, paired, found 'guessed'" },
		{ "\"mode\"", "\"mood\"", "$: the key \"mode\" is missing" },
		{ "\"status\": 0", "\"status\": 256", "$.status: expected a whole number from 0 to 255, found 256" },
		{ "\"status\": 0", "\"status\": -1", "$.status: expected a whole number from 0 to 255, found -1" },
		{ "\"partial\": false", "\"partial\": null", "$.partial: expected true or false, found null" },
		{ "\"2026-11-21T10:05:54Z\"", "\"2026-11-21\"",
		  "$.date: expected a date in UTC such as 2026-11-20T10:05:54Z, found '2026-11-21'" },
		{ "\"machine\": {", "\"machine\": [], \"x\": {", "$.machine: expected an object, found an array" },
		{ "\"tier\": \"hw\"", "\"tier\": 1", "$.machine.tier: expected a string, found a number" },
		{ "\"n1-2cpu\"", "\"../n1\"", "$.machine.part: expected at most 128 letters, digits and . _ - with no dot "
		  "first, found '../n1'" },
		{ "\"scenarios\": [", "\"scenarios\": 1, \"x\": [", "$.scenarios: expected an array of scenarios, found a number" },
		{ "\"name\": \"a\"", "\"name\": \".a\"", "$.scenarios[0].name: expected a scenario's name: at most 100 "
		  "letters, digits and . _ - with no dot first, found '.a'" },
		{ "\"name\": \"a\"", "\"name\": \"a/b\"", "$.scenarios[0].name: expected a scenario's name: at most 100 "
		  "letters, digits and . _ - with no dot first, found 'a/b'" },
		{ "\"state\": \"measured\"", "\"state\": \"done\"",
		  "$.scenarios[0].state: expected one of measured, failed, partial, skipped, found 'done'" },
		{ "\"verdict\": \"pass\"", "\"verdict\": \"passs\"", "$.scenarios[0].gates[0].verdict: expected one of pass, "
		  "regression, improvement, inconclusive, not-measured, new, accepted, found 'passs'" },
		{ "\"verdict\": \"pass\"", "\"x\": 1", "$.scenarios[0].gates[0]: the key \"verdict\" is missing" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"i\\npc\"", "$.scenarios[0].gates[0].metric: a metric's name holds "
		  "no control characters, found 'i\npc'" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"ipc\", \"low_pct\": \"1\"",
		  "$.scenarios[0].gates[0].low_pct: expected a number or null, found a string" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"ipc\", \"line\": 4294967296",
		  "$.scenarios[0].gates[0].line: expected a whole number from 0 to 4294967295, found 4294967296" },
		{ "\"gates\": [", "\"gates\": [7, ", "$.scenarios[0].gates[0]: expected an object, found a number" },
		{ "\"gates\": [", "\"gates\": {}, \"x\": [", "$.scenarios[0].gates: expected an array of gates, found an object" },
		BEFORE(gates, "\"causes\": [{\"kind\": \"magic\"}]",
		       "causes[0].kind: expected one of work, slower-per-instruction, system-calls, faults, "
		       "waiting, lock, lost-parallelism, allocation, start-up, build, library, input, found 'magic'"),
		BEFORE(gates, "\"causes\": [{\"kind\": \"work\", \"unit\": \"yards\"}]",
		       "causes[0].unit: expected one of count, ms, B, ratio, fraction, Hz, found 'yards'"),
		BEFORE(gates, "\"causes\": [{\"kind\": \"work\"}]", "causes[0]: the key \"sentence\" is missing"),
		BEFORE(gates, "\"causes\": [{}, {}, {}, {}]", "causes: expected an array of at most 3 causes"),
		BEFORE(gates, "\"evidence\": \"a line\"", "evidence: expected an array of strings, found a string"),
		BEFORE(gates, "\"pairing\": {\"seed\": 7}", "pairing.seed: expected a string, found a number"),
		BEFORE(gates, "\"pairing\": {\"seed\": \"18446744073709551616\"}",
		       "pairing.seed: expected a whole number from 0 to 18446744073709551615 as text, found "
		       "'18446744073709551616'"),
		BEFORE(gates, "\"pairing\": {\"batch\": 0}",
		       "pairing.batch: expected a whole number from 1 to 4294967295, found 0"),
		BEFORE(gates, "\"pairing\": {\"base\": []}", "pairing.base: expected an object, found an array"),
		BEFORE(gates, "\"pairing\": {\"floor_pct\": -1}",
		       "pairing.floor_pct: expected a number that is not negative, found -1"),
		BEFORE(gates, "\"pairs\": {}", "pairs: expected an array of pairs, found an object"),
		BEFORE(gates, "\"pairs\": [{\"base\": {}}]", "pairs[0]: the key \"head\" is missing"),
		BEFORE(gates, "\"pairs\": [{\"base\": {}, \"head\": 4}]",
		       "pairs[0].head: expected an object of metrics, found a number"),
		BEFORE(gates, "\"pairs\": [{\"base\": {}, \"head\": {}, \"first\": \"last\"}]",
		       "pairs[0].first: expected one of base, head, found 'last'"),
		BEFORE(gates, "\"pairs\": [{\"base\": {\"ipc\": 1}, \"head\": {}}, {\"base\": {}, \"head\": {}}]",
		       "pairs[1].base: expected all 1 metrics (null when not measured), found 0"),
		BEFORE(gates, "\"pairs\": [{\"base\": {\"ipc\": -1}, \"head\": {}}]",
		       "pairs[0].base.ipc: expected a number that is not negative, found -1"),
		{ "\"metric\": \"ipc\"", "\"metric\": \"ipc\", \"pairs\": -2",
		  "$.scenarios[0].gates[0].pairs: expected a whole number from 0 to 4294967295, found -2" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"ipc\", \"stored\": {}",
		  "$.scenarios[0].gates[0].stored: the key \"verdict\" is missing" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"ipc\", \"unresolvable\": 1",
		  "$.scenarios[0].gates[0].unresolvable: expected true or false, found a number" },
		BEFORE(gates, "\"printed_metrics\": {}",
		       "printed_metrics: expected an array of printed metrics, found an object"),
		BEFORE(gates, "\"printed_metrics\": [5]", "printed_metrics[0]: expected an object, found a number"),
		BEFORE(gates, "\"printed_metrics\": [{\"better\": \"lower\"}]",
		       "printed_metrics[0]: the key \"name\" is missing"),
		BEFORE(gates, "\"printed_metrics\": [{\"name\": \"p99\"}]",
		       "printed_metrics[0]: the key \"better\" is missing"),
		BEFORE(gates, "\"printed_metrics\": [{\"name\": \"p99\", \"better\": \"up\"}]",
		       "printed_metrics[0].better: expected one of lower, higher, found 'up'"),
		BEFORE(gates, "\"printed_metrics\": [{\"name\": \"p\\n99\", \"better\": \"lower\"}]",
		       "printed_metrics[0].name: a metric's name holds no control characters, found 'p\n99'"),
		BEFORE(gates, "\"printed_metrics\": [{\"name\": \"ipc\", \"better\": \"lower\"}]",
		       "printed_metrics[0].name: 'ipc' is a metric of pawl's own"),
		BEFORE(gates, "\"printed_metrics\": [{\"name\": \"wall-time\", \"better\": \"lower\"}]",
		       "printed_metrics[0].name: 'wall-time' is a metric of pawl's own"),
		BEFORE(gates, "\"printed_metrics\": [{\"name\": \"x-per-work\", \"better\": \"lower\"}]",
		       "printed_metrics[0].name: 'x-per-work' is how pawl calls metrics per unit of work"),
		BEFORE(gates, "\"printed_metrics\": [{\"name\": \"p99\", \"better\": \"lower\", \"unit\": \"a b\"}]",
		       "printed_metrics[0].unit: expected a unit of 1 to 32 bytes without blanks, found 'a b'"),
		BEFORE(gates, "\"printed_metrics\": [{\"name\": \"p99\", \"better\": \"lower\", \"unit\": 5}]",
		       "printed_metrics[0].unit: expected a string, found a number"),
		{ "{\"ipc\": 2, \"task-clock\": 2.5}", "{\"ipc\": 2}",
		  "$.scenarios[0].runs[1]: expected all 2 metrics (null when not measured), found 1" },
		{ "{\"ipc\": 2, \"task-clock\": 2.5}", "{\"ipc\": 2, \"cycles\": 1}",
		  "$.scenarios[0].runs[1].cycles: this metric is not one of the scenario's \"metrics\"" },
		{ "{\"ipc\": 2, \"task-clock\": 2.5}", "{\"ipc\": 2, \"task-clock\": 1, \"cycles\": 1}",
		  "$.scenarios[0].runs[1].cycles: this metric is not one of the scenario's \"metrics\"" },
		{ "\"runs\": [", "\"metrics\": [], \"runs\": [{},",
		  "$.scenarios[0].runs[1].task-clock: this metric is not one of the scenario's \"metrics\"" },
		{ "1.5", "-1.5", "$.scenarios[0].runs[0].task-clock: expected a number that is not negative, found -1.5" },
		{ "1.5", "\"1.5\"", "$.scenarios[0].runs[0].task-clock: expected a number, found a string" },
		{ "\"runs\": [", "\"runs\": 5, \"x\": [", "$.scenarios[0].runs: expected an array of runs, found a number" },
		{ "\"runs\": [", "\"runs\": [5, ", "$.scenarios[0].runs[0]: expected an object of metrics, found a number" },
		{ "\"runs\": [", "\"runs\": [[1], ", "$.scenarios[0].runs[0]: expected an object of metrics, found an array" },
		BEFORE(runs, "\"metrics\": [5]", "metrics[0]: expected a string, found a number"),
		BEFORE(runs, "\"event_groups\": [0]", "event_groups: expected one entry for each of 2 runs, found 1"),
		BEFORE(runs, "\"event_groups\": [0, -1]",
		       "event_groups[1]: expected a whole number from 0 to 4294967295, found -1"),
		BEFORE(runs, "\"raw\": [[], [], []]", "raw: expected one entry for each of 2 runs, found 3"),
		BEFORE(runs, "\"raw\": [[], [{\"event\": \"cycles\", \"state\": \"lost\"}]]",
		       "raw[1][0].state: expected one of counted, not-counted, not-supported, found 'lost'"),
		BEFORE(runs, "\"raw\": [[], {}]", "raw[1]: expected an array of perf's rows, found an object"),
	};

	CHECK_REFUSED(try_result, least, cases);
}

static void assert_too_many_metrics(const char *from, const char *format, const char *message)
{
	CLEANUP(strbuf_release) struct strbuf to = STRBUF_INIT;
	CLEANUP(free_ptr) char *text = NULL;

	strbuf_adds(&to, from);
	for (int i = 0; i <= METRICS_MAX; i++)
		strbuf_addf(&to, format, i);
	text = replaced(least, from, to.buf);
	assert_refused(try_result, text, message);
}

TEST(bounds_metrics)
{
	assert_too_many_metrics("\"runs\": [{", "\"x%d\": 1, ", "$.scenarios[0].runs[0].x1280: more than 1280 metrics");
	assert_too_many_metrics("\"gates\": [", "{\"metric\": \"x%d\", \"verdict\": \"pass\"}, ",
				"$.scenarios[0].gates[1280].metric: more than 1280 metrics");
}

static void add_many_rows(struct scenario_result *scenario, size_t runs, size_t rows)
{
	side_result_column(&scenario->head, metric_find("task-clock"));
	for (size_t i = 0; i < runs; i++) {
		struct run *run = side_result_add_run(&scenario->head);

		run->values[0] = 61.2;
		for (size_t k = 0; k < rows; k++)
			sample_row(&scenario->head.arena, run, "instructions:u", ROW_COUNTED, 1e9 + (double)k);
	}
}

/* pawl reads every result it writes. */
TEST(leaves_out_rows_that_would_not_fit)
{
	CLEANUP(result_release) struct result result = { 0 }, back = { 0 };

	sample_result(&result);
	add_many_rows(&result.scenarios[1], 16500, 12);
	read_result(&result, &back);
	assert_int_equal(back.scenarios[1].head.n_runs, 16500);
	assert_int_equal(back.scenarios[1].head.runs[0].rows.n, 0);
	assert_int_equal(back.notes.n, 2);
	assert_string_equal(back.notes.items[1],
			    "perf's own rows are not in this file: with them it would be too large to be read again");
}

TEST(keeps_many_rows_that_fit)
{
	CLEANUP(result_release) struct result result = { 0 };

	sample_result(&result);
	add_many_rows(&result.scenarios[1], 5000, 12);
	assert_reads_back(&result);
}

/* -------- Profiles and symbol gates as JSON: round trips, and hostile input that is refused. */

TEST(old_files_have_none)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 }, back = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	sample_baseline(&baseline);
	profile_release(&baseline.profile);
	text = baseline_format(&baseline);
	assert_null(strstr(text, "profile"));
	read_baseline(&baseline, &back);
	assert_false(profile_exists(&back.profile));
}

static const struct wrong hostile[] = {
	{ "\"samples\": 8600", "\"samples\": 9007199254740994", "$.profile.samples: expected a whole number from 0 to..." },
	{ "\"samples\": 8600", "\"samples\": -1", "$.profile.samples: expected a whole number from 0 to..." },
	{ "\"samples\": 8600", "\"samples\": 8601", "$.profile.runs: the runs have 8600 samples together, not the 8601 of \"samples\"" },
	{ "\"samples\": 8600", "\"samples\": null", "$.profile.samples: expected a whole number, found null" },
	{ "\"frequency\": 997", "\"frequency\": 4294967296", "$.profile.frequency: expected a whole number from 0 to..." },
	{ "\"call_graph\": \"dwarf\"", "\"call_graph\": \"orc\"", "$.profile.call_graph: expected one of fp, dwarf, lbr..." },
	{ "\"event\": \"cpu-clock\"", "\"event\": null", "$.profile.event: expected a string, found null" },
	{ "\"weight\": 8625877400", "\"weight\": -1", "$.profile.weight: expected a number that is not negative..." },
	{ "\"weight\": 8625877400", "\"weight\": null", "$.profile.weight: expected a number, found null" },
	{ "\"weight\": 8625877400", "\"weight\": 1e999", "..." },
	{ "\"weight\": 8625877400", "\"weight\": NaN", "..." },
	{ "\"weight\": 8625877400", "\"weight\": 5", "$.profile.symbols[0]: expected weight <= total_weight <= the profile's 5..." },
	{ "\"runs\": [4000, 4600]", "\"runs\": []", "$.profile.runs: expected an array of the samples of 1 to 64 runs..." },
	{ "\"runs\": [4000, 4600]", "\"runs\": {}", "$.profile.runs: expected an array of the samples of 1 to 64 runs..." },
	{ "\"runs\": [4000, 4600]", "\"runs\": [4000, 4600, 0]",
	  "$.profile.symbols[0].runs: expected an array of one count for each of 3 runs..." },
	{ "[3000, 2500]", "[5500]", "$.profile.symbols[0].runs: expected an array of one count for each of 2 runs..." },
	{ "[3000, 2500]", "[3000, 2501]", "$.profile.symbols[0].runs: the runs have 5501 samples together, not the 5500 of \"samples\"" },
	{ "[3000, 2500]", "[3000.5, 2499.5]", "$.profile.symbols[0].runs[0]: expected a whole number from 0 to..." },
	{ "[3000, 2500]", "[5501, -1]", "$.profile.symbols[0].runs[1]: expected a whole number from 0 to..." },
	{ "\"total_samples\": 5503", "\"total_samples\": 5499", "$.profile.symbols[0]: expected samples <= total_samples..." },
	{ "\"total_samples\": 5503", "\"total_samples\": 8601", "$.profile.symbols[0]: expected samples <= total_samples..." },
	{ "\"total_weight\": 5519558527", "\"total_weight\": 1", "$.profile.symbols[0]: expected weight <= total_weight..." },
	{ "\"symbol\": \"gr\xc3\xbc\xc3\x9f\"", "\"symbol\": \"x\", \"key\": \"<std::vec<T> as \\\"D\\\">::drop\"",
	  "$.profile.symbols[1]: 'x' of 'redis-server' is there twice" },
	{ "\"symbol\": \"gr\xc3\xbc\xc3\x9f\"", "\"symbol\": 5", "$.profile.symbols[1].symbol: expected a string, found a number" },
	{ "\"rest_samples\": 7", "\"rest_samples\": -7", "$.profile.rest_samples: expected a whole number from 0 to..." },
	{ "\"rest_samples\": 7", "\"rest_samples\": 8", "$.profile: its symbols and rest_samples have 8601 samples together, of 8600 in all..." },
	{ "[3000, 2500]", "[4001, 1499]", "$.profile.symbols[0]: run 1 has 4000 samples, of which 4001 cannot be this symbol's..." },
	{ "\"weight\": 8625877400", "\"weight\": 1e300", "$.profile: a weight of 1e+300 cannot have been measured..." },
	{ "\"samples\": 8593", "\"samples\": 0.5", "$.profile.dsos[0].samples: expected a whole number from 0 to..." },
};

TEST(is_refused_when_hostile)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	sample_baseline(&baseline);
	text = baseline_format(&baseline);
	CHECK_REFUSED(try_baseline, text, hostile);
}

/* Baselines are read strictly; results may come from a newer pawl. */
TEST(unknown_keys_are_refused_in_baselines_alone)
{
	static const struct wrong cases[] = {
		{ "\"event\"", "\"evnt\": 1, \"event\"", "$.profile.evnt: unknown key; ..." },
		{ "\"total_samples\"", "\"totalsamples\": 1, \"total_samples\"", "$.profile.symbols[0].totalsamples: unknown key; ..." },
		{ "\"name\"", "\"nme\": 1, \"name\"", "$.profile.dsos[0].nme: unknown key; ..." },
	};
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *base_text = NULL, *result_text = NULL;

	sample_baseline(&baseline);
	base_text = baseline_format(&baseline);
	CHECK_REFUSED(try_baseline, base_text, cases);
	sample_result(&result);
	result_text = result_format(&result);
	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(free_ptr) char *good = replaced(result_text, cases[i].from, cases[i].to);
		struct error err = ERROR_INIT;

		assert_int_equal(try_result(good, &err), 0);
	}
}

TEST(judged_symbols_are_checked)
{
	static const struct wrong cases[] = {
		{ "\"share_pct\": 31.5", "\"share_pct\": -31.5", "$.scenarios[0].symbols[0].share_pct: expected a number that is not negative, found -31.5" },
		{ "\"samples\": 2709", "\"samples\": 1e17", "$.scenarios[0].symbols[0].samples: expected a whole number..." },
		{ "\"change\": \"moved\"", "\"change\": \"flew\"", "$.scenarios[0].symbols[0].change: expected one of same, rose, fell..." },
		{ "\"verdict\": \"regression\", \"reason\": \"its", "\"verdict\": \"fine\", \"reason\": \"its",
		  "$.scenarios[0].symbols[0].verdict: expected one of..." },
		{ "\"max_pct\": 5", "\"max_pct\": null", "$.scenarios[0].budgets[0].max_pct: expected a number, found null" },
		{ "\"of\": \"dso\"", "\"of\": \"file\"", "$.scenarios[0].budgets[1].of: expected one of symbol, dso..." },
		{ "\"glob\": \"libfoo*\"", "\"glob\": null", "$.scenarios[0].budgets[1].glob: expected a string, found null" },
		{ "\"rise_pp\": 3.5", "\"rise_pp\": -3.5", "$.scenarios[0].symbol_gate.rise_pp: expected a number that is not negative, found -3.5" },
	};
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	sample_result(&result);
	text = result_format(&result);
	CHECK_REFUSED(try_result, text, cases);
}

/* Makes N symbols of decreasing weight, with names of LEN bytes, all called by main. */
static void make_large(struct profile *profile, size_t n, size_t len, size_t runs)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	*profile = (struct profile){ .frequency = 997, .n_runs = runs, .overhead_pct = NAN, .rest_samples = 4 };
	profile->event = arena_strdup(&profile->arena, "cycles");
	profile->run_samples = arena_alloc(&profile->arena, runs * sizeof(uint64_t));
	for (size_t i = 0; i <= n; i++) {
		struct profile_symbol *symbol;
		bool last = i == n;

		strbuf_reset(&name);
		strbuf_addf(&name, "%05zu", i);
		strbuf_pad(&name, 'n', len);
		symbol = profile_add_symbol(profile, last ? "main" : name.buf, last ? "main" : name.buf, "prog");
		symbol->samples = symbol->total_samples = symbol->run_samples[0] = last ? 0 : n - i;
		symbol->weight = symbol->total_weight = (double)symbol->samples;
		profile->samples += symbol->samples;
	}
	profile->samples += 4;
	profile->run_samples[0] = profile->samples;
	profile->weight = (double)profile->samples;
	profile->symbols[n].total_samples = profile->samples;
	profile->symbols[n].total_weight = profile->weight;
}

static uint64_t listed(const struct profile *profile)
{
	uint64_t samples = profile->rest_samples;

	for (size_t i = 0; i < profile->n_symbols; i++)
		samples += profile->symbols[i].samples;
	return samples;
}

TEST(the_heaviest_are_written)
{
	static const struct {
		size_t symbols, in_result, in_baseline;
	} cases[] = { { 5, 6, 5 }, { 60, 61, 60 }, { 250, 251, 60 }, { 900, 300, 60 } };

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(baseline_release) struct baseline baseline = { 0 }, base_back = { 0 };
		CLEANUP(result_release) struct result result = { 0 }, back = { 0 };
		struct profile *profile;

		sample_baseline(&baseline);
		profile_release(&baseline.profile);
		make_large(&baseline.profile, cases[i].symbols, 1, 3);
		read_baseline(&baseline, &base_back);
		profile = &base_back.profile;
		assert_int_equal(listed(profile), baseline.profile.samples);
		assert_true(profile->n_symbols <= cases[i].in_baseline);
		for (size_t k = 0; k < profile->n_symbols; k++)
			assert_true(profile_share_pct(profile, &profile->symbols[k]) >= 0.1);

		sample_result(&result);
		profile_release(&result.scenarios[0].head.profile);
		make_large(&result.scenarios[0].head.profile, cases[i].symbols, 1, 3);
		read_result(&result, &back);
		profile = &back.scenarios[0].head.profile;
		assert_int_equal(listed(profile), baseline.profile.samples);
		assert_true(profile->n_symbols <= cases[i].in_result);
		/* The common caller has no samples itself and shows the origin of the others. */
		assert_string_equal(profile->symbols[profile->n_symbols - 1].symbol, "main");
	}
}

static void assert_noted(const struct result *result, const char *words, bool noted)
{
	bool found = false;

	for (size_t i = 0; i < result->notes.n; i++)
		found |= strstr(result->notes.items[i], words) != NULL;
	assert_int_equal(found, noted);
}

/* pawl reads what it wrote, whatever the size. */
TEST(results_stay_readable)
{
	static const struct { size_t scenarios, symbols, name, runs, kept; bool noted, gone; } cases[] = {
		{ 10, 320, 20, 3, 300, false, false }, { 60, 320, 20, 64, 60, true, false }, { 70, 320, 1900, 3, 60, true, false },
		{ 250, 62, 20, 64, 0, true, true },
	};

	/* The others print millions of numbers, which takes an emulator many minutes. */
	for (size_t i = 0; i < (getenv("PAWL_EMULATED") ? 1 : N(cases)); i++) {
		CLEANUP(result_release) struct result result = { 0 }, back = { 0 };

		sample_result(&result);
		for (size_t k = 0; k < cases[i].scenarios; k++) {
			char name[32];

			snprintf(name, sizeof name, "s%zu", k);
			result_add_scenario(&result, name)->path = "x.yaml";
			make_large(&result.scenarios[result.n_scenarios - 1].head.profile, cases[i].symbols, cases[i].name,
				   cases[i].runs);
		}
		read_result(&result, &back);
		assert_true(back.scenarios[2].head.profile.n_symbols <= cases[i].kept);
		assert_int_equal(profile_exists(&back.scenarios[2].head.profile), !cases[i].gone);
		if (!cases[i].gone)
			assert_int_equal(listed(&back.scenarios[2].head.profile), result.scenarios[2].head.profile.samples);
		assert_noted(&back, "only the heaviest symbols", cases[i].noted);
		assert_noted(&back, "profiles are not in this file", cases[i].gone);
	}
}

/* Names that JSON cannot represent stay distinct, and equal across two profiles. */
TEST(odd_names_stay_apart)
{
	CLEANUP(strbuf_release) struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;
	CLEANUP(baseline_release) struct baseline baseline = { 0 }, back = { 0 };
	const char *names[6] = { "\xff", "\xfe", "</title><script>\x1b\"\\", "\xf0\x9f\x90\xa7" };

	strbuf_pad(&one, 'x', 100000);
	strbuf_pad(&other, 'x', 99999);
	strbuf_addc(&other, 'y');
	names[4] = one.buf;
	names[5] = other.buf;
	sample_baseline(&baseline);
	for (size_t i = 0; i < N(names); i++)
		sample_symbol(&baseline.profile, names[i], names[i], 5, 6);
	baseline.profile.samples += N(names) * 11;
	baseline.profile.run_samples[0] += N(names) * 5;
	baseline.profile.run_samples[1] += N(names) * 6;
	read_baseline(&baseline, &back);
	assert_int_equal(back.profile.n_symbols, baseline.profile.n_symbols);
	for (size_t i = 0; i < N(names); i++) {
		const struct profile_symbol *found = profile_find(&back.profile, names[i], "redis-server");

		assert_ptr_equal(found, &back.profile.symbols[2 + i]);
		assert_true(strlen(found->symbol) <= PROFILE_NAME_LONGEST);
		assert_string_equal(found->symbol, baseline.profile.symbols[2 + i].symbol);
	}
}
