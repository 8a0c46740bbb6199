/* Replaces each pixel by the mean of itself and its neighbours. */
#include "shade.h"

static unsigned mean_of(const uint8_t *from, unsigned x, unsigned y)
{
	unsigned sum = 0;
	for (unsigned j = y - 1; j <= y + 1; j++) {
		for (unsigned i = x - 1; i <= x + 1; i++)
			sum += from[j * WIDTH + i];
	}
	return sum / 9;
}

void smooth_rows(struct work *w, unsigned thread, unsigned first, unsigned end)
{
	const uint8_t *from = w->picture->pixels;
	uint8_t *to = w->picture->smooth;
	for (unsigned y = first; y < end; y++) {
		for (unsigned x = 0; x < WIDTH; x++) {
			if (x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1)
				to[y * WIDTH + x] = from[y * WIDTH + x];
			else
				to[y * WIDTH + x] = (uint8_t)mean_of(from, x, y);
			w->progress[thread].pixels++;
		}
	}
}
