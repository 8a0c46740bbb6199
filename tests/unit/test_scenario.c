#include "unit.h"

#include <signal.h>

#include "scenario/scenario.h"
#include "scenario/yaml.h"
#include "scenario_parse.h"

/* -------- scenario */

FIXTURE(set_up, tear_down);

/* For a command tests/cli/check/explain.out has the rest. */
TEST(fills_in_what_is_not_said)
{
	static const struct good cases[] = {
		{ HEAD, "version: 1\nname: http\ntarget:\n  command: ./prog\n  pass-env: []\n  output: any\n  harness: none\nwarmup:\n  runs: 1\n"
			"measure:\n  runs: 10\n  budget: 60s\n" },
		{ HEAD, "gates:\n  task-clock: default    # 25% against the baseline, 2% in pairs (3% if base and head cannot run at the same time)\n"
			"  page-faults: default    # 1% against the baseline, 1% in pairs\n  symbols: default" },
		{ "target: { pid: 1 }\n", "  window: 5s\n" },
		{ HEAD "env:\n  - name: a\n    command: ./serve\n",
		  "env:\n  - name: a\n    command: ./serve\n    stop:\n      signal: TERM\n      grace: 5s\n" },
		{ HEAD "env:\n  - { name: a, command: x, ready: { file: y } }\n", "    ready:\n      file: y\n      timeout: 30s\n" },
	};

	CHECK_GOOD("", cases);
}

TEST(reads_every_key)
{
	struct scenario s = parse_good("version: \"1\"\n"
				       "name: redis-get.v2\n"
				       "description: GET path\n"
				       "tags: [server, slow]\n"
				       "requires: xz\n"
				       "vars: { size: 100, text: \"$HOME ${x}\", none: \"\" }\n"
				       "setup: ./make-data.sh ${size} $HOME $(date) $${x}\n"
				       "prepare: [sync]\n"
				       "cleanup: [rm, -f, \"${tmp}/x\"]\n"
				       "target:\n"
				       "  command: [./prog, --port, \"${port.admin}\", 5, yes, \"\"]\n"
				       "  environment: { LANG: C, OUT: \"${out}\", EMPTY: \"\" }\n"
				       "  cwd: ${scenario_dir}/data\n"
				       "  user: postgres\n"
				       "warmup: { duration: 1.5s, command: \"true\" }\n"
				       "measure:\n"
				       "  runs: \"15\"\n"
				       "  budget: 90s\n  floor: 1%\n"
				       "  counters: sim\n"
				       "  events: [cache-misses, \"cpu/event=0x3c,umask=0/\"]\n"
				       "  cpus: 0-2,5\n"
				       "  aslr: false\n"
				       "  timeout: 500ms\n"
				       "gates:\n"
				       "  ipc: -10%\n");

	assert_string_equal(s.name, "redis-get.v2");
	assert_string_equal(s.description, "GET path");
	assert_int_equal(s.tags.n, 2);
	assert_string_equal(s.tags.items[1], "slow");
	assert_int_equal(s.requires.n, 1);
	assert_int_equal(s.n_vars, 3);
	assert_string_equal(s.vars[1].value, "$HOME ${x}");
	assert_true(s.setup.shell);
	assert_string_equal(s.setup.argv.items[0], "/bin/sh");
	assert_string_equal(s.setup.argv.items[1], "-c");
	assert_string_equal(s.setup.argv.items[2], "./make-data.sh ${size} $HOME $(date) $${x}");
	assert_false(s.prepare.shell);
	assert_int_equal(s.prepare.argv.n, 1);
	assert_int_equal(s.cleanup.argv.n, 3);
	assert_int_equal(s.target.argv.n, 6);
	assert_string_equal(s.target.argv.items[4], "yes");
	assert_string_equal(s.target.argv.items[5], "");
	assert_int_equal(s.target_environment.n, 3);
	assert_string_equal(s.target_environment.items[1], "OUT=${out}");
	assert_string_equal(s.target_environment.items[2], "EMPTY=");
	assert_string_equal(s.target_cwd, "${scenario_dir}/data");
	assert_string_equal(s.target_user, "postgres");
	assert_int_equal(s.warmup_runs, 0);
	assert_int_equal(s.warmup_ns, 1500000000);
	assert_true(s.warmup_command.shell);
	assert_int_equal(s.measure.runs, 15);
	assert_int_equal(s.measure.budget_ns, 90 * S);
	assert_true(s.measure.floor_pct == 1);
	assert_int_equal(s.measure.counters, COUNTERS_SIM);
	assert_int_equal(s.measure.events.n, 2);
	assert_string_equal(s.measure.cpus, "0-2,5");
	assert_true(s.measure.aslr_off);
	assert_int_equal(s.measure.timeout_ns, S / 2);
	assert_int_equal(s.gates.n, 1);
	assert_int_equal(s.gates.items[0].line, 26);
	assert_int_equal(s.gates.items[0].column, 3);
	scenario_release(&s);
}

TEST(accepts_spellings)
{
	static const struct good cases[] = {
		{ "measure: { aslr: false }\n", "  aslr: false\n" }, { "measure: { aslr: true }\n", "  aslr: true\n" },
		{ "warmup: { runs: 0 }\n", "warmup:\n  runs: 0\n" }, { "warmup: {}\n", NULL }, { "measure: {}\n", NULL }, { "gates: {}\n", NULL }, { "tags: []\n", NULL },
		{ "setup: |\n  a\n  b\n", "setup: |\n  a\n  b\n" }, { "setup: >-\n  a\n  b\n", "setup: a b\n" },
		{ "setup: echo $\n", NULL }, { "setup: echo $$ $x $1 {x}\n", NULL }, { "vars: {a-b_1: 1}\nsetup: echo ${a-b_1}\n", NULL },
		{ "setup: echo ${late}\nvars: { late: 1 }\n", NULL }, { "tags: [\xc3\xa9]\n", NULL },
		{ "measure: { cpus: 1, runs: 10000, budget: 24h }\n", "  runs: 10000\n  budget: 86400s\n" },
		{ "# comment\r\n", NULL }, { "description: \"tab\\there\"\n", NULL },
	};
	static const struct good marked[] = { { HEAD "setup: make\n", "setup: make\n" } };

	CHECK_GOOD(HEAD, cases);
	CHECK_GOOD("\xef\xbb\xbf", marked);
}

