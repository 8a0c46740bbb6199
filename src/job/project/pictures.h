/* Flame graphs of a scenario's difference. A baseline's stacks are in `<class>.folded` beside `<class>.json`. */
#ifndef PAWL_JOB_PROJECT_PICTURES_H
#define PAWL_JOB_PROJECT_PICTURES_H

struct error;
struct project;
struct report_pictures;
struct result;
struct scenario_result;
struct stacks;

/*
 * The stacks of a baseline are the accepted profile, pruned, in `<class>.folded` next to `<class>.json`. A run draws its
 * difference picture from them. The baseline's numbers do not depend on them: if the file is missing or damaged, only
 * the picture is missing.
 */

/*
 * Writes the stacks in SCENARIO's folder of OUT_DIR (NULL: none), pruned, next to the baseline JSON_PATH. If the
 * folder holds none, removes those of an earlier profile.
 */
int pictures_accept(const char *out_dir, const char *scenario, const char *json_path, struct error *err);

/*
 * Draws diff.svg into the folder of each judged scenario that has stacks on both sides. Exceptions: scenarios that
 * have one already, and scenarios whose change is undecided. Errors become notes. The picture shows costs if they
 * changed, else shares. HEADS are the pruned stacks of RESULT's scenarios, empty for scenarios without any.
 */
void pictures_compare(struct result *result, const struct stacks *heads, struct project *project);

/* The same for a scenario measured in pairs. The picture goes to its folder in OUT_DIR. */
void pictures_compare_sides(const char *out_dir, const struct stacks *base, const struct stacks *head,
				   struct scenario_result *scenario);

/*
 * Draws each scenario's pictures from the stacks in its `folder` and `base_folder`. A picture whose stacks are gone
 * is left out. For pictures_free().
 */
struct report_pictures *pictures_read(const struct result *result);
void pictures_free(const struct result *result, struct report_pictures *pictures);

#endif
