/* Scenarios written with every default: they read back as the same, and no key is left out. */
#include "unit.h"

#include <glob.h>

#include "model/baseline.h"
#include "scenario/scenario.h"
#include "scenario/yaml.h"
#include "read_file.h"

#define N(array) (sizeof(array) / sizeof *(array))

static struct scenario parse(const char *text, const char *path, const struct scenario_defaults *defaults)
{
	struct diags diags = DIAGS_INIT;
	struct strbuf shown = STRBUF_INIT;
	struct scenario scenario;

	if (scenario_parse(text, strlen(text), path, defaults, &scenario, &diags) < 0) {
		diags_render(&diags, &shown);
		fail_msg("%s\n%s", text, shown.buf);
	}
	return scenario;
}

static void check_gates(const struct gates *a, const struct gates *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct gate *x = &a->items[i];
		size_t k = 0;

		while (k < b->n && strcmp(b->items[k].metric->name, x->metric->name))
			k++;
		assert_true(k < b->n);
		assert_int_equal(x->relative, b->items[k].relative);
		assert_int_equal(x->by_default, b->items[k].by_default);
		assert_int_equal(x->required, b->items[k].required);
		assert_true(!x->relative || x->tolerance_pct == b->items[k].tolerance_pct);
		assert_true(x->max == b->items[k].max || (isnan(x->max) && isnan(b->items[k].max)));
		assert_true(x->min == b->items[k].min || (isnan(x->min) && isnan(b->items[k].min)));
	}
	assert_int_equal(a->symbols.on, b->symbols.on);
	if (a->symbols.on) {
		assert_int_equal(a->symbols.by_default, b->symbols.by_default);
		assert_true(a->symbols.rise_pp == b->symbols.rise_pp && a->symbols.new_pp == b->symbols.new_pp);
		assert_int_equal(a->symbols.top, b->symbols.top);
	}
	assert_int_equal(a->n_budgets, b->n_budgets);
}

/* What decides how it runs, apart from the texts that both write alike. */
static void check_same(const struct scenario *a, const struct scenario *b)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct settings one, other;

	plan_settings(a, &arena, &one);
	plan_settings(b, &arena, &other);
	assert_null(settings_difference(&one, &other));
	assert_int_equal(a->target_kind, b->target_kind);
	assert_int_equal(a->target.shell, b->target.shell);
	assert_int_equal(a->measure.runs, b->measure.runs);
	assert_int_equal(a->measure.budget_ns, b->measure.budget_ns);
	assert_int_equal(a->measure.timeout_ns, b->measure.timeout_ns);
	assert_int_equal(a->measure.counters, b->measure.counters);
	assert_int_equal(a->measure.pairs, b->measure.pairs);
	assert_true(a->measure.floor_pct == b->measure.floor_pct);
	assert_int_equal(a->profile.samples, b->profile.samples);
	assert_int_equal(a->profile.frequency, b->profile.frequency);
	assert_int_equal(a->profile.off, b->profile.off);
	assert_int_equal(a->warmup_runs, b->warmup_runs);
	assert_int_equal(a->warmup_ns, b->warmup_ns);
	assert_int_equal(a->n_services, b->n_services);
	for (size_t i = 0; i < a->n_services; i++) {
		assert_int_equal(a->services[i].ready.kind, b->services[i].ready.kind);
		assert_int_equal(a->services[i].stop.signal, b->services[i].stop.signal);
	}
	check_gates(&a->gates, &b->gates);
}

/* Returns TEXT with every default, checked; for free(). */
static char *written(const char *text, const char *path, const char *config_text)
{
	struct strbuf first = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf second = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct config config;

	config_init(&config);
	assert_int_equal(config_parse(config_text, strlen(config_text), "pawl.yaml", &config, &diags), 0);
	{
		CLEANUP(scenario_release) struct scenario scenario = parse(text, path, &config.defaults);
		CLEANUP(scenario_release) struct scenario again = (scenario_explain(&scenario, &config.defaults, &first),
								   parse(first.buf, path, &config.defaults));

		check_same(&scenario, &again);
		scenario_explain(&again, &config.defaults, &second);
	}
	config_release(&config);
	assert_string_equal(first.buf, second.buf);
	return strbuf_take(&first);
}

