/* Two threads take jobs from a queue; another process saves the results. */
#ifndef QUEUE_H
#define QUEUE_H
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { ROOM = 256, WORKERS = 2, JOBS = 6000, BATCH = 64 };

struct job {
	uint64_t number;
	uint32_t rounds;
	uint64_t result;
};

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied;
	struct job *jobs[ROOM];
	unsigned first, n;
	int closed;
};

struct stats {
	uint64_t done[WORKERS][16];	/* a cache line pair each */
};

void queue_init(struct queue *q);
void queue_put(struct queue *q, struct job *job);
/* Returns the number of jobs taken; 0 if the queue is closed and empty. */
unsigned queue_take(struct queue *q, struct job **jobs, unsigned most);
void queue_close(struct queue *q);

void work_on(struct job *job, uint64_t *done);

int save_start(const char *path);
void save_result(const struct job *job);
int save_end(void);
#endif
