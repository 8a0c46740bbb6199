/* pawl run: measures, compares with accepted baselines, and reports. The gate. */
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/comparison.h"
#include "job/confirm.h"
#include "job/lifecycle.h"
#include "job/project/pictures.h"
#include "job/project/project.h"
#include "job/project/select.h"
#include "job/runs.h"
#include "job/verdicts.h"
#include "scenario/scenario.h"

/* Also with -q: the user cannot learn it elsewhere. */
static void print_kept(const struct run_all *all, const struct scenario *s)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT, shown = STRBUF_INIT;

	if (!all->kept.pid)
		return;
	for (size_t i = 0; i < all->kept.services.n; i++)
		strbuf_addf(&words, "kept running: %s\n", all->kept.services.items[i]);
	strbuf_addf(&words, "stop it with: kill %d\nmeasure it again with: ", (int)all->kept.pid);
	/* Without PAWL_KEPT, a process would get another folder and other ports. */
	if (all->kept_file) {
		strbuf_adds(&words, "PAWL_KEPT=");
		escape_shell(&words, all->kept_file);
		strbuf_addc(&words, ' ');
	}
	strbuf_adds(&words, "pawl run --attach ");
	if (all->kept.target)
		strbuf_addf(&words, "%d ", (int)all->kept.target);
	else
		strbuf_adds(&words, "PID ");
	escape_shell(&words, s->path);
	strbuf_addc(&words, '\n');
	escape_lines(&shown, words.buf);
	fputs(shown.buf, stderr);
}

static int take_one(struct project *project, struct error *err)
{
	const struct request *o = project->request;
	struct scenario *s = project->n_scenarios ? project->scenarios[0] : NULL;

	if (!o->keep_env && !o->attach)
		return 0;
	if (project->n_scenarios != 1)
		return error_set(err, ERR_INPUT, "%s takes one scenario, not %zu", o->attach ? "--attach" : "--keep-env",
				 project->n_scenarios);
	if (o->attach && o->keep_env)
		return error_set(err, ERR_INPUT, "--attach starts no services, so there is nothing for --keep-env to keep");
	if (!o->attach)
		return s->n_services ? 0 : error_set(err, ERR_INPUT, "--keep-env: scenario %s has no services (env)", s->name);
	if (s->target_kind == TARGET_COMMAND)
		return error_set(err, ERR_INPUT, "--attach: the target of %s is a command, which is run, not attached to", s->name);
	scenario_attach(s, (pid_t)o->attach);
	return 0;
}

static int measure_and_judge(struct run_all *all, struct project *project, struct error *err)
{
	all->to_compare = true;
	if (run_all_measure(all, project, err) < 0 || verdicts_stored(&all->run.result, project, err) < 0)
		return -1;
	confirm_flagged(all, project);
	verdicts_accept(&all->run.result, project);
	lifecycle_close(&all->run);
	pictures_compare(&all->run.result, all->pruned, project);
	return lifecycle_finish(&all->run, err);
}

static int run(struct invocation *inv, struct error *err)
{
	CLEANUP(project_finish) struct project project = { 0 };
	static const struct strv none = STRV_INIT;
	CLEANUP(run_all_release) struct run_all all = { 0 };
	CLEANUP(free_ptr) char *base = NULL;
	int status;

	inv->request.judges = true;
	/* Each commit of a bisection needs only its status. */
	inv->request.no_profile |= inv->request.bisect;
	inv->request.no_explain |= inv->request.bisect && !inv->request.explain;
	if (inv->options.repro && repro_prepare(inv, err) < 0)
		return -1;
	/* The head may have scenarios that the working tree lacks. */
	if (project_open(&project, &inv->request, inv->request.head ? &none : &inv->args, err) < 0 ||
	    comparison_base(&project, &base, err) < 0)
		return -1;
	if (base)
		return comparison_of_scenarios(&project, &inv->args, base, err);
	if (project_select(&project, &inv->args, err) < 0 || take_one(&project, err) < 0)
		return -1;
	/* A damaged baseline is misuse, reported before anything is measured. */
	for (size_t i = 0; i < project.n_scenarios; i++)
		if (project_read_baselines(&project, project.scenarios[i]->name, err) < 0)
			return -1;
	status = measure_and_judge(&all, &project, err);
	/* Also if the report could not be written. */
	print_kept(&all, project.scenarios[0]);
	return status;
}

