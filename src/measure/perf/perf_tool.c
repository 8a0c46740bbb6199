#include "measure/perf/perf.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/machine/machine.h"
#include "measure/process/process.h"

/* -------- perf on processes that run already */

/* Loading symbols is not part of attaching, so even a busy machine answers long before this. */
#define ATTACH_TIMEOUT_NS (20 * NS_PER_S)
enum { WORDS_LINES = 16 };

void perf_environment(struct strv *environment)
{
	strv_push(environment, "LC_ALL=C");
	strv_push(environment, "PERF_CONFIG=/dev/null");
	/* Symbols that a server holds would make the same run slow here and fast there. */
	strv_push(environment, "DEBUGINFOD_URLS=");
}

void perf_attached_options(struct strv *argv, const char *pids)
{
	strv_push(argv, "-D");
	strv_push(argv, "-1");
	strv_push(argv, "--control");
	strv_push(argv, "fd:3,3");
	strv_push(argv, "-p");
	strv_push(argv, pids);
}

int perf_attached_start(struct keeper *keeper, const struct perf_tool *tool, const struct strv *argv, const char *what,
			int output_fd, struct perf_attached *out, struct error *err)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	int control[2], ret;
	struct child_spec spec = { .argv = argv, .environment = &environment };

	*out = (struct perf_attached){ .control_fd = -1, .what = what, .path = tool->path };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) < 0)
		return error_sys(err, errno, "cannot make a socket pair for perf");
	perf_environment(&environment);
	spec.extra_fds[0] = control[1];
	spec.extra_fds[1] = output_fd;
	ret = child_start(keeper, &spec, &out->perf, err);
	close(control[1]);
	out->control_fd = control[0];
	return ret < 0 ? -1 : child_release(&out->perf, err);
}

/* -------- what it said */

/* What perf tells of every run. */
static bool is_chatter(const char *line)
{
	static const char *const chatter[] = { "Error:\n", "Events enabled\n", "Events disabled\n", "[ perf record: " };

	for (size_t i = 0; i < sizeof chatter / sizeof chatter[0]; i++)
		if (!strncmp(line, chatter[i], strlen(chatter[i])))
			return true;
	return *line == '\n';
}

void perf_words(const struct child *perf, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	size_t start = out->len;
	const char *usage, *eol;

	tail_lines(&perf->output, WORDS_LINES, &said);
	strbuf_addc(&said, '\n');
	/* Behind what was wrong perf explains its options. */
	usage = strstr(said.buf, "\n Usage: ");
	if (usage)
		strbuf_truncate(&said, (size_t)(usage + 1 - said.buf));
	for (const char *line = said.buf; (eol = strchr(line, '\n')); line = eol + 1)
		if (!is_chatter(line))
			strbuf_add(out, line, (size_t)(eol + 1 - line));
	while (out->len > start && out->buf[out->len - 1] == '\n')
		strbuf_truncate(out, out->len - 1);
}

int perf_attached_error(struct perf_attached *attached, const char *failed, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	child_read_output(&attached->perf);
	perf_words(&attached->perf, &words);
	return error_set(err, ERR_SYSTEM, "%s %s: %s", attached->what, failed, words.len ? words.buf : "it said nothing");
}

/* -------- switching */

