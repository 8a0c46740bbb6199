/* Differences between the sides other than the project's own code. */
#ifndef PAWL_CAUSE_SURROUNDINGS_H
#define PAWL_CAUSE_SURROUNDINGS_H

#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"

struct surroundings {
	struct arena arena;
	struct strv lines;	/* "libz.so.1 is another file: build-id 12ab34cd -> 34cd56ef"; at most twenty */
	const char *library;	/* the first line about a changed library or interpreter outside the project; or NULL */
	const char *given;	/* the first line about arguments and variables; or NULL */
	const char *build;	/* the line about compiler options; or NULL */
};

/*
 * Compares what the evidence of both sides contains: libraries, compiler options, executed programs, data read and
 * written, arguments, environment.
 */
void surroundings_compare(const struct evidence *base, const struct evidence *head, struct surroundings *out);
void surroundings_release(struct surroundings *surroundings);

#endif
