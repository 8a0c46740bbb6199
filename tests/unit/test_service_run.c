/*
 * Services as real processes: asked to stop, killed if they do not, together with all their daemons. Each test runs with
 * cgroups, and again without, where other marks identify the processes of a service.
 */
#include "unit.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "measure/process/child.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "measure/services/service_run.h"
#include "keeper_fixture.h"
#include "scenario/scenario.h"

struct fixture {
	struct service service;
	struct plan_service plan;
	struct service_run run;
	struct strv notes;
};

/* Sets up a service that runs SCRIPT in the fixture's folder. It is ready once file NAME exists. */
static void fixture(struct fixture *s, const char *name, const char *script)
{
	*s = (struct fixture){
		.service = {
			.name = (char *)name, .ready = { .kind = READY_FILE, .timeout_ns = PATIENCE_NS },
			.stop = { .signal = SIGTERM, .grace_ns = PATIENCE_NS },
		},
		.plan = { .service = &s->service, .cwd = root, .ready_text = in_root(name) },
	};
	set_shell(&s->plan.command, script);
}

static int start(struct fixture *s, struct error *err)
{
	s->run = (struct service_run){ .keeper = &keeper, .plan = &s->plan, .scratch = root };
	return service_run_start(&s->run, err);
}

static void start_well(struct fixture *s, bool cgroups)
{
	struct error err = ERROR_INIT;

	MUST(start(s, &err));
	if (cgroups && !s->run.cgroup)
		SKIP("no cgroup can be made here");
	assert_true(cgroups || !s->run.cgroup);
}

/* Stops the service and returns the time that took, in ms. */
static double stop_ms(struct fixture *s)
{
	uint64_t before = clock_now_ns();

	service_run_stop(&s->run, &s->notes);
	return (double)(clock_now_ns() - before) / 1e6;
}

static void fixture_release(struct fixture *s)
{
	service_run_release(&s->run);
	strv_release(&s->plan.command);
	strv_release(&s->plan.stop);
	strv_release(&s->plan.environment);
	strv_release(&s->notes);
	free(s->plan.ready_text);
}

static void assert_alive(struct fixture *s, bool expected)
{
	struct error err = ERROR_INIT;

	rest(0);
	assert_int_equal(service_run_alive(&s->run, &err), expected ? 0 : -1);
	assert_int_equal(err.kind, expected ? ERR_NONE : ERR_TARGET);
}

static void assert_no_notes(const struct fixture *s)
{
	if (s->notes.n)
		fail_msg("a note: %s", s->notes.items[0]);
}

static bool has(struct fixture *s, pid_t pid)
{
	CLEANUP(processes_release) struct processes all = { 0 };

	assert_int_equal(service_run_processes(&s->run, &all, NULL), 0);
	return processes_find(&all, pid) != NULL;
}

/* Waits in a loop, so that traps run soon. */
#define WAIT "while :; do sleep 0.02; done"
#define SAYS(name) "echo $$ >" name ".tmp; mv " name ".tmp " name "; "

/* -------- stopping */

static void a_polite_service_is_signalled_once(bool cgroups)
{
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "up", "trap 'echo signalled >>signalled; echo good bye; exit 0' TERM; echo hello; " SAYS("up") WAIT);
	start_well(&s, cgroups);
	assert_alive(&s, true);
	assert_true(has(&s, s.run.child.pid));
	assert_true(stop_ms(&s) < 5000);
	assert_no_notes(&s);
	assert_true(s.run.child.ended);
	assert_int_equal(s.run.child.status, 0);
	nothing_left();

	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT, signalled = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = in_root("signalled");

	tail_text(&s.run.child.output, &output);
	assert_string_equal(output.buf, "hello\ngood bye\n");
	assert_int_equal(file_read(path, 100, &signalled, NULL), 0);
	assert_string_equal(signalled.buf, "signalled\n");
	/* A second stop is harmless. */
	service_run_stop(&s.run, &s.notes);
}

