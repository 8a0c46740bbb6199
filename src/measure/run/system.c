#include "measure/run/system.h"

#include <math.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/machine/machine.h"
#include "measure/tools/valgrind.h"
#include "measure/tools/heaptrack.h"
#include "measure/perf/perf.h"
#include "measure/perf/perf_tool.h"
#include "measure/perf/session.h"
#include "measure/tools/strace.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "measure/files/elf.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/run/loop.h"
#include "measure/run/profile_runs.h"
#include "measure/tools/runtimes.h"
#include "measure/run/window.h"
#include "measure/services/attach.h"
#include "measure/services/env.h"
#include "measure/services/load_run.h"
#include "measure/services/service_run.h"

/* Making data may take long. */
#define COMMAND_TIMEOUT_NS (600 * NS_PER_S)
#define CLEANUP_TIMEOUT_NS (30 * NS_PER_S)
enum { WORDS_LINES = 20 };
#define TARGET_EVERY_NS (20 * NS_PER_MS)
enum { DROPPED_MOST = 3 };
/* perf script takes half a millisecond to unwind a sample. */
#define RECORD_READ_NS (15 * NS_PER_S)
/* The recording gets this part of a limit. Reading gets the rest, and at least a second. */
enum { RECORD_PART = 3 };
#define READ_LEAST_NS NS_PER_S
#define SIMULATION_LEAST_NS NS_PER_S

/* -------- output */

static void keep_words(struct strbuf *to, const struct strbuf *output)
{
	strbuf_reset(to);
	strbuf_add(to, output->buf, output->len);
}

/* A failed service explains more than the load or the target. */
static void keep_service_words(struct system *system)
{
	if (!system->env.ended)
		return;
	strbuf_reset(&system->words);
	tail_text(&system->env.ended->child.output, &system->words);
}

static void write_log(const struct system *system, const char *what, const struct strbuf *output)
{
	CLEANUP(free_ptr) char *name = NULL;

	if (!system->log_dir || !output->len || file_refuse_link(system->log_dir, NULL) < 0)
		return;
	name = text_printf("%s/%s.log", system->log_dir, what);
	file_write(name, output->buf, output->len, NULL);
}

static void system_last_words(void *ctx, struct strbuf *out)
{
	struct system *system = ctx;
	struct tail tail = TAIL_INIT;

	tail_feed(&tail, system->words.buf, system->words.len);
	tail_lines(&tail, WORDS_LINES, out);
	tail_release(&tail);
}

/* -------- commands that are not measured */

static int system_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct system *system = ctx;
	struct keeper *keeper = system->session->keeper;
	struct interrupt *interrupt = keeper->interrupt;
	struct child_spec spec = { .argv = argv, .environment = &plan->commands_environment, .cwd = plan->root };
	bool last = !strcmp(what, "cleanup");
	int ret;

	if (last && system->kept.pid)
		return 0;
	env_list(&system->env);
	/* The timeout bounds cleanup, which an interrupt must not shorten. */
	if (last)
		keeper->interrupt = NULL;
	ret = child_run(keeper, &spec, last ? CLEANUP_TIMEOUT_NS : COMMAND_TIMEOUT_NS, &output, err);
	keeper_sweep(keeper, 0, NULL, NULL);
	keeper->interrupt = interrupt;
	keep_words(&system->words, &output);
	if (strcmp(what, "prepare"))
		write_log(system, what, &output);
	return ret < 0 ? error_wrap(err, "%s", what) : 0;
}

static void system_place(void *ctx, size_t pad)
{
	((struct system *)ctx)->env.pad = pad;
}

static void system_shorten(void *ctx, uint64_t window_ns)
{
	((struct system *)ctx)->window_ns = window_ns;
}

/* -------- the environment */

static void report_start(void *ctx, const char *service)
{
	const struct system *system = ctx;
	struct loop_progress progress = {
		.scenario = system->env.plan->scenario->name, .phase = PHASE_ENV, .what = service,
	};

	system->progress(system->progress_ctx, &progress);
}

