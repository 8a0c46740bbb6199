/* A growing text buffer. */
#include "words.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 65536 };

static void buffer_grow(struct buffer *b, size_t more)
{
	size_t wanted = b->length + more + 1;
	if (wanted <= b->room)
		return;
	size_t room = b->room ? b->room : 4096;
	while (room < wanted)
		room *= 2;
	b->data = realloc(b->data, room);
	if (!b->data)
		abort();
	b->room = room;
}

void buffer_add(struct buffer *b, const char *text, size_t length)
{
	buffer_grow(b, length);
	memcpy(b->data + b->length, text, length);
	b->length += length;
	b->data[b->length] = '\0';
}

int buffer_read(struct buffer *b, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	char chunk[CHUNK];
	for (;;) {
		ssize_t n = read(fd, chunk, sizeof(chunk));
		if (n <= 0) {
			close(fd);
			return (int)n;
		}
		buffer_add(b, chunk, (size_t)n);
	}
}
