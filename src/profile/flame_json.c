#include <math.h>

#include "base/escape.h"
#include "profile/flame_change.h"
#include "profile/flame_text.h"

static void add_number(struct strbuf *out, double value)
{
	if (value >= 0 && value < 9e12 && value == (double)(uint64_t)value)
		flame_add_fixed(out, value, 0);
	else
		/* Whole numbers are exact up to 2^53; of decimals the last digits are only noise. */
		strbuf_addf(out, value == floor(value) ? "%.17g" : "%.15g", value);
}

static void open_node(const struct flame_tree *tree, uint32_t node, const struct flame_options *options, struct strbuf *out)
{
	const char *file = flame_tree_file(tree, node);
	/* What a difference adds up to must be in one unit: percent of each side, or weight times factor. */
	struct flame_change change = flame_change_of(tree, node, false, options);

	strbuf_adds(out, "{\"name\":");
	escape_json(out, flame_tree_name(tree, node));
	strbuf_adds(out, ",\"value\":");
	add_number(out, tree->compared ? change.head : tree->nodes[node].side[FLAME_HEAD].weight);
	if (tree->compared) {
		strbuf_adds(out, ",\"delta\":");
		add_number(out, change.head - change.base);
	}
	if (*file) {
		strbuf_adds(out, ",\"file\":");
		escape_json(out, file);
	}
	if (tree->nodes[node].n)
		strbuf_adds(out, ",\"children\":[");
}

/* Ends NODE and what it is the last child of, down to the depth of NEXT, its sibling or that of a caller. */
static void close_nodes(const struct flame_tree *tree, uint32_t node, uint32_t next, struct strbuf *out)
{
	uint32_t depth = next ? tree->nodes[next].depth : 0;

	strbuf_addc(out, '}');
	for (uint32_t d = tree->nodes[node].depth; d > depth; d--)
		strbuf_adds(out, "]}");
	strbuf_adds(out, next ? ",\n" : "\n");
}

void flame_json(const struct stacks *head, const struct stacks *base, const struct flame_options *options, struct strbuf *out)
{
	struct flame_tree tree;
	uint32_t node = 0;

	flame_tree_init(&tree, head, base, options->reverse);
	do {
		uint32_t next = flame_tree_next(&tree, node, true);

		open_node(&tree, node, options, out);
		if (!tree.nodes[node].n)
			close_nodes(&tree, node, next, out);
		node = next;
	} while (node);
	flame_tree_release(&tree);
}
