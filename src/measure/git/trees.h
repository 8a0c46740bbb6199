/*
 * Trees of other commits: a git worktree of a commit, built, cached and reused.
 *
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD/	the worktree; BUILD is a hash of the build's command, environment and compilers
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD.log	output of the build
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD.done	the build finished; lists every file it left
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/COMMIT-BUILD.lock	held while building, shared while in use
 *
 * Without XDG_CACHE_HOME, ~/.cache is used. If neither is writable, trees go to the run's scratch folder and are not
 * kept. REPOSITORY is a hash of the repository's common folder. The newest TREES_KEPT trees of a repository are kept.
 * Older trees and those with an unfinished build are removed unless another pawl uses them. Submodules that the
 * repository has fetched are filled, and those within them.
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
	char *root;		/* the project's root in the tree, absolute */
	char *commit;		/* full */
	char *log;		/* log of its build; NULL: no build */
	bool reused;		/* already built by an earlier run */
	char *top;		/* of the worktree */
	bool kept;		/* stays in the cache */
	int lock;		/* protects the tree from removal; 0: not held */
};

struct trees {
	struct git *git;
	const char *root;	/* the project's root */
	const char *scratch;	/* fallback if no other place is writable */
	const char *logs;	/* folder for the logs of trees that are not kept */
	uint64_t build_timeout_ns;	/* 0: an hour */
	/* Called before a tree is made (WHAT "checking out", "building"); may be NULL. */
	void (*progress)(void *ctx, const char *what, const char *commit);
	/* Returns the build command of COMMIT's project from its own pawl.yaml, in ARENA; argv.n 0: no build. */
	int (*build_of)(void *ctx, const char *commit, struct arena *arena, struct command *out, struct error *err);
	void *ctx;
};

/*
 * Returns the built tree of COMMIT (full id, see git_resolve()) in OUT. ERR_TARGET if the commit cannot be checked
 * out, or if the build fails or takes too long. The message quotes the last lines and names the log.
 */
int trees_get(const struct trees *trees, const char *commit, struct tree *out, struct error *err);
/* Releases a tree: others may now remove it, and an uncacheable tree is removed here. Harmless on an empty tree. */
void trees_put(const struct trees *trees, struct tree *tree);
/* Runs BUILD in ROOT with its output in LOG. Errors as for trees_get(). */
int trees_build(const struct trees *trees, const char *root, const struct command *build, const char *log,
		struct error *err);

#endif
