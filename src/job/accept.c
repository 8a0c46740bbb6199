#include "job/accept.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/lifecycle.h"
#include "job/project/builds.h"
#include "job/project/console.h"
#include "job/project/pictures.h"
#include "job/project/project.h"
#include "job/project/request.h"
#include "job/project/select.h"
#include "job/runs.h"
#include "job/sides/programs.h"
#include "job/verdicts.h"
#include "measure/files/files.h"
#include "measure/git/git.h"
#include "measure/git/kept.h"
#include "measure/git/trees.h"
#include "measure/machine/machine.h"
#include "measure/process/lock.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/metrics/numbers.h"
#include "model/profile.h"
#include "model/result.h"
#include "report/formats/accepted.h"
#include "scenario/scenario.h"
#include "store/store.h"

#define DAMAGED "the baseline to update is damaged (--force with --reason replaces it)"

struct acceptance {
	const struct accept_wish *wish;
	struct project *project;
	const struct result *result;
	const char *folder;		/* the folder of the result and its files */
	size_t refused;
	bool follows;			/* the same command measured a session right before, so the program is the same */
};

static const char *why_not(const struct scenario_result *s)
{
	switch (s->head.state) {
	case SCENARIO_FAILED:
		return s->head.failure ?: "it failed";
	case SCENARIO_PARTIAL:
		return "it was interrupted before its runs were complete";
	case SCENARIO_SKIPPED:
		return "it was interrupted before it began";
	default:
		return s->head.n_runs ? NULL : "it has no runs";
	}
}

static char *from_result(const struct result *result)
{
	struct strbuf words = STRBUF_INIT;

	strbuf_adds(&words, "--from ");
	escape_shell(&words, result->out_dir ?: "RESULT");
	return strbuf_take(&words);
}

/* --force is about how the runs were measured, not about what they show. */
static int need_reason(const struct acceptance *a, const char *scenario, const char *what, struct error *err)
{
	CLEANUP(free_ptr) char *from = NULL;

	if (a->wish->reason)
		return 0;
	from = from_result(a->result);
	return error_set(err, ERR_INPUT, "%s: %s: say why with --reason (the runs are kept: add %s)", scenario, what,
			 from);
}

/* -------- accepting one */

static void sign(const struct acceptance *a, struct baseline_session *session)
{
	static const char *const names[] = { "GITHUB_ACTOR", "PAWL_USER", "USER", "LOGNAME" };
	const char *who = NULL;

	for (size_t i = 0; i < sizeof names / sizeof names[0] && !(who && *who); i++)
		who = getenv(names[i]);
	session->by = who && *who ? who : geteuid() ? "unknown" : "root";
	session->reason = a->wish->reason;
}

static void print_changes(struct acceptance *a, const struct scenario_result *s, const struct baseline *old)
{
	CLEANUP(strbuf_release) struct strbuf symbols = STRBUF_INIT;

	for (size_t i = 0; i < s->n_gates; i++) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
		const struct metric *metric = gate_judgement(&s->gates[i])->metric;
		double was = accepted_median(old, metric), now = side_result_median(&s->head, metric);

		if (isnan(was) || isnan(now))
			continue;
		accepted_change(&line, scenario_result_work_unit(s), metric, was, now);
		console_say(a->wish->request, "    %s\n", line.buf);
	}
	accepted_share_changes(&symbols, 4, &old->profile, &s->head.profile);
	console_say(a->wish->request, "%s", symbols.buf);
}

static int write_baseline(const struct baseline *base, const char *path, struct error *err)
{
	CLEANUP(free_ptr) char *text = baseline_format(base);

	return file_write(path, text, strlen(text), err);
}