TEST(refuses_yaml_surprises)
{
	static const struct bad cases[] = {
		{ "", "1:1: the file is empty; add 'target:' with what to measure\n" },
		{ "# only this\n", "1:1: the file is empty; add 'target:' with what to measure\n" },
		{ "- a\n", "1:1: expected a mapping, found a list\n" },
		{ "just text\n", "1:1: expected a mapping, found 'just text'\n" },
		{ HEAD "name: a\nname: b\n", "4:1: the key 'name' is given twice, first on line 3\n" },
		{ HEAD "vars: { a: &x 1, b: *x }\n",
		  "3:12: YAML anchors (&x) are not part of this format; write the value out\n"
		  "3:21: YAML aliases (*x) are not part of this format; write the value out, or quote it\n" },
		{ HEAD "name: !!str a\n",
		  "3:7: YAML tags (tag:yaml.org,2002:str) are not part of this format; leave it out\n" },
		{ HEAD "---\na: 1\n", "3:1: a second YAML document starts here; a file holds one\n" },
		{ HEAD "? [a]\n: 1\n", "3:3: a key must be text\n" },
		{ HEAD "description: \"a\\0b\"\n", "3:14: text must not hold a NUL character\n" },
		{ HEAD "name: [a\n",
		  "4:1: not valid YAML: did not find expected ',' or ']' (while parsing a flow sequence)\n" },
		{ HEAD "measure:\n\truns: 1\n",
		  "4:1: not valid YAML: a tab where only spaces may indent (while scanning for the next token)\n" },
		{ HEAD "name: a\nb: \xff\n", "4:4: expected UTF-8 text, found the byte 0xff\n" },
		{ HEAD "name: \xc0\xaf\n", "3:7: expected UTF-8 text, found the byte 0xc0\n" },
		{ HEAD "name: \x01\n", "3:7: not valid YAML: control characters are not allowed\n" },
		{ "version: 1\ntarget: { command: \xc3\xa9\xc3\xa9 }\ntags: [\xc3\xa9, []]\n",
		  "3:12: tags: expected text, found a list\n" },
		{ "\xef\xbb\xbfversion: 2\ntarget: { command: x }\n",
		  "1:10: version: expected 1, the version of the format that this pawl reads, found '2'\n" },
	};

	CHECK_BAD("", cases);
}

TEST(refuses_what_is_too_much)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, HEAD "tags: ");
	strbuf_pad(&text, '[', 40);
	strbuf_pad(&text, ']', 40);
	assert_bad_bytes(text.buf, text.len, PATH ":3:38: nested deeper than 32 levels\n");

	strbuf_reset(&text);
	strbuf_adds(&text, HEAD "setup:\n");
	for (int i = 0; i < 1001; i++)
		strbuf_adds(&text, "- a\n");
	assert_bad_bytes(text.buf, text.len, PATH ":1004:3: more than 1000 entries in one list or mapping\n");

	strbuf_reset(&text);
	strbuf_adds(&text, HEAD "tags:\n");
	for (int i = 0; i < 60; i++) {
		strbuf_adds(&text, "- [");
		for (int j = 0; j < 999; j++)
			strbuf_adds(&text, "a,");
		strbuf_adds(&text, "]\n");
	}
	assert_bad_bytes(text.buf, text.len, PATH ":53:1984: more than 50000 values in one file\n");

	strbuf_reset(&text);
	strbuf_adds(&text, HEAD "setup: ");
	strbuf_pad(&text, 'x', (64 << 10) + 1);
	assert_bad_bytes(text.buf, text.len, PATH ":3:8: setup: the text is longer than 64 KiB\n");

	strbuf_pad(&text, '\n', SCENARIO_LARGEST);
	assert_bad_bytes(text.buf, text.len, PATH ": the file is larger than 1024 KiB\n");

	assert_bad_bytes("version: 1\0\n", 12, PATH ":1:11: expected text, found a NUL byte\n");
}

TEST(stops_telling_after_fifty_faults)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t lines = 0;
	char *shown;

	strbuf_adds(&text, HEAD);
	for (int i = 0; i < 60; i++)
		strbuf_addf(&text, "zzzzzzzzz%d: 1\n", i);
	shown = parse_bad_bytes(text.buf, text.len, PATH);
	for (const char *p = shown; *p; p++)
		lines += *p == '\n';
	assert_int_equal(lines, 51);
	assert_memory_equal(shown, PATH ": there are more faults than the 50 shown here\n",
			    strlen(PATH ": there are more faults than the 50 shown here\n"));
	free(shown);
}

/* target: is the command itself, or a mapping. */
TEST(reads_short_targets)
{
	static const struct good cases[] = {
		{ "target: ./prog x | wc\ngates: { cpu-time: 5% }\n", "target:\n  command: \"./prog x | wc\"\n" },
		{ "target: [./prog, \"${tmp}/x\"]\n", "target:\n  command: [./prog, \"${tmp}/x\"]\n" },
	};

	CHECK_GOOD("", cases);
}

