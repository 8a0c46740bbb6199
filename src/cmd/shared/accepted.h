/*
 * What a baseline's numbers are, for showing them: the settings know the units of printed metrics and
 * what the load does.
 */
#ifndef PAWL_CMD_SHARED_ACCEPTED_H
#define PAWL_CMD_SHARED_ACCEPTED_H

#include "base/text.h"
#include "cmd/shared/project.h"
#include "model/profile.h"
#include "model/result.h"
#include "profile/stacks.h"
#include "store/json.h"

struct accepted {
	const struct baseline *base;	/* NULL: there is none */
	struct scenario_result known;	/* its metrics, for format.h */
};

/* BASE, which may be NULL, must outlive it. */
void accepted_init(struct accepted *accepted, const struct baseline *base);
void accepted_release(struct accepted *accepted);
const struct session *accepted_last(const struct baseline *base);

/* Calls EACH for the metrics that people are shown; a total is left out where there is its value per unit of work. */
void accepted_each(struct accepted *accepted, void (*each)(const struct metric *metric, void *ctx), void *ctx);

/* How a metric moved from one baseline to what is NOW; pct is NaN where there is nothing to compare. */
struct metric_change {
	const struct metric *metric;
	double before, now, pct;
};

void metric_change_set(struct accepted *before, const struct metric *metric, double now, struct metric_change *out);
/* "task-clock per request   2.5 us -> 2.7 us  +8.0 %", safe for a terminal; KNOWN has the metric. */
void metric_change_add(struct strbuf *out, const struct scenario_result *known, const struct metric_change *change);

/* What people and scripts are shown of accepted profiles: the hottest symbols, and whose shares changed. */

/* A line about the profile and a table of its hottest symbols, safe for a terminal; nothing when there is none. */
void accepted_profile_add(struct strbuf *out, const struct profile *profile);
/* Both exist and were taken in the same way, so that shares can be compared. */
bool accepted_profile_comparable(const struct profile *a, const struct profile *b);
/*
 * The symbols whose self share changed by more than a point, the largest change first; one that a side does not list
 * has no share there. Where only one side has a profile, or they were taken in different ways, words that say so. Lines
 * start with INDENT blanks.
 */
void accepted_profile_changes_add(struct strbuf *out, size_t indent, const struct profile *before,
				  const struct profile *now);
/* The same as objects, to ARRAY: symbol, dso, before_pct, now_pct, change_pp. */
void accepted_profile_changes_json(cJSON *array, const struct profile *before, const struct profile *now);

/*
 * The stacks that go with a baseline: `<class>.folded` beside `<class>.json`, the pruned profile that was
 * accepted, so that a run can show the difference as a picture. The baseline's numbers do not rest on it: one that is
 * missing or damaged costs only the picture.
 */

/*
 * Keep the stacks that SCENARIO's folder in OUT_DIR (NULL: none) holds, pruned, beside the baseline JSON_PATH. When it holds none,
 * those of another profile are removed.
 */
int accepted_stacks_write(const char *out_dir, const char *scenario, const char *json_path, struct error *err);

/*
 * Every judged scenario that has stacks on both sides gets a diff.svg in its folder, unless it has one already, or nobody could tell
 * whether it changed; what goes wrong is a note. Costs are drawn where they were found to have changed, else shares. HEADS are the
 * pruned stacks of RESULT's scenarios, empty where there are none.
 */
void accepted_stacks_compare(struct result *result, const struct stacks *heads, struct project *project);

/* The same for a scenario measured in pairs, with its picture in OUT_DIR. */
void accepted_stacks_compare_sides(const char *out_dir, const struct stacks *base, const struct stacks *head,
				   struct scenario_result *scenario);

#endif
