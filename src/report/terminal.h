/*
 * Tables and wrapped prose for a terminal.
 */
#ifndef PAWL_REPORT_TERMINAL_H
#define PAWL_REPORT_TERMINAL_H

#include <stddef.h>

struct strbuf;

/* TEXT behind what an SGR escape sequence holds ("1;31"), or plain when STYLE is NULL. */
void text_styled(struct strbuf *out, const char *text, const char *style);

/*
 * A text table whose columns are as wide as their widest cell, counted in columns of a terminal. Each column is a
 * letter of COLUMNS: l for text at the left, r for numbers at the right. Cells are added row after row, escaped
 * already; their style must outlive the table.
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
void table_add(struct table *table, const char *text, const char *style);
/* A row may be short only when it is the last. No line ends in blanks. */
void table_render(const struct table *table, unsigned indent, struct strbuf *out);

/*
 * TEXT, foreign, which begins at column INDENT of a line already begun, to the line's end. Newlines in it
 * begin a new line. WIDTH is the terminal's; words that are longer than a line stick out.
 */
void prose_add(struct strbuf *out, const char *text, unsigned indent, unsigned width);
/* The last MAX lines of a log, each behind MARGIN; tabs become blanks and long lines are cut. */
void prose_add_log(struct strbuf *out, const char *text, const char *margin, size_t max);

#endif
