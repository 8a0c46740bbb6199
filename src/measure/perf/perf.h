/* Runs of perf and of valgrind around a target, and the text they write. Each section below is the file of its name. */
#ifndef PAWL_MEASURE_PERF_PERF_H
#define PAWL_MEASURE_PERF_PERF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "measure/process/process.h"
#include "model/events.h"
#include "model/machine.h"
#include "model/measured.h"
#include "model/profile.h"
#include "model/result.h"
#include "scenario/scenario.h"

/* -------- perf_tool */

/*
 * Which perf to use. `perf` on PATH may be a distribution's wrapper that refuses on this kernel;
 * then the newest real one under the distribution's linux-tools folders is taken. PAWL_PERF
 * overrides, and is not second-guessed.
 */

struct perf_tool {
	char *path;
	char *version;		/* "6.1.187" */
	char *note;		/* how it was chosen, when not plainly from PATH; or NULL */
};

/* ERR_SYSTEM with the command that installs perf when there is none. */
int perf_tool_find(struct keeper *keeper, struct perf_tool *out, struct error *err);
void perf_tool_release(struct perf_tool *tool);

/* Where perf_tool_find() looks; texts may be NULL where there is none. */
struct perf_search {
	const char *override;	/* PAWL_PERF: a path or a name on PATH */
	const char *on_path;	/* the `perf` on PATH */
	const char *root;	/* below which the distribution's folders lie: "/" */
	const char *os_release;	/* these two for the command that installs it */
	const char *kernel;
};

int perf_tool_search(struct keeper *keeper, const struct perf_search *search, struct perf_tool *out, struct error *err);

/* -------- perf */

/*
 * A `perf stat` or `perf record` on running processes: started disabled, switched on and off on
 * acknowledgement, ended by SIGINT.
 *
 * A held command is counted from its exec to its end:
 *	perf_stat_attach(), perf_switch(on) -> child_release(target), child_wait(target) -> perf_stat_end()
 * Running processes are counted while a window lasts; the first switch returns once perf is attached:
 *	perf_stat_attach(), perf_switch(off) -> perf_switch(on), ..., perf_switch(off) -> perf_stat_end()
 * Samples go to a file:
 *	perf_record_attach(), perf_switch(off) -> perf_switch(on), ... -> perf_record_end()
 * perf_dispose() always; the file stays.
 *
 * PIDS are process numbers with commas between; perf counts, or samples, each of their threads and every child forked from
 * then on.
 *
 * Whoever runs as the same user can open the pipes and files of another process through /proc/PID/fd, but not its
 * sockets. So perf gets its commands and writes what it counted through sockets, or the target could switch its own
 * counters off; and a recording has no name yet. With one, people can open it with perf later.
 *
 * perf gets LC_ALL=C, since decimal commas corrupt its output, and no file of settings of the user's, since these
 * change what it does; the target keeps its own locale.
 */

struct perf {
	struct child child;
	const char *what;	/* "perf stat", for messages */
	const char *path;	/* of the program; borrowed */
	int control_fd;
	int output_fd;		/* where what `perf stat` counted can be read once it has ended */
};

#define PERF_INIT { .what = "perf", .control_fd = -1, .output_fd = -1 }

/* EVENTS must not be empty. */
int perf_stat_attach(struct keeper *keeper, const struct perf_tool *tool, const struct strv *events, const char *pids,
		     struct perf *out, struct error *err);

/*
 * Commands are recorded with perf attached to the keeper: samples are inherited by what it starts from then on, and
 * switched on only while a held child runs. So one perf, whose start takes longer than many a command, records any
 * number of executions; and perf 6.1, which spins once one of the processes it was given has ended, does not.
 *
 * Build-ids are in the file, and nothing is copied to ~/.debug.
 */
struct record_spec {
	const char *event;		/* "cpu-clock", "cycles:u", "page-faults" */
	unsigned frequency;		/* Hz; 0: by period */
	uint64_t period;		/* events a sample */
	enum call_graph call_graph;
	bool switches;			/* with records of when each thread leaves the CPU and comes back */
	unsigned stack_bytes;		/* of the stack that is kept to be unwound; 0: as perf does */
	bool bursts;			/* samples may come by the thousand within milliseconds: with room for them, where that is permitted */
	int fd;				/* a file that is emptied, see file_unnamed() */
};

