/*
 * Tools that run targets and write files about them. All have one runner, and a tool is a row: struct tool. Times under
 * a tool mean nothing, so both sides run at once.
 */
#ifndef PAWL_MEASURE_TOOLS_TOOL_H
#define PAWL_MEASURE_TOOLS_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/perf/target_run.h"
#include "model/measured.h"

struct tool_use;

/* One target under a tool. */
struct tool_side {
	char *dir;		/* its output folder, writable for its user */
	struct target_spec spec;	/* as it is run */
	struct strv argv, environment;	/* of the run, if the tool changes them */
	char cpu[16];
	struct measured measured;
	struct strbuf output;	/* the end of the output */
};

struct tool {
	const char *program;		/* found on PATH; NULL: the target itself is run */
	const char *name;		/* in messages and of the folder; NULL: the program */
	const char *const *options;	/* before "--" and the target; ends in NULL; "{dir}" is replaced by the side's folder */
	const char *files;		/* prefix of the names of the output files: "out." */
	const char *none;		/* says that there are none; NULL: a sentence of the runner */
	const char *under;		/* wrapped around the target's failure; NULL: "under NAME" */
	bool aslr_off;			/* overrides the target's setting */
	bool own_cpus;			/* each of two targets gets its own CPU if two are available */
	bool quiet;			/* the last line of the output is the tool's own, and explains no failure */
	const char *godebug;		/* settings appended to GODEBUG for Go programs under the tool; or NULL */
	/* Refuses a target that the tool cannot run; or NULL. */
	int (*refuse)(const struct child_spec *child, struct error *err);
	/* Appends the target to SIDE's argv, or changes its environment or folder. NULL: appends the target. */
	int (*prepare)(struct tool_side *side, struct error *err);
	/* Adds advice to the target's failure; or NULL. */
	void (*explain)(const struct tool_side *side, struct error *err);
	/* Reads what SIDE left. NULL: each file goes to USE's feed. */
	int (*read)(struct session *session, const struct tool_side *side, const struct tool_use *use, struct error *err);
};

/* Receives one file, written by one process of side SIDE. Returning -1 with an error ends the reading. */
typedef int tool_feed_fn(void *ctx, size_t side, const char *text, size_t len, struct error *err);

struct tool_use {
	const char *const *extra;	/* options before the tool's own; ends in NULL; or NULL */
	uint64_t limit_ns;		/* for all targets together; 0: the targets' own timeouts */
	bool *cut;			/* not NULL: at the limit, the files written so far are read, and this is set */
	tool_feed_fn *feed;
	void *ctx;
	struct strbuf *output;		/* receives the end of the first target's output; or NULL */
};

/* A program under valgrind, or one that only allocates under heaptrack, runs up to about fifty times slower. */
enum { TOOL_TIMEOUT_FACTOR = 50 };

/* True if PROGRAM is installed. */
bool tool_available(const char *program);
/* Returns the command that installs PROGRAM here, if its package has its name. For free(). */
char *tool_install(const char *program);
/* ERR_SYSTEM, with the command that installs it, if PROGRAM is missing. */
int tool_find(const char *program, struct error *err);
/* Appends the tool's program and options, without the target. */
void tool_words(const struct tool *tool, const char *const *extra, const char *dir, struct strv *argv);
/*
 * Runs each of N targets (1 or 2) once, at the same time, and reads the files. Removes them in every case. ERR_SYSTEM,
 * with advice, if the tool is missing or takes longer than the limit, or if a target fails under it. ERR must not be
 * NULL.
 */
int tool_run(struct session *session, const struct tool *tool, const struct target_spec *specs, size_t n, const struct tool_use *use,
	     struct error *err);

/* Appends the last line of OUTPUT to ERR, a failure. It has the target's or the tool's own explanation. */
void tool_quote_last_line(const struct strbuf *output, struct error *err);

#endif
