/*
 * Whose time a target's is: that of a launcher (a shell, pyenv, npx, cargo), or of the program that it starts, as a child
 * or by exec. Looks at the CPU time of the processes at work show it. A launcher's cost hides the program's.
 *
 *	{ 0 } -> launcher_look() for each busy process at each look -> launcher_advice()
 */
#ifndef PAWL_MEASURE_PERF_LAUNCHER_H
#define PAWL_MEASURE_PERF_LAUNCHER_H

#include <stddef.h>
#include <sys/types.h>

enum { LAUNCHED_MOST = 8, LAUNCHED_LONGEST = 200, LAUNCHED_PROCESSES = 64 };

struct launcher {
	double all_ms, launchers_ms;	/* CPU time that was seen, and that of launchers */
	/* Launchers by name, and the other processes by the command that starts them. */
	struct launched {
		char command[LAUNCHED_LONGEST];
		double ms;
	} launchers[LAUNCHED_MOST], programs[LAUNCHED_MOST];
	/* CPU time of processes at the last look. The number of a process stays the same when it execs. */
	struct {
		pid_t pid;
		double ms;
	} processes[LAUNCHED_PROCESSES];
	size_t n;
};

/* A process that is at work. */
struct launcher_process {
	pid_t pid;
	double cpu_ms;		/* since its start */
	const char *exe;	/* its program */
	const char *words;	/* the LEN bytes of /proc/PID/cmdline, with a zero behind them */
	size_t len;
};

/* Counts the CPU time of a process since the last look. Processes beyond the room for them do not count. */
void launcher_look(struct launcher *launcher, const struct launcher_process *process);
/*
 * Returns a note that names the program to measure, for free(). NULL: launchers do not take most of the time, or start
 * several programs that matter.
 */
char *launcher_advice(const struct launcher *launcher);

#endif
