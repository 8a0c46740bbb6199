/* One scenario in the plain-text report. */
#ifndef PAWL_REPORT_TEXT_SCENARIO_H
#define PAWL_REPORT_TEXT_SCENARIO_H

#include "report/report.h"
#include "report/standing.h"

enum { TEXT_WIDTH = 100, TEXT_LABEL = 11 };

/* What an SGR escape sequence holds for that tone, or NULL without colours. */
const char *text_style(const struct report_options *options, enum tone tone);
/* WORD in that style. */
void text_add_styled(struct strbuf *out, const char *word, const char *style);
/* "  note     TEXT", wrapped; nothing when TEXT is NULL. */
void text_add_labelled(struct strbuf *out, const char *label, const char *text, const struct report_options *options);
/* The same for a command, which is not wrapped: it is there to be copied. */
void text_add_command(struct strbuf *out, const char *label, const char *command);

/* The whole block: gates, reasons, what explains them, commands. */
void text_scenario(const struct result *result, const struct scenario_result *scenario,
		   const struct report_options *options, struct strbuf *out);

#endif
