#include "cmd/typed.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/project.h"
#include "job/project/select.h"
#include "model/metrics/metric.h"
#include "model/result.h"
#include "report/formats/report.h"
#include "scenario/scenario.h"

#include "measure/files/files.h"
#include "report/typed.h"

#define TOLERANCE_MOST_PCT 1000.0
/* Limit of a metric without a default of its own, such as wall time. */
#define TOLERANCE_PCT 5.0
/* Profile of a command. A scenario takes 36,000 samples at 4,999 Hz in 10 s. */
#define COMMANDS_PROFILE_NS (3 * UINT64_C(1000000000))
enum { COMMANDS_FREQUENCY = 1997, COMMANDS_SAMPLES = 4000, COMMANDS_MOST = 64 };

/* A command as given, then with its parameters replaced. */
struct words {
	const char *command, *name, *prepare;	/* name and prepare may be NULL */
};

/* -------- commands or scenarios */

/* True if options say what scenarios are compared with, or which. */
static bool means_scenarios(const struct options *o)
{
	return o->base || o->base_ref || o->head || o->head_ref || o->baseline_ref || o->tags.n;
}

static int names_scenario(struct project *project, const char *arg, bool *out, struct error *err)
{
	*out = argument_is_path(arg) && (text_ends(arg, strlen(arg), ".yaml") || text_ends(arg, strlen(arg), ".yml")) &&
	       !strpbrk(arg, " \t\n");
	if (*out || !scenario_name_valid(arg))
		return 0;
	return project_has_scenario(project, arg, out, err);
}

/* Sets OUT to whether the arguments are commands, which means that no argument names a scenario. */
static int are_commands(struct invocation *inv, bool *out, struct error *err)
{
	static const struct strv none = STRV_INIT;
	CLEANUP(project_close) struct project project = { 0 };
	const char *scenario = NULL, *command = NULL;

	*out = false;
	if (!inv->args.n || means_scenarios(&inv->options))
		return 0;
	if (project_open(&project, &inv->request, &none, err) < 0)
		return -1;
	for (size_t i = 0; i < inv->args.n; i++) {
		const char *arg = inv->args.items[i];
		bool found;

		if (names_scenario(&project, arg, &found, err) < 0)
			return -1;
		*(found ? &scenario : &command) = arg;
	}
	if (scenario && command)
		return error_set(err, ERR_INPUT, "'%.100s' is a scenario and '%.100s' is not: scenarios are compared with --base-ref "
				 "REF or --base DIR; two commands of such names with --base-cmd CMD --head-cmd CMD", scenario, command);
	if (command && inv->args.n == 1 && !inv->options.parameters.n)
		return error_set(err, ERR_INPUT, "compare with what? '%.100s' is not a scenario of this project; a command needs another one "
				 "beside it: pawl ab 'OLD' 'NEW'", command);
	*out = command != NULL;
	return 0;
}

static int check_options(const struct invocation *inv, struct error *err)
{
	const struct options *o = &inv->options;

	if (!o->base_cmd && !o->head_cmd)
		return 0;
	if (!o->base_cmd || !o->head_cmd)
		return error_set(err, ERR_INPUT, "--base-cmd and --head-cmd go together: the one that is compared with, and the "
				 "one that is judged");
	if (o->base || o->base_ref || o->head || o->head_ref || o->baseline_ref)
		return error_set(err, ERR_INPUT, "--base-cmd and --head-cmd compare two commands as they stand; leave out %s",
				 o->base ? "--base" : o->base_ref ? "--base-ref" : o->head ? "--head" :
				 o->head_ref ? "--head-ref" : "--baseline-ref");
	if (inv->args.n || o->tags.n)
		return error_set(err, ERR_INPUT, "--base-cmd and --head-cmd need no scenario; leave out %s%.100s",
				 inv->args.n ? "" : "--tag ", inv->args.n ? inv->args.items[0] : o->tags.items[0]);
	return 0;
}

/*
 * Refuses options that only commands have. A scenario's file has its own settings, or they make no sense for
 * scenarios.
 */