TEST(refuses_wrong_keys)
{
	static const struct bad cases[] = {
		{ "name: x\n", "1:1: the key 'target' is missing; add 'target:' with what to measure\n" },
		{ "version: 2\ntarget: { command: x }\n",
		  "1:10: version: expected 1, the version of the format that this pawl reads, found '2'\n" },
		{ "version: 1\n", "1:1: the key 'target' is missing; add 'target:' with what to measure\n" },
		{ "verison: 1\ntarget: { command: x }\n", "1:1: unknown key 'verison'; did you mean 'version'?\n" },
		{ "version: one\ntarget: { command: x }\n",
		  "1:10: version: expected 1, the version of the format that this pawl reads, found 'one'\n" },
		{ "version: 1\ntarget:\n", "2:8: target: expected a command, or a mapping such as { service: NAME }, found nothing\n" },
		{ "target: ''\n", "1:9: target: the command is empty\n" },
		{ "target: []\n", "1:9: target: the command is empty\n" },
		{ "target: [./prog, [x]]\n", "1:18: target: expected text, found a list\n" },
		{ "target: ./prog ${x}\n", "1:16: target: unknown name 'x'; for the shell's own, write $${x}\n" },
		{ "version: 1\ntarget: {}\n",
		  "2:9: target: what to measure is missing; add command, service, pid, pidfile, process, port, cgroup "
		  "or container\n" },
		{ "target: { command: x, pass: [HOME] }\n", "1:23: target: the key 'pass' is gone; use pass-env\n" },
		{ "target: { command: x, pass_env: [HOME] }\n", "1:23: target: unknown key 'pass_env'; did you mean 'pass-env'?\n" },
		{ "version: 1\ntarget: { comand: x }\n",
		  "2:11: target: unknown key 'comand'; did you mean 'command'?\n" },
		{ HEAD "measure: { zoom: 1 }\n",
		  "3:12: measure: unknown key 'zoom', see 'man pawl-scenario'; the keys here are runs, window, budget, floor, counters, pairs, "
		  "events, cpus, aslr, timeout\n" },
		{ HEAD "measure: { layouts: 8 }\n",
		  "3:12: measure: the key 'layouts' is gone; use `floor: 1%`, which leaves the luck of code "
		  "layout out\n" },
	};

	CHECK_BAD("", cases);
}

#define EXPECTED_RUNS "3:18: measure.runs: expected a whole number from 1 to 10000, found "
#define EXPECTED_BUDGET "3:20: measure.budget: expected a duration such as 30s, found "
#define EXPECTED_EVENT "3:21: measure.events: expected the name of a perf event, such as cache-misses or cpu/event=0x3c/, found "
#define EXPECTED_NAME \
	"3:7: name: expected a name of at most 100 letters, digits, '.', '_' or '-' that does not start with '.', found "

TEST(refuses_wrong_values)
{
	static const struct bad cases[] = {
		{ "measure: { timeout: soon }\n",
		  "3:21: measure.timeout: expected a duration such as 30s, found 'soon'\n" },
		{ "measure: { timeout: 30 }\n",
		  "3:21: measure.timeout: expected a duration such as 30s, found '30'\n" },
		{ "measure: { timeout: 0s }\n",
		  "3:21: measure.timeout: expected a duration above 0s and up to 24h, found '0s'\n" },
		{ "measure: { budget: 25h }\n",
		  "3:20: measure.budget: expected a duration above 0s and up to 24h, found '25h'\n" },
		{ "measure: { budget: -5s }\n", EXPECTED_BUDGET "'-5s'\n" },
		{ "measure: { budget: [5s] }\n", EXPECTED_BUDGET "a list\n" },
		{ "measure: { runs: 1e9 }\n", EXPECTED_RUNS "'1e9'\n" },
		{ "measure: { runs: 0 }\n", EXPECTED_RUNS "'0'\n" },
		{ "measure: { runs: -3 }\n", EXPECTED_RUNS "'-3'\n" },
		{ "measure: { runs: 1.5 }\n", EXPECTED_RUNS "'1.5'\n" },
		{ "measure: { runs: 99999999999999999999 }\n", EXPECTED_RUNS "'99999999999999999999'\n" },
		{ "measure: { runs: 4294967297 }\n", EXPECTED_RUNS "'4294967297'\n" },
		{ "measure: { runs: {} }\n", EXPECTED_RUNS "a mapping\n" },
		{ "measure: { counters: hw }\n", "3:22: measure.counters: expected auto, perf or sim, found 'hw'\n" },
		{ "measure: { floor: 60% }\n", "3:19: measure.floor: expected a percentage from 0% to 50%, such as 1%, found '60%'\n" },
		{ "measure: { floor: -1% }\n", "3:19: measure.floor: expected a percentage from 0% to 50%, such as 1%, found '-1%'\n" },
		{ "measure: { cpus: 3-1 }\n", "3:18: measure.cpus: expected CPUs such as 1 or 0-3,6, found '3-1'\n" },
		{ "measure: { aslr: maybe }\n", "3:18: measure.aslr: expected true or false, found 'maybe'\n" },
		{ "measure: { aslr: on }\n", "3:18: measure.aslr: expected true or false, found 'on'\n" },
		{ "measure: { aslr: True }\n", "3:18: measure.aslr: expected true or false, found 'True'\n" },
		{ "measure: { events: cycles }\n",
		  "3:20: measure.events: expected a list of perf events, found 'cycles'\n" },
		{ "measure: { events: [a, a] }\n", "3:24: measure.events: the event 'a' is listed twice\n" },
		{ "measure: { events: [\"a,b\"] }\n",
		  "3:21: measure.events: expected one event an entry, found 'a,b'\n" },
		{ "measure: { events: [\"a;b\"] }\n", EXPECTED_EVENT "'a;b'\n" },
		{ "measure: { events: [-x] }\n", EXPECTED_EVENT "'-x'\n" },
		{ "warmup: { runs: 1, duration: 1s }\n",
		  "3:20: warmup: runs and duration exclude each other; keep one\n" },
		{ "warmup: { runs: 10001 }\n",
		  "3:17: warmup.runs: expected a whole number from 0 to 10000, found '10001'\n" },
		{ "warmup: { work: 0 }\n", "3:17: warmup.work: expected a whole number from 1 to 1000000000, found '0'\n" },
		{ "warmup: { work: 5 }\n",
		  "3:11: warmup.work: each run of a command starts cold; use runs to warm up its files and caches\n" },
		{ "warmup: 3\n", "3:9: warmup: expected a mapping, found '3'\n" },
		{ "name: a/b\n", EXPECTED_NAME "'a/b'\n" },
		{ "name: ~\n", EXPECTED_NAME "nothing\n" },
		{ "tags: [a, { b: c }]\n", "3:11: tags: expected text, found a mapping\n" },
		{ "requires: {}\n", "3:11: requires: expected text or a list of texts, found a mapping\n" },
		{ "requires: \"\"\n", "3:11: requires: the text is empty\n" },
		{ "setup:\n",
		  "3:7: setup: expected a command: text for the shell, or a list of words, found nothing\n" },
		{ "setup: []\n", "3:8: setup: the command is empty\n" },
		{ "setup: \" \"\n", "3:8: setup: the command is empty\n" },
		{ "setup: [\"\", a]\n", "3:9: setup: the program's name is empty\n" },
		{ "setup: [a, null]\n", "3:12: setup: expected text, found nothing\n" },
		{ "vars: { port: 1 }\n", "3:9: vars: 'port' is built in; choose another name\n" },
		{ "vars: { 9x: 1 }\n",
		  "3:9: vars: expected a name of letters, digits, '_' or '-' that starts with a letter, found '9x'\n" },
		{ "vars: { x: }\n", "3:12: vars.x: expected text or a number (\"\" for none), found nothing\n" },
		{ "vars: { x: [1] }\n", "3:12: vars.x: expected text or a number (\"\" for none), found a list\n" },
		{ "vars: [x]\n", "3:7: vars: expected a mapping of names to values, found a list\n" },
	};
	static const struct bad targets[] = {
		{ "environment: { B=C: 1 }\n",
		  "4:18: target.environment: expected the name of an environment variable, found 'B=C'\n" },
		{ "environment: { A: [] }\n",
		  "4:21: target.environment.A: expected text (\"\" for none), found a list\n" },
		{ "cwd: \"\"\n", "4:8: target.cwd: the text is empty\n" },
		{ "cwd: ${nowhere}\n",
		  "4:8: target.cwd: unknown name 'nowhere'; for the shell's own, write $${nowhere}\n" },
		{ "user: -x\n", "4:9: target.user: expected the name of a user, found '-x'\n" },
	};

	CHECK_BAD(HEAD, cases);
	CHECK_BAD("version: 1\ntarget:\n  command: x\n  ", targets);
}

