/*
 * The search for the first commit that made a scenario slower: which commit to compare next, what a comparison says
 * of it, and what is known in the end. Pure: git, trees and measuring are others' business.
 *
 *	bisection_plan() with the comparison of bad against good, which must be a regression
 *	-> bisection_next() -> bisection_judge() -> bisection_note(), until there is no next
 *	-> bisection_confirm() with the comparison of what is left against the one before it
 *
 * Each commit is compared with good, at half of the whole change on the log scale: it is nearer to bad, or nearer to
 * good, or skipped, where it cannot be built, cannot run, or stays undecided. One change is assumed; where there are
 * several the one that crosses half of the whole is found, and what it explains of the whole is told.
 */
#ifndef PAWL_JUDGE_BISECT_H
#define PAWL_JUDGE_BISECT_H

#include "base/error.h"
#include "model/result.h"

enum { BISECTION_SCHEMA = 1 };

enum bisect_state { BISECT_UNTESTED, BISECT_GOOD, BISECT_BAD, BISECT_SKIPPED };

extern const char *const bisect_state_names[];	/* "good"; of each, then NULL */

/* One comparison in pairs, as it is stored. */
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

enum bisect_outcome {
	BISECT_UNFINISHED,
	BISECT_NOTHING,		/* bad is not worse than good for sure: there is nothing to search for */
	BISECT_FIRST_BAD,	/* one commit, and it is worse than the one before it */
	BISECT_NARROWED,	/* one of a few: those between were skipped */
	BISECT_UNCONFIRMED,	/* what was found is not worse than the one before it, or that is not sure */
	BISECT_LOST,		/* all were skipped: it may be any */
};

const char *bisect_outcome_name(enum bisect_outcome outcome);	/* "first-bad" */
enum bisect_outcome bisection_outcome(const struct bisection *bisection);
/* The exit status that stands for it. */
int bisection_status(const struct bisection *bisection);

/* Where a search stands: commit FIRST up to commit LAST of `commits` may be the first bad one. */
struct suspects {
	size_t first, last;
	size_t untested;	/* of those before the last */
	size_t skipped;
};

void bisection_release(struct bisection *bisection);
void bisect_step_release(struct bisect_step *step);
/*
 * Give it the commits it is about, taken over, and set their states from the stored steps. Steps on other commits are
 * an ERR_INPUT.
 */
int bisection_place(struct bisection *bisection, struct commits *commits, struct error *err);

/*
 * Choose what decides: of the gates of WHOLE, judged between bad and good, the regressed one that changed most. False
 * when none regressed. Sets metric, tolerance and whole step.
 */
bool bisection_plan(struct bisection *bisection, const struct scenario_result *whole);
/* The gate by which each commit is judged. METRIC is the one of that name. */
struct gate bisection_gate(const struct bisection *bisection, const struct metric *metric);

struct suspects bisection_suspects(const struct bisection *bisection);
/*
 * The commit to compare next, in *OUT; false when none is left to. The middle of what is left; where commits near it
 * were skipped, one that is as far from these as is worth it.
 */
bool bisection_next(const struct bisection *bisection, size_t *out);
/* How many more comparisons there are about; 0: none. */
unsigned bisection_steps_left(const struct bisection *bisection);

/* What a comparison says by its gate on the metric that decides: numbers, state and reason go to STEP. */
void bisection_judge(const struct bisection *bisection, const struct scenario_result *measured,
		     struct bisect_step *step);
/* The same of the last comparison, which is bad whenever it is surely worse, within the scenario's tolerance too. */
void bisection_confirm(const struct bisection *bisection, const struct scenario_result *measured,
		       struct bisect_step *step);
/* Take note of a step on commit AT, whose strings are taken over. */
void bisection_note(struct bisection *bisection, size_t at, struct bisect_step *step);

/* The commit that the last comparison has as its base: the one before the suspects, good itself before the first. */
const char *bisection_before(const struct bisection *bisection);
/* The part of the whole change that the found one is, in percent, on the log scale; NaN unknown. */
double bisection_explained_pct(const struct bisection *bisection);
/*
 * Whether the found change is surely another than the whole one: -1 less, so that other commits have their part, 1 more, 0
 * where the intervals overlap or are not known: it may be all of it.
 */
int bisection_found_differs(const struct bisection *bisection);
/* Every comparison together. */
unsigned bisection_pairs(const struct bisection *bisection);
double bisection_elapsed_s(const struct bisection *bisection);
unsigned bisection_comparisons(const struct bisection *bisection);
/* The commit of that id among them, or NULL: good is not. */
const struct commit *bisection_commit(const struct bisection *bisection, const char *id);

#endif
