#include "unit.h"

#include "scenario/scenario.h"
#include "scenario/yaml.h"
#include "scenario_parse.h"

/* -------- scenario_metrics */

#define ATTACHED "version: 1\ntarget: { pid: 1 }\n"

FIXTURE(set_up, tear_down);

TEST(reads_a_load)
{
	static const struct good cases[] = {
		{ "load:\n"
		  "  command: [bench, -p, \"${port}\"]\n"
		  "  environment: { A: \"${out}\" }\n"
		  "  work: { regex: '([0-9.]+) requests per second', as: rate, unit: request }\n"
		  "  fail: 'errors: [1-9]'\n",
		  "load:\n"
		  "  command: [bench, -p, \"${port}\"]\n"
		  "  environment:\n"
		  "    A: \"${out}\"\n"
		  "  work:\n"
		  "    regex: \"([0-9.]+) requests per second\"\n"
		  "    as: rate\n"
		  "    unit: request\n"
		  "  fail: \"errors: [1-9]\"\n" },
		{ "load: { command: x, work: { json: a.b, as: count } }\n", "load:\n  command: x\n  work:\n    json: a.b\n    as: count\n" },
		{ "load: { command: x }\n", "load:\n  command: x\nwarmup:\n" },
	};

	CHECK_GOOD(ATTACHED, cases);
}

TEST(refuses_wrong_loads)
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
		{ "load: { command: x, work: { regex: '(a){9,2}', as: rate } }",
		  "3:36: load.work.regex: the regular expression '(a){9,2}' cannot be used: numbers out of order in {} quantifier\n" },
		{ "load: { command: x, work: { regex: '((a|b|c){1,100}){1,100}', as: rate } }",
		  "3:36: load.work.regex: the regular expression '((a|b|c){1,100}){1,100}' cannot be used: regular expression is too large\n" },
	};

	CHECK_BAD(ATTACHED, cases);
}

TEST(reads_claims)
{
	static const struct bad cases[] = {
		{ "gates: { cpu-time: { improve: 0% } }", "3:31: gates.cpu-time.improve: expected an improvement above 0% and under 100%, found '0%'\n" },
		{ "gates: { cpu-time: { improve: -5% } }", "3:31: gates.cpu-time.improve: expected an improvement above 0% and under 100%, found '-5%'\n" },
		{ "gates: { cpu-time: { improve: 100% } }", "3:31: gates.cpu-time.improve: expected an improvement above 0% and under 100%, found '100%'\n" },
		{ "gates: { ipc: { improve: 1001% } }", "3:26: gates.ipc.improve: expected an improvement above 0% and up to 1000%, found '1001%'\n" },
		{ "gates: { cpu-time: { improve: much } }", "3:31: gates.cpu-time.improve: expected an improvement such as 10%, found 'much'\n" },
		{ "gates: { cpu-time: { max-increase: 1%, improve: 5% } }",
		  "3:40: gates.cpu-time.improve: a gate on cpu-time either has a limit or claims an improvement\n" },
		{ "gates: { cpu-time: { improve: 5%, max-increase: 1% } }",
		  "3:22: gates.cpu-time.improve: a gate on cpu-time either has a limit or claims an improvement\n" },
	};
	struct scenario s = parse_good(HEAD "gates: { cpu-time: { improve: 10% }, ipc: { improve: 150% }, page-faults: 1% }\n");

	assert_true(s.gates.items[0].claim && s.gates.items[0].relative && s.gates.items[0].tolerance_pct == 10);
	assert_true(s.gates.items[1].claim && s.gates.items[1].tolerance_pct == 150);
	assert_false(s.gates.items[2].claim);
	scenario_release(&s);
	CHECK_BAD(HEAD, cases);
}

