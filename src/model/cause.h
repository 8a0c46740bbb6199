/*
 * The cause of a change: the function, the kind of cost, and its part of the change. cause/ finds causes of
 * regressions, results store them, reports print them.
 */
#ifndef PAWL_MODEL_CAUSE_H
#define PAWL_MODEL_CAUSE_H

#include <stddef.h>

#include "model/metrics/metric.h"

/* The cost that grew. */
enum cause_kind {
	CAUSE_WORK,		/* the CPU executes more instructions */
	CAUSE_SLOWER,		/* the same instructions take longer: caches, branches, false sharing */
	CAUSE_SYSTEM_CALLS,	/* more or larger system calls; processes started */
	CAUSE_FAULTS,		/* memory touched for the first time */
	CAUSE_WAITING,		/* asleep, or waiting for storage, a pipe, a child */
	CAUSE_LOCK,		/* waiting for its own threads */
	CAUSE_PARALLELISM,	/* the same work on fewer CPUs at once */
	CAUSE_ALLOCATION,	/* malloc and its family */
	CAUSE_STARTUP,		/* before main, or once at the start */
	CAUSE_BUILD,		/* the same source, built differently */
	CAUSE_LIBRARY,		/* a library outside the project differs */
	CAUSE_INPUT,		/* the same program with more input */
	CAUSE_KINDS,
};

/* "work", "slower-per-instruction", "system-calls", ...; NULL-terminated. */
extern const char *const cause_kind_names[];
/* For a sentence: "more work", "slower per instruction". */
extern const char *const cause_kind_words[];

/* Most causes of one scenario. The largest comes first. */
enum { CAUSES_MOST = 3 };

/* Texts belong to the scenario result. */
struct cause {
	enum cause_kind kind;
	const char *function;	/* in the project's own code, or NULL */
	const char *object;	/* base name of its program, library or script; or NULL */
	const char *place;	/* "field.c:212"; NULL without debug information */
	const char *changed;	/* the changed line in it, or in what it depends on: "lmem.c:123: size += 16"; or NULL */
	double amount;		/* in `unit`, per run or unit of work; NaN: unknown */
	enum metric_unit unit;
	double share_pct;	/* of the change; NaN: unknown */
	const char *sentence;	/* the whole cause as a sentence */
	const char *changed_at;	/* location of `changed`, relative to the top of its repository: "src/lmem.c:123"; or NULL */
	const char *hunk;	/* the lines of that change, each after '-' or '+'; or NULL */
};

#endif
