/*
 * What this machine can count, found by counting: a short loop of our own under `perf stat`.
 * "No PMU", "not permitted" and "multiplexed" are told apart, each with its remedy.
 */
#ifndef PAWL_MEASURE_PERF_PROBE_H
#define PAWL_MEASURE_PERF_PROBE_H

#include "measure/perf/session.h"

/*
 * Fills tier, tier_reason, tier_remedy, counters, perf_path and perf_version of MACHINE. Fails
 * (ERR_SYSTEM) only when perf cannot count anything at all; the tier is TIER_NONE then. RIG needs
 * its keeper, perf and scratch folder.
 */
int probe_tier(struct rig *rig, struct machine *machine, struct error *err);

/* For whoever may not count. */
#define REMEDY_PARANOID "sudo sysctl kernel.perf_event_paranoid=1"

#endif
