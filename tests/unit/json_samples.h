/*
 * A baseline and a result in which every member differs from its default, for the tests of what
 * is written as JSON: a member that gets lost shows. The caller releases them.
 */
#ifndef PAWL_TESTS_JSON_SAMPLES_H
#define PAWL_TESTS_JSON_SAMPLES_H

#include <math.h>

#include "base/mem.h"
#include "model/result.h"

static inline void sample_stable_machine(struct machine *machine)
{
	machine->arch = xstrdup("x86_64");
	machine->cpu = xstrdup("Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz");
	machine->part = xstrdup("intel-xeon-8370c-4cpu");
	machine->cpus = 4;
	machine->tier = TIER_SW;
	machine->hypervisor = xstrdup("microsoft");
	machine->kernel = xstrdup("6.8.0-1021-azure");
}

static inline void sample_settings(struct settings *settings)
{
	strv_push(&settings->command, "/bin/sh");
	strv_push(&settings->command, "-c");
	strv_push(&settings->command, "./prog --name \"a\\b\" | wc");
	settings->setup = xstrdup("./make-data.sh\n./more.sh\t");
	settings->prepare = xstrdup("sync");
	strv_push(&settings->environment, "LANG=C");
	strv_push(&settings->environment, "GREETING=gr\xc3\xbc\xc3\x9f dich \xe2\x82\xac \xf0\x9f\x90\xa7");
	strv_push(&settings->events, "cache-misses");
	settings->cpus = xstrdup("0-1");
	settings->aslr_off = true;
	strv_push(&settings->services, "redis: redis-server --port \"${port}\"");
	settings->load = xstrdup("redis-benchmark -p ${port}");
	strv_push(&settings->metrics, "p99 ms p99=([0-9.]+)");
	settings->window_s = 2.5;
}

static inline void sample_session(struct baseline *baseline, const char *date, double scale)
{
	struct session session = {
		.date = xstrdup(date),
		.commit = xstrdup("a1b2c3d"),
		.by = xstrdup("Ada <ada@example.org>"),
		.reason = xstrdup("the parser checks its input now"),
		.pawl = xstrdup("0.1.0"),
		.perf = xstrdup("6.8.12"),
		.kernel = xstrdup("6.8.0-1021-azure"),
		.executable = xstrdup("build-id:0123abcd"),
	};

	strv_push(&session.notes, "steal 0.3 % of CPU time");
	for (int i = 0; i < 5; i++) {
		series_add(&session.series, "task-clock", scale * (612 + i) / 10);
		series_add(&session.series, "instructions", nearbyint(scale * 1040123456.0) + i);
		series_add(&session.series, "branch-miss-rate", scale / (3 + i));
		series_add(&session.series, "r01c4/config=0x1,umask=2/", i);
	}
	baseline_add_session(baseline, &session);
}

static inline void sample_baseline(struct baseline *baseline)
{
	baseline->scenario = xstrdup("redis-get");
	sample_stable_machine(&baseline->machine);
	sample_settings(&baseline->settings);
	sample_session(baseline, "2026-11-20T10:05:54Z", 1);
	sample_session(baseline, "2026-11-21T11:15:00Z", 1.01);
}

