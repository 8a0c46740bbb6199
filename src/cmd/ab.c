/* pawl ab: compares two builds, or two commands, in pairs on this machine. */
#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/typed.h"
#include "job/project/builds.h"
#include "job/project/console.h"
#include "job/lifecycle.h"
#include "job/pairs.h"
#include "job/project/project.h"
#include "job/runs.h"
#include "job/project/select.h"
#include "job/verdicts.h"
#include "judge/judge.h"
#include "measure/git/git.h"
#include "model/gate.h"
#include "model/result.h"
#include "scenario/scenario.h"
#include "judge/pairs.h"

#include "measure/files/files.h"
#include "measure/git/file_source.h"
#include "measure/git/trees.h"
#include "measure/run/loop.h"

/* One of the two trees. For commands, the folder in which all run. */
struct ab_side {
	char *commit;			/* of --base-ref or --head-ref; full, or NULL */
	char *root, *label;
	struct tree tree;		/* of the commit */
};

struct ab {
	struct invocation *inv;
	struct project own;		/* the project where pawl was started: results folder and repository */
	struct project elsewhere;	/* of --head or --head-ref */
	struct project *judged;		/* OWN or ELSEWHERE, whose scenarios are compared; NULL before its tree is made */
	struct ab_side base, head;
	struct typed typed;		/* commands instead of scenarios */
	struct builds builds;
	struct lifecycle run;
};

static bool is_commands(const struct ab *ab)
{
	return ab->typed.n;
}

/* -------- the options */

/* Checks options that exclude or need each other. */
static int check_options(const struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;

	if (is_commands(ab))
		return 0;
	if (!o->base && !o->base_ref)
		return error_set(err, ERR_INPUT, "compare with what? --base-ref REF is a commit, --base DIR a tree that is built already; "
				 "two commands are pawl ab 'OLD' 'NEW'");
	if (o->base && o->base_ref)
		return error_set(err, ERR_INPUT, "--base and --base-ref both say what to compare with; give one of them");
	if (o->head && o->head_ref)
		return error_set(err, ERR_INPUT, "--head and --head-ref both say what is judged; give one of them");
	return 0;
}

/* -------- the two trees */

/*
 * Makes the files that judge this project judge HEAD, another tree of it, too. They may be newer than the base that
 * is built.
 */
static int judge_alike(const struct ab *ab, struct project *head, struct error *err)
{
	CLEANUP(file_source_release) struct file_source judge = { 0 };
	const struct judged_by *by = &ab->own.by;

	if (!by->ref)
		return 0;
	if (file_source_commit(&judge, &ab->inv->request.git, ab->own.root, by->commit, err) < 0)
		return -1;
	return project_judge_by(head, &judge, by->ref, err);
}

/* Notes which judging files differ from the base, if the head judges itself. */
static int note_edits(struct ab *ab, struct error *err)
{
	CLEANUP(file_source_release) struct file_source base = { 0 };
	const char *ref = ab->inv->options.base_ref;

	if (!ab->base.commit)
		file_source_folder(&base, ab->base.root);
	else if (file_source_commit(&base, &ab->inv->request.git, ab->own.root, ab->base.commit, err) < 0)
		return -1;
	return project_note_edits(ab->judged, &base, ref ? git_short_name(ref) : ab->base.label, err);
}

/* Compares someone else's change with the commit where it left its base. Later commits of the base are not its work. */
static void build_the_fork(struct ab *ab)
{
	const struct project *own = &ab->own;
	struct ab_side *base = &ab->base;

	if (ab->head.commit || !own->fork.commit || !base->commit || strcmp(base->commit, own->by.commit) != 0)
		return;
	free(base->commit);
	free(base->label);
	base->commit = xstrdup(own->fork.commit);
	base->label = text_printf("%.*s, where the change left %s", COMMIT_SHOWN, base->commit, own->by.ref);
}

/* Finds a side by DIR of OPTION ("--base"), or by REF of "--base-ref". Each is NULL if not given. */
static int find_side(struct ab *ab, struct ab_side *side, const char *option, const char *dir, const char *ref,
		     struct error *err)
{
	if (ref) {
		CLEANUP(free_ptr) char *name = text_printf("%s-ref", option);

		if (builds_resolve(&ab->builds, name, ref, &side->commit, err) < 0)
			return -1;
		side->label = builds_label(ref, side->commit);
	} else if (dir) {
		side->label = xstrdup(dir);
		side->root = file_is_dir(dir) ? realpath(dir, NULL) : NULL;
		if (!side->root)
			return error_set(err, ERR_INPUT, "%s: there is no folder %.200s", option, dir);
	}
	return 0;
}

