/*
 * One pawl measures at a time on a machine. The lock is a flock on a file that only its owner can
 * open, in $XDG_RUNTIME_DIR, else /run/lock, else /tmp; the kernel drops it when the holder dies.
 * PAWL_LOCK=inherited, which pawl sets for its children, skips it: pawl can measure pawl.
 */
#ifndef PAWL_MEASURE_PROCESS_LOCK_H
#define PAWL_MEASURE_PROCESS_LOCK_H

#include <stdint.h>

struct error;
struct interrupt;
struct strv;

/*
 * *FD_OUT is for close_fd(), -1 when skipped. The file stays: if removed, two holders could lock two files of one
 * name. WAITING (may be NULL) is called once with who holds it ("pid 123"); a lock still held after WAIT_NS is an
 * ERR_SYSTEM.
 */
int lock_take(uint64_t wait_ns, struct interrupt *interrupt, void (*waiting)(void *ctx, const char *holder), void *ctx,
	      int *fd_out, struct error *err);

/*
 * What several commands read, change and write again in the folder PATH goes one after the other: the lock is a flock on
 * the folder itself, so that it leaves no file, and all who share the folder share it, in containers too. 0 with *FD_OUT
 * for close_fd(), 1 where this file system cannot lock a folder, -1; held after WAIT_NS is an ERR_SYSTEM.
 */
int lock_folder(const char *path, uint64_t wait_ns, struct interrupt *interrupt, int *fd_out, struct error *err);

/*
 * Two that were given different folders hold different locks and disturb each other, unless they see each other: a
 * descriptor that shows, as long as it is open, that this pawl measures; -1 when that cannot be shown.
 */
int lock_announce(void);
/* Appends the others that measure now, and may be seen: "pid 123"; each once. */
void lock_others(struct strv *out);

#endif
