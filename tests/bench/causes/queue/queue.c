#include "queue.h"

void queue_init(struct queue *q)
{
	*q = (struct queue){ .first = 0 };
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->filled, NULL);
	pthread_cond_init(&q->emptied, NULL);
}

void queue_put(struct queue *q, struct job *job)
{
	pthread_mutex_lock(&q->lock);
	while (q->n == ROOM)
		pthread_cond_wait(&q->emptied, &q->lock);
	q->jobs[(q->first + q->n++) % ROOM] = job;
	if (q->n == ROOM / 2)
		pthread_cond_broadcast(&q->filled);
	pthread_mutex_unlock(&q->lock);
}

unsigned queue_take(struct queue *q, struct job **jobs, unsigned most)
{
	unsigned n = 0;

	pthread_mutex_lock(&q->lock);
	while (q->n == 0 && !q->closed)
		pthread_cond_wait(&q->filled, &q->lock);
	while (q->n > 0 && n < most) {
		jobs[n++] = q->jobs[q->first];
		q->first = (q->first + 1) % ROOM;
		q->n--;
	}
	pthread_cond_signal(&q->emptied);
	pthread_mutex_unlock(&q->lock);
	return n;
}

void queue_close(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->closed = 1;
	pthread_cond_broadcast(&q->filled);
	pthread_mutex_unlock(&q->lock);
}
