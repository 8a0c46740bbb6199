/*
 * The check of raw JSON bytes before cJSON sees them: strict grammar (RFC 8259), bounded in size,
 * nodes and depth, valid UTF-8, no NUL even when escaped, no duplicate key in an object, finite
 * numbers, nothing behind the value. One pass; objects of any size in n log n.
 */
#ifndef PAWL_STORE_JSON_SCAN_H
#define PAWL_STORE_JSON_SCAN_H

#include <stddef.h>

#include "base/error.h"

/* 0, or -1 with an ERR_INPUT at PATH's line and column (bytes, from 1). */
int json_scan(const char *text, size_t len, const char *path, struct error *err);

#endif
