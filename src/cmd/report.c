/* pawl report: render stored results again, merging shards. */
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/shared/shared.h"
#include "measure/process/process.h"

/* Scenarios move over; what is said of another machine must not be lost. */
static void merge(struct result *into, struct result *from)
{
	char *here = machine_class(&into->machine), *there = machine_class(&from->machine);

	if (strcmp(here, there))
		NOTE(into, "merged from several machines: %s and %s", here, there);
	free(here);
	free(there);
	for (size_t i = 0; i < from->n_scenarios; i++) {
		ARENA_GROW(&into->arena, into->scenarios, into->n_scenarios, into->cap_scenarios);
		into->scenarios[into->n_scenarios++] = from->scenarios[i];
	}
	from->n_scenarios = 0;
	arena_merge(&into->machine.arena, &into->machine.notes, &from->machine.notes);
	arena_merge(&into->arena, &into->notes, &from->notes);
	judged_by_merge(&into->judged_by, &from->judged_by);
	arena_merge(&into->arena, &into->busy, &from->busy);
	into->partial = into->partial || from->partial;
	into->elapsed_s += from->elapsed_s;
}

static int read_all(const struct strv *paths, struct result *out, struct error *err)
{
	for (size_t i = 0; i < paths->n; i++) {
		struct result one = { 0 };

		if (results_read(paths->items[i], i ? &one : out, err) < 0)
			return -1;
		if (i)
			merge(out, &one);
		result_release(&one);
	}
	return results_check_duplicates(out, err);
}

static int default_path(struct invocation *inv, struct error *err)
{
	CLEANUP(project_close) struct project project = { 0 };

	if (project_open(&project, inv, &inv->args, err) < 0)
		return -1;
	strv_take(&inv->args, text_printf("%s/%s/latest", project.root, project.config.out));
	return 0;
}

static int report(struct invocation *inv, struct error *err)
{
	struct result result = { 0 };
	int status = -1;

	if (!inv->args.n && default_path(inv, err) < 0)
		return -1;
	if (read_all(&inv->args, &result, err) == 0) {
		result.strict = result.strict || inv->options.strict;
		result_settle(&result);
		if (verdicts_print(&result, inv, inv->options.json ? "json" : inv->options.format, err) == 0)
			status = result.status;
	}
	result_release(&result);
	return status;
}

const struct command_def cmd_report = {
	.name = "report",
	.args = "[RESULT...]",
	.summary = "render stored results again, merging shards",
	.details = "A RESULT is a result.json file or the folder that holds one; without one, the latest run's.",
	.options = OPT_FORMAT | OPT_OUTPUT | OPT_STRICT | OPT_JSON,
	.run = report,
};
