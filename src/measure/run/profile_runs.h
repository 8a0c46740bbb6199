/*
 * The profiled runs of a scenario, which come after its counted ones and never share a run with counters. Each is one
 * recording of perf's, of one execution of the target or of many short ones, or of one or more windows; its text goes to a
 * sink as soon as it is complete. Several, so that their spread shows how far one is to be trusted.
 *
 * Enough is what the scenario wants of samples, in three runs; or one run, when its pace shows that the duration
 * gives too few to judge anything by. No run, and no further execution, is begun once the scenario's duration is
 * spent. One that takes longer is still recorded to its end.
 */
#ifndef PAWL_MEASURE_RUN_PROFILE_RUNS_H
#define PAWL_MEASURE_RUN_PROFILE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/perf/perf.h"
#include "model/profile.h"

struct error;
struct profile_settings;
struct session;
struct side_result;

/* Where the text of `perf script` goes; cmd/ binds it to profile/. */
struct profile_sink {
	void *ctx;
	/* A run's text begins. */
	int (*begin)(void *ctx, struct error *err);
	script_feed_fn *feed;
	/* It is complete; how many samples it had. One without any may be forgotten. */
	int (*end)(void *ctx, uint64_t *samples_out, struct error *err);
};

struct profile_wish {
	const struct profile_settings *settings;
	unsigned samples;		/* so many will do for now, of those of the settings; 0: all */
	struct profile_sink sink;
	const char *dir;		/* perf.data, perf-2.data, ... are left there */
};

/*
 * CPU time: of each execution, in milliseconds; of each window, per unit of work, or, where no work is reported, per
 * millisecond of it.
 */
struct cpu_times {
	double *ms;
	size_t n, cap;
};

void cpu_times_add(struct cpu_times *times, double ms);

/* What was taken, by all calls together; { 0 } before the first. */
struct profile_taken {
	/* What was used, which need not be what was wished: what was not to be had is a note. */
	const char *event;		/* as perf was asked for it; NULL: nothing was taken */
	unsigned frequency;
	enum call_graph call_graph;
	unsigned runs;
	uint64_t samples;
	double execution_ms;		/* CPU time of one execution; NaN: they were windows */
	double overhead_pct;		/* by how much an execution took more CPU time than the counted ones; NaN unknown */

	/* where another call goes on */
	struct cpu_times times;
	uint64_t spent_ns;		/* on recording; reading takes its own time, and so does a load's start and end */
	uint64_t recorded_ns;		/* on recording with all that goes with it */
	bool noted;			/* that it stays with few */
};

void profile_taken_release(struct profile_taken *taken);

/* How much one run is to record. */
struct record_quota {
	double cpu_ms;			/* begin no further execution, or window, once so much CPU time was used */
	unsigned executions;		/* or once there were so many of them; 0: any number */
	uint64_t until_ns;		/* or once it is so late; the first is always begun */
	uint64_t window_ns;		/* or, of windows, once so much time has passed since the first began */
};

struct profile_ops {
	void *ctx;
	/*
	 * One recording of the target as SPEC says. SPENT_NS is what it takes of the duration: all of it, but of windows
	 * from the first one's begin to the last one's end.
	 */
	int (*record)(void *ctx, const struct record_spec *spec, const struct record_quota *quota, struct cpu_times *out,
		      uint64_t *spent_ns, struct error *err);
	void (*progress)(void *ctx, unsigned run, unsigned of);
};

/*
 * Goes on from what TAKEN has until there are as many samples as WISH has, or until more are not to be had. COUNTED has the
 * counted runs; notes on how the profile was taken go to it. -1: there is no profile, TAKEN says so, and what the sink was
 * given is not to be used.
 */
int profile_runs_take(struct session *session, const struct profile_wish *wish, const struct profile_ops *ops,
		      struct side_result *counted, struct profile_taken *taken, struct error *err);

#endif
