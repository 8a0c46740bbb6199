#include "cmd/shared/shared.h"

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "judge/judge.h"
#include "measure/git/git.h"
#include "measure/process/process.h"

/* Where one base comes from; what was not found is NULL. */
struct base {
	char *dir;		/* of --base */
	char *commit;		/* full; else of a tree that must be built */
	char *label;
	const char *executable;	/* that was accepted */
	char *why_not;		/* it cannot be had */
};

struct confirm {
	struct run_all *all;
	struct project *project;
	struct invocation *inv;
	struct session session;
	struct builds builds;
	struct base *bases;	/* of the scenarios that are flagged; of the others empty */
	char *out_dir;
	uint64_t seed;
};

static void base_release(struct base *base)
{
	free(base->dir);
	free(base->commit);
	free(base->label);
	free(base->why_not);
	*base = (struct base){ 0 };
}

int confirm_check(struct project *project, struct invocation *inv, struct error *err)
{
	const struct options *o = &inv->options;
	CLEANUP(free_ptr) char *commit = NULL;
	struct builds builds;

	if (o->base && o->base_ref)
		return error_set(err, ERR_INPUT, "--base and --base-ref: give one of them");
	if (o->base && !file_is_dir(o->base))
		return error_set(err, ERR_INPUT, "--base: there is no folder %.200s", o->base);
	if (project_take_floor(project, err) < 0)
		return -1;
	if (!o->base_ref)
		return 0;
	builds_init(&builds, project, inv, NULL, NULL);
	return builds_resolve(&builds, "--base-ref", o->base_ref, &commit, err);
}

/* -------- what is flagged */

static bool is_flagged(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (judge_pairs_wants_confirming(s, &s->gates[i]))
			return true;
	return false;
}

static size_t count_flagged(const struct result *result)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++)
		n += is_flagged(&result->scenarios[i]);
	return n;
}

/* -------- the base */

static char *label_of(const char *ref, const char *commit)
{
	struct strbuf label = STRBUF_INIT;

	strbuf_addf(&label, "%s (%.12s)", ref, commit);
	return strbuf_take(&label);
}

/*
 * The commit that was measured; a session of an uncommitted tree, or of a project's first commit, is of the commit that
 * it came in with. Later commits may touch the file too.
 */
static int find_commit(struct confirm *c, const struct baseline_session *last, const char *path, char **out, struct error *err)
{
	struct git *git = &c->inv->git;

	if (!last)
		return error_set(err, ERR_INPUT, "its baseline is gone");
	if (last->commit && !strchr(last->commit, '+'))
		return git_resolve(git, c->project->root, last->commit, out, err);
	return git_brought(git, c->project->root, path, last->date, out, err);
}

static void find_base(struct confirm *c, const struct scenario_result *s, struct base *out)
{
	const struct options *o = &c->inv->options;
	struct error why = ERROR_INIT;
	struct project_baseline *accepted;
	bool known = project_baseline(c->project, s->name, &c->all->result.machine, &accepted, NULL) == 1;
	const struct baseline_session *last = known ? &accepted->baseline.sessions[accepted->baseline.n_sessions - 1] : NULL;

	out->executable = last ? last->executable : NULL;
	if (o->base) {
		out->dir = file_absolute(o->base);
		out->label = xstrdup(o->base);
	} else if (o->base_ref) {
		if (builds_resolve(&c->builds, "--base-ref", o->base_ref, &out->commit, &why) < 0)
			out->why_not = xstrdup(why.msg);
		else
			out->label = label_of(o->base_ref, out->commit);
	} else if (!c->project->config.build.argv.n) {
		out->why_not = xstrdup("pawl.yaml does not say how to build the base (build:), and neither --base nor --base-ref is given");
	} else if (c->project->by.commit) {
		out->commit = xstrdup(c->project->by.commit);
		out->label = label_of(c->project->by.ref, out->commit);
	} else if (find_commit(c, last, last ? accepted->path : NULL, &out->commit, &why) < 0) {
		out->why_not = xstrdup(why.msg);
	} else {
		out->label = label_of("the baseline's commit", out->commit);
	}
}

static bool same_base(const struct base *a, const struct base *b)
{
	return a->dir ? b->dir != NULL : a->commit && b->commit && !strcmp(a->commit, b->commit);
}

/* -------- one base, with all scenarios that want it */

static size_t make_jobs(struct confirm *c, const struct base *base, struct pairs_job *jobs)
{
	struct result *result = &c->all->result;
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario *s = project_scenario(c->project, result->scenarios[i].name);

		if (s && same_base(base, &c->bases[i]))
			jobs[n++] = (struct pairs_job){
				.base = s, .head = s, .result = &result->scenarios[i], .accepted = c->bases[i].executable,
			};
	}
	return n;
}

static int compare(struct confirm *c, const struct base *base, const char *root, struct error *err)
{
	const struct options *o = &c->inv->options;
	CLEANUP(free_ptr) struct pairs_job *jobs = xcalloc(c->all->result.n_scenarios, sizeof *jobs);
	size_t n = make_jobs(c, base, jobs);
	struct progress progress = { 0 };
	struct pairs pairs = {
		.inv = c->inv, .session = &c->session, .progress = &progress, .root = c->project->root, .out_dir = c->out_dir,
		.report_dir = c->all->result.out_dir,
		.base = { root, base->label, base->commit }, .head = { c->project->root, "working tree", NULL },
		.seed = c->seed, .gates = project_paired_gates(c->project, &c->all->result.notes),
		.budget_ns = o->budget_ns, .no_profile = o->no_profile, .confirming = true,
	};

	cmd_message(c->inv, "confirming %zu scenario%s in pairs against %s\n", n, n == 1 ? "" : "s", base->label);
	progress_begin(&progress, c->inv, n);
	return pairs_measure(&pairs, jobs, n, &c->session.machine, err);
}

