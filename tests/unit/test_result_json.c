#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "json_samples.h"
#include "store/json.h"
#include "store/result.h"

#define N(array) (sizeof(array) / sizeof *(array))

static void assert_same(const char *a, const char *b)
{
	if (a && b)
		assert_string_equal(a, b);
	else
		assert_ptr_equal(a, b);
}

/* Equal, or both not measured: infinite bounds are written as null. */
static void assert_same_number(double a, double b)
{
	if (isfinite(a))
		assert_true(a == b);
	else
		assert_true(isnan(b));
}

static void assert_same_judgement(const struct judgement *a, const struct judgement *b)
{
	assert_int_equal(a->verdict, b->verdict);
	assert_same_number(a->baseline, b->baseline);
	assert_same_number(a->current, b->current);
	assert_same_number(a->change_pct, b->change_pct);
	assert_same_number(a->low_pct, b->low_pct);
	assert_same_number(a->high_pct, b->high_pct);
	assert_same_number(a->tolerance_pct, b->tolerance_pct);
	assert_int_equal(a->n_baseline, b->n_baseline);
	assert_int_equal(a->n_current, b->n_current);
	assert_int_equal(a->ref.simulated, b->ref.simulated);
	assert_int_equal(a->ref.per_work, b->ref.per_work);
	assert_int_equal(a->gross, b->gross);
	assert_same(a->reason, b->reason);
	assert_int_equal(a->pairs, b->pairs);
	if (isinf(a->more_pairs))
		assert_true(isinf(b->more_pairs));
	else
		assert_same_number(a->more_pairs, b->more_pairs);
	assert_same_number(a->detectable_pct, b->detectable_pct);
}

static void assert_same_gate(const struct gate_result *a, const struct gate_result *b)
{
	assert_string_equal(a->gate.metric->name, b->gate.metric->name);
	assert_int_equal(a->gate.relative, b->gate.relative);
	assert_int_equal(a->gate.by_default, b->gate.by_default);
	assert_same_number(a->gate.tolerance_pct, b->gate.tolerance_pct);
	assert_same_number(a->gate.max, b->gate.max);
	assert_same_number(a->gate.min, b->gate.min);
	assert_int_equal(a->gate.required, b->gate.required);
	assert_int_equal(a->gate.line, b->gate.line);
	assert_int_equal(a->gate.column, b->gate.column);
	assert_same_judgement(gate_judgement(a), gate_judgement(b));
	assert_int_equal(gate_judged_again(a), gate_judged_again(b));
	if (gate_judged_again(a))
		assert_same_judgement(&a->stored, &b->stored);
}

static void assert_same_run(const struct run *a, const struct run *b, size_t n_metrics)
{
	for (size_t i = 0; i < n_metrics; i++)
		assert_same_number(a->values[i], b->values[i]);
	assert_int_equal(a->pass, b->pass);
	assert_int_equal(a->rows.n, b->rows.n);
	for (size_t i = 0; i < a->rows.n; i++) {
		assert_string_equal(a->rows.items[i].event, b->rows.items[i].event);
		assert_int_equal(a->rows.items[i].state, b->rows.items[i].state);
		assert_same_number(a->rows.items[i].value, b->rows.items[i].value);
		assert_true(a->rows.items[i].run_ns == b->rows.items[i].run_ns);
		assert_same_number(a->rows.items[i].running_pct, b->rows.items[i].running_pct);
	}
}

static void assert_same_side(const struct pair_side *a, const struct pair_side *b)
{
	assert_same(a->label, b->label);
	assert_same(a->commit, b->commit);
	assert_same(a->measured->name, b->measured->name);
	assert_same(a->measured->executable, b->measured->executable);
	assert_same(a->measured->attached, b->measured->attached);
	assert_int_equal(a->measured->n_runs, b->measured->n_runs);
	assert_int_equal(a->measured->n_metrics, b->measured->n_metrics);
	for (size_t i = 0; i < a->measured->n_runs; i++) {
		assert_same_run(&a->measured->runs[i], &b->measured->runs[i], a->measured->n_metrics);
		assert_int_equal(a->measured->runs[i].first, b->measured->runs[i].first);
	}
}

