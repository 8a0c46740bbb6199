/*
 * Finds sides that cannot differ and need not be measured: the same program does the same work with the same input.
 * Decides from one traced execution of each side, by the content of all that it used, never by a diff of the sources.
 *
 * Equal on both sides must be:
 *	- words and environment, but for the place of each side's tree, folder and ${tmp}
 *	- every file of its own tree that was executed, loaded or read, by all of its bytes. A program or library may
 *	  differ in what is not loaded, such as debug information, and in the text of its own commit. The cache of a
 *	  Python module may differ in the time and place of its source
 *	- kind, size and rights of files that were only looked at, and the order of their times
 *	- the names in folders that were listed, the text of links that were read, and what was looked for in vain
 * Files outside both trees are the same file for both. If one changed since pawl began, a build, setup or run may have
 * written it, so nothing is known. The same holds for connections, shared memory, most devices, other processes, files that
 * an execution reads and changes, and an execution that did not end in time. Clocks, random numbers and facts about the
 * machine do not count: they do not belong to a side.
 *
 * The place of a side does not count either. Both trees are in different folders, so lengths of paths differ, and a program
 * can see its own. It is not part of a change.
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
