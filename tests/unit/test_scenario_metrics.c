#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "scenario/config.h"
#include "scenario/gates.h"
#include "scenario_parse.h"

#define ATTACHED "version: 1\ntarget: { pid: 1 }\n"

static void reads_a_load(void **state)
{
	struct scenario s =
		parse_good(ATTACHED "load:\n"
				"  command: [bench, -p, \"${port}\"]\n"
				"  environment: { A: \"${out}\" }\n"
				"  work: { regex: '([0-9.]+) requests per second', as: rate, unit: request }\n"
				"  fail: 'errors: [1-9]'\n");

	(void)state;
	assert_int_equal(s.load.command.argv.n, 3);
	assert_string_equal(s.load.environment.items[0], "A=${out}");
	assert_int_equal(s.load.as, WORK_RATE);
	assert_string_equal(s.load.work.regex, "([0-9.]+) requests per second");
	assert_null(s.load.work.json);
	assert_string_equal(s.load.unit, "request");
	assert_string_equal(s.load.fail, "errors: [1-9]");
	scenario_release(&s);

	s = parse_good(ATTACHED "load: { command: x, work: { json: a.b, as: count } }\n");
	assert_true(s.load.command.shell);
	assert_int_equal(s.load.as, WORK_COUNT);
	assert_null(s.load.work.regex);
	assert_string_equal(s.load.work.json, "a.b");
	assert_null(s.load.unit);
	scenario_release(&s);

	s = parse_good(ATTACHED "load: { command: x }\n");
	assert_int_equal(s.load.as, WORK_UNKNOWN);
	scenario_release(&s);
}

static void refuses_wrong_loads(void **state)
{
	static const struct bad cases[] = {
		{ "load: {}", "3:7: load: the key 'command' is missing; add the command that drives the target\n" },
		{ "load: wrk", "3:7: load: expected a mapping, found 'wrk'\n" },
		{ "load: { command: \"${x}\" }",
		  "3:19: load.command: unknown name 'x'; for the shell's own, write $${x}\n" },
		{ "load: { command: x, work: { as: rate } }",
		  "3:27: load.work: where the number stands in the output is missing; add regex or json\n" },
		{ "load: { command: x, work: { regex: '(a)', json: a, as: rate } }",
		  "3:43: load.work: regex and json exclude each other; keep one\n" },
		{ "load: { command: x, work: { json: a } }",
		  "3:27: load.work: the key 'as' is missing; add 'as: rate' or 'as: count'\n" },
		{ "load: { command: x, work: { json: a, as: total } }",
		  "3:42: load.work.as: expected rate, which is per second, or count, found 'total'\n" },
		{ "load: { command: x, work: { json: a, as: [] } }",
		  "3:42: load.work.as: expected rate, which is per second, or count, found a list\n" },
		{ "load: { command: x, work: { json: a, as: rate, unit: two words } }",
		  "3:54: load.work.unit: expected a short word such as ms, MiB or request, found 'two words'\n" },
		{ "load: { command: x, work: { regex: '(a){9,', as: rate } }",
		  "3:36: load.work.regex: the regular expression '(a){9,' cannot be used: Unmatched \\{\n" },
	};

	(void)state;
	CHECK_BAD(ATTACHED, cases);
}

static void reads_metrics(void **state)
{
	struct scenario s =
		parse_good(HEAD "metrics:\n"
			    "  - { name: p99-latency, regex: 'p99 ([0-9.]+) ms', unit: ms, better: lower }\n"
			    "  - { name: req_s.2, json: 'results[0].rps', better: higher }\n");

	(void)state;
	assert_int_equal(s.n_metrics, 2);
	assert_string_equal(s.metrics[0].extractor.regex, "p99 ([0-9.]+) ms");
	assert_string_equal(s.metrics[0].metric->name, "p99-latency");
	assert_int_equal(s.metrics[0].metric->source, SOURCE_PRINTED);
	assert_int_equal(s.metrics[0].metric->unit, UNIT_MS);
	assert_false(s.metrics[0].metric->higher_is_better);
	assert_string_equal(s.metrics[1].extractor.json, "results[0].rps");
	assert_string_equal(s.metrics[1].metric->name, "req_s.2");
	assert_true(s.metrics[1].metric->higher_is_better);
	scenario_release(&s);
}

