#include "measure/services/attach.h"

#include <errno.h>
#include <limits.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/regex.h"
#include "measure/files/files.h"
#include "measure/process/cgroup.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "measure/services/ports.h"
#include "measure/services/replies.h"

struct attach_search {
	struct keeper *keeper;
	const char *text;
	struct processes all;		/* when the search began */
};

/* No target may hold pawl, its keeper or its ancestors. */
static bool is_own(const struct attach_search *search, pid_t pid)
{
	return pid == search->keeper->pid || processes_descends(&search->all, getpid(), pid);
}

/* -------- targets that are one tree of processes */

enum { LISTED = 8, LISTED_BYTES = 120, PIDFILE_LARGEST = 4096 };

static int take_tree(const struct attach_search *search, pid_t pid, struct attached *out, struct error *err)
{
	const struct process *process = processes_find(&search->all, pid);
	CLEANUP(strbuf_release) struct strbuf label = STRBUF_INIT;
	uint64_t leader;

	/* The id of a thread has an unlisted folder in /proc. */
	if (!process && process_read_status(pid, "Tgid", &leader) && leader != (uint64_t)pid)
		return error_set(err, ERR_TARGET, "%d is a thread of process %d: give the number of the process",
				 (int)pid, (int)leader);
	if (!process)
		return error_set(err, ERR_TARGET, "there is no process %d (any more); is the program running?", (int)pid);
	strbuf_addf(&label, "process %d (", (int)pid);
	escape_terminal(&label, process->name);
	strbuf_addc(&label, ')');
	if (pid == getpid() || pid == search->keeper->pid)
		return error_set(err, ERR_TARGET, "process %d is pawl's own", (int)pid);
	if (is_own(search, pid))
		return error_set(err, ERR_TARGET, "%s started pawl: measuring it would measure pawl as well", label.buf);
	if (process->kernel)
		return error_set(err, ERR_TARGET, "%s is a thread of the kernel; give a program's process", label.buf);
	if (process_is_dead(process))
		return error_set(err, ERR_TARGET, "%s has ended and only waits for its parent, process %d, to notice",
				 label.buf, (int)process->parent);
	out->root = *process;
	out->label = strbuf_take(&label);
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

static int by_pid(const struct attach_search *search, struct attached *out, struct error *err)
{
	uint64_t pid;

	if (!read_number(search->text, INT_MAX, &pid))
		return error_set(err, ERR_INPUT, "expected the number of a process, found '%.100s'", search->text);
	return take_tree(search, (pid_t)pid, out, err);
}

/* The file of postgres has more lines. */
static int by_pidfile(const struct attach_search *search, struct attached *out, struct error *err)
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
	return take_tree(search, (pid_t)pid, out, err) < 0 ?
	       error_wrap(err, "pidfile '%s'", search->text) : 0;
}

/* WHAT is "'nginx' matches". */
static int choose_tree(const struct attach_search *search, const struct processes *found, const char *what,
		       const char *advice, struct attached *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf lines = STRBUF_INIT;

	for (size_t i = 0; i < found->n; i++) {
		size_t k = 0;

		while (k < found->n && processes_descends(&search->all, found->items[k].pid, found->items[i].pid))
			k++;
		if (k == found->n)
			return take_tree(search, found->items[i].pid, out, err);
	}
	for (size_t i = 0; i < found->n && i < LISTED; i++) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT, words = STRBUF_INIT;

		process_command_line(found->items[i].pid, &line);
		escape_terminal(&words, line.buf);
		strbuf_addf(&lines, "\n  %d ", (int)found->items[i].pid);
		strbuf_add(&lines, words.buf, utf8_clip(words.buf, LISTED_BYTES));
		strbuf_adds(&lines, words.len > LISTED_BYTES ? "..." : "");
	}
	if (found->n > LISTED)
		strbuf_addf(&lines, "\n  and %zu more", found->n - LISTED);
	return error_set(err, ERR_TARGET, "%s %zu processes that are not one tree; %s%s", what, found->n, advice, lines.buf);
}

