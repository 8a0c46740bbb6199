/*
 * Typed commands: their table in a report, and the files of other programs. The scenarios of a result are commands
 * measured in pairs and judged by their first gate. Bases with the same label are one command.
 */
#ifndef PAWL_REPORT_TYPED_H
#define PAWL_REPORT_TYPED_H

#include <stdbool.h>

#include "report/severity.h"

struct arena;
struct document_table;
struct report_options;
struct result;
struct scenario_result;
struct strbuf;

/* Both times of each command, in ARENA. */
const struct document_table *typed_table(struct arena *arena, const struct result *result);
/*
 * Appends the answer of SCENARIO and returns its tone: "B is 9.3 % faster than A (at least 8.1 %, limit 2 %)". ONLY: the
 * result has no other.
 */
enum tone typed_answer(struct strbuf *out, const struct scenario_result *scenario, bool only);
/* A sentence on waiting, which CPU time does not show. Nothing if wall time is judged or unknown. */
void typed_waiting(struct strbuf *out, const struct scenario_result *scenario);
/* The formats of hyperfine's --export-json and --export-markdown: times in seconds, per run or mean of adjacent runs. */
void report_typed_json(const struct result *result, const struct report_options *options, struct strbuf *out);
void report_typed_markdown(const struct result *result, const struct report_options *options, struct strbuf *out);

#endif
