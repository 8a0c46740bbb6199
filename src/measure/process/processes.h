/* Reads running processes from /proc, waits for them and ends them. */
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
struct strv;

/* Processes in /proc at one moment, each once, in ascending order of pid. */
struct processes {
	struct process *items;
	size_t n, cap;
};

/* Appends the text of /proc/PID/NAME to OUT. This and the next two return false or 0 if PID does not exist. */
bool process_read_file(pid_t pid, const char *name, struct strbuf *out);
/* Reads the decimal number after KEY in /proc/PID/status. */
bool process_read_status(pid_t pid, const char *key, uint64_t *out);
/* Returns the namespace of KIND ("pid" or "net") that PID is in; 0 if it cannot be read. */
ino_t process_namespace(pid_t pid, const char *kind);
bool process_read(pid_t pid, struct process *out);
/* Lists the threads of PID by their numbers. */
void process_threads(pid_t pid, struct strv *out);
/* As process_read_file() for one of them. */
bool process_read_thread(pid_t pid, const char *thread, const char *name, struct strbuf *out);
/* Returns the processes that PID's threads started or took over, for free() (proc_pid_children(5)). */
pid_t *process_children(pid_t pid, size_t *n_out);
/* Converts TICKS, /proc's unit of time, to milliseconds. */
double process_ticks_ms(uint64_t ticks);
/*
 * Returns the largest number of runnable threads in any one process, PID or below. Several busy processes, as in a
 * pipeline, do not add up. Calls BUSY (may be NULL) for each process with a runnable thread.
 */
unsigned process_crowd(pid_t pid, void (*busy)(void *ctx, pid_t pid), void *ctx);
/* Properties of a process that other processes can change, in order of how certainly they come from outside. */
enum property {
	PROPERTY_TRACER, PROPERTY_STOP, PROPERTY_CPUS, PROPERTY_POLICY, PROPERTY_NICE, PROPERTY_IO_PRIORITY, PROPERTY_LIMITS,
	PROPERTY_TIMER_SLACK, PROPERTIES,
};
struct properties {
	uint64_t of[PROPERTIES];	/* 0: cannot be read */
};
/* Reads the properties of PID as those that its children start with: neither traced nor stopped. */
void process_properties(pid_t pid, struct properties *out);
/*
 * Returns how ROOT and the processes below it differ from START, as bits: eight for each property, of which its value
 * chooses one. A tracer that is itself below ROOT does not count.
 */
#define PROPERTY_BITS(property) (0xffull << 8 * (property))
uint64_t process_touched(pid_t root, const struct properties *start);
/* Returns the first of BITS in words: "stopped", "given another nice value". */
const char *process_touched_words(uint64_t bits);
/* True while PID is the process that started at START and is not a zombie. */
bool process_lives(pid_t pid, uint64_t start);
bool process_is_dead(const struct process *process);
/* False if /proc shows another PID namespace. Its numbers are then not those of kill(2). */
bool process_numbers_are_own(void);
/*
 * Returns a number for this process's boot, PID namespace and time namespace: process numbers and start times are
 * comparable within one view. 0: unknown.
 */
uint32_t process_view(void);
/* True if the process PID of VIEW that started at START (0: any time) is certainly gone. A failed reading proves nothing. */
bool process_is_gone(pid_t pid, uint64_t start, uint32_t view);
/* Ends the tracer of PID, if it descends from KEEPER, and resumes PID. True if it ended one, with its name in NAMES. */
bool process_end_tracer(pid_t pid, pid_t keeper, char names[256]);
/* Appends its command line with spaces between arguments, or its name in brackets if it has none, like ps. */
void process_command_line(pid_t pid, struct strbuf *out);

/* Reads all processes; none if /proc is not mounted. */
void processes_read(struct processes *out);
void processes_release(struct processes *processes);
const struct process *processes_find(const struct processes *processes, pid_t pid);
/* Adds PROCESS unless it is already in the list. */
void processes_add(struct processes *processes, const struct process *process);
/* True if PID is ROOT or descends from it in ALL. */
bool processes_descends(const struct processes *all, pid_t pid, pid_t root);
/* Adds ROOT and its descendants in ALL, except zombies. */
void processes_add_tree(struct processes *out, const struct processes *all, pid_t root);
/*
 * Adds the members of a cgroup folder and those below it (cgroup.procs), except zombies. Returns 0, or -1 with errno
 * if DIR is not such a folder.
 */
int processes_add_cgroup(struct processes *out, const char *dir);
bool processes_equal(const struct processes *a, const struct processes *b);
/* Appends "nginx (12), nginx (13) and 4 more", safe for a terminal. */
void processes_name(const struct processes *processes, size_t most, struct strbuf *out);

/* pidfd_open(2), which glibc has only from 2.36 on. */
static inline int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/*
 * Resource usage of running processes so far, from /proc. The difference of two readings is the usage of a window. CPU
 * time and faults cover each process and its ended children, so a process that ends between two readings counts as long
 * as its parent is in the list. Context switches cover live threads, peaks live processes.
 */

/* Sets all but wall_ms and cpu_ms; 0 for a peak that the kernel does not show. */
void usage_read(const struct processes *processes, struct measured *out);
/* Resets the peaks (proc_pid_clear_refs(5), value 5), if permitted. */
void usage_reset_peaks(const struct processes *processes);
/*
 * Returns the bytes of memory that PROCESSES hold now without a file, a shared page divided among its processes; NaN if a
 * live one does not show it. Takes about 20 ms per GiB.
 */
double usage_resident(const struct processes *processes);
/*
 * Sets OUT's members from two readings: the times except wall_ms, faults, switches and max_rss_bytes. NaN: unknown,
 * because a count fell (ended processes or threads took theirs along) or a peak is 0.
 */
void usage_difference(const struct measured *before, const struct measured *after, struct measured *out);

#endif
