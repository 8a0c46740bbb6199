#ifndef PAWL_JOB_EVIDENCE_H
#define PAWL_JOB_EVIDENCE_H

#include <stdbool.h>

#include "cause/evidence.h"
#include "model/source/changes.h"

struct measured_side;
struct tree_map;

/*
 * Collects evidence from both sides of a scenario's pairs, to find the cause of a regression:
 *
 *	evidence_begin() once both sides are planned -> loop_evidence() -> causes_find() with what was found -> evidence_end()
 */
struct evidence_search {
	struct measured_side *sides;	/* base and head */
	struct evidence found[2];
	struct changes changes;		/* between the two trees */
	uint64_t until_ns;		/* when the search is to end */
	bool taken;
	const struct metric *benchmark;	/* the one that runs alone; NULL: none */
	unsigned iterations;		/* in each of its runs; 0: as many as fit into a given time */
	unsigned failed;		/* steps that failed on a side, as bits of enum evidence_step */
};

/* SIDES, SEARCH and the plans must not move. MAPS tells where each side's own files are. */
void evidence_begin(struct evidence_search *search, struct measured_side *sides, const struct tree_map *maps);
void evidence_end(struct evidence_search *search);

#endif
