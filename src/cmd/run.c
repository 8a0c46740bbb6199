/* pawl run: measure, compare with accepted baselines, report: the gate. */
#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/faults.h"
#include "cmd/judging.h"
#include "cmd/project.h"
#include "cmd/suite.h"

static int finish(struct suite *suite, struct project *project, struct invocation *inv, struct error *err)
{
	if (judging_stored(&suite->result, project, inv, err) < 0)
		return -1;
	if (suite->interrupted)
		suite->result.status = 128 + suite->interrupted;
	if (suite_leave(suite, err) < 0 ||
	    judging_print(&suite->result, inv, inv->options.json ? "json" : NULL, err) < 0)
		return -1;
	cmd_say(inv, "results: %s\n", suite->result.out_dir);
	return suite->result.status;
}

/* A damaged baseline is misuse, and misuse is told before anything is measured. */
static int check_baselines(struct project *project, struct invocation *inv, struct error *err)
{
	for (size_t i = 0; i < project->n_scenarios; i++) {
		CLEANUP(strv_release) struct strv files = STRV_INIT;
		const char *name = project->scenarios[i].name;

		if (project_baseline_files(project, inv, name, &files, err) < 0)
			return -1;
		for (size_t k = 0; k < files.n; k++) {
			struct baseline base;

			if (project_read_baseline(project, inv, name, files.items[k], &base, err) != 1)
				return -1;
			baseline_release(&base);
		}
	}
	return 0;
}

static int run(struct invocation *inv, struct error *err)
{
	struct suite suite = { 0 };
	struct project project;
	int status = -1;

	if (project_open(&project, inv, &inv->args, err) == 0 && project_select(&project, inv, &inv->args, err) == 0 &&
	    check_baselines(&project, inv, err) == 0 && suite_measure(&suite, &project, inv, err) == 0)
		status = finish(&suite, &project, inv, err);
	faults_print(&project.diags);
	suite_release(&suite);
	project_close(&project);
	return status;
}

const struct command_def cmd_run = {
	.name = "run",
	.args = "[SCENARIO...]",
	.summary = "measure scenarios, compare with their baselines, report",
	.details =
		"A SCENARIO is a path when it holds a slash or ends in .yaml or .yml, else a name.\n"
		"Without one, every scenario of the project's scenarios folder runs.\n\n"
		"Inside a GitHub pull request baselines and scenarios are read from the base branch\n"
		"unless --baseline-ref names another commit.",
	.options = OPT_MEASURING | OPT_BASELINE_REF | OPT_STRICT | OPT_NO_PROFILE | OPT_NO_CONFIRM,
	.starts_processes = true,
	.run = run,
};