TEST(expects_what_a_command_line_claims)
{
	static const struct { const char *text, *error; } cases[] = {
		{ "cpu-time", "expected a metric and its change, such as 'cpu-time -10%', found 'cpu-time'" },
		{ "", "expected a metric and its change, such as 'cpu-time -10%', found ''" },
		{ " -10%", "expected a metric and its change, such as 'cpu-time -10%', found ' -10%'" },
		{ "cpu-time -10", "expected a metric and its change, such as 'cpu-time -10%', found 'cpu-time -10'" },
		{ "cpu-tim -10%", "unknown metric 'cpu-tim'; did you mean 'cpu-time'?" },
		{ "peak-memory -10%", "unknown metric 'peak-memory'; did you mean 'max-rss'?" },
		{ "symbols -1%", "unknown metric 'symbols'; expected a metric and its change, such as 'cpu-time -10%'" },
		{ "cpu-time 10%", "cpu-time is better when it falls: expected 'cpu-time -10%', found 'cpu-time 10%'" },
		{ "cpu-time +10%", "cpu-time is better when it falls: expected 'cpu-time -10%', found 'cpu-time +10%'" },
		{ "ipc -10%", "ipc is better when it rises: expected 'ipc +10%', found 'ipc -10%'" },
		{ "cpu-time -100%", "expected an improvement above 0% and under 100%, found 'cpu-time -100%'" },
		{ "throughput +5%", "throughput needs load.work, where the load of an attached target reports how much it did" },
		{ "rss-growth -5%", "rss-growth is for attached targets; use max-rss for a command" },
	};
	struct scenario s = parse_good(HEAD "measure: { events: [cache-misses] }\ngates: { cpu-time: default }\n");
	struct error err;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		err = (struct error)ERROR_INIT;
		assert_int_equal(scenario_expect(&s, cases[i].text, &err), -1);
		assert_string_equal(err.msg, cases[i].error);
	}
	assert_int_equal(s.gates.n, 1);
	assert_false(s.gates.items[0].claim);
	assert_int_equal(scenario_expect(&s, "cpu-time  -12.5%", &err), 0);
	assert_int_equal(scenario_expect(&s, "cache-misses -5%", &err), 0);
	assert_int_equal(scenario_expect(&s, "ipc +5%", &err), 0);
	assert_int_equal(s.gates.n, 3);
	assert_true(s.gates.items[0].claim && s.gates.items[0].relative && s.gates.items[0].required && s.gates.items[0].tolerance_pct == 12.5);
	assert_string_equal(s.gates.items[1].metric->name, "cache-misses");
	assert_true(s.gates.items[2].claim && s.gates.items[2].tolerance_pct == 5);
	scenario_release(&s);
}

TEST(reads_metrics)
{
	struct scenario s =
		parse_good(HEAD "metrics:\n"
			    "  - { name: p99-latency, regex: 'p99 ([0-9.]+) ms', unit: ms, better: lower }\n"
			    "  - { name: req_s.2, json: 'results[0].rps', better: higher }\n");

	assert_int_equal(s.n_metrics, 2);
	assert_string_equal(s.metrics[0].extractor.regex, "p99 ([0-9.]+) ms");
	assert_string_equal(s.metrics[0].metric->name, "p99-latency");
	assert_int_equal(s.metrics[0].metric->source, SOURCE_CUSTOM);
	assert_int_equal(s.metrics[0].metric->unit, UNIT_MS);
	assert_false(s.metrics[0].metric->higher_is_better);
	assert_string_equal(s.metrics[1].extractor.json, "results[0].rps");
	assert_string_equal(s.metrics[1].metric->name, "req_s.2");
	assert_true(s.metrics[1].metric->higher_is_better);
	scenario_release(&s);
}

TEST(refuses_wrong_metrics)
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
		  "3:19: metrics.wall.name: 'wall' is an earlier name of one of pawl's own metrics; choose another name\n" },
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
		/* Gates know a metric even if its definition has an error. */
		{ "metrics: [{ name: a, json: b, better: lower, uint: ms }]\ngates: { a: 5% }",
		  "3:46: metrics.a: unknown key 'uint'; did you mean 'unit'?\n" },
	};

	CHECK_BAD(HEAD, cases);
}

#define NO_WORK " needs load.work, where the load of an attached target reports how much it did\n"

