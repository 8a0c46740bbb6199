/*
 * TCP ports for ${port} and ${port.NAME}. They are free ones: the same name gives the same port, no port
 * is given twice. For a scenario that is attached to a process that runs already (--attach) it is the
 * one that this process, or a child of it, listens on.
 */
#ifndef PAWL_MEASURE_PORTS_H
#define PAWL_MEASURE_PORTS_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/strbuf.h"

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

#endif
