/*
 * The catalogue of metrics: what a run can be measured by, what each number means, and how it is
 * judged unless a scenario says otherwise. Names follow perf's event names, with their hyphens.
 *
 * Fixed metrics live in one const table. Perf events that a scenario adds (measure.events) and what its
 * programs print (metrics:) become metrics in the arena of who owns them. A metric is referred to by pointer; its name
 * is for files and people.
 */
#ifndef PAWL_MODEL_METRIC_H
#define PAWL_MODEL_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

enum metric_unit {
	UNIT_COUNT,
	UNIT_MS,	/* milliseconds */
	UNIT_BYTES,
	UNIT_RATIO,	/* plain number, as ipc; with a `label` behind it, as throughput */
	UNIT_FRACTION,	/* 0 to 1, shown in percent, as branch-miss-rate */
	UNIT_HZ,
};

extern const char *const metric_unit_names[];	/* "count", "ms", "B", ...; of each, then NULL */

/* What kind of noise a metric has, which decides how wide a stored comparison must be. */
enum metric_kind { KIND_TIME, KIND_COUNT, KIND_RATE, KIND_SIZE };

enum metric_source {
	SOURCE_TARGET,		/* measured around the target itself: wait4 and the monotonic clock */
	SOURCE_SOFTWARE,	/* perf's software events: every Linux counts them */
	SOURCE_HARDWARE,	/* needs a PMU */
	SOURCE_DERIVED,		/* computed from others of the same run; normalised metrics too */
	SOURCE_SIMULATED,	/* valgrind's cachegrind */
	SOURCE_HEAP,		/* heaptrack */
	SOURCE_LOAD,		/* how much work the load of an attached target did, and how fast */
	SOURCE_CUSTOM,		/* a number that the target or its load printed (metrics:) */
	SOURCE_PROFILE,		/* metric_share alone */
};

struct metric {
	const char *name;
	const char *alias;		/* another spelling accepted in scenarios, or NULL */
	const char *help;		/* one line, for the man page */
	enum metric_unit unit;
	enum metric_kind kind;
	enum metric_source source;
	bool higher_is_better;
	bool portable;			/* comparable across CPU models of one architecture */
	bool waits;			/* becomes worse by waiting for a CPU that others use */
	double stored_tolerance_pct;	/* against a stored baseline; 0: only where a scenario has one */
	double paired_tolerance_pct;	/* in pairs */
	double together_tolerance_pct;	/* in pairs whose sides ran at once; 0: as in pairs */
	double least;			/* a change smaller than this, in the metric's unit, is no regression */
	double paired_least;		/* the same in pairs; 0: as `least` */
	const struct metric *numerator, *denominator;	/* of a quotient of two others of the same run */
	const struct metric *simulated;	/* its simulated metric, or NULL */
	const struct metric *normalised;	/* the same per operation of the run; NULL where it does not grow with the work */
	const struct metric *of;	/* of a normalised metric: that which it was made of; else NULL */
	const char *label;		/* the unit as the scenario wrote it, or "/s"; NULL: none */
	double factor;			/* SOURCE_CUSTOM: what is printed times this is in `unit` */
};

/* Names: of gates on profiles, of which those of gates.budgets have a glob behind the word, and of normalised metrics. */
#define METRIC_SYMBOLS "symbols"
#define METRIC_OF_SYMBOL "symbol "
#define METRIC_OF_DSO "dso "
#define METRIC_PER_WORK "-per-work"

/* In bytes: of a perf event, and of any metric, since events can be normalised. */
enum {
	METRIC_EVENT_LONGEST = 200,
	METRIC_NAME_LONGEST = METRIC_EVENT_LONGEST + sizeof METRIC_PER_WORK - 1,
};

/* -------- the catalogue */

