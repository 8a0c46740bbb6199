/* pawl check: reports every fault in every scenario and baseline, and lists the scenarios that would run. */
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "job/project/select.h"
#include "measure/files/files.h"
#include "scenario/scenario.h"
#include "store/store.h"

static int check_baselines(struct project *project, size_t *n_out, struct error *err)
{
	CLEANUP(strv_release) struct strv folders = STRV_INIT;

	if (file_list(project->baselines_dir, &folders, err) < 0)
		return -1;
	for (size_t i = 0; i < folders.n; i++) {
		CLEANUP(strv_release) struct strv files = STRV_INIT;
		CLEANUP(free_ptr) char *dir = file_join(project->baselines_dir, folders.items[i]);

		if (folders.items[i][0] == '.' || !file_is_dir(dir))
			continue;
		if (project_baseline_files(project, folders.items[i], &files, err) < 0)
			return -1;
		for (size_t k = 0; k < files.n; k++) {
			struct error why = ERROR_INIT;
			struct project_baseline *read;

			if (project_read_baseline(project, folders.items[i], files.items[k], &read, &why) != 1)
				diags_add(&project->diags, (struct diag_place){
					.path = why.at.path[0] ? why.at.path : project->baselines_dir, .line = why.at.line, .column = why.at.column,
				}, "%s", why.msg);
		}
		*n_out += files.n;
	}
	return 0;
}

static void add_text(const struct project *project, struct strbuf *out)
{
	size_t width = 0;

	for (size_t i = 0; i < project->n_scenarios; i++)
		if (strlen(project->scenarios[i]->name) > width)
			width = strlen(project->scenarios[i]->name);
	for (size_t i = 0; i < project->n_scenarios; i++) {
		const struct scenario *s = project->scenarios[i];

		strbuf_addf(out, "%-*s  ", (int)width, s->name);
		escape_terminal(out, s->description ?: s->path);
		strbuf_addc(out, '\n');
	}
}

static void add_gate_names(cJSON *list, const struct gates *gates)
{
	for (size_t i = 0; i < gates->n; i++)
		json_add_string(list, NULL, gates->items[i].metric->name);
	if (gates->symbols.on)
		json_add_string(list, NULL, "symbols");
	if (gates->n_budgets)
		json_add_string(list, NULL, "budgets");
}

static void add_json(const struct project *project, struct strbuf *out)
{
	cJSON *root = json_new_object(), *list = json_add_array(root, "scenarios");

	for (size_t i = 0; i < project->n_scenarios; i++) {
		const struct scenario *s = project->scenarios[i];
		cJSON *one = json_add_object(list, NULL);

		json_add_string(one, "name", s->name);
		json_add_string(one, "path", s->path);
		json_add_string(one, "description", s->description);
		json_add_strings(one, "tags", &s->tags);
		json_add_strings(one, "requires", &s->requires);
		json_add_number(one, "runs", s->measure.runs);
		add_gate_names(json_add_array(one, "gates"), &s->gates);
	}
	json_append(out, root);
}

static void add_explained(const struct project *project, struct strbuf *out)
{
	for (size_t i = 0; i < project->n_scenarios; i++) {
		strbuf_adds(out, i ? "---\n" : "");
		scenario_explain(project->scenarios[i], &project->config.defaults, out);
	}
}

/* Checks the files of the working tree, whatever judges. What judges may have scenarios that it lacks. */
static int check_files(struct invocation *inv, size_t *n_scenarios, size_t *n_baselines, struct error *err)
{
	CLEANUP(project_finish) struct project project = { 0 };
	struct request request = inv->request;
	struct error missing = ERROR_INIT;

	request.shows_all_faults = true;
	request.judge = request.shard = NULL;
	if (project_open(&project, &request, &inv->args, err) < 0)
		return -1;
	if (project_select(&project, &inv->args, &missing) < 0 && missing.kind != ERR_INPUT)
		return error_copy(err, &missing);
	if (check_baselines(&project, n_baselines, err) < 0)
		return -1;
	*n_scenarios = project.n_scenarios;
	return project.diags.n ? error_set(err, ERR_INPUT, "%zu fault%s", project.diags.n, project.diags.n == 1 ? "" : "s") : 0;
}

static int check(struct invocation *inv, struct error *err)
{
	CLEANUP(project_finish) struct project project = { 0 };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	bool json = inv->request.json, explain = inv->request.explain;
	size_t scenarios = 0, baselines = 0;

	if (json && explain)
		return error_set(err, ERR_INPUT, "--explain prints YAML and --json prints JSON; give one of them");
	if (check_files(inv, &scenarios, &baselines, err) < 0)
		return -1;
	inv->request.judges = true;
	if (project_open(&project, &inv->request, &inv->args, err) < 0 || project_select(&project, &inv->args, err) < 0)
		return -1;
	(explain ? add_explained : json ? add_json : add_text)(&project, &out);
	if (!json && !explain && !inv->request.shard)
		strbuf_addf(&out, "%zu scenario%s and %zu baseline%s: no faults\n", scenarios, scenarios == 1 ? "" : "s", baselines,
			    baselines == 1 ? "" : "s");
	return console_print(&out, err);
}

const struct command_def cmd_check = {
	.name = "check",
	.args = "[SCENARIO...]",
	.summary = "check scenarios, baselines and pawl.yaml; list what would run",
	.examples =
		"pawl check\n"
		"pawl check gzip --explain         # with every default filled in\n"
		"pawl check --shard 2/8            # what a shard would run",
	.details = "Files of the working tree are checked. Inside a pull request the scenarios that would run come\n"
		   "from the base branch, as for `pawl run`.",
	.options = OPT_TAG | OPT_JSON | OPT_SHOW | OPT_SHARD | OPT_JUDGE,
	.starts_processes = true,
	.run = check,
};
