/* The subcommands of `pawl baseline`, each with the arguments behind its name. */
#ifndef PAWL_CMD_BASELINE_H
#define PAWL_CMD_BASELINE_H

#include "cmd/project.h"

int baseline_update(struct invocation *inv, const struct strv *args, struct error *err);
int baseline_show(struct invocation *inv, const struct strv *args, struct error *err);
int baseline_diff(struct invocation *inv, const struct strv *args, struct error *err);
int baseline_list(struct invocation *inv, const struct strv *args, struct error *err);

/* Calls EACH for every baseline of the scenarios in ARGS, all of them when there are none. */
struct baseline_visit {
	const char *scenario, *file;
	const struct baseline *baseline;
};
int baseline_each(struct project *project, const struct strv *args,
		  int (*each)(const struct baseline_visit *visit, void *ctx, struct error *err), void *ctx,
		  struct error *err);

#endif
