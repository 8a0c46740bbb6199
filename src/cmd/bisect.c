/* pawl bisect: the first commit that made a scenario slower. */
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/builds.h"
#include "job/lifecycle.h"
#include "job/pairs.h"
#include "job/project.h"
#include "job/runs.h"
#include "job/select.h"
#include "measure/git/git.h"
#include "model/bisection.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/result.h"
#include "report/report.h"
#include "scenario/scenario.h"
#include "store/store.h"

struct bisect {
	struct invocation *inv;
	struct project project;
	const struct scenario *scenario;
	struct builds builds;
	struct lifecycle run;	/* its result is that of the last comparison, with this scenario alone */
	struct bisection search;
	char *state;		/* the file that the search is stored in */
	char *out_dir;		/* the run's folder; NULL until something is measured */
};

/* Of which gates, and how thoroughly. */
enum bisect_scope {
	BISECT_ENDS,	/* every gate of the scenario; without a profile */
	BISECT_STEP,	/* the gate that decides alone */
	BISECT_CHANGE,	/* every gate, with a profile of both sides */
};

/* -------- the stored search: one that was interrupted goes on */

/* Its end counts too. */
static uint64_t hash(uint64_t from, const char *text)
{
	return fnv_bytes(from, text, strlen(text) + 1);
}

/* Hash of the scenario as it is written, of what pawl.yaml says for all, and of the options that decide; for free(). */
static int hash_text(struct bisect *c, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct options *o = &c->inv->options;

	if (project_scenario_text(&c->project, c->scenario, &text, err) < 0 ||
	    file_source_read(&c->project.files, "pawl.yaml", SCENARIO_LARGEST, &text, err) < 0)
		return -1;
	strbuf_addf(&text, "runs %" PRIu64 " budget %" PRIu64 " gates %" PRIu64 " floor %s seed %" PRIu64, o->runs,
		    o->budget_ns, o->gates, o->floor ?: "", o->seed);
	*out = text_printf("fnv1a:%016" PRIx64, hash(FNV_START, text.buf));
	return 0;
}

/* Where this search is stored, from its ends, the scenario and the machine; for free(). */
static char *state_file(const struct bisect *c)
{
	const struct bisection *b = &c->search;
	CLEANUP(free_ptr) char *out = c->inv->options.out ? file_absolute(c->inv->options.out) : NULL;

	if (out)
		return file_join(out, "bisect.json");
	return text_printf("%s/%s/bisect-%016" PRIx64 ".json", c->project.root, c->project.config.out,
			   hash(hash(hash(hash(FNV_START, b->scenario), b->good), b->bad), b->class));
}

/* Why STORED is not this search; NULL: it is. */
static const char *difference(const struct bisection *stored, const struct bisection *now)
{
	const struct {
		const char *stored, *now, *words;
	} parts[] = {
		{ stored->pawl, now->pawl, "another pawl made it" },
		{ stored->class, now->class, "it was measured on another machine" },
		{ stored->scenario, now->scenario, "it is of another scenario" },
		{ stored->text, now->text, "the scenario, pawl.yaml or the options have changed since" },
		{ stored->good, now->good, "it begins at another commit" },
		{ stored->bad, now->bad, "it ends at another commit" },
	};

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (strcmp(parts[i].stored, parts[i].now))
			return parts[i].words;
	return NULL;
}

