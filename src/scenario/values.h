/*
 * Values by the type of their field, and those that several mappings share. What is made of them lives in the source's
 * arena.
 */
#ifndef PAWL_SCENARIO_VALUES_H
#define PAWL_SCENARIO_VALUES_H

#include "base/fields.h"
#include "scenario/yaml.h"

/*
 * Mappings of YAML to structs, by the tables of base/fields.h. Unknown keys and missing ones are told alike everywhere,
 * and one fault never hides another. A value is read by the type of its member:
 *
 *	FIELD_TEXT	text that is not empty, with known ${names}, that matches the pattern or fits
 *	FIELD_TEXTS	one such text, or a list of them
 *	FIELD_BOOL	on, off, true, false, yes, no; with `words` the first is false and the second true
 *	FIELD_UNSIGNED	a whole number from min to max; with `words` one of them, the first of which is that of min
 *	FIELD_U64	a duration in nanoseconds, above 0s and up to 24h
 *	FIELD_DOUBLE	a percentage from min to max
 *	FIELD_VERSION	1
 *	FIELD_OBJECT	a mapping
 *
 * Then its `yaml` hook, if it has one, checks what was read; of a text that it refuses nothing is kept. FIELD_OWN and
 * FIELD_LIST leave all to the hook.
 */

/* Parses or checks ENTRY's value, of which OUT is the member. 0, or -1 with a fault told. */
typedef int field_fn(struct source *source, const struct node_entry *entry, void *out);

/* The initialisers of a field that HOOK reads. */
#define FIELD_BY(key_, struct_, member_, hook_) .key = (key_), .offset = offsetof(struct_, member_), .yaml = (hook_)

/*
 * Parse MAPPING into OUT, in the order of the table, so that a field may rest on one before it; whether it has one_of
 * its keys is asked when they are right. 0, or -1 when there was any fault.
 */
int fields_parse(struct source *source, const struct node *mapping, const struct fields *fields, void *out);

/*
 * Parse each entry of LIST, which has 1 to MAX of them: WHAT, for faults. An entry with a `name` is
 * told under it. 0, or -1 when any failed.
 */
int fields_each(struct source *source, const struct node *list, const char *what, size_t max, field_fn *parse,
		void *out);

/* The files that people write, and what is part of more than one table. */
extern const struct fields scenario_fields, config_fields, calibration_fields, service_fields, measure_fields, profile_fields;

field_fn services_parse;	/* struct scenario: a list of services */

/* The longest text of a command or a value, and the longest name, in bytes. */
enum { VALUE_TEXT_MAX = 64 << 10, NAME_LONGEST = 100 };

/* The text of NODE, borrowed, or NULL with a fault "expected EXPECTED, found ...". */
const char *value_text(struct source *source, const struct node *node, const char *expected);
/* on, off, true, false, yes, no. */
int value_bool(struct source *source, const struct node *node, bool *out);

/* A name that may become a file's: letters, digits, . _ -, not starting with a dot, at most 100. */
bool scenario_name_valid(const char *name);

/* The value of ENTRY by FIELD's type, to its MEMBER. 0, or -1 with a fault told. */
int value_read(struct source *source, const struct field *field, const struct node_entry *entry, void *member);

field_fn value_regex;		/* char *: text with names that regex_compile() takes once they are replaced */
field_fn value_command;		/* struct command */
field_fn value_variables;	/* struct strv: a list of names of environment variables */
field_fn value_environment;	/* struct strv: a mapping as NAME=VALUE */

/* Initialisers of fields that several mappings have. */
#define COMMAND(key_, struct_, member_) FIELD_BY(key_, struct_, member_, value_command), .definition = "command"
#define ENVIRONMENT(key_, struct_, member_) \
	FIELD_BY(key_, struct_, member_, value_environment), .definition = "environment"
#define REGEX(key_, struct_, member_) \
	FIELD_AS(key_, struct_, member_), .names = true, .yaml = value_regex, \
	.schema = "{'type': ['string', 'number'], 'minLength': 1, 'maxLength': 1000}"
#define NAME_PATTERN "^[A-Za-z0-9_-][A-Za-z0-9._-]*$"
#define NAME(key_, struct_, member_) \
	FIELD_AS(key_, struct_, member_), .pattern = NAME_PATTERN, .max = NAME_LONGEST, \
	.expected = "a name of at most 100 letters, digits, '.', '_' or '-' that does not start with '.'"
#define USER(key_, struct_, member_) \
	FIELD_AS(key_, struct_, member_), .pattern = "^[A-Za-z0-9._][A-Za-z0-9._-]*$", .expected = "the name of a user"
#define UNIT(key_, struct_, member_) \
	FIELD_AS(key_, struct_, member_), .pattern = "^[A-Za-z0-9/%_-]+$", .max = 24, \
	.expected = "a short word such as ms, MiB or request"
#define SWITCH_SCHEMA "{'enum': ['on', 'off', 'true', 'false', 'yes', 'no', true, false]}"
#define SHARE_POINTS "{'type': 'string', 'pattern': '^[+]?[0-9.]+([eE][+-]?[0-9]+)?pp$'}"

#endif