/* perf answers "ack\n" where it was told; until then its death or an interrupt must be noticed. */
int perf_attached_switch(struct keeper *keeper, struct perf_attached *attached, bool on, struct error *err)
{
	const char *word = on ? "enable\n" : "disable\n";
	uint64_t deadline = clock_now_ns() + ATTACH_TIMEOUT_NS;
	char answer[16];

	/* A perf that died closed the other end; SIGPIPE is ignored, and its exit tells why. */
	if (write(attached->control_fd, word, strlen(word)) < 0 && errno != EPIPE)
		return error_sys(err, errno, "cannot reach perf");
	for (;;) {
		struct pollfd p[] = {
			{ .fd = attached->control_fd, .events = POLLIN },
			{ .fd = keeper->sock, .events = POLLIN },
			{ .fd = keeper->interrupt ? keeper->interrupt->fd : -1, .events = POLLIN },
		};
		struct wire message;

		if (poll(p, 3, clock_poll_ms(deadline)) < 0 && errno != EINTR)
			return error_sys(err, errno, "cannot wait for perf");
		if (p[0].revents & POLLIN)
			return read(attached->control_fd, answer, sizeof answer) > 0
				       ? 0 : perf_attached_error(attached, "cannot attach", err);
		if ((p[1].revents || p[2].revents) && keeper_pump(keeper, clock_now_ns(), &message, err) < 0)
			return -1;
		if (attached->perf.ended)
			return perf_attached_error(attached, "cannot attach", err);
		if (clock_now_ns() >= deadline)
			return error_set(err, ERR_SYSTEM, "%s did not attach within 20 s; is %s a perf that works?",
					 attached->what, attached->path);
	}
}

/* -------- its end */

int perf_attached_end(struct keeper *keeper, struct perf_attached *attached, uint64_t timeout_ns, struct error *err)
{
	const struct child *perf = &attached->perf;
	int waited;

	/* With -p perf looks only once a second whether its process is gone. */
	child_signal(keeper, perf, SIGINT);
	waited = child_wait(keeper, &attached->perf, clock_now_ns() + timeout_ns, err);
	if (waited < 0)
		return -1;
	if (waited)
		return error_set(err, ERR_SYSTEM, "%s did not end within %.3g s of being told to", attached->what,
				 (double)timeout_ns / 1e9);
	/* What it leaves behind then is no measurement, and an empty file would pass for events that nobody can count. */
	if (WIFSIGNALED(perf->status) && WTERMSIG(perf->status) != SIGINT)
		return error_set(err, ERR_SYSTEM, "%s was killed by SIG%s while it worked", attached->what,
				 sigabbrev_np(WTERMSIG(perf->status)) ?: "?");
	return 0;
}

void perf_attached_dispose(struct keeper *keeper, struct perf_attached *attached)
{
	child_dispose(keeper, &attached->perf);
	if (attached->control_fd >= 0)
		close(attached->control_fd);
	*attached = (struct perf_attached)PERF_ATTACHED_INIT;
}

/* -------- which perf */

/* What `perf --version` prints is a line; a wrapper's complaint is a dozen. */
enum { OUTPUT_KEPT = 4096 };

void perf_tool_release(struct perf_tool *tool)
{
	free(tool->path);
	free(tool->version);
	free(tool->note);
	*tool = (struct perf_tool){ 0 };
}

/* "perf version 6.1.187" -> "6.1.187"; NULL when the text is something else. For free(). */
static char *parse_version(const char *text)
{
	static const char lead[] = "perf version ";
	const char *at = strstr(text, lead);
	size_t len = 0;

	if (!at)
		return NULL;
	at += strlen(lead);
	while (at[len] && !isspace((unsigned char)at[len]))
		len++;
	return isdigit((unsigned char)*at) ? xstrndup(at, len) : NULL;
}

/* The first line that says something: "WARNING: perf not found for kernel 6.11.0-1018". */
static char *first_words(const char *text)
{
	text += strspn(text, " \t\r\n");
	return xstrndup(text, strcspn(text, "\r\n"));
}

/* The version of the perf at PATH, or NULL with an error that tells why it cannot be used. */
static char *ask_version(const char *path, struct error *err)
{
	const char *const argv[] = { path, "--version", NULL };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char *version;
	int status;

	if (capture(argv, 5 * NS_PER_S, OUTPUT_KEPT, &text, &status, err) < 0)
		return NULL;
	version = status == 0 ? parse_version(text.buf) : NULL;
	if (!version) {
		CLEANUP(free_ptr) char *words = first_words(text.buf);

		error_set(err, ERR_SYSTEM, "%s --version does not work (%s)", path,
			  *words ? words : WIFEXITED(status) ? "it prints nothing" : "it was killed by a signal");
	}
	return version;
}

