/* pawl baseline update: from runs to an accepted baseline. */
#include <ctype.h>
#include <math.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cmd/accepted.h"
#include "cmd/accepted_stacks.h"
#include "cmd/accepted_profile.h"
#include "cmd/baseline.h"
#include "cmd/event.h"
#include "cmd/faults.h"
#include "cmd/judging.h"
#include "cmd/results.h"
#include "cmd/suite.h"
#include "store/baseline.h"
#include "measure/files.h"
#include "measure/lock.h"
#include "model/verdict.h"

#define DAMAGED "the baseline to update is damaged (--force with --reason replaces it)"

struct acceptance {
	struct invocation *inv;
	struct project *project;
	const struct result *result;
	const char *folder;		/* where the result lies, with what it left behind */
	size_t accepted, refused;
};

/* -------- may it be accepted? */

static const char *why_not(const struct scenario_result *s)
{
	switch (s->state) {
	case SCENARIO_FAILED:
		return s->failure ?: "it failed";
	case SCENARIO_PARTIAL:
		return "it was interrupted before its runs were complete";
	case SCENARIO_SKIPPED:
		return "it was interrupted before it began";
	default:
		return s->n_runs ? NULL : "it has no runs";
	}
}

/* What to add to a command so that it takes RESULT as it was stored, for free(). */
static char *from_result(const struct result *result)
{
	struct strbuf words = STRBUF_INIT;

	strbuf_adds(&words, "--from ");
	escape_shell(&words, result->out_dir ?: "RESULT");
	return strbuf_take(&words);
}

static int refuse_busy(const struct result *result, struct error *err)
{
	CLEANUP(free_ptr) char *from = from_result(result);

	return error_set(err, ERR_SYSTEM,
			 "not accepted, because the machine was busy: %s; try again when it is quiet, or accept these "
			 "runs all the same with %s --force", result->busy.items[0], from);
}

/* Blanks are no reason, and neither is the "..." that reports leave to be filled in. */
static bool gives_reason(const char *text)
{
	for (size_t len; *text; text += len) {
		uint32_t code = 0;

		len = utf8_decode(text, &code);
		if (code < 0x80 ? isalnum((int)code) : escape_is_visible(code))
			return true;
		len += !len;
	}
	return false;
}

static int check_reason(const struct options *o, struct error *err)
{
	if (!o->reason || gives_reason(o->reason))
		return 0;
	return error_set(err, ERR_INPUT, "--reason '%.60s' gives no reason: say in words why this is accepted", o->reason);
}

/* No option stands in for the reason: --force is about how the runs were measured, not about what they say. */
static int need_reason(const struct acceptance *a, const char *scenario, const char *what, struct error *err)
{
	CLEANUP(free_ptr) char *from = NULL;

	if (a->inv->options.reason)
		return 0;
	from = from_result(a->result);
	return error_set(err, ERR_INPUT, "%s: %s: say why with --reason (the runs are kept: add %s)", scenario, what, from);
}

/* -------- accepting one */

static bool same_code(const struct baseline *old, const struct scenario_result *s)
{
	const char *before = old->sessions[old->n_sessions - 1].executable;

	return !settings_difference(&old->settings, &s->settings) && before && s->executable && !strcmp(before, s->executable);
}

/*
 * A further session of one program widens what is known of its spread; the runs of a program that
 * got worse would only hide it there. An interpreter's executable does not tell them apart, the
 * verdict does.
 */
static bool may_join(const struct baseline *old, const struct scenario_result *s)
{
	return same_code(old, s) && !scenario_result_regressed(s);
}

static char *who(void)
{
	const char *names[] = { "GITHUB_ACTOR", "PAWL_USER", "USER", "LOGNAME" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return xstrdup(value);
	}
	return xstrdup(geteuid() ? "unknown" : "root");
}

static void sign(const struct acceptance *a, struct session *session)
{
	free(session->by);
	free(session->reason);
	session->by = who();
	session->reason = xstrdup(a->inv->options.reason);
}

static const struct metric *measured_metric(const struct scenario_result *s, const char *name)
{
	for (size_t i = 0; i < s->n_metrics; i++)
		if (!strcmp(s->metrics[i]->name, name))
			return s->metrics[i];
	return NULL;
}

