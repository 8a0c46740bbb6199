/*
 * Results as real invocations produce them, for the renderer tests. Each function fills an empty result,
 * which the caller releases.
 */
#ifndef PAWL_TESTS_REPORT_SAMPLES_H
#define PAWL_TESTS_REPORT_SAMPLES_H

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "model/result.h"

struct sample {
	const char *name;
	void (*fill)(struct result *result);
};

static inline void sample_machine(struct machine *machine)
{
	machine->arch = "x86_64";
	machine->cpu = "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz";
	machine->part = "intel-xeon-platinum-8370c-4cpu";
	machine->cpus = 4;
	machine->tier = TIER_SW;
	machine->kernel = "6.8.0-1021-azure";
	machine->os = "Ubuntu 24.04";
	machine->perf_version = "6.8.12";
	machine->perf_path = "/usr/bin/perf";
	machine->hypervisor = "microsoft";
	machine->tier_reason = "this virtual machine exposes no hardware counters";
	machine->tier_remedy = "use an arm64 runner, or gate simulated metrics (measure.counters: sim)";
}

/* Sets the command LINE that made RESULT. */
static inline void sample_command(struct result *result, const char *line)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	escape_shell_split(line, &words);
	result->command = result->options = (struct strv)STRV_INIT;
	arena_push_all(&result->arena, &result->command, &words);
	cmd_shaping_options(&result->command, &result->arena, &result->options);
}

static inline void sample_begin(struct result *result)
{
	sample_command(result, "pawl run --strict --out 'my out' --runs 15");
	result->date = "2026-11-21T10:05:54Z";
	result->commit = "4f1c2d9+dirty";
	result->pawl = "0.1.0";
	result->out_dir = "pawl-out/20261121T100554Z-4f1c2d9";
	result->elapsed_s = 192.4;
	sample_machine(&result->machine);
}

static inline struct scenario_result *sample_scenario(struct result *result, const char *name)
{
	struct scenario_result *scenario = result_add_scenario(result, name);

	scenario->path = arena_printf(&scenario->arena, "scenarios/%s.yaml", name);
	scenario->head.state = SCENARIO_MEASURED;
	scenario->head.runs_wanted = 15;
	scenario->baseline_path = "baselines/x/x86_64-intel-xeon-platinum-8370c-4cpu-sw.json";
	scenario->baseline_label = "2026-11-20, commit a1b2c3d, 3 sessions";
	scenario->baseline_class = "x86_64-intel-xeon-platinum-8370c-4cpu-sw";
	return scenario;
}

/* Adds N runs of METRIC: VALUE, half a percent more, half a percent less, ... */
static inline void sample_runs(struct scenario_result *scenario, const char *metric, double value, size_t n)
{
	size_t column = side_result_column(&scenario->head, own_metrics_find(&scenario->head.own_metrics, metric));

	while (scenario->head.n_runs < n)
		side_result_add_run(&scenario->head);
	for (size_t i = 0; i < n; i++)
		scenario->head.runs[i].values[column] = value * (1 + (i % 3 - 1.0) / 200);
}

struct sample_gate {
	const char *metric;
	enum verdict verdict;
	double baseline, current;
	double change_pct, low_pct, high_pct;
	double tolerance_pct; /* 0: none */
	double max;	      /* 0: none */
	const char *reason;
	unsigned line;
};

static inline struct gate_result *sample_gate(struct scenario_result *scenario, struct sample_gate want)
{
	bool share = metric_name_is_share(want.metric);
	struct gate gate = {
		.kind = !share ? GATE_METRIC : strcmp(want.metric, METRIC_SYMBOLS) ? GATE_SHARE : GATE_SYMBOLS,
		.metric = share ? NULL : own_metrics_find(&scenario->head.own_metrics, want.metric),
		.relative = want.tolerance_pct > 0,
		.tolerance_pct = want.tolerance_pct,
		.max = want.max > 0 ? want.max : NAN,
		.min = NAN,
		.line = want.line,
		.column = 3,
	};
	struct gate_result *result = scenario_result_add_gate(scenario, &gate);

	if (gate.kind == GATE_SHARE)
		result->share = want.metric;
	result->stored.verdict = want.verdict;
	result->stored.baseline = want.baseline;
	result->stored.current = want.current;
	result->stored.change_pct = want.change_pct;
	result->stored.low_pct = want.low_pct;
	result->stored.high_pct = want.high_pct;
	result->stored.reason = want.reason;
	return result;
}

/*
 * Marks the gate as judged by its metric's simulated metric. sample_normalised() is the counterpart for normalised
 * ones.
 */
static inline void sample_simulated(struct gate_result *result)
{
	result->stored.metric = result->gate.metric->simulated;
}

static inline void sample_normalised(struct gate_result *result)
{
	result->stored.metric = result->gate.metric->normalised;
}

