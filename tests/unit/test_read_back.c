/* pawl reads its own results and baselines, whatever names a scenario gives its metrics, events and units. */
#include "job/verdicts.h"
#include "unit.h"

#include "json_samples.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/measured.h"
#include "model/metrics/metric.h"
#include "model/result.h"
#include "scenario/scenario.h"
#include "store/store.h"

#define N(array) (sizeof(array) / sizeof *(array))

enum { TRIES = 4000, NAMES = 3 };

/* Returns the same numbers on every machine. */
static uint32_t draw(uint32_t *seed, size_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % (uint32_t)below;
}

static const char *const pieces[] = {
	"p99", "a", "B", "0", "-", "_", ".", "-per-work", "per-work", "wall", "ipc", "cycles", "task-clock", "work",
	"throughput", "symbols", "sim-", "cpu-cycles", "name", "/", "%", "count", "ms", "MiB", "req", ":u", "=", ",", "cpu/",
	" ", "\t", "\\", "\"", "{", "\xc3\xa9", "\xe2\x80\xae", "\x7f",
};

/* Adds a word of mostly plain pieces, because refused words test little. */
static void add_word(struct strbuf *out, uint32_t *seed)
{
	static const size_t lengths[] = { 24, 25, 100, 101, 128, 191, 199, 200, 201 };
	size_t n = 1 + draw(seed, 3), start = out->len;

	for (size_t i = 0; i < n; i++)
		strbuf_adds(out, pieces[draw(seed, draw(seed, 6) ? 24 : N(pieces))]);
	if (!draw(seed, 6))
		for (size_t len = lengths[draw(seed, N(lengths))]; out->len - start < len;)
			strbuf_addc(out, 'x');
}

/* Single quotes preserve every character that YAML allows. */
static void add_quoted(struct strbuf *out, const char *key, uint32_t *seed)
{
	strbuf_addf(out, "%s'", key);
	add_word(out, seed);
	strbuf_addc(out, '\'');
}

static void make_scenario(struct strbuf *out, uint32_t *seed)
{
	strbuf_reset(out);
	strbuf_adds(out, "version: 1\nname: odd\ntarget: { pid: 1 }\nload: { command: x, work: { json: a, as: rate");
	if (draw(seed, 2))
		add_quoted(out, ", unit: ", seed);
	strbuf_adds(out, " } }\nmeasure: { events: [");
	for (size_t i = 0, n = draw(seed, NAMES); i < n; i++)
		add_quoted(out, i ? ", " : "", seed);
	strbuf_adds(out, "] }\nmetrics:\n");
	for (size_t i = 0, n = 1 + draw(seed, NAMES); i < n; i++) {
		add_quoted(out, "  - { name: ", seed);
		if (draw(seed, 2))
			add_quoted(out, ", unit: ", seed);
		strbuf_addf(out, ", json: a, better: %s }\n", draw(seed, 2) ? "lower" : "higher");
	}
}

static void add_row(struct perf_rows *rows, const char *event)
{
	VEC_GROW(rows->items, rows->n, rows->cap);
	rows->items[rows->n++] = (struct perf_row){
		.event = xstrdup(event), .state = ROW_COUNTED, .value = 7, .run_ns = 1, .running_pct = 100,
	};
}

static void add_run(const struct scenario *s, struct scenario_result *out)
{
	struct measured_custom custom[NAMES + 1];
	struct measured measured = { .wall_ms = 5, .cpu_ms = 3, .work = 4, .custom = custom, .n_custom = s->n_metrics };

	for (size_t i = 0; i < s->n_metrics; i++)
		custom[i] = (struct measured_custom){ s->metrics[i].metric, (double)i };
	for (size_t i = 0; i < s->measure.events.n; i++)
		add_row(&measured.rows, s->measure.events.items[i]);
	measured_store(&measured, &s->measure.events, 0, &out->head);
	perf_rows_release(&measured.rows);
}

static struct scenario_result *add_measured(const struct scenario *s, struct result *result)
{
	struct scenario_result *out = result_add_scenario(result, s->name);

	out->path = s->path;
	out->head.work_unit = s->load.unit;
	plan_settings(s, &out->arena, &out->settings);
	for (size_t i = 0; i < s->n_metrics; i++) {
		struct gate gate = { .metric = s->metrics[i].metric, .max = 3, .min = NAN };

		own_metrics_add(&out->head.own_metrics, s->metrics[i].metric);
		scenario_result_add_gate(out, &gate);
	}
	for (size_t i = 0; i < s->gates.n; i++)
		scenario_result_add_gate(out, &s->gates.items[i]);
	add_run(s, out);
	return out;
}