static void refuses_wrong_metrics(void **state)
{
	static const struct bad cases[] = {
		{ "metrics: []", "3:10: metrics: expected a list of 1 to 32 metrics, found 0\n" },
		{ "metrics: {}", "3:10: metrics: expected a list of 1 to 32 metrics, found a mapping\n" },
		{ "metrics: [{ json: a, better: lower }]",
		  "3:11: metrics: the key 'name' is missing; add a name for the metric\n" },
		{ "metrics: [{ name: a, json: b }]",
		  "3:11: metrics.a: the key 'better' is missing; add 'better: higher' or 'better: lower'\n" },
		{ "metrics: [{ name: a, better: lower }]",
		  "3:11: metrics.a: where the number stands in the output is missing; add regex or json\n" },
		{ "metrics: [{ name: a, json: b, better: more }]",
		  "3:39: metrics.a.better: expected higher or lower, found 'more'\n" },
		{ "metrics: [{ name: a b, json: b, better: lower }]",
		  "3:19: metrics.name: expected a name such as p99-latency: letters, digits, '-', '_' and '.', found "
		  "'a b'\n" },
		{ "metrics: [{ name: -a, json: b, better: lower }]",
		  "3:19: metrics.-a.name: expected a name such as p99-latency: letters, digits, '-', '_' and '.', "
		  "found "
		  "'-a'\n" },
		{ "metrics: [{ name: ipc, json: b, better: lower }]",
		  "3:19: metrics.ipc.name: 'ipc' is a metric of pawl's own; choose another name\n" },
		{ "metrics: [{ name: wall, json: b, better: lower }]",
		  "3:19: metrics.wall.name: 'wall' is a metric of pawl's own; choose another name\n" },
		{ "metrics: [{ name: work, json: b, better: lower }]",
		  "3:19: metrics.work.name: 'work' is a metric of pawl's own; choose another name\n" },
		{ "metrics: [{ name: throughput, json: b, better: lower }]",
		  "3:19: metrics.throughput.name: 'throughput' is a metric of pawl's own; choose another name\n" },
		{ "metrics: [{ name: a-per-work, json: b, better: lower }]",
		  "3:19: metrics.a-per-work.name: 'a-per-work' is how pawl calls metrics per unit of work; choose "
		  "another name\n" },
		{ "metrics: [{ name: budgets, json: b, better: lower }]",
		  "3:19: metrics.budgets.name: 'budgets' is a word of 'gates:'; choose another name\n" },
		{ "metrics: [{ name: e, json: b, better: lower }]\nmeasure: { events: [e] }",
		  "3:19: metrics.e.name: 'e' is a perf event of measure.events; choose another name\n" },
		{ "metrics: [{ name: a, json: b, better: lower }, { name: a, json: c, better: lower }]",
		  "3:56: metrics.a.name: 'a' is listed already; choose another name\n" },
		/* A metric with a fault is known to the gates all the same. */
		{ "metrics: [{ name: a, json: b, better: lower, uint: ms }]\ngates: { a: 5% }",
		  "3:46: metrics.a: unknown key 'uint'; did you mean 'unit'?\n" },
	};

	(void)state;
	CHECK_BAD(HEAD, cases);
}

#define NO_WORK " is known only with load.work, by which the load of an attached target tells how much it did\n"

static void gates_on_work_need_work(void **state)
{
	static const struct bad commands[] = {
		{ "gates: { throughput: -5% }", "3:10: gates.throughput: throughput" NO_WORK },
		{ "gates: { ipc: default, work: { min: 3 } }", "3:24: gates.work: work" NO_WORK },
	};
	static const struct bad attached[] = {
		{ "gates: { throughput: default }", "3:10: gates.throughput: throughput" NO_WORK },
		{ "load: { command: x }\ngates: { throughput: default }", "4:10: gates.throughput: throughput" NO_WORK },
		/* What has a fault already is not told of twice. */
		{ "load: { command: x, work: { json: a } }\ngates: { throughput: default }",
		  "3:27: load.work: the key 'as' is missing; add 'as: rate' or 'as: count'\n" },
	};
	struct scenario s = parse_good(ATTACHED "load: { command: x, work: { json: a, as: rate } }\n"
						"gates: { throughput: default, work: { min: 3 } }");

	(void)state;
	assert_int_equal(s.gates.n, 2);
	scenario_release(&s);
	s = parse_good(HEAD "gates: { throughput: off, ipc: default }");
	assert_int_equal(s.gates.n, 1);
	scenario_release(&s);
	CHECK_BAD(HEAD, commands);
	CHECK_BAD(ATTACHED, attached);
}