static inline void sample_passing(struct result *result, const char *name)
{
	struct scenario_result *scenario = sample_scenario(result, name);

	sample_runs(scenario, "task-clock", 61.4, 15);
	sample_runs(scenario, "wall-time", 63.9, 15);
	sample_gate(scenario,
		    (struct sample_gate){"task-clock", VERDICT_PASS, 61.2, 61.4, 0.33, -5.1, 6.2, 25, 0, NULL, 12});
	sample_gate(scenario,
		    (struct sample_gate){"page-faults", VERDICT_PASS, 1204, 1204, 0, NAN, NAN, 1, 0, NULL, 12});
}

static inline void sample_regressed(struct result *result, const char *name)
{
	struct scenario_result *scenario = sample_scenario(result, name);

	sample_runs(scenario, "task-clock", 117.6, 15);
	sample_runs(scenario, "wall-time", 120.1, 15);
	sample_runs(scenario, "voluntary-switches", 3, 15);
	sample_gate(scenario,
		    (struct sample_gate){"task-clock", VERDICT_REGRESSION, 61.2, 117.6, 92.1, 41.2, 132, 25, 0,
					 "too large to be the machine: 92 % against 15 % between two hosts", 21});
	sample_gate(scenario, (struct sample_gate){"page-faults", VERDICT_REGRESSION, 1204, 2011, 67.0, NAN, NAN, 1, 0,
						   NULL, 22});
	sample_gate(scenario, (struct sample_gate){"max-rss", VERDICT_PASS, 13.0e6, 13.1e6, 0.77, 0.2, 1.4, 0,
						   512 << 20, NULL, 23});
	sample_gate(scenario, (struct sample_gate){"ipc", VERDICT_NOT_MEASURED, NAN, NAN, NAN, NAN, NAN, 10, 0,
						   "this virtual machine exposes no hardware counters", 24});
	for (int i = 0; i < 3; i++) {
		struct gate_result *gate = &scenario->gates[0];

		ARENA_GROW(&scenario->arena, gate->sessions, gate->n_sessions, gate->cap_sessions);
		gate->sessions[gate->n_sessions++] = (struct accepted_session){
			.date = "2026-11-20T10:05:54Z", .commit = "a1b2c3d", .runs = 3, .median = 61.2 + i,
			.values = { 61 + i, 61.2 + i, 62 + i }, .n = 3,
		};
	}
	arena_push(&scenario->arena, &scenario->explanation, "more work: page-faults +67.0 % account for 31 ms of the 56 ms gained");
	NOTE(&scenario->head, "the scenario changed: command");
}

static inline void sample_regression(struct result *result)
{
	sample_begin(result);
	sample_passing(result, "gzip-6");
	sample_regressed(result, "sqlite-join");
	sample_passing(result, "xz-decompress");
	sample_passing(result, "jq-filter");
	NOTE(&result->machine, "other processes used 0.8 of 4 CPUs while measuring");
	result->strict = true;
	result_settle(result);
}

static inline void sample_pass(struct result *result)
{
	sample_begin(result);
	sample_passing(result, "gzip-6");
	sample_passing(result, "xz-decompress");
	result_settle(result);
}

static inline void sample_new(struct result *result)
{
	sample_begin(result);
	for (int i = 0; i < 2; i++) {
		struct scenario_result *scenario = sample_scenario(result, i ? "xz-decompress" : "gzip-6");

		scenario->baseline_path = scenario->baseline_label = scenario->baseline_class = NULL;
		sample_runs(scenario, "task-clock", 61.4, 15);
		sample_gate(scenario, (struct sample_gate){"task-clock", VERDICT_NEW, NAN, 61.4, NAN, NAN, NAN, 25, 0,
							   "there is no baseline for this scenario yet", 12});
		sample_gate(scenario, (struct sample_gate){"page-faults", VERDICT_NEW, NAN, 1204, NAN, NAN, NAN, 1, 0,
							   "there is no baseline for this scenario yet", 12});
	}
	result_settle(result);
}

static inline void sample_failed(struct result *result)
{
	struct scenario_result *scenario;

	sample_begin(result);
	sample_passing(result, "gzip-6");
	scenario = sample_scenario(result, "redis-get");
	scenario->head.state = SCENARIO_FAILED;
	scenario->head.failure = "the target exited with status 1 in run 3";
	scenario->head.log_tail =
		"1:M 21 Nov 10:05:51 # Warning: \x1b[31mcould not\x1b[0m create server TCP socket\n"
		"1:M 21 Nov 10:05:51\tbind: Address already in use\n";
	scenario->head.log_path = "pawl-out/20261121T100554Z-4f1c2d9/redis-get/target.log";
	sample_gate(scenario, (struct sample_gate){"task-clock", VERDICT_NOT_MEASURED, 800, NAN, NAN, NAN, NAN, 25, 0,
						   "the scenario failed", 9});
	sample_regressed(result, "sqlite-join");
	result_settle(result);
}

static inline void sample_partial(struct result *result)
{
	struct scenario_result *scenario;

	sample_begin(result);
	sample_passing(result, "gzip-6");
	scenario = sample_scenario(result, "jq-filter");
	sample_runs(scenario, "task-clock", 55, 4);
	scenario->head.state = SCENARIO_PARTIAL;
	sample_gate(scenario, (struct sample_gate){"task-clock", VERDICT_NOT_MEASURED, 55, NAN, NAN, NAN, NAN, 25, 0,
						   "interrupted after 4 of 15 runs", 9});
	sample_scenario(result, "xz-decompress")->head.state = SCENARIO_SKIPPED;
	result->partial = true;
	result_settle(result);
	result->status = 130;
}

