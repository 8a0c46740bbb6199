/*
 * A recording by perf record, read through perf script.
 */
#ifndef PAWL_MEASURE_RUN_RECORD_H
#define PAWL_MEASURE_RUN_RECORD_H

#include <stdbool.h>

#include "measure/run/system.h"
#include "model/machine.h"

struct error;
struct side_result;

struct record_wish;

/*
 * As many samples as tell a share of 1 % from one of 2 %, at a rate that fits the CPU time of one execution, or window, that was
 * COUNTED. False: nothing can be sampled on a machine of TIER.
 */
bool record_cpu(enum tier tier, const struct side_result *counted, struct record_wish *out);
/* The same of page faults, each so many of them a sample. */
bool record_faults(enum tier tier, const struct side_result *counted, struct record_wish *out);
/* Every time a thread leaves the CPU, and how long it is away: text for offcpu_feed(). ERR_SYSTEM with what would permit it. */
int record_switches(enum tier tier, const struct side_result *counted, struct record_wish *out, struct error *err);

#endif
