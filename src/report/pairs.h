/*
 * What was measured in pairs, as reports show it: the three sentences, how the pairs were made, what the
 * comparison with the stored baseline had said before. Labels of sides, units and metrics are foreign: the caller escapes.
 */
#ifndef PAWL_REPORT_PAIRS_H
#define PAWL_REPORT_PAIRS_H

#include "base/text.h"
#include "model/result.h"

/* True when its gates are judged in pairs by nature: they were not only confirmed by them. */
bool pairs_only(const struct scenario_result *scenario);
/* What a side is called: its label, with its commit when that does not say it; "base" and "head" when nobody said. */
void pairs_label(struct strbuf *out, const struct scenario_result *scenario, bool head);

/* Behind a gate's change: " (at least +2.1 %)", or all of the interval where it is inconclusive: " (-0.4 to +8.8)". */
void pairs_evidence(struct strbuf *out, const struct gate_result *gate);
/* Behind that: ", 40 pairs; about 18 more would decide". */
void pairs_count(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);

/* "20 pairs of at most 40, in random order (seed 7), ...": nothing without pairs. */
void pairs_facts(struct strbuf *out, const struct scenario_result *scenario);
/* True when stored runs had flagged a gate that pairs then judged: both steps are told, also of a pass. */
bool pairs_judged_again(const struct scenario_result *scenario);
/* For each gate that pairs confirmed or did not: what the stored comparison said, and what they said. */
void pairs_stored_comparisons(const struct scenario_result *scenario, struct strv *out);

/* Behind a side's median: " ±1.3 %", the standard deviation of its values. Nothing when they do not spread. */
void pairs_spread(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate, bool head);
/* Head divided by base, pair by pair, as far as GATE rests on them; for free(). */
double *pairs_ratios(const struct scenario_result *scenario, const struct gate_result *gate, size_t *n_out);

/*
 * What both sides measured and no gate judges, as rows of a table of gates without a tolerance: wall time, or ALL of it. For
 * free(); NULL when there is nothing.
 */
struct gate_result *pairs_shown(const struct scenario_result *scenario, bool all, size_t *n_out);

#endif
