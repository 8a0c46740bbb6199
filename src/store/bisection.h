/*
 * A search as JSON: what is stored while it goes on, so that it can be gone on with, and what `pawl bisect --json`
 * prints in the end, are one document. docs/bisect.md describes it.
 */
#ifndef PAWL_STORE_BISECTION_H
#define PAWL_STORE_BISECTION_H

#include "judge/bisect.h"

/* For free(). What follows from the rest (status, outcome, suspects, sums) is written for scripts, and not read. */
char *bisection_format(const struct bisection *bisection);
/* Strictly: unknown keys are faults too. The search has no commits yet, see bisection_place(). */
int bisection_parse(const char *text, size_t len, const char *path, struct bisection *out, struct error *err);

#endif
