/*
 * Flame graphs: stacks as one self-contained SVG, or as the JSON that d3-flame-graph reads. Differential when there is a
 * base: its weights are scaled so that both sides can be compared, every frame is coloured by its inclusive change, and head,
 * base and what vanished can all be reached in the one file.
 */
#ifndef PAWL_PROFILE_FLAME_H
#define PAWL_PROFILE_FLAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "profile/stacks.h"

enum flame_side { FLAME_HEAD, FLAME_BASE, FLAME_SIDES };

/* What a difference is scaled to. */
enum flame_scale {
	FLAME_PER_TOTAL,	/* both sides are 100 % */
	FLAME_ABSOLUTE,	/* weights as they are, times the factor of each side */
};

struct flame_options {
	const char *title, *subtitle;	/* either may be NULL */
	const char *colors;		/* a palette's name, see flame_palettes; NULL: "pawl" */
	double width;			/* whole pixels; 0: 1200 */
	double min_width;		/* frames narrower than this many percent of the whole are left out; 0: 0.1 px */
	bool inverted;			/* icicle: the root on top */
	bool reverse;			/* stacks merged from the leaves */
	const char *count_name;		/* "samples", "ms": what is shown of a weight is called so; NULL: from the event */
	/* Of a difference: */
	bool grey;			/* nothing was decided to have changed, so no frame is coloured */
	enum flame_scale scale;
	struct {
		const char *label;	/* "a1b2c3d", a commit or a file; NULL: "head", "base" */
		double factor;		/* FLAME_ABSOLUTE: weight to what is shown; 0: 1 */
	} side[FLAME_SIDES];
};

/* The palette for waiting: blue, as pictures of it are in the field. */
#define FLAME_OFFCPU "offcpu"
extern const char *const flame_palettes[];	/* NULL ends it; for --colors */

/* HEAD's frames are named when names_resolve() was called. BASE may be NULL. An empty profile is a picture that says so. */
void flame_svg(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out);

/*
 * The same for a page of HTML, which holds it in a <figure> and flame_piece_style() in its style sheet: no script and no
 * references; the widest 480 frames (and of what vanished 100) of the lowest 48 levels, some 100 KiB. Of the options
 * width and colors are not looked at. The page sets --ink, the colour of text.
 */
void flame_piece(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out);
void flame_piece_style(struct strbuf *out);

/* {"name": "root", "value": N, "children": [...]}; with a base each node has "delta" too. */
void flame_json(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out);

/*
 * Stacks as one tree: every frame under its caller, with the weights of one profile or of two that are compared. A node's
 * number is larger than its parent's, so loops over all nodes need no recursion, however deep the stacks are.
 *
 * Frames are one when their names are; of two profiles, when their comparable names are (name_comparable()), which
 * leaves out what differs between two builds. The name shown is HEAD's.
 */

enum flame_kind { FLAME_ROOT, FLAME_THREAD, FLAME_USER, FLAME_KERNEL, FLAME_UNKNOWN };

struct flame_name {
	uint32_t shown, file;	/* strings of tree.text; file: "libc.so.6", 0 when unknown or several */
	enum flame_kind kind;
};

struct flame_sum {
	double weight, self;
	uint64_t samples, self_samples;
};

struct flame_node {
	uint32_t name;		/* of tree.names */
	uint32_t parent, depth;	/* the root: itself, 0 */
	uint32_t first, n;	/* children in tree.children, by name */
	uint32_t place;		/* its own there */
	struct flame_sum side[FLAME_SIDES];
};

struct flame_tree {
	struct flame_node *nodes;	/* nodes[0] is the root, called "all" */
	size_t n, cap;
	uint32_t *children;
	struct flame_name *names;
	size_t n_names, cap_names;
	struct stacks text;		/* only its strings are used */
	bool compared;			/* there are two sides */
};

/* BASE may be NULL. REVERSE: callers under what they call, the leaves next to the root. */
void flame_tree_init(struct flame_tree *tree, const struct stacks *head, const struct stacks *base, bool reverse);
void flame_tree_release(struct flame_tree *tree);

const char *flame_tree_name(const struct flame_tree *tree, uint32_t node);
const char *flame_tree_file(const struct flame_tree *tree, uint32_t node);	/* "" when unknown */

/*
 * FROM, which is named, without the frames whose inclusive weight is under LEAST_PCT of the whole: what they weigh stands below
 * their caller as PRUNED_REST. So the sum stays what it was, and so does the inclusive weight of every frame that is kept. TO, which is
 * empty, becomes what folded text of it would be read as: of FOLDED_EVENT, threads being frames; named, and sorted by name.
 */
#define PRUNED_REST "[small]"
/* Half of the smallest change that a symbol gate judges, in percent. */
#define PRUNED_LEAST_PCT 0.5
void flame_tree_prune(const struct stacks *from, double least_pct, struct stacks *to);

/*
 * The node after NODE in the order of reading: first its children, then what follows it; 0 after the last one. INTO: its
 * children are wanted.
 */
uint32_t flame_tree_next(const struct flame_tree *tree, uint32_t node, bool into);

/* How much a frame's inclusive or self weight changed between two profiles, and whether the samples can show it. */

/* How many standard errors a change is beyond noise, which one frame in a thousand passes by chance; see SYMBOL_Z_WORSE of judge/judge.h. */
#define FLAME_NOISE_ERRORS 3.1

struct flame_change {
	double head, base;	/* percent of each side's total, or weight times factor: see enum flame_scale */
	double noise;		/* a change up to this is what sampling makes of equal programs */
};

struct flame_change flame_change_of(const struct flame_tree *tree, uint32_t node, bool self, const struct flame_options *options);
/* The noise of the difference of two weights of so many samples; ONE is what a single sample weighs on that side. */
struct flame_weight {
	double weight, samples, one;
};
double flame_weight_noise(const struct flame_weight *head, const struct flame_weight *base);

/* VALUE, not negative, with so many decimals (0 to 6); many times faster than printf. */
void flame_add_fixed(struct strbuf *out, double value, int decimals);

#endif