TEST(refuses_unknown_names)
{
	static const struct bad cases[] = {
		{ "setup: echo ${HOME}\n", "3:13: setup: unknown name 'HOME'; for the shell's own, write $${HOME}\n" },
		{ "setup: echo $${HOME} $$${HOME}\n",
		  "3:24: setup: unknown name 'HOME'; for the shell's own, write $${HOME}\n" },
		{ "vars: { size: 1 }\nsetup: [a, \"${sise}\"]\n",
		  "4:13: setup: unknown name 'sise'; did you mean 'size'? For the shell's own, write $${sise}\n" },
		{ "setup: |\n  true\n  echo ${scenario-dir}\n",
		  "5:8: setup: unknown name 'scenario-dir'; did you mean 'scenario_dir'? For the shell's "
		  "own, write $${scenario-dir}\n" },
		{ "setup: \"\\x24{a}\"\n", "3:8: setup: unknown name 'a'; for the shell's own, write $${a}\n" },
		{ "setup: echo ${port.}\n",
		  "3:13: setup: unknown name 'port.'; did you mean 'port'? For the shell's own, write $${port.}\n" },
		{ "setup: echo ${}\n", "3:13: setup: unknown name ''; for the shell's own, write $${}\n" },
		{ "setup: echo ${port} ${x\n",
		  "3:21: setup: '${' without its '}'; for these characters as they are, write $${\n" },
	};

	CHECK_BAD(HEAD, cases);
}

TEST(reads_gates)
{
	static const struct good cases[] = {
		{ "task-clock: +5%", "  task-clock: 5%\n" },
		{ "task-clock: 5%", "  task-clock: 5%\n" },
		{ "task-clock: -5%", "  task-clock: 5%\n" },
		{ "task-clock: { max-increase: -5% }", "  task-clock: 5%\n" },
		{ "task-clock: 1000%", "  task-clock: 1000%\n" },
		{ "task-clock: \"+0.5%\"", "  task-clock: 0.5%\n" },
		{ "task-clock: default", "  task-clock: default    # 25%" },
		{ "ipc: -10%", "  ipc: 10%\n" }, { "ipc: +10%", "  ipc: 10%\n" },
		{ "ipc: { max-decrease: +10% }", "  ipc: 10%\n" },
		{ "ipc: 10%", "  ipc: 10%\n" }, { "ipc: 99.9%", "  ipc: 99.9%\n" },
		{ "wall-time: +0%", "  wall-time: 0%\n" },
		{ "wall-time: { max: 2s }", "  wall-time:\n    max: 2s\n" },
		{ "max-rss: { max: 512MiB, min: 4k }", "  max-rss:\n    max: 512MiB\n    min: 4KiB\n" },
		{ "branch-miss-rate: { max: 5% }", "  branch-miss-rate:\n    max: 0.05\n" },
		{ "branch-miss-rate: { max: 0.05 }", "  branch-miss-rate:\n    max: 0.05\n" },
		{ "ipc: { min: 0.8, max-decrease: 5% }", "  ipc:\n    max-decrease: 5%\n    min: 0.8\n" },
		{ "major-faults: { max: 0 }", "  major-faults:\n    max: 0\n" },
		{ "task-clock: { max-increase: default, required: true }", "  task-clock:\n    max-increase: default    # 25%" },
		{ "task-clock: { max-increase: default, required: true }", "    required: true\n" },
		{ "my-event: { max: 1e6, max-increase: +3% }\n", "  my-event:\n    max-increase: 3%\n    max: 1000000\n" },
	};

	CHECK_GOOD(HEAD "measure: { events: [my-event] }\ngates:\n  ", cases);
}

