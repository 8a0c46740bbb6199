/* What the keeper needs to start a child, laid out in a memory file (see wire.h, struct wire_request). */
#ifndef PAWL_MEASURE_SPAWN_REQUEST_H
#define PAWL_MEASURE_SPAWN_REQUEST_H

#include "measure/child.h"

/* A descriptor of the memory file, or -1. */
int spawn_request_build(const struct child_spec *spec, const char *owner, uint32_t job, struct error *err);

#endif
