/*
 * The programs that a recording saw start.
 */
#ifndef PAWL_MEASURE_PERF_EXECS_H
#define PAWL_MEASURE_PERF_EXECS_H

#include <stddef.h>

/*
 * Edits a recording in place (perf.data, LEN bytes at DATA) so that each exec starts a new process. Only recordings
 * whose stacks are unwound by debug information are changed. A perf that unwinds with libunwind keeps the mappings
 * from before the exec and uses the lowest copy of a library. Because addresses fall, it loses the callers of about
 * every other process started by a shell. The new process ids follow RECORDED_PID_BITS.
 */
void perf_data_part_execs(void *data, size_t len);

#endif