TEST(gates_on_work_need_work)
{
	static const struct bad commands[] = {
		{ "gates: { throughput: -5% }", "3:10: gates.throughput: throughput" NO_WORK },
		{ "gates: { ipc: default, work: { min: 3 } }", "3:24: gates.work: work" NO_WORK },
		{ "gates: { rss-growth: default }", "3:10: gates.rss-growth: rss-growth is for attached targets; use max-rss for a command\n" },
		/* Normalised metrics */
		{ "gates: { task-clock-per-work: 5% }",
		  "3:10: gates: use 'task-clock': it is judged per unit of work if the load reports its work\n" },
		{ "gates: { lost-per-work: 5% }", "3:10: gates: unknown metric 'lost-per-work'; add it to measure.events or metrics, or use one of 'man pawl-metrics'\n" },
	};
	static const struct bad attached[] = {
		{ "gates: { throughput: default }", "3:10: gates.throughput: throughput" NO_WORK },
		{ "load: { command: x }\ngates: { throughput: default }", "4:10: gates.throughput: throughput" NO_WORK },
		/* A key with an error is reported once. */
		{ "load: { command: x, work: { json: a } }\ngates: { throughput: default }",
		  "3:27: load.work: the key 'as' is missing; add 'as: rate' or 'as: count'\n" },
	};
	struct scenario s = parse_good(ATTACHED "load: { command: x, work: { json: a, as: rate } }\n"
						"gates: { throughput: default, work: { min: 3 } }");

	assert_int_equal(s.gates.n, 2);
	scenario_release(&s);
	s = parse_good(HEAD "gates: { throughput: off, ipc: default }");
	assert_int_equal(s.gates.n, 1);
	scenario_release(&s);
	CHECK_BAD(HEAD, commands);
	CHECK_BAD(ATTACHED, attached);
}

/* Turning all gates off leaves no gate. An attached target has no default gate on page faults. */
TEST(gates_on_work_are_passed_over)
{
	static const char both[] = "gates: { throughput: -5%, ipc: default }", alone[] = "gates: { throughput: -5% }";
	static const char works[] = ATTACHED "load: { command: x, work: { json: a, as: rate } }";
	static const struct layered cases[] = {
		{ both, HEAD, "gates:\n  ipc: default" },
		{ both, works, "gates:\n  throughput: 5%\n  ipc: default" },
		{ alone, HEAD, "gates:\n  task-clock: default" },
		{ alone, works, "gates:\n  throughput: 5%\n  task-clock: default" },
		{ alone, HEAD "gates: { throughput: off, task-clock: off, page-faults: off }",
		  "gates:\n  task-clock: off\n  page-faults: off\n  throughput: off\n" },
	};

	CHECK_LAYERED("", cases);
}

TEST(refuses_events_that_are_none)
{
	static const struct bad cases[] = {
		{ "measure: { events: [ipc] }",
		  "3:21: measure.events: 'ipc' is a metric of pawl's own, no perf event; leave it out\n" },
		{ "measure: { events: [cycles, throughput] }",
		  "3:29: measure.events: 'throughput' is a metric of pawl's own, no perf event; leave it out\n" },
		{ "measure: { events: [wall] }",
		  "3:21: measure.events: the metric 'wall' is gone; use wall-time\n" },
		{ "measure: { events: [x-per-work] }",
		  "3:21: measure.events: 'x-per-work' is how pawl calls metrics per unit of work, no perf event; leave it "
		  "out\n" },
	};

	CHECK_BAD(HEAD, cases);
}

/* The messages are those of extractor_check(). */
TEST(refuses_figures_that_cannot_be_used)
{
	static const struct bad cases[] = {
		{ "metrics: [{ name: a, regex: 'no group', better: lower }]",
		  "3:29: metrics.a.regex: expected a regular expression with one group around the number, such as 'rate: ([0-9.]+)', found none "
		  "in 'no group'\n" },
		{ "metrics: [{ name: a, regex: '(', better: lower }]",
		  "3:29: metrics.a.regex: the regular expression '(' cannot be used: missing closing parenthesis\n" },
		{ "metrics: [{ name: a, regex: '(a)(b)', better: lower }]",
		  "3:29: metrics.a.regex: expected a regular expression with one group around the number, such as 'rate: ([0-9.]+)', found more "
		  "in '(a)(b)'\n" },
	};

	CHECK_BAD(HEAD, cases);
}

