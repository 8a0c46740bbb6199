#include "cmd/shared/shared.h"

#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/git/git.h"
#include "measure/perf/perf.h"
#include "measure/process/process.h"
#include "measure/run/run.h"
#include "measure/services/services.h"
#include "profile/flame.h"
#include "profile/shares.h"
#include "profile/stacks.h"
#include "report/report.h"
#include "scenario/scenario.h"

/* -------- a scenario before it is measured */

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

void setup_fail(struct side_result *out, const char *fmt, ...)
{
	struct strbuf words = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&words, fmt, args);
	va_end(args);
	out->state = SCENARIO_FAILED;
	free(out->failure);
	out->failure = strbuf_take(&words);
}

static const char *missing_program(const struct scenario *s, const char *root)
{
	for (size_t i = 0; i < s->requires.n; i++) {
		CLEANUP(free_ptr) char *path = file_find_program(s->requires.items[i], root);

		if (!path)
			return s->requires.items[i];
	}
	return NULL;
}

int setup_need_programs(const struct scenario *s, const char *root, struct side_result *out)
{
	const char *missing = missing_program(s, root);

	if (!missing)
		return 0;
	setup_fail(out, "requires %s, which is not installed (sudo apt-get install %s, or tools/setup.sh)", missing, missing);
	return -1;
}

static void note_unknown_work(const struct scenario *s, struct scenario_result *out)
{
	size_t i = 0;

	if (s->target_kind == TARGET_COMMAND || s->load.as != WORK_UNKNOWN)
		return;
	while (i < s->gates.n && !(s->gates.items[i].relative && metric_grows_with_work(s->gates.items[i].metric)))
		i++;
	if (i < s->gates.n)
		strv_pushf(&out->head.notes, "nothing tells how much work was done (load.work), so %s is that of a whole window: a busy "
			   "server that became slower does less in it and takes the same", s->gates.items[i].metric->name);
}

void setup_describe_side(const struct scenario *s, struct side_result *out)
{
	if (s->load.as != WORK_UNKNOWN && !out->work_unit)
		out->work_unit = xstrdup(s->load.unit ?: "unit of work");
	for (size_t i = 0; i < s->n_metrics; i++)
		side_result_define(out, s->metrics[i].metric);
}

void setup_describe(const struct scenario *s, struct scenario_result *out)
{
	out->path = xstrdup(s->path);
	out->description = xstrdup(s->description);
	out->measurement = identity_new();
	plan_settings(s, &out->settings);
	if (s->target_kind == TARGET_COMMAND)
		child_variables(&s->target_pass, &out->variables);
	setup_describe_side(s, &out->head);
	for (size_t i = 0; i < s->gates.n; i++)
		scenario_result_add_gate(out, &s->gates.items[i]);
	scenario_result_gate_symbols(out, &s->gates.symbols, s->gates.budgets, s->gates.n_budgets);
	note_unknown_work(s, out);
}

