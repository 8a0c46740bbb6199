#include "unit.h"

#include "measure/tools/valgrind.h"
#include "model/metrics/numbers.h"
#include "report/words.h"
#include "report_samples.h"

TEST(test_value)
{
	static const struct { double value; enum metric_unit unit; const char *want; } rows[] = {
		{ 61.23, UNIT_MS, "61.2 ms" }, { 0, UNIT_MS, "0 ms" }, { 1.0, UNIT_MS, "1.00 ms" },
		{ 0.8124, UNIT_MS, "812 us" }, { 0.00051, UNIT_MS, "510 ns" }, { 999.4, UNIT_MS, "999 ms" },
		{ 999.6, UNIT_MS, "1.00 s" }, { 12345, UNIT_MS, "12.3 s" }, { 599e3, UNIT_MS, "599 s" },
		{ 1.5e6, UNIT_MS, "25.0 min" }, { 0, UNIT_COUNT, "0" }, { 1204, UNIT_COUNT, "1204" },
		{ 3.5, UNIT_COUNT, "3.50" }, { 9999, UNIT_COUNT, "9999" }, { 9999.6, UNIT_COUNT, "10.0 k" },
		{ 999600, UNIT_COUNT, "1.00 M" }, { 1.0431e9, UNIT_COUNT, "1.04 G" },
		{ 7e15, UNIT_COUNT, "7000 T" }, { 512, UNIT_BYTES, "512 B" }, { 13.0e6, UNIT_BYTES, "12.4 MiB" },
		{ 536870912, UNIT_BYTES, "512 MiB" }, { 1023.6, UNIT_BYTES, "1.00 KiB" },
		{ 1.043, UNIT_RATIO, "1.04" }, { 0.873, UNIT_RATIO, "0.873" }, { 82412.5, UNIT_RATIO, "82.4 k" },
		{ 0.0000971, UNIT_COUNT, "0.0000971" }, { 12.34, UNIT_RATIO, "12.3" },
		{ 0.0123, UNIT_FRACTION, "1.23 %" }, { 0.5, UNIT_FRACTION, "50.0 %" },
		{ 0.00012, UNIT_FRACTION, "0.0120 %" }, { 2.812e9, UNIT_HZ, "2.81 GHz" }, { NAN, UNIT_MS, "-" },
		{ INFINITY, UNIT_MS, "unknown" }, { -61.23, UNIT_MS, "-61.2 ms" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_string_equal(format_value(rows[i].value, rows[i].unit).s, rows[i].want);
}

/* The label of a plain number follows it. Known units are part of the number. */
TEST(test_measured)
{
	static const struct { const char *unit; double value; const char *want, *written; } rows[] = {
		{ "req/s", 82412.5, "82.4 k req/s", "82.4125 k req/s" },
		{ "points", 7, "7.00 points", "7 points" },
		{ "/min", 912, "912/min", "912/min" }, { NULL, 912, "912", "912" }, { "us", 0.25, "250 us", "250 us" },
		{ "MiB", 1572864, "1.50 MiB", "1.5 MiB" },
		{ "%", 0.125, "12.5 %", "12.5 %" }, { "count", 12, "12", "12" }, { "req/s", NAN, "-", NULL },
		{ "req/s", INFINITY, "unknown", NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(arena_release) struct arena arena = ARENA_INIT;
		const struct metric *metric = metric_custom(&arena, "x", rows[i].unit, false);

		assert_string_equal(format_measured(rows[i].value, metric).s, rows[i].want);
		if (rows[i].written)
			assert_string_equal(format_written(rows[i].value, metric).s, rows[i].written);
	}
}

TEST(test_plural)
{
	static const char *const rows[][2] = {
		{ "request", "requests" }, { "query", "queries" }, { "key", "keys" }, { "batch", "batches" },
		{ "flush", "flushes" }, { "process", "processes" }, { "box", "boxes" },
		{ "graph", "graphs" }, { "y", "ys" }, { "", "s" }, { "unit of work", "units of work" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		format_plural(&out, rows[i][0]);
		assert_string_equal(out.buf, rows[i][1]);
	}
}

/* "slower" is used for times; an error rate is "worse". */
TEST(test_worse)
{
	static const char *const units[][2] = { { "ms", "slower" }, { "req/s", "worse" }, { "%", "worse" }, { "B", "worse" } };

	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		CLEANUP(arena_release) struct arena arena = ARENA_INIT;

		assert_string_equal(format_worse(metric_custom(&arena, "x", units[i][0], false)), units[i][1]);
	}
	assert_string_equal(format_worse(metric_find("throughput")), "slower");
	assert_string_equal(format_worse(metric_find("page-faults")), "worse");
}

TEST(test_change)
{
	static const struct { double pct; const char *want; } rows[] = {
		{5.23, "+5.2 %"},	   {-0.034, "-0.03 %"},	   {0, "0 %"},	       {0.001, "+0.00 %"},
		{0.994, "+0.99 %"},	   {0.997, "+1.0 %"},	   {99.94, "+99.9 %"}, {99.96, "+100 %"},
		{-100, "-100 %"},	   {900, "+900 %"},	   {1150, "+1150 %"},    {123400, "+123400 %"},
		{INFINITY, "unknown"}, {-INFINITY, "unknown"}, {NAN, "-"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_string_equal(format_change(rows[i].pct).s, rows[i].want);
}

TEST(test_interval)
{
	static const struct { double low, high; const char *want; } rows[] = {
		{2.1, 8.4, "+2.1 % to +8.4 %"},	{-0.4, 0, "-0.40 % to 0 %"},	  {-INFINITY, 8.8, "unknown to +8.8 %"},
		{2, INFINITY, "+2.0 % to unknown"}, {-INFINITY, INFINITY, "unknown"}, {NAN, NAN, "-"},
		{NAN, 4, "unknown to +4.0 %"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_string_equal(format_interval(rows[i].low, rows[i].high, false).s, rows[i].want);
	assert_string_equal(format_interval(1.25, 47, true).s, "+1.2 to +47.0 pp");
}

TEST(test_tolerance)
{
	static const struct { const char *metric; bool relative; double pct, max, min; const char *want; } rows[] = {
		{ "task-clock", true, 5, NAN, NAN, "+5 %" },
		{ "ipc", true, 10, NAN, NAN, "-10 %" },
		{ "instructions", true, 0.5, NAN, NAN, "+0.5 %" },
		{ "max-rss", false, 0, 536870912, NAN, "max 512 MiB" },
		{ "max-rss", true, 5, 1073741824, NAN, "+5 %, max 1 GiB" },
		{ "ipc", false, 0, NAN, 1.2, "min 1.2" },
		{ "branch-miss-rate", false, 0, 0.05, 0.001, "max 5 %, min 0.1 %" },
		{ "task-clock", false, 0, NAN, NAN, "" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gate_result gate = {
			.gate = { .metric = metric_find(rows[i].metric), .relative = rows[i].relative, .max = rows[i].max,
				  .min = rows[i].min },
			.stored.tolerance_pct = rows[i].pct,
		};
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		format_tolerance(&out, &gate);
		assert_string_equal(out.buf, rows[i].want);
	}
}

TEST(test_headline)
{
	static const struct { struct sample_gate gate; const char *want; bool simulated; } rows[] = {
		{ { "task-clock", VERDICT_REGRESSION, 61, 118, 92.1, 41.2, 132, 25, 0, NULL, 0 },
		  "REGRESSION CPU time +92.1 %, 61.0 ms -> 118 ms (at least +41.2 %, limit 25 %)", false },
		{ { "ipc", VERDICT_REGRESSION, 2, 1.7, -15, -18, -11, 10, 0, NULL, 0 },
		  "REGRESSION ipc -15.0 %, 2.00 -> 1.70 (at least -11.0 %, limit 10 %)", false },
		{ { "page-faults", VERDICT_REGRESSION, 100, 150, 50, NAN, NAN, 1, 0, NULL, 0 },
		  "REGRESSION page-faults +50.0 %, 100 -> 150 (limit 1 %)", false },
		{ { "max-rss", VERDICT_REGRESSION, NAN, 0x1p30, NAN, NAN, NAN, 0, 0x1p29, NULL, 0 },
		  "REGRESSION max-rss 1.00 GiB over max 512 MiB", false },
		{ { "max-rss", VERDICT_PASS, NAN, 0x1p28, NAN, NAN, NAN, 0, 0x1p29, NULL, 0 },
		  "pass max-rss 256 MiB (max 512 MiB)", false },
		{ { "task-clock", VERDICT_PASS, 61, 61, 0.3, -2, 2.2, 3, 0, NULL, 0 },
		  "pass CPU time not slower: at most +2.2 % (limit 3 %)", false },
		{ { "ipc", VERDICT_PASS, 2, 2, 0.3, -0.8, 2.2, 3, 0, NULL, 0 },
		  "pass ipc not lower: at most -0.80 % (limit 3 %)", false },
		{ { "task-clock", VERDICT_PASS, 61, 58, -5, -9, -1, 3, 0, NULL, 0 },
		  "pass CPU time not slower", false },
		{ { "task-clock", VERDICT_INCONCLUSIVE, 61, 64, 4.1, -0.4, 8.8, 3, 0, NULL, 0 },
		  "INCONCLUSIVE CPU time +4.1 %, 61.0 ms -> 64.0 ms (-0.40 % to +8.8 %, limit 3 %)", false },
		{ { "task-clock", VERDICT_INCONCLUSIVE, 61, 64, 4.1, -INFINITY, INFINITY, 3, 0, NULL, 0 },
		  "INCONCLUSIVE CPU time +4.1 %, 61.0 ms -> 64.0 ms (limit 3 %)", false },
		{ { "instructions", VERDICT_IMPROVEMENT, 10, 9, -10, -11, -8, 0.5, 0, NULL, 0 },
		  "improvement instructions (simulated) -10.0 %, 10 -> 9 (at least -8.0 %, limit 0.5 %)", true },
		{ { "sim-branches", VERDICT_NEW, NAN, 9, NAN, NAN, NAN, 0.5, 0, NULL, 0 },
		  "new 9 sim-branches (simulated), measured for the first time", true },
		{ { "ipc", VERDICT_NOT_MEASURED, NAN, NAN, NAN, NAN, NAN, 10, 0, NULL, 0 },
		  "NOT MEASURED ipc", false },
		{ { "task-clock", VERDICT_ACCEPTED, 61, 118, 92.1, 41.2, 132, 25, 0, NULL, 0 },
		  "accepted CPU time +92.1 %, 61.0 ms -> 118 ms (at least +41.2 %, limit 25 %)", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(result_release) struct result result = { 0 };
		struct gate_result *gate = sample_gate(sample_scenario(&result, "x"), rows[i].gate);
		CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

		gate->stored.metric = (rows[i].simulated ? gate->gate.metric->simulated : NULL) ?: gate->gate.metric;
		format_headline(&out, &result.scenarios[0], gate);
		assert_string_equal(out.buf, rows[i].want);
	}
}

TEST(test_elapsed)
{
	static const struct {
		double seconds;
		const char *want;
	} rows[] = {{0.2, "0 s"},	 {59.4, "59 s"}, {192.4, "3 min 12 s"},
			{7325, "2 h 2 min"}, {NAN, "0 s"},	 {-5, "0 s"}};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_string_equal(format_elapsed(rows[i].seconds).s, rows[i].want);
}

TEST(test_durations_and_counts)
{
	static const struct {
		uint64_t ns;
		const char *want;
	} durations[] = {{174000000, "0.174 s"}, {90 * NS_PER_S, "90 s"}, {1200 * NS_PER_S, "20 min 0 s"}};
	static const struct {
		double n;
		const char *want;
	} counts[] = {{12, "12"}, {1.0432, "1.04"}, {999.4, "999"}, {999.6, "1,000"}, {-40000, "-40,000"}, {12.4e6, "12.4 M"}};

	for (size_t i = 0; i < sizeof durations / sizeof durations[0]; i++)
		assert_string_equal(format_duration(durations[i].ns).s, durations[i].want);
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		assert_string_equal(format_count(counts[i].n).s, counts[i].want);
	assert_string_equal(format_difference(-0.1, UNIT_MS).s, "-100 us");
	assert_string_equal(format_difference(0, UNIT_MS).s, "+0 ms");
}

TEST(test_patterns)
{
	assert_true(TEXT_IS("clone3", "fork", "clone*"));
	assert_true(TEXT_IS("fork", "fork", "clone*"));
	assert_false(TEXT_IS("forked", "fork", "clone*"));
	assert_true(text_matches("", "*"));
	assert_false(text_matches("x", ""));
}