/*
 * A service may be ready before its pidfile is written, or its child listens. So this goes on as long as the slowest
 * service may take to be ready.
 */
static int find_target(struct system *system, const struct plan *plan, struct error *err)
{
	struct keeper *keeper = system->session->keeper;
	enum target_kind kind = plan->scenario->target_kind;
	uint64_t patience_ns = 0, give_up, now;

	for (size_t i = 0; i < plan->n_services && kind != TARGET_PID; i++)
		if (plan->services[i].service->ready.timeout_ns > patience_ns)
			patience_ns = plan->services[i].service->ready.timeout_ns;
	give_up = clock_now_ns() + patience_ns;
	for (;;) {
		struct error why = ERROR_INIT;

		if (attach_find(keeper, kind, plan->attach, &system->attached, &why) == 0)
			return 0;
		now = clock_now_ns();
		if (why.kind != ERR_TARGET || now >= give_up) {
			*err = why;
			return error_wrap(err, "target.%s", target_kind_name(kind));
		}
		now += TARGET_EVERY_NS;
		if (keeper_pump(keeper, now < give_up ? now : give_up, err) < 0 || env_check(&system->env, err) < 0)
			return -1;
	}
}

static int system_up(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	struct system *system = ctx;
	bool finds = plan_attaches(plan) && plan->scenario->target_kind != TARGET_SERVICE;
	const struct strv *services = &plan->scenario->target_services;
	const struct attached *attached = &system->attached;
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	system->env.plan = plan;
	if (env_up(&system->env, system->session, plan, report_start, system, err) < 0 ||
	    (finds && find_target(system, plan, err) < 0)) {
		keep_service_words(system);
		return -1;
	}
	if (!plan_attaches(plan))
		return 0;
	/* In pairs the environment may be restarted. */
	for (size_t i = 0; i < services->n; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : services->n > 1 ? "services " : "service ", services->items[i]);
	result->attached = arena_strdup(&result->arena, attached->label ?: names.buf);
	if (attached->label && !result->executable && attached->root.start) {
		CLEANUP(free_ptr) char *exe = text_printf("/proc/%d/exe", (int)attached->root.pid);

		result->executable = arena_take(&result->arena, elf_identity(exe));
	}
	return 0;
}

static void system_down(void *ctx, const struct plan *plan, struct side_result *result)
{
	struct system *system = ctx;
	const struct interrupt *interrupt = system->session->keeper->interrupt;
	CLEANUP(strv_release) struct strv notes = STRV_INIT;

	(void)plan;
	attached_release(&system->attached);
	if (system->keep_env && system->env.n && !system->env.ended && !(interrupt && interrupt->signal))
		system->kept = kept_env_start(&system->env, system->log_dir, &notes);
	if (!system->kept.pid)
		env_down(&system->env, system->log_dir, &notes);
	arena_push_all(&result->arena, &result->notes, &notes);
}

/* Searching output may take long, so a signal may have arrived meanwhile. */
static int failed_unless_interrupted(const struct system *system, struct error *err)
{
	if (system->session->keeper->interrupt)
		interrupt_check(system->session->keeper->interrupt, err);
	return -1;
}

/* -------- runs */

static int settle(struct system *system, const struct strbuf *output, int ret, struct error *err)
{
	keep_words(&system->words, output);
	keep_words(&system->target, output);
	if (system->echo)
		fwrite(output->buf, 1, output->len, stderr);
	if (ret == 0 && system->env.n)
		ret = env_check(&system->env, err);
	if (ret < 0)
		keep_service_words(system);
	return ret;
}

static struct target_spec target_spec(const struct system *system, const struct plan *plan)
{
	const struct scenario *s = plan->scenario;

	return (struct target_spec){
		.child = {
			.argv = system->older ? &plan->older : &plan->target, .environment = &plan->environment,
			.pass = &s->target_pass, .cwd = plan->cwd, .user = s->target_user, .cpus = s->measure.cpus, .aslr_off = s->measure.aslr_off,
			.keep_bytes = custom_metrics_keep(s),
		},
		.timeout_ns = s->measure.timeout_ns, .may_fail = s->target_may_fail,
	};
}

