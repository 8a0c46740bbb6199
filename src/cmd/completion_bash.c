#include "base/cleanup.h"
#include "cmd/completion.h"

/* COMMAND is a pattern of shell. */
static void add_names(const char *command, const struct option_spec *spec, struct strbuf *out)
{
	if (spec->letter)
		strbuf_addf(out, "%s,-%c | ", command, spec->letter);
	strbuf_addf(out, "%s,--%s", command, spec->name);
}

static void add_options(struct strbuf *out)
{
	strbuf_adds(out, "_pawl_options() {\n\tcase $1 in\n");
	for (size_t i = 0; i <= cmd_table_size; i++) {
		const struct command_def *command = i < cmd_table_size ? cmd_table[i] : NULL;
		const char *between = "";

		strbuf_addf(out, "\t%s) echo '", command ? command->name : "*");
		for (size_t k = 0; k < cmd_options_size; k++) {
			if (!(cmd_options[k].id & (OPT_COMMON | (command ? command->options : 0))))
				continue;
			strbuf_addf(out, "%s--%s", between, cmd_options[k].name);
			between = " ";
		}
		strbuf_adds(out, "' ;;\n");
	}
	strbuf_adds(out, "\tesac\n}\n\n");
}

static void add_action(enum completes what, const struct strbuf *words, struct strbuf *out)
{
	switch (what) {
	case COMPLETES_WORDS:
	case COMPLETES_COMMAND:
		strbuf_addf(out, "compgen -W '%s' -- \"$cur\"", words->buf);
		break;
	case COMPLETES_FOLDER:
		strbuf_adds(out, "compgen -d -- \"$cur\"");
		break;
	case COMPLETES_FILE:
		strbuf_adds(out, "compgen -f -- \"$cur\"");
		break;
	case COMPLETES_SCENARIO:
		strbuf_adds(out, "_pawl_scenarios");
		break;
	case COMPLETES_NOTHING:
		strbuf_adds(out, ":");
		break;
	}
}

static void add_value(const char *command, const struct option_spec *spec, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	if (!completion_takes_value(spec))
		return;
	if (spec->choices)
		completion_choices(spec, &words);
	strbuf_adds(out, "\t");
	add_names(command, spec, out);
	strbuf_adds(out, ") ");
	add_action(completion_value(spec), &words, out);
	strbuf_adds(out, " ;;\n");
}

/* Is there an option of that name before it, such as the --format of other commands? */
static bool is_again(const struct option_spec *spec)
{
	for (const struct option_spec *s = cmd_options; s < spec; s++)
		if (!strcmp(s->name, spec->name))
			return true;
	return false;
}

static void add_values(struct strbuf *out)
{
	strbuf_adds(out, "# What can stand behind the option $1 of the command $2; fails when it takes no value.\n"
			 "_pawl_values() {\n\tcase $2,$1 in\n");
	for (size_t i = 0; i < cmd_options_size; i++)
		for (size_t k = 0; k < cmd_table_size; k++)
			if (is_again(&cmd_options[i]) && (cmd_options[i].id & cmd_table[k]->options))
				add_value(cmd_table[k]->name, &cmd_options[i], out);
	for (size_t i = 0; i < cmd_options_size; i++)
		if (!is_again(&cmd_options[i]))
			add_value("*", &cmd_options[i], out);
	strbuf_adds(out, "\t*) return 1 ;;\n\tesac\n\treturn 0\n}\n\n");
}

/* POSITION is a pattern of shell: of how many arguments stand before this one. */
static void add_argument(const struct command_def *command, const char *position, enum completes what,
			 struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	if (what == COMPLETES_COMMAND)
		completion_commands(&words);
	else if (what == COMPLETES_WORDS)
		completion_words(command, &words);
	strbuf_addf(out, "\t%s,%s) ", command->name, position);
	add_action(what, &words, out);
	strbuf_adds(out, " ;;\n");
}

static void add_arguments(struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf commands = STRBUF_INIT;

	strbuf_adds(out, "# What can stand as argument number $2 of the command $1.\n"
			 "_pawl_arguments() {\n\tcase $1,$2 in\n");
	for (size_t i = 0; i < cmd_table_size; i++) {
		enum completes first = completion_first(cmd_table[i]), rest = completion_rest(cmd_table[i]);

		if (first != rest)
			add_argument(cmd_table[i], "0", first, out);
		add_argument(cmd_table[i], "*", rest, out);
	}
	completion_commands(&commands);
	strbuf_addf(out, "\t,*) compgen -W '%s' -- \"$cur\" ;;\n\tesac\n}\n\n", commands.buf);
}

/* Bash splits words at '=', so that "--color=al" arrives as three. */
void completion_bash(struct strbuf *out)
{
	strbuf_adds(out,
		    "# bash completion for pawl, made by `pawl completion bash`\n\n"
		    "_pawl_scenarios() {\n"
		    "\tcompgen -W \"$(\"$program\" list 2>/dev/null | cut -d' ' -f1)\" -- \"$cur\"\n"
		    "\t[[ $cur != */* ]] || compgen -f -X '!*.y*ml' -- \"$cur\"\n"
		    "\tcompgen -d -- \"$cur\"\n"
		    "}\n\n");
	add_options(out);
	add_values(out);
	add_arguments(out);
	strbuf_adds(out,
		    "_pawl() {\n"
		    "\tlocal program=$1 cur=${COMP_WORDS[COMP_CWORD]} command='' option='' arguments=0 ended='' i\n"
		    "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
		    "\t\tif [[ $option && ${COMP_WORDS[i]} == '=' ]]; then continue\n"
		    "\t\telif [[ $option ]]; then option=''\n"
		    "\t\telif [[ ! $ended && ${COMP_WORDS[i]} == -- ]]; then ended=1\n"
		    "\t\telif [[ ! $ended && ${COMP_WORDS[i]} == -?* ]]; then\n"
		    "\t\t\tif _pawl_values \"${COMP_WORDS[i]}\" \"$command\" >/dev/null; then option=${COMP_WORDS[i]}; fi\n"
		    "\t\telif [[ ! $command ]]; then command=${COMP_WORDS[i]}\n"
		    "\t\telse ((++arguments)); fi\n"
		    "\tdone\n"
		    "\t[[ $cur != '=' ]] || cur=\n"
		    "\tcompopt -o filenames 2>/dev/null\n"
		    "\tif [[ $option ]]; then mapfile -t COMPREPLY < <(_pawl_values \"$option\" \"$command\")\n"
		    "\telif [[ ! $ended && $cur == -* ]]; then\n"
		    "\t\tcompopt +o filenames 2>/dev/null\n"
		    "\t\tmapfile -t COMPREPLY < <(compgen -W \"$(_pawl_options \"$command\")\" -- \"$cur\")\n"
		    "\telse mapfile -t COMPREPLY < <(_pawl_arguments \"$command\" \"$arguments\"); fi\n"
		    "}\n\n"
		    "complete -F _pawl pawl\n");
}
