/* Commits as reports name them, in plain values. */
#ifndef PAWL_MODEL_COMMIT_H
#define PAWL_MODEL_COMMIT_H

#include <stddef.h>

/* What COMMIT_SHOWN characters of an id are enough for, in print. */
enum { COMMIT_SHOWN = 12 };

struct commit {
	char *id;			/* full */
	char *author, *date, *subject;	/* foreign text; the date is 2026-11-20 */
};

struct commits {
	struct commit *items;
	size_t n, cap;
};

void commits_release(struct commits *commits);
/* Appends copies. */
void commits_add(struct commits *commits, const char *id, const char *author, const char *date, const char *subject);
/* Forget the first N. */
void commits_drop(struct commits *commits, size_t n);

#endif
