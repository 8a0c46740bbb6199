/* Readiness: ports, lines, files, commands and delays, with real processes and a real keeper. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/text.h"
#include "ready_fixture.h"

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/pawl-test-ready-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
	char file[80];

	(void)state;
	snprintf(file, sizeof file, "%s/file", folder);
	unlink(file);
	return rmdir(folder);
}

static void a_port_is_awaited(void **state)
{
	struct server server = server_start(NULL, 150);
	struct fixture fixture;
	uint64_t start = clock_now_ns();

	(void)state;
	fixture_open(&fixture, READY_TCP, server.address, 20000);
	assert_ready(&fixture);
	assert_in_range(clock_now_ns() - start, 140 * NS_PER_MS, 10 * NS_PER_S);
	/* 20, 40, 80, 160 ms apart. */
	assert_in_range(fixture.asked, 3, 20);
	fixture_close(&fixture);
	server_stop(&server);
}

static void a_name_has_several_addresses(void **state)
{
	struct server server = server_start(NULL, 0);
	struct fixture fixture;
	char name[32];

	(void)state;
	snprintf(name, sizeof name, "localhost:%d", server.port);
	fixture_open(&fixture, READY_TCP, name, 20000);
	assert_ready(&fixture);
	fixture_close(&fixture);
	server_stop(&server);
}

static void a_port_that_stays_closed_is_told(void **state)
{
	struct server server = { 0 };
	int fd = reserve_port(&server);
	struct fixture fixture;
	char expected[100];

	(void)state;
	snprintf(expected, sizeof expected, "tcp %s was not ready within 0.12 s (Connection refused)", server.address);
	fixture_open(&fixture, READY_TCP, server.address, 120);
	assert_not_ready(&fixture, ERR_TARGET, expected);
	fixture_close(&fixture);
	close(fd);
}

/* A listener whose queue is full: the kernel does not answer. */
static void a_port_that_does_not_answer_is_told(void **state)
{
	struct server server = { 0 };
	int fd = reserve_port(&server), waiting[8];
	struct sockaddr_in addr = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)server.port),
	};
	struct fixture fixture;
	char expected[100];

	(void)state;
	assert_int_equal(listen(fd, 0), 0);
	for (int i = 0; i < 8; i++) {
		waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		connect(waiting[i], (struct sockaddr *)&addr, sizeof addr);
	}
	snprintf(expected, sizeof expected, "tcp %s was not ready within 0.2 s (Connection timed out)", server.address);
	fixture_open(&fixture, READY_TCP, server.address, 200);
	assert_not_ready(&fixture, ERR_TARGET, expected);
	fixture_close(&fixture);
	for (int i = 0; i < 8; i++)
		close(waiting[i]);
	close(fd);
}

/* A network of its own in which whoever connects is given one of two ports. */
static bool enter_small_network(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd, range;
	bool ok;

	if (unshare(CLONE_NEWNET) < 0)
		return false;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	range = open("/proc/sys/net/ipv4/ip_local_port_range", O_WRONLY | O_CLOEXEC);
	ok = ioctl(fd, SIOCSIFFLAGS, &lo) == 0 && range >= 0 && write(range, "40000 40001", 11) == 11;
	close(fd);
	close(range);
	return ok;
}

