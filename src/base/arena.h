/*
 * Memory of one owner, all of it released at once. A struct that allocates its texts and lists in an arena
 * of its own needs one release, and a list or a text that is replaced needs none. What is allocated never
 * moves, so the arena may be moved with the struct it is a member of; it is not to be copied.
 *
 *	struct arena arena = ARENA_INIT;
 *	struct service *service = arena_alloc(&arena, sizeof *service);
 *	service->name = arena_strdup(&arena, "redis");
 *	arena_release(&arena);
 *
 * Like mem.h: out of memory aborts.
 */
#ifndef PAWL_BASE_ARENA_H
#define PAWL_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "base/text.h"

struct arena {
	struct arena_block *blocks;
};

#define ARENA_INIT { 0 }

/* Also of an empty one, which it then is again. */
void arena_release(struct arena *arena);

/* SIZE bytes of zeros, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_memdup(struct arena *arena, const void *data, size_t size);
char *arena_strdup(struct arena *arena, const char *s);		/* NULL stays NULL */
char *arena_strndup(struct arena *arena, const char *s, size_t most);
char *arena_printf(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A copy of S, which malloc() gave and which is freed; NULL stays NULL. */
char *arena_take(struct arena *arena, char *s);

/*
 * Make room for one more element in a list kept as (items, n, cap), whose new places are zeros. Used as
 *	ARENA_GROW(arena, v->items, v->n, v->cap); v->items[v->n++] = item;
 * The places of the smaller list are lost until the arena goes.
 */
#define ARENA_GROW(arena, items, n, cap)								\
	do {												\
		if ((n) == (cap)) {									\
			(cap) = (cap) ? (cap) * 2 : 8;							\
			(items) = arena_grow((arena), (items), (n), (cap), sizeof *(items));		\
		}											\
	} while (0)
void *arena_grow(struct arena *arena, const void *items, size_t n, size_t cap, size_t size);

/*
 * Append to a list of strings that lives in the arena, items and all: NULL-terminated as any other, it is read with
 * strv.h, but never changed or released by it.
 */
void arena_push(struct arena *arena, struct strv *list, const char *s);
void arena_pushf(struct arena *arena, struct strv *list, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void arena_push_all(struct arena *arena, struct strv *list, const struct strv *from);

#endif