/* PROFILE: its profile is of these runs, or they have none and remove the earlier one. */
static int write_accepted(struct acceptance *a, const struct scenario_result *s, const struct baseline *base,
			  bool profile, const char *path, struct error *err)
{
	const char *folder = profile_exists(&s->head.profile) ? a->folder : NULL;
	const char *verb = base->n_sessions > 1 ? "added to" : "accepted";
	const char *with = !profile_exists(&base->profile) ? "" : profile ? " and a profile"
								  : " beside the profile of an earlier session";
	int ret = 0;

	/* Stacks come first, since no verdict depends on them: once the baseline is written, it is accepted. */
	if (profile)
		ret = pictures_accept(folder, s->name, path, err);
	if (ret == 0)
		ret = write_baseline(base, path, err);
	console_say(a->wish->request, "%s %s: %zu runs%s, session %zu (%s)\n", ret < 0 ? "not accepted:" : verb, s->name,
		    s->head.n_runs, with, base->n_sessions, path);
	if (ret == 0 && a->result->busy.n)
		console_say(a->wish->request, "the machine was busy (%s): times of this session count for little\n", a->result->busy.items[0]);
	if (ret == 0 && s->idle)
		console_say(a->wish->request, "warning: %s %s\n", s->name, s->idle);
	if (ret == 0 && git_ignores(&a->wish->request->git, a->project->root, path))
		console_say(a->wish->request, "warning: git ignores %s, so no other machine will have it; add the line %s to .gitignore\n", path,
			    BASELINES_NOT_IGNORED);
	return ret;
}

/*
 * A session widens the known spread, in which a slower program would hide. The verdict knows an interpreter's
 * programs.
 */
static bool may_join(const struct acceptance *a, const struct baseline *old, const struct scenario_result *s)
{
	const char *before = baseline_last(old)->executable, *now = s->head.executable;

	if (settings_difference(&old->settings, &s->settings))
		return false;
	/* Sessions of one command differ by the machine alone, and are meant to. */
	return a->follows ? text_same(before, now) : before && now && !strcmp(before, now) && !scenario_result_regressed(s);
}

/* A second session of the same values would make the spread too small. Only the reason can change. */
static int accept_again(struct acceptance *a, const struct scenario_result *s, struct baseline *old,
			struct baseline_session *session, const char *path, struct error *err)
{
	const char *reason = a->wish->reason;
	size_t number = (size_t)(session - old->sessions) + 1;

	if (!reason || (session->reason && !strcmp(session->reason, reason))) {
		console_say(a->wish->request, "unchanged: %s: these runs are session %zu already (%s)\n", s->name, number, path);
		return 0;
	}
	sign(a, session);
	if (write_baseline(old, path, err) < 0)
		return -1;
	console_say(a->wish->request, "unchanged but for the reason: %s: these runs are session %zu already (%s)\n", s->name,
		    number, path);
	return 0;
}

static int accept_over(struct acceptance *a, const struct scenario_result *s, struct baseline *old, const char *path,
		       struct error *err)
{
	CLEANUP(free_ptr) char *folder = file_join(a->project->baselines_dir, s->name);
	CLEANUP(baseline_release) struct baseline fresh = { 0 };
	const struct profile *taken = &s->head.profile;
	struct baseline_session *again;

	if (file_refuse_links(a->project->root, folder, err) < 0 || file_refuse_link(a->project->baselines_dir, err) < 0 ||
	    file_refuse_link(folder, err) < 0)
		return -1;
	verdicts_to_baseline(a->result, s, &s->head, &fresh);
	again = old ? baseline_find_measurement(old, &fresh.sessions[0]) : NULL;
	if (again)
		return accept_again(a, s, old, again, path, err);
	sign(a, &fresh.sessions[0]);
	if (old && may_join(a, old, s)) {
		/* A second profile would change half of the file, so it is kept only if it is much better. */
		bool profile = profile_exists(taken) &&
			       (profile_incomparable(&old->profile, taken) || taken->samples >= 2 * old->profile.samples);
		struct profile kept = old->profile;
		int ret;

		sign(a, verdicts_add_session(a->result, s, &s->head, old));
		if (profile)
			old->profile = profile_view(taken);
		ret = write_accepted(a, s, old, profile, path, err);
		/* The baseline outlives the result. */
		old->profile = kept;
		return ret;
	}
	if (old) {
		if (need_reason(a, s->name, "its code, its scenario or its speed changed, so this replaces the baseline", err) < 0)
			return -1;
		print_changes(a, s, old);
	}
	return write_accepted(a, s, &fresh, true, path, err);
}

