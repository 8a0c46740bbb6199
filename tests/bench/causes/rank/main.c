/* rank ROUNDS: ranks a net in ROUNDS rounds. */
#include "rank.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct net net;
	long rounds = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
	if (rounds < 1) {
		fprintf(stderr, "usage: rank ROUNDS\n");
		return 2;
	}
	net_make(&net, 99);
	double moved = 0;
	for (long i = 0; i < rounds; i++) {
		round_push(&net);
		moved = round_settle(&net);
	}
	double median = best_median(&net);
	printf("%.9f %.12f %llu\n", moved, median, (unsigned long long)best_count(&net, median * 4));
	return 0;
}
