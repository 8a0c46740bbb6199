#include "job/comparison.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/lifecycle.h"
#include "job/pairs.h"
#include "job/project/builds.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "job/project/request.h"
#include "job/project/select.h"
#include "job/runs.h"
#include "job/verdicts.h"
#include "judge/judge.h"
#include "judge/pairs.h"
#include "measure/ci/ci.h"
#include "measure/files/files.h"
#include "measure/git/file_source.h"
#include "measure/git/git.h"
#include "measure/git/trees.h"
#include "measure/run/loop.h"
#include "model/gate.h"
#include "model/result.h"
#include "report/formats/report.h"
#include "report/typed.h"
#include "scenario/scenario.h"

struct comparison_side {
	char *commit;			/* full; NULL: ROOT was named */
	char *root, *label;
	const char *shown;		/* as it was written */
	struct tree tree;		/* of the commit */
};

struct comparison {
	struct request *request;
	const struct strv *args;	/* the scenarios that were named */
	struct project *own;		/* the project where pawl was started: results folder and repository */
	struct project elsewhere;	/* of --head */
	struct project *judged;		/* OWN or ELSEWHERE, whose scenarios are compared; NULL before its tree is made */
	struct comparison_side base, head;
	const struct typed *typed;	/* commands instead of scenarios; or NULL */
	struct builds builds;
	struct lifecycle run;
};

static bool is_commands(const struct comparison *c)
{
	return c->typed != NULL;
}

/* -------- the two trees */

/* Files that judge may be newer than the base that is built. */
static int judge_alike(const struct comparison *c, struct project *head, struct error *err)
{
	CLEANUP(file_source_release) struct file_source judge = { 0 };
	const struct judged_by *by = &c->own->by;

	if (!by->ref)
		return 0;
	if (file_source_commit(&judge, &c->request->git, c->own->root, by->commit, err) < 0)
		return -1;
	return project_judge_by(head, &judge, by->ref, err);
}

static int note_edits(struct comparison *c, struct error *err)
{
	CLEANUP(file_source_release) struct file_source base = { 0 };

	if (!c->base.commit)
		file_source_folder(&base, c->base.root);
	else if (file_source_commit(&base, &c->request->git, c->own->root, c->base.commit, err) < 0)
		return -1;
	return project_note_edits(c->judged, &base, c->base.commit ? git_short_name(c->base.shown) : c->base.label, err);
}

/* Later commits of the base are not the change's work. */
static void build_the_fork(struct comparison *c)
{
	const struct project *own = c->own;
	struct comparison_side *base = &c->base;

	if (c->head.commit || !own->fork.commit || !base->commit || strcmp(base->commit, own->by.commit) != 0)
		return;
	free(base->commit);
	free(base->label);
	base->commit = xstrdup(own->fork.commit);
	base->label = text_printf("%.*s, where the change left %s", COMMIT_SHOWN, base->commit, own->by.ref);
}

static bool is_plain_folder(const char *value)
{
	return !strcmp(value, ".") || !strcmp(value, "..") || text_starts(value, "./") || text_starts(value, "../") || *value == '/';
}

static int find_side(struct comparison *c, struct comparison_side *side, const char *option, const char *value, struct error *err)
{
	bool folder = file_is_dir(value), plain = is_plain_folder(value);
	struct error why = ERROR_INIT;

	side->shown = value;
	if (plain && !folder)
		return error_set(err, ERR_INPUT, "%s: there is no folder %.200s", option, value);
	if (!plain && builds_resolve(&c->builds, option, value, &side->commit, &why) < 0 && !folder)
		return error_set(err, why.kind, "%s; nor is there a folder of that name", why.msg);
	if (folder && side->commit)
		return error_set(err, ERR_INPUT, "%s: '%.100s' is a folder and a commit; write ./%.100s for the folder, or %s%.100s for the "
				 "commit", option, value, value, text_starts(value, "origin/") ? "refs/remotes/" : "refs/heads/", value);
	if (side->commit) {
		side->label = builds_label(value, side->commit);
		return 0;
	}
	side->label = xstrdup(value);
	side->root = realpath(value, NULL);
	return side->root ? 0 : error_set(err, ERR_INPUT, "%s: cannot open folder %.200s", option, value);
}

