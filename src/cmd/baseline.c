/* The subcommands of `pawl baseline`, each with the arguments behind its name. */
#include <ctype.h>
#include <math.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cmd/shared/accepted.h"
#include "cmd/shared/judging.h"
#include "cmd/shared/measure.h"
#include "cmd/shared/project.h"
#include "cmd/shared/results.h"
#include "measure/process/files.h"
#include "measure/process/lock.h"
#include "model/gate.h"
#include "report/table.h"
#include "report/words.h"
#include "scenario/values.h"
#include "stats/order.h"
#include "store/baseline.h"
#include "store/json.h"

/* Calls EACH for every baseline of the scenarios in ARGS, all of them when there are none. */
struct baseline_visit {
	const char *scenario, *file;
	const struct baseline *baseline;
};

/* What the looks at baselines share: they print either text or a JSON array of what they visit. */

struct look {
	struct strbuf text;
	struct table table;	/* list */
	cJSON *json;		/* an array, or NULL for text */
	struct project *project;
	struct invocation *inv;
	struct project *other;	/* diff: the baselines of the commit */
};

static int baseline_each(struct project *project, const struct strv *args, int (*each)(const struct baseline_visit *visit, void *ctx, struct error *err), void *ctx, struct error *err);

/* -------- baseline update */

/* pawl baseline update: from runs to an accepted baseline. */

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

static int accept_over(struct acceptance *a, const struct scenario_result *s, struct baseline *old, const char *path,
		       struct error *err)
{
	CLEANUP(free_ptr) char *folder = file_join(a->project->baselines_dir, s->name);
	CLEANUP(baseline_release) struct baseline fresh = { 0 };
	struct session *again;

	if (file_refuse_links(a->project->root, folder, err) < 0 || file_refuse_link(a->project->baselines_dir, err) < 0 ||
	    file_refuse_link(folder, err) < 0)
		return -1;
	results_to_baseline(a->result, s, &fresh);
	again = old ? baseline_find_measurement(old, &fresh.sessions[0]) : NULL;
	if (again)
		return accept_again(a, s, old, again, path, err);
	sign(a, &fresh.sessions[0]);
	if (old && may_join(old, s))
		return join(a, s, &fresh.sessions[0], old, path, err);
	if (old &&
	    need_reason(a, s->name, "its code, its scenario or its speed changed, so this replaces the baseline", err) < 0)
		return -1;
	if (old)
		say_changes(a, s, old);
	return write_accepted(a, s, &fresh, true, path, err);
}