/* What a maintainer wants to know of a replaced baseline: how its gated metrics moved. */
static void say_changes(struct acceptance *a, const struct scenario_result *s, const struct baseline *old)
{
	CLEANUP(accepted_release) struct accepted before;
	CLEANUP(strbuf_release) struct strbuf symbols = STRBUF_INIT;

	accepted_init(&before, old);
	for (size_t i = 0; i < s->n_gates; i++) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
		CLEANUP(free_ptr) char *name = metric_ref_name(&gate_judgement(&s->gates[i])->ref);
		const struct metric *metric = measured_metric(s, name);
		struct metric_change change;

		if (!metric)
			continue;
		metric_change_set(&before, metric, scenario_result_median(s, name), &change);
		if (isnan(change.before) || isnan(change.now))
			continue;
		metric_change_add(&line, s, &change);
		cmd_say(a->inv, "    %s\n", line.buf);
	}
	accepted_profile_changes_add(&symbols, 4, &old->profile, &s->profile);
	cmd_say(a->inv, "%s", symbols.buf);
}

static int write_baseline(const struct baseline *base, const char *path, struct error *err)
{
	CLEANUP(free_ptr) char *text = baseline_format(base);
	return file_write(path, text, strlen(text), err);
}

/* What became of the profile, behind the number of runs. */
static const char *profile_words(const struct baseline *base, bool fresh)
{
	if (!profile_exists(&base->profile))
		return "";
	return fresh ? " and a profile" : " beside the profile of an earlier session";
}

/* PROFILE: it is that of these runs, or they replace one by none. */
static int write_accepted(struct acceptance *a, const struct scenario_result *s, const struct baseline *base, bool profile,
			  const char *path, struct error *err)
{
	const char *folder = profile_exists(&s->profile) ? a->folder : NULL;
	const char *verb = base->n_sessions > 1 ? "added to" : "accepted";
	int ret = 0;

	/* First what no verdict rests on: a baseline that was written has been accepted. */
	if (profile)
		ret = accepted_stacks_write(folder, s->name, path, err);
	if (ret == 0)
		ret = write_baseline(base, path, err);
	cmd_say(a->inv, "%s %s: %zu runs%s, session %zu (%s)\n", ret < 0 ? "not accepted:" : verb, s->name, s->n_runs,
		profile_words(base, profile), base->n_sessions, path);
	return ret;
}

/* Of one program a second profile tells nothing new, and would change half of the file, unless it is much the better one. */
static bool has_better_profile(const struct scenario_result *s, const struct baseline *old)
{
	if (!profile_exists(&s->profile))
		return false;
	return !accepted_profile_comparable(&old->profile, &s->profile) || s->profile.samples >= 2 * old->profile.samples;
}

static int join(struct acceptance *a, const struct scenario_result *s, struct session *session, struct baseline *old,
		const char *path, struct error *err)
{
	bool profile = has_better_profile(s, old);

	baseline_add_session(old, session);
	if (profile) {
		profile_release(&old->profile);
		profile_copy(&old->profile, &s->profile);
	}
	return write_accepted(a, s, old, profile, path, err);
}

/*
 * Runs that are a session already: another one of the same values would make the spread of the sessions smaller than it
 * is. What may be said anew is the reason.
 */
static int accept_again(struct acceptance *a, const struct scenario_result *s, struct baseline *old, struct session *session,
			const char *path, struct error *err)
{
	const char *reason = a->inv->options.reason;
	size_t number = (size_t)(session - old->sessions) + 1;

	if (!reason || (session->reason && !strcmp(session->reason, reason))) {
		cmd_say(a->inv, "unchanged: %s: these runs are session %zu already (%s)\n", s->name, number, path);
		return 0;
	}
	sign(a, session);
	if (write_baseline(old, path, err) < 0)
		return -1;
	cmd_say(a->inv, "unchanged but for the reason: %s: these runs are session %zu already (%s)\n", s->name, number, path);
	return 0;
}

