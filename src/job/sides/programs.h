/* The programs that each side runs, and their identity. */
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
 * The executable's elf_identity(), and behind a '+' that of each project file among its arguments; for free(), or
 * NULL.
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
/* "pkg/core.py" for "pkg/__pycache__/core.cpython-312.pyc", for free(). NULL: PATH is no cache. */
char *program_cached_source(const char *path);

/* One side of a comparison: what it runs, and the places of its files. */
struct program_side {
	const struct plan *plan;
	const struct tree_map *map;
	const char *out, *tmp;	/* ${out} and ${tmp}: files that setup makes there are the side's own too */
};

/* Returns whose the file at PATH is, links resolved. */
enum tree_whose program_whose(const struct program_side *side, const char *path);
/* Lets the target find the programs of its own tree if PATH leads into a tree by links. */
void programs_prefer_own(struct plan *plan, const struct tree_map *map);
/* Gives what both sides start the same initial stack: words, environment and program path. */
void programs_even_out(struct plan *const plans[]);
/*
 * Returns why both sides run one program although their trees differ, with a remedy, for free(); NULL if each runs
 * its own. A side's own program executes, maps or, as an interpreter, loads code of its tree. It is another's if code
 * of another tree was loaded, a package elsewhere took the tree's place, or both loaded code outside both trees
 * written between BUILT_FROM and BUILT_TO. CALLS are of one execution of each side, COMPLETE if nothing is missing.
 * If *KNOWN_OUT is false, ask again with NULL: by the words of the commands, where an interpreter or build tool
 * passes.
 */
char *programs_loaded(const struct program_side sides[2], const struct system_calls *calls, bool complete,
		      const struct timespec *built_from, const struct timespec *built_to, bool *known_out);

/*
 * Adds programs of SIDE's own tree to KEPT: those that its command names, and that CALLS (or NULL) executed or
 * mapped. programs_changed() returns the first one whose bytes differ by now, or NULL.
 */
void programs_keep(const struct program_side *side, const struct system_calls *calls, struct strv *kept);
const char *programs_changed(const struct strv *kept);
/* Returns the head's first compiled program if all compiled programs of both sides' KEPT are equal; else NULL. */
const char *programs_equal(const struct strv *kept);
/* Returns a warning that PROGRAM, equal on both sides, may lack CHANGES of compiled code; for free(), or NULL. */
char *programs_unchanged(const char *program, const struct changes *changes);

#endif
