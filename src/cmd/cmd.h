/*
 * Subcommands: one const table, one file per subcommand, one table of options for all. A command returns its exit
 * status, or -1 with an error that main() prints and turns into a status.
 */
#ifndef PAWL_CMD_CMD_H
#define PAWL_CMD_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "base/error.h"
#include "job/project/request.h"

struct findings;
struct machine;
struct result;

/* Options for the command alone. What job/ needs is written into struct request. */
struct options {
	bool help, version;
	const char *color, *format;
	char *reason, *from, *repro;
	char *branch;			/* history: the git branch with results */
	char *limit;			/* a percentage, as written */
	char *metric;			/* for commands, like the next four lines */
	char *setup, *cleanup;
	struct strv prepare, command_names, parameters;
	uint64_t warmup, tries, sessions;	/* 0: not given */
	char *title, *diff, *base_label, *head_label, *event;	/* flamegraph */
	const char *schema;
	bool absolute, no_shell, ignore_failure, force, man, markdown, all;
};

/* The bits of struct option_spec.id. */
#define OPT_COMMON	(1ull << 0)
#define OPT_OUT		(1ull << 1)
#define OPT_SHOW	(1ull << 2)	/* --explain that prints scenarios */
#define OPT_RUNS	(1ull << 3)
#define OPT_BUDGET	(1ull << 4)
#define OPT_TAG		(1ull << 5)
#define OPT_JSON	(1ull << 6)
#define OPT_JUDGE	(1ull << 7)
#define OPT_STRICT	(1ull << 8)
#define OPT_REASON	(1ull << 9)
#define OPT_FORCE	(1ull << 10)
#define OPT_FROM	(1ull << 11)
#define OPT_FORMAT	(1ull << 12)
#define OPT_OUTPUT	(1ull << 13)
#define OPT_SHARD	(1ull << 14)
#define OPT_LOCK_WAIT	(1ull << 15)
#define OPT_NO_PROFILE	(1ull << 16)
#define OPT_NO_CONFIRM	(1ull << 17)
#define OPT_HELP	(1ull << 18)	/* --all, --man, --markdown, --schema */
#define OPT_KEEP_ENV	(1ull << 19)
#define OPT_ATTACH	(1ull << 20)
#define OPT_BASE	(1ull << 21)	/* --base, --head */
#define OPT_COMMANDS	(1ull << 23)	/* options for commands as typed */
#define OPT_PAIRED	(1ull << 24)	/* --seed, --pairs */
#define OPT_BISECT	(1ull << 25)
#define OPT_EXPECT	(1ull << 26)
#define OPT_TRIES	(1ull << 27)
#define OPT_EXPLAIN	(1ull << 29)	/* --explain, --no-explain */
#define OPT_ACCEPT	(1ull << 31)
#define OPT_SESSIONS	(1ull << 44)
#define OPT_REPRO	(1ull << 45)
#define OPT_FLAME	(1ull << 40)
#define OPT_HYPERFINE	(1ull << 41)	/* with OPT_COMMANDS: hyperfine's options that pawl names differently */
#define OPT_HISTORY	(1ull << 50)	/* --from DIR, --branch, --format */
#define OPT_MEASURING	(OPT_OUT | OPT_RUNS | OPT_BUDGET | OPT_TAG | OPT_JSON | OPT_LOCK_WAIT)

/* options_parse() writes them into a struct invocation. */
extern const struct option_spec cmd_options[];
extern const size_t cmd_options_size;
/* Commands and options ("--name") of earlier versions, and their replacements. Ends in an empty entry. */
extern const struct gone_key cmd_gone[];

/* Checks options that exclude each other in every command. Returns 0, or -1 with an ERR_INPUT. */
int cmd_check_options(const struct request *request, struct error *err);

/* Appends the options among WORDS, with their values, that affect measuring or judging. */
void cmd_shaping_options(const struct strv *words, struct arena *arena, struct strv *out);

/* Kinds of files that --schema describes, then NULL. */
extern const char *const cmd_schemas[];

struct invocation {
	const struct command_def *command;
	const struct command_def *const *commands;	/* all commands, then NULL */
	struct options options;
	struct strv args;
	struct request request;
	struct arena arena;		/* owns its list of shaping options */
};

struct command_def {
	const char *name, *args, *summary;
	const char *examples;		/* three lines for --help and the man page */
	const char *details;		/* paragraphs for the man page and help --all, or NULL */
	uint64_t options;
	bool starts_processes;
	bool first;		/* `pawl` alone names it */
	int (*run)(struct invocation *inv, struct error *err);
};

/* Appends help on COMMAND, or on pawl and its COMMANDS if COMMAND is NULL. ALL: also what is rarely needed. */
void help_text(const struct command_def *const *commands, const struct command_def *command, bool all, struct strbuf *out);
/* Appends the doctor's findings as text or as JSON. Returns the exit status: 3 if there is a problem. */
int doctor_report(const struct findings *findings, const struct machine *machine, bool json, bool color, struct strbuf *out);

/* Returns the command NAME, or NULL. COMMANDS end with NULL. */
const struct command_def *cmd_find(const struct command_def *const *commands, const char *name);
/* Returns the command NAME, or NULL with an error that names the nearest one. */
const struct command_def *cmd_need(const struct command_def *const *commands, const char *name, struct error *err);

/* A command's first argument. Ends in an entry without a name. */
struct subcommand {
	const char *name;
	int (*run)(struct invocation *inv, const struct strv *args, struct error *err);
};

/* Runs the one of ALL that the first argument names, or USUAL if there is none, with the other arguments. */
int cmd_run_subcommand(struct invocation *inv, const struct subcommand *all, const char *usual, struct error *err);
/* Adds to INV->request what its words mean for it. Call again after a command changed them. */
void cmd_fill_request(struct invocation *inv);
/* Reads a stored result, and finds the options in its command line that affected it. */
int cmd_read_result(const char *path, struct result *out, struct error *err);
/* Prints RESULT as --format or --json says. */
int cmd_print_result(struct invocation *inv, struct result *result, struct error *err);

/*
 * --repro RESULT: turns INV, which is `pawl run`, into the command line that made the result, and says what differs
 * here. A result in pairs is compared with its base's commit. The file may be a stranger's, so
 * only numbers are taken from its options, and no path or command.
 */
int repro_prepare(struct invocation *inv, struct error *err);

extern const struct command_def cmd_run, cmd_ab, cmd_baseline, cmd_compare, cmd_report, cmd_history, cmd_check,
	cmd_doctor, cmd_flamegraph, cmd_calibrate, cmd_selftest, cmd_cache, cmd_init, cmd_help, cmd_completion, cmd_complete, cmd_burn;

#endif
