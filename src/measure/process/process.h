/*
 * Processes and what belongs to them: the keeper that starts and ends them, their output, cgroups, /proc, files, locks and
 * scratch folders. Each section below is the file of its name.
 */
#ifndef PAWL_MEASURE_PROCESS_PROCESS_H
#define PAWL_MEASURE_PROCESS_PROCESS_H

#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/regex.h"
#include "base/text.h"
#include "model/measured.h"

/* -------- abandoned */

/*
 * Processes and cgroups that a pawl left behind which could not clean up itself, because both it and
 * its keeper were killed. The owner of all of it is the keeper. Only a keeper that is certainly gone
 * (process_is_gone()) has left anything: one that cannot be seen or compared counts as alive.
 * Everything that was started carries PAWL_JOB=<owner>.<job> in its environment; services have a
 * cgroup of that name where pawl may make one; and as servers write their titles over their
 * environment, the processes of an environment are also listed in its scratch folder. Only what
 * belongs to the same user is touched.
 */

enum { OWNER_ID_SIZE = 41 };

/* What the keeper's process is called, and a child until it executes its program. */
#define KEEPER_NAME "pawl-keeper"

/* "<pid>.<start time>.<process_view()>" of process PID, of fixed width; "" when it is gone. */
void owner_id(pid_t pid, char out[OWNER_ID_SIZE]);
/* The job of process PID by its environment, 0 when it is none of OWNER's. */
uint32_t job_of_process(pid_t pid, const char *owner);
/* End every process of owners that are gone. A keeper that somebody stopped is woken. */
void abandoned_end_processes(void);
/* End every process of OWNER, for when a pawl's own keeper was killed; this process has become a parent of what it left. */
void abandoned_end_own(const char *owner);

struct processes;

/*
 * The scratch folder of one pawl: pawl-<the keeper's number>-<process_view()>-XXXXXX in TMPDIR, else in
 * /tmp. It is locked as long as the keeper lives, which removes it should pawl not have done so; one that is not locked
 * was left by a pawl that was killed together with its keeper.
 *
 * scratch_make() removes what others left, then makes the folder; *PATH_OUT is for free(). *LOCK_OUT holds the lock as
 * long as any process has it open; it is -1 where a folder cannot be locked.
 */
int scratch_make(pid_t keeper, char **path_out, int *lock_out, struct error *err);
/* Note that PROCESSES are all there is of the service JOB. A list that cannot be written is no failure. */
void scratch_list(const char *path, uint32_t job, const struct processes *processes);
/* End the listed processes, what descends from them, and who shares a session they lead. */
void scratch_end_listed(const char *path);
/* Remove the folder of KEEPER, if it is there still; 0: the abandoned ones, with their listed processes. */
void scratch_remove_of(pid_t keeper);

/* -------- cgroup */

/*
 * A cgroup for each service, where version 2 is delegated: then its processes are known and can be ended
 * whatever they do, also those that called setsid() or wrote over their environment. It is made
 * below pawl's own cgroup and called pawl-<owner>-<job>. Elsewhere the keeper knows a service's processes by
 * other signs. See cgroups(7) and the kernel's cgroup-v2.rst.
 */

/* The folder of a new cgroup, for free(), or NULL where none can be made. */
char *cgroup_make(const char *owner, uint32_t job);
/* Put a process there, before it has children. */
bool cgroup_add(const char *dir, pid_t pid);
bool cgroup_is_empty(const char *dir);
/* Kill all members until there are none (a second at the most), and remove it with those that were made below it. */
void cgroup_end(const char *dir);
/* The job whose cgroup PID is in, or below; 0 when it is none of OWNER's. */
uint32_t cgroup_job(pid_t pid, const char *owner);
/* End the cgroups below pawl's own, whosever, that are WANTED. */
void cgroup_end_if(bool (*wanted)(const char *owner, const char *dir, const void *ctx), const void *ctx);
void cgroup_end_all_of(const char *owner);

struct cgroup_mounts;