/* Errors are reported before anything is measured. */
static int find_sides(struct comparison *c, const char *base, struct error *err)
{
	const struct request *o = c->request;
	CLEANUP(free_ptr) char *commit = NULL;

	builds_init(&c->builds, c->own, c->request, NULL, NULL);
	if (find_side(c, &c->base, "--base", base, err) < 0 || (o->head && find_side(c, &c->head, "--head", o->head, err) < 0))
		return -1;
	build_the_fork(c);
	if (c->head.commit)
		return 0;
	if (o->head) {
		c->judged = &c->elsewhere;
		if (project_open_at(&c->elsewhere, c->request, c->head.root, err) < 0)
			return -1;
		return judge_alike(c, c->judged, err);
	}
	c->judged = c->own;
	commit = git_commit(&c->request->git, c->own->root);
	c->head.root = xstrdup(c->own->root);
	c->head.label = text_printf("working tree%s%s%s", commit ? " (" : "", commit ?: "", commit ? ")" : "");
	return 0;
}

static int expect(const struct comparison *c, struct error *err)
{
	const struct strv *claims = &c->request->expect;

	for (size_t i = 0; i < c->judged->n_scenarios; i++)
		for (size_t k = 0; k < claims->n; k++)
			if (scenario_expect(c->judged->scenarios[i], claims->items[k], err) < 0)
				return error_wrap(err, "--expect");
	return 0;
}

/* Looks for a relative path in head first, then from where pawl was started. */
static int select_scenarios(struct comparison *c, struct error *err)
{
	CLEANUP(strv_release) struct strv args = STRV_INIT;

	for (size_t i = 0; i < c->args->n; i++) {
		const char *arg = c->args->items[i];
		CLEANUP(free_ptr) char *there = file_join(c->head.root, arg);

		strv_push(&args, c->judged == &c->elsewhere && argument_is_path(arg) && arg[0] != '/' && file_exists(there) ? there : arg);
	}
	if (project_select(c->judged, &args, err) < 0 || expect(c, err) < 0)
		return -1;
	/* A damaged baseline is misuse, reported before anything is measured. */
	for (size_t i = 0; i < c->judged->n_scenarios; i++)
		if (pair_refuse(c->judged->scenarios[i], err) < 0 ||
		    project_read_baselines(c->judged, c->judged->scenarios[i]->name, err) < 0)
			return -1;
	return note_edits(c, err);
}

/* -------- building */

static int get_tree(struct comparison *c, const char *name, struct comparison_side *side, struct error *err)
{
	struct tree *tree = &side->tree;

	if (trees_get(&c->builds.trees, side->commit, tree, err) < 0)
		return error_wrap(err, "%s", name);
	side->root = xstrdup(tree->root);
	if (!tree->reused)
		return 0;
	console_say(c->request, "%s: using the kept build of %.12s; 'pawl cache clear %.12s' removes it\n", name, side->commit,
		    side->commit);
	return 0;
}

/* Reads the scenarios from the commit, so that the result names them. */
static int open_unbuilt_head(struct comparison *c, struct error *err)
{
	CLEANUP(file_source_release) struct file_source commit = { 0 };

	if (project_open_at(&c->elsewhere, c->request, c->own->root, err) < 0)
		return -1;
	if (c->own->by.ref)
		return judge_alike(c, &c->elsewhere, err);
	if (file_source_commit(&commit, &c->request->git, c->own->root, c->head.commit, err) < 0 ||
	    project_judge_by(&c->elsewhere, &commit, c->head.label, err) < 0)
		return -1;
	/* The head judges itself. */
	judged_by_release(&c->elsewhere.by);
	return 0;
}

static int build_head(struct comparison *c, struct error *err)
{
	struct error why = ERROR_INIT;

	c->judged = &c->elsewhere;
	if (get_tree(c, "head", &c->head, &why) == 0) {
		if (project_open_at(&c->elsewhere, c->request, c->head.root, err) < 0 ||
		    judge_alike(c, c->judged, err) < 0)
			return -1;
		return select_scenarios(c, err) < 0 ? error_wrap(err, "--head %s", c->head.label) : 0;
	}
	*err = why;
	c->head.root = xstrdup(c->own->root);
	if (why.kind != ERR_INTERRUPTED && open_unbuilt_head(c, &why) == 0 && select_scenarios(c, &why) == 0)
		return -1;
	project_close(&c->elsewhere);
	c->judged = NULL;
	return -1;
}

