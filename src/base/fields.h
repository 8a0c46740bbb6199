/*
 * A struct's members as the keys of a file, written once: from a const table of them a reader, a writer and the JSON Schema
 * in share/ are made (store/store.h, scenario/yaml.h). The table's order is that of the file, and a
 * field may rest on one before it.
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
#include "base/text.h"

/* What the member is. With `words`, FIELD_UNSIGNED is an enum. */
enum field_type {
	FIELD_OWN,		/* something else: `json` or `yaml` reads it, and `schema` describes it, unless `object` does */
	FIELD_TEXT,		/* char * */
	FIELD_TEXTS,		/* struct strv */
	FIELD_BOOL,		/* bool */
	FIELD_INT,		/* int, not below 0 */
	FIELD_UNSIGNED,		/* unsigned */
	FIELD_U64,		/* uint64_t, size_t */
	FIELD_DOUBLE,		/* double; NaN is null */
	FIELD_OBJECT,		/* a struct that `object` describes */
	FIELD_LIST,		/* TYPE *items, then size_t n, cap: an array of what `object` describes */
	FIELD_LISTS,		/* an array of such arrays; read and written by `json` */
	FIELD_VERSION,		/* of the format: `max`, and `min` (else `max` too) the oldest that is read; no member */
};

struct json;
struct source;
struct node_entry;
struct json_codec;	/* store/store.h */
struct fields;

struct field {
	const char *key;
	enum field_type type;
	size_t offset;			/* of the member, which hooks get; 0: they get the whole struct */
	const char *help;		/* one sentence: the schema's description */
	bool needed;			/* missing is a fault; else the member is left as it was */

	/* limits: what is 0 or NULL limits nothing */
	bool not_negative;		/* of a double */
	/* Of a whole number, of an enum, of a list its items; max of a text in bytes, with min of a text that is a whole number. */
	double min, max;
	const char *pattern;		/* of a text: an extended regular expression */
	const char *expected;		/* in faults: what the pattern means; of a list, what its items are: "sessions" */
	const char *const *words;	/* of an enum, up to a NULL; its values count from 0 */
	const struct fields *object;	/* of an object, and of each item of a list */

	/* JSON only */
	bool nullable;			/* null stands for nothing: of an object, a needed text, a double that is not_negative */
	bool omitted;			/* instead of null nothing is written */
	bool derived;			/* written, not read */
	const char *was;		/* the key in older versions of the format, which is read where `key` is missing */
	bool (*when)(const void *record);	/* false: there is nothing to write, but null where nullable */
	const struct json_codec *json;	/* another way to read or write it */

	/* YAML only (scenario/yaml.h) */
	int (*yaml)(struct source *source, const struct node_entry *entry, void *member);
	bool names;			/* a text in which ${name} is replaced when the plan is built */
	bool (*fits)(const char *text);	/* of a text, in place of the pattern; with `names`, of what it may become */
	const char *missing;		/* what to add where a needed key is missing */

	/* Of the schema: JSON with ' in place of ", instead of what follows from the rest; or the name of a definition. */
	const char *schema, *definition;
};

/* A key that earlier versions had, and what to use now. */
struct gone_key {
	const char *key, *instead;
};

/* Keys of one object. */
struct fields {
	const struct field *items;
	size_t n;
	const char *title, *help;	/* of the schema, where this is the file's root */
	/* YAML only: of these keys, up to a NULL, one is there; without `what`, which is missing else, at most one */
	const char *const *one_of, *what;

	const struct gone_key *gone;	/* YAML only: keys of earlier versions, up to one without a key; or NULL */

	const char *rules;		/* of the schema: more keywords, as in field.schema, such as 'oneOf': [...] */

	size_t size;			/* of the struct, where it is an item of a list or `empty` is set */
	const void *empty;		/* what it holds before it is read; NULL: an item zeros, others what they held */

	/* JSON only */
	bool arena;			/* the struct begins with one, which holds the texts and lists that are read into it */
	/* Called once all members are read; a fault of AT. */
	int (*check)(const struct json *at, void *record, struct error *err);
};

/* The initialisers of a field whose key is MEMBER; FIELD_AS gives it another one. */
#define FIELD(struct_, member_) FIELD_AS(#member_, struct_, member_)
#define FIELD_AS(key_, struct_, member_) \
	.key = (key_), .offset = offsetof(struct_, member_), .type = FIELD_TYPE(((struct_ *)NULL)->member_)
/* A list whose items are at MEMBER. */
#define FIELD_ITEMS(key_, struct_, member_, object_) \
	.key = (key_), .offset = offsetof(struct_, member_), .type = FIELD_LIST, .object = (object_)

#define FIELD_TYPE(member_) _Generic((member_), char *: FIELD_TEXT, const char *: FIELD_TEXT, struct strv: FIELD_TEXTS, \
	bool: FIELD_BOOL, int: FIELD_INT, unsigned: FIELD_UNSIGNED, uint64_t: FIELD_U64, double: FIELD_DOUBLE, \
	default: FIELD_OBJECT)

/* The items and n of a struct fields. */
#define FIELDS(array) .items = (array), .n = sizeof (array) / sizeof *(array)

#endif
