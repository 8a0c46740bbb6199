#include "profile/outline.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "profile/flame_tree.h"
#include "profile/folded.h"

static void add_path(const struct flame_tree *tree, uint32_t node, struct strbuf *out)
{
	CLEANUP(free_ptr) uint32_t *path = xcalloc(tree->nodes[node].depth + 1, sizeof *path);
	uint32_t n = 0;

	for (; node; node = tree->nodes[node].parent)
		path[n++] = node;
	while (n) {
		const char *name = flame_tree_name(tree, path[--n]);
		bool kernel = tree->names[tree->nodes[path[n]].name].kind == FLAME_KERNEL && *name != '[';

		strbuf_addf(out, "%s%s%s", name, kernel ? FOLDED_KERNEL : "", n ? ";" : "");
	}
}

static void add_line(const struct flame_tree *tree, uint32_t node, const char *rest, double weight, struct strbuf *out)
{
	if (!(weight > 0))
		return;
	add_path(tree, node, out);
	strbuf_addf(out, "%s%s ", node && *rest ? ";" : "", rest);
	folded_add_weight(out, weight);
	strbuf_addc(out, '\n');
}

static double weight_of(const struct flame_tree *tree, uint32_t node)
{
	return tree->nodes[node].side[FLAME_HEAD].weight;
}

static double small_children(const struct flame_tree *tree, uint32_t node, double least)
{
	const struct flame_node *at = &tree->nodes[node];
	double sum = 0;

	for (uint32_t i = 0; i < at->n; i++) {
		double weight = weight_of(tree, tree->children[at->first + i]);

		sum += weight < least ? weight : 0;
	}
	return sum;
}

void outline_write(const struct stacks *stacks, double least_pct, struct strbuf *out)
{
	CLEANUP(flame_tree_release) struct flame_tree tree;
	uint32_t node = 0;
	double least;

	flame_tree_init(&tree, stacks, NULL, false);
	least = weight_of(&tree, 0) * least_pct / 100;
	do {
		bool kept = weight_of(&tree, node) >= least;

		if (kept) {
			if (node)
				add_line(&tree, node, "", tree.nodes[node].side[FLAME_HEAD].self, out);
			add_line(&tree, node, OUTLINE_REST, small_children(&tree, node, least), out);
		}
		node = flame_tree_next(&tree, node, kept);
	} while (node);
}
