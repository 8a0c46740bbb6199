/* Pairs in words and tables. */
#ifndef PAWL_REPORT_PAIRS_H
#define PAWL_REPORT_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/metrics/numbers.h"

struct arena;
struct gate_result;
struct metric;
struct scenario_result;
struct strbuf;
struct strv;

/* Results of pairs. Labels of sides, units and metrics are foreign. */

/* The name of a side: its label, with its commit unless the label contains it. Without a label "base" or "head". */
void pairs_label(struct strbuf *out, const struct scenario_result *scenario, bool head);
/* "20 of at most 40, order tossed from seed 7, ..."; nothing without pairs. BRIEF: how many, and how they ran. */
void pairs_facts(struct strbuf *out, const struct scenario_result *scenario, bool brief);
/* True if pairs judged a gate that the baseline judged too. Both are then shown, also for a pass. */
bool pairs_judged_again(const struct scenario_result *scenario);
/* For each such gate, the result against the baseline and that in pairs. */
void pairs_stored_comparisons(const struct scenario_result *scenario, struct strv *out);

/* The values of both sides in the first MOST pairs that have both; release them with free(). Returns their number. */
size_t pairs_values(const struct scenario_result *scenario, const struct metric *metric, size_t most, double **base,
		    double **head);
/* Text after a side's median: " ±1.3 %", the standard deviation of its values. Empty if they are all equal. */
struct short_text pairs_spread(const struct scenario_result *scenario, const struct gate_result *gate, bool head);
/* Metrics measured on both sides but not judged, as gates without a limit, in ARENA: wall time, or ALL of them. */
struct gate_result *pairs_shown(struct arena *arena, const struct scenario_result *scenario, bool all, size_t *n_out);

#endif
