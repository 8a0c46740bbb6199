/*
 * Finds the line that begins what is around each line of source texts: as git does for the heads of its hunks, for
 * Python as its own parser does. Texts are parsed, never executed.
 */
#ifndef PAWL_MEASURE_GIT_CONTEXTS_H
#define PAWL_MEASURE_GIT_CONTEXTS_H

#include <stddef.h>
#include <stdint.h>

struct git;
struct source_text;

struct contexts {
	struct git *git;
	const char *scratch;	/* a folder for copies of the texts */
	uint64_t limit_ns;	/* for each of the two programs */
};

/* Sets the contexts that are found in TEXTS; CTX is a struct contexts. A failure leaves them as they are. */
void contexts_find(void *ctx, struct source_text *const texts[], size_t n);

#endif
