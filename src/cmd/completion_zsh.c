#include "base/cleanup.h"
#include "cmd/completion.h"

/* Inside the brackets of a specification, or before the colon of a description, in single quotes. */
static void add_described(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_adds(out, "'\\'");
		else if (strchr("[]:\\", *text))
			strbuf_addc(out, '\\');
		strbuf_addc(out, *text);
	}
}

static void add_action(enum completes what, const struct strbuf *words, struct strbuf *out)
{
	static const char *const actions[] = {
		[COMPLETES_NOTHING] = " ", [COMPLETES_FOLDER] = "_files -/", [COMPLETES_FILE] = "_files",
		[COMPLETES_SCENARIO] = "_pawl_scenarios", [COMPLETES_COMMAND] = "_pawl_commands",
	};

	if (what == COMPLETES_WORDS)
		strbuf_addf(out, "(%s)", words->buf);
	else
		strbuf_adds(out, actions[what]);
}

/* '(-o --output)'{-o,--output=}'[write there]:FILE:_files' */
static void add_option(const struct option_spec *spec, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	bool many = spec->kind == OPTION_LIST || spec->kind == OPTION_COUNTER, value = completion_takes_value(spec);

	strbuf_adds(out, " \\\n\t\t'");
	if (many)
		strbuf_addc(out, '*');
	else if (spec->letter)
		strbuf_addf(out, "(-%c --%s)", spec->letter, spec->name);
	if (spec->letter)
		strbuf_addf(out, "'{-%c,--%s%s}'[", spec->letter, spec->name, value ? "=" : "");
	else
		strbuf_addf(out, "--%s%s[", spec->name, value ? "=" : "");
	add_described(out, spec->help);
	strbuf_addc(out, ']');
	if (value) {
		if (spec->choices)
			completion_choices(spec, &words);
		strbuf_addf(out, ":%s:", spec->value);
		add_action(completion_value(spec), &words, out);
	}
	strbuf_addc(out, '\'');
}

static void add_options(uint64_t taken, struct strbuf *out)
{
	for (size_t i = 0; i < cmd_options_size; i++)
		if (cmd_options[i].id & taken)
			add_option(&cmd_options[i], out);
}

static void add_arguments(const struct command_def *command, struct strbuf *out)
{
	enum completes first = completion_first(command), rest = completion_rest(command);
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	completion_words(command, &words);
	if (first != rest) {
		strbuf_adds(out, " \\\n\t\t'1:argument:");
		add_action(first, &words, out);
		strbuf_addc(out, '\'');
	}
	if (rest != COMPLETES_NOTHING) {
		strbuf_adds(out, " \\\n\t\t'*:argument:");
		add_action(rest, &words, out);
		strbuf_addc(out, '\'');
	}
}

static void add_command(const struct command_def *command, struct strbuf *out)
{
	strbuf_addf(out, "\t%s)\n\t\t_arguments -s", command->name);
	add_options(command->options | OPT_COMMON, out);
	add_arguments(command, out);
	strbuf_adds(out, "\n\t\t;;\n");
}

static void add_commands(struct strbuf *out)
{
	strbuf_adds(out, "_pawl_commands() {\n\tlocal -a commands=(");
	for (size_t i = 0; i < cmd_table_size; i++) {
		strbuf_addf(out, "\n\t\t'%s:", cmd_table[i]->name);
		add_described(out, cmd_table[i]->summary);
		strbuf_addc(out, '\'');
	}
	strbuf_adds(out, "\n\t)\n\t_describe -t commands command commands\n}\n\n");
}

void completion_zsh(struct strbuf *out)
{
	strbuf_adds(out, "#compdef pawl\n# zsh completion for pawl, made by `pawl completion zsh`\n\n"
			 "_pawl_scenarios() {\n"
			 "\tlocal -a names=(${(f)\"$(pawl list 2>/dev/null | cut -d' ' -f1)\"})\n"
			 "\tcompadd -a names\n"
			 "\t_files -g '*.(yaml|yml)'\n"
			 "}\n\n");
	add_commands(out);
	strbuf_adds(out, "_pawl() {\n\tlocal curcontext=$curcontext state line\n\ttypeset -A opt_args\n\t_arguments -s -C");
	add_options(OPT_COMMON, out);
	strbuf_adds(out, " \\\n\t\t'1:command:_pawl_commands' \\\n\t\t'*::argument:->argument' && return\n"
			 "\tcase $words[1] in\n");
	for (size_t i = 0; i < cmd_table_size; i++)
		add_command(cmd_table[i], out);
	strbuf_adds(out, "\tesac\n}\n\n"
			 "# Found on fpath, this file is the function; sourced, it registers it.\n"
			 "if [[ $funcstack[1] == _pawl ]]; then _pawl \"$@\"; else compdef _pawl pawl; fi\n");
}
