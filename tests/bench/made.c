/*
 * A program for spreads.py that does one kind of work: `made integers|memory-1|memory-8|threads SIZE`.
 * SIZE is the number of steps; with `threads`, two threads share them. It prints its result, so that the compiler
 * removes no work.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_AT_ONCE = 20000, THREADS = 2 };

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static uint64_t integers(long steps)
{
	uint64_t state = 88172645463325252, sum = 0;

	while (steps--)
		sum += next(&state);
	return sum;
}

/* Does STEPS accesses at random places of MIB MiB. */
static uint64_t memory(size_t mib, long steps)
{
	size_t words = (mib << 20) / sizeof(uint64_t);
	uint64_t *at = calloc(words, sizeof *at), state = 88172645463325252, sum = 0;

	if (!at)
		abort();
	memset(at, 1, words * sizeof *at);
	while (steps--)
		sum += at[next(&state) % words]++;
	free(at);
	return sum;
}

struct queue {
	pthread_mutex_t lock;
	long left;
};

static void *worker(void *arg)
{
	struct queue *queue = arg;

	for (;;) {
		pthread_mutex_lock(&queue->lock);
		queue->left -= STEPS_AT_ONCE;
		long left = queue->left;
		pthread_mutex_unlock(&queue->lock);
		if (left < 0 || !integers(STEPS_AT_ONCE))
			return NULL;
	}
}

static uint64_t threads(long steps)
{
	struct queue queue = { .lock = PTHREAD_MUTEX_INITIALIZER, .left = steps };
	pthread_t thread[THREADS];

	for (unsigned i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, worker, &queue))
			abort();
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return (uint64_t)steps;
}

int main(int argc, char **argv)
{
	long steps = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	uint64_t came = 0;

	if (steps <= 0) {
		fprintf(stderr, "usage: made integers|memory-1|memory-8|threads SIZE\n");
		return 2;
	}
	if (!strcmp(argv[1], "integers"))
		came = integers(steps);
	else if (!strncmp(argv[1], "memory-", 7))
		came = memory(strtoul(argv[1] + 7, NULL, 10), steps);
	else if (!strcmp(argv[1], "threads"))
		came = threads(steps);
	else
		return 2;
	printf("%" PRIu64 "\n", came);
	return 0;
}
