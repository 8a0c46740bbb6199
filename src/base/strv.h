/*
 * A list of strings that owns them, kept NULL-terminated so that .items serves as an argv.
 * Start with STRV_INIT, end with strv_release(). .items is NULL while the list is empty.
 */
#ifndef PAWL_BASE_STRV_H
#define PAWL_BASE_STRV_H

#include <stdbool.h>
#include <stddef.h>

struct strv {
	char **items;
	size_t n, cap;
};

#define STRV_INIT { 0 }

void strv_release(struct strv *list);
void strv_push(struct strv *list, const char *s);
void strv_pushf(struct strv *list, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strv_take(struct strv *list, char *s);		/* takes ownership of S */
void strv_copy(struct strv *list, const struct strv *from);	/* appends copies */
void strv_shorten(struct strv *list, size_t n);	/* to the first N, where there are more */
void strv_sort(struct strv *list);
bool strv_has(const struct strv *list, const char *s);
bool strv_equal(const struct strv *a, const struct strv *b);

#endif
