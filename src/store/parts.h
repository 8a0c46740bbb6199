/* What baselines and results have in common: tables of fields, patterns of texts, names of metrics. */
#ifndef PAWL_STORE_PARTS_H
#define PAWL_STORE_PARTS_H

#include "model/result.h"
#include "store/json.h"

/* Baselines keep the stable facts of a machine; results all of it, with the class, which is derived. */
extern const struct fields machine_stable_fields, machine_fields;
/* Writes the class that a struct machine's parts make; reads nothing. */
extern const struct json_codec machine_class_codec;
extern const struct fields settings_fields;

/*
 * A profile. Results keep up to PROFILE_RESULT_MOST symbols, the heaviest and those that these were called from, with
 * files, threads and warnings; baselines keep the heaviest PROFILE_BASELINE_MOST with files. Shares under 0.1 % are left
 * out. The samples of symbols that are left out are added to rest_samples. What is read adds up: the samples of the runs
 * to the symbol's, a symbol's to no more than all.
 */
enum { PROFILE_RESULT_MOST = 300, PROFILE_BASELINE_MOST = 60 };

extern const struct fields profile_result_fields, profile_baseline_fields;
extern const struct json_codec profile_codec, profile_baseline_codec;
/* Of a profile as it was written, keep the first MOST symbols. */
void profile_shorten(cJSON *profile, size_t most);

/* Metrics a scenario may have: what hostile files could otherwise make slow. */
enum { METRICS_MAX = 256 };
#define METRIC_PATTERN "^[A-Za-z0-9_.:/=,-]{1,209}$"
/* NAME found at AT: letters, digits and _.:/=,- as metrics and perf events have them. */
int metric_check_name(const struct json *at, const char *name, struct error *err);

/* The initialisers of texts of one shape. */
#define SCENARIO_NAME .pattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]*$", .max = 100, \
	.expected = "a scenario's name: at most 100 letters, digits and . _ - with no dot first"
#define DATE_UTC .pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", \
	.expected = "a date in UTC such as 2026-11-20T10:05:54Z"
#define MEASUREMENT .omitted = true, .pattern = "^[0-9a-f]{32}$", .expected = "32 hexadecimal digits"

#endif
