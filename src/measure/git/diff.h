/*
 * The text of git diff, parsed.
 */
#ifndef PAWL_MEASURE_GIT_DIFF_H
#define PAWL_MEASURE_GIT_DIFF_H

#include <stddef.h>

struct changes;

/*
 * The text of `git diff --src-prefix=a/ --dst-prefix=b/` appended to CHANGES; what is none is skipped. With as much context as
 * the files have, functions and comments are told by the whole files (model/outline.h); with less, by what git shows
 * behind @@. A damaged text gives fewer changes.
 */
void diff_read(const char *text, size_t len, struct changes *changes);

#endif
