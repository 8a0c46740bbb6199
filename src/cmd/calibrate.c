/* pawl calibrate: one tree against itself, for what this machine can tell. */
#include <math.h>

#include "base/mem.h"
#include "base/parse.h"
#include "cmd/shared/shared.h"
#include "judge/judge.h"
#include "measure/perf/perf.h"
#include "measure/process/process.h"
#include "report/report.h"
#include "stats/stats.h"

/* About two minutes a scenario; fast ones end before, with enough for a dozen comparisons. */
enum { PAIRS_WANTED = 240 };
#define BUDGET_NS (120 * UINT64_C(1000000000))
#define DEFAULT_FILE "calibration.yaml"

struct calibrate {
	struct invocation *inv;
	struct project project;
	struct session session;
	struct result result;
	char *parent;			/* of the run's folder, to be pruned; NULL with --out */
	char *class;
	uint64_t seed;
	unsigned gates;
	struct calibrated_scenario *scenarios;	/* parallel to the result's */
	struct calibrating *metrics;	/* of all of them, one after the other */
	size_t n_metrics, cap_metrics;
};

/* -------- what is measured */

static bool judged_in_pairs(const struct gate *gate)
{
	return judge_pairs_gates(gate, 1) > 0;
}

static int check_options(struct calibrate *c, struct error *err)
{
	const struct options *o = &c->inv->options;

	if (!c->inv->args.n && !o->tags.n)
		return error_set(err, ERR_INPUT, "calibrate takes minutes a scenario: say which, by name, path or --tag");
	if (o->runs > SIGNRANK_MOST)
		return error_set(err, ERR_INPUT, "--runs: expected at most %d pairs, found %llu", SIGNRANK_MOST,
				 (unsigned long long)o->runs);
	return 0;
}

static int measure_one(struct calibrate *c, struct progress *progress, size_t i, struct error *err)
{
	const struct options *o = &c->inv->options;
	const struct scenario *s = c->project.scenarios[i];
	struct scenario_result *out = result_add_scenario(&c->result, s->name);
	struct pairs_job job = { .base = s, .head = s, .result = out };
	const struct pairs pairs = {
		.inv = c->inv, .session = &c->session, .progress = progress, .root = c->project.root, .out_dir = c->result.out_dir,
		.base = { .root = c->project.root, .label = "A", .commit = c->result.commit },
		.head = { .root = c->project.root, .label = "A again", .commit = c->result.commit },
		.seed = c->seed + i, .gates = c->gates, .pairs_most = o->runs ? (unsigned)o->runs : PAIRS_WANTED,
		.budget_ns = o->budget_ns ?: BUDGET_NS, .to_the_end = true, .no_profile = true,
	};
	uint64_t start = clock_now_ns();
	int ret;

	setup_describe(s, out);
	ret = pairs_measure(&pairs, &job, 1, &c->session.machine, err);
	c->scenarios[i].seconds = (double)(clock_now_ns() - start) / 1e9;
	return ret;
}

static int measure_all(struct calibrate *c, struct error *err)
{
	struct progress progress;
	struct lifecycle_watch watch;
	int ret = 0;

	lifecycle_watch(&watch, c->inv);
	for (size_t i = 0; i < c->project.n_scenarios && !ret; i++) {
		progress_begin(&progress, c->inv, 1);
		ret = measure_one(c, &progress, i, err);
	}
	lifecycle_watched(&watch, c->inv, &c->session, &c->result);
	if (ret < 0 && err->kind != ERR_INTERRUPTED)
		return -1;
	c->result.partial = ret < 0;
	return 0;
}

/* -------- what it tells */

static void judge_metric(struct calibrate *c, const struct scenario_result *s, const struct gate *gate,
			 const struct metric_ref *ref)
{
	const struct paired_terms terms = { .gates = c->gates, .floor = log1p(s->pairing.floor_pct / 100) };
	CLEANUP(free_ptr) char *series = metric_ref_name(ref);
	CLEANUP(free_ptr) double *base = NULL, *head = NULL;
	struct calibrating found;
	size_t n;

	scenario_result_pair_values(s, series, &base, &head, &n);
	if (!calibrating_judge(gate, base, head, n, &terms, &found))
		return;
	found.per_work = ref->per_work;
	VEC_GROW(c->metrics, c->n_metrics, c->cap_metrics);
	c->metrics[c->n_metrics++] = found;
}

