/*
 * An error, as a value on the caller's stack. A function that fails always sets it, one that succeeds never; callers may
 * wrap it. Only main() prints it. Setters return -1. ERR may be NULL if the message is not needed.
 *
 *	return error_set(err, ERR_INPUT, "expected a duration such as 30s, found '%s'", text);
 */
#ifndef PAWL_BASE_ERROR_H
#define PAWL_BASE_ERROR_H

#include <stddef.h>

#include "base/text.h"

enum error_kind {
	ERR_NONE,
	ERR_INPUT,		/* wrong input from the user: exit status 2 */
	ERR_TARGET,		/* the measured program failed: 3 */
	ERR_SYSTEM,		/* this machine cannot do it: 3 */
	ERR_INTERRUPTED,	/* a signal ended pawl; sys holds its number: 128 + sys */
};

struct error {
	enum error_kind kind;
	int sys;		/* errno, or 0 */
	struct {
		char path[256];
		unsigned line, column;	/* from 1; 0: unknown */
	} at;
	char msg[4096];
};

#define ERROR_INIT { .kind = ERR_NONE }

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

int error_set(struct error *err, enum error_kind kind, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Sets an ERR_SYSTEM whose message ends in ": " and the description of errno value SYS. */
int error_sys(struct error *err, int sys, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Puts "<text>: " before the message. */
int error_wrap(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Copies WHY, an error, to ERR. */
int error_copy(struct error *err, const struct error *why);
/* Sets the place of the error, which is stored apart from the message. */
int error_at(struct error *err, const char *path, unsigned line, unsigned column);

/* Returns the exit status for the kind: 0, 2, 3 or 128 + signal. */
int error_status(const struct error *err);

/*
 * Faults of a file, collected so that all of them are shown together. Each names its place, and shows the source line
 * with a caret if the line is known.
 *
 *	scenarios/http.yaml:3:12: measure.timeout: expected a duration such as 30s, found 'soon'
 *	      timeout: soon
 *	               ^
 */

struct diag {
	char *path;		/* path of the file as the user gave it */
	unsigned line, column;	/* from 1; 0: unknown */
	char *message;
	char *source;		/* the source line, or NULL */
};

struct diags {
	struct diag *items;
	size_t n, cap;
};

#define DIAGS_INIT { 0 }

void diags_release(struct diags *diags);

/* The place of a fault. The text may be NULL; else it is the whole file, which supplies the source line. */
struct diag_place {
	const char *path;
	unsigned line, column;	/* column in bytes */
	const char *text;
	size_t len;
};

void diags_add(struct diags *diags, struct diag_place at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Moves all of FROM to the end of TO. */
void diags_move(struct diags *to, struct diags *from);
/* Renders all faults, sorted by line within each file. Control characters are made visible. */
void diags_render(const struct diags *diags, struct strbuf *out);

#endif
