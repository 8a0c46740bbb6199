#include "measure/process/affinity.h"

#include "base/mem.h"
#include "base/text.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"

/* Passes over the threads: a thread that starts during the move begins on the old CPUs. */
enum { PASSES = 3 };

static const struct moved *find(const struct affinity *a, pid_t thread)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->items[i].thread == thread)
			return &a->items[i];
	return NULL;
}

static bool move_process(struct affinity *a, pid_t pid, const cpu_set_t *to)
{
	CLEANUP(strv_release) struct strv threads = STRV_INIT;
	bool any = false;

	process_threads(pid, &threads);
	for (size_t i = 0; i < threads.n; i++) {
		struct moved moved = { .thread = (pid_t)strtol(threads.items[i], NULL, 10) };

		if (sched_getaffinity(moved.thread, sizeof moved.cpus, &moved.cpus) < 0 || CPU_EQUAL(&moved.cpus, to))
			continue;
		if (sched_setaffinity(moved.thread, sizeof *to, to) < 0)
			continue;
		any = true;
		if (find(a, moved.thread))
			continue;
		VEC_GROW(a->items, a->n, a->cap);
		a->items[a->n++] = moved;
	}
	return any;
}

void affinity_move(struct affinity *a, const struct processes *processes, const cpu_set_t *to)
{
	bool any = true;

	for (int pass = 0; any && pass < PASSES; pass++) {
		any = false;
		for (size_t i = 0; i < processes->n; i++)
			any |= move_process(a, processes->items[i].pid, to);
	}
}

void affinity_restore(struct affinity *a, const struct processes *processes)
{
	for (size_t i = 0; a->n && i < processes->n; i++) {
		const struct moved *first = find(a, processes->items[i].pid) ?: &a->items[0];
		CLEANUP(strv_release) struct strv threads = STRV_INIT;

		process_threads(processes->items[i].pid, &threads);
		for (size_t k = 0; k < threads.n; k++) {
			pid_t thread = (pid_t)strtol(threads.items[k], NULL, 10);
			const struct moved *was = find(a, thread) ?: first;

			sched_setaffinity(thread, sizeof was->cpus, &was->cpus);
		}
	}
	free(a->items);
	*a = (struct affinity){ 0 };
}
