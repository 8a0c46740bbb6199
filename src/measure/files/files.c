#include "measure/files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/parse.h"

/* -------- writing */

#define TEMPORARY_START ".pawl-"
#define TEMPORARY_END ".tmp"
enum { TEMPORARIES_MOST = 1000 };

int file_write_all(int fd, const char *data, size_t len)
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

/*
 * Makes a name in DIR for the nameless file at LINKED, or (NULL) a new file, whose descriptor it returns. mkstemp()
 * would ignore the umask: others must be able to read results.
 */
static int make_temporary(int dir, const char *linked, int flags, mode_t mode, char **name_out)
{
	for (unsigned i = 0; i < TEMPORARIES_MOST; i++) {
		CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
		int made;

		strbuf_addf(&name, TEMPORARY_START "%ld-%u" TEMPORARY_END, (long)getpid(), i);
		made = linked ? linkat(AT_FDCWD, linked, dir, name.buf, AT_SYMLINK_FOLLOW) :
				openat(dir, name.buf, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (made >= 0)
			*name_out = strbuf_take(&name);
		if (made >= 0 || errno != EEXIST)
			return made;
	}
	return -1;
}

static int close_after(int fd, int sys)
{
	return close(fd) < 0 && !sys ? errno : sys;
}

/* Returns 0 or an errno. */
static int replace_in(int dir, const char *name, const void *data, size_t len)
{
	CLEANUP(free_ptr) char *temporary = NULL;
	int fd = openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666), sys;
	bool unnamed = fd >= 0;
	char self[64];

	/* The file gets its name once it is complete, so that a pawl killed while writing leaves no file. */
	if (!unnamed)
		fd = make_temporary(dir, NULL, O_WRONLY, 0666, &temporary);
	if (fd < 0)
		return errno;
	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	sys = file_write_all(fd, data, len) < 0 || fsync(fd) < 0 ||
	      (unnamed && make_temporary(dir, self, 0, 0, &temporary) < 0) ? errno : 0;
	sys = close_after(fd, sys);
	if (!sys && renameat(dir, temporary, dir, name) < 0)
		sys = errno;
	if (!sys)
		fsync(dir);
	else if (temporary)
		unlinkat(dir, temporary, 0);
	return sys;
}

int file_write(const char *path, const void *data, size_t len, struct error *err)
{
	CLEANUP(free_ptr) char *parent = path_parent(path);
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	struct stat st;
	int fd, sys;

	if (!*name)
		return error_set(err, ERR_INPUT, "cannot write '%s': it names a folder, not a file", path);
	/* A rename would replace a device, or the link /dev/stdout. */
	if (lstat(path, &st) == 0 &&
	    (S_ISCHR(st.st_mode) || (S_ISLNK(st.st_mode) && (text_starts(path, "/dev/") || text_starts(path, "/proc/"))))) {
		fd = open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
		sys = fd < 0 || file_write_all(fd, data, len) < 0 ? errno : 0;
	} else {
		if (file_make_dirs(parent, err) < 0)
			return -1;
		fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		sys = fd < 0 ? errno : replace_in(fd, name, data, len);
	}
	if (fd >= 0)
		sys = close_after(fd, sys);
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
	parent = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = parent < 0 ? -1 : make_temporary(parent, NULL, O_RDWR, 0600, &name);
	if (fd < 0)
		error_sys(err, errno, "cannot write in '%s'", dir);
	else
		unlinkat(parent, name, 0);
	close_fd(&parent);
	return fd;
}

int file_give_name(int fd, const char *path, struct error *err)
{
	char self[64], chunk[1 << 16];
	int to, sys;
	off_t at = 0;
	ssize_t n;

	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	if (unlink(path) < 0 && errno != ENOENT)
		return error_sys(err, errno, "cannot replace '%s'", path);
	if (linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	/* A file that has lost its name cannot get a new one. */
	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (to < 0)
		return error_sys(err, errno, "cannot write '%s'", path);
	while ((n = pread(fd, chunk, sizeof chunk, at)) > 0 && file_write_all(to, chunk, (size_t)n) == 0)
		at += n;
	sys = close_after(to, n ? errno : 0);
	if (!sys)
		return 0;
	unlink(path);
	return error_sys(err, sys, "cannot write '%s'", path);
}

/* -------- removal */

void file_sweep(const char *folder)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_list(folder, &names, NULL) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(folder, names.items[i]);

		if (glob_match(TEMPORARY_START "?*" TEMPORARY_END, names.items[i]))
			unlink(path);
	}
}

/* -1 with errno. */
static int remove_at(int dir, const char *name, dev_t device)
{
	struct dirent *entry;
	struct stat st;
	int fd, sys = 0;
	DIR *folder;

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
	/* Build tools leave read-only folders (Go's module cache). */
	if ((st.st_mode & 0700) != 0700)
		fchmod(fd, 0700);
	folder = fdopendir(fd);
	if (!folder) {
		sys = errno;
		close(fd);
		errno = sys;
		return -1;
	}
	for (errno = 0; !sys && (entry = readdir(folder)); errno = 0)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && remove_at(fd, entry->d_name, device) < 0)
			sys = errno;
	sys = sys ?: errno;
	closedir(folder);
	errno = sys;
	return sys ? -1 : unlinkat(dir, name, AT_REMOVEDIR);
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

