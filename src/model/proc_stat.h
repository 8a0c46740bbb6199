/*
 * What /proc tells of a process: the line of /proc/PID/stat (proc_pid_stat(5)). The name in parentheses is chosen by the process and
 * may hold spaces, parentheses and newlines: the numbers begin behind the last parenthesis.
 */
#ifndef PAWL_MODEL_PROC_STAT_H
#define PAWL_MODEL_PROC_STAT_H

#include <stdbool.h>
#include <stdint.h>

struct proc_stat {
	char name[32];			/* 15 bytes; longer only for threads of the kernel */
	char state;			/* of its first thread */
	int parent, group, session;
	bool kernel;			/* a thread of the kernel: it runs no program */
	uint64_t threads;		/* the ended first thread counts until all have ended */
	uint64_t minor_faults, major_faults, user_ticks, system_ticks;
	/* The same of its children, and theirs, that it has waited for. */
	uint64_t waited_minor_faults, waited_major_faults, waited_user_ticks, waited_system_ticks;
	uint64_t start;			/* ticks since boot */
	uint64_t env_end;		/* where its environment ends; 0 while it is between two programs, or ended */
};

/* False when TEXT is no such line. */
bool proc_stat_parse(const char *text, struct proc_stat *out);

/*
 * The number behind KEY ("CapEff", in base 16; "VmHWM", 10, in the kB that stand behind it) in
 * /proc/PID/status; false when it is not there.
 */
bool proc_status_number(const char *text, const char *key, int base, uint64_t *out);

#endif