#define PRINTED                                                                                                        \
	HEAD "metrics:\n"                                                                                              \
	     "  - { name: lat, regex: '([0-9.]+) ms', unit: ms, better: lower }\n"                                     \
	     "  - { name: rps, json: a, better: higher }\n"                                                            \
	     "gates:\n  "

TEST(gates_what_is_printed)
{
	struct scenario s = parse_good(PRINTED "lat: { max-increase: -5%, max: 2s }\n  rps: +3%\n");
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct gates copy;

	assert_int_equal(s.gates.n, 2);
	gates_copy(&arena, &copy, &s.gates);
	scenario_release(&s);
	assert_int_equal(copy.n, 2);
	assert_string_equal(copy.items[0].metric->name, "lat");
	assert_int_equal(copy.items[0].metric->source, SOURCE_CUSTOM);
	assert_string_equal(copy.items[0].metric->label, "ms");
	assert_int_equal(copy.items[0].metric->unit, UNIT_MS);
	assert_true(copy.items[0].tolerance_pct == 5 && copy.items[0].max == 2000);
	assert_string_equal(copy.items[1].metric->name, "rps");
	assert_true(copy.items[1].metric->higher_is_better);
	assert_null(copy.items[1].metric->label);
	assert_true(copy.items[1].tolerance_pct == 3);
	assert_int_equal(copy.items[1].line, 0);
}

TEST(refuses_wrong_gates)
{
	static const struct bad cases[] = {
		{ "lat: default", "7:8: gates.lat: 'lat' has no default limit; write one such as 5%\n" },
		{ "lat: { max: 5 }", "7:15: gates.lat.max: expected a duration such as 250ms, found '5'\n" },
		{ "rqs: 5%", "7:3: gates: unknown metric 'rqs'; did you mean 'rps'?\n" },
	};

	CHECK_BAD(PRINTED, cases);
}

/* -------- profile:, gates.symbols and gates.budgets, of scenarios and of pawl.yaml */

/* A scenario's globs replace those of pawl.yaml. */
TEST(reads_what_is_own)
{
	static const struct layered cases[] = {
		{ "", "", "  own-code: []\n" },
		{ "profile: { own-code: ['*/vendor/libfoo*', tool] }\n", "", "  own-code: [\"*/vendor/libfoo*\", tool]\n" },
		{ "profile: { own-code: [a] }\n", "profile: { own-code: [b, 7] }\n", "  own-code: [b, 7]\n" },
		{ "profile: { own-code: [a] }\n", "profile: { own-code: [] }\n", "  own-code: []\n" },
		{ "profile: { own-code: [a] }\n", "profile: { frequency: 9 }\n", "  own-code: [a]\n" },
	};

	CHECK_LAYERED(HEAD, cases);
}

#define PROFILE(frequency, samples, duration, graph, kinds) \
	"profile:\n  frequency: " frequency "\n  samples: " samples "\n  duration: " duration "\n  call-graph: " graph "\n  kinds: " kinds "\n"

TEST(reads_profiles)
{
	static const struct layered cases[] = {
		{ "", "", PROFILE("4999", "36000", "10s", "fp", "[cpu]") },
		{ "", "profile: {}\n", PROFILE("4999", "36000", "10s", "fp", "[cpu]") },
		{ "", "profile: { frequency: 4999, samples: 20000, duration: 30s, call-graph: dwarf, kinds: [cpu] }\n",
		  PROFILE("4999", "20000", "30s", "dwarf", "[cpu]") },
		{ "", "profile: { frequency: 1, samples: 1, duration: 1ns, call-graph: lbr }\n", PROFILE("1", "1", "1ns", "lbr", "[cpu]") },
		{ "", "profile: { kinds: [] }\n", "  kinds: []\n" },
		{ "profile: { kinds: [], frequency: 99 }\n", "", "profile:\n  frequency: 99\n" },
		{ "", "profile: { kinds: [faults] }\n", "  kinds: [faults]\n" },
		{ "profile: { kinds: [faults, cpu] }\n", "profile: { frequency: 99 }\n",
		  PROFILE("99", "36000", "10s", "fp", "[cpu, faults]") },
		{ "profile: { kinds: [cpu, faults] }\n", "profile: { kinds: [heap], frequency: 99 }\n",
		  PROFILE("99", "36000", "10s", "fp", "[heap]") },
		{ "profile: { kinds: [], frequency: 99 }\n", "profile: { kinds: [cpu], call-graph: lbr }\n",
		  PROFILE("99", "36000", "10s", "lbr", "[cpu]") },
	};

	CLEANUP(scenario_release) struct scenario s = parse_good(HEAD "profile: { kinds: [faults, heap], call-graph: dwarf, duration: 30s }\n");

	assert_true(s.profile.off && s.profile.faults && s.profile.heap);
	assert_int_equal(s.profile.call_graph, CALL_GRAPH_DWARF);
	assert_int_equal(s.profile.duration_ns, 30 * S);
	CHECK_LAYERED(HEAD, cases);
}