static int accept(struct acceptance *a, const struct scenario_result *s, struct error *err)
{
	CLEANUP(free_ptr) char *class = machine_class(&a->result->machine);
	CLEANUP(free_ptr) char *path = project_baseline_path(a->project, s->name, class);
	CLEANUP(free_ptr) char *file = NULL;
	struct project_baseline *old = NULL;
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
	if (accept_over(a, s, have_old ? &old->baseline : NULL, path, err) < 0)
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

static int baseline_update(struct invocation *inv, const struct strv *args, struct error *err)
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

/* -------- baseline look */

/* pawl baseline list and show: what is accepted, since when, by whom and why. */

static void add_foreign(struct table *table, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf safe = STRBUF_INIT;

	escape_terminal(&safe, text ?: "-");
	table_add(table, safe.buf, NULL);
}

static void look_release(struct look *look)
{
	strbuf_release(&look->text);
	cJSON_Delete(look->json);
	*look = (struct look){ .text = STRBUF_INIT };
}

static int finish(struct look *look, const char *key, struct error *err)
{
	CLEANUP(free_ptr) char *json = NULL;

	if (look->json) {
		cJSON *root = cJSON_CreateObject();

		cJSON_AddItemToObject(root, key, take_ptr(&look->json));
		json = json_print(root);
		strbuf_adds(&look->text, json);
	}
	return cmd_print(&look->text, err);
}

/* -------- list */

static int list_one(const struct baseline_visit *visit, void *ctx, struct error *err)
{
	const struct session *last = accepted_last(visit->baseline);
	CLEANUP(free_ptr) char *class = machine_class(&visit->baseline->machine);
	char sessions[16], date[16];
	struct look *look = ctx;

	(void)err;
	if (look->json) {
		cJSON *one = cJSON_CreateObject();

		json_add_string(one, "scenario", visit->scenario);
		json_add_string(one, "class", class);
		json_add_number(one, "sessions", (double)visit->baseline->n_sessions);
		json_add_string(one, "date", last->date);
		json_add_string(one, "commit", last->commit);
		json_add_string(one, "by", last->by);
		json_add_string(one, "reason", last->reason);
		cJSON_AddItemToArray(look->json, one);
		return 0;
	}
	snprintf(sessions, sizeof sessions, "%zu", visit->baseline->n_sessions);
	snprintf(date, sizeof date, "%.10s", last->date ?: "-");
	table_add(&look->table, visit->scenario, NULL);
	table_add(&look->table, class, NULL);
	table_add(&look->table, sessions, NULL);
	table_add(&look->table, date, NULL);
	add_foreign(&look->table, last->commit);
	add_foreign(&look->table, last->by);
	add_foreign(&look->table, last->reason);
	return 0;
}

static int baseline_list(struct invocation *inv, const struct strv *args, struct error *err)
{
	static const char *const titles[] = { "scenario", "class", "sessions", "last", "commit", "by", "reason" };
	CLEANUP(look_release) struct look look = { .text = STRBUF_INIT, .json = inv->options.json ? cJSON_CreateArray() : NULL };
	struct project project;
	int ret = -1;

	table_init(&look.table, "llrllll");
	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		table_add(&look.table, titles[i], NULL);
	if (project_open(&project, inv, args, err) == 0 &&
	    baseline_each(&project, args, list_one, &look, err) == 0) {
		if (!look.json)
			table_render(&look.table, 0, &look.text);
		ret = finish(&look, "baselines", err);
	}
	table_release(&look.table);
	project_close(&project);
	return ret;
}

/* -------- show */

static void add_value(struct table *table, double value, const struct metric *metric)
{
	CLEANUP(strbuf_release) struct strbuf cell = STRBUF_INIT;

	format_measured(&cell, value, metric);
	add_foreign(table, cell.buf);
}

struct shown {
	struct accepted accepted;
	struct table table;
};

static void add_metric(const struct metric *metric, void *ctx)
{
	struct shown *shown = ctx;
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	CLEANUP(free_ptr) double *values = NULL;
	char number[16];
	size_t n;

	values = baseline_values(shown->accepted.base, metric->name, &n);
	stats_sort(values, n);
	format_metric(&name, &shown->accepted.known, metric);
	add_foreign(&shown->table, name.buf);
	add_value(&shown->table, stats_median_sorted(values, n), metric);
	add_value(&shown->table, values[0], metric);
	add_value(&shown->table, values[n - 1], metric);
	snprintf(number, sizeof number, "%zu", n);
	table_add(&shown->table, number, NULL);
}

static void add_metrics(const struct baseline *base, struct strbuf *out)
{
	static const char *const titles[] = { "metric", "median", "least", "most", "values" };
	struct shown shown;

	accepted_init(&shown.accepted, base);
	table_init(&shown.table, "lrrrr");
	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		table_add(&shown.table, titles[i], NULL);
	accepted_each(&shown.accepted, add_metric, &shown);
	table_render(&shown.table, 2, out);
	table_release(&shown.table);
	accepted_release(&shown.accepted);
}

static void add_sessions(const struct baseline *base, struct strbuf *out)
{
	for (size_t i = 0; i < base->n_sessions; i++) {
		const struct session *s = &base->sessions[i];
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

		strbuf_addf(&words, "  session %zu: %s, commit %s, by %s%s%s", i + 1, s->date ?: "-", s->commit ?: "-",
			    s->by ?: "-", s->reason ? ": " : "", s->reason ?: "");
		escape_terminal(out, words.buf);
		strbuf_addc(out, '\n');
	}
}

static int show_one(const struct baseline_visit *visit, void *ctx, struct error *err)
{
	CLEANUP(free_ptr) char *class = machine_class(&visit->baseline->machine);
	CLEANUP(free_ptr) char *json = NULL;
	struct look *look = ctx;

	(void)err;
	if (look->json) {
		json = baseline_format(visit->baseline);
		cJSON_AddItemToArray(look->json, cJSON_Parse(json));
		return 0;
	}
	strbuf_addf(&look->text, "%s on %s\n", visit->scenario, class);
	add_sessions(visit->baseline, &look->text);
	add_metrics(visit->baseline, &look->text);
	accepted_profile_add(&look->text, &visit->baseline->profile);
	strbuf_addc(&look->text, '\n');
	return 0;
}

/* Calls EACH for the baselines of ARGS, LOOK being its context, and prints what that made; the array is called KEY. */
static int look_each(struct look *look, struct invocation *inv, const struct strv *args, const char *key,
	      int (*each)(const struct baseline_visit *visit, void *ctx, struct error *err), struct error *err)
{
	struct project project;
	int ret = -1;

	look->inv = inv;
	look->project = &project;
	if (project_open(&project, inv, args, err) == 0 && baseline_each(&project, args, each, look, err) == 0)
		ret = finish(look, key, err);
	project_close(&project);
	return ret;
}

static int baseline_show(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(look_release) struct look look = { .text = STRBUF_INIT, .json = inv->options.json ? cJSON_CreateArray() : NULL };

	return look_each(&look, inv, args, "baselines", show_one, err);
}

/* -------- baseline diff */

/* pawl baseline diff: how the baselines of the working tree differ from those of a commit. */

/* Scripts are given every metric, people those that tell. */
struct comparison {
	struct accepted before, now;
	struct strbuf *text;
	cJSON *json;
};

static double median_now(const struct comparison *comparison, const char *metric)
{
	size_t n;
	CLEANUP(free_ptr) double *values = baseline_values(comparison->now.base, metric, &n);

	return stats_median(values, n);
}

static void add_change_text(const struct metric *metric, void *ctx)
{
	struct comparison *comparison = ctx;
	struct metric_change change;

	metric_change_set(&comparison->before, metric, median_now(comparison, metric->name), &change);
	strbuf_adds(comparison->text, "  ");
	metric_change_add(comparison->text, &comparison->now.known, &change);
	strbuf_addc(comparison->text, '\n');
}

static void add_change_json(struct comparison *comparison, const char *name)
{
	const struct metric *metric = scenario_result_metric(&comparison->now.known, name);
	cJSON *one = cJSON_CreateObject();
	struct metric_change change;

	metric_change_set(&comparison->before, metric, median_now(comparison, name), &change);
	json_add_string(one, "metric", name);
	json_add_number(one, "before", change.before);
	json_add_number(one, "now", change.now);
	json_add_number(one, "change_pct", change.pct);
	cJSON_AddItemToArray(comparison->json, one);
}

/* CHANGES is NULL for text. */
static void add_changes(struct look *look, cJSON *changes, const struct baseline *now, const struct baseline *before)
{
	const struct series_set *series = &accepted_last(now)->series;
	struct comparison comparison = { .text = &look->text, .json = changes };

	accepted_init(&comparison.now, now);
	accepted_init(&comparison.before, before);
	if (!changes)
		accepted_each(&comparison.now, add_change_text, &comparison);
	for (size_t i = 0; changes && i < series->n; i++)
		add_change_json(&comparison, series->items[i].metric);
	accepted_release(&comparison.now);
	accepted_release(&comparison.before);
}

static bool same_sessions(const struct baseline *a, const struct baseline *b)
{
	CLEANUP(free_ptr) char *x = baseline_format(a);
	CLEANUP(free_ptr) char *y = baseline_format(b);

	return !strcmp(x, y);
}

static void add_title(struct strbuf *out, const struct baseline_visit *visit, const struct baseline *before)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	const char *reason = accepted_last(visit->baseline)->reason;
	size_t n = visit->baseline->n_sessions;

	strbuf_addf(&words, "%s/%s: %s%zu session%s", visit->scenario, visit->file, before ? "" : "new, ", n, n == 1 ? "" : "s");
	if (before)
		strbuf_addf(&words, ", %zu before", before->n_sessions);
	if (reason)
		strbuf_addf(&words, ": %s", reason);
	escape_terminal(out, words.buf);
	strbuf_addc(out, '\n');
}

