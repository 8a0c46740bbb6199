/* Memory that is allocated in small pieces and freed when the program ends. */
#include "words.h"

#include <stdlib.h>

enum { BLOCK = 1 << 16 };

static char *block;
static size_t left;

void *arena_take(size_t bytes)
{
	bytes = (bytes + 15) & ~(size_t)15;
	if (bytes > left) {
		left = bytes > BLOCK ? bytes : BLOCK;
		block = malloc(left);
		if (!block)
			abort();
	}
	char *at = block;
	block += bytes;
	left -= bytes;
	return at;
}
