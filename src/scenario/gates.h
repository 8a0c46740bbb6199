/*
 * gates: of a scenario and of pawl.yaml. Gates are laid over those that are there already: the
 * same metric is replaced, `off` takes it away, and the built-in gates go when another is set; symbols: and
 * budgets: stand beside them.
 */
#ifndef PAWL_SCENARIO_GATES_H
#define PAWL_SCENARIO_GATES_H

#include "scenario/scenario.h"
#include "scenario/yaml.h"

struct fields;

void gates_init(struct arena *arena, struct gates *out);		/* the built-in ones */
/* All of it in ARENA. Copies lose their places, which belong to another file. */
void gates_copy(struct arena *arena, struct gates *out, const struct gates *from);

/* Metrics that gates may name beside the catalogue's. */
struct gate_names {
	const struct strv *events;
	const struct printed_metric *printed;
	size_t n_printed;
	bool work;	/* a load tells how much it did, or it is not known whether one does */
};

/* Of the built-in gates, those on windows: what memory a service touches in one is chance. */
void gates_settle_attached(struct gates *gates);

/* Before a scenario's NODE is laid over GATES: one that has a gate on a metric of its own does without the built-in ones. */
void gates_drop_builtin(const struct node *node, struct gates *gates);

/* Lay the mapping NODE over GATES. 0, or -1 with faults; GATES may be changed in part then. */
int gates_parse(struct source *source, const struct node *node, const struct gate_names *names, struct gates *gates);

/*
 * Of a scenario that takes no profile: there is nothing to judge shares by. Gates of this file are faults, those of
 * others go. 0, or -1 with faults.
 */
int gates_drop_shares(struct source *source, struct gates *gates);
/* Take away the gates that only a load with work: can have. */
void gates_drop_work(struct gates *gates);
/* True for a key of gates: that is no metric. */
bool gates_word(const char *key);
/* The metric of that name that one of GATES is on, or NULL. */
const struct metric *gates_find_metric(const struct gates *gates, const char *name);

/*
 * What the schemas of scenarios and of pawl.yaml refer to: gates with every metric of the catalogue, commands, ...; in
 * ARENA. PRINTED: there may be metrics of metrics:, whichever way is better.
 */
const struct fields *gates_definitions(struct arena *arena, bool printed);

/*
 * gates.budgets: the most that symbols or files may have of a profile. Those of a scenario replace those of pawl.yaml as
 * a whole, an empty list takes them away.
 */

enum { SHARE_BUDGETS_MAX = 64, SHARE_GLOB_LONGEST = 1000 };

#endif