TEST(refuses_wrong_gates)
{
	static const struct bad cases[] = {
		{ "ipc: 100%\n", "4:8: gates.ipc: expected a limit under 100%, found '100%'\n" },
		{ "ipc: +100%\n", "4:8: gates.ipc: expected a limit under 100%, found '+100%'\n" },
		{ "task-clock: 1001%\n", "4:15: gates.task-clock: expected a limit up to 1000%, found '1001%'\n" },
		{ "task-clock: 5\n",
		  "4:15: gates.task-clock: expected a limit such as 5%, default, off, or a mapping such "
		  "as { max: ... }, found '5'\n" },
		{ "task-clock:\n",
		  "4:14: gates.task-clock: expected a limit such as 5%, default, off, or a mapping such "
		  "as { max: ... }, found nothing\n" },
		{ "wall-time: default\n", "4:14: gates.wall-time: 'wall-time' has no default limit; write one such as 5%\n" },
		{ "taskclock: 5%\n", "4:3: gates: unknown metric 'taskclock'; did you mean 'task-clock'?\n" },
		{ "zzzzzz: 5%\n",
		  "4:3: gates: unknown metric 'zzzzzz'; add it to measure.events or metrics, or use one of 'man pawl-metrics'\n" },
		{ "task-clock: {}\n", "4:15: gates.task-clock: nothing to check: add max-increase, improve, max or min\n" },
		{ "ipc: { required: true }\n", "4:8: gates.ipc: nothing to check: add max-decrease, improve, max or min\n" },
		{ "ipc: { max-increase: 5% }\n",
		  "4:10: gates.ipc.max-increase: ipc is worse when it falls: use max-decrease\n" },
		{ "wall-time: { max-decrease: 5% }\n",
		  "4:16: gates.wall-time.max-decrease: wall-time is worse when it rises: use max-increase\n" },
		{ "wall-time: { max: 5s, required: yes }\n", "4:35: gates.wall-time.required: expected true or false, found 'yes'\n" },
		{ "wall-time: { max: 5 }\n", "4:21: gates.wall-time.max: expected a duration such as 250ms, found '5'\n" },
		{ "wall-time: { max: 1s, min: 2s }\n", "4:14: gates.wall-time: min is above max: no value can pass\n" },
		{ "max-rss: { max: 512Mib }\n",
		  "4:19: gates.max-rss.max: expected a size such as 512MiB, found '512Mib'\n" },
		{ "branch-miss-rate: { max: 5 }\n",
		  "4:28: gates.branch-miss-rate.max: expected a share such as 5%, or 0.05, found '5'\n" },
		{ "major-faults: { max: -1 }\n",
		  "4:24: gates.major-faults.max: expected a number that is not negative, found '-1'\n" },
		{ "faults: +1%\n", "4:3: gates: the metric 'faults' is gone; use page-faults\n" },
		{ "wall-time: { maxx: 1s }\n", "4:16: gates.wall-time: unknown key 'maxx'; did you mean 'max'?\n" },
	};
	static const struct bad whole[] = {
		{ "gates: [ipc]\n", "3:8: gates: expected a mapping of metrics to limits, found a list\n" },
	};

	CHECK_BAD(HEAD "gates:\n  ", cases);
	CHECK_BAD(HEAD, whole);
}

/* Checks the gates of a scenario under a pawl.yaml: names joined by blanks. */
static void check_layers(const char *config_text, const char *gates, const char *expected)
{
	CLEANUP(scenario_release) struct scenario s = parse_layers(config_text, gates);
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < s.gates.n; i++)
		strbuf_addf(&names, "%s%s=%g", i ? " " : "", s.gates.items[i].metric->name, s.gates.items[i].tolerance_pct);
	assert_string_equal(names.buf, expected);
}

TEST(lays_gates_over_each_other)
{
	static const char config[] = "measure: { events: [e] }\ngates: { ipc: 4%, wall-time: 7%, e: 2% }\n";

	check_layers("", "", "task-clock=25 page-faults=1");
	check_layers("", "gates: {}\n", "task-clock=25 page-faults=1");
	check_layers("", "gates: { task-clock: off }\n", "page-faults=1");
	check_layers("", "gates: { task-clock: off, page-faults: off }\n", "");
	check_layers("", "gates: { ipc: 5% }\n", "ipc=5");
	check_layers("gates: { task-clock: off }\n", "", "page-faults=1");
	check_layers("gates: { task-clock: off }\n", "gates: { ipc: 1% }\n", "ipc=1");
	/* A gate in pawl.yaml does not remove the scenarios' time gates. */
	check_layers("gates: { page-faults: default }\n", "", "task-clock=25 page-faults=1");
	check_layers("gates: { page-faults: default }\n", "gates: { ipc: 1% }\n", "page-faults=1 ipc=1");
	check_layers("gates: { task-clock: 9% }\n", "gates: { ipc: 1% }\n", "task-clock=9 ipc=1");
	check_layers(config, "", "task-clock=25 page-faults=1 ipc=4 wall-time=7 e=2");
	check_layers(config, "gates: { wall-time: 9%, max-rss: 1% }\n", "ipc=4 wall-time=9 e=2 max-rss=1");
	check_layers(config, "gates: { ipc: off, e: false }\n", "task-clock=25 page-faults=1 wall-time=7");
	check_layers(config, "measure: { events: [f] }\ngates: { e: off, f: 3% }\n", "ipc=4 wall-time=7 f=3");
}

TEST(tells_gates_of_another_file_no_place)
{
	CLEANUP(scenario_release) struct scenario s = parse_layers("gates: { ipc: 4% }\n", "");

	assert_int_equal(s.gates.items[0].line, 0);
}

