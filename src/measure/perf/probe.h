/*
 * Which events can be counted here.
 */
#ifndef PAWL_MEASURE_PERF_PROBE_H
#define PAWL_MEASURE_PERF_PROBE_H

struct error;
struct machine;
struct session;

/*
 * What this machine can count, found by counting: a short loop of our own under `perf stat`.
 * "No PMU", "not permitted" and "multiplexed" are different reasons, each with its remedy.
 *
 * Fills tier, tier_reason, tier_remedy, counters, perf_path and perf_version of MACHINE. Fails
 * (ERR_SYSTEM) only when perf cannot count anything at all; the tier is TIER_NONE then. SESSION needs
 * its keeper, perf and scratch folder.
 */
int probe_tier(struct session *session, struct machine *machine, struct error *err);

/* For whoever may not count. */
#define REMEDY_PARANOID "sudo sysctl kernel.perf_event_paranoid=1"

#endif
