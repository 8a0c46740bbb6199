/*
 * Text that came from outside (names, commits, symbols, notes, lines of logs) made harmless for the format
 * it enters. Each appends to OUT. One reader stands behind all of them: control characters, characters that
 * reorder or hide text or look like nothing, and invalid UTF-8 are made visible (\x1b, \u{202e}), never passed
 * on; so is what GitHub's log would obey wherever it is printed: a :: that S begins with, after any white
 * space of Unicode, and ##[.
 */
#ifndef PAWL_BASE_ESCAPE_H
#define PAWL_BASE_ESCAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

void escape_terminal(struct strbuf *out, const char *s);	/* one line: a newline is shown as \n */
void escape_lines(struct strbuf *out, const char *text);	/* each line of TEXT; newlines stay */
/* Whether GitHub would take LINE for a command: for those who break a text in lines behind escape_terminal(). */
bool escape_is_command(const char *line);
/* Whether a reader sees the character: neither white space nor one that must be made visible. */
bool escape_is_visible(uint32_t code);
/* A string of JSON in quotation marks that gives S again when it is read; a byte that is no UTF-8 becomes U+FFFD. */
void escape_json(struct strbuf *out, const char *s);
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
