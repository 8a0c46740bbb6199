/*
 * Which functions a diff touches, and how: for naming the changed line that a cost comes from. Pure; texts are borrowed from
 * the changes and the works, which must outlive it.
 *
 *	touched_init(&touched, &changes, &base_work, &head_work) -> touched_find() for each suspect -> touched_release()
 *
 * Of a function with debug information the lines decide that were executed in it, inlined ones included; of any other its
 * name. Comments and blanks are no changes (model/changes.h).
 */
#ifndef PAWL_JUDGE_TOUCHED_H
#define PAWL_JUDGE_TOUCHED_H

#include "cause/work.h"
#include "model/changes.h"

/* The nearer the earlier. */
enum touch_how {
	TOUCH_BODY,	/* a line of its own */
	TOUCH_INLINED,	/* a line of what was inlined into it */
	TOUCH_WORD,	/* it uses a constant, macro, table or member that is another one now */
	TOUCH_CALLEE,	/* what it calls is touched in one of these ways, directly or by way of foreign code */
	TOUCH_CALLER,	/* what calls it is */
};

struct touch {
	enum touch_how how;
	const struct change *change;
	const char *through;	/* the word, the function that was inlined, the callee or the caller; NULL: none */
	unsigned distance;	/* calls between it and `through`; 0: itself */
	bool by_file;		/* nothing tells more than that it lies in the file of the only function that changed */
};

struct touched {
	struct arena arena;
	const struct changes *changes;
	const struct work *works[2];	/* base, head */
	/* private */
	uint32_t *by_key[2];	/* the functions of each, in the order of their keys */
	struct touched_hit *hits[2];
	size_t n_hits[2];
};

/* BASE and HEAD may be NULL, or empty: names alone are looked for then, and nothing is known of calls. */
void touched_init(struct touched *out, const struct changes *changes, const struct work *base, const struct work *head);
void touched_release(struct touched *touched);
/* The nearest change to CODE, which may be of either side, or of none of the works. False: none touches it. */
bool touched_find(const struct touched *touched, const struct code *code, struct touch *out);

/*
 * "lmem.c:123: size *= 2 -> size += 16", of at most TOUCH_COLUMNS; a line that is new alone by itself, one that is gone as
 * "lmem.c:123: removed: size *= 2".
 */
enum { TOUCH_COLUMNS = 100 };
void change_text(const struct change *change, struct strbuf *out);
/* "src/lmem.c:123" in the head, from the top of its repository. In ARENA. */
const char *change_place(const struct change *change, struct arena *arena);

/* Whether debug information's SOURCE is the file at PATH below some folder. */
bool source_is_path(const char *source, const char *path);

#endif
