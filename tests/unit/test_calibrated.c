#include "unit.h"

#include "judge/calibrate.h"
#include "model/result.h"
#include "report/formats/calibrated.h"
#include "stats/stats.h"
#include "store/store.h"

static struct calibrating clock_sample(void)
{
	return (struct calibrating){
		.metric = metric_find("task-clock"), .gated = true, .by_default = true, .tolerance_pct = 3, .pairs = 240,
		.median = 61.2, .run_sd = 0.0412, .pair_sd = 0.026, .run_lag = 0.41, .pair_lag = 0.03,
		.shift = { 0.001, -0.002, 0.005 }, .p = 0.4, .adjusted_p = 0.8,
		.now = { .comparisons = 14, .passed = 13, .pairs = 17.1 }, .then = { .comparisons = 13, .passed = 13, .pairs = 18.4 },
		.false_most = 0.193, .detectable = { 0.032, 0.019, 0.014, 0.012 }, .found_pct = 2.5,
	};
}

static void render(const struct calibrating *metrics, size_t n, const char *failure, struct strbuf *text, struct strbuf *json)
{
	struct scenario_result scenario = {
		.name = "gzip", .paired = true, .pairing = { .rerun = 2, .batch = 2 }, .base = { .n_runs = 240 },
		.head = { .n_runs = 240, .state = failure ? SCENARIO_FAILED : SCENARIO_MEASURED, .failure = failure },
	};
	struct result result = { .date = "2026-11-21T09:12:33Z", .pawl = "0", .elapsed_s = 90, .scenarios = &scenario, .n_scenarios = 1 };
	const struct calibrated_scenario found = { .seconds = 84, .budget_s = 60, .metrics = metrics, .n = n };
	const struct calibrated all = { .result = &result, .scenarios = &found, .class = "x86_64-test-sw", .seed = 7, .gates = 20 };

	strv_push(&result.busy, "others used 1.1 of 2 CPUs");
	calibrated_text(&all, text);
	calibrated_json(&all, json);
	strv_release(&result.busy);
}

static void has(const struct strbuf *text, const char *words)
{
	if (!strstr(text->buf, words))
		fail_msg("'%s' is not in\n%s", words, text->buf);
}

TEST(prints_every_number)
{
	static const char *const lines[] = {
		"gzip: 240 pairs of one program against itself in 1 min 24 s, 350 ms a pair, 2 adjacent runs a value; 0 dropped, 2 measured again\n",
		"  task-clock, 61.2 ms\n",
		"spread       4.2 % of single runs, 2.6 % of pairs; neighbouring runs go together by 0.41, pairs by 0.03\n",
		"difference   +0.10 % (-0.20 % to +0.50 %)\n",
		"comparisons  0 of 14 found an unchanged program slower; that proves no more than 19.3 %\n",
		"13 passed, 0 found it faster; they took 17 pairs (5.99 s) on average\n",
		"detectable   3.3 % in 10 pairs, 1.9 % in 20, 1.4 % in 30, 1.2 % in 40\n",
		"limit        2.5 % (now 3 %): 13 of 13 comparisons would have passed, in 18 pairs (6.44 s) on average\n",
		"seed 7; corrected for 20 gates", "within 1 min 30 s", "A quiet machine: others used 1.1 of 2 CPUs.",
		"Other machines: it counts for x86_64-test-sw.",
	};
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, json = STRBUF_INIT;
	const struct calibrating clock = clock_sample();

	render(&clock, 1, NULL, &text, &json);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		has(&text, lines[i]);
}

TEST(prints_what_it_does_not_promise)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, json = STRBUF_INIT;
	struct calibrating metrics[3] = { clock_sample(), clock_sample(), clock_sample() };

	metrics[0].gated = false;
	metrics[0].per_work = true;
	metrics[1].by_default = false;
	metrics[1].tolerance_pct = 5;
	metrics[2].reason = (char *)"A differs from A here";
	metrics[2].found_pct = 0;
	metrics[2].now = (struct calibrating_replay){ .pairs = NAN };
	metrics[2].run_lag = NAN;
	render(metrics, 3, NULL, &text, &json);
	has(&text, "task-clock per unit of work, 61.2 ms\n");
	has(&text, "2.5 % would do (it has no gate here)");
	has(&text, "2.5 % would do (the scenario's own 5 % stands)");
	has(&text, "limit        none is promised: A differs from A here\n");
	has(&text, "comparisons  none was complete: too few pairs\n");
	has(&text, "go together not at all, pairs by 0.03");
	strbuf_reset(&text);
	render(NULL, 0, "it\x1b[31m failed", &text, &json);
	has(&text, "gzip: FAILED: it\\x1b[31m failed\n");
}

/* Internally, worse is always positive. Printed changes have the sign of the metric. */
TEST(gives_scripts_the_same)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, json = STRBUF_INIT;
	struct calibrating ipc = clock_sample();
	struct error err = ERROR_INIT;
	cJSON *root, *metric;

	ipc.metric = metric_find("ipc");
	ipc.shift = (struct shift){ 0.01, -0.005, 0.02 };
	ipc.reason = (char *)"too few";
	render(&ipc, 1, NULL, &text, &json);
	root = json_parse(json.buf, json.len, "calibration.json", &err);
	assert_non_null(root);
	metric = cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(root, "scenarios"), 0), "metrics"), 0);
	assert_string_equal(cJSON_GetObjectItem(metric, "metric")->valuestring, "ipc");
	assert_true(fabs(cJSON_GetObjectItem(metric, "change_pct")->valuedouble - 100 * expm1(-0.01)) < 1e-9);
	assert_true(fabs(cJSON_GetObjectItem(metric, "low_pct")->valuedouble - 100 * expm1(-0.02)) < 1e-9);
	assert_true(fabs(cJSON_GetObjectItem(metric, "high_pct")->valuedouble - 100 * expm1(0.005)) < 1e-9);
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(metric, "found_pct")));
	assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(metric, "now"), "comparisons")->valueint, 14);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(metric, "detectable")), 4);
	cJSON_Delete(root);
	has(&text, "difference   -1.0 % (-2.0 % to +0.50 %)");
}
