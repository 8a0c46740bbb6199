/* pawl bisect: the first commit that made a scenario slower. */
#include <inttypes.h>
#include <math.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cmd/shared/shared.h"
#include "judge/judge.h"
#include "measure/git/git.h"
#include "measure/perf/perf.h"
#include "measure/process/process.h"
#include "measure/run/run.h"
#include "report/report.h"
#include "store/store.h"

struct bisect {
	struct invocation *inv;
	struct project *project;
	const struct scenario *scenario;
	struct builds builds;
	struct session session;
	struct bisection search;
	struct result last;	/* of the last comparison, with this scenario alone */
	char *state;		/* the file that the search is stored in */
	char *out_dir, *parent;	/* the run's folder, and what to prune; NULL until something is measured */
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
static int state_text(const struct bisect *c, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, words = STRBUF_INIT;
	const struct options *o = &c->inv->options;

	if (project_scenario_text(c->project, c->scenario, &text, err) < 0 ||
	    file_source_read(&c->project->files, "pawl.yaml", SCENARIO_LARGEST, &text, err) < 0)
		return -1;
	strbuf_addf(&text, "runs %" PRIu64 " budget %" PRIu64 " gates %" PRIu64 " floor %s seed %" PRIu64, o->runs, o->budget_ns,
		    o->gates, o->floor ?: "", o->seed);
	strbuf_addf(&words, "fnv1a:%016" PRIx64, hash(FNV_START, text.buf));
	*out = strbuf_take(&words);
	return 0;
}

/* Where this search is stored, from its ends, the scenario and the machine. Call once these are known. */
static void state_place(struct bisect *c)
{
	const struct options *o = &c->inv->options;
	const struct bisection *b = &c->search;
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	CLEANUP(free_ptr) char *folder = o->out ? file_absolute(o->out) : file_join(c->project->root, c->project->config.out);

	if (o->out)
		strbuf_adds(&name, "bisect.json");
	else
		strbuf_addf(&name, "bisect-%016" PRIx64 ".json",
			    hash(hash(hash(hash(FNV_START, b->scenario), b->good), b->bad), b->class));
	c->state = file_join(folder, name.buf);
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

static void say_unused(const struct bisect *c, const char *why)
{
	cmd_message(c->inv, "the search stored in %s is not used: %s\n", c->state, why);
}

/* What is known of the search now stays; the rest is what was stored. */
static void take_over(struct bisection *now, struct bisection *stored)
{
	uint64_t seed = now->seed;
	struct bisection begun = *now;

	free(stored->good_ref);
	free(stored->bad_ref);
	stored->good_ref = take_ptr(&begun.good_ref);
	stored->argument = take_ptr(&begun.argument);
	stored->bad_ref = take_ptr(&begun.bad_ref);
	*now = *stored;
	if (seed)
		now->seed = seed;
	bisection_release(&begun);
	*stored = (struct bisection){ 0 };
}

/* 1: STORED is there and of this search. */
static int read_state(const struct bisect *c, struct bisection *stored)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error why = ERROR_INIT;
	const char *words;

	if (!file_exists(c->state) || c->inv->options.force)
		return 0;
	if (file_read(c->state, JSON_LARGEST, &text, &why) < 0 ||
	    bisection_parse(text.buf, text.len, c->state, stored, &why) < 0) {
		say_unused(c, why.msg);
		return 0;
	}
	words = difference(stored, &c->search);
	if (words)
		say_unused(c, words);
	/* What could not be told may be told today. */
	return !words && stored->whole.state == BISECT_BAD;
}

/*
 * Go on with a stored search, if there is one of the same kind; COMMITS are taken over. What is not used, and why, is
 * said. Otherwise the search begins.
 */
static int state_load(struct bisect *c, struct commits *commits, struct error *err)
{
	CLEANUP(bisection_release) struct bisection stored = { 0 };

	if (read_state(c, &stored)) {
		take_over(&c->search, &stored);
		cmd_message(c->inv, "going on with the search stored in %s: %zu comparison%s done (--force begins again)\n", c->state,
			c->search.n_steps + 1, c->search.n_steps ? "s are" : " is");
	}
	return bisection_place(&c->search, commits, err);
}

static int state_save(const struct bisect *c, struct error *err)
{
	CLEANUP(free_ptr) char *text = bisection_format(&c->search);

	return file_write(c->state, text, strlen(text), err);
}

/* -------- one comparison: both trees built, pairs measured and judged */

enum {
	STEP_PAIRS_MOST = 60,	/* the last look is later than elsewhere: a step that is skipped costs others */
	STEP_BUDGETS = 3,	/* and a step has so many times the scenario's budget */
};

/* Of the scenario's gates the one that decides, at half of the whole change. */
static void keep_deciding(const struct bisection *b, struct scenario_result *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < out->n_gates; i++) {
		struct gate_result gate = out->gates[i];

		if (!gate.gate.relative || strcmp(gate.gate.metric->name, b->metric))
			continue;
		gate.gate = bisection_gate(b, gate.gate.metric);
		out->gates[kept++] = gate;
	}
	out->n_gates = kept;
}

