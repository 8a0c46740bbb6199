/* Benchmarks in the output of benchmark programs: names, values, clocks, and why there is no value. */
#include "unit.h"

#include "measure/files/files.h"
#include "scenario/harness/harness.h"
#include "scenario/scenario.h"

#define N(array) (sizeof(array) / sizeof *(array))
#define F "tests/fixtures/harness/"

static struct harness harness_of(enum harness_kind kind)
{
	return (struct harness){ .kind = kind, .places = { .list = (char *)"runs", .name = (char *)"id", .value = (char *)"time.mean",
							   .unit = (char *)"ns" } };
}

struct expected {
	const char *name;
	double ms;
	bool waits;
	const char *why;
};

static void assert_benchmarks(const char *what, const struct benchmarks *found, const struct expected *expected)
{
	size_t n = 0;

	for (; expected[n].name; n++) {
		if (n >= found->n || strcmp(found->items[n].name, expected[n].name))
			fail_msg("%s: benchmark %zu is %s, not %s", what, n, n < found->n ? found->items[n].name : "missing", expected[n].name);
		if (expected[n].why)
			assert_string_equal(found->items[n].why, expected[n].why);
		else if (found->items[n].why || fabs(found->items[n].value / expected[n].ms - 1) > 1e-9)
			fail_msg("%s: %s is %.9g (%s), not %.9g", what, expected[n].name, found->items[n].value, found->items[n].why ?: "", expected[n].ms);
		assert_int_equal(found->items[n].waits, expected[n].waits);
		assert_true(isnan(found->items[n].value) == (found->items[n].why != NULL));
	}
	if (found->n != n)
		fail_msg("%s: %zu benchmarks, not %zu", what, found->n, n);
}

TEST(files_are_read)
{
	static const struct { enum harness_kind kind; const char *file; struct expected expected[5]; } cases[] = {
		{ HARNESS_GOOGLE, F "google-manual-base.json", { { "copy/manual_time", 0.05005, true, NULL } } },
		{ HARNESS_GOOGLE, F "google-manual-head.json", { { "copy/manual_time", 0.15015, true, NULL } } },
		{ HARNESS_GOOGLE, F "google-real-base.json", { { "send/real_time", 0.05005, true, NULL } } },
		{ HARNESS_GOOGLE, F "google-real-head.json", { { "send/real_time", 0.025025, true, NULL } } },
		{ HARNESS_GOOGLE, F "google-measured.json", { { "gpu", 0.001001, false, NULL } } },
		{ HARNESS_GOOGLE, F "google-skipped.json", { { "gpu", NAN, false, "skipped: no device" } } },
		{ HARNESS_GOOGLE, F "google-one.json", { { "a", 0.001001, false, NULL } } },
		{ HARNESS_GOOGLE, F "google-nan.json", { { "a", 0.001001, false, NULL } } },
		{ HARNESS_GOOGLE, F "google-names-base.json",
		  { { "Set<char>", 0.0001001, false, NULL }, { "Set<char*>", 0.009009, false, NULL } } },
		{ HARNESS_GOOGLE, F "google-names-head.json", { { "Set<char*>", 0.02002, false, NULL } } },
		{ HARNESS_HYPERFINE, F "hyperfine-old.json", { { "./old x", 100, true, NULL } } },
		{ HARNESS_HYPERFINE, F "hyperfine-new.json", { { "./new x", 300, true, NULL } } },
		{ HARNESS_HYPERFINE, F "hyperfine-parameters.json",
		  { { "run (threads 1)", 100, true, NULL }, { "run (threads 2)", 50, true, NULL } } },
		{ HARNESS_GO, F "go.txt",
		  { { "BenchmarkParse", 0.001591, true, NULL }, { "BenchmarkList/small", 0.0002129, true, NULL },
		    { "BenchmarkList/big-8", 0.002306, true, NULL }, { "BenchmarkLoud", 0.001418, true, NULL } } },
		{ HARNESS_CRITERION, F "criterion.txt",
		  { { "tiny", 4.399e-6, true, NULL }, { "a rather long name of a benchmark with spaces", 0.0025805, true, NULL },
		    { "parse/64", 0.00020567, true, NULL }, { "Set<char*> [param-1]", 0.015079, true, NULL } } },
		{ HARNESS_NANOBENCH, F "nanobench.json",
		  { { "some double ops", 7.2e-6, true, NULL }, { "random/std::mt19937 <int>", 2.5e-3, true, NULL } } },
		{ HARNESS_CATCH2, F "catch2.xml",
		  { { "parse/small <int>", 75.356e-6, true, NULL }, { "parse/big & \"quoted\"", 1799.25e-6, true, NULL } } },
	};

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(benchmarks_release) struct benchmarks found = { 0 };
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		struct harness harness = harness_of(cases[i].kind);
		struct error err = ERROR_INIT;

		assert_int_equal(file_read(cases[i].file, HARNESS_TEXT_MOST, &text, &err), 0);
		if (harness_read(&harness, text.buf, text.len, false, &found, &err) < 0)
			fail_msg("%s: %s", cases[i].file, err.msg);
		assert_benchmarks(cases[i].file, &found, cases[i].expected);
	}
}

