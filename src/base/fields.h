/*
 * Describes a struct's members as the keys of a file, once. From a const table of fields come a reader, a writer and
 * the JSON Schema in share/ (store/store.h, scenario/yaml.h). The table has the order of the file. A field may depend
 * on an earlier one.
 *
 *	static const struct field machine_items[] = {
 *		{ FIELD(struct machine, arch), .needed = true, .pattern = "^[a-z0-9_]+$", .help = "As uname names it." },
 *		{ FIELD(struct machine, cpus), .needed = true, .max = 65536, .help = "CPUs online." },
 *		{ FIELD(struct machine, tier), .needed = true, .words = tier_names, .help = "What it can count." },
 *	};
 *	const struct fields machine_fields = { FIELDS(machine_items), .help = "The machine that measured." };
 */
#ifndef PAWL_BASE_FIELDS_H
#define PAWL_BASE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/parse.h"
#include "base/text.h"

/* The member's type. With `words`, FIELD_UNSIGNED is an enum. */
enum field_type {
	FIELD_OWN,		/* custom: read by `json` or `yaml`, described by `schema` or `object` */
	FIELD_TEXT,		/* char * */
	FIELD_TEXTS,		/* struct strv */
	FIELD_BOOL,		/* bool */
	FIELD_INT,		/* int, not negative */
	FIELD_UNSIGNED,		/* unsigned */
	FIELD_U64,		/* uint64_t, size_t */
	FIELD_DOUBLE,		/* double; NaN is null */
	FIELD_OBJECT,		/* a struct described by `object` */
	FIELD_LIST,		/* TYPE *items, then size_t n, cap: an array of items described by `object` */
	FIELD_LISTS,		/* an array of such arrays; read and written by `json` */
	FIELD_VERSION,		/* the version, not a member; `max` is current, `min` (else `max`) the oldest read */
};

struct json;
struct source;
struct node_entry;
struct scenario;
struct yaml_writer;
struct json_codec;	/* store/store.h */
struct fields;

struct field {
	const char *key;
	enum field_type type;
	size_t offset;			/* of the member, which hooks receive; 0: they receive the whole struct */
	const char *help;		/* one sentence: the schema's description */
	bool needed;			/* a missing key is a fault; otherwise the member stays unchanged */

	/* limits: 0 or NULL means no limit */
	bool not_negative;		/* for a double */
	/*
	 * For a whole number or an enum, its value; for a list, its number of items. For a text, max is its length in
	 * bytes; with min, the text is a whole number within these limits.
	 */
	double min, max;
	const char *pattern;		/* for a text: an extended regular expression */
	const char *expected;		/* in faults: the pattern's meaning; for a list, its items: "sessions" */
	const char *const *words;	/* for an enum, ends in NULL; values count from 0 */
	const struct fields *object;	/* for an object, and for each item of a list */

	/* JSON only */
	bool nullable;			/* null means absent: for an object, a needed text, a not_negative double */
	bool omitted;			/* write nothing instead of null */
	bool derived;			/* written, not read */
	const char *was;		/* the key in older versions of the format, read if `key` is missing */
	bool (*when)(const void *record);	/* false: write nothing, or null if nullable */
	const struct json_codec *json;	/* a custom way to read or write it */

	/* YAML only (scenario/yaml.h) */
	int (*yaml)(struct source *source, const struct node_entry *entry, void *member);
	void (*show)(struct yaml_writer *writer, const struct field *field, const void *member);	/* the same to YAML */
	bool names;			/* a text in which ${name} is replaced when the plan is built */
	bool (*fits)(const char *text);	/* for a text, instead of the pattern; with `names`, checks the result */
	const char *missing;		/* advice if a needed key is missing, or a mapping stands in place of a list */

	/*
	 * For the schema: JSON with ' in place of ", which replaces the derived schema; or the name of a definition, which
	 * with `object` is the other form of the value.
	 */
	const char *schema, *definition;
};

/* The keys of one object. */
struct fields {
	const struct field *items;
	size_t n;
	const char *title, *help;	/* for the schema of a file's root */
	/*
	 * YAML only: one of these keys, ending in NULL, is required; `what` is named if missing. Without it, at most
	 * one.
	 */
	const char *const *one_of, *what;
	const char *const *kinds;	/* YAML only: names of an enum at `kind`, which is set by the key of one_of; or NULL */
	size_t kind;
	/* YAML only: returns why KEY does not go with the rest of RECORD, else NULL. SCENARIO may be NULL. */
	const char *(*unfit)(const struct scenario *scenario, const void *record, const char *key);

	const struct gone_key *gone;	/* YAML only: earlier keys, ends in an entry without a key; or NULL */

	const char *rules;		/* for the schema: more keywords, as in field.schema, such as 'oneOf': [...] */

	size_t size;			/* size of the struct, if it is a list item or `empty` is set */
	const void *empty;		/* initial contents before reading; NULL: zeros for an item, else unchanged */

	/* JSON only */
	bool arena;			/* the struct begins with an arena, which owns its texts and lists */
	/* Called once all members are read; reports a fault at AT. */
	int (*check)(const struct json *at, void *record, struct error *err);
};

/* Initialises a field whose key is MEMBER; FIELD_AS sets a different key. */
#define FIELD(struct_, member_) FIELD_AS(#member_, struct_, member_)
#define FIELD_AS(key_, struct_, member_) \
	.key = (key_), .offset = offsetof(struct_, member_), .type = FIELD_TYPE(((struct_ *)NULL)->member_)
/* A list whose items are at MEMBER. */
#define FIELD_ITEMS(key_, struct_, member_, object_) \
	.key = (key_), .offset = offsetof(struct_, member_), .type = FIELD_LIST, .object = (object_)

#define FIELD_TYPE(member_) _Generic((member_), char *: FIELD_TEXT, const char *: FIELD_TEXT, struct strv: FIELD_TEXTS, \
	bool: FIELD_BOOL, int: FIELD_INT, unsigned: FIELD_UNSIGNED, uint64_t: FIELD_U64, double: FIELD_DOUBLE, \
	default: FIELD_OBJECT)

/* Sets items and n of a struct fields. */
#define FIELDS(array) .items = (array), .n = sizeof (array) / sizeof *(array)

#endif
