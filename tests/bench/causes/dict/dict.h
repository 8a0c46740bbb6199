/* A dictionary server over TCP: reads a line with a word, answers with a line of its meaning. */
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

/* Reads the pending input and answers each complete line. Returns -1 if the other side has closed. */
int conn_serve(struct conn *c);

#endif
