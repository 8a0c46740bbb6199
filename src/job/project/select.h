/* The scenarios that a command works on: project_open() -> project_select() -> project->scenarios */
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

/* Those that ARGS (paths and names; empty: all) and --tag name. -1 if any is invalid; project->diags has the faults. */
int project_select(struct project *project, const struct strv *args, struct error *err);
/* Returns the selected scenario NAME, or NULL. */
const struct scenario *project_scenario(const struct project *project, const char *name);
/* Appends the names of all valid scenarios of the project at ROOT. Returns -1 if it cannot be read. */
int project_names(struct request *request, const char *root, struct strv *out);
/* True if every selected scenario asks for simulated counters, which need no perf. */
bool project_only_simulated(const struct project *project);
/* The number of gates judged in pairs over all of the project's scenarios, which share the error. */
unsigned project_paired_gates(struct project *project, struct arena *arena, struct strv *notes);
/* Notes which judging files differ in BASE, called SHOWN. The tree's own still judge. Call after project_select(). */
int project_note_edits(struct project *project, struct file_source *base, const char *shown, struct error *err);

#endif