static void assert_same_pairing(const struct pairing *a, const struct pairing *b)
{
	assert_int_equal(a != NULL, b != NULL);
	if (!a)
		return;
	assert_true(a->seed == b->seed);
	assert_int_equal(a->gates, b->gates);
	assert_int_equal(a->pairs_most, b->pairs_most);
	assert_int_equal(a->batch, b->batch);
	assert_int_equal(a->dropped, b->dropped);
	assert_int_equal(a->rerun, b->rerun);
	assert_same_number(a->floor_pct, b->floor_pct);
	assert_same(a->services, b->services);
	assert_int_equal(a->ended, b->ended);
	assert_int_equal(a->confirming, b->confirming);
	assert_same_side(&a->base, &b->base);
	assert_same_side(&a->head, &b->head);
}

static void assert_same_scenario(const struct scenario_result *a, const struct scenario_result *b)
{
	assert_same(a->name, b->name);
	assert_same(a->path, b->path);
	assert_same(a->description, b->description);
	assert_int_equal(a->state, b->state);
	assert_int_equal(a->status, b->status);
	assert_same(a->failure, b->failure);
	assert_true(a->timed_out_ms == b->timed_out_ms);
	assert_same(a->log_tail, b->log_tail);
	assert_same(a->waits, b->waits);
	assert_same(a->log_path, b->log_path);
	assert_int_equal(a->n_metrics, b->n_metrics);
	for (size_t i = 0; i < a->n_metrics; i++)
		assert_string_equal(a->metrics[i]->name, b->metrics[i]->name);
	assert_int_equal(a->n_runs, b->n_runs);
	for (size_t i = 0; i < a->n_runs; i++)
		assert_same_run(&a->runs[i], &b->runs[i], a->n_metrics);
	assert_null(settings_difference(&a->settings, &b->settings));
	assert_same(a->executable, b->executable);
	assert_int_equal(a->runs_wanted, b->runs_wanted);
	assert_true(strv_equal(&a->notes, &b->notes));
	assert_int_equal(a->n_gates, b->n_gates);
	for (size_t i = 0; i < a->n_gates; i++)
		assert_same_gate(&a->gates[i], &b->gates[i]);
	assert_same(a->baseline_path, b->baseline_path);
	assert_same(a->baseline_label, b->baseline_label);
	assert_same(a->baseline_class, b->baseline_class);
	assert_true(strv_equal(&a->explanation, &b->explanation));
	assert_same_pairing(a->pairing, b->pairing);
}

static void assert_same_machine(const struct machine *a, const struct machine *b)
{
	assert_same(a->arch, b->arch);
	assert_same(a->cpu, b->cpu);
	assert_same(a->part, b->part);
	assert_int_equal(a->cpus, b->cpus);
	assert_int_equal(a->tier, b->tier);
	assert_same(a->kernel, b->kernel);
	assert_same(a->os, b->os);
	assert_same(a->perf_path, b->perf_path);
	assert_same(a->perf_version, b->perf_version);
	assert_same(a->hypervisor, b->hypervisor);
	assert_same(a->tier_reason, b->tier_reason);
	assert_same(a->tier_remedy, b->tier_remedy);
	assert_int_equal(a->counters, b->counters);
	assert_true(strv_equal(&a->notes, &b->notes));
}

static void assert_same_result(const struct result *a, const struct result *b)
{
	assert_int_equal(a->mode, b->mode);
	assert_true(strv_equal(&a->command, &b->command));
	assert_same(a->date, b->date);
	assert_same(a->commit, b->commit);
	assert_same(a->pawl, b->pawl);
	assert_same(a->out_dir, b->out_dir);
	assert_int_equal(a->strict, b->strict);
	assert_int_equal(a->partial, b->partial);
	assert_int_equal(a->status, b->status);
	assert_same_number(a->elapsed_s, b->elapsed_s);
	assert_same_machine(&a->machine, &b->machine);
	assert_true(strv_equal(&a->notes, &b->notes));
	assert_true(strv_equal(&a->busy, &b->busy));
	assert_int_equal(a->n_scenarios, b->n_scenarios);
	for (size_t i = 0; i < a->n_scenarios; i++)
		assert_same_scenario(&a->scenarios[i], &b->scenarios[i]);
}

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
	assert_same_result(result, &back);
	again = result_format(&back);
	assert_string_equal(text, again);
}

static void reads_back_everything(void **state)
{
	CLEANUP(result_release) struct result result = { 0 };

	(void)state;
	sample_result(&result);
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
