/*
 * The scenarios that a command works on: the files that its arguments, --tag and --shard select, read from what judges. Also
 * what all scenarios of the project have in common.
 *
 *	project_open() -> project_select() -> project->scenarios
 */
#ifndef PAWL_JOB_SELECT_H
#define PAWL_JOB_SELECT_H

#include <stdbool.h>

struct arena;
struct error;
struct file_source;
struct project;
struct request;
struct scenario;
struct strbuf;
struct strv;

/*
 * The scenarios that ARGS (paths and names; empty: all) and --tag select. -1 with an ERR_INPUT when any is invalid:
 * project->diags holds the faults.
 */
int project_select(struct project *project, const struct strv *args, struct error *err);
/* The one of those selected that is called NAME, or NULL. */
const struct scenario *project_scenario(const struct project *project, const char *name);
/* Whether there is a scenario called NAME, faulty ones included. */
int project_has_scenario(struct project *project, const char *name, bool *out, struct error *err);
/* What SCENARIO, one of those selected, was read from; appended. */
int project_scenario_text(struct project *project, const struct scenario *scenario, struct strbuf *out,
			  struct error *err);
/* The names of all scenarios of the project at ROOT that have no faults; -1 when it cannot be read. */
int project_names(struct request *request, const char *root, struct strv *out);
/* Every selected scenario asks for simulated counters: no perf is needed. */
bool project_only_simulated(const struct project *project);
/*
 * --gates, or how many gates are judged in pairs, over all scenarios of the project and the selected ones beyond
 * them: they share the error of a comparison in pairs. A file that is faulty or cannot be read counts for none, as a
 * new note of NOTES says.
 */
unsigned project_paired_gates(struct project *project, struct arena *arena, struct strv *notes);
/* What was given as --floor; -1 with an ERR_INPUT when it is no percentage that a floor can be. */
int floor_read(const char *floor, double *floor_pct, struct error *err);
/* --floor, where it is given, instead of the floor of all those selected; -1 with an ERR_INPUT when it is no percentage. */
int project_take_floor(struct project *project, struct error *err);
/* Notes what of the files that judge differs in BASE, called SHOWN; the tree's own judge all the same. After project_select(). */
int project_note_edits(struct project *project, struct file_source *base, const char *shown, struct error *err);

#endif
