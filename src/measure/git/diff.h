/* The text of git diff, parsed. */
#ifndef PAWL_MEASURE_GIT_DIFF_H
#define PAWL_MEASURE_GIT_DIFF_H

#include <stddef.h>

struct changes;
struct source_text;

/* Sets the contexts of TEXTS, see measure/git/contexts.h. */
typedef void diff_contexts_fn(void *ctx, struct source_text *const texts[], size_t n);

/*
 * Parses the output of `git diff --src-prefix=a/ --dst-prefix=b/` and appends to CHANGES. Other text is skipped.
 * CONTEXTS is called once, with the lines of both sides of all hunks; NULL: what is around them is what git shows after
 * @@. A damaged text yields fewer changes.
 */
void diff_read(const char *text, size_t len, diff_contexts_fn *contexts, void *ctx, struct changes *changes);

#endif
