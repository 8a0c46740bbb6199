/*
 * Pairs in words and tables.
 */
#ifndef PAWL_REPORT_PAIRS_H
#define PAWL_REPORT_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/numbers.h"

struct arena;
struct gate_result;
struct metric;
struct scenario_result;
struct strbuf;
struct strv;

/* What was measured in pairs. Labels of sides, units and metrics are foreign. */

/* What a side is called: its label, with its commit when the label lacks it; "base" and "head" where it has none. */
void pairs_label(struct strbuf *out, const struct scenario_result *scenario, bool head);
/* "20 of at most 40, order tossed from seed 7, ...": nothing without pairs. */
void pairs_facts(struct strbuf *out, const struct scenario_result *scenario);
/* True when stored runs had flagged a gate that pairs then judged: both steps are shown, also of a pass. */
bool pairs_judged_again(const struct scenario_result *scenario);
/* For each such gate: what the stored comparison found, and what pairs did. */
void pairs_stored_comparisons(const struct scenario_result *scenario, struct strv *out);

/* The values of both sides in the first MOST pairs in which each side has one, for free(); returns how many. */
size_t pairs_values(const struct scenario_result *scenario, const struct metric *metric, size_t most, double **base,
		    double **head);
/* Behind a side's median: " ±1.3 %", the standard deviation of its values. Nothing when they do not spread. */
struct short_text pairs_spread(const struct scenario_result *scenario, const struct gate_result *gate, bool head);
/* Head divided by base, pair by pair, as far as GATE rests on them; for free(). */
double *pairs_ratios(const struct scenario_result *scenario, const struct gate_result *gate, size_t *n_out);
/* What both sides measured and no gate judges, as gates without a tolerance, in ARENA: wall time, or ALL of it. */
struct gate_result *pairs_shown(struct arena *arena, const struct scenario_result *scenario, bool all, size_t *n_out);

#endif
