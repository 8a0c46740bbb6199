#include "scenario/node.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"

/* Longer text is cut in faults. */
enum { DESCRIBED_LONGEST = 60 };

void node_release(struct node *node)
{
	for (size_t i = 0; i < node->n; i++) {
		node_release(&node->entries[i].key);
		node_release(&node->entries[i].value);
	}
	free(node->entries);
	free(node->text);
	*node = (struct node){ 0 };
}

const struct node_entry *node_find(const struct node *mapping, const char *key)
{
	for (size_t i = 0; i < mapping->n; i++)
		if (!strcmp(mapping->entries[i].key.text, key))
			return &mapping->entries[i];
	return NULL;
}

char *node_describe(const struct node *node)
{
	struct strbuf text = STRBUF_INIT;
	size_t len;

	switch (node->kind) {
	case NODE_NOTHING:
		return xstrdup("nothing");
	case NODE_LIST:
		return xstrdup("a list");
	case NODE_MAPPING:
		return xstrdup("a mapping");
	case NODE_TEXT:
		break;
	}
	len = utf8_clip(node->text, DESCRIBED_LONGEST);
	strbuf_addf(&text, "'%.*s%s'", (int)len, node->text, node->text[len] ? "..." : "");
	return strbuf_take(&text);
}

int node_expected(struct source *source, const struct node *node, const char *expected)
{
	CLEANUP(free_ptr) char *found = node_describe(node);

	return source_fault(source, node->at, "expected %s, found %s", expected, found);
}
