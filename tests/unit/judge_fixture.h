/*
 * One scenario before judgement: fixture_new(), measure() its base and head values, add_gate(), judge(), then
 * assert_gate(). The caller includes cmocka first and releases the fixture.
 */
#ifndef PAWL_TESTS_FIXTURE_H
#define PAWL_TESTS_FIXTURE_H

#include "base/mem.h"
#include "gate_samples.h"
#include "judge/judge.h"

enum { RUNS = 6 };

/* A scenario measured on this machine, and a baseline of the same machine. */
struct fixture {
	struct machine here;
	struct baseline base;
	struct scenario_result s;
};

static inline void fixture_release(struct fixture *fixture)
{
	machine_release(&fixture->here);
	baseline_release(&fixture->base);
	scenario_result_release(&fixture->s);
}

/* Adds a gate on METRIC with the metric's own tolerance. Returns its index, for gate_at(). */
static inline size_t add_gate(struct fixture *fixture, const char *metric)
{
	struct gate gate = relative_gate(metric_find(metric), metric_find(metric)->stored_tolerance_pct);

	scenario_result_add_gate(&fixture->s, &gate);
	return fixture->s.n_gates - 1;
}

/* GATE: the metric of its first gate, or NULL. */
static inline struct fixture fixture_new(const char *gate)
{
	struct fixture fixture = {
		.here = {
			.arch = "x86_64", .part = "epyc-4cpu", .tier = TIER_HW, .hypervisor = "kvm",
		},
		.s = { .name = "gzip", .path = "scenarios/gzip.yaml", .head.state = SCENARIO_MEASURED, .head.runs_wanted = 15 },
	};
	machine_copy(&fixture.base.machine, &fixture.here);
	add_session(&fixture.base);
	if (gate)
		add_gate(&fixture, gate);
	return fixture;
}

/* Sets METRIC to BEFORE in every base run and to NOW in every head run. NAN: not measured. */
static inline void measure(struct fixture *fixture, const char *metric, double before, double now)
{
	add_same(&fixture->base, metric, before, RUNS);
	set_runs(&fixture->s, metric, now, RUNS);
}

static inline void judge(struct fixture *fixture)
{
	judge_scenario(&fixture->s, &fixture->here, &fixture->base);
}

static inline void assert_gate(const struct fixture *fixture, size_t i, enum verdict verdict, const char *reason)
{
	const struct gate_result *gate = &fixture->s.gates[i];
	const struct judgement *g = gate_judgement(gate);

	if (g->verdict != verdict || (reason ? !g->reason || strcmp(g->reason, reason) : g->reason != NULL))
		fail_msg("%s: expected %s: %s\nfound %s: %s", gate_name(gate), verdict_names[verdict],
			 reason ?: "(nothing)", verdict_names[g->verdict], g->reason ?: "(nothing)");
}

#endif