/* Simulated counts, a broken budget, too few runs for a bound, a gate without a baseline, and an improvement. */
static inline void sample_mixed(struct result *result)
{
	struct scenario_result *scenario;

	sample_begin(result);
	scenario = sample_scenario(result, "jq-filter");
	sample_runs(scenario, "task-clock", 55.1, 15);
	sample_runs(scenario, "sim-l1d-misses", 10450, 15);
	sample_gate(
	    scenario,
	    (struct sample_gate){"task-clock", VERDICT_INCONCLUSIVE, 53, 55.2, 4.15, -INFINITY, 8.8, 3, 0,
				 "a stored time cannot decide; compare in pairs: pawl run jq-filter --base main", 12});
	sample_simulated(sample_gate(scenario, (struct sample_gate){"instructions", VERDICT_IMPROVEMENT, 1.0431e9, 1.0311e9, -1.15, NAN,
						   NAN, 0.5, 0, NULL, 12}));
	sample_simulated(sample_gate(scenario, (struct sample_gate){"branch-miss-rate", VERDICT_NEW, NAN, 0.0123, NAN, NAN, NAN, 20, 0,
						   "the baseline holds no branch-miss-rate", 12}));
	scenario = sample_scenario(result, "gzip-6");
	sample_runs(scenario, "max-rss", 642e6, 15);
	sample_gate(scenario, (struct sample_gate){"max-rss", VERDICT_REGRESSION, 500e6, 642e6, 28.4, 27, 29, 0,
						   512 << 20, "over its budget", 12});
	scenario = sample_scenario(result, "redis-get");
	scenario->head.state = SCENARIO_MEASURED;
	sample_runs(scenario, "task-clock", 812, 15);
	NOTE(result, "everything moved together: suspect the machine before the code");
	result_settle(result);
}

static inline void sample_printed(struct scenario_result *scenario, const char *name, const char *unit, bool higher)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;

	own_metrics_add(&scenario->head.own_metrics, metric_custom(&arena, name, unit, higher));
}

/* Windows on a service whose load reports throughput, with custom metrics. */
static inline void sample_redis(struct result *result)
{
	struct scenario_result *scenario = sample_scenario(result, "redis-get");

	scenario->head.attached = "service redis (pid 4711)";
	scenario->head.work_unit = "request";
	sample_printed(scenario, "p99-latency", "ms", false);
	sample_printed(scenario, "reply-rate", "req/s", true);
	sample_runs(scenario, "wall-time", 5001, 15);
	sample_runs(scenario, "work", 412000, 15);
	sample_runs(scenario, "throughput", 82383, 15);
	sample_runs(scenario, "task-clock", 4980, 15);
	sample_runs(scenario, "task-clock-per-work", 0.01209, 15);
	sample_runs(scenario, "voluntary-switches", 2060, 15);
	sample_runs(scenario, "voluntary-switches-per-work", 0.005, 15);
	sample_runs(scenario, "page-faults", 41, 15);
	sample_runs(scenario, "page-faults-per-work", 41 / 412000.0, 15);
	sample_runs(scenario, "max-rss", 13.1e6, 15);
	sample_runs(scenario, "p99-latency", 0.215, 15);
	sample_runs(scenario, "reply-rate", 82412, 15);
	sample_normalised(sample_gate(scenario, (struct sample_gate){"task-clock", VERDICT_REGRESSION, 0.00918, 0.01209, 31.7, 4.1, 62,
						   25, 0, NULL, 31}));
	sample_normalised(sample_gate(scenario, (struct sample_gate){"page-faults", VERDICT_PASS, 40 / 412000.0, 41 / 412000.0, 2.5, 0.4,
						   4.6, 1, 0, "the change is smaller than any that counts", 32}));
	sample_gate(scenario, (struct sample_gate){"throughput", VERDICT_INCONCLUSIVE, 88100, 82383, -6.5, -28, 21, 25,
						   0, "a stored time cannot decide", 33});
	sample_gate(scenario, (struct sample_gate){"p99-latency", VERDICT_PASS, 0.215, 0.215, 0, -9, 9, 10, 2, NULL, 34});
	sample_gate(scenario, (struct sample_gate){"reply-rate", VERDICT_REGRESSION, NAN, 82412, NAN, NAN, NAN, 0, 0,
						   "under its absolute minimum", 35})
	    ->gate.min = 85000;
	arena_push(&scenario->arena, &scenario->explanation, "CPU time per request: user +2.4 us, system +0.5 us");
}

