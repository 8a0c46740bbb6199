/*
 * Whether both sides are the same: nothing in them can differ, or they did the same work.
 *
 * Sides that cannot differ need not be measured: the same program does the same work with the same input. same_find() decides
 * from one traced execution of each side, by the content of all that it used, never by a diff of the sources.
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
#ifndef PAWL_JOB_SIDES_SAME_H
#define PAWL_JOB_SIDES_SAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "cause/ledger/accesses.h"
#include "job/sides/programs.h"
#include "measure/run/system.h"
#include "model/side.h"

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
void same_find(const struct identical_sides *sides, struct identical *out);
/* True if the files A and B have equal bytes. */
bool same_bytes(const char *a, const char *b);

/*
 * The work of both sides: what they print, and the files that they write below the working folder. A program
 * that does less is faster for a reason that no gate sees.
 *
 *	same_work_begin() -> same_work_files() after a traced run -> same_work_find() at the end -> same_work_release()
 *
 * Two runs of each side that are not counted are compared. What differs from run to run of one side does not count, nor
 * does the place of a side. Standard output and standard error are one stream. A run whose exit status is not 0 fails the
 * scenario, so the status needs no comparison.
 */

/* A file that both sides write. */
struct written {
	char *paths[SIDES];
	uint64_t hashes[SIDES];
};

/* Folders of a side that texts may name: for its files, its results, and its tree by both names. */
enum { SIDE_PLACES = 4 };

struct same_work {
	const char *places[SIDES][SIDE_PLACES + 1];	/* borrowed, each list ends in NULL */
	struct printed printed[SIDES];
	struct written *files;
	size_t n, cap;
};

/* OUT must not move until it is released, and PROGRAMS must outlive it. */
void same_work_begin(struct same_work *out, const struct program_side programs[SIDES]);
/* Notes the files that traced executions of both sides wrote. */
void same_work_files(struct same_work *work, const struct program_side programs[SIDES], const struct accesses accesses[SIDES]);
/*
 * Returns how the head's work differs: "head prints other output from line 17"; for free(). NULL: not at all, or unknown if
 * *KNOWN_OUT is false.
 */
char *same_work_find(const struct same_work *work, bool *known_out);
void same_work_release(struct same_work *work);

#endif
