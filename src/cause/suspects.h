/*
 * The own functions of both sides of a pair that may be the cause of a regression: what each costs more, whose it is, and which
 * change touches it. Texts are borrowed from the evidence and the changes.
 *
 * 	suspects_gather() -> suspects_weigh() -> kind_of(), reason_add() for each -> suspects_release()
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

/* Calls that rose by less than this factor are the same. */
#define MORE_CALLS 1.05
/* A part of a cost from here on gives the whole its kind. */
#define MOST_OF 0.5

/* Of the waits: those that hold the command up; for what others do; for locks. Where only system calls were traced each is all. */
enum { WAITS_HELD, WAITS_FOR_OTHERS, WAITS_LOCKED, WAITS };

struct suspect {
	const struct code *code[SIDES];
	double work[SIDES], self[SIDES], calls[SIDES];		/* instructions */
	double allocating[SIDES];				/* instructions of malloc and its kin, whoever of foreign code called them */
	double cpu[SIDES], kernel[SIDES], faulting[SIDES];	/* ms */
	double allocating_ms[SIDES];				/* by samples */
	double cpu_error;					/* of the difference */
	double faults[SIDES];					/* how many */
	double waits[WAITS][SIDES];				/* ms */
	const struct own_cost *by_work[SIDES], *by_cpu[SIDES], *by_wait[WAITS][SIDES];
	double ms;		/* what it costs more */
	double counted_ms;	/* of that, by instructions */
	double caused_ms;	/* with what it makes others cost */
	double caused_counted_ms, caused_allocating_ms;		/* of that, by instructions; by those of malloc and its kin */
	size_t responsible;	/* whose it is */
	size_t busiest;		/* the callee that it makes cost most; itself: none */
	const struct suspect *part_of;	/* the caller that cost less as it came to stand alone; NULL: none */
	bool touched;
	struct touch touch;	/* by which change, where it is */
};

struct search {
	struct scenario_result *scenario;
	const struct cause_input *in;
	struct own_costs work[SIDES], cpu[SIDES], faults[SIDES], waits[WAITS][SIDES];
	struct suspect *suspects;
	size_t n;
	double total_ms[SIDES];		/* CPU time of a run, or of a unit of work */
	double ms_per_instruction;
	double change_ms;		/* what is to be explained */
	bool counted_alone;		/* instructions are explained, whatever samples say: no time regressed, or none shows whose it is */
	const char *per;		/* "run" */
	struct touched touched;
};

/* Stands for all functions of a program whose functions have no names. */
static inline bool code_nameless(const struct code *code)
{
	return !strcmp(code->function, "[unknown]");
}

/* How much more HEAD has. */
static inline double change_of(const double of[SIDES])
{
	return of[HEAD] - of[BASE];
}

static inline double part_of(double of, double whole)
{
	return whole > 0 ? of / whole : 0;
}

/* Its place in HEAD, else in BASE. */
static inline const struct code *code_of(const struct suspect *x)
{
	return x->code[HEAD] ?: x->code[BASE];
}

/* Fills S, of which scenario and input are set, with the suspects, their costs on both sides, and which of them the change touches. */
void suspects_gather(struct search *s);
void suspects_release(struct search *s);
/*
 * What each costs more, and whose that is: total_ms, change_ms, ms_per_instruction and counted_alone must be set. Again, it begins
 * anew.
 */
void suspects_weigh(struct search *s);
/* What X makes cost: itself, or the one it calls more often. */
const struct suspect *suspects_dearest(const struct search *s, const struct suspect *x);
/* Of HEAD's calls that are WANTED, of which BEFORE were the base's, the one whose calls cost most more, by their number and kind; NULL: none. */
typedef bool call_wanted_fn(const struct system_call *now, double before, const struct suspect *x);
const struct system_call *suspects_grown_call(const struct search *s, call_wanted_fn *wanted, const struct suspect *x,
					    const struct system_call **before_out);
/* The same of X's, as far as it is known who makes them. */
const struct system_call *suspects_own_call(const struct search *s, const struct suspect *x, const struct system_call **before_out);
/* A cause of KIND more, of which nothing else is set. */
struct cause *suspects_add_cause(struct search *s, enum cause_kind kind);
/* What is called work is the time of functions in Python. */
bool suspects_timed(const struct search *s);
/* CODE as what was counted knows it, which has its place; else CODE. */
const struct code *suspects_placed(const struct search *s, const struct code *code);
/* EVENT's weights of SIDE's STACKS, of the nearest own frame that the change is in; where there is none, of the nearest own one. */
void suspects_changed_costs(const struct search *s, int side, const struct stacks *stacks, uint32_t event, struct own_costs *out);
/* The change is in its own lines, or in what was inlined into it. */
bool suspect_changed(const struct suspect *x);
/* Whether it costs more because it is called more often, not because a call costs more. */
bool suspect_called_more(const struct suspect *x);
bool suspect_same_code(const struct code *a, const struct code *b);

#endif
