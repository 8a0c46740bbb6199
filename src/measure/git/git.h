/*
 * What git knows: the commit being measured, what commits hold, and trees of other commits. Runs the git of PATH through the
 * keeper, with the user's hooks, pagers and configuration that run programs kept out of it. What it knows of a folder is asked
 * once and kept; all objects of a repository are read by one `git cat-file --batch`, which is started when it is needed.
 *
 * 	struct git git = { .keeper = ... }; ... git_release(), before the keeper is stopped
 */
#ifndef PAWL_MEASURE_GIT_GIT_H
#define PAWL_MEASURE_GIT_GIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct commits;
struct error;
struct keeper;
struct strbuf;
struct strv;

struct git {
	struct keeper *keeper;
	/* private */
	struct git_folder *folders;
	size_t n_folders, cap_folders;
	struct git_batch *batches;	/* one a repository */
};

void git_release(struct git *git);

/*
 * The short commit of the tree at DIR, "+dirty" behind it when tracked files differed at the first question; NULL outside a
 * repository. For free().
 */
char *git_commit(struct git *git, const char *dir);
/*
 * The full commit that REF names. An ERR_INPUT: an unknown one, with the command that fetches it, and one that names two
 * commits, such as a tag and a branch.
 */
int git_resolve(struct git *git, const char *dir, const char *ref, char **out, struct error *err);
/*
 * The same for the ID of a commit that a file names, which may be shortened: the process that reads objects answers, however
 * many there are.
 */
int git_find(struct git *git, const char *dir, const char *id, char **out, struct error *err);
/*
 * The full commit that brought TEXT into the file at PATH below FOLDER, for free(). An ERR_INPUT when no commit did, or when
 * a shallow clone cannot know: everything seems new in its first commit. The history of FOLDER is asked for once.
 */
int git_brought(struct git *git, const char *dir, const char *folder, const char *path, const char *text, char **out,
		struct error *err);
/* The path of DIR below its repository's top, "" for the top itself; ERR_SYSTEM outside a repository. */
int git_prefix(struct git *git, const char *dir, char **out, struct error *err);
/*
 * The top of the repository that DIR is in, and of the one that has it as a submodule, or NULL; both for free(). ERR_INPUT
 * outside a repository.
 */
int git_top(struct git *git, const char *dir, char **top_out, char **above_out, struct error *err);
/* The name of a branch without what git puts before all of them: "origin/main"; others as they are. Part of REF. */
const char *git_short_name(const char *ref);
/* The best common ancestor of commits A and B; NULL when there is none. For free(). */
char *git_merge_base(struct git *git, const char *dir, const char *a, const char *b);
/*
 * The commits that led from GOOD, which is not among them, to its descendant BAD, which is: along first parents, oldest
 * first. Where GOOD itself was merged from a branch, they begin with the merge that brought it in.
 */
int git_commits(struct git *git, const char *dir, const char *good, const char *bad, struct commits *out,
		struct error *err);

/* The newest MOST of the commits that led to REF, itself included, oldest first: parents before their children. */
int git_order(struct git *git, const char *dir, const char *ref, unsigned most, struct commits *out, struct error *err);

/* The regular files that COMMIT holds: their paths from its top, and the ids of their contents; links are none. */
int git_files(struct git *git, const char *dir, const char *commit, struct strv *paths, struct strv *ids, struct error *err);

/* The id of an object as text, of SHA-256 at the longest. */
enum { GIT_ID = 64 + 1 };
/*
 * The object that NAME means in the repository of DIR, appended: 1, 0 when there is none, 2 when it has more than LIMIT
 * bytes, -1. Its id goes to ID.
 */
int git_object(struct git *git, const char *dir, const char *name, size_t limit, struct strbuf *out, char id[GIT_ID],
	       struct error *err);

/*
 * Whether git would add the file at PATH below DIR as what COMMIT holds at PREFIX and PATH: its bytes differ where git converts
 * line ends, expands $Id$ or keeps large files elsewhere.
 */
bool git_adds_same(struct git *git, const char *dir, const char *commit, const char *prefix, const char *path);

/* Whether .gitignore, or another file like it, keeps PATH (absolute, in the repository of DIR) from being added. */
bool git_ignores(struct git *git, const char *dir, const char *path);

/*
 * Runs git with ARGS (NULL behind the last) in the repository of DIR, whatever git's variables in the environment are (GIT_DIR
 * and GIT_WORK_TREE together count for folders below the latter), and
 * without the repository's hooks; its output is appended. TIMEOUT_NS 0: a minute.
 */
int git_run_there(struct git *git, const char *dir, const char *const *args, uint64_t timeout_ns, struct strbuf *out,
		  struct error *err);
/*
 * Begins ARGV with what keeps git's variables of the environment from the command: in a hook they name another tree. True
 * where there are any.
 */
bool git_leave_place(struct strv *argv);

#endif