/* If the head's tree cannot be built, its scenarios are still read, if possible. */
static int build(struct comparison *c, struct error *err)
{
	const struct request *o = c->request;

	c->builds.trees.scratch = c->run.session.scratch;
	c->builds.trees.logs = c->run.result.out_dir;
	if (c->head.commit && build_head(c, err) < 0)
		return -1;
	if (!c->base.commit)
		return 0;
	if (get_tree(c, "base", &c->base, err) < 0)
		return -1;
	if (!o->head && builds_working_tree(&c->builds, c->head.root, err) < 0)
		return error_wrap(err, "head");
	return 0;
}

/* -------- measuring */

static size_t count_jobs(const struct comparison *c)
{
	return is_commands(c) ? c->typed->n : c->judged ? c->judged->n_scenarios : 0;
}

static const struct scenario *scenario_at(const struct comparison *c, size_t i)
{
	return is_commands(c) ? &c->typed->pairs[i].head : c->judged->scenarios[i];
}

/* Counts before any selection: else a shard would judge more boldly than the whole. */
static unsigned count_gates(struct comparison *c)
{
	unsigned n = 0;

	if (!is_commands(c))
		n = project_paired_gates(c->judged, &c->run.result.arena, &c->run.result.notes);
	/* Either CPU time or wall time judges. */
	for (size_t i = 0; is_commands(c) && i < c->typed->n; i++)
		n += c->typed->either ? 1 : judge_pairs_gates(c->typed->pairs[i].head.gates.items, c->typed->pairs[i].head.gates.n);
	return n;
}

/* Scenarios that only the base has are not judged. */
static void make_jobs(struct comparison *c, struct pairs_job *jobs)
{
	CLEANUP(strv_release) struct strv base = STRV_INIT;
	struct result *result = &c->run.result;
	bool known = !is_commands(c) && c->base.root && project_names(c->request, c->base.root, &base) == 0;

	for (size_t i = 0; i < count_jobs(c); i++) {
		const struct scenario *s = scenario_at(c, i);
		CLEANUP(free_ptr) char *path = known ? file_join(c->base.root, s->path) : NULL;

		jobs[i] = (struct pairs_job){
			.base = is_commands(c) ? &c->typed->pairs[i].base : s, .head = s, .result = &result->scenarios[i],
			.base_label = is_commands(c) ? c->typed->pairs[i].base_label : NULL,
			.head_label = is_commands(c) ? c->typed->pairs[i].head_label : NULL,
			.gone = !is_commands(c) && strv_has(&c->judged->gone, s->name),
			/* A file with faults counts as present in the base. */
			.only_head = known && s->path[0] != '/' && !strv_has(&base, s->name) && !file_exists(path),
		};
	}
	for (size_t i = 0; i < base.n && !c->args->n && !c->request->tags.n; i++)
		if (!project_scenario(c->judged, base.items[i]))
			NOTE(result, "scenario %s is in the base only: nothing was compared", base.items[i]);
}

static int measure(struct comparison *c, struct error *err)
{
	struct request *request = c->request;
	struct lifecycle *run = &c->run;
	CLEANUP(free_ptr) struct pairs_job *jobs = xcalloc(count_jobs(c) + 1, sizeof *jobs);
	struct pairs pairs = {
		.run = run, .base = { c->base.root, c->base.label, c->base.commit },
		.head = { c->head.root, c->head.label, c->head.commit },
		/* With --head the scenarios are of that tree, even if pawl was started elsewhere. */
		.project = request->head ? NULL : c->own->root,
		.seed = pairs_seed(request), .gates = count_gates(c), .pairs_most = (unsigned)(request->runs ?: request->max_runs),
		.pairs_least = (unsigned)(is_commands(c) && request->runs ? request->runs : request->min_runs),
		.commits = c->base.commit && c->head.commit ? git_distance(&request->git, c->own->root, c->base.commit, c->head.commit) : 0,
		.without_perf = is_commands(c) && c->typed->without_perf,
		.either = is_commands(c) && c->typed->either, .compares_work = !is_commands(c),
		.both_ways = is_commands(c),
		.skip_identical = !is_commands(c) && !request->measure_identical && !request->explain,
	};

	make_jobs(c, jobs);
	progress_begin(&run->progress, request, count_jobs(c));
	run->progress.brief = is_commands(c) && !request->verbose;
	return pairs_measure(&pairs, jobs, count_jobs(c), err);
}

