/*
 * Shell completions. What can stand where is read off the tables: an option's placeholder or
 * choices, and the words of a command's arguments ("update|show|diff|list [SCENARIO...]").
 */
#ifndef PAWL_CMD_COMPLETION_H
#define PAWL_CMD_COMPLETION_H

#include "cmd/cmd.h"

enum completes {
	COMPLETES_NOTHING,
	COMPLETES_WORDS,	/* a fixed list */
	COMPLETES_FOLDER,
	COMPLETES_FILE,
	COMPLETES_SCENARIO,	/* names that `pawl list` knows, or files */
	COMPLETES_COMMAND,
};

/* An option's value; COMPLETES_NOTHING also for one that takes none. */
enum completes completion_value(const struct option_spec *spec);
bool completion_takes_value(const struct option_spec *spec);
/* A command's first argument, and those behind it. */
enum completes completion_first(const struct command_def *command);
enum completes completion_rest(const struct command_def *command);

/* The fixed list of an option or of a first argument: "text markdown json". */
void completion_choices(const struct option_spec *spec, struct strbuf *out);
void completion_words(const struct command_def *command, struct strbuf *out);
/* The names of all commands. */
void completion_commands(struct strbuf *out);

void completion_bash(struct strbuf *out);
void completion_zsh(struct strbuf *out);
void completion_fish(struct strbuf *out);

#endif
