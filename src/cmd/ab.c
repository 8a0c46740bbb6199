/* pawl ab: two builds, or two commands, measured in pairs on this machine. */
#include "cmd/ab.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "cmd/calibrations.h"
#include "cmd/faults.h"
#include "cmd/judging.h"
#include "cmd/outcome.h"
#include "cmd/scene.h"
#include "gate/judge.h"
#include "gate/judge_pairs.h"
#include "measure/files.h"

/* -------- which scenarios */

static bool is_commands(const struct ab *ab)
{
	return ab->inv->options.base_cmd;
}

static size_t count_jobs(const struct ab *ab)
{
	return is_commands(ab) ? 1 : ab->head ? ab->head->n_scenarios : 0;
}

static const struct scenario *scenario_at(const struct ab *ab, size_t i)
{
	return is_commands(ab) ? &ab->commands[1] : &ab->head->scenarios[i];
}

/* How many gates share the error: before any selection, or a shard would judge more boldly than the whole. */
static unsigned count_gates(struct ab *ab)
{
	unsigned gates = (unsigned)ab->inv->options.gates;

	if (!gates && is_commands(ab))
		gates = judge_pairs_gates(ab->commands[1].gates.items, ab->commands[1].gates.n);
	else if (!gates)
		gates = project_paired_gates(ab->head, &ab->result.notes);
	return gates ? gates : 1;
}

/* Scenarios of the base that head has not: nobody judges those. */
static void note_only_base(struct ab *ab, const struct strv *base)
{
	for (size_t i = 0; i < base->n; i++) {
		size_t k = 0;

		while (k < ab->head->n_scenarios && strcmp(ab->head->scenarios[k].name, base->items[i]))
			k++;
		if (k == ab->head->n_scenarios)
			strv_pushf(&ab->result.notes, "scenario %s is in the base only: nothing was compared", base->items[i]);
	}
}

/* One whose file is there but at fault in the base is there. */
static bool is_in_base(const struct ab *ab, const struct scenario *s, const struct strv *base)
{
	CLEANUP(free_ptr) char *path = file_join(ab->base_root, s->path);

	return s->path[0] == '/' || strv_has(base, s->name) || file_exists(path);
}

static void make_jobs(struct ab *ab, struct pairs_job *jobs)
{
	CLEANUP(strv_release) struct strv base = STRV_INIT;
	bool known = !is_commands(ab) && ab->base_root && project_names(ab->inv, ab->base_root, &base) == 0;

	for (size_t i = 0; i < count_jobs(ab); i++) {
		const struct scenario *s = scenario_at(ab, i);

		jobs[i] = (struct pairs_job){
			.base = is_commands(ab) ? &ab->commands[0] : s, .head = s, .result = &ab->result.scenarios[i],
			.gone = !is_commands(ab) && project_is_gone(ab->head, s->name),
			.only_head = known && !is_in_base(ab, s, &base),
		};
	}
	if (known && !ab->inv->args.n && !ab->inv->options.tags.n)
		note_only_base(ab, &base);
}

/* All of them first: results must not move while pairs point at them. */
static void describe(struct ab *ab)
{
	if (ab->head)
		judged_by_copy(&ab->result.judged_by, &ab->head->by);
	for (size_t i = 0; i < count_jobs(ab); i++) {
		struct scenario_result *out = result_add_scenario(&ab->result, scenario_at(ab, i)->name);

		scene_describe(scenario_at(ab, i), out);
		/* Nobody can read the scenario of two commands. */
		if (is_commands(ab)) {
			free(out->path);
			out->path = NULL;
		}
	}
}

/* -------- measuring */

static int measure(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;
	CLEANUP(free_ptr) struct pairs_job *jobs = xcalloc(count_jobs(ab) + 1, sizeof *jobs);
	struct pairs pairs = {
		.inv = ab->inv, .rig = &ab->rig, .progress = &ab->progress, .root = ab->head_root, .out_dir = ab->result.out_dir,
		.base = { ab->base_root, ab->base_label, ab->base_commit },
		.head = { ab->head_root, ab->head_label, ab->head_commit },
		/* With --head the scenarios are of that tree, wherever pawl was started. */
		.project = o->head ? NULL : ab->own.root,
		.seed = pairs_seed(o), .gates = count_gates(ab), .pairs_most = (unsigned)o->runs, .budget_ns = o->budget_ns,
		.no_profile = o->no_profile,
	};

	make_jobs(ab, jobs);
	progress_begin(&ab->progress, ab->inv, count_jobs(ab));
	return pairs_measure(&pairs, jobs, count_jobs(ab), &ab->rig.machine, err);
}

/* A tree that could not be made or built is told in every scenario, so that a report shows it too. */
static int tell_failure(struct ab *ab, const struct error *why)
{
	CLEANUP(free_ptr) char *line = NULL;

	if (why->kind == ERR_INTERRUPTED) {
		ab->result.partial = true;
		return error_status(why);
	}
	line = xstrndup(why->msg, strcspn(why->msg, "\n"));
	for (size_t i = 0; i < ab->result.n_scenarios; i++)
		scene_fail(&ab->result.scenarios[i], "%s", line);
	/* What a build printed last is quoted once. */
	if (ab->result.n_scenarios && why->msg[strlen(line)]) {
		free(ab->result.scenarios[0].log_tail);
		ab->result.scenarios[0].log_tail = xstrdup(why->msg + strlen(line) + 1);
	}
	/* Where head could not be built nobody knows its scenarios. */
	if (!ab->result.n_scenarios)
		strv_push(&ab->result.notes, line);
	cmd_say(ab->inv, "%s\n", ab->result.n_scenarios ? line : why->msg);
	return error_status(why);
}

