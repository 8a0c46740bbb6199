#include "profile/flame_layout.h"

#include <stdlib.h>

#include "base/mem.h"

/* Children come after their parents, so a loop from the end adds up every subtree. */
static void weigh_vanished(const struct flame_tree *tree, double *weights)
{
	for (size_t i = tree->n - 1; i > 0; i--) {
		const struct flame_node *node = &tree->nodes[i];

		if (!node->side[FLAME_HEAD].samples && !(node->side[FLAME_HEAD].weight > 0))
			weights[i] += node->side[FLAME_BASE].self;
		weights[node->parent] += weights[i];
	}
}

static double *weigh(const struct flame_tree *tree, enum flame_view view)
{
	double *weights = xcalloc(tree->n, sizeof *weights);

	if (view == FLAME_VIEW_VANISHED) {
		weigh_vanished(tree, weights);
		return weights;
	}
	for (size_t i = 0; i < tree->n; i++)
		weights[i] = tree->nodes[i].side[view == FLAME_VIEW_BASE ? FLAME_BASE : FLAME_HEAD].weight;
	return weights;
}

static void note_drawn(struct flame_layout *layout, const struct flame_node *node)
{
	layout->n_drawn++;
	if (node->depth > layout->deepest)
		layout->deepest = node->depth;
}

static void place_children(struct flame_layout *layout, const struct flame_tree *tree, uint32_t parent, const double *weights)
{
	const struct flame_node *node = &tree->nodes[parent];
	struct flame_box *under = &layout->boxes[parent];
	double x = under->x;

	for (uint32_t i = 0; i < node->n; i++) {
		uint32_t child = tree->children[node->first + i];
		struct flame_box *box = &layout->boxes[child];

		*box = (struct flame_box){ .x = x, .width = weights[child] / layout->total };
		x += box->width;
		box->drawn = under->drawn && weights[child] > 0 && box->width >= layout->least_width;
		if (box->drawn)
			note_drawn(layout, &tree->nodes[child]);
		else if (weights[child] > 0)
			layout->n_pruned++;
		if (under->drawn && !box->drawn)
			under->pruned += box->width;
	}
	layout->pruned += under->pruned;
}

void flame_layout_init(struct flame_layout *layout, const struct flame_tree *tree, enum flame_view view, double least_width)
{
	double *weights = weigh(tree, view);

	*layout = (struct flame_layout){ .boxes = xcalloc(tree->n, sizeof *layout->boxes), .least_width = least_width,
					 .total = weights[0] };
	if (weights[0] > 0) {
		layout->boxes[0] = (struct flame_box){ .width = 1, .drawn = true };
		note_drawn(layout, &tree->nodes[0]);
		for (uint32_t i = 0; i < tree->n; i++)
			place_children(layout, tree, i, weights);
	}
	free(weights);
}

void flame_layout_release(struct flame_layout *layout)
{
	free(layout->boxes);
	*layout = (struct flame_layout){ 0 };
}
