/* The regular expressions of figures: POSIX extended, one group, matched line by line. */
#ifndef PAWL_MODEL_FIGURE_REGEX_H
#define PAWL_MODEL_FIGURE_REGEX_H

#include <stddef.h>

#include "base/error.h"

/* It compiles, within bounds, and has exactly one group; ERR_INPUT else. */
int figure_regex_check(const char *regex, struct error *err);

/*
 * What the group of REGEX, which was checked, captures in its last match that captures anything.
 * A line ends at a newline or, as progress is printed, at a carriage return; no match spans two.
 * 1 and *OUT for free(), or 0.
 */
int figure_regex_find(const char *regex, const char *text, size_t len, char **out);

#endif
