/* Which programs each side runs, and their identity, so that a report can say when the same program measured differently. */
#ifndef PAWL_JOB_PROGRAMS_H
#define PAWL_JOB_PROGRAMS_H

#include <stdbool.h>
#include <time.h>

#include "model/outline.h"

struct plan;
struct strv;
struct system_calls;
struct tree_map;

/*
 * The identity of the executable, see file_identity(), and behind a '+' that of each file of the
 * project among its arguments, and of each program of the project that these name. NULL when none of them can be
 * found. For free().
 */
char *programs_identity(const struct plan *plan);
/* Appends the words of TEXT, a shell's, as far as they can be files. */
void programs_words(const char *text, struct strv *out);
/* The file that NAME means to what PLAN starts; for free(), NULL when there is none. */
char *program_find(const struct plan *plan, const char *name);
/* The language of the program at PATH, if it is a script; else LANGUAGE_NONE. */
enum language program_language(const char *path);
/* The script of the project that WORD, an argument, means to what PLAN starts; for free(), NULL when it is none. */
char *program_script(const struct plan *plan, const char *word);

/* One side of a comparison: what it runs, and where its files are to be found. */
struct program_side {
	const struct plan *plan;
	const struct tree_map *map;
	const char *out, *tmp;	/* ${out} and ${tmp}: what setup makes there is the side's own too */
};

/*
 * Lets the target find the programs of its own tree where PATH leads into a tree by links: their folder comes first
 * on the PATH of everything that PLAN starts.
 */
void programs_prefer_own(struct plan *plan, const struct tree_map *map);
/*
 * Why the two sides run one program although their trees differ, and what to do about it; NULL where each runs its own.
 * For free().
 *
 * A side runs its own program when a word of its command is a program in its own tree, and another's when one is a
 * program in another tree. Where no word is either, both sides run one program from elsewhere. That is no comparison
 * of the trees, unless the program is known to run what it finds in the tree (an interpreter, a build tool), or is
 * the system's and is given a file of the tree; and never where the tree itself has a program of that name, since
 * that one is meant. Words are those of the command, and of the text of a shell, variables replaced.
 */
char *programs_shared(const struct program_side *base, const struct program_side *head);
/*
 * The same by what one execution of each side, base and head, executed, mapped and read: more certain, since no word of a
 * command shows what a script starts, or where a module is found. A side runs its own program when code of its own tree was
 * executed or mapped, or loaded by an interpreter; a file that another program reads is data. It is another's program when code
 * of another tree was loaded, when a package elsewhere was loaded in place of the tree's, or when both sides loaded code in
 * neither tree that was written while trees were built, BUILT_FROM to BUILT_TO.
 *
 * CALLS are of both sides. COMPLETE: they have all that was loaded. KNOWN_OUT is false where that is missing for a decision: ask
 * programs_shared().
 */
char *programs_loaded(const struct program_side sides[2], const struct system_calls *calls, bool complete,
		      const struct timespec *built_from, const struct timespec *built_to, bool *known_out);

/*
 * Notes in KEPT, for strv_release(), the programs of SIDE's own tree that its command names, or that CALLS (may be NULL)
 * executed or mapped, unless they are there. programs_changed(): the path of the first whose bytes differ by now, of KEPT; NULL: none.
 */
void programs_keep(const struct program_side *side, const struct system_calls *calls, struct strv *kept);
const char *programs_changed(const struct strv *kept);

#endif
