/*
 * Measures scenarios in pairs between two trees, or two commands. Connects measure/run/loop and judge/pairs for `run`
 * (--base, and to confirm), `ab` and `calibrate`.
 *
 * Every scenario is measured to its first look. Then undecided scenarios share what is left of all budgets, look by
 * look. Setup runs once. While a scenario waits, its services are down.
 */
#ifndef PAWL_JOB_PAIRS_H
#define PAWL_JOB_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

struct baseline;
struct error;
struct lifecycle;
struct request;
struct scenario;
struct scenario_result;

struct pairs_side {
	const char *root;	/* working folder and root of the scenario's commands, absolute */
	const char *label;	/* "main (1a2b3c4d5e6f)", "../old", "./old --fast" */
	const char *commit;	/* full, or NULL */
};

/*
 * One scenario to compare. RESULT comes with gates and description, and gets its pairing, the head's runs and
 * verdicts.
 */
struct pairs_job {
	const struct scenario *base, *head;	/* the same scenario, unless two commands are compared */
	struct scenario_result *result;
	bool only_head;		/* the base lacks the scenario, so failing to run it there is excused */
	bool gone;		/* the change removed it, so failing to run it in the head is excused */
	const char *base_label, *head_label;	/* NULL: the labels of struct pairs */
	const struct baseline *accepted;	/* to confirm: the baseline that flagged it; or NULL */
	uint64_t spent_ns;	/* of the scenario's budget, by its stored runs */
	const char *burner;	/* pawl selftest: the program that starts both commands, which first burns BURN_NS in the head; or NULL */
	uint64_t burn_ns;
	bool explaining;	/* stored runs decided all gates: pairs serve only the search for the cause */
};

struct pairs {
	struct lifecycle *run;		/* open, with a folder. Its request has the budget of a scenario; 0: the scenario's own */
	const char *out_dir;		/* OUT/NAME/ gets the head's files, OUT/NAME/base/ the base's; NULL: the run's folder, which gets all pictures */
	const char *project;		/* another folder of the trees in absolute paths, such as the working tree; or NULL */
	struct pairs_side base, head;
	uint64_t seed;
	unsigned gates;			/* gates that share the error */
	unsigned pairs_least, pairs_most;	/* 0: as the rule has it, PAIRS_MOST */
	unsigned commits;		/* from base to head; 0: unknown */
	bool to_the_end;		/* for calibrating: measure pairs_most pairs, whatever the looks say */
	bool without_perf;		/* count nothing with perf */
	bool either;			/* of gates on CPU time and wall time, judge that which the warm-up chooses */
	bool both_ways;			/* an improvement is an answer, too: see struct paired_terms */
	bool skip_identical;		/* measure no scenario whose sides cannot differ, see job/sides/same.h */
	bool compares_work;		/* warn if the sides print or write other things, see job/sides/same.h */
	bool confirming;		/* look at and judge only gates that need confirming */
};

/*
 * Measures and judges all JOBS. A scenario's failure goes to its result. Returns -1 only if interrupted, after
 * judging what was measured. Makes profiles and difference pictures of scenarios that regressed, and of those that
 * gate symbols.
 */
int pairs_measure(const struct pairs *pairs, const struct pairs_job *jobs, size_t n, struct error *err);
/* Returns the seed that was asked for, or a random one. */
uint64_t pairs_seed(const struct request *request);

#endif