/* 0, also when it failed in a way that the result tells; *STATUS_OUT is then what main() is to exit with, or 0. */
static int build_and_measure(struct ab *ab, int *status_out, struct error *err)
{
	struct outcome_watch watch;
	struct error why = ERROR_INIT;
	bool built = ab_build(ab, &why) == 0;

	if (!built && why.kind == ERR_INPUT) {
		*err = why;
		return -1;
	}
	if (ab->head)
		calibrations_apply(ab->head, &ab->rig.machine);
	describe(ab);
	outcome_watch(&watch, ab->inv);
	if (!built || measure(ab, &why) < 0)
		*status_out = tell_failure(ab, &why);
	outcome_watched(&watch, ab->inv, &ab->rig, &ab->result);
	return 0;
}

static int finish(struct ab *ab, int status, struct error *err)
{
	int left;

	if (ab->head)
		calibrations_note(ab->head, &ab->result);
	judge_together(&ab->result);
	result_settle(&ab->result);
	if (status)
		ab->result.status = status;
	/* Where the folder is full the report is still to be had here. */
	left = outcome_leave(&ab->result, ab->parent, err);
	if (judging_print(&ab->result, ab->inv, ab->inv->options.json ? "json" : NULL, left < 0 ? NULL : err) < 0 || left < 0)
		return -1;
	cmd_say(ab->inv, "results: %s\n", ab->result.out_dir);
	return ab->result.status;
}

static int compare(struct ab *ab, struct error *err)
{
	int ret, status = 0;

	outcome_begin(&ab->result, "paired", ab->inv, ab->head_root ?: ab->own.root);
	if (ab->head_commit) {
		free(ab->result.commit);
		ab->result.commit = xstrndup(ab->head_commit, 12);
	}
	if (outcome_rig(&ab->rig, ab->inv, ab->head && project_only_simulated(ab->head), err) < 0)
		return -1;
	ret = outcome_folder(&ab->result, &ab->inv->options, ab->own.root, ab->own.config.out, &ab->parent, err);
	if (ret == 0)
		ret = build_and_measure(ab, &status, err);
	trees_put(&ab->builds.trees, &ab->base_tree);
	trees_put(&ab->builds.trees, &ab->head_tree);
	rig_close(&ab->rig);
	return ret < 0 ? -1 : finish(ab, status, err);
}

static int run(struct invocation *inv, struct error *err)
{
	struct ab ab = { .inv = inv };
	int status = -1;

	if (ab_check(&ab, err) == 0 && ab_find_sides(&ab, err) == 0 && (!ab.head || ab_select(&ab, err) == 0))
		status = compare(&ab, err);
	faults_print(&ab.own.diags);
	faults_print(&ab.elsewhere.diags);
	result_release(&ab.result);
	free(ab.parent);
	ab_release_sides(&ab);
	return status;
}

const struct command_def cmd_ab = {
	.name = "ab",
	.args = "[SCENARIO...]",
	.summary = "compare two builds, or two commands, in pairs on this machine",
	.details =
		"Base and head run alternately, in an order tossed from a printed seed, and only the two\n"
		"runs of a pair are compared: what slows the machine slows both. After 10 pairs or a few\n"
		"more, 20, 30 and 40 the pairs are looked at: a scenario that is decided is done, and the\n"
		"time that is left is shared by the others, those that can be decided first. The answer is\n"
		"REGRESSION, PASS or INCONCLUSIVE, with how many more pairs would decide.\n\n"
		"Scenarios are read from head, all of them when none is named; a relative path is looked\n"
		"for in head first. Their commands, setup too, run in each tree. Inside a GitHub pull\n"
		"request the base judges: scenarios, pawl.yaml and calibration are read from there, and\n"
		"the report says what head has otherwise.\n\n"
		"--base DIR and --head DIR are trees that are built already. --base-ref and --head-ref make a git worktree of a\n"
		"commit in the user's cache and run `build:` of its pawl.yaml there, or of yours when it\n"
		"has none; a tree that was built is used again. With --base-ref alone, `build:` is run in\n"
		"the working tree too, or two ways to build would be compared.\n\n"
		"--base-cmd and --head-cmd compare two shell commands in the working folder, without any\n"
		"scenario: their CPU time (task-clock) is judged, with 3 % of tolerance unless --tolerance\n"
		"says otherwise, and their wall time is shown. A head that waits much longer is told, not\n"
		"judged: for commands that wait write a scenario, with a gate on wall-time. When CPU time\n"
		"regressed, each is profiled for 3 s and the symbols that it went to are told.\n\n"
		"--runs is the most pairs; more than 40 move the last look there. All scenarios reach\n"
		"their first look, unless --budget asks for less time than that takes. Every gate of the\n"
		"project's scenarios counts towards the error that they share, named or not.\n\n"
		"Services are started anew for each pair, side by side where each side has ports of its\n"
		"own (${port}), else one at a time. They are not kept up: two instances of one server\n"
		"differ for as long as they live, by 1 % (nginx) to 11 % (Python, which hashes by a random\n"
		"seed) in 28 pairs of instances each, and every pair would repeat that. It takes 4.6 s\n"
		"instead of 2.8 s a pair with nginx and windows of one second.\n\n"
		"  pawl ab --base-ref origin/main\n"
		"  pawl ab gzip --base ../old --head .\n"
		"  pawl ab --base-cmd './old' --head-cmd './new'",
	.options = OPT_MEASURING | OPT_STRICT | OPT_NO_PROFILE | OPT_BASE | OPT_HEAD | OPT_COMMANDS | OPT_PAIRED,
	.starts_processes = true,
	.run = run,
};
