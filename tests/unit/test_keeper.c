/* The keeper ends what commands leave behind and keeps the daemons of services. Nothing outlives pawl, however it ends. */
#include "unit.h"

#include <sys/wait.h>

#include "measure/git/git.h"
#include "measure/process/child.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "keeper_fixture.h"

/*
 * Only the keeper's own list identifies such a process: it has no environment and no cgroup, and the leader of its
 * session is gone.
 */
#define FORGETS "env -i PATH=\"$PATH\" setsid sh -c '(\"$@\" &)' sh "
#define AS(name) "sh -c 'echo $$ >" name ".tmp; mv " name ".tmp " name "; exec sleep 3671'"

static void start_service(const char *script, struct child *child)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .cwd = root, .service = true };
	struct error err = ERROR_INIT;

	set_shell(&argv, script);
	if (child_start(&keeper, &spec, child, &err) < 0 || child_release(child, &err) < 0)
		fail_msg("%s: %s", script, err.msg);
}

/* The process that NAME's file tells, once it is sleep: before, the mv that renamed the file may still run. */
static struct process sleeper_of(const char *name)
{
	struct process process = process_of(name);

	while (strcmp(process.name, "sleep") != 0) {
		poll(NULL, 0, 5);
		assert_true(process_read(process.pid, &process));
	}
	return process;
}

/* Starts a service that becomes a daemon and creates file NAME. Returns the daemon once it is ready. */
static struct process start_daemon(const char *name, struct child *child)
{
	CLEANUP(strbuf_release) struct strbuf script = STRBUF_INIT;
	struct process daemon;

	strbuf_addf(&script, "(" FORGETS "sh -c 'echo $$ >%s.tmp; mv %s.tmp %s; exec sleep 3672' &)", name, name, name);
	start_service(script.buf, child);
	daemon = sleeper_of(name);
	assert_int_equal(child_wait(&keeper, child, clock_now_ns() + PATIENCE_NS, NULL), 0);
	assert_int_equal(keeper_adopt(&keeper, child->job, NULL), 0);
	return daemon;
}

static size_t processes_of(const struct child *child, pid_t *pids)
{
	int n = keeper_processes(&keeper, child->job, pids, NULL);

	assert_true(n >= 0);
	return (size_t)n;
}

static int end(struct child *child, char *names)
{
	int killed = keeper_end_service(&keeper, child->job, names, NULL);

	child_dispose(&keeper, child);
	return killed;
}

TEST_WITH(what_a_command_leaves_is_ended, fixture_up, fixture_down)
{
	static const char *const scripts[] = {
		AS("left") " & while ! [ -e left ]; do sleep 0.01; done",
		"setsid " AS("left") " & while ! [ -e left ]; do sleep 0.01; done",
		"(" FORGETS AS("left") " &); while ! [ -e left ]; do sleep 0.01; done",
	};

	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;
		struct process left;
		char names[256];

		run_script(scripts[i]);
		left = sleeper_of("left");
		strbuf_addf(&expected, "sleep (%d)", (int)left.pid);
		assert_int_equal(keeper_sweep(&keeper, 0, names, NULL), 1);
		assert_string_equal(names, expected.buf);
		assert_false(lives(&left));
		assert_int_equal(keeper_sweep(&keeper, 0, names, NULL), 0);
		assert_string_equal(names, "");
		nothing_left();
		run_script("rm left");
	}
}

TEST_WITH(what_ends_within_its_grace_is_not_killed, fixture_up, fixture_down)
{
	uint64_t before = clock_now_ns();
	char names[256];

	run_script("sleep 0.1 & sleep 0.2 &");
	assert_int_equal(keeper_sweep(&keeper, PATIENCE_NS, names, NULL), 0);
	assert_true(clock_now_ns() - before < 5 * NS_PER_S);
	run_script("sleep 3673 & sleep 0.1 &");
	assert_int_equal(keeper_sweep(&keeper, 500 * NS_PER_MS, names, NULL), 1);
	nothing_left();
}