#define SYMBOLS(top, rise, new) "  symbols:\n    top: " top "\n    rise: " rise "pp\n    new: " new "pp\n    required: false\n"

TEST(reads_symbol_gates)
{
	static const char own[] = "gates: { symbols: { top: 5, rise: 7pp } }\n", off[] = "gates: { symbols: off }\n";
	static const char by_default[] = "  symbols: default    # for each of the 10 hottest, a share of at most 1pp more\n";
	static const struct layered cases[] = {
		{ "", "", by_default },
		{ "", "gates: { ipc: 5% }\n", by_default },
		{ "", "gates: { symbols: { top: 20, rise: 3pp, new: 2pp, required: true } }\n",
		  "  symbols:\n    top: 20\n    rise: 3pp\n    new: 2pp\n    required: true\n" },
		{ "", "gates: { symbols: { rise: +0.5pp } }\n", SYMBOLS("10", "0.5", "0.5") },
		{ "", "gates: { symbols: { top: 50 } }\n", SYMBOLS("50", "1", "1") },
		{ "", "gates: { symbols: { new: 4pp } }\n", SYMBOLS("10", "1", "4") },
		{ "", "gates: { symbols: +2pp }\n", SYMBOLS("10", "2", "2") },
		{ "", "gates: { symbols: default }\n", by_default },
		{ "", "gates: { symbols: off }\n", "  symbols: off\n" },
		{ own, "", SYMBOLS("5", "7", "7") },
		{ own, "gates: { symbols: { new: 2pp } }\n", SYMBOLS("10", "1", "2") },
		{ off, "gates: { ipc: 5% }\n", "  symbols: off\n" },
		{ off, "gates: { symbols: default }\n", by_default },
		/* Without a load that reports work, its gates are dropped and the built-in ones return. Symbols stay. */
		{ "gates: { throughput: 5%, symbols: 9pp }\n", "", SYMBOLS("10", "9", "9") },
	};
	CLEANUP(scenario_release) struct scenario s = parse_layers("", "gates: { symbols: +2pp }\n"), foreign = parse_layers(own, "");

	CHECK_LAYERED(HEAD, cases);
	assert_int_equal(s.gates.symbols.line, 3);
	assert_int_equal(s.gates.symbols.column, 10);
	assert_int_equal(foreign.gates.symbols.line, 0);
}

/* Gates on shares do not replace the built-in gates on metrics. */
TEST(stand_beside_gates_on_metrics)
{
	static const char *const texts[] = {
		"gates: { symbols: 3pp }\n", "gates: { symbols: off }\n", "gates: { budgets: [{ symbol: f, max: 5% }] }\n",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		CLEANUP(scenario_release) struct scenario s = parse_layers("", texts[i]);

		assert_true(s.gates.items[0].builtin);
		assert_int_equal(s.gates.n, 2);
	}
}

