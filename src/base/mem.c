#include "base/mem.h"

#include <stdint.h>

/* Those who have nowhere to say so end without words. */
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

void *xcopy(const void *p, size_t size)
{
	return memcpy(xmalloc(size), p, size);
}
