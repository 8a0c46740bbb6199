#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/confirm.h"
#include "job/lifecycle.h"
#include "job/pairs.h"
#include "job/project/builds.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "job/project/request.h"
#include "job/project/select.h"
#include "job/runs.h"
#include "judge/judge.h"
#include "judge/pairs.h"
#include "measure/git/git.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/result.h"
#include "scenario/scenario.h"

#include "measure/files/files.h"
#include "measure/git/kept.h"
#include "measure/git/trees.h"
#include "measure/process/interrupt.h"

struct base {
	char *commit;		/* full; its tree must be built */
	char *kept;		/* place of the tree that the baseline accepted */
	char *label;
	const struct baseline *accepted;
};

struct confirm {
	struct run_all *all;
	struct project *project;
	struct request *request;
	struct builds builds;
	struct base *bases;	/* parallel to the result's scenarios; empty for those not flagged */
	char *out_dir, *kept;	/* KEPT: folder of the repository's kept builds, or NULL */
	uint64_t seed;
};

static void base_release(struct base *base)
{
	free(base->commit);
	free(base->kept);
	free(base->label);
	*base = (struct base){ 0 };
}

/* -------- flagged scenarios */

static bool is_flagged(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (judge_pairs_wants_confirming(s, &s->gates[i]))
			return true;
	return false;
}

static bool wants_cause(const struct request *request, const struct scenario_result *s)
{
	return request->explain && s->head.state == SCENARIO_MEASURED && !is_flagged(s) && scenario_result_regressed(s);
}

static bool wants_pairs(const struct confirm *c, const struct scenario_result *s)
{
	return is_flagged(s) || wants_cause(c->request, s);
}

static const char *what_is_open(const struct scenario_result *s)
{
	bool undecided = false, improved = false;

	for (size_t i = 0; i < s->n_gates; i++) {
		if (!judge_pairs_wants_confirming(s, &s->gates[i]))
			continue;
		if (s->gates[i].stored.verdict == VERDICT_REGRESSION)
			return "flagged by stored times alone, not confirmed in pairs";
		improved |= s->gates[i].stored.verdict == VERDICT_IMPROVEMENT;
		undecided |= s->gates[i].stored.verdict == VERDICT_INCONCLUSIVE;
	}
	if (improved)
		return "faster by stored times alone, not confirmed in pairs";
	if (s->accepted_kept)
		return "judged by stored times alone";
	return undecided ? "stored times cannot decide, and were not compared in pairs instead" : "not compared in pairs instead";
}

/* True if a flagged gate is on a time or rate. A count needs no pairs to be believed, so their lack needs no note. */
static bool flagged_times(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (judge_pairs_wants_confirming(s, &s->gates[i]) && !metric_counted(s->gates[i].gate.metric))
			return true;
	return false;
}

static void note_unconfirmed(struct confirm *c, struct scenario_result *s, const struct base *base, const char *why)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	bool cause = wants_cause(c->request, s);

	if (!cause && !flagged_times(s))
		return;
	escape_shell(&name, s->name);
	NOTE(&s->head, "%s: %s; compare in pairs: pawl run %s --base %.12s%s", cause ? "its cause was not looked for" : what_is_open(s),
	     why, name.buf, base->commit ?: c->project->by.commit ?: "REF", cause ? " --explain" : "");
}

/* -------- the bases */

/* A session of an uncommitted tree, or of a first commit, has the commit that added it. */
static int find_commit(struct project *project, const struct project_baseline *accepted, char **out, struct error *err)
{
	const struct baseline_session *last = baseline_last(&accepted->baseline);
	CLEANUP(free_ptr) char *path = text_printf("%s/%s", accepted->baseline.scenario, accepted->file);

	if (last->commit && !strchr(last->commit, '+'))
		return git_find(&project->request->git, project->root, last->commit, out, err);
	return git_brought(&project->request->git, project->root, (struct git_line){ project->baselines_dir, path, last->date }, out, err);
}

