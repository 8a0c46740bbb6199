/*
 * Faults of a file, collected so that all of them are told in one go. Each names its place, and
 * is shown with the source line and a caret when the line is known.
 *
 *	scenarios/http.yaml:3:12: measure.timeout: expected a duration such as 30s, found 'soon'
 *	      timeout: soon
 *	               ^
 */
#ifndef PAWL_BASE_DIAG_H
#define PAWL_BASE_DIAG_H

#include <stddef.h>

#include "base/strbuf.h"

struct diag {
	char *path;		/* of the file, as the user gave it */
	unsigned line, column;	/* from 1; 0 unknown */
	char *message;
	char *source;		/* the line, or NULL */
};

struct diags {
	struct diag *items;
	size_t n, cap;
};

#define DIAGS_INIT { 0 }

void diags_release(struct diags *diags);
/*
 * Add one. TEXT (LEN bytes, may be NULL) is the whole file, from which the source line is cut;
 * COLUMN counts bytes.
 */
void diags_add(struct diags *diags, const char *path, const char *text, size_t len, unsigned line,
	       unsigned column, const char *fmt, ...) __attribute__((format(printf, 7, 8)));
/* Move all of FROM to the end of TO. */
void diags_move(struct diags *to, struct diags *from);
/* All as text, in the order of lines within each file; control characters are made visible. */
void diags_render(const struct diags *diags, struct strbuf *out);

#endif