TEST(names_scenarios)
{
	static const struct { const char *path, *name; } cases[] = {
		{ "a/b/http.yaml", "http" }, { "x.yml", "x" }, { "redis.get.yaml", "redis.get" }, { "plain", "plain" },
	};
	static const char *const bad[] = { "", ".", "..", ".a", "a b", "a/b", "\xc3\xa9", "a\n" };
	struct diags diags = DIAGS_INIT;
	struct scenario s;
	char longest[102], *shown;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(scenario_parse(HEAD, strlen(HEAD), cases[i].path, &defaults, &s, &diags), 0);
		assert_string_equal(s.name, cases[i].name);
		scenario_release(&s);
	}
	shown = parse_bad_bytes(HEAD, strlen(HEAD), "two words.yaml");
	assert_string_equal(shown, "two words.yaml: the file's name cannot be that of a scenario; add 'name:' with "
				   "letters, digits, '.', '_', '-'\n");
	free(shown);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(scenario_name_valid(bad[i]));
	memset(longest, 'x', sizeof longest - 1);
	longest[101] = '\0';
	assert_false(scenario_name_valid(longest));
	longest[100] = '\0';
	assert_true(scenario_name_valid(longest));
}

TEST(shows_the_line_with_a_caret)
{
	static const char text[] = HEAD "measure:\n  timeout: soon\n";
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;
	struct scenario s;

	assert_int_equal(scenario_parse(text, strlen(text), PATH, &defaults, &s, &diags), -1);
	diags_render(&diags, &shown);
	assert_string_equal(shown.buf,
			    PATH ":4:12: measure.timeout: expected a duration such as 30s, found 'soon'\n"
				 "      timeout: soon\n"
				 "               ^\n");
}

/* -------- scenario_target */

#define ENV "version: 1\nvars: { n: 12, web: nginx, none: \"\" }\nenv: [{ name: redis, command: [redis-server, x] }]\n"

TEST(reads_every_kind)
{
	static const struct good cases[] = {
		{ "command: [./prog] }", "\n  command: [./prog]\n" },
		{ "service: redis }", "\n  service: redis\n" },
		{ "pid: 1 }", "\n  pid: 1\n" },
		{ "pid: 4194304 }", "\n  pid: 4194304\n" },
		{ "pid: \"${n}\" }", "\n  pid: \"${n}\"\n" },
		{ "pidfile: run/nginx.pid }", "\n  pidfile: run/nginx.pid\n" },
		{ "process: \"^${web}: master( process)?\" }", "\n  process: \"^${web}: master( process)?\"\n" },
		{ "port: 65535 }", "\n  port: 65535\n" },
		{ "port: \"${port}\" }", "\n  port: \"${port}\"\n" },
		{ "cgroup: system.slice/nginx.service }", "\n  cgroup: system.slice/nginx.service\n" },
		{ "container: web_1 }", "\n  container: web_1\n" },
		{ "container: \"${web}-1\" }", "\n  container: \"${web}-1\"\n" },
	};

	CHECK_GOOD(ENV "target: { ", cases);
}

TEST(knows_what_starts_the_target)
{
	struct scenario s = parse_good(ENV "target: { service: redis }\n");

	assert_ptr_equal(scenario_target_command(&s), &s.services[0].command);
	scenario_release(&s);
	s = parse_good("target: [./prog]\n");
	assert_ptr_equal(scenario_target_command(&s), &s.target);
	scenario_release(&s);
	s = parse_good("target: { pid: 7 }\n");
	assert_int_equal(scenario_target_command(&s)->argv.n, 0);
	scenario_release(&s);
}

#define EXPECTED_PID "4:16: target.pid: expected the number of a process, from 1 to 4194304, found "
#define EXPECTED_PORT "4:17: target.port: expected a TCP port from 1 to 65535, found "
#define EXPECTED_CONTAINER "4:22: target.container: expected the name or number of a container, found "

TEST(refuses_wrong_targets)
{
	static const struct bad cases[] = {
		{ "command: x, service: redis }", "4:23: target: command and service exclude each other; keep one\n" },
		{ "port: 80, pid: 1 }", "4:21: target: port and pid exclude each other; keep one\n" },
		{ "cwd: x }", "4:9: target: what to measure is missing; add command, service, pid, pidfile, process, "
			      "port, cgroup or "
			      "container\n" },
		{ "service: reds }", "4:20: target.service: unknown service 'reds'; did you mean 'redis'?\n" },
		{ "service: postgres }", "4:20: target.service: unknown service 'postgres'; add it to 'env:'\n" },
		{ "service: [] }", "4:20: target.service: expected a list of 1 to 32 services, found 0\n" },
		{ "service: [redis, reds] }", "4:28: target.service: unknown service 'reds'; did you mean 'redis'?\n" },
		{ "service: [redis, redis] }", "4:28: target.service: the service 'redis' is listed twice\n" },
		{ "service: {} }", "4:20: target.service: expected the name of a service, found a mapping\n" },
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
		  "4:20: target.process: the regular expression '(a' cannot be used: missing closing parenthesis\n" },
		{ "pidfile: \"\" }", "4:20: target.pidfile: the text is empty\n" },
		{ "cgroup: {} }", "4:19: target.cgroup: expected text, found a mapping\n" },
		{ "container: -rf }", EXPECTED_CONTAINER "'-rf'\n" },
		{ "container: a b }", EXPECTED_CONTAINER "'a b'\n" },
		{ "service: redis, environment: { A: 1 }, cwd: x, user: y }",
		  "4:27: target.environment: this belongs to the service; move it there, below 'env:'\n"
		  "4:50: target.cwd: this belongs to the service; move it there, below 'env:'\n"
		  "4:58: target.user: this belongs to the service; move it there, below 'env:'\n" },
		{ "pid: 1, cwd: x }",
		  "4:19: target.cwd: this goes with a command that pawl starts; this target runs already\n" },
		/* A fault is reported once: load and window know that the target is a service. */
		{ "service: x }\nload: { command: y }\nmeasure: { window: 1s }",
		  "4:20: target.service: unknown service 'x'; add it to 'env:'\n" },
	};

	CHECK_BAD(ENV "target: { ", cases);
}

