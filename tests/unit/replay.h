/*
 * The run loop's operations on a recording. They return what perf and wait4() reported of real runs, one
 * after the other. They use no processes, no perf and no real clock.
 *
 *	run-001.usage	the run around perf: "wall_ms=34.6" and so on, one member per line
 *	run-001.csv	output of `perf stat -x;`; missing if the run was not counted
 *	run-001.fail	the run failed: the error message, then the target's last output
 *	simulation.out	cachegrind's output; missing if nothing was simulated
 *
 *	replay_load() -> runloop() with replay_ops() -> replay_release()
 *
 * Runs are numbered from 1 without gaps, warm-ups included, and replayed in that order. If the loop asks for
 * more runs, or counts a run that was not counted, it gets an ERR_SYSTEM. Commands succeed and take no time.
 */
#ifndef PAWL_TESTS_REPLAY_H
#define PAWL_TESTS_REPLAY_H

#include <stdbool.h>

#include "measure/tools/valgrind.h"
#include "measure/run/loop.h"

struct recorded_run {
	struct measured measured;
	bool counted;
	char *failure, *words;	/* NULL: it did not fail, it printed nothing */
};

struct replay {
	struct recorded_run *runs;
	size_t n, cap;
	size_t next;		/* the next run to replay, from 0 */
	struct simulated simulated;
	bool has_simulated;
	uint64_t now_ns;	/* the clock; each run advances it by its wall time */
};

/* Loads a recording. Sets OUT only on success; the caller releases it with replay_release(). Errors name the file. */
int replay_load(const char *dir, struct replay *out, struct error *err);
void replay_release(struct replay *replay);
struct loop_ops replay_ops(struct replay *replay);

/* Parses a .usage file, which has every member once. Leaves OUT's rows unchanged. */
int replay_parse_usage(const char *text, size_t len, struct measured *out, struct error *err);

#endif
