#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/reference/version.h"
#include "job/project/console.h"
#include "model/gate.h"

static const struct command_def *const commands[] = {
	&cmd_init, &cmd_run, &cmd_ab, &cmd_baseline, &cmd_report, &cmd_doctor, &cmd_check, &cmd_calibrate, &cmd_selftest,
	&cmd_compare, &cmd_history, &cmd_flamegraph, &cmd_cache, &cmd_help, &cmd_completion, NULL,
};

void mem_exhausted(void)
{
	static const char words[] = "pawl: out of memory\n";

	if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
		abort();
	abort();
}

static void print_error(const struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	escape_terminal(&text, err->at.path[0] ? err->at.path : "pawl");
	if (err->at.path[0] && err->at.line)
		strbuf_addf(&text, ":%u:%u", err->at.line, err->at.column);
	strbuf_adds(&text, ": ");
	/* Messages may quote a program's output. Keeps its lines, but not its control characters. */
	escape_lines(&text, err->msg);
	strbuf_addc(&text, '\n');
	fputs(text.buf, stderr);
}

static bool wants_color(const struct options *options)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (options->color && strcmp(options->color, "auto"))
		return !strcmp(options->color, "always");
	return isatty(STDOUT_FILENO) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

static int print_help(const struct command_def *command, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	help_text(commands, command, false, &text);
	return console_print(&text, err) < 0 ? -1 : STATUS_OK;
}

static int print_version(struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	version_text(&text);
	return console_print(&text, err) < 0 ? -1 : STATUS_OK;
}

static int run_command(struct invocation *inv, struct error *err)
{
	int status;

	clock_gettime(CLOCK_REALTIME, &inv->request.started);
	inv->request.color_out = wants_color(&inv->options);
	if (inv->options.help)
		return print_help(inv->command, err);
	if (inv->options.version)
		return print_version(err);
	cmd_fill_request(inv);
	if (!*inv->command->args && inv->args.n)
		return error_set(err, ERR_INPUT, "%s takes no argument, found '%.60s'", inv->command->name, inv->args.items[0]);
	/* First, while this process is small; see measure/process/child.h. */
	if (inv->command->starts_processes &&
	    (interrupt_init(&inv->request.interrupt, err) < 0 || keeper_start(&inv->request.keeper, &inv->request.interrupt, err) < 0))
		return -1;
	inv->request.git = (struct git){ .keeper = &inv->request.keeper };
	status = inv->command->run(inv, err);
	git_release(&inv->request.git);
	keeper_stop(&inv->request.keeper);
	interrupt_release(&inv->request.interrupt);
	return status;
}

/* Returns the index of the command. Options may come before it, as in `pawl -q run`. */
static size_t find_command(char **argv)
{
	size_t i = 1;

	while (argv[i] && argv[i][0] == '-' && argv[i][1])
		i += !strcmp(argv[i], "--color") && argv[i + 1] ? 2 : 1;
	return i;
}

static int start(struct invocation *inv, char **argv, struct error *err)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	size_t at = find_command(argv);
	uint64_t taken = OPT_COMMON;

	/* Words of a line that is still being typed, or of a command that is started, are not options of this one. */
	if (argv[1] && (!strcmp(argv[1], cmd_complete.name) || !strcmp(argv[1], cmd_burn.name))) {
		inv->command = !strcmp(argv[1], cmd_burn.name) ? &cmd_burn : &cmd_complete;
		for (size_t i = 2; argv[i]; i++)
			strv_push(&inv->args, argv[i]);
		return run_command(inv, err);
	}
	for (size_t i = 1; argv[i]; i++)
		if (i != at)
			strv_push(&words, argv[i]);
	if (argv[at] && !(inv->command = cmd_need(commands, argv[at], err)))
		return -1;
	if (inv->command)
		taken |= inv->command->options;
	if (taken & OPT_COMMANDS)
		taken |= OPT_HYPERFINE;
	if (words.n && options_parse(&(struct option_set){ cmd_options, cmd_options_size, taken, cmd_gone }, words.items, inv, &inv->args, err) < 0)
		return inv->command ? error_wrap(err, "%s", inv->command->name) : -1;
	if (cmd_check_options(&inv->request, err) < 0)
		return error_wrap(err, "%s", inv->command->name);
	/* Nothing was measured, so a job must not take this for a pass. */
	if (!inv->command && !inv->options.help && !inv->options.version)
		return print_help(NULL, err) < 0 ? -1 : STATUS_MISUSE;
	return run_command(inv, err);
}

/* Keeps files opened later from becoming standard streams. Read-only, so that writing there still fails. */
static void open_standard_streams(void)
{
	while (fcntl(STDERR_FILENO, F_GETFD) < 0 || fcntl(STDOUT_FILENO, F_GETFD) < 0 || fcntl(STDIN_FILENO, F_GETFD) < 0)
		if (open("/dev/null", O_RDONLY) < 0)
			return;
}

int main(int argc, char **argv)
{
	struct invocation inv = { .commands = commands, .request = { .interrupt = { .fd = -1 }, .lock_wait_ns = 60 * NS_PER_S } };
	struct error err = ERROR_INIT;
	int status;

	if (argc < 1)
		return STATUS_MISUSE;
	open_standard_streams();
	/* Ignored, so that a failed write is reported with its reason. Children get both signals back. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	/* By default cJSON leaves out what it has no memory for. */
	cJSON_InitHooks(&(cJSON_Hooks){ .malloc_fn = xmalloc, .free_fn = free });
	strv_push(&inv.request.words, "pawl");
	for (int i = 1; i < argc; i++)
		strv_push(&inv.request.words, argv[i]);
	status = start(&inv, argv, &err);
	if (status < 0) {
		print_error(&err);
		status = error_status(&err);
		/* git bisect run would take 2 for a slow commit. It goes on after 125 and stops at 128. */
		if (strv_has(&inv.request.words, "--bisect") && err.kind != ERR_INTERRUPTED)
			status = err.kind == ERR_TARGET ? STATUS_BISECT_SKIP : STATUS_BISECT_STOP;
	}
	options_release(cmd_options, cmd_options_size, &inv);
	strv_release(&inv.args);
	strv_release(&inv.request.words);
	arena_release(&inv.arena);
	return status;
}
