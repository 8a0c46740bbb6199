#include "measure/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

enum { LIST_LARGEST = 1 << 20, LETTERS = 6 };
static const char prefix[] = "pawl-", list_prefix[] = "processes-";

static const char *parent(void)
{
	const char *tmp = getenv("TMPDIR");

	return tmp && *tmp == '/' ? tmp : "/tmp";
}

/* -------- lists of processes */

/* Over the old one, which is cut then: emptied first, it would tell nothing for a moment. */
static void write_list(const char *path, const struct strbuf *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return;
	if (pwrite(fd, text->buf, text->len, 0) == (ssize_t)text->len && ftruncate(fd, (off_t)text->len) < 0)
		unlink(path);
	close(fd);
}

void scratch_list(const char *path, uint32_t job, const struct processes *processes)
{
	CLEANUP(strbuf_release) struct strbuf file = STRBUF_INIT, text = STRBUF_INIT;

	strbuf_addf(&file, "%s/%s%u", path, list_prefix, job);
	for (size_t i = 0; i < processes->n; i++)
		strbuf_addf(&text, "%d %" PRIu64 "\n", (int)processes->items[i].pid, processes->items[i].start);
	write_list(file.buf, &text);
}

static void end_exactly(pid_t pid, uint64_t start)
{
	int fd = open_pidfd(pid);

	if (fd < 0)
		return;
	if (process_lives(pid, start))
		signal_pidfd(fd, SIGKILL);
	close(fd);
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
	for (size_t i = 0; i < family.n; i++)
		end_exactly(family.items[i].pid, family.items[i].start);
}

static void end_list(const char *path, const struct processes *all)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	unsigned long long start;
	int pid, used;

	if (file_read(path, LIST_LARGEST, &text, NULL) < 0)
		return;
	for (const char *p = text.buf; sscanf(p, "%d %llu\n%n", &pid, &start, &used) == 2; p += used)
		end_family(pid, start, all);
}

void scratch_end_listed(const char *path)
{
	CLEANUP(processes_release) struct processes all = { 0 };
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	processes_read(&all);
	file_list(path, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *list = file_join(path, names.items[i]);

		if (!strncmp(names.items[i], list_prefix, sizeof list_prefix - 1))
			end_list(list, &all);
	}
}

/* -------- folders */

/* The keeper's number in a folder's name; 0 when it is no such name. */
static pid_t keeper_of(const char *name)
{
	char *end;
	long pid;

	if (strncmp(name, prefix, sizeof prefix - 1))
		return 0;
	pid = strtol(name + sizeof prefix - 1, &end, 10);
	return pid > 0 && *end == '-' && strlen(end) == 1 + LETTERS ? (pid_t)pid : 0;
}

static bool is_own_folder(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

static int hold_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Made this moment, it is not locked yet; and the keeper of another pid namespace cannot be seen, only its lock. */
static bool is_abandoned(pid_t keeper, const char *path)
{
	struct process process;
	int fd;

	if (process_read(keeper, &process) && !process_is_dead(&process) && !strncmp(process.name, "pawl", 4))
		return false;
	fd = hold_folder(path);
	if (fd < 0)
		return errno != EWOULDBLOCK;
	close(fd);
	return true;
}

void scratch_remove(const char *path)
{
	file_remove_tree(path, NULL);
}

static void remove_abandoned(void)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_list(parent(), &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(parent(), names.items[i]);
		pid_t keeper = keeper_of(names.items[i]);

		if (!keeper || !is_own_folder(path) || !is_abandoned(keeper, path))
			continue;
		scratch_end_listed(path);
		scratch_remove(path);
	}
}

void scratch_remove_of(pid_t keeper)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_list(parent(), &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(parent(), names.items[i]);

		if (keeper_of(names.items[i]) == keeper && is_own_folder(path))
			scratch_remove(path);
	}
}

int scratch_make(pid_t keeper, char **path_out, int *lock_out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf template = STRBUF_INIT;

	remove_abandoned();
	/* Of one length, as ${tmp} is among the words of commands, whose size moves the stack. */
	strbuf_addf(&template, "%s/%s%07d-XXXXXX", parent(), prefix, (int)keeper);
	if (!mkdtemp(template.buf))
		return error_sys(err, errno, "cannot make a scratch folder %s", template.buf);
	/* A target that runs as another user works in there. */
	chmod(template.buf, 0711);
	*lock_out = hold_folder(template.buf);
	*path_out = strbuf_take(&template);
	return 0;
}
