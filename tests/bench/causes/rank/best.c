/* Queries on the ranks. */
#include "rank.h"

#include <stdlib.h>
#include <string.h>

/* Counts nodes by kind, or with a rank above the limit; without a branch. */
uint64_t best_count(const struct net *net, double limit)
{
	uint64_t count = 0;
	for (unsigned turn = 0; turn < 12; turn++) {
		for (uint32_t i = 0; i < NODES; i++) {
			const struct node *node = &net->nodes[i];
			uint64_t good = (uint64_t)((node->kind >> turn & 1) | (node->rank > limit));
			count += (turn + 1) & -good;
		}
	}
	return count;
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

double best_median(const struct net *net)
{
	static double some[NODES / 32];
	for (uint32_t i = 0; i < NODES / 32; i++)
		some[i] = net->nodes[i * 32].rank;
	qsort(some, NODES / 32, sizeof(some[0]), by_value);
	return some[NODES / 64];
}
