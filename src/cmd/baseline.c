/* pawl baseline: accepts what was measured, and shows what is accepted. */
#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/builds.h"
#include "job/project/console.h"
#include "job/lifecycle.h"
#include "job/pictures.h"
#include "job/sides/programs.h"
#include "job/project/project.h"
#include "job/runs.h"
#include "job/project/select.h"
#include "job/verdicts.h"
#include "measure/ci/ci.h"
#include "measure/git/git.h"
#include "measure/files/files.h"
#include "measure/machine/machine.h"
#include "measure/process/lock.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/metrics/metric.h"
#include "model/profile.h"
#include "model/result.h"
#include "model/metrics/numbers.h"
#include "report/terminal.h"
#include "report/words.h"
#include "scenario/scenario.h"
#include "stats/stats.h"
#include "store/store.h"

/* -------- accepted profiles: the hottest symbols and changed shares */

enum { SYMBOLS_SHOWN = 10 };

static const double least_pp = 1;

static void add_samples(struct strbuf *out, const struct profile *profile)
{
	strbuf_addf(out, "%llu sample%s of ", (unsigned long long)profile->samples, profile->samples == 1 ? "" : "s");
	escape_terminal(out, profile->event);
	strbuf_addf(out, " at %u Hz, call graph %s", profile->frequency, call_graph_names[profile->call_graph]);
}

/* Adds a line about the profile and a table of its hottest symbols. Adds nothing without a profile. */
static void add_profile(struct strbuf *out, const struct profile *profile)
{
	CLEANUP(table_release) struct table table;

	table_init(&table, "rrll");
	if (!profile_exists(profile))
		return;
	strbuf_adds(out, "  profile: ");
	add_samples(out, profile);
	strbuf_addc(out, '\n');
	table_row(&table, "share", "samples", "file", "symbol");
	for (size_t i = 0; i < profile->n_symbols && i < SYMBOLS_SHOWN; i++) {
		const struct profile_symbol *symbol = &profile->symbols[i];

		table_row(&table, format_share(profile_share_pct(profile, symbol)).s,
			format_short("%llu", (unsigned long long)symbol->samples).s, symbol->dso, symbol->symbol);
	}
	table_render(&table, 2, out);
}

/* Returns why the shares of both cannot be compared, or NULL. */
static const char *difference(const struct profile *a, const struct profile *b)
{
	if (!profile_exists(a) || !profile_exists(b))
		return "none";
	if (strcmp(a->event, b->event))
		return "another event";
	if (a->call_graph != b->call_graph)
		return "another call graph";
	return a->normaliser == b->normaliser ? NULL : "another version of comparable names";
}

struct moved_share {
	const struct profile_symbol *symbol;
	double before_pct, now_pct;
};

static double size_of(const struct moved_share *change)
{
	return fabs(change->now_pct - change->before_pct);
}

static int by_size(const void *a, const void *b)
{
	double x = size_of(a), y = size_of(b);

	return (x < y) - (x > y);
}

/*
 * Returns the symbols whose self share changed by more than a point, the largest change first, for free(). A symbol
 * that a side does not list has no share there.
 */
static struct moved_share *find_share_changes(const struct profile *before, const struct profile *now, size_t *n_out)
{
	size_t all = difference(before, now) ? 0 : now->n_symbols + before->n_symbols, n = 0;
	struct moved_share *changes = xcalloc(all + 1, sizeof *changes);

	for (size_t i = 0; i < all; i++) {
		bool is_now = i < now->n_symbols;
		const struct profile_symbol *symbol = is_now ? &now->symbols[i] : &before->symbols[i - now->n_symbols];
		const struct profile_symbol *other = profile_find(is_now ? before : now, symbol->key, symbol->dso);

		changes[n] = (struct moved_share){
			symbol, profile_share_pct(before, is_now ? other : symbol), is_now ? profile_share_pct(now, symbol) : 0,
		};
		n += (is_now || !other) && size_of(&changes[n]) > least_pp;
	}
	qsort(changes, n, sizeof *changes, by_size);
	*n_out = n;
	return changes;
}

/*
 * Adds the changes of shares. If only one side has a profile, or they were taken in different ways, says so. Lines
 * start with INDENT blanks.
 */
