/*
 * The rule by which one symbol's share is judged: a regression when share and cost both rose beyond the tolerance, surely
 * beyond half of it, in two thirds of the pairs of runs; a pass when twice the tolerance is out of reach, or what so many
 * samples can show where that is more; else inconclusive, with the samples that would tell.
 */
#ifndef PAWL_JUDGE_SYMBOL_RULE_H
#define PAWL_JUDGE_SYMBOL_RULE_H

#include <stdbool.h>

#include "base/text.h"
#include "model/baseline.h"
#include "model/result.h"
#include "stats/proportions.h"

/*
 * The symbols of two profiles side by side: how their shares changed, how sure that is, and what they cost per run, or
 * per unit of work where that is known.
 *
 *	struct symbol_pairs pairs;
 *	symbol_pairs_build(&scenario->profile, &base->profile, &cost, &pairs);
 *	...
 *	symbol_pairs_release(&pairs);
 */

/* What the whole of a profile stands for on both sides, by which shares become costs. */
struct cost {
	const struct metric *metric;	/* task-clock, else instructions; NULL: neither is known on both sides */
	double now, before;		/* medians; NaN unknown. `now` may be known where `before` is not */
	double now_error, before_error;	/* one standard error of them, as their runs scatter */
	bool per_work;
};

/* BASE may be NULL, or of another machine whose values are not to be compared: then only `now` is known. */
void cost_find(const struct scenario_result *scenario, const struct baseline *base, struct cost *out);
/* "6.1 ms", "310 us", "12.4 M instructions"; appended. Unsigned: the caller says more or less. */
void cost_add(struct strbuf *out, double amount, const struct metric *metric);

struct symbol_pair {
	const struct profile_symbol *now, *before;	/* NULL: not in that profile; never both */
	double share, base_share;			/* 0 to 1; NaN where there is no such profile */
	double share_error, base_share_error;		/* one standard error of each */
	struct share_change change;
	double unlisted;				/* the most that its missing side may be: too light to be listed there */
	double agreement;				/* of the runs of both sides that it rose, 0 to 1 */
	double cost, base_cost, cost_error;		/* in the cost's metric; NaN unknown */
	/*
	 * Its code has its symbols on one side only, as when one of two builds was stripped: the "[unknown]" that stands for
	 * all of it, which may be this pair itself; or NULL.
	 */
	const struct symbol_pair *unnamed;

	/* Filled by symbol_rule.h: */
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
 * Which symbols are the same is told by profile_find_same(); functions of scripts without a name are matched by how their
 * file's functions moved. BEFORE may be NULL, then nothing has changed.
 */
void symbol_pairs_build(const struct profile *now, const struct profile *before, const struct cost *cost,
			struct symbol_pairs *out);
void symbol_pairs_release(struct symbol_pairs *pairs);
/* Sets `unnamed`, where more than LEAST of the whole (0 to 1) went between a file's symbols and its "[unknown]". */
void symbol_pairs_find_unnamed(struct symbol_pairs *pairs, double least);

/* Its name now, else as it was. */
const struct profile_symbol *symbol_pair_shown(const struct symbol_pair *pair);
/* How sentences call it: not longer than a line, and with its file where the name alone says nothing; appended. What
 * stands for a whole file goes by the file's name. */
void symbol_pair_name(const struct symbol_pair *pair, struct strbuf *out);

/* z score of a share's change beyond which a symbol regressed; the second where SYMBOL_SUITE scenarios are judged. */
#define SYMBOL_Z_WORSE 3.1
#define SYMBOL_Z_WORSE_SUITE 3.9
/* z score below which a change is within what samples leave open: the symbol passes, and has not changed. */
#define SYMBOL_Z_PASS 2.0
enum { SYMBOL_SUITE = 20 };
/*
 * On a busy machine the shares of unchanged code shift from one hour to another beyond what samples leave open: by one
 * standard deviation of so much times p(1 - p), see docs/deciding.md.
 */
#define SYMBOL_BUSY_SHIFT 0.05
/* What the kernel's scheduler and interrupts are called together, see profile/names.h. */
#define SYMBOL_SCHEDULER "[kernel]"

struct symbol_terms {
	const struct symbol_gate *gate;
	const struct cost *cost;
	const struct profile *now, *before;
	const char *work;		/* what a cost is told for: "run", "request" */
};

/* Sets what kind of change it is: new, vanished, risen, fallen; of code without its symbols, none. Nothing is judged. */
void symbol_classify(struct symbol_pair *pair);
/* A rise with this standard error exceeds TOLERANCE, and surely half of it, at Z standard errors; all in one unit. */
bool symbol_exceeds(double rise, double error, double z, double tolerance);
/* Sets verdict and reason of a pair whose profiles both have enough samples and runs. */
void symbol_judge(struct symbol_pair *pair, const struct symbol_terms *terms);
/*
 * Code that went from symbols into others (inlined, split, merged, renamed) is no regression: where some fell by what
 * others rose, and did not only shrink beside them, all are marked as moved, and those that rose pass.
 */
void symbols_find_moved(struct symbol_pairs *pairs, const struct symbol_terms *terms);

#endif
