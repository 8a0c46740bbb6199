/*
 * A baseline and a result in which every member differs from its default. The JSON tests use them to detect a
 * member that gets lost. The caller releases them.
 */
#ifndef PAWL_TESTS_JSON_SAMPLES_H
#define PAWL_TESTS_JSON_SAMPLES_H

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/result.h"

static inline void sample_stable_machine(struct machine *machine)
{
	machine->arch = "x86_64";
	machine->cpu = "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz";
	machine->part = "intel-xeon-8370c-4cpu";
	machine->cpus = 4;
	machine->tier = TIER_SW;
	machine->hypervisor = "microsoft";
	machine->kernel = "6.8.0-1021-azure";
}

static inline void sample_settings(struct arena *arena, struct settings *settings)
{
	arena_push(arena, &settings->command, "/bin/sh");
	arena_push(arena, &settings->command, "-c");
	arena_push(arena, &settings->command, "./prog --name \"a\\b\" | wc");
	settings->setup = "./make-data.sh\n./more.sh\t";
	settings->prepare = "sync";
	arena_push(arena, &settings->environment, "LANG=C");
	arena_push(arena, &settings->environment, "GREETING=gr\xc3\xbc\xc3\x9f dich \xe2\x82\xac \xf0\x9f\x90\xa7");
	arena_push(arena, &settings->events, "cache-misses");
	settings->cpus = "0-1";
	settings->aslr_off = true;
	arena_push(arena, &settings->services, "redis: redis-server --port \"${port}\"");
	settings->load = "redis-benchmark -p ${port}";
	settings_extract(arena, settings, "p99", "ms", "p99=([0-9.]+)", EXTRACTED_LOWER);
	settings->window_s = 2.5;
}

static inline void sample_session(struct baseline *baseline, const char *date, double scale)
{
	struct baseline_session *session = baseline_add_session(baseline);

	*session = (struct baseline_session){
		.date = date,
		.commit = "a1b2c3d",
		.by = "Ada <ada@example.org>",
		.reason = "the parser checks its input now",
		.pawl = "0.1.0",
		.perf = "6.8.12",
		.kernel = "6.8.0-1021-azure",
		.executable = "build-id:0123abcd", .simulator = "valgrind-3.22.0, glibc 2.39",
		.measurement = "0123456789abcdef0123456789abcdef",
	};
	arena_push(&baseline->arena, &session->notes, "steal 0.3 % of CPU time");
	arena_push(&baseline->arena, &session->busy, "other processes used 1.9 of 4 CPUs while measuring");
	for (int i = 0; i < 5; i++) {
		baseline_add_value(baseline, session, metric_find("task-clock"), scale * (612 + i) / 10);
		baseline_add_value(baseline, session, metric_find("instructions"), nearbyint(scale * 1040123456.0) + i);
		baseline_add_value(baseline, session, metric_find("branch-miss-rate"), scale / (3 + i));
		baseline_add_value(baseline, session, own_metrics_find(&baseline->own_metrics, "r01c4/config=0x1,umask=2/"), i);
	}
}

static inline void sample_symbol(struct profile *profile, const char *symbol, const char *key, uint64_t first,
				 uint64_t second)
{
	struct profile_symbol *added = profile_add_symbol(profile, symbol, key, "redis-server");

	added->samples = first + second;
	added->total_samples = first + second + 3;
	added->weight = (double)added->samples * 1003009;
	added->total_weight = (double)added->total_samples * 1003009;
	added->run_samples[0] = first;
	added->run_samples[1] = second;
}

/* The part of a profile that a baseline keeps. A result keeps more. */
static inline void sample_accepted_profile(struct profile *profile)
{
	static const uint64_t runs[] = { 4000, 4600 };

	*profile = (struct profile){
		.frequency = 997, .call_graph = CALL_GRAPH_DWARF, .normaliser = 3,
		.samples = 8600, .lost = 12, .weight = 8600 * 1003009.0, .n_runs = 2, .rest_samples = 7, .overhead_pct = NAN,
	};
	profile->event = arena_strdup(&profile->arena, "cpu-clock");
	profile->run_samples = arena_memdup(&profile->arena, runs, sizeof runs);
	sample_symbol(profile, "<std::vec<T> as \"D\">::drop::h0123456789abcdef", "<std::vec<T> as \"D\">::drop", 3000, 2500);
	sample_symbol(profile, "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f", 993, 2100);
	profile_add_part(profile, &profile->dsos, "redis-server", 8593, 8593 * 1003009.0);
	profile_add_part(profile, &profile->dsos, "[kernel]", 7, 7 * 1003009.0);
}

