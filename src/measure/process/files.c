#include "measure/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

/* -------- writing */

/* The half of files.h that changes the disk: atomic writes and removal. */

#define TEMPORARY_START ".pawl-"
#define TEMPORARY_END ".tmp"
enum { TEMPORARIES_MOST = 1000 };

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

static char *temporary_name(unsigned i)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_addf(&name, TEMPORARY_START "%ld-%u" TEMPORARY_END, (long)getpid(), i);
	return strbuf_take(&name);
}

/*
 * A new file in DIR, its name in *NAME_OUT for free(). Made by hand because mkstemp() ignores the
 * umask: results are for others to read.
 */
static int open_temporary(int dir, int flags, mode_t mode, char **name_out)
{
	for (unsigned i = 0; i < TEMPORARIES_MOST; i++) {
		CLEANUP(free_ptr) char *name = temporary_name(i);
		int fd = openat(dir, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);

		if (fd < 0 && errno == EEXIST)
			continue;
		if (fd >= 0)
			*name_out = take_ptr(&name);
		return fd;
	}
	return -1;
}

/* The same for the file without a name that is open as PATH. */
static int link_temporary(int dir, const char *path, char **name_out)
{
	for (unsigned i = 0; i < TEMPORARIES_MOST; i++) {
		CLEANUP(free_ptr) char *name = temporary_name(i);

		if (linkat(AT_FDCWD, path, dir, name, AT_SYMLINK_FOLLOW) == 0) {
			*name_out = take_ptr(&name);
			return 0;
		}
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

/* Write, sync and close FD whatever happens; -1 with errno of the first failure. */
static int fill(int fd, const void *data, size_t len)
{
	int sys = write_all(fd, data, len) < 0 || fsync(fd) < 0 ? errno : 0;

	if (close(fd) < 0 && !sys)
		sys = errno;
	errno = sys;
	return sys ? -1 : 0;
}

/*
 * DATA as a file of DIR with a temporary name, for free(). It gets the name once it is whole, where the file system has
 * files without one: whoever is killed while writing leaves nothing.
 */
static int write_temporary(int dir, const void *data, size_t len, char **name_out)
{
	int fd = openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	char path[64];
	int sys;

	if (fd < 0) {
		fd = open_temporary(dir, O_WRONLY, 0666, name_out);
		return fd < 0 ? -1 : fill(fd, data, len);
	}
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (write_all(fd, data, len) < 0 || fsync(fd) < 0 || link_temporary(dir, path, name_out) < 0) {
		sys = errno;
		close(fd);
		errno = sys;
		return -1;
	}
	return close(fd);
}

static int replace_in(int dir, const char *name, const void *data, size_t len)
{
	CLEANUP(free_ptr) char *temporary = NULL;
	int sys;

	if (write_temporary(dir, data, len, &temporary) == 0 && renameat(dir, temporary, dir, name) == 0) {
		fsync(dir);
		return 0;
	}
	sys = errno;
	if (temporary)
		unlinkat(dir, temporary, 0);
	errno = sys;
	return -1;
}

/* A device would be replaced by a file, and so would /dev/stdout, which is a link. */
static bool is_written_through(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return false;
	return S_ISCHR(st.st_mode) || (S_ISLNK(st.st_mode) && (!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6)));
}

static int write_through(const char *path, const void *data, size_t len, struct error *err)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
	int sys = fd < 0 || write_all(fd, data, len) < 0 ? errno : 0;

	if (fd >= 0 && close(fd) < 0 && !sys)
		sys = errno;
	return sys ? error_sys(err, sys, "cannot write '%s'", path) : 0;
}

int file_write(const char *path, const void *data, size_t len, struct error *err)
{
	CLEANUP(free_ptr) char *parent = path_parent(path);
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	int dir, sys;

	if (!*name)
		return error_set(err, ERR_INPUT, "cannot write '%s': it names a folder, not a file", path);
	if (is_written_through(path))
		return write_through(path, data, len, err);
	if (file_make_dirs(parent, err) < 0)
		return -1;
	dir = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return error_sys(err, errno, "cannot write '%s'", path);
	sys = replace_in(dir, name, data, len) < 0 ? errno : 0;
	close(dir);
	return sys ? error_sys(err, sys, "cannot write '%s'", path) : 0;
}

/* -------- files without a name */

int file_unnamed(const char *dir, struct error *err)
{
	CLEANUP(free_ptr) char *name = NULL;
	int fd, parent;

	if (file_make_dirs(dir, err) < 0)
		return -1;
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	/* Not every file system can. */
	parent = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = parent < 0 ? -1 : open_temporary(parent, O_RDWR, 0600, &name);
	if (fd < 0)
		error_sys(err, errno, "cannot write in '%s'", dir);
	else
		unlinkat(parent, name, 0);
	if (parent >= 0)
		close(parent);
	return fd;
}