TEST(refuses_what_a_target_cannot_have)
{
	static const struct bad cases[] = {
		{ "target: { command: x }\nmeasure: { window: 5s }",
		  "5:12: measure.window: a command is measured from its start to its end; leave the window out\n" },
		{ "target: { command: x }\nload: { command: y }",
		  "5:1: load: a load drives a service or another attached target; a command runs without one\n" },
		{ "target: { service: redis }\nload: { command: y, work: { json: a, as: count } }\nmeasure: { window: "
		  "5s }",
		  "6:12: measure.window: a load of fixed work ends its own window; leave measure.window out\n" },
		{ "target: { service: redis }\nmeasure: { counters: sim }",
		  "5:12: measure.counters: a running process cannot be simulated; use auto or perf\n" },
		{ "target: { service: redis }\nload: { command: y }\nwarmup: { steady: 1m }",
		  "6:11: warmup.steady: the load does not report its work; add load.work\n" },
		{ "target: { port: 80 }\nwarmup: { work: 100 }",
		  "5:11: warmup.work: the load does not report its work; add load.work\n" },
		{ "target: { port: 80 }\nmeasure: { cpus: 1, aslr: false }",
		  "5:12: measure.cpus: pawl does not pin a target that already runs; leave this out\n"
		  "5:21: measure.aslr: a target that already runs keeps its addresses; leave this out\n" },
	};

	CHECK_BAD(ENV, cases);
}

TEST(takes_what_a_target_can_have)
{
	static const struct good cases[] = {
		{ "service: redis }\nmeasure: { window: 2s, cpus: 1, aslr: false, counters: perf }\n", "  window: 2s\n" },
		{ "service: redis }\nload: { command: y, work: { json: a, as: rate } }\nmeasure: { window: 2s }\n", "  window: 2s\n" },
		{ "service: redis }\nload: { command: y, work: { json: a, as: count } }\n", "load:\n  command: y\n" },
		{ "pid: 1 }\nmeasure: { window: 2s, timeout: 1s }\nwarmup: { duration: 1s, command: x }\n", "  window: 2s\n" },
		{ "command: x }\nmeasure: { counters: sim, cpus: 1, aslr: false }\n", "  counters: sim\n" },
	};

	CHECK_GOOD(ENV "target: { ", cases);
}

TEST(drops_defaults_that_do_not_fit)
{
	static const char config[] = "measure: { window: 9s, counters: sim, cpus: 1, aslr: false }\n";
	static const struct layered cases[] = {
		{ config, HEAD, "  counters: sim\n  pairs: auto\n  events: []\n  cpus: 1\n  aslr: false\n" },
		{ config, ENV "target: { service: redis }\n", "  window: 9s\n  budget: 60s\n  floor: 0%\n  counters: auto\n" },
		{ config, ENV "target: { service: redis }\n", "  cpus: 1\n  aslr: false\n" },
		{ config, "target: { pid: 1 }\n", "  window: 9s\n  budget: 60s\n  floor: 0%\n  counters: auto\n" },
	};
	CLEANUP(config_release) struct config all;
	CLEANUP(scenario_release) struct scenario s;

	CHECK_LAYERED("", cases);
	parse_config(config, &all);
	s = parse_under(&all.defaults, "target: { pid: 1 }\n");
	assert_null(s.measure.cpus);
	assert_false(s.measure.aslr_off);
}

/*
 * The memory that a service touches in a window varies by chance, so its default gate is dropped. Gates named by a
 * scenario or pawl.yaml stay.
 */
