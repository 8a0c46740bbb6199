/*
 * A child process: started through the keeper, held before exec until released, in its own process
 * group, its output captured with bounded memory.
 *
 *	struct child child;
 *	child_start(keeper, &spec, &child, err)		held; its pid is known, nothing has run
 *	child_settle(&child)				where what it used until then must be known: it is held now
 *	child_release(&child, err)			exec; an exec that fails is told here
 *	child_wait(keeper, &child, deadline, err)	0 ended, 1 still running at the deadline
 *	child_end(keeper, &child, grace)		TERM, then KILL; harmless once it ended
 *	child_dispose(keeper, &child)			always, in the end; or child_forget() after another process took it over
 *
 * Waiting fails with ERR_INTERRUPTED when a signal told pawl to end; the child is still running then.
 */
#ifndef PAWL_MEASURE_CHILD_H
#define PAWL_MEASURE_CHILD_H

#include <stdbool.h>

#include "base/strv.h"
#include "measure/keeper.h"
#include "measure/tail.h"

struct line_watch;

enum { EXTRA_FDS = 2 };

struct child_spec {
	const struct strv *argv;
	const struct strv *environment;	/* NAME=VALUE laid over pawl's own; may be NULL */
	const struct strv *pass;	/* of pawl's own it gets only these, see child_variables(); NULL: all */
	const char *cwd;		/* NULL: pawl's */
	const char *user;		/* NULL: pawl's */
	const char *cpus;		/* a checked CPU list, or NULL */
	bool aslr_off;
	bool service;			/* its orphans are its daemons: see keeper_adopt() */
	size_t keep_bytes;		/* how much of the output's end is kept; 0: TAIL_KEPT */
	int stdout_fd;			/* standard output goes there instead of being captured; 0: captured */
	int extra_fds[EXTRA_FDS];	/* become 3 and 4; 0: none, nor any behind it */
};

struct child {
	struct child *next;		/* in the keeper's list until disposed of */
	uint32_t job;
	pid_t pid;			/* 0: never started */
	int hold_fd, exec_fd, output_fd;
	bool settled;			/* it has told that it is held, or that it cannot be */
	int why;			/* errno of what kept it from becoming what it should; 0: nothing */
	bool ended;
	int status;			/* as wait() gives it, once ended */
	struct rusage usage;		/* of it and the descendants it waited for */
	uint64_t start_ns, end_ns;	/* released, ended */
	struct tail output;		/* standard output and error together */
	struct line_watch *watch;	/* also sees the output; borrowed, may be NULL */
};

/*
 * The names of pawl's variables that a child with PASS gets, in order: those that most programs need to start at all, as far
 * as they are set, and those of PASS. Its environment has one size whatever they hold, since size and number of variables move
 * the stack, and with it every count.
 */
void child_variables(const struct strv *pass, struct strv *out);
int child_start(struct keeper *keeper, const struct child_spec *spec, struct child *out, struct error *err);
/* Returns once it has done everything that comes before exec; should that fail, child_release() tells. */
void child_settle(struct child *child);
int child_release(struct child *child, struct error *err);
int child_wait(struct keeper *keeper, struct child *child, uint64_t deadline_ns, struct error *err);
void child_signal(struct keeper *keeper, const struct child *child, int signal);
/* To the process itself, not to its group. */
void child_signal_leader(struct keeper *keeper, const struct child *child, int signal);
void child_end(struct keeper *keeper, struct child *child, uint64_t grace_ns);
void child_dispose(struct keeper *keeper, struct child *child);
/* Frees what is held, and lets the child be. */
void child_forget(struct keeper *keeper, struct child *child);

/* "exited with status 3", "was killed by SIGSEGV"; appended. */
void child_describe_status(int status, struct strbuf *out);

/* Start, release and wait, to the end or TIMEOUT_NS (ERR_TARGET); anything but status 0 is an ERR_TARGET. */
int child_run(struct keeper *keeper, const struct child_spec *spec, uint64_t timeout_ns, struct strbuf *output,
	      struct error *err);

/* -------- for keeper.c */
void child_note_exit(struct child *child, const struct wire *message);
void child_read_output(struct child *child);

#endif