static int refuse_options(const struct options *o, struct error *err)
{
	const struct {
		bool given;
		const char *name, *instead;
	} all[] = {
		{ o->tolerance, "--tolerance", "a scenario says under gates: what it tolerates" },
		{ o->metric, "--metric", "a scenario says under gates: what it is judged by" },
		{ o->warmup, "--warmup", "a scenario has a key warmup:" },
		{ o->prepare.n, "--prepare", "a scenario has a key prepare:" },
		{ o->no_shell, "-N", "a scenario's command is started without a shell when it is a list" },
		{ o->command_names.n, "--command-name", "a scenario has a name" },
		{ o->parameters.n, "-L", "a scenario has vars:" },
		{ o->show_output, "--show-output", "a scenario's output is in the run's folder" },
		{ o->export_json, "--export-json", "what is measured of scenarios is printed by --json" },
		{ o->export_markdown, "--export-markdown", "the report of scenarios is report.md in the run's folder" },
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].given)
			return error_set(err, ERR_INPUT, "%s is for commands ('A' 'B', or --base-cmd and --head-cmd); %s", all[i].name,
					 all[i].instead);
	return 0;
}

/* -------- parameters */

static void replace(struct arena *arena, const char **text, const char *name, const char *value)
{
	CLEANUP(free_ptr) char *mark = text_printf("{%s}", name);
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	const char *from = *text, *found;

	while (from && (found = strstr(from, mark))) {
		strbuf_add(&out, from, (size_t)(found - from));
		strbuf_adds(&out, value);
		from = found + strlen(mark);
	}
	if (!from)
		return;
	strbuf_adds(&out, from);
	*text = arena_strdup(arena, out.buf);
}

struct word_list {
	struct words *items;
	size_t n, cap;
};

/* Repeats each command of LIST for each of VALUES, which replace {NAME}. A command without such a mark stays single. */
static int expand(struct arena *arena, struct word_list *list, const char *name, const char *values, struct error *err)
{
	CLEANUP(free_ptr) char *mark = text_printf("{%s}", name);
	struct word_list all = { 0 };
	bool found = false;

	for (size_t i = 0; i < list->n; i++) {
		const char *rest = strstr(list->items[i].command, mark) ? values : NULL;

		do {
			size_t len = rest ? strcspn(rest, ",") : 0;
			CLEANUP(free_ptr) char *value = xstrndup(rest ?: "", len);
			struct words words = list->items[i];

			if (all.n == COMMANDS_MOST)
				return error_set(err, ERR_INPUT, "-L %.60s: more than %d commands", name, COMMANDS_MOST);
			if (rest) {
				found = true;
				replace(arena, &words.command, name, value);
				replace(arena, &words.name, name, value);
				replace(arena, &words.prepare, name, value);
				rest = rest[len] ? rest + len + 1 : NULL;
			}
			ARENA_GROW(arena, all.items, all.n, all.cap);
			all.items[all.n++] = words;
		} while (rest);
	}
	if (!found)
		return error_set(err, ERR_INPUT, "-L %.60s: no command has {%.60s}, which its values replace", name, name);
	*list = all;
	return 0;
}

struct given {
	char *const *items;
	size_t n, first;	/* number of the first command */
};

/* Adds the commands. The options name and prepare each by its number. */
static int collect(struct arena *arena, const struct options *o, struct given given, struct word_list *out, struct error *err)
{
	for (size_t i = 0; i < given.n; i++) {
		size_t at = given.first + i;
		struct words words = {
			.command = given.items[i],
			.name = at < o->command_names.n ? o->command_names.items[at] : NULL,
			.prepare = o->prepare.n == 1 ? o->prepare.items[0] : at < o->prepare.n ? o->prepare.items[at] : NULL,
		};

		if (!given.items[i][strspn(given.items[i], " \t\n")])
			return error_set(err, ERR_INPUT, "command %zu is empty", at + 1);
		ARENA_GROW(arena, out->items, out->n, out->cap);
		out->items[out->n++] = words;
	}
	for (size_t i = 0; i < o->parameters.n; i += 2)
		if (expand(arena, out, o->parameters.items[i], o->parameters.items[i + 1], err) < 0)
			return -1;
	return 0;
}