/* Fails every scenario, so that reports show it too. */
static void note_failure(struct comparison *c, const struct error *why)
{
	struct result *result = &c->run.result;
	CLEANUP(free_ptr) char *line = xstrndup(why->msg, strcspn(why->msg, "\n"));

	for (size_t i = 0; i < result->n_scenarios; i++)
		setup_fail(&result->scenarios[i].head, "%s", line);
	/* The end of the build's output is quoted once. */
	if (result->n_scenarios && why->msg[strlen(line)]) {
		struct side_result *first = &result->scenarios[0].head;

		first->log_tail = arena_strdup(&first->arena, why->msg + strlen(line) + 1);
	}
	/* If head could not be built, its scenarios may be unknown. */
	if (!result->n_scenarios)
		NOTE(result, "%s", line);
	console_say(c->request, "%s\n", result->n_scenarios ? line : why->msg);
}

/* Failures go to the result; *STATUS_OUT is then the exit status of main(). */
static int build_and_measure(struct comparison *c, int *status_out, struct error *err)
{
	struct lifecycle *run = &c->run;
	struct error why = ERROR_INIT;
	uint64_t start = clock_now_ns();
	bool built = build(c, &why) == 0;

	if (!is_commands(c))
		lifecycle_say(c->request, "building both sides", start);
	if (!built && why.kind == ERR_INPUT)
		return error_copy(err, &why);
	if (c->judged)
		judged_by_merge(&run->result.judged_by, &c->judged->by);
	/* All results are added first: they must not move while pairs point at them. */
	for (size_t i = 0; i < count_jobs(c); i++) {
		struct scenario_result *out = result_add_scenario(&run->result, scenario_at(c, i)->name);

		setup_describe(scenario_at(c, i), out);
		/* The scenario of a command has no file. */
		if (is_commands(c))
			out->path = NULL;
	}
	lifecycle_watch(run);
	if (!built || measure(c, &why) < 0) {
		*status_out = error_status(&why);
		run->interrupted = why.kind == ERR_INTERRUPTED ? why.sys : 0;
		if (!run->interrupted)
			note_failure(c, &why);
	}
	lifecycle_watched(run);
	return 0;
}

/* A commit is fast only if a gate shows that, and no gate is undecided. */
static int bisect_status(const struct result *result, int status)
{
	bool decided = false;

	/* An interrupt ends the search. */
	if (status == STATUS_REGRESSION || status > STATUS_BISECT_STOP)
		return status;
	if (status != STATUS_OK && status != STATUS_UNDECIDED)
		return STATUS_BISECT_SKIP;
	for (size_t i = 0; i < result->n_scenarios; i++)
		for (size_t k = 0; k < result->scenarios[i].n_gates; k++) {
			const struct gate_result *gate = &result->scenarios[i].gates[k];
			enum verdict verdict = gate_judgement(gate)->verdict;

			if (verdict == VERDICT_INCONCLUSIVE && !gate_result_quiet(gate))
				return STATUS_BISECT_SKIP;
			decided |= verdict == VERDICT_PASS || verdict == VERDICT_IMPROVEMENT;
		}
	return decided ? STATUS_OK : STATUS_BISECT_SKIP;
}

