/* Flame graphs of a scenario's difference. A baseline's stacks are in `<class>.folded` beside `<class>.json`. */
#ifndef PAWL_JOB_PROJECT_PICTURES_H
#define PAWL_JOB_PROJECT_PICTURES_H

struct error;
struct project;
struct report_pictures;
struct result;
struct scenario_result;
struct stacks;

/* Writes the stacks in SCENARIO's folder of OUT_DIR (NULL: none), pruned, beside JSON_PATH, or removes earlier ones. */
int pictures_accept(const char *out_dir, const char *scenario, const char *json_path, struct error *err);

/*
 * Draws diff.svg for each judged scenario that has stacks on both sides, no picture yet, and a decided change: its
 * costs if they changed, else shares. HEADS are pruned, one for each scenario. Errors become notes.
 */
void pictures_compare(struct result *result, const struct stacks *heads, struct project *project);

/* The same for a scenario measured in pairs. The picture goes to its folder in OUT_DIR. */
void pictures_compare_sides(const char *out_dir, const struct stacks *base, const struct stacks *head,
				   struct scenario_result *scenario);

/* From the stacks in each scenario's `folder` and `base_folder`, as far as they are there. For pictures_free(). */
struct report_pictures *pictures_read(const struct result *result);
void pictures_free(const struct result *result, struct report_pictures *pictures);

#endif
