/* words: counts the words of a text. Shared declarations. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>
#include <stdio.h>

struct word {
	struct word *next;
	unsigned hash;
	unsigned count;
	size_t length;
	char *text;
	unsigned *lines; /* it occurs in, the first time in each */
	size_t n_lines;
	size_t room;
};

struct table {
	struct word **slots;
	size_t size;
	size_t used;
};

struct buffer {
	char *data;
	size_t length;
	size_t room;
};

/* arena.c */
void *arena_take(size_t bytes);

/* buffer.c */
void buffer_add(struct buffer *b, const char *text, size_t length);
int buffer_read(struct buffer *b, const char *path);

/* table.c */
void table_init(struct table *t);
void table_count(struct table *t, const char *text, size_t length, unsigned line);
size_t table_list(const struct table *t, struct word **list);

/* scan.c */
void scan_words(struct buffer *b, struct table *t);

/* list.c */
size_t list_lines(struct word *const *list, size_t n);
void list_sort(struct word **list, size_t n);
void list_print(struct word *const *list, size_t n, FILE *to);

#endif
