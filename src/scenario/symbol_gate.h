/*
 * gates.symbols: by how much shares may rise. That of a scenario replaces that of pawl.yaml as a whole; gates on
 * metrics do not touch it.
 */
#ifndef PAWL_SCENARIO_SYMBOL_GATE_H
#define PAWL_SCENARIO_SYMBOL_GATE_H

#include "scenario/node.h"
#include "scenario/scenario.h"

enum { SYMBOL_GATE_TOP_MAX = 50 };

void symbol_gate_init(struct symbol_gate *gate);	/* the built-in one */
/* From points, `default`, `off`, or a mapping (symbol_gate_fields of fields.h). 0, or -1 with faults. */
int symbol_gate_parse(struct source *source, const struct node_entry *entry, struct symbol_gate *gate);

#endif
