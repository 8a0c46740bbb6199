#include "cause/ledger/accesses.h"

#include <string.h>

#include "base/text.h"

/* Limit of paths. */
enum { ACCESSES_MOST = 1 << 18 };

void accesses_release(struct accesses *accesses)
{
	stacks_release(&accesses->words);
	pair_index_release(&accesses->by_path);
	arena_release(&accesses->arena);
	*accesses = (struct accesses){ 0 };
}

void accesses_doubt(struct accesses *accesses, const char *why)
{
	if (!accesses->unknown)
		accesses->unknown = arena_strdup(&accesses->arena, why);
}

static struct access *access_within(struct accesses *a, const char *path, size_t len)
{
	uint32_t number = pair_index_of(&a->by_path, stacks_string(&a->words, path, len), 0);

	if (number == a->n)
		ARENA_ADD(&a->arena, a->items, a->n, a->cap)->path = arena_strndup(&a->arena, path, len);
	return &a->items[number];
}

static struct access *access_of(struct accesses *a, const char *path)
{
	return access_within(a, path, strlen(path));
}

/* True if PATH is below a folder that the execution made. */
static bool is_in_fresh(struct accesses *a, const char *path)
{
	for (const char *slash = path; (slash = strchr(slash + 1, '/'));)
		if (access_within(a, path, (size_t)(slash - path))->fresh)
			return true;
	return false;
}

/* Content that an execution reads and changes differs from run to run. Devices have none. */
static void check_changed(struct accesses *a, const struct access *access)
{
	CLEANUP(free_ptr) char *why = NULL;

	if ((access->uses & (ACCESS_READ | ACCESS_EXEC)) && (access->uses & ACCESS_WRITTEN) && !text_starts(access->path, "/dev/")) {
		why = text_printf("it reads and changes %s", access->path);
		accesses_doubt(a, why);
	}
}

static void use(struct accesses *a, const char *path, unsigned uses)
{
	struct access *access;

	if (!path || a->n >= ACCESSES_MOST) {
		accesses_doubt(a, path ? "it uses too many files" : "a call names no path");
		return;
	}
	if (is_in_fresh(a, path))
		return;
	access = access_of(a, path);
	if (access->fresh)
		return;
	access->uses |= uses;
	access->opened += (uses & ACCESS_READ) != 0;
	check_changed(a, access);
}

/* The execution replaced PATH by a new file, or removed it: from now on it is its own. */
static void make(struct accesses *a, const char *path)
{
	struct access *access;

	use(a, path, ACCESS_WRITTEN);
	if (!path || is_in_fresh(a, path))
		return;
	access = access_of(a, path);
	/* It may be absent because the execution before removed it. What it finds instead shows in other uses. */
	access->uses &= ~(unsigned)ACCESS_ABSENT;
	access->fresh = !text_starts(path, "/dev/");
}

static bool is_fresh(struct accesses *a, const char *path)
{
	return path && (is_in_fresh(a, path) || access_of(a, path)->fresh);
}

static void add_open(struct accesses *a, const struct access_call *call)
{
	/* A path may hold the name of a flag. */
	const char *flags = strrchr(call->args, '"') ?: call->args;
	bool created = strstr(flags, "O_CREAT") != NULL || !strcmp(call->name, "creat"), exclusive = created && strstr(flags, "O_EXCL");
	bool emptied = strstr(flags, "O_TRUNC") || !strcmp(call->name, "creat"), both = strstr(flags, "O_RDWR") != NULL;
	bool writes = both || strstr(flags, "O_WRONLY") || !strcmp(call->name, "creat");
	bool absent;

	if (strstr(flags, "O_TMPFILE"))
		return;
	/* A file opened with O_PATH may be opened again through /proc, for reading. */
	if (!writes)
		use(a, call->path, ACCESS_READ);
	absent = writes && call->path && !is_fresh(a, call->path) && (access_of(a, call->path)->uses & ACCESS_ABSENT);
	if (writes && (exclusive || emptied || (created && absent)))
		make(a, call->path);
	else if (writes)
		use(a, call->path, both ? ACCESS_READ | ACCESS_WRITTEN : ACCESS_WRITTEN);
}

