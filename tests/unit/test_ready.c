#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/services/ready.h"
#include "scenario/scenario.h"

/* Waiting for a service: a real keeper, a hand-made service of a plan, and servers in separate processes. */

/* -------- servers */

struct server {
	pid_t pid;
	int port;
	char address[32];	/* 127.0.0.1:PORT */
};

/* Answers one connection; NTH counts connections from 0. */
typedef void serve_fn(int fd, unsigned nth);

/* Binds a socket without listening. This reserves the port, and connections are refused. */
static int reserve_port(struct server *server)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof addr;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof addr), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&addr, &len), 0);
	server->port = ntohs(addr.sin_port);
	snprintf(server->address, sizeof server->address, "127.0.0.1:%d", server->port);
	return fd;
}

/* Starts a server that listens after WAIT_MS. */
static struct server server_start(serve_fn *serve, unsigned wait_ms)
{
	struct server server = { 0 };
	int fd = reserve_port(&server);

	if (!wait_ms)
		assert_int_equal(listen(fd, 8), 0);
	server.pid = fork();
	if (server.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		usleep(wait_ms * 1000);
		listen(fd, 8);
		for (unsigned nth = 0;; nth++) {
			int peer = accept(fd, NULL, NULL);

			if (serve)
				serve(peer, nth);
			close(peer);
		}
	}
	close(fd);
	return server;
}

static void server_stop(struct server *server)
{
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
}

/* -------- waiting */

struct fixture {
	struct keeper keeper;
	struct service service;
	struct plan_service plan;
	struct line_watch watch;
	struct ready_check check;
	unsigned asked;			/* calls of alive so far */
	unsigned dies_at, speaks_at;	/* the call at which it has ended, or has written "it is ready"; 0: never */
	unsigned open_files;		/* open files before the test */
	struct error err;
};

static unsigned count_open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static int fixture_alive(void *ctx, struct error *err)
{
	struct fixture *fixture = ctx;

	fixture->asked++;
	if (fixture->asked == fixture->speaks_at)
		line_watch_feed(&fixture->watch, "it is ready\n", 12);
	return fixture->dies_at && fixture->asked >= fixture->dies_at ? error_set(err, ERR_TARGET, "it ended") : 0;
}

static void fixture_open(struct fixture *fixture, enum ready_kind kind, const char *text, unsigned timeout_ms)
{
	*fixture = (struct fixture){
		.service = { .name = (char *)"db", .ready = { .kind = kind, .timeout_ns = timeout_ms * NS_PER_MS } },
		.plan = { .cwd = (char *)"/", .ready_text = (char *)text },
	};
	fixture->open_files = count_open_files();
	fixture->plan.service = &fixture->service;
	fixture->check = (struct ready_check){
		.keeper = &fixture->keeper, .service = &fixture->plan, .watch = &fixture->watch, .alive = fixture_alive, .ctx = fixture,
	};
	assert_int_equal(keeper_start(&fixture->keeper, NULL, &fixture->err), 0);
}

static void fixture_close(struct fixture *fixture)
{
	keeper_stop(&fixture->keeper);
	strv_release(&fixture->plan.ready);
	assert_int_equal(count_open_files(), fixture->open_files);
}

static void assert_ready(struct fixture *fixture)
{
	if (ready_wait(&fixture->check, &fixture->err) < 0)
		fail_msg("%s", fixture->err.msg);
	assert_int_equal(fixture->err.kind, ERR_NONE);
}

/* Asserts that waiting fails with exactly this message. */
static void assert_not_ready(struct fixture *fixture, enum error_kind kind, const char *expected)
{
	if (ready_wait(&fixture->check, &fixture->err) == 0)
		fail_msg("it is ready, but should be: %s", expected);
	assert_string_equal(fixture->err.msg, expected);
	assert_int_equal(fixture->err.kind, kind);
}

/* -------- Readiness: ports, lines, files, commands and delays, with real processes and a real keeper. */

static char folder[64];