/* The error of the whole search is shared between all its comparisons. */
static unsigned gates_of(const struct bisect *c, const struct scenario_result *out, enum bisect_scope scope)
{
	unsigned comparisons = 2;

	if (c->inv->options.gates)
		return (unsigned)c->inv->options.gates;
	if (scope != BISECT_STEP)
		return judge_pairs_gates(c->scenario->gates.items, c->scenario->gates.n);
	for (size_t n = c->search.commits.n; n; n /= 2)
		comparisons++;
	return comparisons * (unsigned)out->n_gates;
}

static char *label_of(const struct bisection *b, const char *id)
{
	return builds_label(!strcmp(id, b->good) ? b->good_ref : !strcmp(id, b->bad) ? b->bad_ref : NULL, id);
}

static char *folder_of(const struct bisect *c, const char *head, enum bisect_scope scope)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s", c->out_dir);
	if (scope != BISECT_CHANGE)
		strbuf_addf(&path, "/steps/%.*s", COMMIT_SHOWN, head);
	return strbuf_take(&path);
}

static int measure(struct bisect *c, const struct tree *base, const struct tree *head, enum bisect_scope scope,
		   struct error *err)
{
	struct scenario_result *out = &c->last.scenarios[0];
	const struct options *o = &c->inv->options;
	CLEANUP(free_ptr) char *base_label = label_of(&c->search, base->commit);
	CLEANUP(free_ptr) char *head_label = label_of(&c->search, head->commit);
	CLEANUP(free_ptr) char *folder = folder_of(c, head->commit, scope);
	size_t noted = c->session.machine.notes.n;
	struct progress progress;
	struct pairs pairs = {
		.inv = c->inv, .session = &c->session, .progress = &progress, .root = c->project->root, .out_dir = folder,
		.base = { base->root, base_label, base->commit }, .head = { head->root, head_label, head->commit },
		.project = c->project->root, .seed = c->search.seed, .gates = gates_of(c, out, scope),
		.pairs_most = o->runs ? (unsigned)o->runs : STEP_PAIRS_MOST,
		.budget_ns = o->budget_ns ? o->budget_ns : STEP_BUDGETS * c->scenario->measure.budget_ns,
		.no_profile = o->no_profile || scope != BISECT_CHANGE,
	};
	struct pairs_job job = { .base = c->scenario, .head = c->scenario, .result = out };
	struct lifecycle_watch watch;
	int ret;

	progress_begin(&progress, c->inv, 1);
	lifecycle_watch(&watch, c->inv);
	ret = pairs_measure(&pairs, &job, 1, &c->session.machine, err);
	lifecycle_watched(&watch, c->inv, &c->session, &c->last);
	/* The noise of this comparison is not that of the next. */
	strv_shorten(&c->session.machine.notes, noted);
	return ret;
}

static void begin_result(struct bisect *c, enum bisect_scope scope)
{
	struct scenario_result *out;

	result_release(&c->last);
	lifecycle_begin(&c->last, MODE_PAIRED, c->inv, c->project->root);
	c->last.out_dir = xstrdup(c->out_dir);
	judged_by_copy(&c->last.judged_by, &c->project->by);
	out = result_add_scenario(&c->last, c->scenario->name);
	setup_describe(c->scenario, out);
	if (scope == BISECT_STEP)
		keep_deciding(&c->search, out);
}

/*
 * 1: HEAD cannot be built, which is told in the result. Some of git's errors are nobody's to hear, and an interrupt may
 * have been among them.
 */