static inline void sample_row(struct run *run, const char *event, enum row_state state, double value)
{
	VEC_GROW(run->rows.items, run->rows.n, run->rows.cap);
	run->rows.items[run->rows.n++] = (struct perf_row){
		.event = xstrdup(event),
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
		scenario_result_column(scenario, scenario_result_metric(scenario, metrics[i]));
	for (unsigned i = 0; i < 3; i++) {
		struct run *run = scenario_result_add_run(scenario);

		run->values[0] = 61.2 + i;
		run->values[2] = 12345 + i;
		run->values[3] = 1.25 + i;
		run->values[4] = 0.0125 + i;
		run->pass = i % 2;
		sample_row(run, "task-clock", ROW_COUNTED, 61.23 + i);
		sample_row(run, "instructions:u", ROW_NOT_SUPPORTED, NAN);
		sample_row(run, "cache-misses", ROW_NOT_COUNTED, NAN);
	}
}

static inline void sample_printed(struct scenario_result *scenario)
{
	struct metric *metric = metric_new_printed("p99", "us", true);

	scenario_result_define(scenario, metric);
	metric_free_event(metric);
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
	struct gate_result *judged = scenario_result_add_gate(scenario, &gate);

	judged->verdict = VERDICT_REGRESSION;
	judged->baseline = 61.2;
	judged->current = 120.7;
	judged->change_pct = 97.2;
	judged->low_pct = 41.2;
	judged->high_pct = 150.1;
	judged->n_baseline = 10;
	judged->n_current = 15;
	judged->simulated = true;
	judged->per_work = true;
	judged->reason = xstrdup("slower by more than the machine's noise explains");

	gate = (struct gate){ .metric = scenario_result_metric(scenario, "cache-misses"), .max = NAN, .min = NAN };
	scenario_result_add_gate(scenario, &gate);
}

static inline void sample_measured(struct result *result)
{
	struct scenario_result *scenario = result_add_scenario(result, "redis-get");

	scenario->path = xstrdup("scenarios/redis-get.yaml");
	scenario->description = xstrdup("GET path of redis under a fixed load");
	scenario->state = SCENARIO_PARTIAL;
	scenario->status = 1;
	scenario->failure = xstrdup("the target exited with status 2");
	scenario->log_tail = xstrdup("line 1\nline 2 \x1b[31m\n");
	scenario->log_path = xstrdup("pawl-out/x/redis-get/target.log");
	sample_printed(scenario);
	sample_runs(scenario);
	sample_settings(&scenario->settings);
	scenario->work_unit = xstrdup("request");
	scenario->attached = xstrdup("service redis (pid 12)");
	scenario->executable = xstrdup("fnv1a:0123");
	scenario->runs_wanted = 15;
	strv_push(&scenario->notes, "the budget ended early");
	sample_gates(scenario);
	scenario->baseline_path = xstrdup("baselines/redis-get/x86_64-intel-xeon-8370c-4cpu-sw.json");
	scenario->baseline_label = xstrdup("2026-11-20, commit a1b2c3d, 3 sessions");
	scenario->baseline_class = xstrdup("x86_64-intel-xeon-8370c-4cpu-sw");
	strv_push(&scenario->explanation, "task-clock: more work");
}

static inline void sample_full_machine(struct machine *machine)
{
	sample_stable_machine(machine);
	machine->os = xstrdup("Ubuntu 24.04");
	machine->perf_path = xstrdup("/usr/bin/perf");
	machine->perf_version = xstrdup("6.8.12");
	machine->tier_reason = xstrdup("this virtual machine exposes no hardware counters");
	machine->tier_remedy = xstrdup("use an arm64 runner");
	machine->counters = 6;
	strv_push(&machine->notes, "load average 3.2");
}

static inline void sample_result(struct result *result)
{
	result->mode = xstrdup("stored");
	result->command = xstrdup("pawl run --strict --out 'my out'");
	result->date = xstrdup("2026-11-21T10:05:54Z");
	result->commit = xstrdup("4f1c2d9+dirty");
	result->pawl = xstrdup("0.1.0");
	result->out_dir = xstrdup("pawl-out/20261121T100554Z-4f1c2d9");
	result->strict = true;
	result->partial = true;
	result->status = 1;
	result->elapsed_s = 192.4;
	sample_full_machine(&result->machine);
	strv_push(&result->notes, "all scenarios moved together: suspect the machine");
	strv_push(&result->busy, "other processes used 1.0 of 4 CPUs while measuring");
	sample_measured(result);
	result_add_scenario(result, "never-started")->path = xstrdup("scenarios/never-started.yaml");
}

#endif
