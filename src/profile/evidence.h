/*
 * What one execution of a program did, as tools tell that trace, simulate or sample it: for the search for the cause of a
 * regression, on both sides of a pair. Bytes in, values out; who runs the tools is measure/.
 *
 * Own code is what the project builds, or its scripts; what lies in the system's folders (libc, the kernel, an
 * interpreter) is foreign. A foreign cost belongs to the own function nearest the leaf that called it.
 */
#ifndef PAWL_PROFILE_EVIDENCE_H
#define PAWL_PROFILE_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "profile/stacks.h"

/* -------- own_code */

/* What counts as the project's own. */
struct own_code {
	const char *root;	/* folder of the project's tree on this side; what lies below it is own; or NULL */
	const char *program;	/* path of the program that is measured: own where nothing else is; or NULL */
	const struct strv *linked;	/* functions in it that are a library's, as name_comparable() has them; may be NULL */
	const struct strv *patterns;	/* globs on paths and base names that the project names itself (`own:`); may be NULL */
};

/*
 * True for PATH of an executable, library or script below root, or in no folder of the system's or of a package manager's; of
 * what `program` and `patterns` say, wherever it lies. False for code that has no file: the kernel, "[vdso]", what was made at
 * run time.
 */
bool own_code_has(const struct own_code *own, const char *path);
/*
 * The same of a function, SHOWN by name_shown(), in PATH: libraries of the language, start-up code and, unless debug information
 * HAS its SOURCE, the C library are foreign although a program was linked with them.
 */
bool own_code_has_function(const struct own_code *own, const char *path, const char *shown, bool has_source);

/* -------- work (callgrind.c) */

struct code {
	const char *function;	/* demangled; "[unknown]" */
	const char *key;	/* comparable between two builds, see name_comparable() */
	const char *object;	/* whole path of its file; "" unknown */
	const char *source;	/* whole path as debug information has it; NULL */
	unsigned line;		/* where it begins, or the first of it that was executed; 0 unknown */
	bool own;
};

struct work_function {
	struct code code;
	double self;		/* instructions */
	double calls;		/* how often it was entered */
};

struct work_line {
	uint32_t function;	/* in whose body it was executed, inlined or not */
	const char *source;
	unsigned line;
	double self;
};

struct work_call {
	uint32_t caller, callee;
	double calls;
	double total;		/* instructions of the callee with all that it called */
};

/* Instructions by function, line and call, exactly; of all processes of one execution. { 0 } is empty. */
struct work {
	struct arena arena;
	struct work_function *functions;
	size_t n_functions, cap_functions;
	struct work_line *lines;
	size_t n_lines, cap_lines;
	struct work_call *calls;
	size_t n_calls, cap_calls;
	double total;
	bool timed;		/* all of these are ns of wall clock instead, of functions in Python: see python_read() */
	struct work_index *index;	/* callgrind.c's */
};

void work_release(struct work *work);
/*
 * Adds one process's file to WORK: the format of Callgrind's manual, "Callgrind Format Specification", with name
 * compression and relative lines. ERR_INPUT with the line where it is none.
 */
int callgrind_read(const char *text, size_t len, const struct own_code *own, struct work *work, struct error *err);

/* -------- python */

/*
 * Adds one process's file to WORK: what measure/perf/python_calls.py writes of the functions of Python that were called, each
 * with the ns of wall clock spent in itself, less what counting took, and how often it was entered, which is exact (a
 * generator is entered each time it goes on). A comprehension is part of the function it stands in; what is built in has
 * no object and a name such as "list.append". The functions' object and source are the script. ERR_INPUT with the line
 * where it is none.
 */
int python_read(const char *text, size_t len, const struct own_code *own, struct work *work, struct error *err);
/* WORK and AGAIN are of two executions of the same: each time of WORK becomes the lesser of both, as what disturbs only adds. */
void python_least(struct work *work, struct work *again);
/*
 * HEAD is to be compared with BASE: times become those of BASE's pace, as what is common to both has it, and where a function
 * is entered and calls as often as before, and its time differs by no more than executions do, its time is that of BASE.
 */