static int confirm_against(struct confirm *c, const struct base *base, struct error *err)
{
	struct tree tree = { 0 };
	int ret;

	if (base->dir)
		return compare(c, base, base->dir, err);
	ret = trees_get(&c->builds.trees, base->commit, &tree, err);
	if (ret == 0)
		ret = compare(c, base, tree.root, err);
	trees_put(&c->builds.trees, &tree);
	return ret;
}

/* -------- the whole */

/* "flagged by stored times alone, not confirmed in pairs", or what else stored runs leave open. */
static const char *what_is_open(const struct scenario_result *s)
{
	bool undecided = false;

	for (size_t i = 0; i < s->n_gates; i++) {
		if (!judge_pairs_wants_confirming(s, &s->gates[i]))
			continue;
		if (s->gates[i].stored.verdict == VERDICT_REGRESSION)
			return "flagged by stored times alone, not confirmed in pairs";
		undecided |= s->gates[i].stored.verdict == VERDICT_INCONCLUSIVE;
	}
	return undecided ? "stored times cannot tell, and were not compared in pairs instead" : "not compared in pairs instead";
}

/* What it would take, with the command; one that is known to be missing says why. */
static void note_unconfirmed(struct confirm *c, struct scenario_result *s, const struct base *base, const char *why)
{
	CLEANUP(strbuf_release) struct strbuf command = STRBUF_INIT;

	strbuf_adds(&command, "pawl ab ");
	escape_shell(&command, s->name);
	strbuf_addf(&command, " --base-ref %.12s", base->commit ?: c->project->by.commit ?: "REF");
	strv_pushf(&s->head.notes, "%s: %s; compare in pairs: %s", what_is_open(s), why, command.buf);
}

static void note_all(struct confirm *c, const struct base *base, const char *why)
{
	struct result *result = &c->all->result;

	for (size_t i = 0; i < result->n_scenarios; i++)
		if (same_base(base, &c->bases[i]))
			note_unconfirmed(c, &result->scenarios[i], base, why);
}

/* Each base once; a scenario whose base was dealt with has none any more. */
static int confirm_all(struct confirm *c, struct error *err)
{
	struct result *result = &c->all->result;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct error why = ERROR_INIT;
		struct base base = c->bases[i];

		if (!base.dir && !base.commit)
			continue;
		if (confirm_against(c, &base, &why) < 0) {
			if (why.kind == ERR_INTERRUPTED) {
				*err = why;
				return -1;
			}
			note_all(c, &base, why.msg);
		}
		for (size_t k = result->n_scenarios; k-- > i;)
			if (same_base(&base, &c->bases[k]) && k != i)
				base_release(&c->bases[k]);
		base_release(&c->bases[i]);
	}
	return 0;
}

static bool find_bases(struct confirm *c)
{
	struct result *result = &c->all->result;
	bool any = false;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];

		if (!is_flagged(s))
			continue;
		find_base(c, s, &c->bases[i]);
		if (c->bases[i].why_not)
			note_unconfirmed(c, s, &c->bases[i], c->bases[i].why_not);
		any = any || c->bases[i].dir || c->bases[i].commit;
	}
	return any;
}

static int with_session(struct confirm *c, struct error *err)
{
	int ret;

	if (lifecycle_session(&c->session, c->inv, project_only_simulated(c->project), err) < 0)
		return -1;
	c->builds.trees.scratch = c->session.scratch;
	/* The head is not built again: its program is the one that was flagged. */
	ret = file_make_dirs(c->out_dir, err);
	if (ret == 0)
		ret = confirm_all(c, err);
	session_close(&c->session);
	return ret;
}

static void keep_going(struct confirm *c, const struct error *why)
{
	if (why->kind == ERR_INTERRUPTED) {
		c->all->interrupted = why->sys;
		c->all->result.partial = true;
		return;
	}
	for (size_t i = 0; i < c->all->result.n_scenarios; i++)
		if (c->bases[i].dir || c->bases[i].commit)
			note_unconfirmed(c, &c->all->result.scenarios[i], &c->bases[i], why->msg);
}

void confirm_flagged(struct run_all *all, struct project *project, struct invocation *inv)
{
	struct confirm c = { .all = all, .project = project, .inv = inv, .seed = pairs_seed(&inv->options) };
	struct error why = ERROR_INIT;
	uint64_t start = clock_now_ns();

	if (inv->options.no_confirm || all->interrupted || all->kept.pid || inv->options.attach ||
	    !count_flagged(&all->result))
		return;
	c.bases = xcalloc(all->result.n_scenarios, sizeof *c.bases);
	c.out_dir = file_join(all->result.out_dir, "confirm");
	builds_init(&c.builds, project, inv, NULL, c.out_dir);
	if (find_bases(&c) && with_session(&c, &why) < 0)
		keep_going(&c, &why);
	for (size_t i = 0; i < all->result.n_scenarios; i++)
		base_release(&c.bases[i]);
	free(c.bases);
	free(c.out_dir);
	all->result.elapsed_s += (double)(clock_now_ns() - start) / 1e9;
	result_settle(&all->result);
}
