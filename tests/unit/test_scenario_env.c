#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>

#include "base/mem.h"
#include "scenario_parse.h"

/* A scenario with one service, whose further keys are BODY. */
static struct scenario parse_service(const char *body)
{
	struct strbuf text = STRBUF_INIT;
	struct scenario s;

	strbuf_addf(&text, "%svars: { host: \"::1\", level: 3 }\nenv:\n  - name: a\n    command: ./serve\n    %s\n",
		    HEAD, body);
	s = parse_good(text.buf);
	assert_int_equal(s.n_services, 1);
	strbuf_release(&text);
	return s;
}

static void fills_in_what_is_not_said(void **state)
{
	struct scenario s = parse_service("");
	const struct service *service = &s.services[0];

	(void)state;
	assert_string_equal(service->name, "a");
	assert_true(service->command.shell);
	assert_int_equal(service->line, 5);
	assert_int_equal(service->environment.n, 0);
	assert_null(service->cwd);
	assert_null(service->user);
	assert_int_equal(service->ready.kind, READY_AT_ONCE);
	assert_null(service->ready.text);
	assert_int_equal(service->ready.timeout_ns, 30 * S);
	assert_int_equal(service->stop.command.argv.n, 0);
	assert_int_equal(service->stop.signal, SIGTERM);
	assert_int_equal(service->stop.grace_ns, 5 * S);
	scenario_release(&s);
}

static void reads_every_key(void **state)
{
	struct scenario s = parse_good("version: 1\n"
				       "target: { command: ./prog }\n"
				       "env:\n"
				       "  - name: store\n"
				       "    command: [store, -p, \"${port.store}\"]\n"
				       "    environment: { LANG: C, PORT: \"${port.store}\" }\n"
				       "    cwd: ${scenario_dir}/data\n"
				       "    user: postgres\n"
				       "    ready: { command: [ping, \"${port.store}\"], timeout: 10s }\n"
				       "    stop: { command: [store, stop], grace: 1500ms }\n"
				       "  - name: web.v2\n"
				       "    command: ./web\n"
				       "    ready:\n"
				       "      http: http://127.0.0.1:${port}/health\n"
				       "      status: 204\n"
				       "      body: ^ok$\n");
	const struct service *store, *web;

	(void)state;
	assert_int_equal(s.n_services, 2);
	store = scenario_service(&s, "store");
	web = scenario_service(&s, "web.v2");
	assert_ptr_equal(store, &s.services[0]);
	assert_ptr_equal(web, &s.services[1]);
	assert_null(scenario_service(&s, "stor"));
	assert_int_equal(store->line, 4);
	assert_string_equal(store->command.argv.items[2], "${port.store}");
	assert_string_equal(store->environment.items[1], "PORT=${port.store}");
	assert_string_equal(store->cwd, "${scenario_dir}/data");
	assert_string_equal(store->user, "postgres");
	assert_int_equal(store->ready.kind, READY_COMMAND);
	assert_int_equal(store->ready.command.argv.n, 2);
	assert_int_equal(store->ready.timeout_ns, 10 * S);
	assert_string_equal(store->stop.command.argv.items[1], "stop");
	assert_int_equal(store->stop.grace_ns, 3 * S / 2);
	assert_int_equal(web->ready.kind, READY_HTTP);
	assert_string_equal(web->ready.text, "http://127.0.0.1:${port}/health");
	assert_int_equal(web->ready.status, 204);
	assert_string_equal(web->ready.body, "^ok$");
	assert_int_equal(web->ready.timeout_ns, 30 * S);
	scenario_release(&s);
}

