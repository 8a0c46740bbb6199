/*
 * Wall time told apart: CPU time, waiting, fewer CPUs at once.
 */
#ifndef PAWL_CAUSE_WAITING_H
#define PAWL_CAUSE_WAITING_H

#include <stdbool.h>

#include "base/text.h"
#include "cause/evidence.h"
#include "model/cause.h"
#include "model/result.h"

/* Medians of one side's runs. NaN: not measured. */
struct wall_side {
	double wall_ms, cpu_ms;
	double cpus;		/* at work on average */
	double switches;	/* voluntary ones: how often it waited */
	/*
	 * By enum wait_kind: where threads were seen to leave the CPU what holds up the command, but for locks, for which that is what all
	 * threads wait; else of all threads of a traced run, no more than one that is alone can have waited.
	 */
	double waited_ms[7];
	double others_ms;	/* its first thread waited for what others did meanwhile; NaN: not seen */
};

struct wall_change {
	struct wall_side base, head;
	double by_cpu_ms;	/* of what the head takes longer, what its CPU time accounts for */
	double rest_ms;		/* and the rest: waiting, or fewer CPUs at once */
	int wait;		/* enum wait_kind: what the head waits for so much longer; WAIT_NONE: nobody knows */
	double waited_ms;	/* by so much, all threads together */
	bool unseen;		/* CAUSE_WAITING because it is nothing else: what was seen of waiting does not account for half of the rest */
	/*
	 * CAUSE_WORK: CPU time accounts for most of it. CAUSE_LOCK, CAUSE_WAITING: it waits longer. CAUSE_PARALLELISM: fewer CPUs do
	 * the work at once, and it does not wait for anything but itself.
	 */
	enum cause_kind kind;
};

/*
 * Of pairs of a command, with the evidence of both sides, which may be NULL. False, writing nothing, where the head's wall time is
 * no longer, or not known: it does not say whether that is sure.
 */
bool wall_change_of(const struct scenario_result *s, const struct evidence *base, const struct evidence *head, struct wall_change *out);
/* "wall-time 212 ms -> 410 ms: CPU time 840 ms -> 842 ms, CPUs at work on average 3.96 -> 2.05"; appended. */
void wall_change_words(const struct wall_change *change, struct strbuf *out);

#endif
