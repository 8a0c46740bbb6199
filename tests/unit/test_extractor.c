/* Numbers in the output of real programs: their position and unit. */
#include "unit.h"

#include "scenario/scenario.h"

#define N(array) (sizeof(array) / sizeof *(array))

static const char wrk[] =
	"Running 30s test @ http://127.0.0.1:8080/index.html\n"
	"  12 threads and 400 connections\n"
	"  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
	"    Latency   635.91us    0.89ms  12.92ms   93.69%\n"
	"    Req/Sec    56.20k     8.07k   62.00k    86.54%\n"
	"  Latency Distribution\n"
	"     50%  250.00us\n"
	"     99%    1.25ms\n"
	"  22464657 requests in 30.00s, 17.76GB read\n"
	"Requests/sec: 748868.53\n"
	"Transfer/sec:    606.33MB\n";

/* Progress overwrites the previous line. Only the last line ends with a newline. */
static const char redis_benchmark[] =
	"GET: rps=0.0 (overall: nan) avg_msec=nan (overall: nan)\r"
	"GET: rps=117984.0 (overall: 117984.0) avg_msec=0.226 (overall: 0.226)\r"
	"GET: rps=123100.4 (overall: 120542.2) avg_msec=0.215 (overall: 0.220)\r"
	"                                                                      \r"
	"GET: 123456.78 requests per second, p50=0.215 msec\r\n\r\n";

static const char pgbench[] =
	"pgbench (15.5 (Debian 15.5-0+deb12u1))\n"
	"starting vacuum...end.\n"
	"transaction type: <builtin: TPC-B (sort of)>\n"
	"number of clients: 4\n"
	"number of transactions per client: 250\n"
	"number of transactions actually processed: 1000/1000\n"
	"number of failed transactions: 0 (0.000%)\n"
	"latency average = 3.240 ms\n"
	"tps = 1234.567890 (without initial connection time)\n";

static const char oha[] =
	"warming up\n"
	"[oha] not JSON, though it begins so\n"
	"{\n"
	"  \"summary\": {\n"
	"    \"successRate\": 0.995,\n"
	"    \"total\": 10.0021,\n"
	"    \"requestsPerSec\": 82412.5\n"
	"  },\n"
	"  \"latencyPercentiles\": { \"p50\": 0.00061, \"p99\": 0.0025 },\n"
	"  \"slowest\": \"12.5ms\",\n"
	"  \"negative\": -1, \"large\": 1e999, \"none\": null, \"list\": [1, [2, 3]]\n"
	"}\n"
	"done {\"summary\": {\"requestsPerSec\": 1}}\n";

static const char vegeta[] =
	"{\"latencies\":{\"mean\":2371194,\"99th\":3530000},\"requests\":100,\"rate\":100.01,\"status_codes\":{\"200\":100}}\n"
	"{\"latencies\":{\"mean\":2371195,\"99th\":3530001},\"requests\":200,\"rate\":100.02,\"status_codes\":{\"200\":200}}";

/* Finds a number. UNIT "-" means a count without a metric, such as work. */
static int find(const char *regex, const char *json, const char *unit, const char *text, double *out, struct error *err)
{
	struct extractor extractor = { (char *)regex, (char *)json };
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	const struct metric *metric = unit && !strcmp(unit, "-") ? NULL : metric_custom(&arena, "m", unit, false);
	/* A copy without terminator, so that reading past the end is detected. */
	CLEANUP(free_ptr) char *exact = xcopy(text, strlen(text) + !*text);

	return extractor_find(&extractor, metric, exact, strlen(text), out, err);
}

