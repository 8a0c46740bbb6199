#include "report/report.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"

enum { GAP = 2 };

void table_init(struct table *table, const char *columns)
{
	*table = (struct table){ .columns = columns };
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->n; i++)
		free(table->cells[i].text);
	free(table->cells);
	table_init(table, table->columns);
}

void table_add(struct table *table, const char *text, const char *style)
{
	VEC_GROW(table->cells, table->n, table->cap);
	table->cells[table->n++] = (struct table_cell){ .text = xstrdup(text), .style = style };
}

static void measure(const struct table *table, size_t columns, size_t *widths)
{
	for (size_t i = 0; i < table->n; i++) {
		size_t width = utf8_width(table->cells[i].text);

		if (width > widths[i % columns])
			widths[i % columns] = width;
	}
}

static void add_cell(const struct table_cell *cell, struct strbuf *out)
{
	if (cell->style)
		strbuf_addf(out, "\x1b[%sm%s\x1b[0m", cell->style, cell->text);
	else
		strbuf_adds(out, cell->text);
}

void table_render(const struct table *table, unsigned indent, struct strbuf *out)
{
	size_t columns = strlen(table->columns), widths[TABLE_COLUMNS_MAX] = { 0 };
	size_t blanks = 0; /* owed before the next cell, dropped at the end of a line */

	if (columns > TABLE_COLUMNS_MAX)
		columns = TABLE_COLUMNS_MAX;
	measure(table, columns, widths);
	for (size_t i = 0; i < table->n; i++) {
		size_t column = i % columns, free_columns = widths[column] - utf8_width(table->cells[i].text);
		bool right = table->columns[column] == 'r';

		if (!column)
			blanks = indent;
		blanks += right ? free_columns : 0;
		if (table->cells[i].text[0]) {
			strbuf_pad(out, ' ', blanks);
			add_cell(&table->cells[i], out);
			blanks = 0;
		}
		blanks += (right ? 0 : free_columns) + GAP;
		if (column == columns - 1 || i == table->n - 1)
			strbuf_addc(out, '\n');
	}
}
