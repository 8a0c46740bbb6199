#include "measure/services/services.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "measure/process/process.h"

/* -------- who listens */

static void close_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

/* Line by line: a busy server's table has a line for each of its connections. */
static void read_table(const char *path, unsigned port, struct listeners *out)
{
	CLEANUP(close_file) FILE *file = fopen(path, "re");
	CLEANUP(free_ptr) char *line = NULL;
	struct proc_listener socket;
	size_t cap = 0;

	while (file && getline(&line, &cap, file) > 0) {
		if (!proc_net_listener(line, &socket) || (port && socket.port != port))
			continue;
		VEC_GROW(out->items, out->n, out->cap);
		out->items[out->n++] = (struct listener){ .socket = socket };
	}
}

void listeners_read(pid_t pid, unsigned port, struct listeners *out)
{
	static const char *const tables[] = { "tcp", "tcp6" };

	*out = (struct listeners){ 0 };
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		char path[64];

		snprintf(path, sizeof path, "/proc/%d/net/%s", (int)(pid ? pid : getpid()), tables[i]);
		read_table(path, port, out);
	}
}

void listeners_release(struct listeners *listeners)
{
	free(listeners->items);
	*listeners = (struct listeners){ 0 };
}

static bool mark_socket(struct listeners *listeners, uint64_t inode)
{
	for (size_t i = 0; i < listeners->n; i++)
		if (listeners->items[i].socket.inode == inode)
			return listeners->items[i].held = true;
	return false;
}

bool listeners_mark(struct listeners *listeners, pid_t pid)
{
	char path[64], link[64];
	const struct dirent *entry;
	bool any = false;

	if (!listeners->n)
		return false;
	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	CLEANUP(close_dir) DIR *dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		ssize_t len = readlinkat(dirfd(dir), entry->d_name, link, sizeof link - 1);
		uint64_t inode;

		if (len <= 0)
			continue;
		link[len] = '\0';
		if (proc_net_socket(link, &inode) && mark_socket(listeners, inode))
			any = true;
	}
	return any;
}

void port_listeners(int port, struct processes *out)
{
	CLEANUP(listeners_release) struct listeners listeners = { 0 };
	CLEANUP(processes_release) struct processes all = { 0 };

	*out = (struct processes){ 0 };
	if (port <= 0)
		return;
	listeners_read(0, (unsigned)port, &listeners);
	if (!listeners.n)
		return;
	processes_read(&all);
	for (size_t i = 0; i < all.n; i++)
		if (listeners_mark(&listeners, all.items[i].pid))
			processes_add(out, &all.items[i]);
}

/* -------- the ports of given processes */

struct port_list {
	int *items;
	size_t n, cap;
};

static void add_port(struct port_list *ports, int port)
{
	size_t i = 0;

	while (i < ports->n && ports->items[i] < port)
		i++;
	if (i < ports->n && ports->items[i] == port)
		return;
	VEC_GROW(ports->items, ports->n, ports->cap);
	memmove(ports->items + i + 1, ports->items + i, (ports->n++ - i) * sizeof port);
	ports->items[i] = port;
}

size_t listening_ports(const struct processes *processes, int *ports, size_t max)
{
	CLEANUP(listeners_release) struct listeners listeners = { 0 };
	struct port_list found = { 0 };
	ino_t network = 0, last = 0;

	for (size_t i = 0; i < processes->n; i++, last = network) {
		network = process_namespace(processes->items[i].pid, "net");
		/* Mostly all share one namespace, whose tables need to be read once. */
		if (!i || network != last) {
			listeners_release(&listeners);
			listeners_read(processes->items[i].pid, 0, &listeners);
		}
		for (size_t k = 0; k < listeners.n; k++)
			listeners.items[k].held = false;
		listeners_mark(&listeners, processes->items[i].pid);
		for (size_t k = 0; k < listeners.n; k++)
			if (listeners.items[k].held)
				add_port(&found, (int)listeners.items[k].socket.port);
	}
	for (size_t i = 0; i < found.n && i < max; i++)
		ports[i] = found.items[i];
	free(found.items);
	return found.n;
}

/* -------- free ports */

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
