#include "base/mem.h"

#include <search.h>
#include <stdint.h>

#include "base/text.h"

/* The default for programs that cannot print a message. */
__attribute__((weak)) void mem_exhausted(void)
{
	abort();
}

static void *must(void *p)
{
	if (!p)
		mem_exhausted();
	return p;
}

void *xmalloc(size_t size)
{
	return must(malloc(size ? size : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return must(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc_array(void *ptr, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		mem_exhausted();
	return must(realloc(ptr, n && size ? n * size : 1));
}

void *xrealloc(void *ptr, size_t size)
{
	return xrealloc_array(ptr, size, 1);
}

char *xstrndup(const char *s, size_t most)
{
	size_t len = strnlen(s, most);
	char *copy = xmalloc(len + 1);

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *xstrdup(const char *s)
{
	return s ? xstrndup(s, strlen(s)) : NULL;
}

void *xextend(void *items, size_t *n, size_t wanted, size_t size)
{
	size_t room = wanted * 2;

	if (wanted <= *n)
		return items;
	items = xrealloc_array(items, room, size);
	memset((char *)items + *n * size, 0, (room - *n) * size);
	*n = room;
	return items;
}

void *xcopy(const void *p, size_t size)
{
	return memcpy(xmalloc(size), p, size);
}

void *xtsearch(const void *key, void **root, int (*compare)(const void *, const void *))
{
	return must(tsearch(key, root, compare));
}

/* -------- arenas */

/* Under the address sanitizer each allocation is its own block, so that every overrun is detected. */
#ifdef __SANITIZE_ADDRESS__
enum { BLOCK_FIRST = 0, BLOCK_LARGEST = 0 };
#else
enum { BLOCK_FIRST = 1 << 10, BLOCK_LARGEST = 1 << 20 };
#endif

struct arena_block {
	struct arena_block *next;
	size_t used, size;	/* bytes of data */
	_Alignas(max_align_t) char data[];
};

void arena_release(struct arena *arena)
{
	struct arena_block *next;

	for (struct arena_block *block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	arena->blocks = NULL;
}

static struct arena_block *new_block(size_t size, size_t used, struct arena_block *next)
{
	struct arena_block *block;

	if (size > SIZE_MAX - sizeof *block)
		mem_exhausted();
	block = xcalloc(1, sizeof *block + size);
	*block = (struct arena_block){ .next = next, .used = used, .size = size };
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t mask = _Alignof(max_align_t) - 1;
	struct arena_block *first = arena->blocks;
	size_t at = first ? (first->used + mask) & ~mask : 0, next;

	if (first && at <= first->size && size <= first->size - at) {
		first->used = at + size;
		return first->data + at;
	}
	next = first ? first->size * 2 : BLOCK_FIRST;
	if (next > BLOCK_LARGEST)
		next = BLOCK_LARGEST;
	if (first && size > next / 2) {		/* it gets a block of its own, and the first one is filled further */
		first->next = new_block(size, size, first->next);
		return first->next->data;
	}
	arena->blocks = new_block(size > next ? size : next, size, first);
	return arena->blocks->data;
}

void *arena_memdup(struct arena *arena, const void *data, size_t size)
{
	void *copy = arena_alloc(arena, size);

	return size ? memcpy(copy, data, size) : copy;
}

char *arena_strndup(struct arena *arena, const char *s, size_t most)
{
	size_t len = strnlen(s, most);
	char *copy = arena_alloc(arena, len + 1);

	memcpy(copy, s, len);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *s)
{
	return s ? arena_strndup(arena, s, strlen(s)) : NULL;
}

char *arena_take(struct arena *arena, char *s)
{
	char *copy = arena_strdup(arena, s);

	free(s);
	return copy;
}

static char *print(struct arena *arena, const char *fmt, va_list args)
{
	va_list again;
	char *text;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len < 0)
		abort();
	text = arena_alloc(arena, (size_t)len + 1);
	vsnprintf(text, (size_t)len + 1, fmt, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = print(arena, fmt, args);
	va_end(args);
	return text;
}

void *arena_grow(struct arena *arena, const void *items, size_t n, size_t cap, size_t size)
{
	void *grown;

	if (size && cap > SIZE_MAX / size)
		mem_exhausted();
	grown = arena_alloc(arena, cap * size);
	return n ? memcpy(grown, items, n * size) : grown;
}

static void append(struct arena *arena, struct strv *list, char *s)
{
	if (list->n + 1 >= list->cap) {
		list->cap = list->cap ? list->cap * 2 : 8;
		list->items = arena_grow(arena, list->items, list->n, list->cap, sizeof *list->items);
	}
	list->items[list->n++] = s;
	list->items[list->n] = NULL;
}

void arena_push(struct arena *arena, struct strv *list, const char *s)
{
	append(arena, list, arena_strdup(arena, s));
}

void arena_pushf(struct arena *arena, struct strv *list, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	append(arena, list, print(arena, fmt, args));
	va_end(args);
}

void arena_push_all(struct arena *arena, struct strv *list, const struct strv *from)
{
	for (size_t i = 0; i < from->n; i++)
		arena_push(arena, list, from->items[i]);
}

void arena_push_new(struct arena *arena, struct strv *list, const char *s)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->items[i], s))
			return;
	arena_push(arena, list, s);
}

void arena_merge(struct arena *arena, struct strv *list, const struct strv *from)
{
	for (size_t i = 0; i < from->n; i++)
		arena_push_new(arena, list, from->items[i]);
}
