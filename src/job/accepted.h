/*
 * The stacks that go with a baseline: `<class>.folded` beside `<class>.json`, the pruned profile that was
 * accepted, so that a run can show the difference as a picture. The baseline's numbers do not rest on it: one that is
 * missing or damaged costs only the picture.
 */
#ifndef PAWL_JOB_ACCEPTED_H
#define PAWL_JOB_ACCEPTED_H

struct error;
struct project;
struct result;
struct scenario_result;
struct stacks;

/*
 * Keep the stacks that SCENARIO's folder in OUT_DIR (NULL: none) holds, pruned, beside the baseline JSON_PATH. When
 * it holds none, those of another profile are removed.
 */
int accepted_stacks_write(const char *out_dir, const char *scenario, const char *json_path, struct error *err);

/*
 * Every judged scenario that has stacks on both sides gets a diff.svg in its folder, unless it has one already, or
 * it could not be decided whether it changed; what goes wrong is a note. Costs are drawn where they were found to
 * have changed, else shares. HEADS are the pruned stacks of RESULT's scenarios, empty where there are none.
 */
void accepted_stacks_compare(struct result *result, const struct stacks *heads, struct project *project);

/* The same for a scenario measured in pairs, with its picture in OUT_DIR. */
void accepted_stacks_compare_sides(const char *out_dir, const struct stacks *base, const struct stacks *head,
				   struct scenario_result *scenario);

#endif
