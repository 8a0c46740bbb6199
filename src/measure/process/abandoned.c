#include "measure/process/abandoned.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/process/cgroup.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"

/* -------- the mark of what was started */

static const char mark[] = "PAWL_JOB=";
enum { ROUNDS = 100, ROUND_MS = 5, EXEC_ROUNDS = 50, SETTLED = 5 };

void owner_id(pid_t pid, char out[OWNER_ID_SIZE])
{
	struct process process;

	out[0] = '\0';
	if (process_read(pid, &process))
		snprintf(out, OWNER_ID_SIZE, "%010d.%020" PRIu64 ".%08" PRIx32, (int)pid, process.start, process_view());
}

/* True during execve(2), when the new program's memory has no environment yet. */
static bool in_exec(pid_t pid)
{
	struct process p;

	return process_read(pid, &p) && !p.kernel && !p.env_end && p.threads <= 1 && !process_is_dead(&p);
}

static bool read_mark(pid_t pid, char owner[OWNER_ID_SIZE], uint32_t *job)
{
	CLEANUP(strbuf_release) struct strbuf environment = STRBUF_INIT;
	int settled = 0;

	/* The environment seems empty during execve(2), so that counts only after several reads outside of it. */
	for (int i = 0; i < EXEC_ROUNDS && settled < SETTLED && !environment.len; i++) {
		if (!process_read_file(pid, "environ", &environment))
			return false;
		if (!environment.len && in_exec(pid))
			poll(NULL, 0, 1);
		else
			settled++;
	}
	for (size_t at = 0; at < environment.len; at += strlen(environment.buf + at) + 1) {
		const char *entry = environment.buf + at, *end;

		if (!text_starts(entry, mark))
			continue;
		entry += sizeof mark - 1;
		end = strrchr(entry, '.');
		/* Another version's mark may differ. */
		if (!end || end - entry != OWNER_ID_SIZE - 1)
			return false;
		memcpy(owner, entry, (size_t)(end - entry));
		owner[end - entry] = '\0';
		*job = (uint32_t)strtoul(end + 1, NULL, 10);
		return true;
	}
	return false;
}

uint32_t job_of_process(pid_t pid, const char *owner)
{
	char its[OWNER_ID_SIZE];
	uint32_t job;

	return read_mark(pid, its, &job) && !strcmp(its, owner) ? job : 0;
}

/* -------- marked processes and cgroups */

static bool kill_pidfd(int fd)
{
	return syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0) == 0;
}

static bool owner_is_gone(const char *owner)
{
	char *start, *view;
	pid_t pid = (pid_t)strtol(owner, &start, 10);
	uint64_t ticks = *start == '.' ? strtoull(start + 1, &view, 10) : 0;

	return ticks && *view == '.' && process_is_gone(pid, ticks, (uint32_t)strtoul(view + 1, NULL, 16));
}

/* The numbers of a container inside this one mean nothing here. */
static bool in_own_namespace(pid_t pid)
{
	ino_t own = process_namespace(getpid(), "pid");

	return own && process_namespace(pid, "pid") == own;
}

static bool is_abandoned_cgroup(const char *owner, const char *dir)
{
	CLEANUP(processes_release) struct processes members = { 0 };

	if (!owner_is_gone(owner) || processes_add_cgroup(&members, dir) < 0)
		return false;
	for (size_t i = 0; i < members.n; i++)
		if (!in_own_namespace(members.items[i].pid))
			return false;
	return true;
}

/* The pidfd keeps the number from going to another process. */
static bool end_if_owned(pid_t pid, const char *own)
{
	char owner[OWNER_ID_SIZE];
	uint32_t job;
	CLEANUP(close_fd) int fd = open_pidfd(pid);

	return fd >= 0 && read_mark(pid, owner, &job) && in_own_namespace(pid) &&
	       (own ? !strcmp(owner, own) : owner_is_gone(owner)) && kill_pidfd(fd);
}

/* Kills the processes of OWN, or (NULL) of owners that are gone. True if there were any. */
static bool end_marked(const char *own)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	bool any = false;

	file_list("/proc", &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		pid_t pid = isdigit((unsigned char)names.items[i][0]) ? (pid_t)strtol(names.items[i], NULL, 10) : 0;
		struct process process;

		if (pid <= 0 || pid == getpid())
			continue;
		/* Its pawl was killed while the keeper was stopped. Once resumed, the keeper ends its processes. */
		if (!own && process_read(pid, &process) && process.state == 'T' && !strcmp(process.name, KEEPER_NAME))
			kill(pid, SIGCONT);
		any |= end_if_owned(pid, own);
	}
	return any;
}

/* Another pawl, such as a measured one, may still live until the first round. */
void abandoned_end_processes(void)
{
	if (!process_numbers_are_own())
		return;
	cgroup_end_all(NULL, is_abandoned_cgroup);
	for (int i = 0; i < ROUNDS && end_marked(NULL); i++)
		poll(NULL, 0, ROUND_MS);
}

/* The process's own children, from before exec, are older than the keeper. */
static bool end_children(const char *owner)
{
	CLEANUP(processes_release) struct processes all = { 0 };
	uint64_t since = strtoull(strchr(owner, '.') + 1, NULL, 10);
	bool any = false;

	processes_read(&all);
	for (size_t i = 0; i < all.n; i++)
		if (all.items[i].parent == getpid() && all.items[i].start > since && !process_is_dead(&all.items[i]))
			any |= kill(all.items[i].pid, SIGKILL) == 0;
	return any;
}

/* A process that forks meanwhile may be missed once, but not in every round. */
void abandoned_end_own(const char *owner)
{
	if (!*owner || !process_numbers_are_own())
		return;
	cgroup_end_all(owner, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		bool marked = end_marked(owner), children = end_children(owner);

		if (!marked && !children)
			return;
		poll(NULL, 0, ROUND_MS);
	}
}

