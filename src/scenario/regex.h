/*
 * Regular expressions of scenarios: POSIX extended, matched line by line, as regcomp(3) takes them.
 * The C library writes out what is repeated, so that a short expression can fill all memory; what
 * would grow too large is refused before it is compiled, and so are back-references, which take
 * exponential time.
 */
#ifndef PAWL_SCENARIO_REGEX_H
#define PAWL_SCENARIO_REGEX_H

#include "base/error.h"
#include "scenario/fields.h"

/* 0, or an ERR_INPUT that says why TEXT is not taken; it has not been compiled then. */
int regex_refuse_large(const char *text, struct error *err);
/* 0, or an ERR_INPUT with the words of regerror(3). */
int regex_check(const char *text, struct error *err);

field_fn value_regex;	/* char *: an expression that compiles once its ${names} are replaced */

#endif