static int build_head(struct bisect *c, const char *head, enum bisect_scope scope, struct tree *tree, struct error *err)
{
	struct error why = ERROR_INIT;
	int ret = trees_get(&c->builds.trees, head, tree, &why);
	const char *words = why.msg;

	if (interrupt_check(&c->inv->interrupt, err) < 0 || ret == 0)
		return ret;
	if (why.kind != ERR_TARGET || scope != BISECT_STEP) {
		*err = why;
		return -1;
	}
	/* Every row of the report says which commit it is of. */
	if (!strncmp(words, head, COMMIT_SHOWN) && text_starts(words + COMMIT_SHOWN, ": "))
		words += COMMIT_SHOWN + strlen(": ");
	setup_fail(&c->last.scenarios[0].head, "%s", words);
	return 1;
}

static int build_and_measure(struct bisect *c, const char *base, const char *head, enum bisect_scope scope, struct error *err)
{
	struct tree base_tree = { 0 }, head_tree = { 0 };
	int ret;

	if (interrupt_check(&c->inv->interrupt, err) < 0 || trees_get(&c->builds.trees, base, &base_tree, err) < 0)
		return -1;
	ret = build_head(c, head, scope, &head_tree, err);
	if (ret == 0)
		ret = measure(c, &base_tree, &head_tree, scope, err);
	trees_put(&c->builds.trees, &head_tree);
	trees_put(&c->builds.trees, &base_tree);
	return ret < 0 ? -1 : interrupt_check(&c->inv->interrupt, err);
}

/*
 * Compare commit HEAD with BASE in pairs; what came of it is bisect->last, and its time and commits are STEP's. The HEAD
 * of a step that cannot be built, and a scenario that cannot be measured, are told in the result's state and failure. -1
 * when interrupted, and when another tree cannot be built.
 */
static int compare(struct bisect *c, const char *base, const char *head, enum bisect_scope scope,
		   struct bisect_step *step, struct error *err)
{
	uint64_t start = clock_now_ns();

	begin_result(c, scope);
	/* Its reports are of that commit, whatever is checked out. */
	free(c->last.commit);
	c->last.commit = xstrndup(head, COMMIT_SHOWN);
	if (build_and_measure(c, base, head, scope, err) < 0)
		return -1;
	result_settle(&c->last);
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
	CLEANUP(free_ptr) char *common = git_merge_base(&c->inv->git, c->project->root, b->good, b->bad);

	if (!strcmp(b->good, b->bad))
		return error_set(err, ERR_INPUT, "--good %s and --bad %s are the same commit, %.12s", b->good_ref, b->bad_ref,
				 b->good);
	if (!common)
		return error_set(err, ERR_INPUT, "--good %s and --bad %s have no common ancestor (in a shallow clone: git fetch "
				 "--unshallow)", b->good_ref, b->bad_ref);
	if (!strcmp(common, b->bad))
		return error_set(err, ERR_INPUT, "--bad %s is an ancestor of --good %s; were they exchanged?", b->bad_ref,
				 b->good_ref);
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
		return error_set(err, ERR_INPUT, "--good REF is missing: a commit at which %s was not slower yet", c->scenario->name);
	b->good_ref = xstrdup(o->good);
	b->bad_ref = xstrdup(o->bad ?: "HEAD");
	if (builds_resolve(&c->builds, "--good", b->good_ref, &b->good, err) < 0 ||
	    builds_resolve(&c->builds, "--bad", b->bad_ref, &b->bad, err) < 0 || check_ancestor(c, err) < 0)
		return -1;
	if (git_commits(&c->inv->git, c->project->root, b->good, b->bad, commits, err) < 0)
		return -1;
	/* A clone may be shallow between them. */
	return commits->n ? 0 : error_set(err, ERR_INPUT, "git lists no commit from %.12s to %.12s", b->good, b->bad);
}

/* -------- the steps */

static int make_folder(struct bisect *c, struct error *err)
{
	struct result folder = { .commit = git_commit(&c->inv->git, c->project->root) };
	int ret = 0;

	if (!c->out_dir) {
		ret = lifecycle_folder(&folder, &c->inv->options, c->project->root, c->project->config.out, &c->parent, err);
		c->out_dir = take_ptr(&folder.out_dir);
	}
	result_release(&folder);
	return ret;
}

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
		       undecided ? "whether bad is slower than good could not be told" : "bad is not slower than good");
}

