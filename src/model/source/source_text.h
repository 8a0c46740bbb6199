/*
 * Lines of source text without comments, and the function, macro, table or type around each. That is read from the
 * line that begins it; which line begins it, measure/git/contexts.h finds. Pure.
 */
#ifndef PAWL_MODEL_SOURCE_SOURCE_TEXT_H
#define PAWL_MODEL_SOURCE_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "model/source/changes.h"

/* Languages, grouped by syntax. */
enum language {
	LANGUAGE_NONE,		/* not known code */
	LANGUAGE_C,		/* C, C++ and the like: #define */
	LANGUAGE_RUST,
	LANGUAGE_SCRIPT,	/* JavaScript, TypeScript, PHP */
	LANGUAGE_BRACES,	/* Go, Java, C#, Kotlin, Swift, ... */
	LANGUAGE_HASH,		/* comments after #: Perl, awk */
	LANGUAGE_PYTHON,
	LANGUAGE_ENDS,		/* Ruby, R */
	LANGUAGE_LUA,
	LANGUAGE_SHELL,
};

/*
 * Returns the language of the file at PATH, by its name, else by the interpreter in TEXT's first line. TEXT may be
 * NULL.
 */
enum language source_text_language(const char *path, const char *text);

/* The place of a line. { 0 }: unknown. */
struct source_place {
	const char *function;	/* "luaM_growaux_", "Parser::next" */
	const char *holder;	/* without a function, the macro, table or type: "GROW", "prices" */
	bool closed;		/* members of the holder have no names of their own: a macro, a table */
};

/* Some lines of a file, from its start or from the middle. */
struct source_text {
	struct arena arena;
	enum language language;
	const char *path;	/* borrowed */
	const char *text;	/* in the arena */
	size_t len;
	unsigned n_lines;
	const char **code;	/* by line - 1: without comments and outer blanks; each inner run of blanks is one */
	struct source_place *places;	/* by line - 1; NULL before the first source_text_place() */
	const char **context;	/* by line - 1: the line that begins what is around it; NULL: nothing known. Equal neighbours are one pointer */
};

/* Most lines read, and the longest name. */
enum { SOURCE_TEXT_LINES = 1000000, SOURCE_TEXT_NAME = 200 };

/* Sets CONTEXT to NULLs. */
void source_text_init(struct source_text *out, const char *path, const char *text, size_t len, enum language language);
void source_text_release(struct source_text *source);

/* Returns what CONTEXT, a line that begins something, begins. Names are allocated in ARENA. */
struct source_place source_text_begun(const char *context, enum language language, struct arena *arena);
/* Returns the place of LINE. The contexts must be there by the first call. */
struct source_place source_text_place(struct source_text *source, unsigned line);
/* Returns all lines that have the context of LINE, without trailing ones without code; or { 0 }. */
struct line_span source_text_span(const struct source_text *source, unsigned line);

#endif