struct lines *system_printed(const struct system *system)
{
	struct printed *printed = system->printed;

	return printed && printed->n < sizeof printed->runs / sizeof printed->runs[0] ? &printed->runs[printed->n] : NULL;
}

void system_printed_end(struct system *system, bool complete)
{
	struct lines *lines = system_printed(system);

	if (lines && complete) {
		lines_end(lines);
		system->printed->n++;
	} else if (lines) {
		lines_release(lines);
	}
}

/* -------- benchmarks */

/* Runs mostly have the same benchmarks at the same INDEX. */
static const struct metric *metric_of(struct own_metrics *known, const struct benchmark *benchmark, size_t index)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;

	if (index < known->n && !strcmp(known->items[index]->name, benchmark->name))
		return known->items[index];
	return own_metrics_add(known, metric_benchmark(&arena, benchmark->name, benchmark->unit, benchmark->waits, benchmark->why));
}

static int read_benchmarks(const struct plan *plan, const struct strbuf *output, struct benchmarks *out,
			   struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error why = ERROR_INIT;

	if (!plan->benchmarks)
		return harness_read(&plan->scenario->harness, output->buf, output->len, plan->some_benchmarks, out, err);
	if (file_read(plan->benchmarks, HARNESS_TEXT_MOST, &text, &why) < 0)
		return error_set(err, ERR_TARGET, "%s left no results in the file that it was given: %s",
				 harness_names[plan->scenario->harness.kind], why.msg);
	return harness_read(&plan->scenario->harness, text.buf, text.len, plan->some_benchmarks, out, err);
}

static int collect_benchmarks(struct system *system, const struct plan *plan, const struct strbuf *output, struct measured *out,
			      struct error *err)
{
	CLEANUP(benchmarks_release) struct benchmarks found = { 0 };

	if (plan->scenario->harness.kind == HARNESS_NONE)
		return 0;
	if (read_benchmarks(plan, output, &found, err) < 0)
		return -1;
	out->custom = xrealloc_array(out->custom, out->n_custom + found.n, sizeof *out->custom);
	for (size_t i = 0; i < found.n; i++) {
		const struct metric *metric = metric_of(&system->benchmarks, &found.items[i], i);

		out->custom[out->n_custom++] = (struct measured_custom){ metric, found.items[i].value };
		if (metric->unit == UNIT_MS)
			system->longest_ms = fmax(system->longest_ms, found.items[i].value);
	}
	return 0;
}

/* Results of the last run must not stand for the next. */
static void forget_benchmarks(const struct plan *plan)
{
	if (plan->benchmarks)
		unlink(plan->benchmarks);
}

static int read_custom(struct system *system, const struct plan *plan, const struct strbuf *output, struct measured *out, struct error *err)
{
	if (custom_metrics_read(plan->scenario, output, out, err) < 0)
		return -1;
	return collect_benchmarks(system, plan, output, out, err);
}

static int run_target(struct system *system, const struct target_spec *spec, const struct strv *events, struct measured *out,
		      struct strbuf *output, struct error *err)
{
	int ret = target_run(system->session, spec, events, out, output, err);

	if (spec->child.lines)
		system_printed_end(system, ret == 0);
	return ret;
}

/* True if OUTPUT, of a run that failed, shows that the harness's program is of an older version, which was not known. */
static bool is_older(const struct system *system, const struct plan *plan, const struct strbuf *output)
{
	const struct harness_older *older = harness_older(&plan->scenario->harness);

	return older && !system->older && strstr(output->buf, older->refuse);
}

/* RECORD NULL: counted, if there are EVENTS. */
static int execute(struct system *system, const struct plan *plan, const struct strv *events, struct perf *record,
		   struct measured *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	struct target_spec spec = target_spec(system, plan);
	int ret;

	if (record) {
		runtimes_ask(&spec.child, &environment);
		spec.child.environment = &environment;
	}
	spec.record = record;
	spec.crowd = !events && !record;
	spec.child.pad = system->env.pad;
	spec.child.lines = spec.crowd ? system_printed(system) : NULL;
	forget_benchmarks(plan);
	ret = run_target(system, &spec, events, out, &output, err);
	if (ret < 0 && is_older(system, plan, &output)) {
		system->older = true;
		spec.child.argv = &plan->older;
		*err = (struct error)ERROR_INIT;
		measured_release(out);
		strbuf_reset(&output);
		ret = run_target(system, &spec, events, out, &output, err);
	}
	if (ret == 0 && !record)
		ret = read_custom(system, plan, &output, out, err);
	return settle(system, &output, ret, err);
}

