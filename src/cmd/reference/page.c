#include "cmd/reference/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void add_part(struct strbuf *out, const char *line, const struct page_part *parts, const void *ctx)
{
	size_t len = strcspn(line, " ");

	while (parts->name && (strlen(parts->name) != len || strncmp(parts->name, line, len)))
		parts++;
	if (!parts->name)
		abort();	/* a source is wrong, which every print of it shows */
	parts->add(out, line + len + (line[len] == ' '), ctx);
}

void page_markdown(const struct page *page, const struct page_part *parts, const void *ctx, struct strbuf *out)
{
	for (const char *line = page->source; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		CLEANUP(free_ptr) char *text = xstrndup(line, strcspn(line, "\n"));

		if (*text == '@')
			add_part(out, text + 1, parts, ctx);
		else
			strbuf_addf(out, "%s\n", text);
	}
}

void page_row(struct strbuf *out, bool header, const char *const *cells, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_adds(out, i ? " " : "| ");
		for (const char *c = cells[i]; *c; c++)
			strbuf_addf(out, "%s%c", *c == '|' ? "\\" : "", *c);
		strbuf_adds(out, " |");
	}
	strbuf_addc(out, '\n');
	for (size_t i = 0; header && i < n; i++)
		strbuf_addf(out, "%s---|%s", i ? "" : "|", i + 1 == n ? "\n" : "");
}
