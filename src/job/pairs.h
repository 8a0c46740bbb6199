/*
 * Measuring scenarios in pairs between two trees, or two commands: the wiring of measure/run/loop and judge/pairs
 * that `ab`, `run` (to confirm) and `calibrate` share.
 *
 * Every scenario is brought to its first look; then what is left of all budgets together is spent on those that are
 * not decided, look by look. Setup is done once; services of a scenario that waits are down.
 */
#ifndef PAWL_JOB_PAIRS_H
#define PAWL_JOB_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct machine;
struct profile;
struct progress;
struct request;
struct scenario;
struct scenario_result;
struct session;

struct pairs_side {
	const char *root;	/* working folder and root of the scenario's commands, absolute */
	const char *label;	/* "main (1a2b3c4d5e6f)", "../old", "./old --fast" */
	const char *commit;	/* full, or NULL */
};

/* One scenario to compare. RESULT has its gates and description already; it gets its pairing, its runs (the head's), verdicts. */
struct pairs_job {
	const struct scenario *base, *head;	/* the same one, but where two commands are compared */
	struct scenario_result *result;
	bool only_head;		/* the base has no such scenario: when it cannot run it, that is no failure */
	bool gone;		/* the change removed it from the head: nor is it one there */
	const char *base_label, *head_label;	/* NULL: those of both sides */
	const char *accepted;	/* identity of the executable that the baseline is of, where one is confirmed; or NULL */
	const struct profile *accepted_profile;	/* and its profile; or NULL */
	uint64_t spent_ns;	/* of the scenario's budget, on its stored runs */
	bool explaining;	/* stored runs decided all gates: pairs are made for the search for the cause alone */
};

struct pairs {
	struct request *request;
	struct session *session;
	struct progress *progress;
	const char *root;		/* the head's project root, which scenario paths are relative to */
	const char *out_dir;		/* OUT/NAME/ gets the head's files, OUT/NAME/base/ the base's */
	const char *report_dir;		/* OUT/NAME/ of the report, for its pictures; NULL: out_dir */
	const char *project;		/* another folder that absolute paths may name for the trees, such as the working tree; or NULL */
	struct pairs_side base, head;
	uint64_t seed;
	unsigned gates;			/* m */
	unsigned pairs_most;		/* 0: PAIRS_MOST */
	unsigned commits;		/* from the base's to the head's; 0: not known */
	uint64_t budget_ns;		/* a scenario; then the first look waits for it too; 0: its own, and no first look is cut short */
	bool to_the_end;		/* measure pairs_most pairs whatever the looks say: for calibrating */
	bool no_profile;
	bool without_perf;		/* nothing is counted by it */
	bool confirming;		/* only gates that want confirming are looked at, and judged */
};

/*
 * Measures and judges all JOBS. The failure of a scenario is in its result; -1 only when interrupted, with what was
 * measured judged. Difference pictures and profiles are made of scenarios in which something regressed, or which gate
 * symbols themselves.
 */
int pairs_measure(const struct pairs *pairs, const struct pairs_job *jobs, size_t n, const struct machine *machine,
		  struct error *err);
/* A seed from the kernel, or the one that was asked for. */
uint64_t pairs_seed(const struct request *request);

#endif
