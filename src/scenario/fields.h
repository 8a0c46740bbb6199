/*
 * Mappings to structs by tables: one const table a mapping names its keys, how each value is
 * parsed and where it goes. Unknown keys and missing ones are told alike everywhere, and one fault never hides another.
 */
#ifndef PAWL_SCENARIO_FIELDS_H
#define PAWL_SCENARIO_FIELDS_H

#include "scenario/node.h"

/* Parses ENTRY's value to OUT. 0, or -1 with a fault told. */
typedef int field_fn(struct source *source, const struct node_entry *entry, void *out);

struct fields;

struct field {
	const char *key;
	field_fn *parse;		/* called with the struct's address + offset */
	size_t offset;
	const struct fields *nested;	/* the keys of a mapping, parsed before `parse`, which may be NULL */
	const char *required;		/* what to add when the key is missing; NULL: it may be */
};

struct fields {
	const struct field *items;
	size_t n;
};

#define FIELDS(array) { (array), sizeof (array) / sizeof *(array) }

/*
 * Parse MAPPING into OUT, in the order of the table, so that a field may rest on one before it.
 * 0, or -1 when there was any fault.
 */
int fields_parse(struct source *source, const struct node *mapping, const struct fields *fields, void *out);

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
extern const struct fields scenario_fields, config_fields, measure_fields, gate_fields, service_fields, ready_fields,
	stop_fields, target_fields, load_fields, printed_fields, profile_fields, symbol_gate_fields, share_budget_fields,
	calibration_fields, calibration_entry_fields;

#endif
