/*
 * The catalogue of metrics: what pawl can measure, what each number means, and how it is judged by default. Names
 * follow perf's event names, with their hyphens.
 *
 * Fixed metrics are in one const table. Additional perf events (measure.events) and printed numbers (metrics:) become
 * metrics in the arena of their owner. Code refers to a metric by pointer; its name is for files and people.
 */
#ifndef PAWL_MODEL_METRICS_METRIC_H
#define PAWL_MODEL_METRICS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

enum metric_unit {
	UNIT_COUNT,
	UNIT_MS,	/* milliseconds */
	UNIT_BYTES,
	UNIT_RATIO,	/* plain number, such as ipc; with a `label` after it, such as throughput */
	UNIT_FRACTION,	/* 0 to 1, shown in percent, such as branch-miss-rate */
	UNIT_HZ,
};

extern const char *const metric_unit_names[];	/* "count", "ms", "B", ...; NULL-terminated */

/* Kinds of noise, which decide the width of a stored comparison. */
enum metric_kind { KIND_TIME, KIND_COUNT, KIND_RATE, KIND_SIZE };

enum metric_source {
	SOURCE_TARGET,		/* measured around the target itself: wait4 and the monotonic clock */
	SOURCE_SOFTWARE,	/* perf's software events, available on every Linux */
	SOURCE_HARDWARE,	/* needs a PMU */
	SOURCE_DERIVED,		/* computed from other metrics of the run; includes normalised metrics */
	SOURCE_SIMULATED,	/* valgrind's cachegrind */
	SOURCE_HEAP,		/* heaptrack */
	SOURCE_CALLS,		/* system calls and processes, counted in a run of its own */
	SOURCE_FILE,		/* sizes of the program's file */
	SOURCE_LOAD,		/* amount and rate of the work done by the load of an attached target */
	SOURCE_CUSTOM,		/* a number printed by the target or its load (metrics:) */
	SOURCE_PROFILE,		/* only metric_share */
};

struct metric {
	const char *name;
	const char *said;		/* in sentences: "CPU time"; NULL: its name */
	const char *help;		/* one line, for the man page */
	enum metric_unit unit;
	enum metric_kind kind;
	enum metric_source source;
	bool higher_is_better;
	bool portable;			/* comparable across CPU models of one architecture */
	bool waits;			/* becomes worse if the run waits for a busy CPU */
	double stored_tolerance_pct;	/* against a stored baseline; 0: only if the scenario sets one */
	double paired_tolerance_pct;	/* in pairs */
	double together_tolerance_pct;	/* in pairs whose sides ran at once; 0: as in pairs */
	double least;			/* smallest change that is a regression, in the metric's unit */
	double paired_least;		/* the same in pairs; 0: same as `least` */
	const struct metric *numerator, *denominator;	/* of a quotient of two metrics of the run */
	const struct metric *simulated;	/* its simulated metric, or NULL */
	const struct metric *normalised;	/* the same per operation; NULL if it does not grow with the work */
	const struct metric *of;	/* of a normalised metric: the original; else NULL */
	const char *label;		/* unit as written in the scenario, or "/s"; NULL: none */
	double factor;			/* SOURCE_CUSTOM: factor from the printed number to `unit` */
	bool benchmark;			/* SOURCE_CUSTOM: a benchmark of the target, see metric_benchmark() */
	const char *why;		/* of a benchmark: why it had no value when it was first seen; or NULL */
};

/* Names of gates on profiles, where gates.budgets append a glob, and the suffix of normalised metrics. */
#define METRIC_SYMBOLS "symbols"
#define METRIC_OUTPUT "target.output"	/* the gate of this key, which has no number */
#define METRIC_OF_SYMBOL "symbol "
#define METRIC_OF_DSO "dso "
#define METRIC_PER_WORK "-per-work"
/* Begins the name of a metric of one system call: "system-calls:openat". */
#define METRIC_OF_CALL "system-calls:"

/* Longest names in bytes: of a perf event, of a benchmark, and of any metric. */
enum { METRIC_EVENT_LONGEST = 200, METRIC_BENCHMARK_LONGEST = 300, METRIC_NAME_LONGEST = METRIC_BENCHMARK_LONGEST };

/* -------- the catalogue */

