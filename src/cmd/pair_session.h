/*
 * One scenario of a comparison in pairs: the plans of both sides, the loop over them, what is made of it.
 *
 *	pair_session_open() -> pair_session_measure() as often as wanted -> pair_session_profile() -> pair_session_close()
 *
 * What fails is told in the job's result; -1 only when interrupted.
 */
#ifndef PAWL_CMD_PAIR_SESSION_H
#define PAWL_CMD_PAIR_SESSION_H

#include "cmd/pairs.h"
#include "cmd/profiling.h"
#include "measure/live.h"
#include "measure/ports.h"
#include "measure/tree_map.h"

/* Where both sides find their files; all sessions of a comparison share it. */
struct pair_trees {
	struct tree_map base, head;
	bool same;	/* one tree, or two of one commit: what both sides run may be one program */
};

/* One side. */
struct pair_half {
	const struct pairs_side *side;
	const struct tree_map *map;
	const struct scenario *scenario;
	struct scenario_result *measured;	/* the pairing's */
	struct plan plan;
	struct live live;
	struct profiling profiling;
	char *out, *tmp;
};

struct pair_session {
	const struct pairs *pairs;
	const struct pairs_job *job;
	const struct pair_trees *trees;
	struct pair_half base, head;
	struct ports ports;		/* of both sides: none is given twice */
	struct loop *loop;		/* NULL: it could not be begun */
	uint64_t spent_ns;
	bool planned, profiles;		/* profiles can be taken */
};

/* OUT and TREES must stay where they are until it is closed. */
void pair_session_open(struct pair_session *out, const struct pairs *pairs, const struct pair_trees *trees,
		       const struct pairs_job *job);
/* For one that is not begun any more, so that it too has its two sides, without runs. */
void pair_session_skip(const struct pairs *pairs, const struct pairs_job *job);
/* True when more pairs can be measured. */
bool pair_session_goes_on(const struct pair_session *session);
/* Until there are PAIRS of them, or LIMIT_NS (0: none) has passed. */
int pair_session_measure(struct pair_session *session, unsigned pairs, uint64_t limit_ns, struct error *err);
/* Simulated values, where the scenario wants them and no loop has failed. */
int pair_session_simulate(struct pair_session *session, struct error *err);
int pair_session_profile(struct pair_session *session, struct error *err);
/* Ends what is up. The result gets the head's runs and profile, and the notes of both sides. The profiling stays. */
void pair_session_close(struct pair_session *session);

#endif
