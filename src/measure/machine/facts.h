/*
 * What this machine is, from /proc, /sys and uname: everything of struct machine that needs no
 * perf. PAWL_MACHINE replaces the machine part of the class.
 */
#ifndef PAWL_MEASURE_MACHINE_FACTS_H
#define PAWL_MEASURE_MACHINE_FACTS_H

#include "model/machine.h"

/* Fills arch, cpu, part, cpus, kernel, os and hypervisor; leaves the rest zero. */
void facts_read(struct machine *out);

#endif
