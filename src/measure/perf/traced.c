#include "measure/perf/traced.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/mem.h"
#include "measure/machine/machine.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "measure/process/files.h"
#include "model/measured.h"

enum { FILE_LARGEST = 512 << 20 };
/* Enough room for the few hundred KiB that a process writes. With less, a full disk explains an incomplete file. */
enum { ROOM_LEAST_KIB = 1024 };

/*
 * The user's valgrind settings are ignored. Names are demangled elsewhere, as those of perf are. Memory that libraries
 * free at the very end is not counted.
 */
static const char *const callgrind_options[] = {
	"--command-line-only=yes", "--tool=callgrind", "--trace-children=yes", "--vgdb=no", "--demangle=no", "--dump-line=yes",
	"--cache-sim=no", "--branch-sim=no", "--run-libc-freeres=no", "--run-cxx-freeres=no",
	"--callgrind-out-file={dir}/out.%p", "--log-file={dir}/log.%p", "--", NULL,
};

/* Go sends signals to its threads, which crash callgrind, and uses RDTSCP, a CPU feature that valgrind hides. */
const struct tool tool_callgrind = {
	.program = "valgrind", .options = callgrind_options, .files = "out.", .aslr_off = true, .godebug = "asyncpreemptoff=1,cpu.rdtscp=off",
};

/* One of the targets. */
struct traced {
	char *dir;
	struct strv argv, environment;
	char cpu[16];
	struct measured measured;
	struct strbuf output;
};

/* -------- before */

static int find_tool(const struct tool *tool, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_find_program(tool->program, "/"), *install = NULL;
	CLEANUP(strbuf_release) struct strbuf release = STRBUF_INIT;

	if (path)
		return 0;
	file_read_fact("/etc/os-release", &release);
	install = os_release_install_command(release.buf, tool->program);
	return error_set(err, ERR_SYSTEM, "%s is not installed; to install it: %s", tool->program, install);
}

/* A target of another user writes here, too. */
static int make_folder(const char *dir, const char *user, struct error *err)
{
	if (file_remove_tree(dir, err) < 0 || file_make_dirs(dir, err) < 0)
		return -1;
	return user && chmod(dir, 01777) < 0 ? error_sys(err, errno, "cannot open %s to %s", dir, user) : 0;
}

static void add_option(const char *option, const char *dir, struct strv *argv)
{
	static const char mark[] = "{dir}";
	const char *at = strstr(option, mark);

	if (at)
		strv_pushf(argv, "%.*s%s%s", (int)(at - option), option, dir, at + strlen(mark));
	else
		strv_push(argv, option);
}

static void add_godebug(const struct tool *tool, struct child_spec *spec, struct strv *environment)
{
	const char *value = child_variable(spec, "GODEBUG");
	CLEANUP(free_ptr) char *both = value && *value ? text_printf("%s,%s", value, tool->godebug) : xstrdup(tool->godebug);

	if (spec->environment)
		strv_copy(environment, spec->environment);
	variable_set(environment, "GODEBUG", both);
	spec->environment = environment;
}

static int prepare(struct session *session, const struct tool *tool, struct target_spec *spec, size_t i, size_t n,
		   struct traced *t, struct error *err)
{
	CLEANUP(free_ptr) char *name = text_printf("%s-%zu", tool->program, i);
	int cpu = n > 1 ? child_cpu(spec->child.cpus, (unsigned)i) : -1;

	t->dir = file_join(session->scratch, name);
	if (make_folder(t->dir, spec->child.user, err) < 0)
		return -1;
	strv_push(&t->argv, tool->program);
	if (tool->extra)
		strv_push(&t->argv, tool->extra);
	for (size_t k = 0; tool->options[k]; k++)
		add_option(tool->options[k], t->dir, &t->argv);
	strv_copy(&t->argv, spec->child.argv);
	spec->child.argv = &t->argv;
	if (tool->godebug)
		add_godebug(tool, &spec->child, &t->environment);
	spec->child.aslr_off |= tool->aslr_off;
	if (cpu >= 0) {
		snprintf(t->cpu, sizeof t->cpu, "%d", cpu);
		spec->child.cpus = t->cpu;
	}
	return 0;
}

/* -------- after */

void tool_quote_last_line(const struct strbuf *output, struct error *err)
{
	enum { LONGEST = 200 };
	size_t end = output->len, from;

	while (end && strchr("\n\r ", output->buf[end - 1]))
		end--;
	for (from = end; from && output->buf[from - 1] != '\n'; from--)
		;
	if (end > from && end - from <= LONGEST) {
		CLEANUP(free_ptr) char *line = xstrndup(output->buf + from, end - from), *said = xstrdup(err->msg);

		error_set(err, err->kind, "%s; it printed: %s", said, line);
	}
}

