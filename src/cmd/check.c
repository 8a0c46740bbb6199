/* pawl check: reports every fault in every scenario and baseline. */
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "job/project/select.h"
#include "measure/files/files.h"

/* Checks all baselines. Their faults join those of the scenarios, so that all are shown at once. */
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
				diags_add(&project->diags, (struct diag_place){ why.at.path[0] ? why.at.path : project->baselines_dir, why.at.line, why.at.column, NULL, 0 },
					  "%s", why.msg);
		}
		*n_out += files.n;
	}
	return 0;
}

static int check(struct invocation *inv, struct error *err)
{
	CLEANUP(project_finish) struct project project = { 0 };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	size_t baselines = 0;

	if (project_open(&project, &inv->request, &inv->args, err) < 0 ||
	    (project_select(&project, &inv->args, err) < 0 && !project.diags.n) || check_baselines(&project, &baselines, err) < 0)
		return -1;
	if (project.diags.n)
		return error_set(err, ERR_INPUT, "%zu fault%s", project.diags.n, project.diags.n == 1 ? "" : "s");
	strbuf_addf(&out, "%zu scenario%s and %zu baseline%s: no faults\n", project.n_scenarios,
		    project.n_scenarios == 1 ? "" : "s", baselines, baselines == 1 ? "" : "s");
	return console_print(&out, err);
}

const struct command_def cmd_check = {
	.name = "check",
	.args = "[SCENARIO...]",
	.summary = "validate scenarios, baselines and configuration",
	.options = OPT_BASELINES | OPT_TAG,
	.goes_on = true,
	.run = check,
};
