/*
 * Files, folders and paths.
 */
#ifndef PAWL_MEASURE_FILES_FILES_H
#define PAWL_MEASURE_FILES_FILES_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

struct error;
struct strbuf;
struct strv;

/* Reads are bounded, writes are atomic and follow no symbolic link, and every failure names the path. */

/* For CLEANUP(). */
static inline void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static inline void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* Appends the whole file PATH to OUT. ERR_INPUT if it exceeds LIMIT bytes or is not a regular file. */
int file_read(const char *path, size_t limit, struct strbuf *out, struct error *err);
/*
 * Appends a short file of /proc or /sys to OUT without its final newline. False if it cannot be read. That is never an
 * error: such files come and go with kernels and containers.
 */
bool file_read_fact(const char *path, struct strbuf *out);
/* Reads such a file as one whole number. False if it holds something else. */
bool file_read_number(const char *path, long long *out);

/*
 * Opens a new, nameless file for reading and writing in DIR, which is made if missing. Other processes reach it only
 * through /proc, and only if they may inspect a process that has it open. Returns a descriptor for close(); -1 with an
 * error.
 */
int file_unnamed(const char *dir, struct error *err);
/* Gives the file a name. Replaces an existing file or link. */
int file_give_name(int fd, const char *path, struct error *err);

/* Writes all of DATA. -1 with errno. */
int file_write_all(int fd, const char *data, size_t len);
/*
 * Replaces PATH in one step: writes a temporary file in the same folder, syncs and renames it. Makes missing folders.
 * A link at PATH is replaced, not followed; links on the way to it are followed. Only devices, and links below /dev
 * and /proc, are written through.
 */
int file_write(const char *path, const void *data, size_t len, struct error *err);
/*
 * Removes the temporary files of a killed file_write() from FOLDER, on file systems without nameless files. No other
 * process may write to FOLDER meanwhile.
 */
void file_sweep(const char *folder);
/* Like mkdir -p. */
int file_make_dirs(const char *path, struct error *err);
/* ERR_INPUT if PATH is a symbolic link: a stranger's repository must not choose where pawl writes. */
int file_refuse_link(const char *path, struct error *err);
/*
 * Like file_refuse_link(), for every folder from ROOT to PATH and PATH itself: files of a repository must not lead out
 * of it. A PATH that is not below ROOT is the user's own choice and accepted. Both are absolute.
 */
int file_refuse_links(const char *root, const char *path, struct error *err);
/*
 * Removes PATH and everything below it. Follows no link and enters no other file system. A missing PATH is not an
 * error.
 */
int file_remove_tree(const char *path, struct error *err);
/* Appends the sorted names in folder PATH, without . and .. A missing folder is an empty list. */
int file_list(const char *path, struct strv *out, struct error *err);
/* Orders times of files as strcmp() does texts. */
int file_time_order(struct timespec a, struct timespec b);
/*
 * Returns the first path at or below PATH that was made, written, replaced, renamed or removed at SINCE or later, for
 * free(); NULL: none. A folder stands for what is gone from it. Leaves out .git and the paths of SKIP. A folder that cannot
 * be listed counts as changed. The kernel sets the times that it goes by; programs cannot set them back.
 */
char *file_changed_since(const char *path, struct timespec since, const struct strv *skip);
bool file_exists(const char *path);
bool file_is_dir(const char *path);
/*
 * Returns the working folder, for free(). NULL with an ERR_INPUT if that folder was removed: no relative path works
 * there.
 */
char *file_working_folder(struct error *err);
/* Returns the absolute form of PATH without resolving links or "..". For free(). */
char *file_absolute(const char *path);
/* Returns DIR/NAME, for free(). */
char *file_join(const char *dir, const char *name);
/* Returns the executable that NAME means on PATH, or relative to CWD if it holds a slash. NULL if none is found. */
char *file_find_program(const char *name, const char *cwd);
/* The same for another PATH, a list of folders. */
char *file_find_program_on(const char *path, const char *name, const char *cwd);

#endif
