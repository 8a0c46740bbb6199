/*
 * Regular expressions, those of scenarios and of pawl's own tables: PCRE2 (pcre2pattern(3)), and of what POSIX extended
 * expressions add \< and \>, and {,N} for {0,N}. The one place where expressions are compiled and matched, and where
 * their cost is limited: an expression is short, compiles to little, and its matching may take a fraction of a second. What
 * takes more is an error, never a wait.
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

/* Bytes of a text, without the one at END. */
struct regex_span {
	size_t start, end;
};

/*
 * *OUT is for regex_free(). An ERR_INPUT has only the reason, in words of pawl's or of PCRE2's: whoever knows what the
 * expression is for puts that before them.
 */
int regex_compile(const char *text, unsigned flags, struct regex **out, struct error *err);
void regex_free(struct regex *regex);
static inline void regex_release(struct regex **regex)
{
	regex_free(*regex);
}
/* The number of its capturing groups. */
size_t regex_groups(const struct regex *regex);
/*
 * 1 with the first match at or behind FROM in the LEN bytes of TEXT, and what the first group captured (an empty span: nothing),
 * in OUT, which may be NULL; 0: there is none. -1 with an ERR_INPUT that has only the reason when it takes too long: then
 * every later call fails at once. A match may look at what lies before FROM.
 */
int regex_find(struct regex *regex, const char *text, size_t len, size_t from, unsigned flags, struct regex_span out[2],
	       struct error *err);
/* True when PATTERN, one of pawl's own and alive as long as the program, matches TEXT; it is compiled once. */
bool regex_matches(const char *pattern, const char *text);

#endif
