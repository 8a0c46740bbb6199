/* What `pawl ab` is made of, apart from its wiring in ab.c. */
#include "base/mem.h"
#include "base/parse.h"
#include "cmd/shared/shared.h"
#include "judge/judge.h"
#include "measure/git/git.h"
#include "measure/process/process.h"
#include "measure/run/run.h"
#include "scenario/scenario.h"

struct ab {
	struct invocation *inv;
	struct project own;		/* where pawl was started: its folder for results, its repository */
	struct project elsewhere;	/* of --head or --head-ref */
	bool foreign;			/* the head is somebody else's change, which the base's files judge */
	struct project *head;		/* whose scenarios are compared: one of the two; NULL while its tree is not made */
	struct scenario commands[2];	/* --base-cmd, --head-cmd; else empty */

	char *base_commit, *head_commit;	/* of --base-ref and --head-ref; full, or NULL */
	char *base_root, *head_root, *base_label, *head_label;

	struct result result;
	char *parent;			/* as lifecycle_folder() gave it */
	struct session session;
	struct progress progress;
	struct builds builds;
	struct tree base_tree, head_tree;
};

/* -------- the options */

/* pawl ab: which of its options go together, and the scenarios that two commands make. */

#define TOLERANCE_MOST_PCT 1000.0
/* The profile of a command, instead of a scenario's 36,000 samples at 3,989 Hz in 10 s. */
#define COMMANDS_PROFILE_NS (3 * UINT64_C(1000000000))
enum { COMMANDS_FREQUENCY = 1997, COMMANDS_SAMPLES = 4000 };

static int check_commands(const struct invocation *inv, struct error *err)
{
	const struct options *o = &inv->options;

	if (!o->base_cmd || !o->head_cmd)
		return error_set(err, ERR_INPUT, "--base-cmd and --head-cmd go together: the one that is compared with, and the one that is "
				 "judged");
	if (o->base || o->base_ref || o->head || o->head_ref)
		return error_set(err, ERR_INPUT, "--base-cmd and --head-cmd compare two commands as they stand; leave out %s",
				 o->base ? "--base" : o->base_ref ? "--base-ref" : o->head ? "--head" : "--head-ref");
	if (inv->args.n || o->tags.n)
		return error_set(err, ERR_INPUT, "--base-cmd and --head-cmd need no scenario; leave out %s%.100s",
				 inv->args.n ? "" : "--tag ", inv->args.n ? inv->args.items[0] : o->tags.items[0]);
	return 0;
}

static int check_trees(const struct options *o, struct error *err)
{
	if (o->tolerance)
		return error_set(err, ERR_INPUT, "--tolerance is for --base-cmd and --head-cmd; a scenario says under gates: what it tolerates");
	if (!o->base && !o->base_ref)
		return error_set(err, ERR_INPUT, "compare with what? --base DIR is a tree that is built already, --base-ref REF a commit, "
				 "--base-cmd CMD with --head-cmd CMD two commands");
	if (o->base && o->base_ref)
		return error_set(err, ERR_INPUT, "--base and --base-ref both say what to compare with; give one of them");
	if (o->head && o->head_ref)
		return error_set(err, ERR_INPUT, "--head and --head-ref both say what is judged; give one of them");
	return 0;
}

/* Options that exclude or need each other; values that are checked before anything else. */
static int ab_check(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;
	bool commands = o->base_cmd || o->head_cmd;

	return commands ? check_commands(ab->inv, err) : check_trees(o, err);
}

/* -------- two commands */

static int read_tolerance(const struct options *o, double *out, struct error *err)
{
	if (!o->tolerance)
		return 0;
	if (parse_percent(o->tolerance, out, err) < 0)
		return error_wrap(err, "--tolerance");
	if (!(*out > 0 && *out <= TOLERANCE_MOST_PCT))
		return error_set(err, ERR_INPUT, "--tolerance: expected a percentage above 0%%, found '%.60s'", o->tolerance);
	return 0;
}

