/*
 * Command-line options from a table. The same table parses, prints help, and feeds completions and man pages. Values
 * are written into one struct at the offsets given by the table.
 *
 * Accepted: --name, --name=VALUE, --name VALUE, -x, -xVALUE, -x VALUE, -xyz for flags. "--" ends options, "-" is an
 * argument. OPTION_TWO takes one more word. Flags may be repeated. Lists grow with each use. For other options the
 * last value counts.
 */
#ifndef PAWL_BASE_CLI_H
#define PAWL_BASE_CLI_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"

enum { OPTION_NUMBER_MAX = 10000, OPTION_PROCESS_MAX = 1 << 22 };

enum option_kind {
	OPTION_FLAG,		/* bool */
	OPTION_COUNTER,		/* unsigned, incremented by each use */
	OPTION_TEXT,		/* char *, owned */
	OPTION_LIST,		/* struct strv */
	OPTION_TWO,		/* struct strv, which gets two words per use */
	OPTION_NUMBER,		/* uint64_t, from 1 to OPTION_NUMBER_MAX */
	OPTION_PROCESS,		/* the same, up to the largest process id */
	OPTION_LARGE,		/* the same, up to 64 bits */
	OPTION_DURATION,	/* uint64_t nanoseconds, above 0 */
	OPTION_WAIT,		/* the same; 0: do not wait */
	OPTION_CHOICE,		/* const char *, one of choices */
	OPTION_TITLE,		/* no option: the title of those that follow, for help */
	OPTION_ELSEWHERE,	/* no value: an option of another program; help names pawl's equivalent */
};

/* The option affects a command's findings. Others control the place and amount of output. */
#define OPTION_SHAPES (1ull << 63)
/* The option is rarely needed, so short help leaves it out. */
#define OPTION_RARE (1ull << 62)
#define OPTION_GROUP(title) { 0, 0, "", OPTION_TITLE, 0, NULL, title, NULL }

struct option_spec {
	uint64_t id;		/* one bit: the commands that take it; OPTION_SHAPES may be added */
	char letter;		/* 0: no letter */
	const char *name;
	enum option_kind kind;
	size_t offset;
	const char *value;	/* placeholder in help: DIR */
	const char *help;
	const char *const *choices;	/* NULL-terminated */
};

struct option_set {
	const struct option_spec *specs;
	size_t n;
	uint64_t taken;		/* only specs whose id is among these bits */
	const struct gone_key *gone;	/* words of earlier versions, ends in an entry without a key; or NULL */
};

/* Parses ARGV (without the names of program and command) by the options of SET. Appends the other arguments to REST. */
int options_parse(const struct option_set *set, char *const *argv, void *into, struct strv *rest, struct error *err);
/* Frees the values options_parse() allocated in INTO. */
void options_release(const struct option_spec *specs, size_t n, void *into);
/* Returns the option whose value follows WORD ("--out", "-vo") in options_parse(), or NULL. */
const struct option_spec *options_awaiting(const struct option_spec *specs, size_t n, uint64_t taken, const char *word);
/* Appends the options among WORDS that affect a command's findings, each with its value. */
void options_shaping(const struct option_spec *specs, size_t n, const struct strv *words, struct arena *arena,
		     struct strv *out);
/* Appends lines for help, by group. ALL: also those that are rarely needed. */
void options_help(const struct option_spec *specs, size_t n, uint64_t taken, bool all, struct strbuf *out);

#endif
