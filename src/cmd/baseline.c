/* pawl baseline: accept what was measured, look at what is accepted. */
#include "cmd/baseline.h"

#include "base/cleanup.h"
#include "base/nearest.h"
#include "measure/files.h"
#include "scenario/values.h"

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
		struct baseline base;
		struct baseline_visit visit = { scenario, files.items[i], &base };
		int ret;

		if (project_read_baseline(project, scenario, files.items[i], &base, err) != 1)
			return -1;
		ret = each(&visit, ctx, err);
		baseline_release(&base);
		if (ret < 0)
			return -1;
	}
	return 0;
}

int baseline_each(struct project *project, const struct strv *args,
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
