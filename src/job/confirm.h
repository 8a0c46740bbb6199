/*
 * Confirms times that stored runs flagged: measures them again, in pairs, against the base built on this machine.
 *
 * The base is the commit that baselines are read from (--judge), else the commit that the scenario's baseline was
 * measured at. It is built only if pawl.yaml has `build:`. The head is the tree of the stored runs and is not built
 * again. Without a base, a note of the scenario says what is missing.
 */
#ifndef PAWL_JOB_CONFIRM_H
#define PAWL_JOB_CONFIRM_H

struct error;
struct machine;
struct project;
struct run_all;

/*
 * Finds the base of SCENARIO: the commit that PROJECT's baselines are read from, else the
 * commit that its baseline for MACHINE was measured at. OUT is the full commit, for free(). Returns -1 with what is
 * missing.
 */
int confirm_commit(struct project *project, const char *scenario, const struct machine *machine, char **out,
		   struct error *err);
/*
 * Replaces the verdicts of flagged gates, and settles the result. Call after verdicts_stored(), while the session is
 * open. Failures become notes. Files go to OUT/confirm/NAME/.
 */
void confirm_flagged(struct run_all *all, struct project *project);

#endif
