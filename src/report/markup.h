/* Foreign text in HTML and XML alike: nothing of it is markup, and nothing in it is a character XML refuses. */
#ifndef PAWL_REPORT_MARKUP_H
#define PAWL_REPORT_MARKUP_H

#include "base/text.h"

/* One line, in text or in a quoted attribute: a newline in it is shown as \n. */
void markup_text(struct strbuf *out, const char *text);
/* Prose or a log, whose newlines stay newlines. */
void markup_lines(struct strbuf *out, const char *text);
/* " NAME="TEXT"", or nothing when TEXT is NULL. */
void markup_attribute(struct strbuf *out, const char *name, const char *text);

#endif
