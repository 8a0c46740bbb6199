/*
 * Results, baselines and searches as JSON, from tables of their fields: written, read, and described as JSON Schemas.
 */
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

/* Baselines as JSON: pretty-printed with a fixed order of keys, so that maintainers can read the diff. */

extern const struct fields baseline_fields;

/*
 * Parses strictly. Unknown keys, wrong types, a class that contradicts the machine and another schema version are
 * faults that name PATH and the JSON path. OUT is written only on success; release it with baseline_release().
 */
int baseline_parse(const char *text, size_t len, const char *path, struct baseline *out, struct error *err);
char *baseline_format(const struct baseline *baseline);		/* for free() */

/* -------- json */

/*
 * Strict JSON. cJSON alone accepts duplicate keys, invalid UTF-8, control characters, text after the value and nesting
 * of 1,000 levels; here they are faults. Accessors keep the path of each value, so that a fault reads
 * "$.sessions[2].date: expected a string, found a number". Structs are read and written by tables of fields.
 */

/* 500 scenarios with 60 pairs each fit. */
enum { JSON_LARGEST = 32 << 20, JSON_NODES_MAX = 1000000, JSON_DEPTH_MAX = 64 };

/* The largest whole number that every JSON reader keeps exactly: 2^53. */
#define JSON_WHOLE_MAX (UINT64_C(1) << 53)

/* Parses bytes to a tree for cJSON_Delete(). NULL with an error at PATH's line and column. */
cJSON *json_parse(const char *text, size_t len, const char *path, struct error *err);

/* True for a path such as "latency.p99", "results[0].rate" or "$.a". */
bool json_path_valid(const char *path);
/* Returns the value at such a path below ROOT (NULL: none), or NULL. */
const cJSON *json_at(const cJSON *root, const char *path);

/*
 * Finds the objects and arrays that begin lines of an output, with other text in between. Values nested in another are
 * part of it. Attempts that fail late would take quadratic time, so their total input is bounded.
 */
struct json_scan {
	const char *text;
	size_t len, budget;	/* JSON_SCAN_BUDGET(LEN) at first */
	size_t at, begin;	/* BEGIN: where the last value began; it ends at AT */
};
#define JSON_SCAN_BUDGET(len) (16 * (len))
/* Returns the next value for cJSON_Delete(), or NULL. Unlike json_parse() it takes what cJSON takes. */
cJSON *json_scan_next(struct json_scan *scan);

/* A value and its path. Borrowed from a tree. */
struct json {
	const cJSON *value;
	const struct json *parent;
	const char *key;	/* within an object, or NULL */
	size_t index;		/* within an array */
	bool strict;		/* json_read() refuses unknown keys here and below */
	struct arena *arena;	/* owns the texts and lists that are read; NULL: each comes from malloc() */
};

