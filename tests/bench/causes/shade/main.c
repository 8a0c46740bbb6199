/* shade FILE: draws, smooths, counts and turns a picture a few times, then saves it. */
#include "shade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 6 };

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: shade FILE\n");
		return 2;
	}
	struct picture picture = { .pixels = malloc(WIDTH * HEIGHT), .smooth = malloc(WIDTH * HEIGHT) };
	static struct work work;
	if (!picture.pixels || !picture.smooth)
		abort();
	work.picture = &picture;
	pthread_mutex_init(&work.lock, NULL);
	stage_run(&work, draw_rows);
	for (unsigned i = 0; i < ROUNDS; i++) {
		stage_run(&work, smooth_rows);
		stage_run(&work, count_rows);
		stage_run(&work, turn_rows);
	}
	if (save_picture(&picture, argv[1])) {
		perror(argv[1]);
		return 1;
	}
	printf("%llx\n", (unsigned long long)count_sum(&work));
	return 0;
}
