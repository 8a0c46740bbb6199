#include "report/markup.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"

void markup_text(struct strbuf *out, const char *text)
{
	escape_html(out, text);
}

void markup_lines(struct strbuf *out, const char *text)
{
	while (true) {
		size_t len = strcspn(text, "\n");
		CLEANUP(free_ptr) char *line = xstrndup(text, len);

		escape_html(out, line);
		if (!text[len])
			return;
		strbuf_addc(out, '\n');
		text += len + 1;
	}
}

void markup_attribute(struct strbuf *out, const char *name, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, " %s=\"", name);
	escape_html(out, text);
	strbuf_addc(out, '"');
}