/* -------- lists of processes in a scratch folder */

enum { LIST_LARGEST = 1 << 20, LETTERS = 6 };
static const char prefix[] = "pawl-", list_prefix[] = "processes-";

void scratch_list(const char *path, uint32_t job, const struct processes *processes)
{
	CLEANUP(free_ptr) char *file = text_printf("%s/%s%u", path, list_prefix, job);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(close_fd) int fd = -1;

	strbuf_addf(&text, "%08" PRIx32 "\n", process_view());
	for (size_t i = 0; i < processes->n; i++)
		strbuf_addf(&text, "%d %" PRIu64 "\n", (int)processes->items[i].pid, processes->items[i].start);
	/* Truncated last, so that the list is never empty for a moment. */
	fd = open(file, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 && pwrite(fd, text.buf, text.len, 0) == (ssize_t)text.len && ftruncate(fd, (off_t)text.len) < 0)
		unlink(file);
}

static void end_family(pid_t pid, uint64_t start, const struct processes *all)
{
	CLEANUP(processes_release) struct processes family = { 0 };

	if (!process_lives(pid, start))
		return;
	processes_add_tree(&family, all, pid);
	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].session == pid)
			processes_add(&family, &all->items[i]);
	for (size_t i = 0; i < family.n; i++) {
		CLEANUP(close_fd) int fd = open_pidfd(family.items[i].pid);

		if (fd >= 0 && process_lives(family.items[i].pid, family.items[i].start))
			kill_pidfd(fd);
	}
}

void scratch_end_listed(const char *path)
{
	CLEANUP(processes_release) struct processes all = { 0 };
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	processes_read(&all);
	file_list(path, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *list = file_join(path, names.items[i]);
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		unsigned long long start;
		unsigned view;
		int pid, used = 0;

		if (!text_starts(names.items[i], list_prefix) || file_read(list, LIST_LARGEST, &text, NULL) < 0 ||
		    sscanf(text.buf, "%8x\n%n", &view, &used) != 1 || !view || view != process_view())
			continue;
		for (const char *p = text.buf + used; sscanf(p, "%d %llu\n%n", &pid, &start, &used) == 2; p += used)
			end_family(pid, start, &all);
	}
}

/* -------- scratch folders */

static const char *scratch_parent(void)
{
	const char *tmp = getenv("TMPDIR");

	return tmp && *tmp == '/' ? tmp : "/tmp";
}

static int hold_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), why;

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	why = errno;
	if (fd >= 0)
		close(fd);
	errno = why;
	return -1;
}

/* True if a lock that is free here is free on every machine that sees PATH. */
static bool is_local(const char *path)
{
	static const long kinds[] = {
		EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, TMPFS_MAGIC, OVERLAYFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,
		0x2fc12fc1 /* ZFS */, RAMFS_MAGIC,
	};
	struct statfs fs;

	if (statfs(path, &fs) < 0)
		return false;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if ((long)fs.f_type == kinds[i])
			return true;
	return false;
}

/* A live pawl has locked its folder by this age. */
enum { LOCKED_AFTER_S = 60 };

/*
 * Only the lock shows a keeper of another namespace, boot or machine. A folder that cannot be inspected is not
 * abandoned.
 */
static bool is_abandoned(pid_t keeper, uint32_t view, const struct stat *st, const char *path)
{
	struct process process;
	bool here = view && view == process_view();
	int fd;

	if (!here && (st->st_mtime > time(NULL) - LOCKED_AFTER_S || !is_local(path)))
		return false;
	if (here && !process_is_gone(keeper, 0, view) &&
	    (!process_read(keeper, &process) || text_starts(process.name, "pawl")))
		return false;
	fd = hold_folder(path);
	if (fd < 0)
		return here && (errno == EOPNOTSUPP || errno == ENOLCK || errno == EINVAL || errno == ENOSYS || errno == EBADF);
	close(fd);
	return true;
}

static bool read_name(const char *name, pid_t *keeper_out, uint32_t *view_out)
{
	int number, used = 0;
	unsigned view;

	if (sscanf(name, "pawl-%7d-%8x-%n", &number, &view, &used) != 2 || !used || strlen(name + used) != LETTERS || number <= 0)
		return false;
	*keeper_out = number;
	*view_out = view;
	return true;
}

void scratch_remove_of(pid_t keeper)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_list(scratch_parent(), &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(scratch_parent(), names.items[i]);
		struct stat st;
		uint32_t view;
		pid_t of;

		if (!read_name(names.items[i], &of, &view) || lstat(path, &st) < 0 || !S_ISDIR(st.st_mode) ||
		    st.st_uid != geteuid())
			continue;
		if (keeper ? of != keeper || view != process_view() : !is_abandoned(of, view, &st, path))
			continue;
		if (!keeper)
			scratch_end_listed(path);
		file_remove_tree(path, NULL);
	}
}

int scratch_make(pid_t keeper, char **path_out, int *lock_out, struct error *err)
{
	/* The path has a fixed length, because ${tmp} is in the arguments of commands, whose size moves the stack. */
	CLEANUP(free_ptr) char *path = text_printf("%s/%s%07d-%08" PRIx32 "-XXXXXX", scratch_parent(), prefix, (int)keeper,
						    process_view());

	scratch_remove_of(0);
	if (!mkdtemp(path))
		return error_sys(err, errno, "cannot make a scratch folder %s", path);
	/* A target may run as another user. */
	chmod(path, 0711);
	*lock_out = hold_folder(path);
	*path_out = take_ptr(&path);
	return 0;
}
