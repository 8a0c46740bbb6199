/*
 * Memory that is always there. Every function aborts the process when the system has none left
 * or a size overflows, so callers never test for NULL. What they return is freed with free().
 */
#ifndef PAWL_BASE_MEM_H
#define PAWL_BASE_MEM_H

#include <stddef.h>
#include <stdlib.h>

struct strv;

/* Called when there is none left; a program that has words for it defines its own. */
void mem_exhausted(void) __attribute__((noreturn));
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc_array(void *ptr, size_t n, size_t size);
/* For libiberty, which calls it, xmalloc() and xcalloc() by these names; one that is missing brings in its own three. */
void *xrealloc(void *ptr, size_t size);
char *xstrdup(const char *s);			/* NULL stays NULL */
char *xstrndup(const char *s, size_t most);	/* what is before S's end, at most so many bytes */
void *xcopy(const void *p, size_t size);
void *xtsearch(const void *key, void **root, int (*compare)(const void *, const void *));	/* tsearch(3) */

/*
 * Make room for one more element in a vector kept as (items, n, cap). Used as
 *	VEC_GROW(v->items, v->n, v->cap); v->items[v->n++] = item;
 */
#define VEC_GROW(items, n, cap)								\
	do {										\
		if ((n) == (cap)) {							\
			(cap) = (cap) ? (cap) * 2 : 8;					\
			(items) = xrealloc_array((items), (cap), sizeof *(items));	\
		}									\
	} while (0)

/*
 * Ownership bound to a scope: a variable marked CLEANUP(fn) is passed by address to fn when the
 * scope ends, however it ends. Whatever must outlive the scope is handed on with take_ptr().
 *
 *	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
 *	CLEANUP(free_ptr) char *name = xstrdup("redis");
 *	return take_ptr(&name);
 */

#define CLEANUP(fn) __attribute__((cleanup(fn)))

static inline void free_ptr(void *address)
{
	free(*(void **)address);
}

/* The pointer at ADDRESS, which becomes NULL. */
#define take_ptr(address)					\
	({							\
		__typeof__(*(address)) taken_ = *(address);	\
		*(address) = NULL;				\
		taken_;						\
	})

/*
 * Memory of one owner, all of it released at once. A struct that allocates its texts and lists in an arena
 * of its own needs one release, and a list or a text that is replaced needs none. What is allocated never
 * moves, so the arena may be moved with the struct it is a member of; it is not to be copied.
 *
 *	struct arena arena = ARENA_INIT;
 *	struct service *service = arena_alloc(&arena, sizeof *service);
 *	service->name = arena_strdup(&arena, "redis");
 *	arena_release(&arena);
 */
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
 * text.h, but never changed or released by it.
 */
void arena_push(struct arena *arena, struct strv *list, const char *s);
void arena_pushf(struct arena *arena, struct strv *list, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void arena_push_all(struct arena *arena, struct strv *list, const struct strv *from);
/* To the notes of OWNER, which has an `arena` and in it a list of `notes`. */
#define NOTE(owner, ...) arena_pushf(&(owner)->arena, &(owner)->notes, __VA_ARGS__)
/* Unless it is there; and what of FROM is not. */
void arena_push_new(struct arena *arena, struct strv *list, const char *s);
void arena_merge(struct arena *arena, struct strv *list, const struct strv *from);

#endif