/* The folder that its file lies in, where ROOT is what relative paths start from; for free(). */
static char *folder_of(const struct scenario *s, const char *root)
{
	CLEANUP(free_ptr) char *path = s->path[0] == '/' ? xstrdup(s->path) : file_join(root, s->path);

	return path_parent(path);
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

/* -------- the lifecycle of a result */

void lifecycle_begin(struct result *result, enum result_mode mode, struct invocation *inv, const char *root)
{
	*result = (struct result){
		.mode = mode,
		.date = utc_now(),
		.pawl = xstrdup(PAWL_VERSION),
		.commit = git_commit(&inv->git, root),
		.strict = inv->options.strict,
	};
	strv_copy(&result->command, &inv->words);
	cmd_shaping_options(&inv->words, &result->options);
}

static void say_waiting(void *ctx, const char *holder)
{
	cmd_message(ctx, "another pawl (%s) is measuring; waiting for it\n", holder);
}

int lifecycle_session(struct session *session, struct invocation *inv, bool without_perf, struct error *err)
{
	struct session_options options = {
		.lock_wait_ns = inv->options.lock_wait_ns,
		.without_perf = without_perf,
		.waiting = say_waiting,
		.ctx = inv,
	};

	/* Git was asked before, and some of its errors are nobody's to hear: an interrupt may have been among them. */
	return interrupt_check(&inv->interrupt, err) < 0 ? -1 : session_open(session, &inv->keeper, &options, err);
}

/* Reports that lie there already, which somebody may have made beforehand, are not to be taken for this run's. */
static int remove_old(const char *dir, struct error *err)
{
	static const char *const names[] = { "result.json", "report.md", "report.html", "junit.xml" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		CLEANUP(free_ptr) char *path = file_join(dir, names[i]);

		if (file_remove_tree(path, err) < 0)
			return -1;
	}
	return 0;
}

int lifecycle_folder(struct result *result, const struct options *options, const char *root, const char *folder,
		   char **parent_out, struct error *err)
{
	CLEANUP(free_ptr) char *parent = NULL;

	if (options->out) {
		result->out_dir = file_absolute(options->out);
		if (file_refuse_links(root, result->out_dir, err) < 0)
			return error_wrap(err, "--out");
		return file_make_dirs(result->out_dir, err) < 0 ? -1 : remove_old(result->out_dir, err);
	}
	parent = file_join(root, folder);
	if (file_refuse_links(root, parent, err) < 0)
		return error_wrap(err, "use --out DIR");
	if (outdir_make(parent, result->commit, &result->out_dir, err) < 0)
		return -1;
	*parent_out = take_ptr(&parent);
	return 0;
}

/* -------- the noise */

void lifecycle_watch(struct lifecycle_watch *watch, const struct invocation *inv)
{
	watch->start_ns = clock_now_ns();
	watch->own_ms = inv->keeper.cpu_ms;
	watch->others = (struct strv)STRV_INIT;
	lock_others(&watch->others);
	noise_read(&watch->before);
}

/* A pawl that measures by leave of another one's lock is the other one's. */
static void note_others(struct lifecycle_watch *watch, struct session *session)
{
	lock_others(&watch->others);
	for (size_t i = 0; session->lock_fd >= 0 && i < watch->others.n; i++)
		strv_pushf(&session->machine.notes, "another pawl (%s) was measuring too, under a lock of its own: give both the same "
			   "XDG_RUNTIME_DIR", watch->others.items[i]);
	strv_release(&watch->others);
}

void lifecycle_watched(struct lifecycle_watch *watch, const struct invocation *inv, struct session *session, struct result *result)
{
	struct noise after;
	unsigned cpus = session->machine.cpus;
	double own_ms = inv->keeper.cpu_ms - watch->own_ms;

	noise_read(&after);
	note_others(watch, session);
	noise_describe(&watch->before, &after, own_ms, cpus, &session->machine.notes, &result->busy);
	machine_release(&result->machine);
	machine_copy(&result->machine, &session->machine);
	result->elapsed_s = (double)(clock_now_ns() - watch->start_ns) / 1e9;
}

/* -------- what is left */

static int write_report(const struct result *result, const char *name, report_fn *render, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(result->out_dir, name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	render(result, &(struct report_options){ 0 }, &text);
	return file_write(path, text.buf, text.len, err);
}

int lifecycle_leave(const struct result *result, const char *parent, struct error *err)
{
	if (write_report(result, "result.json", report_json, err) < 0 ||
	    write_report(result, "report.md", report_markdown, err) < 0 ||
	    write_report(result, "report.html", report_html, err) < 0 ||
	    write_report(result, "junit.xml", report_junit, err) < 0)
		return -1;
	if (parent)
		outdir_prune(parent);
	return 0;
}

/* -------- progress */

/* Redrawing costs a wake-up of the terminal next to the measured program. */
#define REDRAW_NS (200 * NS_PER_MS)

static const char clear_line[] = "\r\033[K";

static const char *const phases[] = {
	[PHASE_SETUP] = "setup", [PHASE_ENV] = "starting", [PHASE_WARMUP] = "warm-up", [PHASE_RUN] = "run",
	[PHASE_SIMULATE] = "simulating under valgrind", [PHASE_PROFILE] = "profiled run", [PHASE_CLEANUP] = "cleanup",
};

void progress_begin(struct progress *progress, const struct invocation *inv, size_t scenarios)
{
	const char *term = getenv("TERM"), *github = getenv("GITHUB_ACTIONS");

	*progress = (struct progress){
		.inv = inv,
		.of = scenarios,
		.terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb"),
		.github = github && !strcmp(github, "true"),
	};
}

void progress_scenario(struct progress *progress, const char *name)
{
	progress->at++;
	progress->open = progress->pairs = false;
	progress->shown_ns = 0;
	if (progress->github) {
		cmd_message_raw(progress->inv, "::group::");
		cmd_message(progress->inv, "pawl: %s (%zu of %zu)\n", name, progress->at, progress->of);
	}
}

static const char *phase_name(const struct loop_progress *step)
{
	if (step->pairs)
		return "pair";
	if (step->windows && step->phase == PHASE_PROFILE)
		return "profiled window";
	return step->windows && step->phase == PHASE_RUN ? "window" : phases[step->phase];
}

static void draw(struct progress *p, const struct loop_progress *step)
{
	cmd_message_raw(p->inv, clear_line);
	cmd_message(p->inv, "[%zu/%zu] %s: %s", p->at, p->of, step->scenario, phase_name(step));
	if (step->what)
		cmd_message(p->inv, " %s", step->what);
	if (step->run)
		cmd_message(p->inv, " %u", step->run);
	if (step->of)
		cmd_message(p->inv, " of %u", step->of);
	if (step->left_ns)
		cmd_message(p->inv, ", %.0f s left", (double)step->left_ns / 1e9 + 0.5);
	p->shown_ns = clock_now_ns();
}

void progress_step(void *ctx, const struct loop_progress *step)
{
	struct progress *p = ctx;
	bool changed = !p->open || step->phase != p->last || step->what;

	if (p->pairs && (step->phase == PHASE_ENV || step->phase == PHASE_WARMUP))
		return;
	p->pairs = p->pairs || step->pairs;
	p->open = true;
	p->last = step->phase;
	if (p->terminal) {
		if (changed || clock_now_ns() - p->shown_ns >= REDRAW_NS)
			draw(p, step);
	} else if (changed) {
		cmd_message(p->inv, "[%zu/%zu] %s: %s%s%s%s\n", p->at, p->of, step->scenario, phase_name(step),
			step->run && step->phase != PHASE_SIMULATE ? "s" : "", step->what ? " " : "",
			step->what ?: "");
	}
}

void progress_done(struct progress *progress, const char *name, const char *words)
{
	if (progress->terminal)
		cmd_message_raw(progress->inv, clear_line);
	cmd_message(progress->inv, "[%zu/%zu] %s: %s\n", progress->at, progress->of, name, words);
	if (progress->github)
		cmd_message_raw(progress->inv, "::endgroup::\n");
}

/* -------- profiles */

/* An execution of fewer sampling periods has more than a tenth of it unseen. */
enum { UNSEEN_PERIODS = 10, OVERHEAD_MOST_PCT = 25 };
#define FREQUENCY_MOST 20000.0

/* -------- whether */

bool profiling_wanted(const struct scenario *scenario, const struct options *options, const struct machine *machine,
		      struct side_result *out)
{
	const char *why_not = options->no_profile ? "--no-profile"
			      : scenario->profile.off ? "profile.kinds is empty"
			      : scenario->measure.counters == COUNTERS_SIM ? "its counters are simulated"
			      : perf_record_event(machine->tier) ? NULL : "perf is not used";

	if (why_not)
		strv_pushf(&out->profile.warnings, "no profile was taken: %s", why_not);
	return !why_not;
}

/* -------- reading */

/* What the run before it left was not read to its end, and does not count. */
static int begin(void *ctx, struct error *err)
{
	struct profiling *p = ctx;

	(void)err;
	script_free(p->script);
	stacks_release(&p->run);
	p->script = script_new(&p->run);
	return 0;
}

static int feed(void *ctx, const char *data, size_t len, struct error *err)
{
	return script_feed(((struct profiling *)ctx)->script, data, len, err);
}

static uint64_t count_samples(const struct stacks *stacks)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < stacks->n_events; i++)
		samples += stacks->events[i].samples;
	return samples;
}

