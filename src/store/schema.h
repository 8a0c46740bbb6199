/* The JSON Schemas in share/, printed from the tables of fields by which the files are read (base/fields.h). */
#ifndef PAWL_STORE_SCHEMA_H
#define PAWL_STORE_SCHEMA_H

#include "base/fields.h"

/*
 * A schema of draft 7 for what ROOT describes; for free(). STRICT: its objects have no other keys. DEFINITIONS, or NULL,
 * are fields whose keys are the names that field.definition refers to.
 */
char *schema_print(const struct fields *root, const struct fields *definitions, bool strict);

#endif
