#include "unit.h"

#include "report/commands.h"
#include "report_samples.h"

TEST(accepts_the_runs_that_were_made)
{
	static const struct {
		const char *what, *accept, *out_dir, *path;	/* NULL path: scenarios/a.yaml */
		const char *baseline;
		enum result_mode mode;
		bool partial, failed, no_runs, latest, service;
	} rows[] = {
		{ "new", "pawl baseline update a --from /p/pawl-out/x", .out_dir = "/p/pawl-out/x" },
		{ "worse", "pawl baseline update a --from /p/pawl-out/x --reason \"...\"", .out_dir = "/p/pawl-out/x", .baseline = "b.json" },
		{ "by its name, which is what a result has", "pawl baseline update a --from /o", .out_dir = "/o", .path = "perf/a.yaml" },
		{ "safe to paste", "pawl baseline update a --from '/my $(rm) o'\\''s'", .out_dir = "/my $(rm) o's" },
		{ "partial", "pawl baseline update perf/a.yaml --reason \"...\"", .out_dir = "/o", .path = "perf/a.yaml", .baseline = "b.json", .partial = true },
		{ "failed", "pawl baseline update a", .out_dir = "/o", .failed = true },
		{ "the latest", "pawl baseline update a", .out_dir = "/o", .latest = true },
		{ "a service's latest", "pawl baseline update a --from /o", .out_dir = "/o", .latest = true, .service = true },
		{ "no runs", "pawl baseline update a", .out_dir = "/o", .no_runs = true },
		{ "in pairs", "pawl baseline update a", .out_dir = "/o", .mode = MODE_PAIRED },
		{ "left nowhere", "pawl baseline update a", .mode = MODE_STORED },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct result result = {
			.mode = rows[i].mode, .out_dir = rows[i].out_dir, .partial = rows[i].partial, .latest = rows[i].latest,
		};
		struct scenario_result *scenario = result_add_scenario(&result, "a");
		CLEANUP(strbuf_release) struct strbuf accept = STRBUF_INIT, all = STRBUF_INIT;

		scenario->path = rows[i].path ?: "scenarios/a.yaml";
		scenario->head.state = rows[i].failed ? SCENARIO_FAILED : SCENARIO_MEASURED;
		scenario->baseline_path = rows[i].baseline;
		scenario->head.executable = "build-id:1";
		scenario->head.attached = rows[i].service ? "service redis (pid 12)" : NULL;
		for (size_t k = 0; k < 3 && !rows[i].no_runs; k++)
			side_result_add_run(&scenario->head);
		command_accept(&accept, &result, scenario);
		if (strcmp(accept.buf, rows[i].accept))
			fail_msg("%s: %s", rows[i].what, accept.buf);
		/* The command for all scenarios appears only if all were measured. */
		result_add_scenario(&result, "b")->head.state = SCENARIO_FAILED;
		command_accept(&all, &result, NULL);
		assert_null(strstr(all.buf, "--from"));
		result_release(&result);
	}
}

