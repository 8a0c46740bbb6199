/* Splits a text into words. */
#include "words.h"

enum { LONGEST = 64 };

static int is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\'';
}

static int to_lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

static void take_word(const char *at, size_t length, unsigned line, struct table *t)
{
	char lower[LONGEST];
	if (length > sizeof(lower))
		length = sizeof(lower);
	for (size_t i = 0; i < length; i++)
		lower[i] = (char)to_lower((unsigned char)at[i]);
	table_count(t, lower, length, line);
}

void scan_words(struct buffer *b, struct table *t)
{
	size_t i = 0;
	unsigned line = 1;
	while (i < b->length) {
		for (; i < b->length && !is_letter((unsigned char)b->data[i]); i++)
			line += b->data[i] == '\n';
		size_t start = i;
		while (i < b->length && is_letter((unsigned char)b->data[i]))
			i++;
		if (i > start)
			take_word(b->data + start, i - start, line, t);
	}
}
