/*
 * YAML as a tree that knows its places: text, lists and mappings, nothing else. What makes YAML
 * surprising is refused here: anchors and aliases, tags, keys given twice, several documents, and
 * whatever is larger or deeper than a file written by a person.
 */
#ifndef PAWL_SCENARIO_YAML_H
#define PAWL_SCENARIO_YAML_H

#include "base/arena.h"
#include "base/error.h"

/*
 * The text of one YAML file while it is read, and the faults found in it. Every fault is told
 * with the place and with the key it belongs to ("measure.timeout"), which is kept as a path that
 * grows and shrinks with source_enter() and source_leave().
 */

/* Faults told of one file; what comes after them is counted, not told. */
enum { SOURCE_FAULTS_MAX = 50 };

struct scenario;

struct source {
	const char *path, *text;
	size_t len;
	struct arena *arena;		/* of what is read: nodes, and the values made of them, which borrow their texts */
	struct diags *diags;		/* where faults go */
	struct scenario *scope;		/* the one that is read; its vars are the names of ${name}; NULL: text is taken as it stands */
	struct strbuf where;		/* the key being read; empty at the top */
	size_t faults;
};

/* A byte of the text as people count it, from 1; the column counts bytes. */
struct place {
	unsigned line, column;
};

#define SOURCE_INIT(path_, text_, len_, arena_, diags_)                                                        \
	{ .path = (path_), .text = (text_) ?: "", .len = (len_), .arena = (arena_), .diags = (diags_),         \
	  .where = STRBUF_INIT }

void source_release(struct source *source);
struct place source_place(const struct source *source, size_t offset);
/* Always -1. A place of line 0 is unknown. */
int source_fault(struct source *source, struct place at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Go into KEY; returns what source_leave() needs to come back. */
size_t source_enter(struct source *source, const char *key);
void source_leave(struct source *source, size_t mark);

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
