/* One side of a scenario, alone or in pairs, before and while it is measured. Also all scenarios on one side. */
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

struct error;
struct loop;
struct machine;
struct profile;
struct project;
struct scenario_result;
struct script;
struct session;
struct side_result;

/* Fills OUT from the scenario's file: settings, gates, metrics of its own. */
void setup_describe(const struct scenario *scenario, struct scenario_result *out);
/* The same for one side in pairs: the meaning of its runs, without limits. */
void setup_describe_side(const struct scenario *scenario, struct side_result *out);
/* Marks OUT as failed, with the reason. */
void setup_fail(struct side_result *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns 0, or -1 after failing OUT if a program of `requires:` is not installed. ROOT is its working folder. */
int setup_need_programs(const struct scenario *scenario, const char *root, struct side_result *out);

/* The waits of a side's threads, over all recordings. */
struct waits {
	struct stacks stacks;		/* of OFFCPU_WAITING, one run per recording kept */
	unsigned recorded, kept, lost;	/* numbers of recordings; lost: perf lost records of them */
	bool refused;			/* recording does not work here; a note says why */
};

void waits_release(struct waits *waits);

/*
 * One side of a scenario, alone or in pairs: what runs there, how it is run, and its profile.
 *
 *	scenario, root, result, out, tmp -> side_begin() -> side_plan() -> sides_loop() ... loop_profile() -> side_profiled()
 *	-> loop_free() -> side_end()
 */
struct measured_side {
	const struct scenario *scenario;
	const char *root;		/* working folder of its commands; absolute */
	struct side_result *result;
	char *out, *tmp;		/* ${out} and ${tmp}, on the heap */
	struct plan plan;
	bool planned;
	struct system system;
	struct stacks reading;		/* of the profiled run that SCRIPT reads */
	struct script *script;
	struct stacks stacks;		/* of all n_profiled runs */
	unsigned n_profiled;
	struct stacks pruned;		/* the same, pruned for comparison; empty without a profile */
	struct waits waits;		/* for waits_release() */
	struct profile_settings profile;	/* the scenario's, with the duration of side_profile_within() */
	bool kinds_taken;		/* profiles of other kinds were taken, as far as possible */
};

/* SIDE, SESSION and PROGRESS must not move. */
void side_begin(struct measured_side *side, struct session *session, struct progress *progress);
/* Makes the side's folders and plan. NAMES resolves ports and places; the rest of it is filled in. */
int side_plan(struct measured_side *side, struct plan_context names, struct error *err);
/* Returns the loop over N (1 or 2) planned sides. Fills in the OPTIONS that the scenario and the machine decide. */
struct loop *sides_loop(struct measured_side *sides, unsigned n, const struct loop_options *options);
/*
 * True if SCENARIO is to be profiled. Otherwise OUT's profile gets a warning with the reason, for gates that rest on
 * it.
 */
bool profiling_wanted(const struct scenario *scenario, bool no_profile, const struct machine *machine, struct side_result *out);
/* Limits the side's profile, all its kinds together, to LIMIT_NS. False, with the reason in the profile: too little. */
bool side_profile_within(struct measured_side *side, uint64_t limit_ns);
/* Samples at the first look. Each further look has twice as many. */
enum { PROFILE_FIRST_LOOK = 9000 };
/* Builds a profile from what was recorded so far. OUT must be empty. */
void side_profile_so_far(struct measured_side *side, struct profile *out);
/*
 * Turns what was recorded into the result's profile and the pruned one, and writes stacks.folded, flamegraph.svg and
 * top.md next to perf.data. Does nothing without a recording. Errors become notes.
 */
void side_profiled(struct measured_side *side);
/* Releases all but `pruned`, which needs stacks_release(), and `waits`. */
void side_end(struct measured_side *side, bool keep_tmp);

/*
 * Measures the selected scenarios into a result. A scenario that fails does not stop the others. An interrupt ends
 * all, and what was measured stays in the result.
 */
struct run_all {
	struct lifecycle run;
	struct stacks *pruned;	/* pruned profiles of the result's scenarios; empty without a profile */
	struct kept_env kept;
	uint64_t *spent_ns;	/* spent budget of each of the result's scenarios */
	char *kept_file;	/* value of PAWL_KEPT that attaches to it, or NULL */
	bool to_compare;	/* profiles are only as large as gates on symbols need; else other runs may compare with them */
};

/* Runs lifecycle_begin() to lifecycle_watched(). Returns 0, or -1 if nothing could be measured. Judges no gate. */
int run_all_measure(struct run_all *all, struct project *project, struct error *err);
void run_all_release(struct run_all *all);

#endif
