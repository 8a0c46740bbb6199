/* A scenario before it is measured, alone or in pairs. */
#ifndef PAWL_JOB_RUNS_H
#define PAWL_JOB_RUNS_H

#include <stdbool.h>

#include "job/lifecycle.h"
#include "measure/perf/session.h"
#include "measure/run/loop.h"
#include "measure/run/system.h"
#include "measure/services/env.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"

struct budget;
struct error;
struct loop;
struct machine;
struct profile;
struct project;
struct scenario_result;
struct script;
struct session;
struct side_result;

/* Fills OUT with all that the scenario's file says of it: settings, gates, metrics of its own. */
void setup_describe(const struct scenario *scenario, struct scenario_result *out);
/* The same of one side of a comparison in pairs: what its runs mean, without what is tolerated. */
void setup_describe_side(const struct scenario *scenario, struct side_result *out);
/* It could not be measured, and why. */
void setup_fail(struct side_result *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* 0, or -1 after failing OUT with the first of `requires:` that is not installed; ROOT is its working folder. */
int setup_need_programs(const struct scenario *scenario, const char *root, struct side_result *out);

/* What threads of a side waited for, in one recording after the other. */
struct waits {
	struct stacks stacks;		/* of OFFCPU_WAITING, a run for each that was kept */
	unsigned recorded, kept, lost;	/* recordings; lost: of which perf lost records */
	bool refused;			/* they cannot be had: a note says why */
};

void waits_release(struct waits *waits);

/*
 * One side of a scenario that is measured, alone or beside another: what runs there, what it does to the system,
 * what its profile became.
 *
 *	scenario, root, result, out, tmp -> side_begin() -> side_plan() -> sides_loop() ... loop_profile() -> side_profiled()
 *	-> loop_free() -> side_end()
 */
struct measured_side {
	const struct scenario *scenario;
	const char *root;		/* what its commands work in; absolute */
	struct side_result *result;
	char *out, *tmp;		/* ${out} and ${tmp}, on the heap */
	struct plan plan;
	bool planned;
	struct system system;
	struct stacks reading;		/* of the profiled run that SCRIPT reads */
	struct script *script;
	struct stacks stacks;		/* those that were read, of n_profiled runs */
	unsigned n_profiled;
	struct stacks pruned;		/* what is left of them to be compared; empty: there is no profile */
	struct waits waits;		/* for waits_release() */
	struct profile_settings profile;	/* the scenario's, with what time it has: see side_profile_within() */
	bool kinds_taken;		/* profiles of other kinds, or as many of them as could be had */
};

/* SIDE, SESSION and PROGRESS must stay where they are. */
void side_begin(struct measured_side *side, struct session *session, struct progress *progress);
/* Makes its folders and its plan; NAMES says what ports and places mean, the rest is filled in. */
int side_plan(struct measured_side *side, struct plan_context names, struct error *err);
/* The loop over N (1 or 2) sides that are planned; what the scenario and the machine say of OPTIONS is filled in. */
struct loop *sides_loop(struct measured_side *sides, unsigned n, const struct loop_options *options);
/* Is SCENARIO to be profiled? When not, OUT's profile gets a warning that says why, for the gates that rest on it. */
bool profiling_wanted(const struct scenario *scenario, bool no_profile, const struct machine *machine, struct side_result *out);
/* Its profile ends with its part of PARTS of the budget, if not before. */
void side_profile_within(struct measured_side *side, const struct budget *budget, unsigned parts);
/* How many samples are looked at first, then twice as many, and so on. */
enum { PROFILE_FIRST_LOOK = 9000 };
/* What was recorded so far as a profile, which OUT becomes; it is empty. */
void side_profile_so_far(struct measured_side *side, struct profile *out);
/*
 * What was recorded becomes the result's profile, the pruned one, and perf.data's neighbours stacks.folded,
 * flamegraph.svg and top.md. Nothing happens when nothing was recorded; what goes wrong is a note.
 */
void side_profiled(struct measured_side *side);
/* Ends all but `pruned`, which is for stacks_release(), and `waits`. */
void side_end(struct measured_side *side, bool keep_tmp);

/*
 * Measuring a selection of scenarios into a result. A scenario that fails does not keep the others from running; an
 * interrupt ends all, and what was measured stays in the result.
 */
struct run_all {
	struct lifecycle run;
	struct stacks *pruned;	/* profiles of the result's scenarios, pruned to be compared; empty where there is none */
	struct kept_env kept;
	uint64_t *spent_ns;	/* of the budget of each of the result's scenarios */
	char *kept_file;	/* what PAWL_KEPT names when it is attached to, or NULL */
	bool to_compare;	/* profiles need be no larger than gates on symbols ask for; else others may be compared with them */
};

/*
 * From lifecycle_begin() to lifecycle_watched(): 0, or -1 when nothing could be measured at all. REFUSE_BUSY: not on
 * a machine that is busy already. Gates are added, not judged.
 */
int run_all_measure(struct run_all *all, struct project *project, bool refuse_busy, struct error *err);
void run_all_release(struct run_all *all);

#endif
