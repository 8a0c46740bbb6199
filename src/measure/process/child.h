/*
 * A child process: started through the keeper, held before exec until released, in its own process group (which it does
 * not lead, so that setsid(2) works), its output captured in bounded memory.
 *
 * 	struct child child;
 * 	child_start(keeper, &spec, &child, err)		held: its pid is known, nothing has run
 * 	child_settle(&child)				optional: waits until it is held, to read its usage so far
 * 	child_release(&child, err)			exec; fails if the exec fails
 * 	child_wait(keeper, &child, deadline, err)	0 ended, 1 still running at the deadline
 * 	child_end(keeper, &child, grace)		TERM, then KILL; harmless once it has ended
 * 	child_dispose(keeper, &child)			always last; or child_forget() if another process took it over
 *
 * Waiting fails with ERR_INTERRUPTED if a signal asks pawl to end. The child is then still running.
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
#include "measure/process/proc.h"
#include "model/confines.h"

struct interrupt;

/*
 * The keeper: a small process between pawl and everything pawl starts, of which it is the parent and subreaper, so that
 * nothing outlives pawl: docs/design/keeper.md. Start it first, while pawl is small: wait4() reports a forked child's peak
 * memory from before exec, too.
 */

struct child;

enum { WIRE_PIDS_MAX = 512 };

struct keeper {
	int sock;
	pid_t pid;
	char owner[OWNER_ID_SIZE];	/* marks what it starts (abandoned.c) */
	uint32_t last_job;
	struct child *children;		/* started and not yet disposed of */
	struct interrupt *interrupt;	/* polled too; may be NULL */
	int signals;			/* SIGCHLD: the keeper was stopped */
	bool lost;			/* killed from outside; keeper_stop() ends its processes */
	bool gone;			/* and the socket is closed */
	double cpu_ms;			/* user and system time of all ended children */
	struct io_counts orphans_io;	/* of ended orphans */
	char tracer[256];		/* name of an ended tracer of pawl or the keeper, until reported; "" */
	uint64_t look_ns;		/* when to check next whether the keeper is traced */
};

/*
 * Forks the keeper. INTERRUPT (may be NULL) ends every wait with ERR_INTERRUPTED. Raises a soft limit of open files
 * below 256, for pawl and everything it starts. ERR_SYSTEM if it cannot be raised.
 */
int keeper_start(struct keeper *keeper, struct interrupt *interrupt, struct error *err);
/* Ends everything still running, then the keeper. Harmless if the keeper was never started. */
void keeper_stop(struct keeper *keeper);

/*
 * Ends every orphan, a process whose parent is gone, that belongs to no service, after GRACE_NS. Returns the number
 * killed, with their names in NAMES (may be NULL), or -1.
 */
int keeper_sweep(struct keeper *keeper, uint64_t grace_ns, char names[256], struct error *err);

/*
 * Services (child_spec.service) keep their orphans as daemons. Once one is ready, keeper_adopt() gives it all orphans
 * without an owner. keeper_processes() lists its leader and daemons, which may have children. keeper_end_service() kills
 * the rest of it at once, and returns like keeper_sweep().
 */
int keeper_adopt(struct keeper *keeper, uint32_t job, struct error *err);
int keeper_processes(struct keeper *keeper, uint32_t job, pid_t pids[WIRE_PIDS_MAX], struct error *err);
int keeper_end_service(struct keeper *keeper, uint32_t job, char names[256], struct error *err);

/* The keeper and pawl are hidden from other processes (PR_SET_DUMPABLE). Shows the keeper while perf attaches. */
int keeper_show(struct keeper *keeper, bool shown, struct error *err);
/* Makes the keeper hold FD open to its end, and with it a lock. */
int keeper_hold(struct keeper *keeper, int fd, struct error *err);
/* Returns an ERR_TARGET, once, if a child traced pawl or the keeper, whose tracer the other has ended. */
int keeper_check_tracer(struct keeper *keeper, struct error *err);
/* True if the keeper was killed or does not answer. Does not wait. */
bool keeper_is_lost(struct keeper *keeper);

/* Reads the keeper's reports and the children's output until the deadline. 1: a message arrived, such as a child's end. */
int keeper_pump(struct keeper *keeper, uint64_t deadline_ns, struct error *err);
/*
 * Waits until FD is ready for EVENTS of poll(2), and pumps meanwhile, so that pipes of children do not fill. 1: ready,
 * also at its end; 0: the deadline has passed; -1: error. KEEPER may be NULL.
 */
int keeper_poll(struct keeper *keeper, int fd, short events, uint64_t deadline_ns, struct error *err);

enum { EXTRA_FDS = 2 };

