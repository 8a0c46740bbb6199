/*
 * What a change comes from: whose function, what kind of cost, how much of the change. Found by judge/ where a gate
 * regressed, kept in results, said by reports.
 */
#ifndef PAWL_MODEL_CAUSE_H
#define PAWL_MODEL_CAUSE_H

#include <stddef.h>

#include "model/metric.h"

/* What grew. */
enum cause_kind {
	CAUSE_WORK,		/* the CPU executes more instructions */
	CAUSE_SLOWER,		/* the same instructions take longer: caches, branches, false sharing */
	CAUSE_SYSTEM_CALLS,	/* more of them, or larger ones; processes that are started */
	CAUSE_FAULTS,		/* memory that is touched for the first time */
	CAUSE_WAITING,		/* asleep, or waiting for storage, a pipe, a child */
	CAUSE_LOCK,		/* waiting for other threads of its own */
	CAUSE_PARALLELISM,	/* fewer CPUs at once do the same work */
	CAUSE_ALLOCATION,	/* malloc and its kin */
	CAUSE_STARTUP,		/* before main, or once at the start */
	CAUSE_BUILD,		/* the same source was built another way */
	CAUSE_LIBRARY,		/* a library that is not the project's own is another one */
	CAUSE_INPUT,		/* the same program was given more to do */
	CAUSE_KINDS,
};

/* "work", "slower-per-instruction", "system-calls", ...; of each, then NULL. */
extern const char *const cause_kind_names[];
/* For a sentence: "more work", "slower per instruction". */
extern const char *const cause_kind_words[];

/* Causes of one scenario are at most so many, the largest first. */
enum { CAUSES_MOST = 3 };

/* Texts are the scenario result's. */
struct cause {
	enum cause_kind kind;
	const char *function;	/* of the project's own code; NULL: none in particular */
	const char *object;	/* base name of the program, library or script it is in; or NULL */
	const char *place;	/* "field.c:212"; NULL where it has no debug information */
	const char *changed;	/* the changed line that it, or what it rests on, has: "lmem.c:123: size += 16"; or NULL */
	double amount;		/* in `unit`, per run or unit of work; NaN unknown */
	enum metric_unit unit;
	double share_pct;	/* of the change; NaN unknown */
	const char *sentence;	/* all of it, for people */
	const char *changed_at;	/* where `changed` is below the top of its repository: "src/lmem.c:123"; or NULL */
};

#endif