#define GOOGLE(rows) "{\"context\": {}, \"benchmarks\": [" rows "]}"
#define ROW(name, rest) "{\"name\": \"" name "\", \"iterations\": 9, \"cpu_time\": 5, \"real_time\": 7, \"time_unit\": \"us\"" rest "}"

TEST(texts_are_read)
{
	static const struct { enum harness_kind kind; const char *text; struct expected expected[4]; } cases[] = {
		/* clocks: a part of the name between slashes, not a part of a word */
		{ HARNESS_GOOGLE, GOOGLE(ROW("a/real_time/threads:2", "") "," ROW("real_time", "") "," ROW("a/real_time:3", "")),
		  { { "a/real_time/threads:2", 0.007, true, NULL }, { "real_time", 0.005, false, NULL }, { "a/real_time:3", 0.005, false, NULL } } },
		/* repetitions count, aggregates do not */
		{ HARNESS_GOOGLE, GOOGLE(ROW("a", ", \"repetition_index\": 0") "," ROW("a", ", \"repetition_index\": 1") ","
					 ROW("a_mean", ", \"run_type\": \"aggregate\"") "," ROW("b_cv", "")), { { "a", 0.005, false, NULL } } },
		/* of repetitions that are left out, the median counts; old versions have no types */
		{ HARNESS_GOOGLE, GOOGLE("{\"name\": \"a_median\", \"run_name\": \"a\", \"run_type\": \"aggregate\", \"aggregate_name\": \"median\", "
					 "\"iterations\": 3, \"cpu_time\": 6, \"time_unit\": \"us\"}," ROW("a_mean", "") "," ROW("b_median", "") ","
					 ROW("c", "") "," ROW("c_median", "") ","
					 "{\"aggregate_name\": \"median\", \"cpu_time\": 9, \"time_unit\": \"us\"}"),
		  { { "a", 0.006, false, NULL }, { "b", 0.005, false, NULL }, { "c", 0.005, false, NULL } } },
		/* two of one name cannot be told apart */
		{ HARNESS_GOOGLE, GOOGLE(ROW("a", ", \"repetition_index\": 0") "," ROW("a", ", \"repetition_index\": 0") "," ROW("b", "")),
		  { { "a", NAN, false, "several benchmarks have this name" }, { "b", 0.005, false, NULL } } },
		{ HARNESS_GOOGLE, GOOGLE(ROW("a", ", \"error_occurred\": true, \"error_message\": \"no device\"")),
		  { { "a", NAN, false, "failed: no device" } } },
		{ HARNESS_GOOGLE, GOOGLE("{\"name\": \"a\", \"iterations\": 0, \"cpu_time\": 0, \"time_unit\": \"ns\"},"
					 "{\"name\": \"b\", \"iterations\": 1, \"cpu_time\": NaN, \"time_unit\": \"ns\"},"
					 "{\"name\": \"c\", \"iterations\": 1, \"cpu_time\": -Infinity, \"time_unit\": \"ns\"}"),
		  { { "a", NAN, false, "it made no iteration" }, { "b", NAN, false, "its value is not a positive number" },
		    { "c", NAN, false, "its value is not a positive number" } } },
		{ HARNESS_GOOGLE, GOOGLE("{\"name\": \"a\", \"cpu_time\": 1, \"time_unit\": \"fortnights\"}"), { { "a", NAN, false, "its unit is unknown" } } },
		/* markup and control characters; names of pawl's own metrics */
		{ HARNESS_GOOGLE, GOOGLE(ROW("<b>&\\u001b[31m\\n", "") "," ROW("cpu-time", "") "," ROW("NaN Infinity \\\" nan", "")),
		  { { "<b>&?[31m?", 0.005, false, NULL }, { "cpu-time (benchmark)", 0.005, false, NULL }, { "NaN Infinity \" nan", 0.005, false, NULL } } },
		{ HARNESS_PYTEST, "{\"benchmarks\": [{\"fullname\": \"t.py::x[1]\", \"stats\": {\"median\": 0.002, \"mean\": 0.003}}]}",
		  { { "t.py::x[1]", 2, true, NULL } } },
		/* its own prints, several values, a mark alone */
		{ HARNESS_JSON, "started \"\n{\"level\": \"info\"}\n{\"runs\": [{\"id\": \"a\", \"time\": {\"mean\": 5}}]}\n[noise\n"
				"{\"runs\": [{\"id\": \"b\", \"time\": {\"mean\": NaN}}]}\n",
		  { { "a", 5e-6, true, NULL }, { "b", NAN, true, "its value is not a positive number" } } },
		/* all units, its own prints, changes since the last run, and units of other measurements */
		{ HARNESS_CRITERION, "own print\ntime: [1 ns 2 ns 3 ns]\na                       time:   [826.45 ps 912.03 ps 1.0428 ns]\n"
				     "                        change: [-46.450% -29.260% -7.9159%] (p = 0.03 < 0.05)\n"
				     "<b> c                   time:   [NaN ns NaN ns NaN ns]\n                 change:\n"
				     "                        time:   [-1.1000% +0.2000% +2.0000%] (p = 0.31 > 0.05)\n"
				     "d                       time:   [1.0000 us 2.0000 us 3.0000 us]\nlast print\n",
		  { { "a", 9.1203e-7, true, NULL }, { "<b> c", NAN, true, "its value is not a positive number" }, { "d", 0.002, true, NULL } } },
		{ HARNESS_CRITERION, "a name of more than 23 bytes\n                        time:   [1.0000 ms 2.0000 ms 3.0000 ms]\n"
				     "                        thrpt:  [1.0000 MiB/s 2.0000 MiB/s 3.0000 MiB/s]\n"
				     "e                       time:   [1.0000 s 2.0000 s 3.0000 s]\n"
				     "f                       time:   [1.0 cycles 2.0 cycles 3.0 cycles]\n",
		  { { "a name of more than 23 bytes", 2, true, NULL }, { "e", 2000, true, NULL }, { "f", NAN, true, "its unit is unknown" } } },
		{ HARNESS_HYPERFINE, "{\"results\": [{\"command\": \"<a>\\t\", \"median\": 0.5}, {\"command\": \"b\", \"median\": Infinity}]}",
		  { { "<a>?", 500, true, NULL }, { "b", NAN, true, "its value is not a positive number" } } },
		/* benchmarks of one name in several sections */
		{ HARNESS_CATCH2, "<Catch name=\"x\">\n<TestCase name=\"t\">\n<Section name=\"a\">\n<Section name=\"&lt;b>\">\n"
				  "<BenchmarkResults name=\"x\">\n<mean value=\"1\"/>\n</BenchmarkResults>\n<OverallResults/>\n</Section>\n"
				  "<BenchmarkResults name=\"x\">\n<mean value=\"2\"/>\n</BenchmarkResults>\n</Section>\n</Section>\n</TestCase>\n"
				  "<TestCase name=\"u\">\n<BenchmarkResults name=\"x\">\n<failed message=\"what\"/>\n</BenchmarkResults>\n</TestCase>\n</Catch>\n",
		  { { "t/a/<b>/x", 1e-6, true, NULL }, { "t/a/x", 2e-6, true, NULL }, { "u/x", NAN, true, "failed: what" } } },
		{ HARNESS_CATCH2, "<Catch2TestRun>\n<TestCase name=\"t\">\nown print\n<BenchmarkResults name=\"a\">\n<mean value=\"inf\"/>\n"
				  "</BenchmarkResults>\n</TestCase>\n</Catch2TestRun>\n",
		  { { "t/a", NAN, true, "its value is not a positive number" } } },
		{ HARNESS_GO, "BenchmarkA 1 NaN ns/op\nBenchmarkA 1 5 ns/op\nBenchmarkB 1 5 ns/op\nBenchmarkB 1 7 ns/op\n",
		  { { "BenchmarkA", NAN, true, "its value is not a positive number" }, { "BenchmarkB", 6e-6, true, NULL } } },
		{ HARNESS_GO, "pkg: x/a\nBenchmarkA-8 1 5 ns/op\npkg: x/b\nBenchmarkA-8 1 7 ns/op\n--- FAIL: BenchmarkB\nBenchmarkC-4 2 1 MB/s\r\n",
		  { { "x/a.BenchmarkA-8", 5e-6, true, NULL }, { "x/b.BenchmarkA-8", 7e-6, true, NULL }, { "x/b.BenchmarkB", NAN, true, "failed" } } },
	};

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(benchmarks_release) struct benchmarks found = { 0 };
		struct harness harness = harness_of(cases[i].kind);
		struct error err = ERROR_INIT;

		if (harness_read(&harness, cases[i].text, strlen(cases[i].text), false, &found, &err) < 0)
			fail_msg("%s: %s", cases[i].text, err.msg);
		/* The last case has one more, which has no ns/op. */
		if (i + 1 == N(cases)) {
			assert_int_equal(found.n, 4);
			assert_string_equal(found.items[3].why, "it has no ns/op");
			found.n = 3;
		}
		assert_benchmarks(cases[i].text, &found, cases[i].expected);
	}
}

