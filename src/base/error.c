#include "base/error.h"

#include <stdarg.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"

/* -------- faults with their source line and a caret */

/* Longer source lines are not shown: they would hide the fault. Its position remains. */
enum { SOURCE_LONGEST = 240 };

void diags_release(struct diags *diags)
{
	for (size_t i = 0; i < diags->n; i++) {
		free(diags->items[i].path);
		free(diags->items[i].message);
		free(diags->items[i].source);
	}
	free(diags->items);
	*diags = (struct diags)DIAGS_INIT;
}

static char *cut_line(const char *text, size_t len, unsigned line)
{
	const char *end = text + len, *stop;

	for (; line > 1; line--) {
		text = memchr(text, '\n', (size_t)(end - text));
		if (!text)
			return NULL;
		text++;
	}
	stop = memchr(text, '\n', (size_t)(end - text)) ?: end;
	if (stop > text && stop[-1] == '\r')
		stop--;
	if (stop == text || stop - text > SOURCE_LONGEST || memchr(text, '\0', (size_t)(stop - text)))
		return NULL;
	return xstrndup(text, (size_t)(stop - text));
}

void diags_add(struct diags *diags, struct diag_place at, const char *fmt, ...)
{
	struct strbuf message = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&message, fmt, args);
	va_end(args);
	*VEC_ADD(diags->items, diags->n, diags->cap) = (struct diag){
		.path = xstrdup(at.path),
		.line = at.line,
		.column = at.column,
		.message = strbuf_take(&message),
		.source = at.text && at.line ? cut_line(at.text, at.len, at.line) : NULL,
	};
}

void diags_move(struct diags *to, struct diags *from)
{
	for (size_t i = 0; i < from->n; i++) {
		*VEC_ADD(to->items, to->n, to->cap) = from->items[i];
	}
	from->n = 0;
	diags_release(from);
}

/* Tabs are kept, so that the caret's line aligns at any tab width. */
static void add_source(struct strbuf *out, const char *source, size_t len, bool blanks)
{
	const char *end = source + len;

	while (source < end) {
		const char *tab = memchr(source, '\t', (size_t)(end - source)) ?: end;
		CLEANUP(free_ptr) char *piece = xstrndup(source, (size_t)(tab - source));
		CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

		escape_terminal(&shown, piece);
		if (blanks)
			strbuf_pad(out, ' ', utf8_width(shown.buf));
		else
			strbuf_add(out, shown.buf, shown.len);
		if (tab < end)
			strbuf_addc(out, '\t');
		source = tab + 1;
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

struct ranked {
	const struct diag *diag;
	size_t file, order;
};

static int by_place(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return compare(a->file, b->file) ?: compare(a->diag->line, b->diag->line) ?:
	       compare(a->diag->column, b->diag->column) ?: compare(a->order, b->order);
}

void diags_render(const struct diags *diags, struct strbuf *out)
{
	CLEANUP(free_ptr) struct ranked *ranked = xcalloc(diags->n, sizeof *ranked);

	for (size_t i = 0; i < diags->n; i++) {
		size_t first = 0;

		while (strcmp(diags->items[first].path, diags->items[i].path))
			first++;
		ranked[i] = (struct ranked){ &diags->items[i], first, i };
	}
	qsort(ranked, diags->n, sizeof *ranked, by_place);
	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *diag = ranked[i].diag;
		size_t len;

		escape_terminal(out, diag->path);
		if (diag->line)
			strbuf_addf(out, ":%u", diag->line);
		if (diag->line && diag->column)
			strbuf_addf(out, ":%u", diag->column);
		strbuf_adds(out, ": ");
		escape_terminal(out, diag->message);
		strbuf_addc(out, '\n');
		if (!diag->source)
			continue;
		strbuf_adds(out, "    ");
		len = strlen(diag->source);
		add_source(out, diag->source, len, false);
		if (diag->column) {
			strbuf_adds(out, "\n    ");
			add_source(out, diag->source, diag->column - 1 < len ? diag->column - 1 : len, true);
			strbuf_addc(out, '^');
		}
		strbuf_addc(out, '\n');
	}
}

/* -------- one error */

static void format(struct error *err, const char *rest, const char *fmt, va_list args)
{
	size_t len;

	if (vsnprintf(err->msg, sizeof err->msg, fmt, args) < 0)
		err->msg[0] = '\0';
	len = strlen(err->msg);
	if (rest)
		snprintf(err->msg + len, sizeof err->msg - len, ": %s", rest);
}

int error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
{
	va_list args;

	if (!err)
		return -1;
	*err = (struct error){ .kind = kind };
	va_start(args, fmt);
	format(err, NULL, fmt, args);
	va_end(args);
	return -1;
}

int error_sys(struct error *err, int sys, const char *fmt, ...)
{
	va_list args;

	if (!err)
		return -1;
	*err = (struct error){ .kind = ERR_SYSTEM, .sys = sys };
	va_start(args, fmt);
	format(err, strerrordesc_np(sys) ?: "unknown error", fmt, args);
	va_end(args);
	return -1;
}

int error_wrap(struct error *err, const char *fmt, ...)
{
	char inner[sizeof err->msg];
	va_list args;

	if (!err)
		return -1;
	memcpy(inner, err->msg, sizeof inner);
	va_start(args, fmt);
	format(err, inner, fmt, args);
	va_end(args);
	return -1;
}

int error_copy(struct error *err, const struct error *why)
{
	if (err)
		*err = *why;
	return -1;
}

int error_at(struct error *err, const char *path, unsigned line, unsigned column)
{
	if (!err)
		return -1;
	snprintf(err->at.path, sizeof err->at.path, "%s", path);
	err->at.line = line;
	err->at.column = column;
	return -1;
}

int error_status(const struct error *err)
{
	static const int statuses[] = { [ERR_NONE] = 0, [ERR_INPUT] = 2, [ERR_TARGET] = 3, [ERR_SYSTEM] = 3 };

	return err->kind == ERR_INTERRUPTED ? 128 + err->sys : statuses[err->kind];
}
