/* Phrases that several formats print. */
#ifndef PAWL_REPORT_WORDS_H
#define PAWL_REPORT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/metrics/numbers.h"

struct gate_result;
struct judged_by;
struct metric;
struct scenario_result;
struct strbuf;
struct strv;

/* A symbol's name, cut to MOST bytes and three dots. Foreign. */
struct short_text format_symbol(const char *symbol, size_t most);
/* The same for a function, without return type, parameters and template arguments. */
struct short_text format_function(const char *name, size_t most);

/* Findings of gates in words. Names of metrics, units of work and printed units are foreign. */

/* "task-clock", "task-clock per request", "sim-branches (simulated)". */
void format_metric(struct strbuf *out, const char *work_unit, const struct metric *metric);
/* The metric that judged a gate: "instructions (simulated)", "task-clock per request". */
void format_gate(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The same as the subject of a sentence: "CPU time per request", "ipc". */
void format_subject(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The plural of NOUN: "requests", "queries". */
void format_plural(struct strbuf *out, const char *noun);
/* The effect of a regression of METRIC: "slower" or "worse". */
const char *format_worse(const struct metric *metric);

/*
 * For the gate on symbols: the symbol, to follow the gate's name. Appends nothing for other gates or without a
 * comparison.
 */
void format_gate_symbol(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate,
			size_t most);
/* In percent, or in points if the gate is on shares. */
struct short_text format_gate_change(const struct gate_result *gate, double change_pct);
struct short_text format_gate_interval(const struct gate_result *gate);
/* The limit as a scenario writes it: "+5 %", "-10 %", "max 512 MiB", joined by ", ". */
void format_tolerance(struct strbuf *out, const struct gate_result *gate);

/*
 * True if the change contradicts the medians next to it. The change is the median of the differences between runs,
 * which may have another sign than the difference of the two medians.
 */
bool medians_disagree(const struct gate_result *gate);

/* A change as a title after its subject: " is 60 % slower", " takes 30 % less CPU time", ": max-rss is 12 % higher". */
void format_changed(struct strbuf *out, const struct metric *metric, double change_pct);
/* A short finding for lists: "ipc -12.3 %", "max-rss 612 MiB over max 512 MiB". */
void format_finding(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The bound of its interval nearest to no change: "+2.1 %"; "-" if no change is certain. */
struct short_text format_least(const struct gate_result *gate);
/* Text after a change: " (at least +2.1 %, limit 3 %)", or the whole interval if it is inconclusive. */
void format_evidence(struct strbuf *out, const struct gate_result *gate);
/* Text after that, for a gate judged in pairs: ", 40 pairs; about 18 more would decide". */
void format_pairs(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The whole sentence: "CPU time +92.1 %, 61.2 ms -> 118 ms (at least +41.2 %, limit 25 %)". */
void format_words(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The verdict before it. In pairs a pass is a claim like the others, so it is in capitals. */
const char *format_verdict(const struct scenario_result *scenario, const struct gate_result *gate);
/* Verdict and sentence: "REGRESSION ipc -15.0 % (at least -11.0 %, limit 10 %)". */
void format_headline(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);

/*
 * The files whose rules judged, as lines below the headline in every format. The first line names their owner and
 * lists each file that the change edits. Later lines explain single files and say what is unprotected. Empty if a
 * tree is judged by its own files and nothing differs.
 */
void judged_lines(struct strv *out, const struct judged_by *by);

#endif