static struct window_spec window_spec(struct system *system, const struct plan *plan)
{
	return (struct window_spec){
		.session = system->session, .plan = plan, .env = &system->env, .window_ns = system->window_ns,
		.attached = system->attached.label ? &system->attached : NULL,
	};
}

/* A measured target does not keep the machine busy. */
static void charge(struct system *system, const struct measured *window)
{
	if (system->attached.label)
		system->session->keeper->cpu_ms += window->cpu_ms;
}

static int look(struct system *system, const struct window_spec *spec, const struct strv *events, struct measured *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct outcome outcome = { .out = out, .output = &output };
	int ret;

	env_list(&system->env);
	ret = windows_run(spec, &outcome, 1, events, err);
	if (ret == 0)
		charge(system, out);
	return settle(system, &output, ret, err);
}

static int system_run(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
		      struct measured *out, struct error *err)
{
	struct window_spec spec;
	int ret;

	if (!plan_attaches(plan)) {
		ret = execute(ctx, plan, events, NULL, out, err);
	} else {
		spec = window_spec(ctx, plan);
		spec.limit_ns = limit_ns;
		ret = look(ctx, &spec, events, out, err);
	}
	return ret < 0 ? failed_unless_interrupted(ctx, err) : 0;
}

/* -------- both sides at once */

/* Both sides, in the order of release. */
struct at_once {
	struct system *systems[AT_ONCE_MOST];
	const struct plan *plans[AT_ONCE_MOST];
	struct outcome outcomes[AT_ONCE_MOST];
	const struct both *both;
	int cpu;
	char cpus[16];		/* that one */
};

static int execute_both(struct at_once *a, struct error *err)
{
	struct target_spec specs[AT_ONCE_MOST];
	int ret;

	for (unsigned i = 0; i < AT_ONCE_MOST; i++) {
		specs[i] = target_spec(a->systems[i], a->plans[i]);
		specs[i].child.cpus = a->cpus;
		specs[i].child.pad = a->systems[i]->env.pad;
		specs[i].child.lines = a->both->events ? NULL : system_printed(a->systems[i]);
		forget_benchmarks(a->plans[i]);
	}
	ret = targets_run(a->systems[0]->session, specs, a->outcomes, AT_ONCE_MOST, a->both->events, err);
	for (unsigned i = 0; i < AT_ONCE_MOST; i++)
		if (specs[i].child.lines)
			system_printed_end(a->systems[i], ret == 0);
	for (unsigned i = 0; i < AT_ONCE_MOST && ret == 0; i++) {
		ret = collect_benchmarks(a->systems[i], a->plans[i], a->outcomes[i].output, a->outcomes[i].out, err);
		a->outcomes[i].failed |= ret < 0;
	}
	return ret;
}

static int look_at_both(struct at_once *a, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf others = STRBUF_INIT;
	struct window_spec specs[AT_ONCE_MOST];

	if (!child_other_cpus(a->cpu, &others))
		return error_set(err, ERR_SYSTEM, "there is only one CPU, and what drives both sides needs another");
	for (unsigned i = 0; i < AT_ONCE_MOST; i++) {
		specs[i] = window_spec(a->systems[i], a->plans[i]);
		specs[i].limit_ns = a->both->limit_ns;
		specs[i].cpus = a->cpus;
		specs[i].other_cpus = others.buf;
		specs[i].load_anywhere = a->both->load_anywhere;
		env_list(&a->systems[i]->env);
	}
	if (windows_run(specs, a->outcomes, AT_ONCE_MOST, a->both->events, err) < 0)
		return -1;
	for (unsigned i = 0; i < AT_ONCE_MOST; i++)
		charge(a->systems[i], a->outcomes[i].out);
	return 0;
}