/*
 * Finds the folders and commits that the options name, so that their errors are reported before anything is measured.
 */
static int find_sides(struct ab *ab, struct error *err)
{
	static const struct strv none = STRV_INIT;
	const struct options *o = &ab->inv->options;
	const struct strv *args = o->head || o->head_ref ? &none : &ab->inv->args;
	CLEANUP(free_ptr) char *commit = NULL;

	/* No files judge commands. */
	if (is_commands(ab)) {
		ab->base.root = file_absolute(".");
		ab->head.root = file_absolute(".");
		ab->base.label = xstrdup(ab->typed.pairs[0].base_label);
		ab->head.label = xstrdup(ab->typed.pairs[0].head_label);
		return project_open(&ab->own, &ab->inv->request, &none, err);
	}
	if (project_open_judged(&ab->own, &ab->inv->request, args, err) < 0)
		return -1;
	builds_init(&ab->builds, &ab->own, &ab->inv->request, NULL, NULL);
	if (find_side(ab, &ab->base, "--base", o->base, o->base_ref, err) < 0 ||
	    find_side(ab, &ab->head, "--head", o->head, o->head_ref, err) < 0)
		return -1;
	build_the_fork(ab);
	if (o->head_ref)
		return 0;
	if (o->head) {
		ab->judged = &ab->elsewhere;
		if (project_open_at(&ab->elsewhere, &ab->inv->request, ab->head.root, err) < 0)
			return -1;
		return judge_alike(ab, ab->judged, err);
	}
	ab->judged = &ab->own;
	commit = git_commit(&ab->inv->request.git, ab->own.root);
	ab->head.root = xstrdup(ab->own.root);
	ab->head.label = text_printf("working tree%s%s%s", commit ? " (" : "", commit ?: "", commit ? ")" : "");
	return 0;
}

/* Selects the scenarios of head. Looks for a relative path in head first, then from where pawl was started. */
static int select_scenarios(struct ab *ab, struct error *err)
{
	CLEANUP(strv_release) struct strv args = STRV_INIT;

	for (size_t i = 0; i < ab->inv->args.n; i++) {
		const char *arg = ab->inv->args.items[i];
		CLEANUP(free_ptr) char *there = file_join(ab->head.root, arg);

		strv_push(&args, ab->judged == &ab->elsewhere && argument_is_path(arg) && arg[0] != '/' && file_exists(there) ? there : arg);
	}
	if (project_select(ab->judged, &args, err) < 0)
		return -1;
	for (size_t i = 0; i < ab->judged->n_scenarios; i++)
		if (pair_refuse(ab->judged->scenarios[i], err) < 0)
			return -1;
	if (note_edits(ab, err) < 0)
		return -1;
	return project_take_floor(ab->judged, err);
}

/* -------- building */

static int get_tree(struct ab *ab, const char *name, struct ab_side *side, struct error *err)
{
	struct tree *tree = &side->tree;

	if (trees_get(&ab->builds.trees, side->commit, tree, err) < 0)
		return error_wrap(err, "%s", name);
	side->root = xstrdup(tree->root);
	if (!tree->reused)
		return 0;
	console_say(&ab->inv->request, "%s: %.12s was built before, in %s\n", name, side->commit, tree->root);
	NOTE(&ab->run.result, "%s: the tree of %.12s was built before and is used again; remove %s to rebuild it",
	     name, side->commit, tree->top);
	return 0;
}

/* Opens a head whose tree could not be built. Reads the scenarios from its commit, so that the result names them. */
static int open_unbuilt_head(struct ab *ab, struct error *err)
{
	CLEANUP(file_source_release) struct file_source commit = { 0 };

	if (project_open_at(&ab->elsewhere, &ab->inv->request, ab->own.root, err) < 0)
		return -1;
	if (ab->own.by.ref)
		return judge_alike(ab, &ab->elsewhere, err);
	if (file_source_commit(&commit, &ab->inv->request.git, ab->own.root, ab->head.commit, err) < 0 ||
	    project_judge_by(&ab->elsewhere, &commit, ab->head.label, err) < 0)
		return -1;
	/* The head judges itself. */
	judged_by_release(&ab->elsewhere.by);
	return 0;
}

