/*
 * What differs between the sides besides the project's own code.
 */
#ifndef PAWL_CAUSE_SURROUNDINGS_H
#define PAWL_CAUSE_SURROUNDINGS_H

#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"

struct surroundings {
	struct arena arena;
	struct strv lines;	/* "libz.so.1 is another file: build-id 12ab34cd -> 34cd56ef"; at most twenty */
	const char *library;	/* the first of those on another file of a library or interpreter that is not the project's own; or NULL */
	const char *given;	/* the first of those on arguments and variables; or NULL */
	const char *build;	/* that on options of the compiler; or NULL */
};

/* What both sides' evidence knows is compared: libraries, options of the compiler, programs that are run, what is read and written, arguments, environment. */
void surroundings_compare(const struct evidence *base, const struct evidence *head, struct surroundings *out);
void surroundings_release(struct surroundings *surroundings);


#endif
