/*
 * The processes of this machine as /proc shows them at one moment (proc_pid_stat(5)), and who
 * descends from whom. A number alone does not name a process, since numbers are given again: the
 * time it started goes with it.
 */
#ifndef PAWL_MEASURE_PROCESS_PROCESSES_H
#define PAWL_MEASURE_PROCESS_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/text.h"
#include "measure/process/proc.h"
#include "model/measured.h"

struct process {
	pid_t pid, parent, group, session;
	uint64_t start;			/* ticks since boot; 0: it is gone, no process has it */
	char state;			/* 'Z' and 'X' are dead */
	bool kernel;			/* a thread of the kernel: it runs no program */
	char name[32];
};

/* Processes, each once, in ascending order of their numbers. */
struct processes {
	struct process *items;
	size_t n, cap;
};

/* /proc/PID/stat; false when there is no process of that number. */
bool process_read_stat(pid_t pid, struct proc_stat *out);
/* The namespace of KIND, "pid" or "net", that PID is in; 0 when that cannot be seen. */
ino_t process_namespace(pid_t pid, const char *kind);
/* One process; false when there is none of that number. */
bool process_read(pid_t pid, struct process *out);
/* True while the process of that number is the one that started then, and is no zombie. */
bool process_lives(pid_t pid, uint64_t start);
bool process_is_dead(const struct process *process);
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
/* Add PROCESS unless it is there. */
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
/* True when both hold the same processes: number and start. */
bool processes_equal(const struct processes *a, const struct processes *b);
/* "nginx (12), nginx (13) and 4 more", fit for a terminal; appended. */
void processes_name(const struct processes *processes, size_t most, struct strbuf *out);

/*
 * A process by descriptor, which no other process can take over. Called by number: glibc has the
 * functions from 2.36 on, which Ubuntu 22.04 has not.
 */

/* A descriptor that becomes readable when the process ends, or -1 with errno. Closed on exec. */
static inline int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static inline bool signal_pidfd(int fd, int signal)
{
	return syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) == 0;
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

struct usage {
	double user_ms, system_ms;	/* in ticks of 10 ms */
	double faults, major_faults;	/* the first counts all, the second those that read a disk */
	double voluntary, involuntary;
	double peak_rss_bytes;		/* of the largest process; 0 when nobody tells */
};

/* Those that are gone count nothing. */
void usage_read(const struct processes *processes, struct usage *out);
/* Let peaks begin anew (proc_pid_clear_refs(5), value 5), where that is allowed. */
void usage_reset_peaks(const struct processes *processes);
/*
 * What was used between two readings goes to OUT's members: the times but wall_ms, faults, switches
 * and max_rss_bytes. NaN, not measured, is what cannot be told: a count that fell, since processes or
 * threads that ended took theirs along, and a peak of 0.
 */
void usage_difference(const struct usage *before, const struct usage *after, struct measured *out);

#endif
