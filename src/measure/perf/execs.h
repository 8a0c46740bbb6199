/*
 * Which programs a recording saw start.
 */
#ifndef PAWL_MEASURE_PERF_EXECS_H
#define PAWL_MEASURE_PERF_EXECS_H

#include <stddef.h>

/*
 * Makes another process of each one that executes a program, in a recording (perf.data, LEN bytes at DATA) whose stacks are unwound by
 * debug information: a perf that unwinds by libunwind keeps what was mapped before, takes the lowest copy of a library for the one
 * that is executed, and so loses the callers of about every other process behind a shell, as their addresses fall. The numbers are
 * as RECORDED_PID_BITS says. What is no such recording stays as it is.
 */
void perf_data_part_execs(void *data, size_t len);

#endif