static void diff_pair(struct look *look, const struct baseline_visit *visit, const struct baseline *before)
{
	static const struct profile none = { 0 };
	const struct profile *profile = before ? &before->profile : &none;
	cJSON *one = look->json ? cJSON_CreateObject() : NULL, *changes = NULL;

	if (one) {
		json_add_string(one, "scenario", visit->scenario);
		json_add_string(one, "file", visit->file);
		json_add_string(one, "reason", accepted_last(visit->baseline)->reason);
		cJSON_AddItemToObject(one, "before", before ? cJSON_CreateTrue() : cJSON_CreateFalse());
		changes = cJSON_AddArrayToObject(one, "metrics");
		cJSON_AddItemToArray(look->json, one);
	} else {
		add_title(&look->text, visit, before);
	}
	add_changes(look, changes, visit->baseline, before);
	if (one)
		accepted_profile_changes_json(json_add_array(one, "symbols"), profile, &visit->baseline->profile);
	else
		accepted_profile_changes_add(&look->text, 2, profile, &visit->baseline->profile);
}

static int diff_one(const struct baseline_visit *visit, void *ctx, struct error *err)
{
	struct project_baseline *before;
	struct look *look = ctx;
	int got = project_read_baseline(look->other, visit->scenario, visit->file, &before, err);

	if (got < 0)
		return -1;
	if (!got || !same_sessions(&before->baseline, visit->baseline))
		diff_pair(look, visit, got ? &before->baseline : NULL);
	return 0;
}

