#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "golden.h"
#include "json_samples.h"
#include "store/store.h"

#define N(array) (sizeof(array) / sizeof *(array))

static void parse(const char *text, struct result *out)
{
	struct error err = ERROR_INIT;

	if (result_parse(text, strlen(text), "r.json", out, &err) < 0)
		fail_msg("%s", err.msg);
}

static void assert_reads_back(const struct result *result)
{
	CLEANUP(result_release) struct result back = { 0 };
	CLEANUP(free_ptr) char *text = result_format(result), *again = NULL;

	parse(text, &back);
	again = result_format(&back);
	assert_string_equal(text, again);
}

/* Every member of the sample has its key in the file, and what is read of the file writes the same. */
static void reads_back_everything(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *json = NULL;

	(void)state;
	sample_result(&result);
	json = result_format(&result);
	strbuf_adds(&text, json);
	golden_compare("tests/fixtures/result.json", &text);
	assert_reads_back(&result);
}

static void reads_back_what_may_be_missing(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };
	struct machine *machine = &result.machine;

	(void)state;
	sample_result(&result);
	free(take_ptr(&result.commit));
	free(take_ptr(&result.out_dir));
	free(take_ptr(&result.scenarios[0].path));
	free(take_ptr(&machine->perf_path));
	free(take_ptr(&machine->perf_version));
	free(take_ptr(&machine->hypervisor));
	free(take_ptr(&machine->tier_reason));
	free(take_ptr(&machine->tier_remedy));
	strv_release(&machine->notes);
	strv_release(&result.notes);
	assert_reads_back(&result);
}

static void reads_back_every_verdict_and_state(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };

	(void)state;
	sample_result(&result);
	for (int i = 0; i <= VERDICT_ACCEPTED; i++) {
		struct gate gate = { .metric = metric_find("ipc"), .max = NAN, .min = NAN };

		scenario_result_add_gate(&result.scenarios[0], &gate)->stored.verdict = (enum verdict)i;
	}
	for (int i = 0; i <= SCENARIO_SKIPPED; i++) {
		struct scenario_result *scenario = result_add_scenario(&result, "another");

		scenario->path = xstrdup("another.yaml");
		scenario->state = (enum scenario_state)i;
		scenario->status = i;
	}
	result.mode = MODE_PAIRED;
	result.status = 130;
	assert_reads_back(&result);
}

static void reads_back_columns_without_runs(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };

	(void)state;
	sample_result(&result);
	scenario_result_column(&result.scenarios[1], metric_find("task-clock"));
	assert_reads_back(&result);
}

static void writes_infinite_bounds_as_null(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };

	(void)state;
	sample_result(&result);
	result.scenarios[0].gates[0].paired.low_pct = -INFINITY;
	result.scenarios[0].gates[0].paired.high_pct = INFINITY;
	assert_reads_back(&result);
}

static void reads_back_what_no_pairs_resolve(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };

	(void)state;
	sample_result(&result);
	result.scenarios[0].gates[0].paired.more_pairs = INFINITY;
	assert_reads_back(&result);
	result.scenarios[0].gates[0].paired.more_pairs = NAN;
	assert_reads_back(&result);
}

/* Of a comparison that was interrupted, one side may be a run ahead: only whole pairs are kept. */
static void keeps_whole_pairs_only(void **state)
{
	CLEANUP(result_release) struct result result = { 0 }, back = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	(void)state;
	sample_result(&result);
	scenario_result_add_run(result.scenarios[0].pairing->head.measured);
	text = result_format(&result);
	parse(text, &back);
	assert_int_equal(scenario_result_pairs(&back.scenarios[0]), 4);
	assert_int_equal(back.scenarios[0].pairing->head.measured->n_runs, 4);
}

/* Scripts see numbers beside numbers; what was measured alone has none of it. */
static void pairs_stand_beside_each_other(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	(void)state;
	sample_result(&result);
	text = result_format(&result);
	assert_non_null(strstr(text, "{\"base\": {\"task-clock\": 61.2, \"p99\": 1.25, \"task-clock-per-work\": null}, "
				     "\"head\": {\"task-clock\": 64.5, \"p99\": 1.25, \"task-clock-per-work\": null}, "
				     "\"first\": \"base\"}"));
	assert_non_null(strstr(text, "\"seed\": \"18446744073709551614\""));
	assert_null(strstr(strstr(text, "never-started"), "pair"));
}

