/* The loop of pairs with services: how they live, what cannot have two sides. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "pair_fixture.h"

#define SERVICE "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { service: s }\n"

/*
 * Starting and warming up takes as long as a window of each side: then two windows a start are best. Seed 3 has the order bhhbbhbhbh of who goes first, and hbhbbhbhhb of whose services
 * start first.
 */
static struct loop_options with(enum pair_services services)
{
	return (struct loop_options){ .seed = 3, .counters = 6, .perf = true, .wanted = 10, .services = services };
}

/* -------- how they live */

static void side_by_side_they_are_started_for_each_pair(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
	const struct loop_options options = with(PAIR_SERVICES_BESIDE);

	(void)state;
	open_pairs(&fixture, "setup: [s]\ncleanup: [c]\n" SERVICE, &options);
	assert_int_equal(loop_measure(fixture.loop, 2, 0, NULL), 0);
	assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
	assert_int_equal(loop_profile(fixture.loop, NULL), 0);
	end_pairs(&fixture);
	assert_log(&fixture, "base:setup head:setup head:up base:up bhBHHB head:down base:down "
			   "base:up head:up hbHBBH head:down base:down "
			   "head:up base:up hbHBBH head:down base:down "
			   "base:up b base:profile base:down head:up h head:profile head:down head:cleanup base:cleanup");
	/* What every end of it says is said once. */
	assert_pair_notes(&fixture.results[0], "it had to be killed\n");
}

static void afresh_one_is_up_at_a_time(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
	const struct loop_options options = with(PAIR_SERVICES_AFRESH);

	(void)state;
	open_pairs(&fixture, SERVICE, &options);
	assert_int_equal(loop_measure(fixture.loop, 2, 0, NULL), 0);
	assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
	end_pairs(&fixture);
	assert_log(&fixture, "head:up h head:down base:up b base:down "
			   "base:up bBB base:down head:up hHH head:down "
			   "head:up hHH head:down base:up bBB base:down "
			   "head:up hHH head:down base:up bBB base:down");
	assert_pair_notes(&fixture.results[1], "it had to be killed\n");
}

/* What failed may have left a service in a state of its own. */
static void after_a_failure_they_are_started_again(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_from = 9, .fail_to = 9 };
	const struct loop_options options = with(PAIR_SERVICES_BESIDE);

	(void)state;
	open_pairs(&fixture, SERVICE, &options);
	assert_int_equal(loop_measure(fixture.loop, 2, 0, NULL), 0);
	assert_log(&fixture, "head:up base:up bhBHHB head:down base:down base:up head:up hb"
			   "H head:down base:down base:up head:up hbHBBH head:down base:down");
	assert_int_equal(loop_state(fixture.loop).dropped, 1);
}

static void one_that_does_not_start_fails_at_once(void **state)
{
	static const struct {
		enum pair_services services;
		const char *call, *failure, *log;
	} cases[] = {
		{ PAIR_SERVICES_BESIDE, "head:up", "head: up went wrong", "head:up head:down" },
		{ PAIR_SERVICES_BESIDE, "base:up", "base: up went wrong", "head:up base:up head:down base:down" },
		{ PAIR_SERVICES_AFRESH, "base:up", "base: up went wrong", "head:up h head:down base:up base:down" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_call = cases[i].call };
		const struct loop_options options = with(cases[i].services);

		open_pairs(&fixture, SERVICE, &options);
		assert_int_equal(loop_measure(fixture.loop, 10, 0, NULL), 0);
		assert_true(loop_failed(fixture.loop));
		assert_string_equal(fixture.results[0].failure, cases[i].failure);
		assert_log(&fixture, cases[i].log);
	}
}

static void an_interrupt_stops_them(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .interrupt_at = 4 };
	const struct loop_options options = with(PAIR_SERVICES_BESIDE);

	(void)state;
	open_pairs(&fixture, SERVICE, &options);
	assert_int_equal(loop_measure(fixture.loop, 10, 0, NULL), -1);
	assert_log(&fixture, "head:up base:up bhBH head:down base:down");
}

static void a_window_that_does_not_count_drops_its_pair(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .drop_at = 4 };
	const struct loop_options options = with(PAIR_SERVICES_BESIDE);

	(void)state;
	open_pairs(&fixture, SERVICE, &options);
	assert_int_equal(loop_measure(fixture.loop, 1, 0, NULL), 0);
	end_pairs(&fixture);
	assert_pair_notes(&fixture.results[1], "it had to be killed\na pair was dropped: head: a window could not be counted: it was idle\n");
	assert_int_equal(fixture.results[1].n_runs, 1);
}