static int use_override(const char *override, struct perf_tool *out, struct error *err)
{
	CLEANUP(free_ptr) char *found = file_find_program(override, NULL);
	CLEANUP(free_ptr) char *version = NULL;

	if (!found)
		return error_set(err, ERR_SYSTEM,
				 "PAWL_PERF is '%.200s', which is no program; set it to perf's path or unset it",
				 override);
	version = ask_version(found, err);
	if (!version)
		return error_wrap(err, "PAWL_PERF");
	*out = (struct perf_tool){
		.path = file_absolute(found),
		.version = take_ptr(&version),
		.note = xstrdup("chosen by PAWL_PERF"),
	};
	return 0;
}

/* The newest that works among those matching PATTERN below ROOT replaces *BEST. */
static void look_under(const char *root, const char *pattern, struct perf_tool *best)
{
	CLEANUP(free_ptr) char *full = file_join(root, pattern);
	glob_t paths = { 0 };

	glob(full, 0, NULL, &paths);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		CLEANUP(free_ptr) char *program = file_find_program(paths.gl_pathv[i], NULL);
		CLEANUP(free_ptr) char *version = program ? ask_version(program, NULL) : NULL;

		if (!version || (best->version && strverscmp(version, best->version) <= 0))
			continue;
		perf_tool_release(best);
		*best = (struct perf_tool){ .path = take_ptr(&program), .version = take_ptr(&version) };
	}
	globfree(&paths);
}

static void look_in_distribution(const char *root, struct perf_tool *best)
{
	/* Ubuntu has a folder a kernel, and flavours such as linux-azure-tools-5.15.0-1019. */
	static const char *const patterns[] = {
		"usr/lib/linux-tools/*/perf",
		"usr/lib/linux-*tools-*/perf",
		"usr/bin/perf_*",
	};

	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
		look_under(root, patterns[i], best);
}

/* WHY holds what was wrong with the one on PATH, if there was one. */
static int none_found(const struct perf_search *search, const struct error *why, struct error *err)
{
	CLEANUP(free_ptr) char *install =
		os_release_install_perf(search->os_release ?: "", search->kernel ?: "generic");

	return error_set(err, ERR_SYSTEM, "%s; to install it: %s",
			 search->on_path ? why->msg : "perf is not installed", install);
}

int perf_tool_search(const struct perf_search *search, struct perf_tool *out, struct error *err)
{
	struct error why = ERROR_INIT;
	struct perf_tool best = { 0 };
	struct strbuf note = STRBUF_INIT;

	if (search->override && *search->override)
		return use_override(search->override, out, err);
	best.version = search->on_path ? ask_version(search->on_path, &why) : NULL;
	if (best.version) {
		best.path = file_absolute(search->on_path);
		*out = best;
		return 0;
	}
	look_in_distribution(search->root, &best);
	if (!best.path)
		return none_found(search, &why, err);
	strbuf_addf(&note, "used because %s", search->on_path ? why.msg : "there is no perf on PATH");
	best.note = strbuf_take(&note);
	*out = best;
	return 0;
}

int perf_tool_find(struct perf_tool *out, struct error *err)
{
	CLEANUP(free_ptr) char *on_path = file_find_program("perf", NULL);
	CLEANUP(strbuf_release) struct strbuf release = STRBUF_INIT;
	struct utsname host = { 0 };

	uname(&host);
	if (!file_read_fact("/etc/os-release", &release))
		file_read_fact("/usr/lib/os-release", &release);
	return perf_tool_search(&(struct perf_search){
		.override = getenv("PAWL_PERF"),
		.on_path = on_path,
		.root = "/",
		.os_release = release.buf,
		.kernel = host.release,
	}, out, err);
}
