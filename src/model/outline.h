/*
 * Which function each line of a source text lies in, and what of it is code: told by punctuation and indentation, without
 * compiling. Right for what people write; of a text that is no such source it says something, and never fails.
 *
 *	outline_read(text, len, outline_language(path, text), &outline) ... outline_release()
 *
 * A text may begin in the midst of a file. What is preprocessed is read as if each branch stood alone.
 */
#ifndef PAWL_MODEL_OUTLINE_H
#define PAWL_MODEL_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* By what a reader of it goes. */
enum language {
	LANGUAGE_NONE,		/* no code that is known */
	LANGUAGE_C,		/* braces; #define */
	LANGUAGE_RUST,
	LANGUAGE_SCRIPT,	/* braces, functions within functions, regular expressions: JavaScript, TypeScript, PHP */
	LANGUAGE_BRACES,	/* Go, Java, C#, Kotlin, Swift, ... */
	LANGUAGE_HASH,		/* braces, and comments behind #: Perl, awk */
	LANGUAGE_PYTHON,	/* indentation */
	LANGUAGE_ENDS,		/* indentation, with a line that ends a function: Ruby, R */
	LANGUAGE_LUA,
	LANGUAGE_SHELL,
};

/* Of the file at PATH, by its name, else by the interpreter that TEXT's first line names (TEXT may be NULL). */
enum language outline_language(const char *path, const char *text);

enum outline_kind { OUTLINE_FUNCTION, OUTLINE_MACRO, OUTLINE_DATA, OUTLINE_TYPE };

struct outline_item {
	enum outline_kind kind;
	const char *name;	/* "luaM_growaux_", "Parser::next"; of a method in its class the bare name */
	unsigned first, last;	/* lines, from the one that its head begins in */
};

struct outline {
	struct arena arena;
	struct outline_item *items;	/* in the order of their ends */
	size_t n, cap;
	uint32_t *of_line;	/* of line i + 1: the innermost item that holds it, + 1; 0: none; outline_at() knows better */
	const char **code;	/* of line i + 1, without comments and blanks at its ends; inside it each run of blanks is one */
	unsigned n_lines;
};

/* At most OUTLINE_LINES lines are read. */
enum { OUTLINE_LINES = 1000000, OUTLINE_NAME = 200 };

void outline_read(const char *text, size_t len, enum language language, struct outline *out);
void outline_release(struct outline *outline);
/*
 * The item of LINE, or NULL: also of a line that is not there. Where a function begins as an argument of a call, the line is of the
 * function that calls.
 */
const struct outline_item *outline_at(const struct outline *outline, unsigned line);

#endif