/* Every time is then judged in pairs with the build that was accepted, however old: many small changes add up. */
static void find_accepted(struct confirm *c, struct scenario_result *s, struct base *out)
{
	struct project_baseline *accepted;
	const struct baseline_session *last;

	if (!c->kept || s->head.state != SCENARIO_MEASURED ||
	    project_baseline(c->project, s->name, &c->all->run.result.machine, &accepted, NULL) != 1)
		return;
	last = baseline_last(&accepted->baseline);
	out->kept = last->measurement ? kept_find_accepted(c->kept, last->measurement) : NULL;
	if (!out->kept)
		return;
	s->accepted_kept = true;
	out->accepted = &accepted->baseline;
	out->label = text_printf("the accepted build of %.20s", last->commit ?: last->date ?: "another day");
}

static int find_base(struct confirm *c, const struct scenario_result *s, struct base *out, struct error *err)
{
	const struct judged_by *by = &c->project->by;
	struct project_baseline *accepted;
	bool known = project_baseline(c->project, s->name, &c->all->run.result.machine, &accepted, NULL) == 1;

	out->accepted = known ? &accepted->baseline : NULL;
	if (!c->project->config.build.argv.n)
		return error_set(err, ERR_INPUT, "pawl.yaml does not say how to build the base (build:)");
	if (!by->commit && !known)
		return error_set(err, ERR_INPUT, "it has no baseline");
	if (by->commit)
		out->commit = xstrdup(by->commit);
	else if (find_commit(c->project, accepted, &out->commit, err) < 0)
		return -1;
	out->label = text_printf("%s (%.12s)", by->ref ?: "the baseline's commit", out->commit);
	return 0;
}

static bool same_base(const struct base *a, const struct base *b)
{
	return a->kept || b->kept ? text_same(a->kept, b->kept) : a->commit && text_same(a->commit, b->commit);
}

/* -------- one base, with all scenarios that want it */

/* COMMIT NULL: the files are those of no commit. */
static int compare(struct confirm *c, const struct base *base, const char *root, const char *commit, struct error *err)
{
	struct lifecycle *run = &c->all->run;
	struct result *result = &run->result;
	CLEANUP(free_ptr) struct pairs_job *jobs = xcalloc(result->n_scenarios, sizeof *jobs);
	struct pairs pairs = {
		.run = run, .out_dir = c->out_dir, .base = { root, base->label, commit },
		.head = { c->project->root, "working tree", NULL }, .seed = c->seed,
		.gates = project_paired_gates(c->project, &result->arena, &result->notes),
		.confirming = true, .compares_work = true,
	};
	size_t n = 0, explaining = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario *s = project_scenario(c->project, result->scenarios[i].name);

		if (!s || !same_base(base, &c->bases[i]))
			continue;
		jobs[n] = (struct pairs_job){
			.base = s, .head = s, .result = &result->scenarios[i], .accepted = c->bases[i].accepted,
			.spent_ns = c->all->spent_ns[i],
			.explaining = wants_cause(c->request, &result->scenarios[i]),
		};
		explaining += jobs[n++].explaining;
	}
	if (n > explaining)
		console_say(c->request, "%s %zu scenario%s in pairs %s %s\n", base->kept ? "comparing" : "confirming", n - explaining,
			    n - explaining == 1 ? "" : "s", base->kept ? "with" : "against", base->label);
	if (explaining)
		console_say(c->request, "looking for the cause of %zu scenario%s in pairs against %s\n", explaining, explaining == 1 ? "" : "s",
			    base->label);
	progress_begin(&run->progress, c->request, n);
	run->progress.confirming = true;
	return pairs_measure(&pairs, jobs, n, err);
}

