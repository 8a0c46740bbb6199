/*
 * Only one pawl measures at a time on a machine. The lock is a flock on a file that only its owner can open, in
 * $XDG_RUNTIME_DIR, else /run/lock, else /tmp. The kernel drops it when the holder dies. PAWL_LOCK=inherited, which
 * pawl sets for its children, skips the lock, so that pawl can measure pawl.
 */
#ifndef PAWL_MEASURE_PROCESS_LOCK_H
#define PAWL_MEASURE_PROCESS_LOCK_H

#include <stdint.h>

struct error;
struct interrupt;
struct strv;

/*
 * Takes the lock. *FD_OUT is for close_fd(), -1 if skipped. The file stays: if it were removed, two holders could lock
 * two files of the same name. WAITING (may be NULL) is called once with the holder ("pid 123"). ERR_SYSTEM if the lock
 * is still held after WAIT_NS.
 */
int lock_take(uint64_t wait_ns, struct interrupt *interrupt, void (*waiting)(void *ctx, const char *holder), void *ctx,
	      int *fd_out, struct error *err);

/*
 * Opens PATH with FLAGS of open(2) and locks it, HOW flock(2) does: LOCK_EX or LOCK_SH. If another file has the name by
 * then, locks that. Returns 0 with *FD_OUT for close_fd(), 1 if it is still held after WAIT_NS, or -1.
 */
int lock_open(const char *path, int flags, int how, uint64_t wait_ns, struct interrupt *interrupt, int *fd_out, struct error *err);

/*
 * Serialises commands that read, change and write files in the folder PATH. The lock is a flock on the folder itself.
 * It leaves no file, and everyone who shares the folder shares it, even in containers. Returns 0 with *FD_OUT for
 * close_fd(), 1 if the file system cannot lock a folder, or -1. ERR_SYSTEM if it is still held after WAIT_NS.
 */
int lock_folder(const char *path, uint64_t wait_ns, struct interrupt *interrupt, int *fd_out, struct error *err);

/*
 * Two pawls with different lock folders hold different locks and disturb each other. Returns a descriptor that, while
 * it is open, announces that this pawl measures; -1 if that is not possible.
 */
int lock_announce(void);
/* Appends each other visible pawl that measures now, once: "pid 123". */
void lock_others(struct strv *out);

#endif
