/*
 * Confirms times that stored runs flagged: measures them again, in pairs, against the base built on this machine.
 *
 * The base is the commit that baselines are read from (--judge), else the commit that the scenario's baseline was
 * measured at. It is built only if pawl.yaml has `build:`. The head is the tree of the stored runs and is not built
 * again. Without a base, a note of the scenario says what is missing.
 */
#ifndef PAWL_JOB_CONFIRM_H
#define PAWL_JOB_CONFIRM_H

struct project;
struct run_all;

/*
 * Replaces the verdicts of flagged gates, and settles the result. Call after verdicts_stored(), while the session is
 * open. Failures become notes. Files go to OUT/confirm/NAME/.
 */
void confirm_flagged(struct run_all *all, struct project *project);

#endif
