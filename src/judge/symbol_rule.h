/* Pairs the symbols of two profiles, and judges each pair. */
#ifndef PAWL_JUDGE_SYMBOL_RULE_H
#define PAWL_JUDGE_SYMBOL_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/baseline.h"
#include "model/cost.h"
#include "model/profile.h"
#include "model/result.h"
#include "stats/stats.h"

struct symbol_pair {
	const struct profile_symbol *now, *before;	/* NULL: not in that profile; never both */
	double share, base_share;			/* 0 to 1; NaN without that profile */
	double share_error, base_share_error;		/* one standard error of each */
	struct share_change change;
	/*
	 * Largest apparent rise without a change: its missing side is too light to be listed, or was not seen, see
	 * struct cost.
	 */
	double unlisted;
	double agreement;				/* share of the pairs of runs in which it rose, 0 to 1 */
	double cost, base_cost, cost_error;		/* in the cost's metric; NaN: unknown */
	/*
	 * Set if its code has symbols on one side only, for example because one build was stripped. It is then the
	 * "[unknown]" that represents all such code, possibly this pair itself; else NULL.
	 */
	const struct symbol_pair *unnamed;

	/* Filled by judging: */
	bool judged;				/* among the hottest of either side */
	enum verdict verdict;
	enum symbol_change change_kind;
	const struct symbol_pair *moved;	/* SYMBOL_MOVED: most of it to or from this one; NULL: the functions it calls */
	char *reason;				/* a sentence, or NULL */
};

struct symbol_pairs {
	struct symbol_pair *items;	/* those of `now`, heaviest first, then vanished ones, heaviest first */
	size_t n;
};

/*
 * Pairs the symbols of two profiles and sets the kinds of change; judges nothing. profile_find_same() finds equal
 * symbols. Unnamed functions of scripts are matched by how their file's functions moved. BEFORE may be NULL; then
 * nothing has changed.
 */
void symbol_pairs_build(const struct profile *now, const struct profile *before, const struct cost *cost,
			struct symbol_pairs *out);
void symbol_pairs_release(struct symbol_pairs *pairs);
/* Returns the symbol of `now`, else that of `before`. */
const struct profile_symbol *symbol_pair_shown(const struct symbol_pair *pair);
/*
 * Returns its name for sentences, for free(). It fits on a line, and includes the file if the name alone means
 * nothing. A symbol that represents a whole file has the file's name.
 */
char *symbol_pair_name(const struct symbol_pair *pair);

/* z score from which a rise is a regression; _MANY applies if at least SYMBOL_MANY scenarios are judged. */
#define SYMBOL_Z_WORSE 3.1
#define SYMBOL_Z_WORSE_MANY 3.9
enum { SYMBOL_MANY = 20 };
/* The same while more samples can follow. It is strict enough that the error of the last look stays as it is. */
#define SYMBOL_Z_EARLY 4.0
/*
 * z score below which a pass needs no more samples. It assumes a dispersion of 2, so by chance alone it is half as
 * much again.
 */
#define SYMBOL_Z_HARMLESS 1.5
/* z score below which samples do not resolve a change: the symbol passes as unchanged. */
#define SYMBOL_Z_PASS 2.0
/* Common name of the kernel's scheduler and interrupts, see name_comparable(). */
#define SYMBOL_SCHEDULER "[kernel]"

struct symbol_terms {
	const struct symbol_gate *gate;
	const struct cost *cost;
	const struct profile *now, *before;
	const char *work;		/* costs are per this: "run", "request" */
};

/* True if RISE exceeds TOLERANCE, and half of it by Z standard errors of ERROR. All are in one unit. */
bool symbol_exceeds(double rise, double error, double z, double tolerance);
/*
 * Sets verdict and reason of a pair whose profiles both have enough samples and runs.
 *
 * A regression: share and cost both rose beyond the tolerance, and beyond half of it within bounds, in two thirds of
 * the pairs of runs. A pass: the bounds exclude twice the tolerance, or the smallest rise that the samples can show
 * if that is larger. Else inconclusive, with the number of samples needed.
 */
void symbol_judge(struct symbol_pair *pair, const struct symbol_terms *terms);
/*
 * Finds code that moved between symbols: inlined, split, merged or renamed. This is not a regression. If some symbols
 * fell by as much as others rose, and more than shares shrink when others grow, all are marked as moved. Those that
 * rose pass.
 */
void symbols_find_moved(struct symbol_pairs *pairs, const struct symbol_terms *terms);

#endif
