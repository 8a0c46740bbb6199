/*
 * Finds the function around each line of source text, and the code of each line without comments. Uses punctuation
 * and indentation, without compiling. Correct for code as people write it. Other text gives an arbitrary result,
 * never an error.
 *
 *	outline_read(text, len, outline_language(path, text), &outline) ... outline_release()
 *
 * TEXT may start in the middle of a file. Each preprocessor branch is read separately.
 */
#ifndef PAWL_MODEL_OUTLINE_H
#define PAWL_MODEL_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* Languages, grouped by syntax. */
enum language {
	LANGUAGE_NONE,		/* not known code */
	LANGUAGE_C,		/* braces; #define */
	LANGUAGE_RUST,
	LANGUAGE_SCRIPT,	/* braces, functions within functions, regular expressions: JavaScript, TypeScript, PHP */
	LANGUAGE_BRACES,	/* Go, Java, C#, Kotlin, Swift, ... */
	LANGUAGE_HASH,		/* braces, and comments after #: Perl, awk */
	LANGUAGE_PYTHON,	/* indentation */
	LANGUAGE_ENDS,		/* indentation, with a line that ends a function: Ruby, R */
	LANGUAGE_LUA,
	LANGUAGE_SHELL,
};

/*
 * Returns the language of the file at PATH, by its name, else by the interpreter in TEXT's first line. TEXT may be
 * NULL.
 */
enum language outline_language(const char *path, const char *text);

enum outline_kind { OUTLINE_FUNCTION, OUTLINE_MACRO, OUTLINE_DATA, OUTLINE_TYPE };

struct outline_item {
	enum outline_kind kind;
	const char *name;	/* "luaM_growaux_", "Parser::next"; the bare name of a method inside its class */
	unsigned first, last;	/* lines, from the first line of its head */
};

struct outline {
	struct arena arena;
	struct outline_item *items;	/* sorted by their ends */
	size_t n, cap;
	uint32_t *of_line;	/* by line - 1: index + 1 of the innermost item around it; 0: none; see outline_at() */
	const char **code;	/* by line - 1: the code without comments and outer blanks; each inner run of blanks is one */
	unsigned n_lines;
};

/* Most lines read, and the longest name. */
enum { OUTLINE_LINES = 1000000, OUTLINE_NAME = 200 };

void outline_read(const char *text, size_t len, enum language language, struct outline *out);
void outline_release(struct outline *outline);
/*
 * Returns the item of LINE, or NULL; also NULL for a line outside the text. If a function begins as an argument of a
 * call, the line belongs to the calling function.
 */
const struct outline_item *outline_at(const struct outline *outline, unsigned line);

#endif
