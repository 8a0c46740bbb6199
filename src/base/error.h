/*
 * What went wrong, as a value on the caller's stack. Whoever fails first sets it; whoever knows
 * more on the way up wraps it; only main() prints it and turns it into an exit status.
 *
 *	return error_set(err, ERR_INPUT, "expected a duration such as 30s, found '%s'", text);
 *
 * All setters return -1, so that failing takes one statement. A function that fails always sets
 * the error; one that succeeds never touches it. ERR may be NULL where nobody wants the words.
 */
#ifndef PAWL_BASE_ERROR_H
#define PAWL_BASE_ERROR_H

#include <stddef.h>

#include "base/text.h"

enum error_kind {
	ERR_NONE,
	ERR_INPUT,		/* what the user gave is wrong: exit status 2 */
	ERR_TARGET,		/* the measured program failed: 3 */
	ERR_SYSTEM,		/* this machine cannot do it: 3 */
	ERR_INTERRUPTED,	/* a signal ended pawl; sys holds its number: 128 + sys */
};

struct error {
	enum error_kind kind;
	int sys;		/* errno, or 0 */
	struct {
		char path[256];
		unsigned line, column;	/* from 1; 0 when unknown */
	} at;
	char msg[4096];
};

#define ERROR_INIT { .kind = ERR_NONE }

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

int error_set(struct error *err, enum error_kind kind, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* An ERR_SYSTEM whose message ends in ": " and the words of errno value SYS. */
int error_sys(struct error *err, int sys, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Put "<text>: " before the message. */
int error_wrap(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Remember where; kept apart from the words. */
int error_at(struct error *err, const char *path, unsigned line, unsigned column);

/* The exit status that the kind stands for: 0, 2, 3 or 128 + signal. */
int error_status(const struct error *err);

/*
 * Faults of a file, collected so that all of them are shown in one go. Each names its place, and
 * is shown with the source line and a caret when the line is known.
 *
 *	scenarios/http.yaml:3:12: measure.timeout: expected a duration such as 30s, found 'soon'
 *	      timeout: soon
 *	               ^
 */

struct diag {
	char *path;		/* of the file, as the user gave it */
	unsigned line, column;	/* from 1; 0 unknown */
	char *message;
	char *source;		/* the line, or NULL */
};

struct diags {
	struct diag *items;
	size_t n, cap;
};

#define DIAGS_INIT { 0 }

void diags_release(struct diags *diags);
/*
 * Add one. TEXT (LEN bytes, may be NULL) is the whole file, from which the source line is cut;
 * COLUMN counts bytes.
 */
void diags_add(struct diags *diags, const char *path, const char *text, size_t len, unsigned line,
	       unsigned column, const char *fmt, ...) __attribute__((format(printf, 7, 8)));
/* Move all of FROM to the end of TO. */
void diags_move(struct diags *to, struct diags *from);
/* All as text, in the order of lines within each file; control characters are made visible. */
void diags_render(const struct diags *diags, struct strbuf *out);

#endif
