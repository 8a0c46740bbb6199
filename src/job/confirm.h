/*
 * Confirming: the times that stored runs flagged are measured again, in pairs, against the base built on this machine.
 *
 * The base is --base, --base-ref, the commit that baselines are read from (--baseline-ref), or else the commit that the
 * scenario's baseline was measured at: the first of these that is known. The last two are built only where pawl.yaml
 * says how (`build:`). The head is what the stored runs were of: it is not built again. Where no base can be had, a
 * note of the scenario says what it would take.
 */
#ifndef PAWL_JOB_CONFIRM_H
#define PAWL_JOB_CONFIRM_H

struct error;
struct machine;
struct project;
struct run_all;

/* --base, --base-ref and --floor of `run`: 0, or -1 with an ERR_INPUT. Before anything is measured. */
int confirm_check(struct project *project, struct error *err);
/*
 * The base of SCENARIO where no option names one: the commit that PROJECT's baselines are read from, else the one that its
 * baseline for MACHINE was measured at. Full, for free(); -1 with what is missing.
 */
int confirm_commit(struct project *project, const char *scenario, const struct machine *machine, char **out,
		   struct error *err);
/*
 * After verdicts_stored(), while the session is open: replaces the verdicts of flagged gates, and settles the result.
 * Failures are notes. Files go to OUT/confirm/NAME/.
 */
void confirm_flagged(struct run_all *all, struct project *project);

#endif
