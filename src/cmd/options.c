#include "cmd/cmd.h"

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "job/verdicts.h"
#include "model/result.h"
#include "scenario/scenario.h"

static const char *const colors[] = { "auto", "always", "never", NULL };
static const char *const history_formats[] = { "text", "html", NULL };
static const char *const flame_formats[] = { "svg", "folded", "json", "top", "pprof", "firefox", NULL };

/* Options of the command alone are written to its struct options, those that job/ knows to the struct request. */
#define AT(field) offsetof(struct invocation, options.field)
#define ASKED(field) offsetof(struct invocation, request.field)

const char *const cmd_schemas[] = { "baseline", "pawl", "result", "scenario", NULL };

const struct option_spec cmd_options[] = {
	OPTION_GROUP("comparing"),
	{ OPT_BASE | OPTION_SHAPES, 0, "base", OPTION_TEXT, ASKED(base), "REF|DIR",
	  "compare in pairs with this commit or built tree", NULL },
	{ OPT_BASE | OPTION_SHAPES, 0, "head", OPTION_TEXT, ASKED(head), "REF|DIR",
	  "judge this commit or tree, not the working tree", NULL },
	{ OPT_EXPECT | OPTION_SHAPES, 0, "expect", OPTION_LIST, ASKED(expect), "CHANGE",
	  "fail unless it is proven: 'cpu-time -10%'", NULL },
	{ OPT_JUDGE | OPTION_SHAPES, 0, "judge", OPTION_TEXT, ASKED(judge), "REF",
	  "take pawl.yaml, scenarios, baselines from there", NULL },
	{ OPT_ACCEPT | OPTION_SHAPES, 0, "accept", OPTION_FLAG, ASKED(accept), NULL,
	  "honour baselines that this branch updates", NULL },
	{ OPT_STRICT | OPTION_SHAPES, 0, "strict", OPTION_FLAG, ASKED(strict), NULL,
	  "exit 4 if a gate is undecided, new, not measured", NULL },
	{ OPT_NO_CONFIRM | OPTION_SHAPES | OPTION_RARE, 0, "no-confirm", OPTION_FLAG, ASKED(no_confirm), NULL,
	  "do not confirm flagged times in pairs", NULL },
	{ OPT_BISECT, 0, "bisect", OPTION_FLAG, ASKED(bisect), NULL,
	  "exit as git bisect run expects: 0, 1, 125, 128", NULL },
	{ OPT_BISECT | OPTION_SHAPES, 0, "counts", OPTION_FLAG, ASKED(counts), NULL,
	  "judge only exact counts, by one run a side", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 0, "metric", OPTION_TEXT, AT(metric), "METRIC",
	  "what decides (default CPU time, or wall time)", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 0, "limit", OPTION_TEXT, AT(limit), "PCT",
	  "how much worse it may be (default 2%, in turn 3%)", NULL },
	{ OPT_BASE | OPTION_SHAPES | OPTION_RARE, 0, "measure-identical", OPTION_FLAG, ASKED(measure_identical), NULL,
	  "measure even if nothing can differ from the base", NULL },
	OPTION_GROUP("what is measured"),
	{ OPT_TAG, 0, "tag", OPTION_LIST, ASKED(tags), "TAG", "only scenarios with this tag (repeatable)", NULL },
	{ OPT_SHARD | OPTION_RARE, 0, "shard", OPTION_TEXT, ASKED(shard), "I/N",
	  "only every N-th scenario, from the I-th (1 to N)", NULL },
	{ OPT_ATTACH | OPTION_SHAPES, 0, "attach", OPTION_PROCESS, ASKED(attach), "PID",
	  "measure this running process instead", NULL },
	{ OPT_KEEP_ENV | OPTION_RARE, 0, "keep-env", OPTION_FLAG, ASKED(keep_env), NULL,
	  "leave the services running afterwards", NULL },
	{ OPT_REPRO, 0, "repro", OPTION_TEXT, AT(repro), "RESULT", "repeat the run that made this result", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 'N', "no-shell", OPTION_FLAG, AT(no_shell), NULL,
	  "start commands without /bin/sh, split at blanks", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 'p', "prepare", OPTION_LIST, AT(prepare), "CMD",
	  "run CMD before each run; once, or once for each", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 's', "setup", OPTION_TEXT, AT(setup), "CMD",
	  "run CMD once before the runs of each command", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES | OPTION_RARE, 'c', "cleanup", OPTION_TEXT, AT(cleanup), "CMD",
	  "run CMD once after the runs of each command", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 'i', "ignore-failure", OPTION_FLAG, AT(ignore_failure), NULL,
	  "accept any exit status of the commands", NULL },
	{ OPT_COMMANDS, 'n', "command-name", OPTION_LIST, AT(command_names), "NAME",
	  "what to call a command (once for each)", NULL },
	{ OPT_COMMANDS, 'L', "parameter-list", OPTION_TWO, AT(parameters), "NAME VALUES",
	  "a command for each of VALUES, which replace {NAME}", NULL },
	{ OPT_COMMANDS | OPTION_RARE, 0, "show-output", OPTION_FLAG, ASKED(show_output), NULL,
	  "print what each run of a command prints", NULL },
	OPTION_GROUP("how it is measured"),
	{ OPT_RUNS | OPTION_SHAPES, 'r', "runs", OPTION_NUMBER, ASKED(runs), "N",
	  "runs of a scenario; in pairs, the most pairs", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 'r', "runs", OPTION_NUMBER, ASKED(runs), "N", "measure exactly N pairs", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES | OPTION_RARE, 'm', "min-runs", OPTION_NUMBER, ASKED(min_runs), "N",
	  "measure at least N pairs", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 'M', "max-runs", OPTION_NUMBER, ASKED(max_runs), "N",
	  "measure at most N pairs (default 60)", NULL },
	{ OPT_TRIES | OPTION_RARE, 0, "tries", OPTION_NUMBER, AT(tries), "N",
	  "how often each size is tried (default 10)", NULL },
	{ OPT_BUDGET | OPTION_SHAPES, 0, "budget", OPTION_DURATION, ASKED(budget_ns), "TIME",
	  "the most time for a scenario, such as 90s", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 'w', "warmup", OPTION_NUMBER, AT(warmup), "N",
	  "runs before it is measured (default 1)", NULL },
	{ OPT_PAIRED | OPTION_SHAPES | OPTION_RARE, 0, "pairs", OPTION_CHOICE, ASKED(pairs), "WAY",
	  "run both sides of a pair at once, or in turn", pairs_mode_names },
	{ OPT_PAIRED | OPTION_SHAPES | OPTION_RARE, 0, "seed", OPTION_LARGE, ASKED(seed), "N",
	  "random seed of the pair order", NULL },
	{ OPT_NO_PROFILE | OPTION_SHAPES, 0, "no-profile", OPTION_FLAG, ASKED(no_profile), NULL,
	  "skip the profile; its gates are not measured", NULL },
	{ OPT_EXPLAIN, 0, "explain", OPTION_FLAG, ASKED(explain), NULL,
	  "look for causes, even where nothing regressed", NULL },
	{ OPT_EXPLAIN | OPTION_RARE, 0, "no-explain", OPTION_FLAG, ASKED(no_explain), NULL,
	  "look for no cause where something regressed", NULL },
	{ OPT_LOCK_WAIT | OPTION_RARE, 0, "lock-wait", OPTION_WAIT, ASKED(lock_wait_ns), "TIME",
	  "how long to wait for another pawl (default 60s)", NULL },
	OPTION_GROUP("accepting"),
	{ OPT_REASON, 0, "reason", OPTION_TEXT, AT(reason), "TEXT", "why, stored; needed to replace a baseline", NULL },
	{ OPT_FROM, 0, "from", OPTION_TEXT, AT(from), "RESULT", "accept this result instead of measuring", NULL },
	{ OPT_SESSIONS, 0, "sessions", OPTION_NUMBER, AT(sessions), "N",
	  "measure and accept N times (default 1)", NULL },
	{ OPT_FORCE, 0, "force", OPTION_FLAG, AT(force), NULL,
	  "accept a failed or interrupted run, or replace a damaged baseline", NULL },
	OPTION_GROUP("the archive"),
	{ OPT_HISTORY, 0, "from", OPTION_TEXT, AT(from), "DIR", "folder with results (default pawl-out)", NULL },
	{ OPT_HISTORY | OPTION_RARE, 0, "branch", OPTION_TEXT, AT(branch), "REF",
	  "read the results that this branch holds", NULL },
	OPTION_GROUP("the picture"),
	{ OPT_FLAME, 0, "diff", OPTION_TEXT, AT(diff), "BASE", "compare FILE with this profile", NULL },
	{ OPT_FLAME | OPTION_RARE, 0, "absolute", OPTION_FLAG, AT(absolute), NULL,
	  "with --diff: compare weights, not shares", NULL },
	{ OPT_FLAME | OPTION_RARE, 0, "base-label", OPTION_TEXT, AT(base_label), "TEXT",
	  "what BASE is called (default its file)", NULL },
	{ OPT_FLAME | OPTION_RARE, 0, "head-label", OPTION_TEXT, AT(head_label), "TEXT",
	  "what FILE is called (default its name)", NULL },
	{ OPT_FLAME | OPTION_RARE, 0, "event", OPTION_TEXT, AT(event), "EVENT",
	  "show this one of several events", NULL },
	{ OPT_FLAME, 0, "title", OPTION_TEXT, AT(title), "TEXT", "the title (default the file's name)", NULL },
	OPTION_GROUP("output"),
	{ OPT_OUT, 0, "out", OPTION_TEXT, ASKED(out), "DIR", "folder for the run's files", NULL },
	{ OPT_HISTORY, 0, "format", OPTION_CHOICE, AT(format), "FORMAT",
	  "how to print (default text)", history_formats },
	{ OPT_FORMAT, 0, "format", OPTION_CHOICE, AT(format), "FORMAT", "how to print (default text)", report_formats },
	{ OPT_FLAME, 0, "format", OPTION_CHOICE, AT(format), "FORMAT",
	  "what to make of it (default svg)", flame_formats },
	{ OPT_OUTPUT, 'o', "output", OPTION_TEXT, ASKED(output), "FILE",
	  "write there instead of standard output", NULL },
	{ OPT_COMMANDS, 0, "export-json", OPTION_TEXT, ASKED(export_json), "FILE",
	  "write the times as hyperfine does", NULL },
	{ OPT_COMMANDS | OPTION_RARE, 0, "export-markdown", OPTION_TEXT, ASKED(export_markdown), "FILE",
	  "write a table in Markdown", NULL },
	{ OPT_JSON, 0, "json", OPTION_FLAG, ASKED(json), NULL, "print JSON on standard output", NULL },
	{ OPT_SHOW, 0, "explain", OPTION_FLAG, ASKED(explain), NULL,
	  "print each as YAML, with every default filled in", NULL },
	{ OPT_HELP, 0, "all", OPTION_FLAG, AT(all), NULL, "all commands, or all of a command", NULL },
	{ OPT_HELP | OPTION_RARE, 0, "man", OPTION_FLAG, AT(man), NULL, "print the man page", NULL },
	{ OPT_HELP | OPTION_RARE, 0, "markdown", OPTION_FLAG, AT(markdown), NULL,
	  "print the page of docs/reference", NULL },
	{ OPT_HELP | OPTION_RARE, 0, "schema", OPTION_CHOICE, AT(schema), "FILE",
	  "print the JSON Schema of these files", cmd_schemas },
	{ OPT_COMMON, 'v', "verbose", OPTION_COUNTER, ASKED(verbose), NULL,
	  "show all of the report, and where time went", NULL },
	{ OPT_COMMON, 'q', "quiet", OPTION_FLAG, ASKED(quiet), NULL, "no progress", NULL },
	{ OPT_COMMON | OPTION_RARE, 0, "color", OPTION_CHOICE, AT(color), "WHEN",
	  "colours (default auto; NO_COLOR is honoured)", colors },
	{ OPT_COMMON, 'h', "help", OPTION_FLAG, AT(help), NULL, "this help", NULL },
	{ OPT_COMMON | OPTION_RARE, 'V', "version", OPTION_FLAG, AT(version), NULL, "the version", NULL },

	{ OPT_HISTORY, 0, "json", OPTION_ELSEWHERE, 0, NULL, "--format html draws the series that have a gate or changed, and each result.json has its values", NULL },

	/* Options of hyperfine and of `pawl run` that `ab` names differently. */
#define HYPERFINE(letter, name, instead) { OPT_HYPERFINE, letter, name, OPTION_ELSEWHERE, 0, NULL, instead, NULL }
	HYPERFINE('S', "shell", "-N starts commands without a shell; with another one it is \"bash -c '...'\""),
	HYPERFINE(0, "min-benchmarking-time", "pairs are measured until they decide, and --budget TIME is the most time"),
	HYPERFINE('P', "parameter-scan", "-L NAME 1,2,3 takes the values"),
	HYPERFINE('D', "parameter-step-size", "-L NAME 1,2,3 takes the values"),
	HYPERFINE(0, "export-csv", "there are --export-json FILE and --export-markdown FILE"),
	HYPERFINE(0, "export-asciidoc", "there are --export-json FILE and --export-markdown FILE"),
	HYPERFINE(0, "export-orgmode", "there are --export-json FILE and --export-markdown FILE"),
	HYPERFINE(0, "style", "colours are --color auto, always or never"),
	HYPERFINE(0, "sort", "commands stay in the order in which they are given"),
	HYPERFINE('u', "time-unit", "units follow the numbers; --export-json writes seconds"),
	HYPERFINE(0, "output", "write 'CMD >FILE' as the command; --show-output prints it"),
	HYPERFINE(0, "input", "write 'CMD <FILE' as the command"),
	HYPERFINE(0, "base", "builds are compared by a project's scenarios: pawl run SCENARIO --base REF"),
	HYPERFINE(0, "head", "builds are compared by a project's scenarios: pawl run SCENARIO --base REF --head REF"),
	HYPERFINE(0, "bisect", "git bisect run pawl run SCENARIO --base GOOD --bisect"),
	HYPERFINE(0, "reference", "the first command is what the others are compared with"),
};

