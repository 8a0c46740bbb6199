/* The JSON Schemas in share/, printed from the tables of fields by which the files are read (base/fields.h). */
#ifndef PAWL_STORE_SCHEMA_H
#define PAWL_STORE_SCHEMA_H

#include "base/fields.h"

enum schema_kind {
	SCHEMA_OPEN,	/* of JSON; objects may have other keys */
	SCHEMA_STRICT,	/* of JSON */
	SCHEMA_YAML,	/* of YAML, as scenario/values.h reads it: strict */
};

/*
 * A schema of draft 7 for what ROOT describes; for free(). DEFINITIONS, or NULL, are fields whose keys are the names
 * that field.definition refers to.
 */
char *schema_print(const struct fields *root, const struct fields *definitions, enum schema_kind kind);

#endif
