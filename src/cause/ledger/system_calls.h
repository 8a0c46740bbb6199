/*
 * System calls of one execution, its files and programs, and the own functions that make the calls that grew. strace.c
 * parses them from strace's output.
 */
#ifndef PAWL_CAUSE_LEDGER_SYSTEM_CALLS_H
#define PAWL_CAUSE_LEDGER_SYSTEM_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cause/ledger/own_code.h"
#include "profile/stacks.h"

struct system_call {
	const char *name;	/* "read" */
	double calls, errors;
	double bytes;		/* bytes read or written; 0 for other calls */
	const char *file;	/* target of at least half of the calls: a path, "pipe", "socket"; or NULL */
	/* The own function set by system_calls_name_callers(), and the number of its calls. NULL: unknown. */
	const char *caller;
	const char *caller_object;	/* whole path */
	double by_caller;
};

/* A file that was opened, read or written: input and output of the program. */
struct traced_file {
	const char *path;
	double opens, read_bytes, written_bytes;
	double size_bytes;	/* largest size that the program read from fstat or newfstatat; 0: never asked */
};

/* One start of a program. */
struct traced_exec {
	const char *path;		/* one of `programs` */
	const char *folder;		/* working folder for a relative path; NULL: unknown */
	uint32_t process;		/* process that executed it: an index of `parents` */
};

/* A file opened for reading, listed once per program. */
struct traced_open {
	const char *path;		/* absolute, without links */
	uint32_t exec;			/* program that opened it: an index of `execs`, or TRACED_NO_EXEC */
};

#define TRACED_NO_EXEC UINT32_MAX

/* The calls of all processes and threads of one execution. */
struct system_calls {
	struct arena arena;
	struct system_call *items;	/* most frequent first */
	size_t n, cap;
	unsigned processes, threads;	/* number started, including the first; each process is also a thread */
	bool cut;			/* tracing stopped before the program ended */
	bool attached;			/* traced a service while its load did `work`; if `work` is 0 (unknown), only shares can be compared */
	double work;
	struct strv libraries;		/* paths of opened shared objects, in order, each once */
	struct strv programs;		/* paths of executed programs, each once */
	struct traced_exec *execs;	/* every start of a program, in order */
	size_t n_execs, cap_execs;
	struct traced_open *opens;
	size_t n_opens, cap_opens;
	struct strv unformatted;	/* files with no known format that failed to execute, as the program named them */
	uint32_t *parents;		/* parent of each process or thread; its own index: not traced */
	size_t n_parents;
	struct traced_file *files;	/* in order of first use; no pipes or sockets */
	size_t n_files, cap_files;
};

void system_calls_release(struct system_calls *calls);
/*
 * Parses the output of `strace -f -ttt -y -s 4`, versions 5 and 6. `-s 4` cuts strings, so that a write of a megabyte
 * is a short line; a lower value would cut lists of descriptors too far. Returns ERR_INPUT with the line number for
 * other text. An incomplete last line is ignored. A call that the kernel restarts after a signal counts once.
 * STRACE_LOADS lists the calls from which `programs`, `execs`, `opens` and `unformatted` are built.
 */
#define STRACE_LOADS "execve,execveat,open,openat,openat2,chdir,fchdir,clone,clone3,fork,vfork"
int strace_read(const char *text, size_t len, struct system_calls *out, struct error *err);
/*
 * Parses the same with `-k`, which makes a call about twenty times as slow. Adds the stack of each call to STACKS as
 * one sample of an event named after the call.
 */
int strace_read_stacks(const char *text, size_t len, struct stacks *stacks, struct error *err);
/*
 * Scales BASE to HEAD for services, each traced while its `work` was done. BASE's numbers become those for HEAD's
 * amount of work. If the work of either side is unknown, they become those for HEAD's number of calls.
 */
void system_calls_settle(struct system_calls *base, struct system_calls *head);
/* Returns the total number of calls. */
double system_calls_total(const struct system_calls *calls);
const struct system_call *system_calls_find(const struct system_calls *calls, const char *name);
/* Returns how often NAME is called. */
double system_calls_of(const struct system_calls *calls, const char *name);
/*
 * Appends the helper programs of the traced processes, such as the `expr` of a shell script. A helper is foreign, was
 * started at least LEAST times, and starts no own program, not even indirectly.
 */
void system_calls_helpers(const struct system_calls *calls, const struct own_code *own, unsigned least, struct strv *out);
/* True for calls that start a process or thread, or wait for its end: "clone". */
bool system_call_starts(const struct system_call *call);
/* True for calls that wait for the time to pass, or for a disk, however little CPU time they take. */
bool system_call_sleeps(const struct system_call *call);
bool system_call_syncs(const struct system_call *call);
/*
 * Appends the names of calls that HEAD makes more often: the three that grew most, and those that start more processes.
 */
void system_calls_grown(const struct system_calls *base, const struct system_calls *head, struct strv *out);
/*
 * Sets the caller of each call with stacks: an event with the call's name, whose frames are named by names_resolve().
 * The caller is the own function whose calls grew most in HEAD. If the calls did not grow, it is the one that makes
 * most of them. BASE gets it, too, unless it makes none there. The stacks may cover only part of the calls.
 */
void system_calls_name_callers(struct system_calls *base, struct system_calls *head, const struct stacks *base_stacks,
			       const struct stacks *head_stacks, const struct own_code *base_own, const struct own_code *head_own);

/* A call that the head makes more often. */
struct call_change {
	const struct system_call *now;	/* NULL: none */
	const struct system_call *was;	/* NULL: never before */
	double more;			/* calls */
};

/* Limits the calls to look at; { 0 }: all that grew. */
struct call_filter {
	bool starts;		/* those for which system_call_starts() is true */
	bool has_caller;	/* those with a known caller */
	const char *by;		/* those that this function makes, as far as callers are known; or NULL */
	double least_part;	/* least growth, as a part of HEAD's calls */
};

/* Returns the call whose cost grew most: the number of more calls times the cost of one, estimated from its kind. */
struct call_change system_calls_dearest(const struct system_calls *base, const struct system_calls *head, const struct call_filter *filter);

#endif
