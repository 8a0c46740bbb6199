/* Draws the picture: the time that each point takes to leave a circle. */
#include "shade.h"

static unsigned escape_time(double re, double im, unsigned most)
{
	double x = 0, y = 0;
	unsigned n = 0;
	while (n < most && x * x + y * y <= 4) {
		double t = x * x - y * y + re;
		y = 2 * x * y + im;
		x = t;
		n++;
	}
	return n;
}

void draw_rows(struct work *w, unsigned thread, unsigned first, unsigned end)
{
	(void)thread;
	for (unsigned y = first; y < end; y++) {
		for (unsigned x = 0; x < WIDTH; x++) {
			unsigned n = escape_time(3.0 * x / WIDTH - 2.2, 2.4 * y / HEIGHT - 1.2, 64);
			w->picture->pixels[y * WIDTH + x] = (uint8_t)(n * 4 + (x * 7 ^ y * 13) % 29);
		}
	}
}