static int accept_scenario(struct acceptance *a, const struct scenario_result *s, struct error *err)
{
	CLEANUP(free_ptr) char *class = machine_class(&a->result->machine), *file = text_printf("%s.json", class);
	CLEANUP(free_ptr) char *path = project_baseline_path(a->project, s->name, class);
	struct project_baseline *old = NULL;
	bool force = a->wish->force;
	int have_old;

	if (why_not(s) && !(force && s->head.n_runs)) {
		console_say(a->wish->request, "not accepted: %s: %s%s\n", s->name, why_not(s),
			    s->head.n_runs ? " (--force accepts the runs that are complete)" : "");
		a->refused++;
		return 0;
	}
	have_old = project_read_baseline(a->project, s->name, file, &old, err);
	if (have_old < 0 && !force)
		return error_wrap(err, DAMAGED);
	if (have_old < 0 && need_reason(a, s->name, "this replaces a damaged baseline", err) < 0)
		return -1;
	return accept_over(a, s, have_old > 0 ? &old->baseline : NULL, path, err);
}

/* Accepts all scenarios. A refused one does not stop the others. */
static int accept_all(struct acceptance *a, struct error *err)
{
	struct error first = ERROR_INIT;

	for (size_t i = 0; i < a->result->n_scenarios; i++) {
		struct error why = ERROR_INIT;

		if (accept_scenario(a, &a->result->scenarios[i], &why) < 0 && first.kind == ERR_NONE)
			first = why;
	}
	if (first.kind == ERR_NONE)
		return a->refused ? STATUS_NOT_MEASURED : STATUS_OK;
	return error_copy(err, &first);
}

/* Two updates could lose each other's sessions. */
static int own_baselines(const struct project *project, int *lock_out, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	struct request *request = project->request;
	const char *dir = project->baselines_dir;
	struct stat root;
	bool fresh = !file_is_dir(dir) && stat(project->root, &root) == 0;
	int ret;

	if (file_refuse_links(project->root, dir, err) < 0 || file_refuse_link(dir, err) < 0 ||
	    file_make_dirs(dir, err) < 0)
		return -1;
	/* A folder's time tells read_latest() that a file of the project is gone. This new folder is no such change. */
	if (fresh)
		utimensat(AT_FDCWD, project->root, (const struct timespec[]){ { .tv_nsec = UTIME_OMIT }, root.st_mtim }, 0);
	ret = lock_folder(dir, request->lock_wait_ns, &request->interrupt, lock_out, err);
	if (ret < 0)
		return -1;
	if (ret == 1) {
		console_say(request, "%s is on a file system that cannot lock it: make sure that nothing else updates these baselines meanwhile\n", dir);
		return 0;
	}
	/* Removes what killed updates left. */
	file_sweep(dir);
	file_list(dir, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *folder = file_join(dir, names.items[i]);

		if (file_refuse_link(folder, NULL) == 0 && file_is_dir(folder))
			file_sweep(folder);
	}
	return 0;
}

static int judge_measured(struct result *result, struct project *project, const struct accept_wish *wish, struct error *err)
{
	NOTE(result, "measured by `pawl baseline update`, to be accepted");
	if (verdicts_stored(result, project, err) == 0 || wish->force)
		return 0;
	return error_wrap(err, DAMAGED);
}

/* NAMES: of scenarios, or paths of their files; empty: all. */
static int keep_named(struct result *result, const struct strv *names, const char *path, struct error *err)
{
	CLEANUP(free_ptr) bool *wanted = xcalloc(result->n_scenarios + 1, sizeof *wanted);
	size_t kept = 0;

	if (!result->n_scenarios)
		return error_set(err, ERR_INPUT, "%s holds no scenario", path);
	for (size_t i = 0; i < names->n; i++) {
		bool found = false;

		for (size_t k = 0; k < result->n_scenarios; k++) {
			const struct scenario_result *s = &result->scenarios[k];

			if (!strcmp(s->name, names->items[i]) || (s->path && !strcmp(s->path, names->items[i])))
				found = wanted[k] = true;
		}
		if (!found)
			return error_set(err, ERR_INPUT, "%s holds no scenario '%.100s'", path, names->items[i]);
	}
	for (size_t k = 0; k < result->n_scenarios; k++) {
		if (wanted[k] || !names->n)
			result->scenarios[kept++] = result->scenarios[k];
		else
			scenario_result_release(&result->scenarios[k]);
	}
	result->n_scenarios = kept;
	return 0;
}

