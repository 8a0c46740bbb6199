/*
 * Text for a terminal or a log.
 */
#ifndef PAWL_REPORT_FORMATS_TEXT_H
#define PAWL_REPORT_FORMATS_TEXT_H

struct document_table;
struct report_options;
struct strbuf;

void print_text_table(const struct document_table *table, const struct report_options *options, struct strbuf *out);

#endif
