/*
 * YAML as a tree that knows its places: text, lists and mappings, nothing else. What makes YAML
 * surprising is refused here: anchors and aliases, tags, keys given twice, several documents, and
 * whatever is larger or deeper than a file written by a person.
 */
#ifndef PAWL_SCENARIO_NODE_H
#define PAWL_SCENARIO_NODE_H

#include "scenario/source.h"

enum {
	NODE_DEPTH_MAX = 32,
	NODE_ENTRIES_MAX = 1000,	/* of one list or mapping */
	NODE_TOTAL_MAX = 50000,
};

enum node_kind { NODE_NOTHING, NODE_TEXT, NODE_LIST, NODE_MAPPING };

struct node {
	enum node_kind kind;	/* NODE_NOTHING: an empty value, ~ or null, without quotes */
	size_t offset;		/* of its first byte in the source */
	struct place at;
	char *text;		/* of NODE_TEXT */
	struct node_entry *entries;	/* of NODE_LIST and NODE_MAPPING */
	size_t n, cap;
};

struct node_entry {
	struct node key;	/* text in a mapping, unused in a list */
	struct node value;
};

/*
 * The document of SOURCE; NODE_NOTHING when there is none. 0, or -1 with faults when no tree
 * can be made. Faults that leave a tree (a key given twice, an anchor) are only counted in SOURCE,
 * so that the rest of the file is checked as well. The tree lives in SOURCE's arena.
 */
int node_read(struct source *source, struct node *out);

/* The entry of MAPPING called KEY, or NULL. */
const struct node_entry *node_find(const struct node *mapping, const char *key);
/* Fault "expected EXPECTED, found ..." at NODE; always -1. */
int node_expected(struct source *source, const struct node *node, const char *expected);

#endif
