/* pawl ab: compares commands as they are typed, each with the first. */
#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/comparison.h"
#include "job/project/project.h"
#include "model/metrics/metric.h"
#include "scenario/scenario.h"
#include "stats/stats.h"

#include "measure/files/files.h"

#define LIMIT_MOST_PCT 1000.0
/* Limit of a metric without a default of its own, such as wall time. */
#define LIMIT_PCT 5.0
#define UNLIMITED_NS (UINT64_C(1000) * 3600 * NS_PER_S)
/* Profile of a command. A scenario takes 36,000 samples at 4,999 Hz in 10 s. */
#define COMMANDS_PROFILE_NS (3 * UINT64_C(1000000000))
enum { COMMANDS_FREQUENCY = 1997, COMMANDS_SAMPLES = 4000, COMMANDS_MOST = 64 };

struct words {
	const char *command, *name, *prepare;	/* name and prepare may be NULL */
};

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

/* A command without the mark {NAME} stays single. */
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
			*ARENA_ADD(arena, all.items, all.n, all.cap) = words;
		} while (rest);
	}
	if (!found)
		return error_set(err, ERR_INPUT, "-L %.60s: no command has {%.60s}, which its values replace", name, name);
	*list = all;
	return 0;
}

static int collect(struct arena *arena, const struct options *o, const struct strv *given, struct word_list *out, struct error *err)
{
	for (size_t i = 0; i < given->n; i++) {
		struct words words = {
			.command = given->items[i],
			.name = i < o->command_names.n ? o->command_names.items[i] : NULL,
			.prepare = o->prepare.n == 1 ? o->prepare.items[0] : i < o->prepare.n ? o->prepare.items[i] : NULL,
		};

		if (!given->items[i][strspn(given->items[i], " \t\n")])
			return error_set(err, ERR_INPUT, "command %zu is empty", i + 1);
		*ARENA_ADD(arena, out->items, out->n, out->cap) = words;
	}
	for (size_t i = 0; i < o->parameters.n; i += 2)
		if (expand(arena, out, o->parameters.items[i], o->parameters.items[i + 1], err) < 0)
			return -1;
	return 0;
}

/* The signed-rank bounds take no more. */
static int check_most(const char *option, uint64_t n, struct error *err)
{
	if (n <= SIGNRANK_MOST)
		return 0;
	return error_set(err, ERR_INPUT, "%s: expected at most %d, found %llu", option, SIGNRANK_MOST, (unsigned long long)n);
}

