/*
 * Globs on names: '*' is any text, '?' any one byte, all else is itself. Brackets and backslashes are no more than that,
 * since symbols are full of them: "operator[]*".
 */
#ifndef PAWL_BASE_GLOB_H
#define PAWL_BASE_GLOB_H

#include <stdbool.h>

/* True when GLOB matches all of TEXT. The time is at most the product of their lengths. */
bool glob_match(const char *glob, const char *text);

#endif
