/* pawl help: describes pawl, in plain text, as a man page or as a page of docs/reference. */
#include "cmd/cmd.h"

#include <ctype.h>

#include "base/mem.h"
#include "cmd/reference/page.h"
#include "cmd/reference/version.h"
#include "job/project/console.h"
#include "model/gate.h"
#include "report/headline.h"
#include "scenario/yaml.h"
#include "store/store.h"

/* A word and its meaning. A list ends with an empty entry. */
struct help_entry {
	const char *word, *means;
};

static const struct help_entry help_statuses[] = {
	{ "0", "measured; nothing that could be judged got worse" },
	{ "1", "a regression, or a claim (--expect) that was not proven" },
	{ "2", "a bad option, scenario, baseline or configuration; nothing was measured" },
	{ "3", "could not measure" },
	{ "4", "with --strict: something was inconclusive, new or not measured" },
	{ "130, 143", "interrupted; what was measured is kept" },
	{ NULL, NULL },
};

static const struct help_entry environment[] = {
	{ "NO_COLOR", "If set, no colours unless --color always is given." },
	{ "PAWL_BASE", "As --base, where none is given." },
	{ "PAWL_JUDGE", "The commit or branch that judges an unmerged change, in a CI system that pawl does not know." },
	{ "PAWL_KEPT", "With --attach: the file that --keep-env printed, with the folder and ports of the kept services." },
	{ "PAWL_MACHINE", "The machine part of the class, instead of the CPU's name." },
	{ "PAWL_PERF", "The perf to use, instead of the one on PATH or the newest that is installed." },
	{ "PAWL_RUN_URL", "The run that pages link to; else that of GitHub, or CI_JOB_URL or BUILD_URL." },
	{ "PAWL_USER", "Who accepts a baseline, if GITHUB_ACTOR is not set; else USER and LOGNAME." },
	{ "GITHUB_ACTIONS", "If true, progress is grouped and the report is repeated as annotations." },
	{ "GITHUB_EVENT_NAME, GITHUB_BASE_REF, GITHUB_EVENT_PATH, GITHUB_REF",
	  "If the event is an unmerged change, such as a pull request's, its base judges: pawl.yaml, scenarios and baselines "
	  "are read from there." },
	{ "CI_PIPELINE_SOURCE, CI_MERGE_REQUEST_IID, CI_MERGE_REQUEST_TARGET_BRANCH_SHA, CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
	  "The same for GitLab's merge requests; CI_EXTERNAL_PULL_REQUEST_ for those of another forge." },
	{ "CHANGE_ID, CHANGE_TARGET", "The same for Jenkins." },
	{ "GITHUB_SHA, CI_COMMIT_SHA", "If another commit is checked out, the report says that its own files judge it." },
	{ "GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID", "The repository and the run that pages link to." },
	{ "TMPDIR", "Folder of temporary files. Default: /tmp." },
	{ "XDG_RUNTIME_DIR", "Folder of the lock that lets one pawl measure at a time; else /run/lock, else /tmp." },
	{ NULL, NULL },
};

static const struct help_entry files[] = {
	{ "pawl.yaml", "The project's settings, all optional. It or .git marks the project's root." },
	{ "scenarios/*.yaml, scenarios/*.yml", "The scenarios." },
	{ "baselines/SCENARIO/CLASS.json", "What is accepted for a scenario on one class of machines." },
	{ "pawl-out/TIME-COMMIT/", "What a run left: result.json, reports, the logs of each scenario; the newest 20 are kept." },
	{ "pawl-out/latest", "A link to the newest of them." },
	{ NULL, NULL },
};

/* -------- parts of pages */

/* WORDS may be several, separated by commas. */
static void add_entry(struct strbuf *out, const char *words, const char *means)
{
	CLEANUP(strbuf_release) struct strbuf code = STRBUF_INIT;

	for (const char *word = words, *comma;; word = comma + 2) {
		comma = strstr(word, ", ");
		strbuf_addf(&code, "%s`%.*s`", word == words ? "" : ", ", comma ? (int)(comma - word) : (int)strlen(word), word);
		if (!comma)
			break;
	}
	page_row(out, false, (const char *const[]){ code.buf, means }, 2);
}

static const struct {
	const char *name, *word, *means;	/* the titles of its columns */
	const struct help_entry *entries;
} lists[] = {
	{ "statuses", "status", "means", help_statuses }, { "environment", "variable", "means", environment },
	{ "files", "path", "is", files },
};