TEST(bad_texts_are_refused)
{
	static const struct { enum harness_kind kind; const char *text, *filter, *fault; } cases[] = {
		{ HARNESS_GOOGLE, "", NULL, "reported no benchmark" },
		{ HARNESS_GOOGLE, "", "Nothing", "target.filter 'Nothing' matches none" },
		{ HARNESS_GOOGLE, "{\"benchmarks\": [", NULL, "its results are not JSON" },
		{ HARNESS_GOOGLE, "{\"context\": {}}", NULL, "no list 'benchmarks': another version's format?" },
		{ HARNESS_GOOGLE, GOOGLE(""), NULL, "google-benchmark reported no benchmark" },
		{ HARNESS_GOOGLE, GOOGLE(""), "BM_x", "target.filter 'BM_x' matches none" },
		{ HARNESS_GOOGLE, GOOGLE("{\"cpu_time\": 1}"), NULL, "no benchmark with a name" },
		{ HARNESS_GOOGLE, GOOGLE("1, null, [], \"x\""), NULL, "no benchmark with a name" },
		{ HARNESS_PYTEST, "{\"benchmarks\": [{\"fullname\": \"a\"", NULL, "its results are not JSON" },
		{ HARNESS_HYPERFINE, "{\"results\": [{", NULL, "its results are not JSON" },
		{ HARNESS_HYPERFINE, "{\"version\": 2, \"commands\": []}", NULL, "no list 'results': another version's format?" },
		{ HARNESS_NANOBENCH, "ready\n{\"results\": [{\"name\": \"a\"", NULL, "no complete JSON with a list 'results'" },
		{ HARNESS_NANOBENCH, "{\"benchmarks\": []}", NULL, "no complete JSON with a list 'results'" },
		{ HARNESS_CRITERION, "test a ... bench: 1 ns/iter (+/- 1)\na time: [1 ns 2 ns 3 ns]\n", NULL, "criterion reported no benchmark" },
		{ HARNESS_CATCH2, "<Catch2TestRun name=\"x\">\n</Catch2TestRun>\n", "x", "target.filter 'x' matches none" },
		{ HARNESS_JSON, "no JSON\n", NULL, "no complete JSON with a list 'runs'" },
		{ HARNESS_JSON, "{\"runs\": [{\"id\": \"a\"", NULL, "no complete JSON" },
		{ HARNESS_CATCH2, "<Catch name=\"x\">\n<BenchmarkResults name=\"a\">\n<mean value=\"1\"/>\n", NULL, "no complete XML" },
		{ HARNESS_GO, "PASS\nok x 0.1s\n", "Nothing", "target.filter 'Nothing' matches none" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct benchmarks found = { 0 };
		struct harness harness = harness_of(cases[i].kind);
		struct error err = ERROR_INIT;

		harness.filter = (char *)cases[i].filter;
		assert_int_equal(harness_read(&harness, cases[i].text, strlen(cases[i].text), false, &found, &err), -1);
		assert_int_equal(err.kind, ERR_TARGET);
		if (!strstr(err.msg, cases[i].fault))
			fail_msg("'%s' is not in '%s'", cases[i].fault, err.msg);
		assert_int_equal(found.n, 0);
	}
}

TEST(too_many_are_refused)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct harness harness = harness_of(HARNESS_GOOGLE);
	struct benchmarks found = { 0 };
	struct error err = ERROR_INIT;

	strbuf_adds(&text, "{\"benchmarks\": [");
	for (unsigned i = 0; i < 10000; i++)
		strbuf_addf(&text, "%s{\"name\": \"b%u\", \"cpu_time\": 1, \"time_unit\": \"ns\"}", i ? "," : "", i);
	strbuf_adds(&text, "]}");
	assert_int_equal(harness_read(&harness, text.buf, text.len, false, &found, &err), -1);
	assert_non_null(strstr(err.msg, "10000 benchmarks, of at most 1000; choose some with target.filter"));
}