/* What a shell means by a dollar is nothing that pawl replaces. */
static char *without_names(const char *command)
{
	struct strbuf text = STRBUF_INIT;

	for (; *command; command++)
		strbuf_adds(&text, *command == '$' ? "$$" : (char[]){ *command, '\0' });
	return strbuf_take(&text);
}

/* Who tries two commands waits for the answer: hardly more samples than symbols are judged by at the least. */
static void shorten_profile(struct profile_settings *profile)
{
	profile->frequency = COMMANDS_FREQUENCY;
	profile->samples = COMMANDS_SAMPLES;
	profile->duration_ns = COMMANDS_PROFILE_NS;
}

static int make_scenario(const char *command, double tolerance_pct, struct scenario *out, struct error *err)
{
	static const char text[] = "version: 1\nname: commands\ntarget: { command: 'true' }\ngates: { task-clock: default }\n";
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	CLEANUP(free_ptr) char *path = file_absolute("commands");
	struct scenario_defaults defaults;
	int ret;

	scenario_defaults_init(&defaults);
	ret = scenario_parse(text, strlen(text), path, &defaults, out, &diags);
	scenario_defaults_release(&defaults);
	if (ret < 0)
		return error_set(err, ERR_SYSTEM, "the scenario of two commands is faulty");
	out->target.argv.items[2] = arena_take(&out->arena, without_names(command));
	shorten_profile(&out->profile);
	if (tolerance_pct > 0) {
		out->gates.items[0].tolerance_pct = tolerance_pct;
		out->gates.items[0].by_default = false;
	}
	return 0;
}

/* The two scenarios of --base-cmd and --head-cmd. */
static int ab_commands(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;
	double tolerance_pct = 0;

	if (read_tolerance(o, &tolerance_pct, err) < 0 || make_scenario(o->base_cmd, tolerance_pct, &ab->commands[0], err) < 0)
		return -1;
	return make_scenario(o->head_cmd, tolerance_pct, &ab->commands[1], err);
}

/* -------- the two sides */

/* pawl ab: the two trees. */

static int need_folder(const char *option, const char *given, char **out, struct error *err)
{
	char *real = file_is_dir(given) ? realpath(given, NULL) : NULL;

	if (!real)
		return error_set(err, ERR_INPUT, "%s: there is no folder %.200s", option, given);
	*out = real;
	return 0;
}

static char *working_label(struct ab *ab)
{
	CLEANUP(free_ptr) char *commit = git_commit(&ab->inv->git, ab->own.root);
	struct strbuf label = STRBUF_INIT;

	strbuf_addf(&label, "working tree%s%s%s", commit ? " (" : "", commit ?: "", commit ? ")" : "");
	return strbuf_take(&label);
}

static int find_base(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;

	if (o->base) {
		ab->base_label = xstrdup(o->base);
		return need_folder("--base", o->base, &ab->base_root, err);
	}
	if (builds_resolve(&ab->builds, "--base-ref", o->base_ref, &ab->base_commit, err) < 0)
		return -1;
	ab->base_label = builds_label(o->base_ref, ab->base_commit);
	return 0;
}

/* The base's files. */
static int base_source(struct ab *ab, struct file_source *out, struct error *err)
{
	if (ab->base_commit)
		return file_source_commit(out, &ab->inv->git, ab->own.root, ab->base_commit, err);
	file_source_folder(out, ab->base_root);
	return 0;
}

static const char *base_name(const struct ab *ab)
{
	return ab->inv->options.base_ref ?: ab->base_label;
}

/* Of base and head the base judges where the head is somebody else's change. */
static int judge_by_base(struct ab *ab, struct project *head, struct error *err)
{
	CLEANUP(file_source_release) struct file_source base = { 0 };

	if (!ab->foreign || head->by.ref)
		return 0;
	return base_source(ab, &base, err) < 0 ? -1 : project_judge_by(head, &base, base_name(ab), err);
}

/* Where head's own files judge, a reader must know which of them the base has otherwise. */
static int note_edits(struct ab *ab, struct error *err)
{
	CLEANUP(file_source_release) struct file_source base = { 0 };

	if (ab->head->by.ref)
		return 0;
	return base_source(ab, &base, err) < 0 ? -1 : project_note_edits(ab->head, &base, base_name(ab), err);
}

