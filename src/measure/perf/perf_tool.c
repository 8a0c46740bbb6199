#include "measure/perf/perf_tool.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/machine/machine.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"

void perf_tool_release(struct perf_tool *tool)
{
	free(tool->path);
	free(tool->version);
	free(tool->note);
	*tool = (struct perf_tool){ 0 };
}

/* Below this limit of the address space, perf may not be able to load its libraries. */
#define ADDRESSES_LEAST (256ull << 20)

/*
 * perf prints "perf version 6.1.187". What else it prints, such as a wrapper's "WARNING: perf not found for kernel
 * 6.11.0-1018", goes to the error.
 */
static char *ask_version(struct keeper *keeper, const char *path, struct error *err)
{
	static const char lead[] = "perf version ";
	const char *const argv[] = { path, "--version", NULL };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *version, *words;
	struct rlimit memory;
	int status;

	if (child_capture(keeper, argv, 5 * NS_PER_S, &text, &status, err) < 0)
		return NULL;
	version = status == 0 ? strstr(text.buf, lead) : NULL;
	if (version && isdigit((unsigned char)version[strlen(lead)]))
		return xstrndup(version + strlen(lead), strcspn(version + strlen(lead), " \t\n\v\f\r"));
	words = text.buf + strspn(text.buf, " \t\r\n");
	if (!*words)
		words = WIFEXITED(status) ? "it prints nothing" : "it was killed by a signal";
	error_set(err, ERR_SYSTEM, "%s --version does not work (%.*s)", path, (int)strcspn(words, "\r\n"), words);
	if (err && getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY && memory.rlim_cur < ADDRESSES_LEAST)
		err->sys = ENOMEM;
	return NULL;
}

static int use_override(struct keeper *keeper, const char *override, struct perf_tool *out, struct error *err)
{
	CLEANUP(free_ptr) char *found = file_find_program(override, NULL);
	CLEANUP(free_ptr) char *version = NULL;

	if (!found)
		return error_set(err, ERR_SYSTEM, "PAWL_PERF is '%.200s', which is no program; set it to perf's path or unset it",
				 override);
	version = ask_version(keeper, found, err);
	if (!version)
		return error_wrap(err, "PAWL_PERF");
	*out = (struct perf_tool){
		.path = file_absolute(found),
		.version = take_ptr(&version),
		.note = xstrdup("chosen by PAWL_PERF"),
	};
	return 0;
}

static void look_under(struct keeper *keeper, const char *root, const char *pattern, struct perf_tool *best)
{
	CLEANUP(free_ptr) char *full = file_join(root, pattern);
	glob_t paths = { 0 };

	glob(full, 0, NULL, &paths);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		CLEANUP(free_ptr) char *program = file_find_program(paths.gl_pathv[i], NULL);
		CLEANUP(free_ptr) char *version = program ? ask_version(keeper, program, NULL) : NULL;

		if (!version || (best->version && strverscmp(version, best->version) <= 0))
			continue;
		perf_tool_release(best);
		*best = (struct perf_tool){ .path = take_ptr(&program), .version = take_ptr(&version) };
	}
	globfree(&paths);
}

int perf_tool_search(struct keeper *keeper, const struct perf_search *search, struct perf_tool *out, struct error *err)
{
	/* Ubuntu has a folder for each kernel, and flavours such as linux-azure-tools-5.15.0-1019. */
	static const char *const patterns[] = {
		"usr/lib/linux-tools/*/perf",
		"usr/lib/linux-*tools-*/perf",
		"usr/bin/perf_*",
	};
	struct error why = ERROR_INIT;
	struct perf_tool best = { 0 };

	if (search->override && *search->override)
		return use_override(keeper, search->override, out, err);
	if (!search->on_path)
		error_set(&why, ERR_SYSTEM, "there is no perf on PATH");
	best.version = search->on_path ? ask_version(keeper, search->on_path, &why) : NULL;
	if (best.version) {
		best.path = file_absolute(search->on_path);
		*out = best;
		return 0;
	}
	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
		look_under(keeper, search->root, patterns[i], &best);
	if (!best.path && why.sys == ENOMEM)
		return error_set(err, ERR_SYSTEM, "%s: the address space is limited (ulimit -v), and perf needs more: raise the limit", why.msg);
	if (!best.path) {
		CLEANUP(free_ptr) char *install =
			os_release_install_perf(search->os_release ?: "", search->kernel ?: "generic");

		return error_set(err, ERR_SYSTEM, "%s; to install it: %s",
				 search->on_path ? why.msg : "perf is not installed", install);
	}
	best.note = text_printf("used because %s", why.msg);
	*out = best;
	return 0;
}

int perf_tool_find(struct keeper *keeper, struct perf_tool *out, struct error *err)
{
	CLEANUP(free_ptr) char *on_path = file_find_program("perf", NULL);
	CLEANUP(strbuf_release) struct strbuf release = STRBUF_INIT;
	struct utsname host = { 0 };

	uname(&host);
	if (!file_read_fact("/etc/os-release", &release))
		file_read_fact("/usr/lib/os-release", &release);
	return perf_tool_search(keeper, &(struct perf_search){
		.override = getenv("PAWL_PERF"),
		.on_path = on_path,
		.root = "/",
		.os_release = release.buf,
		.kernel = host.release,
	}, out, err);
}
