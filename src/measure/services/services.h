/*
 * A scenario's environment: services and their readiness, ports, loads, and targets that run already. Each section below
 * is the file of its name.
 */
#ifndef PAWL_MEASURE_SERVICES_SERVICES_H
#define PAWL_MEASURE_SERVICES_SERVICES_H

#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"
#include "measure/perf/perf.h"
#include "measure/process/process.h"
#include "model/measured.h"
#include "scenario/scenario.h"

/* -------- attach */

/*
 * A target that runs already, found by number, by the file that holds it, by its command line, by
 * the TCP port it listens on, by cgroup or by container: one tree of processes or
 * one cgroup, never several strangers. Where a container has no cgroup of its own
 * (podman --cgroups=disabled), it is the tree of its first process and all processes in that one's pid namespace.
 */

struct attached {
	struct process root;	/* the tree's root; start 0 for a cgroup */
	char *cgroup;		/* the folder whose cgroup.procs list the target, or NULL */
	ino_t namespace;	/* beside the tree, all processes of this pid namespace; 0: none */
	char *label;		/* "process 12 (nginx)", "container web (podman)" */
};

/*
 * KIND is neither TARGET_COMMAND nor TARGET_SERVICE; TEXT is the plan's `attach`. Never found are pawl
 * itself, its keeper and what started pawl, since their trees hold pawl; services that pawl runs are.
 * Text that can name nothing is an ERR_INPUT; nothing found, several, or no right to look is an ERR_TARGET.
 */
int attach_find(struct keeper *keeper, enum target_kind kind, const char *text, struct attached *out, struct error *err);
/* Its processes now, zombies left out; none: it is gone. */
void attach_list(const struct attached *attached, struct processes *out);
/* False once it is gone; asking costs far less than the list. */
bool attach_lives(const struct attached *attached);
void attached_release(struct attached *attached);

/* TCP ports that PROCESSES listen on, ascending, each once; at most MAX are written, all are counted. */
size_t listening_ports(const struct processes *processes, int *ports, size_t max);
/* Processes that listen on TCP PORT here: for "already taken by redis-server (12)". May be empty though somebody listens. */
void port_listeners(int port, struct processes *out);

/* -------- service_run */

/*
 * One service of an environment: started in a process group of its own, and in a cgroup of its own
 * where that can be made; waited for until it serves; asked to stop, then killed with all it left.
 *
 *	service_run_start()		-1: it did not become ready; what there is of it is still to be stopped
 *	service_run_alive()		as often as wanted
 *	service_run_stop()		always, in the end; harmless when it was never started
 *
 * A service whose first process ends with status 0 while others live has become a daemon: it lives
 * as long as any of these.
 */

struct service_run {
	/* The caller's, before service_run_start(); what they point to must live as long as the service. */
	struct keeper *keeper;
	const struct plan_service *plan;
	const char *scratch;		/* its processes are listed there */
	const char *cpus;		/* what it is pinned to, or NULL */
	bool aslr_off;
	size_t pad;			/* as child_spec has it */

	struct processes listed;
	struct child child;
	struct line_watch watch;
	bool watching;			/* watch is initialised */
	char *cgroup;			/* its folder, or NULL */
};

/* The error of a failure names the service. */
int service_run_start(struct service_run *service, struct error *err);
/* 0, or -1 with an ERR_TARGET that says how it ended. */
int service_run_alive(struct service_run *service, struct error *err);
/* Adds all its processes now. */
int service_run_processes(const struct service_run *service, struct processes *out, struct error *err);
/* List them in the scratch folder, if they are others than those listed there. */
void service_run_list(struct service_run *service);
/*
 * End it: by its command or signal, then by SIGKILL when the grace is over. NOTES get what had to be killed, and
 * a stop command that failed. An interrupt does not cut this short.
 */
void service_run_stop(struct service_run *service, struct strv *notes);
/* Frees what is held; only after service_run_stop(), or where another process has taken the service over. */
void service_run_release(struct service_run *service);

/* -------- env */

/*
 * The environment of a scenario: its services, started in order, each only once the one before it
 * serves, and stopped in reverse.
 *
 *	env_up() -> env_check(), env_find() -> env_down(), also after a failure of env_up()
 */

struct env {
	size_t pad;			/* the caller's, before env_up(): of every service, as child_spec has it */
	struct session *session;
	const struct plan *plan;
	struct service_run *services;	/* as the plan's; those beyond N were never started */
	size_t n;
	struct service_run *ended;	/* the one that a failure was about, or NULL */
};

