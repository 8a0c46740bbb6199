#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scenario/config.h"
#include "scenario_parse.h"

#define ENV "version: 1\nvars: { n: 12, web: nginx, none: \"\" }\nenv: [{ name: redis, command: [redis-server, x] }]\n"

static struct scenario parse_target(const char *target)
{
	struct strbuf text = STRBUF_INIT;
	struct scenario s;

	strbuf_addf(&text, "%starget: { %s }\n", ENV, target);
	s = parse_good(text.buf);
	strbuf_release(&text);
	return s;
}

static void reads_every_kind(void **state)
{
	static const struct {
		const char *text;
		enum target_kind kind;
		const char *name, *expected;
	} cases[] = {
		{ "command: [./prog]", TARGET_COMMAND, "command", NULL },
		{ "service: redis", TARGET_SERVICE, "service", "redis" },
		{ "pid: 1", TARGET_PID, "pid", "1" },
		{ "pid: 4194304", TARGET_PID, "pid", "4194304" },
		{ "pid: \"${n}\"", TARGET_PID, "pid", "${n}" },
		{ "pidfile: run/nginx.pid", TARGET_PIDFILE, "pidfile", "run/nginx.pid" },
		{ "process: \"^${web}: master( process)?\"", TARGET_PROCESS, "process", "^${web}: master( process)?" },
		{ "port: 65535", TARGET_PORT, "port", "65535" },
		{ "port: \"${port}\"", TARGET_PORT, "port", "${port}" },
		{ "cgroup: system.slice/nginx.service", TARGET_CGROUP, "cgroup", "system.slice/nginx.service" },
		{ "container: web_1", TARGET_CONTAINER, "container", "web_1" },
		{ "container: \"${web}-1\"", TARGET_CONTAINER, "container", "${web}-1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct scenario s = parse_target(cases[i].text);

		assert_int_equal(s.target_kind, cases[i].kind);
		assert_string_equal(target_kind_name(s.target_kind), cases[i].name);
		if (cases[i].expected)
			assert_string_equal(s.target_text, cases[i].expected);
		else
			assert_null(s.target_text);
		assert_int_equal(s.target.argv.n, cases[i].kind == TARGET_COMMAND);
		scenario_release(&s);
	}
}

static void knows_what_starts_the_target(void **state)
{
	struct scenario s = parse_target("service: redis");

	(void)state;
	assert_ptr_equal(scenario_target_command(&s), &s.services[0].command);
	scenario_release(&s);
	s = parse_target("command: [./prog]");
	assert_ptr_equal(scenario_target_command(&s), &s.target);
	scenario_release(&s);
	s = parse_target("pid: 7");
	assert_int_equal(scenario_target_command(&s)->argv.n, 0);
	scenario_release(&s);
}

#define EXPECTED_PID "4:16: target.pid: expected the number of a process, from 1 to 4194304, found "
#define EXPECTED_PORT "4:17: target.port: expected a TCP port from 1 to 65535, found "
#define EXPECTED_CONTAINER "4:22: target.container: expected the name or number of a container, found "

static void refuses_wrong_targets(void **state)
{
	static const struct bad cases[] = {
		{ "command: x, service: redis }", "4:23: target: command and service exclude each other; keep one\n" },
		{ "port: 80, pid: 1 }", "4:21: target: port and pid exclude each other; keep one\n" },
		{ "cwd: x }", "4:9: target: what to measure is missing; add command, service, pid, pidfile, process, "
			      "port, cgroup or "
			      "container\n" },
		{ "service: reds }", "4:20: target.service: unknown service 'reds'; did you mean 'redis'?\n" },
		{ "service: postgres }", "4:20: target.service: unknown service 'postgres'; add it to 'env:'\n" },
		{ "service: [redis] }", "4:20: target.service: expected text, found a list\n" },
		{ "pid: 0 }", EXPECTED_PID "'0'\n" },
		{ "pid: 4194305 }", EXPECTED_PID "'4194305'\n" },
		{ "pid: nginx }", EXPECTED_PID "'nginx'\n" },
		{ "pid: }", EXPECTED_PID "nothing\n" },
		{ "pid: \"${web}\" }", EXPECTED_PID "'${web}', which becomes 'nginx'\n" },
		{ "port: 65536 }", EXPECTED_PORT "'65536'\n" },
		{ "port: \"0\" }", EXPECTED_PORT "'0'\n" },
		{ "port: \"${none}\" }", EXPECTED_PORT "'${none}', which becomes ''\n" },
		{ "port: \"${prot}\" }", "4:18: target.port: unknown name 'prot'; did you mean 'port'? For the shell's "
					 "own, write $${prot}\n" },
		{ "process: \"(a\" }",
		  "4:20: target.process: the regular expression '(a' cannot be used: Unmatched ( or \\(\n" },
		{ "pidfile: \"\" }", "4:20: target.pidfile: the text is empty\n" },
		{ "cgroup: {} }", "4:19: target.cgroup: expected text, found a mapping\n" },
		{ "container: -rf }", EXPECTED_CONTAINER "'-rf'\n" },
		{ "container: a b }", EXPECTED_CONTAINER "'a b'\n" },
		{ "service: redis, environment: { A: 1 }, cwd: x, user: y }",
		  "4:27: target: environment belongs to the service; move it to 'redis' in 'env:'\n"
		  "4:50: target: cwd belongs to the service; move it to 'redis' in 'env:'\n"
		  "4:58: target: user belongs to the service; move it to 'redis' in 'env:'\n" },
		{ "pid: 1, cwd: x }",
		  "4:19: target: cwd goes with a command that pawl starts; this target runs already\n" },
		/* One fault is no two: the load and the window know that the target is a service. */
		{ "service: x }\nload: { command: y }\nmeasure: { window: 1s }",
		  "4:20: target.service: unknown service 'x'; add it to 'env:'\n" },
	};

	(void)state;
	CHECK_BAD(ENV "target: { ", cases);
}

static void refuses_what_a_target_cannot_have(void **state)
{
	static const struct bad cases[] = {
		{ "target: { command: x }\nmeasure: { window: 5s }",
		  "5:12: measure.window: a command is measured from its start to its end; leave the window out\n" },
		{ "target: { command: x }\nload: { command: y }",
		  "5:1: load: a load drives an attached target; a command is its own\n" },
		{ "target: { service: redis }\nload: { command: y, work: { json: a, as: count } }\nmeasure: { window: "
		  "5s }",
		  "6:12: measure.window: a load of fixed work ends its own window; leave measure.window out\n" },
		{ "target: { service: redis }\nmeasure: { counters: sim }",
		  "5:12: measure.counters: a running process cannot be simulated; use auto or perf\n" },
		{ "target: { port: 80 }\nmeasure: { cpus: 1, aslr: off }",
		  "5:12: measure.cpus: a target that runs already is not pinned by pawl; leave this out\n"
		  "5:21: measure.aslr: a target that runs already keeps its addresses; leave this out\n" },
	};

	(void)state;
	CHECK_BAD(ENV, cases);
}

static void takes_what_a_target_can_have(void **state)
{
	static const char *const good[] = {
		"target: { service: redis }\nmeasure: { window: 2s, cpus: 1, aslr: off, counters: perf }\n",
		"target: { service: redis }\nload: { command: y, work: { json: a, as: rate } }\nmeasure: { window: 2s "
		"}\n",
		"target: { service: redis }\nload: { command: y, work: { json: a, as: count } }\n",
		"target: { pid: 1 }\nmeasure: { window: 2s, timeout: 1s }\nwarmup: { duration: 1s, command: x }\n",
		"target: { command: x }\nmeasure: { counters: sim, cpus: 1, aslr: off }\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct strbuf text = STRBUF_INIT;
		struct scenario s;

		strbuf_addf(&text, "%s%s", ENV, good[i]);
		s = parse_good(text.buf);
		assert_int_equal(s.measure.window_ns, strstr(good[i], "window") ? 2 * S : 5 * S);
		scenario_release(&s);
		strbuf_release(&text);
	}
}

/* What TARGET gets of a pawl.yaml that sets everything. */
static struct scenario parse_beside_config(const char *target)
{
	static const char text[] = "measure: { window: 9s, counters: sim, cpus: 1, aslr: off }\n";
	struct diags diags = DIAGS_INIT;
	struct strbuf scenario = STRBUF_INIT;
	struct config config;
	struct scenario s;

	config_init(&config);
	assert_int_equal(config_parse(text, strlen(text), "pawl.yaml", &config, &diags), 0);
	strbuf_addf(&scenario, "%starget: { %s }\n", ENV, target);
	assert_int_equal(scenario_parse(scenario.buf, scenario.len, PATH, &config.defaults, &s, &diags), 0);
	strbuf_release(&scenario);
	config_release(&config);
	return s;
}

static void drops_defaults_that_do_not_fit(void **state)
{
	struct scenario s = parse_beside_config("command: x");

	(void)state;
	assert_int_equal(s.measure.counters, COUNTERS_SIM);
	assert_string_equal(s.measure.cpus, "1");
	scenario_release(&s);

	s = parse_beside_config("service: redis");
	assert_int_equal(s.measure.window_ns, 9 * S);
	assert_int_equal(s.measure.counters, COUNTERS_AUTO);
	assert_string_equal(s.measure.cpus, "1");
	assert_true(s.measure.aslr_off);
	scenario_release(&s);

	s = parse_beside_config("pid: 1");
	assert_int_equal(s.measure.window_ns, 9 * S);
	assert_int_equal(s.measure.counters, COUNTERS_AUTO);
	assert_null(s.measure.cpus);
	assert_false(s.measure.aslr_off);
	scenario_release(&s);
}

/* What memory a service touches in a window is chance; what a scenario or pawl.yaml names stays. */
static void gates_windows_by_their_time_alone(void **state)
{
	struct scenario s = parse_good(HEAD);

	(void)state;
	assert_int_equal(s.gates.n, 2);
	scenario_attach(&s, 1);
	assert_int_equal(s.gates.n, 1);
	scenario_release(&s);

	s = parse_good("version: 1\ntarget: { pid: 1 }\n");
	assert_int_equal(s.gates.n, 1);
	assert_string_equal(s.gates.items[0].metric->name, "task-clock");
	scenario_release(&s);

	s = parse_good("version: 1\ntarget: { pid: 1 }\ngates: { page-faults: default }\n");
	assert_int_equal(s.gates.n, 1);
	assert_string_equal(s.gates.items[0].metric->name, "page-faults");
	scenario_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_kind),
		cmocka_unit_test(knows_what_starts_the_target),
		cmocka_unit_test(refuses_wrong_targets),
		cmocka_unit_test(refuses_what_a_target_cannot_have),
		cmocka_unit_test(takes_what_a_target_can_have),
		cmocka_unit_test(drops_defaults_that_do_not_fit),
		cmocka_unit_test(gates_windows_by_their_time_alone),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
