/* Checks of single values that baselines and results share: each returns 0, or -1 with a fault. */
#ifndef PAWL_GATE_JSON_CHECK_H
#define PAWL_GATE_JSON_CHECK_H

#include "gate/json_fields.h"

/* Metrics a scenario may have: what hostile files could otherwise make slow. */
enum { JSON_METRICS_MAX = 256 };

/*
 * The root's "schema" against the one this pawl reads. A newer one names the pawl that wrote the
 * file, WRITER, unless that is NULL.
 */
int json_check_schema(const struct json *root, unsigned current, const char *writer, struct error *err);
/* NAME found at AT: letters, digits and _.:/=,- as metrics and perf events have them. */
int json_check_metric(const struct json *at, const char *name, struct error *err);
/* A number that measures something: not below 0. */
int json_measured(const struct json *at, double *out, struct error *err);

extern const struct json_codec json_codec_measured;	/* double, as json_measured() */
extern const struct json_codec json_codec_measured_or_null;	/* the same, NaN as null */
extern const struct json_codec json_codec_name;		/* char *: a scenario's name, fit for a file */
extern const struct json_codec json_codec_measurement;	/* char *: 32 hexadecimal digits; NULL is no key */
extern const struct json_codec json_codec_date;		/* char *: 2026-11-20T10:05:54Z */

#endif
