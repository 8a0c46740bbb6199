/*
 * A run of a target under callgrind.
 */
#ifndef PAWL_MEASURE_PERF_TRACED_H
#define PAWL_MEASURE_PERF_TRACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct outcome;
struct session;
struct strbuf;
struct target_spec;

/*
 * A tool that runs targets and writes files about them: valgrind. Times under it mean nothing, so two targets run at
 * once, each on its own CPU if two are available.
 */
struct tool {
	const char *program;		/* "valgrind": found on PATH, and named in messages */
	const char *const *options;	/* ends in NULL; "{dir}" stands for this target's output folder */
	const char *files;		/* prefix of the names of the output files: "out." */
	bool aslr_off;			/* overrides the target's setting */
	const char *extra;		/* an additional option placed before the others; or NULL */
	const char *godebug;		/* settings appended to GODEBUG for Go programs under the tool; or NULL */
};

/* Instructions by function, line and call, for callgrind_read(). */
extern const struct tool tool_callgrind;

/* Receives one file, written by one process of side SIDE. Returning -1 with an error ends the reading. */
typedef int traced_feed_fn(void *ctx, size_t side, const char *text, size_t len, struct error *err);

/*
 * Runs each of N targets (1 or 2) once. LIMIT_NS is the time for all of them; 0: the targets' own timeouts.
 * ERR_SYSTEM, with advice, if the tool is missing or takes longer, or if the target fails under it: that side's
 * outcome is then `failed`. Outcomes need neither `out` nor `output`.
 */
int traced_run(struct session *session, const struct tool *tool, const struct target_spec *specs, struct outcome *outcomes,
	       size_t n, uint64_t limit_ns, traced_feed_fn *feed, void *ctx, struct error *err);

/* Appends the last line of the target's output to ERR, a failure. It has the target's or the tool's own explanation. */
void tool_quote_last_line(const struct strbuf *output, struct error *err);

#endif
