/*
 * Any cost, by own function: a foreign cost belongs to the own function nearest the leaf that called it.
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

/* What a foreign function, called by an own one, costs it with all that it calls: "strcmp", "[page fault]", "read". */
struct foreign_cost {
	const char *name;
	const char *object;
	double cost;
	double calls;		/* NaN unknown */
};

struct own_cost {
	const struct code *code;
	double cost;		/* its own, with all foreign code that it called */
	double self;		/* without */
	double kernel;		/* of the cost what was spent in the kernel; 0 of instructions */
	double faulting;	/* of that what was spent on page faults */
	double allocating;	/* of the cost what malloc and its kin take */
	double calls;		/* how often it was entered; NaN unknown */
	struct foreign_cost *foreign;	/* dearest first */
	size_t n_foreign;
};

struct own_costs {
	struct arena arena;
	struct own_cost *items;		/* dearest first; each key and object once */
	size_t n;
	double total;		/* of everything; what no own function called ("start-up", other processes) is missing in the items */
	double unowned;		/* that */
	double error_of_part;	/* one standard error of a cost c is sqrt(c * this): of sampled costs their mean weight; 0: exact */
};

void own_costs_release(struct own_costs *costs);

/* A piece of a cost, as work_own_costs() and stacks_own_costs() find them: one own function may have many. */
struct cost_piece {
	const struct code *code;	/* whose it is; NULL: nobody's */
	const char *foreign;		/* what it called, by foreign_name(); NULL: its own code */
	const char *foreign_object;
	double cost, kernel, faulting, allocating;	/* as struct own_cost has them */
	double calls;			/* of the foreign function, or, where there is none, how often its own was entered; NaN unknown */
};

/*
 * Adds PIECES up, which are sorted for it, to an empty OUT: codes of one key and object are one, foreign functions of one
 * name too. Codes and names are borrowed.
 */
void own_costs_add_up(struct cost_piece *pieces, size_t n, struct own_costs *out);
/*
 * SYMBOL as whoever called it knows it, appended: "strcmp" for "__strcmp_evex" and "strcmp@plt", "memcpy" for
 * "__memmove_avx_unaligned_erms", which is both, "malloc" for "__libc_malloc", "[page fault]" for "asm_exc_page_fault",
 * "std::vector::push_back" for each of its copies.
 */
void foreign_name(const char *symbol, struct strbuf *out);
/* Whether a foreign function, SHOWN by name_shown(), is malloc or one of its kin. */
bool foreign_allocates(const char *shown);
/* Instructions. Codes are borrowed from WORK. */
void work_own_costs(const struct work *work, struct own_costs *out);
/*
 * The weights of EVENT, by the frame nearest the leaf that is own; named by names_resolve(). A foreign cost is named by the
 * function that the own one called: of the kernel by the system call, "[page fault]" or "[kernel]"; where that has no name by its
 * file. Functions of scripts have their file and line. Texts are OUT's.
 */
void stacks_own_costs(const struct stacks *stacks, uint32_t event, const struct own_code *own, struct own_costs *out);
/* The same by the nearest own frame that PREFER says yes to, where there is one; else by the nearest. PREFER may be NULL. */
typedef bool own_prefer_fn(void *ctx, const struct code *code);
void stacks_own_costs_of(const struct stacks *stacks, uint32_t event, const struct own_code *own, own_prefer_fn *prefer, void *ctx,
			 struct own_costs *out);

/* Own functions of EVENT's stacks, dearest first, to an empty OUT, which counts nothing of them. */
void stacks_own_functions(const struct stacks *stacks, uint32_t event, const struct own_code *own, struct work *out);

/*
 * The part of EVENT's weight, 0 to 1, whose chains reach back to the start of the program or of a thread; of what lies in the
 * kernel alone nothing is expected. NaN: there is none.
 */
double stacks_whole(const struct stacks *stacks, uint32_t event);

/* Whether there is a name of a function that was made while the program ran. */
bool stacks_jitted(const struct stacks *stacks);

#endif