TEST(test_commands)
{
	static const struct {
		enum result_mode mode; const char *command, *name, *path; const char *again, *accept;
	} rows[] = {
		{MODE_STORED, "pawl run", "gzip", "scenarios/gzip.yaml", "pawl run gzip",
	     "pawl baseline update gzip"},
		{MODE_STORED, "pawl run gzip --strict --attach 12 --out o --runs=5 --tag gzip -v", "gzip", "scenarios/gzip.yml",
	     "pawl run gzip --strict --attach 12 --runs=5", "pawl baseline update gzip"},
		{MODE_STORED, "pawl run --budget '9 s' perf/a.yaml", "a", "perf/a.yaml", "pawl run perf/a.yaml --budget '9 s'",
	     "pawl baseline update perf/a.yaml"},
		{MODE_STORED, "pawl run --budget 'a'\\''b; rm x'", "a", NULL, "pawl run a --budget 'a'\\''b; rm x'",
	     "pawl baseline update a"},
		{ MODE_STORED, "pawl run -- --strict", "a", NULL, "pawl run a", "pawl baseline update a" },
		{MODE_PAIRED, "pawl run x --base old --head new", "x", "scenarios/x.yaml", "pawl run x --base old --head new",
	     "pawl baseline update x"},
		{MODE_PAIRED, "pawl ab 'sleep 1' 'sleep 2'", "sleep", NULL,
	     "pawl ab 'sleep 1' 'sleep 2'", "pawl baseline update sleep"},
		{ MODE_STORED, NULL, "a", NULL, "pawl run a", "pawl baseline update a" },
		{ MODE_STORED, "pawl run --runs", "a", NULL, "pawl run a --runs", "pawl baseline update a" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(result_release) struct result result = {.mode = rows[i].mode};
		struct scenario_result *scenario = result_add_scenario(&result, rows[i].name);
		CLEANUP(strbuf_release) struct strbuf again = STRBUF_INIT, accept = STRBUF_INIT;

		if (rows[i].command)
			sample_command(&result, rows[i].command);
		scenario->path = rows[i].path;
		command_again(&again, &result, scenario);
		command_accept(&accept, &result, scenario);
		assert_string_equal(again.buf, rows[i].again);
		assert_string_equal(accept.buf, rows[i].accept);
	}
}

#define OLD_COMMIT "1111111111111111111111111111111111111111"
#define NEW_COMMIT "2222222222222222222222222222222222222222"

/*
 * A comparison of two commits. After ten pairs its gate on task-clock has VERDICT, and 18 more pairs would decide it.
 */
static void fill_pairing(struct result *result, enum verdict verdict, unsigned pairs_most, bool confirming)
{
	struct gate gate = {.metric = metric_find("task-clock"), .relative = true, .tolerance_pct = 3, .max = NAN, .min = NAN};
	struct scenario_result *scenario = result_add_scenario(result, "small");
	struct judgement *judged = &scenario_result_add_gate(scenario, &gate)->paired;

	scenario->path = "scenarios/small.yaml";
	scenario->head.state = SCENARIO_MEASURED;
	scenario_result_pair(scenario, confirming);
	scenario->base.commit = OLD_COMMIT;
	scenario->head.commit = NEW_COMMIT;
	scenario->pairing.seed = 7;
	scenario->pairing.pairs_most = pairs_most;
	judged->done = true;
	judged->verdict = verdict;
	judged->pairs = 10;
	judged->more_pairs = 18;
	for (size_t i = 0; i < 10; i++) {
		side_result_add_run(&scenario->base);
		side_result_add_run(scenario_result_measured(scenario));
	}
}

TEST(test_commands_in_pairs)
{
	static const struct {
		enum result_mode mode; const char *command; enum verdict verdict; bool partial; unsigned pairs_most;
		const char *again, *all, *what, *next;
	} rows[] = {
		{ MODE_PAIRED, "pawl run small --base main", VERDICT_INCONCLUSIVE, false, 40,
		  "pawl run small --base 111111111111 --seed 7", "pawl run --base 111111111111 --seed 7",
		  "rerun, long enough to decide", "pawl run small --base 111111111111 --budget 202s" },
		{ MODE_PAIRED, "pawl run small --base=HEAD~1 --head HEAD --seed 5", VERDICT_REGRESSION, false, 40,
		  "pawl run small --base=111111111111 --head 222222222222 --seed 5",
		  "pawl run --base=111111111111 --head 222222222222 --seed 5",
		  "find the commit", "git bisect start 222222222222 111111111111 && git bisect run pawl run small --base 111111111111 --bisect" },
		{ MODE_PAIRED, "pawl run small --base main", VERDICT_INCONCLUSIVE, true, 40,
		  "pawl run small --base 111111111111 --seed 7", "pawl run --base 111111111111 --seed 7", NULL, "" },
		{ MODE_PAIRED, "pawl calibrate small --seed 6 --budget 3s", VERDICT_INCONCLUSIVE, false, 240,
		  "pawl calibrate small --budget 3s --seed 7", "pawl calibrate small --budget 3s --seed 7", NULL, "" },
		{ MODE_PAIRED, "pawl -v calibrate --tag x", VERDICT_REGRESSION, false, 240,
		  "pawl calibrate small --seed 7", "pawl calibrate small --seed 7", NULL, "" },
		{ MODE_STORED, "pawl run --base main --judge main", VERDICT_REGRESSION, false, 40,
		  "pawl run small --base 111111111111 --judge main --seed 7",
		  "pawl run --base 111111111111 --judge main --seed 7", NULL, "" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct result result = {
			.mode = rows[i].mode, .partial = rows[i].partial,
		};
		CLEANUP(strbuf_release) struct strbuf again = STRBUF_INIT, all = STRBUF_INIT, next = STRBUF_INIT;
		enum block_kind kind;

		sample_command(&result, rows[i].command);
		fill_pairing(&result, rows[i].verdict, rows[i].pairs_most, rows[i].mode == MODE_STORED);
		command_again(&again, &result, &result.scenarios[0]);
		command_again(&all, &result, NULL);
		kind = command_next(&next, &result, &result.scenarios[0]);
		assert_string_equal(again.buf, rows[i].again);
		assert_string_equal(all.buf, rows[i].all);
		assert_string_equal(next.len ? block_styles[kind].label : "nothing", rows[i].what ? rows[i].what : "nothing");
		assert_string_equal(next.buf, rows[i].next);
		result_release(&result);
	}
}

/* If another gate would stay open anyway, the command names the gates that more pairs decide. */
TEST(test_what_is_decided)
{
	struct gate gate = {.metric = metric_find("page-faults"), .relative = true, .tolerance_pct = 3, .max = NAN, .min = NAN};
	CLEANUP(result_release) struct result result = {.mode = MODE_PAIRED};
	CLEANUP(strbuf_release) struct strbuf next = STRBUF_INIT;
	struct judgement *other;

	sample_command(&result, "pawl run small --base main");
	fill_pairing(&result, VERDICT_INCONCLUSIVE, 40, false);
	other = &scenario_result_add_gate(&result.scenarios[0], &gate)->paired;
	other->done = true;
	other->verdict = VERDICT_INCONCLUSIVE;
	other->pairs = 10;
	other->more_pairs = INFINITY;
	assert_int_equal(command_next(&next, &result, &result.scenarios[0]), BLOCK_DECIDE);
	assert_string_equal(next.buf, "pawl run small --base 111111111111 --budget 202s  # decides only task-clock");
}

/* With a single commit, a search is pointless. */
TEST(test_what_is_searched)
{
	static const struct { unsigned commits; const char *next; } rows[] = {
		{ 0, "git bisect start 222222222222 111111111111 && git bisect run pawl run small --base 111111111111 --bisect" }, { 1, "" },
		{ 2, "git bisect start 222222222222 111111111111 && git bisect run pawl run small --base 111111111111 --bisect" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf next = STRBUF_INIT;
		CLEANUP(result_release) struct result result = { .mode = MODE_PAIRED };

		sample_command(&result, "pawl run small --base HEAD~1 --head HEAD");
		fill_pairing(&result, VERDICT_REGRESSION, 40, false);
		result.scenarios[0].pairing.commits = rows[i].commits;
		command_next(&next, &result, &result.scenarios[0]);
		assert_string_equal(next.buf, rows[i].next);
	}
}
