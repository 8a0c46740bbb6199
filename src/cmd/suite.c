#include "cmd/suite.h"

#include <errno.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "cmd/code.h"
#include "cmd/profiling.h"
#include "cmd/progress.h"
#include "gate/result_json.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "measure/git.h"
#include "measure/live.h"
#include "measure/noise.h"
#include "measure/outdir.h"
#include "measure/ports.h"
#include "measure/simulate.h"
#include "report/report.h"

/* -------- what one scenario needs */

static const char *missing_program(const struct scenario *s, const char *root)
{
	for (size_t i = 0; i < s->requires.n; i++) {
		CLEANUP(free_ptr) char *path = file_find_program(s->requires.items[i], root);

		if (!path)
			return s->requires.items[i];
	}
	return NULL;
}

static bool wants_simulation(const struct scenario *s, const struct machine *machine)
{
	if (s->measure.counters == COUNTERS_SIM)
		return true;
	if (s->measure.counters == COUNTERS_PERF || s->target_kind != TARGET_COMMAND)
		return false;
	for (size_t i = 0; i < s->gates.n; i++) {
		const struct metric *m = s->gates.items[i].metric;

		if (m->source == SOURCE_SIMULATED || (m->simulated && !tier_has_hardware(machine->tier)))
			return true;
	}
	return false;
}

static void fail(struct scenario_result *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct scenario_result *out, const char *fmt, ...)
{
	struct strbuf words = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&words, fmt, args);
	va_end(args);
	out->state = SCENARIO_FAILED;
	out->failure = strbuf_take(&words);
}

static void note_unknown_work(const struct scenario *s, struct scenario_result *out)
{
	size_t i = 0;

	if (s->target_kind == TARGET_COMMAND || s->load.as != WORK_UNKNOWN)
		return;
	while (i < s->gates.n && !(s->gates.items[i].relative && metric_grows_with_work(s->gates.items[i].metric)))
		i++;
	if (i < s->gates.n)
		strv_pushf(&out->notes, "nothing tells how much work was done (load.work), so %s is that of a whole window: a busy "
			   "server that became slower does less in it and takes the same", s->gates.items[i].metric->name);
}

static void describe(const struct scenario *s, struct scenario_result *out)
{
	out->path = xstrdup(s->path);
	out->description = xstrdup(s->description);
	plan_settings(s, &out->settings);
	if (s->load.as != WORK_UNKNOWN)
		out->work_unit = xstrdup(s->load.unit ?: "unit of work");
	for (size_t i = 0; i < s->n_metrics; i++)
		scenario_result_define(out, s->metrics[i].metric);
	for (size_t i = 0; i < s->gates.n; i++)
		scenario_result_add_gate(out, &s->gates.items[i]);
	scenario_result_gate_symbols(out, &s->gates.symbols, s->gates.budgets, s->gates.n_budgets);
	note_unknown_work(s, out);
}

/* -------- measuring one */

struct session_ctx {
	struct suite *suite;
	struct project *project;
	struct invocation *inv;
	struct rig rig;
	struct progress progress;
};

static bool more_stored(void *ctx, const struct scenario_result *so_far, unsigned complete)
{
	(void)so_far;
	return complete < *(const unsigned *)ctx;
}

static int loop_scenario(struct session_ctx *c, const struct plan *plan, const char *log_dir,
			 struct scenario_result *out, struct error *err)
{
	const struct scenario *s = plan->scenario;
	const struct options *o = &c->inv->options;
	unsigned runs = o->runs ? (unsigned)o->runs : s->measure.runs;
	struct live live = { .rig = &c->rig, .log_dir = log_dir, .words = STRBUF_INIT, .target = STRBUF_INIT,
			     .keep_env = o->keep_env, .progress = progress_step, .progress_ctx = &c->progress };
	struct profiling profiling = { 0 };
	struct loop_ops ops = live_ops(&live);
	struct loop_decider decider = { .more = more_stored, .ctx = &runs };
	struct loop_options options = {
		.runs_wanted = runs,
		.budget_ns = o->budget_ns ? o->budget_ns : s->measure.budget_ns,
		.counters = s->measure.counters == COUNTERS_SIM ? 0 : c->rig.machine.counters,
		.perf = c->rig.machine.tier != TIER_SIM,
		.simulate = wants_simulation(s, &c->rig.machine) && simulate_available(),
		.profile = profiling_wanted(s, o, &c->rig.machine, out),
	};
	int ret;

