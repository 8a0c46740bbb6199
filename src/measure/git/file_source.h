/*
 * Reads a project's files from a folder or from a commit. Paths are relative to the project's root. "../" leads above
 * it, within the repository. Contents are cached: no file is read twice.
 *
 * 	file_source_folder(), or file_source_commit()  ->  file_source_read(), file_source_list()  ->  file_source_release()
 *
 * In a commit, symbolic links are followed within its tree. A link that leaves the tree, is dangling or circular is an
 * ERR_INPUT that names the path. So is a submodule, whose files are in another repository.
 */
#ifndef PAWL_MEASURE_GIT_FILE_SOURCE_H
#define PAWL_MEASURE_GIT_FILE_SOURCE_H

#include <stddef.h>

struct error;
struct git;
struct strbuf;
struct strv;

struct file_source {
	char *dir;		/* absolute: the root; for a commit, a folder of its repository */
	char *commit;		/* full id; NULL: read the files of DIR */
	char *prefix;		/* for a commit: the root below the repository's top, "" or "sub/dir/" */
	struct git *git;		/* for a commit */
	void *kept;		/* tsearch(3) tree of the files already read */
};

void file_source_folder(struct file_source *out, const char *dir);
/* Reads from COMMIT, a full id (git_resolve()). Paths are relative to DIR's place in its repository. */
int file_source_commit(struct file_source *out, struct git *git, const char *dir, const char *commit, struct error *err);
/* For a commit: makes later paths relative to PREFIX. */
void file_source_move(struct file_source *source, const char *prefix);
/* Harmless on an empty source. */
void file_source_release(struct file_source *source);

/* Appends the file at PATH to OUT. Returns 1; 0 if it does not exist; -1 on error or if it is larger than LIMIT bytes. */
int file_source_read(struct file_source *source, const char *path, size_t limit, struct strbuf *out, struct error *err);
/* Lists the names directly in folder PATH ("" for the root), sorted; empty if the folder does not exist. */
int file_source_list(struct file_source *source, const char *path, struct strv *out, struct error *err);

#endif