/* If only some were asked for, none may be there. */
TEST(some_may_be_none)
{
	struct harness harness = harness_of(HARNESS_GOOGLE);
	CLEANUP(benchmarks_release) struct benchmarks found = { 0 };
	struct error err = ERROR_INIT;

	assert_int_equal(harness_read(&harness, "", 0, true, &found, &err), 0);
	assert_int_equal(found.n, 0);
	assert_int_equal(harness_read(&harness, "{", 1, true, &found, &err), -1);
}

/* ONLY: names between spaces, or NULL. */
static void assert_arguments(enum harness_kind kind, const char *filter, const char *only, unsigned iterations, const char *expected)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	struct harness harness = { .kind = kind, .filter = (char *)filter };
	struct strv out = STRV_INIT, names = STRV_INIT;

	for (const char *at = only; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
		arena_pushf(&arena, &names, "%.*s", (int)strcspn(at, " "), at);
	harness_arguments(&harness, &(struct harness_ask){ .file = "/f", .time_ns = 36000000, .longest_ms = 5, .only = only ? &names : NULL,
							   .iterations = iterations }, &arena, &out);
	escape_shell_words(&words, &out);
	assert_string_equal(words.buf, expected);
}

TEST(programs_are_asked)
{
	assert_arguments(HARNESS_GOOGLE, NULL, NULL, 0, "--benchmark_out=/f --benchmark_out_format=json --benchmark_min_time=0.020000");
	assert_arguments(HARNESS_GOOGLE, "x", "Set<char*>/8 b", 0, "--benchmark_out=/f --benchmark_out_format=json --benchmark_min_time=0.020000 "
			 "'--benchmark_filter=^Set<char\\*>/8$|^b$'");
	assert_arguments(HARNESS_GOOGLE, NULL, "b", 7, "--benchmark_out=/f --benchmark_out_format=json --benchmark_min_time=7x "
			 "'--benchmark_filter=^b$'");
	assert_arguments(HARNESS_GO, "Parse", NULL, 0, "'-test.run=^$' -test.benchtime=18000us -test.bench=Parse");
	assert_arguments(HARNESS_GO, NULL, "BenchmarkA/b.c BenchmarkB", 0, "'-test.run=^$' -test.benchtime=18000us "
			 "'-test.bench=^BenchmarkA$/^b\\.c$|^BenchmarkB$'");
	assert_arguments(HARNESS_GO, NULL, "BenchmarkB", 7, "'-test.run=^$' -test.benchtime=7x '-test.bench=^BenchmarkB$'");
	assert_arguments(HARNESS_PYTEST, "x or y", NULL, 0, "--benchmark-only --benchmark-json=/f --benchmark-min-rounds=1 "
			 "--benchmark-max-time=0.036000 -k 'x or y'");
	/* By function: older versions of pytest evaluate the expression as Python. */
	assert_arguments(HARNESS_PYTEST, "x or y", "t.py::T::test_b t.py::test_a[1-b] t.py::test_a[2]", 0, "--benchmark-only "
			 "--benchmark-json=/f --benchmark-min-rounds=1 --benchmark-max-time=0.036000 -k '(x or y) and (test_a or test_b)'");
	assert_arguments(HARNESS_PYTEST, NULL, "t.py::test_a", 7, "--benchmark-only --benchmark-json=/f --benchmark-min-time=0 "
			 "--benchmark-max-time=0 --benchmark-min-rounds=7 -k test_a");
	/* A plugin's own kind of test is no function. */
	assert_arguments(HARNESS_PYTEST, NULL, "t.py::test_a t.yaml::a-b", 0, "--benchmark-only --benchmark-json=/f "
			 "--benchmark-min-rounds=1 --benchmark-max-time=0.036000");
	assert_arguments(HARNESS_CRITERION, "x", NULL, 0, "--noplot --sample-size=10 --nresamples=1001 "
			 "--warm-up-time=0.009000 --measurement-time=0.018000 x");
	assert_arguments(HARNESS_CRITERION, "x", "a/b", 7, "--noplot --sample-size=10 --nresamples=1001 "
			 "--warm-up-time=0.009000 --measurement-time=0.018000 '^a/b$'");
	assert_arguments(HARNESS_CATCH2, "[bench]", NULL, 0, "'[bench]' --reporter=xml --out=/f --benchmark-no-analysis "
			 "--benchmark-warmup-time=4 --benchmark-samples=360");
	assert_arguments(HARNESS_HYPERFINE, NULL, NULL, 0, "--export-json=/f --style=basic --runs=7");
	assert_arguments(HARNESS_JSON, NULL, NULL, 0, "");
}