static int end(void *ctx, uint64_t *samples_out, struct error *err)
{
	struct profiling *p = ctx;
	uint64_t before = count_samples(&p->all);

	if (script_end(p->script, err) < 0)
		return error_wrap(err, "the text of perf script");
	p->all.run = (uint16_t)p->n_runs;
	/* perf follows what the keeper starts, and so samples the keeper too, until the target is executed. */
	stacks_merge(&p->all, &p->run, STACKS_EVERY_EVENT, KEEPER_NAME);
	*samples_out = count_samples(&p->all) - before;
	if (*samples_out)
		p->n_runs++;
	return 0;
}

struct profile_wish profiling_wish(struct profiling *profiling, const struct scenario *scenario, const char *dir)
{
	profiling->scenario = scenario;
	profiling->dir = dir;
	return (struct profile_wish){
		.settings = &scenario->profile, .dir = dir,
		.sink = { .ctx = profiling, .begin = begin, .feed = feed, .end = end },
	};
}

/* -------- what is made of it */

static int write_file(const struct profiling *p, const char *name, const struct strbuf *text, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(p->dir, name);

	return file_write(path, text->buf, text->len, err);
}

static int leave_picture(const struct profiling *p, const struct stacks *all, const struct profile *profile, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf subtitle = STRBUF_INIT, svg = STRBUF_INIT;

	strbuf_addf(&subtitle, "%" PRIu64 " samples of %s at %u Hz in %zu run%s, call graphs by %s", profile->samples,
		    profile->event, profile->frequency, profile->n_runs, profile->n_runs == 1 ? "" : "s",
		    call_graph_names[profile->call_graph]);
	flame_svg(all, NULL, &(struct flame_options){ .title = p->scenario->name, .subtitle = subtitle.buf }, &svg);
	return write_file(p, "flamegraph.svg", &svg, err);
}

