/*
 * A child process: started through the keeper, held before exec until released, in its own process
 * group, its output captured with bounded memory.
 *
 * 	struct child child;
 * 	child_start(keeper, &spec, &child, err)		held; its pid is known, nothing has run
 * 	child_settle(&child)				where what it used until then must be known: it is held now
 * 	child_release(&child, err)			exec; fails when the exec does
 * 	child_wait(keeper, &child, deadline, err)	0 ended, 1 still running at the deadline
 * 	child_end(keeper, &child, grace)		TERM, then KILL; harmless once it ended
 * 	child_dispose(keeper, &child)			always, in the end; or child_forget() after another process took it over
 *
 * Waiting fails with ERR_INTERRUPTED when a signal asked pawl to end; the child is still running then.
 */
#ifndef PAWL_MEASURE_PROCESS_CHILD_H
#define PAWL_MEASURE_PROCESS_CHILD_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "measure/process/abandoned.h"
#include "measure/process/output.h"
#include "model/confines.h"

struct error;
struct interrupt;
struct strbuf;
struct strv;

/*
 * The keeper: a small process between pawl and everything pawl starts. It is parent and subreaper
 * of all of it, so that whatever happens, even SIGKILL to pawl, nothing outlives pawl: when pawl's
 * end of the socket closes, the keeper kills what is left, then ends.
 *
 * Start it first of all, while pawl is small: a forked child's peak memory begins at what the
 * keeper holds (wait4 reports the larger of before and after exec).
 */

struct child;

enum { WIRE_PIDS_MAX = 512 };

struct keeper {
	int sock;
	pid_t pid;
	char owner[OWNER_ID_SIZE];	/* what it starts is marked so (abandoned.c) */
	uint32_t last_job;
	struct child *children;		/* started and not yet disposed of */
	struct interrupt *interrupt;	/* polled beside, may be NULL */
	int signals;			/* SIGCHLD, for when somebody stops the keeper */
	bool lost;			/* killed by somebody; what it kept is ended by keeper_stop() */
	bool gone;			/* and its socket is closed */
	double cpu_ms;			/* user and system time of every child that ended */
	char tracer[256];		/* what traced pawl or the keeper and was ended, until it is reported; "" */
	uint64_t look_ns;		/* when to look next whether the keeper is traced */
};

/*
 * Fork the keeper. INTERRUPT (may be NULL) ends every wait with ERR_INTERRUPTED. A soft limit of open files below 256 is raised
 * for pawl and all it starts; where it cannot be, that is an ERR_SYSTEM.
 */
int keeper_start(struct keeper *keeper, struct interrupt *interrupt, struct error *err);
/* Ends everything still running, then the keeper. Harmless when never started. */
void keeper_stop(struct keeper *keeper);

/*
 * End every orphan that is no service's: a process whose own parent is gone, such as a daemon a
 * target left behind. They have GRACE_NS to end by themselves. Returns how many had to be killed, with their names in
 * NAMES (256 bytes, may be NULL), or -1.
 */
int keeper_sweep(struct keeper *keeper, uint64_t grace_ns, char names[256], struct error *err);

/*
 * Services (child_spec.service) keep their orphans, which are daemons of theirs. keeper_adopt(): what
 * lost its parent until now, and nobody owns, is JOB's; call it when the service has become ready.
 * keeper_processes(): the number of its leader and its daemons; they may have children. keeper_end_service():
 * kill what is left of it, at once; how many daemons, with their names, as keeper_sweep().
 */
int keeper_adopt(struct keeper *keeper, uint32_t job, struct error *err);
int keeper_processes(struct keeper *keeper, uint32_t job, pid_t pids[WIRE_PIDS_MAX], struct error *err);
int keeper_end_service(struct keeper *keeper, uint32_t job, char names[256], struct error *err);

/* Nobody may look into the keeper, nor into pawl (PR_SET_DUMPABLE): let perf, while it attaches. */
int keeper_show(struct keeper *keeper, bool shown, struct error *err);
/* The keeper keeps this descriptor open to its end, and with it a lock. */
int keeper_hold(struct keeper *keeper, int fd, struct error *err);
/* An ERR_TARGET, once, when a child traced pawl or the keeper, which each see of the other in two seconds and end. */
int keeper_check_tracer(struct keeper *keeper, struct error *err);
/* It was killed, or does not answer; does not wait. */
bool keeper_is_lost(struct keeper *keeper);