	live.profile = profiling_wish(&profiling, s, log_dir);
	ret = runloop(plan, &options, &ops, &decider, out, err);
	if (ret == 0)
		profiling_finish(&profiling, &live.taken, out);
	profiling_release(&profiling);
	if (live.kept) {
		c->suite->kept_env = live.kept;
		strv_copy(&c->suite->kept_services, &live.kept_services);
	}
	live_finish(&live);
	return ret;
}

static int find_user(const char *name, uid_t *out, struct error *err)
{
	const struct passwd *user = getpwnam(name);

	if (!user)
		return error_set(err, ERR_INPUT, "there is no user '%s' on this machine", name);
	*out = user->pw_uid;
	return 0;
}

/* ${tmp} is for the target and the services to work in, whoever they run as. */
static int give_to_users(const struct scenario *s, const char *path, struct error *err)
{
	uid_t owner = geteuid(), uid = owner;
	bool several = false;

	for (size_t i = 0; i <= s->n_services; i++) {
		bool target = i == s->n_services;
		const char *name = target ? s->target_user : s->services[i].user;

		if (!name)
			continue;
		if (find_user(name, &uid, err) < 0)
			return target ? error_wrap(err, "target.user") : error_wrap(err, "service %s", s->services[i].name);
		several = several || (owner != geteuid() && owner != uid);
		owner = uid;
	}
	if (geteuid() == 0 && owner != geteuid() && chown(path, owner, (gid_t)-1) < 0)
		return error_sys(err, errno, "cannot give %s to user %u", path, (unsigned)owner);
	if (several)
		chmod(path, 01777);
	return 0;
}

static int plan_and_loop(struct session_ctx *c, const struct scenario *s, struct scenario_result *out,
			 struct error *err)
{
	CLEANUP(free_ptr) char *path = s->path[0] == '/' ? xstrdup(s->path) : file_join(c->project->root, s->path);
	CLEANUP(free_ptr) char *dir = xstrndup(path, (size_t)(strrchr(path, '/') - path));
	CLEANUP(free_ptr) char *log_dir = file_join(c->suite->result.out_dir, s->name);
	CLEANUP(free_ptr) char *tmp = file_join(c->rig.scratch, s->name);
	struct ports ports = { .attached = c->inv->options.attach ? (pid_t)strtol(c->inv->options.attach, NULL, 10) : 0 };
	struct plan_context context = {
		.root = c->project->root, .scenario_dir = dir, .out = log_dir, .tmp = tmp,
		.port = ports_get, .ctx = &ports,
	};
	struct plan plan;
	int ret = -1;

	if (file_make_dirs(log_dir, err) < 0 || file_make_dirs(tmp, err) < 0)
		return -1;
	if (give_to_users(s, tmp, err) < 0)
		return -1;
	if (plan_build(s, &context, &plan, err) == 0) {
		out->executable = code_identity(&plan);
		ret = loop_scenario(c, &plan, log_dir, out, err);
		plan_release(&plan);
	}
	/* A folder that can be removed holds no log to point at. */
	if (out->state == SCENARIO_FAILED && rmdir(log_dir) < 0)
		out->log_path = take_ptr(&log_dir);
	ports_release(&ports);
	if (!c->suite->kept_env)
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
	const char *missing = missing_program(s, c->project->root);
	struct error why = ERROR_INIT;

	describe(s, out);
	if (c->suite->interrupted)
		return;
	progress_scenario(&c->progress, s->name);
	if (missing) {
		fail(out, "requires %s, which is not installed (sudo apt-get install %s, or tools/setup.sh)", missing, missing);
	} else if (plan_and_loop(c, s, out, &why) < 0) {
		if (why.kind == ERR_INTERRUPTED)
			c->suite->interrupted = why.sys;
		else
			fail(out, "%s", why.msg);
	}
	say_done(c, out);
}

/* -------- the whole */

static bool only_simulated(const struct project *project)
{
	for (size_t i = 0; i < project->n_scenarios; i++)
		if (project->scenarios[i].measure.counters != COUNTERS_SIM)
			return false;
	return project->n_scenarios > 0;
}

