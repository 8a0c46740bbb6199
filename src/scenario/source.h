/*
 * The text of one YAML file while it is read, and the faults found in it. Every fault is told
 * with the place and with the key it belongs to ("measure.timeout"), which is kept as a path that
 * grows and shrinks with source_enter() and source_leave().
 */
#ifndef PAWL_SCENARIO_SOURCE_H
#define PAWL_SCENARIO_SOURCE_H

#include "base/arena.h"
#include "base/diag.h"

/* Faults told of one file; what comes after them is counted, not told. */
enum { SOURCE_FAULTS_MAX = 50 };

struct scenario;

struct source {
	const char *path, *text;
	size_t len;
	struct arena *arena;		/* of what is read: nodes, and the values made of them, which borrow their texts */
	struct diags *diags;		/* where faults go */
	const struct scenario *scope;	/* its vars are the names of ${name}; NULL: text is taken as it stands */
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

/*
 * Call first: refuses what is too large, holds NUL, or is not UTF-8, and leaves out a byte order
 * mark, which editors do not count. 0, or -1 with a fault.
 */
int source_check(struct source *source);

#endif
