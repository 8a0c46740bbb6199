/* A lock file beside each cached tree: exclusive while it is built, shared while it is used. */
#ifndef PAWL_MEASURE_TREE_LOCK_H
#define PAWL_MEASURE_TREE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "measure/interrupt.h"

/* Waits at most WAIT_NS (0: not at all); the descriptor, to be closed, or -1. */
int tree_lock(const char *path, bool shared, struct interrupt *interrupt, uint64_t wait_ns, struct error *err);
/* From here on others may use it too. */
void tree_lock_share(int fd);

#endif