void python_settle(struct work *base, struct work *head);

/* -------- own_costs: any cost, by own function */

/* What a foreign function, called by an own one, costs it with all that it calls: "strcmp", "[page fault]", "read". */
struct foreign_cost {
	const char *name;
	const char *object;
	double cost;
	double calls;		/* NaN unknown */
};

struct own_cost {
	const struct code *code;
	double cost;		/* its own, with all foreign code that it called */
	double self;		/* without */
	double kernel;		/* of the cost what was spent in the kernel; 0 of instructions */
	double faulting;	/* of that what was spent on page faults */
	double allocating;	/* of the cost what malloc and its kin take */
	double calls;		/* how often it was entered; NaN unknown */
	struct foreign_cost *foreign;	/* dearest first */
	size_t n_foreign;
};

struct own_costs {
	struct arena arena;
	struct own_cost *items;		/* dearest first; each key and object once */
	size_t n;
	double total;		/* of everything; what no own function called ("start-up", other processes) is missing in the items */
	double unowned;		/* that */
	double error_of_part;	/* one standard error of a cost c is sqrt(c * this): of sampled costs their mean weight; 0: exact */
};

void own_costs_release(struct own_costs *costs);

/* A piece of a cost, as work_own_costs() and stacks_own_costs() find them: one own function may have many. */
struct cost_piece {
	const struct code *code;	/* whose it is; NULL: nobody's */
	const char *foreign;		/* what it called, by foreign_name(); NULL: its own code */
	const char *foreign_object;
	double cost, kernel, faulting, allocating;	/* as struct own_cost has them */
	double calls;			/* of the foreign function, or, where there is none, how often its own was entered; NaN unknown */
};

/*
 * Adds PIECES up, which are sorted for it, to an empty OUT: codes of one key and object are one, foreign functions of one
 * name too. Codes and names are borrowed.
 */
void own_costs_add_up(struct cost_piece *pieces, size_t n, struct own_costs *out);
/*
 * SYMBOL as whoever called it knows it, appended: "strcmp" for "__strcmp_evex" and "strcmp@plt", "memcpy" for
 * "__memmove_avx_unaligned_erms", which is both, "malloc" for "__libc_malloc", "[page fault]" for "asm_exc_page_fault",
 * "std::vector::push_back" for each of its copies.
 */
void foreign_name(const char *symbol, struct strbuf *out);
/* Whether a foreign function, SHOWN by name_shown(), is malloc or one of its kin. */
bool foreign_allocates(const char *shown);
/* Instructions. Codes are borrowed from WORK. */
void work_own_costs(const struct work *work, struct own_costs *out);
/*
 * The weights of EVENT, by the frame nearest the leaf that is own; named by names_resolve(). A foreign cost is named by the
 * function that the own one called: of the kernel by the system call, "[page fault]" or "[kernel]"; where that has no name by its
 * file. Functions of scripts have their file and line. Texts are OUT's.
 */
void stacks_own_costs(const struct stacks *stacks, uint32_t event, const struct own_code *own, struct own_costs *out);
/* The same by the nearest own frame that PREFER says yes to, where there is one; else by the nearest. PREFER may be NULL. */
typedef bool own_prefer_fn(void *ctx, const struct code *code);
void stacks_own_costs_of(const struct stacks *stacks, uint32_t event, const struct own_code *own, own_prefer_fn *prefer, void *ctx,
			 struct own_costs *out);

/* Own functions of EVENT's stacks, dearest first, to an empty OUT, which counts nothing of them. */
void stacks_own_functions(const struct stacks *stacks, uint32_t event, const struct own_code *own, struct work *out);

/*
 * The part of EVENT's weight, 0 to 1, whose chains reach back to the start of the program or of a thread; of what lies in the
 * kernel alone nothing is expected. NaN: there is none.
 */
double stacks_whole(const struct stacks *stacks, uint32_t event);

/* Whether there is a name of a function that was made while the program ran. */
bool stacks_jitted(const struct stacks *stacks);

