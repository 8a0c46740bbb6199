/* Containers as targets: real podman containers, with a cgroup of their own and without. */
#include "unit.h"

#include <sys/wait.h>

#include "measure/files/files.h"
#include "measure/process/child.h"
#include "measure/process/processes.h"
#include "measure/services/attach.h"
#include "started.h"

static struct keeper keeper;
static char folder[64];
static struct strbuf why = STRBUF_INIT;	/* not empty: the reason why containers are unavailable */

/* Runs tests/fixtures/podman.sh. Returns its status; SAID gets its output. */
static int podman(struct strbuf *said, const char *what, const char *words)
{
	CLEANUP(free_ptr) char *file = text_printf("%s.printed", folder);
	CLEANUP(free_ptr) char *line =
		text_printf("exec timeout 90 bash tests/fixtures/podman.sh %s %s %s >%s 2>&1", what, folder, words, file);
	int status = -1;
	pid_t pid = fork();

	/* Does not use the keeper, which would end the container with its parent. */
	if (!pid) {
		execl("/bin/sh", "sh", "-c", line, NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	file_read(file, 1 << 16, said, NULL);
	unlink(file);
	return status;
}

static void set_path(const char *variable, const char *file)
{
	CLEANUP(free_ptr) char *path = file_join(folder, file);

	setenv(variable, path, 1);
}

static int begin(void **state)
{
	snprintf(folder, sizeof folder, "/tmp/pawl-test-container-XXXXXX");
	if (!mkdtemp(folder) || keeper_start(&keeper, NULL, NULL) < 0)
		return -1;
	setenv("HOME", folder, 1);
	set_path("CONTAINERS_CONF", "containers.conf");
	set_path("CONTAINERS_STORAGE_CONF", "storage.conf");
	if (podman(&why, "make", "") == 0)
		podman(&why, "run", "--name probe --cgroups=disabled -- /bin/busybox true");
	return 0;
}

static int end(void **state)
{
	struct strbuf said = STRBUF_INIT;

	podman(&said, "end", "");
	if (said.len)
		print_message("%s\n", said.buf);
	strbuf_release(&said);
	strbuf_release(&why);
	keeper_stop(&keeper);
	return file_is_dir(folder) ? -1 : 0;
}
FIXTURE(begin, end);

static void need_podman(void)
{
	if (!why.len)
		return;
	SKIP("%.*s", (int)strcspn(why.buf, "\n"), why.buf);
}

static void run(const char *words)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	if (podman(&said, "run", words))
		fail_msg("%s", said.buf);
}

/* Starts a container with a shell and its child, "sleep 61". WITH is an option. */
static void run_two(const char *container, const char *with)
{
	char words[300];

	snprintf(words, sizeof words, "--name %s %s -- /bin/busybox sh -c 'sleep 61; :'", container, with);
	run(words);
}

static size_t listed(const struct attached *attached)
{
	CLEANUP(processes_release) struct processes list = { 0 };

	attach_list(attached, &list);
	assert_null(processes_find(&list, getpid()));
	return list.n;
}

static struct attached find(const char *container)
{
	struct attached attached = { 0 };
	struct error err = ERROR_INIT;

	MUST(attach_find(&keeper, TARGET_CONTAINER, container, &attached, &err));
	return attached;
}

static void expect_error(const char *text, enum error_kind kind, const char *before, const char *inside)
{
	struct attached attached;
	struct error err = ERROR_INIT;

	assert_int_equal(attach_find(&keeper, TARGET_CONTAINER, text, &attached, &err), -1);
	if (strncmp(err.msg, before, strlen(before)) || !strstr(err.msg, inside))
		fail_msg("expected '%s...%s', found '%s'", before, inside, err.msg);
	assert_int_equal(err.kind, kind);
}

TEST(one_with_a_cgroup_is_that_group)
{
	CLEANUP(attached_release) struct attached attached = { 0 };
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	char option[128];

	need_podman();
	if (geteuid())
		SKIP("only root may give a container a cgroup everywhere");
	snprintf(option, sizeof option, "--cgroup-parent=%s", strrchr(folder, '/'));
	run_two("grouped", option);
	attached = find("grouped");
	assert_string_equal(attached.label, "container grouped (podman)");
	assert_non_null(attached.cgroup);
	assert_non_null(strstr(attached.cgroup, "libpod-"));
	WAIT_UNTIL(listed(&attached) == 2);
	/* A process that is added later is not a child of the container's first process. */
	assert_int_equal(podman(&said, "as-is", "exec -d grouped /bin/busybox sleep 62"), 0);
	WAIT_UNTIL(listed(&attached) == 3);
	assert_int_equal(podman(&said, "as-is", "rm -f -t 0 grouped"), 0);
	assert_int_equal(listed(&attached), 0);
}

TEST(one_without_is_its_tree_and_namespace)
{
	CLEANUP(attached_release) struct attached attached = { 0 };
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	need_podman();
	run_two("plain", "--cgroups=disabled");
	attached = find("plain");
	assert_string_equal(attached.label, "container plain (podman)");
	assert_null(attached.cgroup);
	assert_true(attached.namespace && attached.root.start);
	WAIT_UNTIL(listed(&attached) == 2);
	assert_int_equal(podman(&said, "as-is", "exec -d plain /bin/busybox sleep 62"), 0);
	WAIT_UNTIL(listed(&attached) == 3);
	assert_int_equal(podman(&said, "as-is", "rm -f -t 0 plain"), 0);
	assert_int_equal(listed(&attached), 0);
}

TEST(one_that_does_not_run_is_reported)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	need_podman();
	run("--name brief --cgroups=disabled -- /bin/busybox true");
	assert_int_equal(podman(&said, "as-is", "wait brief"), 0);
	expect_error("brief", ERR_TARGET, "container brief (podman) is not running (exited); start it first", "");
	expect_error("nobody", ERR_TARGET, "container nobody was not found: ", "podman knows no container of that name");
}

TEST(names_that_are_none_are_refused)
{
	expect_error("--format", ERR_INPUT, "expected the name of a container (letters, digits, _ . -), found '--format'", "");
	expect_error("", ERR_INPUT, "expected the name of a container", "");
	expect_error("a b", ERR_INPUT, "expected the name of a container", "");
}

TEST(a_machine_without_a_runtime_is_reported)
{
	CLEANUP(free_ptr) char *path = xstrdup(getenv("PATH"));

	setenv("PATH", "/nowhere", 1);
	expect_error("web", ERR_TARGET, "container web: neither docker nor podman is installed; use pid:, process: or cgroup:",
		     "");
	setenv("PATH", path, 1);
}

/* A PATH that contains only docker. */
TEST(a_daemon_that_does_not_answer_is_reported)
{
	CLEANUP(free_ptr) char *docker = file_find_program("docker", "/"), *path = xstrdup(getenv("PATH"));
	CLEANUP(free_ptr) char *bin = file_join(folder, "bin"), *link = file_join(bin, "docker");

	if (!docker)
		SKIP("docker is not installed");
	assert_int_equal(file_make_dirs(bin, NULL), 0);
	assert_int_equal(symlink(docker, link), 0);
	setenv("PATH", bin, 1);
	setenv("DOCKER_HOST", "unix:///nowhere/docker.sock", 1);
	expect_error("web", ERR_TARGET, "container web was not found: the daemon of docker does not answer; 'ps' of ", "");
	unsetenv("DOCKER_HOST");
	setenv("PATH", path, 1);
}
