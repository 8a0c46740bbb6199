/*
 * The own functions of both sides of a pair that may cause a regression: the cost increase of each, the responsible
 * function, and the change that touches it. Texts are borrowed from the evidence and the changes.
 *
 *	suspects_gather() -> suspects_weigh() -> kind_of(), reason_add() for each -> suspects_release()
 */
#ifndef PAWL_CAUSE_SUSPECTS_H
#define PAWL_CAUSE_SUSPECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "cause/cause.h"
#include "cause/own_costs.h"
#include "cause/touched.h"
#include "model/cause.h"
#include "model/side.h"

/* Smallest factor for a number of calls to count as grown. */
#define MORE_CALLS 1.05
/* Smallest part of a cost that decides the kind of the whole. */
#define MOST_OF 0.5

/*
 * Kinds of waits: those that delay the command, for the work of others, and for locks. If only system calls were
 * traced, each holds all waits.
 */
enum { WAITS_HELD, WAITS_FOR_OTHERS, WAITS_LOCKED, WAITS };

struct suspect {
	const struct code *code[SIDES];
	double work[SIDES], self[SIDES], calls[SIDES];		/* instructions */
	double allocating[SIDES];				/* instructions of the malloc family, including calls from foreign code */
	double cpu[SIDES], kernel[SIDES], faulting[SIDES];	/* ms */
	double allocating_ms[SIDES];				/* by samples */
	double cpu_error;					/* standard error of the difference in cpu */
	double faults[SIDES];					/* number of page faults */
	double waits[WAITS][SIDES];				/* ms */
	const struct own_cost *by_work[SIDES], *by_cpu[SIDES], *by_wait[WAITS][SIDES];
	double ms;		/* increase of its cost */
	double counted_ms;	/* part of `ms` by instructions */
	double caused_ms;	/* increase including the costs it causes in others */
	double caused_counted_ms, caused_allocating_ms;		/* parts of `caused_ms` by instructions, and by instructions of the malloc family */
	size_t responsible;	/* index of the function responsible for this cost */
	size_t busiest;		/* index of the callee with the largest increase it causes; its own index: none */
	const struct suspect *part_of;	/* caller whose cost fell when this became a separate function; or NULL */
	bool touched;
	struct touch touch;	/* the change that touches it; valid if `touched` */
};

struct search {
	struct scenario_result *scenario;
	const struct cause_input *in;
	struct own_costs work[SIDES], cpu[SIDES], faults[SIDES], waits[WAITS][SIDES];
	struct suspect *suspects;
	size_t n;
	double total_ms[SIDES];		/* CPU time per run, or per unit of work */
	double ms_per_instruction;
	double change_ms;		/* the increase to explain */
	bool counted_alone;		/* explain instructions, ignoring samples: no time regressed, or the time has no known function */
	const char *per;		/* "run" */
	struct touched touched;
};

/* True for the entry that stands for all functions of a program without symbols. */
static inline bool code_nameless(const struct code *code)
{
	return !strcmp(code->function, "[unknown]");
}

/* Returns the increase from base to head. */
static inline double change_of(const double of[SIDES])
{
	return of[HEAD] - of[BASE];
}

static inline double part_of(double of, double whole)
{
	return whole > 0 ? of / whole : 0;
}

/* Returns the code in head if present, else in base. */
static inline const struct code *code_of(const struct suspect *x)
{
	return x->code[HEAD] ?: x->code[BASE];
}

/*
 * Adds the suspects, their costs on both sides, and the changes that touch them to S. Its scenario and input must be
 * set.
 */
void suspects_gather(struct search *s);
void suspects_release(struct search *s);
/*
 * Computes the increase of each suspect and the function responsible for it. total_ms, change_ms, ms_per_instruction
 * and counted_alone must be set. A second call starts over.
 */
void suspects_weigh(struct search *s);
/* Returns the suspect whose cost X causes: X itself, or the callee that it calls more often. */
const struct suspect *suspects_dearest(const struct search *s, const struct suspect *x);
/*
 * Returns the system call of HEAD accepted by WANTED whose cost grew most, estimated from the number and kind of calls.
 * BEFORE is the number of the base's calls. NULL: none.
 */
typedef bool call_wanted_fn(const struct system_call *now, double before, const struct suspect *x);
const struct system_call *suspects_grown_call(const struct search *s, call_wanted_fn *wanted, const struct suspect *x,
					    const struct system_call **before_out);
/* The same for calls that X makes, as far as callers are known. */
const struct system_call *suspects_own_call(const struct search *s, const struct suspect *x, const struct system_call **before_out);
/* Adds a cause of KIND; the caller sets the other fields. */
struct cause *suspects_add_cause(struct search *s, enum cause_kind kind);
/* True if `work` holds the time of Python functions instead of instructions. */
bool suspects_timed(const struct search *s);
/* Returns the counted function that matches CODE, which has a place; else CODE. */
const struct code *suspects_placed(const struct search *s, const struct code *code);
/*
 * Sums EVENT's weights in SIDE's STACKS by the nearest own frame that contains a change, else by the nearest own frame.
 */
void suspects_changed_costs(const struct search *s, int side, const struct stacks *stacks, uint32_t event, struct own_costs *out);
/* True if the change is in X's own lines or in code inlined into it. */
bool suspect_changed(const struct suspect *x);
/* True if the cost grew because of more calls, not because each call costs more. */
bool suspect_called_more(const struct suspect *x);
bool suspect_same_code(const struct code *a, const struct code *b);

#endif