/* -------- heap */

/*
 * Folded stacks of heaptrack_print, which name functions and the base names of their sources, to an empty OUT, named by names_resolve().
 * The file that a function lies in is the one that WORK has, of the same program; of others it is unknown, so they are foreign.
 */
int heap_folded_read(const char *text, size_t len, const struct work *work, struct stacks *out, struct error *err);

/* -------- system_calls: strace.c reads them */

enum wait_kind {
	WAIT_NONE,
	WAIT_SLEEP,	/* for a time to pass */
	WAIT_IO,	/* files */
	WAIT_PIPE,	/* what another process sends or takes: pipes, sockets, terminals */
	WAIT_LOCK,
	/* What these wait for is counted with them, too. */
	WAIT_THREAD,	/* another thread of its own, to end or to say something */
	WAIT_CHILD,	/* a process that it started */
	WAIT_KINDS,
};

extern const char *const wait_kind_names[];	/* of each, then NULL */

struct system_call {
	const char *name;	/* "read" */
	double calls, errors;
	double bytes;		/* read or written; 0 of others */
	double blocked_ms;	/* from entry to return, less what such a call takes that returns at once */
	double waited_ms[WAIT_KINDS];	/* that by what it waited for; of WAIT_NONE 0 */
	enum wait_kind wait;	/* most of it */
	const char *file;	/* what at least half of them were on: a path, "pipe", "socket"; or NULL */
	/* Of own functions the one that is asked for by system_calls_name_callers(), and how often it made the call; NULL: not known */
	const char *caller;
	const char *caller_object;	/* whole path */
	double by_caller;
};

/* A file that was opened, read or written: what goes in and what comes out. */
struct traced_file {
	const char *path;
	double opens, read_bytes, written_bytes;
	double size_bytes;	/* the largest that the program was told; 0: it did not ask */
};

/* A program that was started. */
struct traced_exec {
	const char *path;		/* one of `programs` */
	const char *folder;		/* that a relative path starts from; NULL: unknown */
	uint32_t process;		/* in which: an index of `parents` */
};

/* A file that was opened to be read, once for each program. */
struct traced_open {
	const char *path;		/* absolute, without links */
	uint32_t exec;			/* the program of the process that opened it: an index of `execs`, or TRACED_NO_EXEC */
};

#define TRACED_NO_EXEC UINT32_MAX

/* Of all processes and threads of one execution. */
struct system_calls {
	struct arena arena;
	struct system_call *items;	/* most frequent first */
	size_t n, cap;
	unsigned processes, threads;	/* that were started, the first included; each process is a thread, too */
	double wall_ms;
	bool cut;			/* they were counted for a while, not to the end of the program */
	bool attached;			/* of a service, while its load did `work`; 0: it does not say, and only parts of all can be compared */
	double work;
	double waited_ms[WAIT_KINDS];	/* of all calls of all threads, at once or not */
	struct strv libraries;		/* paths of shared objects that were opened, in order, each once */
	struct strv programs;		/* paths that were executed, each once */
	struct traced_exec *execs;	/* each time that they were, in order */
	size_t n_execs, cap_execs;
	struct traced_open *opens;
	size_t n_opens, cap_opens;
	struct strv unformatted;	/* files that were to be executed and are of no known format, as the program named them */
	uint32_t *parents;		/* of each process or thread who started it; itself: nobody that was traced */
	size_t n_parents;
	struct traced_file *files;	/* in the order in which they came; not pipes and sockets */
	size_t n_files, cap_files;
};

void system_calls_release(struct system_calls *calls);
/*
 * The text of `strace -f -ttt -T -y -s 4` (strings cut, so that a write of a megabyte is a short line; four because lists of
 * descriptors are cut with them), as strace 5 and 6 write it: ERR_INPUT with the line where it is none. A last line that is cut
 * off is passed over. What the kernel restarts behind a signal is one call. Blocked is what a call takes beyond what those take
 * that return at once (the median of the faster half), and beyond a nanosecond a byte; of less than four times that, none; less what calls that cannot wait
 * seem to wait on average. STRACE_LOADS are the calls of which `programs`, `execs`, `opens` and `unformatted` are made.
 */
