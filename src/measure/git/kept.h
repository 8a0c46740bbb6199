/*
 * Where built trees are kept, and for how long.
 *
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/NAME/	a worktree of the repository; NAME is below
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/NAME.log	output of its build
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/NAME.done	it is complete, see kept_write_state(); its time is that of the last use
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/NAME.lock	held while it is made or removed, shared while in use
 * 	$XDG_CACHE_HOME/pawl/trees/REPOSITORY/NAME.accepted	the commit, perhaps with "+dirty", then a line "MEASUREMENT SCENARIO" for each
 *
 * NAME is COMMIT-KEY of a base that was built here, or accepted-MEASUREMENT of a tree that a baseline accepted.
 * REPOSITORY is a hash of the repository's common folder. The folders are the user's own and no links: others could plant
 * builds there. Trees of all repositories share a cap; those used longest ago go first, and those in use stay.
 */
#ifndef PAWL_MEASURE_GIT_KEPT_H
#define PAWL_MEASURE_GIT_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct error;
struct git;
struct interrupt;

#define KEPT_DEFAULT_BYTES (2ull << 30)

struct kept {
	char *top;		/* the tree's folder, absolute */
	char *project;		/* the top of its repository; NULL: unknown */
	char *commit;		/* full; of an accepted tree perhaps with "+dirty" */
	char *scenarios;	/* of an accepted tree, "words, sort"; NULL: a base */
	bool finished, in_use;
	uint64_t bytes;
	struct timespec used;	/* 0: never finished */
};

/* Returns the most bytes that trees may take: PAWL_CACHE_SIZE, or the default. ERR_INPUT if that is no size. */
int kept_cap(uint64_t *bytes_out, struct error *err);
/* Returns the folder for trees of REPOSITORY, made if missing, for free(). NULL, with the reason, if none can be written. */
char *kept_folder(const char *repository, struct error *err);
/* Lists the trees of all repositories, last used first. Free with kept_free(). A missing cache is an empty list. */
int kept_list(struct kept **out, size_t *n_out, struct error *err);
void kept_free(struct kept *trees, size_t n);
/* Returns the accepted tree in FOLDER of a measurement, for free(), or NULL. */
char *kept_find_accepted(const char *folder, const char *measurement);
/* Returns the full commit of an accepted tree, for free(), and whether its files differed from it. "": unknown. */
char *kept_accepted_commit(const char *top, bool *dirty_out);
/* Marks in DROP which of N trees, last used first, must go: unfinished ones, and the last until the rest fits into CAP bytes. */
void kept_choose(const struct kept *trees, size_t n, uint64_t cap, bool *drop);
/* Removes a tree unless it is in use. Returns false then. */
bool kept_remove(struct git *git, const char *top);
/* Removes what does not fit. */
void kept_prune(struct git *git);

/*
 * Everything besides its commit that a build depends on and that is cheap to know. Texts may be NULL. A tree is built
 * again when any of them differs.
 */
struct kept_build {
	const char *command;			/* `build:` as text */
	const char *const *environment;		/* NAME=VALUE, then NULL; variables that builds are not expected to read do not count */
	const char *compilers;			/* what the compilers and the linker print as their version */
	const char *machine;			/* architecture, as uname prints it */
	const char *os_release;			/* text of /etc/os-release; a runner's image is in its environment */
};

/* Returns KEY of a tree's name. */
uint64_t kept_key(const struct kept_build *build);

/*
 * Whether a built tree is still as its build left it. A marker, NAME.done, lists every file with a hash of its bytes; it is
 * written last, so a half built tree has none. Times and inodes do not count: a CI cache restores files with others.
 */

/* Writes the state of the tree at TOP to MARKER, without any .git. */
int kept_write_state(const char *top, const char *marker, struct error *err);
/*
 * True if TOP is as MARKER has it. Otherwise *WHY_OUT says what differs, for free(), or is NULL if there is no marker.
 * MAY_WRITE: new files, left by measuring or able to run in place of the tree's own, are removed; else they count as a
 * difference.
 */
bool kept_state_same(const char *top, const char *marker, bool may_write, char **why_out);
/* Returns the bytes that the tree takes on the disk, by its marker; false if it has none that can be read. */
bool kept_size(const char *marker, uint64_t *bytes_out);

/* Waits at most WAIT_NS (0: not at all) for the lock of the tree at TOP. Returns the descriptor, to be closed, or -1. */
int kept_lock(const char *top, bool shared, struct interrupt *interrupt, uint64_t wait_ns, struct error *err);
/* Removes what is at TOP, a worktree or anything else, for one who has its lock. */
void kept_clear(struct git *git, const char *top);

#endif