static int make_folder(void **state)
{
	snprintf(folder, sizeof folder, "/tmp/pawl-test-ready-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
	char file[80];

	snprintf(file, sizeof file, "%s/file", folder);
	unlink(file);
	return rmdir(folder);
}

TEST(a_port_is_awaited)
{
	CLEANUP(server_stop) struct server server = server_start(NULL, 150);
	CLEANUP(fixture_close) struct fixture fixture;
	uint64_t start = clock_now_ns();

	fixture_open(&fixture, READY_TCP, server.address, 20000);
	assert_ready(&fixture);
	assert_in_range(clock_now_ns() - start, 140 * NS_PER_MS, 10 * NS_PER_S);
	/* Tries are 20, 40, 80 and 160 ms apart. A slow machine makes fewer while the server starts. */
	assert_in_range(fixture.asked, 1, 20);
}

TEST(a_name_has_several_addresses)
{
	CLEANUP(server_stop) struct server server = server_start(NULL, 0);
	CLEANUP(fixture_close) struct fixture fixture;
	char name[32];

	snprintf(name, sizeof name, "localhost:%d", server.port);
	fixture_open(&fixture, READY_TCP, name, 20000);
	assert_ready(&fixture);
}

TEST(a_port_that_stays_closed_is_reported)
{
	struct server server = { 0 };
	int fd = reserve_port(&server);
	struct fixture fixture;
	char expected[100];

	snprintf(expected, sizeof expected, "tcp %s was not ready within 0.12 s (Connection refused)", server.address);
	fixture_open(&fixture, READY_TCP, server.address, 120);
	assert_not_ready(&fixture, ERR_TARGET, expected);
	fixture_close(&fixture);
	close(fd);
}

/* A listener with a full queue: the kernel does not answer. */
TEST(a_port_that_does_not_answer_is_reported)
{
	struct server server = { 0 };
	int fd = reserve_port(&server), waiting[8];
	struct sockaddr_in addr = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)server.port),
	};
	struct fixture fixture;
	char expected[100];

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

/* Enters a separate network in which clients get one of two ports. */
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

TEST(a_connection_to_itself_is_no_server)
{
	struct fixture fixture;
	int status;
	pid_t pid;

	fixture_open(&fixture, READY_TCP, "127.0.0.1:40000", 300);
	pid = fork();
	if (pid == 0)
		_exit(!enter_small_network() ? 77 : ready_wait(&fixture.check, &fixture.err) == 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	fixture_close(&fixture);
	if (WEXITSTATUS(status) == 77)
		SKIP("no right to make a network namespace");
	assert_int_equal(status, 0);
}

#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "0123"

/* As session.c does. */
static int ignore_sigpipe(void **state)
{
	return signal(SIGPIPE, SIG_IGN) == SIG_ERR ? -1 : 0;
}
FIXTURE(ignore_sigpipe, NULL);

/* Reads a request and answers with its text. */
static void echo_request(int fd, unsigned nth)
{
	static const char head[] = "HTTP/1.0 200 OK\r\n\r\n";
	char text[2000];
	size_t len = 0;
	ssize_t n;

	while (len < sizeof text && !memmem(text, len, "\r\n\r\n", 4) && (n = read(fd, text + len, sizeof text - len)) > 0)
		len += (size_t)n;
	/* A client that only connects is gone by then. */
	if (write(fd, head, sizeof head - 1) > 0 && write(fd, text, len) < 0)
		_exit(1);
}

TEST(a_request_says_what_it_should)
{
	static const struct { const char *method, *header, *body; } cases[] = {
		{ NULL, NULL, "^GET /x HTTP/1.0" }, { NULL, NULL, "^Host: 127.0.0.1:[0-9]" }, { "POST", NULL, "^Content-Length: 0" },
		{ "OPTIONS", NULL, "^OPTIONS /x HTTP" }, { NULL, "host: example.org", "^host: example.org" },
		{ NULL, "Authorization: Bearer 12", "^Authorization: Bearer 12" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(server_stop) struct server server = server_start(echo_request, 0);
		CLEANUP(fixture_close) struct fixture fixture;
		char url[80];

		snprintf(url, sizeof url, "http://%s/x", server.address);
		fixture_open(&fixture, READY_HTTP, url, 20000);
		fixture.service.ready.method = (char *)cases[i].method;
		fixture.plan.ready_body = (char *)cases[i].body;
		if (cases[i].header)
			strv_push(&fixture.plan.ready_headers, cases[i].header);
		assert_ready(&fixture);
		strv_release(&fixture.plan.ready_headers);
	}
}

TEST_WITH(a_unix_socket_is_awaited, make_folder, drop_folder)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct fixture fixture;
	char expected[200], url[160];
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	pid_t pid;

	snprintf(addr.sun_path, sizeof addr.sun_path, "%s/file", folder);
	snprintf(expected, sizeof expected, "unix %s was not ready within 0.1 s (No such file or directory)", addr.sun_path);
	fixture_open(&fixture, READY_UNIX, addr.sun_path, 100);
	assert_not_ready(&fixture, ERR_TARGET, expected);
	fixture_close(&fixture);

	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof addr), 0);
	assert_int_equal(listen(fd, 8), 0);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;) {
			int peer = accept(fd, NULL, NULL);

			echo_request(peer, 0);
			close(peer);
		}
	}
	fixture_open(&fixture, READY_UNIX, addr.sun_path, 20000);
	assert_int_equal(ready_refuse_stranger(&fixture.plan, &fixture.err), -1);
	assert_non_null(strstr(fixture.err.msg, "somebody listens on the socket"));
	fixture.err = (struct error)ERROR_INIT;
	fixture_close(&fixture);
	snprintf(url, sizeof url, "http://unix:%s:/health", addr.sun_path);
	fixture_open(&fixture, READY_HTTP, url, 20000);
	fixture.plan.ready_body = (char *)"^GET /health HTTP/1.0";
	assert_ready(&fixture);
	fixture_close(&fixture);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
}

