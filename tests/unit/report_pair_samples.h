/* Results of paired comparisons. report_samples.h includes this file. */
#ifndef PAWL_TESTS_REPORT_PAIR_SAMPLES_H
#define PAWL_TESTS_REPORT_PAIR_SAMPLES_H

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

#endif
