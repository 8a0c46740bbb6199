/*
 * Queries git: the commit being measured, the contents of commits, and trees of other commits. Runs the git on PATH
 * through the keeper, without the user's hooks, pagers and configuration that runs programs. Answers about a folder
 * are cached. One `git cat-file --batch` per repository, started on demand, reads all its objects.
 *
 * 	struct git git = { .keeper = ... }; ... git_release(), before the keeper is stopped
 */
#ifndef PAWL_MEASURE_GIT_GIT_H
#define PAWL_MEASURE_GIT_GIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct commits;
struct error;
struct keeper;

struct git {
	struct keeper *keeper;
	/* private */
	struct git_folder *folders;
	size_t n_folders, cap_folders;
	struct git_batch *batches;	/* one per repository */
};

void git_release(struct git *git);

/* Returns the short commit of the tree at DIR, "+dirty" if tracked files differ; NULL outside a repository. For free(). */
char *git_commit(struct git *git, const char *dir);
/* Returns the address of the remote "origin" as configured, perhaps with credentials; NULL without one. For free(). */
char *git_origin(struct git *git, const char *dir);
/* Resolves REF to a full commit. ERR_INPUT, with advice, if it is unknown, or names two commits, a tag's and a branch's. */
int git_resolve(struct git *git, const char *dir, const char *ref, char **out, struct error *err);
/* The same for a possibly abbreviated commit ID from a file; cheap. */
int git_find(struct git *git, const char *dir, const char *id, char **out, struct error *err);
/* A text in the file at `path` below `folder`. */
struct git_line {
	const char *folder, *path, *text;
};

/* Returns the full commit that added LINE to its file, for free(). ERR_INPUT if none did, or if a shallow clone hides it. */
int git_brought(struct git *git, const char *dir, struct git_line line, char **out, struct error *err);
/* Returns the path of DIR below its repository's top; "" for the top itself. ERR_SYSTEM outside a repository. */
int git_prefix(struct git *git, const char *dir, char **out, struct error *err);
/* Returns the top of DIR's repository; for free(). ERR_INPUT outside a repository. */
int git_top(struct git *git, const char *dir, char **out, struct error *err);
/* Returns the top of the repository that has DIR's as a submodule, or NULL; for free(). */
char *git_above(struct git *git, const char *dir);
/* Returns a reference without git's branch prefix: "origin/main". Other references are unchanged. Points into REF. */
const char *git_short_name(const char *ref);
/* Returns the best common ancestor of commits A and B, or NULL. For free(). */
char *git_merge_base(struct git *git, const char *dir, const char *a, const char *b);
/* Returns the number of commits after FROM up to its descendant TO; 0: it is none, or unknown. */
unsigned git_distance(struct git *git, const char *dir, const char *from, const char *to);
/* Lists the newest MOST commits that led to REF, including it, oldest first: parents before their children. */
int git_order(struct git *git, const char *dir, const char *ref, unsigned most, struct commits *out, struct error *err);

/* Lists the regular files of COMMIT: paths from its top, and the ids of their contents. Symbolic links are left out. */
int git_files(struct git *git, const char *dir, const char *commit, struct strv *paths, struct strv *ids, struct error *err);

/* Size of an object id as text, up to SHA-256. */
enum { GIT_ID = 64 + 1 };
#define GIT_NOWHERE "leads nowhere"
struct git_object {
	struct strbuf text;
	char id[GIT_ID];
	bool tree;		/* a folder */
	const char *astray;	/* if it was not found: GIT_NOWHERE, or another word on the symbolic link at NAME or before it; or NULL */
};

static inline void git_object_release(struct git_object *object)
{
	strbuf_release(&object->text);
}
/*
 * Appends the object that NAME ("COMMIT:PATH") means in DIR's repository to OUT's text and fills in the rest. Symbolic
 * links are followed within the commit's tree. Returns 1, 0 if it does not exist, 2 if it is larger than LIMIT bytes, -1
 * on error.
 */
int git_object_read(struct git *git, const char *dir, const char *name, size_t limit, struct git_object *out, struct error *err);

/*
 * True if adding the file at PATH below DIR would give what COMMIT has at PREFIX and PATH. The bytes may still differ: git
 * may convert line ends, expand $Id$ or keep large files elsewhere.
 */
bool git_adds_same(struct git *git, const char *dir, const char *commit, const char *prefix, const char *path);

/* True if .gitignore, or a file like it, excludes PATH (absolute, in the repository of DIR). */
bool git_ignores(struct git *git, const char *dir, const char *path);

/*
 * Runs git with ARGS (ends in NULL) in the repository of DIR, without the repository's hooks, and appends its output to OUT, which may be NULL.
 * Git's environment variables are ignored. Exception: GIT_DIR and GIT_WORK_TREE together apply to folders below the
 * latter. TIMEOUT_NS 0: a minute.
 */
int git_run_there(struct git *git, const char *dir, const char *const *args, uint64_t timeout_ns, struct strbuf *out,
		  struct error *err);
/* The same for any command, in git's environment. */
int git_run_words(struct git *git, const char *dir, const struct strv *argv, uint64_t timeout_ns, struct strbuf *out,
		  struct error *err);
/*
 * Begins ARGV with words that remove git's variables from the command's environment: in a hook they name another tree.
 * True if any are set.
 */
bool git_leave_place(struct strv *argv);

#endif