/* Matches among pawl's own processes explain an empty result. */
static int by_regex(const struct attach_search *search, struct attached *out, struct error *err)
{
	CLEANUP(processes_release) struct processes found = { 0 };
	CLEANUP(free_ptr) char *what = NULL;
	CLEANUP(regex_release) struct regex *regex = NULL;
	size_t n_own = 0;

	if (regex_compile(search->text, 0, &regex, err) < 0)
		return error_wrap(err, "the regular expression '%.200s' cannot be used", search->text);
	for (size_t i = 0; i < search->all.n; i++) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
		const struct process *process = &search->all.items[i];
		int matches;

		if (process->kernel || process_is_dead(process))
			continue;
		process_command_line(process->pid, &line);
		matches = line.len ? regex_find(regex, (struct regex_text){ .s = line.buf, .len = line.len }, NULL, err) : 0;
		if (matches < 0)
			return error_wrap(err, "the regular expression '%.200s' cannot be used", search->text);
		if (!matches)
			continue;
		if (is_own(search, process->pid))
			n_own++;
		else
			processes_add(&found, process);
	}
	if (!found.n)
		return error_set(err, ERR_TARGET, "no process has a command line that matches '%.200s'%s; 'pgrep -af' "
				 "with the same expression lists what does", search->text,
				 n_own ? " (but for pawl, and what started it)" : "");
	what = text_printf("'%.200s' matches", search->text);
	return choose_tree(search, &found, what, "make the expression more exact, or use pidfile: PATH", out, err);
}

/* These listen for others, whose work would not be seen. */
static const char *const forwarders[] = { "docker-proxy", "rootlessport", "slirp4netns", "pasta", "pasta.avx2" };

static int by_port(const struct attach_search *search, struct attached *out, struct error *err)
{
	CLEANUP(listeners_release) struct listeners listeners = { 0 };
	CLEANUP(processes_release) struct processes found = { 0 };
	CLEANUP(free_ptr) char *what = NULL;
	uint64_t number;
	unsigned port;

	if (!read_number(search->text, UINT16_MAX, &number))
		return error_set(err, ERR_INPUT, "expected a TCP port from 1 to 65535, found '%.100s'", search->text);
	port = (unsigned)number;
	listeners_read(0, port, &listeners);
	if (!listeners.n)
		return error_set(err, ERR_TARGET, "nobody listens on TCP port %u here; is the service running?", port);
	/* A service manager, perhaps pawl's ancestor, also holds its services' sockets. */
	for (size_t i = 0; i < search->all.n; i++)
		if (listeners_mark(&listeners, search->all.items[i].pid) && !is_own(search, search->all.items[i].pid))
			processes_add(&found, &search->all.items[i]);
	for (size_t i = 0; i < listeners.n; i++)
		if (!listeners.items[i].held)
			return error_set(err, ERR_TARGET, "somebody listens on TCP port %u, but its processes cannot be seen; run "
					 "pawl as its user or as root", port);
	if (!found.n)
		return error_set(err, ERR_TARGET, "nobody listens on TCP port %u but pawl, or what started it", port);
	for (size_t i = 0; i < found.n; i++)
		for (size_t k = 0; k < sizeof forwarders / sizeof forwarders[0]; k++)
			if (!strcmp(found.items[i].name, forwarders[k]))
				return error_set(err, ERR_TARGET, "%s (%d) listens on TCP port %u and passes all on to a container; "
						 "use container: with its name", forwarders[k], (int)found.items[i].pid, port);
	what = text_printf("on TCP port %u listen", port);
	return choose_tree(search, &found, what, "stop those that are not meant, or use pid: NUMBER or pidfile: PATH", out, err);
}

/* -------- targets that are one control group */

static bool is_cgroup(const char *folder)
{
	CLEANUP(free_ptr) char *members = file_join(folder, "cgroup.procs");

	return file_exists(members);
}

enum members { NO_MEMBERS, SOME_MEMBERS, OWN_MEMBERS };

/* -1 with errno if unreadable. */
static int look_into(const struct attach_search *search, const char *folder)
{
	CLEANUP(processes_release) struct processes members = { 0 };

	if (processes_add_cgroup(&members, folder) < 0)
		return -1;
	if (processes_find(&members, getpid()) || processes_find(&members, search->keeper->pid))
		return OWN_MEMBERS;
	return members.n ? SOME_MEMBERS : NO_MEMBERS;
}

