/*
 * gates: of a scenario and of pawl.yaml. Gates are laid over those that are there already: the
 * same metric is replaced, `off` takes it away, and the built-in gates go when another is set.
 */
#ifndef PAWL_SCENARIO_GATES_H
#define PAWL_SCENARIO_GATES_H

#include "scenario/node.h"
#include "scenario/scenario.h"

void gates_init(struct gates *gates);		/* the built-in ones */
void gates_release(struct gates *gates);
/* Copies lose their places, which belong to another file. */
void gates_copy(struct gates *out, const struct gates *from);

/*
 * Lay the mapping NODE over GATES. EVENTS are metrics beside the catalogue's.
 * 0, or -1 with faults; GATES may be changed in part then.
 */
int gates_parse(struct source *source, const struct node *node, const struct strv *events, struct gates *gates);

/*
 * One gate from its value: a tolerance, `default`, or a mapping (gate_fields of fields.h).
 * GATE has its metric and place; 0, or -1 with faults.
 */
int gate_parse(struct source *source, const struct node_entry *entry, struct gate *gate);
/* True for the value that takes a gate away. */
bool gate_is_off(const struct node *node);

#endif