static void add_share_changes(struct strbuf *out, size_t indent, const struct profile *before,
			      const struct profile *now)
{
	const char *why_not = difference(before, now);
	bool was = profile_exists(before), is = profile_exists(now);
	size_t n;
	CLEANUP(free_ptr) struct moved_share *changes = find_share_changes(before, now, &n);

	if (why_not && (was || is)) {
		strbuf_pad(out, ' ', indent);
		strbuf_adds(out, !is ? "profile: gone" : was ? "profile: " : "profile: new, ");
		if (is)
			add_samples(out, now);
		if (is && was)
			strbuf_addf(out, "; its shares cannot be compared with those of %s", why_not);
		strbuf_addc(out, '\n');
	}
	for (size_t i = 0; i < n; i++) {
		const struct moved_share *change = &changes[i];

		strbuf_pad(out, ' ', indent);
		strbuf_addf(out, "share %7s -> %7s  %8s  ", format_share(change->before_pct).s, format_share(change->now_pct).s,
			    format_points(change->now_pct - change->before_pct).s);
		escape_terminal(out, change->symbol->symbol);
		strbuf_adds(out, " (");
		escape_terminal(out, *change->symbol->dso ? change->symbol->dso : "-");
		strbuf_adds(out, ")\n");
	}
}

static void add_share_changes_json(cJSON *array, const struct profile *before, const struct profile *now)
{
	size_t n;
	CLEANUP(free_ptr) struct moved_share *changes = find_share_changes(before, now, &n);

	for (size_t i = 0; i < n; i++) {
		cJSON *one = json_add_object(array, NULL);

		json_add_string(one, "symbol", changes[i].symbol->symbol);
		json_add_string(one, "dso", changes[i].symbol->dso);
		json_add_number(one, "before_pct", changes[i].before_pct);
		json_add_number(one, "now_pct", changes[i].now_pct);
		json_add_number(one, "change_pp", changes[i].now_pct - changes[i].before_pct);
	}
}

/* -------- the numbers of a baseline */

static const struct baseline_session *last_session(const struct baseline *base)
{
	return &base->sessions[base->n_sessions - 1];
}

/*
 * Returns metric I of the last session, or NULL if users see another in its place. The total of a window depends on
 * how much its load did, so users see the value per unit of work.
 */
static const struct metric *shown_metric(const struct baseline *base, size_t i)
{
	const struct series_set *series = &last_session(base)->series;
	const struct metric *metric = series->items[i].metric;

	return metric->normalised && series_find(series, metric->normalised) ? NULL : metric;
}

/* Returns the median in METRIC's unit. NaN without a baseline, or if it was accepted in another unit. */
static double accepted_median(const struct baseline *base, const struct metric *metric)
{
	CLEANUP(free_ptr) double *values = NULL;
	size_t n = 0;

	for (size_t i = 0; base && i < base->n_sessions; i++) {
		const struct series *series = series_find(&base->sessions[i].series, metric);

		if (series && (series->metric->unit != metric->unit || !text_same(series->metric->label, metric->label)))
			return NAN;
	}
	values = base ? baseline_values(base, metric, &n) : NULL;
	return stats_median(values, n);
}

static double change_pct(double before, double now)
{
	return before > 0 ? (now / before - 1) * 100 : NAN;
}

/* Appends a line such as "task-clock per request 2.5 us -> 2.7 us +8.0 %", safe for a terminal. */
static void add_change(struct strbuf *out, const char *work_unit, const struct metric *metric, double before,
		       double now)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, words = STRBUF_INIT;

	format_metric(&name, work_unit, metric);
	strbuf_addf(&words, "%-32s %s -> %s  %s", name.buf, format_measured(before, metric).s,
		    format_measured(now, metric).s, format_change(change_pct(before, now)).s);
	escape_terminal(out, words.buf);
}

/* -------- update: from runs to an accepted baseline */

#define DAMAGED "the baseline to update is damaged (--force with --reason replaces it)"