static int check_counts(const struct options *o, size_t n, struct error *err)
{
	if (o->prepare.n > 1 && o->prepare.n != n)
		return error_set(err, ERR_INPUT, "--prepare: once for all commands, or once for each of %zu; found %zu", n, o->prepare.n);
	if (o->command_names.n > n)
		return error_set(err, ERR_INPUT, "--command-name: %zu names for %zu commands", o->command_names.n, n);
	return 0;
}

/* -------- the scenario of a command */

/* Adds WORD with each dollar doubled: it is for the shell, and not for pawl to replace. */
static void add_word(struct scenario *s, struct strv *argv, const char *word)
{
	CLEANUP(strbuf_release) struct strbuf escaped = STRBUF_INIT;

	for (; *word; word++)
		strbuf_adds(&escaped, *word == '$' ? "$$" : (char[]){ *word, '\0' });
	arena_push(&s->arena, argv, escaped.buf);
}

static void set_shell_command(struct scenario *s, struct command *out, const char *text)
{
	*out = (struct command){ .shell = true };
	arena_push(&s->arena, &out->argv, "/bin/sh");
	arena_push(&s->arena, &out->argv, "-c");
	add_word(s, &out->argv, text);
}

static int set_words(struct scenario *s, const char *text, struct error *err)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	if (!escape_shell_split(text, &words))
		return error_set(err, ERR_INPUT, "-N: a quotation mark is not closed in: %.200s", text);
	s->target = (struct command){ .shell = false };
	for (size_t i = 0; i < words.n; i++)
		add_word(s, &s->target.argv, words.items[i]);
	return 0;
}

/* Settings that all commands share. */
struct common {
	const struct options *options;
	const struct metric *metric;
	double tolerance_pct;		/* 0: the metric's own */
	bool typed;			/* not --base-cmd and --head-cmd */
};

/* Makes the scenario of a command, which works in the folder where pawl was started. */
static int make_scenario(struct scenario *s, const struct common *common, const char *name, const struct words *words, struct error *err)
{
	const struct metric *metric = common->metric;
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	CLEANUP(free_ptr) char *path = file_absolute("commands"), *text = NULL;
	CLEANUP(free_ptr) char *tolerance = metric->stored_tolerance_pct > 0 ? xstrdup("default") :
					    text_printf("%c%g%%", metric->higher_is_better ? '-' : '+', TOLERANCE_PCT);
	struct scenario_defaults defaults;
	int ret;

	text = text_printf("version: 1\nname: %s\ntarget: { command: 'true' }\ngates: { %s: %s }\n", name, metric->name, tolerance);
	scenario_defaults_init(&defaults);
	ret = scenario_parse(text, strlen(text), path, &defaults, s, &diags);
	scenario_defaults_release(&defaults);
	if (ret < 0)
		return error_set(err, ERR_SYSTEM, "the scenario of a command is faulty: %s", text);
	if (common->options->no_shell) {
		if (set_words(s, words->command, err) < 0)
			return -1;
	} else {
		set_shell_command(s, &s->target, words->command);
	}
	if (words->prepare)
		set_shell_command(s, &s->prepare, words->prepare);
	if (common->options->warmup)
		s->warmup_runs = (unsigned)common->options->warmup;
	/*
	 * A user who tries two commands waits for the answer, so take hardly more samples than judging symbols needs.
	 */
	s->profile.frequency = COMMANDS_FREQUENCY;
	s->profile.samples = COMMANDS_SAMPLES;
	s->profile.duration_ns = COMMANDS_PROFILE_NS;
	if (common->typed && !common->options->explain)
		s->gates.symbols.on = false;
	if (common->tolerance_pct > 0) {
		s->gates.items[0].tolerance_pct = common->tolerance_pct;
		s->gates.items[0].by_default = false;
	}
	return common->options->floor ? floor_read(common->options->floor, &s->measure.floor_pct, err) : 0;
}

/* -------- all of them */

