/* pawl calibrate: compares a tree with itself, to find how noisy this machine is. */
#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/lifecycle.h"
#include "job/pairs.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "job/project/select.h"
#include "job/runs.h"
#include "judge/calibrate.h"
#include "judge/pairs.h"
#include "measure/process/interrupt.h"
#include "measure/run/outdir.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/metrics/metric.h"
#include "model/result.h"
#include "report/formats/calibrated.h"
#include "report/formats/report.h"
#include "scenario/scenario.h"
#include "stats/stats.h"

enum { PAIRS_WANTED = 240 };
#define BUDGET_NS (120 * UINT64_C(1000000000))

struct calibrate {
	struct invocation *inv;
	struct project project;
	struct lifecycle run;
	char *class;
	uint64_t seed;
	unsigned gates;
	struct calibrated_scenario *scenarios;	/* parallel to the result's */
	struct calibrating *metrics;	/* of all scenarios, one after the other */
	size_t n_metrics, cap_metrics;
};

/* -------- measuring */

static int measure_one(struct calibrate *c, size_t i, struct error *err)
{
	const struct request *o = &c->inv->request;
	const struct scenario *s = c->project.scenarios[i];
	struct result *result = &c->run.result;
	struct scenario_result *out = result_add_scenario(result, s->name);
	struct pairs_job job = { .base = s, .head = s, .result = out };
	const struct pairs pairs = {
		.run = &c->run, .base = { .root = c->project.root, .label = "A", .commit = result->commit },
		.head = { .root = c->project.root, .label = "A again", .commit = result->commit },
		.seed = c->seed + i, .gates = c->gates, .pairs_most = o->runs ? (unsigned)o->runs : PAIRS_WANTED,
		.to_the_end = true,
	};
	uint64_t start = clock_now_ns();
	int ret;

	setup_describe(s, out);
	progress_begin(&c->run.progress, &c->inv->request, 1);
	ret = pairs_measure(&pairs, &job, 1, err);
	c->scenarios[i].seconds = (double)(clock_now_ns() - start) / 1e9;
	return ret;
}

/* An interrupt ends measuring. What was measured counts. */
static int measure(struct calibrate *c, struct error *err)
{
	struct lifecycle *run = &c->run;
	struct error why = ERROR_INIT;
	int ret = 0;

	lifecycle_begin(run, &c->inv->request, MODE_PAIRED, c->project.root);
	if (lifecycle_open(run, &c->project, &c->project, err) < 0)
		return -1;
	c->class = machine_class(&run->session.machine);
	lifecycle_watch(run);
	for (size_t i = 0; i < c->project.n_scenarios && !ret; i++)
		ret = measure_one(c, i, &why);
	run->interrupted = ret < 0 && why.kind == ERR_INTERRUPTED ? why.sys : 0;
	lifecycle_watched(run);
	lifecycle_close(run);
	if (ret == 0 || run->interrupted)
		return 0;
	return error_copy(err, &why);
}

/* -------- judging the pairs */

static void judge_metric(struct calibrate *c, const struct scenario_result *s, const struct gate *gate,
			 const struct metric *metric)
{
	const struct paired_terms terms = { .gates = c->gates, .floor = log1p(s->pairing.floor_pct / 100),
					     .together = scenario_result_together(s, metric) };
	CLEANUP(free_ptr) double *base = NULL, *head = NULL;
	struct calibrating found;
	size_t n;

	scenario_result_pair_values(s, metric, &base, &head, &n);
	if (!calibrating_judge(gate, base, head, n, &terms, &found))
		return;
	found.per_work = metric->of;
	*VEC_ADD(c->metrics, c->n_metrics, c->cap_metrics) = found;
}

/* Judges task-clock in any case, and values per unit of work if work is known. */
static void judge_metrics(struct calibrate *c, const struct scenario_result *s)
{
	const struct gate clock = { .metric = METRIC(TASK_CLOCK), .by_default = true };
	bool clocked = false;

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate *gate = &s->gates[i].gate;
		const struct metric *metric = gate_judgement(&s->gates[i])->metric;

		if (!judge_pairs_gates(gate, 1) || metric_repeats(metric))
			continue;
		clocked = clocked || gate->metric == clock.metric;
		judge_metric(c, s, gate, metric);
	}
	if (!clocked)
		judge_metric(c, s, &clock, s->head.work_unit ? clock.metric->normalised : clock.metric);
}

