#include "unit.h"

#include "scenario/scenario.h"

/* -------- config */

static int parse(const char *text, struct config *config, struct diags *diags)
{
	return config_parse(text, strlen(text), "pawl.yaml", config, diags);
}

TEST(has_defaults)
{
	struct diags diags = DIAGS_INIT;
	CLEANUP(config_release) struct config config;

	config_init(&config);
	assert_int_equal(parse("", &config, &diags), 0);
	assert_int_equal(parse("# nothing set\n", &config, &diags), 0);
	assert_int_equal(parse("{}\n", &config, &diags), 0);
	assert_string_equal(config.scenarios, "scenarios");
	assert_string_equal(config.baselines, "baselines");
	assert_string_equal(config.out, "pawl-out");
	assert_int_equal(config.build.argv.n, 0);
	assert_int_equal(config.defaults.measure.runs, 10);
	assert_int_equal(config.defaults.gates.n, 2);
	assert_true(config.defaults.gates.items[0].builtin);
}

TEST(reads_every_key)
{
	struct diags diags = DIAGS_INIT;
	CLEANUP(config_release) struct config config;

	config_init(&config);
	assert_int_equal(parse("build: make -j${jobs:-2}\n"
			       "scenarios: perf/scenarios\n"
			       "baselines: perf/..base\n"
			       "out: .\n"
			       "measure: { runs: 20, events: [cache-misses] }\n"
			       "gates: { cache-misses: +8%, ipc: default }\n",
			       &config, &diags),
			 0);
	assert_string_equal(config.build.argv.items[2], "make -j${jobs:-2}");
	assert_string_equal(config.scenarios, "perf/scenarios");
	assert_string_equal(config.baselines, "perf/..base");
	assert_string_equal(config.out, ".");
	assert_int_equal(config.defaults.measure.runs, 20);
	assert_int_equal(config.defaults.gates.n, 4);
	assert_true(config.defaults.gates.items[1].builtin);
	assert_false(config.defaults.gates.items[2].builtin);
	assert_string_equal(config.defaults.gates.items[2].metric->name, "cache-misses");
	assert_int_equal(config.defaults.gates.items[2].line, 6);

	assert_int_equal(parse("out: elsewhere\n", &config, &diags), 0);
	assert_string_equal(config.out, "elsewhere");
	assert_string_equal(config.scenarios, "perf/scenarios");
	assert_int_equal(config.defaults.measure.runs, 20);
}

TEST(keeps_what_has_no_fault)
{
	static const struct { const char *text, *fault; } cases[] = {
		{ "out: /tmp\n",
		  "1:6: out: expected a folder inside the project: relative, without '..', found '/tmp'" },
		{ "out: ..\n", "1:6: out: expected a folder inside the project: relative, without '..', found '..'" },
		{ "out: a/../b\n",
		  "1:6: out: expected a folder inside the project: relative, without '..', found 'a/../b'" },
		{ "out: a/..\n",
		  "1:6: out: expected a folder inside the project: relative, without '..', found 'a/..'" },
		{ "calibration: c.yaml\n", "1:1: the key 'calibration' is gone; write the limits that `pawl calibrate` found "
		  "into the gates of the scenario" },
		{ "out: \"\"\n", "1:6: out: the text is empty" },
		{ "out: [a]\n", "1:6: out: expected a folder inside the project: relative, without '..', found a list" },
		{ "scenario: a\n", "1:1: unknown key 'scenario'; did you mean 'scenarios'?" },
		{ "version: 1\n",
		  "1:1: unknown key 'version', see 'man pawl.yaml'; the keys here are build, base, scenarios, baselines, out, measure, "
		  "profile, gates" },
		{ "profile: { kinds: [waits] }\n", "1:20: profile.kinds: expected cpu, offcpu, faults or heap, found 'waits'" },
		{ "build: []\n", "1:8: build: the command is empty" },
		{ "measure: { runs: x }\n", "1:18: measure.runs: expected a whole number from 1 to 10000, found 'x'" },
		{ "gates: { ipcc: 5% }\n", "1:10: gates: unknown metric 'ipcc'; did you mean 'ipc'?" },
		{ "text\n", "1:1: expected a mapping, found 'text'" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
		CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT, shown = STRBUF_INIT;
		CLEANUP(config_release) struct config config;

		config_init(&config);
		assert_int_equal(parse(cases[i].text, &config, &diags), -1);
		assert_int_equal(diags.n, 1);
		free(diags.items[0].source);
		diags.items[0].source = NULL;
		diags_render(&diags, &shown);
		strbuf_addf(&expected, "pawl.yaml:%s\n", cases[i].fault);
		assert_string_equal(shown.buf, expected.buf);
		assert_string_equal(config.out, "pawl-out");
		assert_int_equal(config.defaults.measure.runs, 10);
		assert_int_equal(config.defaults.gates.n, 2);
	}
}
