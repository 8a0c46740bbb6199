/* Help on pawl and its commands, as plain text and as man pages, from one set of tables. */
#ifndef PAWL_CMD_HELP_H
#define PAWL_CMD_HELP_H

#include "cmd/cmd.h"

/* A word and what it means, as in a list of exit statuses; a list ends with an empty entry. */
struct help_entry {
	const char *word, *means;
};

/* COMMAND, or pawl as a whole, with its COMMANDS, when that is NULL. */
void help_text(const struct command_def *const *commands, const struct command_def *command, struct strbuf *out);

#endif