/* "@list NAME" */
static void add_list(struct strbuf *out, const char *name, const void *ctx)
{
	size_t i = 0;

	(void)ctx;
	while (strcmp(lists[i].name, name))
		i++;
	page_row(out, true, (const char *const[]){ lists[i].word, lists[i].means }, 2);
	for (const struct help_entry *e = lists[i].entries; e->word; e++)
		add_entry(out, e->word, e->means);
}

static void add_verdicts(struct strbuf *out, const char *argument, const void *ctx)
{
	(void)argument;
	(void)ctx;
	page_row(out, true, (const char *const[]){ "verdict", "means" }, 2);
	for (size_t i = 0; verdict_names[i]; i++)
		add_entry(out, verdict_names[i], verdict_meanings[i]);
}

static void add_headlines(struct strbuf *out, const char *argument, const void *ctx)
{
	(void)argument;
	(void)ctx;
	page_row(out, true, (const char *const[]){ "word", "means" }, 2);
	for (size_t i = 0; i < HEADLINE_WORDS; i++)
		add_entry(out, headline_words[i].word, headline_words[i].means);
	for (enum severity severity = 0; severity < SEVERITY_COUNT; severity++)
		if (severity_means(severity))
			add_entry(out, severity_word(severity), severity_means(severity));
}

/* -------- commands */

static void add_option(struct strbuf *out, const struct option_spec *spec)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	if (spec->letter)
		strbuf_addf(&name, "`-%c`, ", spec->letter);
	strbuf_addf(&name, "`--%s`", spec->name);
	for (const char *const *c = spec->choices; c && *c; c++)
		strbuf_addf(&name, "%s`%s`", c == spec->choices ? " " : ", ", *c);
	if (!spec->choices && spec->value)
		strbuf_addf(&name, " %s", spec->value);
	page_row(out, false, (const char *const[]){ name.buf, spec->help }, 2);
}

static void add_options(struct strbuf *out, uint64_t taken)
{
	page_row(out, true, (const char *const[]){ "option", "does" }, 2);
	for (size_t i = 0; i < cmd_options_size; i++)
		if (cmd_options[i].id & taken && *cmd_options[i].name && cmd_options[i].kind != OPTION_ELSEWHERE)
			add_option(out, &cmd_options[i]);
}

static void add_common_options(struct strbuf *out, const char *argument, const void *ctx)
{
	(void)argument;
	(void)ctx;
	add_options(out, OPT_COMMON);
}

/* Columns keep their layout. Other paragraphs are filled. */
static void add_details(struct strbuf *out, const char *text)
{
	while (text) {
		const char *end = strstr(text, "\n\n");
		CLEANUP(free_ptr) char *paragraph = xstrndup(text, end ? (size_t)(end - text) : strlen(text));
		bool columns = strstr(paragraph, "  ") != NULL;

		strbuf_addf(out, columns ? "```text\n%s\n```\n\n" : "%s\n\n", paragraph);
		text = end ? end + 2 : NULL;
	}
}

/* "@commands": a list. */
static void add_commands(struct strbuf *out, const char *argument, const void *ctx)
{
	(void)argument;
	page_row(out, true, (const char *const[]){ "command", "does" }, 2);
	for (const struct command_def *const *command = ctx; *command; command++) {
		CLEANUP(free_ptr) char *name = text_printf("`pawl-%s`(1)", (*command)->name);

		page_row(out, false, (const char *const[]){ name, (*command)->summary }, 2);
	}
}

static void add_each_command(struct strbuf *out, const char *argument, const void *ctx)
{
	(void)argument;
	for (const struct command_def *const *command = ctx; *command; command++) {
		const struct command_def *c = *command;

		strbuf_addf(out, "## pawl %s\n\n%c%s.\n\n```text\npawl %s [OPTION...]%s%s\n```\n\n", c->name,
			    toupper((unsigned char)*c->summary), c->summary + 1, c->name, *c->args ? " " : "", c->args);
		add_details(out, c->details);
		strbuf_addf(out, "```text\n%s\n```\n", c->examples);
		if (c->options & ~OPT_COMMON) {
			strbuf_addc(out, '\n');
			add_options(out, c->options);
		}
		strbuf_adds(out, c == command[0] && command[1] ? "\n" : "");
	}
}

static const struct page_part parts[] = {
	{ "list", add_list }, { "verdicts", add_verdicts }, { "headlines", add_headlines }, { "common-options", add_common_options },
	{ "commands", add_commands }, { "each-command", add_each_command }, { "keys", page_keys }, { "tree", page_tree },
	{ "metrics", page_metrics }, { "counting", page_countings }, { "sampling", page_samplings }, { "formats", version_formats },
	{ NULL, NULL },
};

