/*
 * Stacks as one tree: every frame under its caller, with the weights of one profile or of two that are compared. A node's
 * number is larger than its parent's, so loops over all nodes need no recursion, however deep the stacks are.
 *
 * Frames are one when their names are; of two profiles, when their comparable names are (names.h), which
 * leaves out what differs between two builds. The name shown is HEAD's.
 */
#ifndef PAWL_PROFILE_FLAME_TREE_H
#define PAWL_PROFILE_FLAME_TREE_H

#include "profile/flame.h"
#include "profile/stacks.h"

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

#endif
