#include "measure/services/services.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "measure/process/process.h"

struct attach_search {
	pid_t keeper;
	const char *text;
	struct processes all;		/* as it began */
};

/* Pawl, its keeper, and what started pawl: no target holds one of them. */
static bool is_own(const struct attach_search *search, pid_t pid)
{
	return pid == search->keeper || processes_descends(&search->all, getpid(), pid);
}

/* -------- targets that are one tree of processes */

enum { LISTED = 8, LISTED_BYTES = 120, PIDFILE_LARGEST = 4096 };

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

/* The tree of PID, unless it is gone, pawl's own or the kernel's. */
static int take_tree(const struct attach_search *search, pid_t pid, struct attached *out, struct error *err)
{
	const struct process *process = processes_find(&search->all, pid);
	CLEANUP(free_ptr) char *label = NULL;

	if (!process)
		return explain_absent(pid, err);
	label = label_of(process);
	if (pid == getpid() || pid == search->keeper)
		return error_set(err, ERR_TARGET, "process %d is pawl's own", (int)pid);
	if (is_own(search, pid))
		return error_set(err, ERR_TARGET, "%s started pawl: measuring it would measure pawl as well", label);
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

static int by_pid(const struct attach_search *search, struct attached *out, struct error *err)
{
	uint64_t pid;

	if (!read_number(search->text, INT_MAX, &pid))
		return error_set(err, ERR_INPUT, "expected the number of a process, found '%.100s'", search->text);
	return take_tree(search, (pid_t)pid, out, err);
}

/* Only the first line counts: that of postgres has several. */
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
		return take_tree(search, root->pid, out, err);
	list_command_lines(found, &lines);
	return error_set(err, ERR_TARGET, "%s %zu processes that are not one tree; %s%s", what, found->n, advice,
			 lines.buf);
}

/* How many matched of pawl's own is counted apart: it explains why nothing was found. */
static int by_regex(const struct attach_search *search, struct attached *out, struct error *err)
{
	CLEANUP(processes_release) struct processes found = { 0 };
	CLEANUP(strbuf_release) struct strbuf what = STRBUF_INIT;
	CLEANUP(regfree) regex_t regex = { 0 };
	size_t n_own = 0;

	if (regex_compile(&regex, search->text, REG_NOSUB, err) < 0)
		return error_wrap(err, "the regular expression '%.200s' cannot be used", search->text);
	for (size_t i = 0; i < search->all.n; i++) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
		const struct process *process = &search->all.items[i];

		if (process->kernel || process_is_dead(process))
			continue;
		process_command_line(process->pid, &line);
		if (!line.len || regexec(&regex, line.buf, 0, NULL, 0))
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
	strbuf_addf(&what, "'%.200s' matches", search->text);
	return choose_tree(search, &found, what.buf, "make the expression more exact, or use pidfile: PATH", out, err);
}

/* They listen for somebody else, whose work would not be seen. */
static const char *const forwarders[] = { "docker-proxy", "rootlessport", "slirp4netns", "pasta", "pasta.avx2" };

static bool forwards(const struct process *process)
{
	for (size_t i = 0; i < sizeof forwarders / sizeof forwarders[0]; i++)
		if (!strcmp(process->name, forwarders[i]))
			return true;
	return false;
}

static int choose_holder(const struct attach_search *search, struct listeners *listeners, unsigned port,
			 struct attached *out, struct error *err)
{
	CLEANUP(processes_release) struct processes found = { 0 };
	CLEANUP(strbuf_release) struct strbuf what = STRBUF_INIT;
	bool unseen = false;