int perf_record_attach(struct keeper *keeper, const struct perf_tool *tool, const struct record_spec *spec,
		       const char *pids, struct perf *out, struct error *err);
/* Returns once perf has done it. */
int perf_switch(struct keeper *keeper, struct perf *perf, bool on, struct error *err);
/* Ends perf and reads the rows, which may be none. ERR_SYSTEM when it hangs, or was killed by somebody else. */
int perf_stat_end(struct keeper *keeper, struct perf *perf, struct perf_rows *out, struct error *err);
/* The file is complete after it. */
int perf_record_end(struct keeper *keeper, struct perf *perf, struct error *err);
void perf_dispose(struct keeper *keeper, struct perf *perf);

/* What to sample by on a machine of TIER: cycles where they can be counted, else the clock; NULL where perf can do neither. */
const char *perf_record_event(enum tier tier);
/* The clock, which can be sampled by everywhere: the counter of some machines never interrupts. */
const char *perf_record_clock(enum tier tier);

/*
 * `perf script` on a recording, its text handed on as it comes: any piece of it at a time, in bounded memory. Names stay
 * mangled and inlined functions unresolved: one takes a library that knows better, the other minutes.
 */

struct recorded {
	const char *file;	/* its path, or, where it is open already, the one it will have: for messages */
	int fd;			/* -1: to be opened */
	uint64_t limit_ns;	/* when a perf that is not done hangs; 0: after perf_script_limit_ns() */
	bool switches;		/* their records are part of the text, and those of threads that begin and end */
	bool *cut;		/* set where the limit ended it: whole samples that were read by then are kept. NULL: an error, as without any */
};

/* What its size asks for: a minute, and ten seconds a mebibyte, but ten minutes at most. */
uint64_t perf_script_limit_ns(const struct recorded *recorded);

/* What takes the text; -1 with an error ends the reading. */
typedef int script_feed_fn(void *ctx, const char *data, size_t len, struct error *err);

/* A recording without a sample has no text, and that is no error. */
int perf_script_read(struct keeper *keeper, const struct perf_tool *tool, const struct recorded *recorded,
		     script_feed_fn *feed, void *ctx, struct error *err);

/* -------- perf_csv */

/*
 * Text of `perf stat -x SEP` to rows.
 *
 * The format is that of perf-stat(1), "CSV FORMAT": value, unit, event, run time of the counter,
 * percentage of time it ran, and optional derived columns, which are ignored: they differ between
 * versions. The first five columns are the same in perf 5.10, 6.1, 6.12 and 7.2.
 */

/* A separator that no event name contains. */
#define PERF_CSV_SEPARATOR ';'

/*
 * Comments, blank lines, perf's warnings and lines of derived columns alone are skipped; a damaged
 * row is an error (ERR_SYSTEM) naming its line. *OUT is overwritten; for perf_rows_release().
 */
int perf_csv_parse(const char *text, size_t len, char separator, struct perf_rows *out, struct error *err);

/* -------- session */

/*
 * The session: everything that measuring needs at hand, put together once per invocation. session_open()
 * finds perf, reads the machine's facts, probes what it can count and takes the lock; the keeper
 * must have been started before.
 */

struct session {
	struct keeper *keeper;
	struct perf_tool perf;
	struct machine machine;
	int lock_fd;		/* -1: not held */
	int announced_fd;	/* where it is held, see lock_announce() */
	char *scratch;		/* a private folder for perf's output and ${tmp}, removed at the end */
	int scratch_lock;	/* held as long as the folder is there */
};

struct session_options {
	uint64_t lock_wait_ns;
	bool without_perf;	/* no perf is looked for, and the tier is TIER_SIM */
	bool perf_optional;	/* where none can be used it is as if none was looked for */
	/* Called once when another pawl holds the lock; may be NULL. */
	void (*waiting)(void *ctx, const char *holder);
	void *ctx;
};

/* Makes session->scratch, after removing what pawls that were killed left behind. For those who need no more of a session. */
int session_make_scratch(struct session *session, struct error *err);
int session_open(struct session *session, struct keeper *keeper, const struct session_options *options, struct error *err);
/* Also ends what is listed in it, when the keeper was killed. */
void session_remove_scratch(struct session *session);
void session_close(struct session *session);

