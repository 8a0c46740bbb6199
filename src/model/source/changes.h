/*
 * Lines that differ between two commits or trees, with their functions as found by git's diff drivers. Read by
 * measure/git. Used to name the changed line behind a cost.
 */
#ifndef PAWL_MODEL_SOURCE_CHANGES_H
#define PAWL_MODEL_SOURCE_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/text.h"

struct line_span {
	unsigned first, last;		/* 0: unknown */
};

/* Code that the compiler made of changed lines. */
struct change_code {
	int side;			/* whose program has it */
	const char *key;		/* comparable name of the function that contains it */
	const char *through;		/* function that contains the lines, if it was inlined into that one; or NULL */
};

/*
 * Lines replaced, removed or added at one place in one function. A run of lines across several functions is several
 * changes. Comments, blanks and moves within a line are ignored.
 */
struct change {
	const char *path;		/* relative to the top of the repository, in the head; of a deleted file in the base */
	const char *base_path;		/* in the base; differs only if renamed */
	const char *function;		/* around the lines: "find_by_sval", in C++ "Parser::next"; or NULL */
	const char *holder;		/* without a function, the macro, table or type around the lines: "GROW", "prices"; or NULL */
	unsigned line, n_lines;		/* in the head; n 0: only removed, after that line */
	unsigned base_line, n_base_lines;
	struct line_span span, base_span;	/* the whole function, in the head and in the base */
	struct change_code *code;	/* from debug information; none: unknown, or no code comes from the lines */
	size_t n_code, cap_code;
	struct strv before, now;	/* code without comments, one item a line, at most CHANGE_LINES each */
	struct strv words;		/* identifiers on one side only; outside functions all of them, and the holder */
};

/* A use, in the head, of a word from a change outside functions. Code there may depend on the change. */
struct change_use {
	size_t change;			/* index into changes.items */
	const char *word, *path, *function;	/* function NULL: outside functions */
	unsigned line;
};

enum { CHANGE_LINES = 40, CHANGE_WORDS = 32, CHANGES_MOST = 5000, CHANGE_USES_MOST = 2000 };

struct changes {
	struct arena arena;
	struct change *items;		/* in git's order */
	size_t n, cap;
	struct change_use *uses;
	size_t n_uses, cap_uses;
	const char *top[2];		/* absolute folder of each side that paths are relative to; NULL: unknown */
	bool known;			/* both sides are trees that could be compared; else nothing is known */
	bool cut;			/* there were more than CHANGES_MOST, or more text than pawl reads */
	struct strv others;		/* changed files without code: "Makefile", "data/input.txt" */
};

void changes_release(struct changes *changes);
/*
 * True if SOURCE, from debug information or a trace of SIDE, is the file at PATH. Below the side's top whole paths are
 * compared; elsewhere, SOURCE may be PATH in any folder, or relative to an unknown one.
 */
bool changes_has_source(const struct changes *changes, int side, const char *source, const char *path);
/* True for files that define the build: Makefile, CMakeLists.txt, meson.build, Cargo.toml, pawl.yaml, ... */
bool changes_is_build_file(const char *path);
/* True for tests, which a measured program neither contains nor reads. */
bool changes_is_test(const char *path);

/* Kinds of changed files, as bits. */
enum {
	CHANGED_CODE = 1,
	CHANGED_BUILD = 2,
	CHANGED_DATA = 4,	/* a file of unknown kind, which the program may read */
	CHANGED_TESTS = 8,
	CHANGED_DOCUMENTS = 16,
};

/* Returns the CHANGED_ bits; 0: no change, or unknown. */
unsigned changes_what(const struct changes *changes);
/* True if only the build changed, apart from tests and documents. */
bool changes_only_build(const struct changes *changes);
/* True if only data changed, apart from tests and documents. */
bool changes_only_data(const struct changes *changes);

#endif
