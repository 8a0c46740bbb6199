/* Memory allocation that aborts the process instead of failing. Results are freed with free(). */
#ifndef PAWL_BASE_MEM_H
#define PAWL_BASE_MEM_H

#include <stddef.h>
#include <stdlib.h>

struct strv;

/* Called if memory runs out. A program may define its own, which prints a message. */
void mem_exhausted(void) __attribute__((noreturn));
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc_array(void *ptr, size_t n, size_t size);
/* libiberty calls xmalloc(), xcalloc() and this by name. If one is missing, it links its own three. */
void *xrealloc(void *ptr, size_t size);
char *xstrdup(const char *s);			/* NULL stays NULL */
char *xstrndup(const char *s, size_t most);	/* copies S up to its end, at most `most` bytes */
void *xcopy(const void *p, size_t size);
/* Returns ITEMS, of SIZE bytes, with at least WANTED of them, *N now, of which new ones are zero. */
void *xextend(void *items, size_t *n, size_t wanted, size_t size);
void *xtsearch(const void *key, void **root, int (*compare)(const void *, const void *));	/* tsearch(3) */

/* Makes room for one more element in a vector kept as (items, n, cap). */
#define VEC_GROW(items, n, cap)								\
	do {										\
		if ((n) == (cap)) {							\
			(cap) = (cap) ? (cap) * 2 : 8;					\
			(items) = xrealloc_array((items), (cap), sizeof *(items));	\
		}									\
	} while (0)
/* Returns its next element, not initialised: *VEC_ADD(v->items, v->n, v->cap) = item; */
#define VEC_ADD(items, n, cap) ({ VEC_GROW(items, n, cap); &(items)[(n)++]; })

/*
 * Binary search: the first I from 0 to N - 1 for which HOLDS is true, as it must then be for all larger I; N: none.
 *	size_t at = SEARCH_FIRST(i, list->n, list->items[i].time >= time);
 */
#define SEARCH_FIRST(i, n, holds)					\
	({								\
		size_t low_ = 0, high_ = (n);				\
		while (low_ < high_) {					\
			size_t i = low_ + (high_ - low_) / 2;		\
			if (holds)					\
				high_ = i;				\
			else						\
				low_ = i + 1;				\
		}							\
		low_;							\
	})

/*
 * Ownership bound to a scope: the address of the variable is passed to fn at its end. To keep a value, take_ptr().
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

/* Returns the pointer at ADDRESS and sets that to NULL. */
#define take_ptr(address)					\
	({							\
		__typeof__(*(address)) taken_ = *(address);	\
		*(address) = NULL;				\
		taken_;						\
	})

/*
 * Memory of one owner, released all at once. Allocations never move, so a struct may be moved with its arena, but an arena
 * must not be copied.
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

/* Releases all memory and leaves the arena empty. Harmless on an empty arena. */
void arena_release(struct arena *arena);

/* Returns SIZE zeroed bytes, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_memdup(struct arena *arena, const void *data, size_t size);
char *arena_strdup(struct arena *arena, const char *s);		/* NULL stays NULL */
char *arena_strndup(struct arena *arena, const char *s, size_t most);
char *arena_printf(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns a copy of S and frees S, which came from malloc(). NULL stays NULL. */
char *arena_take(struct arena *arena, char *s);

/*
 * Makes room for one more element, zeroed, in a list kept as (items, n, cap). The memory of the smaller list is not
 * reused until the arena is released.
 */
#define ARENA_GROW(arena, items, n, cap)								\
	do {												\
		if ((n) == (cap)) {									\
			(cap) = (cap) ? (cap) * 2 : 8;							\
			(items) = arena_grow((arena), (items), (n), (cap), sizeof *(items));		\
		}											\
	} while (0)
/* Returns its next element: *ARENA_ADD(arena, v->items, v->n, v->cap) = item; */
#define ARENA_ADD(arena, items, n, cap) ({ ARENA_GROW(arena, items, n, cap); &(items)[(n)++]; })
void *arena_grow(struct arena *arena, const void *items, size_t n, size_t cap, size_t size);

/* Appends to a list of strings in the arena, which the functions of text.h may read but must not change or release. */
void arena_push(struct arena *arena, struct strv *list, const char *s);
void arena_pushf(struct arena *arena, struct strv *list, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void arena_push_all(struct arena *arena, struct strv *list, const struct strv *from);
/* Adds to the notes of OWNER, a struct with an `arena` and a list of `notes` in it. */
#define NOTE(owner, ...) arena_pushf(&(owner)->arena, &(owner)->notes, __VA_ARGS__)
/* Appends S unless the list has it; the next function does this for each item of FROM. */
void arena_push_new(struct arena *arena, struct strv *list, const char *s);
void arena_merge(struct arena *arena, struct strv *list, const struct strv *from);

#endif
