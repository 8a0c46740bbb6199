/* pawl completion: what a shell needs to complete pawl's command line. */
#include "cmd/completion.h"

#include "base/cleanup.h"
#include "base/nearest.h"
#include "model/verdict.h"

static const struct {
	const char *name;
	void (*write)(struct strbuf *out);
} shells[] = {
	{ "bash", completion_bash },
	{ "zsh", completion_zsh },
	{ "fish", completion_fish },
};

enum { N_SHELLS = sizeof shells / sizeof shells[0] };

bool completion_takes_value(const struct option_spec *spec)
{
	return spec->kind != OPTION_FLAG && spec->kind != OPTION_COUNTER;
}

enum completes completion_value(const struct option_spec *spec)
{
	if (!completion_takes_value(spec))
		return COMPLETES_NOTHING;
	if (spec->choices)
		return COMPLETES_WORDS;
	if (!strcmp(spec->value, "DIR"))
		return COMPLETES_FOLDER;
	if (!strcmp(spec->value, "FILE") || !strcmp(spec->value, "RESULT") || !strcmp(spec->value, "BASE"))
		return COMPLETES_FILE;
	return COMPLETES_NOTHING;
}

static size_t first_word(const char *args)
{
	size_t len = strcspn(args, " ");

	return memchr(args, '|', len) ? len : 0;
}

enum completes completion_first(const struct command_def *command)
{
	return first_word(command->args) ? COMPLETES_WORDS : completion_rest(command);
}

enum completes completion_rest(const struct command_def *command)
{
	const char *rest = command->args + first_word(command->args);

	if (strstr(rest, "SCENARIO"))
		return COMPLETES_SCENARIO;
	if (strstr(rest, "COMMAND"))
		return COMPLETES_COMMAND;
	return *rest ? COMPLETES_FILE : COMPLETES_NOTHING;
}

void completion_choices(const struct option_spec *spec, struct strbuf *out)
{
	for (const char *const *c = spec->choices; *c; c++)
		strbuf_addf(out, "%s%s", c == spec->choices ? "" : " ", *c);
}

void completion_words(const struct command_def *command, struct strbuf *out)
{
	size_t len = first_word(command->args);

	for (size_t i = 0; i < len; i++)
		strbuf_addc(out, command->args[i] == '|' ? ' ' : command->args[i]);
}

void completion_commands(struct strbuf *out)
{
	for (size_t i = 0; i < cmd_table_size; i++)
		strbuf_addf(out, "%s%s", i ? " " : "", cmd_table[i]->name);
}

static int unknown(const char *word, struct error *err)
{
	const char *names[N_SHELLS], *near;

	for (size_t i = 0; i < N_SHELLS; i++)
		names[i] = shells[i].name;
	near = nearest(word, names, N_SHELLS);
	return error_set(err, ERR_INPUT, "completion: expected bash, zsh or fish, found '%.60s'%s%s%s", word,
			 near ? "; did you mean '" : "", near ?: "", near ? "'?" : "");
}

static int completion(struct invocation *inv, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (inv->args.n != 1)
		return error_set(err, ERR_INPUT, "completion takes one shell: bash, zsh or fish");
	for (size_t i = 0; i < N_SHELLS; i++) {
		if (strcmp(inv->args.items[0], shells[i].name))
			continue;
		shells[i].write(&text);
		return cmd_print(&text, err) < 0 ? -1 : STATUS_OK;
	}
	return unknown(inv->args.items[0], err);
}

const struct command_def cmd_completion = {
	.name = "completion",
	.args = "bash|zsh|fish",
	.summary = "what a shell needs to complete pawl's options and arguments",
	.details =
		"`make install` puts these where the shells look. By hand, for the running shell:\n\n"
		"bash  source <(pawl completion bash)\n"
		"zsh   source <(pawl completion zsh)\n"
		"fish  pawl completion fish | source",
	.run = completion,
};
