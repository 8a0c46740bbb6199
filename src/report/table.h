/*
 * A text table whose columns are as wide as their widest cell, counted in columns of a terminal.
 *
 *	struct table table;
 *	table_init(&table, "lrr");		l: text at the left, r: numbers at the right
 *	table_add(&table, "task-clock", NULL);	cell by cell, row after row
 *	table_render(&table, 2, out);
 *	table_release(&table);
 *
 * Cells must be escaped already. A style is what an SGR escape sequence holds ("1;31"), or NULL;
 * it must outlive the table.
 */
#ifndef PAWL_REPORT_TABLE_H
#define PAWL_REPORT_TABLE_H

#include "base/text.h"

enum { TABLE_COLUMNS_MAX = 12 };

struct table_cell {
	char *text;
	const char *style;
};

struct table {
	const char *columns;
	struct table_cell *cells;
	size_t n, cap;
};

void table_init(struct table *table, const char *columns);
void table_release(struct table *table);
void table_add(struct table *table, const char *text, const char *style);
/* A row may be short only when it is the last. No line ends in blanks. */
void table_render(const struct table *table, unsigned indent, struct strbuf *out);

#endif
