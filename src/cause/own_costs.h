/*
 * Costs by own function: a foreign cost belongs to the calling own function nearest the leaf.
 */
#ifndef PAWL_CAUSE_OWN_COSTS_H
#define PAWL_CAUSE_OWN_COSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/work.h"
#include "profile/stacks.h"

/* A foreign function called by an own one, with the cost of everything it calls: "strcmp", "[page fault]", "read". */
struct foreign_cost {
	const char *name;
	const char *object;
	double cost;
	double calls;		/* NaN: unknown */
};

struct own_cost {
	const struct code *code;
	double cost;		/* including all foreign code that it called */
	double self;		/* without foreign code */
	double kernel;		/* part of the cost spent in the kernel; 0 for instructions */
	double faulting;	/* part of `kernel` spent on page faults */
	double allocating;	/* part of the cost spent in the malloc family */
	double calls;		/* times entered; NaN: unknown */
	struct foreign_cost *foreign;	/* highest cost first */
	size_t n_foreign;
};

struct own_costs {
	struct arena arena;
	struct own_cost *items;		/* highest cost first; each key and object once */
	size_t n;
	double total;		/* total cost, including `unowned`, which no item holds */
	double unowned;		/* cost without an own caller: start-up, other processes */
	double error_of_part;	/* standard error of a cost c is sqrt(c * this); mean weight of a sample; 0: exact */
};

void own_costs_release(struct own_costs *costs);

/* One part of a cost, from work_own_costs() or stacks_own_costs(). An own function may have many. */
struct cost_piece {
	const struct code *code;	/* the own function; NULL: unowned */
	const char *foreign;		/* its callee, by foreign_name(); NULL: its own code */
	const char *foreign_object;
	double cost, kernel, faulting, allocating;	/* as in struct own_cost */
	double calls;			/* times the foreign function was called; if `foreign` is NULL, times the own one was entered; NaN: unknown */
};

/*
 * Sums PIECES into OUT, which must be empty. Sorts PIECES. Codes with the same key and object are merged, and so are
 * foreign functions with the same name. Codes and names are borrowed.
 */
void own_costs_add_up(struct cost_piece *pieces, size_t n, struct own_costs *out);
/*
 * Appends the name that callers use for SYMBOL: "strcmp" for "__strcmp_evex" and "strcmp@plt", "memcpy" for
 * "__memmove_avx_unaligned_erms" (which implements both), "malloc" for "__libc_malloc", "[page fault]" for
 * "asm_exc_page_fault", "std::vector::push_back" for each instantiation.
 */
void foreign_name(const char *symbol, struct strbuf *out);
/* True if a foreign function belongs to the malloc family. SHOWN is its name from name_shown(). */
bool foreign_allocates(const char *shown);
/* Sums WORK's instructions into OUT, which must be empty. Codes are borrowed from WORK. */
void work_own_costs(const struct work *work, struct own_costs *out);
/*
 * Sums the weights of EVENT into OUT by the own frame nearest the leaf; frames are named by names_resolve(). A foreign
 * cost is named after the function that the own one called. In the kernel that is the system call, "[page fault]" or
 * "[kernel]". A function without a name is named after its file. Script functions have their file and line. OUT owns
 * the texts.
 */
void stacks_own_costs(const struct stacks *stacks, uint32_t event, const struct own_code *own, struct own_costs *out);
/*
 * Like stacks_own_costs(), but uses the nearest own frame that PREFER accepts, else the nearest own frame. PREFER may
 * be NULL.
 */
typedef bool own_prefer_fn(void *ctx, const struct code *code);
void stacks_own_costs_of(const struct stacks *stacks, uint32_t event, const struct own_code *own, own_prefer_fn *prefer, void *ctx,
			 struct own_costs *out);

/*
 * Stores the own functions of EVENT's stacks in OUT, which must be empty, highest cost first. OUT has no counts for
 * them.
 */
void stacks_own_functions(const struct stacks *stacks, uint32_t event, const struct own_code *own, struct work *out);

/*
 * Returns the part of EVENT's weight, 0 to 1, in stacks that reach the start of the program or of a thread. Stacks that
 * lie entirely in the kernel are ignored. NaN: no stack remains.
 */
double stacks_whole(const struct stacks *stacks, uint32_t event);

/* True if any frame is a function that was generated at run time. */
bool stacks_jitted(const struct stacks *stacks);

#endif
