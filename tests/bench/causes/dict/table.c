#include "dict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 14 };

static struct entry *slots[SLOTS];

static unsigned hash(const char *word)
{
	unsigned h = 5381;
	while (*word)
		h = h * 33 ^ (unsigned char)*word++;
	return h & (SLOTS - 1);
}

const struct entry *table_find(const char *word)
{
	for (struct entry *e = slots[hash(word)]; e; e = e->next)
		if (!strcmp(e->word, word))
			return e;
	return NULL;
}

void table_load(const char *path)
{
	FILE *from = fopen(path, "r");
	char line[512];
	if (!from) {
		perror(path);
		exit(1);
	}
	while (fgets(line, sizeof(line), from)) {
		line[strcspn(line, "\n")] = 0;
		char *space = strchr(line, ' ');
		if (!space)
			continue;
		*space = 0;
		struct entry *e = malloc(sizeof(*e));
		e->word = strdup(line);
		e->meaning = strdup(space + 1);
		struct entry **slot = &slots[hash(e->word)];
		e->next = *slot;
		*slot = e;
	}
	fclose(from);
}
