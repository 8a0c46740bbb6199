/*
 * One pawl measures at a time on a machine. The lock is a flock on a file that only its owner can
 * open, in $XDG_RUNTIME_DIR, else /run/lock, else /tmp; the kernel drops it when the holder dies.
 * PAWL_LOCK=inherited, which pawl sets for its children, skips it: pawl can measure pawl.
 */
#ifndef PAWL_MEASURE_PROCESS_LOCK_H
#define PAWL_MEASURE_PROCESS_LOCK_H

#include <stdint.h>

#include "base/error.h"
#include "base/strv.h"
#include "measure/process/interrupt.h"

/*
 * *FD_OUT is -1 when skipped. WAITING (may be NULL) is told once who holds it ("pid 123"); a lock
 * still held after WAIT_NS is an ERR_SYSTEM that names the holder.
 */
int lock_take(uint64_t wait_ns, struct interrupt *interrupt, void (*waiting)(void *ctx, const char *holder), void *ctx,
	      int *fd_out, struct error *err);
void lock_drop(int *fd);

/*
 * What several commands read, change and write again in the folder PATH goes one after the other: the lock is a flock on
 * the folder itself, so that it leaves no file, and all who share the folder share it, in containers too. 0 with *FD_OUT
 * for lock_drop(), 1 where this file system cannot lock a folder, -1; held after WAIT_NS is an ERR_SYSTEM.
 */
int lock_folder(const char *path, uint64_t wait_ns, struct interrupt *interrupt, int *fd_out, struct error *err);

/*
 * Two that were given different folders hold different locks and disturb each other, unless they see each other: a
 * descriptor that tells that this pawl measures, as long as it is open, in whatever folder its lock is; -1 when that
 * cannot be told.
 */
int lock_announce(void);
/* Appends the others that measure now, and may be seen: "pid 123"; each once. */
void lock_others(struct strv *out);

#endif