/* In version 1 a group is in several hierarchies, and may be empty in some. */
static int by_cgroup(const struct attach_search *search, struct attached *out, struct error *err)
{
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts = { 0 };
	CLEANUP(strv_release) struct strv folders = STRV_INIT;
	CLEANUP(free_ptr) char *below = text_printf("/sys/fs/cgroup/%s", search->text + strspn(search->text, "/"));
	const char *unreadable = NULL;
	int sys = 0;

	if (*search->text == '/' && is_cgroup(search->text))
		strv_push(&folders, search->text);
	cgroup_mounts_read(&mounts);
	for (size_t i = 0; i < mounts.n; i++) {
		CLEANUP(free_ptr) char *folder = NULL;

		/* A name is relative to the mount, not to the hierarchy's root. */
		mounts.items[i].root[1] = '\0';
		folder = cgroup_folder(&mounts.items[i], search->text);
		if (folder && is_cgroup(folder) && !strv_has(&folders, folder))
			strv_push(&folders, folder);
	}
	/* With both versions, the hierarchy's folder may be part of it, as in unified/system.slice. */
	if (is_cgroup(below) && !strstr(search->text, "..") && !strv_has(&folders, below))
		strv_push(&folders, below);
	if (!folders.n)
		return error_set(err, ERR_TARGET, "there is no cgroup '%.200s' here; give its folder below /sys/fs/cgroup, or "
				 "its name, as 'systemctl show -P ControlGroup SERVICE' prints it", search->text);
	for (size_t i = 0; i < folders.n; i++) {
		int members = look_into(search, folders.items[i]);

		if (members == OWN_MEMBERS)
			return error_set(err, ERR_TARGET, "cgroup %s holds pawl itself; give the service a group of its own, or "
					 "use pidfile: PATH or process: REGEX", folders.items[i]);
		if (members == SOME_MEMBERS) {
			out->cgroup = xstrdup(folders.items[i]);
			out->label = text_printf("cgroup %s", folders.items[i]);
			return 0;
		}
		if (members < 0) {
			unreadable = folders.items[i];
			sys = errno;
		}
	}
	if (unreadable)
		return error_set(err, ERR_TARGET, "cannot read the processes of cgroup %s: %s", unreadable, strerrordesc_np(sys));
	return error_set(err, ERR_TARGET, "cgroup %s has no processes; is the service running?", folders.items[0]);
}

/* Finds a cgroup made for PID and its children; for free(), or NULL. */
static char *cgroup_of(const struct attach_search *search, pid_t pid)
{
	static const char *const controllers[] = { "", "pids", "name=systemd" };
	static const char scope[] = "/init.scope";
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts = { 0 };

	cgroup_mounts_read(&mounts);
	for (size_t i = 0; i < sizeof controllers / sizeof controllers[0]; i++) {
		const struct cgroup_mount *mount = cgroup_mounts_find(&mounts, controllers[i]);
		CLEANUP(free_ptr) char *group = cgroup_of_pid(pid, controllers[i]), *folder = NULL;

		if (!mount || !group || !strcmp(group, "/"))
			continue;
		/* An init system in a container moves itself to a group below. */
		if (text_ends(group, strlen(group), scope))
			group[strlen(group) - (sizeof scope - 1)] = '\0';
		folder = cgroup_folder(mount, group);
		if (folder && look_into(search, folder) == SOME_MEMBERS)
			return take_ptr(&folder);
	}
	return NULL;
}

/* -------- containers, found by name */

#define INSPECT_TIMEOUT_NS (30 * NS_PER_S)

static const char *const runtimes[] = { "docker", "podman" };

static int take(const struct attach_search *search, const char *runtime, pid_t pid, struct attached *out,
		struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf label = STRBUF_INIT;

	strbuf_addf(&label, "container %s (%s)", search->text, runtime);
	if (!processes_find(&search->all, pid))
		return error_set(err, ERR_TARGET, "%s runs as process %d, which cannot be seen here: pawl must run on the "
				 "machine that runs the container, outside of any other", label.buf, (int)pid);
	out->cgroup = cgroup_of(search, pid);
	if (!out->cgroup) {
		if (take_tree(search, pid, out, err) < 0)
			return error_wrap(err, "%s", label.buf);
		out->namespace = process_namespace(pid, "pid");
		/* pawl's own namespace tells nothing. */
		if (out->namespace == process_namespace(getpid(), "pid"))
			out->namespace = 0;
		free(out->label);
	}
	out->label = strbuf_take(&label);
	return 0;
}

/* Returns 1; 0 if RUNTIME does not know it, with part of a sentence in WHY; -1 if it cannot be measured. */
static int ask(const struct attach_search *search, const char *runtime, struct strbuf *why, struct attached *out,
	       struct error *err)
{
	CLEANUP(free_ptr) char *program = file_find_program(runtime, "/");
	const char *const argv[] = {
		program, "container", "inspect", "--format", INSPECT_FORMAT, "--", search->text, NULL
	};
	CLEANUP(strbuf_release) struct strbuf answer = STRBUF_INIT;
	struct attach_search now = *search;
	struct error fault = ERROR_INIT;
	struct inspected inspected;
	int status = -1, ret;

