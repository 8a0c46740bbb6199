/*
 * Command-line options from a table: the same table parses, prints help, and feeds completions and
 * man pages. Values are written into one struct at the offsets the table names.
 *
 * Accepted: --name, --name=VALUE, --name VALUE, -x, -xVALUE, -x VALUE, -xyz for flags, "--" ends
 * options, "-" is an argument. OPTION_TWO takes one word more. A flag may be given twice; any other option's last value counts,
 * except lists, which grow.
 */
#ifndef PAWL_BASE_CLI_H
#define PAWL_BASE_CLI_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"

enum { OPTION_NUMBER_MAX = 10000, OPTION_PROCESS_MAX = 1 << 22 };

enum option_kind {
	OPTION_FLAG,		/* bool */
	OPTION_COUNTER,		/* unsigned, one more each time */
	OPTION_TEXT,		/* char *, owned */
	OPTION_LIST,		/* struct strv */
	OPTION_TWO,		/* struct strv, which gets two words each time */
	OPTION_NUMBER,		/* uint64_t, from 1 to OPTION_NUMBER_MAX */
	OPTION_PROCESS,		/* the same, up to the largest number of a process */
	OPTION_LARGE,		/* the same, up to what 64 bits hold */
	OPTION_DURATION,	/* uint64_t nanoseconds, above 0 */
	OPTION_WAIT,		/* the same, and 0 is not at all */
	OPTION_CHOICE,		/* const char *, one of choices */
	OPTION_ELSEWHERE,	/* none: what people may type who know another program; help is what to type instead */
};

/* It changes what a command finds; the others set where things go, and how much is printed. */
#define OPTION_SHAPES (1ull << 63)

struct option_spec {
	uint64_t id;		/* one bit: which commands take it; and OPTION_SHAPES or not */
	char letter;		/* 0: none */
	const char *name;
	enum option_kind kind;
	size_t offset;
	const char *value;	/* placeholder in help: DIR */
	const char *help;
	const char *const *choices;	/* NULL-terminated */
};

/*
 * Parse ARGV (without the program's and command's names) by the specs whose id is in TAKEN.
 * Arguments that are no options are appended to REST.
 */
int options_parse(const struct option_spec *specs, size_t n, uint64_t taken, char *const *argv, void *into,
		  struct strv *rest, struct error *err);
/* Free what options_parse() allocated in INTO. */
void options_release(const struct option_spec *specs, size_t n, void *into);
/* The option whose value follows WORD ("--out", "-vo"), as options_parse() would have it; NULL when none does. */
const struct option_spec *options_awaiting(const struct option_spec *specs, size_t n, uint64_t taken, const char *word);
/* Appends the options among WORDS that shape what is found, each with the word that is its value. */
void options_shaping(const struct option_spec *specs, size_t n, const struct strv *words, struct arena *arena,
		     struct strv *out);
/* Aligned lines for help. */
void options_help(const struct option_spec *specs, size_t n, uint64_t taken, struct strbuf *out);

#endif