/* -------- from the scenario */

static void parse(struct pair_fixture *fixture, const char *body)
{
	const struct loop_options options = with(PAIR_SERVICES_NONE);

	*fixture = (struct pair_fixture){ 0 };
	open_pairs(fixture, body, &options);
}

#define TCP "ready: { tcp: \"127.0.0.1:6379\" }"
static void the_scenario_says_how_they_can_live(void **state)
{
	static const struct {
		const char *body;
		enum pair_services services;
		const char *refused;
	} cases[] = {
		{ "", PAIR_SERVICES_NONE, NULL },
		{ SERVICE, PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: [s], ready: { tcp: \"127.0.0.1:${port.admin}\" } }]\ntarget: { service: s }\n",
		  PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: s, environment: { PORT: \"${port}\" } }]\ntarget: { service: s }\n",
		  PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: [s] }]\ntarget: { service: s }\n", PAIR_SERVICES_AFRESH, NULL },
		{ "env: [{ name: s, command: [s], " TCP " }]\ntarget: { service: s }\n", PAIR_SERVICES_AFRESH, NULL },
		/* a folder of its own is of no use to one that listens on a port that is everybody's */
		{ "env: [{ name: s, command: [s, \"${tmp}\"], " TCP " }]\ntarget: { service: s }\n", PAIR_SERVICES_AFRESH, NULL },
		{ "env: [{ name: s, command: [s, \"${tmp}/socket\"] }]\ntarget: { service: s }\n", PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: [s, \"${port}\"] }, { name: t, command: [t], " TCP " }]\ntarget: { service: s }\n",
		  PAIR_SERVICES_AFRESH, NULL },
		/* a command with services around it */
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\n", PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { port: \"${port}\" }\n", PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { pidfile: \"${tmp}/s.pid\" }\n", PAIR_SERVICES_BESIDE, NULL },
		/* what finds the base's would find the head's too */
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { pidfile: /run/s.pid }\n", PAIR_SERVICES_AFRESH, NULL },
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { process: s }\n", PAIR_SERVICES_AFRESH, NULL },
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { container: s }\n", PAIR_SERVICES_AFRESH, NULL },
		{ "target: { pid: 12 }\n", PAIR_SERVICES_NONE, "target.pid runs already" },
		{ "target: { pidfile: /run/s.pid }\n", PAIR_SERVICES_NONE, "target.pidfile runs already" },
		{ "target: { process: s }\n", PAIR_SERVICES_NONE, "target.process runs already" },
		{ "target: { port: 6379 }\n", PAIR_SERVICES_NONE, "target.port runs already" },
		{ "target: { cgroup: s.service }\n", PAIR_SERVICES_NONE, "target.cgroup runs already" },
		{ "target: { container: s }\n", PAIR_SERVICES_NONE, "target.container runs already" },
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { pid: 12 }\n", PAIR_SERVICES_AFRESH,
		  "target.pid runs already" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture;
		struct error err = ERROR_INIT;
		int ret;

		parse(&fixture, cases[i].body);
		if (loop_services(&fixture.scenario) != cases[i].services)
			fail_msg("%s: %d", cases[i].body, (int)loop_services(&fixture.scenario));
		ret = loop_refuse_pairs(&fixture.scenario, &err);
		if (ret != (cases[i].refused ? -1 : 0) || (ret < 0 && !strstr(err.msg, cases[i].refused)))
			fail_msg("%s: %s", cases[i].body, err.msg);
		assert_int_equal(err.kind, ret < 0 ? ERR_INPUT : ERR_NONE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(side_by_side_they_are_started_for_each_pair),
		cmocka_unit_test(afresh_one_is_up_at_a_time),
		cmocka_unit_test(after_a_failure_they_are_started_again),
		cmocka_unit_test(one_that_does_not_start_fails_at_once),
		cmocka_unit_test(an_interrupt_stops_them),
		cmocka_unit_test(a_window_that_does_not_count_drops_its_pair),
		cmocka_unit_test(the_scenario_says_how_they_can_live),
	};

	return cmocka_run_group_tests_name("loop_services", tests, NULL, NULL);
}
