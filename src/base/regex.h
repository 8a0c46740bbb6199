/*
 * Regular expressions of scenarios and of pawl's own tables: PCRE2 (pcre2pattern(3)), plus \< and \> of POSIX extended
 * expressions, and {,N} for {0,N}. Their cost is limited; exceeding a limit is an error, never a wait.
 */
#ifndef PAWL_BASE_REGEX_H
#define PAWL_BASE_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct regex;

enum {
	REGEX_LINES = 1,	/* regex_compile(): ^ and $ match at lines, and . does not match a newline */
	REGEX_NOT_AT_END = 2,	/* regex_find(): the text goes on, so $ does not match at its end */
};

/* A range of bytes; END is exclusive. */
struct regex_span {
	size_t start, end;
};

/* Compiles TEXT; free *OUT with regex_free(). An ERR_INPUT has only the reason; the caller adds the expression's purpose. */
int regex_compile(const char *text, unsigned flags, struct regex **out, struct error *err);
void regex_free(struct regex *regex);
static inline void regex_release(struct regex **regex)
{
	regex_free(*regex);
}
/* Returns the number of capturing groups. */
size_t regex_groups(const struct regex *regex);

struct regex_text {
	const char *s;
	size_t len, from;	/* matches begin at or after byte FROM */
	unsigned flags;
};

/*
 * Finds the first match in TEXT. 1: OUT, unless NULL, has the match and the first group (an empty span if that did not take
 * part). 0: no match. -1, with the reason: the match took too long, as every later call then does at once.
 */
int regex_find(struct regex *regex, struct regex_text text, struct regex_span out[2], struct error *err);
/* True if PATTERN matches TEXT. PATTERN is a constant of pawl's own with unlimited lifetime, compiled once. */
bool regex_matches(const char *pattern, const char *text);

#endif
