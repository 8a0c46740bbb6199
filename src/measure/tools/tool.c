#include "measure/tools/tool.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/machine/machine.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "model/measured.h"
#include "model/metrics/numbers.h"

enum { FILE_LARGEST = 512 << 20 };
/* A process writes less. If there is less room, a full disk explains an incomplete file. */
enum { ROOM_LEAST_KIB = 1024 };
/* A busy tool writes its files in this time. */
#define CUT_GRACE_NS (5 * NS_PER_S)

/* -------- before */

bool tool_available(const char *program)
{
	CLEANUP(free_ptr) char *path = file_find_program(program, "/");

	return path != NULL;
}

char *tool_install(const char *program)
{
	CLEANUP(strbuf_release) struct strbuf release = STRBUF_INIT;

	file_read_fact("/etc/os-release", &release);
	return os_release_install_command(release.buf, program);
}

int tool_find(const char *program, struct error *err)
{
	CLEANUP(free_ptr) char *install = NULL;

	if (tool_available(program))
		return 0;
	install = tool_install(program);
	return error_set(err, ERR_SYSTEM, "%s is not installed; to install it: %s", program, install);
}

static const char *name_of(const struct tool *tool)
{
	return tool->name ?: tool->program;
}

/* The target of another user writes here, too. */
static int make_folder(const char *dir, const char *user, struct error *err)
{
	if (file_remove_tree(dir, err) < 0 || file_make_dirs(dir, err) < 0)
		return -1;
	return user && chmod(dir, 01777) < 0 ? error_sys(err, errno, "cannot open %s to %s", dir, user) : 0;
}

void tool_words(const struct tool *tool, const char *const *extra, const char *dir, struct strv *argv)
{
	static const char mark[] = "{dir}";

	strv_push(argv, tool->program);
	if (extra)
		strv_push_all(argv, extra);
	for (const char *const *option = tool->options; *option; option++) {
		const char *at = strstr(*option, mark);

		if (at)
			strv_pushf(argv, "%.*s%s%s", (int)(at - *option), *option, dir, at + strlen(mark));
		else
			strv_push(argv, *option);
	}
}

static void add_godebug(const char *settings, struct child_spec *child, struct strv *environment)
{
	const char *value = child_variable(child, "GODEBUG");
	CLEANUP(free_ptr) char *both = value && *value ? text_printf("%s,%s", value, settings) : xstrdup(settings);

	if (child->environment)
		strv_copy(environment, child->environment);
	variable_set(environment, "GODEBUG", both);
}

static int prepare(const struct tool *tool, const struct tool_use *use, struct tool_side *side, struct error *err)
{
	struct child_spec *child = &side->spec.child;

	if (make_folder(side->dir, child->user, err) < 0)
		return -1;
	if (tool->program) {
		tool_words(tool, use->extra, side->dir, &side->argv);
		strv_push(&side->argv, "--");
	}
	if (tool->godebug)
		add_godebug(tool->godebug, child, &side->environment);
	if (!tool->prepare)
		strv_copy(&side->argv, child->argv);
	else if (tool->prepare(side, err) < 0)
		return -1;
	if (side->argv.n)
		child->argv = &side->argv;
	if (side->environment.n)
		child->environment = &side->environment;
	child->aslr_off |= tool->aslr_off;
	return 0;
}

static int prepare_all(struct session *session, const struct tool *tool, const struct tool_use *use, struct tool_side *sides, size_t n,
		       struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		struct target_spec *spec = &sides[i].spec;
		int cpu = tool->own_cpus && n > 1 ? child_cpu(spec->child.cpus, (unsigned)i) : -1;

		if (tool->refuse && tool->refuse(&spec->child, err) < 0)
			return -1;
		sides[i].dir = text_printf("%s/%s-%zu", session->scratch, name_of(tool), i);
		if (prepare(tool, use, &sides[i], err) < 0)
			return -1;
		if (cpu >= 0) {
			snprintf(sides[i].cpu, sizeof sides[i].cpu, "%d", cpu);
			spec->child.cpus = sides[i].cpu;
		}
		/* targets_run() allows N times this. */
		spec->timeout_ns = use->limit_ns ? use->limit_ns / n : spec->timeout_ns;
		spec->grace_ns = use->cut ? CUT_GRACE_NS : 0;
	}
	return 0;
}