static void a_connection_to_itself_is_no_server(void **state)
{
	struct fixture fixture;
	int status;
	pid_t pid;

	(void)state;
	fixture_open(&fixture, READY_TCP, "127.0.0.1:40000", 300);
	pid = fork();
	if (pid == 0)
		_exit(!enter_small_network() ? 77 : ready_wait(&fixture.check, &fixture.err) == 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	fixture_close(&fixture);
	if (WEXITSTATUS(status) == 77) {
		print_message("skipped: no right to make a network namespace\n");
		skip();
	}
	assert_int_equal(status, 0);
}

static void what_cannot_be_asked_is_told_at_once(void **state)
{
	static const struct {
		enum ready_kind kind;
		const char *text, *body;
		enum error_kind error;
		const char *expected;
	} cases[] = {
		{ READY_TCP, "6379", NULL, ERR_INPUT,
		  "ready.tcp: expected HOST:PORT such as 127.0.0.1:6379, found '6379': the port is missing" },
		{ READY_HTTP, "https://h/", NULL, ERR_INPUT,
		  "ready.http: expected a URL such as http://127.0.0.1:8080/health, found 'https://h/': only plain http is "
		  "spoken; for https let ready.command run curl" },
		{ READY_HTTP, "http://127.0.0.1:1/", "a(", ERR_INPUT,
		  "ready.body: the regular expression 'a(' cannot be used: Unmatched ( or \\(" },
		{ READY_TCP, "1.2.3.4.5:80", NULL, ERR_TARGET, "cannot find the host '1.2.3.4.5': " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fixture fixture;

		fixture_open(&fixture, cases[i].kind, cases[i].text, 20000);
		fixture.plan.ready_body = (char *)cases[i].body;
		assert_int_equal(ready_wait(&fixture.check, &fixture.err), -1);
		if (strncmp(fixture.err.msg, cases[i].expected, strlen(cases[i].expected)))
			fail_msg("%s\nexpected: %s", fixture.err.msg, cases[i].expected);
		assert_int_equal(fixture.err.kind, cases[i].error);
		fixture_close(&fixture);
	}
}

static void a_line_is_awaited(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, READY_LOG, "is ready$", 20000);
	assert_int_equal(line_watch_init(&fixture.watch, "is ready$", NULL), 0);
	fixture.speaks_at = 3;
	assert_ready(&fixture);
	assert_int_equal(fixture.asked, 3);
	fixture_close(&fixture);
	line_watch_release(&fixture.watch);

	fixture_open(&fixture, READY_LOG, "is rea+dy$", 50);
	assert_not_ready(&fixture, ERR_TARGET, "log: no line matched 'is rea+dy$' within 0.05 s");
	fixture_close(&fixture);
}

static void a_file_is_awaited(void **state)
{
	char path[80], expected[160];
	struct fixture fixture;
	pid_t pid;

	(void)state;
	snprintf(path, sizeof path, "%s/file", folder);
	snprintf(expected, sizeof expected, "file %s did not appear within 0.06 s", path);
	fixture_open(&fixture, READY_FILE, path, 60);
	assert_not_ready(&fixture, ERR_TARGET, expected);
	fixture_close(&fixture);

	pid = fork();
	if (pid == 0) {
		usleep(100 * 1000);
		_exit(mknod(path, S_IFREG | 0600, 0) != 0);
	}
	fixture_open(&fixture, READY_FILE, path, 20000);
	assert_ready(&fixture);
	fixture_close(&fixture);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void set_line(struct fixture *fixture, const char *line)
{
	fixture->service.ready.command.shell = true;
	strv_push(&fixture->plan.ready, "/bin/sh");
	strv_push(&fixture->plan.ready, "-c");
	strv_push(&fixture->plan.ready, line);
}

/* It runs in the service's folder and environment, as often as it takes. */
static void a_command_is_repeated(void **state)
{
	static char *environment[] = { (char *)"NAME=file", NULL };
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, READY_COMMAND, NULL, 20000);
	fixture.plan.cwd = folder;
	fixture.plan.environment = (struct strv){ .items = environment, .n = 1 };
	set_line(&fixture, "echo x >>$NAME && test $(wc -l <file) = 3");
	assert_ready(&fixture);
	assert_in_range(fixture.asked, 3, 10);
	fixture_close(&fixture);
}

static void a_command_that_does_not_succeed_is_quoted(void **state)
{
	static const struct {
		const char *line, *expected;
	} cases[] = {
		{ "exit 3", "command exit 3 did not succeed within 0.5 s (exited with status 3)" },
		{ "echo first; echo 'no route' >&2; false",
		  "command echo first; echo 'no route' >&2; false did not succeed within 0.5 s (exited with status 1: no route)" },
		{ "echo waiting; sleep 60",
		  "command echo waiting; sleep 60 did not succeed within 0.5 s (it was still running: waiting)" },
		{ "kill -9 $$", "command kill -9 $$ did not succeed within 0.5 s (was killed by SIGKILL)" },
		{ "false\nfalse", "command false... did not succeed within 0.5 s (exited with status 1)" },
		/* What one that was cut short says is less than what one before it said. */
		{ "test -e file && exec sleep 60; : >file; echo no; exit 4",
		  "command test -e file && exec sleep 60; : >file; echo no; exit 4 did not succeed within 0.5 s "
		  "(exited with status 4: no)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fixture fixture;
		uint64_t start = clock_now_ns();

		fixture_open(&fixture, READY_COMMAND, NULL, 500);
		fixture.plan.cwd = folder;
		set_line(&fixture, cases[i].line);
		assert_not_ready(&fixture, ERR_TARGET, cases[i].expected);
		assert_in_range(clock_now_ns() - start, 490 * NS_PER_MS, 10 * NS_PER_S);
		assert_null(fixture.keeper.children);
		fixture_close(&fixture);
	}
}

static void words_of_a_command_are_quoted(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, READY_COMMAND, NULL, 300);
	strv_push(&fixture.plan.ready, "test");
	strv_push(&fixture.plan.ready, "a b");
	strv_push(&fixture.plan.ready, "=");
	strv_push(&fixture.plan.ready, "c");
	assert_not_ready(&fixture, ERR_TARGET, "command test 'a b' = c did not succeed within 0.3 s (exited with status 1)");
	fixture_close(&fixture);
}

static void a_missing_program_is_told_at_once(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, READY_COMMAND, NULL, 20000);
	strv_push(&fixture.plan.ready, "pawl-no-such-program");
	assert_not_ready(&fixture, ERR_TARGET,
			 "ready.command pawl-no-such-program: cannot be started: No such file or directory");
	assert_int_equal(fixture.asked, 1);
	fixture_close(&fixture);
}