static int build_head(struct ab *ab, struct error *err)
{
	struct error why = ERROR_INIT;

	ab->judged = &ab->elsewhere;
	if (get_tree(ab, "head", &ab->head, &why) == 0) {
		if (project_open_at(&ab->elsewhere, &ab->inv->request, ab->head.root, err) < 0 ||
		    judge_alike(ab, ab->judged, err) < 0)
			return -1;
		return select_scenarios(ab, err) < 0 ? error_wrap(err, "--head-ref %s", ab->head.label) : 0;
	}
	*err = why;
	ab->head.root = xstrdup(ab->own.root);
	if (why.kind != ERR_INTERRUPTED && open_unbuilt_head(ab, &why) == 0 && select_scenarios(ab, &why) == 0)
		return -1;
	project_close(&ab->elsewhere);
	ab->judged = NULL;
	return -1;
}

/*
 * Builds the trees of --base-ref and --head-ref, or the working tree. If the head's tree cannot be built, its
 * scenarios are still read, if possible.
 */
static int build(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;

	ab->builds.trees.scratch = ab->run.session.scratch;
	ab->builds.trees.logs = ab->run.result.out_dir;
	if (ab->head.commit && build_head(ab, err) < 0)
		return -1;
	if (!ab->base.commit)
		return 0;
	if (get_tree(ab, "base", &ab->base, err) < 0)
		return -1;
	if (!o->head && !o->head_ref && builds_working_tree(&ab->builds, ab->head.root, err) < 0)
		return error_wrap(err, "head");
	return 0;
}

/* -------- measuring */

static size_t count_jobs(const struct ab *ab)
{
	return is_commands(ab) ? ab->typed.n : ab->judged ? ab->judged->n_scenarios : 0;
}

static const struct scenario *scenario_at(const struct ab *ab, size_t i)
{
	return is_commands(ab) ? &ab->typed.pairs[i].head : ab->judged->scenarios[i];
}

/*
 * Returns the number of gates that share the error, before any selection. Otherwise a shard would judge more boldly
 * than the whole.
 */
static unsigned count_gates(struct ab *ab)
{
	unsigned n = (unsigned)ab->inv->options.gates;

	if (!is_commands(ab))
		n = project_paired_gates(ab->judged, &ab->run.result.arena, &ab->run.result.notes);
	for (size_t i = 0; i < ab->typed.n && !ab->inv->options.gates; i++)
		n += judge_pairs_gates(ab->typed.pairs[i].head.gates.items, ab->typed.pairs[i].head.gates.n);
	return n ? n : 1;
}

/* Fills JOBS. Marks scenarios that the base lacks, and notes those that only the base has, which are not judged. */
static void make_jobs(struct ab *ab, struct pairs_job *jobs)
{
	CLEANUP(strv_release) struct strv base = STRV_INIT;
	struct result *result = &ab->run.result;
	bool known = !is_commands(ab) && ab->base.root && project_names(&ab->inv->request, ab->base.root, &base) == 0;

	for (size_t i = 0; i < count_jobs(ab); i++) {
		const struct scenario *s = scenario_at(ab, i);
		CLEANUP(free_ptr) char *path = known ? file_join(ab->base.root, s->path) : NULL;

		jobs[i] = (struct pairs_job){
			.base = is_commands(ab) ? &ab->typed.pairs[i].base : s, .head = s, .result = &result->scenarios[i],
			.base_label = is_commands(ab) ? ab->typed.pairs[i].base_label : NULL,
			.head_label = is_commands(ab) ? ab->typed.pairs[i].head_label : NULL,
			.gone = !is_commands(ab) && strv_has(&ab->judged->gone, s->name),
			/* A file with faults counts as present in the base. */
			.only_head = known && s->path[0] != '/' && !strv_has(&base, s->name) && !file_exists(path),
		};
	}
	for (size_t i = 0; i < base.n && !ab->inv->args.n && !ab->inv->options.tags.n; i++)
		if (!project_scenario(ab->judged, base.items[i]))
			NOTE(result, "scenario %s is in the base only: nothing was compared",
			     base.items[i]);
}

/* Returns the number of commits from base to head; 0: unknown, or both are one. */
static unsigned commits_between(const struct ab *ab)
{
	CLEANUP(commits_release) struct commits commits = { 0 };

	if (!ab->base.commit || !ab->head.commit ||
	    git_commits(&ab->inv->request.git, ab->own.root, ab->base.commit, ab->head.commit, &commits, NULL) < 0)
		return 0;
	return (unsigned)commits.n;
}

