/* Markdown to the man macros of roff. A table's row becomes an entry: its first cell and what the others say of it. */
#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/reference/page.h"

enum { LINE_WIDTH = 78 };

struct writer {
	struct strbuf *out;
	struct strbuf text;	/* of the paragraph being read */
	struct strv header;	/* of the table being read */
	bool fenced, begun;	/* begun: a section has begun */
	bool fresh;		/* right behind a heading, where roff takes no .PP */
	unsigned titles;	/* pages read: that behind the first is a section */
};

/* Returns the end of the link's address if TEXT ends the words of a link, else NULL. */
static const char *link_end(const char *text)
{
	return text[1] == '(' ? strchr(text, ')') : NULL;
}

static bool begins_link(const char *text)
{
	const char *end = strchr(text, ']');

	return *text == '[' && end && link_end(end);
}

static void add_char(struct strbuf *out, char c)
{
	if (c == '\\')
		strbuf_adds(out, "\\e");
	else if (c == '-')
		strbuf_adds(out, "\\-");
	else
		strbuf_addc(out, c);
}

/* Adds Markdown's TEXT as roff: code is bold, links are their words. */
static void add_inline(struct strbuf *out, const char *text)
{
	bool code = false, link = false;

	for (; *text; text++) {
		if (*text == '`') {
			code = !code;
			strbuf_adds(out, code ? "\\fB" : "\\fR");
		} else if (!code && begins_link(text)) {
			link = true;
		} else if (!code && link && *text == ']') {
			text = link_end(text);
			link = false;
		} else if (text[0] != '\\' || text[1] != '|') {
			add_char(out, *text);
		}
	}
}

/* Adds Markdown's TEXT in lines that diff well; no line begins with a request. */
static void add_filled(struct strbuf *out, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf roff = STRBUF_INIT;
	size_t column = 0, len;

	add_inline(&roff, text);
	for (const char *word = roff.buf; *(word += strspn(word, " \n")); word += len) {
		len = strcspn(word, " \n");
		if (column)
			strbuf_addc(out, column + len > LINE_WIDTH ? '\n' : ' ');
		if (column + len > LINE_WIDTH)
			column = 0;
		strbuf_adds(out, !column && strchr(".'", *word) ? "\\&" : "");
		strbuf_add(out, word, len);
		column += len + 1;
	}
	strbuf_addc(out, '\n');
}

static void flush(struct writer *w)
{
	if (w->text.len)
		add_filled(w->out, w->text.buf);
	strbuf_reset(&w->text);
}

static void add_section(struct writer *w, const char *title)
{
	strbuf_adds(w->out, ".SH ");
	for (; *title; title++)
		if (*title != '`')
			add_char(w->out, (char)toupper((unsigned char)*title));
	strbuf_addc(w->out, '\n');
	w->begun = w->fresh = true;
}

/* The page's own title is that of the man page already. */
static void add_heading(struct writer *w, const char *line)
{
	size_t level = strspn(line, "#");
	const char *title = line + level + 1;

	if (level == 1 && ++w->titles == 1)
		return;
	if (level == 1 || (level == 2 && w->titles < 2)) {
		add_section(w, title);
		return;
	}
	strbuf_adds(w->out, ".SS ");
	add_inline(w->out, title);
	strbuf_addc(w->out, '\n');
	w->fresh = true;
}

static void begin_text(struct writer *w)
{
	if (!w->begun)
		add_section(w, "Description");
	if (!w->fresh)
		strbuf_adds(w->out, ".PP\n");
	w->fresh = false;
}

static void read_cells(const char *line, struct strv *out)
{
	const char *begin = line + 1;

	for (const char *c = begin; *c; c++) {
		CLEANUP(free_ptr) char *cell = NULL;

		if (*c != '|' || c[-1] == '\\')
			continue;
		begin += strspn(begin, " ");
		cell = xstrndup(begin, (size_t)(c - begin) - (c > begin && c[-1] == ' '));
		strv_push(out, cell);
		begin = c + 1;
	}
}

static void add_row(struct writer *w, const char *line)
{
	CLEANUP(strv_release) struct strv cells = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	read_cells(line, &cells);
	if (!w->header.n) {
		strv_release(&w->header);
		w->header = cells;
		cells = (struct strv)STRV_INIT;
		return;
	}
	if (text_starts(line, "|---"))
		return;
	if (!w->begun)
		add_section(w, "Description");
	strbuf_adds(w->out, ".TP\n");
	add_filled(w->out, cells.items[0]);
	for (size_t i = 1; i < cells.n; i++) {
		const char *title = w->header.items[i], *cell = cells.items[i];

		if (*cell && i == 1)
			strbuf_adds(&text, cell);
		else if (*cell)
			strbuf_addf(&text, " %c%s: %s.", toupper((unsigned char)*title), title + 1, cell);
	}
	add_filled(w->out, text.buf);
	w->fresh = false;
}

static void add_fence(struct writer *w)
{
	w->fenced = !w->fenced;
	if (w->fenced && !w->begun)
		add_section(w, "Description");
	if (w->fenced)
		strbuf_adds(w->out, w->fresh ? ".nf\n.RS 4\n" : ".PP\n.nf\n.RS 4\n");
	else
		strbuf_adds(w->out, ".RE\n.fi\n");
	w->fresh = false;
}

static void add_fenced(struct writer *w, const char *line)
{
	strbuf_adds(w->out, *line == '.' || *line == '\'' ? "\\&" : "");
	for (; *line; line++)
		add_char(w->out, *line);
	strbuf_addc(w->out, '\n');
}

static void add_line(struct writer *w, const char *line)
{
	if (text_starts(line, "```")) {
		flush(w);
		add_fence(w);
	} else if (w->fenced) {
		add_fenced(w, line);
	} else if (*line == '#' || !*line || *line == '|') {
		flush(w);
		if (*line == '#')
			add_heading(w, line);
		else if (*line)
			add_row(w, line);
	} else if (text_starts(line, "- ")) {
		flush(w);
		strbuf_adds(w->out, ".IP \\(bu 2\n");
		strbuf_adds(&w->text, line + 2);
		w->fresh = false;
	} else {
		if (!w->text.len)
			begin_text(w);
		strbuf_addf(&w->text, "%s%s", w->text.len ? " " : "", line);
	}
	if (*line != '|')
		strv_release(&w->header);
}

static const char *manual(unsigned section)
{
	return section == 1 ? "User Commands" : section == 5 ? "File Formats" : "Miscellaneous";
}

void page_man(const struct page *page, const char *markdown, struct strbuf *out)
{
	struct writer w = { .out = out, .text = STRBUF_INIT, .header = STRV_INIT };

	strbuf_adds(out, ".TH ");
	for (const char *c = page->man; *c; c++)
		add_char(out, (char)toupper((unsigned char)*c));
	strbuf_addf(out, " %u " PAWL_DATE " \"pawl " PAWL_VERSION "\" \"%s\"\n.SH NAME\n", page->section, manual(page->section));
	add_inline(out, page->man);
	strbuf_adds(out, " \\- ");
	add_inline(out, page->summary);
	strbuf_addc(out, '\n');
	for (const char *line = markdown; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		CLEANUP(free_ptr) char *text = xstrndup(line, strcspn(line, "\n"));

		add_line(&w, text);
	}
	flush(&w);
	strbuf_release(&w.text);
	strv_release(&w.header);
}
