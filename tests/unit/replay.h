/*
 * The run loop's operations on a recording: what perf and wait4() reported of runs that really were,
 * given back one after the other, without processes, perf or a clock of its own.
 *
 *	run-001.usage	the run around perf: "wall_ms=34.6" and so on, one line a member
 *	run-001.csv	what `perf stat -x;` wrote; without it the run was not counted
 *	run-001.fail	the run failed: the error's words, then what the target printed last
 *	simulation.out	cachegrind's output; without it nothing was simulated
 *
 *	replay_load() -> runloop() with replay_ops() -> replay_release()
 *
 * Runs are numbered from 1 without a gap, warm-ups among them, and used up in that order: a loop
 * that asks for more of them, or counts one that was not counted, gets an ERR_SYSTEM. Commands
 * succeed and take no time.
 */
#ifndef PAWL_TESTS_REPLAY_H
#define PAWL_TESTS_REPLAY_H

#include <stdbool.h>

#include "measure/perf/cachegrind.h"
#include "measure/run/loop.h"

struct recorded_run {
	struct measured measured;
	bool counted;
	char *failure, *words;	/* NULL: it did not fail, nothing was printed */
};

struct replay {
	struct recorded_run *runs;
	size_t n, cap;
	size_t next;		/* the run that is given back next, from 0 */
	struct simulated simulated;
	bool has_simulated;
	uint64_t now_ns;	/* the clock: every run moves it on by its wall time */
};

/* OUT is written only on success, for replay_release(). Faults name the file. */
int replay_load(const char *dir, struct replay *out, struct error *err);
void replay_release(struct replay *replay);
struct loop_ops replay_ops(struct replay *replay);

/* The text of a .usage file, every member once; OUT's rows are left as they are. */
int replay_parse_usage(const char *text, size_t len, struct measured *out, struct error *err);

#endif
