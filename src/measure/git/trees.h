/*
 * Trees of other commits: a git worktree of a commit, built, kept in a cache and used again.
 *
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD/	the worktree; BUILD is a hash of the build's command, environment and compilers
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD.log	what building it printed
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD.done	it was built to its end, and each file that it had then
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD.lock	held by who builds it, shared by who uses it
 *
 * (~/.cache without XDG_CACHE_HOME; where neither can be written, the run's scratch folder, and then nothing is kept.)
 * REPOSITORY is a hash of the repository's common folder. The newest TREES_KEPT trees of a repository are kept; older
 * ones, and those whose build did not end, are removed unless another pawl uses them. Submodules that the repository has
 * fetched are filled; those of submodules are left empty: filling them is the build's.
 *
 * 	trees_get() for each commit -> measure in it -> trees_put() for each
 */
#ifndef PAWL_MEASURE_GIT_TREES_H
#define PAWL_MEASURE_GIT_TREES_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct command;
struct error;
struct git;

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

#endif