static inline void sample_attached(struct result *result)
{
	struct scenario_result *scenario;

	sample_begin(result);
	sample_redis(result);
	scenario = sample_scenario(result, "nginx-static");
	scenario->head.attached = "container web (podman)";
	sample_runs(scenario, "wall-time", 2500, 15);
	sample_runs(scenario, "work", 1, 15);
	sample_runs(scenario, "task-clock-per-work", 820, 15);
	sample_normalised(sample_gate(scenario, (struct sample_gate){"task-clock", VERDICT_NOT_MEASURED, NAN, 820, NAN, NAN, NAN, 25, 0,
						   "the baseline has no values per unit of work; accept a new one", 12}));
	scenario = sample_scenario(result, "worker");
	scenario->head.attached = "process 812 (worker)";
	sample_runs(scenario, "wall-time", 5000, 3);
	sample_runs(scenario, "task-clock", 812, 3);
	scenario->head.state = SCENARIO_PARTIAL;
	sample_gate(scenario, (struct sample_gate){"task-clock", VERDICT_NOT_MEASURED, NAN, NAN, NAN, NAN, NAN, 25, 0,
						   "interrupted after 3 of 15 windows", 9});
	result_settle(result);
}

struct sample_symbol {
	const char *symbol, *dso;
	double pct, base_pct;	/* NaN: no baseline */
	enum symbol_change change;
	enum verdict verdict;
	const char *moved;
};

/* Adds SYMBOLS, which end with a nameless one. Shares are of the task-clock before and now. */
static inline void sample_symbols(struct scenario_result *scenario, double before_ms, double now_ms,
				  const struct sample_symbol *symbols)
{
	struct profile *profile = &scenario->head.profile;

	*profile = (struct profile){
		.frequency = 997, .normaliser = 1, .samples = 9120, .weight = 9120e6, .n_runs = 3, .rest_samples = 9120,
		.overhead_pct = 2.13,
	};
	profile->event = arena_strdup(&profile->arena, "cpu-clock");
	profile->run_samples = arena_memdup(&profile->arena, (uint64_t[]){ 3040, 3040, 3040 }, 3 * sizeof(uint64_t));
	scenario->difference = !isnan(symbols->base_pct);
	for (; symbols->symbol; symbols++) {
		struct symbol_result *added = scenario_result_add_symbol(scenario, symbols->symbol, symbols->dso);

		added->share_pct = symbols->pct;
		added->base_share_pct = symbols->base_pct;
		added->low_pct = symbols->pct * 0.95;
		added->high_pct = symbols->pct * 1.05;
		added->total_pct = symbols->pct * 1.5;
		added->samples = (uint64_t)(9120 * symbols->pct / 100);
		added->change_pp = symbols->pct - symbols->base_pct;
		added->error_pp = isnan(symbols->base_pct) ? NAN : 0.4;
		added->cost_ms = symbols->pct / 100 * now_ms;
		added->base_cost_ms = symbols->base_pct / 100 * before_ms;
		added->change = symbols->change;
		added->verdict = symbols->verdict;
		added->moved = symbols->moved;
	}
}

/* Hostile content for every text that reaches a report. */
#define SAMPLE_EVIL "a|b `c` <img src=x> @octocat #12 **x** https://evil.example\n\x1b[2J\xff"

static inline void sample_cause(struct scenario_result *scenario, struct cause cause)
{
	ARENA_GROW(&scenario->arena, scenario->causes, scenario->n_causes, scenario->cap_causes);
	scenario->causes[scenario->n_causes++] = cause;
}

/* Functions and files with untrusted names of any length. */
static inline void sample_evil_causes(struct scenario_result *scenario)
{
	struct arena *arena = &scenario->arena;
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	const char *function, *sentence;

	strbuf_adds(&name, "</details>" SAMPLE_EVIL);
	strbuf_pad(&name, 'x', 10000);
	function = arena_strdup(arena, name.buf);
	sentence = arena_printf(arena, "%s (%s:1) costs more", function, SAMPLE_EVIL);
	sample_cause(scenario, (struct cause){
		CAUSE_WORK, function, SAMPLE_EVIL, function, function, 55, UNIT_MS, 94, sentence, NULL, NULL });
	sample_cause(scenario, (struct cause){
		CAUSE_LOCK, SAMPLE_EVIL, SAMPLE_EVIL, SAMPLE_EVIL, "```\n</code>" SAMPLE_EVIL, INFINITY, UNIT_HZ, NAN, SAMPLE_EVIL, SAMPLE_EVIL ":1", "- ```\n- </pre>" SAMPLE_EVIL "\n+ " SAMPLE_EVIL });
	arena_push(arena, &scenario->evidence, "</details>" SAMPLE_EVIL);
	arena_push(arena, &scenario->evidence, function);
}

