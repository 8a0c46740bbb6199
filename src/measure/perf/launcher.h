/*
 * Whose time a target's is: that of a launcher (a shell, pyenv, npx, cargo), or of the program that it starts, as a child
 * or by exec. Looks at the processes at work show it. A launcher's cost hides the program's.
 *
 *	{ 0 } -> launcher_look() for each busy process at each look -> launcher_advice()
 */
#ifndef PAWL_MEASURE_PERF_LAUNCHER_H
#define PAWL_MEASURE_PERF_LAUNCHER_H

#include <stddef.h>

enum { LAUNCHED_MOST = 8, LAUNCHED_LONGEST = 200 };

struct launcher {
	unsigned looks, of_launchers;	/* processes seen at work, and those that are launchers */
	const char *name;		/* of the last launcher */
	struct {
		char command[LAUNCHED_LONGEST];
		unsigned looks;
	} programs[LAUNCHED_MOST];	/* the other processes, by what would start them */
};

/* Counts a process whose program is EXE, with the LEN bytes of /proc/PID/cmdline in WORDS. */
void launcher_look(struct launcher *launcher, const char *words, size_t len, const char *exe);
/*
 * Returns a note that names the program to measure, for free(). NULL: launchers do not take most of the time, or start
 * several programs that matter.
 */
char *launcher_advice(const struct launcher *launcher);

#endif
