#include "job/lifecycle.h"

#include <math.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/project/console.h"
#include "job/project/pictures.h"
#include "job/project/project.h"
#include "job/project/request.h"
#include "job/project/select.h"
#include "job/verdicts.h"
#include "measure/ci/ci.h"
#include "measure/files/files.h"
#include "measure/git/git.h"
#include "measure/machine/machine.h"
#include "measure/perf/session.h"
#include "measure/process/interrupt.h"
#include "measure/process/lock.h"
#include "measure/run/loop.h"
#include "measure/run/outdir.h"
#include "model/machine.h"
#include "model/result.h"
#include "report/forge.h"
#include "report/formats/report.h"

/* -------- a command that measures, from its first step to its last */

char *lifecycle_repository(struct request *request, const char *root)
{
	CLEANUP(free_ptr) char *url = ci_repository(), *origin = forge_is_url(url) ? NULL : git_origin(&request->git, root);

	return origin ? forge_repository(origin) : forge_is_url(url) ? take_ptr(&url) : NULL;
}

static void set_addresses(struct result *result, struct request *request, const char *root)
{
	CLEANUP(free_ptr) char *run = ci_run();

	result->repository = arena_take(&result->arena, lifecycle_repository(request, root));
	if (forge_is_url(run))
		result->ci_run = arena_strdup(&result->arena, run);
}

void lifecycle_begin(struct lifecycle *run, struct request *request, enum result_mode mode, const char *root)
{
	struct result *result = &run->result;

	run->request = request;
	result_release(result);
	*result = (struct result){ .mode = mode, .pawl = PAWL_VERSION, .strict = request->strict };
	result->date = arena_take(&result->arena, utc_now());
	result->commit = arena_take(&result->arena, git_commit(&request->git, root));
	if (result->commit)
		set_addresses(result, request, root);
	arena_push_all(&result->arena, &result->command, &request->words);
	arena_push_all(&result->arena, &result->options, &request->shaping);
}

void lifecycle_say(const struct request *request, const char *what, uint64_t began_ns)
{
	if (request->verbose)
		console_say(request, "%s took %.2f s\n", what, (double)(clock_now_ns() - began_ns) / 1e9);
}

static void report_waiting(void *request, const char *holder)
{
	console_say(request, "another pawl (%s) is measuring; waiting for it\n", holder);
}

/* The folder of the session (`without_files`), --out, or a new one in PROJECT's folder of runs. */
static int make_folder(struct lifecycle *run, const struct project *project, struct error *err)
{
	static const char *const reports[] = { "result.json", "report.md", "report.html", "junit.xml" };
	CLEANUP(free_ptr) char *parent = file_join(project->root, project->config.out), *made = NULL;
	const char *out = run->request->out;
	struct result *result = &run->result;

	if (run->without_files) {
		result->out_dir = arena_take(&result->arena, file_join(run->session.scratch, "out"));
		return file_make_dirs(result->out_dir, err);
	}
	if (!out) {
		if (file_refuse_links(project->root, parent, err) < 0)
			return error_wrap(err, "use --out DIR");
		if (outdir_make(parent, result->commit, &made, err) < 0)
			return -1;
		result->out_dir = arena_strdup(&result->arena, made);
		run->parent = take_ptr(&parent);
		return 0;
	}
	result->out_dir = arena_take(&result->arena, file_absolute(out));
	if (file_refuse_links(project->root, result->out_dir, err) < 0)
		return error_wrap(err, "--out");
	if (file_make_dirs(result->out_dir, err) < 0)
		return -1;
	/* Removes earlier reports, even those that others left, since they could be taken for this run's. */
	for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
		CLEANUP(free_ptr) char *path = file_join(result->out_dir, reports[i]);

		if (file_remove_tree(path, err) < 0)
			return -1;
	}
	return 0;
}

int lifecycle_open(struct lifecycle *run, struct project *judged, const struct project *own, struct error *err)
{
	struct request *request = run->request;
	const struct session_options options = {
		.lock_wait_ns = request->lock_wait_ns,
		.without_perf = judged && !request->calibrates && project_only_simulated(judged),
		.perf_optional = run->perf_optional,
		.waiting = report_waiting,
		.ctx = request,
	};
	uint64_t began_ns = clock_now_ns();

	/* Some errors of earlier calls of git are ignored, and an interrupt may have been among them. */
	if (interrupt_check(&request->interrupt, err) < 0 || session_open(&run->session, &request->keeper, &options, err) < 0)
		return -1;
	lifecycle_say(request, "start (lock, perf, what it can count)", began_ns);
	return make_folder(run, own, err);
}

void lifecycle_watch(struct lifecycle *run)
{
	run->start_ns = clock_now_ns();
	run->own_ms = run->request->keeper.cpu_ms;
	lock_others(&run->others);
	noise_read(&run->before);
}