/* Enough for /proc/cpuinfo of a thousand CPUs, and for any command line. */
enum { FACT_LARGEST = 16 << 20 };

static int cannot(const char *verb, const char *path, int sys, struct error *err)
{
	error_sys(err, sys, "cannot %s '%s'", verb, path);
	if (err && (sys == ENOENT || sys == ENOTDIR || sys == EACCES || sys == EISDIR || sys == ELOOP ||
		    sys == ENAMETOOLONG))
		err->kind = ERR_INPUT;
	return -1;
}

int file_read(const char *path, size_t limit, struct strbuf *out, struct error *err)
{
	/* Without O_NONBLOCK, opening a FIFO waits for a writer that may never come. */
	CLEANUP(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t start = out->len;
	char chunk[16384];
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return cannot("read", path, errno, err);
	if (!S_ISREG(st.st_mode))
		return error_set(err, ERR_INPUT, "cannot read '%s': %s", path,
				 S_ISDIR(st.st_mode) ? "it is a folder, not a file" : "not a regular file");
	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);
		int sys = errno;

		if (n < 0 && sys == EINTR)
			continue;
		if (n == 0)
			return 0;
		if (n > 0 && (size_t)n <= limit - (out->len - start)) {
			strbuf_add(out, chunk, (size_t)n);
			continue;
		}
		strbuf_truncate(out, start);
		if (n < 0)
			return cannot("read", path, sys, err);
		return error_set(err, ERR_INPUT, "cannot read '%s': larger than the limit of %zu bytes", path, limit);
	}
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

/* Returns PATH up to the end of the part after *END, for free(). */
static char *next_prefix(const char *path, const char **end)
{
	*end += strspn(*end, "/");
	*end += strcspn(*end, "/");
	return xstrndup(path, (size_t)(*end - path));
}

int file_make_dirs(const char *path, struct error *err)
{
	for (const char *end = path; *end;) {
		CLEANUP(free_ptr) char *prefix = next_prefix(path, &end);

		/* If mkdir() is refused (read-only, automounted), an existing folder suffices. */
		if (mkdir(prefix, 0777) < 0 && !file_is_dir(prefix))
			return error_sys(err, errno == EEXIST ? ENOTDIR : errno, "cannot make folder '%s'", prefix);
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

int file_time_order(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? (a.tv_sec > b.tv_sec) - (a.tv_sec < b.tv_sec) : (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

char *file_changed_since(const char *path, struct timespec since, const struct strv *skip)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	struct stat st, target;

	if (lstat(path, &st) < 0)
		return xstrdup(path);
	if (!S_ISDIR(st.st_mode)) {
		bool leads = S_ISLNK(st.st_mode) && stat(path, &target) == 0 && S_ISREG(target.st_mode);

		return file_time_order(st.st_ctim, since) < 0 && (!leads || file_time_order(target.st_ctim, since) < 0) ? NULL : xstrdup(path);
	}
	if (file_list(path, &names, NULL) < 0)
		return xstrdup(path);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *below = file_join(path, names.items[i]), *changed = NULL;

		if (strcmp(names.items[i], ".git") && !strv_has(skip, below) && (changed = file_changed_since(below, since, skip)))
			return take_ptr(&changed);
	}
	/* A folder made in the tick of SINCE is judged by its contents. */
	return file_time_order(since, st.st_mtim) < 0 ? xstrdup(path) : NULL;
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

char *file_working_folder(struct error *err)
{
	char *cwd = getcwd(NULL, 0);

	if (!cwd)
		error_set(err, ERR_INPUT, "the working folder is not known (%s): was it removed? Change to another one", strerror(errno));
	return cwd;
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

char *file_find_program(const char *name, const char *cwd)
{
	return file_find_program_on(getenv("PATH") ?: "/usr/local/bin:/usr/bin:/bin", name, cwd);
}

char *file_find_program_on(const char *path, const char *name, const char *cwd)
{
	struct stat st;

	if (!*name)
		return NULL;
	for (bool alone = strchr(name, '/'); ; path++) {
		size_t len = alone ? 0 : strcspn(path, ":");
		CLEANUP(free_ptr) char *dir = xstrndup(path, len);
		/* An empty entry of PATH is the working folder. */
		CLEANUP(free_ptr) char *entry = alone ? xstrdup(name) : file_join(len ? dir : ".", name);
		CLEANUP(free_ptr) char *program = *entry == '/' || !cwd ? take_ptr(&entry) : file_join(cwd, entry);

		if (stat(program, &st) == 0 && S_ISREG(st.st_mode) &&
		    faccessat(AT_FDCWD, program, X_OK, AT_EACCESS) == 0)
			return take_ptr(&program);
		path += len;
		if (alone || !*path)
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
	for (const char *end = path_below(path, root) ?: ""; *end;) {
		CLEANUP(free_ptr) char *prefix = next_prefix(path, &end);

		if (file_refuse_link(prefix, err) < 0)
			return -1;
	}
	return 0;
}