/* BEFORE (may be NULL) is called with the name of each service before it starts. */
int env_up(struct env *env, struct session *session, const struct plan *plan, void (*before)(void *ctx, const char *service),
	   void *ctx, struct error *err);
/* 0, or -1 with an ERR_TARGET that names the service that ended. */
int env_check(struct env *env, struct error *err);
struct service_run *env_find(struct env *env, const char *name);
/* Note what runs now, for the next pawl (scratch_list()). Takes milliseconds: not while something is measured. */
void env_list(struct env *env);
/* LOG_DIR: every service's output goes to LOG_DIR/NAME.log; NULL: nowhere. */
void env_down(struct env *env, const char *log_dir, struct strv *notes);

/*
 * An environment that stays up after pawl has ended, for a developer to look at (--keep-env). A fork
 * of pawl stays behind with the keeper and all it knows of the services, drains their output, and
 * stops them as pawl would have when a signal asks it to end or when they have ended. The
 * scenario's cleanup comes after that, so it is not pawl's any more.
 */
struct kept_env {
	pid_t pid;			/* who keeps it, which SIGTERM ends; 0: nobody */
	pid_t target;			/* the service that is measured, or 0 */
	struct strv services;		/* one entry each: "redis: pid 12, port 6379" */
};

/*
 * Without a pid when no process could be made that keeps ENV (NOTES say why). With one the keeper, the scratch folder
 * and the services are its own: the session gets a new keeper and no scratch folder. Release with strv_release() of services.
 */
struct kept_env kept_env_start(struct env *env, const char *log_dir, struct strv *notes);

/* -------- load_run */

/*
 * The load of an attached target: a child that drives it while a window is measured, and reports how much it did.
 *
 *	load_run_start() held -> child_release(&load->child) -> load_run_finish() -> load_run_work() -> load_run_dispose()
 */

struct load_run {
	const struct plan *plan;
	struct child child;
	struct line_watch watch;	/* of what must not be in its output */
	bool watching;		/* watch is initialised */
	bool stopped;		/* it was ended: its status is none of its own */
	uint64_t outlasted_ns;	/* how long it went on before that */
};

/* CPUS is a list, or NULL: wherever pawl may run. */
int load_run_start(struct keeper *keeper, const struct plan *plan, const char *cpus, struct load_run *out, struct error *err);
/*
 * The window has been over since SINCE_NS: let the load end by itself within PATIENCE_NS of that, then ask it to. A line
 * that load.fail matches, and a status of its own that is not 0, is an ERR_TARGET.
 */
int load_run_finish(struct keeper *keeper, struct load_run *load, uint64_t since_ns, uint64_t patience_ns,
		    struct error *err);
/*
 * Its work into OUT->work, for a window of WINDOW_S seconds. A load with `work:` that reports none, or
 * that it did nothing, is an ERR_TARGET.
 */
int load_run_work(const struct load_run *load, double window_s, struct measured *out, struct error *err);
void load_run_dispose(struct keeper *keeper, struct load_run *load);

/* The scenario's custom metrics in TEXT, a target's or a load's output, into OUT. */
int custom_metrics_read(const struct scenario *scenario, const struct strbuf *text, struct measured *out, struct error *err);
/* How much of the output is kept for them: JSON must be whole. */
size_t custom_metrics_keep(const struct scenario *scenario);

/* -------- ports */

/*
 * TCP ports for ${port} and ${port.NAME}. They are free ones: the same name gives the same port, no port
 * is given twice. For a scenario that is attached to a process that runs already (--attach) it is the
 * one that this process, or a child of it, listens on.
 */

struct port {
	char *name;
	int number;
};

struct ports {
	struct port *items;
	size_t n, cap;
	pid_t attached;		/* 0: free ports are wanted, for names that have none yet */
};

/* Serves struct plan_context.port; CTX is a struct ports. */
int ports_get(void *ctx, const char *name, struct error *err);
/* As text, and back, which adds to OUT: an ERR_INPUT where TEXT is none of ports_text()'s. */
void ports_text(const struct ports *ports, struct strbuf *out);
int ports_parse(const char *text, struct ports *out, struct error *err);
void ports_release(struct ports *ports);

/*
 * Sockets that listen for TCP, IPv4 and IPv6, and who holds them. Each network namespace has its
 * own: those of a container are asked for by one of its processes.
 */

