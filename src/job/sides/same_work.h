/*
 * Whether both sides did the same work: what they print, and the files that they write below the working folder. A program
 * that does less is faster for a reason that no gate sees.
 *
 *	same_work_begin() -> same_work_files() after a traced run -> same_work_find() at the end -> same_work_release()
 *
 * Two runs of each side that are not counted are compared. What differs from run to run of one side does not count, nor
 * does the place of a side. Standard output and standard error are one stream. A run whose exit status is not 0 fails the
 * scenario, so the status needs no comparison.
 */
#ifndef PAWL_JOB_SIDES_SAME_WORK_H
#define PAWL_JOB_SIDES_SAME_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cause/ledger/accesses.h"
#include "job/sides/programs.h"
#include "measure/run/system.h"
#include "model/side.h"

/* A file that both sides write. */
struct written {
	char *paths[SIDES];
	uint64_t hashes[SIDES];
};

enum { SAME_WORK_PLACES = 5 };

struct same_work {
	const char *places[SIDES][SAME_WORK_PLACES];	/* borrowed, each list ends in NULL */
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