TEST(refuses_wrong_symbol_gates)
{
	static const struct bad cases[] = {
		{ "symbols: 3%\n",
		  "4:12: gates.symbols: expected points such as 3pp, default, off, or a mapping such as "
		  "{ top: 10, rise: 3pp }, found '3%'\n" },
		{ "symbols:\n",
		  "4:11: gates.symbols: expected points such as 3pp, default, off, or a mapping such as "
		  "{ top: 10, rise: 3pp }, found nothing\n" },
		{ "symbols: -3pp\n", "4:12: gates.symbols: expected percentage points above 0pp and up to 100pp, found '-3pp'\n" },
		{ "symbols: { rise: 0pp }\n",
		  "4:20: gates.symbols.rise: expected percentage points above 0pp and up to 100pp, found '0pp'\n" },
		{ "symbols: { rise: 101pp }\n",
		  "4:20: gates.symbols.rise: expected percentage points above 0pp and up to 100pp, found '101pp'\n" },
		{ "symbols: { new: 3 }\n", "4:19: gates.symbols.new: expected percentage points such as 3pp, found '3'\n" },
		{ "symbols: { new: {} }\n",
		  "4:19: gates.symbols.new: expected percentage points such as 3pp, found a mapping\n" },
		{ "symbols: { top: 51 }\n", "4:19: gates.symbols.top: expected a whole number from 1 to 50, found '51'\n" },
		{ "symbols: { top: 0 }\n", "4:19: gates.symbols.top: expected a whole number from 1 to 50, found '0'\n" },
		{ "symbols: { rize: 1pp }\n", "4:14: gates.symbols: unknown key 'rize'; did you mean 'rise'?\n" },
		{ "symbols: { required: maybe }\n", "4:24: gates.symbols.required: expected true or false, found 'maybe'\n" },
		{ "symbol: 3pp\n", "4:3: gates: unknown metric 'symbol'; did you mean 'symbols'?\n" },
		{ "budget: []\n", "4:3: gates: unknown metric 'budget'; did you mean 'budgets'?\n" },
		{ "offcpu-time: default\n", "4:3: gates: the gate 'offcpu-time' is gone; use wall-time or voluntary-switches; "
		  "profile.kinds: [cpu, offcpu] shows what threads wait for\n" },
		{ "\"offcpu-share:[lock]\": 3pp\n", "4:3: gates: the gate 'offcpu-share:[lock]' is gone; use wall-time or "
		  "voluntary-switches; profile.kinds: [cpu, offcpu] shows what threads wait for\n" },
	};

	CHECK_BAD(HEAD "gates:\n  ", cases);
}

TEST(reads_budgets)
{
	static const char text[] = "gates:\n  budgets:\n    - { symbol: \"sqlx::*\", max: 5%, required: true }\n"
				   "    - { dso: libfoo*, max: 0.5% }\n    - { symbol: libfoo*, max: 0% }\n";
	CLEANUP(scenario_release) struct scenario s = parse_layers("gates: { budgets: [{ dso: gone, max: 1% }] }\n", text);
	const struct share_budget *budgets = s.gates.budgets;

	assert_int_equal(s.gates.n_budgets, 3);
	assert_string_equal(budgets[0].symbol, "sqlx::*");
	assert_null(budgets[0].dso);
	assert_true(budgets[0].max_pct == 5 && budgets[0].required);
	assert_int_equal(budgets[0].line, 5);
	assert_int_equal(budgets[0].column, 7);
	assert_null(budgets[1].symbol);
	assert_string_equal(budgets[1].dso, "libfoo*");
	assert_true(budgets[1].max_pct == 0.5 && !budgets[1].required);
	assert_true(budgets[2].symbol && !budgets[2].dso && budgets[2].max_pct == 0);
}

TEST(lays_budgets_over_each_other)
{
	static const char config[] = "gates: { budgets: [{ symbol: a, max: 1% }, { dso: b, max: 2% }] }\n";
	static const char both[] = "  budgets:\n    - symbol: a\n      max: 1%\n      required: false\n    - dso: b\n      max: 2%\n";
	static const struct layered cases[] = {
		{ config, "", both }, { config, "gates: { symbols: off }\n", both }, { config, "gates: { budgets: [] }\n", "  budgets: []\n" },
		{ config, "gates: { budgets: off }\n", "  budgets: []\n" },
		{ config, "gates: { budgets: [{ symbol: c, max: 3% }] }\n",
		  "  budgets:\n    - symbol: c\n      max: 3%\n      required: false\n" },
	};
	CLEANUP(scenario_release) struct scenario s = parse_layers(config, "");

	CHECK_LAYERED(HEAD, cases);
	assert_int_equal(s.gates.budgets[0].line, 0);
}

