/* The net: most nodes point at those nearby. */
#include "rank.h"

#include <stdlib.h>

static uint32_t draw(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Returns the place of a node in memory. */
uint32_t net_place(uint32_t number)
{
	return number & (NODES - 1);
}

void net_make(struct net *net, uint32_t seed)
{
	net->nodes = calloc(NODES, sizeof(*net->nodes));
	net->edges = calloc((size_t)NODES * EDGES, sizeof(*net->edges));
	if (!net->nodes || !net->edges)
		abort();
	net->n_edges = 0;
	for (uint32_t i = 0; i < NODES; i++) {
		struct node *node = &net->nodes[net_place(i)];
		node->rank = 1.0 / NODES;
		node->kind = draw(&seed);
		node->first_edge = (uint32_t)net->n_edges;
		for (unsigned e = 0; e < EDGES; e++)
			net->edges[net->n_edges++] = net_place(i + draw(&seed) % 64 * (e + 1));
	}
}
