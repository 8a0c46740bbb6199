#include "measure/ports.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/parse.h"
#include "measure/attach.h"

enum { TRIES = 64, LISTED_MOST = 16 };

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

static int port_of_process(pid_t pid, const char *name, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	struct processes all = { 0 }, tree = { 0 };
	int found[LISTED_MOST];
	bool gone;
	size_t n;

	processes_read(&all);
	processes_add_tree(&tree, &all, pid);
	gone = !tree.n;
	n = listening_ports(&tree, found, LISTED_MOST);
	processes_release(&all);
	processes_release(&tree);
	if (n == 1)
		return found[0];
	for (size_t i = 0; i < n && i < LISTED_MOST; i++)
		strbuf_addf(&list, "%s%d", i ? ", " : "", found[i]);
	if (gone)
		return error_set(err, ERR_TARGET, "there is no process %d (any more); is the program running?", (int)pid);
	if (!n)
		return error_set(err, ERR_TARGET, "process %d listens on no TCP port that could be seen, so ${port} is unknown",
				 (int)pid);
	return error_set(err, ERR_TARGET,
			 "process %d listens on ports %s: which is ${port%s%s}? Write its number into the scenario",
			 (int)pid, list.buf, *name ? "." : "", name);
}

static void add(struct ports *ports, char *name, int number)
{
	VEC_GROW(ports->items, ports->n, ports->cap);
	ports->items[ports->n++] = (struct port){ .name = name, .number = number };
}

int ports_get(void *ctx, const char *name, struct error *err)
{
	struct ports *ports = ctx;
	int number;

	for (size_t i = 0; i < ports->n; i++)
		if (!strcmp(ports->items[i].name, name))
			return ports->items[i].number;
	if (ports->attached)
		return port_of_process(ports->attached, name, err);
	for (int i = 0; i < TRIES; i++) {
		number = free_port(err);
		if (number < 0)
			return -1;
		if (given(ports, number))
			continue;
		add(ports, xstrdup(name), number);
		return number;
	}
	return error_set(err, ERR_SYSTEM, "cannot find a free TCP port that was not given already");
}

void ports_text(const struct ports *ports, struct strbuf *out)
{
	for (size_t i = 0; i < ports->n; i++)
		strbuf_addf(out, "%d %s\n", ports->items[i].number, ports->items[i].name);
}

int ports_parse(const char *text, struct ports *out, struct error *err)
{
	while (*text) {
		size_t number_len = strcspn(text, " \n"), len = strcspn(text, "\n");
		CLEANUP(free_ptr) char *number = xstrndup(text, number_len);
		uint64_t port;

		if (number_len == len || !text[len] || parse_u64(number, &port, NULL) < 0 || !port || port > UINT16_MAX)
			return error_set(err, ERR_INPUT, "expected lines of a port and its name, found '%.60s'", text);
		add(out, xstrndup(text + number_len + 1, len - number_len - 1), (int)port);
		text += len + 1;
	}
	return 0;
}

void ports_release(struct ports *ports)
{
	for (size_t i = 0; i < ports->n; i++)
		free(ports->items[i].name);
	free(ports->items);
	*ports = (struct ports){ 0 };
}
