/* Targets that a container runtime knows by name. */
#include <unistd.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "measure/attach_kinds.h"
#include "measure/capture.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "model/inspected.h"

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

/* -------- once its first process is known */

/* 0 when it shares pawl's own, and everybody's. */
static ino_t own_namespace(pid_t pid)
{
	ino_t theirs = process_namespace(pid, "pid");

	return theirs != process_namespace(getpid(), "pid") ? theirs : 0;
}

static int take(const struct attach_search *search, const char *runtime, pid_t pid, struct attached *out,
		struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf label = STRBUF_INIT;

	strbuf_addf(&label, "container %s (%s)", search->text, runtime);
	if (!processes_find(&search->all, pid))
		return error_set(err, ERR_TARGET, "%s runs as process %d, which cannot be seen here: pawl must run on the "
				 "machine that runs the container, outside of any other", label.buf, (int)pid);
	out->cgroup = attach_cgroup_of(search, pid);
	if (!out->cgroup) {
		if (attach_process_tree(search, pid, out, err) < 0)
			return error_wrap(err, "%s", label.buf);
		out->namespace = own_namespace(pid);
		free(out->label);
	}
	out->label = strbuf_take(&label);
	return 0;
}

/* -------- asking */

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

int attach_container_name(const struct attach_search *search, struct attached *out, struct error *err)
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