static void add_rename(struct accesses *a, const struct access_call *call)
{
	/* A file that was there before and moves away is missing in the next run. */
	if (!is_fresh(a, call->path) || strstr(call->args, "RENAME_EXCHANGE"))
		accesses_doubt(a, "it renames a file that it did not make");
	make(a, call->path);
	make(a, call->other);
}

static void add_map(struct accesses *a, const struct access_call *call)
{
	const char *code = strstr(call->args, "PROT_EXEC"), *file = strstr(call->args, "</");

	if (call->path && code && code < file && !is_fresh(a, call->path))
		access_of(a, call->path)->mapped++;
}

/* Connections and other processes. A pair of sockets of its own is like a pipe. */
static void add_other(struct accesses *a, const struct access_call *call)
{
	static const char *const harmless[] = {
		"clone*", "fork", "vfork", "socketpair", "socket", "sendfile*", "shmdt", "getsockname", "getpeername", "getsockopt", "setsockopt",
		"shutdown", "getcwd", "statfs*", "inotify_add_watch", "fchdir", NULL,
	};
	bool datagram = TEXT_IS(call->name, "send*", "recv*");
	/* Such as that of a name service which this machine lacks. */
	bool failed = call->error && (strcmp(call->name, "connect") != 0 || !strcmp(call->error, "ENOENT"));

	if (failed || text_matches_any(call->name, harmless) || (datagram && !strstr(call->args, "sa_family=")))
		return;
	accesses_doubt(a, arena_printf(&a->arena, "it depends on %s()", call->name));
}

static void add_failed(struct accesses *a, const struct access_call *call)
{
	bool absent = !strcmp(call->error, "ENOENT") || !strcmp(call->error, "ENOTDIR");

	if (call->path)
		use(a, call->path, absent ? ACCESS_ABSENT : ACCESS_REFUSED);
	if (call->other)
		use(a, call->other, ACCESS_REFUSED);
}

void accesses_add(struct accesses *a, const struct access_call *call)
{
	const char *name = call->name;
	bool on_path = TEXT_IS(name, "open", "openat", "openat2", "creat", "exec*", "rename*", "unlink*", "mkdir*", "rmdir", "access",
			       "faccessat*", "stat", "lstat", "newfstatat", "statx", "stat64", "lstat64", "fstatat64", "oldstat", "oldlstat",
			       "readlink*", "symlink*", "link*", "chdir", "truncate*", "chmod", "fchmodat*", "chown", "lchown", "chown32",
			       "lchown32", "fchownat", "utime*", "futimesat", "mknod*");

	if (!strcmp(name, "mmap") || !strcmp(name, "mmap2")) {
		if (!call->error)
			add_map(a, call);
	} else if (TEXT_IS(name, "getdents*")) {
		use(a, call->path, ACCESS_LISTED);
	} else if (!on_path || (!call->path && TEXT_IS(name, "newfstatat", "statx", "fstatat64", "utime*", "futimesat", "faccessat*"))) {
		/* Without a path, these ask about an open file. */
		if (!on_path)
			add_other(a, call);
	} else if (call->error) {
		add_failed(a, call);
	} else if (TEXT_IS(name, "open", "openat", "openat2", "creat")) {
		add_open(a, call);
	} else if (TEXT_IS(name, "exec*")) {
		use(a, call->path, ACCESS_EXEC);
	} else if (TEXT_IS(name, "rename*")) {
		add_rename(a, call);
	} else if (TEXT_IS(name, "unlink*", "rmdir", "mkdir*", "mknod*")) {
		make(a, call->path);
	} else if (TEXT_IS(name, "symlink*")) {
		make(a, call->other);
	} else if (TEXT_IS(name, "link*")) {
		if (!is_fresh(a, call->path))
			use(a, call->path, ACCESS_READ);
		make(a, call->other);
	} else if (TEXT_IS(name, "readlink*")) {
		use(a, call->path, ACCESS_LINK);
	} else if (TEXT_IS(name, "truncate*", "chmod", "fchmodat*", "chown*", "lchown*", "fchownat", "utime*", "futimesat")) {
		use(a, call->path, ACCESS_WRITTEN);
	} else {
		use(a, call->path, ACCESS_LOOKED);
	}
}
