/*
 * What running processes have used so far, from /proc: CPU time, page faults, switches, memory. The
 * difference of two readings is what a window used.
 *
 * CPU time and faults are of each process and of the children it waited for (proc_pid_stat(5): utime
 * and cutime, minflt and cminflt, ...), and of its children that ended and were not waited for yet. So
 * a process that ends between two readings is not lost, as long as its parent is one of those read:
 * what it used moves to the parent. What one used that was not there at the first reading counts
 * whole. Switches are of the threads that live (/proc/PID/task/TID/status), peaks of the processes
 * that live (VmHWM).
 */
#ifndef PAWL_MEASURE_USAGE_H
#define PAWL_MEASURE_USAGE_H

#include "measure/processes.h"
#include "model/measured.h"

struct usage {
	double user_ms, system_ms;	/* in ticks of 10 ms */
	double faults, major_faults;	/* the first counts all, the second those that read a disk */
	double voluntary, involuntary;
	double peak_rss_bytes;		/* of the largest process; 0 when nobody tells */
};

/* Those that are gone count nothing. */
void usage_read(const struct processes *processes, struct usage *out);
/* Let peaks begin anew (proc_pid_clear_refs(5), value 5), where that is allowed. */
void usage_reset_peaks(const struct processes *processes);
/*
 * What was used between two readings goes to OUT's members: the times but wall_ms, faults, switches
 * and max_rss_bytes. NaN, not measured, is what cannot be told: a count that fell, since processes or
 * threads that ended took theirs along, and a peak of 0.
 */
void usage_difference(const struct usage *before, const struct usage *after, struct measured *out);

#endif
