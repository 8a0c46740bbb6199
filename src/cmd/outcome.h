/*
 * What every measuring command does around its scenarios: begin a result, take the lock and the rig, make the folder
 * for what is left behind, watch the noise, write the reports.
 *
 *	outcome_begin() -> outcome_rig() -> outcome_folder() -> outcome_watch() -> ... -> outcome_watched() -> rig_close()
 *	-> judging -> outcome_leave()
 */
#ifndef PAWL_CMD_OUTCOME_H
#define PAWL_CMD_OUTCOME_H

#include "cmd/cmd.h"
#include "measure/noise.h"
#include "measure/rig.h"
#include "model/result.h"

/* MODE is "stored" or "paired"; ROOT is the tree whose commit it is. RESULT is empty before. */
void outcome_begin(struct result *result, const char *mode, struct invocation *inv, const char *root);
/* Waits for the lock as --lock-wait says. WITHOUT_PERF: every scenario asks for simulated counters. */
int outcome_rig(struct rig *rig, struct invocation *inv, bool without_perf, struct error *err);
/*
 * Makes the run's folder, result->out_dir: --out, else a new one in ROOT/FOLDER, which then is *PARENT_OUT, for free(),
 * and for outcome_leave() to prune.
 */
int outcome_folder(struct result *result, const struct options *options, const char *root, const char *folder,
		   char **parent_out, struct error *err);

struct outcome_watch {
	struct noise before;
	struct strv others;	/* pawls that measured when it began */
	double own_ms;
	uint64_t start_ns;
};

void outcome_watch(struct outcome_watch *watch, const struct invocation *inv);
/* The result gets the machine, its noise, and how long it took. */
void outcome_watched(struct outcome_watch *watch, const struct invocation *inv, struct rig *rig, struct result *result);

/* Writes result.json and the reports; call after judging. PARENT as outcome_folder() gave it. */
int outcome_leave(const struct result *result, const char *parent, struct error *err);

#endif
