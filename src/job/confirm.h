/*
 * Confirms times that stored runs flagged, in pairs. The base is the build that the baseline accepted, else the
 * commit of --judge, else the one that the baseline was measured at, built if pawl.yaml has `build:`. The head is the
 * tree of the stored runs, not built again.
 */
#ifndef PAWL_JOB_CONFIRM_H
#define PAWL_JOB_CONFIRM_H

struct project;
struct run_all;

/*
 * Replaces the verdicts of flagged gates and settles the result. Call after verdicts_stored(), while the session is
 * open. Failures, and a missing base, become notes. Files go to OUT/confirm/NAME/.
 */
void confirm_flagged(struct run_all *all, struct project *project);

#endif
