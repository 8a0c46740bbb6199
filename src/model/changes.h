/*
 * The lines that differ between two commits or trees, with the functions they lie in as git's diff drivers see it. Read by
 * measure/git, used to name the changed line that a cost comes from.
 */
#ifndef PAWL_MODEL_CHANGES_H
#define PAWL_MODEL_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/text.h"

/* Lines that were replaced, taken out or put in at one place: `git diff -U0`'s hunk. */
struct change {
	const char *path;		/* below the repository's top, as it is now; as it was where it was deleted */
	const char *function;		/* the name in the line that git shows behind @@: "find_by_sval"; NULL: none */
	unsigned line, n_lines;		/* of the head; n 0: only taken out there */
	unsigned base_line, n_base_lines;
	struct strv before, now;	/* the lines' texts, at most CHANGE_LINES of each */
	struct strv words;		/* identifiers that stand in one of them and not in the other: what else may depend on it */
};

enum { CHANGE_LINES = 40, CHANGES_MOST = 5000 };

struct changes {
	struct arena arena;
	struct change *items;		/* in the order of git */
	size_t n, cap;
	bool known;			/* both sides are trees that git knows; else nothing can be said */
	bool cut;			/* there were more than CHANGES_MOST */
	struct strv others;		/* changed files that hold no code: "Makefile", "data/input.txt" */
};

void changes_release(struct changes *changes);
/* True for files that say how the program is built: Makefile, CMakeLists.txt, meson.build, Cargo.toml, pawl.yaml, ... */
bool changes_is_build_file(const char *path);

#endif
