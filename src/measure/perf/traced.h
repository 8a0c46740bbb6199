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
 * Targets under a tool that runs them and writes into files what they do: valgrind. Nothing of it is timed, so two of
 * them run at once, each on a CPU of its own where there are two.
 */
struct tool {
	const char *program;		/* "valgrind": found on PATH; for messages, too */
	const char *const *options;	/* to NULL; "{dir}" in them is the folder that this one writes to */
	const char *files;		/* how the names of what is to be read begin: "out." */
	bool aslr_off;			/* whatever the target has */
	const char *extra;		/* one option more, before those; or NULL */
	const char *godebug;		/* settings by which programs in Go run under it, added to GODEBUG; or NULL */
};

/* Instructions by function, line and call, for callgrind_read(). */
extern const struct tool tool_callgrind;

/* Takes one file, one of each process of side SIDE; -1 with an error ends the reading. */
typedef int traced_feed_fn(void *ctx, size_t side, const char *text, size_t len, struct error *err);

/*
 * One execution of each of N (1 or 2). All of them may take LIMIT_NS; 0: what the targets themselves may. An ERR_SYSTEM with what
 * to do where the tool is missing, takes longer, or the target fails under it: that side's outcome has failed. Outcomes need
 * neither `out` nor `output`.
 */
int traced_run(struct session *session, const struct tool *tool, const struct target_spec *specs, struct outcome *outcomes,
	       size_t n, uint64_t limit_ns, traced_feed_fn *feed, void *ctx, struct error *err);

/* Adds the last line of what a target printed to ERR, which says that it failed: its own words, or the tool's, that say why. */
void tool_quote_last_line(const struct strbuf *output, struct error *err);

#endif
