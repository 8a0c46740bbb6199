/* Counts the pixels of each shade. */
#include "shade.h"

/* Returns the table of light shades; a table, as some were chosen by eye. */
static const uint8_t *light_table(void)
{
	static uint8_t table[SHADES];
	for (unsigned i = 0; i < SHADES; i++)
		table[i] = i >= 90 && i % 7 != 3;
	return table;
}

void count_rows(struct work *w, unsigned thread, unsigned first, unsigned end)
{
	struct tally *t = &w->tallies[thread];
	const uint8_t *light = light_table();
	for (unsigned y = first; y < end; y++) {
		const uint8_t *row = w->picture->smooth + y * WIDTH;
		for (unsigned x = 0; x < WIDTH; x++) {
			t->shades[row[x]]++;
			t->light += light[row[x]];
			t->dark += !light[row[x]];
		}
	}
}

uint64_t count_sum(const struct work *w)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < THREADS; i++) {
		sum += w->tallies[i].light;
		for (unsigned s = 0; s < SHADES; s++)
			sum += (uint64_t)w->tallies[i].shades[s] * s;
	}
	return sum;
}