/* Children of killed processes are reparented to the keeper, which then ends them too. */
TEST_WITH(whole_trees_are_ended, fixture_up, fixture_down)
{
	char names[256];

	run_script("setsid sh -c 'setsid sh -c \"setsid sleep 3674 & echo >deep; wait\" & wait' & "
		   "while ! [ -e deep ]; do sleep 0.01; done");
	assert_int_equal(keeper_sweep(&keeper, 0, names, NULL), 3);
	nothing_left();
}

/* The first process of a service may end after its daemon serves. */
TEST_WITH(a_daemon_may_serve_before_its_parent_ends, fixture_up, fixture_down)
{
	CLEANUP(free_ptr) char *go = in_root("go");
	struct process daemon;
	struct child service;
	char names[256];

	start_service("env -i PATH=\"$PATH\" setsid sh -c 'echo $$ >id.tmp; mv id.tmp id; exec sleep 3676' & "
		      "while ! [ -e go ]; do sleep 0.01; done", &service);
	daemon = sleeper_of("id");
	assert_int_equal(keeper_adopt(&keeper, service.job, NULL), 0);
	assert_int_equal(file_write(go, "", 0, NULL), 0);
	assert_int_equal(child_wait(&keeper, &service, clock_now_ns() + PATIENCE_NS, NULL), 0);
	if (keeper_sweep(&keeper, 0, names, NULL) != 0)
		fail_msg("ended %s", names);
	assert_true(lives(&daemon));
	assert_int_equal(keeper_end_service(&keeper, service.job, NULL, NULL), 1);
	wait_for_death(&daemon);
	child_forget(&keeper, &service);
	nothing_left();
}

/* setsid(2) fails for the leader of a group; setsid(1) then forks and ends at once, with status 0. */
TEST_WITH(a_command_may_begin_a_session, fixture_up, fixture_down)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	const struct child_spec spec = { .argv = &argv, .cwd = root };
	CLEANUP(free_ptr) char *path = in_root("id");
	struct process waiting;
	struct child child;

	strv_push_all(&argv, (const char *const[]){ "setsid", "sh", "-c", "sleep 3675 & echo $! >id.tmp; mv id.tmp id; wait; exit 7", NULL });
	assert_int_equal(child_start(&keeper, &spec, &child, NULL), 0);
	assert_int_equal(child_release(&child, NULL), 0);
	waiting = process_of("id");
	assert_int_equal(waiting.session, child.pid);
	kill(waiting.pid, SIGTERM);
	assert_int_equal(child_wait(&keeper, &child, clock_now_ns() + PATIENCE_NS, NULL), 0);
	assert_int_equal(WEXITSTATUS(child.status), 7);
	child_dispose(&keeper, &child);

	/* Its session is ended with it. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(child_start(&keeper, &spec, &child, NULL), 0);
	assert_int_equal(child_release(&child, NULL), 0);
	waiting = process_of("id");
	child_end(&keeper, &child, 0);
	wait_for_death(&waiting);
	child_dispose(&keeper, &child);
	nothing_left();
}

TEST_WITH(daemons_stay_while_commands_are_swept, fixture_up, fixture_down)
{
	struct process daemon, left;
	struct child service;
	char names[256];

	daemon = start_daemon("daemon", &service);
	run_script("(" FORGETS AS("left") " &); while ! [ -e left ]; do sleep 0.01; done");
	left = sleeper_of("left");
	assert_int_equal(keeper_sweep(&keeper, 0, names, NULL), 1);
	assert_false(lives(&left));
	assert_true(lives(&daemon));
	assert_int_equal(end(&service, names), 1);
	assert_false(lives(&daemon));
	nothing_left();
	assert_int_equal(keeper_sweep(&keeper, 0, names, NULL), 0);
}

/* Neither calls setsid, so both stay in pawl's session. */
TEST_WITH(a_session_that_all_share_means_nothing, fixture_up, fixture_down)
{
	struct process daemon;
	struct child service;
	char names[256];

	start_service("(" AS("daemon") " &)", &service);
	daemon = process_of("daemon");
	assert_int_equal(child_wait(&keeper, &service, clock_now_ns() + PATIENCE_NS, NULL), 0);
	assert_int_equal(keeper_adopt(&keeper, service.job, NULL), 0);
	run_script("env -i /bin/sleep 3679 &");
	assert_int_equal(keeper_sweep(&keeper, 0, names, NULL), 1);
	assert_true(lives(&daemon));
	assert_int_equal(end(&service, names), 1);
	nothing_left();
}