static int find_head(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;

	if (o->head_ref) {
		if (builds_resolve(&ab->builds, "--head-ref", o->head_ref, &ab->head_commit, err) < 0)
			return -1;
		ab->head_label = builds_label(o->head_ref, ab->head_commit);
		return 0;
	}
	if (!o->head) {
		ab->head = &ab->own;
		ab->head_root = xstrdup(ab->own.root);
		ab->head_label = working_label(ab);
		return judge_by_base(ab, ab->head, err);
	}
	ab->head_label = xstrdup(o->head);
	if (need_folder("--head", o->head, &ab->head_root, err) < 0)
		return -1;
	ab->head = &ab->elsewhere;
	if (project_open_at(&ab->elsewhere, ab->inv, ab->head_root, err) < 0)
		return -1;
	return judge_by_base(ab, ab->head, err);
}

/* Of two commands there are no trees: both work where pawl was started. */
static int find_commands(struct ab *ab, struct error *err)
{
	ab->base_root = file_absolute(".");
	ab->head_root = file_absolute(".");
	ab->base_label = xstrdup(ab->inv->options.base_cmd);
	ab->head_label = xstrdup(ab->inv->options.head_cmd);
	return ab_commands(ab, err);
}

static int open_own(struct ab *ab, struct error *err)
{
	static const struct strv none = STRV_INIT;
	const struct options *o = &ab->inv->options;
	const struct strv *args = o->head || o->head_ref ? &none : &ab->inv->args;

	/* Two commands have no files that judge them. */
	if (o->base_cmd)
		return project_open(&ab->own, ab->inv, args, err);
	return project_open_between(&ab->own, ab->inv, args, "--base-ref", o->base_ref, &ab->foreign, err);
}

/* The folders and commits that the options name: whatever can be wrong with them is told before anything is measured. */
static int ab_find_sides(struct ab *ab, struct error *err)
{
	if (open_own(ab, err) < 0)
		return -1;
	builds_init(&ab->builds, &ab->own, ab->inv, NULL, NULL);
	if (ab->inv->options.base_cmd)
		return find_commands(ab, err);
	return find_base(ab, err) < 0 ? -1 : find_head(ab, err);
}

/* -------- scenarios */

/* A relative path is looked for in head first, then from where pawl was started. */
static void find_arguments(const struct ab *ab, struct strv *out)
{
	const struct strv *args = &ab->inv->args;

	for (size_t i = 0; i < args->n; i++) {
		CLEANUP(free_ptr) char *there = file_join(ab->head_root, args->items[i]);

		if (ab->head == &ab->elsewhere && argument_is_path(args->items[i]) && args->items[i][0] != '/' && file_exists(there))
			strv_push(out, there);
		else
			strv_push(out, args->items[i]);
	}
}

/* The scenarios of head. */
static int ab_select(struct ab *ab, struct error *err)
{
	CLEANUP(strv_release) struct strv args = STRV_INIT;

	find_arguments(ab, &args);
	if (project_select(ab->head, &args, err) < 0)
		return -1;
	for (size_t i = 0; i < ab->head->n_scenarios; i++)
		if (loop_refuse_pairs(ab->head->scenarios[i], err) < 0)
			return -1;
	if (note_edits(ab, err) < 0)
		return -1;
	return project_take_floor(ab->head, err);
}

/* -------- building */

static int get_tree(struct ab *ab, const char *side, const char *commit, struct tree *tree, char **root, struct error *err)
{
	if (trees_get(&ab->builds.trees, commit, tree, err) < 0)
		return error_wrap(err, "%s", side);
	*root = xstrdup(tree->root);
	if (!tree->reused)
		return 0;
	cmd_message(ab->inv, "%s: %.12s was built before, in %s\n", side, commit, tree->root);
	strv_pushf(&ab->result.notes, "%s: the tree of %.12s was built before and is used again; remove %s to have it built anew",
		   side, commit, tree->top);
	return 0;
}

