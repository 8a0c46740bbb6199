/* pawl help: describes pawl, in plain text or as a man page. */
#include "cmd/cmd.h"

#include "base/mem.h"
#include "job/project/console.h"
#include "model/gate.h"
#include "model/metrics/metric.h"
#include "scenario/yaml.h"
#include "store/store.h"

/* A word and its meaning. A list ends with an empty entry. */
struct help_entry {
	const char *word, *means;
};

static const struct help_entry help_statuses[] = {
	{ "0", "measured; nothing that could be judged got worse" },
	{ "1", "a regression" },
	{ "2", "a bad option, scenario, baseline or configuration; nothing was measured" },
	{ "3", "could not measure" },
	{ "4", "with --strict: something was inconclusive, new or not measured" },
	{ "130, 143", "interrupted; what was measured is kept" },
	{ NULL, NULL },
};

/* -------- man pages, from the tables of commands, options and metrics */

static const struct help_entry environment[] = {
	{ "NO_COLOR", "When set to anything, no colours unless --color always is given." },
	{ "PAWL_KEPT", "With --attach, the file that --keep-env printed: the folder and the ports of the environment that it kept." },
	{ "PAWL_MACHINE", "The machine part of the class, where its owner knows better than the CPU's name." },
	{ "PAWL_PERF", "The perf to use, instead of the one on PATH or the newest that is installed." },
	{ "PAWL_USER", "Who accepts a baseline, where GITHUB_ACTOR is not set; else USER and LOGNAME." },
	{ "GITHUB_ACTIONS", "When true, progress is grouped and the report is repeated as annotations." },
	{ "GITHUB_EVENT_NAME, GITHUB_BASE_REF, GITHUB_EVENT_PATH, GITHUB_REF",
	  "If the event is an unmerged change, such as a pull request's, its base judges: pawl.yaml, scenarios and baselines "
	  "are read from there." },
	{ "GITHUB_SHA", "When another commit is checked out, the report says that its own files judge it." },
	{ "GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID", "The repository and the run that pages link to." },
	{ "TMPDIR", "Where the scratch folder is made (default /tmp)." },
	{ "XDG_RUNTIME_DIR", "Where the lock lies that lets one pawl measure at a time; else /run/lock, else /tmp." },
	{ NULL, NULL },
};

static const struct help_entry files[] = {
	{ "pawl.yaml", "The project's settings, all optional. It or .git marks the project's root." },
	{ "scenarios/*.yaml, scenarios/*.yml", "The scenarios." },
	{ "baselines/SCENARIO/CLASS.json", "What is accepted for a scenario on one class of machines." },
	{ "pawl-out/TIME-COMMIT/", "What a run left: result.json, reports, the logs of each scenario; the newest 20 are kept." },
	{ "pawl-out/latest", "The newest of them." },
	{ NULL, NULL },
};

/* Adds TEXT so that roff prints it unchanged: no escapes, no hyphens that break, no requests. */
static void add_text(struct strbuf *out, const char *text)
{
	for (bool begins = true; *text; text++) {
		if (begins && (*text == '.' || *text == '\''))
			strbuf_adds(out, "\\&");
		if (*text == '\\')
			strbuf_adds(out, "\\e");
		else if (*text == '-')
			strbuf_adds(out, "\\-");
		else
			strbuf_addc(out, *text);
		begins = *text == '\n';
	}
}

static void add_font(struct strbuf *out, char font, const char *text)
{
	strbuf_addf(out, "\\f%c", font);
	add_text(out, text);
	strbuf_adds(out, "\\fR");
}

static void add_section(struct strbuf *out, const char *title)
{
	strbuf_addf(out, ".SH %s\n", title);
}

static void add_entries(struct strbuf *out, const struct help_entry *entries)
{
	for (; entries->word; entries++) {
		strbuf_adds(out, ".TP\n");
		add_font(out, 'B', entries->word);
		strbuf_addc(out, '\n');
		add_text(out, entries->means);
		strbuf_addc(out, '\n');
	}
}

