/*
 * Flame graphs: stacks as one self-contained SVG, or as the JSON that d3-flame-graph reads. Differential when there is a
 * base: its weights are scaled so that both sides can be compared, every frame is coloured by its inclusive change, and head,
 * base and what vanished can all be reached in the one file.
 */
#ifndef PAWL_PROFILE_FLAME_H
#define PAWL_PROFILE_FLAME_H

#include <stdbool.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "profile/stacks.h"

enum flame_side { FLAME_HEAD, FLAME_BASE, FLAME_SIDES };

/* What a difference is scaled to. */
enum flame_scale {
	FLAME_PER_TOTAL,	/* both sides are 100 % */
	FLAME_ABSOLUTE,	/* weights as they are, times the factor of each side */
};

struct flame_options {
	const char *title, *subtitle, *notes;	/* notes: into the file, for tooltips of the title; any may be NULL */
	const char *colors;		/* a palette's name, see flame_palettes; NULL: "pawl" */
	double width, frame_height, font_size;	/* pixels; 0: 1200, 16, 12 */
	double min_width;		/* frames narrower than this many percent of the whole are left out; 0: 0.1 px */
	bool inverted;			/* icicle: the root on top */
	bool reverse;			/* stacks merged from the leaves */
	const char *count_name;		/* "samples", "ms": what is shown of a weight is called so; NULL: from the event */
	/* Of a difference: */
	enum flame_scale scale;
	struct {
		const char *label;	/* "a1b2c3d", a commit or a file; NULL: "head", "base" */
		double factor;		/* FLAME_ABSOLUTE: weight to what is shown; 0: 1 */
	} side[FLAME_SIDES];
};

extern const char *const flame_palettes[];	/* NULL ends it; for --colors */

/* HEAD's frames are named when names_resolve() was called. BASE may be NULL. An empty profile is a picture that says so. */
void flame_svg(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out);
/* {"name": "root", "value": N, "children": [...]}; with a base each node has "delta" too. */
void flame_json(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out);

#endif