#define STRACE_LOADS "execve,execveat,open,openat,openat2,chdir,fchdir,clone,clone3,fork,vfork"
int strace_read(const char *text, size_t len, struct system_calls *out, struct error *err);
/*
 * The same of `-k`, which makes a call some twenty times dearer: the stack of each to STACKS, as one sample of an event that is
 * called as the call, and, where it waited, as ns of the event STRACE_WAITING, with wait_frame() as its leaf.
 */
#define STRACE_WAITING "waiting"
int strace_read_stacks(const char *text, size_t len, struct stacks *stacks, struct error *err);
/* "[sleep]", "[I/O]", "[pipe]", "[lock]", "[thread]", "[child]": the last frame of a stack that waits. Not of WAIT_NONE. */
uint32_t wait_frame(struct stacks *stacks, enum wait_kind kind);
/* The kind whose frame is called NAME; WAIT_NONE of any other. */
enum wait_kind wait_named(const char *name);
/*
 * BASE and HEAD are of services, each with the `work` that was done while it was traced: the numbers of BASE become those of as much
 * work as HEAD's, or, where it is not known of both, of as many calls. What they wait for is mostly their next request, so nobody
 * waits any more.
 */
void system_calls_settle(struct system_calls *base, struct system_calls *head);
/* Of all of them. */
double system_calls_total(const struct system_calls *calls);
const struct system_call *system_calls_find(const struct system_calls *calls, const char *name);
/*
 * Programs that are not the project's own, start none that is, not even by others, and were started LEAST times or more by what was
 * traced: such as the `expr` of a shell script. Appended.
 */
void system_calls_helpers(const struct system_calls *calls, const struct own_code *own, unsigned least, struct strv *out);
/* Calls that start a process, or a thread, or wait for its end: "clone". */
bool system_call_starts(const struct system_call *call);

/* -------- offcpu: what threads wait for, as the kernel switches them */

/*
 * The text of `perf script --show-switch-events --show-task-events -F comm,pid,tid,time,period,event,ip,sym,dso` on a recording of
 * `perf record -e context-switches -c 1 -g --switch-events` to stacks of waiting, as a stream: any piece of it at a time. A sample has
 * the stack at which its thread leaves the CPU, SWITCH records the time until it is back, and "preempt" tells one that was pushed off from
 * one that waits. Linux: perf_event_open(2), PERF_RECORD_SWITCH.
 *
 *	struct offcpu *offcpu = offcpu_new(&stacks, &own, KEEPER_NAME);
 *	while (more) offcpu_feed(offcpu, data, len, err);
 *	offcpu_end(offcpu, &times, err);
 *	offcpu_free(offcpu);
 *
 * Every wait becomes a stack of OFFCPU_WAITING: a sample that weighs its ns, whose last frame is its wait_frame(). What lies between
 * records that perf lost is not counted. Where a command was recorded from its exec on, its first thread lives as long as the command
 * takes; its waits are told apart once more:
 *
 *	OFFCPU_HELD	nothing else of the command runs: this is what it is held up by, at the thread that waits; where that one waits
 *			for others, of which one sleeps or waits for files in own code, at that one
 *	OFFCPU_OTHERS	others of the command are at work meanwhile: what they do is what it takes so long
 *	OFFCPU_LOCKED	waits for locks, of all threads
 *
 * ERR_INPUT as script_feed() has it. ERR_SYSTEM when the sums of the stacks differ from those of the records.
 */
#define OFFCPU_WAITING "waiting"
#define OFFCPU_HELD "held-up"
#define OFFCPU_OTHERS "others-work"
#define OFFCPU_LOCKED "locked"

