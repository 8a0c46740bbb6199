/*
 * Which perf to use. `perf` on PATH may be a distribution's wrapper that refuses on this kernel;
 * then the newest real one under the distribution's linux-tools folders is taken. PAWL_PERF
 * overrides, and is not second-guessed.
 */
#ifndef PAWL_MEASURE_PERF_PERF_TOOL_H
#define PAWL_MEASURE_PERF_PERF_TOOL_H

#include "base/error.h"
#include "measure/process/child.h"

struct perf_tool {
	char *path;
	char *version;		/* "6.1.187" */
	char *note;		/* how it was chosen, when not plainly from PATH; or NULL */
};

/* ERR_SYSTEM with the command that installs perf when there is none. */
int perf_tool_find(struct perf_tool *out, struct error *err);
void perf_tool_release(struct perf_tool *tool);

/* Where perf_tool_find() looks; texts may be NULL where there is none. */
struct perf_search {
	const char *override;	/* PAWL_PERF: a path or a name on PATH */
	const char *on_path;	/* the `perf` on PATH */
	const char *root;	/* below which the distribution's folders lie: "/" */
	const char *os_release;	/* these two for the command that installs it */
	const char *kernel;
};

int perf_tool_search(const struct perf_search *search, struct perf_tool *out, struct error *err);

/*
 * A perf that looks at running processes until it is told to end: `perf stat` or `perf record` with -p,
 * started disabled, switched on and off on acknowledgement, ended by SIGINT.
 *
 *	perf_attached_start() -> perf_attached_switch() as often as wanted -> perf_attached_end()
 *	perf_attached_dispose() always
 *
 * Whoever runs as the same user can open the pipes and files of another process through /proc/PID/fd, but not its
 * sockets. So perf is told what to do by a socket, or the target could switch its own counters off.
 *
 * perf gets LC_ALL=C, since decimal commas corrupt its output, and no file of settings of the user's, since these
 * change what it does; the target keeps its own locale.
 */

struct perf_attached {
	struct child perf;
	int control_fd;
	const char *what;	/* "perf stat", for messages */
	const char *path;	/* of the program; borrowed */
};

/* The number of the descriptor that perf writes to. */
#define PERF_OUTPUT 4

#define PERF_ATTACHED_INIT { .control_fd = -1, .what = "perf" }

/* Add "-D -1 --control fd:3,3 -p PIDS": PIDS are process numbers with commas between. */
void perf_attached_options(struct strv *argv, const char *pids);
/* ARGV begins with the tool's path and has those options. OUTPUT_FD becomes its PERF_OUTPUT. */
int perf_attached_start(struct keeper *keeper, const struct perf_tool *tool, const struct strv *argv, const char *what,
			int output_fd, struct perf_attached *out, struct error *err);
/* Returns once perf has done it. The first one also tells that it is attached. */
int perf_attached_switch(struct keeper *keeper, struct perf_attached *attached, bool on, struct error *err);
/* Tell it to end, and wait. An ERR_SYSTEM when it does not within TIMEOUT_NS, or was killed by somebody else. */
int perf_attached_end(struct keeper *keeper, struct perf_attached *attached, uint64_t timeout_ns, struct error *err);
/* An ERR_SYSTEM "WHAT FAILED: ", then what perf said: its own words, without the explanation of its options. */
int perf_attached_blame(struct perf_attached *attached, const char *failed, struct error *err);
void perf_attached_dispose(struct keeper *keeper, struct perf_attached *attached);

/* What makes any perf behave the same whoever runs it, added to a child's environment. */
void perf_environment(struct strv *environment);
/* The last lines of a perf that failed, fit to be quoted; appended. */
void perf_words(const struct child *perf, struct strbuf *out);

#endif