static void add_head(struct strbuf *out, const struct command_def *command)
{
	strbuf_adds(out, ".TH PAWL");
	for (const char *c = command ? command->name : ""; *c; c++)
		strbuf_addf(out, "%s%c", c == command->name ? "\\-" : "", *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
	strbuf_adds(out, " 1 \"\" \"pawl " PAWL_VERSION "\" \"User Commands\"\n");
	add_section(out, "NAME");
	strbuf_addf(out, "pawl%s%s \\- ", command ? "\\-" : "", command ? command->name : "");
	add_text(out, command ? command->summary : "a gate that keeps programs from getting slower");
	strbuf_adds(out, "\n");
	add_section(out, "SYNOPSIS");
	strbuf_addf(out, "\\fBpawl%s%s\\fR", command ? " " : "", command ? command->name : "");
	strbuf_addf(out, "%s [\\fIOPTION\\fR...]", command ? "" : " \\fICOMMAND\\fR");
	if (!command || *command->args)
		strbuf_addc(out, ' ');
	add_text(out, command ? command->args : "[ARGUMENT...]");
	strbuf_adds(out, "\n");
}

static void add_details(struct strbuf *out, const char *text)
{
	add_section(out, "DESCRIPTION");
	while (text) {
		const char *end = strstr(text, "\n\n");
		CLEANUP(free_ptr) char *paragraph = xstrndup(text, end ? (size_t)(end - text) : strlen(text));
		/* Columns keep their layout. Other paragraphs are filled. */
		bool columns = strstr(paragraph, "  ") != NULL;

		strbuf_adds(out, columns ? ".nf\n" : "");
		add_text(out, paragraph);
		strbuf_adds(out, columns ? "\n.fi\n" : "\n");
		strbuf_adds(out, end ? ".PP\n" : "");
		text = end ? end + 2 : NULL;
	}
}

static void add_option(struct strbuf *out, const struct option_spec *spec)
{
	strbuf_adds(out, ".TP\n");
	if (spec->letter)
		strbuf_addf(out, "\\fB\\-%c\\fR, ", spec->letter);
	strbuf_adds(out, "\\fB\\-\\-");
	add_text(out, spec->name);
	strbuf_adds(out, "\\fR");
	if (spec->choices)
		for (const char *const *c = spec->choices; *c; c++) {
			strbuf_adds(out, c == spec->choices ? " " : "|\\:");
			add_font(out, 'B', *c);
		}
	else if (spec->value) {
		strbuf_addc(out, ' ');
		add_font(out, 'I', spec->value);
	}
	strbuf_addc(out, '\n');
	add_text(out, spec->help);
	strbuf_addc(out, '\n');
}

static void add_options(struct strbuf *out, uint64_t taken)
{
	add_section(out, "OPTIONS");
	for (size_t i = 0; i < cmd_options_size; i++)
		if (cmd_options[i].id & taken)
			add_option(out, &cmd_options[i]);
}

static void add_metrics(struct strbuf *out)
{
	add_section(out, "METRICS");
	strbuf_adds(out, "What a gate can be set on, with the tolerance that\n.B default\nstands for.\n");
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *m = &metric_catalogue[i];

		strbuf_adds(out, ".TP\n");
		add_font(out, 'B', m->name);
		strbuf_addc(out, '\n');
		add_text(out, m->help);
		if (m->stored_tolerance_pct > 0)
			strbuf_addf(out, " (%s%g%%)", m->higher_is_better ? "\\-" : "+", m->stored_tolerance_pct);
		strbuf_addc(out, '\n');
	}
}

/* Adds the sections that only the page of pawl as a whole has. */
static void add_whole(struct strbuf *out, const struct command_def *const *commands)
{
	add_section(out, "DESCRIPTION");
	strbuf_adds(out,
		    "pawl starts the programs that a project's scenarios describe, counts what they use with\n"
		    "\\fBperf\\-stat\\fR(1), compares that with baselines kept in the project's own repository,\n"
		    "and exits with a status that a script can act on.\n");
	add_section(out, "COMMANDS");
	for (; *commands; commands++) {
		strbuf_addf(out, ".TP\n\\fBpawl\\-%s\\fR(1)\n", (*commands)->name);
		add_text(out, (*commands)->summary);
		strbuf_addc(out, '\n');
	}
	add_options(out, OPT_COMMON);
	add_metrics(out);
	add_section(out, "EXIT STATUS");
	add_entries(out, help_statuses);
	add_section(out, "ENVIRONMENT");
	add_entries(out, environment);
	add_section(out, "FILES");
	add_entries(out, files);
}

/* Like help_text(), in the man macros of roff, section 1. */
static void help_manpage(const struct command_def *const *commands, const struct command_def *command, struct strbuf *out)
{
	const char *separator = "";

	add_head(out, command);
	if (!command)
		add_whole(out, commands);
	if (command && command->details)
		add_details(out, command->details);
	if (command) {
		add_section(out, "EXAMPLES");
		strbuf_adds(out, ".nf\n");
		add_text(out, command->examples);
		strbuf_adds(out, "\n.fi\n");
	}
	if (command) {
		add_options(out, command->options | OPT_COMMON);
		add_section(out, "EXIT STATUS");
		strbuf_adds(out, "As in \\fBpawl\\fR(1).\n");
	}
	add_section(out, "SEE ALSO");
	if (command) {
		strbuf_adds(out, "\\fBpawl\\fR(1)");
		separator = ",\n";
	}
	for (; *commands; commands++) {
		if (*commands == command)
			continue;
		strbuf_addf(out, "%s\\fBpawl\\-%s\\fR(1)", separator, (*commands)->name);
		separator = ",\n";
	}
	strbuf_adds(out, ",\n\\fBperf\\-stat\\fR(1)\n");
}