/* Go on with a stored search, if there is one of the same kind: what is known of this one stays, the rest is what was stored. */
static void take_over(struct bisect *c)
{
	CLEANUP(bisection_release) struct bisection stored = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct bisection *now = &c->search, begun;
	struct error why = ERROR_INIT;
	const char *unused;

	if (!file_exists(c->state) || c->inv->options.force)
		return;
	unused = file_read(c->state, JSON_LARGEST, &text, &why) < 0 ||
		 bisection_parse(text.buf, text.len, c->state, &stored, &why) < 0 ? why.msg : difference(&stored, now);
	if (unused) {
		cmd_message(c->inv, "the search stored in %s is not used: %s\n", c->state, unused);
		return;
	}
	/* What could not be decided then may be decided today. */
	if (stored.whole.state != BISECT_BAD)
		return;
	begun = *now;
	free(stored.good_ref);
	free(stored.bad_ref);
	stored.good_ref = take_ptr(&begun.good_ref);
	stored.argument = take_ptr(&begun.argument);
	stored.bad_ref = take_ptr(&begun.bad_ref);
	*now = stored;
	if (begun.seed)
		now->seed = begun.seed;
	stored = (struct bisection){ 0 };
	bisection_release(&begun);
	cmd_message(c->inv, "going on with the search stored in %s: %zu comparison%s done (--force begins again)\n",
		    c->state, now->n_steps + 1, now->n_steps ? "s are" : " is");
}

static int save(const struct bisect *c, struct error *err)
{
	CLEANUP(free_ptr) char *text = bisection_format(&c->search);

	return file_write(c->state, text, strlen(text), err);
}

/* -------- one comparison: both trees built, pairs measured and judged */

enum {
	STEP_PAIRS_MOST = 60,	/* the last look is later than elsewhere: a step that is skipped costs others */
	STEP_BUDGETS = 3,	/* and a step has so many times the scenario's budget */
};

/* A new result of commit HEAD; of a step it has the one gate that decides, at half of the whole change. */
static void begin_result(struct bisect *c, const char *head, enum bisect_scope scope)
{
	const struct bisection *b = &c->search;
	struct result *result = &c->run.result;
	struct scenario_result *out;
	size_t kept = 0;

	lifecycle_begin(&c->run, c->inv, MODE_PAIRED, c->project.root);
	result->out_dir = c->out_dir;
	judged_by_merge(&result->judged_by, &c->project.by);
	/* Its reports are of that commit, whatever is checked out. */
	result->commit = arena_strndup(&result->arena, head, COMMIT_SHOWN);
	out = result_add_scenario(result, c->scenario->name);
	setup_describe(c->scenario, out);
	for (size_t i = 0; i < out->n_gates && scope == BISECT_STEP; i++) {
		struct gate_result gate = out->gates[i];

		if (!gate.gate.relative || strcmp(gate.gate.metric->name, b->metric))
			continue;
		gate.gate = bisection_gate(b, gate.gate.metric);
		out->gates[kept++] = gate;
	}
	if (scope == BISECT_STEP)
		out->n_gates = kept;
}

/* The error of the whole search is shared between all its comparisons. */
static unsigned gates_of(const struct bisect *c, enum bisect_scope scope)
{
	unsigned comparisons = 2;

	if (c->inv->options.gates)
		return (unsigned)c->inv->options.gates;
	if (scope != BISECT_STEP)
		return judge_pairs_gates(c->scenario->gates.items, c->scenario->gates.n);
	for (size_t n = c->search.commits.n; n; n /= 2)
		comparisons++;
	return comparisons * (unsigned)c->run.result.scenarios[0].n_gates;
}

static char *label_of(const struct bisection *b, const char *id)
{
	return builds_label(!strcmp(id, b->good) ? b->good_ref : !strcmp(id, b->bad) ? b->bad_ref : NULL, id);
}

static int measure(struct bisect *c, const struct tree *base, const struct tree *head, enum bisect_scope scope,
		   struct error *err)
{
	const struct options *o = &c->inv->options;
	CLEANUP(free_ptr) char *base_label = label_of(&c->search, base->commit), *head_label = label_of(&c->search, head->commit);
	CLEANUP(free_ptr) char *steps = text_printf("%s/steps/%.*s", c->out_dir, COMMIT_SHOWN, head->commit);
	struct pairs pairs = {
		.inv = c->inv, .session = &c->run.session, .progress = &c->run.progress, .root = c->project.root,
		.out_dir = scope == BISECT_CHANGE ? c->out_dir : steps,
		.base = { base->root, base_label, base->commit }, .head = { head->root, head_label, head->commit },
		.project = c->project.root, .seed = c->search.seed, .gates = gates_of(c, scope),
		.pairs_most = o->runs ? (unsigned)o->runs : STEP_PAIRS_MOST,
		.budget_ns = o->budget_ns ?: STEP_BUDGETS * c->scenario->measure.budget_ns,
		.no_profile = o->no_profile || scope != BISECT_CHANGE,
	};
	struct pairs_job job = { .base = c->scenario, .head = c->scenario, .result = &c->run.result.scenarios[0] };
	int ret;

