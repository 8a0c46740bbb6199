/*
 * Words that several formats print.
 */
#ifndef PAWL_REPORT_WORDS_H
#define PAWL_REPORT_WORDS_H

#include <stddef.h>

#include "report/numbers.h"

struct gate_result;
struct judged_by;
struct metric;
struct scenario_result;
struct strbuf;
struct strv;

/* What a gate found, in words. Names of metrics, units of work and printed units are foreign. */

/* "task-clock", "task-clock per request", "sim-branches (simulated)". */
void format_metric(struct strbuf *out, const char *work_unit, const struct metric *metric);
/* The metric of a gate by what it was judged: "instructions (simulated)", "task-clock per request". */
void format_gate(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* NOUN as there are many: "requests", "queries". */
void format_plural(struct strbuf *out, const char *noun);
/* What a regression of METRIC makes the program: "slower" or "worse". */
const char *format_worse(const struct metric *metric);

/* Behind the name of the gate on symbols: the one it is about; nothing for other gates and without a comparison. */
void format_gate_symbol(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate,
			size_t most);
/* In percent, or in points where the gate is on shares. */
struct short_text format_gate_change(const struct gate_result *gate, double change_pct);
struct short_text format_gate_interval(const struct gate_result *gate);
/* The tolerance as a scenario writes it: "+5 %", "-10 %", "max 512 MiB", joined by ", ". */
void format_tolerance(struct strbuf *out, const struct gate_result *gate);

/* What was found, in as few words as a list allows: "ipc -12.3 %", "max-rss 612 MiB over max 512 MiB". */
void format_finding(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The bound of its interval that is nearer to no change: "+2.1 %"; "-" where no change is certain. */
struct short_text format_least(const struct gate_result *gate);
/* Behind a change: " (at least +2.1 %)", or all of the interval where it is inconclusive: " (-0.4 to +8.8)". */
void format_evidence(struct strbuf *out, const struct gate_result *gate);
/* Behind that, of a gate that was judged in pairs: ", 40 pairs; about 18 more would decide". */
void format_pairs(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* All of it in a sentence: "task-clock +92.1 % (at least +41.2 %), tolerance 25 %". */
void format_words(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The verdict before it: in pairs a pass is a claim like the others, and stands in capitals. */
const char *format_verdict(const struct scenario_result *scenario, const struct gate_result *gate);
/* Both: "REGRESSION task-clock +92.1 % (at least +41.2 %), tolerance 25 %". */
void format_headline(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);

/*
 * Whose files judged, which stands right under the headline in every format, as lines. The first one names whose they
 * are, with each file that the change edits once; what follows explains single files, and what is not protected. None
 * where a tree is judged by its own files, and nothing differs.
 */
void judged_lines(struct strv *out, const struct judged_by *by);

#endif
