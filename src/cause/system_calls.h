/*
 * The system calls of one execution, the files and programs it used, and whose own functions make the calls that grew. strace.c reads
 * them from what strace writes.
 */
#ifndef PAWL_CAUSE_SYSTEM_CALLS_H
#define PAWL_CAUSE_SYSTEM_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cause/own_code.h"
#include "profile/stacks.h"

struct system_call {
	const char *name;	/* "read" */
	double calls, errors;
	double bytes;		/* read or written; 0 of others */
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
	bool cut;			/* they were counted for a while, not to the end of the program */
	bool attached;			/* of a service, while its load did `work`; 0: it does not say, and only parts of all can be compared */
	double work;
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
 * The text of `strace -f -ttt -y -s 4` (strings cut, so that a write of a megabyte is a short line; four because lists of
 * descriptors are cut with them), as strace 5 and 6 write it: ERR_INPUT with the line where it is none. A last line that is cut
 * off is passed over. What the kernel restarts behind a signal is one call. STRACE_LOADS are the calls of which `programs`,
 * `execs`, `opens` and `unformatted` are made.
 */
#define STRACE_LOADS "execve,execveat,open,openat,openat2,chdir,fchdir,clone,clone3,fork,vfork"
int strace_read(const char *text, size_t len, struct system_calls *out, struct error *err);
/*
 * The same of `-k`, which makes a call some twenty times dearer: the stack of each to STACKS, as one sample of an event that is
 * called as the call.
 */
int strace_read_stacks(const char *text, size_t len, struct stacks *stacks, struct error *err);
/*
 * BASE and HEAD are of services, each with the `work` that was done while it was traced: the numbers of BASE become those of as much
 * work as HEAD's, or, where it is not known of both, of as many calls.
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
/* Names of those that HEAD makes more often, appended: some three, the most first. */
void system_calls_grown(const struct system_calls *base, const struct system_calls *head, struct strv *out);
/*
 * For each call of which there are stacks, an event of its name, named by names_resolve(): the own function that makes so many more
 * of them in HEAD; where there are not more, the one that makes most. It is noted on both sides. Stacks may be those of a part of the
 * calls.
 */
void system_calls_name_callers(struct system_calls *base, struct system_calls *head, const struct stacks *base_stacks,
			       const struct stacks *head_stacks, const struct own_code *base_own, const struct own_code *head_own);

#endif