enum { OTHERS_NAMED = 3 };

static void note_others(const struct strv *others, struct strv *notes)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	strbuf_list(&names, others, OTHERS_NAMED);
	strv_pushf(notes, "another pawl (%s) was measuring too, under a lock of its own: give both the same "
		   "XDG_RUNTIME_DIR", names.buf);
}

void lifecycle_watched(struct lifecycle *run)
{
	const struct machine *machine = &run->session.machine;
	CLEANUP(strv_release) struct strv notes = STRV_INIT, busy = STRV_INIT;
	double own_ms = run->request->keeper.cpu_ms - run->own_ms;
	struct noise after;

	noise_read(&after);
	/* A pawl that measures under another's lock belongs to that one. */
	lock_others(&run->others);
	if (run->session.lock_fd >= 0 && run->others.n)
		note_others(&run->others, &notes);
	strv_release(&run->others);
	noise_describe(&run->before, &after, own_ms, machine->cpus, &notes, &busy);
	machine_release(&run->result.machine);
	machine_copy(&run->result.machine, machine);
	arena_push_all(&run->result.machine.arena, &run->result.machine.notes, &notes);
	arena_push_all(&run->result.arena, &run->result.busy, &busy);
	run->result.elapsed_s = (double)(clock_now_ns() - run->start_ns) / 1e9;
	run->result.partial = run->interrupted != 0;
}

void lifecycle_close(struct lifecycle *run)
{
	if (run->session.keeper)
		session_close(&run->session);
	if (!run->without_files)
		return;
	run->result.out_dir = NULL;
	for (size_t i = 0; i < run->result.n_scenarios; i++)
		run->result.scenarios[i].head.log_path = NULL;
}

static int leave_page(const struct lifecycle *run, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf page = STRBUF_INIT;
	struct report_pictures *pictures;

	for (size_t i = 0; i < run->result.n_scenarios; i++) {
		struct scenario_result *s = &run->result.scenarios[i];

		s->folder = arena_take(&s->arena, file_join(run->result.out_dir, s->name));
	}
	pictures = pictures_read(&run->result);
	report_html(&run->result, &(struct report_options){ .pictures = pictures }, &page);
	pictures_free(&run->result, pictures);
	return lifecycle_write(run, "report.html", &page, err);
}

int lifecycle_leave(const struct lifecycle *run, struct error *err)
{
	static const struct {
		const char *name;
		report_fn *render;
	} reports[] = {
		{ "result.json", report_json }, { "report.md", report_markdown },
		{ "junit.xml", report_junit },
	};

	for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		reports[i].render(&run->result, &(struct report_options){ 0 }, &text);
		if (lifecycle_write(run, reports[i].name, &text, err) < 0)
			return -1;
	}
	if (leave_page(run, err) < 0)
		return -1;
	if (run->parent)
		outdir_prune(run->parent);
	return 0;
}

int lifecycle_write(const struct lifecycle *run, const char *name, const struct strbuf *text, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(run->result.out_dir, name);

	return file_write(path, text->buf, text->len, err);
}

int lifecycle_finish(struct lifecycle *run, struct error *err)
{
	const struct request *request = run->request;
	uint64_t began_ns = clock_now_ns();
	int left;

	if (run->interrupted)
		run->result.status = 128 + run->interrupted;
	/* Prints the report even if the folder is full. */
	left = run->without_files ? 0 : lifecycle_leave(run, err);
	if (run->silent)
		return left < 0 ? -1 : run->result.status;
	if (verdicts_print(&run->result, request, request->json ? report_json : run->as_commands ? report_typed : report_text,
			   left < 0 ? NULL : err) < 0 || left < 0)
		return -1;
	lifecycle_say(request, "report", began_ns);
	if (!run->as_commands && run->result.out_dir)
		console_say(request, "results: %s\n", run->result.out_dir);
	return run->result.status;
}

void lifecycle_release(struct lifecycle *run)
{
	lifecycle_close(run);
	strv_release(&run->others);
	result_release(&run->result);
	free(run->parent);
	*run = (struct lifecycle){ 0 };
}

/* -------- progress */

/* Time between redraws, which wake the terminal next to the measured program. */
#define REDRAW_NS (200 * NS_PER_MS)

static const char clear_line[] = "\r\033[K";

