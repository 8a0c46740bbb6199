/*
 * Finds sides that cannot differ and need not be measured. Decides by one traced execution of each side and the
 * content of all that it used, never by a diff of the sources. Equal on both sides must be: words and environment;
 * every file of its own tree that was executed, loaded or read; kind, size, rights and order of times of files that
 * were only looked at; names in listed folders, texts of links, what was looked for in vain. Not compared: the place
 * of a side, debug information of what is only loaded, clocks, random numbers, facts about the machine. A file
 * outside both trees must not have changed since pawl began. Connections, shared memory, most devices, other
 * processes, and files that are read and changed mean that nothing is known.
 */
#ifndef PAWL_JOB_SIDES_IDENTICAL_H
#define PAWL_JOB_SIDES_IDENTICAL_H

#include <stdbool.h>
#include <time.h>

struct accesses;
struct program_side;

/* Side by side, the base first. */
struct identical_sides {
	const struct program_side *programs;
	const struct accesses *accesses;
	const char *commits[2];		/* full; NULL: unknown */
	struct timespec began;		/* when pawl did */
	struct timespec kept;		/* when the sides' own files were complete: what changed since is in doubt */
};

struct identical {
	unsigned libraries, files;	/* loaded and otherwise read, by one side */
	char *why_not;			/* for free(); NULL: nothing can differ */
};

/* Decides whether the traced executions had nothing that differs. */
void identical_find(const struct identical_sides *sides, struct identical *out);
/* True if the files A and B have equal bytes. */
bool identical_bytes(const char *a, const char *b);

#endif
