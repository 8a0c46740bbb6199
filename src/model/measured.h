/*
 * One execution of a target as measured, and its way into a result. Raw numbers become a row of metric values,
 * derived metrics are computed, and missing values stay NaN.
 */
#ifndef PAWL_MODEL_MEASURED_H
#define PAWL_MODEL_MEASURED_H

#include "model/result.h"

/* A custom metric or a benchmark from the run's output; NaN if the output lacks it. */
struct measured_custom {
	const struct metric *metric;
	double value;
};

/*
 * Reading and writing of a process and the descendants it waited for: system calls, and bytes, whether or not they
 * reached a disk. NaN: unknown.
 */
struct io_counts {
	double read_calls, write_calls, read_bytes, written_bytes;
};

/* Returns A + FACTOR * B. */
struct io_counts io_counts_add(struct io_counts a, struct io_counts b, double factor);

struct measured {
	double wall_ms, user_ms, system_ms, cpu_ms;
	double max_rss_bytes, page_faults, major_faults;
	double resident_before_bytes, resident_bytes;	/* at the start and the end of a window; 0 or NaN: unknown */
	double voluntary_switches, involuntary_switches;
	struct io_counts io;
	/*
	 * Wall time and work with the other side of the pair running as well; 0: it ran alone. `work` is the work
	 * when alone.
	 */
	double both_ms, both_work;
	double idle;			/* part of its looks with no thread running or ready; NaN: too few looks, or not requested */
	double crowd;			/* part of its busy time with several threads of one process running; only on request */
	uint64_t touched;		/* observed changes of its processes since their start: bits of process_touched() */
	double work;			/* 0: unknown, then without throughput and values per unit of work */
	struct measured_custom *custom;
	size_t n_custom;
	struct perf_rows rows;
	bool hasty;			/* the load printed a rate, but was so short that its start and end affect it */
	bool unwaited;			/* some processes were not waited for, so the kernel's counts of the run are NaN */
	char *launcher;			/* a note if a launcher took most of its time, see launcher_advice(); or NULL; only on request */
	char *dropped;			/* why the run does not count; NULL: it counts */
};

void measured_release(struct measured *measured);

/*
 * Compares perf's task-clock with KERNEL_MS, the CPU time that the kernel charged to the counted processes. Call it
 * once the other values are set. If the two cannot be of one run, the run is dropped (perf counted too little) or
 * marked unwaited (the kernel did). SLACK_MS is the time between the two readings. STOLEN_MS is the time taken by the
 * hypervisor, which only perf counts.
 */
void measured_check(struct measured *measured, double kernel_ms, double slack_ms, double stolen_ms);

/* Appends the run to RESULT, with copies of its rows. EVENTS are the requested perf events. */
void measured_store(const struct measured *measured, const struct strv *events, unsigned group,
		    struct side_result *result);

/* Sets one value of a run. measured_derive() computes quotients afterwards. */
void measured_set(struct side_result *result, struct run *run, const struct metric *metric, double value);
void measured_derive(struct side_result *result, struct run *run);

/*
 * Combines several executions: the runs of a batch, and the runs that counted the groups of events. Peak memory is
 * the maximum, everything else the mean per run. So values read per run for any batch, and quotients are those of the
 * sums.
 */

/*
 * Combines N (at least 1) executions that counted the same events into OUT, which must be empty and is for
 * measured_release(). An event missing in one of them is not counted. A custom metric is the mean of the runs that
 * printed it.
 */
void measured_mean(const struct measured *runs, size_t n, struct measured *out);

/*
 * Completes BOTH, measured with the other side of its pair running on the same CPU. Values that this affects come
 * from IN_TURN, which ran alone; if IN_TURN is NULL they are unknown.
 */
void measured_at_once(struct measured *both, struct measured *in_turn);

/*
 * Merges RESULT's last N (at least 1) runs, which counted different events, into one. A metric becomes the mean of
 * the runs that measured it. The rows of all are kept.
 */
void measured_fold(struct side_result *result, size_t n);

/* Converts rows of `perf stat` to values of events, or the reason for having none. */

/* Least share of its time that an event must have been counted, in percent. */
#define PERF_LEAST_RUNNING_PCT 99.0

/* Why an event has no value. */
enum missing {
	MISSING_NOT,		/* it has a value */
	MISSING_ROW,		/* perf printed no row */
	MISSING_UNSUPPORTED,
	MISSING_NOT_COUNTED,	/* the target ended before the event was scheduled, or never ran on that core type */
	MISSING_MULTIPLEXED,	/* counted part of the time: an extrapolation */
	MISSING_HYBRID,		/* ran on several core types, whose counts do not add up */
	MISSING_FALSE_ZERO,	/* context-switches:u, cpu-migrations:u; perf's own times, on some versions */
};

/* Returns the text after "not measured: "; empty for MISSING_NOT. */
const char *missing_reason(enum missing why);

/*
 * Returns the value of EVENT in ROWS, or NaN without a reliable one. EVENT is spelled as requested, bare or with
 * modifiers. "instructions" matches "instructions:u" if perf added that, but never "instructions:k". Always writes
 * the reason to *WHY_OUT, which may be NULL.
 */
double perf_rows_value(const struct perf_rows *rows, const char *event, enum missing *why_out);
/*
 * Returns the first of EVENTS that perf extrapolated. Otherwise, one that never got a counter while others did, as
 * happens if the target ends before perf rotates them.
 */
const char *perf_rows_multiplexed(const struct perf_rows *rows, const struct strv *events);

#endif