static void tell_gates(const struct scenario_result *s, struct strv *out)
{
	strv_release(out);
	for (size_t i = 0; i < s->n_gates; i++) {
		struct strbuf line = STRBUF_INIT;

		if (!s->gates[i].gate.relative || gate_judgement(&s->gates[i])->verdict == VERDICT_NOT_MEASURED)
			continue;
		format_headline(&line, s, &s->gates[i]);
		strv_take(out, strbuf_take(&line));
	}
}

static int compare_ends(struct bisect *c, struct error *err)
{
	struct bisection *b = &c->search;
	const struct scenario_result *s;

	cmd_message(c->inv, "first the whole: %.12s against %.12s\n", b->bad, b->good);
	if (compare(c, b->good, b->bad, BISECT_ENDS, &b->whole, err) < 0)
		return -1;
	s = &c->last.scenarios[0];
	if (s->head.state != SCENARIO_FAILED && bisection_plan(b, s))
		return state_save(c, err);
	free(b->whole.reason);
	b->whole.reason = why_nothing(s, &b->whole.state);
	b->whole.change_pct = b->whole.low_pct = b->whole.high_pct = NAN;
	b->whole.pairs = (unsigned)scenario_result_pairs(s);
	tell_gates(s, &b->explanation);
	return state_save(c, err);
}

static void say_step(const struct bisect *c, size_t at)
{
	const struct bisection *b = &c->search;
	const struct suspects s = bisection_suspects(b);
	unsigned left = bisection_steps_left(b);
	double each_s = bisection_effort(b).elapsed_s / (double)(b->n_steps + 1);

	cmd_message(c->inv, "%zu commits left, about %u step%s and %s: now %.12s\n", s.last - s.first + 1, left,
		left == 1 ? "" : "s", format_elapsed(each_s * (left + 1)).s, b->commits.items[at].id);
}

static void say_state(const struct bisect *c, const struct bisect_step *step)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	const char *reason = step->reason ?: "";

	if (step->state == BISECT_SKIPPED) {
		CLEANUP(free_ptr) char *line = xstrndup(reason, strcspn(reason, "\n"));

		escape_terminal(&words, line);
	} else {
		strbuf_addf(&words, "%s %s against good", c->search.metric, format_change(step->change_pct).s);
	}
	cmd_message(c->inv, "%.12s is %s: %s\n", step->head, bisect_state_names[step->state], words.buf);
}

static int take_step(struct bisect *c, size_t at, struct error *err)
{
	struct bisection *b = &c->search;
	CLEANUP(bisect_step_release) struct bisect_step step = { 0 };

	say_step(c, at);
	if (compare(c, b->good, b->commits.items[at].id, BISECT_STEP, &step, err) < 0)
		return -1;
	bisection_judge(b, &c->last.scenarios[0], &step);
	say_state(c, &step);
	bisection_add_step(b, at, &step);
	return state_save(c, err);
}

/* What is left against the commit before it: what it costs, and by which symbols. */
static int confirm(struct bisect *c, struct error *err)
{
	struct bisection *b = &c->search;
	const char *head = b->commits.items[bisection_suspects(b).last].id;

	cmd_message(c->inv, "last what it costs: %.12s against %.12s\n", head, bisection_before(b));
	if (compare(c, bisection_before(b), head, BISECT_CHANGE, &b->found, err) < 0)
		return -1;
	bisection_confirm(b, &c->last.scenarios[0], &b->found);
	strv_release(&b->explanation);
	strv_copy(&b->explanation, &c->last.scenarios[0].explanation);
	free(b->folder);
	b->folder = file_join(c->out_dir, b->scenario);
	b->difference = c->last.scenarios[0].difference;
	return state_save(c, err);
}