/* The commit's side is a project of its own, opened at the ref. */
static int baseline_diff(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(look_release) struct look look = { .text = STRBUF_INIT, .json = inv->options.json ? cJSON_CreateArray() : NULL };
	struct project other;
	int ret = -1;

	if (!inv->options.baseline_ref)
		inv->options.baseline_ref = xstrdup("HEAD");
	look.other = &other;
	if (project_open(&other, inv, args, err) == 0) {
		free(inv->options.baseline_ref);
		inv->options.baseline_ref = NULL;
		ret = look_each(&look, inv, args, "changed", diff_one, err);
	}
	project_close(&other);
	return ret;
}

/* -------- baseline */

/* pawl baseline: accept what was measured, look at what is accepted. */

static const struct {
	const char *name;
	int (*run)(struct invocation *inv, const struct strv *args, struct error *err);
} subcommands[] = {
	{ "update", baseline_update },
	{ "show", baseline_show },
	{ "diff", baseline_diff },
	{ "list", baseline_list },
};

enum { N_SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

static int unknown(const char *word, struct error *err)
{
	const char *names[N_SUBCOMMANDS], *near;

	for (size_t i = 0; i < N_SUBCOMMANDS; i++)
		names[i] = subcommands[i].name;
	near = nearest(word, names, N_SUBCOMMANDS);
	return error_set(err, ERR_INPUT, "baseline: expected update, show, diff or list, found '%.60s'%s%s%s", word,
			 near ? "; did you mean '" : "", near ?: "", near ? "'?" : "");
}

static int baseline(struct invocation *inv, struct error *err)
{
	CLEANUP(strv_release) struct strv args = STRV_INIT;

	if (!inv->args.n)
		return error_set(err, ERR_INPUT, "baseline: expected update, show, diff or list");
	for (size_t i = 1; i < inv->args.n; i++)
		strv_push(&args, inv->args.items[i]);
	for (size_t i = 0; i < N_SUBCOMMANDS; i++)
		if (!strcmp(inv->args.items[0], subcommands[i].name))
			return subcommands[i].run(inv, &args, err);
	return unknown(inv->args.items[0], err);
}

static int visit_scenario(struct project *project, const char *scenario,
			  int (*each)(const struct baseline_visit *visit, void *ctx, struct error *err), void *ctx,
			  struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;

	if (project_baseline_files(project, scenario, &files, err) < 0)
		return -1;
	for (size_t i = 0; i < files.n; i++) {
		struct project_baseline *read;

		if (project_read_baseline(project, scenario, files.items[i], &read, err) != 1 ||
		    each(&(struct baseline_visit){ scenario, files.items[i], &read->baseline }, ctx, err) < 0)
			return -1;
	}
	return 0;
}

static int baseline_each(struct project *project, const struct strv *args,
		  int (*each)(const struct baseline_visit *visit, void *ctx, struct error *err), void *ctx,
		  struct error *err)
{
	CLEANUP(strv_release) struct strv folders = STRV_INIT;

	if (args->n)
		strv_copy(&folders, args);
	else if (file_list(project->baselines_dir, &folders, err) < 0)
		return -1;
	for (size_t i = 0; i < folders.n; i++) {
		CLEANUP(free_ptr) char *dir = file_join(project->baselines_dir, folders.items[i]);

		if (!scenario_name_valid(folders.items[i])) {
			if (args->n)
				return error_set(err, ERR_INPUT, "'%.100s' is no scenario's name", folders.items[i]);
			continue;
		}
		if (args->n && !file_is_dir(dir))
			return error_set(err, ERR_INPUT, "there is no baseline of '%s' in %s; `pawl baseline list` shows them",
					 folders.items[i], project->baselines_dir);
		if (file_is_dir(dir) && visit_scenario(project, folders.items[i], each, ctx, err) < 0)
			return -1;
	}
	return 0;
}

const struct command_def cmd_baseline = {
	.name = "baseline",
	.args = "update|show|diff|list [SCENARIO...]",
	.summary = "accept what was measured; look at what is accepted",
	.details =
		"update  measures the scenarios (or takes --from RESULT) and accepts the runs: a further\n"
		"        session when executable and scenario are unchanged, else a new baseline, which\n"
		"        needs --reason. Refused when a run failed or the machine was busy; --force\n"
		"        accepts these, but does not replace --reason.\n"
		"show    metrics and sessions of accepted baselines\n"
		"diff    how the working tree's baselines differ from those of a commit\n"
		"        (--baseline-ref, default HEAD)\n"
		"list    one line a baseline",
	.options = OPT_MEASURING | OPT_REASON | OPT_FORCE | OPT_FROM | OPT_BASELINE_REF | OPT_NO_PROFILE,
	.starts_processes = true,
	.run = baseline,
};
