/* The printed list: the most frequent words first. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

static int by_count(const void *left, const void *right)
{
	const struct word *a = *(struct word *const *)left, *b = *(struct word *const *)right;
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return strcmp(a->text, b->text);
}

void list_sort(struct word **list, size_t n)
{
	qsort(list, n, sizeof(list[0]), by_count);
}

/* Returns the distances between the lines of each word, summed over all words. */
size_t list_lines(struct word *const *list, size_t n)
{
	size_t sum = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 1; j < list[i]->n_lines; j++)
			sum += list[i]->lines[j] - list[i]->lines[j - 1];
	}
	return sum;
}

void list_print(struct word *const *list, size_t n, FILE *to)
{
	for (size_t i = 0; i < n; i++)
		fprintf(to, "%8u %s\n", list[i]->count, list[i]->text);
}
