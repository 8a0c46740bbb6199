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

struct line_span {
	unsigned first, last;		/* 0: not known */
};

/*
 * Lines that were replaced, taken out or put in at one place, of one function: a run of them that reaches over several
 * functions is several changes. Comments, blanks and what only moved within its line are none.
 */
struct change {
	const char *path;		/* below the repository's top, as it is now; as it was where it was deleted */
	const char *base_path;		/* as it was; the same unless it was renamed */
	const char *function;		/* that they lie in: "find_by_sval", of C++ "Parser::next"; NULL: none */
	const char *holder;		/* else the macro, table or type that they lie in: "GROW", "prices"; or NULL */
	unsigned line, n_lines;		/* of the head; n 0: only taken out there, behind that line */
	unsigned base_line, n_base_lines;
	struct line_span span, base_span;	/* all of that function, in the head and in the base */
	struct strv before, now;	/* the lines' code, at most CHANGE_LINES of each; one line each, without comments */
	struct strv words;		/* identifiers in one of them and not in the other; outside functions all, and the holder */
};

/* Where the head uses a word of a change that lies in no function: what else may depend on it. */
struct change_use {
	size_t change;			/* index of it */
	const char *word, *path, *function;	/* NULL: in none */
	unsigned line;
};

enum { CHANGE_LINES = 40, CHANGE_WORDS = 32, CHANGES_MOST = 5000, CHANGE_USES_MOST = 2000 };

struct changes {
	struct arena arena;
	struct change *items;		/* in the order of git */
	size_t n, cap;
	struct change_use *uses;
	size_t n_uses, cap_uses;
	bool known;			/* both sides are trees that could be compared; else nothing can be said */
	bool cut;			/* there were more than CHANGES_MOST, or more text than is read */
	struct strv others;		/* changed files that hold no code: "Makefile", "data/input.txt" */
};

void changes_release(struct changes *changes);
/* True for files that say how the program is built: Makefile, CMakeLists.txt, meson.build, Cargo.toml, pawl.yaml, ... */
bool changes_is_build_file(const char *path);
/* True for files that no measured program is made of, or reads: of tests, of documents. */
bool changes_is_test(const char *path);
bool changes_is_document(const char *path);

/* What differs, as bits. */
enum {
	CHANGED_CODE = 1,
	CHANGED_BUILD = 2,
	CHANGED_DATA = 4,	/* a file of no known kind: what the program may read */
	CHANGED_TESTS = 8,
	CHANGED_DOCUMENTS = 16,
};

/* 0: nothing, or not known. */
unsigned changes_what(const struct changes *changes);
/* Nothing but how it is built, and what no program is made of. */
bool changes_only_build(const struct changes *changes);
/* The same of its data. */
bool changes_only_data(const struct changes *changes);

#endif
