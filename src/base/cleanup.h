/*
 * Ownership bound to a scope: a variable marked CLEANUP(fn) is passed by address to fn when the
 * scope ends, however it ends. Whatever must outlive the scope is handed on with take_ptr().
 *
 *	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
 *	CLEANUP(free_ptr) char *name = xstrdup("redis");
 *	return take_ptr(&name);
 */
#ifndef PAWL_BASE_CLEANUP_H
#define PAWL_BASE_CLEANUP_H

#include <stdlib.h>

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