static int export_commands(const struct request *request, const struct result *result, struct error *err)
{
	const struct {
		const char *option, *path;
		report_fn *render;
	} exports[] = {
		{ "--export-json", request->export_json, report_typed_json },
		{ "--export-markdown", request->export_markdown, report_typed_markdown },
	};

	for (size_t i = 0; i < sizeof exports / sizeof exports[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		if (!exports[i].path)
			continue;
		exports[i].render(result, &(struct report_options){ 0 }, &text);
		if (console_write(exports[i].path, &text, err) < 0)
			return error_wrap(err, "%s", exports[i].option);
	}
	return 0;
}

static int compare(struct comparison *c, struct error *err)
{
	struct result *result = &c->run.result;
	int ret, status = 0;

	lifecycle_begin(&c->run, c->request, MODE_PAIRED, c->head.root ?: c->own->root);
	c->run.perf_optional = is_commands(c) && c->typed->without_perf;
	c->run.without_files = is_commands(c) && !c->request->out && !c->request->explain;
	if (c->head.commit)
		result->commit = arena_strndup(&result->arena, c->head.commit, 12);
	if (lifecycle_open(&c->run, c->judged, c->own, err) < 0)
		return -1;
	ret = build_and_measure(c, &status, err);
	trees_put(&c->builds.trees, &c->base.tree);
	trees_put(&c->builds.trees, &c->head.tree);
	lifecycle_close(&c->run);
	if (ret < 0)
		return -1;
	/* A bisection looks for a change since the base. */
	if (c->judged && !c->request->bisect) {
		if (verdicts_stored(result, c->judged, err) < 0)
			return -1;
	} else {
		judge_together(result);
		result_settle(result);
	}
	if (c->judged)
		verdicts_accept(result, c->judged);
	if (status)
		result->status = status;
	/* Reasons for failures need the report. */
	c->run.as_commands = is_commands(c) && result->status != STATUS_NOT_MEASURED && !result->partial;
	c->run.silent = c->run.as_commands && (text_same(c->request->export_json, "-") || text_same(c->request->export_markdown, "-"));
	ret = lifecycle_finish(&c->run, err);
	if (is_commands(c) && export_commands(c->request, result, err) < 0)
		return -1;
	return c->request->bisect && ret >= 0 ? bisect_status(result, ret) : ret;
}

static void release_side(struct comparison_side *side)
{
	free(side->commit);
	free(side->root);
	free(side->label);
}

static void release(struct comparison *c)
{
	lifecycle_release(&c->run);
	release_side(&c->base);
	release_side(&c->head);
	project_finish(&c->elsewhere);
}

int comparison_base(struct project *project, char **out, struct error *err)
{
	const struct request *request = project->request;
	CLEANUP(free_ptr) char *fork = NULL;
	const char *base = request->base;

	*out = NULL;
	/* One process, one environment, or stored values alone are asked for. */
	if (!base && (request->attach || request->keep_env || request->no_confirm))
		return 0;
	base = base ?: ci_base() ?: project->config.base;
	if (!base && project->foreign && !project->first && project->config.build.argv.n) {
		base = fork = git_merge_base(&project->request->git, project->root, project->by.commit, "HEAD");
		if (!base)
			return error_set(err, ERR_INPUT, "%s and the change have no common commit here; if the clone is shallow, fetch all of "
					 "its history (actions/checkout: fetch-depth: 0); --base none leaves the base out", project->by.ref);
	}
	if (base && strcmp(base, "none") != 0)
		*out = xstrdup(base);
	else if (request->head || request->bisect || request->expect.n)
		return error_set(err, ERR_INPUT, "%s: compare with what? --base takes a commit, or the folder of a tree that is built already",
				 request->head ? "--head" : request->bisect ? "--bisect" : "--expect");
	if (*out && (request->attach || request->keep_env))
		return error_set(err, ERR_INPUT, "%s measures one environment, and --base compares two; leave one of them out",
				 request->attach ? "--attach" : "--keep-env");
	return 0;
}

int comparison_of_scenarios(struct project *project, const struct strv *args, const char *base, struct error *err)
{
	CLEANUP(release) struct comparison c = { .request = project->request, .args = args, .own = project };

	if (find_sides(&c, base, err) < 0 || (c.judged && select_scenarios(&c, err) < 0))
		return -1;
	return compare(&c, err);
}

int comparison_of_commands(struct project *project, const struct typed *typed, struct error *err)
{
	CLEANUP(release) struct comparison c = { .request = project->request, .own = project, .typed = typed };

	c.base.root = file_absolute(".");
	c.head.root = file_absolute(".");
	c.base.label = xstrdup(typed->pairs[0].base_label);
	c.head.label = xstrdup(typed->pairs[0].head_label);
	return compare(&c, err);
}
