#include "cmd/cmd.h"

#include <errno.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"

enum { COMMANDS_MOST = 32 };

const struct command_def *cmd_find(const struct command_def *const *commands, const char *name)
{
	for (; *commands; commands++)
		if (!strcmp((*commands)->name, name))
			return *commands;
	return NULL;
}

/* Commands of earlier versions, and what to use now. */
static const struct {
	const char *name, *instead;
} gone[] = {
	{ "bisect", "git bisect run pawl ab SCENARIO --base-ref GOOD --bisect searches" },
	{ "explain", "pawl ab SCENARIO --base-ref REF --explain looks for the cause" },
};

const struct command_def *cmd_need(const struct command_def *const *commands, const char *name, struct error *err)
{
	const struct command_def *command = cmd_find(commands, name);
	const char *names[COMMANDS_MOST], *near;
	size_t n = 0;

	if (command)
		return command;
	while (n < COMMANDS_MOST && commands[n]) {
		names[n] = commands[n]->name;
		n++;
	}
	for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
		if (!strcmp(gone[i].name, name)) {
			error_set(err, ERR_INPUT, "there is no command '%s' any more: %s", name, gone[i].instead);
			return NULL;
		}
	near = nearest(name, names, n);
	if (near)
		error_set(err, ERR_INPUT, "there is no command '%.60s'; did you mean '%s'?", name, near);
	else
		error_set(err, ERR_INPUT, "there is no command '%.60s'; pawl --help lists them", name);
	return NULL;
}

int cmd_print(const struct strbuf *text, struct error *err)
{
	if (fwrite(text->buf, 1, text->len, stdout) != text->len || fflush(stdout) != 0)
		return error_sys(err, errno, "cannot write to standard output");
	return 0;
}

void cmd_message(const struct invocation *inv, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT, shown = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&words, fmt, args);
	va_end(args);
	escape_lines(&shown, words.buf);
	cmd_message_raw(inv, shown.buf);
}

void cmd_message_raw(const struct invocation *inv, const char *text)
{
	if (!inv->options.quiet)
		fputs(text, stderr);
}
