/* Flame graphs of a scenario's difference: as a file in its folder, and as a piece of the page, drawn from stacks there. */
#ifndef PAWL_JOB_PICTURES_H
#define PAWL_JOB_PICTURES_H

#include <stdbool.h>

struct error;
struct report_pictures;
struct result;
struct scenario_result;
struct stacks;

/* False: what could not be decided, or compared, has no picture that says it is so. */
bool pictures_drawn(const struct scenario_result *scenario);
/* Writes diff.svg to the scenario's folder in OUT_DIR, and beside it what it was drawn from, diff.base.folded and diff.head.folded. */
int pictures_leave(const char *out_dir, struct scenario_result *scenario, const char *base_label, const char *head_label,
		   const struct stacks *base, const struct stacks *head, struct error *err);
/*
 * Of each scenario what can be drawn from the stacks in its `folder`, and in `base_folder`: nothing where they are not there any
 * more. For pictures_free().
 */
struct report_pictures *pictures_read(const struct result *result);
void pictures_free(const struct result *result, struct report_pictures *pictures);

#endif
