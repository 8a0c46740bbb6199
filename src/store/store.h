/* Results, baselines and searches as JSON, by tables of their fields: written, read, and described as JSON Schemas. */
#ifndef PAWL_STORE_STORE_H
#define PAWL_STORE_STORE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/baseline.h"
#include "model/result.h"

/* -------- baseline */

/* Baselines as JSON: pretty-printed, keys in a fixed order, so that a maintainer reads the diff. */

extern const struct fields baseline_fields;

/*
 * Strict: unknown keys, wrong types, a class that is not the machine's, another schema version are
 * faults naming PATH and the JSON path. OUT is written only on success, for baseline_release().
 */
int baseline_parse(const char *text, size_t len, const char *path, struct baseline *out, struct error *err);
char *baseline_format(const struct baseline *baseline);		/* for free() */

/* -------- json */

/*
 * JSON read strictly. cJSON alone takes duplicate keys, bytes that are no UTF-8, control characters, text behind the
 * value and nesting of 1,000 levels; here they are faults. Then accessors that know the path they are at, so that a
 * fault reads "$.sessions[2].date: expected a string, found a number". Structs are read and written by tables of fields.
 */

enum { JSON_LARGEST = 8 << 20, JSON_NODES_MAX = 200000, JSON_DEPTH_MAX = 64 };

/* The largest whole number every JSON reader keeps exactly: 2^53. */
#define JSON_WHOLE_MAX (UINT64_C(1) << 53)

/* Bytes to a tree for cJSON_Delete(), or NULL with an error at PATH's line and column. */
cJSON *json_parse(const char *text, size_t len, const char *path, struct error *err);

/* A value and the way to it; values of one tree, borrowed. */
struct json {
	const cJSON *value;
	const struct json *parent;
	const char *key;	/* in an object, or NULL */
	size_t index;		/* in an array */
	bool strict;		/* here and below, json_read() refuses keys that it does not know */
	struct arena *arena;	/* holds the texts and lists that are read; NULL: each is malloc()'s */
};