static void a_stubborn_service_is_killed_when_its_grace_is_over(bool cgroups)
{
	CLEANUP(fixture_release) struct fixture s;
	double took_ms;

	fixture(&s, "up", "trap '' TERM; " SAYS("up") WAIT);
	s.service.stop.grace_ns = 200 * NS_PER_MS;
	start_well(&s, cgroups);
	took_ms = stop_ms(&s);
	assert_true(took_ms >= 200 && took_ms < 5000);
	assert_int_equal(s.notes.n, 1);
	assert_string_equal(s.notes.items[0], "service up did not stop within 0.2 s of its stop signal; it was killed");
	assert_true(WIFSIGNALED(s.run.child.status) && WTERMSIG(s.run.child.status) == SIGKILL);
	nothing_left();
}

static void its_own_signal_is_sent_and_a_stopped_one_woken(bool cgroups)
{
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "up", "trap '' TERM; trap 'exit 7' USR2; " SAYS("up") WAIT);
	s.service.stop.signal = SIGUSR2;
	start_well(&s, cgroups);
	kill(s.run.child.pid, SIGSTOP);
	assert_true(stop_ms(&s) < 5000);
	assert_no_notes(&s);
	assert_int_equal(WEXITSTATUS(s.run.child.status), 7);
	nothing_left();
}

static void a_stop_command_is_run(bool cgroups)
{
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "up", "trap '' TERM; " SAYS("up") "while ! [ -e go ]; do sleep 0.02; done");
	set_shell(&s.plan.stop, "echo >go");
	start_well(&s, cgroups);
	assert_true(stop_ms(&s) < 5000);
	assert_no_notes(&s);
	assert_int_equal(s.run.child.status, 0);
	nothing_left();
}

static void a_stop_command_that_fails_is_reported(bool cgroups)
{
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "up", SAYS("up") WAIT);
	s.service.stop.grace_ns = 200 * NS_PER_MS;
	set_shell(&s.plan.stop, "sleep 3661 & exit 4");
	start_well(&s, cgroups);
	stop_ms(&s);
	assert_int_equal(s.notes.n, 2);
	assert_string_equal(s.notes.items[0], "the stop command of service up failed: exited with status 4");
	assert_string_equal(s.notes.items[1], "service up did not stop within 0.2 s of its stop command; it was killed");
	nothing_left();
}

/* The shell ends at once. Its child is signalled too, long before the grace period ends. */
static void children_that_run_on_are_signalled_too(bool cgroups)
{
	struct process child;
	CLEANUP(fixture_release) struct fixture s;
	double took_ms;

	fixture(&s, "up", "sh -c '" SAYS("child") "exec sleep 3662' & " SAYS("up") "sleep 3663; true");
	start_well(&s, cgroups);
	child = process_of("child");
	assert_true(has(&s, child.pid));
	took_ms = stop_ms(&s);
	assert_true(took_ms < 5000);
	assert_no_notes(&s);
	assert_false(lives(&child));
	nothing_left();
}

/* -------- daemons */