static void makes_foreign_bytes_valid(void **state)
{
	CLEANUP(result_release) struct result result = { 0 }, back = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	(void)state;
	sample_result(&result);
	free(result.scenarios[0].log_tail);
	result.scenarios[0].log_tail = xstrdup("caf\xe9 \x01\n");
	text = result_format(&result);
	parse(text, &back);
	assert_string_equal(back.scenarios[0].log_tail, "caf\xef\xbf\xbd \x01\n");
}

/* What scripts rely on, spelled out. */
static void keeps_the_contract_with_scripts(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *text = NULL;
	const cJSON *scenario, *gate;
	cJSON *tree;

	(void)state;
	sample_result(&result);
	text = result_format(&result);
	tree = cJSON_Parse(text);
	assert_int_equal(cJSON_GetObjectItem(tree, "schema")->valueint, 1);
	assert_string_equal(cJSON_GetObjectItem(tree, "mode")->valuestring, "stored");
	assert_int_equal(cJSON_GetObjectItem(tree, "status")->valueint, 1);
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(tree, "partial")));
	assert_string_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "machine"), "class")->valuestring,
			    "x86_64-intel-xeon-8370c-4cpu-sw");
	assert_string_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "machine"), "tier")->valuestring, "sw");
	scenario = cJSON_GetObjectItem(tree, "scenarios")->child;
	assert_string_equal(cJSON_GetObjectItem(scenario, "name")->valuestring, "redis-get");
	assert_int_equal(cJSON_GetObjectItem(scenario, "status")->valueint, 1);
	assert_true(cJSON_GetObjectItem(cJSON_GetObjectItem(scenario, "runs")->child, "task-clock")->valuedouble == 61.2);
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(scenario, "runs")->child, "instructions")));
	assert_true(cJSON_IsArray(cJSON_GetObjectItem(scenario, "symbols")));
	gate = cJSON_GetObjectItem(scenario, "gates")->child;
	assert_string_equal(cJSON_GetObjectItem(gate, "metric")->valuestring, "task-clock");
	assert_true(cJSON_GetObjectItem(gate, "baseline")->valuedouble == 61.2);
	assert_true(cJSON_GetObjectItem(gate, "current")->valuedouble == 120.7);
	assert_true(cJSON_GetObjectItem(gate, "change_pct")->valuedouble == 97.2);
	assert_true(cJSON_GetObjectItem(gate, "low_pct")->valuedouble == 41.2);
	assert_true(cJSON_GetObjectItem(gate, "high_pct")->valuedouble == 150.1);
	assert_true(cJSON_GetObjectItem(gate, "tolerance_pct")->valuedouble == 25);
	assert_string_equal(cJSON_GetObjectItem(gate, "verdict")->valuestring, "regression");
	assert_string_equal(cJSON_GetObjectItem(gate, "reason")->valuestring,
			    "slower by more than the machine's noise explains");
	gate = gate->next;
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(gate, "baseline")));
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(gate, "reason")));
	assert_string_equal(cJSON_GetObjectItem(gate, "verdict")->valuestring, "not-measured");
	cJSON_Delete(tree);
}

/* The least a result holds: what scripts rely on, and what every report shows. */
static const char least[] =
	"{\"schema\": 1, \"mode\": \"stored\", \"status\": 0, \"partial\": false, \"command\": \"pawl run\",\n"
	"\"date\": \"2026-11-21T10:05:54Z\", \"pawl\": \"0.1.7\", \"machine\": {\"arch\": \"aarch64\", \"cpu\": \"N1\",\n"
	"\"part\": \"n1-2cpu\", \"cpus\": 2, \"tier\": \"hw\", \"kernel\": \"6.1\", \"os\": \"Debian\"},\n"
	"\"scenarios\": [{\"name\": \"a\", \"path\": \"a.yaml\", \"state\": \"measured\", \"status\": 0,\n"
	"\"gates\": [{\"metric\": \"ipc\", \"verdict\": \"pass\"}],\n"
	"\"runs\": [{\"task-clock\": 1.5, \"ipc\": null}, {\"ipc\": 2, \"task-clock\": 2.5}]}]}\n";

static void takes_the_least(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };
	const struct scenario_result *scenario;

	(void)state;
	parse(least, &result);
	assert_int_equal(result.n_scenarios, 1);
	scenario = &result.scenarios[0];
	assert_int_equal(scenario->n_metrics, 2);
	assert_int_equal(scenario->n_runs, 2);
	assert_true(scenario->runs[0].values[0] == 1.5 && isnan(scenario->runs[0].values[1]));
	assert_true(scenario->runs[1].values[0] == 2.5 && scenario->runs[1].values[1] == 2);
	assert_true(isnan(scenario->gates[0].gate.max) && isnan(scenario->gates[0].gate.min));
	assert_true(isnan(scenario->gates[0].stored.baseline) && isnan(scenario->gates[0].gate.tolerance_pct));
}

