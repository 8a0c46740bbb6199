#include "measure/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"

/* Enough for /proc/cpuinfo of a machine with a thousand CPUs. */
enum { FACT_LARGEST = 4 << 20 };

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

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
	size_t len = strlen(root);

	if (strncmp(path, root, len) || path[len] != '/')
		return 0;
	for (char *end = prefix + len; *end;) {
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