/* -------- plain text */

static void add_command(const struct command_def *command, bool all, struct strbuf *out)
{
	strbuf_addf(out, "pawl %s: %s\n\nusage: pawl %s [OPTION...]%s%s\n\n", command->name, command->summary, command->name,
		    *command->args ? " " : "", command->args);
	for (const char *line = command->examples; *line; line += strcspn(line, "\n"), line += *line == '\n')
		strbuf_addf(out, "  %.*s\n", (int)strcspn(line, "\n"), line);
	if (all && command->details)
		strbuf_addf(out, "\n%s\n", command->details);
	strbuf_addc(out, '\n');
	options_help(cmd_options, cmd_options_size, command->options | OPT_COMMON, all, out);
	if (!all)
		strbuf_addf(out, "\n`pawl help --all %s` has the rest.\n", command->name);
}

void help_text(const struct command_def *const *commands, const struct command_def *command, bool all, struct strbuf *out)
{
	if (command) {
		add_command(command, all, out);
		return;
	}
	strbuf_adds(out,
		    "pawl keeps programs from getting slower: it measures scenarios with perf,\n"
		    "compares them with accepted baselines or another commit, and fails when\n"
		    "something got worse.\n\n"
		    "usage: pawl COMMAND [OPTION...] [ARGUMENT...]\n\n");
	for (; *commands; commands++)
		if (all || (*commands)->first)
			strbuf_addf(out, "  %-10s  %s\n", (*commands)->name, (*commands)->summary);
	if (!all) {
		strbuf_adds(out, "\n`pawl COMMAND --help` shows more, `pawl help --all` every command.\n");
		return;
	}
	strbuf_adds(out, "\noptions of every command:\n");
	options_help(cmd_options, cmd_options_size, OPT_COMMON, true, out);
	strbuf_adds(out, "\noptions of some commands:\n");
	options_help(cmd_options, cmd_options_size, ~(OPT_COMMON | OPTION_RARE | OPTION_SHAPES), true, out);
	strbuf_adds(out, "\nexit status:\n");
	for (const struct help_entry *e = help_statuses; e->word; e++)
		strbuf_addf(out, "  %-8s  %s\n", e->word, e->means);
	strbuf_adds(out, "\n`pawl help --all COMMAND` shows how it works.\n");
}

/* In the order of cmd_schemas. */
static const struct {
	const struct fields *root;
	enum schema_kind kind;
	bool gates;	/* it refers to gates_definitions() */
} schemas[] = {
	{ &baseline_fields, SCHEMA_STRICT, false },
	{ &config_fields, SCHEMA_YAML, true }, { &result_fields, SCHEMA_OPEN, false },
	{ &scenario_fields, SCHEMA_YAML, true },
};

static int print_schema(const char *name, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	CLEANUP(free_ptr) char *schema = NULL;
	const struct fields *definitions;
	size_t i = 0;

	while (strcmp(cmd_schemas[i], name))
		i++;
	definitions = schemas[i].gates ? gates_definitions(&arena) : NULL;
	schema = schema_print(schemas[i].root, definitions, schemas[i].kind);
	strbuf_adds(&text, schema);
	return console_print(&text, err) < 0 ? -1 : STATUS_OK;
}

static int help(struct invocation *inv, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct command_def *command = NULL;

	if (inv->args.n > 1)
		return error_set(err, ERR_INPUT, "help takes one command, found %zu", inv->args.n);
	if (inv->args.n && !(command = cmd_need(inv->commands, inv->args.items[0], err)))
		return -1;
	if (inv->options.schema)
		return print_schema(inv->options.schema, err);
	if (inv->options.man)
		help_manpage(inv->commands, command, &text);
	else
		help_text(inv->commands, command, inv->options.all, &text);
	return console_print(&text, err) < 0 ? -1 : STATUS_OK;
}

const struct command_def cmd_help = {
	.name = "help",
	.args = "[COMMAND]",
	.summary = "show help for pawl or for one command",
	.examples =
		"pawl help --all                   # every command and option\n"
		"pawl help run\n"
		"pawl help --all run               # all options of it, and how it works",
	.options = OPT_HELP,
	.run = help,
};
