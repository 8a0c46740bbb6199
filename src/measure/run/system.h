/* The run loop's operations on real processes. */
#ifndef PAWL_MEASURE_RUN_SYSTEM_H
#define PAWL_MEASURE_RUN_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "measure/tools/valgrind.h"
#include "measure/run/loop.h"
#include "measure/run/profile_runs.h"
#include "measure/tools/record.h"
#include "measure/process/output.h"
#include "measure/services/attach.h"
#include "measure/services/env.h"
#include "model/profile.h"

struct strace_text;
struct strace_wish;

struct system;

/* Collects the evidence of N sides for struct loop_ops. cmd/ binds it to the reader. */
struct evidence_wish {
	int (*take)(void *ctx, struct system *const systems[], unsigned n, struct error *err);
	void *ctx;
};

/* Takes profiles other than CPU time, in the same way. A failure is a note of RESULT. -1: interrupted. */
struct kinds_wish {
	int (*take)(void *ctx, struct system *system, struct side_result *result, struct error *err);
	void *ctx;
};

/* The target's output in two runs that are not counted, so that reading it disturbs no measurement. */
struct printed {
	struct lines runs[2];
	unsigned n;
};

struct system {
	struct session *session;
	struct env env;
	struct attached attached;	/* label NULL: the target is a service or a command */
	bool keep_env;		/* leave the environment up */
	struct kept_env kept;
	bool echo;		/* print the target's output on standard error, run by run */
	uint64_t window_ns;	/* see loop_ops.shorten */
	const char *log_dir;	/* keeps setup.log, target.log, ...; NULL: no logs */
	struct simulation simulation;	/* if loop_options.simulate is set */
	struct profile_wish profile;	/* if loop_options.profile is set */
	struct profile_taken taken;	/* its result; event NULL: no samples */
	struct kinds_wish kinds;	/* take NULL: none */
	struct kinds_wish waits;	/* for struct loop_ops; take NULL: not wanted */
	struct evidence_wish evidence;	/* take NULL: not wanted */
	struct evidence_wish loads;	/* for loop_ops.loads; take NULL: not wanted */
	struct printed *printed;	/* gets the target's output; NULL: not wanted */
	struct strbuf words;	/* the end of the last output */
	struct strbuf target;	/* the end of the target's last output */
	struct own_metrics benchmarks;	/* of the target's harness, as far as seen */
	double longest_ms;	/* the longest of their values */
	bool older;		/* the harness's program is of an older version, see plan.older */
	void (*progress)(void *ctx, const struct loop_progress *progress);
	void *progress_ctx;
};

struct loop_ops system_ops(struct system *system);

/* Records the target. The environment must be up. Samples of threads called KEEPER_NAME belong to pawl itself. */
int system_record(struct system *system, const struct record_wish *wish, struct error *err);
/* Traces a running target with strace for one window, while its load runs. WORK_OUT gets the load's work; 0: not reported. */
int system_trace(struct system *system, const struct strace_wish *wish, struct strace_text *out, double *work_out, struct error *err);
/* Describes the next execution of each of N systems that are up, prepared, for tool_run(). ERR_SYSTEM if a target runs already. */
int system_specs(struct system *const systems[], unsigned n, struct target_spec *specs, struct error *err);
/* Returns where the output of the next run that is not counted goes; NULL: not wanted. Call the second after the run. */
struct lines *system_printed(const struct system *system);
void system_printed_end(struct system *system, bool complete);
/* Writes the last output to target.log or load.log, and frees SYSTEM's memory. */
void system_finish(struct system *system);

#endif
