/*
 * The catalogue of metrics: what a run can be measured by, what each number means, and how it is
 * judged unless a scenario says otherwise. Names follow perf's event names, with their hyphens.
 *
 * Fixed metrics live in one const table. Events that a scenario adds (measure.events) become
 * metrics of that name, made with metric_new_event(). A metric is referred to by pointer.
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

/* What kind of noise a metric has, which decides how wide a stored comparison must be. */
enum metric_kind { KIND_TIME, KIND_COUNT, KIND_RATE, KIND_SIZE };

enum metric_source {
	SOURCE_TARGET,		/* measured around the target itself: wait4 and the monotonic clock */
	SOURCE_SOFTWARE,	/* perf's software events: every Linux counts them */
	SOURCE_HARDWARE,	/* needs a PMU */
	SOURCE_DERIVED,		/* computed from two others of the same run; normalised metrics too */
	SOURCE_SIMULATED,	/* valgrind's cachegrind */
	SOURCE_LOAD,		/* how much work the load of an attached target did, and how fast */
	SOURCE_PRINTED,		/* a figure that the target or its load printed (metrics:) */
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
	double stored_tolerance_pct;	/* against a stored baseline; 0: only when a scenario says so */
	double paired_tolerance_pct;	/* in adjacent pairs */
	double least;			/* a change smaller than this, in the metric's unit, is no regression */
	double paired_least;		/* the same in pairs; 0: as `least` */
	const char *numerator, *denominator;	/* of SOURCE_DERIVED; a normalised metric's are its base and "work" */
	const char *simulated;		/* its simulated metric's name, or NULL */
	const char *label;		/* the unit as the scenario wrote it, or "/s"; NULL: none */
	double factor;			/* SOURCE_PRINTED: what is printed times this is in `unit`; 0 is 1 */
};

/* Which values of a metric are meant. */
struct metric_ref {
	const struct metric *metric;
	bool per_work;		/* normalised: divided by the operations of their run */
	bool simulated;		/* those of its simulated metric */
};

/* What the values that REF means are called where they are stored: "task-clock-per-work", "sim-branches"; for free(). */
char *metric_ref_name(const struct metric_ref *ref);

/* How much was done in a run, and its speed: metrics that a load with `work:` has. */
#define METRIC_WORK "work"
#define METRIC_THROUGHPUT "throughput"
/* Ends the name of a normalised metric, which is divided by the operations of its run: "task-clock-per-work". */
#define METRIC_PER_WORK "-per-work"

/* What gates on profiles are called: gates.symbols, and each of gates.budgets by a word and its glob: "symbol sqlx::*". */
#define METRIC_SYMBOLS "symbols"
#define METRIC_OF_SYMBOL "symbol "
#define METRIC_OF_DSO "dso "

/* In bytes: of a perf event, and of any metric, since events can be normalised. */
enum {
	METRIC_EVENT_LONGEST = 200,
	METRIC_NAME_LONGEST = METRIC_EVENT_LONGEST + sizeof METRIC_PER_WORK - 1,
};

/* The table, for listings. */
extern const struct metric metric_catalogue[];
extern const size_t metric_catalogue_size;

/*
 * VALUE without the digits that say nothing: what a clock measured keeps its nanoseconds, whole numbers stay as they are,
 * and all else keeps six digits, or those before the point where these are more. Rounding twice changes nothing.
 */
double metric_round(const struct metric *metric, double value);

/* By name or alias; NULL when there is none. */
const struct metric *metric_find(const char *name);

/* True for a normalised metric's name. */
bool metric_name_is_per_work(const char *name);
/* What NAME is already, so that no printed metric can have it: "a metric of pawl's own"; NULL when it is free. */
const char *metric_name_taken(const char *name);

/*
 * A metric of `metrics:`, from the UNIT as it was written: ns, us, ms, s, B, KiB, MiB, GiB, %, count,
 * or any other short word, which is shown behind the plain number; NULL when UNIT is none.
 * It borrows both texts; the other is a copy to be freed with metric_free_event().
 */
struct metric metric_of_printed(const char *name, const char *unit, bool higher_is_better);
struct metric *metric_new_printed(const char *name, const char *unit, bool higher_is_better);
/* Of a metric's unit: 1 to METRIC_UNIT_LONGEST bytes of valid UTF-8, without blanks and control characters. */
enum { METRIC_UNIT_LONGEST = 32 };
bool metric_unit_valid(const char *unit);

/*
 * True for what grows with the work done: times and counts of the target and of perf, wall-time too.
 * False for quotients, peak memory, simulated values, what the load did, and printed figures.
 */
bool metric_grows_with_work(const struct metric *metric);
/* METRIC normalised, to be freed with metric_free_event(). */
struct metric *metric_new_per_work(const struct metric *metric);
/* True for such a metric; its numerator is the name of the metric it was made of. */
bool metric_is_per_work(const struct metric *metric);
/* What METRIC is called normalised, for free(). */
char *metric_per_work_name(const struct metric *metric);

/* True for the name of a gate on a profile. */
bool metric_name_is_share(const char *name);
/* How a share of a profile is shown; no run has a value of it. */
extern const struct metric metric_share;

/* A count named after a perf event that a scenario asks for: one that borrows the name, and one to be freed with metric_free_event(). */
struct metric metric_of_event(const char *event);
struct metric *metric_new_event(const char *event);
/* A copy of any metric: one in ARENA, which of the catalogue's is the metric itself, and one to be freed with metric_free_event(). */
const struct metric *metric_copy(struct arena *arena, const struct metric *metric);
struct metric *metric_new_copy(const struct metric *metric);
void metric_free_event(struct metric *metric);

/* The hardware or software events that METRIC is made of: one, two for a derived metric, or none. */
size_t metric_events(const struct metric *metric, const char *events_out[2]);

#endif
