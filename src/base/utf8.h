/* UTF-8 as characters and as columns of a terminal, whatever the locale. */
#ifndef PAWL_BASE_UTF8_H
#define PAWL_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * The character at S: its length in bytes (1 to 4) and code point; 0, writing nothing, when the
 * bytes are not valid UTF-8 (overlong forms and surrogates are not). S must not be at its end.
 */
size_t utf8_decode(const char *s, uint32_t *code_out);
/* Columns a terminal gives to S; a byte that is not UTF-8 counts as one. */
size_t utf8_width(const char *s);
/* The bytes of the longest start of S within MAX bytes that cuts no character in two. */
size_t utf8_clip(const char *s, size_t max);

#endif
