/*
 * One way to read a project's files, be they those of a folder or those that a commit holds. Paths are relative to
 * the project's root; "../" leads above it, within the repository. What was read is kept: no file is read twice.
 *
 * 	file_source_folder(), or file_source_commit()  ->  file_source_read(), file_source_list()  ->  file_source_release()
 *
 * In a commit symbolic links are followed as far as they stay in its tree. One that leaves it, leads nowhere or in a
 * circle, and a submodule, whose files lie in another repository, are an ERR_INPUT that names the path.
 */
#ifndef PAWL_MEASURE_GIT_FILE_SOURCE_H
#define PAWL_MEASURE_GIT_FILE_SOURCE_H

#include <stddef.h>

struct error;
struct git;
struct strbuf;
struct strv;

struct file_source {
	char *dir;		/* absolute: the root; of a commit a folder where git knows it */
	char *commit;		/* full; NULL: the files of DIR */
	char *prefix;		/* of a commit: the root below the repository's top, "" or "sub/dir/" */
	struct git *git;		/* of a commit */
	void *kept;		/* tsearch(3) tree of the files that were read */
};

void file_source_folder(struct file_source *out, const char *dir);
/* Of COMMIT, which is full (git_resolve()); paths are below the folder that DIR is in its repository. */
int file_source_commit(struct file_source *out, struct git *git, const char *dir, const char *commit, struct error *err);
/* Of a commit: paths are below PREFIX from now on. */
void file_source_move(struct file_source *source, const char *prefix);
/* Harmless on an empty one. */
void file_source_release(struct file_source *source);

/* The file at PATH appended to OUT: 1; 0 when there is none; -1, also when it has more than LIMIT bytes. */
int file_source_read(struct file_source *source, const char *path, size_t limit, struct strbuf *out, struct error *err);
/* The names directly in folder PATH ("" for the root), in order; none when there is no such folder. */
int file_source_list(struct file_source *source, const char *path, struct strv *out, struct error *err);

#endif