/* -------- the run just made, if it is certain that another one would measure the same */

/* Meanwhile the machine has become another one. */
enum { RECENT_S = 3600 };

static int no_port(void *ctx, const char *name, struct error *err)
{
	(void)ctx;
	return error_set(err, ERR_INPUT, "port %s has no number yet", name);
}

/* NULL if only a run can tell, as when setup makes the program. For free(). */
static char *identity_now(const struct project *project, const struct scenario *scenario)
{
	CLEANUP(free_ptr) char *path = *scenario->path == '/' ? xstrdup(scenario->path) : file_join(project->root, scenario->path);
	CLEANUP(free_ptr) char *folder = path_parent(path), *identity = NULL;
	const struct plan_context context = {
		/* Nothing exists below a file. */
		.root = project->root, .scenario_dir = folder, .out = "/dev/null/out", .tmp = "/dev/null/tmp", .port = no_port,
	};
	struct plan plan;

	if (plan_build(scenario, &context, &plan, &(struct error)ERROR_INIT) < 0)
		return NULL;
	identity = programs_identity(&plan);
	plan_release(&plan);
	return take_ptr(&identity);
}

static bool serves(struct project *project, const struct result *result, const struct scenario_result *s,
		   const struct scenario *scenario)
{
	CLEANUP(free_ptr) char *class = machine_class(&result->machine), *file = text_printf("%s.json", class);
	CLEANUP(free_ptr) char *identity = identity_now(project, scenario);
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct project_baseline *old = NULL;
	struct settings now = { 0 };

	plan_settings(scenario, &arena, &now);
	if (why_not(s) || !scenario_result_identified(s) || !text_same(identity, s->head.executable) ||
	    settings_difference(&s->settings, &now) || !s->measurement)
		return false;
	if (project_read_baseline(project, s->name, file, &old, &(struct error)ERROR_INIT) == 1)
		for (size_t i = 0; i < old->baseline.n_sessions; i++)
			if (text_same(old->baseline.sessions[i].measurement, s->measurement))
				return false;
	return true;
}

static bool measured_alike(const struct accept_wish *wish, const struct project *project, const struct result *result)
{
	CLEANUP(machine_release) struct machine here = { 0 };
	CLEANUP(free_ptr) char *commit = git_commit(&wish->request->git, project->root);
	const struct machine *there = &result->machine;

	facts_read(&here);
	return result->mode == MODE_STORED && !result->partial && !result->judged_by.ref && !strcmp(result->pawl, PAWL_VERSION) &&
	       text_same(result->commit, commit) && strv_equal(&result->options, &wish->request->shaping) && !strcmp(there->arch, here.arch) &&
	       !strcmp(there->part, here.part) && !strcmp(there->kernel, here.kernel);
}

