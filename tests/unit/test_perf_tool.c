/* The choice of perf, with scripts that act as perf and Ubuntu's wrapper in a scratch folder. */
#include "unit.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "measure/perf/perf_tool.h"
#include "keeper_fixture.h"

#define DEBIAN "ID=debian\n"
#define UBUNTU "ID=ubuntu\nID_LIKE=debian\n"
#define WRAPPER "echo 'WARNING: perf not found for kernel 6.11.0-1018' >&2; echo more >&2; exit 2"

/* Writes a script below the root. Returns its path, for free(). */
static char *script(const char *name, const char *body)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char *path = in_root(name);

	strbuf_addf(&text, "#!/bin/sh\n%s\n", body);
	assert_int_equal(file_write(path, text.buf, text.len, NULL), 0);
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

static int search(const char *override, const char *on_path, const char *os_release, struct perf_tool *out,
		  struct error *err)
{
	return perf_tool_search(&keeper, &(struct perf_search){ .override = override, .on_path = on_path, .root = root,
						       .os_release = os_release, .kernel = "6.11.0-1018-azure" },
				out, err);
}

TEST_WITH(a_working_perf_on_path_is_taken, fixture_up, fixture_down)
{
	CLEANUP(perf_tool_release) struct perf_tool tool = { 0 };
	CLEANUP(free_ptr) char *perf = script("bin/perf", "[ \"$LC_ALL$1\" = C--version ] && echo 'perf version 6.1.187'");

	free(script("usr/lib/linux-tools/7.0.0-1/perf", "echo perf version 7.0.1"));
	assert_int_equal(search(NULL, perf, DEBIAN, &tool, NULL), 0);
	assert_string_equal(tool.path, perf);
	assert_string_equal(tool.version, "6.1.187");
	assert_null(tool.note);
}

TEST_WITH(a_refusing_wrapper_gives_way_to_the_newest, fixture_up, fixture_down)
{
	CLEANUP(perf_tool_release) struct perf_tool tool = { 0 };
	CLEANUP(free_ptr) char *wrapper = script("bin/perf", WRAPPER);
	CLEANUP(free_ptr) char *b = script("usr/lib/linux-azure-6.8-tools-6.8.0-1017/perf", "echo perf version 6.8.12");

	free(script("usr/lib/linux-tools/6.8.0-9/perf", "echo perf version 6.8.9"));
	free(script("usr/bin/perf_5.10", "echo perf version 5.10.240"));
	free(script("usr/lib/linux-tools/9.9/perf", "echo perf version 9.9.9; exit 1"));
	free(script("usr/lib/linux-tools-9.8/perf", "echo something else"));
	assert_int_equal(search("", wrapper, UBUNTU, &tool, NULL), 0);
	assert_string_equal(tool.path, b);
	assert_string_equal(tool.version, "6.8.12");
	assert_non_null(strstr(tool.note, "WARNING: perf not found for kernel 6.11.0-1018"));
	assert_null(strstr(tool.note, "more"));
}