/* -------- probe */

/*
 * What this machine can count, found by counting: a short loop of our own under `perf stat`.
 * "No PMU", "not permitted" and "multiplexed" are different reasons, each with its remedy.
 *
 * Fills tier, tier_reason, tier_remedy, counters, perf_path and perf_version of MACHINE. Fails
 * (ERR_SYSTEM) only when perf cannot count anything at all; the tier is TIER_NONE then. SESSION needs
 * its keeper, perf and scratch folder.
 */
int probe_tier(struct session *session, struct machine *machine, struct error *err);

/* For whoever may not count. */
#define REMEDY_PARANOID "sudo sysctl kernel.perf_event_paranoid=1"

/* -------- target_run */

/*
 * One execution of a target under `perf stat`, or while `perf record` samples it: held, attached,
 * released, waited for, measured around itself, and everything it left behind ended.
 */

struct target_spec {
	struct child_spec child;
	uint64_t timeout_ns;
	struct perf *record;	/* attached to the keeper: switched on while the target runs; or NULL */
	bool crowd;		/* find out measured.crowd, which costs a look every few milliseconds */
};

/*
 * EVENTS may be NULL: run without perf stat, as a warm-up or while it is sampled. A target that fails, hangs or
 * leaves processes behind is an ERR_TARGET; one for which perf and the kernel have different numbers is dropped. OUTPUT
 * gets the end of what it printed, whatever happens.
 */
int target_run(struct session *session, const struct target_spec *spec, const struct strv *events, struct measured *out,
	       struct strbuf *output, struct error *err);

enum { AT_ONCE_MOST = 2 };

/* What becomes of one of several that are run at once. */
struct outcome {
	struct measured *out;
	struct strbuf *output;	/* the end of what was printed */
	bool failed;		/* what went wrong is this one's; of none: nobody's in particular */
};

/* Its program's file gives it another user's rights, which pawl has not: perf may not look at it. */
bool target_takes_rights(const struct child_spec *child);
/*
 * N of them at once, as target_run(): all are held until the last is, and released in this order. They take the CPU from
 * each other, so the time each of them takes says nothing, and each may take N times its timeout.
 */
int targets_run(struct session *session, const struct target_spec *specs, struct outcome *outcomes, size_t n,
		const struct strv *events, struct error *err);

/* -------- strace_run */

/*
 * One execution of a target under strace, which stops it at each system call: some 35 us for each, with stacks some 800. Nothing of
 * it is timed but how long calls take.
 */

struct strace_wish {
	const char *calls;	/* "read,write": these alone, the others cost nothing then; NULL: all */
	bool stacks;		/* of each call */
	uint64_t limit_ns;	/* after so long it is ended, and what was written until then is used */
};

struct strace_text {
	struct strbuf text;	/* for strace_read() of profile/; STRBUF_INIT before */
	bool cut;		/* after the limit: not the whole execution */
};

bool strace_available(void);
/*
 * N targets at once, TEXTS of each, appended. ERR_SYSTEM, with what to do, where strace is missing or may not trace, or where the
 * target fails under it. ERR must not be NULL.
 */
int strace_run(struct session *session, const struct target_spec *specs, size_t n, const struct strace_wish *wish,
	       struct strace_text *texts, struct error *err);

/*
 * Processes that run already, with their threads and what they start, under strace. It can be taken away from them at any time:
 * then they go on as before.
 *
 *	strace_attach()			returns once each of them is traced
 *	strace_detach()			the text is complete, its `cut` is set: it is a part of what they do
 *	strace_dispose()		always, in the end
 */
struct strace {
	struct child child;
	char *file;
};

/* ERR_SYSTEM, with what to do, where strace is missing or may not trace one of PROCESSES. WISH's limit is the caller's to keep. */
int strace_attach(struct session *session, const struct processes *processes, const struct strace_wish *wish, struct strace *out,
		  struct error *err);
int strace_detach(struct session *session, struct strace *strace, struct strace_text *out, struct error *err);
void strace_dispose(struct session *session, struct strace *strace);

