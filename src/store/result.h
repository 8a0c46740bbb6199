/*
 * result.json: everything a report needs, raw values included, so that it can be made again from
 * it anywhere. Reading is strict about what it uses and ignores keys it does not know, since a
 * newer pawl may add some within a schema version.
 */
#ifndef PAWL_STORE_RESULT_H
#define PAWL_STORE_RESULT_H

#include "base/error.h"
#include "base/fields.h"
#include "model/result.h"

extern const struct fields result_fields;

/* OUT is written only on success, for result_release(). Faults name PATH and the JSON path. */
int result_parse(const char *text, size_t len, const char *path, struct result *out, struct error *err);
/*
 * For free(). What was not measured or is infinite becomes null. perf's rows are left out, with
 * a note, where they would take the file beyond the bounds of json_parse().
 */
char *result_format(const struct result *result);

#endif