/* The path as "$.sessions[2].date"; for free(). */
char *json_path(const struct json *at);
/* An ERR_INPUT "PATH: <text>". */
int json_fault(const struct json *at, struct error *err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The fault "expected EXPECTED, found a number". */
int json_mismatch(const struct json *at, struct error *err, const char *expected);

/* 1 when OBJECT has KEY (then *OUT is it), 0 when not or null, -1 when OBJECT is no object. */
int json_get(const struct json *object, const char *key, struct json *out, struct error *err);
/* As json_get, but a missing key is a fault; a null is there, and left to what reads it. 0 or -1. */
int json_need(const struct json *object, const char *key, struct json *out, struct error *err);
int json_string(const struct json *at, char **out, struct error *err);		/* for free() */
int json_measured(const struct json *at, double *out, struct error *err);	/* finite, not below 0 */
int json_bool(const struct json *at, bool *out, struct error *err);
/* One of the words, which end with NULL; its index. */
int json_choice(const struct json *at, const char *const *words, size_t *out, struct error *err);
/* Call EACH for every element of an array, or member of an object; stops at the first -1. */
int json_each(const struct json *at, int (*each)(const struct json *item, void *ctx, struct error *err), void *ctx,
	      struct error *err);
/* Elements or members; 0 for other values. */
size_t json_size(const struct json *at);

/*
 * Writing. PARENT is an object, or an array when KEY is NULL; its members keep the order in which
 * they were added. Numbers are written as short as reads back the same; NaN and infinities as
 * null; bytes that are not valid UTF-8 as U+FFFD.
 */
cJSON *json_new_object(void);
cJSON *json_new_list(void);
cJSON *json_add_object(cJSON *parent, const char *key);
cJSON *json_add_array(cJSON *parent, const char *key);
void json_add_number(cJSON *parent, const char *key, double value);
void json_add_bool(cJSON *parent, const char *key, bool value);
void json_add_string(cJSON *parent, const char *key, const char *value);	/* NULL as null */
void json_add_strings(cJSON *parent, const char *key, const struct strv *list);

/*
 * How a field is read and written where its type does not decide it. ADD gives OBJECT its KEY, READ replaces the member
 * only on success, ITEM takes an item of a list, in order; NULL: by its type.
 */
struct json_codec {
	void (*add)(cJSON *object, const char *key, const void *member);
	int (*read)(const struct json *at, void *member, struct error *err);
	int (*item)(const struct json *item, void *member, struct error *err);
};

/* The members of RECORD from OBJECT. On failure it holds what was read until then; the caller releases it. */
int json_read(const struct json *object, const struct fields *fields, void *record, struct error *err);
void json_write(cJSON *object, const struct fields *fields, const void *record);
/* A single member, as FIELD is; KEY is NULL in an array. */
int json_read_value(const struct json *at, const struct field *field, void *member, struct error *err);
void json_write_value(cJSON *parent, const char *key, const struct field *field, const void *member);
/*
 * The file TEXT, whose first field is its version "schema": one that is newer names the pawl that wrote it. STRICT:
 * unknown keys are faults. Faults name PATH. As json_read() on failure.
 */
int json_read_file(const char *text, size_t len, const char *path, const struct fields *fields, bool strict,
		   void *record, struct error *err);
/* RECORD as a file, see json_print(). */
char *json_format(const struct fields *fields, const void *record);

/*
 * Pretty-printed with a final newline; consumes TREE. For free(). Two spaces a level, so that a
 * diff reads well: an array of plain values takes one line, and so does an object inside an array when it holds plain
 * values, arrays of numbers and objects of plain values.
 */
char *json_print(cJSON *tree);

/* -------- parts */

/* What baselines and results have in common: tables of fields, patterns of texts, names of metrics. */

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
/* Of those that values are stored of: shares of waiting have a glob in it. */
#define VALUES_PATTERN "^[A-Za-z0-9_.:/=,-]{1,209}$"
/* NAME found at AT: letters, digits and _.:/=,- as metrics and perf events have them. */
int metric_check_name(const struct json *at, const char *name, struct error *err);
/* The same, of a custom metric: none that is taken already. */
int metric_check_custom(const struct json *at, const char *name, struct error *err);
/* The metric NAME, found at AT, of OWN. NULL with a fault when the name is bad or an alias. */
const struct metric *metric_read(const struct json *at, const char *name, struct own_metrics *own, struct error *err);

/* The initialisers of texts of one shape. */
#define SCENARIO_NAME .pattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]*$", .max = 100, \
	.expected = "a scenario's name: at most 100 letters, digits and . _ - with no dot first"
#define DATE_UTC .pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", \
	.expected = "a date in UTC such as 2026-11-20T10:05:54Z"
#define MEASUREMENT .omitted = true, .pattern = "^[0-9a-f]{32}$", .expected = "32 hexadecimal digits"

/* -------- result */

/*
 * result.json: everything a report needs, raw values included, so that it can be made again from
 * it anywhere. Reading is strict about what it uses and ignores keys it does not know, since a
 * newer pawl may add some within a schema version.
 */

extern const struct fields result_fields;

/* OUT is written only on success, for result_release(). Faults name PATH and the JSON path. */
int result_parse(const char *text, size_t len, const char *path, struct result *out, struct error *err);
/*
 * For free(). What was not measured or is infinite becomes null. perf's rows are left out, with
 * a note, where they would take the file beyond the bounds of json_parse().
 */
char *result_format(const struct result *result);

/* -------- schema */

/* The JSON Schemas in share/, printed from the tables of fields by which the files are read (base/fields.h). */

enum schema_kind {
	SCHEMA_OPEN,	/* of JSON; objects may have other keys */
	SCHEMA_STRICT,	/* of JSON */
	SCHEMA_YAML,	/* of YAML, as scenario/yaml.h reads it: strict */
};

/*
 * A schema of draft 7 for what ROOT describes; for free(). DEFINITIONS, or NULL, are fields whose keys are the names
 * that field.definition refers to.
 */
char *schema_print(const struct fields *root, const struct fields *definitions, enum schema_kind kind);

#endif
