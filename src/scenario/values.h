/*
 * Field functions for the kinds of value that several mappings share. Those that allocate free
 * what OUT held before, so that a value of pawl.yaml is replaced by the scenario's.
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

field_fn value_string;		/* char *: text that is not empty */
field_fn value_duration;	/* uint64_t: nanoseconds, more than none, at most a day */
field_fn value_words;		/* struct strv: one text, or a list of them */
field_fn value_switch;		/* bool */
field_fn value_command;		/* struct command */
field_fn value_environment;	/* struct strv: a mapping as NAME=VALUE */

#endif