void cgroup_mounts_read(struct cgroup_mounts *out);
/* The group of PID in the hierarchy of CONTROLLER, as cgroup_of_process(); for free(). */
char *cgroup_of_pid(pid_t pid, const char *controller);
/* The folder of pawl's own group of version 2; NULL where there is none. For free(). */
char *cgroup_own_folder(void);

/* -------- interrupt */

/*
 * SIGINT, SIGTERM and SIGHUP as something to poll for. interrupt_init() blocks them and makes a
 * descriptor that becomes readable; whoever polls includes it, and calls interrupt_check() when it is.
 */

struct interrupt {
	int fd;		/* signalfd, or -1 */
	int signal;	/* the first one seen, 0 before */
};

int interrupt_init(struct interrupt *interrupt, struct error *err);
void interrupt_release(struct interrupt *interrupt);
/* 0, or -1 with an ERR_INTERRUPTED once a signal has come; does not wait. */
int interrupt_check(struct interrupt *interrupt, struct error *err);

/* The one clock and the one time unit inside: nanoseconds of CLOCK_MONOTONIC. */

#define NS_PER_MS 1000000ull
#define NS_PER_S 1000000000ull
#define DEADLINE_NEVER UINT64_MAX

static inline uint64_t clock_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* How long the machine has slept, which CLOCK_BOOTTIME alone counts; right to some milliseconds. */
static inline uint64_t clock_slept_ns(void)
{
	struct timespec ts;
	uint64_t now = clock_now_ns(), boot;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	boot = (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
	return boot > now ? boot - now : 0;
}

static inline double timeval_ms(struct timeval tv)
{
	return (double)tv.tv_sec * 1e3 + (double)tv.tv_usec / 1e3;
}

/* For poll(): milliseconds until DEADLINE_NS, rounded up; -1 for never. */
static inline int clock_poll_ms(uint64_t deadline_ns)
{
	uint64_t now = clock_now_ns(), left;

	if (deadline_ns == DEADLINE_NEVER)
		return -1;
	left = deadline_ns > now ? (deadline_ns - now + NS_PER_MS - 1) / NS_PER_MS : 0;
	return left > 1000000 ? 1000000 : (int)left;
}

/* -------- output */

/* The end of a stream of any length in bounded memory: what a report quotes of a failed program. */

enum { TAIL_KEPT = 64 << 10 };

struct tail {
	char *ring;		/* allocated at the first byte */
	size_t keep;		/* bytes that are kept; 0: TAIL_KEPT */
	size_t at;		/* where the next byte goes */
	uint64_t total;		/* bytes seen */
};

#define TAIL_INIT { 0 }

void tail_release(struct tail *tail);
void tail_feed(struct tail *tail, const char *data, size_t len);
/* Everything kept, oldest first; begins with a line that says how much came before, if any did. */
void tail_text(const struct tail *tail, struct strbuf *out);
/* The last LINES lines of it. */
void tail_lines(const struct tail *tail, unsigned lines, struct strbuf *out);

/*
 * Waiting for a line in a stream: a regular expression (base/regex.h; ^ and $ match at
 * lines) tried on every line as the bytes come, in bounded memory (of a longer line its first
 * WATCH_LINE bytes). For `ready: { log: REGEX }` and `load: { fail: REGEX }`.
 */

enum { WATCH_LINE = 4096 };

struct line_watch {
	struct regex *regex;
	const char *text;		/* of the expression; borrowed */
	struct error fault;		/* matching took too long: nothing more is looked at */
	bool seen;			/* a line has matched, and is in LINE; nothing more is looked at */
	size_t len;			/* of the line so far */
	char line[WATCH_LINE + 1];
};

/* An expression that regex_compile() does not take is an ERR_INPUT. */
int line_watch_init(struct line_watch *watch, const char *regex, struct error *err);
void line_watch_release(struct line_watch *watch);
/*
 * An unfinished line is tried too, since a prompt has no newline; where it will end is not known
 * then, so $ does not match there. A NUL byte counts as a space.
 */
void line_watch_feed(struct line_watch *watch, const char *data, size_t len);

/* -------- child */

/*
 * A child process: started through the keeper, held before exec until released, in its own process
 * group, its output captured with bounded memory.
 *
 *	struct child child;
 *	child_start(keeper, &spec, &child, err)		held; its pid is known, nothing has run
 *	child_settle(&child)				where what it used until then must be known: it is held now
 *	child_release(&child, err)			exec; fails when the exec does
 *	child_wait(keeper, &child, deadline, err)	0 ended, 1 still running at the deadline
 *	child_end(keeper, &child, grace)		TERM, then KILL; harmless once it ended
 *	child_dispose(keeper, &child)			always, in the end; or child_forget() after another process took it over
 *
 * Waiting fails with ERR_INTERRUPTED when a signal asked pawl to end; the child is still running then.
 */

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

/* -------- wire, between child.c and keeper.c alone */

/*
 * Messages between pawl and its keeper over a SOCK_SEQPACKET pair: one struct a message, file
 * descriptors beside it. Both ends are the same program, so structs travel as they are.
 */

enum { WIRE_FDS_MAX = 8, WIRE_LIMITS_MOST = 16 };

enum wire_kind {
	/* To the keeper: */
	WIRE_SPAWN = 1,	/* fds: request (memfd), hold, exec-error, then the child's 0, 1, 2, ...; answered by WIRE_SPAWNED */
	WIRE_KILL,	/* signal to the process group of job */
	WIRE_SWEEP,	/* end processes that lost their parent, but services'; answered by WIRE_SWEPT */
	WIRE_ADOPT,	/* what lost its parent until now belongs to the service job */
	WIRE_LIST,	/* the leader and the daemons of the service job; answered by WIRE_LISTED */
	WIRE_END,	/* kill all that is left of the service job; answered by WIRE_SWEPT */
	WIRE_SHOW,	/* whether processes of the same user may look into it */
	WIRE_HOLD,	/* fd: to be kept open */
	/* From the keeper: */
	WIRE_SPAWNED,	/* pid, or error */
	WIRE_EXITED,	/* job's status, usage and end */
	WIRE_SWEPT,	/* how many had to be killed, and what they were */
	WIRE_LISTED,	/* pids */
	WIRE_TRACED,	/* names of what traced pawl, and was ended */
};

struct wire {
	enum wire_kind kind;
	uint32_t job;
	pid_t pid;
	int signal;		/* WIRE_KILL */
	int error;		/* errno of a failed spawn */
	int status;		/* as wait() gives it */
	int killed;		/* WIRE_SWEPT */
	bool service;		/* WIRE_SPAWN: orphans of this job are its daemons */
	bool shown;		/* WIRE_SHOW */
	uint32_t n_pids;
	pid_t pids[WIRE_PIDS_MAX];	/* WIRE_LISTED */
	double cpu_ms;		/* WIRE_SWEPT: of orphans that ended since the last one */
	uint64_t end_ns;
	uint64_t grace_ns;	/* WIRE_SWEEP: how long orphans may end by themselves */
	struct rusage usage;
	char names[256];	/* WIRE_SWEPT, WIRE_TRACED: "sleep (123), sh (124)" */
};

/* What a child is to become; the strings of argv, then env, follow it, each terminated, then the groups. */
struct wire_request {
	uint32_t n_argv, n_env, n_groups, n_fds;
	uint32_t aslr_off, pin, change_user, niced, n_limits;
	int32_t nice;
	struct wire_limit {
		int resource;
		uint64_t most;	/* UINT64_MAX: unlimited */
	} limits[WIRE_LIMITS_MOST];
	uid_t uid;
	gid_t gid;
	cpu_set_t cpus;
	char cwd[4096];
};

/* 0, or -1 with errno. */
int wire_send(int sock, const struct wire *message, const int *fds, size_t n_fds);
/* 1 for a message, 0 when the other side is gone, -1 with errno (EAGAIN: none now). */
int wire_receive(int sock, struct wire *out, int *fds_out, size_t *n_fds_out);

/* How often pawl and the keeper look at each other. */
#define KEEPER_LOOK_NS 1000000000ull
void keeper_process(int sock) __attribute__((noreturn));

/* -------- files */

/* Reads are bounded, writes are atomic and follow no symbolic link, and every failure names the path. */

/* For CLEANUP(). */
static inline void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static inline void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* The whole of PATH appended to OUT; a file beyond LIMIT bytes, or no regular file, is an ERR_INPUT. */
int file_read(const char *path, size_t limit, struct strbuf *out, struct error *err);
/*
 * A short file of /proc or /sys appended to OUT without its final newline; false when it cannot
 * be read, which is never an error: such files come and go with kernels and containers.
 */
bool file_read_fact(const char *path, struct strbuf *out);
/* The same as one whole number; false when the file holds something else. */
bool file_read_number(const char *path, long long *out);

/*
 * A new file for reading and writing in DIR, which is made when missing, without a name: only /proc leads others to it,
 * and only those who may look at a process that has it open. For close(); -1 with an error.
 */
int file_unnamed(const char *dir, struct error *err);
/* Give it one at last. A file or link that is there is replaced. */
int file_give_name(int fd, const char *path, struct error *err);

/* All of DATA; -1 with errno. */
int file_write_all(int fd, const char *data, size_t len);
/*
 * Replace PATH in one step: a temporary file beside it, synced, then renamed. Missing folders are
 * made. A link at PATH is replaced, not followed; links on the way to it are. Only devices, and
 * links below /dev and /proc, are written through.
 */
int file_write(const char *path, const void *data, size_t len, struct error *err);
/*
 * Remove what a file_write() that was killed left in FOLDER, where the file system has no files without a name. Nobody else
 * may write there meanwhile.
 */
void file_sweep(const char *folder);
/* As mkdir -p. */
int file_make_dirs(const char *path, struct error *err);
/* An ERR_INPUT when PATH is a symbolic link: a stranger's repository must not choose where pawl writes. */
int file_refuse_link(const char *path, struct error *err);
/*
 * The same of every folder on the way from ROOT to PATH, PATH itself included: what a repository holds must not lead out of it.
 * A PATH that is not below ROOT is somebody's own choice. Both absolute.
 */
int file_refuse_links(const char *root, const char *path, struct error *err);
/* Remove PATH and everything below it, following no link and entering no other file system. Missing is fine. */
int file_remove_tree(const char *path, struct error *err);
/* Names in folder PATH in order, without . and ..; a missing folder is an empty list. */
int file_list(const char *path, struct strv *out, struct error *err);
bool file_exists(const char *path);
bool file_is_dir(const char *path);
/* For free(). In one that was removed, where no relative path means anything and no way leads upward, NULL with an ERR_INPUT. */
char *file_working_folder(struct error *err);
/* The absolute form of PATH without resolving links or ".."; for free(). */
char *file_absolute(const char *path);
/* DIR/NAME; for free(). */
char *file_join(const char *dir, const char *name);
/* The executable that NAME means on PATH (or by itself when it holds a slash, relative to CWD); NULL when none. */
char *file_find_program(const char *name, const char *cwd);
/* The same on another PATH, a list of folders. */
char *file_find_program_on(const char *path, const char *name, const char *cwd);
/*
 * "build-id:<hex>" of the ELF file at PATH (its NT_GNU_BUILD_ID note, elf(5)), else "fnv1a:<hex>", the 64-bit FNV-1a hash of
 * its bytes, so that a report can show when one executable measured differently; NULL when it cannot be read. For free().
 */
char *file_identity(const char *path);
/*
 * What debug information in the program at PATH says that it was compiled by: "GNU C17 12.2.0 -mtune=generic -O2", each text once,
 * appended. GCC alone tells its options; text that is compressed is not read. -1: there is no such file.
 */
int file_compilers(const char *path, struct strv *out);
/* An ELF program or library. */
struct elf_file {
	bool symbols;		/* names of all its functions */
	bool lines;		/* debug information */
	bool elsewhere;		/* both may lie in a file of their own */
	uint64_t code_bytes;	/* of its instructions; 0: not known */
};
/* False: PATH is none. */
bool file_elf(const char *path, struct elf_file *out);
/* Whether PATH is an ELF program that was linked statically: nothing can be loaded into it. */
bool file_is_static(const char *path);

/* -------- lock */

/*
 * One pawl measures at a time on a machine. The lock is a flock on a file that only its owner can
 * open, in $XDG_RUNTIME_DIR, else /run/lock, else /tmp; the kernel drops it when the holder dies.
 * PAWL_LOCK=inherited, which pawl sets for its children, skips it: pawl can measure pawl.
 */

/*
 * *FD_OUT is for close_fd(), -1 when skipped. The file stays: if removed, two holders could lock two files of one
 * name. WAITING (may be NULL) is called once with who holds it ("pid 123"); a lock still held after WAIT_NS is an
 * ERR_SYSTEM.
 */
int lock_take(uint64_t wait_ns, struct interrupt *interrupt, void (*waiting)(void *ctx, const char *holder), void *ctx,
	      int *fd_out, struct error *err);

/*
 * What several commands read, change and write again in the folder PATH goes one after the other: the lock is a flock on
 * the folder itself, so that it leaves no file, and all who share the folder share it, in containers too. 0 with *FD_OUT
 * for close_fd(), 1 where this file system cannot lock a folder, -1; held after WAIT_NS is an ERR_SYSTEM.
 */
int lock_folder(const char *path, uint64_t wait_ns, struct interrupt *interrupt, int *fd_out, struct error *err);

/*
 * Two that were given different folders hold different locks and disturb each other, unless they see each other: a
 * descriptor that shows, as long as it is open, that this pawl measures; -1 when that cannot be shown.
 */
int lock_announce(void);
/* Appends the others that measure now, and may be seen: "pid 123"; each once. */
void lock_others(struct strv *out);

/* -------- proc */

/*
 * What /proc shows of processes, as text. A process by the line of /proc/PID/stat (proc_pid_stat(5)): its name in
 * parentheses is chosen by the process and may hold spaces, parentheses and newlines; the numbers begin behind the last
 * parenthesis. A number alone does not name a process, since numbers are given again: the time it started goes with it.
 */

struct process {
	pid_t pid, parent, group, session;
	uint64_t start;			/* ticks since boot; 0: it is gone, no process has it */
	char state;			/* 'Z' and 'X' are dead */
	bool kernel;			/* a thread of the kernel: it runs no program */
	char name[32];			/* 15 bytes; longer only for threads of the kernel */
	uint64_t threads;		/* the ended first thread counts until all have ended */
	uint64_t minor_faults, major_faults, user_ticks, system_ticks;
	/* The same of its children, and theirs, that it has waited for. */
	uint64_t waited_minor_faults, waited_major_faults, waited_user_ticks, waited_system_ticks;
	int nice, policy;		/* as sched(7) has them */
	uint64_t env_end;		/* where its environment ends; 0 while it is between two programs, or ended */
};

/* False when TEXT is no such line. */
bool process_parse(const char *text, struct process *out);

/*
 * The number behind KEY ("CapEff", in base 16; "VmHWM", 10, in the kB that stand behind it) in
 * /proc/PID/status; false when it is not there.
 */
bool proc_status_number(const char *text, const char *key, int base, uint64_t *out);

/*
 * A line of /proc/net/tcp or /proc/net/tcp6 that listens. A socket is known by its inode, which
 * /proc/PID/fd shows as "socket:[INODE]".
 */
struct listener {
	unsigned port;			/* in the host's order */
	uint64_t inode;
	bool held;			/* by a process that was asked about; set by listeners_mark() */
};

/* False for the heading and for connections. */
bool proc_net_listener(const char *line, struct listener *out);
/* The inode in a link such as "socket:[12345]"; false when LINK is something else. */
bool proc_net_socket(const char *link, uint64_t *inode_out);

/*
 * Where control groups are: the mounted hierarchies, from the text of /proc/self/mountinfo, and the
 * groups of one process, from that of /proc/PID/cgroup (cgroups(7)). Version 2 is one hierarchy,
 * version 1 several, and both may be there at once.
 */

struct cgroup_mount {
	char *dir;			/* where it is mounted */
	char *root;			/* the group that is shown there: "/", or a container's own */
	char *options;			/* of version 1: "rw,pids", "rw,name=systemd"; NULL: version 2 */
};

struct cgroup_mounts {
	struct cgroup_mount *items;	/* version 2 first */
	size_t n, cap;
};

void cgroup_mounts_parse(const char *mountinfo, struct cgroup_mounts *out);
void cgroup_mounts_release(struct cgroup_mounts *mounts);
/* The mount of a CONTROLLER ("pids", "name=systemd"; "" is version 2), or NULL. */
const struct cgroup_mount *cgroup_mounts_find(const struct cgroup_mounts *mounts, const char *controller);

/* The group of the process in the hierarchy of CONTROLLER, such as "/system.slice/nginx.service"; NULL: none. For free(). */
char *cgroup_of_process(const char *text, const char *controller);
/* The folder of GROUP; NULL when the mount does not show it (a container sees its own part only). For free(). */
char *cgroup_folder(const struct cgroup_mount *mount, const char *group);

/* -------- processes */

/* Processes as /proc shows them at one moment, each once, in ascending order of their numbers. */
struct processes {
	struct process *items;
	size_t n, cap;
};

/* The text of /proc/PID/NAME, appended to OUT. This and the next two: false when there is no process of that number. */
bool process_read_file(pid_t pid, const char *name, struct strbuf *out);
/* The decimal number behind KEY in /proc/PID/status. */
bool process_read_status(pid_t pid, const char *key, uint64_t *out);
/* The namespace of KIND, "pid" or "net", that PID is in; 0 when that cannot be seen. */
ino_t process_namespace(pid_t pid, const char *kind);
bool process_read(pid_t pid, struct process *out);
/* TICKS of /proc, in which it counts time, as milliseconds. */
double process_ticks_ms(uint64_t ticks);
/*
 * The most threads of one process, PID or one below it, that run or are ready to: 0 while all of them wait. Several
 * processes at work, as in a pipeline, are no crowd.
 */
unsigned process_crowd(pid_t pid);
/*
 * What may be done to processes from outside, as bits, of ROOT and all below it now: being stopped, being traced by a process that
 * is not below ROOT, and, a bit each, nice values and scheduling classes. PROCESS_MOVED is its callers'.
 */
enum { PROCESS_STOPPED = 1, PROCESS_TRACED = 2, PROCESS_MOVED = 4 };
#define PROCESS_POLICIES 0xff00ull
#define PROCESS_NICE (0xffffffffffull << 20)
uint64_t process_touched(pid_t root);
/* The bits of what pawl starts, as it starts it. */
uint64_t process_untouched(void);
/* What BITS say in words: "stopped", "given another nice value"; the first of them. */
const char *process_touched_words(uint64_t bits);
/* True while the process of that number is the one that started then, and is no zombie. */
bool process_lives(pid_t pid, uint64_t start);
bool process_is_dead(const struct process *process);
/* False where /proc shows another PID namespace: its numbers are other processes than kill(2) means. */
bool process_numbers_are_own(void);
/*
 * A number for the boot, the PID namespace and the time namespace that this process is in. Numbers and start times of
 * processes can be compared within one view only. 0: unknown, as where /proc cannot be read.
 */
uint32_t process_view(void);
/*
 * True when the process PID of VIEW is certainly gone: VIEW is this one, and no process has the number, or a process does that
 * is a zombie or started at another time (START 0: any). A failed reading is no proof.
 */
bool process_is_gone(pid_t pid, uint64_t start, uint32_t view);
/*
 * End what traces PID, and let PID go on, if it descends from KEEPER: who debugs pawl from outside is left alone. True, with
 * its name in NAMES.
 */
bool process_end_tracer(pid_t pid, pid_t keeper, char names[256]);
/* Its command line with spaces between, or its name in brackets when it has none, as ps shows it; appended. */
void process_command_line(pid_t pid, struct strbuf *out);

/* Every process there is; none when /proc is not mounted. */
void processes_read(struct processes *out);
void processes_release(struct processes *processes);
const struct process *processes_find(const struct processes *processes, pid_t pid);
/* Unless it is there. */
void processes_add(struct processes *processes, const struct process *process);
/* True when PID is ROOT or descends from it in ALL. */
bool processes_descends(const struct processes *all, pid_t pid, pid_t root);
/* Add ROOT and all that descend from it in ALL, zombies left out. */
void processes_add_tree(struct processes *out, const struct processes *all, pid_t root);
/*
 * Add the members of a cgroup's folder and of those below it, as its cgroup.procs lists them, zombies
 * left out. 0, or -1 with errno when DIR is no such folder.
 */
int processes_add_cgroup(struct processes *out, const char *dir);
bool processes_equal(const struct processes *a, const struct processes *b);
/* "nginx (12), nginx (13) and 4 more", fit for a terminal; appended. */
void processes_name(const struct processes *processes, size_t most, struct strbuf *out);

/*
 * A descriptor of a process, which no other process can take over; it becomes readable when the process ends. -1 with
 * errno. Closed on exec. Called by number: glibc has the function from 2.36 on, which Ubuntu 22.04 has not.
 */
static inline int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/*
 * What running processes have used so far, from /proc: CPU time, page faults, switches, memory. The
 * difference of two readings is what a window used.
 *
 * CPU time and faults are of each process and of the children it waited for (proc_pid_stat(5): utime
 * and cutime, minflt and cminflt, ...), and of its children that ended and were not waited for yet. So
 * a process that ends between two readings is not lost, as long as its parent is one of those read:
 * what it used moves to the parent. What one used that was not there at the first reading counts
 * whole. Switches are of the threads that live (/proc/PID/task/TID/status), peaks of the processes
 * that live (VmHWM).
 */

/* All but wall_ms and cpu_ms; 0 for a peak that the kernel does not show. Those that are gone count nothing. */
void usage_read(const struct processes *processes, struct measured *out);
/* Let peaks begin anew (proc_pid_clear_refs(5), value 5), where that is allowed. */
void usage_reset_peaks(const struct processes *processes);
/*
 * Bytes of memory that PROCESSES hold now and no file has: anonymous and shared (proc_pid_smaps(5), Pss), which a page of several
 * processes is a part of in each. NaN: one that lives does not show it. It walks their page tables, some 20 ms a GiB.
 */
double usage_resident(const struct processes *processes);
/*
 * What was used between two readings goes to OUT's members: the times but wall_ms, faults, switches
 * and max_rss_bytes. NaN is what cannot be known: a count that fell, since processes or threads that ended took
 * theirs along, and a peak of 0.
 */
void usage_difference(const struct measured *before, const struct measured *after, struct measured *out);

/* -------- affinity */

/*
 * Running processes on other CPUs for a while:
 *
 *	affinity_move(), as often as wanted -> affinity_restore()
 *
 * All their threads are moved, and what these start from then on begins where they are. What has ended, or is not ours, is
 * let be.
 */

struct affinity {
	struct moved {
		pid_t thread;
		cpu_set_t cpus;		/* where it could run before */
	} *items;
	size_t n, cap;
};

void affinity_move(struct affinity *affinity, const struct processes *processes, const cpu_set_t *to);
/*
 * Each thread of PROCESSES, as they are now, may run again where it could before; one that came meanwhile, where the first
 * thread of its process could, or else that which was moved first. Frees what is held, also when nothing was moved.
 */
void affinity_restore(struct affinity *affinity, const struct processes *processes);

#endif