	/* A service manager keeps its services' sockets open as well; where it started pawl too, it is no target. */
	for (size_t i = 0; i < search->all.n; i++)
		if (listeners_mark(listeners, search->all.items[i].pid) && !is_own(search, search->all.items[i].pid))
			processes_add(&found, &search->all.items[i]);
	for (size_t i = 0; i < listeners->n; i++)
		unseen = unseen || !listeners->items[i].held;
	if (unseen)
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

static int by_port(const struct attach_search *search, struct attached *out, struct error *err)
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

/* -------- targets that are one control group */

static void read_mounts(struct cgroup_mounts *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	file_read_fact("/proc/self/mountinfo", &text);
	cgroup_mounts_parse(text.buf, out);
}

static bool is_cgroup(const char *folder)
{
	CLEANUP(free_ptr) char *members = file_join(folder, "cgroup.procs");

	return file_exists(members);
}

enum members { NO_MEMBERS, SOME_MEMBERS, OWN_MEMBERS };

/* -1 with errno when FOLDER cannot be read. */
static int look_into(const struct attach_search *search, const char *folder)
{
	CLEANUP(processes_release) struct processes members = { 0 };

	if (processes_add_cgroup(&members, folder) < 0)
		return -1;
	if (processes_find(&members, getpid()) || processes_find(&members, search->keeper))
		return OWN_MEMBERS;
	return members.n ? SOME_MEMBERS : NO_MEMBERS;
}

/* Every folder that TEXT may mean, in the order of preference. */
static void candidates(const char *text, struct strv *out)
{
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts = { 0 };

	if (*text == '/' && is_cgroup(text))
		strv_push(out, text);
	read_mounts(&mounts);
	for (size_t i = 0; i < mounts.n; i++) {
		CLEANUP(free_ptr) char *folder = NULL;

		/* A name counts from what is mounted, a process's group from the hierarchy's own root. */
		mounts.items[i].root[1] = '\0';
		folder = cgroup_folder(&mounts.items[i], text);

		if (folder && is_cgroup(folder) && !strv_has(out, folder))
			strv_push(out, folder);
	}
}

static int take_cgroup(const char *folder, struct attached *out)
{
	struct strbuf label = STRBUF_INIT;

	strbuf_addf(&label, "cgroup %s", folder);
	out->cgroup = xstrdup(folder);
	out->label = strbuf_take(&label);
	return 0;
}

/* Under version 1 a group exists in several hierarchies, and need not have members in each. */
static int by_cgroup(const struct attach_search *search, struct attached *out, struct error *err)
{
	CLEANUP(strv_release) struct strv folders = STRV_INIT;
	const char *unreadable = NULL;
	int sys = 0;

	candidates(search->text, &folders);
	if (!folders.n)
		return error_set(err, ERR_TARGET, "there is no cgroup '%.200s' here; give its folder below /sys/fs/cgroup, or "
				 "its name, as 'systemctl show -P ControlGroup SERVICE' tells it", search->text);
	for (size_t i = 0; i < folders.n; i++) {
		int members = look_into(search, folders.items[i]);

		if (members == OWN_MEMBERS)
			return error_set(err, ERR_TARGET, "cgroup %s holds pawl itself; give the service a group of its own, or "
					 "use pidfile: PATH or process: REGEX", folders.items[i]);
		if (members == SOME_MEMBERS)
			return take_cgroup(folders.items[i], out);
		if (members < 0) {
			unreadable = folders.items[i];
			sys = errno;
		}
	}
	if (unreadable)
		return error_set(err, ERR_TARGET, "cannot read the processes of cgroup %s: %s", unreadable,
				 strerrordesc_np(sys));
	return error_set(err, ERR_TARGET, "cgroup %s has no processes; is the service running?", folders.items[0]);
}

/* An init system inside a container puts itself into a group below the container's. */
static void leave_init_scope(char *group)
{
	static const char scope[] = "/init.scope";
	size_t len = strlen(group);

	if (len > sizeof scope - 1 && !strcmp(group + len - (sizeof scope - 1), scope))
		group[len - (sizeof scope - 1)] = '\0';
}

/* The folder of the cgroup that PID alone was put into, with what it started; NULL: it has none of its own. For free(). */
static char *cgroup_of(const struct attach_search *search, pid_t pid)
{
	static const char *const controllers[] = { "", "pids", "name=systemd" };
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
	if (!file_read_fact(path, &text))
		return NULL;
	read_mounts(&mounts);
	for (size_t i = 0; i < sizeof controllers / sizeof controllers[0]; i++) {
		const struct cgroup_mount *mount = cgroup_mounts_find(&mounts, controllers[i]);
		CLEANUP(free_ptr) char *group = cgroup_of_process(text.buf, controllers[i]);
		CLEANUP(free_ptr) char *folder = NULL;

		if (!mount || !group || !strcmp(group, "/"))
			continue;
		leave_init_scope(group);
		folder = cgroup_folder(mount, group);
		if (folder && look_into(search, folder) == SOME_MEMBERS)
			return take_ptr(&folder);
	}
	return NULL;
}

/* -------- targets that a container runtime knows by name */

#define INSPECT_TIMEOUT_NS (30 * NS_PER_S)
enum { ANSWER_LARGEST = 64 << 10 };

static const char *const runtimes[] = { "docker", "podman" };
enum { N_RUNTIMES = sizeof runtimes / sizeof runtimes[0] };

/* A runtime that hangs is a fault like others: the next one may know the container. */
static void inspect(const char *program, const char *name, struct inspected *out)
{
	const char *const argv[] = { program, "container", "inspect", "--format", INSPECT_FORMAT, "--", name, NULL };
	CLEANUP(strbuf_release) struct strbuf answer = STRBUF_INIT;
	struct error err = ERROR_INIT;
	int status = -1;

	if (capture(argv, INSPECT_TIMEOUT_NS, ANSWER_LARGEST, &answer, &status, &err) < 0)
		strbuf_adds(&answer, err.msg);
	inspected_parse(answer.buf, status, out);
}

/* Why RUNTIME did not give the container, as a part of a sentence. */
static void explain(const char *runtime, const struct inspected *answer, struct strbuf *out)
{
	strbuf_adds(out, out->len ? ", and " : "");
	switch (answer->outcome) {
	case INSPECT_UNKNOWN:
		strbuf_addf(out, "%s knows no container of that name", runtime);
		break;
	case INSPECT_DENIED:
		strbuf_addf(out, "you may not use %s here (become a member of its group, or run pawl as root)", runtime);
		break;
	case INSPECT_NO_DAEMON:
		strbuf_addf(out, "the daemon of %s does not answer", runtime);
		break;
	default:
		strbuf_addf(out, "%s says: ", runtime);
		escape_terminal(out, *answer->words ? answer->words : "nothing");
		break;
	}
}

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
		/* Pawl's own is everybody's. */
		if (out->namespace == process_namespace(getpid(), "pid"))
			out->namespace = 0;
		free(out->label);
	}
	out->label = strbuf_take(&label);
	return 0;
}