/* The latest run, if it serves every scenario and nothing changed since its link was made, just before it began. */
static bool read_latest(const struct accept_wish *wish, struct project *project, struct result *result, double *age_s_out)
{
	CLEANUP(free_ptr) char *out = file_join(project->root, project->config.out), *latest = file_join(out, "latest"), *changed = NULL;
	CLEANUP(strv_release) struct strv names = STRV_INIT, skip = STRV_INIT;
	struct error none = ERROR_INIT;
	struct stat st;

	if (wish->sessions || wish->request->out || file_refuse_links(project->root, out, &none) < 0 || lstat(latest, &st) < 0 ||
	    !S_ISLNK(st.st_mode) || wish->read(latest, result, &none) < 0)
		return false;
	*age_s_out = difftime(wish->request->started.tv_sec, st.st_ctim.tv_sec);
	for (size_t i = 0; i < project->n_scenarios; i++)
		strv_push(&names, project->scenarios[i]->name);
	if (*age_s_out < 0 || *age_s_out > RECENT_S || !measured_alike(wish, project, result) || keep_named(result, &names, latest, &none) < 0)
		return false;
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (!serves(project, result, &result->scenarios[i], project_scenario(project, result->scenarios[i].name)))
			return false;
	strv_push(&skip, out);
	strv_push(&skip, project->baselines_dir);
	changed = file_changed_since(project->root, st.st_ctim, &skip);
	for (size_t i = 0; i < project->n_scenarios && !changed; i++)
		if (*project->scenarios[i]->path == '/')
			changed = file_changed_since(project->scenarios[i]->path, st.st_ctim, &skip);
	if (changed)
		console_say(wish->request, "measuring again: %s changed since the run of %s ago\n", changed, format_elapsed(*age_s_out).s);
	return !changed;
}

/* -------- the build that was accepted */

static void skip_results(const struct acceptance *a, struct strv *skip)
{
	strv_take(skip, file_join(a->project->root, a->project->config.out));
	strv_push(skip, a->folder);
}

/* For free(), or NULL. A stored result, whose file is FROM, may be older than the tree. */
static char *why_changed(const struct acceptance *a, const char *from)
{
	const struct project *project = a->project;
	const struct result *result = a->result;
	CLEANUP(strv_release) struct strv skip = STRV_INIT;
	CLEANUP(free_ptr) char *changed = NULL;
	struct stat st;

	skip_results(a, &skip);
	strv_push(&skip, project->baselines_dir);
	if (from)
		changed = stat(from, &st) < 0 ? xstrdup(from) : file_changed_since(project->root, st.st_ctim, &skip);
	if (changed)
		return text_printf("%s changed since it was measured", changed);
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		const struct scenario *scenario = project_scenario(project, s->name);
		CLEANUP(free_ptr) char *identity = scenario ? identity_now(project, scenario) : NULL;

		if (!scenario)
			return text_printf("the project has no scenario %s", s->name);
		if (identity && s->head.executable && strcmp(identity, s->head.executable) != 0)
			return text_printf("the program of %s changed since it was measured", s->name);
	}
	return NULL;
}

static void keep_build(struct acceptance *a, const char *from)
{
	struct request *request = a->wish->request;
	CLEANUP(free_ptr) char *changed = why_changed(a, from);
	struct accepted accepted = { .dirty = a->result->commit && strchr(a->result->commit, '+') };
	struct error why = ERROR_INIT;
	struct builds builds;

	builds_init(&builds, a->project, request, NULL, NULL);
	for (size_t i = 0; i < a->result->n_scenarios; i++)
		strv_pushf(&accepted.runs, "%s %s", a->result->scenarios[i].measurement, a->result->scenarios[i].name);
	skip_results(a, &accepted.skip);
	if (changed)
		error_set(&why, ERR_TARGET, "%s", changed);
	if (!changed && trees_accept(&builds.trees, &accepted, &why) == 0)
		console_say(request, "kept this build: pawl run compares times in pairs with it from now on; see pawl cache\n");
	else
		console_say(request, "this build is not kept (%s): pawl run compares times with the stored ones\n", why.msg);
	strv_release(&accepted.runs);
	strv_release(&accepted.skip);
}

/* -------- measured afresh, or from a stored result */

/* FROM: the file of a stored result, or NULL. */
static void keep_if_accepted(struct acceptance *a, const char *from, int status)
{
	if (status == STATUS_OK && a->result->n_scenarios && a->project->config.build.argv.n)
		keep_build(a, from);
}

/* FROM: the result's own file, which may be older than the tree; or NULL. */
static int accept_stored(const struct accept_wish *wish, struct project *project, struct result *result, const char *folder, const char *from,
			 struct error *err)
{
	CLEANUP(close_fd) int lock = -1;
	struct acceptance a = { .wish = wish, .project = project, .result = result, .folder = folder };
	int status;

