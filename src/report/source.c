#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

enum { COLUMNS = 80, NUMBER = 9, LINE = 6, AROUND = 1 };

/* Digits of a count in NUMBER columns: "12,345", "1.23 M"; blank for nothing. */
static void add_count(struct strbuf *out, double value, bool with_sign)
{
	struct short_text text = format_value(fabs(value), UNIT_COUNT);

	if (value == 0)
		text = format_short("%s", "");
	else if (with_sign)
		text = format_short("%s%s", value > 0 ? "+" : "-", format_value(fabs(value), UNIT_COUNT).s);
	strbuf_addf(out, "%*s", NUMBER, text.s);
}

/* TEXT with its tabs as four columns each, in what is left of the line. */
static void add_text(struct strbuf *out, const char *text, size_t columns)
{
	CLEANUP(strbuf_release) struct strbuf wide = STRBUF_INIT, safe = STRBUF_INIT;
	size_t start;

	for (; *text; text++) {
		if (*text == '\t')
			strbuf_pad(&wide, ' ', 4 - wide.len % 4);
		else
			strbuf_addc(&wide, *text);
	}
	escape_terminal(&safe, wide.buf);
	start = utf8_width(safe.buf) > columns ? utf8_clip(safe.buf, columns - 3) : safe.len;
	strbuf_add(out, safe.buf, start);
	if (start < safe.len)
		strbuf_adds(out, "...");
}

static bool says_something(const struct source_row *row)
{
	return row->kind != ROW_SAME || row->base != 0 || row->head != 0;
}

/* Lines that cost nothing are shown only beside others, and at the function's ends. */
static bool is_shown(const struct source_rows *rows, size_t i)
{
	size_t from = i > AROUND ? i - AROUND : 0;

	if (!i || rows->items[i].kind == ROW_INLINED)
		return true;
	for (size_t k = from; k < rows->n && k <= i + AROUND; k++)
		if (says_something(&rows->items[k]) && (rows->items[k].kind != ROW_INLINED || k == i))
			return true;
	return false;
}

static void add_row(struct strbuf *out, const struct source_row *row)
{
	char mark = row->kind == ROW_ADDED ? '+' : row->kind == ROW_REMOVED ? '-' : ' ';
	size_t start = out->len;

	add_count(out, row->base, false);
	add_count(out, row->head, false);
	add_count(out, row->head - row->base, true);
	if (row->kind == ROW_INLINED)
		strbuf_pad(out, ' ', LINE + 1);
	else
		strbuf_addf(out, " %*u", LINE, row->line ?: row->base_line);
	strbuf_addf(out, " %c ", mark);
	add_text(out, row->text, COLUMNS - (out->len - start));
	while (out->len > start && out->buf[out->len - 1] == ' ')
		strbuf_truncate(out, out->len - 1);
	strbuf_addc(out, '\n');
}

void report_source(const struct source_rows *rows, struct strbuf *out)
{
	bool gap = false;

	escape_terminal(out, rows->function);
	strbuf_adds(out, " in ");
	escape_terminal(out, path_name(rows->path));
	strbuf_addf(out, ": %s instructions, then %s (%s)\n", format_value(rows->base, UNIT_COUNT).s, format_value(rows->head, UNIT_COUNT).s,
		    rows->base == 0 ? "new" : rows->head == 0 ? "gone" : format_change((rows->head / rows->base - 1) * 100).s);
	strbuf_addf(out, "%*s%*s%*s %*s\n", NUMBER, "base", NUMBER, "head", NUMBER, "change", LINE, "line");
	for (size_t i = 0; i < rows->n; i++) {
		if (is_shown(rows, i)) {
			add_row(out, &rows->items[i]);
			gap = false;
		} else if (!gap) {
			strbuf_addf(out, "%*s\n", 3 * NUMBER + 1 + LINE, "...");
			gap = true;
		}
	}
}
