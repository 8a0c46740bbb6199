/* http probes against real servers that are slow, wrong or hostile; interrupts; strangers on the port. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/services/services.h"
#include "ready_fixture.h"

static void say(int fd, const char *text)
{
	send(fd, text, strlen(text), MSG_NOSIGNAL);
}

/* Up to the empty line. */
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
	(void)nth;
	wait_for_request(fd);
	say(fd, "HTTP/1.1 503 Service Unavailable\r\n\r\n");
}

static void silent(int fd, unsigned nth)
{
	(void)nth;
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
	(void)nth;
	say(fd, "220 mail.example ESMTP\r\n");
	wait_for_end(fd);
}

static void garbage(int fd, unsigned nth)
{
	(void)nth;
	wait_for_request(fd);
	say(fd, "\x1b[31m\xff\xfe garbage");
}

static void hangs_up(int fd, unsigned nth)
{
	(void)nth;
	wait_for_request(fd);
}

static void in_pieces(int fd, unsigned nth)
{
	(void)nth;
	wait_for_request(fd);
	for (const char *c = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"status\": \"green\"}\n"; *c; c++) {
		send(fd, c, 1, MSG_NOSIGNAL);
		usleep(200);
	}
}

static void half(int fd, unsigned nth)
{
	(void)nth;
	wait_for_request(fd);
	say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n");
}

static void two_lines(int fd, unsigned nth)
{
	(void)nth;
	wait_for_request(fd);
	send(fd, "HTTP/1.0 200 OK\r\n\r\n\0starting\nserving\n", 37, MSG_NOSIGNAL);
}

static void redirects(int fd, unsigned nth)
{
	(void)nth;
	wait_for_request(fd);
	say(fd, "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n");
}

static void events(int fd, unsigned nth)
{
	(void)nth;
	wait_for_request(fd);
	say(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ok\n\n");
	wait_for_end(fd);
}

/* Never pauses long, never ends. */
static void dribbles(int fd, unsigned nth)
{
	(void)nth;
	say(fd, "HTTP/1.1 200 OK\r\nX: ");
	while (send(fd, "x", 1, MSG_NOSIGNAL) == 1)
		usleep(1000);
}

static void floods(int fd, unsigned nth)
{
	static char block[65536];

	(void)nth;
	say(fd, "HTTP/1.1 200 OK\r\n\r\nok\n");
	memset(block, 'x', sizeof block);
	while (send(fd, block, sizeof block, MSG_NOSIGNAL) > 0)
		;
}

/* Ready only when the request is what it should be. */
static void wants_its_request(int fd, unsigned nth)
{
	char text[1024], expected[1024];
	struct sockaddr_in own;
	socklen_t len = sizeof own;

	(void)nth;
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
	const char *saw;		/* NULL: it becomes ready */
} cases[] = {
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

static void servers_become_ready_or_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct server server = server_start(cases[i].serve, 0);
		uint64_t start = clock_now_ns();
		struct fixture fixture;
		char url[100], expected[300];
		int ret;

		snprintf(url, sizeof url, "http://%s%s", server.address, cases[i].path);
		fixture_open(&fixture, READY_HTTP, url, cases[i].timeout_ms);
		fixture.service.ready.status = cases[i].status;
		fixture.plan.ready_body = (char *)cases[i].body;
		ret = ready_wait(&fixture.check, &fixture.err);
		fixture_close(&fixture);
		server_stop(&server);
		snprintf(expected, sizeof expected, "http %s was not ready within %g s (%s)", url, cases[i].timeout_ms / 1e3,
			 cases[i].saw ?: "");
		if (!cases[i].saw != !ret || (cases[i].saw && strcmp(fixture.err.msg, expected)))
			fail_msg("%s: %s", cases[i].name, ret ? fixture.err.msg : "it is ready");
		assert_int_equal(fixture.err.kind, ret ? ERR_TARGET : ERR_NONE);
		assert_true(clock_now_ns() - start < cases[i].timeout_ms * NS_PER_MS + 5 * NS_PER_S);
	}
}

static void a_server_that_starts_late_is_awaited(void **state)
{
	struct server server = server_start(redirects, 120);
	struct fixture fixture;
	char url[64];

	(void)state;
	snprintf(url, sizeof url, "http://localhost:%d", server.port);
	fixture_open(&fixture, READY_HTTP, url, 20000);
	assert_ready(&fixture);
	fixture_close(&fixture);
	server_stop(&server);
}

