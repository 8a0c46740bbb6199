/*
 * Git: commits, the files of a commit or of the working tree, trees that are built. Each section below is the file of its
 * name.
 */
#ifndef PAWL_MEASURE_GIT_GIT_H
#define PAWL_MEASURE_GIT_GIT_H

#include <stdbool.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/process/process.h"
#include "model/changes.h"
#include "model/result.h"
#include "scenario/scenario.h"

/* -------- git */

/*
 * What git knows: the commit being measured, what commits hold, and trees of other commits. Runs the git of PATH through the
 * keeper, with the user's hooks, pagers and configuration that run programs kept out of it. What it knows of a folder is asked
 * once and kept; all objects of a repository are read by one `git cat-file --batch`, which is started when it is needed.
 *
 *	struct git git = { .keeper = ... }; ... git_release(), before the keeper is stopped
 */

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

/* -------- file_source */

/*
 * One way to read a project's files, be they those of a folder or those that a commit holds. Paths are relative to
 * the project's root; "../" leads above it, within the repository. What was read is kept: no file is read twice.
 *
 *	file_source_folder(), or file_source_commit()  ->  file_source_read(), file_source_list()  ->  file_source_release()
 *
 * In a commit symbolic links are followed as far as they stay in its tree. One that leaves it, leads nowhere or in a
 * circle, and a submodule, whose files lie in another repository, are an ERR_INPUT that names the path.
 */

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

/* -------- tree_map */

/*
 * Where each side of a comparison finds the project's files. Two trees are built and compared, but a scenario's absolute
 * paths, and what pawl's own environment names (PATH above all), speak of one: without a map both sides run its program.
 * Here a path into any of the trees means the same place in the side's own.
 *
 *	tree_map_init() with the trees that a path may name -> tree_map_text(), tree_map_environment() for each plan
 *	-> tree_map_whose() of what was found -> tree_map_release()
 *
 * A path counts where it begins with a tree's folder, or leads into one by symbolic links; /dev and /proc are left alone.
 * With one tree alone there is nothing to map.
 */

struct tree_map {
	struct strv trees;	/* all of them, absolute, the side's own first */
	struct strv reals;	/* the same without links */
	const char *own, *own_real;	/* the first of both */
};

/* OWN and the other N folders that a path may name, absolute; the same one may come twice. */
void tree_map_init(struct tree_map *out, const char *own, const char *const *trees, size_t n);
void tree_map_release(struct tree_map *map);

/*
 * TEXT with every absolute path into a tree led to the own one; for free(). A path begins TEXT, or stands behind a blank,
 * a quote, one of = : , ; ( < > | &, an '@', "//", or an option's letters (-I/project/include). Where the own tree's
 * path holds what a shell would read, TEXT is as it was.
 */
char *tree_map_text(const struct tree_map *map, const char *text);
/*
 * Append to ENVIRONMENT, a list in ARENA that is laid over pawl's own, the variables of pawl's own that name a tree, led
 * to the own one: those named in ONLY, or all where that is NULL.
 * A list of folders (PATH, LD_LIBRARY_PATH, PYTHONPATH, ...) keeps an entry behind the own tree's as long as that is missing
 * there; another variable keeps what is missing there. Those of the user and the system (HOME, TMPDIR, XDG_*) stay, as does PWD.
 */
void tree_map_environment(const struct tree_map *map, const struct strv *only, struct arena *arena,
			  struct strv *environment);

enum tree_whose { TREE_OWN, TREE_OTHER, TREE_NONE };
/* In which tree the file at PATH really lies. */
enum tree_whose tree_map_whose(const struct tree_map *map, const char *path);
/*
 * The folder of the own tree that stands for that of the file at PATH, where links lead from outside into a tree; for
 * free(), NULL where they do not.
 */
char *tree_map_folder(const struct tree_map *map, const char *path);

/* -------- trees */

/*
 * Trees of other commits: a git worktree of a commit, built, kept in a cache and used again.
 *
 *	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD/	the worktree; BUILD is a hash of the build's command, environment and compilers
 *	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD.log	what building it printed
 *	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD.done	it was built to its end, and each file that it had then
 *	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD.lock	held by who builds it, shared by who uses it
 *
 * (~/.cache without XDG_CACHE_HOME; where neither can be written, the run's scratch folder, and then nothing is kept.)
 * REPOSITORY is a hash of the repository's common folder. The newest TREES_KEPT trees of a repository are kept; older
 * ones, and those whose build did not end, are removed unless another pawl uses them. Submodules that the repository has
 * fetched are filled; those of submodules are left empty: filling them is the build's.
 *
 *	trees_get() for each commit -> measure in it -> trees_put() for each
 */

enum { TREES_KEPT = 8 };

struct tree {
	char *root;		/* the project's root in it, absolute */
	char *commit;		/* full */
	char *log;		/* of its build; NULL: there was nothing to build */
	bool reused;		/* it was there already, built */
	char *top;		/* of the worktree */
	bool kept;		/* in the cache, for the next time */
	int lock;		/* 0: none; keeps others from removing it */
};

struct trees {
	struct git *git;
	const char *root;	/* the project's */
	const char *scratch;	/* where nothing else can be written */
	const char *logs;	/* a folder for the logs of trees that are not kept */
	uint64_t build_timeout_ns;	/* 0: an hour */
	/* Called before a tree is made (WHAT "checking out", "building"); may be NULL. */
	void (*progress)(void *ctx, const char *what, const char *commit);
	/* The build command of COMMIT's project: its own pawl.yaml's, in ARENA; argv.n 0: nothing to build. */
	int (*build_of)(void *ctx, const char *commit, struct arena *arena, struct command *out, struct error *err);
	void *ctx;
};

/*
 * The built tree of COMMIT (full, see git_resolve()), in OUT. A commit that cannot be checked out, and a build that
 * fails or takes too long, are an ERR_TARGET that quotes the last lines and names the log.
 */
int trees_get(const struct trees *trees, const char *commit, struct tree *out, struct error *err);
/* It is not needed any more: lets others remove it, and removes it where it cannot be kept. Harmless on an empty one. */
void trees_put(const struct trees *trees, struct tree *tree);
/* Run BUILD in ROOT, its output to LOG; as above. */
int trees_build(const struct trees *trees, const char *root, const struct command *build, const char *log,
		struct error *err);

/* -------- diff */

/*
 * The text of `git diff --src-prefix=a/ --dst-prefix=b/` appended to CHANGES; what is none is skipped. With as much context as
 * the files have, functions and comments are told by the whole files (model/outline.h); with less, by what git shows
 * behind @@. A damaged text gives fewer changes.
 */
void diff_read(const char *text, size_t len, struct changes *changes);

/* -------- changes */

/* One side of a comparison. */
struct change_side {
	const char *root;	/* the project's folder on this side, absolute; NULL where it could not be made */
	const char *commit;	/* full: it holds what that commit holds; NULL: whatever is there */
};

/*
 * What differs between BASE and HEAD, and where the head uses constants that do: two commits, a commit and a working tree with
 * its new files, or any two folders (of which what their .gitignore names is left out). The user's configuration of git
 * and the repository's attributes change nothing. SCRATCH is a folder for two trees' objects. Where neither is possible, OUT
 * says that nothing is known. Took 10 to 160 ms for repositories of some hundred files, at most CHANGES_LONGEST_NS.
 */
#define CHANGES_LONGEST_NS (20 * NS_PER_S)
int changes_read(struct git *git, const char *scratch, const struct change_side *base, const struct change_side *head,
		 struct changes *out, struct error *err);

#endif