/* What a printed metric is stands before the gates and runs that name it, and is kept. */
static void keeps_what_printed_metrics_are(void **state)
{
	CLEANUP(result_release) struct result result = { 0 }, back = { 0 };
	CLEANUP(free_ptr) char *text = NULL;
	const struct scenario_result *scenario;
	struct metric *rate = metric_new_printed("rate", NULL, true);
	struct gate gate = { .metric = rate, .max = NAN, .min = NAN };

	(void)state;
	sample_result(&result);
	scenario_result_add_gate(&result.scenarios[0], &gate);
	metric_free_event(rate);
	text = result_format(&result);
	parse(text, &back);
	scenario = &back.scenarios[0];
	assert_string_equal(scenario->work_unit, "request");
	assert_string_equal(scenario->attached, "service redis (pid 12)");
	assert_true(gate_judgement(&scenario->gates[0])->ref.per_work);
	assert_true(scenario->gates[2].gate.metric->higher_is_better);
	assert_null(scenario->gates[2].gate.metric->label);
	assert_string_equal(scenario->metrics[3]->name, "p99");
	assert_int_equal(scenario->metrics[3]->source, SOURCE_PRINTED);
	assert_int_equal(scenario->metrics[3]->unit, UNIT_MS);
	assert_string_equal(scenario->metrics[3]->label, "us");
	assert_true(scenario->metrics[3]->higher_is_better && scenario->metrics[3]->factor == 1e-3);
	assert_true(metric_is_per_work(scenario->metrics[4]));
	assert_int_equal(scenario->metrics[4]->unit, UNIT_MS);
}

static char *replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	struct strbuf out = STRBUF_INIT;

	assert_non_null(at);
	strbuf_add(&out, text, (size_t)(at - text));
	strbuf_adds(&out, to);
	strbuf_adds(&out, at + strlen(from));
	return strbuf_take(&out);
}

