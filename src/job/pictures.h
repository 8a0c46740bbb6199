/*
 * Flame graphs of a scenario's difference, drawn from stacks in its folder: as a file there, and as a piece of the
 * page.
 */
#ifndef PAWL_JOB_PICTURES_H
#define PAWL_JOB_PICTURES_H

#include <stdbool.h>

struct error;
struct report_pictures;
struct result;
struct scenario_result;
struct stacks;

/*
 * True if SCENARIO gets a difference picture. False if it is undecided whether costs changed, or they were not
 * compared.
 */
bool pictures_drawn(const struct scenario_result *scenario);
/* Writes diff.svg to the scenario's folder in OUT_DIR, with its sources diff.base.folded and diff.head.folded. */
int pictures_leave(const char *out_dir, struct scenario_result *scenario, const char *base_label, const char *head_label,
		   const struct stacks *base, const struct stacks *head, struct error *err);
/*
 * Draws each scenario's pictures from the stacks in its `folder` and `base_folder`. A picture whose stacks are gone
 * is left out. For pictures_free().
 */
struct report_pictures *pictures_read(const struct result *result);
void pictures_free(const struct result *result, struct report_pictures *pictures);

#endif