static void reads_every_readiness(void **state)
{
	static const struct {
		const char *text;
		enum ready_kind kind;
		const char *expected;
	} cases[] = {
		{ "{ tcp: \"127.0.0.1:6379\" }", READY_TCP, "127.0.0.1:6379" },
		{ "{ tcp: \"localhost:1\" }", READY_TCP, "localhost:1" },
		{ "{ tcp: \"[::1]:65535\" }", READY_TCP, "[::1]:65535" },
		{ "{ tcp: \"[${host}]:${port}\" }", READY_TCP, "[${host}]:${port}" },
		{ "{ http: \"http://h\" }", READY_HTTP, "http://h" },
		{ "{ http: \"http://h?a=b\" }", READY_HTTP, "http://h?a=b" },
		{ "{ http: \"http://[::1]:80/\" }", READY_HTTP, "http://[::1]:80/" },
		{ "{ http: \"http://[${host}]:${port}/a:b@c\" }", READY_HTTP, "http://[${host}]:${port}/a:b@c" },
		{ "{ log: \"^ready( to accept)?$\" }", READY_LOG, "^ready( to accept)?$" },
		{ "{ log: \"level ${level} (\\\\(|x){1,${level}}\" }", READY_LOG,
		  "level ${level} (\\(|x){1,${level}}" },
		{ "{ log: \"cost: 5$$\" }", READY_LOG, "cost: 5$$" },
		{ "{ file: \"${tmp}/pid\" }", READY_FILE, "${tmp}/pid" },
		{ "{ command: \"true\" }", READY_COMMAND, NULL },
		{ "{ delay: 250ms }", READY_DELAY, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf body = STRBUF_INIT;
		const struct ready *ready;
		struct scenario s;

		strbuf_addf(&body, "ready: %s", cases[i].text);
		s = parse_service(body.buf);
		ready = &s.services[0].ready;
		assert_int_equal(ready->kind, cases[i].kind);
		if (cases[i].expected)
			assert_string_equal(ready->text, cases[i].expected);
		else
			assert_null(ready->text);
		assert_int_equal(ready->command.argv.n, ready->kind == READY_COMMAND ? 3 : 0);
		assert_int_equal(ready->delay_ns, ready->kind == READY_DELAY ? S / 4 : 0);
		scenario_release(&s);
		strbuf_release(&body);
	}
}

static void reads_signals(void **state)
{
	static const struct {
		const char *text;
		int number;
	} cases[] = {
		{ "TERM", SIGTERM },  { "SIGTERM", SIGTERM }, { "INT", SIGINT },   { "QUIT", SIGQUIT },
		{ "SIGHUP", SIGHUP }, { "USR1", SIGUSR1 },    { "USR2", SIGUSR2 }, { "KILL", SIGKILL },
		{ "1", 1 },	      { "64", 64 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf body = STRBUF_INIT;
		struct scenario s;

		strbuf_addf(&body, "stop: { signal: %s }", cases[i].text);
		s = parse_service(body.buf);
		assert_int_equal(s.services[0].stop.signal, cases[i].number);
		scenario_release(&s);
		strbuf_release(&body);
	}
}

static void refuses_wrong_lists(void **state)
{
	static const struct bad cases[] = {
		{ "env: []\n", "3:6: env: expected a list of 1 to 32 services, found 0\n" },
		{ "env: {}\n", "3:6: env: expected a list of 1 to 32 services, found a mapping\n" },
		{ "env:\n", "3:5: env: expected a list of 1 to 32 services, found nothing\n" },
		{ "env: [redis]\n", "3:7: env: expected a mapping, found 'redis'\n" },
		{ "env: [{ command: x }]\n", "3:7: env: the key 'name' is missing; add a name for the service\n" },
		{ "env: [{ name: a }]\n",
		  "3:7: env.a: the key 'command' is missing; add the command that starts it and stays\n" },
		{ "env: [{ name: a/b, command: x }]\n",
		  "3:15: env.name: expected a name of at most 100 letters, digits, '.', '_' or '-' that does not start "
		  "with '.', found 'a/b'\n" },
		{ "env: [{ name: a, command: x }, { name: a, command: y }]\n",
		  "3:32: env.a: another service is called 'a', on line 3; rename one\n" },
		{ "env: [{ name: a, comand: x }]\n", "3:18: env.a: unknown key 'comand'; did you mean 'command'?\n" },
		{ "env: [{ name: a, command: [x, \"${prot}\"], cwd: \"${x}\" }]\n",
		  "3:32: env.a.command: unknown name 'prot'; did you mean 'port'? For the shell's own, write $${prot}\n"
		  "3:49: env.a.cwd: unknown name 'x'; for the shell's own, write $${x}\n" },
		{ "env: [{ name: a, command: x, user: -x, environment: { 1: x } }]\n",
		  "3:36: env.a.user: expected the name of a user, found '-x'\n"
		  "3:55: env.a.environment: expected the name of an environment variable, found '1'\n" },
	};
	struct strbuf text = STRBUF_INIT;
	char *shown;

	(void)state;
	CHECK_BAD(HEAD, cases);
	strbuf_adds(&text, HEAD "env:\n");
	for (int i = 0; i < 33; i++)
		strbuf_addf(&text, "- { name: s%d, command: x }\n", i);
	shown = parse_bad_bytes(text.buf, text.len, PATH);
	assert_string_equal(shown, PATH ":4:1: env: expected a list of 1 to 32 services, found 33\n");
	free(shown);
	strbuf_release(&text);
}

#define EXPECTED_TCP "7:19: env.a.ready.tcp: expected HOST:PORT such as 127.0.0.1:6379, found "
#define EXPECTED_URL "7:20: env.a.ready.http: expected a URL such as http://127.0.0.1:8080/health, found "

static void refuses_wrong_readiness(void **state)
{
	static const struct bad cases[] = {
		{ "ready: {}", "7:12: env.a.ready: what tells that it is ready is missing; add tcp, http, log, file, "
			       "command or delay\n" },
		{ "ready: 5s", "7:12: env.a.ready: expected a mapping, found '5s'\n" },
		{ "ready: { timeout: 5s }", "7:12: env.a.ready: what tells that it is ready is missing; add tcp, http, "
					    "log, file, command or delay\n" },
		{ "ready: { tcp: \"h:1\", log: x }", "7:26: env.a.ready: tcp and log exclude each other; keep one\n" },
		{ "ready: { delay: 1s, timeout: 2s }",
		  "7:25: env.a.ready: timeout and delay exclude each other; keep one\n" },
		{ "ready: { tcp: \"h:1\", status: 200, body: x }",
		  "7:26: env.a.ready: status is of http; leave it out\n"
		  "7:39: env.a.ready: body is of http; leave it out\n" },
		{ "ready: { tcp: 6379 }", EXPECTED_TCP "'6379'\n" },
		{ "ready: { tcp: h:0 }", EXPECTED_TCP "'h:0'\n" },
		{ "ready: { tcp: h:65536 }", EXPECTED_TCP "'h:65536'\n" },
		{ "ready: { tcp: \"h:1x\" }", EXPECTED_TCP "'h:1x'\n" },
		{ "ready: { tcp: \":1\" }", EXPECTED_TCP "':1'\n" },
		{ "ready: { tcp: \"::1:80\" }", EXPECTED_TCP "'::1:80'\n" },
		{ "ready: { tcp: \"a b:80\" }", EXPECTED_TCP "'a b:80'\n" },
		{ "ready: { tcp: [] }", EXPECTED_TCP "a list\n" },
		{ "ready: { tcp: \"${host}:80\" }", EXPECTED_TCP "'${host}:80', which becomes '::1:80'\n" },
		{ "ready: { tcp: \"h:${prot}\" }", "7:22: env.a.ready.tcp: unknown name 'prot'; did you mean 'port'? "
						   "For the shell's own, write $${prot}\n" },
		{ "ready: { http: \"localhost:80\" }", EXPECTED_URL "'localhost:80'\n" },
		{ "ready: { http: \"http://\" }", EXPECTED_URL "'http://'\n" },
		{ "ready: { http: \"http://u@h/\" }", EXPECTED_URL "'http://u@h/'\n" },
		{ "ready: { http: \"http://h:99999/\" }", EXPECTED_URL "'http://h:99999/'\n" },
		{ "ready: { http: \"http://h/a b\" }", EXPECTED_URL "'http://h/a b'\n" },
		{ "ready: { http: \"http://h/\xc3\xa9\" }", EXPECTED_URL "'http://h/\xc3\xa9'\n" },
		{ "ready: { http: \"http://h_\xc3\xa9/\" }", EXPECTED_URL "'http://h_\xc3\xa9/'\n" },
		{ "ready: { http: \"http://h/\\r\\nX: y\" }", EXPECTED_URL "'http://h/\\r\\nX: y'\n" },
		{ "ready: { http: \"https://h/\" }", "7:20: env.a.ready.http: pawl asks over plain http only; use "
						     "'command: [curl, -fsS, URL]' instead\n" },
		{ "ready: { http: \"http://h\", status: 99 }",
		  "7:40: env.a.ready.status: expected a whole number from 100 to 599, found '99'\n" },
		{ "ready: { http: \"http://h\", status: 600 }",
		  "7:40: env.a.ready.status: expected a whole number from 100 to 599, found '600'\n" },
		{ "ready: { log: \"(a\" }",
		  "7:19: env.a.ready.log: the regular expression '(a' cannot be used: Unmatched ( or \\(\n" },
		{ "ready: { http: \"http://h\", body: \"[a\" }", "7:38: env.a.ready.body: the regular expression '[a' "
								 "cannot be used: Unmatched [, [^, [:, [., or [=\n" },
		{ "ready: { file: \"\" }", "7:20: env.a.ready.file: the text is empty\n" },
		{ "ready: { delay: 0s }",
		  "7:21: env.a.ready.delay: expected a duration above 0s and up to 24h, found '0s'\n" },
		{ "stop: { signal: TERM, command: x }",
		  "7:27: env.a.stop: signal and command exclude each other; keep one\n" },
		{ "stop: { signal: term }",
		  "7:21: env.a.stop.signal: expected a signal such as TERM, INT, QUIT or a number from 1 to 64, found "
		  "'term'\n" },
		{ "stop: { signal: 0 }",
		  "7:21: env.a.stop.signal: expected a signal such as TERM, INT, QUIT or a number from 1 to 64, found "
		  "'0'\n" },
		{ "stop: { signal: 65 }",
		  "7:21: env.a.stop.signal: expected a signal such as TERM, INT, QUIT or a number from 1 to 64, found "
		  "'65'\n" },
		{ "stop: { grace: 5 }", "7:20: env.a.stop.grace: expected a duration such as 30s, found '5'\n" },
	};

	(void)state;
	CHECK_BAD(HEAD "vars: { host: \"::1\" }\nenv:\n  - name: a\n    command: x\n    ", cases);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fills_in_what_is_not_said), cmocka_unit_test(reads_every_key),
		cmocka_unit_test(reads_every_readiness),     cmocka_unit_test(reads_signals),
		cmocka_unit_test(refuses_wrong_lists),	     cmocka_unit_test(refuses_wrong_readiness),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
