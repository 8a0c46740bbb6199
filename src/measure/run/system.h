/*
 * The operations of the run loop on real processes.
 */
#ifndef PAWL_MEASURE_RUN_SYSTEM_H
#define PAWL_MEASURE_RUN_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "measure/perf/cachegrind.h"
#include "measure/run/loop.h"
#include "measure/run/profile_runs.h"
#include "measure/services/attach.h"
#include "measure/services/env.h"
#include "model/profile.h"

struct error;
struct session;
struct side_result;
struct strace_text;
struct strace_wish;
struct target_spec;

struct system;

/* What takes the evidence of N sides, which struct loop_ops asks for; cmd/ binds it to what reads it. */
struct evidence_wish {
	int (*take)(void *ctx, struct system *const systems[], unsigned n, struct error *err);
	void *ctx;
};

/* What takes profiles of other kinds than the CPU's time, likewise; what cannot be had is a note of RESULT. -1: interrupted. */
struct kinds_wish {
	int (*take)(void *ctx, struct system *system, struct side_result *result, struct error *err);
	void *ctx;
};

struct system {
	struct session *session;
	struct env env;
	struct attached attached;	/* label NULL: the target is a service, or a command */
	bool keep_env;		/* leave the environment up */
	struct kept_env kept;
	bool echo;		/* print what the target prints on standard error, run by run */
	uint64_t window_ns;	/* see loop_ops.shorten */
	const char *log_dir;	/* setup.log, target.log, ... are kept here; NULL: nowhere */
	struct simulation simulation;	/* where loop_options.simulate is set */
	struct profile_wish profile;	/* where loop_options.profile is set */
	struct profile_taken taken;	/* what came of it; event NULL: nothing */
	struct kinds_wish kinds;	/* take NULL: none */
	struct kinds_wish waits;	/* for struct loop_ops; take NULL: nobody wants to know */
	struct evidence_wish evidence;	/* take NULL: none is wanted */
	struct evidence_wish loads;	/* for loop_ops.loads, likewise */
	struct strbuf words;	/* the end of what was printed last */
	struct strbuf target;	/* and of what the target printed last */
	void (*progress)(void *ctx, const struct loop_progress *progress);
	void *progress_ctx;
};

struct loop_ops system_ops(struct system *system);

/*
 * One recording of the target, with whole call paths, for the search for a cause: shares only, so nothing of it is timed.
 * record_cpu() and its kin fill in all but the sink.
 */
struct record_wish {
	const char *event;		/* "cpu-clock", "page-faults:u" */
	unsigned frequency;		/* Hz; 0: by period */
	uint64_t period;		/* events a sample */
	unsigned samples;		/* by frequency: enough, as CPU time foresees */
	unsigned executions;		/* no more of them, or windows; 0: any number */
	uint64_t duration_ns;		/* begin no further execution after it */
	uint64_t limit_ns;		/* of recording and reading; reading has two thirds of it however long an execution took; 0: none, but 15 s for reading */
	enum call_graph call_graph;
	bool switches;			/* as of struct record_spec, and the next */
	unsigned stack_bytes;
	bool *cut;			/* as of struct recorded */
	struct profile_sink sink;
};

/* The environment stands. The sink's samples of threads called KEEPER_NAME are pawl's own. */
int system_record(struct system *system, const struct record_wish *wish, struct error *err);
/*
 * One window on a target that runs already under strace, of WISH's limit at the most, for which its load runs. What the load did
 * meanwhile goes to WORK_OUT; 0: it does not say. The environment stands. ERR_SYSTEM with what to do.
 */
int system_trace(struct system *system, const struct strace_wish *wish, struct strace_text *out, double *work_out, struct error *err);
/*
 * What the next execution of each of N systems is, its input prepared: for traced_run(), strace_run(). Environments stand; it holds
 * as long as they do. ERR_SYSTEM for a target that runs already.
 */
int system_specs(struct system *const systems[], unsigned n, struct target_spec *specs, struct error *err);
/*
 * Writes what the target printed to target.log, or what the load of an attached one did to load.log: it waits
 * until no measurement can be disturbed. Frees what is held.
 */
void system_finish(struct system *system);

#endif
