/*
 * Markdown.
 */
#ifndef PAWL_REPORT_FORMATS_MARKDOWN_H
#define PAWL_REPORT_FORMATS_MARKDOWN_H

struct document_table;
struct strbuf;

void print_markdown_table(const struct document_table *table, struct strbuf *out);

#endif