TEST(refuses_wrong_budgets)
{
	static const struct bad cases[] = {
		{ "budgets: 5%\n", "4:12: gates.budgets: expected a list of 1 to 64 budgets, found '5%'\n" },
		{ "budgets: [5%]\n", "4:13: gates.budgets: expected a mapping, found '5%'\n" },
		{ "budgets: [{ max: 5% }]\n", "4:13: gates.budgets: what the budget is for is missing; add symbol or dso\n" },
		{ "budgets: [{ symbol: f, dso: a, max: 5% }]\n",
		  "4:26: gates.budgets: symbol and dso exclude each other; keep one\n" },
		{ "budgets: [{ symbol: f }]\n",
		  "4:13: gates.budgets: the key 'max' is missing; add one such as max: 5%\n" },
		{ "budgets: [{ symbol: f, max: 5 }]\n",
		  "4:31: gates.budgets.max: expected a share from 0% to 100%, such as 5%, found '5'\n" },
		{ "budgets: [{ symbol: f, max: 101% }]\n",
		  "4:31: gates.budgets.max: expected a share from 0% to 100%, such as 5%, found '101%'\n" },
		{ "budgets: [{ symbol: f, max: -1% }]\n",
		  "4:31: gates.budgets.max: expected a share from 0% to 100%, such as 5%, found '-1%'\n" },
		{ "budgets: [{ symbol: \"\", max: 5% }]\n", "4:23: gates.budgets.symbol: the text is empty\n" },
		{ "budgets: [{ dso: [a], max: 5% }]\n", "4:20: gates.budgets.dso: expected text, found a list\n" },
		{ "budgets: [{ sybmol: f, max: 5% }]\n", "4:15: gates.budgets: unknown key 'sybmol'; did you mean 'symbol'?\n" },
		{ "budgets: [{ symbol: f, max: 5% }, { max: 6%, symbol: f }]\n",
		  "4:37: gates.budgets: the same as on line 4; keep one\n" },
	};

	CHECK_BAD(HEAD "gates:\n  ", cases);
}

TEST(bounds_budgets)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, HEAD "gates:\n  budgets:\n");
	for (int i = 0; i < 65; i++)
		strbuf_addf(&text, "    - { symbol: f%d, max: 5%% }\n", i);
	assert_bad_bytes(text.buf, text.len, PATH ":5:5: gates.budgets: expected a list of 1 to 64 budgets, found 65\n");
	strbuf_reset(&text);
	strbuf_adds(&text, HEAD "gates: { budgets: [{ max: 5%, dso: ");
	strbuf_pad(&text, 'x', 1001);
	strbuf_adds(&text, " }] }\n");
	assert_bad_bytes(text.buf, text.len, PATH ":3:36: gates.budgets.dso: the text is longer than 1000 bytes\n");
}

/* Without a profile, gates on shares in pawl.yaml are ignored. In the scenario itself they are an error. */
TEST(nothing_is_judged_without_profile)
{
	static const char config[] = "gates: { symbols: 3pp, budgets: [{ symbol: a, max: 1% }] }\n";
	static const char *const texts[] = {
		"profile: { kinds: [] }\n", "profile: { kinds: [] }\ngates: { symbols: off, budgets: [] }\n",
	};
	static const struct bad cases[] = {
		{ "profile: { kinds: [] }\ngates:\n  symbols: default\n  budgets: [{ dso: a, max: 1% }]\n",
		  "5:3: gates.symbols: this gate needs a profile; add cpu to profile.kinds, or leave the gate out\n"
		  "6:13: gates.budgets: this gate needs a profile; add cpu to profile.kinds, or leave the gate out\n" },
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		CLEANUP(scenario_release) struct scenario s = parse_layers(i ? "" : config, texts[i]);

		assert_false(s.gates.symbols.on);
		assert_int_equal(s.gates.n_budgets, 0);
	}
	CHECK_BAD(HEAD, cases);
}
