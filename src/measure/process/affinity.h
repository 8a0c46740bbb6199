/*
 * Running processes on other CPUs for a while:
 *
 * 	affinity_move(), as often as wanted -> affinity_restore()
 *
 * All their threads are moved, and what these start from then on begins where they are. What has ended, or is not ours, is
 * let be.
 */
#ifndef PAWL_MEASURE_PROCESS_AFFINITY_H
#define PAWL_MEASURE_PROCESS_AFFINITY_H

#include <sched.h>
#include <stddef.h>
#include <sys/types.h>

struct processes;

struct affinity {
	struct moved {
		pid_t thread;
		cpu_set_t cpus;		/* where it could run before */
	} *items;
	size_t n, cap;
};

void affinity_move(struct affinity *affinity, const struct processes *processes, const cpu_set_t *to);
/*
 * Each thread of PROCESSES, as they are now, may run again where it could before; one that came meanwhile, where the first
 * thread of its process could, or else that which was moved first. Frees what is held, also when nothing was moved.
 */
void affinity_restore(struct affinity *affinity, const struct processes *processes);

#endif