static int confirm_against(struct confirm *c, const struct base *base, struct error *err)
{
	struct tree tree = { 0 };
	int ret = base->kept ? trees_get_accepted(&c->builds.trees, base->kept, &tree, err) : trees_get(&c->builds.trees, base->commit, &tree, err);

	/* The head is not built again, since its program is the one that was flagged. */
	if (ret == 0)
		ret = compare(c, base, tree.root, tree.dirty ? NULL : tree.commit, err);
	trees_put(&c->builds.trees, &tree);
	return ret;
}

static void find_base_of(struct confirm *c, struct scenario_result *s, struct base *out, bool accepted)
{
	struct error why = ERROR_INIT;

	s->accepted_kept = false;
	if (accepted)
		find_accepted(c, s, out);
	if (!wants_pairs(c, s))
		base_release(out);
	else if (!out->kept && find_base(c, s, out, &why) < 0)
		note_unconfirmed(c, s, out, why.msg);
}

static void give_up(struct confirm *c, size_t i, const char *why)
{
	struct base base = { .commit = c->bases[i].commit ? xstrdup(c->bases[i].commit) : NULL, .kept = c->bases[i].kept ? xstrdup(c->bases[i].kept) : NULL };

	for (size_t k = i; k < c->all->run.result.n_scenarios; k++) {
		struct scenario_result *s = &c->all->run.result.scenarios[k];

		if (!same_base(&base, &c->bases[k]))
			continue;
		note_unconfirmed(c, s, &c->bases[k], why);
		base_release(&c->bases[k]);
		/* A commit may still serve those that stored times flagged. */
		if (base.kept)
			find_base_of(c, s, &c->bases[k], false);
	}
	base_release(&base);
}

static void confirm_all(struct confirm *c)
{
	struct lifecycle *run = &c->all->run;
	size_t n = run->result.n_scenarios;

	for (size_t i = 0; i < n && !run->interrupted; i++) {
		struct base *base = &c->bases[i];
		bool kept = base->kept != NULL;
		struct error why = ERROR_INIT;

		if (!base->commit && !kept)
			continue;
		if (file_make_dirs(c->out_dir, &why) == 0 && confirm_against(c, base, &why) == 0) {
			for (size_t k = n; k-- > i;)
				if (same_base(base, &c->bases[k]))
					base_release(&c->bases[k]);
		} else if (why.kind == ERR_INTERRUPTED) {
			run->interrupted = why.sys;
		} else {
			give_up(c, i, why.msg);
			/* With another base, once. */
			i -= kept;
		}
	}
}

void confirm_flagged(struct run_all *all, struct project *project)
{
	struct request *request = project->request;
	struct lifecycle *run = &all->run;
	struct confirm c = { .all = all, .project = project, .request = request, .seed = pairs_seed(request) };
	uint64_t start = clock_now_ns();
	bool any = false;

	if (request->no_confirm || request->counts || run->interrupted || all->kept.pid || request->attach)
		return;
	c.bases = xcalloc(run->result.n_scenarios + 1, sizeof *c.bases);
	c.out_dir = file_join(run->result.out_dir, "confirm");
	builds_init(&c.builds, project, request, run->session.scratch, c.out_dir);
	if (project->config.build.argv.n)
		c.kept = trees_folder(&c.builds.trees, NULL);
	for (size_t i = 0; i < run->result.n_scenarios; i++) {
		find_base_of(&c, &run->result.scenarios[i], &c.bases[i], true);
		any |= c.bases[i].commit || c.bases[i].kept;
	}
	confirm_all(&c);
	for (size_t i = 0; i < run->result.n_scenarios; i++) {
		judge_note_sides(&run->result, &run->result.scenarios[i]);
		base_release(&c.bases[i]);
	}
	free(c.bases);
	free(c.out_dir);
	free(c.kept);
	if (!any)
		return;
	lifecycle_say(request, "confirmation, with building the base,", start);
	run->result.partial = run->interrupted != 0;
	run->result.elapsed_s += (double)(clock_now_ns() - start) / 1e9;
	result_settle(&run->result);
}