/* Returns the path as "$.sessions[2].date"; for free(). */
char *json_path(const struct json *at);
/* An ERR_INPUT "PATH: <text>". */
int json_fault(const struct json *at, struct error *err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The fault "expected EXPECTED, found a number". */
int json_mismatch(const struct json *at, struct error *err, const char *expected);

/* Returns 1 if OBJECT has KEY (then in *OUT), 0 if it is missing or null, -1 if OBJECT is not an object. */
int json_get(const struct json *object, const char *key, struct json *out, struct error *err);
/* As json_get(), but a missing key is a fault. A null is returned for the caller to judge. 0 or -1. */
int json_need(const struct json *object, const char *key, struct json *out, struct error *err);
int json_string(const struct json *at, char **out, struct error *err);		/* for free() */
int json_measured(const struct json *at, double *out, struct error *err);	/* finite, not negative */
int json_bool(const struct json *at, bool *out, struct error *err);
/* Reads one of WORDS, which end in NULL, as its index. */
int json_choice(const struct json *at, const char *const *words, size_t *out, struct error *err);
/* Calls EACH for every element of an array or member of an object. Stops at the first -1. */
int json_each(const struct json *at, int (*each)(const struct json *item, void *ctx, struct error *err), void *ctx,
	      struct error *err);
/* Returns the number of elements or members; 0 for other values. */
size_t json_size(const struct json *at);

/*
 * Writing. PARENT is an object, or an array if KEY is NULL. Members keep the order in which they are added. Numbers
 * are written in the shortest form that reads back equal, NaN and infinities as null, invalid UTF-8 as U+FFFD.
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
 * Reads and writes a field whose type alone does not decide its form. ADD gives OBJECT its KEY. READ replaces the
 * member only on success. ITEM reads an item of a list, in order. NULL: by the field's type.
 */
struct json_codec {
	void (*add)(cJSON *object, const char *key, const void *member);
	int (*read)(const struct json *at, void *member, struct error *err);
	int (*item)(const struct json *item, void *member, struct error *err);
};

/* Reads the members of RECORD from OBJECT. On failure RECORD holds those read so far; the caller releases it. */
int json_read(const struct json *object, const struct fields *fields, void *record, struct error *err);
void json_write(cJSON *object, const struct fields *fields, const void *record);
/* Reads or writes one member as FIELD describes. KEY is NULL in an array. */
int json_read_value(const struct json *at, const struct field *field, void *member, struct error *err);
void json_write_value(cJSON *parent, const char *key, const struct field *field, const void *member);
struct json_file {
	const char *text;
	size_t len;
	const char *path;	/* for faults */
	bool strict;		/* unknown keys are faults */
};

/*
 * Reads FILE, whose first field is its version, "schema". The fault for a newer version names the pawl that wrote it.
 * On failure as json_read().
 */
int json_read_file(const struct json_file *file, const struct fields *fields, void *record, struct error *err);
/* Returns RECORD as a file, see json_print(). */
char *json_format(const struct fields *fields, const void *record);

/*
 * Pretty-prints TREE with a final newline and consumes it. For free(). Indents by two spaces. An array of plain values
 * takes one line, which keeps diffs readable. So does an object inside an array if it holds only plain values, arrays
 * of numbers and objects of plain values.
 */
char *json_print(cJSON *tree);
/* The same, appended to OUT. */
void json_append(struct strbuf *out, cJSON *tree);

/* -------- parts */

/* Shared by baselines and results: tables of fields, text patterns, metric names. */

/* Baselines store the stable facts of a machine. Results store all, with the derived class. */
extern const struct fields machine_stable_fields, machine_fields;
/* Writes the class derived from the parts of a struct machine. Reads nothing. */
extern const struct json_codec machine_class_codec;
extern const struct fields settings_fields;

/*
 * A profile. Results keep up to PROFILE_RESULT_MOST symbols, the heaviest and their callers, with files, threads and
 * warnings. Baselines keep the heaviest PROFILE_BASELINE_MOST with files. Shares under 0.1 % are left out. The samples
 * of symbols left out are added to rest_samples. Readers check the sums: a symbol's runs add up to its samples, and
 * its samples do not exceed the total.
 */
enum { PROFILE_RESULT_MOST = 300, PROFILE_BASELINE_MOST = 60 };

extern const struct fields profile_result_fields, profile_baseline_fields;
extern const struct json_codec profile_codec, profile_baseline_codec;
/* Keeps the first MOST symbols of a written profile. */
void profile_shorten(cJSON *profile, size_t most);

/* Maximum number of metrics in a scenario. It keeps hostile files from slowing pawl down. */
enum { METRICS_MAX = 1280 };
/* Benchmarks may have any name of one line. */
#define METRIC_PATTERN "^.{1,300}$"
/* As metric_check_name() for a custom metric: NAME must not be taken already. */
int metric_check_custom(const struct json *at, const char *name, struct error *err);
/* Returns the metric NAME, found at AT, from OWN. NULL with a fault if the name is bad. */
const struct metric *metric_read(const struct json *at, const char *name, struct own_metrics *own, struct error *err);

/* Initialisers for texts of one shape. */
#define SCENARIO_NAME .pattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]*$", .max = 100, \
	.expected = "a scenario's name: at most 100 letters, digits and . _ - with no dot first"
#define DATE_UTC .pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", \
	.expected = "a date in UTC such as 2026-11-20T10:05:54Z"
#define MEASUREMENT .omitted = true, .pattern = "^[0-9a-f]{32}$", .expected = "32 hexadecimal digits"

/* -------- result */

/*
 * result.json: everything a report needs, raw values included, so that the report can be recreated anywhere. Reading
 * is strict about the keys it uses and ignores unknown keys, because a newer pawl may add keys within a schema
 * version.
 */

extern const struct fields result_fields;

/*
 * Parses a result. OUT is written only on success; release it with result_release(). Faults name PATH and the JSON
 * path.
 */
int result_parse(const char *text, size_t len, const char *path, struct result *out, struct error *err);
/*
 * Returns the result as text, for free(). Values that are infinite or not measured become null. perf's rows are left
 * out, with a note, if they would exceed the limits of json_parse().
 */
char *result_format(const struct result *result);

/* -------- schema */

/* The JSON Schemas in share/, generated from the tables of fields that also read the files (base/fields.h). */

enum schema_kind {
	SCHEMA_OPEN,	/* JSON; objects may have other keys */
	SCHEMA_STRICT,	/* JSON; no other keys */
	SCHEMA_YAML,	/* YAML as scenario/yaml.h reads it; no other keys */
};

/*
 * Returns a draft 7 schema for ROOT, for free(); its file is share/NAME.schema.json. DEFINITIONS, or NULL, are fields
 * whose keys are the names that field.definition refers to.
 */
char *schema_print(const char *name, const struct fields *root, const struct fields *definitions, enum schema_kind kind);

#endif