/* Daemons: forked twice; in a separate session; with an empty environment; in a session whose leader is gone. */
static const char *const ways[] = {
	"(sh -c \"$BODY\" &)",
	"(setsid sh -c \"$BODY\" &)",
	"(env -i PATH=\"$PATH\" setsid sh -c \"$BODY\" &)",
	"(env -i PATH=\"$PATH\" setsid sh -c '(sh -c \"$1\" &)' sh \"$BODY\" &)",
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void fixture_daemon(struct fixture *s, const char *way, const char *body)
{
	CLEANUP(strbuf_release) struct strbuf script = STRBUF_INIT;

	strbuf_addf(&script, "%s; while ! [ -e leave ]; do sleep 0.02; done", way);
	fixture(s, "up", script.buf);
	strv_pushf(&s->plan.environment, "BODY=%s", body);
}

/* Waits until the first process has ended. */
static void wait_for_leader(const struct fixture *s)
{
	uint64_t give_up = clock_now_ns() + PATIENCE_NS;

	run_script("echo >leave");
	while (!s->run.child.ended && clock_now_ns() < give_up)
		rest(5 * NS_PER_MS);
	assert_true(s->run.child.ended);
}

static void forget_files(void)
{
	run_script("rm -f up daemon signalled leave go child");
}

static void daemons_are_alive_and_signalled(bool cgroups)
{
	for (size_t i = 0; i < WAYS; i++) {
		struct process daemon;
		CLEANUP(fixture_release) struct fixture s;

		fixture_daemon(&s, ways[i], "trap 'echo >signalled; exit' TERM; " SAYS("daemon") SAYS("up") WAIT);
		start_well(&s, cgroups);
		daemon = process_of("daemon");
		wait_for_leader(&s);
		assert_alive(&s, true);
		assert_true(has(&s, daemon.pid));
		assert_false(has(&s, s.run.child.pid));
		assert_true(stop_ms(&s) < 5000);
		assert_no_notes(&s);
		assert_false(lives(&daemon));
		assert_true(is_there("signalled"));
		assert_alive(&s, false);
		nothing_left();
		forget_files();
	}
}

static void stubborn_daemons_are_killed(bool cgroups)
{
	for (size_t i = 0; i < WAYS; i++) {
		CLEANUP(fixture_release) struct fixture s;

		fixture_daemon(&s, ways[i], "trap '' TERM; " SAYS("daemon") SAYS("up") WAIT);
		s.service.stop.grace_ns = 100 * NS_PER_MS;
		start_well(&s, cgroups);
		wait_for_leader(&s);
		assert_true(stop_ms(&s) < 5000);
		assert_int_equal(s.notes.n, 1);
		nothing_left();
		forget_files();
	}
}

/* The process loses its parent after the service was ready. Its group and session identify its service. */
static void what_a_daemon_leaves_is_the_services(bool cgroups)
{
	for (size_t i = 0; i < WAYS; i++) {
		struct process child;
		char names[256];
		CLEANUP(fixture_release) struct fixture s;

		fixture_daemon(&s, ways[i], SAYS("daemon") SAYS("up") "while ! [ -e go ]; do sleep 0.02; done; "
			     "(sh -c '" SAYS("child") "exec sleep 3664' &); " WAIT);
		start_well(&s, cgroups);
		run_script("echo >go");
		child = process_of("child");
		assert_int_equal(keeper_sweep(&keeper, 0, names, NULL), 0);
		assert_true(lives(&child));
		assert_true(has(&s, child.pid));
		assert_true(stop_ms(&s) < 5000);
		assert_no_notes(&s);
		assert_false(lives(&child));
		nothing_left();
		forget_files();
	}
}

/* Output is read after the first process has ended, so that daemons do not block on a full pipe. */
static void what_a_daemon_prints_is_read(bool cgroups)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	CLEANUP(fixture_release) struct fixture s;

	fixture_daemon(&s, ways[1], SAYS("daemon") "while ! [ -e go ]; do sleep 0.02; done; "
		     "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo the end; " SAYS("signalled") WAIT);
	s.service.ready.kind = READY_AT_ONCE;
	start_well(&s, cgroups);
	wait_for_leader(&s);
	run_script("echo >go");
	wait_for_file("signalled");
	stop_ms(&s);
	tail_text(&s.run.child.output, &output);
	assert_true(output.len > 9);
	assert_string_equal(output.buf + output.len - 9, "\nthe end\n");
	nothing_left();
}

/* -------- services that fail to start */

static void what_goes_wrong_at_the_start_is_reported(bool cgroups)
{
	static const struct { const char *script, *expected; } cases[] = {
		{ "echo no room; exit 3", "service up: exited with status 3" },
		{ "kill -SEGV $$", "service up: was killed by SIGSEGV" },
		{ "exit 0", "service up: exited with status 0 and left nothing running" },
		{ "exec sleep 3665", "service up: file up did not appear within 0.3 s" },
		{ "trap '' TERM; (setsid sleep 3666 &); " WAIT, "service up: file up did not appear within 0.3 s" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err = ERROR_INIT;
		CLEANUP(fixture_release) struct fixture s;

		fixture(&s, "up", cases[i].script);
		free(s.plan.ready_text);
		s.plan.ready_text = xstrdup("up");
		s.service.ready.timeout_ns = 300 * NS_PER_MS;
		s.service.stop.grace_ns = 100 * NS_PER_MS;
		assert_int_equal(start(&s, &err), -1);
		assert_int_equal(err.kind, ERR_TARGET);
		assert_memory_equal(err.msg, "service up: ", 12);
		if (strncmp(err.msg, cases[i].expected, strlen(cases[i].expected)))
			fail_msg("%s: %s", cases[i].script, err.msg);
		stop_ms(&s);
		nothing_left();
	}
}

static void what_cannot_be_started_is_reported(bool cgroups)
{
	struct error err = ERROR_INIT;
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "up", "");
	strv_release(&s.plan.command);
	strv_push(&s.plan.command, "/nonexistent/server");
	assert_int_equal(start(&s, &err), -1);
	assert_int_equal(err.kind, ERR_TARGET);
	assert_memory_equal(err.msg, "service up: /nonexistent/server: cannot be started", 50);
	stop_ms(&s);
	nothing_left();
}

