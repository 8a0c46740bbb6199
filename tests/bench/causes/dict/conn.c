#include "dict.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static size_t answer(const char *word, char *out, size_t room)
{
	const struct entry *e = table_find(word);
	int n = e ? snprintf(out, room, "%s: %s\n", word, e->meaning) : snprintf(out, room, "%s is not known\n", word);
	return n < 0 || (size_t)n >= room ? 0 : (size_t)n;
}

static int send_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);
		if (n <= 0)
			return -1;
		data += n;
		size -= (size_t)n;
	}
	return 0;
}

int conn_serve(struct conn *c)
{
	ssize_t got = read(c->fd, c->in + c->held, sizeof(c->in) - c->held - 1);
	if (got <= 0)
		return -1;
	c->held += (size_t)got;
	c->in[c->held] = 0;
	char out[16384];
	size_t made = 0;
	char *line = c->in, *end;
	while ((end = strchr(line, '\n'))) {
		*end = 0;
		made += answer(line, out + made, sizeof(out) - made);
		line = end + 1;
	}
	c->held -= (size_t)(line - c->in);
	memmove(c->in, line, c->held);
	return send_all(c->fd, out, made);
}