const struct gone_key cmd_gone[] = {
	{ "bisect", "git bisect run pawl run SCENARIO --base GOOD --bisect searches" },
	{ "explain", "pawl run SCENARIO --base REF --explain looks for the cause" },
	{ "list", "pawl check lists what would run" },
	{ "--good", "git bisect run pawl run SCENARIO --base GOOD --bisect" },
	{ "--bad", "git bisect run pawl run SCENARIO --base GOOD --bisect" },
	{ "--base-ref", "pawl run SCENARIO --base REF" },
	{ "--head-ref", "pawl run SCENARIO --base REF --head REF" },
	{ "--base-cmd", "pawl ab 'OLD' 'NEW'" },
	{ "--head-cmd", "pawl ab 'OLD' 'NEW'" },
	{ "--baseline-ref", "it is --judge REF" },
	{ "--baselines", "pawl.yaml says where they lie (baselines:)" },
	{ "--gates", "the gates of all scenarios of the project share the error" },
	{ "--tolerance", "it is --limit PCT" },
	{ "--floor", "pawl.yaml or the scenario says it (measure.floor)" },
	{ "--lines", "callgrind_annotate and kcachegrind show lines of the callgrind.out files in the folder of the run" },
	{ "--write", "write a tolerance that `pawl calibrate` found into the gates of the scenario" },
	{ "--layouts", "sides are built once; measure.floor leaves the luck of code layout out" },
	{ "--subtitle", "--title has all that is to be said" },
	{ "--notes", "--title has all that is to be said" },
	{ "--height", "a frame is 16 pixels high" },
	{ "--colors", "waits are blue, all else is orange" },
	{ "--width", "a picture is as wide as its window" },
	{ "--min-width", "frames narrower than a tenth of a pixel are left out" },
	{ "--inverted", "the root is at the bottom" },
	{ "--reverse", "--format folded feeds tools that merge stacks from their leaves" },
	{ "--threads", "--format pprof has threads as tags; a run leaves top.md, with shares by thread" },
	{ "--count-name", "weights are called as their event is" },
	{ NULL, NULL },
};

