/* Free TCP ports for ${port} and ${port.NAME}: the same name gives the same port, no port is given twice. */
#ifndef PAWL_MEASURE_PORTS_H
#define PAWL_MEASURE_PORTS_H

#include <stddef.h>

#include "base/error.h"

struct port {
	char *name;
	int number;
};

struct ports {
	struct port *items;
	size_t n, cap;
};

/* Serves struct plan_context.port; CTX is a struct ports. */
int ports_get(void *ctx, const char *name, struct error *err);
void ports_release(struct ports *ports);

#endif
