/*
 * Flame graphs: stacks as one self-contained SVG, or as the JSON of d3-flame-graph. With a base the graph is
 * differential: the base's weights are scaled to be comparable, and each frame is coloured by its inclusive change.
 * The file has views of head, base and vanished frames.
 */
#ifndef PAWL_PROFILE_FLAME_H
#define PAWL_PROFILE_FLAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "profile/stacks.h"

enum flame_side { FLAME_HEAD, FLAME_BASE, FLAME_SIDES };

/* The scale of a difference. */
enum flame_scale {
	FLAME_PER_TOTAL,	/* both sides are 100 % */
	FLAME_ABSOLUTE,	/* weights as they are, times the factor of each side */
};

struct flame_options {
	const char *title, *subtitle;	/* either may be NULL */
	bool waiting;			/* weights are waits: blue, by convention */
	const char *count_name;		/* "samples", "ms": the unit of weights as shown; NULL: from the event */
	/* For a difference: */
	bool grey;			/* no change was found, so frames are not coloured */
	enum flame_scale scale;
	struct {
		const char *label;	/* "a1b2c3d", a commit or a file; NULL: "head", "base" */
		double factor;		/* FLAME_ABSOLUTE: from weight to the value shown; 0: 1 */
	} side[FLAME_SIDES];
};

/* HEAD's frames have names after names_resolve(). BASE may be NULL. An empty profile gives a picture that says so. */
void flame_svg(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out);

/*
 * The same for an HTML page, which puts it in a <figure> and flame_piece_style() in its style sheet. It has no script
 * and no references. A view holds the widest 480 frames (100 for vanished frames) of the lowest 48 levels; all views
 * take about 100 KiB. The page sets --ink, the colour of text.
 */
void flame_piece(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out);
void flame_piece_style(struct strbuf *out);

/* {"name": "root", "value": N, "children": [...]}; with a base each node also has "delta". */
void flame_json(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out);

/*
 * Stacks as a tree: each frame under its caller, with the weights of one profile or of two compared ones. A node's
 * number is larger than its parent's, so loops over all nodes need no recursion, however deep the stacks are.
 *
 * Frames with the same name are one node. Two profiles are matched by comparable names (name_comparable()), which
 * omit what differs between builds. The name shown is HEAD's.
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
	uint32_t place;		/* its index there */
	struct flame_sum side[FLAME_SIDES];
};

struct flame_tree {
	struct flame_node *nodes;	/* nodes[0] is the root, called "all" */
	size_t n, cap;
	uint32_t *children;
	struct flame_name *names;
	size_t n_names, cap_names;
	struct stacks text;		/* only its strings are used */
	bool compared;			/* it has two sides */
};

/* BASE may be NULL. */
void flame_tree_init(struct flame_tree *tree, const struct stacks *head, const struct stacks *base);
void flame_tree_release(struct flame_tree *tree);

const char *flame_tree_name(const struct flame_tree *tree, uint32_t node);
const char *flame_tree_file(const struct flame_tree *tree, uint32_t node);	/* "" when unknown */

/*
 * Copies FROM, which has names, without frames whose inclusive weight is below LEAST_PCT of the whole. Their weight
 * stays below their caller as PRUNED_REST. The sum and the inclusive weights of all other frames stay unchanged. TO
 * must be empty. It becomes what reading the folded text would give: event FOLDED_EVENT, threads as frames, with
 * names, sorted by name.
 */
#define PRUNED_REST "[small]"
/* Half the smallest change that a symbol gate judges, in percent. */
#define PRUNED_LEAST_PCT 0.5
void flame_tree_prune(const struct stacks *from, double least_pct, struct stacks *to);

/*
 * Returns the node after NODE in reading order: its children first, then its successors; 0 after the last one. INTO:
 * visit its children.
 */
uint32_t flame_tree_next(const struct flame_tree *tree, uint32_t node, bool into);

/* Changes of a frame's inclusive or self weight between two profiles, and whether the samples can show them. */

/*
 * Standard errors beyond which a change is not noise; one frame in a thousand exceeds it by chance. See
 * SYMBOL_Z_WORSE of judge/symbol_rule.h.
 */
#define FLAME_NOISE_ERRORS 3.1

struct flame_change {
	double head, base;	/* percent of each side's total, or weight times factor; see enum flame_scale */
	double noise;		/* the largest change that sampling causes in equal programs */
};

struct flame_change flame_change_of(const struct flame_tree *tree, uint32_t node, bool self, const struct flame_options *options);
/*
 * Returns the noise of the difference of two weights with their sample counts. ONE is the weight of one sample on a
 * side.
 */
struct flame_weight {
	double weight, samples, one;
};
double flame_weight_noise(const struct flame_weight *head, const struct flame_weight *base);

/* Appends VALUE, not negative, with 0 to 6 decimals; many times faster than printf. */
void flame_add_fixed(struct strbuf *out, double value, int decimals);

#endif