TEST(gates_windows_by_their_time_alone)
{
	struct scenario s = parse_good(HEAD);

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

/* -------- scenario_env */

TEST(reads_every_key_of_services)
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

/* HEAD of a scenario with one service, whose further keys follow. */
#define SERVICE HEAD "vars: { host: \"::1\", level: 3 }\nenv:\n  - name: a\n    command: ./serve\n    "

TEST(reads_every_readiness)
{
	static const struct good cases[] = {
		{ "{ tcp: \"127.0.0.1:6379\" }", "    ready:\n      tcp: \"127.0.0.1:6379\"\n" },
		{ "{ tcp: \"localhost:1\" }", "    ready:\n      tcp: \"localhost:1\"\n" },
		{ "{ tcp: \"[::1]:65535\" }", "    ready:\n      tcp: \"[::1]:65535\"\n" },
		{ "{ tcp: \"[${host}]:${port}\" }", "    ready:\n      tcp: \"[${host}]:${port}\"\n" },
		{ "{ http: \"http://h\" }", "    ready:\n      http: \"http://h\"\n" },
		{ "{ http: \"http://h?a=b\" }", "    ready:\n      http: \"http://h?a=b\"\n" },
		{ "{ http: \"http://[::1]:80/\" }", "    ready:\n      http: \"http://[::1]:80/\"\n" },
		{ "{ http: \"http://[${host}]:${port}/a:b@c\" }", "    ready:\n      http: \"http://[${host}]:${port}/a:b@c\"\n" },
		{ "{ log: \"^ready( to accept)?$\" }", "    ready:\n      log: \"^ready( to accept)?$\"\n" },
		{ "{ log: \"level ${level} (\\\\(|x){1,${level}}\" }", "    ready:\n      log: 'level ${level} (\\(|x){1,${level}}'\n" },
		{ "{ log: \"cost: 5$$\" }", "    ready:\n      log: \"cost: 5$$\"\n" },
		{ "{ file: \"${tmp}/pid\" }", "    ready:\n      file: \"${tmp}/pid\"\n" },
		{ "{ command: \"true\" }", "    ready:\n      command: true\n" },
		{ "{ delay: 250ms }", "    ready:\n      delay: 250ms\n" },
	};

	CHECK_GOOD(SERVICE "ready: ", cases);
}

TEST(reads_signals)
{
	static const struct { const char *text; int number; } cases[] = {
		{ "TERM", SIGTERM }, { "SIGTERM", SIGTERM }, { "INT", SIGINT }, { "QUIT", SIGQUIT }, { "SIGHUP", SIGHUP }, { "USR1", SIGUSR1 },
		{ "USR2", SIGUSR2 }, { "KILL", SIGKILL }, { "1", 1 }, { "64", 64 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(free_ptr) char *text = text_printf(SERVICE "stop: { signal: %s }\n", cases[i].text);
		CLEANUP(scenario_release) struct scenario s = parse_good(text);

		assert_int_equal(s.services[0].stop.signal, cases[i].number);
	}
}

TEST(refuses_wrong_lists)
{
	static const struct bad cases[] = {
		{ "env: []\n", "3:6: env: expected a list of 1 to 32 services, found 0\n" },
		{ "env: { LANG: C }\n", "3:6: env: expected a list of services, found a mapping; variables belong to "
					"target.environment, or to that of a service\n" },
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
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	CHECK_BAD(HEAD, cases);
	strbuf_adds(&text, HEAD "env:\n");
	for (int i = 0; i < 33; i++)
		strbuf_addf(&text, "- { name: s%d, command: x }\n", i);
	assert_bad_bytes(text.buf, text.len, PATH ":4:1: env: expected a list of 1 to 32 services, found 33\n");
}

#define EXPECTED_TCP "7:19: env.a.ready.tcp: expected HOST:PORT such as 127.0.0.1:6379, found "
#define EXPECTED_SIGNAL "7:21: env.a.stop.signal: expected a signal such as TERM, INT, QUIT or a number from 1 to 64, found "
#define EXPECTED_URL "7:20: env.a.ready.http: expected a URL such as http://127.0.0.1:8080/health, found "

TEST(refuses_wrong_readiness)
{
	static const struct bad cases[] = {
		{ "ready: {}", "7:12: env.a.ready: what shows that it is ready is missing; add tcp, unix, http, log, file, "
			       "command or delay\n" },
		{ "ready: 5s", "7:12: env.a.ready: expected a mapping, found '5s'\n" },
		{ "ready: { timeout: 5s }", "7:12: env.a.ready: what shows that it is ready is missing; add tcp, unix, http, "
					    "log, file, command or delay\n" },
		{ "ready: { tcp: \"h:1\", log: x }", "7:26: env.a.ready: tcp and log exclude each other; keep one\n" },
		{ "ready: { delay: 1s, timeout: 2s }",
		  "7:25: env.a.ready.timeout: timeout and delay exclude each other; keep one\n" },
		{ "ready: { tcp: \"h:1\", status: 200, body: x }",
		  "7:26: env.a.ready.status: this goes with http alone; leave it out\n"
		  "7:39: env.a.ready.body: this goes with http alone; leave it out\n" },
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
		{ "ready: { http: \"http://h\", method: get }",
		  "7:40: env.a.ready.method: expected a method such as GET or HEAD, found 'get'\n" },
		{ "ready: { http: \"http://h\", headers: { \"A b\": c } }",
		  "7:43: env.a.ready.headers: expected the name of a header such as Authorization, found 'A b'\n" },
		{ "ready: { http: \"http://h\", headers: { A: \"b\\r\\nC: d\" } }",
		  "7:46: env.a.ready.headers.A: a header has one line\n" },
		{ "ready: { http: \"http://h\", headers: { A: \"${prot}\" } }",
		  "7:47: env.a.ready.headers.A: unknown name 'prot'; did you mean 'port'? For the shell's own, write $${prot}\n" },
		{ "ready: { tcp: \"h:1\", headers: { A: b } }", "7:26: env.a.ready.headers: this goes with http alone; leave it out\n" },
		{ "ready: { unix: /s, tcp: \"h:1\" }", "7:24: env.a.ready: unix and tcp exclude each other; keep one\n" },
		{ "nice: 20", "7:11: env.a.nice: expected a whole number from -20, the first in turn, to 19, the last, found '20'\n" },
		{ "nice: -21", "7:11: env.a.nice: expected a whole number from -20, the first in turn, to 19, the last, found '-21'\n" },
		{ "limits: { nofiles: 1 }", "7:15: env.a.limits: unknown limit 'nofiles'; did you mean 'nofile'?\n" },
		{ "limits: { colour: 1 }", "7:15: env.a.limits: unknown limit 'colour'; those of limits.conf are known: as, core, cpu, "
					   "data, fsize, memlock, nofile, nproc, stack\n" },
		{ "limits: { nofile: 1k }", "7:23: env.a.limits.nofile: expected a whole number, or unlimited, found '1k'\n" },
		{ "limits: { stack: big }", "7:22: env.a.limits.stack: expected a size such as 64MiB, or unlimited, found 'big'\n" },
		{ "ready: { http: \"http://h\", status: 99 }",
		  "7:40: env.a.ready.status: expected a whole number from 100 to 599, found '99'\n" },
		{ "ready: { http: \"http://h\", status: 600 }",
		  "7:40: env.a.ready.status: expected a whole number from 100 to 599, found '600'\n" },
		{ "ready: { log: \"(a\" }",
		  "7:19: env.a.ready.log: the regular expression '(a' cannot be used: missing closing parenthesis\n" },
		{ "ready: { http: \"http://h\", body: \"[a\" }", "7:38: env.a.ready.body: the regular expression '[a' "
								 "cannot be used: missing terminating ] for character class\n" },
		{ "ready: { file: \"\" }", "7:20: env.a.ready.file: the text is empty\n" },
		{ "ready: { delay: 0s }",
		  "7:21: env.a.ready.delay: expected a duration above 0s and up to 24h, found '0s'\n" },
		{ "stop: { signal: TERM, command: x }",
		  "7:27: env.a.stop: signal and command exclude each other; keep one\n" },
		{ "stop: { signal: term }", EXPECTED_SIGNAL "'term'\n" },
		{ "stop: { signal: 0 }", EXPECTED_SIGNAL "'0'\n" },
		{ "stop: { signal: 65 }", EXPECTED_SIGNAL "'65'\n" },
		{ "stop: { grace: 5 }", "7:20: env.a.stop.grace: expected a duration such as 30s, found '5'\n" },
	};

	CHECK_BAD(HEAD "vars: { host: \"::1\" }\nenv:\n  - name: a\n    command: x\n    ", cases);
}
