/* pawl list: lists the scenarios that would run. */
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "job/project/select.h"
#include "scenario/scenario.h"
#include "store/store.h"

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

static cJSON *gate_names(const struct gates *gates)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < gates->n; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(gates->items[i].metric->name));
	if (gates->symbols.on)
		cJSON_AddItemToArray(list, cJSON_CreateString("symbols"));
	if (gates->n_budgets)
		cJSON_AddItemToArray(list, cJSON_CreateString("budgets"));
	return list;
}

static void add_json(const struct project *project, struct strbuf *out)
{
	CLEANUP(free_ptr) char *text = NULL;
	cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "scenarios");

	for (size_t i = 0; i < project->n_scenarios; i++) {
		const struct scenario *s = project->scenarios[i];
		cJSON *one = cJSON_CreateObject();

		json_add_string(one, "name", s->name);
		json_add_string(one, "path", s->path);
		json_add_string(one, "description", s->description);
		json_add_strings(one, "tags", &s->tags);
		json_add_strings(one, "requires", &s->requires);
		json_add_number(one, "runs", s->measure.runs);
		cJSON_AddItemToObject(one, "gates", gate_names(&s->gates));
		cJSON_AddItemToArray(list, one);
	}
	text = json_print(root);
	strbuf_adds(out, text);
}

static int list(struct invocation *inv, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(project_finish) struct project project = { 0 };

	if (project_open(&project, &inv->request, &inv->args, err) < 0 || project_select(&project, &inv->args, err) < 0)
		return -1;
	(inv->options.json ? add_json : add_text)(&project, &out);
	return console_print(&out, err);
}

const struct command_def cmd_list = {
	.name = "list",
	.args = "[SCENARIO...]",
	.summary = "list the scenarios that would run",
	.details = "Inside a pull request scenarios come from the base branch, as for `pawl run`.",
	.options = OPT_TAG | OPT_JSON | OPT_SHARD | OPT_BASELINE_REF,
	.starts_processes = true,
	.judges = true,
	.run = list,
};