	if (!program)
		return 0;
	/* The next runtime may know the container. */
	if (child_capture(search->keeper, argv, INSPECT_TIMEOUT_NS, &answer, &status, &fault) < 0) {
		strbuf_reset(&answer);
		strbuf_adds(&answer, fault.msg);
	}
	inspected_parse(answer.buf, status, &inspected);
	strbuf_adds(why, why->len ? ", and " : "");
	switch (inspected.outcome) {
	case INSPECT_RUNNING:
		/* It may have started meanwhile. */
		processes_read(&now.all);
		ret = take(&now, runtime, inspected.pid, out, err);
		processes_release(&now.all);
		return ret < 0 ? -1 : 1;
	case INSPECT_STOPPED:
		return error_set(err, ERR_TARGET, "container %s (%s) is not running (%s); start it first", search->text,
				 runtime, inspected.words);
	case INSPECT_UNKNOWN:
		strbuf_addf(why, "%s knows no container of that name", runtime);
		return 0;
	case INSPECT_DENIED:
		strbuf_addf(why, "you may not use %s here (become a member of its group, or run pawl as root)", runtime);
		return 0;
	case INSPECT_NO_DAEMON:
		strbuf_addf(why, "the daemon of %s does not answer", runtime);
		return 0;
	default:
		strbuf_addf(why, "%s reports: ", runtime);
		escape_terminal(why, *inspected.words ? inspected.words : "nothing");
		return 0;
	}
}

static int by_container(const struct attach_search *search, struct attached *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf why = STRBUF_INIT;

	if (!inspected_name_valid(search->text))
		return error_set(err, ERR_INPUT, "expected the name of a container (letters, digits, _ . -), found '%.100s'",
				 search->text);
	for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++) {
		int asked = ask(search, runtimes[i], &why, out, err);

		if (asked)
			return asked < 0 ? -1 : 0;
	}
	if (!why.len)
		return error_set(err, ERR_TARGET, "container %s: neither docker nor podman is installed; use pid:, process: or "
				 "cgroup:", search->text);
	return error_set(err, ERR_TARGET, "container %s was not found: %s; 'ps' of either lists those that run",
			 search->text, why.buf);
}

/* OUT is empty. The caller releases it on failure. */
static int (*const kinds[])(const struct attach_search *search, struct attached *out, struct error *err) = {
	[TARGET_PID] = by_pid,
	[TARGET_PIDFILE] = by_pidfile,
	[TARGET_PROCESS] = by_regex,
	[TARGET_PORT] = by_port,
	[TARGET_CGROUP] = by_cgroup,
	[TARGET_CONTAINER] = by_container,
};

int attach_find(struct keeper *keeper, enum target_kind kind, const char *text, struct attached *out, struct error *err)
{
	struct attach_search search = { .keeper = keeper, .text = text };
	struct attached found = { 0 };
	int ret;

	processes_read(&search.all);
	ret = processes_find(&search.all, getpid()) ? kinds[kind](&search, &found, err) :
	      error_set(err, ERR_SYSTEM, "cannot look for running processes: /proc is not mounted here");
	processes_release(&search.all);
	if (ret < 0)
		attached_release(&found);
	else
		*out = found;
	return ret;
}

void attach_list(const struct attached *attached, struct processes *out)
{
	CLEANUP(processes_release) struct processes all = { 0 };

	*out = (struct processes){ 0 };
	if (attached->cgroup) {
		processes_add_cgroup(out, attached->cgroup);
		return;
	}
	if (!process_lives(attached->root.pid, attached->root.start))
		return;
	processes_read(&all);
	processes_add_tree(out, &all, attached->root.pid);
	for (size_t i = 0; attached->namespace && i < all.n; i++)
		if (!process_is_dead(&all.items[i]) && process_namespace(all.items[i].pid, "pid") == attached->namespace)
			processes_add(out, &all.items[i]);
}

bool attach_lives(const struct attached *attached)
{
	CLEANUP(processes_release) struct processes members = { 0 };

	if (!attached->cgroup)
		return process_lives(attached->root.pid, attached->root.start);
	/* Version 1, and the root, do not tell if a group is empty. */
	if (!cgroup_is_empty(attached->cgroup))
		return true;
	attach_list(attached, &members);
	return members.n > 0;
}

void attached_release(struct attached *attached)
{
	free(attached->cgroup);
	free(attached->label);
	*attached = (struct attached){ 0 };
}