const struct command_def cmd_run = {
	.name = "run",
	.args = "[SCENARIO...]",
	.summary = "measure scenarios, compare, report: the gate",
	.examples =
		"pawl run                          # all scenarios\n"
		"pawl run gzip --base origin/main  # one, in pairs with that commit\n"
		"git bisect run pawl run gzip --base v1.4 --bisect",
	.details =
		"A SCENARIO is a path when it holds a slash or ends in .yaml or .yml, else a name.\n"
		"Without one, every scenario of the project's scenarios folder runs.\n\n"
		"Alone it compares with the accepted baselines. A time that stored runs flag, or leave open, is\n"
		"measured again, in pairs, against the base built on this machine, and the pairs decide. That\n"
		"base is the commit that baselines are read from, or the commit that the baseline was measured\n"
		"at, where pawl.yaml has a build:. The head is not built again, so build it as build: says.\n"
		"Where the build that the baseline accepted is kept (pawl cache), it is the base, and pairs decide\n"
		"every time. --no-confirm leaves all of this out.\n\n"
		"With --base it compares in pairs: base and head run next to each other, and only the two runs\n"
		"of a pair are compared. They run at once on one CPU; or in turn (--pairs in-turn), which is\n"
		"also how time that passes is measured, and targets that use several CPUs. The order is tossed\n"
		"from a printed seed. pawl looks at the pairs after 11 or a few more, 20, 30, 40 and 60 of them.\n"
		"If both sides run at once, it also looks after 6, 8, 10 and 15, where they can only pass. The\n"
		"answer is REGRESSION, PASS or INCONCLUSIVE, with how many more pairs would decide. --runs is the\n"
		"most pairs. Every gate of the project's scenarios counts towards the error that they share. Counts\n"
		"are also compared with the baseline, if there is one, and the worse verdict counts.\n\n"
		"--expect 'cpu-time -10%' claims that the head is better than the base by at least that, and the\n"
		"status is 0 only where the pairs prove it: 1 if they refute it, or leave it open when the budget\n"
		"ends; 3 if it was not measured. It may be given for several metrics, and replaces their gates.\n\n"
		"A commit is checked out in the user's cache and built there by `build:` of its pawl.yaml, or of\n"
		"yours when it has none; a tree that was built is used again. With a commit for --base alone,\n"
		"`build:` is run in the working tree too, or two ways to build would be compared. A folder is a\n"
		"tree that is built already. A name that is both is refused: ./main is a folder, refs/heads/main\n"
		"a commit. Scenarios are read from head; a relative path is looked for there first. base: of\n"
		"pawl.yaml is the default. In a pull or merge request it is the commit where the change left\n"
		"its base, if pawl.yaml has a build:.\n\n"
		"Inside a pull request of GitHub or Jenkins, or a merge request of GitLab, all that judges is read\n"
		"from the base branch, unless --judge names another commit: pawl.yaml, scenarios, baselines. The report begins with those that the change\n"
		"edits. With --accept, a regression that a baseline of the change's own accepts counts as\n"
		"accepted: who may say so is for you to decide, such as by a label that maintainers give.\n\n"
		"--repro RESULT (a result.json or its folder, such as an artifact of a CI job) runs the command\n"
		"line that made it, against the same commit: its scenarios, as often. What differs here (pawl,\n"
		"the commit, the machine, the scenario) is printed first.\n\n"
		"--keep-env and --attach take one scenario. What --keep-env leaves running is stopped\n"
		"and cleaned up by the command that is printed last. With --attach no service is\n"
		"started and neither setup nor cleanup is run; ${port} is the port that the process\n"
		"listens on.\n\n"
		"--bisect gives the status that git bisect run takes: 0 not slower, 1 slower, 125 unknown, or\n"
		"not built or measured, 128 misuse.",
	.options = OPT_MEASURING | OPT_JUDGE | OPT_STRICT | OPT_ACCEPT | OPT_NO_PROFILE | OPT_NO_CONFIRM | OPT_KEEP_ENV |
		   OPT_ATTACH | OPT_BASE | OPT_EXPECT | OPT_PAIRED | OPT_EXPLAIN | OPT_REPRO | OPT_SHARD | OPT_BISECT,
	.starts_processes = true,
	.first = true,
	.run = run,
};
