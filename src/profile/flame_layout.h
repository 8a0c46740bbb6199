/*
 * Where each frame of a flame graph stands: shares of the whole width, from 0 to 1. What is narrower than the least width is
 * left out with all that stands on it, and counted.
 */
#ifndef PAWL_PROFILE_FLAME_LAYOUT_H
#define PAWL_PROFILE_FLAME_LAYOUT_H

#include "profile/flame_tree.h"

/* What widths mean. Of a difference all three are drawn. */
enum flame_view {
	FLAME_VIEW_HEAD,
	FLAME_VIEW_BASE,
	FLAME_VIEW_VANISHED,	/* BASE's weight of frames that HEAD has none of, on their callers */
	FLAME_VIEWS,
};

struct flame_box {
	double x, width;
	double pruned;			/* of its width, what its children are too narrow for */
	bool drawn;
};

struct flame_layout {
	struct flame_box *boxes;	/* one a node */
	double least_width;		/* of what is drawn */
	double total;			/* weight that the whole width stands for; 0: there is nothing to see */
	uint32_t deepest;		/* of those drawn */
	size_t n_drawn, n_pruned;
	double pruned;			/* share of the whole that is only seen as gaps */
};

void flame_layout_init(struct flame_layout *layout, const struct flame_tree *tree, enum flame_view view, double least_width);
void flame_layout_release(struct flame_layout *layout);

#endif