static int make_out_dir(struct suite *suite, const struct project *project, const struct options *o, struct error *err)
{
	if (o->out) {
		suite->result.out_dir = file_absolute(o->out);
		return file_make_dirs(suite->result.out_dir, err);
	}
	suite->parent = file_join(project->root, project->config.out);
	if (file_refuse_link(suite->parent, err) < 0)
		return error_wrap(err, "use --out DIR");
	return outdir_make(suite->parent, suite->result.commit, &suite->result.out_dir, err);
}

static void note_ref(struct suite *suite, const struct project *project)
{
	if (project->commit)
		strv_pushf(&suite->result.notes, "baselines and scenarios are those of %s (%.12s)", project->ref, project->commit);
	for (size_t i = 0; i < project->edited.n; i++)
		strv_pushf(&suite->result.notes, "this change edits %s; the version of %s was used",
			   project->edited.items[i], project->ref);
}

static void note_noise(struct session_ctx *c, const struct noise *before, double own_before_ms)
{
	struct noise after;
	unsigned cpus = c->rig.machine.cpus;
	double own_ms = c->inv->keeper.cpu_ms - own_before_ms;

	noise_read(&after);
	noise_notes(before, &after, own_ms, cpus, &c->rig.machine.notes);
	noise_busy(before, &after, own_ms, cpus, &c->suite->result.busy);
	machine_release(&c->suite->result.machine);
	machine_copy(&c->suite->result.machine, &c->rig.machine);
}

static void measure_all(struct session_ctx *c)
{
	struct noise before;
	uint64_t start = clock_now_ns();
	double own_ms = c->inv->keeper.cpu_ms;

	noise_read(&before);
	progress_begin(&c->progress, c->inv, c->project->n_scenarios);
	for (size_t i = 0; i < c->project->n_scenarios; i++)
		measure_scenario(c, &c->project->scenarios[i]);
	note_noise(c, &before, own_ms);
	c->suite->result.elapsed_s = (double)(clock_now_ns() - start) / 1e9;
	c->suite->result.partial = c->suite->interrupted != 0;
}

static void say_waiting(void *ctx, const char *holder)
{
	cmd_say(ctx, "another pawl (%s) is measuring; waiting for it\n", holder);
}

static int open_rig(struct session_ctx *c, struct error *err)
{
	struct rig_options options = {
		.lock_wait_ns = c->inv->options.lock_wait_ns,
		.without_perf = only_simulated(c->project),
		.waiting = say_waiting,
		.ctx = c->inv,
	};

	return rig_open(&c->rig, &c->inv->keeper, &options, err);
}

int suite_measure(struct suite *suite, struct project *project, struct invocation *inv, struct error *err)
{
	struct session_ctx c = { .suite = suite, .project = project, .inv = inv };
	struct result *r = &suite->result;
	int ret;

	*suite = (struct suite){ 0 };
	r->mode = xstrdup("stored");
	r->command = xstrdup(inv->line);
	r->date = utc_now();
	r->pawl = xstrdup(PAWL_VERSION);
	r->commit = git_commit(&inv->keeper, project->root);
	r->strict = inv->options.strict;
	note_ref(suite, project);
	if (open_rig(&c, err) < 0)
		return -1;
	ret = make_out_dir(suite, project, &inv->options, err);
	if (ret == 0)
		measure_all(&c);
	rig_close(&c.rig);
	return ret;
}

static int write_report(const struct suite *suite, const char *name, report_fn *render, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(suite->result.out_dir, name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	render(&suite->result, &(struct report_options){ 0 }, &text);
	return file_write(path, text.buf, text.len, err);
}

int suite_leave(struct suite *suite, struct error *err)
{
	if (write_report(suite, "result.json", report_json, err) < 0 ||
	    write_report(suite, "report.md", report_markdown, err) < 0 ||
	    write_report(suite, "report.html", report_html, err) < 0 ||
	    write_report(suite, "junit.xml", report_junit, err) < 0)
		return -1;
	if (suite->parent)
		outdir_prune(suite->parent);
	return 0;
}

void suite_release(struct suite *suite)
{
	result_release(&suite->result);
	free(suite->parent);
	strv_release(&suite->kept_services);
	*suite = (struct suite){ 0 };
}
