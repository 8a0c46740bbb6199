#include "cmd/cmd.h"
#include "profile/flame.h"
#include "scenario/scenario.h"

static const char *const colors[] = { "auto", "always", "never", NULL };
static const char *const formats[] = { "text", "markdown", "html", "json", "junit", "bmf", "smaller-is-better", "bigger-is-better",
				       "openmetrics", NULL };
static const char *const history_formats[] = { "text", "html", NULL };
static const char *const flame_formats[] = { "svg", "folded", "json", "top", NULL };

#define AT(field) offsetof(struct options, field)

const char *const cmd_schemas[] = { "baseline", "pawl", "result", "scenario", NULL };

const struct option_spec cmd_options[] = {
	{ OPT_OUT, 0, "out", OPTION_TEXT, AT(out), "DIR", "where the run's files go (default pawl-out/TIME-COMMIT)", NULL },
	{ OPT_BASE | OPTION_SHAPES, 0, "base", OPTION_TEXT, AT(base), "REF|DIR",
	  "compare in pairs with this commit (checked out and built) or this tree (built already); none: baselines alone", NULL },
	{ OPT_BASE | OPTION_SHAPES, 0, "head", OPTION_TEXT, AT(head), "REF|DIR",
	  "judge this commit or tree instead of the working tree", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 0, "tolerance", OPTION_TEXT, AT(tolerance), "PCT",
	  "tolerance for commands (default 2%, in turn 3%)", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 0, "metric", OPTION_TEXT, AT(metric), "METRIC",
	  "what commands are judged by (default cpu-time; wall-time for those that wait)", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 'w', "warmup", OPTION_NUMBER, AT(warmup), "N", "runs of each command before it is measured (default 1)", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 'p', "prepare", OPTION_LIST, AT(prepare), "CMD",
	  "run CMD before each run of a command; given once, or once for each", NULL },
	{ OPT_COMMANDS | OPTION_SHAPES, 'N', "no-shell", OPTION_FLAG, AT(no_shell), NULL,
	  "start commands themselves, split at blanks, without /bin/sh", NULL },
	{ OPT_COMMANDS, 'n', "command-name", OPTION_LIST, AT(command_names), "NAME", "what to call a command (once for each)", NULL },
	{ OPT_COMMANDS, 'L', "parameter-list", OPTION_TWO, AT(parameters), "NAME VALUES",
	  "a command for each of VALUES (a,b,c), which replaces {NAME}", NULL },
	{ OPT_COMMANDS, 0, "show-output", OPTION_FLAG, AT(show_output), NULL, "print what each run of a command prints", NULL },
	{ OPT_COMMANDS, 0, "export-json", OPTION_TEXT, AT(export_json), "FILE", "write the times of commands as hyperfine does", NULL },
	{ OPT_COMMANDS, 0, "export-markdown", OPTION_TEXT, AT(export_markdown), "FILE", "write a table of commands in Markdown", NULL },
	{ OPT_BISECT, 0, "bisect", OPTION_FLAG, AT(bisect), NULL,
	  "for git bisect run: exit 0 not slower, 1 slower, 125 unknown or not built, 128 misuse; no profile, no cause", NULL },
	{ OPT_PAIRED | OPTION_SHAPES, 0, "seed", OPTION_LARGE, AT(seed), "N",
	  "random seed of the pair order (printed in the report)", NULL },
	{ OPT_PAIRED | OPTION_SHAPES, 0, "pairs", OPTION_CHOICE, AT(pairs), "WAY",
	  "both sides of a pair at once, or one after the other (default measure.pairs, auto)", pairs_mode_names },
	{ OPT_JUDGE | OPTION_SHAPES, 0, "judge", OPTION_TEXT, AT(judge), "REF",
	  "read pawl.yaml, scenarios and baselines from this commit", NULL },
	{ OPT_RUNS | OPTION_SHAPES, 'r', "runs", OPTION_NUMBER, AT(runs), "N",
	  "counted runs per scenario; of a comparison in pairs, the most pairs", NULL },
	{ OPT_BUDGET | OPTION_SHAPES, 0, "budget", OPTION_DURATION, AT(budget_ns), "TIME",
	  "the most time spent on a scenario, such as 90s", NULL },
	{ OPT_TAG, 0, "tag", OPTION_LIST, AT(tags), "TAG", "only scenarios with this tag (repeatable)", NULL },
	{ OPT_STRICT | OPTION_SHAPES, 0, "strict", OPTION_FLAG, AT(strict), NULL,
	  "exit 4 when anything was inconclusive, new or not measured", NULL },
	{ OPT_ACCEPT | OPTION_SHAPES, 0, "accept", OPTION_FLAG, AT(accept), NULL,
	  "accept regressions that a change's own baselines accept; else those of its base alone count", NULL },
	{ OPT_NO_PROFILE | OPTION_SHAPES, 0, "no-profile", OPTION_FLAG, AT(no_profile), NULL,
	  "take no profile; its gates are not measured then", NULL },
	{ OPT_NO_CONFIRM | OPTION_SHAPES, 0, "no-confirm", OPTION_FLAG, AT(no_confirm), NULL,
	  "do not confirm a flagged time in pairs", NULL },
	{ OPT_EXPLAIN, 0, "explain", OPTION_FLAG, AT(explain), NULL,
	  "look for the cause of each difference that was measured in pairs, also where nothing regressed; with pawl run, of each regression", NULL },
	{ OPT_EXPLAIN, 0, "no-explain", OPTION_FLAG, AT(no_explain), NULL, "look for no cause where something regressed", NULL },
	{ OPT_KEEP_ENV, 0, "keep-env", OPTION_FLAG, AT(keep_env), NULL, "leave the services running, and say how to stop them", NULL },
	{ OPT_ATTACH | OPTION_SHAPES, 0, "attach", OPTION_PROCESS, AT(attach), "PID", "measure this process, which runs already, with the scenario's load",
	  NULL },
	{ OPT_REASON, 0, "reason", OPTION_TEXT, AT(reason), "TEXT", "why this is accepted, stored with it; needed where a baseline is replaced", NULL },
	{ OPT_FORCE, 0, "force", OPTION_FLAG, AT(force), NULL, "accept although the machine was busy, a run failed or the baseline is damaged", NULL },
	{ OPT_FROM, 0, "from", OPTION_TEXT, AT(from), "RESULT", "accept this stored result instead of measuring", NULL },
	{ OPT_REPRO, 0, "repro", OPTION_TEXT, AT(repro), "RESULT", "run the command line that made this stored result, and print what differs here",
	  NULL },
	{ OPT_SESSIONS, 0, "sessions", OPTION_NUMBER, AT(sessions), "N", "measure and accept N times, a session each (default 1)", NULL },
	{ OPT_HISTORY, 0, "from", OPTION_TEXT, AT(from), "DIR", "folder with results at any depth (default the project's pawl-out)", NULL },
	{ OPT_HISTORY, 0, "branch", OPTION_TEXT, AT(branch), "REF", "read the results that this branch holds instead; nothing is checked out",
	  NULL },
	{ OPT_HISTORY, 0, "format", OPTION_CHOICE, AT(format), "FORMAT", "how to print (default text)", history_formats },
	{ OPT_SHARD, 0, "shard", OPTION_TEXT, AT(shard), "I/N", "only every N-th scenario, from the I-th (1 to N)", NULL },
	{ OPT_LOCK_WAIT, 0, "lock-wait", OPTION_WAIT, AT(lock_wait_ns), "TIME",
	  "how long to wait while another pawl measures (default 60s)", NULL },
	{ OPT_FORMAT, 0, "format", OPTION_CHOICE, AT(format), "FORMAT", "how to print (default text)", formats },
	{ OPT_FLAME, 0, "format", OPTION_CHOICE, AT(format), "FORMAT", "what to make of it (default svg)", flame_formats },
	{ OPT_FLAME, 0, "diff", OPTION_TEXT, AT(diff), "BASE", "compare FILE with this profile", NULL },
	{ OPT_FLAME, 0, "absolute", OPTION_FLAG, AT(absolute), NULL, "with --diff: compare weights, not parts of the whole", NULL },
	{ OPT_FLAME, 0, "base-label", OPTION_TEXT, AT(base_label), "TEXT", "what BASE is called (default its file)", NULL },
	{ OPT_FLAME, 0, "head-label", OPTION_TEXT, AT(head_label), "TEXT", "what FILE is called (default its name)", NULL },
	{ OPT_FLAME, 0, "event", OPTION_TEXT, AT(event), "EVENT", "show this one of several events (folded has all)", NULL },
	{ OPT_FLAME, 0, "title", OPTION_TEXT, AT(title), "TEXT", "the title (default the file's name)", NULL },
	{ OPT_FLAME, 0, "width", OPTION_NUMBER, AT(width), "PIXELS", "width (default as wide as the window, 1200 without scripts)", NULL },
	{ OPT_FLAME, 0, "min-width", OPTION_TEXT, AT(min_width), "PIXELS", "leave out narrower frames; 0.5% is of the whole (default 0.1)",
	  NULL },
	{ OPT_FLAME, 0, "colors", OPTION_CHOICE, AT(colors), "PALETTE", "colours (default pawl)", flame_palettes },
	{ OPT_FLAME, 0, "inverted", OPTION_FLAG, AT(inverted), NULL, "an icicle graph: the root on top", NULL },
	{ OPT_FLAME, 0, "reverse", OPTION_FLAG, AT(reverse), NULL, "merge stacks from their leaves: who calls what is hot", NULL },
	{ OPT_FLAME, 0, "threads", OPTION_FLAG, AT(threads), NULL, "with --format top: shares by thread too", NULL },
	{ OPT_OUTPUT, 'o', "output", OPTION_TEXT, AT(output), "FILE", "write there instead of standard output", NULL },
	{ OPT_JSON, 0, "json", OPTION_FLAG, AT(json), NULL, "print JSON on standard output", NULL },
	{ OPT_MAN, 0, "man", OPTION_FLAG, AT(man), NULL, "print the man page", NULL },
	{ OPT_MAN, 0, "schema", OPTION_CHOICE, AT(schema), "FILE", "print the JSON Schema of these files", cmd_schemas },
	{ OPT_COMMON, 'v', "verbose", OPTION_COUNTER, AT(verbose), NULL, "show all of the report, and where the time went", NULL },
	{ OPT_COMMON, 'q', "quiet", OPTION_FLAG, AT(quiet), NULL, "no progress", NULL },
	{ OPT_COMMON, 0, "color", OPTION_CHOICE, AT(color), "WHEN", "colours (default auto; NO_COLOR is honoured)", colors },
	{ OPT_COMMON, 'h', "help", OPTION_FLAG, AT(help), NULL, "this help", NULL },
	{ OPT_COMMON, 'V', "version", OPTION_FLAG, AT(version), NULL, "the version", NULL },

	{ OPT_HISTORY, 0, "json", OPTION_ELSEWHERE, 0, NULL, "--format html draws the series that have a gate or changed, and each result.json has its values", NULL },

	/* Options of hyperfine and of `pawl run` that `ab` names differently. */
#define HYPERFINE(letter, name, instead) { OPT_HYPERFINE, letter, name, OPTION_ELSEWHERE, 0, NULL, instead, NULL }
	HYPERFINE('s', "setup", "run it once before; a scenario has a key `setup:`"),
	HYPERFINE('c', "cleanup", "run it afterwards; a scenario has a key `cleanup:`"),
	HYPERFINE('i', "ignore-failure", "a command that may fail is 'CMD || true'"),
	HYPERFINE('S', "shell", "-N starts commands without a shell; with another one it is \"bash -c '...'\""),
	HYPERFINE('m', "min-runs", "pairs are measured until they decide, and -r N is the most of them"),
	HYPERFINE('M', "max-runs", "it is -r N here, or --runs N"),
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
	{ "--floor", "pawl.yaml or the scenario says it (measure.floor)" },
	{ "--lines", "callgrind_annotate and kcachegrind show lines of the callgrind.out files in the folder of the run" },
	{ "--write", "write a tolerance that `pawl calibrate` found into the gates of the scenario" },
	{ "--layouts", "sides are built once; measure.floor leaves the luck of code layout out" },
	{ "--subtitle", "--title has all that is to be said" },
	{ "--notes", "--title has all that is to be said" },
	{ "--height", "a frame is 16 pixels high" },
	{ "--count-name", "weights are called as their event is" },
	{ NULL, NULL },
};

const size_t cmd_options_size = sizeof cmd_options / sizeof cmd_options[0];

void cmd_shaping_options(const struct strv *words, struct arena *arena, struct strv *out)
{
	options_shaping(cmd_options, cmd_options_size, words, arena, out);
}

int cmd_check_options(const struct options *options, struct error *err)
{
	if (options->explain && options->no_explain)
		return error_set(err, ERR_INPUT, "--explain and --no-explain exclude each other; give one of them");
	if (options->explain && options->no_confirm)
		return error_set(err, ERR_INPUT, "--explain needs the pairs that --no-confirm leaves out; give one of them");
	return 0;
}