/* Gates that are judged in pairs, and task-clock in any case; by what they are judged: per unit of work where that is known. */
static void judge_scenario_metrics(struct calibrate *c, const struct scenario_result *s)
{
	const struct gate clock = { .metric = metric_find("task-clock"), .by_default = true };
	bool clocked = false;

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate *gate = &s->gates[i].gate;
		const struct metric_ref *ref = &gate_judgement(&s->gates[i])->ref;

		if (!judged_in_pairs(gate) || ref->simulated)
			continue;
		clocked = clocked || gate->metric == clock.metric;
		judge_metric(c, s, gate, ref);
	}
	if (!clocked)
		judge_metric(c, s, &clock, &(struct metric_ref){ clock.metric, .per_work = s->head.work_unit != NULL });
}

static void judge_all(struct calibrate *c)
{
	for (size_t i = 0; i < c->result.n_scenarios; i++) {
		const struct scenario_result *s = &c->result.scenarios[i];
		struct calibrated_scenario *out = &c->scenarios[i];
		size_t before = c->n_metrics;

		out->name = s->name;
		out->failure = s->head.state == SCENARIO_FAILED ? s->head.failure : NULL;
		out->budget_s = (double)c->project.scenarios[i]->measure.budget_ns / 1e9;
		if (s->paired) {
			out->pairs = scenario_result_pairs(s);
			out->dropped = s->pairing.dropped;
			out->rerun = s->pairing.rerun;
			out->batch = s->pairing.batch;
			out->windows = s->head.attached != NULL;
		}
		if (s->paired && !out->failure)
			judge_scenario_metrics(c, s);
		out->n = c->n_metrics - before;
	}
	calibrating_settle(c->metrics, c->n_metrics);
	for (size_t i = 0, at = 0; i < c->result.n_scenarios; at += c->scenarios[i++].n)
		c->scenarios[i].metrics = c->metrics + at;
}

/* -------- what is kept */

static void add_entry(const struct calibrate *c, const struct calibrated_scenario *s, struct calibration *entries)
{
	struct calibration_entry entry = {
		.machine = c->class, .scenario = arena_strdup(&entries->arena, s->name), .date = c->result.date,
		.pairs = (unsigned)s->pairs,
	};

	for (size_t i = 0; i < s->n; i++)
		if (s->metrics[i].gated && s->metrics[i].found_pct > 0)
			calibration_entry_add(&entries->arena, &entry, s->metrics[i].metric->name, s->metrics[i].found_pct);
	if (entry.n)
		calibration_put(entries, &entry);
}

static const char *written_file(const struct calibrate *c)
{
	return c->project.config.calibration ?: DEFAULT_FILE;
}

static int write_tolerances(struct calibrate *c, struct error *err)
{
	CLEANUP(calibration_release) struct calibration entries = { 0 };
	const char *path = written_file(c);
	size_t written;

	for (size_t i = 0; i < c->result.n_scenarios; i++)
		add_entry(c, &c->scenarios[i], &entries);
	written = entries.n;
	if (!written) {
		cmd_message(c->inv, "%s: nothing was written, as no tolerance of a gate followed\n", path);
		return 0;
	}
	if (calibrations_merge(&c->project, path, &entries, err) < 0)
		return -1;
	cmd_message(c->inv, "%s: %zu scenario%s written for %s\n", path, written, written == 1 ? "" : "s", c->class);
	if (!c->project.config.calibration)
		cmd_message(c->inv, "to judge by it, add this line to pawl.yaml: calibration: %s\n", path);
	return 0;
}

static int write_file(const struct calibrate *c, const char *name, const struct strbuf *text, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(c->result.out_dir, name);

	return file_write(path, text->buf, text->len, err);
}

/* Reports of the comparison would tell of verdicts that nobody asked for; its raw values are kept. */
static int leave(struct calibrate *c, const struct calibrated *found, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf json = STRBUF_INIT, text = STRBUF_INIT, raw = STRBUF_INIT;

	calibrated_json(found, &json);
	calibrated_text(found, &text);
	report_json(&c->result, &(struct report_options){ 0 }, &raw);
	if (write_file(c, "calibration.json", &json, err) < 0 || write_file(c, "calibration.txt", &text, err) < 0 ||
	    write_file(c, "result.json", &raw, err) < 0)
		return -1;
	if (c->parent)
		outdir_prune(c->parent);
	return cmd_print(c->inv->options.json ? &json : &text, err);
}

