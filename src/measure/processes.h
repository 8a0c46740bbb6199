/*
 * The processes of this machine as /proc shows them at one moment (proc_pid_stat(5)), and who
 * descends from whom. A number alone does not name a process, since numbers are given again: the
 * time it started goes with it.
 */
#ifndef PAWL_MEASURE_PROCESSES_H
#define PAWL_MEASURE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "model/proc_stat.h"

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
/* The process that traces PID, ptrace(2); 0: none does, or it cannot be seen. */
pid_t process_tracer(pid_t pid);
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

#endif
