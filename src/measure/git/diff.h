/*
 * The text of git diff, parsed.
 */
#ifndef PAWL_MEASURE_GIT_DIFF_H
#define PAWL_MEASURE_GIT_DIFF_H

#include <stddef.h>

struct changes;

/*
 * Parses the output of `git diff --src-prefix=a/ --dst-prefix=b/` and appends to CHANGES. Other text is skipped. With
 * the whole files as context, functions and comments are found by parsing them (model/outline.h). With less context,
 * functions are those that git shows after @@. A damaged text yields fewer changes.
 */
void diff_read(const char *text, size_t len, struct changes *changes);

#endif
