/*
 * The stacks that go with a baseline: `<class>.folded` beside `<class>.json`, the outline of the profile that was
 * accepted, so that a run can show the difference as a picture. The baseline's numbers do not rest on it: one that is
 * missing or damaged costs only the picture.
 */
#ifndef PAWL_CMD_ACCEPTED_STACKS_H
#define PAWL_CMD_ACCEPTED_STACKS_H

#include "cmd/project.h"
#include "model/result.h"

/*
 * Keep what SCENARIO's folder in OUT_DIR holds beside the baseline JSON_PATH. When it holds none, the outline of another
 * profile is removed.
 */
int accepted_stacks_write(const char *out_dir, const char *scenario, const char *json_path, struct error *err);

/*
 * Every judged scenario that has stacks on both sides gets a diff.svg in its folder, unless it has one already, or nobody could tell
 * whether it changed; what goes wrong is a note. Costs are drawn where they were found to have changed, else shares.
 */
void accepted_stacks_compare(struct result *result, struct project *project);

/* The same for a scenario measured in pairs: its base's stacks lie in a folder `base` below the head's, in FROM_DIR. */
void accepted_stacks_compare_sides(const char *from_dir, const char *out_dir, struct scenario_result *scenario);

#endif
