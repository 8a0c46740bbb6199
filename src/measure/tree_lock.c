#include "measure/tree_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure/clock.h"

enum { TRY_EVERY_MS = 50 };

/* Whoever removes a tree removes its lock too: what is held must still be what PATH names. */
static bool still_there(int fd, const char *path)
{
	struct stat held, named;

	return fstat(fd, &held) == 0 && lstat(path, &named) == 0 && held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/* The descriptor, -2 while others hold it, -1 with an error. */
static int try_lock(const char *path, bool shared, struct error *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600), why;

	if (fd < 0)
		return error_sys(err, errno, "cannot open the lock file %s", path);
	if (flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 && still_there(fd, path))
		return fd;
	why = errno;
	close(fd);
	if (why != EWOULDBLOCK && why != EINTR && why != ENOENT && why != 0)
		return error_sys(err, why, "cannot lock %s", path);
	return -2;
}

int tree_lock(const char *path, bool shared, struct interrupt *interrupt, uint64_t wait_ns, struct error *err)
{
	uint64_t deadline = clock_now_ns() + wait_ns;

	for (;;) {
		struct pollfd p = { .fd = interrupt ? interrupt->fd : -1, .events = POLLIN };
		int fd;

		errno = 0;
		fd = try_lock(path, shared, err);
		if (fd != -2)
			return fd;
		if (clock_now_ns() >= deadline)
			return error_set(err, ERR_SYSTEM, "another pawl builds or uses this tree, and still did after %.3g s; "
					 "wait for it (lock file %s)", (double)wait_ns / 1e9, path);
		if (poll(&p, 1, TRY_EVERY_MS) > 0 && interrupt_check(interrupt, err) < 0)
			return -1;
	}
}

void tree_lock_share(int fd)
{
	flock(fd, LOCK_SH);
}
