/* Targets that are one tree of processes. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/parse.h"
#include "base/regex.h"
#include "base/utf8.h"
#include "measure/attach_kinds.h"
#include "measure/files.h"
#include "measure/listeners.h"
#include "model/proc_stat.h"

enum { LISTED = 8, LISTED_BYTES = 120, PIDFILE_LARGEST = 4096 };

/* -------- one process */

static char *label_of(const struct process *process)
{
	struct strbuf label = STRBUF_INIT;

	strbuf_addf(&label, "process %d (", (int)process->pid);
	escape_terminal(&label, process->name);
	strbuf_addc(&label, ')');
	return strbuf_take(&label);
}

/* /proc has a folder for the number of every thread, which it does not list. */
static int explain_absent(pid_t pid, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf status = STRBUF_INIT;
	char path[64];
	uint64_t leader;

	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	if (file_read_fact(path, &status) && proc_status_number(status.buf, "Tgid", 10, &leader) &&
	    leader != (uint64_t)pid)
		return error_set(err, ERR_TARGET, "%d is a thread of process %d: give the number of the process",
				 (int)pid, (int)leader);
	return error_set(err, ERR_TARGET, "there is no process %d (any more); is the program running?", (int)pid);
}

static int explain_own(const struct attach_search *search, const struct process *process, const char *label,
		       struct error *err)
{
	if (process->pid == getpid() || process->pid == search->keeper)
		return error_set(err, ERR_TARGET, "process %d is pawl's own", (int)process->pid);
	return error_set(err, ERR_TARGET, "%s started pawl: measuring it would measure pawl as well", label);
}

int attach_process_tree(const struct attach_search *search, pid_t pid, struct attached *out, struct error *err)
{
	const struct process *process = processes_find(&search->all, pid);
	CLEANUP(free_ptr) char *label = NULL;

	if (!process)
		return explain_absent(pid, err);
	label = label_of(process);
	if (attach_is_own(search, pid))
		return explain_own(search, process, label, err);
	if (process->kernel)
		return error_set(err, ERR_TARGET, "%s is a thread of the kernel; give a program's process", label);
	if (process_is_dead(process))
		return error_set(err, ERR_TARGET, "%s has ended and only waits for its parent, process %d, to notice",
				 label, (int)process->parent);
	out->root = *process;
	out->label = take_ptr(&label);
	return 0;
}

static bool read_number(const char *text, uint64_t most, uint64_t *out)
{
	uint64_t number;

	if (parse_u64(text, &number, NULL) < 0 || !number || number > most)
		return false;
	*out = number;
	return true;
}

int attach_process_pid(const struct attach_search *search, struct attached *out, struct error *err)
{
	uint64_t pid;

	if (!read_number(search->text, INT_MAX, &pid))
		return error_set(err, ERR_INPUT, "expected the number of a process, found '%.100s'", search->text);
	return attach_process_tree(search, (pid_t)pid, out, err);
}

/* Only the first line counts: that of postgres has several. */
int attach_process_pidfile(const struct attach_search *search, struct attached *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error why = ERROR_INIT;
	uint64_t pid;

	if (file_read(search->text, PIDFILE_LARGEST, &text, &why) < 0) {
		if (why.sys == ENOENT)
			return error_set(err, ERR_TARGET, "there is no pidfile '%s': is the service running, and does "
					 "it write one there?", search->text);
		return error_set(err, ERR_TARGET, "pidfile: %s", why.msg);
	}
	strbuf_truncate(&text, strcspn(text.buf, " \t\r\n"));
	if (!text.len)
		return error_set(err, ERR_TARGET, "pidfile '%s' is empty: the service has not written its number yet",
				 search->text);
	if (!read_number(text.buf, INT_MAX, &pid))
		return error_set(err, ERR_TARGET, "pidfile '%s' holds '%.40s', which is not the number of a process",
				 search->text, text.buf);
	if (!processes_find(&search->all, (pid_t)pid))
		return error_set(err, ERR_TARGET, "pidfile '%s' is stale: there is no process %d any more; start the "
				 "service, or remove the file", search->text, (int)pid);
	return attach_process_tree(search, (pid_t)pid, out, err) < 0 ?
	       error_wrap(err, "pidfile '%s'", search->text) : 0;
}

/* -------- several processes */

static void list_command_lines(const struct processes *found, struct strbuf *out)
{
	for (size_t i = 0; i < found->n && i < LISTED; i++) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT, words = STRBUF_INIT;

		process_command_line(found->items[i].pid, &line);
		escape_terminal(&words, line.buf);
		strbuf_addf(out, "\n  %d ", (int)found->items[i].pid);
		strbuf_add(out, words.buf, utf8_clip(words.buf, LISTED_BYTES));
		strbuf_adds(out, words.len > LISTED_BYTES ? "..." : "");
	}
	if (found->n > LISTED)
		strbuf_addf(out, "\n  and %zu more", found->n - LISTED);
}

/* The one that all of FOUND descend from, or NULL. */
static const struct process *root_of(const struct attach_search *search, const struct processes *found)
{
	for (size_t i = 0; i < found->n; i++) {
		size_t k = 0;

		while (k < found->n && processes_descends(&search->all, found->items[k].pid, found->items[i].pid))
			k++;
		if (k == found->n)
			return &found->items[i];
	}
	return NULL;
}