/* Appends the known remedy for the failure message. */
static void add_remedy(const char *tool, struct error *err)
{
	const char *remedy = NULL;

	if (strstr(err->msg, "status 132") || strstr(err->msg, "SIGILL"))
		remedy = "it executes an instruction that is not known there: build what is measured without -march=native, of Go with GOAMD64=v1";
	else if (strstr(err->msg, "status 126") || strstr(err->msg, "setuid"))
		remedy = "no program is run there that is setuid, or that may not be read: measure a copy, with `chmod u-s,g-s,a+r`";
	if (remedy) {
		CLEANUP(free_ptr) char *said = xstrdup(err->msg);

		error_set(err, err->kind, "under %s: %s; %s", tool, said, remedy);
	} else {
		error_wrap(err, "under %s", tool);
	}
}

static int explain(const struct tool *tool, const struct outcome *outcomes, size_t n, uint64_t limit_ns, struct error *err)
{
	if (err->kind == ERR_INTERRUPTED)
		return -1;
	if (err->sys == ETIMEDOUT) {
		err->sys = 0;
		return error_set(err, ERR_SYSTEM, "it takes longer than %.3g s under %s, and was ended", (double)limit_ns / 1e9,
				 tool->program);
	}
	for (size_t i = 0; i < n; i++)
		if (outcomes[i].failed)
			tool_quote_last_line(outcomes[i].output, err);
	err->kind = ERR_SYSTEM;
	add_remedy(tool->program, err);
	return -1;
}

/* Tools print nothing if they cannot write. */
static void add_room(const char *dir, const char *tool, struct error *err)
{
	struct statvfs fs;
	uint64_t kib;

	if (statvfs(dir, &fs) < 0 || !fs.f_blocks)
		return;
	kib = (uint64_t)fs.f_bavail * fs.f_frsize >> 10;
	if (kib < ROOM_LEAST_KIB)
		error_wrap(err, "no space left on device: %s has %" PRIu64 " KiB for what %s writes; make room, or set TMPDIR",
			   dir, kib, tool);
}

static int feed_files(const struct tool *tool, const char *dir, size_t side, traced_feed_fn *feed, void *ctx, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	size_t found = 0;

	if (file_list(dir, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(free_ptr) char *path = file_join(dir, names.items[i]);

		if (!text_starts(names.items[i], tool->files))
			continue;
		if (file_read(path, FILE_LARGEST, &text, err) < 0 || feed(ctx, side, text.buf, text.len, err) < 0)
			return -1;
		found++;
	}
	return found ? 0 : error_set(err, ERR_SYSTEM, "%s left no output", tool->program);
}

/* -------- the whole */

static int run_and_read(struct session *session, const struct tool *tool, struct target_spec *specs, struct outcome *outcomes,
			struct traced *traced, size_t n, uint64_t limit_ns, traced_feed_fn *feed, void *ctx, struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		if (prepare(session, tool, &specs[i], i, n, &traced[i], err) < 0)
			return -1;
		specs[i].timeout_ns = limit_ns ? limit_ns / n : specs[i].timeout_ns;
	}
	if (targets_run(session, specs, outcomes, n, NULL, err) < 0)
		return explain(tool, outcomes, n, limit_ns ?: n * specs[0].timeout_ns, err);
	for (size_t i = 0; i < n; i++)
		if (feed_files(tool, traced[i].dir, i, feed, ctx, err) < 0) {
			outcomes[i].failed = true;
			add_room(traced[i].dir, tool->program, err);
			return -1;
		}
	return 0;
}

int traced_run(struct session *session, const struct tool *tool, const struct target_spec *specs, struct outcome *outcomes,
	       size_t n, uint64_t limit_ns, traced_feed_fn *feed, void *ctx, struct error *err)
{
	struct target_spec own[AT_ONCE_MOST];
	struct outcome run[AT_ONCE_MOST];
	struct traced traced[AT_ONCE_MOST] = { 0 };
	int ret;

	if (find_tool(tool, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		own[i] = specs[i];
		traced[i].output = (struct strbuf)STRBUF_INIT;
		run[i] = (struct outcome){
			.out = outcomes[i].out ?: &traced[i].measured, .output = outcomes[i].output ?: &traced[i].output,
		};
	}
	ret = run_and_read(session, tool, own, run, traced, n, limit_ns, feed, ctx, err);
	for (size_t i = 0; i < n; i++) {
		outcomes[i].failed = run[i].failed;
		/* The output of many processes may be large. */
		if (traced[i].dir)
			file_remove_tree(traced[i].dir, NULL);
		free(traced[i].dir);
		strv_release(&traced[i].argv);
		strv_release(&traced[i].environment);
		strbuf_release(&traced[i].output);
		measured_release(&traced[i].measured);
	}
	return ret;
}
