/*
 * The scenarios that a command works on: the files that its arguments, --tag and --shard select, read from the
 * judging source. Also facts about all scenarios of the project.
 *
 *	project_open() -> project_select() -> project->scenarios
 */
#ifndef PAWL_JOB_PROJECT_SELECT_H
#define PAWL_JOB_PROJECT_SELECT_H

#include <stdbool.h>

struct arena;
struct error;
struct file_source;
struct project;
struct request;
struct scenario;
struct strv;

/*
 * Selects the scenarios that ARGS (paths and names; empty: all) and --tag name. Returns -1 with an ERR_INPUT if any
 * is invalid; project->diags then holds the faults.
 */
int project_select(struct project *project, const struct strv *args, struct error *err);
/* Returns the selected scenario NAME, or NULL. */
const struct scenario *project_scenario(const struct project *project, const char *name);
/* Appends the names of all valid scenarios of the project at ROOT. Returns -1 if it cannot be read. */
int project_names(struct request *request, const char *root, struct strv *out);
/* True if every selected scenario asks for simulated counters, which need no perf. */
bool project_only_simulated(const struct project *project);
/*
 * Returns the number of gates judged in pairs over all scenarios of the project and others that are selected. These gates
 * share the error of a comparison in pairs. A faulty or unreadable file does not count, and adds a note to NOTES.
 */
unsigned project_paired_gates(struct project *project, struct arena *arena, struct strv *notes);
/* Notes which judging files differ in BASE, called SHOWN. The tree's own still judge. Call after project_select(). */
int project_note_edits(struct project *project, struct file_source *base, const char *shown, struct error *err);

#endif