	progress_begin(&c->run.progress, c->inv, 1);
	lifecycle_watch(&c->run);
	ret = pairs_measure(&pairs, &job, 1, &c->run.session.machine, err);
	lifecycle_watched(&c->run);
	return ret;
}

/* 1: HEAD cannot be built, which its result says. */
static int build_head(struct bisect *c, const char *head, enum bisect_scope scope, struct tree *tree, struct error *err)
{
	struct error why = ERROR_INIT;
	int ret = trees_get(&c->builds.trees, head, tree, &why);
	const char *words = why.msg;

	/* Nobody reads some of git's errors, and an interrupt may have been among them. */
	if (interrupt_check(&c->inv->interrupt, err) < 0 || ret == 0)
		return ret;
	if (why.kind != ERR_TARGET || scope != BISECT_STEP) {
		*err = why;
		return -1;
	}
	/* Every row of the report says which commit it is of. */
	if (!strncmp(words, head, COMMIT_SHOWN) && text_starts(words + COMMIT_SHOWN, ": "))
		words += COMMIT_SHOWN + strlen(": ");
	setup_fail(&c->run.result.scenarios[0].head, "%s", words);
	return 1;
}

/*
 * Compare commit HEAD with BASE in pairs; what came of it is the run's result, and its time and commits are STEP's.
 * The HEAD of a step that cannot be built, and a scenario that cannot be measured, are failures in the result. -1
 * when interrupted, and when another tree cannot be built.
 */
static int compare(struct bisect *c, const char *base, const char *head, enum bisect_scope scope,
		   struct bisect_step *step, struct error *err)
{
	struct tree base_tree = { 0 }, head_tree = { 0 };
	uint64_t start = clock_now_ns();
	int ret;

	begin_result(c, head, scope);
	if (interrupt_check(&c->inv->interrupt, err) < 0 || trees_get(&c->builds.trees, base, &base_tree, err) < 0)
		return -1;
	ret = build_head(c, head, scope, &head_tree, err);
	if (ret == 0)
		ret = measure(c, &base_tree, &head_tree, scope, err);
	trees_put(&c->builds.trees, &head_tree);
	trees_put(&c->builds.trees, &base_tree);
	if (ret < 0 || interrupt_check(&c->inv->interrupt, err) < 0)
		return -1;
	result_settle(&c->run.result);
	free(step->base);
	free(step->head);
	step->base = xstrdup(base);
	step->head = xstrdup(head);
	step->elapsed_s = (double)(clock_now_ns() - start) / 1e9;
	return 0;
}

/* -------- the ends */

/* There must be a way from good to bad. */
static int check_ancestor(struct bisect *c, struct error *err)
{
	const struct bisection *b = &c->search;
	CLEANUP(free_ptr) char *common = git_merge_base(&c->inv->git, c->project.root, b->good, b->bad);

	if (!strcmp(b->good, b->bad))
		return error_set(err, ERR_INPUT, "--good %s and --bad %s are the same commit, %.12s", b->good_ref,
				 b->bad_ref, b->good);
	if (!common)
		return error_set(err, ERR_INPUT, "--good %s and --bad %s have no common ancestor (in a shallow clone: git fetch "
				 "--unshallow)", b->good_ref, b->bad_ref);
	if (!strcmp(common, b->bad))
		return error_set(err, ERR_INPUT, "--bad %s is an ancestor of --good %s; were they exchanged?",
				 b->bad_ref, b->good_ref);
	if (strcmp(common, b->good))
		return error_set(err, ERR_INPUT, "--good %s is no ancestor of --bad %s; both come from %.12s, which may be the "
				 "good one", b->good_ref, b->bad_ref, common);
	return 0;
}