/* -------- pages */

static const char pawl_md[] =
#include <embedded/reference/pawl.md.inc>
	;
static const char commands_md[] =
#include <embedded/reference/commands.md.inc>
	;
static const char exit_status_md[] =
#include <embedded/reference/exit-status.md.inc>
	;
static const char scenario_md[] =
#include <embedded/reference/scenario.md.inc>
	;
static const char pawl_yaml_md[] =
#include <embedded/reference/pawl-yaml.md.inc>
	;
static const char metrics_md[] =
#include <embedded/reference/metrics.md.inc>
	;
static const char result_md[] =
#include <embedded/reference/result.md.inc>
	;
static const char baseline_md[] =
#include <embedded/reference/baseline.md.inc>
	;
static const char formats_md[] =
#include <embedded/reference/formats.md.inc>
	;

static const struct page pages[] = {
	{ "pawl", "pawl", 1, "a gate that keeps programs from getting slower", pawl_md, NULL },
	{ "commands", NULL, 0, NULL, commands_md, NULL },
	{ "exit-status", NULL, 0, NULL, exit_status_md, NULL },
	{ "scenario", "pawl-scenario", 5, "what pawl runs, how it measures, and its limits", scenario_md, NULL },
	{ "pawl-yaml", "pawl.yaml", 5, "the settings of a project for pawl", pawl_yaml_md, NULL },
	{ "metrics", "pawl-metrics", 7, "what pawl measures, and the limits of each metric", metrics_md, NULL },
	{ "result", "pawl-result", 5, "what a run of pawl leaves, and baselines", result_md, &pages[7] },
	{ "baseline", NULL, 5, NULL, baseline_md, NULL },
	{ "formats", NULL, 0, NULL, formats_md, NULL },
	{ 0 },
};

/* Appends the page NAME as Markdown or as a man page. False if there is none. */
static bool add_page(const struct command_def *const *commands, const char *name, bool man, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct page *page = pages;

	while (page->name && strcmp(page->name, name))
		page++;
	if (!page->name || (man && !page->man))
		return false;
	for (const struct page *piece = page; piece; piece = man ? piece->also : NULL)
		page_markdown(piece, parts, commands, &text);
	if (man)
		page_man(page, text.buf, out);
	else
		strbuf_adds(out, text.buf);
	return true;
}

static void add_command_page(const struct command_def *command, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *title = text_printf("pawl-%s", command->name);

	strbuf_addf(&text, "# %s\n\n## Synopsis\n\n`pawl %s` [OPTION...] %s\n\n", title, command->name, command->args);
	if (command->details) {
		strbuf_adds(&text, "## Description\n\n");
		add_details(&text, command->details);
	}
	strbuf_addf(&text, "## Examples\n\n```text\n%s\n```\n\n## Options\n\n", command->examples);
	add_options(&text, command->options | OPT_COMMON);
	strbuf_adds(&text, "\n## Exit status\n\nAs in `pawl`(1).\n\n## See also\n\n`pawl`(1), `pawl-scenario`(5), `pawl.yaml`(5), "
			   "`pawl-result`(5), `pawl-metrics`(7)\n");
	page_man(&(struct page){ .man = title, .section = 1, .summary = command->summary }, text.buf, out);
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
	schema = schema_print(name, schemas[i].root, definitions, schemas[i].kind);
	strbuf_adds(&text, schema);
	return console_print(&text, err) < 0 ? -1 : STATUS_OK;
}

static int help(struct invocation *inv, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct command_def *command = NULL;
	const struct options *o = &inv->options;
	const char *name = inv->args.n ? inv->args.items[0] : "pawl";

	if (inv->args.n > 1)
		return error_set(err, ERR_INPUT, "help takes one command, found %zu", inv->args.n);
	if ((o->man || o->markdown) && add_page(inv->commands, name, o->man, &text))
		return console_print(&text, err) < 0 ? -1 : STATUS_OK;
	if (inv->args.n && !(command = cmd_need(inv->commands, name, err)))
		return -1;
	if (o->schema)
		return print_schema(o->schema, err);
	if (o->man && command)
		add_command_page(command, &text);
	else
		help_text(inv->commands, command, o->all, &text);
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
	.details =
		"With --man and --markdown, help also takes the pages scenario, pawl-yaml, metrics and result;\n"
		"with --markdown baseline, commands and exit-status, too.",
	.options = OPT_HELP,
	.run = help,
};
