/* pawl help: what pawl can do, in plain text or as a man page. */
#include "cmd/help.h"

#include "base/cleanup.h"
#include "model/verdict.h"
#include "store/baseline.h"
#include "store/result.h"
#include "store/schema.h"

const struct help_entry help_statuses[] = {
	{ "0", "measured; nothing that could be judged got worse" },
	{ "1", "a regression" },
	{ "2", "a bad option, scenario, baseline or configuration; nothing was measured" },
	{ "3", "could not measure" },
	{ "4", "with --strict: something was inconclusive, new or not measured" },
	{ "130, 143", "interrupted; what was measured is kept" },
	{ NULL, NULL },
};

static void overview(struct strbuf *out)
{
	strbuf_adds(out,
		    "pawl keeps programs from getting slower: it measures scenarios with perf, compares them\n"
		    "with accepted baselines, and fails when something got worse.\n\n"
		    "usage: pawl COMMAND [OPTION...] [ARGUMENT...]\n\ncommands:\n");
	for (size_t i = 0; i < cmd_table_size; i++)
		strbuf_addf(out, "  %-10s  %s\n", cmd_table[i]->name, cmd_table[i]->summary);
	strbuf_adds(out, "\noptions of every command:\n");
	options_help(cmd_options, cmd_options_size, OPT_COMMON, out);
	strbuf_adds(out, "\nexit status:\n");
	for (const struct help_entry *e = help_statuses; e->word; e++)
		strbuf_addf(out, "  %-8s  %s\n", e->word, e->means);
	strbuf_adds(out, "\n`pawl COMMAND --help` tells more.\n");
}

void help_text(const struct command_def *command, struct strbuf *out)
{
	if (!command) {
		overview(out);
		return;
	}
	strbuf_addf(out, "pawl %s: %s\n\nusage: pawl %s [OPTION...]%s%s\n", command->name, command->summary, command->name,
		    *command->args ? " " : "", command->args);
	if (command->details)
		strbuf_addf(out, "\n%s\n", command->details);
	strbuf_adds(out, "\noptions:\n");
	options_help(cmd_options, cmd_options_size, command->options | OPT_COMMON, out);
}

/* In the order of help_schemas. */
static const struct {
	const struct fields *root;
	bool strict;
} schemas[] = { { &baseline_fields, true }, { &result_fields, false } };

const char *const help_schemas[] = { "baseline", "result", NULL };

static int print_schema(const char *name, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *schema = NULL;
	size_t i = 0;

	while (strcmp(help_schemas[i], name))
		i++;
	schema = schema_print(schemas[i].root, NULL, schemas[i].strict);
	strbuf_adds(&text, schema);
	return cmd_print(&text, err) < 0 ? -1 : STATUS_OK;
}

static int help(struct invocation *inv, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct command_def *command = NULL;

	if (inv->args.n > 1)
		return error_set(err, ERR_INPUT, "help takes one command, found %zu", inv->args.n);
	if (inv->args.n && !(command = cmd_need(inv->args.items[0], err)))
		return -1;
	if (inv->options.schema)
		return print_schema(inv->options.schema, err);
	(inv->options.man ? help_manpage : help_text)(command, &text);
	return cmd_print(&text, err) < 0 ? -1 : STATUS_OK;
}

const struct command_def cmd_help = {
	.name = "help",
	.args = "[COMMAND]",
	.summary = "what pawl or one of its commands does",
	.options = OPT_MAN,
	.run = help,
};