/* A tolerance that an interrupt cut short is no lie: it says how many pairs it rests on. */
static int status_of(const struct calibrate *c)
{
	int status = 0;

	for (size_t i = 0; i < c->result.n_scenarios; i++)
		if (c->scenarios[i].failure || !c->scenarios[i].n)
			status = 3;
	return status;
}

static int finish(struct calibrate *c, int interrupted, struct error *err)
{
	struct calibrated found;

	judge_all(c);
	result_settle(&c->result);
	found = (struct calibrated){
		.date = c->result.date, .pawl = c->result.pawl, .class = c->class, .elapsed_s = c->result.elapsed_s,
		.seed = c->seed, .gates = c->gates, .partial = c->result.partial, .busy = &c->result.busy,
		.scenarios = c->scenarios, .n = c->result.n_scenarios,
	};
	if (leave(c, &found, err) < 0 || (c->inv->options.write && write_tolerances(c, err) < 0))
		return -1;
	cmd_message(c->inv, "results: %s\n", c->result.out_dir);
	return interrupted ? 128 + interrupted : status_of(c);
}

/* -------- the command */

static unsigned count_gates(struct calibrate *c)
{
	CLEANUP(strv_release) struct strv notes = STRV_INIT;
	unsigned gates = project_paired_gates(&c->project, &notes);

	for (size_t i = 0; i < notes.n; i++)
		cmd_message(c->inv, "%s\n", notes.items[i]);
	return gates;
}

static int prepare(struct calibrate *c, struct error *err)
{
	if (check_options(c, err) < 0 || project_open(&c->project, c->inv, &c->inv->args, err) < 0 ||
	    project_select(&c->project, &c->inv->args, err) < 0 ||
	    project_take_floor(&c->project, err) < 0)
		return -1;
	if (c->inv->options.write && calibrations_merge(&c->project, written_file(c), NULL, err) < 0)
		return -1;
	c->seed = pairs_seed(&c->inv->options);
	c->gates = count_gates(c);
	c->scenarios = xcalloc(c->project.n_scenarios, sizeof *c->scenarios);
	lifecycle_begin(&c->result, MODE_PAIRED, c->inv, c->project.root);
	return 0;
}

static int measure(struct calibrate *c, struct error *err)
{
	int ret;

	if (lifecycle_session(&c->session, c->inv, false, err) < 0)
		return -1;
	calibrations_apply(&c->project, &c->session.machine);
	c->class = machine_class(&c->session.machine);
	ret = lifecycle_folder(&c->result, &c->inv->options, c->project.root, c->project.config.out, &c->parent, err);
	if (ret == 0)
		ret = measure_all(c, err);
	session_close(&c->session);
	return ret;
}

static void release(struct calibrate *c)
{
	for (size_t i = 0; i < c->n_metrics; i++)
		calibrating_release(&c->metrics[i]);
	free(c->metrics);
	free(c->scenarios);
	free(c->class);
	free(c->parent);
	result_release(&c->result);
	project_finish(&c->project);
}

static int calibrate(struct invocation *inv, struct error *err)
{
	struct calibrate c = { .inv = inv };
	struct error why = ERROR_INIT;
	int status = -1;

	if (prepare(&c, err) == 0 && measure(&c, &why) == 0)
		status = finish(&c, c.result.partial ? why.sys : 0, err);
	else if (why.kind)
		*err = why;
	release(&c);
	return status;
}

const struct command_def cmd_calibrate = {
	.name = "calibrate",
	.args = "SCENARIO...",
	.summary = "measure this machine's noise and derive tolerances",
	.details =
		"The same tree is compared with itself, in pairs: how far single runs and pairs spread, how\n"
		"often the rule of `pawl ab` would have accused the unchanged program, the smallest change it\n"
		"would see, and the least tolerance that can be kept. --runs says how many pairs (default 240),\n"
		"--budget how long a scenario may take (default 2m).\n\n"
		"--write keeps the tolerances in calibration.yaml, or in the file that pawl.yaml names as\n"
		"`calibration:`, by machine class and scenario, beside what is there. Comparisons in pairs\n"
		"use them for gates that have no tolerance of their own, on that machine class alone.\n"
		"Nothing is promised from fewer than 40 pairs, nor where one side was favoured.",
	.options = (OPT_MEASURING & ~OPT_BASELINES) | OPT_PAIRED | OPT_WRITE,
	.starts_processes = true,
	.calibrates = true,
	.run = calibrate,
};
