/* One side of a scenario, alone or in pairs, before and while it is measured. Also all scenarios on one side. */
#ifndef PAWL_JOB_RUNS_H
#define PAWL_JOB_RUNS_H

#include <stdbool.h>

#include "job/lifecycle.h"
#include "job/recordings.h"
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
struct project;
struct scenario_result;
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

/*
 * One side of a scenario, alone or in pairs: what runs there, how it is run, and its profile.
 *
 *	scenario, root, result, out, tmp -> side_begin() -> side_plan() -> side_hasten() -> sides_loop() ...
 *	recordings_take() -> loop_free() -> side_end()
 */
struct measured_side {
	const struct scenario *scenario;
	const char *root;		/* working folder of its commands; absolute */
	struct side_result *result;
	char *out, *tmp;		/* ${out} and ${tmp}, on the heap */
	struct plan plan;
	bool planned;
	struct system system;
	struct recordings recorded;
};

/* SIDE, SESSION and PROGRESS must not move. */
void side_begin(struct measured_side *side, struct session *session, struct progress *progress);
/* Makes the side's folders and plan. NAMES resolves ports and places; the rest of it is filled in. */
int side_plan(struct measured_side *side, struct plan_context names, struct error *err);
/* Adds what shortens the runs of a harness to the target's environment, which must be complete. */
int side_hasten(struct measured_side *side, struct error *err);
/* Returns the loop over N (1 or 2) planned sides. Fills in the OPTIONS that the scenario and the machine decide. */
struct loop *sides_loop(struct measured_side *sides, unsigned n, const struct loop_options *options);
/*
 * Asks for the benchmarks of the next runs: all that N sides have seen, or ONLY those called so. Each gets an equal part
 * of WINDOW_NS of CPU time; some get no more than they need. FIXED: for the cause, with the same iterations on both sides
 * if the program can; returns their number, else 0.
 */
unsigned sides_ask(struct measured_side *sides, unsigned n, uint64_t window_ns, const struct strv *only, bool fixed);
/* Simulates what gates need of N sides, within what BUDGET leaves for measuring. */
int sides_simulate(struct loop *loop, struct measured_side *sides, unsigned n, struct budget *budget, struct error *err);
/* Releases all but the pruned stacks. */
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