TEST(numbers_are_found)
{
	static const struct { const char *regex, *json, *unit, *text; double expected; } cases[] = {
		{ "Requests/sec: +([0-9.]+)", NULL, "-", wrk, 748868.53 },
		{ "^ *([0-9]+) requests in", NULL, "count", wrk, 22464657 },
		{ "^ +99% +([0-9.]+[a-z]+)$", NULL, "ms", wrk, 1.25 },
		{ "^ +50% +([0-9.]+[a-z]+)$", NULL, "ms", wrk, 0.25 },
		{ "^ +99% +([0-9.]+)ms", NULL, "ms", wrk, 1.25 },
		{ "^ +50% +([0-9.]+)us", NULL, "us", wrk, 0.25 },
		{ "Transfer/sec: +([0-9.]+MB)", NULL, "B", wrk, 606330000 },
		{ "Latency .* ([0-9.]+%)", NULL, "%", wrk, 0.9369 },
		{ "GET: ([0-9.]+) requests per second", NULL, "-", redis_benchmark, 123456.78 },
		{ "^GET: ([0-9.]+) requests", NULL, "req/s", redis_benchmark, 123456.78 },
		{ "p50=([0-9.]+) msec$", NULL, "ms", redis_benchmark, 0.215 },
		{ "^GET: rps=([0-9.]+)", NULL, NULL, redis_benchmark, 123100.4 },
		{ "overall: ([0-9.]+)", NULL, NULL, redis_benchmark, 0.220 },
		{ "^tps = ([0-9.]+) \\(without initial connection time\\)", NULL, "-", pgbench, 1234.56789 },
		{ "actually processed: ([0-9]+)", NULL, "-", pgbench, 1000 },
		{ "latency average = (.*)", NULL, "ms", "latency average =  3.240 \n", 3.24 },
		{ "failed transactions: ([0-9]+)", NULL, "count", pgbench, 0 },
		{ NULL, "summary.requestsPerSec", "-", oha, 82412.5 },
		{ NULL, "$.latencyPercentiles.p99", "s", oha, 2.5 },
		{ NULL, "slowest", "s", oha, 12.5 }, { NULL, "list[1][0]", NULL, oha, 2 },
		{ NULL, "requests", "-", vegeta, 200 },
		{ NULL, "latencies.99th", "ns", vegeta, 3.530001 },
		{ NULL, "status_codes.200", "count", vegeta, 200 },
		{ NULL, "$[1].x", NULL, "[{\"x\": 1},\n{\"x\": 7}]", 7 },
		{ NULL, "[0]", NULL, "\r\n[3]", 3 },
		/* the last match of a line, and the last that captures anything */
		{ "x([0-9]+)", NULL, NULL, "x1 x2\nx3 x4 y\n", 4 },
		{ "x([0-9]+)?", NULL, NULL, "x5 x\nx", 5 },
		{ "([0-9]*)", NULL, NULL, "a6b", 6 },
		/* numbers with a unit */
		{ "([0-9.]+[^ ]*)", NULL, "ms", "635.91us", 0.63591 },
		{ "([0-9.]+[^ ]*)", NULL, "ms", "635.91\xc2\xb5s", 0.63591 },
		{ "([0-9.]+[^ ]*)", NULL, "us", "1.5s", 1500 },
		{ "([0-9.]+[^ ]*)", NULL, "MiB", "1.5", 1572864 },
		{ "([0-9.]+[^ ]*)", NULL, "B", "1.5MiB", 1572864 },
		{ "([0-9.]+[^ ]*)", NULL, "GiB", "512KiB", 524288 },
		{ "(.*)", NULL, "%", "12.5", 0.125 }, { "(.*)", NULL, "ns", "1e6", 1 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct error err = ERROR_INIT;
		double found = NAN;
		int ret = find(cases[i].regex, cases[i].json, cases[i].unit, cases[i].text, &found, &err);

		if (ret != 1 || fabs(found - cases[i].expected) > 1e-9 * cases[i].expected)
			fail_msg("%s: %d, expected %.17g, found %.17g (%s)", cases[i].regex ?: cases[i].json, ret,
				 cases[i].expected, found, err.msg);
		assert_int_equal(err.kind, ERR_NONE);
	}
}

TEST(what_does_not_occur_is_no_error)
{
	static const struct { const char *regex, *json, *text; } cases[] = {
		{ "tps = ([0-9.]+)", NULL, wrk }, { "tps = ([0-9.]+)", NULL, "" },
		{ "^tps = ([0-9.]+)", NULL, "my tps = 3" },
		{ "a([0-9])\nb", NULL, "a1\nb" }, { "a(1)?", NULL, "a a a" }, { NULL, "summary.rps", oha },
		{ NULL, "summary[0]", oha }, { NULL, "list.x", oha }, { NULL, "list[2]", oha },
		{ NULL, "list[999999]", oha }, { NULL, "Summary.requestsPerSec", oha }, { NULL, "x", "" },
		{ NULL, "x", " {\"x\": 1}" }, { NULL, "x", "{\"x\": 1" }, { NULL, "x", "{\"x\": 1}\n{}" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct error err = ERROR_INIT;
		double out = 77;

		if (find(cases[i].regex, cases[i].json, NULL, cases[i].text, &out, &err) || out != 77 || err.kind)
			fail_msg("%s: found %g %s", cases[i].regex ?: cases[i].json, out, err.msg);
	}
}

TEST(what_is_no_number_is_the_targets_fault)
{
	static const struct { const char *regex, *json, *unit, *text, *message; } cases[] = {
		{ "rps=([a-z0-9.]+)", NULL, NULL, "rps=nan",
		  "the regular expression 'rps=([a-z0-9.]+)' finds no number in the output: expected a number, found 'nan'" },
		{ "n=(.*)", NULL, "count", "n=1,234", "expected a number, found '1,234'" },
		{ "n=(.*)", NULL, NULL, "n=12ms", "expected a number, found '12ms'" },
		{ "n=(.*)", NULL, "ms", "n=12 apples", "expected a duration such as 30s, found '12 apples'" },
		{ "n=(.*)", NULL, "B", "n=12ms", "expected a size such as 512MiB, found '12ms'" },
		{ "n=(.*)", NULL, "%", "n=12ms", "expected a percentage such as 5%, found '12ms'" },
		{ "n=(.*)", NULL, "ms", "n=-3", "expected a number that is not negative, found '-3'" },
		{ "n=(.*)", NULL, "%", "n=-3%", "expected a number that is not negative, found '-3%'" },
		{ "n=(.*)", NULL, NULL, "n=1e999", "expected a number, found '1e999'" },
		{ NULL, "negative", NULL, oha,
		  "the JSON path 'negative' finds no number in the output: expected a number that is not negative, found '-1'" },
		{ NULL, "large", NULL, oha, "expected a number, found 'inf'" },
		{ NULL, "none", NULL, oha, "expected a number, found 'null'" },
		{ NULL, "list[1]", NULL, oha, "expected a number, found '[2,3]'" },
		{ NULL, "slowest", NULL, oha, "expected a number, found '12.5ms'" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct error err = ERROR_INIT;
		double out = 77;

		assert_int_equal(find(cases[i].regex, cases[i].json, cases[i].unit, cases[i].text, &out, &err), -1);
		assert_int_equal(err.kind, ERR_TARGET);
		assert_true(out == 77);
		if (!strstr(err.msg, cases[i].message))
			fail_msg("%s: %s", cases[i].text, err.msg);
	}
}

TEST(faults_are_told)
{
	static const struct { const char *regex, *json, *message; } cases[] = {
		{ "x([0-9]+)", NULL, NULL },
		{ "(([a-z]+ +)+){2,3}", NULL,
		  "expected a regular expression with one group around the number, such as 'rate: ([0-9.]+)', found more "
		  "in '(([a-z]+ +)+){2,3}'" },
		{ NULL, "a", NULL }, { NULL, "$.a-b[0].c d", NULL }, { NULL, "[0]", NULL }, { NULL, "$[12].x", NULL },
		{ NULL, NULL, "expected either a regular expression or a JSON path" },
		{ "(x)", "x", "expected either a regular expression or a JSON path" },
		{ "x[0-9]+", NULL,
		  "expected a regular expression with one group around the number, such as 'rate: ([0-9.]+)', found none "
		  "in 'x[0-9]+'" },
		{ "(a)(b)", NULL,
		  "expected a regular expression with one group around the number, such as 'rate: ([0-9.]+)', found more "
		  "in '(a)(b)'" },
		{ "(a", NULL, "the regular expression '(a' cannot be used: missing closing parenthesis" },
		{ NULL, "", "expected a JSON path such as latency.p99 or results[0].rate, found ''" },
		{ NULL, "$.", "expected a JSON path such as latency.p99 or results[0].rate, found '$.'" },
		{ NULL, "a..b", "expected a JSON path such as latency.p99 or results[0].rate, found 'a..b'" },
		{ NULL, "a.", "expected a JSON path such as latency.p99 or results[0].rate, found 'a.'" },
		{ NULL, "a[x]", "expected a JSON path such as latency.p99 or results[0].rate, found 'a[x]'" },
		{ NULL, "a[1", "expected a JSON path such as latency.p99 or results[0].rate, found 'a[1'" },
		{ NULL, "a[1]b", "expected a JSON path such as latency.p99 or results[0].rate, found 'a[1]b'" },
		{ NULL, "a[99999999999]",
		  "expected a JSON path such as latency.p99 or results[0].rate, found 'a[99999999999]'" },
		{ NULL, "a]", "expected a JSON path such as latency.p99 or results[0].rate, found 'a]'" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct extractor extractor = { (char *)cases[i].regex, (char *)cases[i].json };
		struct error err = ERROR_INIT;
		double out;

		if (extractor_check(&extractor, &err) != (cases[i].message ? -1 : 0))
			fail_msg("%s: %s", cases[i].regex ?: cases[i].json, err.msg);
		if (!cases[i].message)
			continue;
		assert_string_equal(err.msg, cases[i].message);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_int_equal(extractor_find(&extractor, NULL, "x", 1, &out, NULL), -1);
	}
}

TEST(a_pattern_that_takes_too_long_is_refused)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct extractor extractor = { .regex = (char *)"(?:a|aa)+([bc])" };
	struct error err = ERROR_INIT;
	double out;

	strbuf_pad(&text, 'a', 200);
	assert_int_equal(extractor_find(&extractor, NULL, text.buf, text.len, &out, &err), -1);
	assert_string_equal(err.msg, "the regular expression '(?:a|aa)+([bc])' cannot be used: it takes too long on a text of 200 bytes; "
			    "repeat less within repeats");
}

TEST(long_patterns_are_refused)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct extractor extractor = { 0 };

	strbuf_adds(&text, "(x)");
	strbuf_pad(&text, 'y', 998);
	extractor.regex = text.buf;
	assert_int_equal(extractor_check(&extractor, NULL), -1);
	text.buf[1000] = '\0';
	assert_int_equal(extractor_check(&extractor, NULL), 0);
	text.buf[500] = '\0';
	memset(text.buf, 'y', 500);
	extractor = (struct extractor){ .json = text.buf };
	assert_int_equal(extractor_check(&extractor, NULL), 0);
	text.buf[500] = 'y';
	assert_int_equal(extractor_check(&extractor, NULL), -1);
}

/* Large texts that are hard for both search methods take a negligible time. */
TEST(large_outputs_are_searched)
{
	static const char *const lines[] = { "[1,\n", "{\"a\":[1,2\n", "[\"\n", "x 1 x 2 ", "1", "\n", "[" };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char path[] = "x", pattern[] = "tps ([0-9]+)";
	struct extractor json = { .json = path }, regex = { .regex = pattern };

	for (size_t i = 0; i < N(lines); i++) {
		double out;

		strbuf_reset(&text);
		while (text.len < 128 << 10)
			strbuf_adds(&text, lines[i]);
		assert_int_equal(extractor_find(&json, NULL, text.buf, text.len, &out, NULL), 0);
		assert_int_equal(extractor_find(&regex, NULL, text.buf, text.len, &out, NULL), 0);
		strbuf_adds(&text, "\ntps 7");
		assert_int_equal(extractor_find(&regex, NULL, text.buf, text.len, &out, NULL), 1);
		assert_true(out == 7);
	}
}
