/* The programs that a recording saw start. */
#ifndef PAWL_MEASURE_PERF_EXECS_H
#define PAWL_MEASURE_PERF_EXECS_H

#include <stddef.h>

/*
 * Edits a recording in place (perf.data, LEN bytes at DATA) so that each exec starts a new process, see RECORDED_PID_BITS:
 * a perf that unwinds with libunwind keeps the mappings from before the exec, and loses the callers of about every other
 * process started by a shell. Recordings without stacks to unwind are left alone.
 */
void perf_data_part_execs(void *data, size_t len);

#endif
