/*
 * The files that one execution depended on, by its system calls. strace.c fills it, call by call in their order.
 *
 * A path counts as the program named it, made absolute but not tidied. Left out is what the execution made itself
 * before it used it, such as a temporary file.
 */
#ifndef PAWL_CAUSE_LEDGER_ACCESSES_H
#define PAWL_CAUSE_LEDGER_ACCESSES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/mem.h"
#include "profile/stacks.h"

/* How an execution depended on a path. */
enum access_use {
	ACCESS_READ = 1,	/* opened for reading */
	ACCESS_EXEC = 2,	/* executed */
	ACCESS_LOOKED = 4,	/* asked for its kind, size, times or rights */
	ACCESS_ABSENT = 8,	/* it did not exist */
	ACCESS_LISTED = 16,	/* the names in a folder */
	ACCESS_LINK = 32,	/* the text of a symbolic link */
	ACCESS_REFUSED = 64,	/* a call failed for another reason */
	ACCESS_WRITTEN = 128,	/* written, made, replaced or removed; alone it is no dependence */
};

struct access {
	const char *path;
	unsigned uses;
	unsigned opened, mapped;	/* times opened for reading, and mapped as code */
	bool fresh;			/* made by the execution: what follows is its own */
};

struct accesses {
	struct arena arena;
	struct access *items;	/* in the order of their first use */
	size_t n, cap;
	const char *unknown;	/* what it depended on besides files, such as a connection; or NULL */
	struct stacks words;
	struct pair_index by_path;
};

void accesses_release(struct accesses *accesses);

/* A system call that returned. */
struct access_call {
	const char *name;
	const char *path, *other;	/* its first and second path, absolute; NULL: none */
	const char *args;		/* all arguments as printed */
	const char *error;		/* "ENOENT"; NULL: it succeeded */
};

/* The calls that struct access_call is made for, as strace's option takes them. */
#define ACCESSES_CALLS "%file,%network,%ipc,?getdents,getdents64,?fchdir,mmap,clone,?clone3,?fork,?vfork,ptrace,process_vm_readv," \
	"?io_uring_setup,?open_by_handle_at,?pidfd_getfd,mq_open,perf_event_open,bpf,unshare,setns,keyctl,add_key,request_key"

void accesses_add(struct accesses *accesses, const struct access_call *call);
/* Sets `unknown` to WHY, unless it is set. */
void accesses_doubt(struct accesses *accesses, const char *why);
/*
 * Parses what strace_read() does, of ACCESSES_CALLS, from a process that started in the folder CWD. OUT must be empty.
 * ERR_INPUT for other text.
 */
int strace_read_accesses(const char *text, size_t len, const char *cwd, struct accesses *out, struct error *err);

#endif
