/*
 * Finds the functions that a diff touches, and how, to name the changed line behind a cost. Pure; texts are borrowed
 * from the changes and the works, which must outlive it.
 *
 *	touched_init(&touched, &changes, &base_work, &head_work) -> touched_find() for each suspect -> touched_release()
 *
 * A change is matched by the functions that the compiler put its lines into (struct change_code), and by executed
 * lines. Changes without either are matched by the name of the function around them. Comments and blanks do not count as changes (model/source/changes.h).
 */
#ifndef PAWL_CAUSE_LEDGER_TOUCHED_H
#define PAWL_CAUSE_LEDGER_TOUCHED_H

#include "cause/ledger/work.h"
#include "model/source/changes.h"

/* How a change touches a function, nearest first. */
enum touch_how {
	TOUCH_BODY,	/* one of its own lines changed */
	TOUCH_INLINED,	/* a line of code inlined into it changed */
	TOUCH_WORD,	/* it uses a constant, macro, table or member that changed */
	TOUCH_CALLEE,	/* a callee, direct or through foreign code, is touched in one of these ways */
	TOUCH_CALLER,	/* a caller is touched */
};

struct touch {
	enum touch_how how;
	const struct change *change;
	const char *through;	/* the word, the inlined function, the callee or the caller; or NULL */
	unsigned distance;	/* calls between the function and `through`; 0: itself */
	bool by_file;		/* only evidence: it is in the file of the only changed function */
};

struct touched {
	struct arena arena;
	const struct changes *changes;
	const struct work *works[2];	/* base, head */
	/* private */
	uint32_t *by_key[2];	/* function numbers of each side, sorted by key */
	struct touched_hits {
		struct touched_hit *items;	/* sorted by function */
		size_t n, cap;
	} hits[2];
};

/* BASE and HEAD may be NULL or empty. Functions are then matched by name alone, and calls are unknown. */
void touched_init(struct touched *out, const struct changes *changes, const struct work *base, const struct work *head);
void touched_release(struct touched *touched);
/* Finds the nearest change to CODE, which may be of either side or in neither work. False: no change touches it. */
bool touched_find(const struct touched *touched, const struct code *code, struct touch *out);

/*
 * Appends "lmem.c:123: size *= 2 -> size += 16", at most TOUCH_COLUMNS wide. Lines without a counterpart are shown as
 * "lmem.c:123: added: size += 16" or "lmem.c:123: removed: size *= 2".
 */
enum { TOUCH_COLUMNS = 100 };
void change_text(const struct change *change, struct strbuf *out);
/* Returns "src/lmem.c:123" in head, relative to the top of the repository. Allocated in ARENA. */
const char *change_place(const struct change *change, struct arena *arena);

#endif
