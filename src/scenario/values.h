/*
 * Field functions for the kinds of value that several mappings share. What they make lives in the source's arena.
 */
#ifndef PAWL_SCENARIO_VALUES_H
#define PAWL_SCENARIO_VALUES_H

#include "scenario/fields.h"

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