	if (own_baselines(project, &lock, err) < 0 || judge_measured(result, project, wish, err) < 0)
		return -1;
	status = accept_all(&a, err);
	keep_if_accepted(&a, from, status);
	return status;
}

/* FOLLOWS: the same command measured a session before. LAST: --json prints its result. */
static int update_measured(const struct accept_wish *wish, struct project *project, bool follows, bool last,
			   struct error *err)
{
	CLEANUP(run_all_release) struct run_all all = { 0 };
	CLEANUP(close_fd) int lock = -1;
	struct lifecycle *run = &all.run;
	struct result *result = &run->result;
	CLEANUP(result_release) struct result latest = { 0 };
	struct acceptance a = { .wish = wish, .project = project, .result = result, .follows = follows };
	double age_s = 0;
	int status;

	if (project_select(project, wish->scenarios, err) < 0)
		return -1;
	if (!follows && read_latest(wish, project, &latest, &age_s)) {
		console_say(wish->request, "accepting the run of %s ago: %s/%s\n", format_elapsed(age_s).s, project->config.out,
			    path_name(latest.out_dir));
		status = accept_stored(wish, project, &latest, latest.out_dir, NULL, err);
		return wish->request->json && status >= 0 && verdicts_print(&latest, wish->request, report_json, err) < 0 ? -1 : status;
	}
	if (run_all_measure(&all, project, err) < 0)
		return -1;
	lifecycle_close(run);
	if (own_baselines(project, &lock, err) < 0 || judge_measured(result, project, wish, err) < 0 ||
	    lifecycle_leave(run, err) < 0)
		return -1;
	a.folder = result->out_dir;
	status = run->interrupted ? 128 + run->interrupted : accept_all(&a, err);
	if (last)
		keep_if_accepted(&a, NULL, status);
	return wish->request->json && (last || status) && verdicts_print(result, wish->request, report_json, err) < 0 ? -1 : status;
}

/* Measures each session as a command of its own, until one is not accepted. */
static int update_sessions(const struct accept_wish *wish, struct error *err)
{
	uint64_t n = wish->sessions ?: 1;
	int status = STATUS_OK;

	for (uint64_t i = 0; i < n && status == STATUS_OK; i++) {
		CLEANUP(project_finish) struct project project = { 0 };

		if (n > 1)
			console_say(wish->request, "session %llu of %llu\n", (unsigned long long)i + 1, (unsigned long long)n);
		status = project_open(&project, wish->request, wish->scenarios, err) < 0 ? -1 : update_measured(wish, &project, i > 0, i + 1 == n, err);
		if (status && i)
			console_say(wish->request, "accepted before: %llu of %llu sessions; pawl baseline update --sessions %llu adds the others\n",
				    (unsigned long long)i, (unsigned long long)n, (unsigned long long)(n - i));
	}
	return status;
}

static int update_stored(const struct accept_wish *wish, struct error *err)
{
	CLEANUP(project_finish) struct project project = { 0 };
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *folder = verdicts_folder(wish->from), *file = file_join(folder, "result.json");
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (project_open(&project, wish->request, wish->scenarios, err) < 0 || wish->read(wish->from, &result, err) < 0 || keep_named(&result, wish->scenarios, wish->from, err) < 0)
		return -1;
	if (result.mode == MODE_PAIRED)
		return error_set(err, ERR_INPUT, "%s compares two sides in pairs, whose runs met each other: a baseline takes runs that were "
				 "alone, of `pawl run` or `pawl baseline update`", wish->from);
	/* The project need not have these scenarios any more. */
	for (size_t i = 0; i < result.n_scenarios; i++)
		strv_push(&names, result.scenarios[i].name);
	project_select(&project, &names, &(struct error)ERROR_INIT);
	return accept_stored(wish, &project, &result, folder, file_is_dir(wish->from) ? file : wish->from, err);
}

int accept_runs(const struct accept_wish *wish, struct error *err)
{
	return wish->from ? update_stored(wish, err) : update_sessions(wish, err);
}
