/* Splits a change in wall time into CPU time, waiting, and lower parallelism. */
#ifndef PAWL_CAUSE_WAITING_H
#define PAWL_CAUSE_WAITING_H

#include <stdbool.h>

#include "base/text.h"
#include "cause/evidence.h"
#include "model/cause.h"
#include "model/result.h"

struct search;

/* Medians of one side's runs. NaN: not measured. */
struct wall_side {
	double wall_ms, cpu_ms;
	double cpus;		/* average number of CPUs at work */
	double switches;	/* voluntary switches: number of waits */
	/*
	 * If context switches were recorded, the waits that delay the command; locks count the waits of all threads.
	 * Otherwise the waits of all threads of a traced run, limited to what a single thread can have waited.
	 */
	double waited_ms[WAIT_KINDS];
	double others_ms;	/* time its first thread waited while others worked; NaN: not recorded */
};

struct wall_change {
	struct wall_side base, head;
	double by_cpu_ms;	/* part of the increase accounted for by CPU time */
	double rest_ms;		/* the rest: waiting, or fewer CPUs at once */
	enum wait_kind wait;	/* that grew most in head; WAIT_NONE: unknown */
	double waited_ms;	/* increase of that wait, all threads together */
	const char *call;	/* if no waits were recorded: the system call whose number shows the kind; or NULL */
	bool unseen;		/* CAUSE_WAITING by elimination: recorded waits account for less than half of rest_ms */
	/*
	 * CAUSE_WORK: CPU time accounts for most of the increase. CAUSE_LOCK, CAUSE_WAITING: it waits longer.
	 * CAUSE_PARALLELISM: fewer CPUs work at once, and it waits only for its own threads and processes.
	 */
	enum cause_kind kind;
};

/*
 * Compares the pairs of a command. Returns false and leaves OUT unchanged if head's wall time did not rise or is
 * unknown. Does not test whether the increase is significant.
 */
bool wall_change_of(const struct scenario_result *s, const struct evidence *base, const struct evidence *head, struct wall_change *out);
/* Appends "wall-time 212 ms -> 410 ms: CPU time 840 ms -> 842 ms, CPUs at work on average 3.96 -> 2.05". */
void wall_change_words(const struct wall_change *change, struct strbuf *out);
/*
 * Turns WALL into a wait for locks, if a changed function takes locks more often and threads wait longer for them.
 * Other waits, such as those for files, vary between executions.
 */
void wall_change_prefer_lock(const struct search *s, struct wall_change *wall);
/* Adds the function that waits longer as a cause. */
void wall_change_explain(struct search *s, const struct wall_change *wall);

#endif