static void one_that_was_never_started_is_stopped(bool cgroups)
{
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "up", "true");
	stop_ms(&s);
	assert_no_notes(&s);
}

static void one_that_crashed_is_not_alive(bool cgroups)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct error err = ERROR_INIT;
	CLEANUP(fixture_release) struct fixture s;

	fixture(&s, "up", "sleep 3667 & " SAYS("up") "while ! [ -e go ]; do sleep 0.02; done; echo giving up; exit 9");
	start_well(&s, cgroups);
	assert_alive(&s, true);
	run_script("echo >go");
	wait_for_leader(&s);
	assert_int_equal(service_run_alive(&s.run, &err), -1);
	assert_string_equal(err.msg, "exited with status 9");
	tail_text(&s.run.child.output, &output);
	assert_string_equal(output.buf, "giving up\n");
	assert_true(stop_ms(&s) < 5000);
	assert_no_notes(&s);
	nothing_left();
}

/* The scenario sets the soft and hard limits and the nice value. Only root may raise them. */
static void it_runs_within_its_limits(bool cgroups)
{
	struct error err = ERROR_INIT;
	CLEANUP(fixture_release) struct fixture s;
	struct rlimit most;

	fixture(&s, "made", "touch made; exec sleep 3693");
	s.service.confines = (struct confines){
		.nice = 19, .niced = true, .n_limits = 2,
		.limits = { { "nofile", RLIMIT_NOFILE, 77 }, { "core", RLIMIT_CORE, 0 } },
	};
	start_well(&s, cgroups);
	assert_int_equal(getpriority(PRIO_PROCESS, (id_t)s.run.child.pid), 19);
	assert_int_equal(prlimit(s.run.child.pid, RLIMIT_NOFILE, NULL, &most), 0);
	assert_true(most.rlim_cur == 77 && most.rlim_max == 77);
	assert_int_equal(prlimit(s.run.child.pid, RLIMIT_CORE, NULL, &most), 0);
	assert_true(most.rlim_cur == 0 && most.rlim_max == 0);
	stop_ms(&s);
	service_run_release(&s.run);
	if (geteuid() != 0) {
		s.service.confines = (struct confines){ .n_limits = 1, .limits = { { "nofile", RLIMIT_NOFILE, 1 << 30 } } };
		assert_int_equal(start(&s, &err), -1);
		assert_memory_equal(err.msg, "service made: limits.nofile: only root may raise it above ", 57);
	}
}

/* -------- both ways */

#define EACH(X) \
	X(a_polite_service_is_signalled_once) \
	X(a_stubborn_service_is_killed_when_its_grace_is_over) \
	X(its_own_signal_is_sent_and_a_stopped_one_woken) \
	X(a_stop_command_is_run) \
	X(a_stop_command_that_fails_is_reported) \
	X(children_that_run_on_are_signalled_too) \
	X(daemons_are_alive_and_signalled) \
	X(stubborn_daemons_are_killed) \
	X(what_a_daemon_leaves_is_the_services) \
	X(what_a_daemon_prints_is_read) \
	X(what_goes_wrong_at_the_start_is_reported) \
	X(what_cannot_be_started_is_reported) \
	X(one_that_was_never_started_is_stopped) \
	X(one_that_crashed_is_not_alive) \
	X(it_runs_within_its_limits)

#define WITH_CGROUPS(test) TEST_WITH(test##_with_cgroups, fixture_up, fixture_down) { test(true); }
#define WITHOUT(test) TEST_WITH(test##_without, fixture_up_as_nobody, fixture_down) { test(false); }
EACH(WITH_CGROUPS)
EACH(WITHOUT)