static int system_run_both(void *const ctx[2], const struct plan *const plans[2], const struct both *both, struct measured out[2],
			   unsigned *failed, struct error *err)
{
	const char *allowed = plans[1]->scenario->measure.cpus;
	struct at_once a = { .both = both, .cpu = child_cpu(allowed, both->turn) };
	struct strbuf output[AT_ONCE_MOST] = { STRBUF_INIT, STRBUF_INIT };
	int ret;

	*failed = AT_ONCE_MOST;
	if (a.cpu < 0)
		return error_set(err, ERR_SYSTEM, "no CPU is known to run both sides on%s%s", allowed ? ": measure.cpus is " : "",
				 allowed ?: "");
	snprintf(a.cpus, sizeof a.cpus, "%d", a.cpu);
	for (unsigned i = 0; i < AT_ONCE_MOST; i++) {
		unsigned at = both->head_first ? !i : i;

		a.systems[i] = ctx[at];
		a.plans[i] = plans[at];
		a.outcomes[i] = (struct outcome){ .out = &out[at], .output = &output[i] };
	}
	ret = (plan_attaches(plans[1]) ? look_at_both : execute_both)(&a, err);
	for (unsigned i = 0; i < AT_ONCE_MOST; i++) {
		struct error why = ERROR_INIT;

		if (settle(a.systems[i], &output[i], ret, &why) < 0 && ret == 0) {
			a.outcomes[i].failed = true;
			*err = why;
			ret = -1;
		}
		if (a.outcomes[i].failed)
			*failed = both->head_first ? !i : i;
		strbuf_release(&output[i]);
	}
	return ret < 0 ? failed_unless_interrupted(ctx[0], err) : 0;
}

static int prepare(struct system *system, struct error *err)
{
	const struct plan *plan = system->env.plan;

	return plan->prepare.n ? system_command(system, plan, "prepare", &plan->prepare, err) : 0;
}

/* -------- one more run under each tool */

typedef int simulate_fn(struct system *system, const struct target_spec *spec, uint64_t limit_ns, struct simulated *out, struct strbuf *output,
			struct error *err);

static int count_heap(struct system *system, const struct target_spec *spec, uint64_t limit_ns, struct simulated *out, struct strbuf *output,
		      struct error *err)
{
	struct heap_wish wish = { system->env.plan->scenario->profile.heap ? system->log_dir : NULL, limit_ns };

	return heaptrack_run(system->session, spec, &wish, &out->heap, output, err);
}

static int count_calls(struct system *system, const struct target_spec *spec, uint64_t limit_ns, struct simulated *out, struct strbuf *output,
		       struct error *err)
{
	const struct gates *gates = &system->env.plan->scenario->gates;
	struct call_counts *calls = &out->calls;

	(void)output;
	for (size_t i = 0; i < gates->n && calls->n < CALLS_MOST; i++)
		if (gates->items[i].metric->source == SOURCE_CALLS)
			calls->metrics[calls->n++] = gates->items[i].metric;
	return calls_count(system->session, spec, limit_ns, calls, err);
}

static int count_instructions(struct system *system, const struct target_spec *spec, uint64_t limit_ns, struct simulated *out,
			      struct strbuf *output, struct error *err)
{
	struct simulation what = system->simulation;
	struct simulated counts;

	what.limit_ns = limit_ns;
	if (cachegrind_run(system->session, spec, what, &counts, output, err) < 0)
		return -1;
	counts.heap = out->heap;
	counts.calls = out->calls;
	*out = counts;
	return 0;
}

