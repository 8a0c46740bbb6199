#include "measure/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "measure/clock.h"
#include "measure/files.h"

enum { TRY_EVERY_MS = 50 };

static const char *lock_dir(void)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (runtime && *runtime == '/' && access(runtime, W_OK) == 0)
		return runtime;
	return access("/run/lock", W_OK) == 0 ? "/run/lock" : "/tmp";
}

static int open_lock(const char *path)
{
	return open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Where another user's lock file stands in the way, each user has their own. */
static int open_somewhere(struct strbuf *path, struct error *err)
{
	int fd;

	strbuf_addf(path, "%s/pawl.lock", lock_dir());
	fd = open_lock(path->buf);
	if (fd < 0 && errno == EACCES) {
		strbuf_reset(path);
		strbuf_addf(path, "%s/pawl-%u.lock", lock_dir(), (unsigned)getuid());
		fd = open_lock(path->buf);
	}
	return fd < 0 ? error_sys(err, errno, "cannot open the lock file %s", path->buf) : fd;
}

static void write_holder(int fd)
{
	char text[64];
	int len = snprintf(text, sizeof text, "pid %d\n", (int)getpid());

	/* Only for the words of another pawl's error: a failure to write it is none of the lock. */
	if (ftruncate(fd, 0) < 0 || pwrite(fd, text, (size_t)len, 0) < 0)
		return;
}

static int held_by_other(int fd, const char *path, uint64_t wait_ns, struct error *err)
{
	char text[64] = "";
	ssize_t got = pread(fd, text, sizeof text - 1, 0);

	text[got > 0 ? got - 1 : 0] = '\0';
	return error_set(err, ERR_SYSTEM,
			 "another pawl (%s) is measuring on this machine and still was after %.3g s; wait for it, "
			 "or raise --lock-wait (lock file %s)", text[0] ? text : "unknown", (double)wait_ns / 1e9, path);
}

int lock_take(uint64_t wait_ns, struct interrupt *interrupt, int *fd_out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;
	const char *inherited = getenv("PAWL_LOCK");
	uint64_t deadline = clock_now_ns() + wait_ns;
	int fd;

	if (inherited && !strcmp(inherited, "inherited")) {
		*fd_out = -1;
		return 0;
	}
	fd = open_somewhere(&path, err);
	if (fd < 0)
		return -1;
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		struct pollfd p = { .fd = interrupt ? interrupt->fd : -1, .events = POLLIN };

		if (errno != EWOULDBLOCK && errno != EINTR)
			error_sys(err, errno, "cannot lock %s", path.buf);
		else if (clock_now_ns() >= deadline)
			held_by_other(fd, path.buf, wait_ns, err);
		else if (poll(&p, 1, TRY_EVERY_MS) <= 0 || interrupt_check(interrupt, err) == 0)
			continue;
		close(fd);
		return -1;
	}
	write_holder(fd);
	*fd_out = fd;
	return 0;
}

/* The file stays: removing it would let two holders lock two files of one name. */
void lock_drop(int *fd)
{
	if (*fd < 0)
		return;
	close(*fd);
	*fd = -1;
}
