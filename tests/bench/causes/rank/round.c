/* A round: each node gives its rank to the nodes that it points at. */
#include "rank.h"

double round_push(struct net *net)
{
	double given = 0;
	for (uint32_t i = 0; i < NODES; i++) {
		const struct node *node = &net->nodes[net_place(i)];
		double part = node->rank * 0.85 / EDGES;
		for (unsigned e = 0; e < EDGES; e++)
			net->nodes[net->edges[node->first_edge + e]].next += part;
		given += part * EDGES;
	}
	return given;
}

double round_settle(struct net *net)
{
	double moved = 0;
	for (uint32_t i = 0; i < NODES; i++) {
		struct node *node = &net->nodes[i];
		double rank = node->next + 0.15 / NODES;
		moved += rank > node->rank ? rank - node->rank : node->rank - rank;
		node->rank = rank;
		node->next = 0;
	}
	return moved;
}