static inline void sample_hostile(struct result *result)
{
	static struct metric per_evil;
	struct scenario_result *scenario;
	struct gate_result *gate;

	sample_begin(result);
	scenario = sample_scenario(result, "evil");
	scenario->name = SAMPLE_EVIL;
	scenario->baseline_label = SAMPLE_EVIL;
	sample_gate(scenario, (struct sample_gate){"x|y`@octocat\n", VERDICT_REGRESSION, 10, 20, 100, 90, 110, 5, 0,
						   SAMPLE_EVIL, 12});
	scenario->head.attached = SAMPLE_EVIL;
	scenario->head.work_unit = SAMPLE_EVIL;
	sample_printed(scenario, "evil", SAMPLE_EVIL, true);
	sample_runs(scenario, "work", 2, 1);
	sample_runs(scenario, "evil", 5, 1);
	sample_runs(scenario, "task-clock-per-work", 2, 1);
	gate = sample_gate(scenario, (struct sample_gate){"evil", VERDICT_REGRESSION, 10, 5, -50, -60, -40, 5, 1, NULL, 13});
	/* Custom metrics are never normalised, but the name would be printed like this. */
	per_evil = *gate->gate.metric;
	per_evil.name = "evil-per-work";
	per_evil.of = gate->gate.metric;
	gate->stored.metric = &per_evil;
	arena_push(&scenario->arena, &scenario->explanation, SAMPLE_EVIL);
	sample_symbols(scenario, 10, 20, (struct sample_symbol[]){
		{ "</title><script>alert(1)</script>" SAMPLE_EVIL, SAMPLE_EVIL, 50, 10, SYMBOL_MOVED, VERDICT_REGRESSION, SAMPLE_EVIL },
		{ NULL, NULL, 0, 0, SYMBOL_SAME, VERDICT_PASS, NULL } });
	scenario->head.profile.event = arena_strdup(&scenario->head.profile.arena, SAMPLE_EVIL);
	arena_push(&scenario->head.profile.arena, &scenario->head.profile.warnings, SAMPLE_EVIL);
	sample_gate(scenario, (struct sample_gate){"symbols", VERDICT_REGRESSION, 0.1, 0.5, 40, 39, 41, 1, 0, SAMPLE_EVIL, 14});
	sample_gate(scenario, (struct sample_gate){"symbol " SAMPLE_EVIL, VERDICT_REGRESSION, NAN, 0.5, NAN, NAN, NAN, 0, 0.1, NULL, 15});
	sample_evil_causes(scenario);
	NOTE(&scenario->head, "%s", SAMPLE_EVIL);
	NOTE(result, "%s", SAMPLE_EVIL);
	scenario = sample_scenario(result, "failed");
	scenario->head.state = SCENARIO_FAILED;
	scenario->head.failure = SAMPLE_EVIL;
	scenario->head.log_tail = "```\n</details>\n" SAMPLE_EVIL "::error::x";
	result->machine.cpu = SAMPLE_EVIL;
	sample_command(result, "pawl run --budget 'x`; ``` @octocat'");
	result_settle(result);
}

/* A slower function, an inlined function, a broken budget, and a built-in gate without a baseline value. */
static inline void sample_profiled(struct result *result)
{
	static const struct sample_symbol hot[] = {
		{ "sqlite3BtreeInsert", "libsqlite3.so.0", 30.4, 12.1, SYMBOL_ROSE, VERDICT_REGRESSION, NULL },
		{ "sqlite3VdbeExec", "libsqlite3.so.0", 22.0, 30.2, SYMBOL_FELL, VERDICT_PASS, NULL },
		{ "std::vector<std::pair<std::string, int>, std::allocator<std::pair<std::string, int> > >::operator[](unsigned long)",
		  "join", 9.1, 9.0, SYMBOL_SAME, VERDICT_PASS, NULL },
		{ "cellSizePtr", "libsqlite3.so.0", 8.0, 2.1, SYMBOL_MOVED, VERDICT_PASS, "btreeParseCell" },
		{ "hashNoCase", "libsqlite3.so.0", 2.4, 0, SYMBOL_NEW, VERDICT_PASS, NULL },
		{ "[kernel]", "[kernel]", 1.9, 2.0, SYMBOL_SAME, VERDICT_PASS, NULL },
		{ "[unknown]", "", 0.4, 0.5, SYMBOL_SAME, VERDICT_NOT_MEASURED, NULL },
		{ "btreeParseCell", "libsqlite3.so.0", 0, 5.9, SYMBOL_MOVED, VERDICT_PASS, "cellSizePtr" },
		{ NULL, NULL, 0, 0, SYMBOL_SAME, VERDICT_PASS, NULL },
	};
	static const struct sample_symbol calm[] = {
		{ "deflate_slow", "gzip", 41.0, NAN, SYMBOL_SAME, VERDICT_NOT_MEASURED, NULL },
		{ "longest_match", "gzip", 40.2, NAN, SYMBOL_SAME, VERDICT_NOT_MEASURED, NULL },
		{ NULL, NULL, 0, 0, SYMBOL_SAME, VERDICT_PASS, NULL },
	};
	struct scenario_result *scenario;

	sample_begin(result);
	sample_passing(result, "gzip-6");
	sample_symbols(&result->scenarios[0], NAN, 61.4, calm);
	sample_gate(&result->scenarios[0], (struct sample_gate){"symbols", VERDICT_NEW, NAN, 0.41, NAN, NAN, NAN, 1, 0,
								"the baseline has no profile yet: accept a new one", 0})
	    ->gate.by_default = true;
	scenario = sample_scenario(result, "sqlite-join");
	sample_runs(scenario, "task-clock", 74.3, 15);
	sample_symbols(scenario, 61.2, 74.3, hot);
	arena_push(&scenario->head.profile.arena, &scenario->head.profile.warnings, "libsqlite3.so.0 has no symbols of its own functions: install libsqlite3-0-dbgsym");
	sample_gate(scenario, (struct sample_gate){"task-clock", VERDICT_INCONCLUSIVE, 61.2, 74.3, 21.4, -4.1, 42, 25, 0,
						   "a stored time cannot decide", 21});
	sample_gate(scenario, (struct sample_gate){"symbols", VERDICT_REGRESSION, 0.121, 0.304, 18.3, 17.1, 19.1, 1, 0,
						   "sqlite3BtreeInsert rose from 12.1 % to 30.4 % of the samples, limit 1 pp, "
						   "and costs 15.2 ms more per run", 22});
	sample_gate(scenario, (struct sample_gate){"symbol sqlite3*", VERDICT_REGRESSION, NAN, 0.524, NAN, NAN, NAN, 0, 0.5,
						   "over its budget: sqlite3BtreeInsert 30.4 %, sqlite3VdbeExec 22.0 %", 23});
	scenario = sample_scenario(result, "xz-decompress");
	sample_symbols(scenario, 61.2, 61.2, calm);
	sample_gate(scenario, (struct sample_gate){"symbols", VERDICT_PASS, 0.41, 0.41, 0.04, -1.2, 0.84, 1, 0, NULL, 12});
	scenario->symbols[0].verdict = VERDICT_PASS;
	result_settle(result);
}

