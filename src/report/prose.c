#include "report/prose.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"

/* Bytes of a log's line that are worth a reader's time. */
enum { LOG_LINE_LONGEST = 400 };

static void break_line(struct strbuf *out, unsigned indent)
{
	while (out->len && out->buf[out->len - 1] == ' ')
		strbuf_truncate(out, out->len - 1);
	strbuf_addc(out, '\n');
	strbuf_pad(out, ' ', indent);
}

/* One line of the text, without its newline. */
static void add_line(struct strbuf *out, const char *line, unsigned indent, unsigned width)
{
	size_t column = indent;

	while (*line) {
		size_t len = strcspn(line, " "), columns;
		CLEANUP(free_ptr) char *word = xstrndup(line, len);

		columns = utf8_width(word);
		if (column > indent && column + columns > width) {
			break_line(out, indent);
			column = indent;
		}
		if (column == indent && escape_is_command(line))
			strbuf_addc(out, '\\');
		strbuf_adds(out, word);
		line += len;
		column += columns;
		if (*line) {
			strbuf_addc(out, *line++);
			column++;
		}
	}
}

void prose_add(struct strbuf *out, const char *text, unsigned indent, unsigned width)
{
	while (true) {
		size_t len = strcspn(text, "\n");
		CLEANUP(free_ptr) char *line = xstrndup(text, len);
		CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

		escape_terminal(&shown, line);
		add_line(out, shown.buf, indent, width);
		text += len;
		if (!text[0] || !text[1])
			break;
		break_line(out, indent);
		text++;
	}
	strbuf_addc(out, '\n');
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n' || !text[1];
	return n;
}

static void add_log_line(struct strbuf *out, const char *line, size_t len)
{
	size_t shown = utf8_clip(line, LOG_LINE_LONGEST);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (shown > len)
		shown = len;
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
	size_t n = count_lines(text);

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