static int measure(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;
	struct lifecycle *run = &ab->run;
	CLEANUP(free_ptr) struct pairs_job *jobs = xcalloc(count_jobs(ab) + 1, sizeof *jobs);
	struct pairs pairs = {
		.request = &ab->inv->request, .session = &run->session, .progress = &run->progress, .root = ab->head.root,
		.out_dir = run->result.out_dir, .base = { ab->base.root, ab->base.label, ab->base.commit },
		.head = { ab->head.root, ab->head.label, ab->head.commit },
		/* With --head the scenarios are of that tree, even if pawl was started elsewhere. */
		.project = o->head ? NULL : ab->own.root,
		.seed = pairs_seed(&ab->inv->request), .gates = count_gates(ab), .pairs_most = (unsigned)o->runs, .budget_ns = o->budget_ns,
		.commits = commits_between(ab), .no_profile = o->no_profile, .without_perf = ab->typed.without_perf,
	};

	make_jobs(ab, jobs);
	progress_begin(&run->progress, &ab->inv->request, count_jobs(ab));
	run->progress.brief = ab->typed.positional && !o->verbose;
	return pairs_measure(&pairs, jobs, count_jobs(ab), &run->session.machine, err);
}

/* Fails every scenario if a tree could not be made or built, so that reports show it too. */
static void note_failure(struct ab *ab, const struct error *why)
{
	struct result *result = &ab->run.result;
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
	console_say(&ab->inv->request, "%s\n", result->n_scenarios ? line : why->msg);
}

/* Builds and measures. Failures go to the result; *STATUS_OUT is then the exit status of main(). */
static int build_and_measure(struct ab *ab, int *status_out, struct error *err)
{
	struct lifecycle *run = &ab->run;
	struct error why = ERROR_INIT;
	bool built = build(ab, &why) == 0;

	if (!built && why.kind == ERR_INPUT) {
		*err = why;
		return -1;
	}
	if (ab->judged)
		judged_by_merge(&run->result.judged_by, &ab->judged->by);
	/* All results are added first: they must not move while pairs point at them. */
	for (size_t i = 0; i < count_jobs(ab); i++) {
		struct scenario_result *out = result_add_scenario(&run->result, scenario_at(ab, i)->name);

		setup_describe(scenario_at(ab, i), out);
		/* The scenario of a command has no file. */
		if (is_commands(ab))
			out->path = NULL;
	}
	lifecycle_watch(run);
	if (!built || measure(ab, &why) < 0) {
		*status_out = error_status(&why);
		run->interrupted = why.kind == ERR_INTERRUPTED ? why.sys : 0;
		if (!run->interrupted)
			note_failure(ab, &why);
	}
	lifecycle_watched(run);
	return 0;
}

/* Returns STATUS as git bisect run takes it. A commit is fast only if a gate shows that, and no gate is undecided. */
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

static int compare(struct ab *ab, struct error *err)
{
	struct result *result = &ab->run.result;
	int ret, status = 0;

	lifecycle_begin(&ab->run, &ab->inv->request, MODE_PAIRED, ab->head.root ?: ab->own.root);
	ab->run.perf_optional = ab->typed.without_perf;
	if (ab->head.commit)
		result->commit = arena_strndup(&result->arena, ab->head.commit, 12);
	if (lifecycle_open(&ab->run, ab->judged, err) < 0)
		return -1;
	ret = lifecycle_folder(&ab->run, &ab->own, err);
	if (ret == 0)
		ret = build_and_measure(ab, &status, err);
	trees_put(&ab->builds.trees, &ab->base.tree);
	trees_put(&ab->builds.trees, &ab->head.tree);
	lifecycle_close(&ab->run);
	if (ret < 0)
		return -1;
	judge_together(result);
	result_settle(result);
	if (ab->judged)
		verdicts_accept(result, ab->judged);
	if (status)
		result->status = status;
	/* Reasons for failures need the report. */
	ab->run.as_commands = ab->typed.positional && result->status != STATUS_NOT_MEASURED && !result->partial;
	ret = lifecycle_finish(&ab->run, err);
	if (is_commands(ab) && typed_export(&ab->inv->options, result, err) < 0)
		return -1;
	return ab->inv->options.bisect && ret >= 0 ? bisect_status(result, ret) : ret;
}

static void release_side(struct ab_side *side)
{
	free(side->commit);
	free(side->root);
	free(side->label);
}

static void release(struct ab *ab)
{
	lifecycle_release(&ab->run);
	release_side(&ab->base);
	release_side(&ab->head);
	typed_release(&ab->typed);
	project_finish(&ab->own);
	project_finish(&ab->elsewhere);
}

static int ab(struct invocation *inv, struct error *err)
{
	CLEANUP(release) struct ab ab = { .inv = inv };

	/* Each commit of a bisection needs only its status. */
	inv->options.no_profile |= inv->options.bisect;
	inv->options.no_explain |= inv->options.bisect && !inv->options.explain;
	if (typed_read(&ab.typed, inv, err) < 0 || check_options(&ab, err) < 0)
		return -1;
	cmd_fill_request(inv);
	if (find_sides(&ab, err) < 0 || (ab.judged && select_scenarios(&ab, err) < 0))
		return -1;
	return compare(&ab, err);
}

