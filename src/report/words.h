/*
 * What reports are made of: numbers as people read them ("61.2 ms", "1.04 G", "+5.2 %"), names, and what a gate found in a
 * sentence. What names a metric, a unit of work or a printed unit may hold foreign text: the caller escapes it.
 */
#ifndef PAWL_REPORT_WORDS_H
#define PAWL_REPORT_WORDS_H

#include <stdbool.h>

#include "base/text.h"
#include "model/metric.h"
#include "model/result.h"

/* A value in its unit with three to four significant digits; "-" for NaN. */
void format_value(struct strbuf *out, double value, enum metric_unit unit);
/* "+5.2 %", "-0.03 %", "x12.5" beyond +900 %; "-" for NaN, "unknown" for an infinity. */
void format_change(struct strbuf *out, double pct);
/* A symbol's name, not longer than MOST bytes and three dots. */
void format_symbol(struct strbuf *out, const char *symbol, size_t most);
/* Behind the name of the gate on symbols: the one it speaks of; nothing for other gates and without a comparison. */
void format_gate_symbol(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate,
			size_t most);
/* "+5.2 pp": of shares, whose changes are percentage points; "-" for NaN. */
void format_points(struct strbuf *out, double pp);
/* CHANGE_PCT as the gate's changes are told: in percent, or in points. */
void format_gate_change(struct strbuf *out, const struct gate_result *gate, double change_pct);
/* "+2.1 % to +8.4 %"; "unknown" for a bound too few runs cannot give; "-" when there is none. */
void format_interval(struct strbuf *out, double low_pct, double high_pct);
/* The gate's, in percent or in points. */
void format_gate_interval(struct strbuf *out, const struct gate_result *gate);
/* The tolerance as a scenario writes it: "+5 %", "-10 %", "max 512 MiB", joined by ", ". */
void format_tolerance(struct strbuf *out, const struct gate_result *gate);
/* A value of METRIC, with the label that a plain number has: "82.4 k/s", "912 req/s". Foreign. */
void format_measured(struct strbuf *out, double value, const struct metric *metric);
/* The same of a number somebody wrote, with the digits it has. */
void format_written(struct strbuf *out, double value, const struct metric *metric);
/* A metric of SCENARIO: "task-clock", "task-clock per request", "sim-branches (simulated)". */
void format_metric(struct strbuf *out, const struct scenario_result *scenario, const struct metric *metric);
/* The metric of a gate by what it was judged: "instructions (simulated)", "task-clock per request". */
void format_gate(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* NOUN as there are many: "requests", "queries". */
void format_plural(struct strbuf *out, const char *noun);
/* What a regression of METRIC makes the program: "slower" or "worse". */
const char *format_worse(const struct metric *metric);
/* What was found, in as few words as a list allows: "ipc -12.3 %", "max-rss 612 MiB over max 512 MiB". */
void format_finding(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The verdict's words for a gate: "REGRESSION task-clock +92.1 % (at least +41.2 %), tolerance 25 %". */
void format_headline(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* The verdict in it: in pairs a pass is a claim like the others, and stands in capitals. */
const char *format_verdict(const struct scenario_result *scenario, const struct gate_result *gate);
/* The same without the verdict, to put a name between. */
void format_words(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate);
/* "42 s", "3 min 12 s". */
void format_elapsed(struct strbuf *out, double seconds);

/*
 * Whose files judged, which stands right under the headline in every format, as lines that hold foreign names. The first one
 * says who judged, with each file that the change edits once; what follows explains single files, and what is not protected.
 * None where a tree is judged by its own files, and nothing differs.
 */
void judged_lines(struct strv *out, const struct judged_by *by);

/* Foreign text in a plain-text report: escaped, and broken between words where the terminal ends. */

/*
 * TEXT, which begins at column INDENT of a line already begun, to the line's end. Newlines in it
 * begin a new line. WIDTH is the terminal's; words that are longer than a line stick out.
 */
void prose_add(struct strbuf *out, const char *text, unsigned indent, unsigned width);
/* The last MAX lines of a log, each behind MARGIN; tabs become blanks and long lines are cut. */
void prose_add_log(struct strbuf *out, const char *text, const char *margin, size_t max);

#endif