TEST_WITH(none_names_the_package, fixture_up, fixture_down)
{
	static const struct { const char *os_release, *remedy; } cases[] = {
		{ DEBIAN, "sudo apt-get install linux-perf" },
		{ UBUNTU, "sudo apt-get install linux-tools-6.11.0-1018-azure || sudo apt-get install linux-tools-generic" },
		{ "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "linux-tools-generic" },
		{ "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "sudo dnf install perf" },
		{ NULL, "often called perf or linux-perf" },
	};
	CLEANUP(free_ptr) char *wrapper = script("bin/perf", WRAPPER);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct perf_tool tool = { .path = (char *)"untouched" };
		struct error err = ERROR_INIT;

		assert_int_equal(search(NULL, NULL, cases[i].os_release, &tool, &err), -1);
		assert_int_equal(err.kind, ERR_SYSTEM);
		assert_non_null(strstr(err.msg, "perf is not installed"));
		assert_non_null(strstr(err.msg, cases[i].remedy));
		assert_string_equal(tool.path, "untouched");
	}
	struct error err = ERROR_INIT;
	struct perf_tool tool;
	assert_int_equal(search(NULL, wrapper, UBUNTU, &tool, &err), -1);
	assert_non_null(strstr(err.msg, "WARNING: perf not found"));
	assert_non_null(strstr(err.msg, "apt-get install"));
}

/* The sanitizers need more addresses than the limit has. */
TEST_WITH(a_limit_of_addresses_is_no_missing_perf, fixture_up, fixture_down)
{
	CLEANUP(free_ptr) char *perf = script("bin/perf", "echo 'perf: cannot map libc.so.6'; exit 127");
	struct rlimit before, low;
	struct error err = ERROR_INIT;
	struct perf_tool tool;

#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	low = before;
	low.rlim_cur = 200 << 20;
	assert_int_equal(setrlimit(RLIMIT_AS, &low), 0);
	assert_int_equal(search(NULL, perf, DEBIAN, &tool, &err), -1);
	assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
	assert_non_null(strstr(err.msg, "ulimit -v"));
	assert_null(strstr(err.msg, "apt-get"));
}

TEST_WITH(an_override_is_taken_or_refused_but_never_replaced, fixture_up, fixture_down)
{
	CLEANUP(perf_tool_release) struct perf_tool tool = { 0 };
	CLEANUP(free_ptr) char *own = script("own", "echo perf version 5.4.1"), *broken = script("broken", "exit 0");
	CLEANUP(free_ptr) char *perf = script("bin/perf", "echo perf version 6.1.187");
	struct error err = ERROR_INIT;

	assert_int_equal(search(broken, perf, DEBIAN, &tool, &err), -1);
	assert_non_null(strstr(err.msg, "PAWL_PERF"));
	assert_non_null(strstr(err.msg, "prints nothing"));
	assert_int_equal(search("/nonexistent/perf", perf, DEBIAN, &tool, &err), -1);
	assert_non_null(strstr(err.msg, "/nonexistent/perf"));
	assert_int_equal(search(own, perf, DEBIAN, &tool, &err), 0);
	assert_string_equal(tool.path, own);
	assert_string_equal(tool.version, "5.4.1");
	assert_non_null(strstr(tool.note, "PAWL_PERF"));
}

TEST_WITH(capture_ends_what_hangs, fixture_up, fixture_down)
{
	CLEANUP(free_ptr) char *hangs = script("hangs", "sleep 60 & wait");
	const char *const argv[] = { hangs, NULL };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	uint64_t start = clock_now_ns();
	struct error err = ERROR_INIT;
	int status = 77;

	assert_int_equal(child_capture(&keeper, argv, 200 * NS_PER_MS, &out, &status, &err), -1);
	assert_true(clock_now_ns() - start < 10 * NS_PER_S);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_int_equal(status, 77);
	assert_int_equal(out.len, 0);
}

TEST_WITH(capture_keeps_status_and_output, fixture_up, fixture_down)
{
	/* The grandchild holds the pipe open. The end of its parent counts. */
	CLEANUP(free_ptr) char *busy = script("busy", "sleep 60 & printf '%s' abcdef; printf x >&2; read a; exit 3");
	const char *const argv[] = { busy, NULL };
	const char *const missing[] = { "/nonexistent/program", NULL };
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	uint64_t start = clock_now_ns();
	struct error err = ERROR_INIT;
	int status;

	assert_int_equal(child_capture(&keeper, argv, 30 * NS_PER_S, &out, &status, &err), 0);
	assert_true(clock_now_ns() - start < 20 * NS_PER_S);
	assert_string_equal(out.buf, "abcdefx");
	assert_int_equal(WEXITSTATUS(status), 3);
	assert_int_equal(child_capture(&keeper, missing, NS_PER_S, &out, &status, &err), -1);
	assert_non_null(strstr(err.msg, "/nonexistent/program"));
}