static int leave_table(const struct profiling *p, const struct profile *profile, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf table = STRBUF_INIT;

	top_render(profile, &(struct top_options){ .threads = true, .markdown = true }, &table);
	return write_file(p, "top.md", &table, err);
}

/*
 * The clock's first tick comes a whole period after a program's start, at 1,000 Hz a millisecond: of short programs
 * that is what loads and links them.
 */
static void warn_short(const struct profile_taken *taken, struct profile *profile)
{
	double period_ms = 1e3 / taken->frequency, least = 20 / (taken->execution_ms / 1e3);

	if (strncmp(taken->event, "cpu-clock", 9) || !(taken->execution_ms < UNSEEN_PERIODS * period_ms))
		return;
	strv_pushf(&profile->warnings, "an execution takes %.2g ms of CPU time, of which the first %.2g ms are never sampled by the clock: "
		   "raise profile.frequency, to %.0f or so", taken->execution_ms, period_ms, least < FREQUENCY_MOST ? least : FREQUENCY_MOST);
}

static void warn_overhead(struct profile *profile)
{
	if (profile->overhead_pct > OVERHEAD_MOST_PCT)
		strv_pushf(&profile->warnings, "under the profiler the target took %.0f %% more CPU time, so the shares are partly its own: "
			   "lower profile.frequency%s", profile->overhead_pct,
			   profile->call_graph == CALL_GRAPH_DWARF ? ", or set profile.call-graph: fp" : "");
}

static void build(struct stacks *all, const struct profile_taken *taken, struct profile *out)
{
	shares_build(all, NULL, out);
	out->frequency = taken->frequency;
	out->call_graph = taken->call_graph;
	out->overhead_pct = taken->overhead_pct;
	if (!out->event)
		out->event = xstrdup(taken->event);
	shares_warn(all, out);
	warn_short(taken, out);
	warn_overhead(out);
}

static int finish(struct profiling *p, const struct profile_taken *taken, struct side_result *out,
		  struct error *err)
{
	CLEANUP(profile_release) struct profile profile = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	/* The last one may have had no sample. */
	p->all.run = (uint16_t)(p->n_runs ? p->n_runs - 1 : 0);
	names_resolve(&p->all);
	build(&p->all, taken, &profile);
	if (folded_write(&p->all, FOLDED_BY_TEXT, &text, err) < 0 || write_file(p, "stacks.folded", &text, err) < 0 ||
	    leave_picture(p, &p->all, &profile, err) < 0 || leave_table(p, &profile, err) < 0)
		return -1;
	flame_tree_prune(&p->all, PRUNED_LEAST_PCT, &p->pruned);
	profile_release(&out->profile);
	out->profile = profile;
	profile = (struct profile){ 0 };
	return 0;
}

void profiling_finish(struct profiling *profiling, const struct profile_taken *taken, struct side_result *out)
{
	struct error why = ERROR_INIT;

	if (taken->event && finish(profiling, taken, out, &why) < 0)
		strv_pushf(&out->notes, "the profile was taken, but could not be kept: %s", why.msg);
}

void profiling_release(struct profiling *profiling)
{
	script_free(profiling->script);
	stacks_release(&profiling->run);
	stacks_release(&profiling->all);
	stacks_release(&profiling->pruned);
	*profiling = (struct profiling){ 0 };
}

/* -------- sides */

