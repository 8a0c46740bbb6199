#include "base/strv.h"

#include "base/mem.h"
#include "base/text.h"

void strv_release(struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct strv)STRV_INIT;
}

void strv_take(struct strv *list, char *s)
{
	if (list->n + 1 >= list->cap) {
		list->cap = list->cap ? list->cap * 2 : 8;
		list->items = xrealloc_array(list->items, list->cap, sizeof *list->items);
	}
	list->items[list->n++] = s;
	list->items[list->n] = NULL;
}

void strv_push(struct strv *list, const char *s)
{
	strv_take(list, xstrdup(s));
}

void strv_pushf(struct strv *list, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&text, fmt, args);
	va_end(args);
	strv_take(list, strbuf_take(&text));
}

void strv_copy(struct strv *list, const struct strv *from)
{
	for (size_t i = 0; i < from->n; i++)
		strv_push(list, from->items[i]);
}

void strv_shorten(struct strv *list, size_t n)
{
	while (list->n > n) {
		free(list->items[--list->n]);
		list->items[list->n] = NULL;
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct strv *list)
{
	if (list->n)
		qsort(list->items, list->n, sizeof *list->items, by_text);
}

bool strv_has(const struct strv *list, const char *s)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->items[i], s))
			return true;
	return false;
}

bool strv_equal(const struct strv *a, const struct strv *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->items[i], b->items[i]))
			return false;
	return true;
}