TEST(what_cannot_be_asked_is_reported_at_once)
{
	static const struct {
		enum ready_kind kind; const char *text, *body; enum error_kind error; const char *expected;
	} cases[] = {
		{ READY_TCP, "6379", NULL, ERR_INPUT,
		  "ready.tcp: expected HOST:PORT such as 127.0.0.1:6379, found '6379': the port is missing" },
		{ READY_HTTP, "ftp://h/", NULL, ERR_INPUT,
		  "ready.http: expected a URL such as http://127.0.0.1:8080/health, found 'ftp://h/': it does not begin with "
		  "http:// or https://" },
		{ READY_UNIX, "/" HUNDRED "x/s", NULL, ERR_INPUT, "ready.unix: the path of a socket has at most 107 bytes, not 108: /" },
		{ READY_HTTP, "http://127.0.0.1:1/", "a(", ERR_INPUT,
		  "ready.body: the regular expression 'a(' cannot be used: missing closing parenthesis" },
		{ READY_TCP, "1.2.3.4.5:80", NULL, ERR_TARGET, "cannot find the host '1.2.3.4.5': " },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture fixture;

		fixture_open(&fixture, cases[i].kind, cases[i].text, 20000);
		fixture.plan.ready_body = (char *)cases[i].body;
		assert_int_equal(ready_wait(&fixture.check, &fixture.err), -1);
		if (strncmp(fixture.err.msg, cases[i].expected, strlen(cases[i].expected)))
			fail_msg("%s\nexpected: %s", fixture.err.msg, cases[i].expected);
		assert_int_equal(fixture.err.kind, cases[i].error);
	}
}