/* In the order of listings, and of columns where quotients are computed. */
enum metric_id {
	METRIC_TASK_CLOCK, METRIC_WALL_TIME, METRIC_USER_TIME, METRIC_SYSTEM_TIME, METRIC_CPU_TIME,
	METRIC_CYCLES, METRIC_INSTRUCTIONS, METRIC_BRANCHES, METRIC_BRANCH_MISSES, METRIC_L1D_LOADS, METRIC_L1D_MISSES,
	METRIC_IPC, METRIC_BRANCH_MISS_RATE, METRIC_L1D_MISS_RATE, METRIC_CYCLES_PER_SECOND,
	METRIC_MAX_RSS, METRIC_RSS_GROWTH, METRIC_PAGE_FAULTS, METRIC_MAJOR_FAULTS, METRIC_VOLUNTARY_SWITCHES, METRIC_INVOLUNTARY_SWITCHES,
	METRIC_WORK, METRIC_THROUGHPUT,
	METRIC_SIM_INSTRUCTIONS, METRIC_SIM_BRANCHES, METRIC_SIM_BRANCH_MISSES, METRIC_SIM_L1D_LOADS, METRIC_SIM_L1D_MISSES,
	METRIC_SIM_BRANCH_MISS_RATE, METRIC_SIM_L1D_MISS_RATE,
	METRIC_ALLOCATIONS, METRIC_TEMPORARY_ALLOCATIONS, METRIC_HEAP_PEAK, METRIC_HEAP_LEAKED,
};

extern const struct metric metric_catalogue[];
extern const size_t metric_catalogue_size;
#define METRIC(id) (&metric_catalogue[METRIC_##id])

/* By name or alias; NULL when there is none. */
const struct metric *metric_find(const char *name);
/* What NAME is already, so that no custom metric can have it: "a metric of pawl's own"; NULL when it is free. */
const char *metric_name_taken(const char *name);
/* True for the name of a gate on a profile. */
bool metric_name_is_share(const char *name);
/* How a share of a profile is shown; no run has a value of it. */
extern const struct metric metric_share;

/* True for what one more run of its own gives, the same number each time: it is compared as it is. */
bool metric_repeats(const struct metric *metric);
/* True for one metric, and for two of one name: of the two sides of a comparison, or of a result and its baseline. */
bool metric_same(const struct metric *a, const struct metric *b);
/*
 * VALUE without the digits that mean nothing: what a clock measured keeps its nanoseconds, whole numbers stay as they are,
 * and all else keeps six digits, or those before the point where these are more. Rounding twice changes nothing.
 */
double metric_round(const struct metric *metric, double value);
/* True for what windows on an attached target have alone, and no command. */
bool metric_of_windows(const struct metric *metric);
/* True when it says the same of a target that shares its CPU with another program: no time that passes, no waiting. */
bool metric_together(const struct metric *metric);
/* The hardware or software events that METRIC is made of: one, two for a quotient, or none. */
size_t metric_events(const struct metric *metric, const char *events_out[2]);

/* -------- metrics of a scenario's own */

/* A count named after a perf event. */
const struct metric *metric_event(struct arena *arena, const char *event);
/*
 * A metric of `metrics:`, from the UNIT as it was written: ns, us, ms, s, B, KiB, MiB, GiB, %, count, or any other short
 * word, which is shown behind the plain number; NULL when it has none.
 */
const struct metric *metric_custom(struct arena *arena, const char *name, const char *unit, bool higher_is_better);
/* Of a metric's unit: 1 to METRIC_UNIT_LONGEST bytes of valid UTF-8, without blanks and control characters. */
enum { METRIC_UNIT_LONGEST = 32 };
bool metric_unit_valid(const char *unit);
/* Of the catalogue's the metric itself. */
const struct metric *metric_copy(struct arena *arena, const struct metric *metric);

/* What a result or a baseline has beside the catalogue, each name once. Zeros are an empty one. */
struct own_metrics {
	struct arena arena;
	const struct metric **items;
	size_t n, cap;
};

void own_metrics_release(struct own_metrics *own);
/* The metric that is called NAME where values are stored, normalised ones too; an event is added where nobody knows it. */
const struct metric *own_metrics_find(struct own_metrics *own, const char *name);
/* The metric of METRIC's name, which is copied when it is new. */
const struct metric *own_metrics_add(struct own_metrics *own, const struct metric *metric);

#endif
