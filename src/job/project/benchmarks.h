/* Gates on the benchmarks of a scenario's harness, which are known once they ran. */
#ifndef PAWL_JOB_PROJECT_BENCHMARKS_H
#define PAWL_JOB_PROJECT_BENCHMARKS_H

#include <stdbool.h>

struct machine;
struct metric;
struct scenario;
struct scenario_result;
struct strv;

/*
 * Adds a gate to RESULT for each benchmark of either side that S gates, and for each of its globs that matches none.
 * Returns the number of relative gates on benchmarks.
 */
unsigned benchmarks_gates(const struct scenario *s, struct scenario_result *result);
/* Returns the benchmark that regressed most in the pairs so far; NULL if none did. */
const struct metric *benchmarks_worst(struct scenario_result *result, const struct machine *machine);
/*
 * Appends to OUT the benchmarks that more pairs may decide. Returns false if all must run: a gate is on whole runs, no
 * benchmark is undecided, or the last pair lacked one that is.
 */
bool benchmarks_undecided(const struct scenario_result *result, struct strv *out);
/* Notes benchmarks that came too late for a gate, and a benchmark that seems to be renamed. */
void benchmarks_note(const struct scenario *s, struct scenario_result *result);

#endif
