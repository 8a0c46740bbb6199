/*
 * What git knows: the commit being measured, what commits hold, and trees of other commits. Runs the git of PATH through the
 * keeper, with the user's hooks, pagers and configuration that run programs kept out of it. What it says of a folder is asked
 * once and kept; all objects of a repository are read by one `git cat-file --batch`, which is started when it is needed.
 *
 *	struct git git = { .keeper = ... }; ... git_release(), before the keeper is stopped
 */
#ifndef PAWL_MEASURE_GIT_GIT_H
#define PAWL_MEASURE_GIT_GIT_H

#include "base/strv.h"
#include "base/text.h"
#include "measure/process/child.h"
#include "model/result.h"

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
/* The full commit that REF names; an unknown one is an ERR_INPUT that says how to fetch it. */
int git_resolve(struct git *git, const char *dir, const char *ref, char **out, struct error *err);
/*
 * The full commit that brought TEXT into the file at PATH, for free(). An ERR_INPUT when no commit did, or when a shallow
 * clone cannot know: everything seems new in its first commit.
 */
int git_brought(struct git *git, const char *dir, const char *path, const char *text, char **out, struct error *err);
/* The path of DIR below its repository's top, "" for the top itself; ERR_SYSTEM outside a repository. */
int git_prefix(struct git *git, const char *dir, char **out, struct error *err);
/*
 * The top of the repository that DIR is in, and of the one that has it as a submodule, or NULL; both for free(). ERR_INPUT
 * outside a repository.
 */
int git_top(struct git *git, const char *dir, char **top_out, char **above_out, struct error *err);
/* The best common ancestor of commits A and B; NULL when there is none. For free(). */
char *git_merge_base(struct git *git, const char *dir, const char *a, const char *b);
/*
 * The commits that led from GOOD, which is not among them, to its descendant BAD, which is: along first parents, oldest
 * first. Where GOOD itself was merged from a branch, they begin with the merge that brought it in.
 */
int git_commits(struct git *git, const char *dir, const char *good, const char *bad, struct commits *out,
		struct error *err);

/* The id of an object as text, of SHA-256 at the longest. */
enum { GIT_ID = 64 + 1 };
/*
 * The object that NAME means in the repository of DIR, appended: 1, 0 when there is none, 2 when it has more than LIMIT
 * bytes, -1. Its id goes to ID.
 */
int git_object(struct git *git, const char *dir, const char *name, size_t limit, struct strbuf *out, char id[GIT_ID],
	       struct error *err);

/*
 * Worktrees of the repository that DIR is in, whatever git's variables in the environment say.
 * Its hooks are not run. git_common_dir(): the repository's own folder, the same for all its worktrees; absolute, for free().
 */
int git_common_dir(struct git *git, const char *dir, char **out, struct error *err);
/* A new worktree of COMMIT (full) at PATH, on no branch; what git still thinks of a folder that is gone is forgotten. */
int git_worktree_add(struct git *git, const char *dir, const char *path, const char *commit, uint64_t timeout_ns,
		     struct error *err);
/* Removes it with all that is in it, and whatever else lies at PATH. */
void git_worktree_remove(struct git *git, const char *dir, const char *path);
/* PATH is the top of a worktree whose HEAD is COMMIT. */
bool git_worktree_whole(struct git *git, const char *path, const char *commit);
/* How its tracked files differ from HEAD, with the commits of submodules: a text to compare, empty where none does. */
int git_worktree_changes(struct git *git, const char *path, struct strbuf *out, struct error *err);
/* Its other files, ignored ones too, from the top; a nested repository is one name that ends in a slash. */
int git_worktree_untracked(struct git *git, const char *path, struct strv *out, struct error *err);
/* Begins ARGV with what keeps git's variables of the environment from the command: in a hook they name another tree. */
void git_leave_place(struct strv *argv);

#endif
