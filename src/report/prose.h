/*
 * Foreign text in a plain-text report: escaped, and broken between words where the terminal ends,
 * so that columns on the left stay free.
 */
#ifndef PAWL_REPORT_PROSE_H
#define PAWL_REPORT_PROSE_H

#include "base/strbuf.h"

/*
 * TEXT, which begins at column INDENT of a line already begun, to the line's end. Newlines in it
 * begin a new line. WIDTH is the terminal's; words that are longer than a line stick out.
 */
void prose_add(struct strbuf *out, const char *text, unsigned indent, unsigned width);
/* The last MAX lines of a log, each behind MARGIN; tabs become blanks and long lines are cut. */
void prose_add_log(struct strbuf *out, const char *text, const char *margin, size_t max);

#endif
