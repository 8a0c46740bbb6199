/*
 * Field functions for the kinds of value that several mappings share. What they make lives in the source's arena.
 */
#ifndef PAWL_SCENARIO_VALUES_H
#define PAWL_SCENARIO_VALUES_H

#include "scenario/yaml.h"

/*
 * Mappings to structs by tables: one const table a mapping names its keys, how each value is
 * parsed and where it goes. Unknown keys and missing ones are told alike everywhere, and one fault never hides another.
 */

/* Parses ENTRY's value to OUT. 0, or -1 with a fault told. */
typedef int field_fn(struct source *source, const struct node_entry *entry, void *out);

struct yaml_fields;

struct yaml_field {
	const char *key;
	field_fn *parse;		/* called with the struct's address + offset */
	size_t offset;
	const struct yaml_fields *nested;	/* the keys of a mapping, parsed before `parse`, which may be NULL */
	const char *required;		/* what to add when the key is missing; NULL: it may be */
};

struct yaml_fields {
	const struct yaml_field *items;
	size_t n;
};

#define YAML_FIELDS(array) { (array), sizeof (array) / sizeof *(array) }

/*
 * Parse MAPPING into OUT, in the order of the table, so that a field may rest on one before it.
 * 0, or -1 when there was any fault.
 */
int fields_parse(struct source *source, const struct node *mapping, const struct yaml_fields *fields, void *out);

/*
 * The one entry of MAPPING whose key is among KEYS, to *OUT. Two of them are a fault; none is one
 * too, unless WHAT, which is missing then, is NULL: *OUT is NULL. 0, or -1.
 */
int fields_one_of(struct source *source, const struct node *mapping, const char *const *keys, size_t n,
		  const char *what, const struct node_entry **out);

/*
 * Parse each entry of LIST, which has 1 to MAX of them: WHAT, for faults. An entry with a `name` is
 * told under it. 0, or -1 when any failed.
 */
int fields_each(struct source *source, const struct node *list, const char *what, size_t max, field_fn *parse,
		void *out);

/* Every mapping there is; the JSON Schemas in share/ have the same keys at the same levels. */
extern const struct yaml_fields scenario_fields, config_fields, measure_fields, gate_fields, service_fields, ready_fields,
	stop_fields, target_fields, load_fields, printed_fields, profile_fields, symbol_gate_fields, share_budget_fields,
	calibration_fields, calibration_entry_fields;

/* The longest text of a command or a value, in bytes. */
enum { VALUE_TEXT_MAX = 64 << 10 };

/* The text of NODE, borrowed, or NULL with a fault "expected EXPECTED, found ...". */
const char *value_text(struct source *source, const struct node *node, const char *expected);
/* A whole number from LOW to HIGH. */
int value_count(struct source *source, const struct node *node, unsigned low, unsigned high, unsigned *out);
/* on, off, true, false, yes, no. */
int value_bool(struct source *source, const struct node *node, bool *out);
/* Letters, digits and the characters of EXTRA, at least one. */
bool value_made_of(const char *text, const char *extra);

/*
 * Text whose ${names} are known and which FITS once they are replaced, to *OUT; else the fault
 * "expected EXPECTED, found ...".
 */
int value_shaped(struct source *source, const struct node_entry *entry, bool (*fits)(const char *text),
		 const char *expected, char **out);

field_fn value_string;		/* char *: text that is not empty */
field_fn value_expanded;	/* char *: text that is not empty, whose ${names} are known */
field_fn value_name;		/* char *: what scenario_name_valid() takes */
field_fn value_regex;		/* char *: what regex_compile() takes once its ${names} are replaced */
field_fn value_user;		/* char *: the name of a user */
field_fn value_unit;		/* char *: a short word for what is counted */
field_fn value_duration;	/* uint64_t: nanoseconds, more than none, at most a day */
field_fn value_words;		/* struct strv: one text, or a list of them */
field_fn value_switch;		/* bool */
field_fn value_command;		/* struct command */
field_fn value_variables;	/* struct strv: a list of names of environment variables */
field_fn value_environment;	/* struct strv: a mapping as NAME=VALUE */

/* A name that may become a file's: letters, digits, . _ -, not starting with a dot, at most 100. */
bool scenario_name_valid(const char *name);

#endif