/* A tool that cannot run the target fails only its gates. Each tool gets an equal part of the time left. */
static int system_simulate(void *ctx, const struct plan *plan, struct simulated *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct system *system = ctx;
	const struct target_spec spec = target_spec(system, plan);
	const struct simulation *what = &system->simulation;
	const struct {
		bool wanted;
		simulate_fn *run;
		struct error *why_not;
	} tools[] = {
		{ what->heap, count_heap, &out->heap.why_not }, { what->calls, count_calls, &out->calls.why_not },
		{ !what->nothing, count_instructions, &out->why_not },
	};
	uint64_t until_ns = clock_now_ns() + what->limit_ns;
	unsigned left = what->heap + what->calls + !what->nothing;
	bool prepared = true;		/* the first, by the caller */

	*out = (struct simulated){ .instructions = NAN, .branches = NAN, .l1d_loads = NAN };
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		uint64_t now = clock_now_ns(), left_ns = until_ns > now ? until_ns - now : 0;
		struct error why = ERROR_INIT;

		if (!tools[i].wanted)
			continue;
		if (what->limit_ns && what->limit_ns < SIMULATION_LEAST_NS) {
			error_set(tools[i].why_not, ERR_SYSTEM, "no time was left for it; --budget TIME gives it some");
			continue;
		}
		if (!prepared && prepare(system, err) < 0)
			return -1;
		prepared = false;
		tools[i].run(system, &spec, what->limit_ns ? left_ns / left-- ?: 1 : 0, out, &output, &why);
		*tools[i].why_not = why;
		if (why.kind == ERR_INTERRUPTED)
			return error_copy(err, &why);
	}
	keep_words(&system->words, &output);
	return 0;
}

/* -------- profiles */

/* Always hides the keeper again. */
static int attach_to_keeper(struct keeper *keeper, const struct perf_tool *perf, const struct record_spec *spec,
			    struct perf *out, struct error *err)
{
	struct error hiding = ERROR_INIT;
	char pid[16];
	int ret;

	snprintf(pid, sizeof pid, "%d", (int)keeper->pid);
	if (keeper_show(keeper, true, err) < 0)
		return -1;
	ret = perf_record_attach(keeper, perf, spec, pid, out, err);
	if (ret == 0)
		ret = perf_switch(keeper, out, false, err);
	if (keeper_show(keeper, false, &hiding) < 0 && ret == 0) {
		*err = hiding;
		ret = -1;
	}
	return ret;
}

static int record_commands(struct system *system, const struct record_spec *spec, const struct record_quota *quota,
			   struct cpu_times *out, uint64_t *spent_ns, struct error *err)
{
	struct session *session = system->session;
	uint64_t start = clock_now_ns();
	struct perf record = PERF_INIT;
	double used_ms = 0;
	int ret = attach_to_keeper(session->keeper, &session->perf, spec, &record, err);

	while (ret == 0) {
		CLEANUP(measured_release) struct measured measured = { 0 };

		ret = prepare(system, err);
		if (ret == 0)
			ret = execute(system, system->env.plan, NULL, &record, &measured, err);
		if (ret < 0)
			break;
		cpu_times_add(out, measured.cpu_ms);
		used_ms += measured.cpu_ms;
		if (used_ms >= quota->cpu_ms || clock_now_ns() >= quota->until_ns || (quota->executions && out->n >= quota->executions))
			break;
	}
	if (ret == 0)
		ret = perf_record_end(session->keeper, &record, err);
	perf_dispose(session->keeper, &record);
	*spent_ns = clock_now_ns() - start;
	return ret;
}

/* Runs windows like the counted ones, so that loads end as they do there. */
static int look_often(struct system *system, const struct record_quota *quota, struct window_recording *recording,
		      struct cpu_times *out, struct error *err)
{
	struct window_spec spec = window_spec(system, system->env.plan);
	double used_ms = 0;
	uint64_t began, ended;
	int dropped = 0;

	spec.recording = recording;
	do {
		CLEANUP(measured_release) struct measured measured = { 0 };

		began = clock_now_ns();
		if (prepare(system, err) < 0 || look(system, &spec, NULL, &measured, err) < 0)
			return -1;
		dropped = measured.dropped ? dropped + 1 : 0;
		if (dropped >= DROPPED_MOST)
			return error_set(err, ERR_TARGET, "%d windows in a row were of no use: %s", DROPPED_MOST, measured.dropped);
		if (!dropped) {
			used_ms += measured.cpu_ms;
			cpu_times_add(out, measured.cpu_ms / (measured.work > 0 ? measured.work : measured.wall_ms));
		}
		ended = clock_now_ns();
		/* One more window of this duration must not end late. */
	} while (dropped || (used_ms < quota->cpu_ms && (!quota->executions || out->n < quota->executions) &&
			     2 * ended - began < recording->began_ns + recording->length_ns));
	return 0;
}

