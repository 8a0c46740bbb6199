/*
 * What running processes have used so far, from /proc: CPU time, page faults, switches, memory. The
 * difference of two readings is what a window used.
 *
 * Sources: proc_pid_stat(5), fields utime, stime, cutime, cstime, minflt, majflt, cminflt, cmajflt
 * (children that were waited for count, so that one that ends in between is not lost); switches from
 * /proc/PID/task/TID/status; peak memory from VmHWM.
 */
#ifndef PAWL_MEASURE_USAGE_H
#define PAWL_MEASURE_USAGE_H

#include "measure/processes.h"
#include "model/measured.h"

struct usage {
	double user_ms, system_ms;	/* in ticks of 10 ms */
	double faults, major_faults;
	double voluntary, involuntary;
	double peak_rss_bytes;		/* of the largest process */
};

void usage_read(const struct processes *processes, struct usage *out);
/* Let peaks begin anew (proc_pid_clear_refs(5), value 5), where that is allowed. */
void usage_reset_peaks(const struct processes *processes);
/* What was used between two readings goes to OUT's members; never below zero. */
void usage_difference(const struct usage *before, const struct usage *after, struct measured *out);

#endif