static int check_counts(const struct options *o, const struct request *request, size_t n, struct error *err)
{
	if (check_most("--runs", request->runs, err) < 0 || check_most("--min-runs", request->min_runs, err) < 0 ||
	    check_most("--max-runs", request->max_runs, err) < 0)
		return -1;
	if (o->prepare.n > 1 && o->prepare.n != n)
		return error_set(err, ERR_INPUT, "--prepare: once for all commands, or once for each of %zu; found %zu", n, o->prepare.n);
	if (o->command_names.n > n)
		return error_set(err, ERR_INPUT, "--command-name: %zu names for %zu commands", o->command_names.n, n);
	if (request->runs && (request->min_runs || request->max_runs))
		return error_set(err, ERR_INPUT, "--runs is the exact number of pairs; give it, or --min-runs and --max-runs");
	if (request->min_runs && request->max_runs && request->min_runs > request->max_runs)
		return error_set(err, ERR_INPUT, "--min-runs %llu is more than --max-runs %llu", (unsigned long long)request->min_runs,
				 (unsigned long long)request->max_runs);
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

struct common {
	const struct options *options;
	const struct request *request;
	const struct metric *metric;	/* NULL: CPU time or wall time, by what the commands do */
	double limit_pct;		/* 0: the metric's own */
};

static char *gates_on(const struct metric *metric)
{
	if (!metric)
		return text_printf("cpu-time: default, wall-time: %g%%", LIMIT_PCT);
	if (metric->stored_tolerance_pct > 0)
		return text_printf("%s: default", metric->name);
	return text_printf("%s: %g%%", metric->name, LIMIT_PCT);
}

/* It works in the folder where pawl was started. */
static int make_scenario(struct scenario *s, const struct common *common, const char *name, const struct words *words, struct error *err)
{
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	CLEANUP(free_ptr) char *path = file_absolute("commands"), *text = NULL;
	CLEANUP(free_ptr) char *gates = gates_on(common->metric);
	struct scenario_defaults defaults;
	int ret;

	text = text_printf("name: %s\ntarget: 'true'\ngates: { %s }\n", name, gates);
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
	if (common->options->setup)
		set_shell_command(s, &s->setup, common->options->setup);
	if (common->options->cleanup)
		set_shell_command(s, &s->cleanup, common->options->cleanup);
	if (common->options->warmup)
		s->warmup_runs = (unsigned)common->options->warmup;
	s->target_may_fail = common->options->ignore_failure;
	/* A number of pairs is reached, however long that takes. */
	if (common->request->runs || common->request->min_runs)
		s->measure.budget_ns = UNLIMITED_NS;
	/* Whoever tries two commands waits for the answer, so take hardly more samples than judging symbols needs. */
	s->profile.frequency = COMMANDS_FREQUENCY;
	s->profile.samples = COMMANDS_SAMPLES;
	s->profile.duration_ns = COMMANDS_PROFILE_NS;
	if (!common->request->explain)
		s->gates.symbols.on = false;
	for (size_t i = 0; i < s->gates.n && common->limit_pct > 0; i++) {
		s->gates.items[i].tolerance_pct = common->limit_pct;
		s->gates.items[i].by_default = false;
	}
	return 0;
}

/* -------- all of them */

static int read_limit(const struct options *o, struct common *out, struct error *err)
{
	double pct = 0;

	if (o->limit && parse_percent(o->limit, &pct, err) < 0)
		return error_wrap(err, "--limit");
	if (o->limit && !(pct > 0 && pct <= LIMIT_MOST_PCT))
		return error_set(err, ERR_INPUT, "--limit: expected a percentage above 0%%, found '%.60s'", o->limit);
	out->limit_pct = pct;
	return 0;
}

static int read_common(const struct invocation *inv, struct common *out, struct error *err)
{
	const struct options *o = &inv->options;
	const char *name = o->metric;
	CLEANUP(free_ptr) const char **names = xcalloc(metric_catalogue_size, sizeof *names);

	for (size_t i = 0; i < metric_catalogue_size; i++)
		names[i] = metric_catalogue[i].name;
	*out = (struct common){ .options = o, .request = &inv->request };
	if (!name)
		return read_limit(o, out, err);
	out->metric = metric_find(name);
	if (metric_renamed(name))
		return error_set(err, ERR_INPUT, "--metric: there is no metric '%s' any more: it is %s", name, metric_renamed(name));
	if (!out->metric && nearest(name, names, metric_catalogue_size))
		return error_set(err, ERR_INPUT, "--metric: unknown metric '%.60s'; did you mean '%s'?", name,
				 nearest(name, names, metric_catalogue_size));
	if (!out->metric || metric_of_windows(out->metric))
		return error_set(err, ERR_INPUT, "--metric: commands have no metric '%.60s'; cpu-time, wall-time, max-rss and instructions "
				 "are some, 'man pawl-metrics' has all", name);
	return read_limit(o, out, err);
}

static int add_pair(struct typed *out, const struct common *common, bool only, const struct words *base, const struct words *head,
		    struct error *err)
{
	CLEANUP(free_ptr) char *name = only ? xstrdup("commands") : text_printf("commands-%zu", out->n + 1);
	struct typed_pair *pair;

	pair = ARENA_ADD(&out->arena, out->pairs, out->n, out->cap);
	pair->base_label = arena_strdup(&out->arena, base->name ?: base->command);
	pair->head_label = arena_strdup(&out->arena, head->name ?: head->command);
	return make_scenario(&pair->base, common, name, base, err) < 0 ? -1 : make_scenario(&pair->head, common, name, head, err);
}

static void typed_release(struct typed *typed)
{
	for (size_t i = 0; i < typed->n; i++) {
		scenario_release(&typed->pairs[i].base);
		scenario_release(&typed->pairs[i].head);
	}
	arena_release(&typed->arena);
	*typed = (struct typed){ 0 };
}

/* OUT needs typed_release() in every case. */
static int read_commands(struct typed *out, const struct invocation *inv, struct error *err)
{
	const struct options *o = &inv->options;
	struct word_list list = { 0 };
	struct common common;

	*out = (struct typed){ 0 };
	if (read_common(inv, &common, err) < 0 || check_counts(o, &inv->request, inv->args.n, err) < 0 ||
	    collect(&out->arena, o, &inv->args, &list, err) < 0)
		return -1;
	if (list.n < 2)
		return error_set(err, ERR_INPUT, "compare with what? Two commands are pawl ab 'OLD' 'NEW', scenarios are pawl run %.100s --base REF",
				 list.n && scenario_name_valid(inv->args.items[0]) ? inv->args.items[0] : "SCENARIO");
	for (size_t i = 1; i < list.n; i++)
		if (add_pair(out, &common, list.n == 2, &list.items[0], &list.items[i], err) < 0)
			return -1;
	out->either = !common.metric;
	out->without_perf = !inv->request.explain && (!common.metric || common.metric->source == SOURCE_TARGET);
	return 0;
}

static int ab(struct invocation *inv, struct error *err)
{
	static const struct strv none = STRV_INIT;
	CLEANUP(typed_release) struct typed typed = { 0 };
	CLEANUP(project_finish) struct project project = { 0 };

	if (read_commands(&typed, inv, err) < 0)
		return -1;
	/* A quick answer comes without causes. --explain asks for them. */
	if (!inv->request.explain)
		inv->request.no_explain = inv->request.no_profile = true;
	if (project_open(&project, &inv->request, &none, err) < 0)
		return -1;
	return comparison_of_commands(&project, &typed, err);
}

const struct command_def cmd_ab = {
	.name = "ab",
	.args = "'COMMAND' 'COMMAND'...",
	.summary = "compare commands as typed, each with the first",
	.examples =
		"pawl ab './old data' './new data'\n"
		"pawl ab -L level 1,6,9 'gzip -{level} <data'\n"
		"pawl ab --explain -N './old data' './new data'",
	.details =
		"The commands run in pairs with the first one, and only the two runs of a pair are compared:\n"
		"what slows the machine slows both. Commands that compute are judged by CPU time, at once on one\n"
		"CPU. If a command waits for more than a tenth of its wall time, wall time decides, in turn. The\n"
		"answer names which; --metric chooses another metric. The limit is 2 % of CPU time, 3 % in turn,\n"
		"5 % of wall time. Pairs are measured until they decide, at most 60; -r N is exactly N. Neither\n"
		"perf nor a scenario is needed, and no file is written unless --out or --explain asks for it.\n\n"
		"Two builds of a project are compared by its scenarios: pawl run --base REF.",
	.options = OPT_OUT | OPT_BUDGET | OPT_JSON | OPT_LOCK_WAIT | OPT_STRICT | OPT_COMMANDS | OPT_PAIRED |
		   OPT_EXPLAIN,
	.starts_processes = true,
	.first = true,
	.run = ab,
};
