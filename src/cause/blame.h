/*
 * The own functions that may cause a regression: the increase of each in what regressed, and the function responsible
 * for it. Texts are borrowed from the evidence and the changes.
 *
 *	search_open() -> blame() for each question -> kind_of(), sentences -> search_release()
 */
#ifndef PAWL_CAUSE_BLAME_H
#define PAWL_CAUSE_BLAME_H

#include <stdbool.h>
#include <stddef.h>

#include "cause/cause.h"
#include "cause/ledger/ledger.h"
#include "cause/ledger/system_calls.h"
#include "cause/ledger/touched.h"
#include "model/cause.h"
#include "model/metrics/metric.h"
#include "model/result.h"
#include "model/side.h"

/* Smallest factor for a number of calls to count as grown. */
#define MORE_CALLS 1.05
/* Smallest part of a cost that decides the kind of the whole. */
#define MOST_OF 0.5

/* The cost that regressed. Amounts of suspects are in the unit of `metric`. */
struct question {
	enum cost_kind cost;		/* COST_TIME, COST_INSTRUCTIONS, or a cost of memory */
	double base, change;	/* the base's amount, and the increase to explain */
	double pace;		/* amount per instruction; 0: instructions are not known */
	const struct metric *metric;
};

/* An own function and its part of the increase. */
struct suspect {
	code_id id;
	const struct entry *at;		/* its costs */
	const struct touch *touch;	/* the change that touches it; or NULL */
	double more;		/* increase of its cost */
	double counted;		/* part of `more` by instructions */
	double caused;		/* increase including the costs it causes in others */
	double caused_counted, caused_allocating;	/* parts of `caused` by instructions, and by those of the malloc family */
	struct suspect *responsible;	/* the function responsible for this cost */
	struct suspect *busiest;	/* the callee with the largest increase that it causes; or NULL */
	const struct suspect *part_of;	/* caller whose cost fell when this became a separate function; or NULL */
};

struct search {
	struct scenario_result *scenario;
	const struct cause_input *in;
	struct ledger ledger;
	struct touched touched;
	struct suspect *suspects;
	size_t n;
	struct suspect **by_id;		/* by code; NULL: not a suspect */
	double total_ms[SIDES];		/* CPU time per run, or per unit of work */
	bool unsampled;			/* samples are left out: their error is larger than the change */
	double ms_per_instruction;	/* the base's; 0: unknown */
	const char *per;		/* "run" */
	struct question asked;
	enum cause_kind whole;		/* the kind of the whole change in what is asked, whatever the function; CAUSE_KINDS: none */
};

/* Returns a side's median of METRIC per run, or per unit of work; NaN: not measured. */
static inline double median_on(const struct side_result *side, const struct metric *metric)
{
	return side_result_median(side, side_result_normalised(side, metric));
}

static inline double median_of(const struct search *s, int side, const struct metric *metric)
{
	return median_on(side == BASE ? &s->scenario->base : scenario_result_measured(s->scenario), metric);
}

/* Returns how much larger head's median is. */
static inline double median_more(const struct search *s, const struct metric *metric)
{
	return median_of(s, HEAD, metric) - median_of(s, BASE, metric);
}

static inline double part_of(double of, double whole)
{
	return whole > 0 ? of / whole : 0;
}

static inline double more_of(const struct suspect *x, enum cost_kind cost)
{
	return change_of(x->at->cost[cost]);
}

static inline const struct code *suspect_code(const struct search *s, const struct suspect *x)
{
	return code_of(&s->ledger.codes, x->id);
}

/* False for a function that only the other side has. */
static inline bool suspect_in(const struct search *s, const struct suspect *x, int side)
{
	return s->ledger.codes.items[x->id].of[side];
}

/* True if the change is in X's own lines or in code inlined into it. */
static inline bool suspect_changed(const struct suspect *x)
{
	return touch_changes(x->touch);
}

/*
 * Returns the suspect with the largest AMOUNT, an expression of X, if that is above 0; else NULL.
 *	best = SUSPECT_MOST(s, x, suspect_changed(x) ? more_of(x, COST_FAULTS) : 0);
 */
#define SUSPECT_MOST(s, x, amount)						\
	({									\
		struct suspect *best_ = NULL;					\
		double most_ = 0;						\
		for (size_t i_ = 0; i_ < (s)->n; i_++) {			\
			struct suspect *x = &(s)->suspects[i_];			\
			double amount_ = (amount);				\
			if (amount_ > most_) {					\
				most_ = amount_;				\
				best_ = x;					\
			}							\
		}								\
		best_;								\
	})

/* Returns the metric that gate I judges, if it regressed; else NULL. */
static inline const struct metric *regressed_metric(const struct scenario_result *s, size_t i)
{
	const struct gate_result *g = &s->gates[i];

	return g->gate.kind == GATE_METRIC && gate_judgement(g)->verdict == VERDICT_REGRESSION ? g->gate.metric : NULL;
}

/* Opens the ledger and its suspects. The scenario, the input, total_ms and unsampled must be set. */
void search_open(struct search *s);
void search_release(struct search *s);
/* Computes the increase of each suspect in what is asked, and the function responsible for it. */
void blame(struct search *s, const struct question *question);
/* Returns the suspect whose cost X causes: X itself, or the callee that it calls more often. */
const struct suspect *suspect_dearest(const struct suspect *x);
/* True if the cost grew because of more calls, not because each call costs more. */
bool suspect_called_more(const struct suspect *x);
/* Returns the foreign function whose COST for X grew most, by more than LEAST; or NULL. */
const struct callee_cost *suspect_callee(const struct search *s, const struct suspect *x, enum cost_kind cost, double least);
/* Returns the foreign function whose instructions for X grew most; NULL: X's own grew more. */
const struct callee_cost *suspect_dearest_callee(const struct search *s, const struct suspect *x);
/* Returns the system call whose cost for X grew most, as far as callers are known. */
struct call_change suspect_call(const struct search *s, const struct suspect *x);
/*
 * Returns the estimated time in ms of CALL's additional calls: the measured increase in system time by the number of
 * additional calls, at least that of a cheap call. Of a service, per unit of work, as cheap calls. 0: few calls, or unknown.
 */
double suspect_calls_ms(const struct search *s, const struct call_change *call);
/* Returns how closely the diff touches X, as a factor; 1: not at all. */
double suspect_nearness(const struct suspect *x);
/* Returns the own function called NAME; or NULL. */
const struct suspect *suspect_named(const struct search *s, const char *name);

#endif