/* -------- the run */

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

static int explain(const struct tool *tool, const struct tool_side *sides, const struct outcome *outcomes, size_t n, struct error *err)
{
	const struct tool_side *failed = NULL;
	bool of_target = err->kind == ERR_TARGET;

	if (err->kind == ERR_INTERRUPTED)
		return -1;
	if (err->sys == ETIMEDOUT) {
		err->sys = 0;
		return error_set(err, ERR_SYSTEM, "timed out after %s under %s", format_duration(n * sides[0].spec.timeout_ns).s,
				 name_of(tool));
	}
	for (size_t i = 0; i < n && !failed; i++)
		failed = outcomes[i].failed ? &sides[i] : NULL;
	if (failed && !tool->quiet)
		tool_quote_last_line(&failed->output, err);
	if (of_target && tool->under)
		error_wrap(err, "%s", tool->under);
	else
		error_wrap(err, "under %s", name_of(tool));
	err->kind = ERR_SYSTEM;
	if (failed && tool->explain)
		tool->explain(failed, err);
	return -1;
}

static int run_all(struct session *session, const struct tool *tool, const struct tool_use *use, struct tool_side *sides, size_t n,
		   struct error *err)
{
	struct target_spec specs[AT_ONCE_MOST];
	struct outcome outcomes[AT_ONCE_MOST];
	int ret;

	for (size_t i = 0; i < n; i++) {
		specs[i] = sides[i].spec;
		outcomes[i] = (struct outcome){ .out = &sides[i].measured, .output = &sides[i].output };
	}
	ret = targets_run(session, specs, outcomes, n, NULL, err);
	if (use->output)
		strbuf_add(use->output, sides[0].output.buf, sides[0].output.len);
	if (ret == 0)
		return 0;
	if (!use->cut || err->sys != ETIMEDOUT)
		return explain(tool, sides, outcomes, n, err);
	*use->cut = true;
	*err = (struct error)ERROR_INIT;
	return 0;
}

/* -------- after */

static int feed_files(const struct tool *tool, const struct tool_use *use, const char *dir, size_t side, struct error *err)
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
		if (file_read(path, FILE_LARGEST, &text, err) < 0 || use->feed(use->ctx, side, text.buf, text.len, err) < 0)
			return -1;
		found++;
	}
	if (found)
		return 0;
	return tool->none ? error_set(err, ERR_SYSTEM, "%s", tool->none) :
			    error_set(err, ERR_SYSTEM, "%s left no output", name_of(tool));
}

/* Tools print nothing if they cannot write. */
static void add_room(const char *dir, const char *name, struct error *err)
{
	struct statvfs fs;
	uint64_t kib;

	if (statvfs(dir, &fs) < 0 || !fs.f_blocks)
		return;
	kib = (uint64_t)fs.f_bavail * fs.f_frsize >> 10;
	if (kib < ROOM_LEAST_KIB)
		error_wrap(err, "no space left on device: %s has %" PRIu64 " KiB for what %s writes; make room, or set TMPDIR",
			   dir, kib, name);
}

static void side_release(struct tool_side *side)
{
	if (side->dir)
		file_remove_tree(side->dir, NULL);
	free(side->dir);
	strv_release(&side->argv);
	strv_release(&side->environment);
	strbuf_release(&side->output);
	measured_release(&side->measured);
}

int tool_run(struct session *session, const struct tool *tool, const struct target_spec *specs, size_t n, const struct tool_use *use,
	     struct error *err)
{
	struct tool_side sides[AT_ONCE_MOST] = { 0 };
	int ret = tool->program ? tool_find(tool->program, err) : 0;

	for (size_t i = 0; i < n; i++) {
		sides[i].spec = specs[i];
		sides[i].output = (struct strbuf)STRBUF_INIT;
	}
	if (ret == 0)
		ret = prepare_all(session, tool, use, sides, n, err);
	if (ret == 0)
		ret = run_all(session, tool, use, sides, n, err);
	for (size_t i = 0; i < n && ret == 0; i++) {
		ret = tool->read ? tool->read(session, &sides[i], use, err) : feed_files(tool, use, sides[i].dir, i, err);
		if (ret < 0)
			add_room(sides[i].dir, name_of(tool), err);
	}
	for (size_t i = 0; i < n; i++)
		side_release(&sides[i]);
	return ret;
}
