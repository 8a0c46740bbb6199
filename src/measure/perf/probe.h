/* Probes the events that this machine can count. */
#ifndef PAWL_MEASURE_PERF_PROBE_H
#define PAWL_MEASURE_PERF_PROBE_H

struct error;
struct machine;
struct session;

/*
 * Finds the countable events by counting a short loop under `perf stat`. "No PMU", "not permitted" and "multiplexed"
 * are different reasons, each with its own remedy.
 *
 * Fills tier, tier_reason, tier_remedy, counters, perf_path and perf_version of MACHINE. Fails (ERR_SYSTEM) only if
 * perf cannot count any event; the tier is then TIER_NONE. SESSION needs its keeper, perf and scratch folder.
 */
int probe_tier(struct session *session, struct machine *machine, struct error *err);

/* Permits counting. */
#define REMEDY_PARANOID "sudo sysctl kernel.perf_event_paranoid=1"

#endif
