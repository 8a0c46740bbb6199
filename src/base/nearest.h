/* The word somebody probably meant, for "did you mean" in errors about unknown keys and options. */
#ifndef PAWL_BASE_NEAREST_H
#define PAWL_BASE_NEAREST_H

#include <stddef.h>

/*
 * The candidate with the smallest edit distance to WORD (Damerau-Levenshtein, optimal string
 * alignment), or NULL when none is near: more than a third of the longer word would change.
 */
const char *nearest(const char *word, const char *const *candidates, size_t n);

#endif
