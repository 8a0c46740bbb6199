#include "measure/tools/runtimes.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/process/child.h"

/* perf looks there, whatever TMPDIR is: tools/perf/Documentation/jit-interface.txt of Linux. */
static const char folder[] = "/tmp";

/* A variable has no effect if its engine does not run. */
static const struct engine {
	const char *variable, *asks, *words;
} engines[] = {
	/* Python from 3.12 on. */
	{ "PYTHONPERFSUPPORT", "", "1" },
	/* The second option shows code that is not compiled yet. */
	{ "NODE_OPTIONS", "--perf-basic-prof", "--perf-basic-prof --interpreted-frames-native-stack" },
	/* Java from 17 on. */
	{ "JAVA_TOOL_OPTIONS", "DumpPerfMapAtExit", "-XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions "
	  "-XX:+PreserveFramePointer -XX:+DumpPerfMapAtExit" },
};

void runtimes_ask(const struct child_spec *spec, struct strv *out)
{
	if (spec->environment)
		strv_copy(out, spec->environment);
	for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
		const struct engine *e = &engines[i];
		const char *value = child_variable(spec, e->variable);
		CLEANUP(free_ptr) char *both = value && *value ? text_printf("%s %s", value, e->words) : xstrdup(e->words);

		/* The scenario's own value counts. */
		if (!value || (*e->asks && !strstr(value, e->asks)))
			variable_set(out, e->variable, both);
	}
}

/* Returns 123 for "perf-123.map", 0 for other names. */
static pid_t whose_map(const char *name)
{
	static const char begin[] = "perf-";
	size_t digits = text_starts(name, begin) ? strspn(name + strlen(begin), "0123456789") : 0;

	if (!digits || digits > 9 || strcmp(name + strlen(begin) + digits, ".map") != 0)
		return 0;
	return (pid_t)strtol(name + strlen(begin), NULL, 10);
}

static void list_maps(struct strv *out)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_list(folder, &names, NULL);
	for (size_t i = 0; i < names.n; i++)
		if (whose_map(names.items[i]))
			strv_push(out, names.items[i]);
}

enum { MAP_LARGEST = 64 << 20, DEPTH_MOST = 5 };

static bool is_nodes(const char *path)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	return file_read(path, MAP_LARGEST, &text, NULL) == 0 && (strstr(text.buf, " JS:") || strstr(text.buf, " Builtin:") ||
								  strstr(text.buf, " LazyCompile:"));
}

/* Node also leaves an empty log, "isolate-0x2adffbe0-123-v8.log", in DIR or up to DEPTH folders below. */
static bool remove_log(const char *dir, pid_t pid, unsigned depth)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(free_ptr) char *end = text_printf("-%d-v8.log", (int)pid);
	bool found = false;

	file_list(dir, &names, NULL);
	for (size_t i = 0; i < names.n && !found; i++) {
		const char *name = names.items[i];
		CLEANUP(free_ptr) char *path = file_join(dir, name);

		if (text_starts(name, "isolate-0x") && text_ends(name, strlen(name), end))
			found = unlink(path) == 0;
	}
	for (size_t i = 0; i < names.n && !found && depth; i++) {
		CLEANUP(free_ptr) char *path = file_join(dir, names.items[i]);
		struct stat st;

		if (*names.items[i] != '.' && strcmp(names.items[i], "node_modules") != 0 && lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
			found = remove_log(path, pid, depth - 1);
	}
	return found;
}

/* See proc_loadavg(5). 0: unknown. */
static pid_t last_pid(void)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *last = file_read_fact("/proc/loadavg", &text) ? strrchr(text.buf, ' ') : NULL;

	return last ? (pid_t)strtol(last, NULL, 10) : 0;
}

static bool is_between(pid_t pid, pid_t after, pid_t last)
{
	return after > 0 && last > 0 && (after <= last ? pid > after && pid <= last : pid > after || pid <= last);
}

void runtimes_begin(struct runtimes *r)
{
	*r = (struct runtimes){ .last = last_pid() };
	list_maps(&r->before);
}

void runtimes_end(struct runtimes *r, const char *cwd, const char *root)
{
	CLEANUP(strv_release) struct strv now = STRV_INIT;
	pid_t last = last_pid();

	list_maps(&now);
	for (size_t i = 0; i < now.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(folder, now.items[i]);
		pid_t pid = whose_map(now.items[i]);
		/* A process of another PID namespace seems to have ended, too. */
		bool ended = is_between(pid, r->last, last) && kill(pid, 0) < 0 && errno == ESRCH;
		struct stat st;

		/* The recorded processes have ended, so files of live ones are not theirs. */
		if (!ended || strv_has(&r->before, now.items[i]) || lstat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
		    (st.st_uid != geteuid() && geteuid() != 0))
			continue;
		/* A file without a log here is another Node's, whose user has yet to read it. */
		if (is_nodes(path) && !(cwd && remove_log(cwd, pid, 0)) && !(root && remove_log(root, pid, DEPTH_MOST)))
			continue;
		unlink(path);
	}
	strv_release(&r->before);
}
