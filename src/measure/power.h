/* Who decides the clock rate of the CPUs: the governor of cpufreq, and turbo. */
#ifndef PAWL_MEASURE_POWER_H
#define PAWL_MEASURE_POWER_H

#include "base/strv.h"

/* The governors in use, each once; none where the kernel has no say, as in most virtual machines. */
void power_governors(struct strv *out);

/* 1 on, 0 off, -1 unknown. *SWITCH_OUT (may be NULL) is the file that turns it off; static. */
int power_turbo(const char **switch_out);

#endif