static void a_delay_is_waited_for(void **state)
{
	struct fixture fixture;
	uint64_t start = clock_now_ns();

	(void)state;
	fixture_open(&fixture, READY_DELAY, NULL, 1);
	fixture.service.ready.delay_ns = 120 * NS_PER_MS;
	assert_ready(&fixture);
	assert_in_range(clock_now_ns() - start, 120 * NS_PER_MS, 10 * NS_PER_S);
	fixture_close(&fixture);

	fixture_open(&fixture, READY_AT_ONCE, NULL, 0);
	start = clock_now_ns();
	assert_ready(&fixture);
	assert_true(clock_now_ns() - start < NS_PER_S);
	assert_int_equal(fixture.asked, 1);
	fixture_close(&fixture);
}

/* Whatever is waited for, a service that ended is not. */
static void a_service_that_ends_is_not_waited_for(void **state)
{
	struct server server = { 0 };
	int fd = reserve_port(&server);

	(void)state;
	for (enum ready_kind kind = READY_AT_ONCE; kind <= READY_DELAY; kind++) {
		struct fixture fixture;
		uint64_t start = clock_now_ns();
		char url[64];

		snprintf(url, sizeof url, "http://%s/", server.address);
		fixture_open(&fixture, kind, server.address, 60000);
		if (kind == READY_HTTP)
			fixture.plan.ready_text = url;
		set_line(&fixture, "sleep 60");
		fixture.dies_at = kind == READY_AT_ONCE ? 1 : 2;
		fixture.service.ready.delay_ns = 50 * NS_PER_MS;
		assert_not_ready(&fixture, ERR_TARGET, "it ended");
		assert_true(clock_now_ns() - start < 20 * NS_PER_S);
		fixture_close(&fixture);
	}
	close(fd);
}

/* The end of a child, here the service's own, ends a long sleep between tries. */
static void the_end_of_a_child_wakes_up(void **state)
{
	static char *argv[] = { (char *)"sleep", (char *)"0.1", NULL };
	const struct strv words = { .items = argv, .n = 2 };
	const struct child_spec spec = { .argv = &words };
	struct child child = { 0 };
	struct fixture fixture;
	uint64_t start;

	(void)state;
	fixture_open(&fixture, READY_DELAY, NULL, 0);
	fixture.service.ready.delay_ns = 60 * NS_PER_S;
	fixture.dies_at = 2;
	assert_int_equal(child_start(&fixture.keeper, &spec, &child, &fixture.err), 0);
	assert_int_equal(child_release(&child, &fixture.err), 0);
	start = clock_now_ns();
	assert_not_ready(&fixture, ERR_TARGET, "it ended");
	assert_true(clock_now_ns() - start < 20 * NS_PER_S);
	assert_true(child.ended);
	child_dispose(&fixture.keeper, &child);
	fixture_close(&fixture);
}

static double own_cpu_ms(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static void waiting_costs_next_to_nothing(void **state)
{
	struct server server = { 0 };
	int fd = reserve_port(&server);
	struct fixture fixture;
	double used_ms;

	(void)state;
	fixture_open(&fixture, READY_TCP, server.address, 1000);
	used_ms = -own_cpu_ms();
	assert_int_equal(ready_wait(&fixture.check, &fixture.err), -1);
	used_ms += own_cpu_ms();
	if (used_ms > 20)
		fail_msg("waiting for 1 s took %.1f ms of CPU time", used_ms);
	assert_in_range(fixture.asked, 4, 12);
	fixture_close(&fixture);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_port_is_awaited),
		cmocka_unit_test(a_name_has_several_addresses),
		cmocka_unit_test(a_port_that_stays_closed_is_told),
		cmocka_unit_test(a_port_that_does_not_answer_is_told),
		cmocka_unit_test(a_connection_to_itself_is_no_server),
		cmocka_unit_test(what_cannot_be_asked_is_told_at_once),
		cmocka_unit_test(a_line_is_awaited),
		cmocka_unit_test_setup_teardown(a_file_is_awaited, make_folder, drop_folder),
		cmocka_unit_test_setup_teardown(a_command_is_repeated, make_folder, drop_folder),
		cmocka_unit_test_setup_teardown(a_command_that_does_not_succeed_is_quoted, make_folder, drop_folder),
		cmocka_unit_test(words_of_a_command_are_quoted),
		cmocka_unit_test(a_missing_program_is_told_at_once),
		cmocka_unit_test(a_delay_is_waited_for),
		cmocka_unit_test(a_service_that_ends_is_not_waited_for),
		cmocka_unit_test(the_end_of_a_child_wakes_up),
		cmocka_unit_test(waiting_costs_next_to_nothing),
	};

	/* As measuring does (session.c). */
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("ready", tests, NULL, NULL);
}
