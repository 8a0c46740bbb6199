#include "queue.h"

#include <stdlib.h>

static struct queue queue;
static struct stats stats;
static struct job jobs[JOBS];

static void *worker(void *data)
{
	uint64_t *done = data;
	struct job *mine[BATCH];

	for (unsigned n; (n = queue_take(&queue, mine, BATCH));)
		for (unsigned i = 0; i < n; i++)
			work_on(mine[i], done);
	return NULL;
}

static void report(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < JOBS; i++) {
		save_result(&jobs[i]);
		sum += jobs[i].result;
	}
	printf("%llu\n", (unsigned long long)sum);
}

int main(int argc, char **argv)
{
	pthread_t threads[WORKERS];

	if (argc != 2 || save_start(argv[1]))
		return 2;
	queue_init(&queue);
	for (unsigned i = 0; i < WORKERS; i++)
		if (pthread_create(&threads[i], NULL, worker, stats.done[i]))
			return 1;
	for (unsigned i = 0; i < JOBS; i++) {
		jobs[i] = (struct job){ .number = i * 2654435761u, .rounds = 6000 + i % 7 * 500 };
		queue_put(&queue, &jobs[i]);
	}
	queue_close(&queue);
	for (unsigned i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	report();
	return save_end() != 0;
}