/* -------- paired comparisons */

struct sample_pair {
	const char *metric;
	double base, head;
	size_t n;
};

/* Adds the runs of both sides, with the noise of one machine. */
static inline void sample_sides(struct scenario_result *scenario, struct sample_pair want)
{
	struct side_result *sides[] = { &scenario->base, scenario_result_measured(scenario) };

	for (size_t side = 0; side < 2; side++) {
		struct side_result *measured = sides[side];
		size_t column = side_result_column(measured, own_metrics_find(&measured->own_metrics, want.metric));

		while (measured->n_runs < want.n)
			side_result_add_run(measured);
		for (size_t i = 0; i < want.n; i++) {
			double noise = (double)(i * 7 % 10) / 150 + (double)((i + side) * 3 % 4) / 200 - 0.03;

			measured->runs[i].values[column] = (side ? want.head : want.base) * (1 + noise);
			measured->runs[i].first = (i * 5 % 3 > 0) == side;
		}
	}
}

static inline struct scenario_result *sample_paired_scenario(struct result *result, const char *name)
{
	struct scenario_result *scenario = sample_scenario(result, name);

	scenario_result_set_baseline(scenario, NULL, NULL, NULL);
	scenario_result_pair(scenario, false);
	scenario->pairing.seed = UINT64_C(12297829382473034411);
	scenario->pairing.gates = 4;
	scenario->pairing.ended = true;
	scenario->base.label = "main (1a2b3c4d5e6f)";
	scenario->base.commit = "1a2b3c4d5e6f708192a3b4c5d6e7f80912345678";
	scenario->head.label = "working tree";
	return scenario;
}

static inline struct gate_result *sample_pair_gate(struct scenario_result *scenario, unsigned pairs,
						   struct sample_gate want)
{
	struct gate_result *gate = sample_gate(scenario, want);

	gate->paired = gate->stored;
	gate->paired.done = true;
	gate->paired.pairs = pairs;
	gate->paired.n_baseline = gate->paired.n_current = pairs;
	gate->paired.detectable_pct = 2.4;
	gate->stored.reason = NULL;
	judgement_reset(&gate->stored, &gate->gate);
	return gate;
}

