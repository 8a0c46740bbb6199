/*
 * One execution of a target as it was measured, and its way into a result: raw numbers become a
 * row of metric values, derived metrics are computed, what is missing stays NaN.
 */
#ifndef PAWL_MODEL_MEASURED_H
#define PAWL_MODEL_MEASURED_H

#include "model/result.h"

/* A custom metric of the run's output; NaN when it did not occur. */
struct measured_custom {
	const struct metric *metric;
	double value;
};

struct measured {
	double wall_ms, user_ms, system_ms, cpu_ms;
	double max_rss_bytes, page_faults, major_faults;
	double resident_before_bytes, resident_bytes;	/* at a window's begin and end; 0 or NaN: unknown */
	double voluntary_switches, involuntary_switches;
	/* How long it took, and what it did, beside the other side of its pair; 0: it ran alone. `work` is what it did alone then. */
	double both_ms, both_work;
	double crowd;			/* part of the time it was at work with several threads of one process; where asked for */
	uint64_t touched;		/* what its processes were seen in beyond how they were started: bits of process_touched() */
	double work;			/* 0: unknown; then neither throughput nor values per unit of work */
	struct measured_custom *custom;
	size_t n_custom;
	struct perf_rows rows;
	bool hasty;			/* the load printed a rate, and ended so early that its start and end weigh in it */
	bool unwaited;			/* processes ended that nobody waited for: what the kernel counted of the run is NaN */
	char *dropped;			/* why this run must not be counted; NULL: it counts */
};

void measured_release(struct measured *measured);

/*
 * Compare perf's task-clock with KERNEL_MS, the CPU time the kernel charged to what perf counted, once the other values
 * are there. Where both cannot be of one run, the run is dropped (perf counted too little) or unwaited (the kernel did).
 * SLACK_MS is how far apart the two were read, STOLEN_MS what the hypervisor took, which only perf counts.
 */
void measured_check(struct measured *measured, double kernel_ms, double slack_ms, double stolen_ms);

/* Append the run, with copies of its rows. EVENTS are the perf events that were asked for. */
void measured_store(const struct measured *measured, const struct strv *events, unsigned group,
		    struct side_result *result);

/* Set one value of a run; quotients follow with measured_derive(). */
void measured_set(struct side_result *result, struct run *run, const struct metric *metric, double value);
void measured_derive(struct side_result *result, struct run *run);

/*
 * Several executions as one value: the runs of a batch, and the runs in which the groups of events were counted.
 * Peak memory is the largest; all else is the mean of one run, so that values read per run whatever the batch, and
 * quotients made of them are those of the sums.
 */

/*
 * N (at least 1) executions that counted the same events, into OUT, which holds nothing and is for measured_release().
 * An event that one of them did not count was not counted. A custom metric is the mean of those that printed it.
 */
void measured_mean(const struct measured *runs, size_t n, struct measured *out);

/*
 * BOTH was measured while the other side of its pair ran on the same CPU: what that changes is of IN_TURN, which was
 * measured alone, or unknown (NULL).
 */
void measured_at_once(struct measured *both, struct measured *in_turn);

/*
 * Make one run of RESULT's last N (at least 1), which counted different events: a metric becomes the mean of those that
 * measured it. The rows of all are kept.
 */
void measured_fold(struct side_result *result, size_t n);

/* Rows of `perf stat` to the values of events, and why an event has none. */

/* The least share of its time an event must have been counted for its value to be used, in percent. */
#define PERF_LEAST_RUNNING_PCT 99.0

/* Why an event has no value. */
enum missing {
	MISSING_NOT,		/* it has one */
	MISSING_ROW,		/* perf left it out */
	MISSING_UNSUPPORTED,
	MISSING_NOT_COUNTED,	/* the target ended before it was scheduled, or was never on that core type */
	MISSING_MULTIPLEXED,	/* counted only part of the time: an extrapolation */
	MISSING_HYBRID,		/* ran on several core types: their counts do not add up */
	MISSING_FALSE_ZERO,	/* context-switches:u, cpu-migrations:u; perf's own times, on some versions */
};

/* What follows "not measured: "; empty for MISSING_NOT. */
const char *missing_reason(enum missing why);

/*
 * The value of EVENT in ROWS, NaN with the reason when there is none to trust. EVENT is spelled as
 * it was asked for, bare or with modifiers: "instructions" is answered by "instructions:u" where
 * perf added that, but never by "instructions:k". *WHY_OUT (may be NULL) is always written.
 */
double perf_rows_value(const struct perf_rows *rows, const char *event, enum missing *why_out);
/*
 * The first event of EVENTS that perf had to extrapolate; or that never got a counter while others
 * did, as happens when the target ends before perf takes turns.
 */
const char *perf_rows_multiplexed(const struct perf_rows *rows, const struct strv *events);

#endif
