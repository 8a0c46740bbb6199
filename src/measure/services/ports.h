/*
 * TCP ports for ${port} and ${port.NAME}. They are free ones: the same name gives the same port, no port
 * is given twice. For a scenario that is attached to a process that runs already (--attach) it is the
 * one that this process, or a child of it, listens on.
 */
#ifndef PAWL_MEASURE_SERVICES_PORTS_H
#define PAWL_MEASURE_SERVICES_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct error;
struct listener;
struct strbuf;

struct port {
	char *name;
	int number;
};

struct ports {
	struct port *items;
	size_t n, cap;
	pid_t attached;		/* 0: free ports are wanted, for names that have none yet */
};

/* Serves struct plan_context.port; CTX is a struct ports. */
int ports_get(void *ctx, const char *name, struct error *err);
/* As text, and back, which adds to OUT: an ERR_INPUT where TEXT is none of ports_text()'s. */
void ports_text(const struct ports *ports, struct strbuf *out);
int ports_parse(const char *text, struct ports *out, struct error *err);
void ports_release(struct ports *ports);

/*
 * Sockets that listen for TCP, IPv4 and IPv6, and who holds them. Each network namespace has its
 * own: those of a container are asked for by one of its processes.
 */

struct listeners {
	struct listener *items;
	size_t n, cap;
};

/* All that listen in the network namespace of PID; 0: in pawl's own. PORT 0: on whatever port. */
void listeners_read(pid_t pid, unsigned port, struct listeners *out);
void listeners_release(struct listeners *listeners);
/* Mark those that PID holds; true when it holds one. False as well when PID is not ours to look at. */
bool listeners_mark(struct listeners *listeners, pid_t pid);

#endif
