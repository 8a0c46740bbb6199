#include "measure/services/ports.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "base/parse.h"
#include "measure/files/files.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "measure/services/attach.h"

/* -------- listening processes */

static void close_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

void listeners_read(pid_t pid, unsigned port, struct listeners *out)
{
	static const char *const tables[] = { "tcp", "tcp6" };

	*out = (struct listeners){ 0 };
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		CLEANUP(free_ptr) char *path = text_printf("/proc/%d/net/%s", (int)(pid ? pid : getpid()), tables[i]), *line = NULL;
		CLEANUP(close_file) FILE *file = fopen(path, "re");
		struct listener socket;
		size_t cap = 0;

		/* A busy server's table has a line for each connection. */
		while (file && getline(&line, &cap, file) > 0)
			if (proc_net_listener(line, &socket) && (!port || socket.port == port))
				*VEC_ADD(out->items, out->n, out->cap) = socket;
	}
}

void listeners_release(struct listeners *listeners)
{
	free(listeners->items);
	*listeners = (struct listeners){ 0 };
}

bool listeners_mark(struct listeners *listeners, pid_t pid)
{
	CLEANUP(free_ptr) char *path = text_printf("/proc/%d/fd", (int)pid);
	CLEANUP(close_dir) DIR *dir = listeners->n ? opendir(path) : NULL;
	const struct dirent *entry;
	bool any = false;

	while (dir && (entry = readdir(dir))) {
		char link[64];
		ssize_t len = readlinkat(dirfd(dir), entry->d_name, link, sizeof link - 1);
		uint64_t inode;

		if (len <= 0)
			continue;
		link[len] = '\0';
		if (!proc_net_socket(link, &inode))
			continue;
		for (size_t i = 0; i < listeners->n; i++)
			if (listeners->items[i].inode == inode)
				any = listeners->items[i].held = true;
	}
	return any;
}

void port_listeners(int port, struct processes *out)
{
	CLEANUP(listeners_release) struct listeners listeners = { 0 };
	CLEANUP(processes_release) struct processes all = { 0 };

	*out = (struct processes){ 0 };
	listeners_read(0, (unsigned)port, &listeners);
	if (!listeners.n)
		return;
	processes_read(&all);
	for (size_t i = 0; i < all.n; i++)
		if (listeners_mark(&listeners, all.items[i].pid))
			processes_add(out, &all.items[i]);
}

size_t listening_ports(const struct processes *processes, int *ports, size_t max)
{
	CLEANUP(listeners_release) struct listeners listeners = { 0 };
	bool found[UINT16_MAX + 1] = { false };
	ino_t network = 0, last = 0;
	size_t n = 0;

	for (size_t i = 0; i < processes->n; i++, last = network) {
		network = process_namespace(processes->items[i].pid, "net");
		/* Processes usually share a namespace, whose tables are then read once. */
		if (!i || network != last) {
			listeners_release(&listeners);
			listeners_read(processes->items[i].pid, 0, &listeners);
		}
		for (size_t k = 0; k < listeners.n; k++)
			listeners.items[k].held = false;
		listeners_mark(&listeners, processes->items[i].pid);
		for (size_t k = 0; k < listeners.n; k++)
			if (listeners.items[k].held)
				found[listeners.items[k].port] = true;
	}
	for (int port = 0; port <= UINT16_MAX; port++)
		if (found[port] && n++ < max)
			ports[n - 1] = port;
	return n;
}

/* -------- free ports */

enum { TRIES = 64, LISTED_MOST = 16 };

static int free_port(struct error *err)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof addr;
	CLEANUP(close_fd) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof addr) < 0 ||
	    getsockname(fd, (struct sockaddr *)&addr, &len) < 0)
		return error_sys(err, errno, "cannot find a free TCP port");
	return ntohs(addr.sin_port);
}

static int port_of_process(pid_t pid, const char *name, struct error *err)
{
	CLEANUP(processes_release) struct processes all = { 0 }, tree = { 0 };
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	int found[LISTED_MOST];
	size_t n;

	processes_read(&all);
	processes_add_tree(&tree, &all, pid);
	if (!tree.n)
		return error_set(err, ERR_TARGET, "there is no process %d (any more); is the program running?", (int)pid);
	n = listening_ports(&tree, found, LISTED_MOST);
	if (n == 1)
		return found[0];
	if (!n)
		return error_set(err, ERR_TARGET, "process %d listens on no TCP port that could be seen, so ${port} is unknown",
				 (int)pid);
	for (size_t i = 0; i < n && i < LISTED_MOST; i++)
		strbuf_addf(&list, "%s%d", i ? ", " : "", found[i]);
	return error_set(err, ERR_TARGET,
			 "process %d listens on ports %s: which is ${port%s%s}? Write its number into the scenario",
			 (int)pid, list.buf, *name ? "." : "", name);
}

static void add(struct ports *ports, char *name, int number)
{
	*VEC_ADD(ports->items, ports->n, ports->cap) = (struct port){ .name = name, .number = number };
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
		size_t k = 0;

		number = free_port(err);
		if (number < 0)
			return -1;
		while (k < ports->n && ports->items[k].number != number)
			k++;
		if (k == ports->n) {
			add(ports, xstrdup(name), number);
			return number;
		}
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