/* More than a pipe holds, while a try is under way: a service must not hang on its own output. */
static void the_output_of_children_is_read_meanwhile(void **state)
{
	static char *argv[] = { (char *)"head", (char *)"-c", (char *)"8000000", (char *)"/dev/zero", NULL };
	const struct strv words = { .items = argv, .n = 4 };
	const struct child_spec spec = { .argv = &words };
	struct server server = server_start(silent, 0);
	struct child child = { 0 };
	struct fixture fixture;
	char url[64];

	(void)state;
	snprintf(url, sizeof url, "http://%s/", server.address);
	fixture_open(&fixture, READY_HTTP, url, 900);
	assert_int_equal(child_start(&fixture.keeper, &spec, &child, &fixture.err), 0);
	assert_int_equal(child_release(&child, &fixture.err), 0);
	assert_int_equal(ready_wait(&fixture.check, &fixture.err), -1);
	assert_true(child.ended);
	assert_int_equal(child.status, 0);
	child_dispose(&fixture.keeper, &child);
	fixture_close(&fixture);
	server_stop(&server);
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

static void an_interrupt_ends_every_wait(void **state)
{
	struct server mute = server_start(silent, 0), closed = { 0 };
	int fd = reserve_port(&closed);

	(void)state;
	for (enum ready_kind kind = READY_TCP; kind <= READY_DELAY; kind++) {
		struct interrupt interrupt;
		uint64_t start = clock_now_ns();
		struct fixture fixture;
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
		fixture_close(&fixture);
		interrupt_release(&interrupt);
	}
	server_stop(&mute);
	close(fd);
}

/* -------- what an answer begins with */

#define HEAD "HTTP/1.1 200 OK\r\n"

static void heads_are_read_however_they_are_cut(void **state)
{
	static const struct {
		const char *text;
		unsigned status;
		const char *body, *why;
	} heads[] = {
		{ "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", NULL },
		{ "HTTP/1.0 200 OK\n\nhello\n", 200, "hello\n", NULL },
		{ "HTTP/1.0 200 OK\r\nA: b\n\nhello\r\n\r\n", 200, "hello\r\n\r\n", NULL },
		{ "HTTP/1.1 503\r\n\r\n\n\n", 503, "\n\n", NULL },
		{ "HTTP/1.1 503 \r\ncontent-length:0\r\n\r\n", 503, "", NULL },
		{ "HTTP/1.1 301 Moved\r\nLocation: http://a:b/\r\nCONTENT-LENGTH:\t 2 \t\r\n\r\nok", 301, "ok", NULL },
		{ "HTTP/1.1 100 Continue\r\n\r\n", 100, "", NULL },
		{ "", 0, NULL, NULL },
		{ "H", 0, NULL, NULL },
		{ "HTTP/1.1 200 OK", 0, NULL, NULL },
		{ HEAD, 0, NULL, NULL },
		{ HEAD "\r", 0, NULL, NULL },
		{ HEAD "A: b\r\n", 0, NULL, NULL },
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

	(void)state;
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
		/* What is taken whole is not refused while it comes. */
		for (size_t part = 0; !heads[i].why && part < len; part++)
			if (ready_http_head(heads[i].text, part, &answer, &err) < 0)
				fail_msg("%.*s: %s", (int)part, heads[i].text, err.msg);
	}
}

static void endless_fields_are_refused(void **state)
{
	static const char *const again[] = { "x", "a: b\r\n" };

	(void)state;
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

static void a_stranger_on_the_port_is_named(void **state)
{
	static const struct {
		enum ready_kind kind;
		const char *form;
	} probes[] = {
		{ READY_TCP, "127.0.0.1:%d" }, { READY_TCP, "localhost:%d" }, { READY_TCP, "0.0.0.0:%d" },
		{ READY_HTTP, "http://127.0.0.1:%d/x" },
	};
	struct server server = server_start(silent, 0);

	(void)state;
	for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
		char text[64], expected[200];
		struct error err;

		snprintf(text, sizeof text, probes[i].form, server.port);
		snprintf(expected, sizeof expected,
			 "port %d is already taken by test_ready_http (%d); stop it, or use ${port} for a free one",
			 server.port, (int)server.pid);
		assert_int_equal(refuse(probes[i].kind, text, &err), -1);
		assert_int_equal(err.kind, ERR_TARGET);
		assert_string_equal(err.msg, expected);
	}
	server_stop(&server);
}

static void a_free_port_is_no_stranger(void **state)
{
	struct server server = { 0 };
	int fd = reserve_port(&server);
	struct error err;
	uint64_t start;
	char text[64];

	(void)state;
	assert_int_equal(refuse(READY_TCP, server.address, &err), 0);
	snprintf(text, sizeof text, "[::1]:%d", server.port);
	assert_int_equal(refuse(READY_TCP, text, &err), 0);
	snprintf(text, sizeof text, "http://localhost:%d/", server.port);
	assert_int_equal(refuse(READY_HTTP, text, &err), 0);
	/* Somebody else's machine, which is not asked at all. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(servers_become_ready_or_not),
		cmocka_unit_test(heads_are_read_however_they_are_cut),
		cmocka_unit_test(endless_fields_are_refused),
		cmocka_unit_test(a_server_that_starts_late_is_awaited),
		cmocka_unit_test(the_output_of_children_is_read_meanwhile),
		cmocka_unit_test(an_interrupt_ends_every_wait),
		cmocka_unit_test(a_stranger_on_the_port_is_named),
		cmocka_unit_test(a_free_port_is_no_stranger),
	};

	/* As measuring does (session.c). */
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("ready_http", tests, NULL, NULL);
}