static inline void sample_profile(struct profile *profile)
{
	sample_accepted_profile(profile);
	profile->overhead_pct = 1.25;
	profile_add_part(profile, &profile->threads, "io worker", 8600, 8600 * 1003009.0);
	arena_push(&profile->arena, &profile->warnings, "half of the frames are [unknown]: build with -g");
}

static inline void sample_baseline(struct baseline *baseline)
{
	baseline->scenario = "redis-get";
	sample_stable_machine(&baseline->machine);
	sample_settings(&baseline->arena, &baseline->settings);
	sample_session(baseline, "2026-11-20T10:05:54Z", 1);
	sample_session(baseline, "2026-11-21T11:15:00Z", 1.01);
	sample_accepted_profile(&baseline->profile);
}

static inline void sample_row(struct arena *arena, struct run *run, const char *event, enum row_state state, double value)
{
	ARENA_GROW(arena, run->rows.items, run->rows.n, run->rows.cap);
	run->rows.items[run->rows.n++] = (struct perf_row){
		.event = arena_strdup(arena, event),
		.state = state,
		.value = value,
		.run_ns = 61234567,
		.running_pct = 99.5,
	};
}

static inline void sample_runs(struct scenario_result *scenario)
{
	static const char *const metrics[] = { "task-clock", "instructions", "cache-misses", "p99", "task-clock-per-work" };

	for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
		side_result_column(&scenario->head, own_metrics_find(&scenario->head.own_metrics, metrics[i]));
	for (unsigned i = 0; i < 3; i++) {
		struct run *run = side_result_add_run(&scenario->head);

		run->values[0] = 61.2 + i;
		run->values[2] = 12345 + i;
		run->values[3] = 1.25 + i;
		run->values[4] = 0.0125 + i;
		run->group = i % 2;
		sample_row(&scenario->head.arena, run, "task-clock", ROW_COUNTED, 61.23 + i);
		sample_row(&scenario->head.arena, run, "instructions:u", ROW_NOT_SUPPORTED, NAN);
		sample_row(&scenario->head.arena, run, "cache-misses", ROW_NOT_COUNTED, NAN);
	}
}

static inline void sample_printed(struct scenario_result *scenario)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;

	own_metrics_add(&scenario->head.own_metrics, metric_custom(&arena, "p99", "us", true));
	own_metrics_add(&scenario->head.own_metrics, metric_benchmark(&arena, "Set<char*>/8 \"x\"", "ms", false, NULL));
}

static inline void sample_gates(struct scenario_result *scenario)
{
	struct gate gate = {
		.metric = metric_find("task-clock"),
		.relative = true,
		.by_default = true,
		.tolerance_pct = 25,
		.max = 512.5,
		.min = 0.25,
		.required = true,
		.line = 12,
		.column = 3,
	};
	struct gate_result *result = scenario_result_add_gate(scenario, &gate);
	struct judgement *judged = &result->paired;

	judged->done = true;
	judged->verdict = VERDICT_REGRESSION;
	judged->baseline = 61.2;
	judged->current = 120.7;
	judged->change_pct = 97.2;
	judged->low_pct = 41.2;
	judged->high_pct = 150.1;
	judged->n_baseline = 10;
	judged->n_current = 15;
	judged->metric = result->gate.metric->normalised;
	judged->gross = true;
	judged->reason = "slower by more than the machine's noise explains";
	judged->pairs = 20;
	judged->more_pairs = 18;
	judged->detectable_pct = 2.5;
	judged = &result->stored;
	judged->done = true;
	judged->verdict = VERDICT_INCONCLUSIVE;
	judged->baseline = 60.5;
	judged->change_pct = 31.5;
	judged->low_pct = -2.5;
	judged->high_pct = 60.25;
	judged->reason = "a stored time cannot decide";
	for (int i = 0; i < 2; i++) {
		ARENA_GROW(&scenario->arena, result->sessions, result->n_sessions, result->cap_sessions);
		result->sessions[result->n_sessions++] = (struct accepted_session){
			.date = i ? "2026-11-21T10:05:54Z" : "2026-11-20T10:05:54Z", .commit = i ? NULL : "0a1b2c3", .runs = 15,
			.median = 60.5, .values = { 60.25, 60.5, 61 }, .n = 3,
		};
	}

	gate = (struct gate){ .metric = own_metrics_find(&scenario->head.own_metrics, "cache-misses"), .max = NAN, .min = NAN };
	result = scenario_result_add_gate(scenario, &gate);
	result->stored.done = result->paired.done = result->by_baseline = true;
	result->paired.verdict = VERDICT_PASS;
	result->paired.pairs = 6;

	gate = (struct gate){ .metric = metric_find("page-faults"), .relative = true, .claim = true, .tolerance_pct = 10, .max = NAN, .min = NAN };
	result = scenario_result_add_gate(scenario, &gate);
	result->stored.verdict = VERDICT_IMPROVEMENT;
}

