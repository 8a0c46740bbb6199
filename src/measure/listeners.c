#include "measure/listeners.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/attach.h"

static void close_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

static void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
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
