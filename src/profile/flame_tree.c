#include "profile/flame_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "profile/folded.h"
#include "profile/names.h"

enum { FIRST_SLOTS = 4096 };

/* -------- names */

/* What is needed while the tree grows. */
struct growth {
	struct flame_tree *tree;
	uint32_t *name_of;		/* by string of tree->text, the identity: name + 1, 0 none */
	size_t cap_name_of;
	uint32_t *slots, n_slots;	/* node by parent and name; 0 free, since nobody looks for the root */
};

static uint32_t add_text(struct flame_tree *tree, const char *text, size_t len)
{
	return stacks_string(&tree->text, text, len);
}

/* The number of the name that is told apart by IDENTITY. */
static uint32_t name_number(struct growth *g, const char *identity, const struct strbuf *shown, const char *file,
			    enum flame_kind kind)
{
	struct flame_tree *tree = g->tree;
	uint32_t key = add_text(tree, identity, strlen(identity)), at = add_text(tree, file, strlen(file)), number;

	if (key >= g->cap_name_of) {
		size_t cap = (key + 1) * 2;

		g->name_of = xrealloc_array(g->name_of, cap, sizeof *g->name_of);
		memset(g->name_of + g->cap_name_of, 0, (cap - g->cap_name_of) * sizeof *g->name_of);
		g->cap_name_of = cap;
	}
	if (g->name_of[key]) {
		number = g->name_of[key] - 1;
		if (tree->names[number].file != at)
			tree->names[number].file = 0;
		return number;
	}
	VEC_GROW(tree->names, tree->n_names, tree->cap_names);
	number = (uint32_t)tree->n_names++;
	tree->names[number] = (struct flame_name){ .shown = add_text(tree, shown->buf, shown->len), .file = at, .kind = kind };
	g->name_of[key] = number + 1;
	return number;
}

static uint32_t frame_name(struct growth *g, const struct stacks *stacks, uint32_t frame)
{
	const struct frame *f = &stacks->frames[frame];
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;
	enum flame_kind kind;
	bool by_key;

	folded_frame_name(stacks, frame, &shown);
	kind = f->kernel || !strcmp(shown.buf, "[kernel]") ? FLAME_KERNEL : shown.buf[0] == '[' ? FLAME_UNKNOWN : FLAME_USER;
	/* The kernel's functions have one comparable name, which would make one frame of a whole chain. */
	by_key = g->tree->compared && f->key && kind == FLAME_USER;
	return name_number(g, by_key ? stacks_text(stacks, f->key) : shown.buf, &shown, stacks_text(stacks, f->file), kind);
}

static uint32_t *frame_names(struct growth *g, const struct stacks *stacks)
{
	uint32_t *numbers = xcalloc(stacks->n_frames + 1, sizeof *numbers);

	for (size_t i = 0; i < stacks->n_frames; i++)
		numbers[i] = frame_name(g, stacks, (uint32_t)i);
	return numbers;
}

/* A thread may be called like a function: the tab, which no name holds, tells them apart. */
static uint32_t plain_name(struct growth *g, const struct strbuf *shown, enum flame_kind kind)
{
	CLEANUP(strbuf_release) struct strbuf identity = STRBUF_INIT;

	strbuf_addf(&identity, "\t%s", shown->buf);
	return name_number(g, identity.buf, shown, "", kind);
}

/* -------- nodes */

static uint32_t *slot_of(const struct growth *g, uint32_t parent, uint32_t name)
{
	uint64_t h = ((uint64_t)parent << 32 | name) * 0x9e3779b97f4a7c15ull;
	uint32_t at = (uint32_t)(h >> 32) & (g->n_slots - 1);

	for (;; at = (at + 1) & (g->n_slots - 1)) {
		const struct flame_node *node = &g->tree->nodes[g->slots[at]];

		if (!g->slots[at] || (node->parent == parent && node->name == name))
			return &g->slots[at];
	}
}

static void widen(struct growth *g)
{
	free(g->slots);
	g->n_slots = g->n_slots ? g->n_slots * 2 : FIRST_SLOTS;
	g->slots = xcalloc(g->n_slots, sizeof *g->slots);
	for (uint32_t i = 1; i < g->tree->n; i++)
		*slot_of(g, g->tree->nodes[i].parent, g->tree->nodes[i].name) = i;
}

static uint32_t child_of(struct growth *g, uint32_t parent, uint32_t name)
{
	struct flame_tree *tree = g->tree;
	uint32_t *slot;

	if (tree->n * 2 >= g->n_slots)
		widen(g);
	slot = slot_of(g, parent, name);
	if (!*slot) {
		if (tree->n >= UINT32_MAX / 2)
			abort();
		VEC_GROW(tree->nodes, tree->n, tree->cap);
		tree->nodes[tree->n] = (struct flame_node){ .name = name, .parent = parent, .depth = tree->nodes[parent].depth + 1 };
		*slot = (uint32_t)tree->n++;
	}
	return *slot;
}