static int find_ends(struct bisect *c, struct commits *commits, struct error *err)
{
	const struct options *o = &c->inv->options;
	struct bisection *b = &c->search;

	if (!o->good)
		return error_set(err, ERR_INPUT, "--good REF is missing: a commit at which %s was not slower yet",
				 c->scenario->name);
	b->good_ref = xstrdup(o->good);
	b->bad_ref = xstrdup(o->bad ?: "HEAD");
	if (builds_resolve(&c->builds, "--good", b->good_ref, &b->good, err) < 0 ||
	    builds_resolve(&c->builds, "--bad", b->bad_ref, &b->bad, err) < 0 || check_ancestor(c, err) < 0)
		return -1;
	if (git_commits(&c->inv->git, c->project.root, b->good, b->bad, commits, err) < 0)
		return -1;
	/* A clone may be shallow between them. */
	return commits->n ? 0 : error_set(err, ERR_INPUT, "git lists no commit from %.12s to %.12s", b->good, b->bad);
}

/* -------- the steps */

/* Why there is nothing to search for. */
static char *why_nothing(const struct scenario_result *s, enum bisect_state *state)
{
	bool better = false, undecided = false;

	*state = BISECT_SKIPPED;
	if (s->head.state == SCENARIO_FAILED)
		return xstrdup(s->head.failure ?: "it could not be measured");
	if (s->paired && s->pairing.one_program)
		return xstrdup(s->pairing.one_program);
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate_result *gate = &s->gates[i];
		enum verdict verdict = gate_judgement(gate)->verdict;

		better |= verdict == VERDICT_IMPROVEMENT;
		undecided |= verdict == VERDICT_INCONCLUSIVE && !gate_result_quiet(gate);
	}
	*state = better || !undecided ? BISECT_GOOD : BISECT_SKIPPED;
	return xstrdup(better ? "bad is faster than good; were they exchanged?" :
		       undecided ? "whether bad is slower than good could not be decided" : "bad is not slower than good");
}

static int compare_ends(struct bisect *c, struct error *err)
{
	struct bisection *b = &c->search;
	const struct scenario_result *s;

	cmd_message(c->inv, "first the whole: %.12s against %.12s\n", b->bad, b->good);
	if (compare(c, b->good, b->bad, BISECT_ENDS, &b->whole, err) < 0)
		return -1;
	s = &c->run.result.scenarios[0];
	if (s->head.state != SCENARIO_FAILED && bisection_plan(b, s))
		return save(c, err);
	free(b->whole.reason);
	b->whole.reason = why_nothing(s, &b->whole.state);
	b->whole.change_pct = b->whole.low_pct = b->whole.high_pct = NAN;
	b->whole.pairs = (unsigned)scenario_result_pairs(s);
	strv_release(&b->explanation);
	for (size_t i = 0; i < s->n_gates; i++) {
		struct strbuf line = STRBUF_INIT;

		if (!s->gates[i].gate.relative || gate_judgement(&s->gates[i])->verdict == VERDICT_NOT_MEASURED)
			continue;
		format_headline(&line, s, &s->gates[i]);
		strv_take(&b->explanation, strbuf_take(&line));
	}
	return save(c, err);
}

