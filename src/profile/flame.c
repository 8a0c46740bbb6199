#include "profile/flame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/folded.h"
#include "profile/names.h"
#include "stats/stats.h"

/* -------- the tree: names */

/* State while the tree grows. */
struct growth {
	struct flame_tree *tree;
	struct pair_index names;	/* a distinct name: a string of tree->text, and whether it is of a frame */
	struct pair_index nodes;	/* all except the root: parent and name */
};

static uint32_t add_text(struct flame_tree *tree, const char *text)
{
	return stacks_string(&tree->text, text, strlen(text));
}

/* Returns the number of the name identified by IDENTITY; a thread may have the name of a function. */
static uint32_t name_number(struct growth *g, const char *identity, const char *shown, const char *file, enum flame_kind kind)
{
	struct flame_tree *tree = g->tree;
	bool of_frame = kind != FLAME_ROOT && kind != FLAME_THREAD;
	uint32_t number = pair_index_of(&g->names, add_text(tree, identity), of_frame), at = add_text(tree, file);

	if (number < tree->n_names) {
		if (tree->names[number].file != at)
			tree->names[number].file = 0;
		return number;
	}
	*VEC_ADD(tree->names, tree->n_names, tree->cap_names) = (struct flame_name){ .shown = add_text(tree, shown), .file = at, .kind = kind };
	return number;
}

static uint32_t *frame_names(struct growth *g, const struct stacks *stacks)
{
	uint32_t *numbers = xcalloc(stacks->n_frames + 1, sizeof *numbers);
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

	for (uint32_t i = 0; i < stacks->n_frames; i++) {
		const struct frame *f = &stacks->frames[i];
		enum flame_kind kind;
		bool by_key;

		strbuf_reset(&shown);
		folded_frame_name(stacks, i, &shown);
		kind = f->kernel || !strcmp(shown.buf, "[kernel]") ? FLAME_KERNEL : shown.buf[0] == '[' ? FLAME_UNKNOWN : FLAME_USER;
		/* Kernel functions share one comparable name, which would merge a whole chain into one frame. */
		by_key = g->tree->compared && f->key && kind == FLAME_USER;
		numbers[i] = name_number(g, by_key ? stacks_text(stacks, f->key) : shown.buf, shown.buf, stacks_text(stacks, f->file), kind);
	}
	return numbers;
}

/* -------- the tree: nodes */

static uint32_t child_of(struct growth *g, uint32_t parent, uint32_t name)
{
	struct flame_tree *tree = g->tree;
	uint32_t node = pair_index_of(&g->nodes, parent, name) + 1;

	if (node == tree->n) {
		VEC_GROW(tree->nodes, tree->n, tree->cap);
		tree->nodes[tree->n++] = (struct flame_node){ .name = name, .parent = parent, .depth = tree->nodes[parent].depth + 1 };
	}
	return node;
}

static void count(struct flame_sum *sum, const struct stack *stack)
{
	sum->weight += stack->weight;
	sum->samples += stack->samples;
}

static void add_side(struct growth *g, const struct stacks *stacks, enum flame_side side)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	CLEANUP(free_ptr) uint32_t *numbers = frame_names(g, stacks), *chain = NULL;
	size_t room = 0;

	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack *stack = &stacks->items[i];
		uint32_t node = 0;
		size_t n = 0;

		/* The names from the root outward: event, thread, frames. */
		if (stack->n + 2 > room)
			chain = xrealloc_array(chain, room = stack->n + 2, sizeof *chain);
		strbuf_reset(&name);
		if (stacks->n_events > 1) {
			strbuf_addf(&name, "[%s]", stacks_text(stacks, stacks->events[stack->event].name));
			chain[n++] = name_number(g, name.buf, name.buf, "", FLAME_THREAD);
			strbuf_reset(&name);
		}
		if (folded_thread_name(stacks, stack, &name))
			chain[n++] = name_number(g, name.buf, name.buf, "", FLAME_THREAD);
		for (uint32_t k = 0; k < stack->n; k++)
			chain[n++] = numbers[stacks->pool[stack->first + k]];

		count(&g->tree->nodes[0].side[side], stack);
		for (size_t k = 0; k < n; k++) {
			node = child_of(g, node, chain[k]);
			count(&g->tree->nodes[node].side[side], stack);
		}
		g->tree->nodes[node].side[side].self += stack->weight;
		g->tree->nodes[node].side[side].self_samples += stack->samples;
	}
}

/* -------- the tree: order */

static int compare_names(const void *a, const void *b, void *of)
{
	const struct flame_tree *tree = of;
	const struct flame_name *x = &tree->names[*(const uint32_t *)a], *y = &tree->names[*(const uint32_t *)b];

	return strcmp(stacks_text(&tree->text, x->shown), stacks_text(&tree->text, y->shown));
}