/* -------- execs */

/*
 * Makes another process of each one that executes a program, in a recording (perf.data, LEN bytes at DATA) whose stacks are unwound by
 * debug information: a perf that unwinds by libunwind keeps what was mapped before, takes the lowest copy of a library for the one
 * that is executed, and so loses the callers of about every other process behind a shell, as their addresses fall. The numbers are
 * as RECORDED_PID_BITS says. What is no such recording stays as it is.
 */
void perf_data_part_execs(void *data, size_t len);

/* -------- heaptrack */

/* Allocations of one execution, which repeat exactly where the program does: of one program, the first that the target's shell starts. */
struct heap_use {
	bool known;
	double allocations, temporary;
	double peak_bytes, leaked_bytes;
	char why_not[300];	/* of what is not known, with what would help; "": nobody asked */
};

struct heap_wish {
	const char *keep;	/* folder for stacks: of allocations heap.folded, of bytes at the peak heap-peak.folded; NULL: nowhere */
	uint64_t limit_ns;	/* of the execution; 0: a multiple of what the target itself may take */
};

/*
 * One execution under heaptrack, which waits for ever where it is given a static program, so such a one is refused. What cannot be
 * counted is OUT's why_not, and no error. -1: interrupted.
 */
int heaptrack_run(struct session *session, const struct target_spec *spec, const struct heap_wish *wish, struct heap_use *out,
		  struct strbuf *output, struct error *err);
/* The sum of the weights of folded stacks, as heaptrack_print has them. ERR_INPUT with the line that has none. */
int heaptrack_sum(const char *text, size_t len, double *sum_out, struct error *err);

/* -------- traced */

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

/* -------- cachegrind */

/*
 * The simulated tier: one execution under valgrind's cachegrind with a fixed cache geometry, which
 * gives instructions, branch and cache misses that repeat almost to the instruction.
 */

struct simulated {
	double instructions, branches, branch_misses, l1d_loads, l1d_misses;	/* NaN: nobody asked */
	char by[96];	/* what the values depend on besides the program: "valgrind-3.22.0, glibc 2.39" */
	char why_not[200];	/* why the target could not be simulated; "": it was, or nobody asked */
	/* Instructions of all launchers (shells, pyenv, npx, cargo), one of them by name; the costliest other process, by path. */
	double launcher, started_instructions;
	char launched_by[32], started[200];
	struct heap_use heap;
};

/* What is simulated besides instructions: each takes as long again as these alone. */
struct simulation {
	bool branches, caches;
	bool only_heap;		/* nothing is simulated, not even these */
	bool heap;		/* allocations are counted, by heaptrack */
	uint64_t limit_ns;	/* each tool is ended then, and has no values; 0: as long as the target's timeout lets it */
};

/* True when valgrind is installed. */
bool cachegrind_available(void);
/* All processes of the target together. */
int cachegrind_run(struct session *session, const struct target_spec *spec, struct simulation what, struct simulated *out,
		   struct strbuf *output, struct error *err);

/*
 * Adds the totals of one process, as far as they were simulated, to *SUM, and notes whether it is a launcher. The format is that of the
 * Cachegrind manual, "File Format": an "events:" line names the columns, the "summary:" line holds their totals; a text
 * without them is an error.
 */
int cachegrind_add(const char *text, size_t len, struct simulated *sum, struct error *err);

/* -------- python_calls */

/*
 * How often functions in Python are called, and what they take, by Python's own profiler: python_calls.py, put on PYTHONPATH of
 * N targets that are run at once, counts in each of their processes, whatever starts these, by PYTHONUSERBASE where that sets
 * PYTHONPATH itself. It takes up to five times as long, so nothing of it is timed; after LIMIT_NS each is ended (N times that
 * where they share a CPU). What each process wrote is handed to FEED, for python_read(). An ERR_SYSTEM with the reason where
 * no process of Python wrote.
 */
typedef int python_calls_feed_fn(void *ctx, unsigned side, const char *text, size_t len, struct error *err);

int python_calls_run(struct session *session, const struct target_spec *specs, struct outcome *outcomes, size_t n,
		     uint64_t limit_ns, python_calls_feed_fn *feed, void *ctx, struct error *err);

#endif
