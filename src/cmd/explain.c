/* pawl explain: why one build is slower than another. */
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/confirm.h"
#include "job/project.h"
#include "job/select.h"
#include "measure/machine/machine.h"
#include "model/machine.h"
#include "model/result.h"

/* What to compare with where no option says it: the same commit for all that are selected. */
static int find_base(struct project *project, char **out, struct error *err)
{
	CLEANUP(machine_release) struct machine machine = { 0 };
	const char *first = project->n_scenarios ? project->scenarios[0]->name : "";

	facts_read(&machine);
	for (size_t i = 0; i < project->n_scenarios; i++) {
		const char *name = project->scenarios[i]->name;
		CLEANUP(free_ptr) char *commit = NULL;

		if (confirm_commit(project, name, &machine, &commit, err) < 0)
			return error_wrap(err, "compare %s with what? --base-ref REF is a commit, --base DIR a tree that is built already",
					  name);
		if (*out && strcmp(*out, commit))
			return error_set(err, ERR_INPUT, "the baselines of %s and %s were measured at two commits: explain one at a time, or "
					 "give --base-ref REF", first, name);
		free(*out);
		*out = take_ptr(&commit);
	}
	return 0;
}

/* As if --base-ref had been given. */
static int take_base(struct invocation *inv, struct error *err)
{
	CLEANUP(project_finish) struct project project = { 0 };
	CLEANUP(free_ptr) char *commit = NULL;

	if (project_open(&project, inv, &inv->args, err) < 0 || project_select(&project, &inv->args, err) < 0 ||
	    find_base(&project, &commit, err) < 0)
		return -1;
	if (!commit)
		return error_set(err, ERR_INPUT, "no scenario was selected; pawl list shows them");
	inv->options.base_ref = xstrndup(commit, COMMIT_SHOWN);
	strv_push(&inv->words, "--base-ref");
	strv_push(&inv->words, inv->options.base_ref);
	return 0;
}

static int explain(struct invocation *inv, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf lines = STRBUF_INIT;
	struct options *o = &inv->options;
	int status;

	if (!o->base && !o->base_ref && !o->base_cmd && !o->head_cmd && take_base(inv, err) < 0)
		return -1;
	o->explain = o->few = true;
	inv->command = &cmd_ab;
	inv->lines = o->lines ? &lines : NULL;
	status = cmd_ab.run(inv, err);
	inv->lines = NULL;
	if (status < 0 || !lines.len)
		return status;
	/* Standard output is then for a script. */
	if (o->json)
		cmd_message_raw(inv, lines.buf);
	else if (cmd_print(&lines, err) < 0)
		return -1;
	return status;
}

const struct command_def cmd_explain = {
	.name = "explain",
	.args = "[SCENARIO...]",
	.summary = "find out what makes one build slower than another",
	.details =
		"Base and head are compared in pairs as `pawl ab` does, as few as can show a regression,\n"
		"and then run a few times more under tools that count and trace: instructions by function\n"
		"and line (valgrind), CPU time by call path (perf), system calls (strace), page faults and\n"
		"waiting. The report names at most three causes, the largest first: whose function, what\n"
		"grew, by how much, and the changed line that it rests on.\n\n"
		"The base is --base, --base-ref or --base-cmd; without them the commit that a confirmation of\n"
		"`pawl run` would compare with: the base of a pull request, else the commit that the\n"
		"scenario's baseline was measured at.\n\n"
		"A tool that is missing, or that may not be used, is named with its remedy, and the rest\n"
		"is done without it. `pawl ab` and `pawl run` do the same by themselves where a gate\n"
		"regressed in pairs, unless --no-explain is given.\n\n"
		"  pawl explain gzip\n"
		"  pawl explain gzip --base-ref v1.4 --lines\n"
		"  pawl explain --base-cmd './old' --head-cmd './new'",
	.options = OPT_MEASURING | OPT_STRICT | OPT_NO_PROFILE | OPT_BASE | OPT_HEAD | OPT_COMMANDS | OPT_PAIRED | OPT_LINES,
	.starts_processes = true,
	.judges = true,
	.run = explain,
};