/* Its tree cannot be had: the scenarios are read from its commit, so that the result names what was to be compared. */
static int open_unbuilt_head(struct ab *ab, struct error *err)
{
	CLEANUP(file_source_release) struct file_source commit = { 0 };

	if (project_open_at(&ab->elsewhere, ab->inv, ab->own.root, err) < 0)
		return -1;
	if (ab->foreign)
		return judge_by_base(ab, &ab->elsewhere, err);
	if (file_source_commit(&commit, &ab->inv->git, ab->own.root, ab->head_commit, err) < 0 ||
	    project_judge_by(&ab->elsewhere, &commit, ab->head_label, err) < 0)
		return -1;
	/* It is the head that is judged, by itself. */
	judged_by_release(&ab->elsewhere.by);
	return 0;
}

static void read_unbuilt_head(struct ab *ab)
{
	struct error why = ERROR_INIT;

	ab->head_root = xstrdup(ab->own.root);
	ab->head = &ab->elsewhere;
	if (open_unbuilt_head(ab, &why) == 0 && ab_select(ab, &why) == 0)
		return;
	project_close(&ab->elsewhere);
	ab->head = NULL;
}

static int build_head(struct ab *ab, struct error *err)
{
	struct error why = ERROR_INIT;

	if (get_tree(ab, "head", ab->head_commit, &ab->head_tree, &ab->head_root, &why) < 0) {
		if (why.kind != ERR_INTERRUPTED)
			read_unbuilt_head(ab);
		*err = why;
		return -1;
	}
	ab->head = &ab->elsewhere;
	if (project_open_at(&ab->elsewhere, ab->inv, ab->head_root, err) < 0 || judge_by_base(ab, ab->head, err) < 0)
		return -1;
	return ab_select(ab, err) < 0 ? error_wrap(err, "--head-ref %s", ab->head_label) : 0;
}

static int ab_build(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;

	ab->builds.trees.scratch = ab->session.scratch;
	ab->builds.trees.logs = ab->result.out_dir;
	if (ab->head_commit && build_head(ab, err) < 0)
		return -1;
	if (!ab->base_commit)
		return 0;
	if (get_tree(ab, "base", ab->base_commit, &ab->base_tree, &ab->base_root, err) < 0)
		return -1;
	if (!o->head && !o->head_ref && builds_working_tree(&ab->builds, ab->head_root, err) < 0)
		return error_wrap(err, "head");
	return 0;
}

/*
 * The trees of --base-ref and --head-ref, and the build of a working tree. Needs the session and the run's folder. When the head's
 * tree cannot be built, its scenarios are there all the same, unless they cannot be read.
 */
static void ab_release_sides(struct ab *ab)
{
	trees_put(&ab->builds.trees, &ab->base_tree);
	trees_put(&ab->builds.trees, &ab->head_tree);
	scenario_release(&ab->commands[0]);
	scenario_release(&ab->commands[1]);
	free(ab->base_commit);
	free(ab->head_commit);
	free(ab->base_root);
	free(ab->head_root);
	free(ab->base_label);
	free(ab->head_label);
	project_finish(&ab->own);
	project_finish(&ab->elsewhere);
}

/* -------- the command */

/* pawl ab: two builds, or two commands, measured in pairs on this machine. */

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
	return is_commands(ab) ? &ab->commands[1] : ab->head->scenarios[i];
}

/* How many gates share the error: before any selection, or a shard would judge more boldly than the whole. */
static unsigned count_gates(struct ab *ab)
{
	unsigned gates = (unsigned)ab->inv->options.gates;

	if (!is_commands(ab))
		gates = project_paired_gates(ab->head, &ab->result.notes);
	else if (!gates)
		gates = judge_pairs_gates(ab->commands[1].gates.items, ab->commands[1].gates.n);
	return gates ? gates : 1;
}

