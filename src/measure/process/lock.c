#include "measure/process/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "model/metrics/numbers.h"

enum { TRY_EVERY_MS = 50 };

static const char *lock_dir(void)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (runtime && *runtime == '/' && access(runtime, W_OK) == 0)
		return runtime;
	return access("/run/lock", W_OK) == 0 ? "/run/lock" : "/tmp";
}

/* Returns -1 with EISDIR if it is not a regular file. */
static int open_lock(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	struct stat st;

	if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = EISDIR;
	return -1;
}

/* Another user's file, or another object, may have the name. */
static int open_somewhere(struct strbuf *path, struct error *err)
{
	int fd;

	strbuf_addf(path, "%s/pawl.lock", lock_dir());
	fd = open_lock(path->buf);
	if (fd < 0 && (errno == EACCES || errno == EISDIR || errno == ELOOP || errno == ENXIO)) {
		strbuf_reset(path);
		strbuf_addf(path, "%s/pawl-%u.lock", lock_dir(), (unsigned)getuid());
		fd = open_lock(path->buf);
	}
	return fd < 0 ? error_sys(err, errno, "cannot open the lock file %s", path->buf) : fd;
}

static void read_holder(int fd, char holder[64])
{
	ssize_t got = pread(fd, holder, 63, 0);

	holder[got > 0 ? got - 1 : 0] = '\0';
	if (!holder[0])
		snprintf(holder, 64, "unknown");
}

static int wait_for_lock(int fd, const char *path, const struct lock_way *way, uint64_t deadline, struct error *err)
{
	while (flock(fd, way->how | LOCK_NB) < 0) {
		struct pollfd p = { .fd = way->interrupt ? way->interrupt->fd : -1, .events = POLLIN };

		if (errno != EWOULDBLOCK && errno != EINTR)
			return error_sys(err, errno, "cannot lock %s", path);
		if (clock_now_ns() >= deadline)
			return 1;
		if (poll(&p, 1, TRY_EVERY_MS) > 0 && interrupt_check(way->interrupt, err) < 0)
			return -1;
	}
	return 0;
}

int lock_take(uint64_t wait_ns, struct interrupt *interrupt, void (*waiting)(void *ctx, const char *holder), void *ctx,
	      int *fd_out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;
	CLEANUP(close_fd) int fd = -1;
	const struct lock_way way = { .how = LOCK_EX, .interrupt = interrupt };
	const char *inherited = getenv("PAWL_LOCK");
	char holder[64];
	int waited;

	if (inherited && !strcmp(inherited, "inherited")) {
		*fd_out = -1;
		return 0;
	}
	fd = open_somewhere(&path, err);
	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		read_holder(fd, holder);
		if (waiting)
			waiting(ctx, holder);
		waited = wait_for_lock(fd, path.buf, &way, clock_now_ns() + wait_ns, err);
		if (waited < 0)
			return -1;
		read_holder(fd, holder);
		if (waited)
			return error_set(err, ERR_SYSTEM,
					 "another pawl (%s) is measuring on this machine and still was after %s; wait for it, "
					 "or raise --lock-wait (lock file %s)", holder, format_duration(wait_ns).s, path.buf);
	}
	/* A failure does not affect the lock. The text is for messages of other pawls. */
	snprintf(holder, sizeof holder, "pid %d\n", (int)getpid());
	if (ftruncate(fd, 0) == 0)
		(void)!pwrite(fd, holder, strlen(holder), 0);
	*fd_out = fd;
	fd = -1;
	return 0;
}

int lock_open(const char *path, const struct lock_way *way, int *fd_out, struct error *err)
{
	uint64_t deadline = clock_now_ns() + way->wait_ns;

	for (;;) {
		struct stat held, named;
		CLEANUP(close_fd) int fd = open(path, way->flags | O_CLOEXEC, 0600);
		int waited;

		if (fd < 0)
			return error_sys(err, errno, "cannot open %s to lock it", path);
		waited = wait_for_lock(fd, path, way, deadline, err);
		if (waited)
			return waited;
		if (fstat(fd, &held) == 0 && stat(path, &named) == 0 && held.st_dev == named.st_dev && held.st_ino == named.st_ino) {
			*fd_out = fd;
			fd = -1;
			return 0;
		}
	}
}

int lock_folder(const char *path, uint64_t wait_ns, struct interrupt *interrupt, int *fd_out, struct error *err)
{
	const struct lock_way way = { O_RDONLY | O_DIRECTORY, LOCK_EX, wait_ns, interrupt };
	struct error why = ERROR_INIT;
	int ret = lock_open(path, &way, fd_out, &why);

	/* Some network file systems lock only what is open for writing. */
	if (ret < 0 && why.kind == ERR_SYSTEM && (why.sys == EBADF || why.sys == ENOLCK || why.sys == EOPNOTSUPP || why.sys == EINVAL ||
						   why.sys == ENOSYS))
		return 1;
	if (ret > 0)
		return error_set(err, ERR_SYSTEM, "another pawl writes to %s and still did after %s", path, format_duration(wait_ns).s);
	return ret < 0 ? error_copy(err, &why) : ret;
}

/* -------- pawls with another lock */

/* Visible to every user of the machine, and gone with its owner. */
static const char announced[] = "pawl-measures-";
enum { SOCKETS_LARGEST = 4 << 20 };

int lock_announce(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int len = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s%d", announced, (int)getpid());

	len += (int)offsetof(struct sockaddr_un, sun_path) + 1;
	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, (socklen_t)len) < 0)
		close_fd(&fd);
	return fd;
}

void lock_others(struct strv *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	file_read("/proc/net/unix", SOCKETS_LARGEST, &text, NULL);
	for (const char *at = text.buf; (at = strstr(at, announced));) {
		long pid = strtol(at += sizeof announced - 1, NULL, 10);
		CLEANUP(free_ptr) char *words = text_printf("pid %ld", pid);

		if (pid > 0 && pid != getpid() && !strv_has(out, words))
			strv_push(out, words);
	}
}
