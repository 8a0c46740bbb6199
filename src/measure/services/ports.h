/*
 * TCP ports for ${port} and ${port.NAME}: unused ones, the same for a name; with --attach, the one that the process or a
 * child of it listens on.
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
	pid_t attached;		/* 0: pick unused ports for new names */
};

/* Implements struct plan_context.port; CTX is a struct ports. */
int ports_get(void *ctx, const char *name, struct error *err);
/* Writes the ports as text, and adds the ports of such a text to OUT: ERR_INPUT if TEXT is not from ports_text(). */
void ports_text(const struct ports *ports, struct strbuf *out);
int ports_parse(const char *text, struct ports *out, struct error *err);
void ports_release(struct ports *ports);

/* Sockets that listen for TCP, IPv4 and IPv6, and their owners. Each network namespace has its own. */

struct listeners {
	struct listener *items;
	size_t n, cap;
};

/* Reads all listeners in the network namespace of PID; 0: pawl's own. PORT 0: any port. */
void listeners_read(pid_t pid, unsigned port, struct listeners *out);
void listeners_release(struct listeners *listeners);
/* Marks the listeners that PID holds. True if it holds at least one; false if pawl may not inspect PID. */
bool listeners_mark(struct listeners *listeners, pid_t pid);

#endif