struct listeners {
	struct listener *items;
	size_t n, cap;
};

/* All that listen in the network namespace of PID; 0: in pawl's own. PORT 0: on whatever port. */
void listeners_read(pid_t pid, unsigned port, struct listeners *out);
void listeners_release(struct listeners *listeners);
/* Mark those that PID holds; true when it holds one. False as well when PID is not ours to look at. */
bool listeners_mark(struct listeners *listeners, pid_t pid);

/* -------- ready */

/*
 * Readiness: has a service begun to serve? One probe a service, tried again and again until it comes
 * true, the service ends, or the time is over. Between tries pawl sleeps in poll(), 200 ms at the most.
 */

struct ready_check {
	struct keeper *keeper;
	const struct plan_service *service;
	const struct line_watch *watch;		/* of READY_LOG: fed while the service's output is read */
	uint64_t since_ns;			/* CLOCK_REALTIME: a file changed before is an earlier run's; 0: any */
	/* Asked before every try and when a child ended: 0 while the service lives, -1 with an ERR_TARGET once it ended. */
	int (*alive)(void *ctx, struct error *err);
	void *ctx;
};

/*
 * 0 once it serves. A timeout is an ERR_TARGET that names the probe, the time and what it saw last:
 * "tcp 127.0.0.1:6379 was not ready within 10 s (Connection refused)". The caller adds the service's name,
 * and sweeps what the commands of a probe left behind. A delay takes its time whatever the timeout.
 * A probe that cannot be asked at all (its text, its program) fails at once.
 */
int ready_wait(const struct ready_check *check, struct error *err);
/*
 * Before the service starts: a tcp or http probe that is answered already would take a stranger for
 * it. -1 with an ERR_TARGET "port 6379 is already taken by redis-server (12); ...".
 */
int ready_refuse_stranger(const struct plan_service *service, struct error *err);

/*
 * TCP connections that never block pawl: whoever waits for a socket here also reads the keeper's messages, so
 * that a child's end and an interrupt are noticed and the output of children is read meanwhile.
 */

/* The addresses of ENDPOINT, for freeaddrinfo(). A name is looked up; one that is not known is an ERR_TARGET. */
int dial_resolve(const struct endpoint *endpoint, struct addrinfo **out, struct error *err);
/* True when the address is one of this machine's. */
bool dial_is_local(const struct addrinfo *address);
/*
 * Connect to the first of ADDRESSES that accepts. 1: *FD is connected, non-blocking and the caller's;
 * 0: none did, *WHY is the errno of the last; -1: error.
 */
int dial_connect(struct keeper *keeper, const struct addrinfo *addresses, uint64_t deadline_ns, int *fd, int *why,
		 struct error *err);

/* An answer to HTTP/1.0, of whose body the first HTTP_BODY_LARGEST bytes are read. */
struct ready_answer {
	unsigned status;
	size_t body;			/* where it begins */
};

enum { HTTP_HEAD_LARGEST = 64 << 10, HTTP_BODY_LARGEST = 1 << 20 };

/* 1 once the fields have ended, and then OUT is written; 0 while more is needed; -1: why it is no answer. Pure. */
int ready_http_head(const char *text, size_t len, struct ready_answer *out, struct error *err);

/* -------- replies */

/*
 * What `docker container inspect` (or podman's) answers, when it is asked with INSPECT_FORMAT: standard
 * output and error together, warnings included.
 */

#define INSPECT_FORMAT "pawl-state {{.State.Pid}} {{.State.Running}} {{.State.Status}}"

enum inspect_outcome {
	INSPECT_RUNNING,
	INSPECT_STOPPED,
	INSPECT_UNKNOWN,		/* there is no container of that name */
	INSPECT_DENIED,			/* no right to ask */
	INSPECT_NO_DAEMON,
	INSPECT_FAILED,			/* something else: see its first words */
};

struct inspected {
	enum inspect_outcome outcome;
	int pid;			/* of its first process, while it runs */
	char words[160];		/* its status ("exited"), or the first line of the fault */
};

/* TEXT is the answer, FAILED that the command's status was not 0. */
void inspected_parse(const char *text, bool failed, struct inspected *out);
/* A name or id that cannot be taken for an option: letters, digits, _ . -, beginning with a letter or digit. */
bool inspected_name_valid(const char *name);

#endif