const struct command_def cmd_ab = {
	.name = "ab",
	.args = "[SCENARIO... | 'COMMAND' 'COMMAND'...]",
	.summary = "compare two builds, or two commands, in pairs on this machine",
	.details =
		"Base and head run in pairs, and only the two runs of a pair are compared: what slows the\n"
		"machine slows both. They run at once on one CPU, between which the kernel changes every few\n"
		"milliseconds; or in turn (--pairs in-turn), which is also how time that passes is measured,\n"
		"and targets that use several CPUs. The order is tossed from a printed seed. After 10 pairs or\n"
		"a few more, 20, 30 and 40 the pairs are looked at, and where both sides ran at once after 6,\n"
		"8 and 15, too, by which they may pass: a scenario that is decided is done, and the time that\n"
		"is left is shared by the others, those that can be decided first. The answer is REGRESSION,\n"
		"PASS or INCONCLUSIVE, with how many more pairs would decide.\n\n"
		"Scenarios are read from head, all of them when none is named; a relative path is looked\n"
		"for in head first. Their commands, setup too, run in each tree. Inside a GitHub pull\n"
		"request the tip of the base branch judges, or what --baseline-ref names: scenarios and\n"
		"pawl.yaml are read from there, and the report says what head has otherwise. With that\n"
		"branch for --base-ref, the commit where the change left it is built.\n\n"
		"--base DIR and --head DIR are trees that are built already. --base-ref and --head-ref make a git worktree of a\n"
		"commit in the user's cache and run `build:` of its pawl.yaml there, or of yours when it\n"
		"has none; a tree that was built is used again. With --base-ref alone, `build:` is run in\n"
		"the working tree too, or two ways to build would be compared.\n\n"
		"Arguments that name no scenario are commands, each of which is compared with the first,\n"
		"without any scenario: by their CPU time, user and system, which needs no perf, or by what\n"
		"--metric names, such as wall-time for those that wait. SLOWER, FASTER or SAME comes with\n"
		"the median of each; --explain looks for the cause. The tolerance is 2 % of CPU time, 3 %\n"
		"where they take turns, 5 % of wall-time. Options are hyperfine's, as far as they are here:\n"
		"-N, -w, -r, -p, -n, -L, --show-output, --export-json and --export-markdown.\n\n"
		"--base-cmd and --head-cmd compare two shell commands in the working folder, without any\n"
		"scenario: their CPU time (task-clock) is judged, with a tolerance of 2 %, 3 % where they\n"
		"take turns, unless --tolerance says otherwise. A head that waits much longer is noted, not\n"
		"judged: for commands that wait write a scenario, with a gate on wall-time. When CPU time\n"
		"regressed, each is profiled for 3 s and the symbols that it went to are listed.\n\n"
		"--bisect gives the status that git bisect run takes: 0 not slower, 1 slower, 125 unknown, or\n"
		"not built or measured, 128 misuse.\n\n"
		"--runs is the most pairs; more than 40 move the last look there. All scenarios reach\n"
		"their first look, unless --budget asks for less time than that takes. Every gate of the\n"
		"project's scenarios counts towards the error that they share, named or not.\n\n"
		"Services are restarted for each pair, side by side where each side has ports of its\n"
		"own (${port}), else one at a time. They are not kept up: two instances of one server\n"
		"differ for as long as they live, by 1 % (nginx) to 11 % (Python, which hashes by a random\n"
		"seed) in 28 pairs of instances each, and every pair would repeat that. It takes 4.6 s\n"
		"instead of 2.8 s a pair with nginx and windows of one second.\n\n"
		"  pawl ab --base-ref origin/main\n"
		"  pawl ab gzip --base ../old --head .\n"
		"  pawl ab './old data' './new data'\n"
		"  pawl ab -L level 1,6,9 'gzip -{level} <data'\n"
		"  pawl ab --base-cmd './old' --head-cmd './new'\n"
		"  git bisect run pawl ab gzip --base-ref v1.4 --bisect",
	.options = OPT_MEASURING | OPT_STRICT | OPT_ACCEPT | OPT_NO_PROFILE | OPT_BASE | OPT_HEAD | OPT_COMMANDS | OPT_PAIRED |
		   OPT_EXPLAIN | OPT_BISECT | OPT_BASELINE_REF,
	.starts_processes = true,
	.run = ab,
};