static inline void sample_side(struct side_result *side, const char *name, double ms, bool first)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;

	side->label = name;
	side->commit = "1a2b3c4d5e6f708192a3b4c5d6e7f80912345678";
	side->executable = "build-id:4567cdef";
	side->simulator = "valgrind-3.22.0, glibc 2.39";
	side->attached = "service redis (pid 12)";
	own_metrics_add(&side->own_metrics, metric_custom(&arena, "p99", "us", true));
	own_metrics_add(&side->own_metrics, metric_benchmark(&arena, "Set<char*>/8 \"x\"", "ms", false, NULL));
	side_result_column(side, metric_find("task-clock"));
	side_result_column(side, own_metrics_find(&side->own_metrics, "p99"));
	side_result_column(side, own_metrics_find(&side->own_metrics, "task-clock-per-work"));
	for (unsigned i = 0; i < 3; i++) {
		struct run *run = side_result_add_run(side);

		run->values[0] = ms + i;
		run->values[1] = i % 2 ? NAN : 1.25;
		run->first = (i % 2 == 0) == first;
	}
}

static inline void sample_pairs(struct scenario_result *scenario)
{
	scenario_result_pair(scenario, true);
	scenario->pairing = (struct pairing){
		.identical = { "build-id:0123", 4, 12 },
		.other_work = "head prints other output from line 17",
		.unchanged = "both sides run the same binary (prog) although src/prog.c differs",
		.pairs_least = 6, .commits = 3,
		.seed = UINT64_MAX - 1, .gates = 20, .pairs_most = 58, .batch = 4, .dropped = 1, .rerun = 2, .floor_pct = 1.5,
		.services = "restarted for each pair, side by side", .ended = true, .confirming = true,
	};
	sample_side(&scenario->base, "main (1a2b3c4d5e6f)", 61.2, true);
	sample_side(&scenario->again, "head", 64.5, false);
}

static inline void sample_symbols(struct scenario_result *scenario)
{
	static const struct symbol_gate gate = { true, 20, 3.5, 2.25, true, true, 14, 5 };
	static const struct share_budget budgets[] = {
		{ .symbol = "sqlx::*", .max_pct = 5, .required = true, .line = 16, .column = 7 },
		{ .dso = "libfoo*", .max_pct = 0.5 },
	};
	struct symbol_result *symbol;

	scenario_result_gate_symbols(scenario, &gate, budgets, 2);
	symbol = scenario_result_add_symbol(scenario, "dictFind", "redis-server");
	*symbol = (struct symbol_result){
		.symbol = symbol->symbol, .dso = symbol->dso, .share_pct = 31.5, .base_share_pct = 24.25, .low_pct = 30.5,
		.high_pct = 32.5, .total_pct = 61.5, .samples = 2709, .base_samples = 2180, .change_pp = 7.25, .error_pp = 0.5,
		.cost_ms = 38.25, .base_cost_ms = 14.75, .change = SYMBOL_MOVED, .moved = "dictFindEntry",
		.verdict = VERDICT_REGRESSION, .reason = "its share and its cost rose",
	};
	scenario_result_add_symbol(scenario, "gone", "")->change = SYMBOL_VANISHED;
}

static inline void sample_causes(struct scenario_result *scenario)
{
	static const struct cause causes[] = {
		{ CAUSE_SYSTEM_CALLS, "find_by_sval", "mawk", "field.c:212", "field.c:214: read(fd, buf, 64)", 55.5, UNIT_MS, 94.5,
		  "find_by_sval (field.c:212) costs 55 ms more per run: it calls read 40,000 times, not 12", "src/field.c:214", "+ read(fd, buf, 64);" },
		{ CAUSE_INPUT, NULL, NULL, NULL, NULL, NAN, UNIT_BYTES, NAN, "the input is larger", NULL, NULL },
	};

	scenario->causes = arena_memdup(&scenario->arena, causes, sizeof causes);
	scenario->n_causes = scenario->cap_causes = sizeof causes / sizeof causes[0];
	arena_push(&scenario->arena, &scenario->evidence, "system calls: 12 -> 40,000");
	arena_push(&scenario->arena, &scenario->evidence, "page faults could not be recorded: no rights");
}

