#include "report/terminal.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"

void text_styled(struct strbuf *out, const char *text, const char *style)
{
	if (style)
		strbuf_addf(out, "\x1b[%sm%s\x1b[0m", style, text);
	else
		strbuf_adds(out, text);
}

/* -------- tables */

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
	struct strbuf shown = STRBUF_INIT;

	escape_terminal(&shown, text);
	*VEC_ADD(table->cells, table->n, table->cap) = (struct table_cell){ .text = strbuf_take(&shown), .style = style };
}

void table_row(struct table *table, ...)
{
	va_list cells;

	va_start(cells, table);
	for (size_t i = 0; table->columns[i]; i++) {
		const char *cell = va_arg(cells, const char *);

		table_add(table, cell && *cell ? cell : "-", NULL);
	}
	va_end(cells);
}

void table_render(const struct table *table, unsigned indent, struct strbuf *out)
{
	size_t columns = strlen(table->columns), widths[TABLE_COLUMNS_MAX] = { 0 };
	size_t blanks = 0; /* blanks owed before the next cell, dropped at the end of a line */

	for (size_t i = 0; i < table->n; i++) {
		size_t width = utf8_width(table->cells[i].text);

		if (width > widths[i % columns])
			widths[i % columns] = width;
	}
	for (size_t i = 0; i < table->n; i++) {
		const struct table_cell *cell = &table->cells[i];
		size_t column = i % columns, free_columns = widths[column] - utf8_width(cell->text);
		bool right = table->columns[column] == 'r';

		blanks = (column ? blanks : indent) + (right ? free_columns : 0);
		if (cell->text[0]) {
			strbuf_pad(out, ' ', blanks);
			text_styled(out, cell->text, cell->style);
			blanks = 0;
		}
		blanks += (right ? 0 : free_columns) + GAP;
		if (column == columns - 1 || i == table->n - 1)
			strbuf_addc(out, '\n');
	}
}

/* -------- prose and logs */

/* Bytes shown of a log line. */
enum { LOG_LINE_LONGEST = 400 };

static void add_log_line(struct strbuf *out, const char *line, size_t len)
{
	size_t clipped = utf8_clip(line, LOG_LINE_LONGEST), shown = clipped < len ? clipped : len;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < shown; i++)
		if (line[i] == '\t')
			strbuf_pad(&text, ' ', 8 - text.len % 8);
		else if (line[i] != '\r' || i + 1 < len)
			strbuf_addc(&text, line[i]);
	escape_terminal(out, text.buf);
	if (shown < len)
		strbuf_addf(out, "... (%zu more bytes)", len - shown);
}

void prose_add_log(struct strbuf *out, const char *text, const char *margin, size_t max)
{
	size_t n = 0;

	for (const char *s = text; *s; s++)
		n += *s == '\n' || !s[1];
	if (n > max)
		strbuf_addf(out, "%s(%zu earlier lines left out)\n", margin, n - max);
	for (; n; n--) {
		size_t len = strcspn(text, "\n");

		if (n <= max) {
			strbuf_adds(out, margin);
			add_log_line(out, text, len);
			strbuf_addc(out, '\n');
		}
		text += len + 1;
	}
}