void side_begin(struct measured_side *side, struct session *session, struct progress *progress)
{
	side->system = (struct system){
		.session = session, .log_dir = side->out, .words = STRBUF_INIT, .target = STRBUF_INIT,
		.progress = progress_step, .progress_ctx = progress,
		.profile = profiling_wish(&side->profiling, side->scenario, side->out),
	};
}

int side_plan(struct measured_side *side, struct plan_context context, struct error *err)
{
	CLEANUP(free_ptr) char *folder = folder_of(side->scenario, side->root);

	context.root = side->root;
	context.scenario_dir = folder;
	context.out = side->out;
	context.tmp = side->tmp;
	if (file_make_dirs(side->out, err) < 0 || file_make_dirs(side->tmp, err) < 0 ||
	    give_to_users(side->scenario, side->tmp, err) < 0 || plan_build(side->scenario, &context, &side->plan, err) < 0)
		return -1;
	side->planned = true;
	return 0;
}

struct loop *sides_loop(struct measured_side *sides, unsigned n, const struct loop_options *wanted)
{
	static const char *const names[] = { "base", "head" };
	const struct scenario *s = sides[n - 1].scenario;
	const struct machine *machine = &sides[0].system.session->machine;
	struct loop_options options = *wanted;
	struct loop_side loop_sides[2];

	options.counters = s->measure.counters == COUNTERS_SIM ? 0 : machine->counters;
	options.perf = machine->tier != TIER_SIM;
	options.simulate = wants_simulation(s, machine) && cachegrind_available();
	for (unsigned i = 0; i < n; i++)
		loop_sides[i] = (struct loop_side){
			.name = n > 1 ? names[i] : NULL, .plan = &sides[i].plan, .ops = system_ops(&sides[i].system), .result = sides[i].result,
		};
	return loop_new(loop_sides, n, &options);
}

void side_end(struct measured_side *side, bool keep_tmp)
{
	system_finish(&side->system);
	if (side->planned)
		plan_release(&side->plan);
	if (!keep_tmp)
		file_remove_tree(side->tmp, NULL);
	free(side->tmp);
	free(side->out);
	side->tmp = side->out = NULL;
}

/* -------- all scenarios on one side */

struct session_ctx {
	struct run_all *all;
	struct project *project;
	struct invocation *inv;
	struct session session;
	struct progress progress;
};

/* -------- an environment that is kept */

/*
 * Beside the folder that is ${tmp}, and named like it: the ports of a kept environment. Whoever attaches to one of its processes
 * gets that folder and these ports by PAWL_KEPT, since no process tells which of its ports had which name.
 */
#define KEPT_SUFFIX ".kept"
enum { KEPT_MOST = 64 << 10 };

static void leave_kept(struct run_all *all, const char *tmp, const struct ports *ports, struct strv *notes)
{
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct error why = ERROR_INIT;

	strbuf_addf(&path, "%s" KEPT_SUFFIX, tmp);
	ports_text(ports, &text);
	if (file_write(path.buf, text.buf ?: "", text.len, &why) < 0)
		strv_pushf(notes, "its folder and ports could not be noted for --attach: %s", why.msg);
	else
		all->kept_file = strbuf_take(&path);
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

/* Plan it and measure it, as many runs as are wanted. */
static int measure_side(struct session_ctx *c, struct measured_side *side, struct ports *ports, struct error *err)
{
	const struct options *o = &c->inv->options;
	const struct scenario *s = side->scenario;
	bool profiles;
	struct loop *loop;
	int ret;

	if (side_plan(side, (struct plan_context){ .port = ports_get, .ctx = ports }, err) < 0)
		return -1;
	side->result->executable = code_identity(&side->plan);
	profiles = profiling_wanted(s, o, &c->session.machine, side->result);
	loop = sides_loop(side, 1, &(struct loop_options){ .budget_ns = o->budget_ns ? o->budget_ns : s->measure.budget_ns });
	ret = loop_measure(loop, o->runs ? (unsigned)o->runs : s->measure.runs, 0, err);
	if (ret == 0)
		ret = loop_simulate(loop, err);
	if (ret == 0 && profiles)
		ret = loop_profile(loop, err);
	loop_free(loop);
	if (ret == 0)
		profiling_finish(&side->profiling, &side->system.taken, side->result);
	return ret;
}

static int measure_one(struct session_ctx *c, const struct scenario *s, struct scenario_result *out, struct error *err)
{
	struct run_all *all = c->all;
	const char *kept = kept_file(c->inv);
	CLEANUP(ports_release) struct ports ports = { .attached = (pid_t)c->inv->options.attach };
	struct measured_side side = {
		.scenario = s, .root = c->project->root, .result = &out->head,
		.out = file_join(all->result.out_dir, s->name), .tmp = file_join(c->session.scratch, s->name),
	};
	int ret = kept ? use_kept(kept, &side.tmp, &ports, err) : 0;

	side_begin(&side, &c->session, &c->progress);
	side.system.keep_env = c->inv->options.keep_env;
	if (ret == 0)
		ret = measure_side(c, &side, &ports, err);
	if (side.system.kept.pid) {
		all->kept = side.system.kept;
		side.system.kept = (struct kept_env){ 0 };
		leave_kept(all, side.tmp, &ports, &out->head.notes);
	}
	/* A folder that can be removed holds no log to point at. */
	if (out->head.state == SCENARIO_FAILED && rmdir(side.out) < 0)
		out->head.log_path = xstrdup(side.out);
	all->pruned[out - all->result.scenarios] = side.profiling.pruned;
	side.profiling.pruned = (struct stacks)STACKS_INIT;
	side_end(&side, all->kept.pid || kept);
	profiling_release(&side.profiling);
	return ret;
}

static void say_done(struct session_ctx *c, const struct scenario_result *out)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	if (out->head.state == SCENARIO_FAILED)
		strbuf_addf(&words, "FAILED: %s", out->head.failure);
	else
		strbuf_addf(&words, "%zu %s%s%s", out->head.n_runs, out->head.attached ? "window" : "run",
			    out->head.n_runs == 1 ? "" : "s",
			    out->head.state == SCENARIO_PARTIAL ? ", then interrupted" : "");
	progress_done(&c->progress, out->name, words.buf);
}

