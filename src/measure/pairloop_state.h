/*
 * What the files of the loop of pairs share: pairloop.c, which goes on until there are pairs enough, pair_sides.c,
 * which makes the sides ready and stops them, pair_once.c, which measures one pair. Nobody else includes this.
 */
#ifndef PAWL_MEASURE_PAIRLOOP_STATE_H
#define PAWL_MEASURE_PAIRLOOP_STATE_H

#include "measure/event_groups.h"
#include "measure/pairloop.h"
#include "measure/window_doubts.h"

enum { BASE, HEAD, SIDES };

struct side {
	struct pairloop_side given;
	struct window_doubts doubts;
	double fastest_ms;	/* of the warm-up runs; NaN: there was none yet */
	bool set_up, is_up;	/* or the attempt was made */
};

struct pairloop {
	struct side sides[SIDES];
	struct pairloop_options options;
	struct event_groups groups;
	struct pairloop_state state;
	struct strv notes;	/* of both sides */
	const struct side *blamed;	/* the side that failed last, or NULL */
	char *dropped;		/* why the last pair was, or NULL */
	uint64_t start_ns;	/* when the current call of pairloop_measure() began to measure */
	uint64_t deadline_ns;	/* and when it is to end, or 0; with how many pairs */
	unsigned until_pairs;
	uint64_t starting_ns;	/* how long it took to start and to warm up both sides for a pair */
	unsigned start_pairs, wanted;
	unsigned started_at;	/* how many pairs there were when services were started last */
	bool started, failed;
};

/* -------- pair_sides.c */

/* Put the side's name before ERR, and remember it for its last words. -1. */
int pair_blame(struct pairloop *loop, const struct side *side, struct error *err);
int pair_side_up(struct side *side, struct error *err);
void pair_side_down(struct side *side);
int pair_side_warm_up(struct side *side, struct error *err);
/* Everything a side needs before its first run: both. */
int pair_side_enter(struct pairloop *loop, struct side *side, struct error *err);
/* A side's environment stands during its own window only. */
bool pair_is_afresh(const struct pairloop *loop);
/* How many windows of each side are one pair; 1 until that is chosen. */
unsigned pair_windows(const struct pairloop *loop);
/* Choose it, unless that is done: a window of each side took ROUND_NS. */
void pair_choose_windows(struct pairloop *loop, uint64_t round_ns);
uint64_t pair_now(const struct pairloop *loop);
/* Setup, once; environments and warm-up; how many runs are a value. */
int pair_sides_start(struct pairloop *loop, struct error *err);
/* Before a pair: services side by side that have served one are started again. */
int pair_sides_renew(struct pairloop *loop, struct error *err);
/* After a pair that failed. */
int pair_sides_restart(struct pairloop *loop, struct error *err);
void pair_sides_stop(struct pairloop *loop);

/* -------- pair_once.c */

/* The sides in the order in which they have their turn. */
void pair_order(bool head_first, unsigned out[SIDES]);

/* The next pair. One that is of no use without being a failure leaves the number of pairs as it was. */
int pair_once(struct pairloop *loop, struct error *err);
/* Runs of the base alone until it has VALUES of them. */
int pair_base_alone(struct pairloop *loop, size_t values, struct error *err);
/* How many pairs may be dropped, and how many measured again. */
unsigned pair_allowance(const struct pairloop *loop);

#endif