const size_t cmd_options_size = sizeof cmd_options / sizeof cmd_options[0];

void cmd_shaping_options(const struct strv *words, struct arena *arena, struct strv *out)
{
	options_shaping(cmd_options, cmd_options_size, words, arena, out);
}

int cmd_check_options(const struct request *request, struct error *err)
{
	if (request->explain && request->no_explain)
		return error_set(err, ERR_INPUT, "--explain and --no-explain exclude each other; give one of them");
	if (request->explain && request->no_confirm)
		return error_set(err, ERR_INPUT, "--explain needs the pairs that --no-confirm leaves out; give one of them");
	if (request->counts && request->runs > 1)
		return error_set(err, ERR_INPUT, "--counts takes one run of each side; leave --runs out");
	return 0;
}

/* -------- the command, its request, and results that it reads */

enum { COMMANDS_MOST = 32 };

const struct command_def *cmd_find(const struct command_def *const *commands, const char *name)
{
	for (; *commands; commands++)
		if (!strcmp((*commands)->name, name))
			return *commands;
	return NULL;
}

const struct command_def *cmd_need(const struct command_def *const *commands, const char *name, struct error *err)
{
	const struct command_def *command = cmd_find(commands, name);
	CLEANUP(free_ptr) char *hint = NULL;
	const char *names[COMMANDS_MOST];
	size_t n = 0;

	if (command)
		return command;
	for (; n < COMMANDS_MOST && commands[n]; n++)
		names[n] = commands[n]->name;
	for (const struct gone_key *gone = cmd_gone; gone->key; gone++)
		if (!strcmp(gone->key, name)) {
			error_set(err, ERR_INPUT, "there is no command '%s' any more: %s", name, gone->instead);
			return NULL;
		}
	hint = nearest_hint(name, names, n, "; pawl --help lists them");
	error_set(err, ERR_INPUT, "there is no command '%.60s'%s", name, hint);
	return NULL;
}