/* It may have started while its runtime was asked. */
static int take_now(const struct attach_search *search, const char *runtime, pid_t pid, struct attached *out,
		    struct error *err)
{
	struct attach_search now = *search;
	int ret;

	processes_read(&now.all);
	ret = take(&now, runtime, pid, out, err);
	processes_release(&now.all);
	return ret;
}

/* 1: found; 0: RUNTIME has it not, as WHY says; -1: it has, but it cannot be measured. */
static int ask(const struct attach_search *search, const char *runtime, struct strbuf *why, struct attached *out,
	       struct error *err)
{
	CLEANUP(free_ptr) char *program = file_find_program(runtime, "/");
	struct inspected answer;

	if (!program)
		return 0;
	inspect(program, search->text, &answer);
	if (answer.outcome == INSPECT_RUNNING)
		return take_now(search, runtime, answer.pid, out, err) < 0 ? -1 : 1;
	if (answer.outcome == INSPECT_STOPPED)
		return error_set(err, ERR_TARGET, "container %s (%s) is not running (%s); start it first", search->text,
				 runtime, answer.words);
	explain(runtime, &answer, why);
	return 0;
}

static int by_container(const struct attach_search *search, struct attached *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf why = STRBUF_INIT;

	if (!inspected_name_valid(search->text))
		return error_set(err, ERR_INPUT, "expected the name of a container (letters, digits, _ . -), found '%.100s'",
				 search->text);
	for (size_t i = 0; i < N_RUNTIMES; i++) {
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

/* -------- finding the target */

/* Each fills OUT, whose members are empty before; on failure the caller releases it. */
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
	struct attach_search search = { .keeper = keeper->pid, .text = text };
	struct attached found = { 0 };
	int ret;

	processes_read(&search.all);
	if (!processes_find(&search.all, getpid())) {
		processes_release(&search.all);
		return error_set(err, ERR_SYSTEM, "cannot look for running processes: /proc is not mounted here");
	}
	ret = kinds[kind](&search, &found, err);
	processes_release(&search.all);
	if (ret < 0)
		attached_release(&found);
	else
		*out = found;
	return ret;
}

static void list_tree(const struct attached *attached, struct processes *out)
{
	CLEANUP(processes_release) struct processes all = { 0 };

	if (!process_lives(attached->root.pid, attached->root.start))
		return;
	processes_read(&all);
	processes_add_tree(out, &all, attached->root.pid);
	for (size_t i = 0; attached->namespace && i < all.n; i++)
		if (!process_is_dead(&all.items[i]) && process_namespace(all.items[i].pid, "pid") == attached->namespace)
			processes_add(out, &all.items[i]);
}

void attach_list(const struct attached *attached, struct processes *out)
{
	*out = (struct processes){ 0 };
	if (attached->cgroup)
		processes_add_cgroup(out, attached->cgroup);
	else
		list_tree(attached, out);
}

bool attach_lives(const struct attached *attached)
{
	CLEANUP(processes_release) struct processes members = { 0 };

	if (!attached->cgroup)
		return process_lives(attached->root.pid, attached->root.start);
	/* Version 1 says nothing of members, nor does the root. */
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