TEST(shipped_scenarios_read_back)
{
	static const char *const patterns[] = { "scenarios/*.yaml", "scenarios/*/*.yaml", "share/demo/*.yaml", "tests/bench/causes/*/scenarios/*.yaml" };
	size_t n = 0;

	for (size_t i = 0; i < N(patterns); i++) {
		glob_t found;

		assert_int_equal(glob(patterns[i], 0, NULL, &found), 0);
		for (size_t k = 0; k < found.gl_pathc; k++, n++) {
				CLEANUP(strbuf_release) struct strbuf text = read_file(found.gl_pathv[k]);

				free(written(text.buf, found.gl_pathv[k], ""));
			}
		globfree(&found);
	}
	assert_true(n > 40);
}

/* Together they have every key. */
static const char *const whole[] = {
	"description: \"two: lines\\nof 1,000\"\n"
	"tags: quick\nrequires: [awk]\nvars: { level: 6, none: \"\", \"a-b\": \"x=y: '#'\" }\n"
	"setup: |\n  a\n\n    b \"c\"\n\nprepare: \"one\\ttab\\u0001\\u2028\\U000e0001\"\ncleanup: [sh, -c, \"x\\ny\\n\", '']\n"
	"target:\n  command: [./prog, \"null\", \"-\", \"--x=1\", \"${level}\", \"it's\", '\"', '\\']\n  environment: { A: \"\", B: \"a=b\" }\n"
	"  pass-env: [X, Y]\n  cwd: a b\n  user: me\n"
	"warmup: { runs: 0, command: \" led by a blank\" }\n"
	"measure: { runs: 3, budget: 1500ms, floor: 0.1%, counters: sim, pairs: in-turn, events: [minor-faults, \"cpu/event=0x3c,umask=1/\"], "
	"cpus: \"0-3,6\", aslr: false, timeout: 2h }\n"
	"metrics: [{ name: p99, regex: '^([0-9]+) \"ms\"', unit: ms, better: lower }, { name: rps, json: 'a[0].b', better: higher }]\n"
	"profile: { frequency: 99, samples: 3000, duration: 1us, call-graph: dwarf, kinds: [cpu, offcpu, faults, heap], own-code: ['*/x*'] }\n"
	"gates: { task-clock: 5%, ipc: { max-decrease: default, min: 0.1 }, p99: { max: 1.5ms, max-increase: 0.30000000000000004% }, "
	"max-rss: { max: 512MiB, required: true }, branch-miss-rate: { max: 5.1% }, minor-faults: { max: 1e300 }, "
	"symbols: { top: 3, rise: 2pp, new: 2.5pp }, budgets: [{ symbol: 'f*', max: 5% }, { dso: '[kernel]', max: 0%, required: true }] }\n",
	"env:\n"
	"  - { name: a, command: ./a, environment: { X: 1 }, cwd: d, user: u, nice: -5, limits: { nofile: 5, core: unlimited, stack: 1MiB }, "
	"ready: { http: 'http://127.0.0.1:${port}/', timeout: 10s, status: 204, body: ok, method: HEAD, headers: { Host: x, X-A: 'b: c' } }, "
	"stop: { command: ./stop, grace: 1s } }\n"
	"  - { name: b, command: [b], ready: { tcp: 'h:1' }, stop: { signal: 40 } }\n"
	"  - { name: c, command: c, ready: { unix: s } }\n"
	"  - { name: d, command: d, ready: { log: 'x$' } }\n"
	"  - { name: e, command: e, ready: { file: f } }\n"
	"  - { name: f, command: f, ready: { command: g } }\n"
	"  - { name: g, command: g, ready: { delay: 1s } }\n"
	"  - { name: h, command: h }\n"
	"target: { service: [a, b] }\n"
	"load: { command: l, environment: { A: b }, user: u, nice: 3, limits: { cpu: 9 }, work: { regex: '([0-9]+)', as: rate, unit: row }, fail: 'e|f' }\n"
	"warmup: { steady: 5s }\nmeasure: { window: 2s }\nprofile: { kinds: [] }\ngates: { throughput: 5% }\n",
	"target: { pid: 1 }\nload: { command: l, work: { json: a, as: count } }\nwarmup: { work: 7 }\n",
	"target: { pidfile: a/b }\nwarmup: { duration: 90s }\n",
	"target: { process: '^a b$' }\n",
	"target: { port: 80 }\ngates: { task-clock: off }\n",
	"target: { cgroup: a/b }\n",
	"target: { container: web }\n",
	"target: ./prog\ngates: { task-clock: off }\n",
	"target: { command: ./bench, harness: google-benchmark, filter: 'BM_*' }\ngates: { task-clock: off }\n",
	"target: { command: ./bench, harness: json, values: { list: a.b, name: n, value: v, unit: ns }, output: same }\n"
	"gates: { '*': default, 'BM_x/*': off }\n",
	"target: [./prog]\ngates: { task-clock: off, page-faults: off, symbols: off, budgets: off }\n",
};

