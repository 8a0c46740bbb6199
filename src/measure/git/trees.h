/*
 * Trees of other commits, and accepted ones: each a git worktree, built, kept (see kept.h) and used again. If no place
 * is writable, or the disk is full, a tree goes to the run's scratch folder and is not kept. Submodules that the
 * repository has fetched are filled, and those within them.
 *
 * 	trees_get() for each commit -> measure in it -> trees_put() for each
 */
#ifndef PAWL_MEASURE_GIT_TREES_H
#define PAWL_MEASURE_GIT_TREES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct arena;
struct command;
struct error;
struct git;

struct tree {
	char *root;		/* the project's root in the tree, absolute */
	char *commit;		/* full */
	char *log;		/* log of its build; NULL: no build */
	bool reused;		/* already built by an earlier run */
	char *top;		/* of the worktree */
	bool kept;		/* stays in the cache */
	bool dirty;		/* accepted with files that differed from the commit's */
	int lock;		/* protects the tree from removal; 0: not held */
};

struct trees {
	struct git *git;
	const char *root;	/* the project's root */
	const char *scratch;	/* for trees that cannot be kept; NULL: that is an error */
	const char *logs;	/* folder for the logs of trees that are not kept */
	uint64_t build_timeout_ns;	/* 0: an hour */
	/* Gets what is done next, or why it is done again: "building 1a2b3c4d5e6f"; may be NULL. */
	void (*progress)(void *ctx, const char *words);
	/* Returns the build command of COMMIT's project from its own pawl.yaml, in ARENA; argv.n 0: no build. */
	int (*build_of)(void *ctx, const char *commit, struct arena *arena, struct command *out, struct error *err);
	void *ctx;
};

/*
 * Returns the built tree of COMMIT (full id) in OUT. ERR_TARGET if the commit cannot be checked out or built; the message
 * quotes the last lines and names the log.
 */
int trees_get(const struct trees *trees, const char *commit, struct tree *out, struct error *err);
/* The runs that a baseline accepted, and their tree. */
struct accepted {
	struct strv runs;	/* "MEASUREMENT SCENARIO" for each, at least one */
	struct strv skip;	/* absolute paths that are not kept */
	bool dirty;		/* the tree's files differ from those of its commit */
};

/* Keeps a copy of the repository's tree as it is, without .git; nothing on failure, or if it is larger than the cap. */
int trees_accept(const struct trees *trees, const struct accepted *accepted, struct error *err);
/* Returns the folder of the repository's kept trees, for kept_find_accepted() and free(); NULL, with the reason. */
char *trees_folder(const struct trees *trees, struct error *err);
/* Returns the accepted tree at TOP. A damaged one is removed, and an error. */
int trees_get_accepted(const struct trees *trees, const char *top, struct tree *out, struct error *err);
/* Releases a tree: others may now remove it, and an uncacheable tree is removed here. Harmless on an empty tree. */
void trees_put(const struct trees *trees, struct tree *tree);
/* Runs BUILD in ROOT with its output in LOG. Errors as for trees_get(). */
int trees_build(const struct trees *trees, const char *root, const struct command *build, const char *log,
		struct error *err);

#endif
