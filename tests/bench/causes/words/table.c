/* The table of words, by text. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1 << 10 };

static unsigned hash_text(const char *text, size_t length)
{
	unsigned hash = 2166136261u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash;
}

void table_init(struct table *t)
{
	t->size = FIRST_SIZE;
	t->used = 0;
	t->slots = calloc(t->size, sizeof(*t->slots));
	if (!t->slots)
		abort();
}

static void table_grow(struct table *t)
{
	size_t size = t->size * 2;
	struct word **slots = calloc(size, sizeof(*slots));
	if (!slots)
		abort();
	for (size_t i = 0; i < t->size; i++) {
		for (struct word *w = t->slots[i], *next; w; w = next) {
			next = w->next;
			w->next = slots[w->hash & (size - 1)];
			slots[w->hash & (size - 1)] = w;
		}
	}
	free(t->slots);
	t->slots = slots;
	t->size = size;
}

static struct word *table_find(const struct table *t, const char *text, size_t length, unsigned hash)
{
	for (struct word *w = t->slots[hash & (t->size - 1)]; w; w = w->next) {
		if (w->hash == hash && w->length == length && memcmp(w->text, text, length) == 0)
			return w;
	}
	return NULL;
}

static struct word *table_insert(struct table *t, const char *text, size_t length, unsigned hash)
{
	if (t->used >= t->size)
		table_grow(t);
	struct word *w = arena_take(sizeof(*w));
	w->text = arena_take(length + 1);
	memcpy(w->text, text, length);
	w->text[length] = '\0';
	w->length = length;
	w->hash = hash;
	w->count = 0;
	w->lines = NULL;
	w->n_lines = w->room = 0;
	struct word **slot = &t->slots[hash & (t->size - 1)];
	w->next = *slot;
	*slot = w;
	t->used++;
	return w;
}

static void word_add_line(struct word *w, unsigned line)
{
	if (w->n_lines && w->lines[w->n_lines - 1] == line)
		return;
	if (w->n_lines == w->room) {
		w->room = w->room ? w->room * 2 : 4;
		w->lines = realloc(w->lines, w->room * sizeof(*w->lines));
		if (!w->lines)
			abort();
	}
	w->lines[w->n_lines++] = line;
}

void table_count(struct table *t, const char *text, size_t length, unsigned line)
{
	unsigned hash = hash_text(text, length);
	struct word *w = table_find(t, text, length, hash);
	if (!w)
		w = table_insert(t, text, length, hash);
	w->count++;
	word_add_line(w, line);
}

size_t table_list(const struct table *t, struct word **list)
{
	size_t n = 0;
	for (size_t i = 0; i < t->size; i++) {
		for (struct word *w = t->slots[i]; w; w = w->next)
			list[n++] = w;
	}
	return n;
}