/* The three sentences of paired comparisons. */
static inline void sample_paired(struct result *result)
{
	struct scenario_result *scenario;

	sample_begin(result);
	result->mode = MODE_PAIRED;
	sample_command(result, "pawl run gzip-6 xz zstd jq brotli --base main --runs 40 --out 'my out'");
	scenario = sample_paired_scenario(result, "gzip-6");
	scenario->head.commit = "4f1c2d9e5e6f708192a3b4c5d6e7f80912345678";
	scenario->pairing.batch = 4;
	scenario->pairing.rerun = 2;
	scenario->pairing.dropped = 1;
	scenario->pairing.floor_pct = 1;
	scenario->pairing.services = "restarted for each pair, side by side";
	sample_sides(scenario, (struct sample_pair){ "task-clock", 61.2, 64.4, 20 });
	sample_sides(scenario, (struct sample_pair){ "wall-time", 63.1, 66, 20 });
	sample_pair_gate(scenario, 20, (struct sample_gate){"task-clock", VERDICT_REGRESSION, 61.2, 64.4, 5.2, 2.1, 8.4, 3, 0,
							    NULL, 12});
	sample_gate(scenario, (struct sample_gate){"sim-instructions", VERDICT_REGRESSION, 1.04e9, 1.09e9, 4.8, 4.8, 4.8, 0.5, 0,
						   NULL, 13});
	arena_push(&scenario->arena, &scenario->explanation, "CPU time per run: user +3.1 ms, system +0.1 ms");
	scenario = sample_paired_scenario(result, "xz");
	sample_sides(scenario, (struct sample_pair){ "task-clock", 92, 95.8, 40 });
	sample_pair_gate(scenario, 40, (struct sample_gate){"task-clock", VERDICT_INCONCLUSIVE, 92, 95.8, 4.1, -0.4, 8.8, 3, 0,
							    "about 18 more would decide: --runs 58", 12})->paired.more_pairs = 18;
	scenario = sample_paired_scenario(result, "zstd");
	sample_sides(scenario, (struct sample_pair){ "task-clock", 92, 95, 40 });
	sample_pair_gate(scenario, 40, (struct sample_gate){"task-clock", VERDICT_INCONCLUSIVE, 92, 95, 2.9, -8.4, 15.8, 3, 0,
							    "cannot be resolved on this machine: the pairs spread too much",
							    12})->paired.more_pairs = INFINITY;
	scenario = sample_paired_scenario(result, "jq");
	sample_sides(scenario, (struct sample_pair){ "task-clock", 50, 50.1, 14 });
	sample_pair_gate(scenario, 14, (struct sample_gate){"task-clock", VERDICT_PASS, 50, 50.1, 0.2, -1.9, 2.2, 3, 0, NULL, 12});
	scenario = sample_paired_scenario(result, "brotli");
	sample_sides(scenario, (struct sample_pair){ "task-clock", 50, 42, 14 });
	sample_pair_gate(scenario, 14, (struct sample_gate){"task-clock", VERDICT_IMPROVEMENT, 50, 42, -16, -18, -13.9, 3, 0, NULL,
							    12});
	result_settle(result);
}

/* A regression with causes, a pass with differences, and a regression without evidence. */
static inline void sample_caused(struct result *result)
{
	struct scenario_result *scenario;

	sample_begin(result);
	result->mode = MODE_PAIRED;
	sample_command(result, "pawl run mawk lua cmark --base main --explain");
	scenario = sample_paired_scenario(result, "mawk");
	sample_sides(scenario, (struct sample_pair){ "task-clock", 440, 494, 20 });
	sample_pair_gate(scenario, 20, (struct sample_gate){"task-clock", VERDICT_REGRESSION, 440, 494, 12.3, 10.1, 14.4, 3, 0, NULL, 12});
	sample_cause(scenario, (struct cause){
		CAUSE_WORK, "find_by_sval", "mawk", "field.c:212", "hash.c:88: hash = hash >> 1 -> hash = 1", 55, UNIT_MS, 94,
		"find_by_sval (field.c:212) costs 55 ms more per run: it calls strcmp 3 times as often", "src/hash.c:88", "- hash = hash >> 1\n+ hash = 1" });
	sample_cause(scenario, (struct cause){
		CAUSE_SYSTEM_CALLS, "flush_line", "mawk", NULL, NULL, 3988, UNIT_COUNT, NAN,
		"flush_line calls write 4,000 times, not 12", NULL, NULL });
	sample_cause(scenario, (struct cause){ CAUSE_INPUT, NULL, NULL, NULL, NULL, 1 << 20, UNIT_BYTES, 5, "the input is 1 MiB larger", NULL, NULL });
	arena_push(&scenario->arena, &scenario->evidence, "instructions: 2.10 G -> 2.41 G (callgrind, exact)");
	arena_push(&scenario->arena, &scenario->evidence, "system calls: write 12 -> 4,000, of 48 and 4,036 in all (strace)");
	arena_push(&scenario->arena, &scenario->evidence,
		   "page faults by stack are missing: perf may not record them (kernel.perf_event_paranoid is 3); sudo sysctl "
		   "kernel.perf_event_paranoid=2");
	arena_push(&scenario->arena, &scenario->explanation, "both sides run the same executable (fnv1a:1234): look at its input");
	scenario = sample_paired_scenario(result, "lua");
	sample_sides(scenario, (struct sample_pair){ "task-clock", 50, 50.1, 14 });
	sample_pair_gate(scenario, 14, (struct sample_gate){"task-clock", VERDICT_PASS, 50, 50.1, 0.2, -1.9, 2.2, 3, 0, NULL, 12});
	sample_cause(scenario, (struct cause){
		CAUSE_WORK, "luaH_resize", "lua", "ltable.c:501", NULL, 0.1, UNIT_MS, NAN,
		"luaH_resize (ltable.c:501) executes 0.3 % more instructions", NULL, NULL });
	arena_push(&scenario->arena, &scenario->evidence, "instructions: 210 M -> 211 M (callgrind, exact)");
	scenario = sample_paired_scenario(result, "cmark");
	sample_sides(scenario, (struct sample_pair){ "task-clock", 50, 60, 14 });
	sample_pair_gate(scenario, 14, (struct sample_gate){"task-clock", VERDICT_REGRESSION, 50, 60, 20, 18, 22, 3, 0, NULL, 12});
	arena_push(&scenario->arena, &scenario->evidence, "instructions could not be counted: valgrind is not installed; sudo apt-get install "
							  "valgrind");
	arena_push(&scenario->arena, &scenario->explanation, "task-clock: S_find costs 9.4 ms more per run, 94 % of the change");
	result_settle(result);
}

