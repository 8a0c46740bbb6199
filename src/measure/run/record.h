/*
 * Records with perf record and reads with perf script.
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
 * Plans a recording of CPU time: enough samples to tell a share of 1 % from one of 2 %, at a rate that fits the CPU
 * time of one execution, or window, in COUNTED. False if sampling is not possible on a machine of TIER.
 */
bool record_cpu(enum tier tier, const struct side_result *counted, struct record_wish *out);
/* The same for page faults. One sample stands for several faults. */
bool record_faults(enum tier tier, const struct side_result *counted, struct record_wish *out);
/*
 * Plans a recording of every moment a thread leaves the CPU, and how long it is away, as text for offcpu_feed().
 * ERR_SYSTEM with a remedy.
 */
int record_switches(enum tier tier, const struct side_result *counted, struct record_wish *out, struct error *err);

#endif