static void measure_scenario(struct session_ctx *c, const struct scenario *s)
{
	struct scenario_result *out = result_add_scenario(&c->all->result, s->name);
	struct error why = ERROR_INIT;

	setup_describe(s, out);
	if (c->all->interrupted)
		return;
	progress_scenario(&c->progress, s->name);
	if (setup_need_programs(s, c->project->root, &out->head) == 0 && measure_one(c, s, out, &why) < 0) {
		if (why.kind == ERR_INTERRUPTED)
			c->all->interrupted = why.sys;
		else
			setup_fail(&out->head, "%s", why.msg);
	}
	say_done(c, out);
}

/* -------- the whole */

static void measure_all(struct session_ctx *c)
{
	struct lifecycle_watch watch;

	lifecycle_watch(&watch, c->inv);
	progress_begin(&c->progress, c->inv, c->project->n_scenarios);
	c->all->pruned = xcalloc(c->project->n_scenarios + 1, sizeof *c->all->pruned);
	for (size_t i = 0; i < c->project->n_scenarios; i++)
		measure_scenario(c, c->project->scenarios[i]);
	lifecycle_watched(&watch, c->inv, &c->session, &c->all->result);
	c->all->result.partial = c->all->interrupted != 0;
}

int run_all_measure(struct run_all *all, struct project *project, struct invocation *inv, struct error *err)
{
	struct session_ctx c = { .all = all, .project = project, .inv = inv };
	struct result *r = &all->result;
	int ret;

	*all = (struct run_all){ .refuse_busy = all->refuse_busy };
	lifecycle_begin(r, MODE_STORED, inv, project->root);
	judged_by_copy(&r->judged_by, &project->by);
	if (lifecycle_session(&c.session, inv, project_only_simulated(project), err) < 0)
		return -1;
	calibrations_apply(project, &c.session.machine);
	/* Behind the lock: another pawl that measures is waited for. */
	ret = all->refuse_busy ? noise_refuse_busy(c.session.machine.cpus, &inv->interrupt, err) : 0;
	if (ret == 0)
		ret = lifecycle_folder(r, &inv->options, project->root, project->config.out, &all->parent, err);
	if (ret == 0)
		measure_all(&c);
	session_close(&c.session);
	return ret;
}

int run_all_leave(struct run_all *all, struct error *err)
{
	return lifecycle_leave(&all->result, all->parent, err);
}

void run_all_release(struct run_all *all)
{
	for (size_t i = 0; all->pruned && i < all->result.n_scenarios; i++)
		stacks_release(&all->pruned[i]);
	free(all->pruned);
	result_release(&all->result);
	free(all->parent);
	strv_release(&all->kept.services);
	free(all->kept_file);
	*all = (struct run_all){ 0 };
}
