/*
 * Only one pawl measures at a time on a machine. The lock is a flock on a file in $XDG_RUNTIME_DIR, else /run/lock, else
 * /tmp. PAWL_LOCK=inherited, which pawl sets for its children, skips it, so that pawl can measure pawl.
 */
#ifndef PAWL_MEASURE_PROCESS_LOCK_H
#define PAWL_MEASURE_PROCESS_LOCK_H

#include <stdint.h>

struct error;
struct interrupt;
struct strv;

/*
 * Takes the lock. *FD_OUT is for close_fd(), -1 if skipped. WAITING (may be NULL) is called once with the holder ("pid
 * 123"). ERR_SYSTEM if the lock is still held after WAIT_NS.
 */
int lock_take(uint64_t wait_ns, struct interrupt *interrupt, void (*waiting)(void *ctx, const char *holder), void *ctx,
	      int *fd_out, struct error *err);

struct lock_way {
	int flags;	/* of open(2) */
	int how;	/* of flock(2): LOCK_EX or LOCK_SH */
	uint64_t wait_ns;
	struct interrupt *interrupt;
};

/*
 * Opens PATH and locks it. If another file has the name by then, locks that. Returns 0 with *FD_OUT for close_fd(), 1 if
 * it is still held after WAIT_NS, or -1.
 */
int lock_open(const char *path, const struct lock_way *way, int *fd_out, struct error *err);

/*
 * Serialises commands that change files in the folder PATH, by a lock on the folder itself. Returns 0 with *FD_OUT for
 * close_fd(), 1 if the file system cannot lock a folder, or -1. ERR_SYSTEM if it is still held after WAIT_NS.
 */
int lock_folder(const char *path, uint64_t wait_ns, struct interrupt *interrupt, int *fd_out, struct error *err);

/* Announces to pawls with another lock that this one measures, while the returned descriptor is open; -1: not possible. */
int lock_announce(void);
/* Appends each other visible pawl that measures now, once: "pid 123". */
void lock_others(struct strv *out);

#endif