static void judge_all(struct calibrate *c)
{
	const struct result *result = &c->run.result;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		struct calibrated_scenario *out = &c->scenarios[i];
		size_t before = c->n_metrics;

		out->budget_s = (double)c->project.scenarios[i]->measure.budget_ns / 1e9;
		if (s->paired && s->head.state != SCENARIO_FAILED)
			judge_metrics(c, s);
		out->n = c->n_metrics - before;
	}
	calibrating_settle(c->metrics, c->n_metrics);
	for (size_t i = 0, at = 0; i < result->n_scenarios; at += c->scenarios[i++].n)
		c->scenarios[i].metrics = c->metrics + at;
}

/* -------- output */

/* Leaves no reports of the comparison: their verdicts were not asked for. */
static int leave(struct calibrate *c, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf json = STRBUF_INIT, text = STRBUF_INIT, raw = STRBUF_INIT;
	const struct lifecycle *run = &c->run;
	const struct calibrated found = {
		.result = &run->result, .scenarios = c->scenarios, .class = c->class, .seed = c->seed, .gates = c->gates,
	};

	calibrated_json(&found, &json);
	calibrated_text(&found, &text);
	report_json(&run->result, &(struct report_options){ 0 }, &raw);
	if (lifecycle_write(run, "calibration.json", &json, err) < 0 ||
	    lifecycle_write(run, "calibration.txt", &text, err) < 0 ||
	    lifecycle_write(run, "result.json", &raw, err) < 0)
		return -1;
	if (run->parent)
		outdir_prune(run->parent);
	return console_print(c->inv->request.json ? &json : &text, err);
}

/* -------- the command */

static int prepare(struct calibrate *c, struct error *err)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct strv notes = STRV_INIT;
	const struct request *o = &c->inv->request;

	if (!c->inv->args.n && !o->tags.n)
		return error_set(err, ERR_INPUT, "calibrate takes minutes a scenario: say which, by name, path or --tag");
	if (o->runs > SIGNRANK_MOST)
		return error_set(err, ERR_INPUT, "--runs: expected at most %d pairs, found %llu", SIGNRANK_MOST,
				 (unsigned long long)o->runs);
	if (project_open(&c->project, &c->inv->request, &c->inv->args, err) < 0 ||
	    project_select(&c->project, &c->inv->args, err) < 0)
		return -1;
	c->inv->request.budget_ns = c->inv->request.budget_ns ?: BUDGET_NS;
	c->inv->request.no_profile = c->inv->request.calibrates = true;
	c->seed = pairs_seed(&c->inv->request);
	c->gates = project_paired_gates(&c->project, &arena, &notes);
	for (size_t i = 0; i < notes.n; i++)
		console_say(&c->inv->request, "%s\n", notes.items[i]);
	c->scenarios = xcalloc(c->project.n_scenarios, sizeof *c->scenarios);
	return 0;
}

static void release(struct calibrate *c)
{
	for (size_t i = 0; i < c->n_metrics; i++)
		calibrating_release(&c->metrics[i]);
	free(c->metrics);
	free(c->scenarios);
	free(c->class);
	lifecycle_release(&c->run);
	project_finish(&c->project);
}

static int calibrate(struct invocation *inv, struct error *err)
{
	CLEANUP(release) struct calibrate c = { .inv = inv };
	int status = STATUS_OK;

	if (prepare(&c, err) < 0 || measure(&c, err) < 0)
		return -1;
	judge_all(&c);
	result_settle(&c.run.result);
	if (leave(&c, err) < 0)
		return -1;
	console_say(&inv->request, "results: %s\n", c.run.result.out_dir);
	/* A limit that an interrupt cut short is valid: it names the number of its pairs. */
	for (size_t i = 0; i < c.run.result.n_scenarios; i++)
		if (c.run.result.scenarios[i].head.state == SCENARIO_FAILED || !c.scenarios[i].n)
			status = STATUS_NOT_MEASURED;
	return c.run.interrupted ? 128 + c.run.interrupted : status;
}

const struct command_def cmd_calibrate = {
	.name = "calibrate",
	.args = "SCENARIO...",
	.summary = "measure this machine's noise and derive tolerances",
	.examples =
		"pawl calibrate gzip\n"
		"pawl calibrate gzip --budget 10m\n"
		"pawl calibrate --tag server --runs 400",
	.details =
		"The same tree is compared with itself, in pairs: how far single runs and pairs spread, how\n"
		"often the rule of `pawl run --base` would have flagged the unchanged program, the smallest change it\n"
		"would see, and the least tolerance that can be kept. --runs says how many pairs (default 240),\n"
		"--budget how long a scenario may take (default 2m).\n\n"
		"A tolerance counts once it is written into the gates of the scenario, such as task-clock: +3%.\n"
		"Nothing is promised from fewer than 40 pairs, nor where one side was favoured.",
	.options = OPT_MEASURING | OPT_PAIRED,
	.starts_processes = true,
	.run = calibrate,
};