TEST_WITH(daemons_of_two_services_are_distinguished, fixture_up, fixture_down)
{
	pid_t of_first[WIRE_PIDS_MAX], of_second[WIRE_PIDS_MAX];
	struct process first, second;
	struct child a, b;
	char names[256];

	first = start_daemon("first", &a);
	second = start_daemon("second", &b);
	assert_int_equal(processes_of(&a, of_first), 1);
	assert_int_equal(of_first[0], first.pid);
	assert_int_equal(processes_of(&b, of_second), 1);
	assert_int_equal(of_second[0], second.pid);
	assert_int_equal(end(&a, names), 1);
	assert_false(lives(&first));
	assert_true(lives(&second));
	assert_int_equal(processes_of(&a, of_first), 0);
	assert_int_equal(processes_of(&b, of_second), 1);
	assert_int_equal(end(&b, names), 1);
	nothing_left();
}

/* Daemons that start after the service was ready are known by the marks they carry. */
TEST_WITH(later_daemons_are_known_by_their_marks, fixture_up, fixture_down)
{
	pid_t pids[WIRE_PIDS_MAX];
	struct process late;
	struct child a, b;
	char names[256];

	start_service("while ! [ -e go ]; do sleep 0.01; done; (setsid " AS("late") " &); exec sleep 3675", &a);
	start_service("exec sleep 3676", &b);
	assert_int_equal(keeper_adopt(&keeper, a.job, NULL) | keeper_adopt(&keeper, b.job, NULL), 0);
	run_script("echo >go");
	late = process_of("late");
	assert_int_equal(keeper_sweep(&keeper, 0, names, NULL), 0);
	assert_int_equal(processes_of(&a, pids), 2);
	assert_int_equal(pids[0], a.pid);
	assert_int_equal(pids[1], late.pid);
	assert_int_equal(processes_of(&b, pids), 1);
	assert_int_equal(pids[0], b.pid);
	end(&b, names);
	assert_true(lives(&late));
	end(&a, names);
	assert_false(lives(&late));
	nothing_left();
}

TEST_WITH(a_command_is_no_service, fixture_up, fixture_down)
{
	pid_t pids[WIRE_PIDS_MAX];
	char names[256];

	assert_int_equal(keeper_end_service(&keeper, 12345, names, NULL), 0);
	assert_int_equal(keeper_end_service(&keeper, 12345, NULL, NULL), 0);
	assert_int_equal(keeper_processes(&keeper, 12345, pids, NULL), 0);
}

/* -------- the end of pawl, and of the keeper */

TEST_WITH(nothing_outlives_the_keeper, fixture_up, fixture_down)
{
	struct process daemon, main_process;
	struct child a, b;

	daemon = start_daemon("daemon", &a);
	start_service("trap '' TERM INT HUP; exec sleep 3677", &b);
	assert_true(process_read(b.pid, &main_process));
	keeper_stop(&keeper);
	assert_false(lives(&daemon));
	assert_false(lives(&main_process));
	assert_int_equal(keeper.pid, 0);
	/* There is no keeper left to ask. */
	close(a.output_fd);
	close(b.output_fd);
	tail_release(&a.output);
	tail_release(&b.output);
}