static void assert_same_metric(const struct metric *a, const struct metric *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->source, b->source);
	assert_int_equal(a->unit, b->unit);
	assert_int_equal(a->higher_is_better, b->higher_is_better);
	assert_string_equal(a->label ?: "", b->label ?: "");
}

static void read_result_back(const struct result *result, const char *text)
{
	CLEANUP(free_ptr) char *json = result_format(result);
	CLEANUP(result_release) struct result back = { 0 };
	const struct scenario_result *a = &result->scenarios[result->n_scenarios - 1], *b;
	struct error err = ERROR_INIT;

	if (result_parse(json, strlen(json), "result.json", &back, &err) < 0)
		fail_msg("%s\n%s", text, err.msg);
	b = &back.scenarios[back.n_scenarios - 1];
	assert_int_equal(a->head.n_metrics, b->head.n_metrics);
	assert_int_equal(a->n_gates, b->n_gates);
	for (size_t i = 0; i < a->head.n_metrics; i++) {
		assert_same_metric(a->head.metrics[i], b->head.metrics[i]);
		assert_true(a->head.runs[0].values[i] == b->head.runs[0].values[i] || isnan(a->head.runs[0].values[i]));
	}
	for (size_t i = 0; i < a->n_gates; i++)
		assert_same_metric(a->gates[i].gate.metric, b->gates[i].gate.metric);
}

static void read_baseline_back(const struct result *result, const struct scenario_result *scenario, const char *text)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 }, back = { 0 };
	CLEANUP(free_ptr) char *json = NULL;
	struct error err = ERROR_INIT;

	verdicts_to_baseline(result, scenario, &scenario->head, &baseline);
	json = baseline_format(&baseline);
	if (baseline_parse(json, strlen(json), "baseline.json", &back, &err) < 0)
		fail_msg("%s\n%s", text, err.msg);
	assert_null(settings_difference(&baseline.settings, &back.settings));
	assert_int_equal(baseline.sessions[0].series.n, back.sessions[0].series.n);
}

/* True if the scenario is accepted and then reads back. */
static bool try_scenario(const struct scenario_defaults *defaults, const char *text)
{
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	CLEANUP(scenario_release) struct scenario scenario = { 0 };
	CLEANUP(result_release) struct result result = { 0 };

	if (scenario_parse(text, strlen(text), "odd.yaml", defaults, &scenario, &diags) < 0)
		return false;
	sample_result(&result);
	read_baseline_back(&result, add_measured(&scenario, &result), text);
	read_result_back(&result, text);
	return true;
}

TEST(what_is_taken_is_read_back)
{
	CLEANUP(scenario_defaults_release) struct scenario_defaults defaults;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	uint32_t seed = 1;
	int taken = 0;

	scenario_defaults_init(&defaults);
	for (int i = 0; i < TRIES; i++) {
		make_scenario(&text, &seed);
		taken += try_scenario(&defaults, text.buf);
	}
	/* Otherwise the words are too odd, or not odd enough. */
	assert_in_range(taken, TRIES / 20, TRIES - TRIES / 20);
}

/* The maximum number of everything. */
TEST(the_most_is_read_back)
{
	CLEANUP(scenario_defaults_release) struct scenario_defaults defaults;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	scenario_defaults_init(&defaults);
	strbuf_adds(&text, "version: 1\nname: odd\ntarget: { pid: 1 }\nload: { command: x, work: { json: a, as: rate } }\n"
			   "measure: { events: [");
	for (int i = 0; i < 32; i++) {
		strbuf_addf(&text, "%s'", i ? ", " : "");
		strbuf_pad(&text, 'e', 198);
		strbuf_addf(&text, "%02d'", i);
	}
	strbuf_adds(&text, "] }\nmetrics: [{ name: m, json: a, better: lower }]\ngates:\n  m: { max: 1 }\n");
	for (int i = 0; i < 32; i++) {
		strbuf_adds(&text, "  ");
		strbuf_pad(&text, 'e', 198);
		strbuf_addf(&text, "%02d: { max: 1 }\n", i);
	}
	assert_true(try_scenario(&defaults, text.buf));
}
