#include "cmd/suite.h"

#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "cmd/calibrations.h"
#include "cmd/code.h"
#include "cmd/outcome.h"
#include "cmd/profiling.h"
#include "cmd/progress.h"
#include "cmd/scene.h"
#include "measure/files.h"
#include "measure/live.h"
#include "measure/ports.h"
#include "measure/simulate.h"

/* -------- measuring one */

struct session_ctx {
	struct suite *suite;
	struct project *project;
	struct invocation *inv;
	struct rig rig;
	struct progress progress;
};

static int loop_scenario(struct session_ctx *c, const struct plan *plan, const char *log_dir,
			 struct scenario_result *out, struct error *err)
{
	const struct scenario *s = plan->scenario;
	const struct options *o = &c->inv->options;
	unsigned runs = o->runs ? (unsigned)o->runs : s->measure.runs;
	struct live live = { .rig = &c->rig, .log_dir = log_dir, .words = STRBUF_INIT, .target = STRBUF_INIT,
			     .keep_env = o->keep_env, .progress = progress_step, .progress_ctx = &c->progress };
	struct profiling profiling = { 0 };
	struct loop_side side = { .plan = plan, .ops = live_ops(&live), .result = out };
	struct loop_options options = {
		.budget_ns = o->budget_ns ? o->budget_ns : s->measure.budget_ns,
		.counters = s->measure.counters == COUNTERS_SIM ? 0 : c->rig.machine.counters,
		.perf = c->rig.machine.tier != TIER_SIM,
		.simulate = scene_wants_simulation(s, &c->rig.machine) && simulate_available(),
	};
	bool profiles = profiling_wanted(s, o, &c->rig.machine, out);
	struct loop *loop = loop_new(&side, 1, &options);
	int ret;

	live.profile = profiling_wish(&profiling, s, log_dir);
	ret = loop_measure(loop, runs, 0, err);
	if (ret == 0)
		ret = loop_simulate(loop, err);
	if (ret == 0 && profiles)
		ret = loop_profile(loop, err);
	loop_free(loop);
	if (ret == 0)
		profiling_finish(&profiling, &live.taken, out);
	c->suite->pruned[out - c->suite->result.scenarios] = profiling.pruned;
	profiling.pruned = (struct stacks)STACKS_INIT;
	profiling_release(&profiling);
	if (live.kept) {
		c->suite->kept_env = live.kept;
		strv_copy(&c->suite->kept_services, &live.kept_services);
	}
	live_finish(&live);
	return ret;
}

/* -------- an environment that is kept */

/*
 * Beside the folder that is ${tmp}, and named like it: the ports of a kept environment. Whoever attaches to one of its processes
 * gets that folder and these ports by PAWL_KEPT, since no process tells which of its ports had which name.
 */
#define KEPT_SUFFIX ".kept"
enum { KEPT_MOST = 64 << 10 };

static void leave_kept(struct suite *suite, const char *tmp, const struct ports *ports, struct strv *notes)
{
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct error why = ERROR_INIT;

	strbuf_addf(&path, "%s" KEPT_SUFFIX, tmp);
	ports_text(ports, &text);
	if (file_write(path.buf, text.buf ?: "", text.len, &why) < 0)
		strv_pushf(notes, "its folder and ports could not be noted for --attach: %s", why.msg);
	else
		suite->kept_file = strbuf_take(&path);
}

/* The file that PAWL_KEPT names; NULL: what is attached to is nobody's kept environment. */
static const char *kept_file(const struct invocation *inv)
{
	const char *file = getenv("PAWL_KEPT");

	return inv->options.attach && file && *file ? file : NULL;
}

/* *TMP becomes the folder of the kept environment in FILE, and PORTS get its ports. */
static int use_kept(const char *file, char **tmp, struct ports *ports, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t len = strlen(file), suffix = strlen(KEPT_SUFFIX);

	if (len <= suffix || strcmp(file + len - suffix, KEPT_SUFFIX) != 0)
		return error_set(err, ERR_INPUT, "PAWL_KEPT: expected the file that --keep-env printed, found '%.200s'", file);
	if (file_read(file, KEPT_MOST, &text, err) < 0 || ports_parse(text.buf ?: "", ports, err) < 0)
		return error_wrap(err, "PAWL_KEPT: is the environment still kept?");
	free(*tmp);
	*tmp = xstrndup(file, len - suffix);
	return 0;
}

