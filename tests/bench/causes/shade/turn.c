/* Turns rows into columns, tile by tile: a tile of both pictures fits in the cache. */
#include "shade.h"

enum { TILE = BAND };

void turn_rows(struct work *w, unsigned thread, unsigned first, unsigned end)
{
	(void)thread;
	const uint8_t *from = w->picture->smooth;
	uint8_t *to = w->picture->pixels;
	for (unsigned x0 = 0; x0 < WIDTH; x0 += TILE) {
		for (unsigned y = first; y < end; y++) {
			for (unsigned x = x0; x < x0 + TILE; x++)
				to[x * HEIGHT + y] = from[y * WIDTH + x];
		}
	}
}
