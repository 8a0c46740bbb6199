/*
 * The search for the first commit that made a scenario slower, as it is stored and shown: the comparisons that were
 * made, and what they leave. Which commit is compared next, and what a comparison says of it, is judge/bisect.c's
 * part.
 */
#ifndef PAWL_MODEL_BISECTION_H
#define PAWL_MODEL_BISECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "model/result.h"

enum { BISECTION_SCHEMA = 1 };

enum bisect_state { BISECT_UNTESTED, BISECT_GOOD, BISECT_BAD, BISECT_SKIPPED };

extern const char *const bisect_state_names[];	/* "good"; of each, then NULL */

/* One comparison in pairs. */
struct bisect_step {
	char *base, *head;			/* full ids; a step's base is good */
	enum bisect_state state;		/* BISECT_UNTESTED: not taken yet */
	double change_pct, low_pct, high_pct;	/* of the metric, raw sign; NaN unknown */
	unsigned pairs;
	double elapsed_s;			/* building included */
	char *reason;				/* why it was skipped; of `whole`, why there is nothing to search for; or NULL */
};

struct bisection {
	/* What is searched, and with what: a stored search goes on only where all of it is the same. */
	char *pawl, *scenario, *text, *class;	/* version; name; hash of the scenario as it is; machine class */
	char *good, *bad;			/* full ids */

	char *good_ref, *bad_ref;		/* as they were given; or NULL */
	uint64_t seed;
	char *metric;				/* NULL: not known yet */
	bool higher_is_better;
	double tolerance_pct;			/* of a step: half of the whole change; NaN: not known yet */
	struct bisect_step whole;		/* bad against good */
	struct bisect_step *steps;		/* in the order in which they were taken */
	size_t n_steps, cap_steps;
	struct bisect_step found;		/* what is left of the search against the one before it */
	struct strv explanation;		/* what accounts for that; where there is nothing to find, what was measured */
	char *folder;				/* where the files of that comparison lie, or NULL */
	bool difference;			/* diff.svg is among them */

	/* Not stored: */
	char *argument;				/* how the command line names the scenario; NULL: by its name */
	struct commits commits;			/* good excluded, bad included, oldest first */
	enum bisect_state *states;		/* of them */
};

void bisection_release(struct bisection *bisection);
void bisect_step_release(struct bisect_step *step);
/*
 * Give it the commits it is about, taken over, and set their states from the stored steps. Steps on other commits are
 * an ERR_INPUT.
 */
int bisection_place(struct bisection *bisection, struct commits *commits, struct error *err);
/* Add a step on commit AT, whose strings are taken over. */
void bisection_add_step(struct bisection *bisection, size_t at, struct bisect_step *step);

/* Where a search stands: commit FIRST up to commit LAST of `commits` may be the first bad one. */
struct suspects {
	size_t first, last;
	size_t untested;	/* of those before the last */
	size_t skipped;
};

struct suspects bisection_suspects(const struct bisection *bisection);
/* The commit that the last comparison has as its base: the one before the suspects, good itself before the first. */
const char *bisection_before(const struct bisection *bisection);
/* The commit of that id among them, or NULL: good is not. */
const struct commit *bisection_commit(const struct bisection *bisection, const char *id);

enum bisect_outcome {
	BISECT_UNFINISHED,
	BISECT_NOTHING,		/* bad is not worse than good for sure: there is nothing to search for */
	BISECT_FIRST_BAD,	/* one commit, and it is worse than the one before it */
	BISECT_NARROWED,	/* one of a few: those between were skipped */
	BISECT_UNCONFIRMED,	/* what was found is not worse than the one before it, or that is not sure */
	BISECT_LOST,		/* all were skipped: it may be any */
};

extern const char *const bisect_outcome_names[];	/* "first-bad" */

enum bisect_outcome bisection_outcome(const struct bisection *bisection);
/* The exit status that stands for it. */
int bisection_status(const struct bisection *bisection);

/* How much worse a change is, on the log scale. */
double bisection_worsening(double change_pct, bool higher_is_better);
/* The part of the whole change that the found one is, in percent, on the log scale; NaN unknown. */
double bisection_explained_pct(const struct bisection *bisection);
/*
 * Whether the found change is surely another than the whole one: -1 less, so that other commits have their part, 1
 * more, 0 where the intervals overlap or are not known: it may be all of it.
 */
int bisection_found_differs(const struct bisection *bisection);

/* Of every comparison together. */
struct bisection_effort {
	unsigned comparisons, pairs;
	double elapsed_s;
};

struct bisection_effort bisection_effort(const struct bisection *bisection);

#endif
