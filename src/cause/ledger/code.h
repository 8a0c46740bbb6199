/*
 * The functions of both sides. A function that both sides have is one entry with one number, so that the difference
 * between the sides is a subtraction (cause/ledger/ledger.h). Codes and their texts are borrowed; { 0 } is empty.
 */
#ifndef PAWL_CAUSE_LEDGER_CODE_H
#define PAWL_CAUSE_LEDGER_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "model/side.h"
#include "profile/stacks.h"

/* A function of one side, as a tool names it. */
struct code {
	const char *function;	/* demangled; "[unknown]" */
	const char *key;	/* comparable between two builds, see name_comparable() */
	const char *object;	/* full path of its file; "": unknown */
	const char *source;	/* full path from debug information; or NULL */
	unsigned line;		/* where it begins, or its first executed line; 0: unknown */
	bool own;
};

typedef uint32_t code_id;
#define NO_CODE UINT32_MAX

/* A function by number. */
struct code_entry {
	const struct code *of[SIDES];	/* NULL: missing on that side. A code with a source is preferred */
	/* private */
	uint32_t home;			/* text: its object below the project's tree; 0: elsewhere */
	code_id next;			/* next one of that key in an object of that base name */
};

struct codes {
	const char *root[SIDES];	/* the project's tree; or NULL. Set it before the first number */
	struct code_entry *items;
	size_t n, cap;
	/* private */
	struct stacks texts;
	struct pair_index names;	/* key and base name of the object */
	code_id *first;			/* by number of `names` */
	size_t n_first, cap_first;
};

void codes_release(struct codes *codes);
/*
 * Returns the number of SIDE's CODE, which must outlive CODES. Functions are the same if they have the same key and the
 * same object: the same path, the same one below the trees or, if one object is elsewhere, the same base name. On one
 * side, objects with different paths differ.
 */
code_id codes_number(struct codes *codes, int side, const struct code *code);
/* Returns an own function called FUNCTION; NO_CODE: none. */
code_id codes_named(const struct codes *codes, const char *function);

/* Returns the function in head if present, else in base. */
static inline const struct code *code_of(const struct codes *codes, code_id id)
{
	return codes->items[id].of[HEAD] ?: codes->items[id].of[BASE];
}

/* True for the entry that stands for all functions of a program without symbols. */
static inline bool code_nameless(const struct code *code)
{
	return !strcmp(code->function, "[unknown]");
}

#endif
