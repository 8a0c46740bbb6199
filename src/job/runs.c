#include "job/runs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pwd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/lifecycle.h"
#include "job/project/benchmarks.h"
#include "job/project/budget.h"
#include "job/project/project.h"
#include "job/project/request.h"
#include "job/recordings.h"
#include "job/sides/programs.h"
#include "judge/judge.h"
#include "measure/files/elf.h"
#include "measure/files/files.h"
#include "measure/perf/perf.h"
#include "measure/perf/session.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/run/loop.h"
#include "measure/run/system.h"
#include "measure/services/env.h"
#include "measure/services/ports.h"
#include "measure/tools/python.h"
#include "measure/tools/tool.h"
#include "measure/tools/valgrind.h"
#include "model/baseline.h"
#include "model/events.h"
#include "model/machine.h"
#include "model/measured.h"
#include "model/metrics/metric.h"
#include "model/profile.h"
#include "model/result.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"

/* -------- a scenario before it is measured */

void setup_fail(struct side_result *out, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&words, fmt, args);
	va_end(args);
	out->state = SCENARIO_FAILED;
	out->failure = arena_strdup(&out->arena, words.buf);
}

int setup_need_programs(const struct scenario *s, const char *root, struct side_result *out)
{
	for (size_t i = 0; i < s->requires.n; i++) {
		const char *program = s->requires.items[i];
		CLEANUP(free_ptr) char *path = file_find_program(program, root);
		CLEANUP(free_ptr) char *install = path ? NULL : tool_install(program);

		if (path)
			continue;
		setup_fail(out, "requires %s, which is not installed; to install it: %s", program, install);
		return -1;
	}
	return 0;
}

void setup_describe_side(const struct scenario *s, struct side_result *out)
{
	if (s->load.as != WORK_UNKNOWN && !out->work_unit)
		out->work_unit = arena_strdup(&out->arena, s->load.unit ?: "unit of work");
	for (size_t i = 0; i < s->n_metrics; i++)
		own_metrics_add(&out->own_metrics, s->metrics[i].metric);
}

static char *random_name(void)
{
	struct strbuf name = STRBUF_INIT;
	unsigned char bytes[16];

	/* This few bytes come at once, or not at all. */
	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		abort();
	for (size_t i = 0; i < sizeof bytes; i++)
		strbuf_addf(&name, "%02x", bytes[i]);
	return strbuf_take(&name);
}

void setup_describe(const struct scenario *s, struct scenario_result *out)
{
	CLEANUP(strv_release) struct strv passed = STRV_INIT;
	const struct metric *whole = NULL;

	out->path = arena_strdup(&out->arena, s->path);
	out->description = arena_strdup(&out->arena, s->description);
	out->measurement = arena_take(&out->arena, random_name());
	plan_settings(s, &out->arena, &out->settings);
	if (s->target_kind == TARGET_COMMAND)
		child_variables(&s->target_pass, &passed);
	arena_push_all(&out->arena, &out->variables, &passed);
	setup_describe_side(s, &out->head);
	for (size_t i = 0; i < s->gates.n; i++)
		scenario_result_add_gate(out, &s->gates.items[i]);
	if (s->unjudged.n) {
		CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

		strbuf_list(&names, &s->unjudged, SIZE_MAX);
		NOTE(&out->head, "only exact counts are judged, by one run; not judged: %s", names.buf);
	}
	scenario_result_gate_symbols(out, &s->gates.symbols, s->gates.budgets, s->gates.n_budgets);

	if (s->target_kind == TARGET_COMMAND || s->load.as != WORK_UNKNOWN)
		return;
	for (size_t i = 0; i < s->gates.n && !whole; i++)
		if (s->gates.items[i].relative && s->gates.items[i].metric->normalised)
			whole = s->gates.items[i].metric;
	if (whole)
		NOTE(&out->head, "how much work was done is not known (load.work), so %s is that of a whole window: a busy "
		     "server that became slower does less in it and takes the same", whole->name);
}

/* -------- one side of a scenario that is measured */

void side_begin(struct measured_side *side, struct session *session, struct progress *progress)
{
	side->system = (struct system){
		.session = session, .log_dir = side->out, .words = STRBUF_INIT, .target = STRBUF_INIT,
		.progress = progress_step, .progress_ctx = progress,
	};
	recordings_begin(side);
}

