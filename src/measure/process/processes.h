/*
 * Processes that run: read from /proc, waited for, ended.
 */
#ifndef PAWL_MEASURE_PROCESS_PROCESSES_H
#define PAWL_MEASURE_PROCESS_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

struct measured;
struct process;
struct strbuf;

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

#endif