static void check_keys(const struct fields *fields, const char *all)
{
	for (size_t i = 0; i < fields->n; i++) {
		CLEANUP(free_ptr) char *key = text_printf(" %s:", fields->items[i].key);
		CLEANUP(free_ptr) char *first = text_printf("\n%s:", fields->items[i].key);

		if (!strstr(all, key) && !strstr(all, first))
			fail_msg("no scenario is written with the key '%s'", fields->items[i].key);
		if (fields->items[i].object)
			check_keys(fields->items[i].object, all);
	}
}

TEST(every_key_reads_back)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	CLEANUP(strbuf_release) struct strbuf all = STRBUF_INIT;

	for (size_t i = 0; i < N(whole); i++) {
		CLEANUP(free_ptr) char *text = written(whole[i], "scenarios/x.yaml", "");

		strbuf_adds(&all, text);
	}
	check_keys(&scenario_fields, all.buf);
	for (const char *const *key = (const char *const[]){ "max-increase", "max-decrease", "top", "rise", "new", "symbol", "dso", NULL }; *key; key++)
		assert_non_null(strstr(all.buf, *key));
}

/* Settings of pawl.yaml are in what is written, and what a scenario takes back stays away. */
TEST(settings_of_a_project_read_back)
{
	static const char config[] = "measure: { events: [e1], cpus: 1, counters: sim, window: 3s }\n"
				     "profile: { own-code: [lib], samples: 9 }\n"
				     "gates: { e1: 5%, throughput: 3%, rss-growth: 2%, page-faults: 7%, symbols: 3pp, budgets: [{ symbol: f, max: 5% }] }\n";
	static const struct { const char *text, *has; } cases[] = {
		{ "target: x\n", "  samples: 9\n" }, { "target: x\n", "  e1: 5%\n" },
		{ "target: x\n", "  throughput: off\n" },
		{ "target: x\nmeasure: { events: [] }\ngates: { e1: off }\n", "  e1: off\n" },
		{ "target: x\nmeasure: { events: [e2] }\n", "  e1: 5%\n" },
		{ "target: x\nprofile: { kinds: [] }\n", "  symbols: off\n  budgets: []\n" },
		{ "target: { pid: 1 }\n", "  window: 3s\n" },
		{ "target: x\ngates: { symbols: default, budgets: [] }\n", "  symbols: default" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(free_ptr) char *text = written(cases[i].text, "scenarios/x.yaml", config);

		if (!strstr(text, cases[i].has))
			fail_msg("%s lacks %s", text, cases[i].has);
	}
}

/* The numbers behind `default`. */
TEST(defaults_are_numbers)
{
	CLEANUP(free_ptr) char *text = written("target: ./prog x\ngates: { cpu-time: default, ipc: default, page-faults: default }\n", "scenarios/x.yaml", "");

	assert_string_equal(strstr(text, "gates:"),
			    "gates:\n"
			    "  cpu-time: default    # 25% against the baseline, 2% in pairs (3% if base and head cannot run at the same time)\n"
			    "  ipc: default    # 10% against the baseline, 3% in pairs\n"
			    "  page-faults: default    # 1% against the baseline, 1% in pairs\n"
			    "  symbols: default    # for each of the 10 hottest, a share of at most 1pp more\n"
			    "  budgets: []\n");
}

