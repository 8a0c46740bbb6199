/*
 * One scenario before judgement: court_open(), measure() what it was and is, add_gate(), judge(), then
 * assert_gate(). The caller includes cmocka first and releases it.
 */
#ifndef PAWL_TESTS_COURT_H
#define PAWL_TESTS_COURT_H

#include "base/mem.h"
#include "gate_samples.h"
#include "judge/judge.h"

enum { RUNS = 6 };

/* A scenario that was measured here, and a baseline of the same machine. */
struct court {
	struct machine here;
	struct baseline base;
	struct scenario_result s;
};

static inline void court_release(struct court *court)
{
	machine_release(&court->here);
	baseline_release(&court->base);
	scenario_result_release(&court->s);
}

static inline void court_open(struct court *court)
{
	*court = (struct court){
		.here = {
			.arch = xstrdup("x86_64"), .part = xstrdup("epyc-4cpu"), .tier = TIER_HW, .hypervisor = xstrdup("kvm"),
		},
		.s = { .name = xstrdup("gzip"), .state = SCENARIO_MEASURED, .runs_wanted = 15 },
	};
	machine_copy(&court->base.machine, &court->here);
	add_session(&court->base);
}

static inline void replace(char **text, const char *with)
{
	free(*text);
	*text = xstrdup(with);
}

/* METRIC was BEFORE and is NOW, in every run; NAN: not measured. */
static inline void measure(struct court *court, const char *metric, double before, double now)
{
	add_same(&court->base, metric, before, RUNS);
	set_runs(&court->s, metric, now, RUNS);
}

/* The index of a new gate on METRIC, with its own tolerance; for gate_at(). */
static inline size_t add_gate(struct court *court, const char *metric)
{
	struct gate gate = relative_gate(metric_find(metric), metric_find(metric)->stored_tolerance_pct);

	scenario_result_add_gate(&court->s, &gate);
	return court->s.n_gates - 1;
}

static inline void judge(struct court *court)
{
	judge_scenario(&court->s, &court->here, &court->base);
}

static inline void assert_gate(const struct court *court, size_t i, enum verdict verdict, const char *reason)
{
	const struct gate_result *gate = &court->s.gates[i];
	const struct judgement *g = gate_judgement(gate);

	if (g->verdict != verdict || (reason ? !g->reason || strcmp(g->reason, reason) : g->reason != NULL))
		fail_msg("%s: expected %s: %s\nfound %s: %s", gate_name(gate), verdict_names[verdict],
			 reason ?: "(nothing)", verdict_names[g->verdict], g->reason ?: "(nothing)");
}

#endif