static void ignores_keys_of_a_newer_pawl(void **state)
{
	static const char *const places[] = { "\"mode\"", "\"arch\"", "\"name\"", "\"metric\"" };

	(void)state;
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

static void refuses_what_is_wrong(void **state)
{
	static const struct {
		const char *from, *to, *message;
	} cases[] = {
		{ "\"schema\": 1", "\"schema\": 2",
		  "$.schema: schema 2 is newer than this pawl " PAWL_VERSION " reads; use pawl 0.1.7, which wrote it" },
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
		{ "\"metric\": \"ipc\"", "\"metric\": \"i|pc\"", "$.scenarios[0].gates[0].metric: a metric's name holds "
		  "letters, digits and _ . : / = , - only, found 'i|pc'" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"wall\"",
		  "$.scenarios[0].gates[0].metric: 'wall' is another name of 'wall-time'; results use the latter" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"ipc\", \"low_pct\": \"1\"",
		  "$.scenarios[0].gates[0].low_pct: expected a number or null, found a string" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"ipc\", \"line\": 4294967296",
		  "$.scenarios[0].gates[0].line: expected a whole number from 0 to 4294967295, found 4294967296" },
		{ "\"gates\": [", "\"gates\": [7, ", "$.scenarios[0].gates[0]: expected an object, found a number" },
		{ "\"gates\": [", "\"gates\": {}, \"x\": [", "$.scenarios[0].gates: expected an array of gates, found an object" },
		{ "\"gates\": [", "\"pairing\": {\"seed\": 7}, \"gates\": [",
		  "$.scenarios[0].pairing.seed: expected a string, found a number" },
		{ "\"gates\": [", "\"pairing\": {\"seed\": \"18446744073709551616\"}, \"gates\": [",
		  "$.scenarios[0].pairing.seed: expected a whole number from 0 to 18446744073709551615 as text, found "
		  "'18446744073709551616'" },
		{ "\"gates\": [", "\"pairing\": {\"batch\": 0}, \"gates\": [",
		  "$.scenarios[0].pairing.batch: expected a whole number from 1 to 4294967295, found 0" },
		{ "\"gates\": [", "\"pairing\": {\"base\": []}, \"gates\": [",
		  "$.scenarios[0].pairing.base: expected an object, found an array" },
		{ "\"gates\": [", "\"pairing\": {\"floor_pct\": -1}, \"gates\": [",
		  "$.scenarios[0].pairing.floor_pct: expected a number that is not negative, found -1" },
		{ "\"gates\": [", "\"pairs\": {}, \"gates\": [",
		  "$.scenarios[0].pairs: expected an array of pairs, found an object" },
		{ "\"gates\": [", "\"pairs\": [{\"base\": {}}], \"gates\": [",
		  "$.scenarios[0].pairs[0]: the key \"head\" is missing" },
		{ "\"gates\": [", "\"pairs\": [{\"base\": {}, \"head\": 4}], \"gates\": [",
		  "$.scenarios[0].pairs[0].head: expected an object of metrics, found a number" },
		{ "\"gates\": [", "\"pairs\": [{\"base\": {}, \"head\": {}, \"first\": \"last\"}], \"gates\": [",
		  "$.scenarios[0].pairs[0].first: expected one of base, head, found 'last'" },
		{ "\"gates\": [", "\"pairs\": [{\"base\": {\"ipc\": 1}, \"head\": {}}, {\"base\": {}, \"head\": {}}], \"gates\": [",
		  "$.scenarios[0].pairs[1].base: expected all 1 metrics (null when not measured), found 0" },
		{ "\"gates\": [", "\"pairs\": [{\"base\": {\"ipc\": -1}, \"head\": {}}], \"gates\": [",
		  "$.scenarios[0].pairs[0].base.ipc: expected a number that is not negative, found -1" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"ipc\", \"pairs\": -2",
		  "$.scenarios[0].gates[0].pairs: expected a whole number from 0 to 4294967295, found -2" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"ipc\", \"screen\": {}",
		  "$.scenarios[0].gates[0].screen: the key \"verdict\" is missing" },
		{ "\"metric\": \"ipc\"", "\"metric\": \"ipc\", \"unresolvable\": 1",
		  "$.scenarios[0].gates[0].unresolvable: expected true or false, found a number" },
		{ "\"gates\": [", "\"printed_metrics\": {}, \"gates\": [",
		  "$.scenarios[0].printed_metrics: expected an array of printed metrics, found an object" },
		{ "\"gates\": [", "\"printed_metrics\": [5], \"gates\": [",
		  "$.scenarios[0].printed_metrics[0]: expected an object, found a number" },
		{ "\"gates\": [", "\"printed_metrics\": [{\"better\": \"lower\"}], \"gates\": [",
		  "$.scenarios[0].printed_metrics[0]: the key \"name\" is missing" },
		{ "\"gates\": [", "\"printed_metrics\": [{\"name\": \"p99\"}], \"gates\": [",
		  "$.scenarios[0].printed_metrics[0]: the key \"better\" is missing" },
		{ "\"gates\": [", "\"printed_metrics\": [{\"name\": \"p99\", \"better\": \"up\"}], \"gates\": [",
		  "$.scenarios[0].printed_metrics[0].better: expected one of lower, higher, found 'up'" },
		{ "\"gates\": [", "\"printed_metrics\": [{\"name\": \"p 99\", \"better\": \"lower\"}], \"gates\": [",
		  "$.scenarios[0].printed_metrics[0].name: a metric's name holds letters, digits and _ . : / = , - only, found 'p 99'" },
		{ "\"gates\": [", "\"printed_metrics\": [{\"name\": \"ipc\", \"better\": \"lower\"}], \"gates\": [",
		  "$.scenarios[0].printed_metrics[0].name: 'ipc' is a metric of pawl's own" },
		{ "\"gates\": [", "\"printed_metrics\": [{\"name\": \"wall\", \"better\": \"lower\"}], \"gates\": [",
		  "$.scenarios[0].printed_metrics[0].name: 'wall' is a metric of pawl's own" },
		{ "\"gates\": [", "\"printed_metrics\": [{\"name\": \"x-per-work\", \"better\": \"lower\"}], \"gates\": [",
		  "$.scenarios[0].printed_metrics[0].name: 'x-per-work' is how pawl calls metrics per unit of work" },
		{ "\"gates\": [", "\"printed_metrics\": [{\"name\": \"p99\", \"better\": \"lower\", \"unit\": \"a b\"}], \"gates\": [",
		  "$.scenarios[0].printed_metrics[0].unit: expected a unit of 1 to 32 bytes without blanks, found 'a b'" },
		{ "\"gates\": [", "\"printed_metrics\": [{\"name\": \"p99\", \"better\": \"lower\", \"unit\": 5}], \"gates\": [",
		  "$.scenarios[0].printed_metrics[0].unit: expected a string, found a number" },
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
		{ "\"runs\": [", "\"metrics\": [5], \"runs\": [", "$.scenarios[0].metrics[0]: expected a string, found a number" },
		{ "\"runs\": [", "\"passes\": [0], \"runs\": [",
		  "$.scenarios[0].passes: expected one entry for each of 2 runs, found 1" },
		{ "\"runs\": [", "\"passes\": [0, -1], \"runs\": [",
		  "$.scenarios[0].passes[1]: expected a whole number from 0 to 4294967295, found -1" },
		{ "\"runs\": [", "\"raw\": [[], [], []], \"runs\": [",
		  "$.scenarios[0].raw: expected one entry for each of 2 runs, found 3" },
		{ "\"runs\": [", "\"raw\": [[], [{\"event\": \"cycles\", \"state\": \"lost\"}]], \"runs\": [",
		  "$.scenarios[0].raw[1][0].state: expected one of counted, not-counted, not-supported, found 'lost'" },
		{ "\"runs\": [", "\"raw\": [[], {}], \"runs\": [",
		  "$.scenarios[0].raw[1]: expected an array of perf's rows, found an object" },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(free_ptr) char *text = replaced(least, cases[i].from, cases[i].to);
		struct result out = { .status = 77 };
		struct error err = ERROR_INIT;

		assert_int_equal(result_parse(text, strlen(text), "r.json", &out, &err), -1);
		if (strcmp(err.msg, cases[i].message))
			fail_msg("%s: %s", cases[i].to, err.msg);
		assert_string_equal(err.at.path, "r.json");
		assert_int_equal(err.kind, ERR_INPUT);
		assert_int_equal(out.status, 77);
	}
}

static void assert_too_many_metrics(const char *from, const char *format)
{
	CLEANUP(strbuf_release) struct strbuf to = STRBUF_INIT;
	CLEANUP(free_ptr) char *text = NULL;
	struct result out;
	struct error err = ERROR_INIT;

	strbuf_adds(&to, from);
	for (int i = 0; i < 300; i++)
		strbuf_addf(&to, format, i);
	text = replaced(least, from, to.buf);
	assert_int_equal(result_parse(text, strlen(text), "r.json", &out, &err), -1);
	assert_non_null(strstr(err.msg, ": more than 256 metrics"));
}

static void bounds_metrics(void **state)
{
	(void)state;
	assert_too_many_metrics("\"runs\": [{", "\"x%d\": 1, ");
	assert_too_many_metrics("\"gates\": [", "{\"metric\": \"x%d\", \"verdict\": \"pass\"}, ");
}

static void add_many_rows(struct scenario_result *scenario, size_t runs, size_t rows)
{
	scenario_result_column(scenario, metric_find("task-clock"));
	for (size_t i = 0; i < runs; i++) {
		struct run *run = scenario_result_add_run(scenario);

		run->values[0] = 61.2;
		for (size_t k = 0; k < rows; k++)
			sample_row(run, "instructions:u", ROW_COUNTED, 1e9 + (double)k);
	}
}

/* A result that pawl writes is one that pawl reads. */
static void leaves_out_rows_that_would_not_fit(void **state)
{
	CLEANUP(result_release) struct result result = { 0 }, back = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	(void)state;
	sample_result(&result);
	add_many_rows(&result.scenarios[1], 3000, 12);
	text = result_format(&result);
	parse(text, &back);
	assert_int_equal(back.scenarios[1].n_runs, 3000);
	assert_int_equal(back.scenarios[1].runs[0].rows.n, 0);
	assert_int_equal(back.notes.n, 2);
	assert_string_equal(back.notes.items[1],
			    "perf's own rows are not in this file: with them it would be too large to be read again");
}

static void keeps_many_rows_that_fit(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };

	(void)state;
	sample_result(&result);
	add_many_rows(&result.scenarios[1], 2500, 12);
	assert_reads_back(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_back_everything),
		cmocka_unit_test(reads_back_what_may_be_missing),
		cmocka_unit_test(reads_back_every_verdict_and_state),
		cmocka_unit_test(reads_back_columns_without_runs),
		cmocka_unit_test(writes_infinite_bounds_as_null),
		cmocka_unit_test(reads_back_what_no_pairs_resolve),
		cmocka_unit_test(keeps_whole_pairs_only),
		cmocka_unit_test(pairs_stand_beside_each_other),
		cmocka_unit_test(makes_foreign_bytes_valid),
		cmocka_unit_test(keeps_the_contract_with_scripts),
		cmocka_unit_test(takes_the_least),
		cmocka_unit_test(keeps_what_printed_metrics_are),
		cmocka_unit_test(ignores_keys_of_a_newer_pawl),
		cmocka_unit_test(refuses_what_is_wrong),
		cmocka_unit_test(bounds_metrics),
		cmocka_unit_test(leaves_out_rows_that_would_not_fit),
		cmocka_unit_test(keeps_many_rows_that_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