/*
 * Read what the keeper reports, and what children print, until the deadline. 1: a message came, such as a child's end;
 * 0: none did; -1: error.
 */
int keeper_pump(struct keeper *keeper, uint64_t deadline_ns, struct error *err);

enum { EXTRA_FDS = 2 };

struct confines;

struct child_spec {
	const struct strv *argv;
	const struct strv *environment;	/* NAME=VALUE laid over pawl's own; may be NULL */
	size_t pad;			/* so many bytes more in its PAWL_PAD, which moves the stack; where ENVIRONMENT has one */
	const struct strv *pass;	/* of pawl's own it gets only these, see child_variables(); NULL: all */
	const char *cwd;		/* NULL: pawl's */
	const char *user;		/* NULL: pawl's */
	const struct confines *confines;	/* limits and nice value; NULL: pawl's */
	const char *cpus;		/* a checked CPU list, or NULL */
	bool aslr_off;
	bool service;			/* its orphans are its daemons: see keeper_adopt() */
	size_t keep_bytes;		/* how much of the output's end is kept; 0: TAIL_KEPT */
	int stdout_fd;			/* standard output goes there instead of being captured; 0: captured */
	int extra_fds[EXTRA_FDS];	/* become 3 and 4; 0: none, nor any behind it */
};

/* What the variable NAME will be for the child, or NULL. */
const char *child_variable(const struct child_spec *spec, const char *name);
/* NAME=VALUE in ENVIRONMENT, in place of what it was. */
void variable_set(struct strv *environment, const char *name, const char *value);

struct child {
	struct child *next;		/* in the keeper's list until disposed of */
	uint32_t job;
	pid_t pid;			/* 0: never started */
	int hold_fd, exec_fd, output_fd;
	bool settled;			/* it has reported that it is held, or that it cannot be */
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
/* One of the CPUs in LIST (NULL: those that pawl may use), another one for each TURN until all were; -1: none is known. */
int child_cpu(const char *list, unsigned turn);
/* Those that pawl may use, but CPU, as a list for child_spec, in OUT; false when there is no other. */
bool child_other_cpus(int cpu, struct strbuf *out);
/* A checked list as a set; -1 with an ERR_INPUT where a CPU of it is not there. */
int child_cpu_set(const char *list, cpu_set_t *out, struct error *err);
/* Returns once it has done everything that comes before exec; should that fail, so does child_release(). */
void child_settle(struct child *child);
int child_release(struct child *child, struct error *err);
int child_wait(struct keeper *keeper, struct child *child, uint64_t deadline_ns, struct error *err);
void child_signal(struct keeper *keeper, const struct child *child, int signal);
/* What is in the pipe now, into its output; waiting does the same. */
void child_read_output(struct child *child);
void child_end(struct keeper *keeper, struct child *child, uint64_t grace_ns);
void child_dispose(struct keeper *keeper, struct child *child);
/* Frees what is held, and lets the child be. */
void child_forget(struct keeper *keeper, struct child *child);

/* "exited with status 3", "was killed by SIGSEGV"; appended. */
void child_describe_status(int status, struct strbuf *out);

/* Start, release and wait, to the end or TIMEOUT_NS (ERR_TARGET); anything but status 0 is an ERR_TARGET. */
int child_run(struct keeper *keeper, const struct child_spec *spec, uint64_t timeout_ns, struct strbuf *output,
	      struct error *err);
/*
 * A short command of pawl's own (perf --version): the end of its output, in English (LC_ALL=C), and its status as wait()
 * gives it. ARGV is NULL-terminated. One that cannot be started, or is not over after TIMEOUT_NS, is an ERR_SYSTEM.
 */
int child_capture(struct keeper *keeper, const char *const argv[], uint64_t timeout_ns, struct strbuf *out, int *status_out,
		  struct error *err);

#endif
