/* Pieces of the Markdown report. Foreign text enters only through these, cut short and escaped. */
#ifndef PAWL_REPORT_MARKDOWN_PARTS_H
#define PAWL_REPORT_MARKDOWN_PARTS_H

#include "base/strbuf.h"
#include "model/result.h"

void markdown_text(struct strbuf *out, const char *text);
void markdown_code(struct strbuf *out, const char *text);
/* A fenced block of TEXT, whose control characters are visible already. */
void markdown_fence(struct strbuf *out, const char *language, const char *text);

/* The head of a table of gates, and a row of it, with or without a column of scenarios. */
/* Of SCENARIO's gates, or of several scenarios' that were measured alike; a name stands in front where it is asked for. */
void markdown_table_head(struct strbuf *out, const struct scenario_result *scenario, bool with_name);
void markdown_table_row(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate,
			bool with_scenario);

/* What is to be said of a scenario beside its numbers: failure, reasons, explanation, commands. */
void markdown_explanation(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/* Its name, what it was compared with, and the table of its gates. */
void markdown_gates(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/* Where its time goes: the table of its symbols and what is to be known of its profile; nothing without symbols. */
void markdown_symbols(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);
/* The machine and the run, as a list. */
void markdown_conditions(struct strbuf *out, const struct result *result);

#endif