static const struct {
	const char *name, *timed;
	size_t seconds;
} phases[] = {
#define SECONDS(field) offsetof(struct phases, field)
	[PHASE_SETUP] = { "setup", "setup", SECONDS(setup_s) },
	[PHASE_ENV] = { "starting", "services", SECONDS(services_s) },
	[PHASE_WARMUP] = { "warm-up", "warm-up", SECONDS(warm_up_s) },
	[PHASE_RUN] = { "run", "runs", SECONDS(runs_s) },
	[PHASE_SIMULATE] = { "simulating, or counting allocations", "simulation", SECONDS(simulation_s) },
	[PHASE_PROFILE] = { "profiled run", "profile", SECONDS(profile_s) },
	[PHASE_EVIDENCE] = { "looking for the cause", "cause", SECONDS(evidence_s) },
	[PHASE_CLEANUP] = { "cleanup", "cleanup", SECONDS(cleanup_s) },
};

static double *seconds_of(struct progress *progress, enum loop_phase phase)
{
	struct phases *p = &progress->scenario->phases;

	return progress->confirming ? &p->confirmation_s : (double *)((char *)p + phases[phase].seconds);
}

/* With -v prints a line such as "[1/2] sort: runs took 1.62 s". */
void progress_pause(struct progress *p)
{
	double s = (double)(clock_now_ns() - p->phase_ns) / 1e9;

	if (!p->phase)
		return;
	*p->phase_s += round(s * 1e3) / 1e3;
	if (p->request->verbose) {
		if (p->terminal)
			console_raw(p->request, clear_line);
		console_say(p->request, "[%zu/%zu] %s: %s%s took %.2f s\n", p->at, p->of, p->scenario->name,
			    p->confirming ? "confirmation, " : "", p->phase, s);
	}
	p->phase = NULL;
	p->shown_ns = 0;
}

void progress_begin(struct progress *progress, const struct request *request, size_t scenarios)
{
	const char *term = getenv("TERM"), *github = getenv("GITHUB_ACTIONS");

	*progress = (struct progress){
		.request = request,
		.of = scenarios,
		.terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb"),
		.github = github && !strcmp(github, "true"),
	};
}

void progress_resume(struct progress *progress, struct scenario_result *scenario)
{
	progress_pause(progress);
	progress->scenario = scenario;
}

void progress_scenario(struct progress *progress, struct scenario_result *scenario)
{
	const char *name = scenario->name;

	progress_resume(progress, scenario);
	progress->at++;
	progress->open = progress->pairs = false;
	progress->shown_ns = 0;
	/* Pairs return to a scenario. Only its first visit gets a group, since GitHub folds each. */
	progress->grouped = progress->github && progress->at > progress->groups;
	if (progress->grouped) {
		progress->groups = progress->at;
		console_raw(progress->request, "::group::");
		console_say(progress->request, "pawl: %s (%zu of %zu)\n", name, progress->at, progress->of);
	}
}

static const char *phase_name(const struct loop_progress *step)
{
	if (step->pairs)
		return "pair";
	if (step->windows && step->phase == PHASE_PROFILE)
		return "profiled window";
	return step->windows && step->phase == PHASE_RUN ? "window" : phases[step->phase].name;
}

void progress_step(void *ctx, const struct loop_progress *step)
{
	struct progress *p = ctx;
	bool changed = !p->open || step->phase != p->last || step->what;

	if (p->pairs && (step->phase == PHASE_ENV || step->phase == PHASE_WARMUP))
		return;
	if (p->scenario && (!p->phase || step->phase != p->last)) {
		progress_pause(p);
		p->phase = phases[step->phase].timed;
		if (step->phase == PHASE_RUN && step->windows)
			p->phase = "windows";
		if (step->pairs)
			p->phase = "pairs";
		p->phase_s = seconds_of(p, step->phase);
		p->phase_ns = clock_now_ns();
	}
	p->pairs = p->pairs || step->pairs;
	p->open = true;
	p->last = step->phase;
	/* A log gets one line a scenario, from progress_done(). */
	if (!p->terminal || (!changed && clock_now_ns() - p->shown_ns < REDRAW_NS))
		return;
	console_raw(p->request, clear_line);
	console_say(p->request, "[%zu/%zu] %s: %s", p->at, p->of, step->scenario, phase_name(step));
	if (step->what)
		console_say(p->request, " %s", step->what);
	if (step->run)
		console_say(p->request, " %u", step->run);
	if (step->of)
		console_say(p->request, " of %u", step->of);
	if (step->left_ns)
		console_say(p->request, ", %.0f s left", (double)step->left_ns / 1e9 + 0.5);
	p->shown_ns = clock_now_ns();
}

void progress_done(struct progress *progress, const char *name, const char *words)
{
	progress_pause(progress);
	if (progress->terminal)
		console_raw(progress->request, clear_line);
	if (words && !progress->brief)
		console_say(progress->request, "[%zu/%zu] %s: %s\n", progress->at, progress->of, name, words);
	if (progress->grouped)
		console_raw(progress->request, "::endgroup::\n");
	progress->grouped = false;
}
