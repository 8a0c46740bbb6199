/* The programs that each side runs and their identity, so that a report shows when one program measured differently. */
#ifndef PAWL_JOB_SIDES_PROGRAMS_H
#define PAWL_JOB_SIDES_PROGRAMS_H

#include <stdbool.h>
#include <time.h>

#include "measure/git/tree_map.h"
#include "model/source/source_text.h"

struct changes;
struct plan;
struct strv;
struct system_calls;

/*
 * Returns the identity of the executable, see elf_identity(). A '+' and an identity follow for each project file
 * among its arguments, and for each project program that these name. NULL if no file is found. For free().
 */
char *programs_identity(const struct plan *plan);
/* True if the program that PLAN measures is not there. */
bool programs_missing(const struct plan *plan);
struct elf_sizes;
/* Sums up the sizes of the executable, and of the libraries that it finds by its run path. False: not an ELF file. */
bool programs_sizes(const struct plan *plan, struct elf_sizes *out);
/* Appends the words of TEXT, a shell command, that can be files. */
void programs_words(const char *text, struct strv *out);
/* Returns the file that NAME means to what PLAN starts, or NULL. For free(). */
char *program_find(const struct plan *plan, const char *name);
/* Returns the language of the script at PATH, or LANGUAGE_NONE. */
enum language program_language(const char *path);
/* Returns the project's script that WORD, an argument, means to what PLAN starts, or NULL. For free(). */
char *program_script(const struct plan *plan, const char *word);

/* True if the name of PATH is that of a shared library. */
bool program_is_library(const char *path);
/* Returns the source of a cached Python module: "pkg/core.py" for "pkg/__pycache__/core.cpython-312.pyc"; NULL: PATH is none. For free(). */
char *program_cached_source(const char *path);

/* One side of a comparison: what it runs, and the places of its files. */
struct program_side {
	const struct plan *plan;
	const struct tree_map *map;
	const char *out, *tmp;	/* ${out} and ${tmp}: files that setup makes there are the side's own too */
};

/* Returns whose the file at PATH is, links resolved. */
enum tree_whose program_whose(const struct program_side *side, const char *path);
/*
 * Lets the target find the programs of its own tree if PATH leads into a tree by links. Puts their folder first on
 * the PATH of everything that PLAN starts.
 */
void programs_prefer_own(struct plan *plan, const struct tree_map *map);
/*
 * Gives everything that both sides start the same initial stack: words, environment and program path. PLANS: the base's
 * and the head's.
 */
void programs_even_out(struct plan *const plans[]);
/*
 * Returns why both sides (base and head) run one program although their trees differ, with a remedy. NULL if each runs
 * its own. For free(). CALLS are what one execution of each side executed, mapped and read. COMPLETE: they have
 * everything that was loaded.
 *
 * A side runs its own program if code of its tree was executed, mapped, or loaded by an interpreter. A file that
 * another program reads is data. It runs another's program in three cases: code of another tree was loaded; a package
 * elsewhere was loaded in place of the tree's; both sides loaded code outside both trees that was written while trees
 * were built (BUILT_FROM to BUILT_TO).
 *
 * KNOWN_OUT is false if CALLS do not suffice. Then ask again without them (NULL): by the words of the commands, and of a
 * shell's text with variables replaced. These do not show what a script starts, or where a module is found, so a program
 * that may run files of the tree (an interpreter, a build tool) passes. Exception: the tree has a program of that name.
 */
char *programs_loaded(const struct program_side sides[2], const struct system_calls *calls, bool complete,
		      const struct timespec *built_from, const struct timespec *built_to, bool *known_out);

/*
 * Adds programs of SIDE's own tree to KEPT, for strv_release(): those that its command names, and those that CALLS
 * (may be NULL) executed or mapped. Each is added once.
 *
 * programs_changed() returns the path of the first program in KEPT whose bytes differ by now, or NULL.
 */
void programs_keep(const struct program_side *side, const struct system_calls *calls, struct strv *kept);
const char *programs_changed(const struct strv *kept);
/* Returns the head's first compiled program if all compiled programs of both sides' KEPT are equal; else NULL. */
const char *programs_equal(const struct strv *kept);
/*
 * Returns a warning that PROGRAM, which is equal on both sides, may lack CHANGES, because they are in code of a compiled
 * language. For free(). NULL: they are not, or are unknown.
 */
char *programs_unchanged(const char *program, const struct changes *changes);

#endif