static int take_step(struct bisect *c, size_t at, struct error *err)
{
	struct bisection *b = &c->search;
	const struct suspects left = bisection_suspects(b);
	unsigned steps = bisection_steps_left(b);
	CLEANUP(bisect_step_release) struct bisect_step step = { 0 };
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	double each_s = bisection_effort(b).elapsed_s / (double)(b->n_steps + 1);

	cmd_message(c->inv, "%zu commits left, about %u step%s and %s: now %.12s\n", left.last - left.first + 1, steps,
		    steps == 1 ? "" : "s", format_elapsed(each_s * (steps + 1)).s, b->commits.items[at].id);
	if (compare(c, b->good, b->commits.items[at].id, BISECT_STEP, &step, err) < 0)
		return -1;
	bisection_judge(b, &c->run.result.scenarios[0], &step);
	if (step.state == BISECT_SKIPPED) {
		CLEANUP(free_ptr) char *line = xstrndup(step.reason ?: "", strcspn(step.reason ?: "", "\n"));

		escape_terminal(&words, line);
	} else {
		strbuf_addf(&words, "%s %s against good", b->metric, format_change(step.change_pct).s);
	}
	cmd_message(c->inv, "%.12s is %s: %s\n", step.head, bisect_state_names[step.state], words.buf);
	bisection_add_step(b, at, &step);
	return save(c, err);
}

/* What is left against the commit before it: what it costs, and by which symbols. */
static int confirm(struct bisect *c, struct error *err)
{
	struct bisection *b = &c->search;
	const struct scenario_result *s;
	const char *head = b->commits.items[bisection_suspects(b).last].id;

	cmd_message(c->inv, "last what it costs: %.12s against %.12s\n", head, bisection_before(b));
	if (compare(c, bisection_before(b), head, BISECT_CHANGE, &b->found, err) < 0)
		return -1;
	s = &c->run.result.scenarios[0];
	bisection_confirm(b, s, &b->found);
	strv_release(&b->explanation);
	strv_copy(&b->explanation, &s->explanation);
	free(b->folder);
	b->folder = file_join(c->out_dir, b->scenario);
	b->difference = s->difference;
	return save(c, err);
}

static int search(struct bisect *c, struct error *err)
{
	struct bisection *b = &c->search;
	size_t at;

	if (bisection_outcome(b) != BISECT_UNFINISHED)
		return 0;
	if (lifecycle_folder(&c->run, &c->project, err) < 0)
		return -1;
	c->out_dir = xstrdup(c->run.result.out_dir);
	c->builds.trees.scratch = c->run.session.scratch;
	c->builds.trees.logs = c->out_dir;
	if (b->whole.state != BISECT_BAD && compare_ends(c, err) < 0)
		return -1;
	while (b->whole.state == BISECT_BAD && bisection_next(b, &at))
		if (take_step(c, at, err) < 0)
			return -1;
	return bisection_outcome(b) == BISECT_UNFINISHED ? confirm(c, err) : 0;
}

/* -------- the report */

/* The search first, then the last comparison as `ab` reports it. */
static int write_reports(const struct bisect *c, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!c->out_dir)
		return 0;
	if (lifecycle_leave(&c->run, err) < 0)
		return -1;
	bisection_markdown(&c->search, &text);
	strbuf_adds(&text, "\n");
	report_markdown(&c->run.result, &(struct report_options){ 0 }, &text);
	return lifecycle_write(&c->run, "report.md", &text, err) < 0 ? -1 : lifecycle_leave_page(&c->run, &c->search, err);
}

static int print(const struct bisect *c, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(strv_release) struct strv judged = STRV_INIT;

	if (c->inv->options.json) {
		CLEANUP(free_ptr) char *json = bisection_format(&c->search);

		strbuf_adds(&text, json);
	} else {
		/* The report of the search has no place for it, and who judged must not be overlooked. */
		judged_lines(&judged, &c->project.by);
		for (size_t i = 0; i < judged.n; i++) {
			strbuf_adds(&text, "judge: ");
			escape_terminal(&text, judged.items[i]);
			strbuf_addc(&text, '\n');
		}
		bisection_text(&c->search, &(struct report_options){ .color = c->inv->color_out }, &text);
	}
	if (cmd_print(&text, err) < 0)
		return -1;
	if (c->out_dir)
		cmd_message(c->inv, "results: %s\n", c->out_dir);
	return bisection_status(&c->search);
}

