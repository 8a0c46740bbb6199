/*
 * Measuring a selection of scenarios into a result: the rig, the folder for what is left behind,
 * the noise around it, every scenario in turn. A scenario that fails does not keep the others from
 * running; an interrupt ends all, and what was measured stays in the result.
 */
#ifndef PAWL_CMD_SUITE_H
#define PAWL_CMD_SUITE_H

#include "cmd/project.h"
#include "model/result.h"
#include "profile/stacks.h"

struct suite {
	bool refuse_busy;	/* set it before: a machine that is busy already is not measured */
	struct result result;
	struct stacks *pruned;	/* profiles of the result's scenarios, pruned to be compared; empty where there is none */
	char *parent;		/* of the run's folder, to be pruned; NULL with --out */
	int interrupted;	/* signal, or 0 */
	pid_t kept_env;		/* whom to tell that the kept environment is to be stopped, or 0 */
	struct strv kept_services;
	char *kept_file;	/* what PAWL_KEPT names when it is attached to, or NULL */
};

/* 0, or -1 when nothing could be measured at all. Gates are added, not judged. */
int suite_measure(struct suite *suite, struct project *project, struct invocation *inv, struct error *err);
/* Write result.json and report.md; call after judging. */
int suite_leave(struct suite *suite, struct error *err);
void suite_release(struct suite *suite);

#endif
