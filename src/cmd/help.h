/* Help on pawl and its commands, as plain text and as man pages, from one set of tables. */
#ifndef PAWL_CMD_HELP_H
#define PAWL_CMD_HELP_H

#include "cmd/cmd.h"

/* A word and what it means, as in a list of exit statuses; a list ends with an empty entry. */
struct help_entry {
	const char *word, *means;
};

/* The kinds of files that --schema describes, then NULL. */
extern const char *const help_schemas[];

/* One command, or pawl as a whole when COMMAND is NULL. */
void help_text(const struct command_def *command, struct strbuf *out);

#endif
