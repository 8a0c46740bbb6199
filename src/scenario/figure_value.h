/* A figure in a mapping: the fields regex and json, of which it has one. */
#ifndef PAWL_SCENARIO_FIGURE_VALUE_H
#define PAWL_SCENARIO_FIGURE_VALUE_H

#include "model/figure.h"
#include "scenario/fields.h"

field_fn figure_value_regex, figure_value_json;	/* char *: what figure_check() takes */

/* After the fields: MAPPING has exactly one of the two. 0, or -1 with a fault. */
int figure_value_check(struct source *source, const struct node *mapping);

#endif
