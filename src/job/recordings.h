/*
 * Recordings of a side beside its counted runs: samples of CPU time and page faults, waits, and the heap.
 *
 *	recordings_begin() -> recordings_take() -> recordings_leave() -> recordings_release()
 */
#ifndef PAWL_JOB_RECORDINGS_H
#define PAWL_JOB_RECORDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/run/system.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"

struct baseline;
struct error;
struct loop;
struct machine;
struct measured_side;
struct offcpu_times;
struct own_code;
struct scenario_result;
struct script;
struct side_result;

/* Reads the text of perf script, run by run, into stacks. */
struct reading {
	struct script *script;
	struct stacks raw;		/* of the run that is read */
	struct stacks *into;
	unsigned runs;			/* with samples */
};

/* The waits of a side's threads, over all recordings. */
struct waits {
	struct stacks stacks;		/* of OFFCPU_WAITING, one run per recording kept */
	unsigned recorded, kept, lost;	/* numbers of recordings; lost: perf lost records of them */
	bool refused;			/* recording does not work here; a note says why */
};

struct recordings {
	struct profile_settings settings;	/* the scenario's, with the duration that fits into the budget */
	struct reading reading;
	struct stacks stacks;		/* CPU time of all its runs */
	struct stacks pruned;		/* the same, pruned for comparison; empty without a profile */
	struct waits waits;
	bool kinds_taken;		/* profiles of other kinds were taken, as far as possible */
};

/*
 * True if SCENARIO is to be profiled. Otherwise OUT's profile gets a warning with the reason, for gates that rest on
 * it.
 */
bool recordings_wanted(const struct scenario *scenario, bool no_profile, const struct machine *machine, struct side_result *out);
/* Prepares the side's system. SIDE must not move. */
void recordings_begin(struct measured_side *side);

struct recordings_wish {
	struct loop *loop;
	struct measured_side *sides;
	unsigned n;			/* 1, or 2: base and head */
	uint64_t limit_ns;
	struct scenario_result *result;
	/*
	 * The profile grows only until RESULT's gates on symbols are decided against BASE. With two sides the base's
	 * profile stands for that of BASE. NULL: as many samples as the scenario wants.
	 */
	const struct baseline *base;
};

/* Takes the profile of all sides, all its kinds, within the limit. Returns -1 if interrupted. */
int recordings_take(const struct recordings_wish *wish, struct error *err);
/*
 * Turns what was recorded into the result's profile, the pruned one, files in the side's folder and notes. Does nothing
 * without a recording. Errors become notes.
 */
void recordings_leave(struct measured_side *side);
/* Releases all but `pruned`, which needs stacks_release(). */
void recordings_release(struct recordings *recordings);

/*
 * Records SYSTEM's target as WISH describes (its sink is ignored) into OUT, which must be empty. Stacks are complete
 * and symbolised. Unwinding by debug information may rarely reach the start of the program, or take too much of
 * WISH's limit. Frame pointers are then followed too, and the better result is kept. ERR_SYSTEM with a remedy if no
 * sample came.
 */
int recordings_sample(struct system *system, struct record_wish wish, struct stacks *out, struct error *err);

struct waits_wish {
	const struct side_result *counted;
	const struct own_code *own;	/* or NULL */
	unsigned executions;		/* or windows; 0: enough to tell */
	uint64_t limit_ns;		/* 0: no limit */
};

/*
 * Records the waits of SYSTEM's target into OUT, which must be empty. Stacks are symbolised, see offcpu_new().
 * ERR_SYSTEM with a remedy if that fails.
 */
int recordings_waits(struct system *system, const struct waits_wish *wanted, struct stacks *out, struct offcpu_times *times_out,
		     struct error *err);

#endif