static struct scenario parse_with(const struct config *config, const char *text)
{
	struct diags diags = DIAGS_INIT;
	struct scenario scenario;

	assert_int_equal(scenario_parse(text, strlen(text), PATH, &config->defaults, &scenario, &diags), 0);
	return scenario;
}

static void gates_on_work_are_passed_over(void **state)
{
	static const char both[] = "gates: { throughput: -5%, ipc: default }", alone[] = "gates: { throughput: -5% }";
	static const char works[] = ATTACHED "load: { command: x, work: { json: a, as: rate } }";
	struct diags diags = DIAGS_INIT;
	struct config config;
	struct scenario s;

	(void)state;
	config_init(&config);
	assert_int_equal(config_parse(both, sizeof both - 1, "pawl.yaml", &config, &diags), 0);
	s = parse_with(&config, HEAD);
	assert_int_equal(s.gates.n, 3);
	assert_string_equal(s.gates.items[2].metric->name, "ipc");
	scenario_release(&s);
	/* Of an attached target, page faults are not gated by default. */
	s = parse_with(&config, works);
	assert_int_equal(s.gates.n, 3);
	assert_string_equal(s.gates.items[1].metric->name, "throughput");
	scenario_release(&s);
	config_release(&config);

	config_init(&config);
	assert_int_equal(config_parse(alone, sizeof alone - 1, "pawl.yaml", &config, &diags), 0);
	s = parse_with(&config, HEAD);
	assert_int_equal(s.gates.n, 2);
	assert_true(s.gates.items[0].by_default);
	scenario_release(&s);
	s = parse_with(&config, works);
	assert_int_equal(s.gates.n, 2);
	scenario_release(&s);
	/* Who turns all gates off wants none. */
	s = parse_with(&config, HEAD "gates: { throughput: off, task-clock: off, page-faults: off }");
	assert_int_equal(s.gates.n, 0);
	scenario_release(&s);
	config_release(&config);
}

static void refuses_events_that_are_none(void **state)
{
	static const struct bad cases[] = {
		{ "measure: { events: [ipc] }",
		  "3:21: measure.events: 'ipc' is a metric of pawl's own, no perf event; leave it out\n" },
		{ "measure: { events: [cycles, throughput] }",
		  "3:29: measure.events: 'throughput' is a metric of pawl's own, no perf event; leave it out\n" },
		{ "measure: { events: [wall] }",
		  "3:21: measure.events: 'wall' is a metric of pawl's own, no perf event; leave it out\n" },
		{ "measure: { events: [x-per-work] }",
		  "3:21: measure.events: 'x-per-work' is how pawl calls metrics per unit of work, no perf event; leave it "
		  "out\n" },
	};

	(void)state;
	CHECK_BAD(HEAD, cases);
}

