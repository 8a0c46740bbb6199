/*
 * The symbols of two profiles side by side, and the rule for one of them.
 */
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
	double share, base_share;			/* 0 to 1; NaN where there is no such profile */
	double share_error, base_share_error;		/* one standard error of each */
	struct share_change change;
	/* The most that it may have risen by itself: its missing side is too light to be listed there, or not seen, see struct cost. */
	double unlisted;
	double agreement;				/* of the runs of both sides that it rose, 0 to 1 */
	double cost, base_cost, cost_error;		/* in the cost's metric; NaN unknown */
	/*
	 * Its code has its symbols on one side only, as when one of two builds was stripped: the "[unknown]" that
	 * stands for all of it, which may be this pair itself; or NULL.
	 */
	const struct symbol_pair *unnamed;

	/* Filled by judging: */
	bool judged;				/* one of the hottest of either side */
	enum verdict verdict;
	enum symbol_change change_kind;
	const struct symbol_pair *moved;	/* SYMBOL_MOVED: to or from which, most of it; NULL: what it calls */
	char *reason;				/* a sentence about it, or NULL */
};

struct symbol_pairs {
	struct symbol_pair *items;	/* those of now, heaviest first, then what vanished, heaviest first */
	size_t n;
};

/*
 * profile_find_same() knows which symbols are the same; functions of scripts without a name are matched by how their
 * file's functions moved. BEFORE may be NULL, then nothing has changed. Kinds of change are set; nothing is judged.
 */
void symbol_pairs_build(const struct profile *now, const struct profile *before, const struct cost *cost,
			struct symbol_pairs *out);
void symbol_pairs_release(struct symbol_pairs *pairs);
/* Its name now, else as it was. */
const struct profile_symbol *symbol_pair_shown(const struct symbol_pair *pair);
/*
 * What sentences call it, for free(): not longer than a line, and with its file where the name alone means nothing.
 * What stands for a whole file goes by the file's name.
 */
char *symbol_pair_name(const struct symbol_pair *pair);

/* z score of a share's change beyond which a symbol regressed; the second where SYMBOL_MANY scenarios are judged. */
#define SYMBOL_Z_WORSE 3.1
#define SYMBOL_Z_WORSE_MANY 3.9
enum { SYMBOL_MANY = 20 };
/* The same while more samples can be had: so little may go wrong at each look that the last one's error stays what it is. */
#define SYMBOL_Z_EARLY 4.0
/* And below which no more are needed of what passes. It counts phi 2, so that of plain chance it is half as much again. */
#define SYMBOL_Z_HARMLESS 1.5
/* z score below which a change is within what samples leave open: the symbol passes, and has not changed. */
#define SYMBOL_Z_PASS 2.0
/* What the kernel's scheduler and interrupts are called together, see name_comparable(). */
#define SYMBOL_SCHEDULER "[kernel]"

struct symbol_terms {
	const struct symbol_gate *gate;
	const struct cost *cost;
	const struct profile *now, *before;
	const char *work;		/* what a cost is of: "run", "request" */
};

/* A rise with this standard error exceeds TOLERANCE, and surely half of it, at Z standard errors; all in one unit. */
bool symbol_exceeds(double rise, double error, double z, double tolerance);
/*
 * Sets verdict and reason of a pair whose profiles both have enough samples and runs: a regression when share and
 * cost both rose beyond the tolerance, surely beyond half of it, in two thirds of the pairs of runs; a pass when
 * twice the tolerance is out of reach, or what so many samples can show where that is more; else inconclusive, with
 * the samples it takes.
 */
void symbol_judge(struct symbol_pair *pair, const struct symbol_terms *terms);
/*
 * Code that went from symbols into others (inlined, split, merged, renamed) is no regression: where some fell by what
 * others rose, and did not only shrink beside them, all are marked as moved, and those that rose pass.
 */
void symbols_find_moved(struct symbol_pairs *pairs, const struct symbol_terms *terms);

#endif
