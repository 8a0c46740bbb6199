/*
 * Memory that is always there. Every function aborts the process when the system has none left
 * or a size overflows, so callers never test for NULL. What they return is freed with free().
 */
#ifndef PAWL_BASE_MEM_H
#define PAWL_BASE_MEM_H

#include <stddef.h>
#include <stdlib.h>

/* Called when there is none left; a program that has words for it defines its own. */
void mem_exhausted(void) __attribute__((noreturn));
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc_array(void *ptr, size_t n, size_t size);
/* For libiberty, which calls it, xmalloc() and xcalloc() by these names; one that is missing brings in its own three. */
void *xrealloc(void *ptr, size_t size);	/* libiberty calls it */
char *xstrdup(const char *s);			/* NULL stays NULL */
char *xstrndup(const char *s, size_t most);	/* what is before S's end, at most so many bytes */
void *xcopy(const void *p, size_t size);

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

#endif
