/* The file: a sequence of records, buffered until a block is full. */
#include "kvlog.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HELD_MOST = 1 << 16 };

int log_open(struct log *log, const char *path)
{
	log->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (log->fd < 0)
		return -1;
	log->path = path;
	log->end = 0;
	log->held = 0;
	log->pending = malloc(HELD_MOST);
	return log->pending ? 0 : -1;
}

int log_flush(struct log *log)
{
	size_t done = 0;
	while (done < log->held) {
		ssize_t n = write(log->fd, log->pending + done, log->held - done);
		if (n < 0)
			return -1;
		done += (size_t)n;
	}
	log->end += (off_t)log->held;
	log->held = 0;
	return 0;
}

static void put(struct log *log, const void *data, size_t length)
{
	memcpy(log->pending + log->held, data, length);
	log->held += length;
}

/* Returns the value's offset, or -1. */
off_t log_append(struct log *log, const char *key, const char *value, uint32_t length)
{
	uint32_t key_length = (uint32_t)strlen(key);
	size_t wanted = 2 * sizeof(uint32_t) + key_length + length;
	if (wanted > HELD_MOST)
		return -1;
	if (log->held + wanted > HELD_MOST && log_flush(log))
		return -1;
	put(log, &key_length, sizeof(key_length));
	put(log, &length, sizeof(length));
	put(log, key, key_length);
	off_t at = log->end + (off_t)log->held;
	put(log, value, length);
	return at;
}

int log_read(struct log *log, off_t offset, char *value, uint32_t length)
{
	if (offset >= log->end) {
		memcpy(value, log->pending + (offset - log->end), length);
		return 0;
	}
	return pread(log->fd, value, length, offset) == (ssize_t)length ? 0 : -1;
}
