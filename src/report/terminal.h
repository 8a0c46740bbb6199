/* Tables and wrapped prose for a terminal. */
#ifndef PAWL_REPORT_TERMINAL_H
#define PAWL_REPORT_TERMINAL_H

#include <stddef.h>

struct strbuf;

/* TEXT inside an SGR escape sequence ("1;31"), or plain if STYLE is NULL. */
void text_styled(struct strbuf *out, const char *text, const char *style);

/*
 * A text table. Each column is as wide as its widest cell, in terminal columns. COLUMNS has one letter per column: l
 * for text at the left, r for numbers at the right. Cells are added row by row, already escaped. Their style must
 * outlive the table.
 */

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
/* TEXT may be foreign: it is escaped. */
void table_add(struct table *table, const char *text, const char *style);
/* Adds a row of as many strings as TABLE has columns, unstyled. Shows "-" for an empty one or NULL. */
void table_row(struct table *table, ...);
/* Only the last row may be short. Lines have no trailing blanks. */
void table_render(const struct table *table, unsigned indent, struct strbuf *out);

/* The last MAX lines of a log, each after MARGIN. Tabs become blanks and long lines are cut. */
void prose_add_log(struct strbuf *out, const char *text, const char *margin, size_t max);

#endif