static void count(struct flame_sum *sum, const struct stack *stack)
{
	sum->weight += stack->weight;
	sum->samples += stack->samples;
}

static void count_self(struct flame_sum *sum, const struct stack *stack)
{
	sum->self += stack->weight;
	sum->self_samples += stack->samples;
}

/* One stack's names from the root outward: event, thread, frames, or all of it the other way round. */
struct chain {
	uint32_t *names;
	size_t n, cap;
};

static void chain_add(struct chain *chain, uint32_t name)
{
	VEC_GROW(chain->names, chain->n, chain->cap);
	chain->names[chain->n++] = name;
}

static void chain_build(struct growth *g, const struct stacks *stacks, const struct stack *stack, const uint32_t *numbers,
			struct chain *chain)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	chain->n = 0;
	if (stacks->n_events > 1) {
		strbuf_addf(&name, "[%s]", stacks_text(stacks, stacks->events[stack->event].name));
		chain_add(chain, plain_name(g, &name, FLAME_THREAD));
		strbuf_reset(&name);
	}
	if (folded_thread_name(stacks, stack, &name))
		chain_add(chain, plain_name(g, &name, FLAME_THREAD));
	for (uint32_t i = 0; i < stack->n; i++)
		chain_add(chain, numbers[stacks->pool[stack->first + i]]);
}

static void add_side(struct growth *g, const struct stacks *stacks, enum flame_side side, bool reverse)
{
	uint32_t *numbers = frame_names(g, stacks);
	struct chain chain = { 0 };

	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *stack = &stacks->items[i];
		uint32_t node = 0;

		chain_build(g, stacks, stack, numbers, &chain);
		count(&g->tree->nodes[0].side[side], stack);
		for (size_t k = 0; k < chain.n; k++) {
			node = child_of(g, node, chain.names[reverse ? chain.n - 1 - k : k]);
			count(&g->tree->nodes[node].side[side], stack);
		}
		count_self(&g->tree->nodes[node].side[side], stack);
	}
	free(chain.names);
	free(numbers);
}

/* -------- order */

static int compare_names(const void *a, const void *b, void *of)
{
	const struct flame_tree *tree = of;
	const struct flame_name *x = &tree->names[*(const uint32_t *)a], *y = &tree->names[*(const uint32_t *)b];

	return strcmp(stacks_text(&tree->text, x->shown), stacks_text(&tree->text, y->shown));
}

/* The place of each name among all of them. */
static uint32_t *name_ranks(struct flame_tree *tree)
{
	uint32_t *sorted = xcalloc(tree->n_names, sizeof *sorted), *ranks = xcalloc(tree->n_names, sizeof *ranks);

	for (uint32_t i = 0; i < tree->n_names; i++)
		sorted[i] = i;
	qsort_r(sorted, tree->n_names, sizeof *sorted, compare_names, tree);
	for (uint32_t i = 0; i < tree->n_names; i++)
		ranks[sorted[i]] = i;
	free(sorted);
	return ranks;
}

/* All nodes but the root by their name's rank, in linear time. */
static uint32_t *nodes_by_name(struct flame_tree *tree)
{
	uint32_t *ranks = name_ranks(tree), *at = xcalloc(tree->n_names + 1, sizeof *at);
	uint32_t *out = xcalloc(tree->n, sizeof *out);

	for (size_t i = 1; i < tree->n; i++)
		at[ranks[tree->nodes[i].name] + 1]++;
	for (size_t i = 0; i < tree->n_names; i++)
		at[i + 1] += at[i];
	for (uint32_t i = 1; i < tree->n; i++)
		out[at[ranks[tree->nodes[i].name]]++] = i;
	free(ranks);
	free(at);
	return out;
}

static void order_children(struct flame_tree *tree)
{
	uint32_t *by_name = nodes_by_name(tree), first = 0;

	for (size_t i = 1; i < tree->n; i++)
		tree->nodes[tree->nodes[i].parent].n++;
	for (size_t i = 0; i < tree->n; i++) {
		tree->nodes[i].first = first;
		first += tree->nodes[i].n;
		tree->nodes[i].n = 0;
	}
	tree->children = xcalloc(tree->n, sizeof *tree->children);
	for (size_t i = 0; i + 1 < tree->n; i++) {
		struct flame_node *node = &tree->nodes[by_name[i]], *parent = &tree->nodes[node->parent];

		node->place = parent->first + parent->n++;
		tree->children[node->place] = by_name[i];
	}
	free(by_name);
}