/* What has lost its name gets none again: it is copied. */
static int copy_to(int fd, const char *path)
{
	int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), sys;
	char chunk[1 << 16];
	ssize_t n = 0;
	off_t at = 0;

	if (to < 0)
		return -1;
	while ((n = pread(fd, chunk, sizeof chunk, at)) > 0 && write_all(to, chunk, (size_t)n) == 0)
		at += n;
	sys = n ? errno : 0;
	if (close(to) < 0 && !sys)
		sys = errno;
	if (sys)
		unlink(path);
	errno = sys;
	return sys ? -1 : 0;
}

int file_give_name(int fd, const char *path, struct error *err)
{
	char self[64];

	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	if (unlink(path) < 0 && errno != ENOENT)
		return error_sys(err, errno, "cannot replace '%s'", path);
	if (linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 || copy_to(fd, path) == 0)
		return 0;
	return error_sys(err, errno, "cannot write '%s'", path);
}

/* -------- removal */

void file_sweep(const char *folder)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_list(folder, &names, NULL) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.items[i];
		size_t len = strlen(name), start = strlen(TEMPORARY_START), end = strlen(TEMPORARY_END);
		CLEANUP(free_ptr) char *path = file_join(folder, name);

		if (len > start + end && !strncmp(name, TEMPORARY_START, start) && !strcmp(name + len - end, TEMPORARY_END))
			unlink(path);
	}
}

static int remove_at(int dir, const char *name, dev_t device);

/* Remove what is in the folder open as FD, which is closed. -1 with errno. */
static int empty_folder(int fd, dev_t device)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	int sys = 0;

	if (!dir) {
		sys = errno;
		close(fd);
		errno = sys;
		return -1;
	}
	for (errno = 0; !sys && (entry = readdir(dir)); errno = 0)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    remove_at(fd, entry->d_name, device) < 0)
			sys = errno;
	if (!sys)
		sys = errno;
	closedir(dir);
	errno = sys;
	return sys ? -1 : 0;
}

static int remove_at(int dir, const char *name, dev_t device)
{
	struct stat st;
	int fd;

	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR)
		return -1;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0 || st.st_dev != device) {
		close(fd);
		errno = EXDEV;
		return -1;
	}
	/* Build tools leave read-only folders (Go's module cache); our own can be emptied all the same. */
	if ((st.st_mode & 0700) != 0700)
		fchmod(fd, 0700);
	if (empty_folder(fd, device) < 0)
		return -1;
	return unlinkat(dir, name, AT_REMOVEDIR);
}

int file_remove_tree(const char *path, struct error *err)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 : error_sys(err, errno, "cannot remove '%s'", path);
	if (remove_at(AT_FDCWD, path, st.st_dev) < 0)
		return error_sys(err, errno, "cannot remove '%s'", path);
	return 0;
}

/* -------- reading */

/* Enough for /proc/cpuinfo of a machine with a thousand CPUs. */
enum { FACT_LARGEST = 4 << 20 };

/* A path that cannot be opened is the user's to mend; anything else is the machine's. */
static int cannot(const char *verb, const char *path, int sys, struct error *err)
{
	error_sys(err, sys, "cannot %s '%s'", verb, path);
	if (err && (sys == ENOENT || sys == ENOTDIR || sys == EACCES || sys == EISDIR || sys == ELOOP ||
		    sys == ENAMETOOLONG))
		err->kind = ERR_INPUT;
	return -1;
}

/* 0 at the end, 1 when there is more than LIMIT, -1 with errno. */
static int read_to_end(int fd, size_t limit, struct strbuf *out)
{
	size_t start = out->len;
	char chunk[16384];

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return (int)n;
		if ((size_t)n > limit - (out->len - start))
			return 1;
		strbuf_add(out, chunk, (size_t)n);
	}
}

