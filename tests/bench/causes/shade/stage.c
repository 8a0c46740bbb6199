/* A stage of the work: threads take bands of rows until all are done. */
#include "shade.h"

#include <stdlib.h>

struct runner {
	struct work *work;
	stage_fn fn;
	unsigned thread;
	pthread_t id;
};

/* Returns the first row of the next free band, or HEIGHT if all are taken. */
static unsigned band_take(struct work *w)
{
	pthread_mutex_lock(&w->lock);
	unsigned first = w->next_band;
	w->next_band += BAND;
	pthread_mutex_unlock(&w->lock);
	return first < HEIGHT ? first : HEIGHT;
}

static void *runner_main(void *data)
{
	struct runner *r = data;
	for (;;) {
		unsigned first = band_take(r->work);
		if (first >= HEIGHT)
			return NULL;
		r->fn(r->work, r->thread, first, first + BAND);
	}
}

void stage_run(struct work *w, stage_fn fn)
{
	struct runner runners[THREADS];
	w->next_band = 0;
	for (unsigned i = 0; i < THREADS; i++) {
		runners[i] = (struct runner){ .work = w, .fn = fn, .thread = i };
		if (pthread_create(&runners[i].id, NULL, runner_main, &runners[i]))
			abort();
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(runners[i].id, NULL);
}
