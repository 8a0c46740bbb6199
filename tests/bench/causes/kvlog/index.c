/* The position of each key's newest value. */
#include "kvlog.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1 << 8 };

static uint32_t hash_key(const char *key)
{
	uint32_t hash = 5381;
	for (; *key; key++)
		hash = hash * 33 ^ (unsigned char)*key;
	return hash ^ hash >> 15;
}

void index_init(struct index *ix)
{
	ix->size = FIRST_SIZE;
	ix->used = 0;
	ix->entries = calloc(ix->size, sizeof(*ix->entries));
	if (!ix->entries)
		abort();
}

static struct entry *slot_of(struct entry *entries, size_t size, const char *key, uint32_t hash)
{
	size_t i = hash & (size - 1);
	while (entries[i].key) {
		if (entries[i].hash == hash && strcmp(entries[i].key, key) == 0)
			break;
		i = (i + 1) & (size - 1);
	}
	return &entries[i];
}

static void index_grow(struct index *ix)
{
	size_t size = ix->size * 2;
	struct entry *entries = calloc(size, sizeof(*entries));
	if (!entries)
		abort();
	for (size_t i = 0; i < ix->size; i++) {
		if (ix->entries[i].key)
			*slot_of(entries, size, ix->entries[i].key, ix->entries[i].hash) = ix->entries[i];
	}
	free(ix->entries);
	ix->entries = entries;
	ix->size = size;
}

struct entry *index_find(struct index *ix, const char *key)
{
	struct entry *e = slot_of(ix->entries, ix->size, key, hash_key(key));
	return e->key && e->offset >= 0 ? e : NULL;
}

struct entry *index_put(struct index *ix, const char *key)
{
	if (ix->used * 2 >= ix->size)
		index_grow(ix);
	uint32_t hash = hash_key(key);
	struct entry *e = slot_of(ix->entries, ix->size, key, hash);
	if (!e->key) {
		e->key = strdup(key);
		e->hash = hash;
		ix->used++;
	}
	return e;
}