static int accept_over(struct acceptance *a, const struct scenario_result *s, struct baseline *old, bool have_old,
		       const char *path, struct error *err)
{
	CLEANUP(free_ptr) char *folder = file_join(a->project->baselines_dir, s->name);
	CLEANUP(baseline_release) struct baseline fresh = { 0 };
	struct session *again;

	if (file_refuse_links(a->project->root, folder, err) < 0 || file_refuse_link(a->project->baselines_dir, err) < 0 ||
	    file_refuse_link(folder, err) < 0)
		return -1;
	results_to_baseline(a->result, s, &fresh);
	again = have_old ? baseline_find_measurement(old, &fresh.sessions[0]) : NULL;
	if (again)
		return accept_again(a, s, old, again, path, err);
	sign(a, &fresh.sessions[0]);
	if (have_old && may_join(old, s))
		return join(a, s, &fresh.sessions[0], old, path, err);
	if (have_old &&
	    need_reason(a, s->name, "its code, its scenario or its speed changed, so this replaces the baseline", err) < 0)
		return -1;
	if (have_old)
		say_changes(a, s, old);
	return write_accepted(a, s, &fresh, true, path, err);
}

static int accept(struct acceptance *a, const struct scenario_result *s, struct error *err)
{
	CLEANUP(free_ptr) char *class = machine_class(&a->result->machine);
	CLEANUP(free_ptr) char *path = project_baseline_path(a->project, s->name, class);
	CLEANUP(free_ptr) char *file = NULL;
	CLEANUP(baseline_release) struct baseline old = { 0 };
	struct strbuf name = STRBUF_INIT;
	int have_old;

	if (why_not(s) && !(a->inv->options.force && s->n_runs)) {
		cmd_say(a->inv, "not accepted: %s: %s%s\n", s->name, why_not(s),
			s->n_runs ? " (--force accepts the runs that are complete)" : "");
		a->refused++;
		return 0;
	}
	strbuf_addf(&name, "%s.json", class);
	file = strbuf_take(&name);
	have_old = project_read_baseline(a->project, s->name, file, &old, err);
	if (have_old < 0) {
		if (!a->inv->options.force)
			return error_wrap(err, DAMAGED);
		if (need_reason(a, s->name, "this replaces a damaged baseline", err) < 0)
			return -1;
		have_old = 0;
	}
	if (accept_over(a, s, &old, have_old == 1, path, err) < 0)
		return -1;
	a->accepted++;
	return 0;
}

static int accept_all(struct acceptance *a, struct error *err)
{
	struct error first = ERROR_INIT;

	/* One that is refused must not keep the others from being accepted. */
	for (size_t i = 0; i < a->result->n_scenarios; i++) {
		struct error why = ERROR_INIT;

		if (accept(a, &a->result->scenarios[i], &why) < 0 && first.kind == ERR_NONE)
			first = why;
	}
	if (first.kind != ERR_NONE) {
		*err = first;
		return -1;
	}
	return a->refused ? STATUS_NOT_MEASURED : STATUS_OK;
}

/* -------- one update at a time */

static void sweep(const char *baselines_dir)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_sweep(baselines_dir);
	if (file_list(baselines_dir, &names, NULL) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *folder = file_join(baselines_dir, names.items[i]);

		if (file_refuse_link(folder, NULL) == 0 && file_is_dir(folder))
			file_sweep(folder);
	}
}

/* From judging to writing the baselines are nobody else's, or the sessions of one update would be lost to another. */
static int own_baselines(const struct project *project, struct invocation *inv, int *lock_out, struct error *err)
{
	const char *dir = project->baselines_dir;
	int ret;

	if (file_refuse_links(project->root, dir, err) < 0 || file_refuse_link(dir, err) < 0 || file_make_dirs(dir, err) < 0)
		return -1;
	ret = lock_folder(dir, inv->options.lock_wait_ns, &inv->interrupt, lock_out, err);
	if (ret == 1)
		cmd_say(inv, "%s is on a file system that cannot lock it: let nobody else update these baselines meanwhile\n", dir);
	if (ret == 0)
		sweep(dir);
	return ret < 0 ? -1 : 0;
}

/* -------- measured afresh, or from a stored result */