/* Only the marks then identify its processes. */
TEST_WITH(what_a_killed_keeper_kept_is_ended, fixture_up, fixture_down)
{
	struct process main_process, late;
	struct error err = ERROR_INIT;
	struct child a;

	start_service("(setsid " AS("late") " &); exec sleep 3678", &a);
	late = process_of("late");
	assert_true(process_read(a.pid, &main_process));
	kill(keeper.pid, SIGKILL);
	assert_int_equal(keeper_pump(&keeper, clock_now_ns() + PATIENCE_NS, &err), -1);
	assert_string_equal(err.msg, "the keeper process is gone; was it killed?");
	keeper_stop(&keeper);
	wait_for_death(&main_process);
	wait_for_death(&late);
	close(a.output_fd);
	tail_release(&a.output);
}

static void run_git_init(const char *dir)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	const struct child_spec spec = { .argv = &argv, .cwd = dir };

	strv_push(&argv, "git");
	strv_push(&argv, "init");
	strv_push(&argv, "-q");
	assert_int_equal(child_run(&keeper, &spec, PATIENCE_NS, NULL, NULL), 0);
}

/* Git separates the facts about a folder by newlines, and the folder's name may contain newlines. */
TEST_WITH(a_folder_with_newlines_is_located, fixture_up, fixture_down)
{
	static const char *const tops[] = { "plain", "a\nb", "a\n\nb\n" }, *const folders[] = { "", "sub", "sub\n/a\nc", "\nsub" };

	for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
		CLEANUP(free_ptr) char *top = file_join(root, tops[i]);

		assert_int_equal(file_make_dirs(top, NULL), 0);
		run_git_init(top);
		for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
			CLEANUP(git_release) struct git git = { .keeper = &keeper };
			CLEANUP(free_ptr) char *dir = *folders[k] ? file_join(top, folders[k]) : xstrdup(top);
			CLEANUP(free_ptr) char *found = NULL, *above = NULL, *prefix = NULL;
			CLEANUP(free_ptr) char *expected = *folders[k] ? text_printf("%s/", folders[k]) : xstrdup("");

			assert_int_equal(file_make_dirs(dir, NULL), 0);
			assert_int_equal(git_top(&git, dir, &found, NULL) | git_prefix(&git, dir, &prefix, NULL), 0);
			assert_string_equal(found, top);
			above = git_above(&git, dir);
			assert_null(above);
			assert_string_equal(prefix, expected);
		}
	}
}

/* Git did not run, so it is unknown whether the commit exists. */
TEST_WITH(a_killed_keeper_is_no_missing_commit, fixture_up, fixture_down)
{
	CLEANUP(git_release) struct git git = { .keeper = &keeper };
	CLEANUP(free_ptr) char *top = NULL, *commit = NULL;
	struct error err = ERROR_INIT;

	run_git_init(root);
	assert_int_equal(git_top(&git, root, &top, &err), 0);
	assert_int_equal(git_resolve(&git, root, "HEAD", &commit, &err), -1);
	assert_non_null(strstr(err.msg, "has no commits yet"));
	kill(keeper.pid, SIGKILL);
	err = (struct error)ERROR_INIT;
	assert_int_equal(git_resolve(&git, root, "HEAD", &commit, &err), -1);
	assert_string_equal(err.msg, "the keeper process is gone; was it killed?");
}

/* pawl and perf need 256 open files. The soft limit is raised; if the hard limit is too low, an error names it. */
TEST_WITH(few_files_are_told, fixture_up, fixture_down)
{
	const struct rlimit soft = { 16, 4096 }, hard = { 64, 64 };
	struct keeper other = { .sock = -1 };
	struct error err = ERROR_INIT;
	struct rlimit now;
	pid_t pid = fork();
	int status;

	if (!pid) {
		bool good = setrlimit(RLIMIT_NOFILE, &soft) == 0 && keeper_start(&other, NULL, &err) == 0 &&
			    getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == 256 && now.rlim_max == 4096;

		keeper_stop(&other);
		good = good && setrlimit(RLIMIT_NOFILE, &hard) == 0 && keeper_start(&other, NULL, &err) < 0 &&
		       !strcmp(err.msg, "only 64 files may be open at once (ulimit -n); pawl and perf need 256: raise the limit");
		_exit(good ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}
