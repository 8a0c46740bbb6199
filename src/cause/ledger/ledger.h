/*
 * The costs of one run of each side, by function and by kind of cost. Costs of foreign functions belong to the own
 * functions that call them. Works and stacks are borrowed.
 *
 *	ledger_init() -> ledger_add_work(), ledger_add_stacks() -> ledger_settle() -> entries, callees, edges -> ledger_release()
 *
 * Works come first: if debug information shows that a function is foreign, so are its frames in stacks.
 */
#ifndef PAWL_CAUSE_LEDGER_LEDGER_H
#define PAWL_CAUSE_LEDGER_LEDGER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "cause/ledger/code.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/system_calls.h"
#include "cause/ledger/touched.h"
#include "cause/ledger/work.h"
#include "profile/stacks.h"

enum cost_kind {
	COST_INSTRUCTIONS,		/* exact; ns of Python's functions if `timed` */
	COST_ALLOCATING,		/* those of the malloc family */
	COST_TIME,			/* ms of CPU time, sampled; the next three are parts of it */
	COST_KERNEL,
	COST_FAULTING,
	COST_ALLOCATING_TIME,
	/* From here on a stack belongs to the nearest own function that the diff touches, if there is one. */
	COST_FAULTS,			/* number */
	COST_HELD,			/* ms of waits that delay the command */
	COST_OTHERS,			/* ms in which others work meanwhile */
	COST_LOCKED,			/* ms of waits for locks, of all threads */
	COST_ALLOCATIONS,		/* number */
	COST_HEAP_PEAK,			/* bytes */
	COST_CALLS,			/* number of system calls */
	COSTS
};

struct entry {
	double cost[COSTS][SIDES];	/* including the foreign code that it called */
	double self[COSTS][SIDES];	/* without it */
	double calls[SIDES];		/* times entered, exact; 0: unknown or never */
	double error[SIDES];		/* standard error of COST_TIME */
};

/* A cost of an own function in one of its foreign callees: "strcmp", "[page fault]", "read". */
struct callee_cost {
	code_id code;
	enum cost_kind cost;
	const char *callee, *object;
	double amount[SIDES];
	double calls[SIDES];		/* NaN: unknown */
};

/* How often one function calls another. */
struct edge {
	code_id caller, callee;
	double calls[SIDES];
};

struct ledger {
	struct arena arena;
	struct codes codes;
	struct entry *entries;		/* by number in `codes` */
	struct callee_cost *callees;		/* by code, cost and callee */
	size_t n_callees, cap_callees;
	struct edge *edges;
	size_t n_edges, cap_edges;
	double total[COSTS][SIDES];
	double unowned[COSTS][SIDES];	/* without an own caller: start-up, other processes */
	bool timed;			/* COST_INSTRUCTIONS is the time of Python functions */
	const char *per;		/* COST_INSTRUCTIONS and calls are per call of this function; NULL: per execution */
	double per_error;
	/* private */
	const struct own_code *own[SIDES];
	const struct touched *touched;
	struct ledger_touch *touches;	/* by number */
	size_t n_entries, n_touches;
	struct pair_index by_edge;
};

/* BASE and HEAD define what is own. TOUCHED may be NULL. */
void ledger_init(struct ledger *out, const struct own_code *base, const struct own_code *head, const struct touched *touched);
void ledger_release(struct ledger *ledger);
void ledger_add_work(struct ledger *ledger, int side, const struct work *work);
/*
 * Adds the weights of EVENT (NULL: the first), times UNIT, as COST. Frames are named by names_resolve(). A stack belongs
 * to the own function nearest the leaf.
 */
void ledger_add_stacks(struct ledger *ledger, int side, const struct stacks *stacks, const char *event, enum cost_kind cost, double unit);
/* Adds the system calls whose callers are known, as COST_CALLS. */
void ledger_add_calls(struct ledger *ledger, int side, const struct system_calls *calls);
/* Sorts the callees. Takes out kernel time that only moved from one function to another. */
void ledger_settle(struct ledger *ledger);
/* Returns the callees in which CODE has a COST, and their number. */
const struct callee_cost *ledger_callees(const struct ledger *ledger, code_id code, enum cost_kind cost, size_t *n_out);
/* Returns the change that touches CODE; NULL: none. */
const struct touch *ledger_touch(struct ledger *ledger, code_id code);

/* True if the change is in the function's own lines or in code inlined into it. TOUCH may be NULL. */
static inline bool touch_changes(const struct touch *touch)
{
	return touch && (touch->how == TOUCH_BODY || touch->how == TOUCH_INLINED);
}

/* Returns the increase from base to head. */
static inline double change_of(const double of[SIDES])
{
	return of[HEAD] - of[BASE];
}

/* Returns the standard error of the increase in COST_TIME. */
static inline double entry_error(const struct entry *entry)
{
	return sqrt(entry->error[BASE] * entry->error[BASE] + entry->error[HEAD] * entry->error[HEAD]);
}

/* True if the cost is known on both sides. */
static inline bool ledger_has(const struct ledger *ledger, enum cost_kind cost)
{
	return ledger->total[cost][BASE] > 0 && ledger->total[cost][HEAD] > 0;
}

/* True if the instructions of whole executions are known on both sides. */
static inline bool ledger_counts(const struct ledger *ledger)
{
	return ledger_has(ledger, COST_INSTRUCTIONS) && !ledger->timed && !ledger->per;
}

#endif