/* Two plain commands, with the special characters that a label may hold. */
static inline void sample_commands(struct result *result)
{
	struct scenario_result *scenario;

	sample_begin(result);
	result->mode = MODE_PAIRED;
	sample_command(result, "pawl ab './old | tee `@octocat` <i>' ./new --seed 7");
	scenario = sample_paired_scenario(result, "commands");
	scenario->path = NULL;
	scenario->base.label = "./old | tee `@octocat` <i>";
	scenario->base.commit = NULL;
	scenario->head.label = "./new";
	scenario->pairing.seed = 7;
	scenario->pairing.gates = 1;
	sample_sides(scenario, (struct sample_pair){ "task-clock", 61.2, 61.3, 20 });
	sample_sides(scenario, (struct sample_pair){ "wall-time", 63.1, 63.2, 20 });
	sample_pair_gate(scenario, 20, (struct sample_gate){"task-clock", VERDICT_PASS, 61.2, 61.3, 0.16, -1.1, 1.4, 3, 0, NULL, 0});
	result_settle(result);
}

static inline struct gate_result *sample_screened(struct result *result, const char *name, struct sample_gate want)
{
	struct scenario_result *scenario = sample_scenario(result, name);
	struct gate_result *gate;

	sample_runs(scenario, "task-clock", 80.2, 15);
	scenario_result_pair(scenario, true);
	scenario->pairing.seed = 99;
	scenario->pairing.gates = 3;
	scenario->base.label = "main (1a2b3c4d5e6f)";
	scenario->base.commit = "1a2b3c4d5e6f708192a3b4c5d6e7f80912345678";
	sample_sides(scenario, (struct sample_pair){ "task-clock", want.baseline, want.current, 20 });
	gate = sample_pair_gate(scenario, 20, want);
	gate->stored.done = true;
	gate->stored.verdict = VERDICT_REGRESSION;
	gate->stored.baseline = 61.2;
	gate->stored.change_pct = 31;
	gate->stored.low_pct = 2;
	gate->stored.high_pct = 70;
	gate->stored.tolerance_pct = 25;
	return gate;
}

/* Gates that stored runs flag and pairs confirm, refute or leave open, and one compared for the first time. */
static inline void sample_confirmed(struct result *result)
{
	struct gate_result *gate;

	sample_begin(result);
	sample_screened(result, "gzip-6", (struct sample_gate){"task-clock", VERDICT_REGRESSION, 76.1, 80.1, 5.2, 2.1, 8.4, 3, 0, NULL,
							       12});
	/* Stored runs judged this gate, not pairs. */
	sample_runs(&result->scenarios[0], "page-faults", 1201, 15);
	sample_gate(&result->scenarios[0], (struct sample_gate){"page-faults", VERDICT_PASS, 1200, 1201, 0.08, -0.2, 0.3, 3, 0, NULL, 14});
	sample_screened(result, "xz", (struct sample_gate){"task-clock", VERDICT_PASS, 80.2, 80.1, -0.1, -1.6, 1.2, 3, 0, NULL, 12});
	gate = sample_screened(result, "jq", (struct sample_gate){"task-clock", VERDICT_INCONCLUSIVE, 76.1, 80.1, 4.1, -0.4, 8.8, 3, 0,
								  "about 18 more would decide: --runs 58", 12});
	gate->paired.more_pairs = 18;
	gate->stored.verdict = VERDICT_INCONCLUSIVE;
	gate->stored.change_pct = 4;
	gate->stored.reason = "a stored time cannot decide; compare in pairs: pawl run jq --base REF";
	gate = sample_screened(result, "zstd", (struct sample_gate){"task-clock", VERDICT_PASS, 80.2, 80.1, -0.1, -1.6, 1.2, 3, 0, NULL,
								    12});
	gate->stored.verdict = VERDICT_NOT_MEASURED;
	gate->stored.change_pct = gate->stored.low_pct = gate->stored.high_pct = NAN;
	gate->stored.reason = "the baseline is of another machine class, x86_64-old-4cpu-sw; this is x86_64-new-4cpu-sw: accept a "
				      "baseline here";
	result_settle(result);
}

/* The first WHOLE_SAMPLES have golden files in every format; the others only as text. */
static const struct sample samples[] = {
	{ "regression", sample_regression }, { "failed", sample_failed }, { "hostile", sample_hostile }, { "paired", sample_paired },
	{ "caused", sample_caused }, { "pass", sample_pass }, { "new", sample_new }, { "partial", sample_partial }, { "mixed", sample_mixed },
	{ "attached", sample_attached }, { "profiled", sample_profiled }, { "commands", sample_commands }, { "confirmed", sample_confirmed },
};

enum { WHOLE_SAMPLES = 5, SAMPLES = sizeof samples / sizeof samples[0] };

#endif