/* WHAT matched: "'nginx' matches", "on port 80 listen"; ADVICE tells how to choose. */
static int choose_tree(const struct attach_search *search, const struct processes *found, const char *what,
		       const char *advice, struct attached *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf lines = STRBUF_INIT;
	const struct process *root = root_of(search, found);

	if (root)
		return attach_process_tree(search, root->pid, out, err);
	list_command_lines(found, &lines);
	return error_set(err, ERR_TARGET, "%s %zu processes that are not one tree; %s%s", what, found->n, advice,
			 lines.buf);
}

/* -------- by command line */

/* How many matched of pawl's own is counted apart: it explains why nothing was found. */
static void find_matches(const struct attach_search *search, const regex_t *regex, struct processes *found,
			 size_t *n_own)
{
	for (size_t i = 0; i < search->all.n; i++) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
		const struct process *process = &search->all.items[i];

		if (process->kernel || process_is_dead(process))
			continue;
		process_command_line(process->pid, &line);
		if (!line.len || regexec(regex, line.buf, 0, NULL, 0))
			continue;
		if (attach_is_own(search, process->pid))
			++*n_own;
		else
			processes_add(found, process);
	}
}

static int choose_match(const struct attach_search *search, const regex_t *regex, struct attached *out,
			struct error *err)
{
	CLEANUP(processes_release) struct processes found = { 0 };
	CLEANUP(strbuf_release) struct strbuf what = STRBUF_INIT;
	size_t n_own = 0;

	find_matches(search, regex, &found, &n_own);
	if (!found.n)
		return error_set(err, ERR_TARGET, "no process has a command line that matches '%.200s'%s; 'pgrep -af' "
				 "with the same expression lists what does", search->text,
				 n_own ? " (but for pawl, and what started it)" : "");
	strbuf_addf(&what, "'%.200s' matches", search->text);
	return choose_tree(search, &found, what.buf, "make the expression more exact, or use pidfile: PATH", out, err);
}

int attach_process_regex(const struct attach_search *search, struct attached *out, struct error *err)
{
	regex_t regex;
	int ret;

	if (regex_compile(&regex, search->text, REG_NOSUB, err) < 0)
		return error_wrap(err, "the regular expression '%.200s' cannot be used", search->text);
	ret = choose_match(search, &regex, out, err);
	regfree(&regex);
	return ret;
}

/* -------- by port */

/* They listen for somebody else, whose work would not be seen. */
static const char *const forwarders[] = { "docker-proxy", "rootlessport", "slirp4netns", "pasta", "pasta.avx2" };

static bool forwards(const struct process *process)
{
	for (size_t i = 0; i < sizeof forwarders / sizeof forwarders[0]; i++)
		if (!strcmp(process->name, forwarders[i]))
			return true;
	return false;
}

/* A service manager keeps its services' sockets open as well; where it started pawl too, it is no target. */
static void find_holders(const struct attach_search *search, struct listeners *listeners, struct processes *found)
{
	for (size_t i = 0; i < search->all.n; i++)
		if (listeners_mark(listeners, search->all.items[i].pid) &&
		    !attach_is_own(search, search->all.items[i].pid))
			processes_add(found, &search->all.items[i]);
}

static bool all_held(const struct listeners *listeners)
{
	for (size_t i = 0; i < listeners->n; i++)
		if (!listeners->items[i].held)
			return false;
	return true;
}

static int choose_holder(const struct attach_search *search, struct listeners *listeners, unsigned port,
			 struct attached *out, struct error *err)
{
	CLEANUP(processes_release) struct processes found = { 0 };
	CLEANUP(strbuf_release) struct strbuf what = STRBUF_INIT;

	find_holders(search, listeners, &found);
	if (!all_held(listeners))
		return error_set(err, ERR_TARGET, "somebody listens on TCP port %u, but its processes cannot be seen; run "
				 "pawl as its user or as root", port);
	if (!found.n)
		return error_set(err, ERR_TARGET, "nobody listens on TCP port %u but pawl, or what started it", port);
	for (size_t i = 0; i < found.n; i++)
		if (forwards(&found.items[i]))
			return error_set(err, ERR_TARGET, "%s (%d) listens on TCP port %u and passes all on to a container; "
					 "use container: with its name", found.items[i].name, (int)found.items[i].pid, port);
	strbuf_addf(&what, "on TCP port %u listen", port);
	return choose_tree(search, &found, what.buf, "stop those that are not meant, or use pid: NUMBER or pidfile: PATH",
			   out, err);
}

int attach_process_port(const struct attach_search *search, struct attached *out, struct error *err)
{
	CLEANUP(listeners_release) struct listeners listeners = { 0 };
	uint64_t port;

	if (!read_number(search->text, UINT16_MAX, &port))
		return error_set(err, ERR_INPUT, "expected a TCP port from 1 to 65535, found '%.100s'", search->text);
	listeners_read(0, (unsigned)port, &listeners);
	if (!listeners.n)
		return error_set(err, ERR_TARGET, "nobody listens on TCP port %u here; is the service running?",
				 (unsigned)port);
	return choose_holder(search, &listeners, (unsigned)port, out, err);
}
