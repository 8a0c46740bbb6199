/*
 * JSON text being scanned, with the words for what is wrong at a place of it, and the scan of a
 * string: the part of the grammar where bytes become characters.
 */
#ifndef PAWL_STORE_JSON_STRING_H
#define PAWL_STORE_JSON_STRING_H

#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"

struct json_text {
	const char *text;
	size_t len, pos;	/* pos never exceeds len */
	const char *path;	/* for errors */
	struct error *err;
};

/* An ERR_INPUT at the line and column of offset AT; -1. */
int json_text_fail(const struct json_text *in, size_t at, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* "expected WHAT, found 'x'" at the current place; -1. */
int json_text_expected(const struct json_text *in, const char *what);

/*
 * The rest of a string whose opening quote has been read, up to and with its closing quote; its
 * characters, escapes decoded, are appended to OUT unless that is NULL. 0 or -1.
 */
int json_string_scan(struct json_text *in, struct strbuf *out);

#endif
