/* The parts of a picture, see flame_svg() in flame.h. */
#ifndef PAWL_PROFILE_FLAME_SVG_H
#define PAWL_PROFILE_FLAME_SVG_H

#include "base/text.h"
#include "profile/flame.h"

/*
 * Where each frame of a flame graph stands: shares of the whole width, from 0 to 1. What is narrower than the least width is
 * left out with all that stands on it, and counted.
 */

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
	size_t n_pruned;
	double pruned;			/* share of the whole that is only seen as gaps */
};

void flame_layout_init(struct flame_layout *layout, const struct flame_tree *tree, enum flame_view view, double least_width);
void flame_layout_release(struct flame_layout *layout);

/* What the weights of a profile are. */
struct flame_unit {
	const char *name;	/* "samples", "cycles"; "" for weights that nobody named */
	bool time;		/* nanoseconds of a clock, shown as time */
	bool counts;		/* the weight is the number of samples, which need not be told again */
	bool scaled;		/* what is shown is the weight times a factor */
};

void flame_add_weight(struct strbuf *out, double weight, const struct flame_unit *unit);	/* "12.3 ms", "1,234 cycles" */

/*
 * Colours: a frame has a class, "u3", and a style sheet says what it looks like, light and dark. The same
 * name has the same colour in every picture. The names are those of flamegraph.pl; "pawl" is the default, orange for user space and
 * blue for the kernel, which people who see no red or no green tell apart too.
 *
 * The rules of palette COLORS (NULL: "pawl"; one that does not exist is that too), or those of a difference; appended.
 */
void flame_palette_style(const char *colors, bool compared, struct strbuf *out);
/* The class of a frame called NAME; appended. */
void flame_palette_class(const char *colors, const char *name, enum flame_kind kind, struct strbuf *out);

#endif
