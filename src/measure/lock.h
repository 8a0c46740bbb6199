/*
 * One pawl measures at a time on a machine. The lock is a flock on a file that only its owner can
 * open, in $XDG_RUNTIME_DIR, else /run/lock, else /tmp; the kernel drops it when the holder dies.
 * PAWL_LOCK=inherited, which pawl sets for its children, skips it: pawl can measure pawl.
 */
#ifndef PAWL_MEASURE_LOCK_H
#define PAWL_MEASURE_LOCK_H

#include <stdint.h>

#include "base/error.h"
#include "measure/interrupt.h"

/*
 * *FD_OUT is -1 when skipped. WAITING (may be NULL) is told once who holds it ("pid 123"); a lock
 * still held after WAIT_NS is an ERR_SYSTEM that names the holder.
 */
int lock_take(uint64_t wait_ns, struct interrupt *interrupt, void (*waiting)(void *ctx, const char *holder), void *ctx,
	      int *fd_out, struct error *err);
void lock_drop(int *fd);

#endif
