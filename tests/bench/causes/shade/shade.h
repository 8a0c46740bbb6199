/* shade: draws a picture with several threads, smooths it and counts its shades. Shared declarations. */
#ifndef SHADE_H
#define SHADE_H

#include <pthread.h>
#include <stdint.h>

enum { WIDTH = 1024, HEIGHT = 1024, SHADES = 256, THREADS = 2, BAND = 16 };

struct picture {
	uint8_t *pixels;
	uint8_t *smooth;
};

/* The counts of one thread; each has cache lines of its own. */
struct tally {
	uint64_t dark;
	uint64_t light;
	uint32_t shades[SHADES];
} __attribute__((aligned(64)));

/* The progress of a thread, in a cache line of its own. */
struct progress {
	volatile uint64_t pixels;
} __attribute__((aligned(64)));

struct work {
	struct picture *picture;
	struct progress progress[THREADS];
	struct tally tallies[THREADS];
	unsigned next_band;
	pthread_mutex_t lock;
};

typedef void (*stage_fn)(struct work *w, unsigned thread, unsigned first, unsigned end);

/* stage.c */
void stage_run(struct work *w, stage_fn fn);

/* draw.c */
void draw_rows(struct work *w, unsigned thread, unsigned first, unsigned end);

/* smooth.c */
void smooth_rows(struct work *w, unsigned thread, unsigned first, unsigned end);

/* turn.c */
void turn_rows(struct work *w, unsigned thread, unsigned first, unsigned end);

/* count.c */
void count_rows(struct work *w, unsigned thread, unsigned first, unsigned end);
uint64_t count_sum(const struct work *w);

/* save.c */
int save_picture(const struct picture *p, const char *path);

#endif