static inline void sample_measured(struct result *result)
{
	struct scenario_result *scenario = result_add_scenario(result, "redis-get");

	scenario->path = "scenarios/redis-get.yaml";
	scenario->description = "GET path of redis under a fixed load";
	scenario->class = "x86_64-intel-xeon-8370c-4cpu-sw";
	scenario->head.state = SCENARIO_PARTIAL;
	scenario->status = 1;
	scenario->head.failure = "the target exited with status 2";
	scenario->head.timed_out_ms = 4000;
	scenario->idle = "does next to nothing (1.2 ms per run): give it more work";
	scenario->waits = "wall-time rose from 60.0 ms to 1.1 s";
	scenario->head.log_tail = "line 1\nline 2 \x1b[31m\n";
	scenario->head.log_path = "pawl-out/x/redis-get/target.log";
	sample_printed(scenario);
	sample_runs(scenario);
	sample_settings(&scenario->arena, &scenario->settings);
	scenario->head.work_unit = "request";
	scenario->head.attached = "service redis (pid 12)";
	scenario->head.executable = "fnv1a:0123";
	scenario->head.simulator = "valgrind-3.19.0, glibc 2.36";
	scenario->measurement = "fedcba9876543210fedcba9876543210";
	scenario->head.runs_wanted = 15;
	scenario->phases = (struct phases){ 1.25, 0.5, 0.25, 4.125, 2.75, 3.5, 0.375, 0.125, 6.625 };
	NOTE(&scenario->head, "the budget ended early");
	sample_gates(scenario);
	sample_symbols(scenario);
	sample_profile(&scenario->head.profile);
	sample_pairs(scenario);
	sample_causes(scenario);
	scenario->baseline_path = "baselines/redis-get/x86_64-intel-xeon-8370c-4cpu-sw.json";
	scenario->baseline_label = "2026-11-20, commit a1b2c3d, 3 sessions";
	scenario->baseline_class = "x86_64-intel-xeon-8370c-4cpu-sw";
	arena_push(&scenario->arena, &scenario->explanation, "task-clock: more work");
}

static inline void sample_full_machine(struct machine *machine)
{
	sample_stable_machine(machine);
	machine->os = "Ubuntu 24.04";
	machine->perf_path = "/usr/bin/perf";
	machine->perf_version = "6.8.12";
	machine->tier_reason = "this virtual machine exposes no hardware counters";
	machine->tier_remedy = "use an arm64 runner";
	machine->counters = 6;
	NOTE(machine, "load average 3.2");
}

static inline void sample_result(struct result *result)
{
	static const char *const words[] = { "pawl", "run", "--strict", "--out", "my out" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		arena_push(&result->arena, &result->command, words[i]);
	result->date = "2026-11-21T10:05:54Z";
	result->commit = "4f1c2d9+dirty";
	result->repository = "https://github.com/example/project";
	result->ci_run = "https://github.com/example/project/actions/runs/12";
	result->pawl = "0.1.0";
	result->out_dir = "pawl-out/20261121T100554Z-4f1c2d9";
	result->strict = true;
	result->partial = true;
	result->status = 1;
	result->elapsed_s = 192.4;
	sample_full_machine(&result->machine);
	NOTE(result, "all scenarios moved together: suspect the machine");
	result->judged_by = (struct judged_by){ .ref = "origin/main", .commit = "1a2b3c4d5e6f" };
	judged_by_add(&result->judged_by, "pawl.yaml", JUDGE_EDITED, "what that means");
	arena_push(&result->judged_by.arena, &result->judged_by.open, "something");
	result->shard = "2/3";
	arena_push(&result->arena, &result->suite, "redis-get");
	arena_push(&result->arena, &result->mixed, "these results are of 2 commits");
	arena_push(&result->arena, &result->busy, "other processes used 1.0 of 4 CPUs while measuring");
	sample_measured(result);
	result_add_scenario(result, "never-started")->path = "scenarios/never-started.yaml";
}

#endif