int cmd_run_subcommand(struct invocation *inv, const struct subcommand *all, const char *usual, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;
	CLEANUP(strv_release) struct strv args = STRV_INIT;
	CLEANUP(free_ptr) char *hint = NULL;
	const char *names[COMMANDS_MOST], *word = inv->args.n ? inv->args.items[0] : usual;
	size_t n = 0;

	for (size_t i = 1; i < inv->args.n; i++)
		strv_push(&args, inv->args.items[i]);
	for (; all[n].name; n++) {
		if (word && !strcmp(word, all[n].name))
			return all[n].run(inv, &args, err);
		names[n] = all[n].name;
		strbuf_addf(&expected, "%s%s", !n ? "" : all[n + 1].name ? ", " : " or ", all[n].name);
	}
	if (!word)
		return error_set(err, ERR_INPUT, "%s: expected %s", inv->command->name, expected.buf);
	hint = nearest_hint(word, names, n, "");
	return error_set(err, ERR_INPUT, "%s: expected %s, found '%.60s'%s", inv->command->name, expected.buf, word, hint);
}

void cmd_fill_request(struct invocation *inv)
{
	struct request *r = &inv->request;

	r->shaping = (struct strv)STRV_INIT;
	cmd_shaping_options(&r->words, &inv->arena, &r->shaping);
	/* Counts take seconds: no recording, and no pairs of runs. */
	r->no_profile |= r->counts;
	r->no_explain |= r->counts && !r->explain;
}

int cmd_print_result(struct invocation *inv, struct result *result, struct error *err)
{
	report_fn *render = inv->request.json ? report_json : report_format_find(inv->options.format ?: "text");

	return verdicts_print(result, &inv->request, render, err);
}

int cmd_read_result(const char *path, struct result *out, struct error *err)
{
	if (verdicts_read(path, out, err) < 0)
		return -1;
	cmd_shaping_options(&out->command, &out->arena, &out->options);
	return 0;
}