/* The words are those of extractor_check(). */
static void refuses_figures_that_cannot_be_used(void **state)
{
	static const struct {
		const char *text, *fault;
	} cases[] = {
		{ "metrics: [{ name: a, regex: 'no group', better: lower }]",
		  PATH ":3:29: metrics.a.regex: expected a regular expression with one group around the number, " },
		{ "metrics: [{ name: a, regex: '(', better: lower }]",
		  PATH ":3:29: metrics.a.regex: the regular expression '(' cannot be used: " },
		{ "metrics: [{ name: a, regex: '(a)(b)', better: lower }]",
		  PATH ":3:29: metrics.a.regex: expected a regular expression with one group around the number, " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf text = STRBUF_INIT;
		char *shown;

		strbuf_addf(&text, "%s%s\n", HEAD, cases[i].text);
		shown = parse_bad_bytes(text.buf, text.len, PATH);
		if (strncmp(shown, cases[i].fault, strlen(cases[i].fault)))
			fail_msg("expected %s..., found %s", cases[i].fault, shown);
		free(shown);
		strbuf_release(&text);
	}
}

#define PRINTED                                                                                                        \
	HEAD "metrics:\n"                                                                                              \
	     "  - { name: lat, regex: '([0-9.]+) ms', unit: ms, better: lower }\n"                                     \
	     "  - { name: rps, json: a, better: higher }\n"                                                            \
	     "gates:\n  "

static void gates_what_is_printed(void **state)
{
	struct scenario s = parse_good(PRINTED "lat: { max-increase: +5%, max: 2s }\n  rps: -3%\n");
	struct arena arena = ARENA_INIT;
	struct gates copy;

	(void)state;
	assert_int_equal(s.gates.n, 2);
	gates_copy(&arena, &copy, &s.gates);
	scenario_release(&s);
	assert_int_equal(copy.n, 2);
	assert_string_equal(copy.items[0].metric->name, "lat");
	assert_int_equal(copy.items[0].metric->source, SOURCE_PRINTED);
	assert_string_equal(copy.items[0].metric->label, "ms");
	assert_int_equal(copy.items[0].metric->unit, UNIT_MS);
	assert_true(copy.items[0].tolerance_pct == 5 && copy.items[0].max == 2000);
	assert_string_equal(copy.items[1].metric->name, "rps");
	assert_true(copy.items[1].metric->higher_is_better);
	assert_null(copy.items[1].metric->label);
	assert_true(copy.items[1].tolerance_pct == 3);
	assert_int_equal(copy.items[1].line, 0);
	arena_release(&arena);
}

static void refuses_wrong_gates(void **state)
{
	static const struct bad cases[] = {
		{ "rps: +5%", "7:8: gates.rps: rps is worse when it falls: a tolerance is written -5%, found '+5%'\n" },
		{ "lat: -5%", "7:8: gates.lat: lat is worse when it rises: a tolerance is written +5%, found '-5%'\n" },
		{ "lat: default", "7:8: gates.lat: 'lat' has no default tolerance; write one such as +5%\n" },
		{ "lat: { max: 5 }", "7:15: gates.lat.max: expected a duration such as 250ms, found '5'\n" },
		{ "rqs: 5%", "7:3: gates: unknown metric 'rqs'; did you mean 'rps'?\n" },
	};

	(void)state;
	CHECK_BAD(PRINTED, cases);
}

/* What a load did, which nobody told, and what results call a twin. */
static void refuses_gates_on_work_that_nothing_tells(void **state)
{
	static const struct bad cases[] = {
		{ HEAD "gates: { throughput: 5% }\n",
		  "3:10: gates.throughput: throughput is known only with load.work, by which the load of an attached target tells how much it did\n" },
		{ "version: 1\ntarget: { pid: 1 }\ngates: { work: { min: 5 } }\n",
		  "3:10: gates.work: work is known only with load.work, by which the load of an attached target tells how much it did\n" },
		{ "version: 1\ntarget: { pid: 1 }\nload: { command: x }\ngates: { throughput: default }\n",
		  "4:10: gates.throughput: throughput is known only with load.work, by which the load of an attached target tells how much it did\n" },
		{ "version: 1\ntarget: { pid: 1 }\nload: { command: x, work: { json: a } }\ngates: { throughput: default }\n",
		  "3:27: load.work: the key 'as' is missing; add 'as: rate' or 'as: count'\n" },
		{ HEAD "gates: { task-clock-per-work: 5% }\n",
		  "3:10: gates: write 'task-clock': it is judged per unit of work where the load tells its work\n" },
		{ HEAD "gates: { lost-per-work: 5% }\n",
		  "3:10: gates: unknown metric 'lost-per-work': neither in the catalogue of metrics nor under measure.events "
		  "or metrics\n" },
	};
	struct scenario s = parse_good(HEAD "gates: { throughput: off }\n");

	(void)state;
	scenario_release(&s);
	s = parse_good("version: 1\ntarget: { pid: 1 }\nload: { command: x, work: { json: a, as: rate } }\n"
		       "gates: { throughput: -5% }\n");
	assert_int_equal(s.gates.n, 1);
	scenario_release(&s);
	CHECK_BAD("", cases);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_load),
		cmocka_unit_test(refuses_wrong_loads),
		cmocka_unit_test(reads_metrics),
		cmocka_unit_test(refuses_wrong_metrics),
		cmocka_unit_test(gates_on_work_need_work),
		cmocka_unit_test(gates_on_work_are_passed_over),
		cmocka_unit_test(refuses_events_that_are_none),
		cmocka_unit_test(refuses_figures_that_cannot_be_used),
		cmocka_unit_test(gates_what_is_printed),
		cmocka_unit_test(refuses_wrong_gates),
		cmocka_unit_test(refuses_gates_on_work_that_nothing_tells),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