struct offcpu_times {
	unsigned executions;	/* that were seen from their exec on; 0: what is attached to */
	uint64_t waits;		/* how often a thread left the CPU by itself */
	double cpu_ns, preempted_ns;		/* of all threads; preempted is ready to run, but another one does */
	double waited_ns[WAIT_KINDS];		/* of all threads, OFFCPU_WAITING by what for; of WAIT_NONE what is not known */
	double first_ns, first_cpu_ns;		/* of the executions' first threads: how long they lived, and ran or were ready to */
	double held_ns[WAIT_KINDS], others_ns;	/* the rest of that: OFFCPU_HELD by what for, OFFCPU_OTHERS */
	uint64_t lost;		/* records and samples that perf lost */
};

struct offcpu;

/* OWN, which may be NULL, and INTO outlive it. Threads called WITHOUT (NULL: none) are passed over. */
struct offcpu *offcpu_new(struct stacks *into, const struct own_code *own, const char *without);
int offcpu_feed(struct offcpu *offcpu, const char *data, size_t len, struct error *err);
int offcpu_end(struct offcpu *offcpu, struct offcpu_times *out, struct error *err);
void offcpu_free(struct offcpu *offcpu);

/* -------- callers: whose own functions make the calls that grew */

/* Names of those that HEAD makes more often or waits longer in, appended: some three of each, the most first. */
void system_calls_grown(const struct system_calls *base, const struct system_calls *head, struct strv *out);
/*
 * For each call of which there are stacks, an event of its name, named by names_resolve(): the own function that makes so many more
 * of them in HEAD; where there are not more, the one that makes most. It is noted on both sides. Stacks may be those of a part of the
 * calls.
 */
void system_calls_name_callers(struct system_calls *base, struct system_calls *head, const struct stacks *base_stacks,
			       const struct stacks *head_stacks, const struct own_code *base_own, const struct own_code *head_own);

/* -------- all of a side (surroundings.c) */

/* What is missing has a reason, and leaves the rest standing. */
struct evidence {
	struct own_code own;
	const char *tmp;	/* ${tmp} of this side, absolute: what lies below it has the same name on both; or NULL */
	struct work work;
	unsigned counted;	/* processes whose output of callgrind `work` was read from */
	bool helpers;		/* what system_calls_helpers() names is not in `work` */
	struct stacks cpu, faults, waits;	/* whole call paths; weights: ns of CPU time, faults, ns of waiting */
	struct stacks allocations, heap_peak;	/* calls of malloc and its kin; bytes that were held when most were */
	double temporary;	/* of the allocations those that were freed before the next one */
	struct offcpu_times offcpu;		/* what `waits` are of; executions 0: they are strace's */
	struct system_calls system_calls;
	struct stacks calling;	/* of services: whole call paths of their system calls, an event each */
	struct strv libraries;			/* "PATH ID" of each program and library that is loaded, ID as file_identity() has it */
	struct strv compilers;			/* "GNU C17 12.2.0 -O2": what the program was compiled by, as far as it tells */
	const struct strv *arguments, *environment;	/* what the target was given, "NAME=VALUE"; borrowed; may be NULL */
	uint64_t code_bytes;			/* instructions of the program, as its file has them; 0: not known */
	/* Names: symbols or debug information of the program. */
	const char *no_names, *no_work, *no_cpu, *no_faults, *no_waits, *no_system_calls, *no_callers, *no_heap;	/* why it is missing, with what would help; or NULL */
	struct arena arena;			/* of these and of `own` */
};

void evidence_release(struct evidence *evidence);

/* -------- surroundings: what differs besides the project's own code */

struct surroundings {
	struct arena arena;
	struct strv lines;	/* "libz.so.1 is another file: build-id 12ab34cd -> 34cd56ef"; at most twenty */
	const char *library;	/* the first of those on another file of a library or interpreter that is not the project's own; or NULL */
	const char *given;	/* the first of those on arguments and variables; or NULL */
	const char *build;	/* that on options of the compiler; or NULL */
};

/* What both sides' evidence knows is compared: libraries, options of the compiler, programs that are run, what is read and written, arguments, environment. */
void surroundings_compare(const struct evidence *base, const struct evidence *head, struct surroundings *out);
void surroundings_release(struct surroundings *surroundings);

#endif
