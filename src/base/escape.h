/*
 * Foreign text made harmless for the format it enters. Each appends to OUT; control characters,
 * characters that reorder or hide text, and invalid UTF-8 are made visible (\x1b, \u{202e}), never
 * passed on.
 */
#ifndef PAWL_BASE_ESCAPE_H
#define PAWL_BASE_ESCAPE_H

#include "base/strbuf.h"

/* Control characters as \x1b, \n; also what GitHub's log would obey: a :: that S begins with, and ##[. */
void escape_terminal(struct strbuf *out, const char *s);
void escape_html(struct strbuf *out, const char *s);		/* text and attribute values, HTML and XML */
/*
 * Inline Markdown, table cells included: no markup, mention, link, emoji or HTML comes out of it.
 * GitHub may still link a commit id of the same repository.
 */
void escape_markdown(struct strbuf *out, const char *s);
/*
 * A code span that shows S as it is, with a fence longer than any run of backticks in it. A text
 * with | becomes a <code> element, which reads the same inside tables and outside.
 */
void escape_code_span(struct strbuf *out, const char *s);
/* GitHub's workflow commands: %, newline; PROPERTY also , and :. */
void escape_annotation(struct strbuf *out, const char *s, int property);
/* One word of a shell command line, quoted only where needed; control characters need $'...'. */
void escape_shell(struct strbuf *out, const char *s);

#endif
