/*
 * Files, folders and paths.
 */
#ifndef PAWL_MEASURE_PROCESS_FILES_H
#define PAWL_MEASURE_PROCESS_FILES_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

/* The whole of PATH appended to OUT; a file beyond LIMIT bytes, or no regular file, is an ERR_INPUT. */
int file_read(const char *path, size_t limit, struct strbuf *out, struct error *err);
/*
 * A short file of /proc or /sys appended to OUT without its final newline; false when it cannot
 * be read, which is never an error: such files come and go with kernels and containers.
 */
bool file_read_fact(const char *path, struct strbuf *out);
/* The same as one whole number; false when the file holds something else. */
bool file_read_number(const char *path, long long *out);

/*
 * A new file for reading and writing in DIR, which is made when missing, without a name: only /proc leads others to it,
 * and only those who may look at a process that has it open. For close(); -1 with an error.
 */
int file_unnamed(const char *dir, struct error *err);
/* Give it one at last. A file or link that is there is replaced. */
int file_give_name(int fd, const char *path, struct error *err);

/* All of DATA; -1 with errno. */
int file_write_all(int fd, const char *data, size_t len);
/*
 * Replace PATH in one step: a temporary file beside it, synced, then renamed. Missing folders are
 * made. A link at PATH is replaced, not followed; links on the way to it are. Only devices, and
 * links below /dev and /proc, are written through.
 */
int file_write(const char *path, const void *data, size_t len, struct error *err);
/*
 * Remove what a file_write() that was killed left in FOLDER, where the file system has no files without a name. Nobody else
 * may write there meanwhile.
 */
void file_sweep(const char *folder);
/* As mkdir -p. */
int file_make_dirs(const char *path, struct error *err);
/* An ERR_INPUT when PATH is a symbolic link: a stranger's repository must not choose where pawl writes. */
int file_refuse_link(const char *path, struct error *err);
/*
 * The same of every folder on the way from ROOT to PATH, PATH itself included: what a repository holds must not lead out of it.
 * A PATH that is not below ROOT is somebody's own choice. Both absolute.
 */
int file_refuse_links(const char *root, const char *path, struct error *err);
/* Remove PATH and everything below it, following no link and entering no other file system. Missing is fine. */
int file_remove_tree(const char *path, struct error *err);
/* Names in folder PATH in order, without . and ..; a missing folder is an empty list. */
int file_list(const char *path, struct strv *out, struct error *err);
bool file_exists(const char *path);
bool file_is_dir(const char *path);
/* For free(). In one that was removed, where no relative path means anything and no way leads upward, NULL with an ERR_INPUT. */
char *file_working_folder(struct error *err);
/* The absolute form of PATH without resolving links or ".."; for free(). */
char *file_absolute(const char *path);
/* DIR/NAME; for free(). */
char *file_join(const char *dir, const char *name);
/* The executable that NAME means on PATH (or by itself when it holds a slash, relative to CWD); NULL when none. */
char *file_find_program(const char *name, const char *cwd);
/* The same on another PATH, a list of folders. */
char *file_find_program_on(const char *path, const char *name, const char *cwd);
/*
 * "build-id:<hex>" of the ELF file at PATH (its NT_GNU_BUILD_ID note, elf(5)), else "fnv1a:<hex>", the 64-bit FNV-1a hash of
 * its bytes, so that a report can show when one executable measured differently; NULL when it cannot be read. For free().
 */
char *file_identity(const char *path);
/*
 * What debug information in the program at PATH says that it was compiled by: "GNU C17 12.2.0 -mtune=generic -O2", each text once,
 * appended. GCC alone tells its options; text that is compressed is not read. -1: there is no such file.
 */
int file_compilers(const char *path, struct strv *out);
/* An ELF program or library. */
struct elf_file {
	bool symbols;		/* names of all its functions */
	bool lines;		/* debug information */
	bool elsewhere;		/* both may lie in a file of their own */
	uint64_t code_bytes;	/* of its instructions; 0: not known */
};
/* False: PATH is none. */
bool file_elf(const char *path, struct elf_file *out);
/* Whether PATH is an ELF program that was linked statically: nothing can be loaded into it. */
bool file_is_static(const char *path);

#endif
