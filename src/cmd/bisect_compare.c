/* One comparison of a search: both trees built, pairs measured and judged. */
#include "base/cleanup.h"
#include "base/mem.h"
#include "cmd/bisect.h"
#include "cmd/outcome.h"
#include "cmd/pairs.h"
#include "cmd/scene.h"
#include "gate/judge_pairs.h"
#include "measure/clock.h"

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
	struct strbuf label = STRBUF_INIT;
	const char *ref = !strcmp(id, b->good) ? b->good_ref : !strcmp(id, b->bad) ? b->bad_ref : NULL;

	if (ref && strncmp(ref, id, strlen(ref)))
		strbuf_addf(&label, "%s (%.*s)", ref, COMMIT_SHOWN, id);
	else
		strbuf_addf(&label, "%.*s", COMMIT_SHOWN, id);
	return strbuf_take(&label);
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
	size_t noted = c->rig.machine.notes.n;
	struct progress progress;
	struct pairs pairs = {
		.inv = c->inv, .rig = &c->rig, .progress = &progress, .root = c->project->root, .out_dir = folder,
		.base = { base->root, base_label, base->commit }, .head = { head->root, head_label, head->commit },
		.project = c->project->root, .seed = c->search.seed, .gates = gates_of(c, out, scope),
		.pairs_most = o->runs ? (unsigned)o->runs : STEP_PAIRS_MOST,
		.budget_ns = o->budget_ns ? o->budget_ns : STEP_BUDGETS * c->scenario->measure.budget_ns,
		.no_profile = o->no_profile || scope != BISECT_CHANGE,
	};
	struct pairs_job job = { .base = c->scenario, .head = c->scenario, .result = out };
	struct outcome_watch watch;
	int ret;

	progress_begin(&progress, c->inv, 1);
	outcome_watch(&watch, c->inv);
	ret = pairs_measure(&pairs, &job, 1, &c->rig.machine, err);
	outcome_watched(&watch, c->inv, &c->rig, &c->last);
	/* The noise of this comparison is not that of the next. */
	strv_shorten(&c->rig.machine.notes, noted);
	return ret;
}

static void begin_result(struct bisect *c, enum bisect_scope scope)
{
	struct scenario_result *out;

	result_release(&c->last);
	outcome_begin(&c->last, "paired", c->inv, c->project->root);
	c->last.out_dir = xstrdup(c->out_dir);
	judged_by_copy(&c->last.judged_by, &c->project->by);
	out = result_add_scenario(&c->last, c->scenario->name);
	scene_describe(c->scenario, out);
	if (scope == BISECT_STEP)
		keep_deciding(&c->search, out);
}

/* Every row of the report says which commit it is of. */
static const char *without_id(const char *message, const char *id)
{
	bool has = !strncmp(message, id, COMMIT_SHOWN) && !strncmp(message + COMMIT_SHOWN, ": ", 2);

	return has ? message + COMMIT_SHOWN + 2 : message;
}

/* Some of git's errors are nobody's to hear, and an interrupt may have been among them. */
static int check_interrupt(struct bisect *c, struct error *err)
{
	return interrupt_check(&c->inv->interrupt, err);
}

/* 1: HEAD cannot be built, which is told in the result. */
static int build_head(struct bisect *c, const char *head, enum bisect_scope scope, struct tree *tree, struct error *err)
{
	struct error why = ERROR_INIT;

	if (trees_get(&c->builds.trees, head, tree, &why) == 0)
		return check_interrupt(c, err);
	if (check_interrupt(c, err) < 0)
		return -1;
	if (why.kind != ERR_TARGET || scope != BISECT_STEP) {
		*err = why;
		return -1;
	}
	scene_fail(&c->last.scenarios[0], "%s", without_id(why.msg, head));
	return 1;
}

static int compare(struct bisect *c, const char *base, const char *head, enum bisect_scope scope, struct error *err)
{
	struct tree base_tree = { 0 }, head_tree = { 0 };
	int ret;

	if (check_interrupt(c, err) < 0 || trees_get(&c->builds.trees, base, &base_tree, err) < 0)
		return -1;
	ret = build_head(c, head, scope, &head_tree, err);
	if (ret == 0)
		ret = measure(c, &base_tree, &head_tree, scope, err);
	trees_put(&c->builds.trees, &head_tree);
	trees_put(&c->builds.trees, &base_tree);
	return ret < 0 ? -1 : check_interrupt(c, err);
}

int bisect_compare(struct bisect *c, const char *base, const char *head, enum bisect_scope scope,
		   struct bisect_step *step, struct error *err)
{
	uint64_t start = clock_now_ns();

	begin_result(c, scope);
	/* Its reports are of that commit, whatever is checked out. */
	free(c->last.commit);
	c->last.commit = xstrndup(head, COMMIT_SHOWN);
	if (compare(c, base, head, scope, err) < 0)
		return -1;
	result_settle(&c->last);
	free(step->base);
	free(step->head);
	step->base = xstrdup(base);
	step->head = xstrdup(head);
	step->elapsed_s = (double)(clock_now_ns() - start) / 1e9;
	return 0;
}