static int record_windows(struct system *system, const struct record_spec *spec, const struct record_quota *quota,
			  struct cpu_times *out, uint64_t *spent_ns, struct error *err)
{
	struct window_recording recording = { .spec = *spec, .length_ns = quota->window_ns, .record = PERF_INIT };
	struct keeper *keeper = system->session->keeper;
	int ret = look_often(system, quota, &recording, out, err);

	/* Starts and ends of perf and of the loads around it do not count. */
	*spent_ns = recording.ended_ns - recording.began_ns;
	if (ret == 0)
		ret = perf_record_end(keeper, &recording.record, err);
	perf_dispose(keeper, &recording.record);
	return ret;
}

static int record(void *ctx, const struct record_spec *spec, const struct record_quota *quota, struct cpu_times *out,
		  uint64_t *spent_ns, struct error *err)
{
	bool attaches = plan_attaches(((struct system *)ctx)->env.plan);

	return (attaches ? record_windows : record_commands)(ctx, spec, quota, out, spent_ns, err);
}

static void report_run(void *ctx, unsigned run, unsigned of)
{
	const struct system *system = ctx;
	const struct plan *plan = system->env.plan;
	const struct loop_progress progress = {
		.scenario = plan->scenario->name, .phase = PHASE_PROFILE, .windows = plan_attaches(plan), .run = run, .of = of,
	};

	system->progress(system->progress_ctx, &progress);
}

static int system_profile(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	struct system *system = ctx;
	const struct profile_ops ops = { .ctx = system, .record = record, .progress = report_run };
	struct runtimes runtimes;
	int ret = 0;

	runtimes_begin(&runtimes);
	if (!plan->scenario->profile.off)
		ret = profile_runs_take(system->session, &system->profile, &ops, result, &system->taken, err);
	runtimes_end(&runtimes, plan->cwd, plan->root);
	if (ret < 0)
		return -1;
	return system->kinds.take ? system->kinds.take(system->kinds.ctx, system, result, err) : 0;
}

static int system_waits(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	struct system *system = ctx;

	(void)plan;
	return system->waits.take(system->waits.ctx, system, result, err);
}

static int take_of(void *const ctx[], unsigned n, const struct evidence_wish *wish, struct error *err)
{
	struct system *systems[AT_ONCE_MOST] = { NULL };

	for (unsigned i = 0; i < n; i++)
		systems[i] = ctx[i];
	return wish->take(wish->ctx, systems, n, err);
}

static int system_evidence(void *const ctx[], unsigned n, struct error *err)
{
	return take_of(ctx, n, &((struct system *)ctx[0])->evidence, err);
}

static int system_loads(void *const ctx[], unsigned n, struct error *err)
{
	return take_of(ctx, n, &((struct system *)ctx[0])->loads, err);
}

/* -------- recordings for the search for a cause */