int file_read(const char *path, size_t limit, struct strbuf *out, struct error *err)
{
	/* Without O_NONBLOCK, opening a FIFO waits for a writer that may never come. */
	CLEANUP(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t start = out->len;
	struct stat st;
	int more;

	if (fd < 0 || fstat(fd, &st) < 0)
		return cannot("read", path, errno, err);
	if (S_ISDIR(st.st_mode))
		return error_set(err, ERR_INPUT, "cannot read '%s': it is a folder, not a file", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, ERR_INPUT, "cannot read '%s': not a regular file", path);
	more = read_to_end(fd, limit, out);
	if (!more)
		return 0;
	strbuf_truncate(out, start);
	if (more < 0)
		return cannot("read", path, errno, err);
	return error_set(err, ERR_INPUT, "cannot read '%s': larger than the limit of %zu bytes", path, limit);
}

bool file_read_fact(const char *path, struct strbuf *out)
{
	size_t start = out->len;

	if (file_read(path, FACT_LARGEST, out, NULL) < 0)
		return false;
	if (out->len > start && out->buf[out->len - 1] == '\n')
		strbuf_truncate(out, out->len - 1);
	return true;
}

bool file_read_number(const char *path, long long *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char *end;
	long long value;

	if (!file_read_fact(path, &text) || !text.len)
		return false;
	errno = 0;
	value = strtoll(text.buf, &end, 10);
	if (errno || end == text.buf || *end)
		return false;
	*out = value;
	return true;
}

int file_make_dirs(const char *path, struct error *err)
{
	CLEANUP(free_ptr) char *prefix = xstrdup(path);

	for (char *end = prefix; *end;) {
		char kept;

		end += strspn(end, "/");
		end += strcspn(end, "/");
		kept = *end;
		*end = '\0';
		/* Where making is refused (read-only, automounted), an existing folder still serves. */
		if (mkdir(prefix, 0777) < 0 && !file_is_dir(prefix))
			return error_sys(err, errno == EEXIST ? ENOTDIR : errno, "cannot make folder '%s'", prefix);
		*end = kept;
	}
	return 0;
}

int file_list(const char *path, struct strv *out, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	struct dirent *entry;
	DIR *dir = opendir(path);
	int sys;

	if (!dir)
		return errno == ENOENT ? 0 : cannot("list folder", path, errno, err);
	for (errno = 0; (entry = readdir(dir)); errno = 0)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			strv_push(&names, entry->d_name);
	sys = errno;
	closedir(dir);
	if (sys)
		return cannot("list folder", path, sys, err);
	strv_sort(&names);
	strv_copy(out, &names);
	return 0;
}

bool file_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

bool file_is_dir(const char *path)
{
	int saved = errno;
	struct stat st;
	bool yes = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	errno = saved;
	return yes;
}

char *file_join(const char *dir, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_adds(&path, dir);
	if (path.len && !strbuf_ends_with(&path, "/"))
		strbuf_addc(&path, '/');
	strbuf_adds(&path, name);
	return strbuf_take(&path);
}

char *file_absolute(const char *path)
{
	CLEANUP(free_ptr) char *cwd = *path == '/' ? NULL : getcwd(NULL, 0);

	if (!cwd)
		return xstrdup(path);
	while (path[0] == '.' && path[1] == '/')
		path += 1 + strspn(path + 1, "/");
	if (!*path || !strcmp(path, "."))
		return take_ptr(&cwd);
	return file_join(cwd, path);
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0;
}

/* PATH as seen from CWD (NULL: our own working folder); for free(). */
static char *seen_from(const char *cwd, const char *path)
{
	return *path == '/' || !cwd ? xstrdup(path) : file_join(cwd, path);
}

char *file_find_program(const char *name, const char *cwd)
{
	return file_find_program_on(getenv("PATH") ?: "/usr/local/bin:/usr/bin:/bin", name, cwd);
}

char *file_find_program_on(const char *path, const char *name, const char *cwd)
{
	if (!*name)
		return NULL;
	if (strchr(name, '/')) {
		CLEANUP(free_ptr) char *program = seen_from(cwd, name);

		return is_program(program) ? take_ptr(&program) : NULL;
	}
	for (;; path++) {
		size_t len = strcspn(path, ":");
		/* An empty entry of PATH is the working folder. */
		CLEANUP(free_ptr) char *entry = len ? xstrndup(path, len) : xstrdup(".");
		CLEANUP(free_ptr) char *dir = seen_from(cwd, entry);
		CLEANUP(free_ptr) char *program = file_join(dir, name);

		if (is_program(program))
			return take_ptr(&program);
		path += len;
		if (!*path)
			return NULL;
	}
}

int file_refuse_link(const char *path, struct error *err)
{
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
		return error_set(err, ERR_INPUT, "%s is a symbolic link, which pawl does not follow here", path);
	return 0;
}

int file_refuse_links(const char *root, const char *path, struct error *err)
{
	CLEANUP(free_ptr) char *prefix = xstrdup(path);
	const char *below = path_below(path, root);

	for (char *end = prefix + (below ? below - path : 0); below && *end;) {
		char kept;
		int ret;

		end += strspn(end, "/");
		end += strcspn(end, "/");
		kept = *end;
		*end = '\0';
		ret = file_refuse_link(prefix, err);
		*end = kept;
		if (ret < 0)
			return -1;
	}
	return 0;
}