/* Sorts every node's children by name, in linear time in addition to sorting the names. */
static void order_children(struct flame_tree *tree)
{
	CLEANUP(free_ptr) uint32_t *sorted = xcalloc(tree->n_names, sizeof *sorted);
	CLEANUP(free_ptr) uint32_t *ranks = xcalloc(tree->n_names, sizeof *ranks);
	CLEANUP(free_ptr) uint32_t *at = xcalloc(tree->n_names + 1, sizeof *at);
	CLEANUP(free_ptr) uint32_t *by_name = xcalloc(tree->n, sizeof *by_name);
	uint32_t first = 0;

	for (uint32_t i = 0; i < tree->n_names; i++)
		sorted[i] = i;
	qsort_r(sorted, tree->n_names, sizeof *sorted, compare_names, tree);
	for (uint32_t i = 0; i < tree->n_names; i++)
		ranks[sorted[i]] = i;

	/* All nodes except the root, by the rank of their name. */
	for (size_t i = 1; i < tree->n; i++)
		at[ranks[tree->nodes[i].name] + 1]++;
	for (size_t i = 0; i < tree->n_names; i++)
		at[i + 1] += at[i];
	for (uint32_t i = 1; i < tree->n; i++)
		by_name[at[ranks[tree->nodes[i].name]]++] = i;

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
}

