#include "scenario/command.h"

#include "base/mem.h"
#include "base/text.h"
#include "scenario/expand.h"
#include "scenario/values.h"

void command_copy(struct arena *arena, struct command *out, const struct command *from)
{
	*out = *from;
	out->argv = (struct strv)STRV_INIT;
	arena_push_all(arena, &out->argv, &from->argv);
}

char *command_text(const struct command *command)
{
	struct strbuf text = STRBUF_INIT;

	if (!command->argv.n)
		return NULL;
	if (command->shell)
		strbuf_adds(&text, command->argv.items[2]);
	else
		escape_shell_words(&text, &command->argv);
	return strbuf_take(&text);
}

static int add_word(struct source *source, const struct node *node, struct strv *argv)
{
	const char *text = value_text(source, node, "text");

	if (!text || expand_check(source, node) < 0)
		return -1;
	arena_push(source->arena, argv, text);
	return 0;
}

static bool blank(const char *text)
{
	return !text[strspn(text, " \t\r\n")];
}

static int parse_line(struct source *source, const struct node *node, struct command *out)
{
	if (blank(node->text))
		return source_fault(source, node->at, "the command is empty");
	arena_push(source->arena, &out->argv, "/bin/sh");
	arena_push(source->arena, &out->argv, "-c");
	out->shell = true;
	return add_word(source, node, &out->argv);
}

static int parse_list(struct source *source, const struct node *node, struct command *out)
{
	int ret = 0;

	if (!node->n)
		return source_fault(source, node->at, "the command is empty");
	for (size_t i = 0; i < node->n; i++)
		if (add_word(source, &node->entries[i].value, &out->argv) < 0)
			ret = -1;
	if (!ret && blank(out->argv.items[0]))
		return source_fault(source, node->entries[0].value.at, "the program's name is empty");
	return ret;
}

int value_command(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	struct command command = { .line = node->at.line, .column = node->at.column };
	int ret;

	if (node->kind == NODE_TEXT)
		ret = parse_line(source, node, &command);
	else if (node->kind == NODE_LIST)
		ret = parse_list(source, node, &command);
	else
		ret = node_expected(source, node, "a command: text for the shell, or a list of words");
	if (!ret)
		*(struct command *)out = command;
	return ret;
}

static int check_variable(struct source *source, const char *name, struct place at)
{
	if (value_made_of(name, "_") && !(*name >= '0' && *name <= '9'))
		return 0;
	return source_fault(source, at, "expected the name of an environment variable, found '%.60s'", name);
}

int value_variables(struct source *source, const struct node_entry *entry, void *out)
{
	struct strv names = STRV_INIT;
	const struct node *list = &entry->value;
	int ret = 0;

	if (list->kind != NODE_LIST)
		return node_expected(source, list, "a list of names of environment variables");
	for (size_t i = 0; i < list->n; i++) {
		const char *name = value_text(source, &list->entries[i].value, "the name of an environment variable");

		if (!name || check_variable(source, name, list->entries[i].value.at) < 0)
			ret = -1;
		else
			arena_push(source->arena, &names, name);
	}
	*(struct strv *)out = names;
	return ret;
}

static int add_variable(struct source *source, const struct node_entry *entry, struct strv *environment)
{
	const char *name = entry->key.text, *value;
	size_t mark;
	int ret = -1;

	if (check_variable(source, name, entry->key.at) < 0)
		return -1;
	mark = source_enter(source, name);
	value = value_text(source, &entry->value, "text (\"\" for none)");
	if (value && !expand_check(source, &entry->value)) {
		arena_pushf(source->arena, environment, "%s=%s", name, value);
		ret = 0;
	}
	source_leave(source, mark);
	return ret;
}

int value_environment(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	int ret = 0;

	if (node->kind != NODE_MAPPING)
		return node_expected(source, node, "a mapping of names to values");
	*(struct strv *)out = (struct strv)STRV_INIT;
	for (size_t i = 0; i < node->n; i++)
		if (add_variable(source, &node->entries[i], out) < 0)
			ret = -1;
	return ret;
}
