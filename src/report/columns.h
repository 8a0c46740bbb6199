/*
 * The columns of the table of gates.
 */
#ifndef PAWL_REPORT_COLUMNS_H
#define PAWL_REPORT_COLUMNS_H

struct arena;
struct document_table;
struct scenario_result;

/* The tables that reports have; NULL where there is no row. All in ARENA, or borrowed from SCENARIO. */

/*
 * Gates, and in pairs what else was measured. What a scenario's failure or an interrupt left unmeasured has no row,
 * since it would have no number; but for a reader of JUnit, to whom a case that vanishes looks like one that was
 * removed.
 */
const struct document_table *columns_of_gates(struct arena *arena, const struct scenario_result *scenario,
					      unsigned reader);
/* For a terminal: those gates alone to which the scenario owes its verdict, as many as are read at a glance. */
const struct document_table *columns_of_worst(struct arena *arena, const struct scenario_result *scenario);
/* The hottest symbols, and those that are judged badly, moved or gone. */
const struct document_table *columns_of_symbols(struct arena *arena, const struct scenario_result *scenario);

#endif
