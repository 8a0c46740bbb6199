/* The operations of a store. */
#include "kvlog.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE_MOST = 4096 };

int store_open(struct store *s, const char *path)
{
	memset(s, 0, sizeof(*s));
	index_init(&s->index);
	if (log_open(&s->log, path))
		return -1;
	return peer_start(&s->peer);
}

int store_set(struct store *s, const char *key, const char *value)
{
	uint32_t length = (uint32_t)strlen(value);
	off_t at = log_append(&s->log, key, value, length);
	if (at < 0)
		return -1;
	struct entry *e = index_put(&s->index, key);
	e->offset = at;
	e->length = length;
	s->sets++;
	return peer_tell(&s->peer, key, value);
}

int store_get(struct store *s, const char *key)
{
	char value[VALUE_MOST];
	s->gets++;
	struct entry *e = index_find(&s->index, key);
	if (!e)
		return 0;
	if (e->length > sizeof(value) || log_read(&s->log, e->offset, value, e->length))
		return -1;
	s->hits++;
	s->bytes += e->length;
	return 0;
}

int store_delete(struct store *s, const char *key)
{
	struct entry *e = index_find(&s->index, key);
	if (e) {
		e->offset = -1;
		s->deletes++;
	}
	return 0;
}

/* Computes a sum over all live keys and the lengths of their values. */
int store_scan(struct store *s, uint64_t *sum_out)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < s->index.size; i++) {
		const struct entry *e = &s->index.entries[i];
		if (!e->key || e->offset < 0)
			continue;
		for (const char *k = e->key; *k; k++)
			sum = sum * 131 + (unsigned char)*k;
		sum += e->length;
	}
	*sum_out = sum;
	return 0;
}