struct acceptance {
	struct invocation *inv;
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

/* Returns the option that makes a command take RESULT as it was stored, for free(). */
static char *from_result(const struct result *result)
{
	struct strbuf words = STRBUF_INIT;

	strbuf_adds(&words, "--from ");
	escape_shell(&words, result->out_dir ?: "RESULT");
	return strbuf_take(&words);
}

/* True if TEXT is a reason. Blanks are not, and neither is the "..." that reports leave to be filled in. */
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

/*
 * Fails without --reason. --force does not replace it: that is about how the runs were measured, not about what they
 * show.
 */
static int need_reason(const struct acceptance *a, const char *scenario, const char *what, struct error *err)
{
	CLEANUP(free_ptr) char *from = NULL;

	if (a->inv->options.reason)
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
	session->reason = a->inv->options.reason;
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
		add_change(&line, scenario_result_work_unit(s), metric, was, now);
		console_say(&a->inv->request, "    %s\n", line.buf);
	}
	add_share_changes(&symbols, 4, &old->profile, &s->head.profile);
	console_say(&a->inv->request, "%s", symbols.buf);
}

static int write_baseline(const struct baseline *base, const char *path, struct error *err)
{
	CLEANUP(free_ptr) char *text = baseline_format(base);

	return file_write(path, text, strlen(text), err);
}

/* Writes the baseline. PROFILE: its profile is of these runs, or they have none and remove the earlier one. */
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
	console_say(&a->inv->request, "%s %s: %zu runs%s, session %zu (%s)\n", ret < 0 ? "not accepted:" : verb, s->name,
		    s->head.n_runs, with, base->n_sessions, path);
	if (ret == 0 && a->result->busy.n)
		console_say(&a->inv->request, "the machine was busy (%s): times of this session count for little\n", a->result->busy.items[0]);
	if (ret == 0 && s->idle)
		console_say(&a->inv->request, "warning: %s %s\n", s->name, s->idle);
	if (ret == 0 && git_ignores(&a->inv->request.git, a->project->root, path))
		console_say(&a->inv->request, "warning: git ignores %s, so no other machine will have it; add the line %s to .gitignore\n", path,
			    BASELINES_NOT_IGNORED);
	return ret;
}

/*
 * True if the runs may join OLD as a further session of the same program. This widens the known spread, in which a
 * program that got worse would hide. An interpreter's executable does not tell its programs apart, but the verdict
 * does.
 */
static bool may_join(const struct acceptance *a, const struct baseline *old, const struct scenario_result *s)
{
	const char *before = last_session(old)->executable, *now = s->head.executable;

	if (settings_difference(&old->settings, &s->settings))
		return false;
	/* Sessions of one command differ by the machine alone, and are meant to. */
	return a->follows ? text_same(before, now) : before && now && !strcmp(before, now) && !scenario_result_regressed(s);
}

/*
 * Handles runs that are a session already. A second session of the same values would make the spread too small. Only
 * the reason can change.
 */
static int accept_again(struct acceptance *a, const struct scenario_result *s, struct baseline *old,
			struct baseline_session *session, const char *path, struct error *err)
{
	const char *reason = a->inv->options.reason;
	size_t number = (size_t)(session - old->sessions) + 1;