struct child_spec {
	const struct strv *argv;
	const struct strv *environment;	/* NAME=VALUE, overrides pawl's own; may be NULL */
	size_t pad;			/* bytes added to PAWL_PAD to move the stack; needs ENVIRONMENT */
	const struct strv *pass;	/* the only variables of pawl's it gets, see child_variables(); NULL: all */
	const char *cwd;		/* NULL: pawl's */
	const char *user;		/* NULL: pawl's */
	const struct confines *confines;	/* limits and nice value; NULL: pawl's */
	const char *cpus;		/* a checked CPU list, or NULL */
	bool aslr_off;
	bool service;			/* its orphans become its daemons: see keeper_adopt() */
	struct lines *lines;		/* gets the output, too; NULL: not wanted */
	size_t keep_bytes;		/* bytes kept of the output's end; 0: TAIL_KEPT */
	int stdout_fd;			/* receives standard output instead of the capture; 0: captured */
	int extra_fds[EXTRA_FDS];	/* become 3 and 4; 0 ends the list */
};

/* Returns the child's value of the variable NAME, or NULL. */
const char *child_variable(const struct child_spec *spec, const char *name);
/* Returns the entry NAME=VALUE of ENVIRONMENT, which may be NULL; or NULL. NAME may be such an entry. */
char **variable_find(const struct strv *environment, const char *name);
/* Sets NAME=VALUE in ENVIRONMENT and replaces an earlier value. */
void variable_set(struct strv *environment, const char *name, const char *value);

struct child {
	struct child *next;		/* in the keeper's list until disposed of */
	uint32_t job;
	pid_t pid;			/* 0: never started */
	int hold_fd, exec_fd, output_fd;
	bool settled;			/* it has reported that it is held, or that it failed to be */
	int why;			/* errno of a failed preparation or exec; 0: none */
	bool ended;
	int status;			/* as wait() returns it, once ended */
	struct rusage usage;		/* of the child and the descendants it waited for */
	struct io_counts io;		/* of the same processes, from their start */
	uint64_t start_ns, end_ns;	/* released, ended */
	struct tail output;		/* standard output and error together */
	struct line_watch *watch;	/* also sees the output; borrowed, may be NULL */
	struct lines *lines;		/* the same */
};

/*
 * Lists the variables of pawl's that a child with PASS gets: those that most programs need, and those of PASS. Its
 * environment has a fixed size whatever they hold, because that moves the stack, and with it every count.
 */
void child_variables(const struct strv *pass, struct strv *out);
int child_start(struct keeper *keeper, const struct child_spec *spec, struct child *out, struct error *err);
/* Returns a CPU of LIST (NULL: those that pawl may use), another for each TURN until all were used; -1: unknown. */
int child_cpu(const char *list, unsigned turn);
/* Writes to OUT the CPUs that pawl may use except CPU, as a list for child_spec. False if there are no others. */
bool child_other_cpus(int cpu, struct strbuf *out);
/* Converts a checked list to a set. -1 with an ERR_INPUT if the machine lacks one of its CPUs. */
int child_cpu_set(const char *list, cpu_set_t *out, struct error *err);
/* Returns once the child has done everything that precedes exec. If that fails, child_release() fails too. */
void child_settle(struct child *child);
int child_release(struct child *child, struct error *err);
int child_wait(struct keeper *keeper, struct child *child, uint64_t deadline_ns, struct error *err);
void child_signal(struct keeper *keeper, const struct child *child, int signal);
/* Reads what is in the pipe now into the child's output. Waiting does this too. */
void child_read_output(struct child *child);
void child_end(struct keeper *keeper, struct child *child, uint64_t grace_ns);
void child_dispose(struct keeper *keeper, struct child *child);
/* Frees the child's memory and leaves the process running. */
void child_forget(struct keeper *keeper, struct child *child);

/* Appends "exited with status 3", "was killed by SIGSEGV". */
void child_describe_status(int status, struct strbuf *out);

/* Starts, releases and waits for a child, up to TIMEOUT_NS (then an ERR_TARGET). Any status but 0 is an ERR_TARGET. */
int child_run(struct keeper *keeper, const struct child_spec *spec, uint64_t timeout_ns, struct strbuf *output,
	      struct error *err);
/*
 * Runs a short command of pawl's own (perf --version) in English. Returns the end of its output, and its status as wait()
 * does. ERR_SYSTEM if it cannot be started or runs longer than TIMEOUT_NS.
 */
int child_capture(struct keeper *keeper, const char *const argv[], uint64_t timeout_ns, struct strbuf *out, int *status_out,
		  struct error *err);

#endif