/* -------- the command */

/* The working tree's files judge, or those of the base where the commits are somebody else's change. */
static int open_scenario(struct bisect *c, struct error *err)
{
	struct invocation *inv = c->inv;

	if (inv->args.n != 1)
		return error_set(err, ERR_INPUT, "bisect takes one scenario, found %zu", inv->args.n);
	if (project_open_judged(&c->project, inv, &inv->args, err) < 0 ||
	    project_select(&c->project, &inv->args, err) < 0 || two_sides_refuse(c->project.scenarios[0], err) < 0)
		return -1;
	c->scenario = c->project.scenarios[0];
	return project_take_floor(&c->project, err);
}

static int begin(struct bisect *c, struct error *err)
{
	CLEANUP(commits_release) struct commits commits = { 0 };
	struct bisection *b = &c->search;

	builds_init(&c->builds, &c->project, c->inv, NULL, NULL);
	b->pawl = xstrdup(PAWL_VERSION);
	b->scenario = xstrdup(c->scenario->name);
	b->argument = xstrdup(c->inv->args.items[0]);
	b->seed = c->inv->options.seed;
	lifecycle_begin(&c->run, c->inv, MODE_PAIRED, c->project.root);
	if (find_ends(c, &commits, err) < 0 || hash_text(c, &b->text, err) < 0 ||
	    lifecycle_open(&c->run, &c->project, err) < 0)
		return -1;
	b->class = machine_class(&c->run.session.machine);
	c->state = state_file(c);
	cmd_message(c->inv, "%zu commit%s from %.12s to %.12s\n", commits.n, commits.n == 1 ? "" : "s", b->good,
		    b->bad);
	take_over(c);
	if (bisection_place(b, &commits, err) < 0)
		return error_wrap(err, "%s (--force begins again)", c->state);
	if (!b->seed)
		b->seed = pairs_seed(&c->inv->options);
	return 0;
}

static void release(struct bisect *c)
{
	lifecycle_release(&c->run);
	bisection_release(&c->search);
	free(c->state);
	free(c->out_dir);
	project_finish(&c->project);
}

static int bisect(struct invocation *inv, struct error *err)
{
	CLEANUP(release) struct bisect c = { .inv = inv };

	if (open_scenario(&c, err) < 0 || begin(&c, err) < 0)
		return -1;
	if (search(&c, err) < 0) {
		unsigned n = bisection_effort(&c.search).comparisons;

		return err->kind != ERR_INTERRUPTED ? -1
		       : error_wrap(err, "the same command goes on after %u comparison%s", n, n == 1 ? "" : "s");
	}
	return write_reports(&c, err) < 0 ? -1 : print(&c, err);
}

const struct command_def cmd_bisect = {
	.name = "bisect",
	.args = "SCENARIO",
	.summary = "find the first commit that made a scenario slower",
	.details =
		"Compares the commits from --good (exclusive) to --bad (default HEAD), along first\n"
		"parents, with --good in pairs, as pawl ab does, and halves what is left each time. The\n"
		"scenario is read once, from the working tree (in a GitHub pull request from good); each\n"
		"commit's tree is made and built beside it. A commit that cannot be built or decided is skipped. The commit that is found is\n"
		"compared with the one before it: what it costs, and by which symbols.\n\n"
		"The search is stored after each step: the same command goes on where it was\n"
		"interrupted, and prints again what was found. --runs is the most pairs of a step\n"
		"(default 60), --budget the most time (default three times the scenario's).\n\n"
		"Status 0 is one commit, or a few where some between were skipped; 3 no answer, such as\n"
		"--bad not being slower at all.",
	.options = OPT_OUT | OPT_RUNS | OPT_BUDGET | OPT_JSON | OPT_LOCK_WAIT | OPT_NO_PROFILE | OPT_ENDS | OPT_PAIRED |
		   OPT_AFRESH,
	.starts_processes = true,
	.run = bisect,
};
