/*
 * Regular expressions of scenarios: POSIX extended (regex(7)), without back-references, for which regexec(3) takes
 * time that grows exponentially with the line; for all others the time is in proportion to it. What regcomp(3) makes
 * of repeats of repeats is not bounded: whoever writes the expression also writes the command beside it.
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
