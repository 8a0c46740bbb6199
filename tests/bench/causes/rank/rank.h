/* rank: ranks the nodes of a net by the nodes that point at them. Shared declarations. */
#ifndef RANK_H
#define RANK_H

#include <stddef.h>
#include <stdint.h>

enum { NODES = 1 << 18, EDGES = 6 };

struct node {
	double rank;
	double next;
	uint32_t first_edge;
	uint32_t kind;
};

struct net {
	struct node *nodes;
	uint32_t *edges;
	size_t n_edges;
};

/* net.c */
void net_make(struct net *net, uint32_t seed);
uint32_t net_place(uint32_t number);

/* round.c */
double round_push(struct net *net);
double round_settle(struct net *net);

/* best.c */
uint64_t best_count(const struct net *net, double limit);
double best_median(const struct net *net);

#endif
