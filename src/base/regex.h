/*
 * Regular expressions that strangers write: POSIX extended (regex(7)), within bounds. The C library
 * writes out what is repeated, a{9} nine times and a+ once more, and does exponential work for repeats
 * on repeats and for back-references: what could fill all memory or take all time is refused before
 * regcomp(3) sees it.
 */
#ifndef PAWL_BASE_REGEX_H
#define PAWL_BASE_REGEX_H

#include <regex.h>

#include "base/error.h"

/*
 * Compile TEXT for regexec(), with FLAGS of regcomp() besides REG_EXTENDED; free *OUT with regfree().
 * An ERR_INPUT tells only why not, in words of pawl's or of regerror(3): whoever knows what the
 * expression is for puts that before them.
 */
int regex_compile(regex_t *out, const char *text, int flags, struct error *err);

#endif