void flame_tree_init(struct flame_tree *tree, const struct stacks *head, const struct stacks *base, bool reverse)
{
	struct growth g = { .tree = tree };
	struct strbuf all = STRBUF_INIT;

	*tree = (struct flame_tree){ .compared = base != NULL };
	strbuf_adds(&all, "all");
	VEC_GROW(tree->nodes, tree->n, tree->cap);
	tree->nodes[tree->n++] = (struct flame_node){ .name = plain_name(&g, &all, FLAME_ROOT) };
	add_side(&g, head, FLAME_HEAD, reverse);
	if (base)
		add_side(&g, base, FLAME_BASE, reverse);
	order_children(tree);
	strbuf_release(&all);
	free(g.name_of);
	free(g.slots);
}

void flame_tree_release(struct flame_tree *tree)
{
	free(tree->nodes);
	free(tree->children);
	free(tree->names);
	stacks_release(&tree->text);
	*tree = (struct flame_tree){ 0 };
}

const char *flame_tree_name(const struct flame_tree *tree, uint32_t node)
{
	return stacks_text(&tree->text, tree->names[tree->nodes[node].name].shown);
}

const char *flame_tree_file(const struct flame_tree *tree, uint32_t node)
{
	return stacks_text(&tree->text, tree->names[tree->nodes[node].name].file);
}

uint32_t flame_tree_next(const struct flame_tree *tree, uint32_t node, bool into)
{
	const struct flame_node *at = &tree->nodes[node];

	if (into && at->n)
		return tree->children[at->first];
	for (; node; node = at->parent, at = &tree->nodes[node]) {
		const struct flame_node *parent = &tree->nodes[at->parent];

		if (at->place + 1 < parent->first + parent->n)
			return tree->children[at->place + 1];
	}
	return 0;
}

/* -------- pruning */

static uint32_t pruned_frame(struct stacks *to, const char *name, size_t len, bool kernel)
{
	static const char file[] = "[kernel.kallsyms]";

	return stacks_frame(to, stacks_string(to, name, len), stacks_string(to, file, kernel && *name != '[' ? strlen(file) : 0));
}

static uint32_t frame_of_node(const struct flame_tree *tree, uint32_t node, struct stacks *to)
{
	CLEANUP(free_ptr) char *name = xstrdup(flame_tree_name(tree, node));
	size_t len = strlen(name);

	/* A thread may be called "# x", which folded text would have as a comment. */
	if (tree->nodes[node].depth == 1 && folded_comment(name, len))
		*name = '?';
	return pruned_frame(to, name, len, tree->names[tree->nodes[node].name].kind == FLAME_KERNEL);
}

static struct flame_sum small_children(const struct flame_tree *tree, uint32_t node, double least)
{
	const struct flame_node *at = &tree->nodes[node];
	struct flame_sum sum = { 0 };

	for (uint32_t i = 0; i < at->n; i++) {
		const struct flame_sum *child = &tree->nodes[tree->children[at->first + i]].side[FLAME_HEAD];

		if (child->weight < least) {
			sum.weight += child->weight;
			sum.samples += child->samples;
		}
	}
	return sum;
}

void flame_tree_prune(const struct stacks *from, double least_pct, struct stacks *to)
{
	CLEANUP(flame_tree_release) struct flame_tree tree;
	CLEANUP(free_ptr) uint32_t *frames = NULL;	/* down to the node, from the root */
	uint32_t event, rest, node = 0, deepest = 0;
	double least;

	flame_tree_init(&tree, from, NULL, false);
	least = tree.nodes[0].side[FLAME_HEAD].weight * least_pct / 100;
	for (size_t i = 0; i < tree.n; i++)
		deepest = tree.nodes[i].depth > deepest ? tree.nodes[i].depth : deepest;
	frames = xcalloc(deepest + 1, sizeof *frames);
	event = stacks_event(to, FOLDED_EVENT, strlen(FOLDED_EVENT));
	rest = pruned_frame(to, PRUNED_REST, strlen(PRUNED_REST), false);
	do {
		const struct flame_sum *sum = &tree.nodes[node].side[FLAME_HEAD];
		const struct flame_sum small = small_children(&tree, node, least);
		uint32_t depth = tree.nodes[node].depth;
		bool kept = sum->weight >= least;

		if (kept && node) {
			frames[depth - 1] = frame_of_node(&tree, node, to);
			if (sum->self > 0)
				stacks_add(to, event, 0, frames, depth, sum->self_samples, sum->self);
		}
		if (kept && small.weight > 0) {
			frames[depth] = rest;
			stacks_add(to, event, 0, frames, depth + 1, small.samples, small.weight);
		}
		node = flame_tree_next(&tree, node, kept);
	} while (node);
	names_resolve(to);
}
