/* A dictionary that answers over TCP: a line with a word, a line with its meaning. */
#ifndef DICT_H
#define DICT_H

#include <stddef.h>

struct entry {
	struct entry *next;
	char *word;
	char *meaning;
};

void table_load(const char *path);
const struct entry *table_find(const char *word);

struct conn {
	int fd;
	size_t held;
	char in[4096];
};

/* Reads what has come, answers each whole line; -1 when the other side is gone. */
int conn_serve(struct conn *c);

#endif