/* Scenarios of the base that head has not: nobody judges those. */
static void note_only_base(struct ab *ab, const struct strv *base)
{
	for (size_t i = 0; i < base->n; i++)
		if (!project_scenario(ab->head, base->items[i]))
			strv_pushf(&ab->result.notes, "scenario %s is in the base only: nothing was compared", base->items[i]);
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
			.gone = !is_commands(ab) && strv_has(&ab->head->gone, s->name),
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

		setup_describe(scenario_at(ab, i), out);
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
		.inv = ab->inv, .session = &ab->session, .progress = &ab->progress, .root = ab->head_root, .out_dir = ab->result.out_dir,
		.base = { ab->base_root, ab->base_label, ab->base_commit },
		.head = { ab->head_root, ab->head_label, ab->head_commit },
		/* With --head the scenarios are of that tree, wherever pawl was started. */
		.project = o->head ? NULL : ab->own.root,
		.seed = pairs_seed(o), .gates = count_gates(ab), .pairs_most = (unsigned)o->runs, .budget_ns = o->budget_ns,
		.no_profile = o->no_profile,
	};

	make_jobs(ab, jobs);
	progress_begin(&ab->progress, ab->inv, count_jobs(ab));
	return pairs_measure(&pairs, jobs, count_jobs(ab), &ab->session.machine, err);
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
		setup_fail(&ab->result.scenarios[i].head, "%s", line);
	/* What a build printed last is quoted once. */
	if (ab->result.n_scenarios && why->msg[strlen(line)]) {
		free(ab->result.scenarios[0].head.log_tail);
		ab->result.scenarios[0].head.log_tail = xstrdup(why->msg + strlen(line) + 1);
	}
	/* Where head could not be built nobody knows its scenarios. */
	if (!ab->result.n_scenarios)
		strv_push(&ab->result.notes, line);
	cmd_message(ab->inv, "%s\n", ab->result.n_scenarios ? line : why->msg);
	return error_status(why);
}

/* 0, also when it failed in a way that the result tells; *STATUS_OUT is then what main() is to exit with, or 0. */
static int build_and_measure(struct ab *ab, int *status_out, struct error *err)
{
	struct lifecycle_watch watch;
	struct error why = ERROR_INIT;
	bool built = ab_build(ab, &why) == 0;

	if (!built && why.kind == ERR_INPUT) {
		*err = why;
		return -1;
	}
	if (ab->head)
		calibrations_apply(ab->head, &ab->session.machine);
	describe(ab);
	lifecycle_watch(&watch, ab->inv);
	if (!built || measure(ab, &why) < 0)
		*status_out = tell_failure(ab, &why);
	lifecycle_watched(&watch, ab->inv, &ab->session, &ab->result);
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
	left = lifecycle_leave(&ab->result, ab->parent, err);
	if (verdicts_print(&ab->result, ab->inv, ab->inv->options.json ? "json" : NULL, left < 0 ? NULL : err) < 0 || left < 0)
		return -1;
	cmd_message(ab->inv, "results: %s\n", ab->result.out_dir);
	return ab->result.status;
}

static int compare(struct ab *ab, struct error *err)
{
	int ret, status = 0;

	lifecycle_begin(&ab->result, MODE_PAIRED, ab->inv, ab->head_root ?: ab->own.root);
	if (ab->head_commit) {
		free(ab->result.commit);
		ab->result.commit = xstrndup(ab->head_commit, 12);
	}
	if (lifecycle_session(&ab->session, ab->inv, ab->head && project_only_simulated(ab->head), err) < 0)
		return -1;
	ret = lifecycle_folder(&ab->result, &ab->inv->options, ab->own.root, ab->own.config.out, &ab->parent, err);
	if (ret == 0)
		ret = build_and_measure(ab, &status, err);
	trees_put(&ab->builds.trees, &ab->base_tree);
	trees_put(&ab->builds.trees, &ab->head_tree);
	session_close(&ab->session);
	return ret < 0 ? -1 : finish(ab, status, err);
}

static int run(struct invocation *inv, struct error *err)
{
	struct ab ab = { .inv = inv };
	int status = -1;

	if (ab_check(&ab, err) == 0 && ab_find_sides(&ab, err) == 0 && (!ab.head || ab_select(&ab, err) == 0))
		status = compare(&ab, err);
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
