/*
 * Moves running processes to other CPUs for a while:
 *
 * 	affinity_move(), as often as needed -> affinity_restore()
 *
 * All threads of a process move, and the threads they start later inherit the new CPUs. Processes that have ended or
 * belong to another user are skipped.
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
 * Lets each current thread of PROCESSES run where it could before the move. A thread that started meanwhile gets the
 * CPUs of its process's first thread, else those of the thread that was moved first. Frees AFFINITY's memory, also if
 * nothing was moved.
 */
void affinity_restore(struct affinity *affinity, const struct processes *processes);

#endif
