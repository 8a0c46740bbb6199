/*
 * Moves running processes to other CPUs for a while:
 *
 * 	affinity_move(), as often as needed -> affinity_restore()
 *
 * All threads of a process move. Processes that have ended or belong to another user are skipped.
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
 * Lets each current thread of PROCESSES run where it could before the move; one that started meanwhile, where its process's
 * first thread could. Frees AFFINITY's memory.
 */
void affinity_restore(struct affinity *affinity, const struct processes *processes);

#endif
