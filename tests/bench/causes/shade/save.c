/* Writes the picture as a PGM file. */
#include "shade.h"

#include <stdio.h>

int save_picture(const struct picture *p, const char *path)
{
	FILE *file = fopen(path, "w");
	if (!file)
		return -1;
	fprintf(file, "P5\n%d %d\n255\n", WIDTH, HEIGHT);
	for (unsigned y = 0; y < HEIGHT; y++)
		fwrite(p->smooth + y * WIDTH, 1, WIDTH, file);
	return fclose(file);
}