TEST(iterations_fit_into_a_time)
{
	static const struct {
		enum harness_kind kind; double longest_ms; bool older; unsigned expected;
	} cases[] = {
		{ HARNESS_GOOGLE, 5, false, 7 }, { HARNESS_GOOGLE, 1e-3, false, 36000 }, { HARNESS_GOOGLE, 1e-3, true, 10000 },
		{ HARNESS_GO, 5, false, 7 }, { HARNESS_GO, 100, false, 1 }, { HARNESS_GO, 0, false, 1 },
		{ HARNESS_PYTEST, 5, false, 7 }, { HARNESS_PYTEST, 1e-6, false, 10000 },
		{ HARNESS_CRITERION, 5, false, 0 }, { HARNESS_CRITERION, 5, true, 0 }, { HARNESS_JSON, 5, false, 0 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct harness harness = { .kind = cases[i].kind };

		assert_int_equal(harness_iterations(&harness, 36000000, cases[i].longest_ms, cases[i].older), cases[i].expected);
	}
}

/* criterion before 0.4 takes whole seconds, Google Benchmark before 1.8 no number of iterations. */
TEST(older_versions_are_asked)
{
	static const struct {
		enum harness_kind kind;
		bool older;
		uint64_t time_ns;
		unsigned iterations;
		const char *words;
	} cases[] = {
		{ HARNESS_CRITERION, true, 0, 0, "--warm-up-time=1 --measurement-time=1" },
		{ HARNESS_CRITERION, true, 36000000, 0, "--warm-up-time=1 --measurement-time=1" },
		{ HARNESS_CRITERION, true, 6000000000, 0, "--warm-up-time=2 --measurement-time=3" },
		{ HARNESS_GOOGLE, false, 0, 0, "--benchmark_min_time=1x" },
		{ HARNESS_GOOGLE, true, 0, 0, "--benchmark_min_time=0.000556" },
		{ HARNESS_GOOGLE, true, 36000000, 7, "--benchmark_min_time=0 --benchmark_repetitions=7 --benchmark_report_aggregates_only=true" },
	};
	struct harness criterion = { .kind = HARNESS_CRITERION }, go = { .kind = HARNESS_GO };

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(arena_release) struct arena arena = ARENA_INIT;
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
		struct harness harness = { .kind = cases[i].kind };
		struct strv out = STRV_INIT;

		harness_arguments(&harness, &(struct harness_ask){ .file = "/f", .time_ns = cases[i].time_ns, .older = cases[i].older,
								   .iterations = cases[i].iterations }, &arena, &out);
		escape_shell_words(&words, &out);
		assert_non_null(strstr(words.buf, cases[i].words));
	}
	assert_string_equal(harness_older(&criterion)->refuse, "isn't a valid value");
	assert_null(harness_older(&go));
}

/* Names that do not fit into an argument are not asked for. */
TEST(too_many_names_are_not_asked_for)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	for (unsigned i = 0; i < 10000; i++)
		strbuf_addf(&names, "b%u ", i);
	assert_arguments(HARNESS_GO, "Parse", names.buf, 0, "'-test.run=^$' -test.benchtime=18000us -test.bench=Parse");
}