static int plan_and_loop(struct session_ctx *c, const struct scenario *s, struct scenario_result *out,
			 struct error *err)
{
	CLEANUP(free_ptr) char *dir = scene_folder(s, c->project->root);
	CLEANUP(free_ptr) char *log_dir = file_join(c->suite->result.out_dir, s->name);
	CLEANUP(free_ptr) char *tmp = file_join(c->rig.scratch, s->name);
	const char *kept = kept_file(c->inv);
	CLEANUP(ports_release) struct ports ports = { .attached = c->inv->options.attach ? (pid_t)strtol(c->inv->options.attach, NULL, 10) : 0 };
	struct plan_context context = {
		.root = c->project->root, .scenario_dir = dir, .out = log_dir, .tmp = tmp,
		.port = ports_get, .ctx = &ports,
	};
	struct plan plan;
	int ret = -1;

	if (kept && use_kept(kept, &tmp, &ports, err) < 0)
		return -1;
	context.tmp = tmp;
	if (file_make_dirs(log_dir, err) < 0 || file_make_dirs(tmp, err) < 0)
		return -1;
	if (scene_give_to_users(s, tmp, err) < 0)
		return -1;
	if (plan_build(s, &context, &plan, err) == 0) {
		out->executable = code_identity(&plan);
		ret = loop_scenario(c, &plan, log_dir, out, err);
		if (c->suite->kept_env)
			leave_kept(c->suite, tmp, &ports, &out->notes);
		plan_release(&plan);
	}
	/* A folder that can be removed holds no log to point at. */
	if (out->state == SCENARIO_FAILED && rmdir(log_dir) < 0)
		out->log_path = take_ptr(&log_dir);
	if (!c->suite->kept_env && !kept)
		file_remove_tree(tmp, NULL);
	return ret;
}

static void say_done(struct session_ctx *c, const struct scenario_result *out)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	if (out->state == SCENARIO_FAILED)
		strbuf_addf(&words, "FAILED: %s", out->failure);
	else
		strbuf_addf(&words, "%zu %s%s%s", out->n_runs, out->attached ? "window" : "run",
			    out->n_runs == 1 ? "" : "s",
			    out->state == SCENARIO_PARTIAL ? ", then interrupted" : "");
	progress_done(&c->progress, out->name, words.buf);
}

static void measure_scenario(struct session_ctx *c, const struct scenario *s)
{
	struct scenario_result *out = result_add_scenario(&c->suite->result, s->name);
	struct error why = ERROR_INIT;

	scene_describe(s, out);
	if (c->suite->interrupted)
		return;
	progress_scenario(&c->progress, s->name);
	if (scene_need_programs(s, c->project->root, out) == 0 && plan_and_loop(c, s, out, &why) < 0) {
		if (why.kind == ERR_INTERRUPTED)
			c->suite->interrupted = why.sys;
		else
			scene_fail(out, "%s", why.msg);
	}
	say_done(c, out);
}

/* -------- the whole */

static void measure_all(struct session_ctx *c)
{
	struct outcome_watch watch;

	outcome_watch(&watch, c->inv);
	progress_begin(&c->progress, c->inv, c->project->n_scenarios);
	c->suite->pruned = xcalloc(c->project->n_scenarios + 1, sizeof *c->suite->pruned);
	for (size_t i = 0; i < c->project->n_scenarios; i++)
		measure_scenario(c, &c->project->scenarios[i]);
	outcome_watched(&watch, c->inv, &c->rig, &c->suite->result);
	c->suite->result.partial = c->suite->interrupted != 0;
}

int suite_measure(struct suite *suite, struct project *project, struct invocation *inv, struct error *err)
{
	struct session_ctx c = { .suite = suite, .project = project, .inv = inv };
	struct result *r = &suite->result;
	int ret;

	*suite = (struct suite){ .refuse_busy = suite->refuse_busy };
	outcome_begin(r, "stored", inv, project->root);
	judged_by_copy(&r->judged_by, &project->by);
	if (outcome_rig(&c.rig, inv, project_only_simulated(project), err) < 0)
		return -1;
	calibrations_apply(project, &c.rig.machine);
	/* Behind the lock: another pawl that measures is waited for. */
	ret = suite->refuse_busy ? noise_refuse_busy(c.rig.machine.cpus, &inv->interrupt, err) : 0;
	if (ret == 0)
		ret = outcome_folder(r, &inv->options, project->root, project->config.out, &suite->parent, err);
	if (ret == 0)
		measure_all(&c);
	rig_close(&c.rig);
	return ret;
}

int suite_leave(struct suite *suite, struct error *err)
{
	return outcome_leave(&suite->result, suite->parent, err);
}

void suite_release(struct suite *suite)
{
	for (size_t i = 0; suite->pruned && i < suite->result.n_scenarios; i++)
		stacks_release(&suite->pruned[i]);
	free(suite->pruned);
	result_release(&suite->result);
	free(suite->parent);
	strv_release(&suite->kept_services);
	free(suite->kept_file);
	*suite = (struct suite){ 0 };
}
