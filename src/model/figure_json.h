/*
 * Paths of figures in JSON: "latency.p99", "$.results[0].rps", "[2].rate". A step is a key, which
 * holds none of . [ ], or the index of an array.
 */
#ifndef PAWL_MODEL_FIGURE_JSON_H
#define PAWL_MODEL_FIGURE_JSON_H

#include <stddef.h>

#include "base/error.h"

int figure_json_check(const char *path, struct error *err);

/*
 * What stands at PATH, which was checked, in the last object or array that begins a line of TEXT.
 * A number or a string as text, anything else as the JSON it is: that is no number. 1 and *OUT for
 * free(), or 0 when there is no such value.
 */
int figure_json_find(const char *path, const char *text, size_t len, char **out);

#endif
