#include <errno.h>
#include <unistd.h>

#include "cmd/cmd.h"

const struct command_def *const cmd_table[] = {
	&cmd_run, &cmd_baseline, &cmd_compare, &cmd_report, &cmd_list, &cmd_check, &cmd_doctor,
};

const size_t cmd_table_size = sizeof cmd_table / sizeof cmd_table[0];

const struct command_def *cmd_find(const char *name)
{
	for (size_t i = 0; i < cmd_table_size; i++)
		if (!strcmp(cmd_table[i]->name, name))
			return cmd_table[i];
	return NULL;
}

static void help_overview(struct strbuf *out)
{
	strbuf_adds(out,
		    "pawl keeps programs from getting slower: it measures scenarios with perf, compares them\n"
		    "with accepted baselines, and fails when something got worse.\n\n"
		    "usage: pawl COMMAND [OPTION...] [ARGUMENT...]\n\ncommands:\n");
	for (size_t i = 0; i < cmd_table_size; i++)
		strbuf_addf(out, "  %-10s %s\n", cmd_table[i]->name, cmd_table[i]->summary);
	strbuf_adds(out, "\noptions of every command:\n");
	options_help(cmd_options, cmd_options_size, OPT_COMMON, out);
	strbuf_adds(out,
		    "\nexit status:\n"
		    "  0  measured; nothing that could be judged got worse\n"
		    "  1  a regression\n"
		    "  2  a bad option, scenario, baseline or configuration; nothing was measured\n"
		    "  3  could not measure\n"
		    "  4  with --strict: something was inconclusive, new or not measured\n"
		    "  130, 143  interrupted\n\n"
		    "`pawl COMMAND --help` tells more.\n");
}

void cmd_help(const struct command_def *command, struct strbuf *out)
{
	if (!command) {
		help_overview(out);
		return;
	}
	strbuf_addf(out, "pawl %s: %s\n\nusage: pawl %s [OPTION...]%s%s\n", command->name, command->summary, command->name,
		    *command->args ? " " : "", command->args);
	if (command->details)
		strbuf_addf(out, "\n%s\n", command->details);
	strbuf_adds(out, "\noptions:\n");
	options_help(cmd_options, cmd_options_size, command->options | OPT_COMMON, out);
}

int cmd_print(const struct strbuf *text, struct error *err)
{
	if (fwrite(text->buf, 1, text->len, stdout) != text->len || fflush(stdout) != 0)
		return error_sys(err, errno, "cannot write to standard output");
	return 0;
}

void cmd_say(const struct invocation *inv, const char *fmt, ...)
{
	va_list args;

	if (inv->options.quiet)
		return;
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
}
