#include "measure/ports.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

enum { TRIES = 64 };

static bool given(const struct ports *ports, int number)
{
	for (size_t i = 0; i < ports->n; i++)
		if (ports->items[i].number == number)
			return true;
	return false;
}

/* The kernel picks one that nobody listens on. */
static int free_port(struct error *err)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof addr;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), number = -1;

	if (fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof addr) == 0 &&
	    getsockname(fd, (struct sockaddr *)&addr, &len) == 0)
		number = ntohs(addr.sin_port);
	else
		error_sys(err, errno, "cannot find a free TCP port");
	if (fd >= 0)
		close(fd);
	return number;
}

int ports_get(void *ctx, const char *name, struct error *err)
{
	struct ports *ports = ctx;
	int number;

	for (size_t i = 0; i < ports->n; i++)
		if (!strcmp(ports->items[i].name, name))
			return ports->items[i].number;
	for (int i = 0; i < TRIES; i++) {
		number = free_port(err);
		if (number < 0)
			return -1;
		if (given(ports, number))
			continue;
		VEC_GROW(ports->items, ports->n, ports->cap);
		ports->items[ports->n++] = (struct port){ .name = xstrdup(name), .number = number };
		return number;
	}
	return error_set(err, ERR_SYSTEM, "cannot find a free TCP port that was not given already");
}

void ports_release(struct ports *ports)
{
	for (size_t i = 0; i < ports->n; i++)
		free(ports->items[i].name);
	free(ports->items);
	*ports = (struct ports){ 0 };
}