	if (!reason || (session->reason && !strcmp(session->reason, reason))) {
		console_say(&a->inv->request, "unchanged: %s: these runs are session %zu already (%s)\n", s->name, number, path);
		return 0;
	}
	sign(a, session);
	if (write_baseline(old, path, err) < 0)
		return -1;
	console_say(&a->inv->request, "unchanged but for the reason: %s: these runs are session %zu already (%s)\n", s->name,
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
			       (difference(&old->profile, taken) || taken->samples >= 2 * old->profile.samples);
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
	bool force = a->inv->options.force;
	int have_old;

	if (why_not(s) && !(force && s->head.n_runs)) {
		console_say(&a->inv->request, "not accepted: %s: %s%s\n", s->name, why_not(s),
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
	*err = first;
	return -1;
}

/* Locks the baselines from judging to writing. Otherwise two updates could lose each other's sessions. */
static int own_baselines(const struct project *project, struct invocation *inv, int *lock_out, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
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
	ret = lock_folder(dir, inv->request.lock_wait_ns, &inv->request.interrupt, lock_out, err);
	if (ret < 0)
		return -1;
	if (ret == 1) {
		console_say(&inv->request, "%s is on a file system that cannot lock it: make sure that nothing else updates these baselines meanwhile\n", dir);
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

/* Judges the result. A damaged baseline that --force replaces cannot judge. */
static int judge_measured(struct result *result, struct project *project, struct invocation *inv, struct error *err)
{
	NOTE(result, "measured by `pawl baseline update`, to be accepted");
	if (verdicts_stored(result, project, err) == 0 || inv->options.force)
		return 0;
	return error_wrap(err, DAMAGED);
}

/*
 * Keeps the scenarios of RESULT (at PATH) that NAMES name, by name or path of their file. Keeps all if NAMES is
 * empty.
 */
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

/* Seconds after which a run is measured again: the machine has become another one meanwhile. */
enum { RECENT_S = 3600 };

static int no_port(void *ctx, const char *name, struct error *err)
{
	(void)ctx;
	return error_set(err, ERR_INPUT, "port %s has no number yet", name);
}

/* Returns the identity of the program that SCENARIO runs, for free(). NULL if only a run can tell, as when setup makes it. */
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

/* True if S is a complete measurement of SCENARIO as it is now, and no session yet. */
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

/* True if RESULT is of this machine, and was measured as this command would measure it, of this commit. */
static bool measured_alike(struct invocation *inv, const struct project *project, const struct result *result)
{
	CLEANUP(machine_release) struct machine here = { 0 };
	CLEANUP(free_ptr) char *commit = git_commit(&inv->request.git, project->root);
	const struct machine *there = &result->machine;

	facts_read(&here);
	return result->mode == MODE_STORED && !result->partial && !result->judged_by.ref && !strcmp(result->pawl, PAWL_VERSION) &&
	       text_same(result->commit, commit) && strv_equal(&result->options, &inv->request.shaping) && !strcmp(there->arch, here.arch) &&
	       !strcmp(there->part, here.part) && !strcmp(there->kernel, here.kernel);
}

/*
 * Reads the project's latest run into RESULT if it serves every selected scenario, and nothing below the project's root
 * changed since it began. The link to it was made just before it began, so that both times are of one clock.
 */
static bool read_latest(struct invocation *inv, struct project *project, struct result *result, double *age_s_out)
{
	CLEANUP(free_ptr) char *out = file_join(project->root, project->config.out), *latest = file_join(out, "latest"), *changed = NULL;
	CLEANUP(strv_release) struct strv names = STRV_INIT, skip = STRV_INIT;
	struct error none = ERROR_INIT;
	struct stat st;

	if (inv->options.sessions || inv->request.out || file_refuse_links(project->root, out, &none) < 0 || lstat(latest, &st) < 0 ||
	    !S_ISLNK(st.st_mode) || cmd_read_result(latest, result, &none) < 0)
		return false;
	*age_s_out = difftime(inv->request.started.tv_sec, st.st_ctim.tv_sec);
	for (size_t i = 0; i < project->n_scenarios; i++)
		strv_push(&names, project->scenarios[i]->name);
	if (*age_s_out < 0 || *age_s_out > RECENT_S || !measured_alike(inv, project, result) || keep_named(result, &names, latest, &none) < 0)
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
		console_say(&inv->request, "measuring again: %s changed since the run of %s ago\n", changed, format_elapsed(*age_s_out).s);
	return !changed;
}

/* -------- the build that was accepted */

/* Adds what is not a part of the tree that was measured. */
static void skip_results(const struct acceptance *a, struct strv *skip)
{
	strv_take(skip, file_join(a->project->root, a->project->config.out));
	strv_push(skip, a->folder);
}

/*
 * Returns why the project's tree is not what RESULT measured, for free(), or NULL. A stored result, whose file is FROM,
 * may be older than the tree.
 */
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

/* Keeps a copy of the tree that was measured, so that `pawl run` compares times in pairs with it. */
static void keep_build(struct acceptance *a, const char *from)
{
	struct request *request = &a->inv->request;
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

/* Keeps the build if RESULT was accepted, of a project that says how it is built. FROM: the file of a stored result, or NULL. */
static void keep_if_accepted(struct acceptance *a, const char *from, int status)
{
	if (status == STATUS_OK && a->result->n_scenarios && a->project->config.build.argv.n)
		keep_build(a, from);
}

/* Judges and accepts RESULT, whose files are in FOLDER. FROM: its own file, which may be older than the tree; or NULL. */
static int accept_stored(struct invocation *inv, struct project *project, struct result *result, const char *folder, const char *from,
			 struct error *err)
{
	CLEANUP(close_fd) int lock = -1;
	struct acceptance a = { .inv = inv, .project = project, .result = result, .folder = folder };
	int status;

	if (own_baselines(project, inv, &lock, err) < 0 || judge_measured(result, project, inv, err) < 0)
		return -1;
	status = accept_all(&a, err);
	keep_if_accepted(&a, from, status);
	return status;
}

/* FOLLOWS: the same command measured a session before. LAST: --json prints its result. */
static int update_measured(struct invocation *inv, const struct strv *args, struct project *project, bool follows, bool last,
			   struct error *err)
{
	CLEANUP(run_all_release) struct run_all all = { 0 };
	CLEANUP(close_fd) int lock = -1;
	struct lifecycle *run = &all.run;
	struct result *result = &run->result;
	struct result latest = { 0 };
	struct acceptance a = { .inv = inv, .project = project, .result = result, .follows = follows };
	double age_s = 0;
	int status;

	if (project_select(project, args, err) < 0)
		return -1;
	if (!follows && read_latest(inv, project, &latest, &age_s)) {
		console_say(&inv->request, "accepting the run of %s ago: %s/%s\n", format_elapsed(age_s).s, project->config.out,
			    path_name(latest.out_dir));
		status = accept_stored(inv, project, &latest, latest.out_dir, NULL, err);
		status = inv->request.json && status >= 0 && verdicts_print(&latest, &inv->request, report_json, err) < 0 ? -1 : status;
		result_release(&latest);
		return status;
	}
	result_release(&latest);
	if (run_all_measure(&all, project, err) < 0)
		return -1;
	lifecycle_close(run);
	if (own_baselines(project, inv, &lock, err) < 0 || judge_measured(result, project, inv, err) < 0 ||
	    lifecycle_leave(run, err) < 0)
		return -1;
	a.folder = result->out_dir;
	status = run->interrupted ? 128 + run->interrupted : accept_all(&a, err);
	if (last)
		keep_if_accepted(&a, NULL, status);
	return inv->request.json && (last || status) && verdicts_print(result, &inv->request, report_json, err) < 0 ? -1 : status;
}

/* --sessions: measures each as a command of its own, until one is not accepted. Sessions accepted before stay. */
static int update_sessions(struct invocation *inv, const struct strv *args, struct error *err)
{
	uint64_t n = inv->options.sessions ?: 1;
	int status = STATUS_OK;

	for (uint64_t i = 0; i < n && status == STATUS_OK; i++) {
		CLEANUP(project_finish) struct project project = { 0 };

		if (n > 1)
			console_say(&inv->request, "session %llu of %llu\n", (unsigned long long)i + 1, (unsigned long long)n);
		status = project_open(&project, &inv->request, args, err) < 0 ? -1 : update_measured(inv, args, &project, i > 0, i + 1 == n, err);
		if (status && i)
			console_say(&inv->request, "accepted before: %llu of %llu sessions; pawl baseline update --sessions %llu adds the others\n",
				    (unsigned long long)i, (unsigned long long)n, (unsigned long long)(n - i));
	}
	return status;
}

static int update_stored(struct invocation *inv, const struct strv *args, struct project *project, struct error *err)
{
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(free_ptr) char *folder = verdicts_folder(inv->options.from), *file = file_join(folder, "result.json");
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (cmd_read_result(inv->options.from, &result, err) < 0 || keep_named(&result, args, inv->options.from, err) < 0)
		return -1;
	if (result.mode == MODE_PAIRED)
		return error_set(err, ERR_INPUT, "%s compares two sides in pairs, whose runs met each other: a baseline takes runs that were "
				 "alone, of `pawl run` or `pawl baseline update`", inv->options.from);
	/* The project need not have these scenarios any more. */
	for (size_t i = 0; i < result.n_scenarios; i++)
		strv_push(&names, result.scenarios[i].name);
	project_select(project, &names, &(struct error)ERROR_INIT);
	return accept_stored(inv, project, &result, folder, file_is_dir(inv->options.from) ? file : inv->options.from, err);
}

static int baseline_update(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(ci_release) struct ci ci = { 0 };
	CLEANUP(project_finish) struct project project = { 0 };

	ci_read(&ci);
	if (ci.foreign)
		console_say(&inv->request, "%s, an unmerged change: this baseline is measured with the change's own pawl.yaml and "
			"scenarios. It takes effect once it is merged\n", ci.why);
	if (inv->options.reason && !gives_reason(inv->options.reason))
		return error_set(err, ERR_INPUT, "--reason '%.60s' gives no reason: say in words why this is accepted",
				 inv->options.reason);
	if (inv->request.judge)
		return error_set(err, ERR_INPUT, "baseline update writes to the working tree; it takes no --judge");
	if (inv->options.sessions && (inv->options.from || inv->request.out))
		return error_set(err, ERR_INPUT, "--sessions measures each session afresh, into a folder of its own; it goes without %s",
				 inv->options.from ? "--from" : "--out");
	if (!inv->options.from)
		return update_sessions(inv, args, err);
	return project_open(&project, &inv->request, args, err) < 0 ? -1 : update_stored(inv, args, &project, err);
}

/* -------- the baselines of a project, as list, show and diff go through them */

/*
 * Reads the baselines of the scenarios in ARGS, or all if ARGS is empty. PROJECT needs project_close() in every case.
 */
static int read_accepted(struct project *project, struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(strv_release) struct strv folders = STRV_INIT;

	if (project_open(project, &inv->request, args, err) < 0)
		return -1;
	if (args->n)
		strv_copy(&folders, args);
	else if (file_list(project->baselines_dir, &folders, err) < 0)
		return -1;
	for (size_t i = 0; i < folders.n; i++) {
		CLEANUP(free_ptr) char *dir = file_join(project->baselines_dir, folders.items[i]);

		if (!scenario_name_valid(folders.items[i])) {
			if (args->n)
				return error_set(err, ERR_INPUT, "'%.100s' is not the name of a scenario", folders.items[i]);
			continue;
		}
		if (args->n && !file_is_dir(dir))
			return error_set(err, ERR_INPUT, "there is no baseline of '%s' in %s; `pawl baseline list` shows them",
					 folders.items[i], project->baselines_dir);
		if (file_is_dir(dir) && project_read_baselines(project, folders.items[i], err) < 0)
			return -1;
	}
	return 0;
}

/* Prints TEXT, or {KEY: ARRAY} if ARRAY is not NULL. Frees ARRAY. */
static int print(struct strbuf *text, const char *key, cJSON *array, struct error *err)
{
	if (array) {
		cJSON *root = cJSON_CreateObject();

		cJSON_AddItemToObject(root, key, array);
		json_append(text, root);
	}
	return console_print(text, err);
}

/* -------- list, show */

static int baseline_list(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(project_close) struct project project = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(table_release) struct table table;
	cJSON *array;

	table_init(&table, "llrllll");
	if (read_accepted(&project, inv, args, err) < 0)
		return -1;
	array = inv->request.json ? cJSON_CreateArray() : NULL;
	table_row(&table, "scenario", "class", "sessions", "last", "commit", "by", "reason");
	for (size_t i = 0; i < project.n_accepted; i++) {
		const struct baseline *base = &project.accepted_read[i]->baseline;
		const struct baseline_session *last = last_session(base);
		CLEANUP(free_ptr) char *class = machine_class(&base->machine);
		cJSON *one = array ? json_add_object(array, NULL) : NULL;

		if (!array) {
			table_row(&table, base->scenario, class, format_short("%zu", base->n_sessions).s,
				format_short("%.10s", last->date ?: "-").s, last->commit, last->by, last->reason);
			continue;
		}
		json_add_string(one, "scenario", base->scenario);
		json_add_string(one, "class", class);
		json_add_number(one, "sessions", (double)base->n_sessions);
		json_add_string(one, "date", last->date);
		json_add_string(one, "commit", last->commit);
		json_add_string(one, "by", last->by);
		json_add_string(one, "reason", last->reason);
	}
	if (!array)
		table_render(&table, 0, &text);
	return print(&text, "baselines", array, err);
}

static void add_metrics(const struct baseline *base, struct strbuf *out)
{
	CLEANUP(table_release) struct table table;

	table_init(&table, "lrrrr");
	table_row(&table, "metric", "median", "least", "most", "values");
	for (size_t i = 0; i < last_session(base)->series.n; i++) {
		const struct metric *metric = shown_metric(base, i);
		CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
		CLEANUP(free_ptr) double *values = NULL;
		size_t n;

		if (!metric)
			continue;
		values = baseline_values(base, metric, &n);
		stats_sort(values, n);
		format_metric(&name, baseline_work_unit(base), metric);
		table_row(&table, name.buf, format_measured(stats_median_sorted(values, n), metric).s,
			format_measured(values[0], metric).s, format_measured(values[n - 1], metric).s,
			format_short("%zu", n).s);
	}
	table_render(&table, 2, out);
}

static void add_busy(struct strbuf *out, const struct baseline_session *session)
{
	for (size_t i = 0; i < session->busy.n; i++) {
		strbuf_adds(out, i ? "; " : "    busy: ");
		escape_terminal(out, session->busy.items[i]);
	}
	strbuf_adds(out, session->busy.n ? "; its times count for little\n" : "");
}

static int baseline_show(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(project_close) struct project project = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	cJSON *array;

	if (read_accepted(&project, inv, args, err) < 0)
		return -1;
	array = inv->request.json ? cJSON_CreateArray() : NULL;
	for (size_t i = 0; i < project.n_accepted; i++) {
		const struct baseline *base = &project.accepted_read[i]->baseline;
		CLEANUP(free_ptr) char *class = machine_class(&base->machine), *json = NULL;

		if (array) {
			json = baseline_format(base);
			cJSON_AddItemToArray(array, cJSON_Parse(json));
			continue;
		}
		strbuf_addf(&text, "%s on %s\n", base->scenario, class);
		for (size_t k = 0; k < base->n_sessions; k++) {
			const struct baseline_session *s = &base->sessions[k];
			CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

			strbuf_addf(&words, "  session %zu: %s, commit %s, by %s%s%s", k + 1, s->date ?: "-",
				    s->commit ?: "-", s->by ?: "-", s->reason ? ": " : "", s->reason ?: "");
			escape_terminal(&text, words.buf);
			strbuf_addc(&text, '\n');
			add_busy(&text, s);
		}
		add_metrics(base, &text);
		add_profile(&text, &base->profile);
		strbuf_addc(&text, '\n');
	}
	return print(&text, "baselines", array, err);
}

/* -------- diff: how the baselines of the working tree differ from those of a commit */

static const struct profile no_profile = { 0 };

/* BEFORE: the baseline of the commit, or NULL. */
static void add_difference(struct strbuf *out, const struct project_baseline *one, const struct baseline *before)
{
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;
	const struct baseline *now = &one->baseline;
	const char *reason = last_session(now)->reason;
	size_t n = now->n_sessions;

	strbuf_addf(&title, "%s/%s: %s%zu session%s", now->scenario, one->file, before ? "" : "new, ", n,
		    n == 1 ? "" : "s");
	if (before)
		strbuf_addf(&title, ", %zu before", before->n_sessions);
	if (reason)
		strbuf_addf(&title, ": %s", reason);
	escape_terminal(out, title.buf);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < last_session(now)->series.n; i++) {
		const struct metric *metric = shown_metric(now, i);

		if (!metric)
			continue;
		strbuf_adds(out, "  ");
		add_change(out, baseline_work_unit(now), metric, accepted_median(before, metric),
			   accepted_median(now, metric));
		strbuf_addc(out, '\n');
	}
	add_share_changes(out, 2, before ? &before->profile : &no_profile, &now->profile);
}

/* Scripts get every metric. */
static void add_difference_json(cJSON *array, const struct project_baseline *one, const struct baseline *before)
{
	const struct baseline *now = &one->baseline;
	const struct series_set *series = &last_session(now)->series;
	cJSON *object = json_add_object(array, NULL), *metrics;

	json_add_string(object, "scenario", now->scenario);
	json_add_string(object, "file", one->file);
	json_add_string(object, "reason", last_session(now)->reason);
	cJSON_AddBoolToObject(object, "before", before != NULL);
	metrics = json_add_array(object, "metrics");
	for (size_t i = 0; i < series->n; i++) {
		const struct metric *metric = series->items[i].metric;
		double was = accepted_median(before, metric), is = accepted_median(now, metric);
		cJSON *change = json_add_object(metrics, NULL);

		json_add_string(change, "metric", metric->name);
		json_add_number(change, "before", was);
		json_add_number(change, "now", is);
		json_add_number(change, "change_pct", change_pct(was, is));
	}
	add_share_changes_json(json_add_array(object, "symbols"), before ? &before->profile : &no_profile,
			       &now->profile);
}

/* The commit's side is a separate project, opened at the ref. */
static int baseline_diff(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	cJSON *array = inv->request.json ? cJSON_CreateArray() : NULL;
	struct project commit, project = { 0 };
	int ret;

	if (!inv->request.judge)
		inv->request.judge = xstrdup("HEAD");
	ret = project_open(&commit, &inv->request, args, err);
	free(take_ptr(&inv->request.judge));
	if (ret == 0)
		ret = read_accepted(&project, inv, args, err);
	for (size_t i = 0; ret == 0 && i < project.n_accepted; i++) {
		const struct project_baseline *one = project.accepted_read[i];
		CLEANUP(free_ptr) char *was = NULL, *is = baseline_format(&one->baseline);
		struct project_baseline *old;
		int got = project_read_baseline(&commit, one->baseline.scenario, one->file, &old, err);

		was = got == 1 ? baseline_format(&old->baseline) : NULL;
		ret = got < 0 ? -1 : 0;
		if (got < 0 || (was && !strcmp(was, is)))
			continue;
		if (array)
			add_difference_json(array, one, got ? &old->baseline : NULL);
		else
			add_difference(&text, one, got ? &old->baseline : NULL);
	}
	project_close(&project);
	project_close(&commit);
	if (ret == 0)
		return print(&text, "changed", array, err);
	cJSON_Delete(array);
	return -1;
}

/* -------- the command */

static int baseline(struct invocation *inv, struct error *err)
{
	static const struct subcommand all[] = {
		{ "update", baseline_update }, { "show", baseline_show }, { "diff", baseline_diff }, { "list", baseline_list }, { NULL, NULL },
	};

	return cmd_run_subcommand(inv, all, NULL, err);
}

const struct command_def cmd_baseline = {
	.name = "baseline",
	.args = "update|show|diff|list [SCENARIO...]",
	.summary = "accept measured runs as baselines; show and compare baselines",
	.examples =
		"pawl baseline update --sessions 3 --reason \"first baseline\"\n"
		"pawl baseline update gzip --from red --reason \"checks more now\"\n"
		"pawl baseline diff                # against HEAD",
	.details =
		"update  accepts the run just made, if nothing changed since it began; else measures the\n"
		"        scenarios, or takes --from RESULT. The runs become a further session when\n"
		"        executable and scenario are unchanged, else a new baseline, which needs --reason.\n"
		"        A failed or interrupted run is refused; --force accepts the runs that are\n"
		"        complete, but does not replace --reason. Times of a busy machine are accepted,\n"
		"        and count for little. --sessions 3 measures three times.\n"
		"        RESULT is a result.json or its folder, such as an artifact of a CI job.\n"
		"        If pawl.yaml has a build:, the tree that was measured is kept (pawl cache).\n"
		"show    metrics and sessions of accepted baselines\n"
		"diff    how the working tree's baselines differ from those of a commit\n"
		"        (--judge, default HEAD)\n"
		"list    one line a baseline",
	.options = OPT_MEASURING | OPT_REASON | OPT_FORCE | OPT_FROM | OPT_SESSIONS | OPT_JUDGE | OPT_NO_PROFILE,
	.starts_processes = true,
	.first = true,
	.run = baseline,
};
