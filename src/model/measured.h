/*
 * One execution of a target as it was measured, and its way into a result: raw numbers become a
 * row of metric values, derived metrics are computed, what is missing stays NaN.
 */
#ifndef PAWL_MODEL_MEASURED_H
#define PAWL_MODEL_MEASURED_H

#include "model/result.h"

/* A figure of the run's output; NaN when it did not occur. */
struct measured_figure {
	const struct metric *metric;
	double value;
};

struct measured {
	double wall_ms, user_ms, system_ms, cpu_ms;
	double max_rss_bytes, page_faults, major_faults;
	double voluntary_switches, involuntary_switches;
	double work;			/* 0: unknown; then neither throughput nor values per unit of work */
	struct measured_figure *figures;
	size_t n_figures;
	struct perf_rows rows;
	bool hasty;			/* the load told a rate, and ended so early that its start and end weigh in it */
	bool unwaited;			/* processes ended that nobody waited for: what the kernel tells of the run is NaN */
	char *dropped;			/* why this run must not be counted; NULL: it counts */
};

void measured_release(struct measured *measured);

/*
 * Compare perf's task-clock with KERNEL_MS, the CPU time the kernel charged to what perf counted, once the other values
 * are there. Where both cannot be of one run, the run is dropped (perf told too little) or unwaited (the kernel did).
 * SLACK_MS is how far apart the two were read, STOLEN_MS what the hypervisor took, which only perf counts.
 */
void measured_check(struct measured *measured, double kernel_ms, double slack_ms, double stolen_ms);

/* Append the run, taking over the rows. EVENTS are the perf events that were asked for. */
void measured_store(struct measured *measured, const struct strv *events, unsigned pass,
		    struct scenario_result *result);

/* Set one value of a run by metric name; derived metrics follow with measured_derive(). */
void measured_set(struct scenario_result *result, struct run *run, const char *metric, double value);
void measured_derive(struct scenario_result *result, struct run *run);

#endif