static int read_common(const struct options *o, bool typed, struct common *out, struct error *err)
{
	const char *name = o->metric ?: typed ? "cpu-time" : "task-clock";
	double pct = 0;

	*out = (struct common){ .options = o, .metric = metric_find(name), .typed = typed };
	if (!out->metric || metric_of_windows(out->metric))
		return error_set(err, ERR_INPUT, "--metric: commands have no metric '%.60s'; cpu-time, wall-time, max-rss and instructions "
				 "are some, docs/metrics.md has all", name);
	if (!o->tolerance)
		return 0;
	if (parse_percent(o->tolerance, &pct, err) < 0)
		return error_wrap(err, "--tolerance");
	if (!(pct > 0 && pct <= TOLERANCE_MOST_PCT))
		return error_set(err, ERR_INPUT, "--tolerance: expected a percentage above 0%%, found '%.60s'", o->tolerance);
	out->tolerance_pct = pct;
	return 0;
}

static int add_pair(struct typed *out, const struct common *common, bool only, const struct words *base, const struct words *head,
		    struct error *err)
{
	CLEANUP(free_ptr) char *name = only ? xstrdup("commands") : text_printf("commands-%zu", out->n + 1);
	struct typed_pair *pair;

	ARENA_GROW(&out->arena, out->pairs, out->n, out->cap);
	pair = &out->pairs[out->n++];
	pair->base_label = arena_strdup(&out->arena, base->name ?: base->command);
	pair->head_label = arena_strdup(&out->arena, head->name ?: head->command);
	return make_scenario(&pair->base, common, name, base, err) < 0 ? -1 : make_scenario(&pair->head, common, name, head, err);
}

int typed_read(struct typed *out, struct invocation *inv, struct error *err)
{
	struct options *o = &inv->options;
	char *const given[] = { o->base_cmd, o->head_cmd };
	struct word_list bases = { 0 }, heads = { 0 };
	struct common common;
	bool typed = false;
	int ret = 0;

	*out = (struct typed){ 0 };
	if (check_options(inv, err) < 0 || (!o->base_cmd && are_commands(inv, &typed, err) < 0))
		return -1;
	if (!o->base_cmd && !typed)
		return means_scenarios(o) ? refuse_options(o, err) : 0;
	if (read_common(o, typed, &common, err) < 0 || check_counts(o, typed ? inv->args.n : 2, err) < 0 ||
	    (typed ? collect(&out->arena, o, (struct given){ inv->args.items, inv->args.n, 0 }, &heads, err) :
		     collect(&out->arena, o, (struct given){ &given[0], 1, 0 }, &bases, err) < 0 ? -1 :
		     collect(&out->arena, o, (struct given){ &given[1], 1, 1 }, &heads, err)) < 0)
		return -1;
	if (typed && heads.n < 2)
		return error_set(err, ERR_INPUT, "compare with what? There is one command only: pawl ab 'OLD' 'NEW'");
	if (!typed && bases.n != heads.n && bases.n != 1)
		return error_set(err, ERR_INPUT, "-L: --base-cmd stands for %zu commands, and --head-cmd for %zu", bases.n, heads.n);
	for (size_t i = typed; ret == 0 && i < heads.n; i++)
		ret = add_pair(out, &common, heads.n == 1 + (size_t)typed, typed ? &heads.items[0] : &bases.items[bases.n == 1 ? 0 : i],
			       &heads.items[i], err);
	if (ret < 0)
		return -1;
	out->positional = typed;
	out->without_perf = typed && !o->explain && common.metric->source == SOURCE_TARGET;
	/* A quick answer comes without causes. --explain asks for them. */
	if (typed && !o->explain)
		o->no_explain = o->no_profile = true;
	return 0;
}

void typed_release(struct typed *typed)
{
	for (size_t i = 0; i < typed->n; i++) {
		scenario_release(&typed->pairs[i].base);
		scenario_release(&typed->pairs[i].head);
	}
	arena_release(&typed->arena);
	*typed = (struct typed){ 0 };
}

int typed_export(const struct options *options, const struct result *result, struct error *err)
{
	const struct {
		const char *option, *path;
		report_fn *render;
	} exports[] = {
		{ "--export-json", options->export_json, report_typed_json },
		{ "--export-markdown", options->export_markdown, report_typed_markdown },
	};

	for (size_t i = 0; i < sizeof exports / sizeof exports[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		if (!exports[i].path)
			continue;
		exports[i].render(result, &(struct report_options){ 0 }, &text);
		if (file_write(exports[i].path, text.buf, text.len, err) < 0)
			return error_wrap(err, "%s", exports[i].option);
	}
	return 0;
}
