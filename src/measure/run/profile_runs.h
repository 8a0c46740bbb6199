/*
 * The profiled runs of a scenario, after its counted ones. Each is one perf recording of one or many executions of the
 * target, or windows. Several are taken, because their spread shows how reliable one is: until three together have the
 * samples that the scenario wants, or its duration is over; one, if the pace shows that nothing could be judged.
 */
#ifndef PAWL_MEASURE_RUN_PROFILE_RUNS_H
#define PAWL_MEASURE_RUN_PROFILE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/tools/record.h"
#include "model/profile.h"

struct profile_settings;
struct session;

struct profile_wish {
	const struct profile_settings *settings;
	bool cut;			/* the budget left less than the scenario's profile.duration */
	unsigned samples;		/* enough for now, instead of the settings' number; 0: all */
	struct profile_sink sink;
	const char *dir;		/* keeps perf.data, perf-2.data, ... */
};

/* CPU time of each execution, in milliseconds; of a window per unit of work, or per millisecond if no work is reported. */
struct cpu_times {
	double *ms;
	size_t n, cap;
};

void cpu_times_add(struct cpu_times *times, double ms);

/* The results of all calls together. { 0 } before the first. */
struct profile_taken {
	/* The values used, which may differ from the requested ones. A note tells the reason. */
	const char *event;		/* perf's event; NULL: no samples were taken */
	unsigned frequency;
	enum call_graph call_graph;
	unsigned runs;
	uint64_t samples;
	double execution_ms;		/* CPU time of one execution; NaN: windows */
	double overhead_pct;		/* additional CPU time of an execution, relative to the counted ones; NaN:
					 * unknown */

	/* for the next call */
	struct cpu_times times;
	uint64_t spent_ns;		/* on recording, without reading and without the start and end of a load */
	uint64_t recorded_ns;		/* on recording with all its overhead */
	bool noted;			/* few samples were noted */
};

void profile_taken_release(struct profile_taken *taken);

/* Limits of one run. */
struct record_quota {
	double cpu_ms;			/* no further execution or window begins after this CPU time */
	unsigned executions;		/* or after this number; 0: any number */
	uint64_t until_ns;		/* or at this time; the first always begins */
	uint64_t window_ns;		/* or, for windows, this long after the first began */
};

struct profile_ops {
	void *ctx;
	/* Records the target as SPEC describes. SPENT_NS is its share of the duration. */
	int (*record)(void *ctx, const struct record_spec *spec, const struct record_quota *quota, struct cpu_times *out,
		      uint64_t *spent_ns, struct error *err);
	void (*progress)(void *ctx, unsigned run, unsigned of);
};

/*
 * Continues from TAKEN until it has the samples that WISH requests, or no more are available. COUNTED holds the counted
 * runs and gets notes. -1 if the profile failed: the sink's data must not be used.
 */
int profile_runs_take(struct session *session, const struct profile_wish *wish, const struct profile_ops *ops,
		      struct side_result *counted, struct profile_taken *taken, struct error *err);

#endif
