/* Changes that stand out in the diff, whatever they cost. NULL: there is none, or the diff is not known as a whole. */
#ifndef PAWL_CAUSE_CHANGED_H
#define PAWL_CAUSE_CHANGED_H

#include <stdbool.h>
#include <stddef.h>

#include "cause/blame.h"
#include "model/source/changes.h"

/* Returns the only change to code between the sides, if nothing else differs. */
const struct change *changed_place(const struct search *s);
/* Returns a change in the only function that changed. Lines that include a file do not count. */
const struct change *changed_function(const struct search *s);
/* Returns the path of the only changed file, which has no code. */
const char *changed_file(const struct search *s);
/* Returns the use of C, a constant or a type outside functions, if one function alone uses it. */
const struct change_use *changed_use(const struct search *s, const struct change *c);
/*
 * Returns the largest change to scripts that head reads, and the number of such changes. Changes in functions rank
 * first.
 */
const struct change *changed_script(const struct search *s, size_t *n_out);
/* True if C, a change to a script, lies outside all functions of a Python module. Such code runs once, on import. */
bool changed_on_import(const struct search *s, const struct change *c);

#endif
