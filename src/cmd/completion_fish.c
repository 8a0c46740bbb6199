#include "base/cleanup.h"
#include "cmd/completion.h"

/* Single quotes of fish take \' and \\. */
static void add_quoted(struct strbuf *out, const char *text)
{
	strbuf_addc(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			strbuf_addc(out, '\\');
		strbuf_addc(out, *text);
	}
	strbuf_addc(out, '\'');
}

static void add_action(enum completes what, const struct strbuf *words, struct strbuf *out)
{
	switch (what) {
	case COMPLETES_WORDS:
	case COMPLETES_COMMAND:
		strbuf_addf(out, " -a '%s'", words->buf);
		break;
	case COMPLETES_FOLDER:
		strbuf_adds(out, " -a '(__fish_complete_directories)'");
		break;
	case COMPLETES_FILE:
		strbuf_adds(out, " -F");
		break;
	case COMPLETES_SCENARIO:
		strbuf_adds(out, " -F -a '(pawl list 2>/dev/null | cut -d\" \" -f1)'");
		break;
	case COMPLETES_NOTHING:
		break;
	}
}

static void add_option(const struct command_def *command, const struct option_spec *spec, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	strbuf_adds(out, "complete -c pawl");
	if (command)
		strbuf_addf(out, " -n '__pawl_at %s'", command->name);
	if (spec->letter)
		strbuf_addf(out, " -s %c", spec->letter);
	strbuf_addf(out, " -l %s -d ", spec->name);
	add_quoted(out, spec->help);
	if (completion_takes_value(spec)) {
		if (spec->choices)
			completion_choices(spec, &words);
		strbuf_adds(out, completion_value(spec) == COMPLETES_FILE ? " -r" : " -x");
		add_action(completion_value(spec), &words, out);
	}
	strbuf_addc(out, '\n');
}

/* COUNT is a test of fish on the number of arguments before this one. */
static void add_argument(const struct command_def *command, const char *count, enum completes what, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	if (what == COMPLETES_NOTHING)
		return;
	if (what == COMPLETES_COMMAND)
		completion_commands(&words);
	else if (what == COMPLETES_WORDS)
		completion_words(command, &words);
	strbuf_addf(out, "complete -c pawl -n '__pawl_at %s %s'", command->name, count);
	add_action(what, &words, out);
	strbuf_addc(out, '\n');
}

static void add_command(const struct command_def *command, struct strbuf *out)
{
	enum completes first = completion_first(command), rest = completion_rest(command);

	strbuf_addf(out, "\ncomplete -c pawl -n '__pawl_at \"\"' -a %s -d ", command->name);
	add_quoted(out, command->summary);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < cmd_options_size; i++)
		if (cmd_options[i].id & command->options)
			add_option(command, &cmd_options[i], out);
	if (first != rest)
		add_argument(command, "-eq 0", first, out);
	add_argument(command, first != rest ? "-gt 0" : "-ge 0", rest, out);
}

/* Words that an option takes as its value are no commands. */
static void add_valued(struct strbuf *out)
{
	strbuf_adds(out, "\t\t\tcase");
	for (size_t i = 0; i < cmd_options_size; i++) {
		if (!completion_takes_value(&cmd_options[i]))
			continue;
		strbuf_addf(out, " --%s", cmd_options[i].name);
		if (cmd_options[i].letter)
			strbuf_addf(out, " -%c", cmd_options[i].letter);
	}
	strbuf_adds(out, "\n\t\t\t\tset value yes\n");
}

void completion_fish(struct strbuf *out)
{
	strbuf_adds(out, "# fish completion for pawl, made by `pawl completion fish`\n\n"
			 "# Is $argv[1] the command typed (empty: none yet), with as many arguments behind it?\n"
			 "function __pawl_at\n"
			 "\tset -l words (commandline -opc)\n"
			 "\tset -l found\n"
			 "\tset -l value\n"
			 "\tfor word in $words[2..-1]\n"
			 "\t\tif test -n \"$value\"\n"
			 "\t\t\tset value\n"
			 "\t\t\tcontinue\n"
			 "\t\tend\n"
			 "\t\tswitch $word\n");
	add_valued(out);
	strbuf_adds(out, "\t\t\tcase '-*'\n"
			 "\t\t\tcase '*'\n"
			 "\t\t\t\tset -a found $word\n"
			 "\t\tend\n"
			 "\tend\n"
			 "\ttest \"$found[1]\" = \"$argv[1]\"; or return 1\n"
			 "\tset -q argv[2]; or return 0\n"
			 "\ttest (count $found[2..-1]) $argv[2] $argv[3]\n"
			 "end\n\n"
			 "complete -c pawl -f\n");
	for (size_t i = 0; i < cmd_options_size; i++)
		if (cmd_options[i].id & OPT_COMMON)
			add_option(NULL, &cmd_options[i], out);
	for (size_t i = 0; i < cmd_table_size; i++)
		add_command(cmd_table[i], out);
}
