/* Files, folders and paths. */
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
/* Appends a file of /proc or /sys to OUT without its final newline. False if it cannot be read, which is never an error. */
bool file_read_fact(const char *path, struct strbuf *out);
/* Reads such a file as one whole number. False if it holds something else. */
bool file_read_number(const char *path, long long *out);

/*
 * Opens a new, nameless file in DIR, which is made if missing. Other processes cannot reach it, unless they may inspect one
 * that has it open. Returns a descriptor for close(), or -1.
 */
int file_unnamed(const char *dir, struct error *err);
/* Gives the file a name. Replaces an existing file or link. */
int file_give_name(int fd, const char *path, struct error *err);

/* Writes all of DATA. -1 with errno. */
int file_write_all(int fd, const char *data, size_t len);
/*
 * Replaces PATH in one step, and makes missing folders. A link at PATH is replaced; links on the way to it are followed.
 * Only devices, and links below /dev and /proc, are written through.
 */
int file_write(const char *path, const void *data, size_t len, struct error *err);
/* Removes what a killed file_write() left in FOLDER, to which no other process may write meanwhile. */
void file_sweep(const char *folder);
/* Like mkdir -p. */
int file_make_dirs(const char *path, struct error *err);
/* ERR_INPUT if PATH is a symbolic link: a stranger's repository must not choose where pawl writes. */
int file_refuse_link(const char *path, struct error *err);
/* The same for every folder from ROOT to PATH, both absolute. A PATH that is not below ROOT is the user's own choice. */
int file_refuse_links(const char *root, const char *path, struct error *err);
/* Removes PATH and all below it, if it exists. Follows no link and enters no other file system. */
int file_remove_tree(const char *path, struct error *err);
/* Appends the sorted names in folder PATH, without . and .. A missing folder is an empty list. */
int file_list(const char *path, struct strv *out, struct error *err);
/* Orders times of files as strcmp() does texts. */
int file_time_order(struct timespec a, struct timespec b);
/*
 * Returns the first path at or below PATH, but for .git and those of SKIP, that changed at SINCE or later by a time that
 * programs cannot set; for free(), or NULL. A folder stands for what is gone from it, and for what cannot be listed.
 */
char *file_changed_since(const char *path, struct timespec since, const struct strv *skip);
bool file_exists(const char *path);
bool file_is_dir(const char *path);
/* Returns the working folder, for free(). NULL with an ERR_INPUT if it was removed. */
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