int system_record(struct system *system, const struct record_wish *wish, struct error *err)
{
	struct session *session = system->session;
	uint64_t began = clock_now_ns(), part = wish->limit_ns / RECORD_PART;
	uint64_t duration_ns = part && part < wish->duration_ns ? part : wish->duration_ns;
	struct recorded recorded = {
		.file = "a recording", .fd = file_unnamed(session->scratch, err), .limit_ns = duration_ns + RECORD_READ_NS,
		.switches = wish->how.switches, .cut = wish->cut,
	};
	struct record_spec spec = wish->how;
	const struct record_quota quota = {
		.cpu_ms = wish->how.frequency ? (double)wish->samples * 1e3 / wish->how.frequency : INFINITY,
		.executions = wish->executions,
		.until_ns = began + duration_ns,
		.window_ns = duration_ns,
	};
	struct cpu_times times = { 0 };
	struct runtimes runtimes;
	uint64_t spent_ns, samples, took;
	int ret;

	if (recorded.fd < 0)
		return -1;
	spec.fd = recorded.fd;
	spec.bursts = true;
	runtimes_begin(&runtimes);
	ret = record(system, &spec, &quota, &times, &spent_ns, err);
	took = clock_now_ns() - began;
	if (wish->limit_ns) {
		recorded.limit_ns = wish->limit_ns - (took < part ? took : part);
		recorded.limit_ns = recorded.limit_ns > READ_LEAST_NS ? recorded.limit_ns : READ_LEAST_NS;
	}
	if (ret == 0)
		ret = record_read(session, &recorded, &wish->sink, &samples, err);
	runtimes_end(&runtimes, system->env.plan->cwd, system->env.plan->root);
	free(times.ms);
	close(recorded.fd);
	return ret;
}

int system_trace(struct system *system, const struct strace_wish *wish, struct strace_text *out, double *work_out, struct error *err)
{
	CLEANUP(measured_release) struct measured measured = { 0 };
	struct window_trace trace = { .wish = *wish, .strace.child.output_fd = -1 };
	struct window_spec spec = window_spec(system, system->env.plan);
	int ret = prepare(system, err);

	spec.limit_ns = wish->limit_ns;
	spec.trace = &trace;
	if (ret == 0)
		ret = look(system, &spec, NULL, &measured, err);
	if (ret == 0)
		ret = strace_detach(system->session, &trace.strace, out, err);
	strace_dispose(system->session, &trace.strace);
	if (ret == 0)
		*work_out = measured.work;
	else if (err && err->kind == ERR_TARGET) {
		err->kind = ERR_SYSTEM;
		error_wrap(err, "under strace, which the target or its load may not bear");
	}
	return ret;
}

/* -------- executions under tools, likewise */

int system_specs(struct system *const systems[], unsigned n, struct target_spec *specs, struct error *err)
{
	for (unsigned i = 0; i < n; i++) {
		const struct plan *plan = systems[i]->env.plan;

		if (plan_attaches(plan))
			return error_set(err, ERR_SYSTEM, "what runs already when it is measured is not started by tools");
		if (prepare(systems[i], err) < 0)
			return -1;
		specs[i] = target_spec(systems[i], plan);
		specs[i].child.pad = systems[i]->env.pad;
	}
	return 0;
}

/* -------- the operations */

static uint64_t system_now(void *ctx)
{
	(void)ctx;
	return clock_now_ns();
}

static uint64_t system_stolen(void *ctx)
{
	(void)ctx;
	return noise_stolen_ticks();
}

static uint64_t system_slept(void *ctx)
{
	(void)ctx;
	return clock_slept_ns();
}

static void system_progress(void *ctx, const struct loop_progress *progress)
{
	struct system *system = ctx;

	if (!system->kept.pid || progress->phase != PHASE_CLEANUP)
		system->progress(system->progress_ctx, progress);
}

struct loop_ops system_ops(struct system *system)
{
	return (struct loop_ops){
		.ctx = system,
		.command = system_command,
		.place = system_place,
		.shorten = system_shorten,
		.up = system_up,
		.down = system_down,
		.run = system_run,
		.run_both = system_run_both,
		.simulate = system_simulate,
		.profile = system_profile,
		.waits = system->waits.take ? system_waits : NULL,
		.evidence = system->evidence.take ? system_evidence : NULL,
		.loads = system->loads.take ? system_loads : NULL,
		.last_words = system_last_words,
		.now_ns = system_now,
		.stolen_ticks = system_stolen,
		.slept_ns = system_slept,
		.progress = system_progress,
	};
}

void system_finish(struct system *system)
{
	write_log(system, system->env.plan && plan_attaches(system->env.plan) ? "load" : "target", &system->target);
	strbuf_release(&system->words);
	strbuf_release(&system->target);
	strv_release(&system->kept.services);
	own_metrics_release(&system->benchmarks);
	profile_taken_release(&system->taken);
}