TEST(a_line_is_awaited)
{
	struct fixture fixture;

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

TEST_WITH(a_file_is_awaited, make_folder, drop_folder)
{
	char path[80], expected[160];
	struct fixture fixture;
	pid_t pid;

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

/* The command runs in the service's folder and environment until it succeeds. */
TEST_WITH(a_command_is_repeated, make_folder, drop_folder)
{
	static char *environment[] = { (char *)"NAME=file", NULL };
	CLEANUP(fixture_close) struct fixture fixture;

	fixture_open(&fixture, READY_COMMAND, NULL, 20000);
	fixture.plan.cwd = folder;
	fixture.plan.environment = (struct strv){ .items = environment, .n = 1 };
	set_line(&fixture, "echo x >>$NAME && test $(wc -l <file) = 3");
	assert_ready(&fixture);
	assert_in_range(fixture.asked, 3, 10);
}

TEST_WITH(a_command_that_does_not_succeed_is_quoted, make_folder, drop_folder)
{
	static const struct { const char *line, *expected; } cases[] = {
		{ "exit 3", "command exit 3 did not succeed within 0.5 s (exited with status 3)" },
		{ "echo first; echo 'no route' >&2; false",
		  "command echo first; echo 'no route' >&2; false did not succeed within 0.5 s (exited with status 1: no route)" },
		{ "echo waiting; sleep 60",
		  "command echo waiting; sleep 60 did not succeed within 0.5 s (it was still running: waiting)" },
		{ "kill -9 $$", "command kill -9 $$ did not succeed within 0.5 s (was killed by SIGKILL)" },
		{ "false\nfalse", "command false... did not succeed within 0.5 s (exited with status 1)" },
		/* Output of an earlier complete try is more useful than output of one that was cut short. */
		{ "test -e file && exec sleep 60; : >file; echo no; exit 4",
		  "command test -e file && exec sleep 60; : >file; echo no; exit 4 did not succeed within 0.5 s "
		  "(exited with status 4: no)" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture fixture;
		uint64_t start = clock_now_ns();

		fixture_open(&fixture, READY_COMMAND, NULL, 500);
		fixture.plan.cwd = folder;
		set_line(&fixture, cases[i].line);
		assert_not_ready(&fixture, ERR_TARGET, cases[i].expected);
		assert_in_range(clock_now_ns() - start, 490 * NS_PER_MS, 10 * NS_PER_S);
		assert_null(fixture.keeper.children);
	}
}

TEST(words_of_a_command_are_quoted)
{
	CLEANUP(fixture_close) struct fixture fixture;

	fixture_open(&fixture, READY_COMMAND, NULL, 300);
	strv_push(&fixture.plan.ready, "test");
	strv_push(&fixture.plan.ready, "a b");
	strv_push(&fixture.plan.ready, "=");
	strv_push(&fixture.plan.ready, "c");
	assert_not_ready(&fixture, ERR_TARGET, "command test 'a b' = c did not succeed within 0.3 s (exited with status 1)");
}

TEST(a_missing_program_is_reported_at_once)
{
	CLEANUP(fixture_close) struct fixture fixture;

	fixture_open(&fixture, READY_COMMAND, NULL, 20000);
	strv_push(&fixture.plan.ready, "pawl-no-such-program");
	assert_not_ready(&fixture, ERR_TARGET,
			 "ready.command pawl-no-such-program: cannot be started: No such file or directory");
	assert_int_equal(fixture.asked, 1);
}

TEST(a_delay_is_waited_for)
{
	struct fixture fixture;
	uint64_t start = clock_now_ns();

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

/* pawl stops waiting when the service ends, for every kind of readiness. */
TEST(a_service_that_ends_is_not_waited_for)
{
	struct server server = { 0 };
	int fd = reserve_port(&server);

	for (enum ready_kind kind = READY_AT_ONCE; kind <= READY_DELAY; kind++) {
		CLEANUP(fixture_close) struct fixture fixture;
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
	}
	close(fd);
}

/* The end of a child (here the service) ends a long sleep between tries. */
TEST(the_end_of_a_child_wakes_up)
{
	static char *argv[] = { (char *)"sleep", (char *)"0.1", NULL };
	const struct strv words = { .items = argv, .n = 2 };
	const struct child_spec spec = { .argv = &words };
	struct child child = { 0 };
	CLEANUP(fixture_close) struct fixture fixture;
	uint64_t start;

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
}

static double own_cpu_ms(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

TEST(waiting_costs_next_to_nothing)
{
	struct server server = { 0 };
	int fd = reserve_port(&server);
	struct fixture fixture;
	uint64_t start;
	double used_ms, waited_ms;

	fixture_open(&fixture, READY_TCP, server.address, 1000);
	start = clock_now_ns();
	used_ms = -own_cpu_ms();
	assert_int_equal(ready_wait(&fixture.check, &fixture.err), -1);
	used_ms += own_cpu_ms();
	waited_ms = (double)(clock_now_ns() - start) / NS_PER_MS;
	if (used_ms > 0.1 * waited_ms)
		fail_msg("waiting for %.0f ms took %.1f ms of CPU time", waited_ms, used_ms);
	assert_in_range(fixture.asked, 4, 12);
	fixture_close(&fixture);
	close(fd);
}

/* -------- HTTP probes against slow, wrong and hostile servers; interrupts; other programs on the port. */

static void say(int fd, const char *text)
{
	send(fd, text, strlen(text), MSG_NOSIGNAL);
}

/* Reads up to the empty line. */
static void read_request(int fd, char text[1024])
{
	size_t len = 0;
	ssize_t n;

	memset(text, 0, 1024);
	while (len < 1023 && !strstr(text, "\r\n\r\n") && (n = read(fd, text + len, 1023 - len)) > 0)
		len += (size_t)n;
}

static void wait_for_request(int fd)
{
	char text[1024];

	read_request(fd, text);
}

static void wait_for_end(int fd)
{
	char byte;

	while (read(fd, &byte, 1) > 0)
		;
}

static void ready_at_the_fourth(int fd, unsigned nth)
{
	wait_for_request(fd);
	say(fd, nth < 3 ? "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nwait" :
			  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
}

static void unavailable(int fd, unsigned nth)
{
	wait_for_request(fd);
	say(fd, "HTTP/1.1 503 Service Unavailable\r\n\r\n");
}

static void silent(int fd, unsigned nth)
{
	wait_for_end(fd);
}

static void silent_once(int fd, unsigned nth)
{
	if (nth == 0)
		wait_for_end(fd);
	else
		say(fd, "HTTP/1.1 200 OK\r\n\r\n");
}

static void another_protocol(int fd, unsigned nth)
{
	say(fd, "220 mail.example ESMTP\r\n");
	wait_for_end(fd);
}

static void garbage(int fd, unsigned nth)
{
	wait_for_request(fd);
	say(fd, "\x1b[31m\xff\xfe garbage");
}

static void hangs_up(int fd, unsigned nth)
{
	wait_for_request(fd);
}

static void in_pieces(int fd, unsigned nth)
{
	wait_for_request(fd);
	for (const char *c = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"status\": \"green\"}\n"; *c; c++) {
		send(fd, c, 1, MSG_NOSIGNAL);
		usleep(200);
	}
}

static void half(int fd, unsigned nth)
{
	wait_for_request(fd);
	say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n");
}

static void two_lines(int fd, unsigned nth)
{
	wait_for_request(fd);
	send(fd, "HTTP/1.0 200 OK\r\n\r\n\0starting\nserving\n", 37, MSG_NOSIGNAL);
}

static void redirects(int fd, unsigned nth)
{
	wait_for_request(fd);
	say(fd, "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n");
}

static void events(int fd, unsigned nth)
{
	wait_for_request(fd);
	say(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ok\n\n");
	wait_for_end(fd);
}

/* Sends without long pauses and never ends. */
static void dribbles(int fd, unsigned nth)
{
	say(fd, "HTTP/1.1 200 OK\r\nX: ");
	while (send(fd, "x", 1, MSG_NOSIGNAL) == 1)
		usleep(1000);
}

static void floods(int fd, unsigned nth)
{
	static char block[65536];

	say(fd, "HTTP/1.1 200 OK\r\n\r\nok\n");
	memset(block, 'x', sizeof block);
	while (send(fd, block, sizeof block, MSG_NOSIGNAL) > 0)
		;
}

/* Reports ready only for the expected request. */
static void wants_its_request(int fd, unsigned nth)
{
	char text[1024], expected[1024];
	struct sockaddr_in own;
	socklen_t len = sizeof own;

	getsockname(fd, (struct sockaddr *)&own, &len);
	snprintf(expected, sizeof expected,
		 "GET /health?full=1 HTTP/1.0\r\nHost: 127.0.0.1:%d\r\nUser-Agent: pawl/" PAWL_VERSION
		 "\r\nConnection: close\r\n\r\n", ntohs(own.sin_port));
	read_request(fd, text);
	say(fd, strcmp(text, expected) ? "HTTP/1.1 400 Bad Request\r\n\r\n" : "HTTP/1.1 200 OK\r\n\r\n");
}

static const struct {
	const char *name;
	serve_fn *serve;
	const char *path;
	unsigned status;
	const char *body;
	unsigned timeout_ms;
	const char *saw;		/* NULL: the service becomes ready */
} cases_ready_http[] = {
	{ "503, then 200", ready_at_the_fourth, "/", 0, NULL, 20000, NULL },
	{ "503 is wanted", ready_at_the_fourth, "/", 503, "^wa", 20000, NULL },
	{ "200 is not 204", ready_at_the_fourth, "/", 204, NULL, 900, "status 200" },
	{ "503 for too long", unavailable, "/", 0, NULL, 400, "status 503" },
	{ "the request", wants_its_request, "/health?full=1#x", 0, NULL, 20000, NULL },
	{ "silence", silent, "/", 0, NULL, 400, "it accepted the connection but did not answer" },
	{ "silence, then an answer", silent_once, "/", 0, NULL, 20000, NULL },
	{ "another protocol", another_protocol, "/", 0, NULL, 400,
	  "it does not speak HTTP/1, its answer begins with '220 mail.example ESMTP'" },
	{ "garbage", garbage, "/", 0, NULL, 400, "it does not speak HTTP/1, its answer begins with '\x1b[31m\xff\xfe garbage'" },
	{ "no answer", hangs_up, "/", 0, NULL, 400, "it closed the connection without an answer" },
	{ "pieces", in_pieces, "/", 0, "\"status\": \"(green|yellow)\"", 20000, NULL },
	{ "pieces of something else", in_pieces, "/", 0, "\"red\"", 400, "its body does not match '\"red\"'" },
	{ "half an answer", half, "/", 0, NULL, 400, "its answer ends too early" },
	{ "a line of the body", two_lines, "/", 0, "^serving$", 20000, NULL },
	{ "a redirection", redirects, "/", 0, NULL, 20000, NULL },
	{ "a redirection that is not wanted", redirects, "/", 200, NULL, 400, "status 302" },
	{ "a stream of events", events, "/", 0, NULL, 20000, NULL },
	{ "a stream of events whose body is wanted", events, "/", 0, "ok", 400, "its answer did not end" },
	{ "endless fields", dribbles, "/", 0, NULL, 400, "its answer did not end" },
	{ "an endless body", floods, "/", 200, "^ok$", 20000, NULL },
};

TEST(servers_become_ready_or_not)
{
	for (size_t i = 0; i < sizeof cases_ready_http / sizeof cases_ready_http[0]; i++) {
		struct server server = server_start(cases_ready_http[i].serve, 0);
		uint64_t start = clock_now_ns();
		struct fixture fixture;
		char url[100], expected[300];
		int ret;

		snprintf(url, sizeof url, "http://%s%s", server.address, cases_ready_http[i].path);
		fixture_open(&fixture, READY_HTTP, url, cases_ready_http[i].timeout_ms);
		fixture.service.ready.status = cases_ready_http[i].status;
		fixture.plan.ready_body = (char *)cases_ready_http[i].body;
		ret = ready_wait(&fixture.check, &fixture.err);
		fixture_close(&fixture);
		server_stop(&server);
		snprintf(expected, sizeof expected, "http %s was not ready within %g s (%s)", url, cases_ready_http[i].timeout_ms / 1e3,
			 cases_ready_http[i].saw ?: "");
		if (!cases_ready_http[i].saw != !ret || (cases_ready_http[i].saw && strcmp(fixture.err.msg, expected)))
			fail_msg("%s: %s", cases_ready_http[i].name, ret ? fixture.err.msg : "it is ready");
		assert_int_equal(fixture.err.kind, ret ? ERR_TARGET : ERR_NONE);
		assert_true(clock_now_ns() - start < cases_ready_http[i].timeout_ms * NS_PER_MS + 5 * NS_PER_S);
	}
}

TEST(a_server_that_starts_late_is_awaited)
{
	CLEANUP(server_stop) struct server server = server_start(redirects, 120);
	CLEANUP(fixture_close) struct fixture fixture;
	char url[64];

	snprintf(url, sizeof url, "http://localhost:%d", server.port);
	fixture_open(&fixture, READY_HTTP, url, 20000);
	assert_ready(&fixture);
}

/* A service must not block on its output. It prints more than a pipe holds during a try. */
TEST(the_output_of_children_is_read_meanwhile)
{
	static char *argv[] = { (char *)"head", (char *)"-c", (char *)"8000000", (char *)"/dev/zero", NULL };
	const struct strv words = { .items = argv, .n = 4 };
	const struct child_spec spec = { .argv = &words };
	CLEANUP(server_stop) struct server server = server_start(silent, 0);
	struct child child = { 0 };
	CLEANUP(fixture_close) struct fixture fixture;
	char url[64];

	snprintf(url, sizeof url, "http://%s/", server.address);
	fixture_open(&fixture, READY_HTTP, url, 900);
	assert_int_equal(child_start(&fixture.keeper, &spec, &child, &fixture.err), 0);
	assert_int_equal(child_release(&child, &fixture.err), 0);
	for (int tries = 0; tries < 20 && !child.ended; tries++)
		assert_int_equal(ready_wait(&fixture.check, &fixture.err), -1);
	assert_true(child.ended);
	assert_int_equal(child.status, 0);
	child_dispose(&fixture.keeper, &child);
}

static pid_t interrupt_after(unsigned ms)
{
	pid_t pid = fork();

	if (pid == 0) {
		usleep(ms * 1000);
		kill(getppid(), SIGTERM);
		_exit(0);
	}
	return pid;
}

TEST(an_interrupt_ends_every_wait)
{
	struct server mute = server_start(silent, 0), closed = { 0 };
	int fd = reserve_port(&closed);

	for (enum ready_kind kind = READY_TCP; kind <= READY_DELAY; kind++) {
		CLEANUP(interrupt_release) struct interrupt interrupt;
		uint64_t start = clock_now_ns();
		CLEANUP(fixture_close) struct fixture fixture;
		char url[64];
		pid_t pid;

		assert_int_equal(interrupt_init(&interrupt, NULL), 0);
		snprintf(url, sizeof url, "http://%s/", mute.address);
		fixture_open(&fixture, kind, kind == READY_HTTP ? url : closed.address, 60000);
		fixture.service.ready.delay_ns = 60 * NS_PER_S;
		strv_push(&fixture.plan.ready, "sleep");
		strv_push(&fixture.plan.ready, "60");
		fixture.keeper.interrupt = &interrupt;
		pid = interrupt_after(100);
		assert_not_ready(&fixture, ERR_INTERRUPTED, "interrupted by SIGTERM");
		assert_int_equal(fixture.err.sys, SIGTERM);
		assert_true(clock_now_ns() - start < 20 * NS_PER_S);
		assert_null(fixture.keeper.children);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
	server_stop(&mute);
	close(fd);
}

/* -------- heads of responses */

#define HEAD "HTTP/1.1 200 OK\r\n"

TEST(heads_are_read_however_they_are_cut)
{
	static const struct { const char *text; unsigned status; const char *body, *why; } heads[] = {
		{ "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", NULL },
		{ "HTTP/1.0 200 OK\n\nhello\n", 200, "hello\n", NULL },
		{ "HTTP/1.0 200 OK\r\nA: b\n\nhello\r\n\r\n", 200, "hello\r\n\r\n", NULL },
		{ "HTTP/1.1 503\r\n\r\n\n\n", 503, "\n\n", NULL },
		{ "HTTP/1.1 503 \r\ncontent-length:0\r\n\r\n", 503, "", NULL },
		{ "HTTP/1.1 301 Moved\r\nLocation: http://a:b/\r\nCONTENT-LENGTH:\t 2 \t\r\n\r\nok", 301, "ok", NULL },
		{ "HTTP/1.1 100 Continue\r\n\r\n", 100, "", NULL },
		{ "", 0, NULL, NULL }, { "H", 0, NULL, NULL }, { "HTTP/1.1 200 OK", 0, NULL, NULL },
		{ HEAD, 0, NULL, NULL }, { HEAD "\r", 0, NULL, NULL }, { HEAD "A: b\r\n", 0, NULL, NULL },
		{ "SSH-2.0-OpenSSH_9.2\r\n", 0, NULL, "it does not speak HTTP/1, its answer begins with 'SSH-2.0-OpenSSH_9.2'" },
		{ "220 mail.example ESMTP\r\n250-more", 0, NULL,
		  "it does not speak HTTP/1, its answer begins with '220 mail.example ESMTP'" },
		{ "HTTP/2 200\r\n", 0, NULL, "it does not speak HTTP/1, its answer begins with 'HTTP/2 200'" },
		{ "\r\nHTTP/1.1 200 OK\r\n", 0, NULL, "it does not speak HTTP/1, its answer begins with ''" },
		{ "http/1.1 200 OK\r\n", 0, NULL, "it does not speak HTTP/1, its answer begins with 'http/1.1 200 OK'" },
		{ "HTTP/1.1 OK\r\n", 0, NULL, "its answer has no status but 'HTTP/1.1 OK'" },
		{ "HTTP/1.1 20\r\n", 0, NULL, "its answer has no status but 'HTTP/1.1 20'" },
		{ "HTTP/1.1 2000\r\n", 0, NULL, "its answer has no status but 'HTTP/1.1 2000'" },
		{ "HTTP/1.1 099 x\r\n", 0, NULL, "its answer has no status but 'HTTP/1.1 099 x'" },
		{ "HTTP/1.  200 x\r\n", 0, NULL, "its answer has no status but 'HTTP/1.  200 x'" },
		{ "HTTP/1.1\r\n", 0, NULL, "its answer has no status but 'HTTP/1.1'" },
		{ "HTTP/1.1 200x\r\n", 0, NULL, "its answer has no status but 'HTTP/1.1 200x'" },
	};

	for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
		struct ready_answer answer = { 0 };
		struct error err = ERROR_INIT;
		size_t len = strlen(heads[i].text);
		int got = ready_http_head(heads[i].text, len, &answer, &err);

		if (got != (heads[i].why ? -1 : heads[i].body ? 1 : 0) || answer.status != heads[i].status)
			fail_msg("%s: %d, %u: %s", heads[i].text, got, answer.status, err.msg);
		assert_string_equal(err.msg, heads[i].why ?: "");
		assert_int_equal(err.kind, heads[i].why ? ERR_TARGET : ERR_NONE);
		if (heads[i].body)
			assert_string_equal(heads[i].text + answer.body, heads[i].body);
		/* Every prefix of a valid head is accepted. */
		for (size_t part = 0; !heads[i].why && part < len; part++)
			if (ready_http_head(heads[i].text, part, &answer, &err) < 0)
				fail_msg("%.*s: %s", (int)part, heads[i].text, err.msg);
	}
}

TEST(endless_fields_are_refused)
{
	static const char *const again[] = { "x", "a: b\r\n" };

	for (size_t i = 0; i < sizeof again / sizeof again[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		struct ready_answer answer = { 0 };
		struct error err = ERROR_INIT;

		strbuf_adds(&text, HEAD);
		while (text.len < HTTP_HEAD_LARGEST) {
			assert_int_equal(ready_http_head(text.buf, text.len, &answer, &err), 0);
			for (int n = 0; n < 1000; n++)
				strbuf_adds(&text, again[i]);
		}
		assert_int_equal(ready_http_head(text.buf, text.len, &answer, &err), -1);
		assert_string_equal(err.msg, "its answer has more than 64 KiB of fields");
		assert_int_equal(answer.status, 0);
	}
}

/* -------- before the service starts */

static int refuse(enum ready_kind kind, const char *text, struct error *err)
{
	const struct service service = { .ready = { .kind = kind } };
	const struct plan_service plan = { .service = &service, .ready_text = (char *)text };

	*err = (struct error)ERROR_INIT;
	return ready_refuse_stranger(&plan, err);
}

TEST(a_stranger_on_the_port_is_named)
{
	static const struct { enum ready_kind kind; const char *form; } probes[] = {
		{ READY_TCP, "127.0.0.1:%d" }, { READY_TCP, "localhost:%d" }, { READY_TCP, "0.0.0.0:%d" },
		{ READY_HTTP, "http://127.0.0.1:%d/x" },
	};
	CLEANUP(server_stop) struct server server = server_start(silent, 0);

	for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
		char text[64], expected[200];
		struct error err;

		snprintf(text, sizeof text, probes[i].form, server.port);
		snprintf(expected, sizeof expected,
			 "port %d is already taken by test_ready (%d); stop it, or use ${port} for a free one",
			 server.port, (int)server.pid);
		assert_int_equal(refuse(probes[i].kind, text, &err), -1);
		assert_int_equal(err.kind, ERR_TARGET);
		assert_string_equal(err.msg, expected);
	}
}

TEST(a_free_port_is_no_stranger)
{
	struct server server = { 0 };
	int fd = reserve_port(&server);
	struct error err;
	uint64_t start;
	char text[64];

	assert_int_equal(refuse(READY_TCP, server.address, &err), 0);
	snprintf(text, sizeof text, "[::1]:%d", server.port);
	assert_int_equal(refuse(READY_TCP, text, &err), 0);
	snprintf(text, sizeof text, "http://localhost:%d/", server.port);
	assert_int_equal(refuse(READY_HTTP, text, &err), 0);
	/* Another machine is not asked at all. */
	start = clock_now_ns();
	assert_int_equal(refuse(READY_TCP, "192.0.2.1:80", &err), 0);
	assert_true(clock_now_ns() - start < NS_PER_S / 2);
	assert_int_equal(refuse(READY_AT_ONCE, NULL, &err), 0);
	assert_int_equal(refuse(READY_FILE, "/etc/passwd", &err), 0);
	assert_int_equal(err.kind, ERR_NONE);
	assert_int_equal(refuse(READY_TCP, "nonsense", &err), -1);
	assert_int_equal(err.kind, ERR_INPUT);
	close(fd);
}

/* -------- Connections: the choice among several addresses, and errors if all fail. */

static struct addrinfo *resolve(const char *text)
{
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };
	struct addrinfo *addresses = NULL;
	struct error err = ERROR_INIT;

	MUST(endpoint_parse(text, &endpoint, &err));
	MUST(dial_resolve(&endpoint, &addresses, &err));
	return addresses;
}

TEST(the_first_that_accepts_is_taken)
{
	struct server closed = { 0 }, open = server_start(NULL, 0);
	int reserved = reserve_port(&closed), fd = -1, why = 0;
	struct addrinfo *first = resolve(closed.address), *second = resolve(open.address);
	struct sockaddr_in peer;
	socklen_t len = sizeof peer;
	struct error err = ERROR_INIT;

	assert_null(first->ai_next);
	first->ai_next = second;
	assert_int_equal(dial_connect(NULL, first, clock_now_ns() + 20 * NS_PER_S, &fd, &why, &err), 1);
	assert_int_equal(getpeername(fd, (struct sockaddr *)&peer, &len), 0);
	assert_int_equal(ntohs(peer.sin_port), open.port);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	close(fd);
	freeaddrinfo(first);
	server_stop(&open);
	close(reserved);
}

TEST(the_last_refusal_is_reported)
{
	struct server closed = { 0 };
	int reserved = reserve_port(&closed), fd = -2, why = 0;
	struct addrinfo *addresses = resolve(closed.address);
	unsigned before = count_open_files();

	assert_int_equal(dial_connect(NULL, addresses, clock_now_ns() + 20 * NS_PER_S, &fd, &why, NULL), 0);
	assert_int_equal(why, ECONNREFUSED);
	/* No time is left for a try. */
	assert_int_equal(dial_connect(NULL, addresses, clock_now_ns(), &fd, &why, NULL), 0);
	assert_int_equal(why, ETIMEDOUT);
	assert_int_equal(fd, -2);
	assert_int_equal(count_open_files(), before);
	freeaddrinfo(addresses);
	close(reserved);
}

TEST(own_addresses_are_known)
{
	static const struct { const char *text; bool local; } cases[] = {
		{ "127.0.0.1:80", true }, { "127.8.9.10:1", true }, { "0.0.0.0:80", true },
		/* Addresses reserved for documentation; no machine has them. */
		{ "192.0.2.1:80", false }, { "[2001:db8::1]:80", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct addrinfo *address = resolve(cases[i].text);

		if (dial_is_local(address) != cases[i].local)
			fail_msg("%s is %slocal", cases[i].text, cases[i].local ? "not " : "");
		freeaddrinfo(address);
	}
}