/* In the order of listings and columns. Quotients are computed in this order. */
enum metric_id {
	METRIC_TASK_CLOCK, METRIC_WALL_TIME, METRIC_USER_TIME, METRIC_SYSTEM_TIME, METRIC_CPU_TIME,
	METRIC_CYCLES, METRIC_INSTRUCTIONS, METRIC_BRANCHES, METRIC_BRANCH_MISSES, METRIC_L1D_LOADS, METRIC_L1D_MISSES,
	METRIC_IPC, METRIC_BRANCH_MISS_RATE, METRIC_L1D_MISS_RATE, METRIC_CYCLES_PER_SECOND,
	METRIC_MAX_RSS, METRIC_RSS_GROWTH, METRIC_PAGE_FAULTS, METRIC_MAJOR_FAULTS, METRIC_VOLUNTARY_SWITCHES, METRIC_INVOLUNTARY_SWITCHES,
	METRIC_READ_CALLS, METRIC_WRITE_CALLS, METRIC_READ_BYTES, METRIC_WRITTEN_BYTES,
	METRIC_WORK, METRIC_THROUGHPUT,
	METRIC_SIM_INSTRUCTIONS, METRIC_SIM_BRANCHES, METRIC_SIM_BRANCH_MISSES, METRIC_SIM_L1D_LOADS, METRIC_SIM_L1D_MISSES,
	METRIC_SIM_BRANCH_MISS_RATE, METRIC_SIM_L1D_MISS_RATE,
	METRIC_SYSTEM_CALLS, METRIC_PROCESSES, METRIC_TEXT_SIZE, METRIC_DATA_SIZE, METRIC_FILE_SIZE,
	METRIC_ALLOCATIONS, METRIC_TEMPORARY_ALLOCATIONS, METRIC_HEAP_PEAK, METRIC_HEAP_LEAKED,
};

extern const struct metric metric_catalogue[];
extern const size_t metric_catalogue_size;
#define METRIC(id) (&metric_catalogue[METRIC_##id])

/* Returns the metric with this name; NULL if unknown. */
const struct metric *metric_find(const char *name);
/*
 * Returns the existing meaning of NAME, which a custom metric then cannot have: "a metric of pawl's own". NULL if
 * NAME is free.
 */
const char *metric_name_taken(const char *name);
/* Returns the name of the metric that earlier versions called NAME, too; else NULL. */
const char *metric_renamed(const char *name);
/* Returns what to use instead of a metric that earlier versions had: "wall-time or voluntary-switches"; else NULL. */
const char *metric_gone(const char *name);
/* True for the name of a gate on a profile. */
bool metric_name_is_share(const char *name);
/* Describes a share of a profile for display. Runs have no value of it. */
extern const struct metric metric_share;

/* True for a metric from an additional run that yields the same number each time. It is compared exactly. */
bool metric_repeats(const struct metric *metric);
/* True for a metric of which one run shows a change: those, and what the kernel or the CPU counts without waiting. */
bool metric_counted(const struct metric *metric);
/* True if other programs on the machine change the metric: times, rates, and what includes waiting. */
bool metric_disturbed(const struct metric *metric);
/* True for the same metric, or two of one name: of both sides of a comparison, or of a result and its baseline. */
bool metric_same(const struct metric *a, const struct metric *b);
/*
 * Returns VALUE without meaningless digits. Clock values keep nanoseconds, whole numbers stay, and others keep six
 * digits, or all digits before the point if there are more. Rounding twice changes nothing.
 */
double metric_round(const struct metric *metric, double value);
/* True for metrics that only windows on an attached target have. */
bool metric_of_windows(const struct metric *metric);
/* True if the metric is valid for a target that shares its CPU with another program. Wall time and waiting are not. */
bool metric_together(const struct metric *metric);
/* Returns the number of hardware or software events behind METRIC: one, two for a quotient, or none. */
size_t metric_events(const struct metric *metric, const char *events_out[2]);

/* -------- metrics of a scenario's own */

/* Returns how often NAME, "system-calls:openat", is called. NULL if no system call has this name. */
const struct metric *metric_call(struct arena *arena, const char *name);
/* Returns the name of the system call most like that of NAME, "system-calls:opennat"; NULL: none is. */
const char *metric_call_near(const char *name);
/* Returns a count named after a perf event. */
const struct metric *metric_event(struct arena *arena, const char *event);
/*
 * Returns a metric of `metrics:`. UNIT is ns, us, ms, s, B, KiB, MiB, GiB, %, count, or any other short word, which
 * is shown after the plain number. It may be NULL.
 */
const struct metric *metric_custom(struct arena *arena, const char *name, const char *unit, bool higher_is_better);
/*
 * Returns a benchmark that the target's harness reports, smaller being better. WAITS: its value is wall time, so that
 * another program on its CPU changes it. WHY it has no value, or NULL.
 */
const struct metric *metric_benchmark(struct arena *arena, const char *name, const char *unit, bool waits, const char *why);
/* Limits of a metric's unit: 1 to METRIC_UNIT_LONGEST bytes of valid UTF-8, without blanks and control characters. */
enum { METRIC_UNIT_LONGEST = 32 };
bool metric_unit_valid(const char *unit);
/* Copies METRIC. Metrics of the catalogue are returned as they are. */
const struct metric *metric_copy(struct arena *arena, const struct metric *metric);

/* Metrics of a result or a baseline outside the catalogue, each name once. Zeros are an empty list. */
struct own_metrics {
	struct arena arena;
	const struct metric **items;
	size_t n, cap;
};

void own_metrics_release(struct own_metrics *own);
/* Returns the metric with the stored NAME, including normalised ones. An unknown name is added as an event. */
const struct metric *own_metrics_find(struct own_metrics *own, const char *name);
/* Returns the metric with METRIC's name. Adds a copy if it is new. */
const struct metric *own_metrics_add(struct own_metrics *own, const struct metric *metric);

#endif