/* A damaged baseline that --force replaces cannot judge. */
static int judge_measured(struct result *result, struct project *project, struct invocation *inv, struct error *err)
{
	strv_push(&result->notes, "measured by `pawl baseline update`, to be accepted");
	if (judging_stored(result, project, err) == 0 || inv->options.force)
		return 0;
	return error_wrap(err, DAMAGED);
}

static int update_measured(struct invocation *inv, const struct strv *args, struct project *project, struct error *err)
{
	struct suite suite = { .refuse_busy = !inv->options.force };
	struct acceptance a = { .inv = inv, .project = project, .result = &suite.result };
	CLEANUP(lock_drop) int lock = -1;
	int status = -1;

	if (project_select(project, inv, args, err) == 0 && suite_measure(&suite, project, inv, err) == 0 &&
	    own_baselines(project, inv, &lock, err) == 0 && judge_measured(&suite.result, project, inv, err) == 0 &&
	    suite_leave(&suite, err) == 0) {
		a.folder = suite.result.out_dir;
		if (suite.interrupted)
			status = 128 + suite.interrupted;
		else if (suite.result.busy.n && !inv->options.force)
			status = refuse_busy(&suite.result, err);
		else
			status = accept_all(&a, err);
		if (inv->options.json && judging_print(&suite.result, inv, "json", err) < 0)
			status = -1;
	}
	faults_print(&project->diags);
	suite_release(&suite);
	return status;
}

/* By its name, or by the path of its file. */
static bool is_named(const struct scenario_result *s, const char *word)
{
	return !strcmp(s->name, word) || (s->path && !strcmp(s->path, word));
}

static bool is_wanted(const struct scenario_result *s, const struct strv *names)
{
	for (size_t i = 0; i < names->n; i++)
		if (is_named(s, names->items[i]))
			return true;
	return !names->n;
}

static int check_names(const struct result *result, const struct strv *names, const char *path, struct error *err)
{
	for (size_t i = 0; i < names->n; i++) {
		size_t k = 0;

		while (k < result->n_scenarios && !is_named(&result->scenarios[k], names->items[i]))
			k++;
		if (k == result->n_scenarios)
			return error_set(err, ERR_INPUT, "%s holds no scenario '%.100s'", path, names->items[i]);
	}
	return result->n_scenarios ? 0 : error_set(err, ERR_INPUT, "%s holds no scenario", path);
}

static void keep_named(struct result *result, const struct strv *names)
{
	size_t kept = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		if (is_wanted(&result->scenarios[i], names))
			result->scenarios[kept++] = result->scenarios[i];
		else
			scenario_result_release(&result->scenarios[i]);
	}
	result->n_scenarios = kept;
}

static int update_stored(struct invocation *inv, const struct strv *args, struct project *project, struct error *err)
{
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *folder = NULL;
	CLEANUP(lock_drop) int lock = -1;
	struct acceptance a = { .inv = inv, .project = project, .result = &result };

	if (results_read(inv->options.from, &result, err) < 0 || check_names(&result, args, inv->options.from, err) < 0)
		return -1;
	keep_named(&result, args);
	if (result.busy.n && !inv->options.force)
		return refuse_busy(&result, err);
	if (own_baselines(project, inv, &lock, err) < 0 || judge_measured(&result, project, inv, err) < 0)
		return -1;
	folder = results_folder(inv->options.from);
	a.folder = folder;
	return accept_all(&a, err);
}

int baseline_update(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(event_release) struct event event = { 0 };
	struct project project;
	int status;

	event_read(&event);
	if (event.foreign)
		cmd_say(inv, "GitHub's event is %s, somebody else's change: what is accepted here is measured and compared by its own "
			"pawl.yaml, scenarios and baselines, and judges nobody before it is merged\n", event.name);
	if (check_reason(&inv->options, err) < 0)
		return -1;
	status = project_open(&project, inv, args, err);
	if (status == 0 && project.by.ref)
		status = error_set(err, ERR_INPUT, "baseline update writes to the working tree; it takes no --baseline-ref");
	else if (status == 0)
		status = (inv->options.from ? update_stored : update_measured)(inv, args, &project, err);
	project_close(&project);
	return status;
}