void flame_tree_init(struct flame_tree *tree, const struct stacks *head, const struct stacks *base)
{
	struct growth g = { .tree = tree };

	*tree = (struct flame_tree){ .compared = base != NULL };
	*VEC_ADD(tree->nodes, tree->n, tree->cap) = (struct flame_node){ .name = name_number(&g, "all", "all", "", FLAME_ROOT) };
	add_side(&g, head, FLAME_HEAD);
	if (base)
		add_side(&g, base, FLAME_BASE);
	order_children(tree);
	pair_index_release(&g.names);
	pair_index_release(&g.nodes);
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

void flame_tree_prune(const struct stacks *from, double least_pct, struct stacks *to)
{
	CLEANUP(flame_tree_release) struct flame_tree tree;
	CLEANUP(free_ptr) uint32_t *frames = NULL;	/* from the root down to the node */
	uint32_t event, rest, node = 0, deepest = 0;
	double least;

	flame_tree_init(&tree, from, NULL);
	least = tree.nodes[0].side[FLAME_HEAD].weight * least_pct / 100;
	for (size_t i = 0; i < tree.n; i++)
		deepest = tree.nodes[i].depth > deepest ? tree.nodes[i].depth : deepest;
	frames = xcalloc(deepest + 1, sizeof *frames);
	event = stacks_event(to, FOLDED_EVENT, strlen(FOLDED_EVENT));
	rest = stacks_frame_of(to, PRUNED_REST, strlen(PRUNED_REST), "");
	do {
		const struct flame_sum *sum = &tree.nodes[node].side[FLAME_HEAD];
		const struct flame_node *at = &tree.nodes[node];
		struct flame_sum small = { 0 };
		uint32_t depth = at->depth;
		bool kept = sum->weight >= least;

		for (uint32_t i = 0; i < at->n; i++) {
			const struct flame_sum *child = &tree.nodes[tree.children[at->first + i]].side[FLAME_HEAD];

			small.weight += child->weight < least ? child->weight : 0;
			small.samples += child->weight < least ? child->samples : 0;
		}
		if (kept && node) {
			CLEANUP(free_ptr) char *name = xstrdup(flame_tree_name(&tree, node));
			bool kernel = *name != '[' && tree.names[at->name].kind == FLAME_KERNEL;

			/* A thread may be called "# x", which is a comment in folded text. */
			if (depth == 1 && folded_comment(name, strlen(name)))
				*name = '?';
			frames[depth - 1] = stacks_frame_of(to, name, strlen(name), kernel ? STACKS_KERNEL : "");
			if (sum->self > 0)
				stacks_add(to, (struct stack_sample){ event, 0, frames, depth, sum->self_samples, sum->self });
		}
		if (kept && small.weight > 0) {
			frames[depth] = rest;
			stacks_add(to, (struct stack_sample){ event, 0, frames, depth + 1, small.samples, small.weight });
		}
		node = flame_tree_next(&tree, node, kept);
	} while (node);
	names_resolve(to);
}

/* -------- what changed */

double flame_weight_noise(const struct flame_weight *head, const struct flame_weight *base)
{
	/* The error of a count is its square root. A count of zero is treated as one. */
	double h = head->samples > 0 ? head->weight / sqrt(head->samples) : head->one;
	double b = base->samples > 0 ? base->weight / sqrt(base->samples) : base->one;

	return FLAME_NOISE_ERRORS * sqrt(SHARE_DISPERSION_LEAST * (h * h + b * b));
}

/* Computed as for symbols: samples of one run are correlated, so their variance exceeds the binomial one. */
static double noise_of_shares(const struct flame_weight *head, double heads, const struct flame_weight *base, double bases)
{
	double p = head->samples / heads, q = base->samples / bases;

	return 100 * FLAME_NOISE_ERRORS * share_rise_error(p, (uint64_t)heads, q, (uint64_t)bases, SHARE_DISPERSION_LEAST);
}

struct flame_change flame_change_of(const struct flame_tree *tree, uint32_t node, bool self, const struct flame_options *options)
{
	const struct flame_sum *of = tree->nodes[node].side, *all = tree->nodes[0].side;
	bool shares = options->scale == FLAME_PER_TOTAL;
	struct flame_weight weights[FLAME_SIDES];
	double samples[FLAME_SIDES];

	for (int i = 0; i < FLAME_SIDES; i++) {
		double total = all[i].weight > 0 ? all[i].weight : 1, factor = options->side[i].factor > 0 ? options->side[i].factor : 1;
		double weight = self ? of[i].self : of[i].weight;

		samples[i] = fmax((double)all[i].samples, 1);
		weights[i] = (struct flame_weight){
			.weight = shares ? 100 * weight / total : weight * factor,
			.samples = (double)(self ? of[i].self_samples : of[i].samples),
			.one = total * factor / samples[i],
		};
	}
	return (struct flame_change){
		.head = weights[FLAME_HEAD].weight,
		.base = weights[FLAME_BASE].weight,
		.noise = shares ? noise_of_shares(&weights[FLAME_HEAD], samples[FLAME_HEAD], &weights[FLAME_BASE], samples[FLAME_BASE])
				: flame_weight_noise(&weights[FLAME_HEAD], &weights[FLAME_BASE]),
	};
}

/* -------- numbers */

static void add_digits(struct strbuf *out, uint64_t value, int least)
{
	char text[24];
	int at = sizeof text;

	for (; value || least > 0; value /= 10, least--)
		text[--at] = (char)('0' + value % 10);
	strbuf_add(out, text + at, sizeof text - (size_t)at);
}

void flame_add_fixed(struct strbuf *out, double value, int decimals)
{
	static const uint64_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
	uint64_t scaled = (uint64_t)(fmax(0, fmin(value, 9e12)) * (double)powers[decimals] + 0.5);

	add_digits(out, scaled / powers[decimals], 1);
	if (decimals) {
		strbuf_addc(out, '.');
		add_digits(out, scaled % powers[decimals], decimals);
	}
}

/* -------- JSON */

static void add_number(struct strbuf *out, double value)
{
	if (value >= 0 && value < 9e12 && value == (double)(uint64_t)value)
		flame_add_fixed(out, value, 0);
	else
		/* Whole numbers are exact up to 2^53; the last digits of decimals are noise. */
		strbuf_addf(out, value == floor(value) ? "%.17g" : "%.15g", value);
}

void flame_json(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out)
{
	CLEANUP(flame_tree_release) struct flame_tree tree;
	uint32_t node = 0, next;

	flame_tree_init(&tree, head, base);
	do {
		const struct flame_node *at = &tree.nodes[node];
		const char *file = flame_tree_file(&tree, node);
		/* Values of a difference must share a unit: percent of each side, or weight times factor. */
		struct flame_change change = flame_change_of(&tree, node, false, options);

		strbuf_adds(out, "{\"name\":");
		escape_json(out, flame_tree_name(&tree, node));
		strbuf_adds(out, ",\"value\":");
		add_number(out, base ? change.head : at->side[FLAME_HEAD].weight);
		if (base) {
			strbuf_adds(out, ",\"delta\":");
			add_number(out, change.head - change.base);
		}
		if (*file) {
			strbuf_adds(out, ",\"file\":");
			escape_json(out, file);
		}
		next = flame_tree_next(&tree, node, true);
		if (at->n) {
			strbuf_adds(out, ",\"children\":[");
		} else {
			/*
			 * Closes the node, and each ancestor whose last child it is, down to the depth of the next
			 * node.
			 */
			strbuf_addc(out, '}');
			for (uint32_t depth = at->depth; depth > tree.nodes[next].depth; depth--)
				strbuf_adds(out, "]}");
			strbuf_adds(out, next ? ",\n" : "\n");
		}
		node = next;
	} while (node);
}
