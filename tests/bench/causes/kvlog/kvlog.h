/* kvlog: keys and values in an append-only file. Shared declarations. */
#ifndef KVLOG_H
#define KVLOG_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct entry {
	char *key;
	uint32_t hash;
	off_t offset;
	uint32_t length;
};

/* Open addressing: the size is a power of two. */
struct index {
	struct entry *entries;
	size_t size;
	size_t used;
};

struct log {
	int fd;
	const char *path;
	off_t end;     /* of the file */
	size_t held;   /* of the bytes below */
	char *pending;
};

/* A process that sums up the appended records, to check the log later. */
struct peer {
	pid_t pid;
	int to;
	int from;
	size_t held;
	char *batch;
};

struct store {
	struct index index;
	struct log log;
	struct peer peer;
	unsigned long sets, gets, hits, deletes, bytes;
};

/* index.c */
void index_init(struct index *ix);
struct entry *index_find(struct index *ix, const char *key);
struct entry *index_put(struct index *ix, const char *key);

/* log.c */
int log_open(struct log *log, const char *path);
off_t log_append(struct log *log, const char *key, const char *value, uint32_t length);
int log_flush(struct log *log);
int log_read(struct log *log, off_t offset, char *value, uint32_t length);

/* peer.c */
int peer_start(struct peer *p);
int peer_tell(struct peer *p, const char *key, const char *value);
uint64_t peer_end(struct peer *p);

/* store.c */
int store_open(struct store *s, const char *path);
int store_set(struct store *s, const char *key, const char *value);
int store_get(struct store *s, const char *key);
int store_delete(struct store *s, const char *key);
int store_scan(struct store *s, uint64_t *sum_out);

/* config.c */
struct config {
	unsigned scans;
	unsigned limit;
};
int config_read(struct config *c, const char *path);

#endif
