/* Baselines as JSON: pretty-printed, keys in a fixed order, so that a maintainer reads the diff. */
#ifndef PAWL_STORE_BASELINE_H
#define PAWL_STORE_BASELINE_H

#include "base/error.h"
#include "base/fields.h"
#include "model/baseline.h"

extern const struct fields baseline_fields;

/*
 * Strict: unknown keys, wrong types, a class that is not the machine's, another schema version are
 * faults naming PATH and the JSON path. OUT is written only on success, for baseline_release().
 */
int baseline_parse(const char *text, size_t len, const char *path, struct baseline *out, struct error *err);
char *baseline_format(const struct baseline *baseline);		/* for free() */

#endif
