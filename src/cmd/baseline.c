/* pawl baseline: accepts what was measured, and shows what is accepted. */
#include <ctype.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/accept.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "measure/ci/ci.h"
#include "measure/files/files.h"
#include "model/baseline.h"
#include "model/machine.h"
#include "model/metrics/numbers.h"
#include "report/formats/accepted.h"
#include "report/terminal.h"
#include "scenario/scenario.h"
#include "store/store.h"

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

static int baseline_update(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(ci_release) struct ci ci = { 0 };
	const struct accept_wish wish = {
		.request = &inv->request, .scenarios = args, .reason = inv->options.reason, .from = inv->options.from,
		.sessions = inv->options.sessions, .force = inv->options.force, .read = cmd_read_result,
	};

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
	return accept_runs(&wish, err);
}

/* -------- the baselines of a project, as list, show and diff go through them */

/* PROJECT needs project_close() in every case. */
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
		cJSON *root = json_new_object();

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
	array = inv->request.json ? json_new_list() : NULL;
	table_row(&table, "scenario", "class", "sessions", "last", "commit", "by", "reason");
	for (size_t i = 0; i < project.n_accepted; i++) {
		const struct baseline *base = &project.accepted_read[i]->baseline;
		const struct baseline_session *last = baseline_last(base);
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

static int baseline_show(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(project_close) struct project project = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	cJSON *array;

	if (read_accepted(&project, inv, args, err) < 0)
		return -1;
	array = inv->request.json ? json_new_list() : NULL;
	for (size_t i = 0; i < project.n_accepted; i++) {
		const struct baseline *base = &project.accepted_read[i]->baseline;
		CLEANUP(free_ptr) char *json = array ? baseline_format(base) : NULL;

		if (array)
			cJSON_AddItemToArray(array, cJSON_Parse(json));
		else
			accepted_show(&text, base);
	}
	return print(&text, "baselines", array, err);
}

/* -------- diff: how the baselines of the working tree differ from those of a commit */

static int baseline_diff(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	cJSON *array = inv->request.json ? json_new_list() : NULL;
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
			accepted_difference_json(array, one->file, &one->baseline, got ? &old->baseline : NULL);
		else
			accepted_difference(&text, one->file, &one->baseline, got ? &old->baseline : NULL);
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
