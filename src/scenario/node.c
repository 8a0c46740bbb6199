#include "scenario/node.h"

#include "base/utf8.h"

/* Longer text is cut in faults. */
enum { DESCRIBED_LONGEST = 60 };

const struct node_entry *node_find(const struct node *mapping, const char *key)
{
	for (size_t i = 0; i < mapping->n; i++)
		if (!strcmp(mapping->entries[i].key.text, key))
			return &mapping->entries[i];
	return NULL;
}

int node_expected(struct source *source, const struct node *node, const char *expected)
{
	static const char *const kinds[] = {
		[NODE_NOTHING] = "nothing", [NODE_LIST] = "a list", [NODE_MAPPING] = "a mapping",
	};
	size_t len;

	if (node->kind != NODE_TEXT)
		return source_fault(source, node->at, "expected %s, found %s", expected, kinds[node->kind]);
	len = utf8_clip(node->text, DESCRIBED_LONGEST);
	return source_fault(source, node->at, "expected %s, found '%.*s%s'", expected, (int)len, node->text,
			    node->text[len] ? "..." : "");
}