/* Gives ${tmp} to the users that run the target and the services. */
static int give_to_users(const struct scenario *s, const char *path, struct error *err)
{
	uid_t owner = geteuid();
	bool several = false;

	for (size_t i = 0; i <= s->n_services; i++) {
		bool target = i == s->n_services;
		const char *name = target ? s->target_user : s->services[i].user;
		const struct passwd *user = name ? getpwnam(name) : NULL;

		if (!name)
			continue;
		if (!user) {
			error_set(err, ERR_INPUT, "there is no user '%s' on this machine", name);
			return target ? error_wrap(err, "target.user") : error_wrap(err, "service %s", s->services[i].name);
		}
		several = several || (owner != geteuid() && owner != user->pw_uid);
		owner = user->pw_uid;
	}
	if (geteuid() == 0 && owner != geteuid() && chown(path, owner, (gid_t)-1) < 0)
		return error_sys(err, errno, "cannot give %s to user %u", path, (unsigned)owner);
	if (several)
		chmod(path, 01777);
	return 0;
}

int side_plan(struct measured_side *side, struct plan_context context, struct error *err)
{
	const char *file = side->scenario->path;
	CLEANUP(free_ptr) char *path = file[0] == '/' ? xstrdup(file) : file_join(side->root, file), *folder = path_parent(path);

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

int side_hasten(struct measured_side *side, struct error *err)
{
	struct plan *plan = &side->plan;
	const struct child_spec child = { .environment = &plan->environment, .pass = &side->scenario->target_pass };
	char **known = variable_find(&plan->environment, "PYTHONPATH");
	CLEANUP(free_ptr) char *dir = NULL, *path = NULL;

	if (side->scenario->harness.kind != HARNESS_PYTEST)
		return 0;
	dir = file_join(side->tmp, "pytest");
	path = python_path(&child, dir);
	if (known)
		*known = arena_printf(&plan->arena, "PYTHONPATH=%s", path);
	else
		arena_pushf(&plan->arena, &plan->environment, "PYTHONPATH=%s", path);
	return python_add_plugin(dir, err);
}

static bool is_of(const struct metric *m, const struct metric *part, const struct metric *other)
{
	return m == part || m == other || m->numerator == part;
}

/* OUT gets what gates need, or all if nothing else counts. */
static bool wants_simulation(const struct scenario *s, const struct machine *machine, struct simulation *out)
{
	bool all = s->measure.counters == COUNTERS_SIM, any = all;

	*out = (struct simulation){ .branches = all, .caches = all };
	if (s->target_kind != TARGET_COMMAND)
		return all;
	out->heap = s->profile.heap;
	for (size_t i = 0; i < s->gates.n; i++) {
		out->heap |= s->gates.items[i].metric->source == SOURCE_HEAP;
		out->calls |= s->gates.items[i].metric->source == SOURCE_CALLS;
	}
	for (size_t i = 0; i < s->gates.n && s->measure.counters != COUNTERS_PERF; i++) {
		const struct metric *gated = s->gates.items[i].metric;
		const struct metric *m = events_counting(gated, machine->tier) == COUNTING_SIMULATED ? gated->simulated : gated;

		if (m->source != SOURCE_SIMULATED)
			continue;
		any = true;
		out->branches |= is_of(m, METRIC(SIM_BRANCH_MISSES), METRIC(SIM_BRANCHES));
		out->caches |= is_of(m, METRIC(SIM_L1D_MISSES), METRIC(SIM_L1D_LOADS));
	}
	out->nothing = !any || !tool_available("valgrind");
	return out->heap || out->calls || !out->nothing;
}

struct loop *sides_loop(struct measured_side *sides, unsigned n, const struct loop_options *wanted)
{
	static const char *const names[] = { "base", "head" };
	const struct scenario *s = sides[n - 1].scenario;
	const struct machine *machine = &sides[0].system.session->machine;
	struct loop_options options = *wanted;
	struct loop_side loop_sides[2];
	struct simulation simulation;

	options.counters = s->measure.counters == COUNTERS_SIM ? 0 : machine->counters;
	options.perf = machine->tier != TIER_SIM && !options.without_perf;
	options.simulate = wants_simulation(s, machine, &simulation);
	for (unsigned i = 0; i < n; i++) {
		struct measured_side *side = &sides[i];

		side->system.simulation = simulation;
		loop_sides[i] = (struct loop_side){
			.name = n > 1 ? names[i] : NULL, .plan = &side->plan, .ops = system_ops(&side->system), .result = side->result,
		};
	}
	return loop_new(loop_sides, n, &options);
}

/* The sizes of the files are the same for every run. */
static void set_sizes(struct measured_side *side)
{
	struct side_result *result = side->result;
	struct elf_sizes sizes;
	bool wanted = false;

	for (size_t i = 0; i < side->scenario->gates.n; i++)
		wanted |= side->scenario->gates.items[i].metric->source == SOURCE_FILE;
	if (!wanted || !result->n_runs || plan_attaches(&side->plan) || !programs_sizes(&side->plan, &sizes))
		return;
	measured_set(result, &result->runs[0], METRIC(TEXT_SIZE), (double)sizes.text_bytes);
	measured_set(result, &result->runs[0], METRIC(DATA_SIZE), (double)sizes.data_bytes);
	measured_set(result, &result->runs[0], METRIC(FILE_SIZE), (double)sizes.file_bytes);
}

static size_t count_benchmarks(const struct side_result *side)
{
	size_t n = 0;

	for (size_t i = 0; i < side->n_metrics; i++)
		n += side->metrics[i]->benchmark;
	return n;
}

/* A benchmark that runs for longer than this varies little less. */
#define ENOUGH_NS (50 * NS_PER_MS)
/*
 * Parts of the window, even for fewer benchmarks. Beside other programs, runs that are five times as long vary as much, so
 * that more pairs decide sooner.
 */
enum { PARTS_LEAST = 10 };
/* A run for the cause takes one of these parts of the window, since tools make it up to fifty times slower. */
enum { CAUSE_PARTS = 8 };

static double longest_of(const struct side_result *side, const struct strv *only)
{
	double longest = 0;

	for (size_t i = 0; i < side->n_metrics; i++)
		if (side->metrics[i]->benchmark && side->metrics[i]->unit == UNIT_MS && strv_has(only, side->metrics[i]->name))
			longest = fmax(longest, side_result_median(side, side->metrics[i]));
	return longest;
}

/* Both sides get the same time, even if one has more benchmarks. */
unsigned sides_ask(struct measured_side *sides, unsigned n, uint64_t window_ns, const struct strv *only, bool fixed)
{
	uint64_t enough_ns;
	struct harness_ask ask = { .only = only };
	size_t most = PARTS_LEAST;
	bool any_older = false;

	for (unsigned i = 0; i < n; i++) {
		size_t count = count_benchmarks(sides[i].result);

		most = count > most ? count : most;
		any_older |= sides[i].system.older;
		ask.longest_ms = fmax(ask.longest_ms, only ? longest_of(sides[i].result, only) : sides[i].system.longest_ms);
	}
	ask.time_ns = window_ns / most;
	if (only) {
		enough_ns = ask.time_ns > ENOUGH_NS ? ask.time_ns : ENOUGH_NS;
		ask.time_ns = window_ns / only->n < enough_ns ? window_ns / only->n : enough_ns;
	}
	if (fixed) {
		ask.time_ns = window_ns / CAUSE_PARTS;
		ask.iterations = harness_iterations(&sides->scenario->harness, ask.time_ns, ask.longest_ms, any_older);
	}
	for (unsigned i = 0; i < n; i++) {
		const struct harness_older *older = harness_older(&sides[i].plan.scenario->harness);

		plan_ask(&sides[i].plan, &ask);
		if (sides[i].system.older && older->note && !strv_has(&sides[i].result->notes, older->note))
			NOTE(sides[i].result, "%s", older->note);
	}
	return ask.iterations;
}

int sides_simulate(struct loop *loop, struct measured_side *sides, unsigned n, struct budget *budget, struct error *err)
{
	uint64_t start = clock_now_ns(), limit_ns = budget_to_measure(budget) / n ?: 1;
	int ret;

	for (unsigned i = 0; i < n; i++)
		sides[i].system.simulation.limit_ns = limit_ns;
	ret = loop_simulate(loop, err);
	for (unsigned i = 0; i < n; i++)
		set_sizes(&sides[i]);
	budget_spend(&budget->measured_ns, start);
	return ret;
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
	recordings_release(&side->recorded);
}

/* -------- all scenarios on one side */

/* A kept environment's ports, beside its ${tmp}, which PAWL_KEPT names: a process does not show its ports' names. */
#define KEPT_SUFFIX ".kept"
enum { KEPT_MOST = 64 << 10 };

static void leave_kept(struct run_all *all, const char *tmp, const struct ports *ports, struct side_result *result)
{
	CLEANUP(free_ptr) char *path = text_printf("%s" KEPT_SUFFIX, tmp);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error why = ERROR_INIT;

	ports_text(ports, &text);
	if (file_write(path, text.buf, text.len, &why) < 0)
		NOTE(result, "its folder and ports could not be noted for --attach: %s", why.msg);
	else
		all->kept_file = take_ptr(&path);
}

static int use_kept(const char *file, char **tmp, struct ports *ports, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t len = strlen(file), suffix = strlen(KEPT_SUFFIX);

	if (len <= suffix || !text_ends(file, len, KEPT_SUFFIX))
		return error_set(err, ERR_INPUT, "PAWL_KEPT: expected the file that --keep-env printed, found '%.200s'",
				 file);
	if (file_read(file, KEPT_MOST, &text, err) < 0 || ports_parse(text.buf, ports, err) < 0)
		return error_wrap(err, "PAWL_KEPT: is the environment still kept?");
	free(*tmp);
	*tmp = xstrndup(file, len - suffix);
	return 0;
}

static int measure_side(struct run_all *all, struct project *project, struct measured_side *side, struct ports *ports,
			struct scenario_result *out, struct error *err)
{
	const struct request *o = all->run.request;
	const struct machine *machine = &all->run.session.machine;
	const struct scenario *s = side->scenario;
	struct project_baseline *accepted;
	bool profiles, compared = all->to_compare && project_baseline(project, out->name, machine, &accepted, NULL) == 1 &&
				  profile_exists(&accepted->baseline.profile);
	bool confirms = all->to_compare && project->config.build.argv.n && !o->no_confirm && !o->counts;
	struct budget budget;
	uint64_t start;
	struct loop *loop;
	int ret;

	if (side_plan(side, (struct plan_context){ .port = ports_get, .ctx = ports }, err) < 0 || side_hasten(side, err) < 0)
		return -1;
	side->result->executable = arena_take(&side->result->arena, programs_identity(&side->plan));
	profiles = recordings_wanted(s, o->no_profile, machine, side->result);
	budget = budget_new((o->budget_ns ?: s->measure.budget_ns) / (confirms ? BUDGET_HALF : 1), profiles ? BUDGET_TENTH : 0);
	loop = sides_loop(side, 1, &(struct loop_options){ .budget_ns = budget.whole_ns });
	start = clock_now_ns();
	if (s->harness.kind != HARNESS_NONE) {
		if (loop_begin(loop, err) < 0) {
			loop_free(loop);
			return -1;
		}
		sides_ask(side, 1, s->measure.window_ns, NULL, false);
		benchmarks_gates(s, out);
	}
	ret = loop_measure(loop, o->runs ? (unsigned)o->runs : s->measure.runs, start + budget_to_measure(&budget), err);
	budget_spend(&budget.measured_ns, start + loop_state(loop).setup_ns);
	judge_idle(out, side->system.target.buf);
	if (ret == 0)
		ret = sides_simulate(loop, side, 1, &budget, err);
	start = clock_now_ns();
	if (ret == 0 && profiles)
		ret = recordings_take(&(struct recordings_wish){ loop, side, 1, budget_to_follow(&budget), out, compared ? &accepted->baseline : NULL }, err);
	budget_spend(&budget.followed_ns, start);
	all->spent_ns[out - all->run.result.scenarios] = budget.measured_ns + budget.followed_ns;
	loop_free(loop);
	if (ret == 0)
		recordings_leave(side);
	return ret;
}

/* A new clone has to be built. */
static void hint_at_build(const struct project *project, const struct measured_side *side)
{
	const struct command *build = &project->config.build;
	struct side_result *head = side->result;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	if (head->state != SCENARIO_FAILED || head->n_runs || !side->planned || !build->argv.n || plan_attaches(&side->plan) ||
	    !programs_missing(&side->plan))
		return;
	if (build->shell)
		strbuf_adds(&words, build->argv.items[2]);
	else
		escape_shell_words(&words, &build->argv);
	head->failure = arena_printf(&head->arena, "%s; its program is not there: build it first (%s)", head->failure, words.buf);
}

static int measure_one(struct run_all *all, struct project *project, const struct scenario *s, struct scenario_result *out,
		       struct error *err)
{
	const struct request *o = all->run.request;
	const char *named = getenv("PAWL_KEPT"), *kept = o->attach && named && *named ? named : NULL;
	CLEANUP(ports_release) struct ports ports = { .attached = (pid_t)o->attach };
	struct measured_side side = {
		.scenario = s, .root = project->root, .result = &out->head,
		.out = file_join(all->run.result.out_dir, s->name), .tmp = file_join(all->run.session.scratch, s->name),
	};
	int ret = kept ? use_kept(kept, &side.tmp, &ports, err) : 0;

	side_begin(&side, &all->run.session, &all->run.progress);
	side.system.keep_env = o->keep_env;
	if (ret == 0)
		ret = measure_side(all, project, &side, &ports, out, err);
	hint_at_build(project, &side);
	if (side.system.kept.pid) {
		all->kept = side.system.kept;
		side.system.kept = (struct kept_env){ 0 };
		leave_kept(all, side.tmp, &ports, &out->head);
	}
	/* A folder is removed only if it holds no log. */
	if (out->head.state == SCENARIO_FAILED && rmdir(side.out) < 0)
		out->head.log_path = arena_strdup(&out->head.arena, side.out);
	all->pruned[out - all->run.result.scenarios] = side.recorded.pruned;
	side_end(&side, all->kept.pid || kept);
	return ret;
}

static void measure_scenario(struct run_all *all, struct project *project, const struct scenario *s)
{
	struct lifecycle *run = &all->run;
	struct scenario_result *out = result_add_scenario(&run->result, s->name);
	const struct side_result *head = &out->head;
	CLEANUP(free_ptr) char *done = NULL;
	struct error why = ERROR_INIT;

	setup_describe(s, out);
	if (run->interrupted)
		return;
	progress_scenario(&run->progress, out);
	if (setup_need_programs(s, project->root, &out->head) == 0 && measure_one(all, project, s, out, &why) < 0) {
		if (why.kind == ERR_INTERRUPTED)
			run->interrupted = why.sys;
		else
			setup_fail(&out->head, "%s", why.msg);
	}
	done = head->state == SCENARIO_FAILED ? text_printf("FAILED: %s", head->failure)
	     : text_printf("%zu %s%s%s", head->n_runs, head->attached ? "window" : "run", head->n_runs == 1 ? "" : "s",
			   head->state == SCENARIO_PARTIAL ? ", then interrupted" : "");
	progress_done(&run->progress, out->name, done);
}

int run_all_measure(struct run_all *all, struct project *project, struct error *err)
{
	struct lifecycle *run = &all->run;

	lifecycle_begin(run, project->request, MODE_STORED, project->root);
	judged_by_merge(&run->result.judged_by, &project->by);
	run->result.shard = arena_strdup(&run->result.arena, project->request->shard);
	arena_push_all(&run->result.arena, &run->result.suite, &project->suite);
	if (lifecycle_open(run, project, project, err) < 0)
		return -1;
	all->pruned = xcalloc(project->n_scenarios + 1, sizeof *all->pruned);
	all->spent_ns = xcalloc(project->n_scenarios + 1, sizeof *all->spent_ns);
	lifecycle_watch(run);
	progress_begin(&run->progress, run->request, project->n_scenarios);
	for (size_t i = 0; i < project->n_scenarios; i++)
		measure_scenario(all, project, project->scenarios[i]);
	lifecycle_watched(run);
	return 0;
}

void run_all_release(struct run_all *all)
{
	for (size_t i = 0; all->pruned && i < all->run.result.n_scenarios; i++)
		stacks_release(&all->pruned[i]);
	free(all->pruned);
	lifecycle_release(&all->run);
	strv_release(&all->kept.services);
	free(all->kept_file);
	free(all->spent_ns);
	*all = (struct run_all){ 0 };
}
