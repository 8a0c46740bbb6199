/* What `run` and comparisons in pairs do alike for each scenario before they measure it. */
#ifndef PAWL_CMD_SCENE_H
#define PAWL_CMD_SCENE_H

#include "model/machine.h"
#include "model/result.h"
#include "scenario/scenario.h"

/* Fills OUT with all that the scenario's file says of it: settings, gates, metrics of its own. */
void scene_describe(const struct scenario *scenario, struct scenario_result *out);
/* The same of one side of a comparison in pairs: what its runs mean, without what is tolerated. */
void scene_describe_side(const struct scenario *scenario, struct scenario_result *out);
/* It could not be measured, and why. */
void scene_fail(struct scenario_result *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* 0, or -1 after failing OUT with the first of `requires:` that is not installed; ROOT is its working folder. */
int scene_need_programs(const struct scenario *scenario, const char *root, struct scenario_result *out);
bool scene_wants_simulation(const struct scenario *scenario, const struct machine *machine);
/* The folder that its file lies in, where ROOT is what relative paths start from; for free(). */
char *scene_folder(const struct scenario *scenario, const char *root);
/* Let the users that its target and services run as work in the folder PATH, which is ${tmp}. */
int scene_give_to_users(const struct scenario *scenario, const char *path, struct error *err);

#endif