static int search(struct bisect *c, struct error *err)
{
	struct bisection *b = &c->search;
	size_t at;

	if (bisection_outcome(b) != BISECT_UNFINISHED)
		return 0;
	if (make_folder(c, err) < 0)
		return -1;
	c->builds.trees.scratch = c->session.scratch;
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
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, page = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = NULL;
	CLEANUP(free_ptr) char *page_path = NULL;

	if (!c->out_dir || !c->last.out_dir)
		return 0;
	if (lifecycle_leave(&c->last, c->parent, err) < 0)
		return -1;
	bisection_markdown(&c->search, &text);
	strbuf_adds(&text, "\n");
	report_markdown(&c->last, &(struct report_options){ 0 }, &text);
	path = file_join(c->out_dir, "report.md");
	page_path = file_join(c->out_dir, "report.html");
	report_html(&c->last, &(struct report_options){ .search = &c->search }, &page);
	return file_write(path, text.buf, text.len, err) < 0 ? -1 : file_write(page_path, page.buf, page.len, err);
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
		judged_lines(&judged, &c->project->by);
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

static int begin(struct bisect *c, struct error *err)
{
	CLEANUP(commits_release) struct commits commits = { 0 };
	struct bisection *b = &c->search;

	builds_init(&c->builds, c->project, c->inv, NULL, NULL);
	b->pawl = xstrdup(PAWL_VERSION);
	b->scenario = xstrdup(c->scenario->name);
	b->argument = xstrdup(c->inv->args.items[0]);
	if (find_ends(c, &commits, err) < 0 || state_text(c, &b->text, err) < 0 ||
	    lifecycle_session(&c->session, c->inv, c->scenario->measure.counters == COUNTERS_SIM, err) < 0)
		return -1;
	calibrations_apply(c->project, &c->session.machine);
	b->class = machine_class(&c->session.machine);
	b->seed = c->inv->options.seed;
	state_place(c);
	cmd_message(c->inv, "%zu commit%s from %.12s to %.12s\n", commits.n, commits.n == 1 ? "" : "s", b->good, b->bad);
	if (state_load(c, &commits, err) < 0)
		return error_wrap(err, "%s (--force begins again)", c->state);
	if (!b->seed)
		b->seed = pairs_seed(&c->inv->options);
	return 0;
}

static int bisect(struct bisect *c, struct error *err)
{
	int ret;

	if (begin(c, err) < 0)
		return -1;
	ret = search(c, err);
	if (ret < 0 && err->kind == ERR_INTERRUPTED) {
		unsigned n = bisection_effort(&c->search).comparisons;

		return error_wrap(err, "the same command goes on after %u comparison%s", n, n == 1 ? "" : "s");
	}
	if (ret < 0 || write_reports(c, err) < 0)
		return -1;
	return print(c, err);
}

/* The working tree's files judge, or those of good where the commits are somebody else's change. */
static int open_scenario(struct project *project, struct invocation *inv, struct error *err)
{
	bool foreign;

	if (inv->args.n != 1)
		return error_set(err, ERR_INPUT, "bisect takes one scenario, found %zu", inv->args.n);
	if (project_open_between(project, inv, &inv->args, "--good", inv->options.good, &foreign, err) < 0 ||
	    project_select(project, &inv->args, err) < 0 || loop_refuse_pairs(project->scenarios[0], err) < 0)
		return -1;
	return project_take_floor(project, err);
}

static int run(struct invocation *inv, struct error *err)
{
	struct project project = { 0 };
	struct bisect c = { .inv = inv, .project = &project, .session = { .lock_fd = -1 } };
	int status = open_scenario(&project, inv, err);

	if (status == 0) {
		c.scenario = project.scenarios[0];
		status = bisect(&c, err);
	}
	session_close(&c.session);
	result_release(&c.last);
	bisection_release(&c.search);
	free(c.state);
	free(c.out_dir);
	free(c.parent);
	project_finish(&project);
	return status;
}

const struct command_def cmd_bisect = {
	.name = "bisect",
	.args = "SCENARIO",
	.summary = "find the first commit that made a scenario slower",
	.details =
		"Compares the commits from --good (exclusive) to --bad (default HEAD), along first\n"
		"parents, with --good in pairs, as pawl ab does, and halves what is left each time. The\n"
		"scenario is read once, from the working tree (in a GitHub pull request from good); each\n"
		"commit's tree is made and built beside it. A commit that cannot be built or told is skipped. The commit that is found is\n"
		"compared with the one before it: what it costs, and by which symbols.\n\n"
		"The search is stored after each step: the same command goes on where it was\n"
		"interrupted, and prints again what was found. --runs is the most pairs of a step\n"
		"(default 60), --budget the most time (default three times the scenario's).\n\n"
		"Status 0 is one commit, or a few where some between were skipped; 3 no answer, such as\n"
		"--bad not being slower at all.",
	.options = OPT_OUT | OPT_RUNS | OPT_BUDGET | OPT_JSON | OPT_LOCK_WAIT | OPT_NO_PROFILE | OPT_ENDS | OPT_PAIRED |
		   OPT_AFRESH,
	.starts_processes = true,
	.run = run,
};
