/* The tables of reports. */
#ifndef PAWL_REPORT_COLUMNS_H
#define PAWL_REPORT_COLUMNS_H

struct arena;
struct document_table;
struct scenario_result;

/* Tables of a report, or NULL if they have no rows. Memory belongs to ARENA or is borrowed from SCENARIO. */

/*
 * Gates, and with pairs the other metrics measured. Gates left unmeasured by a failure or an interrupt have no row.
 * Exception: JUnit keeps them, because a case that vanishes looks like one that was removed.
 */
const struct document_table *columns_of_gates(struct arena *arena, const struct scenario_result *scenario,
					      unsigned reader);
/* For a terminal: only the gates that decide the scenario's verdict, at most a handful. */
const struct document_table *columns_of_worst(struct arena *arena, const struct scenario_result *scenario);
/* The hottest symbols, and those that are judged badly, moved or gone. */
const struct document_table *columns_of_symbols(struct arena *arena, const struct scenario_result *scenario);

#endif
