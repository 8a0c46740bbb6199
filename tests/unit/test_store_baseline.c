#include "unit.h"

#include <glob.h>

#include "measure/files/files.h"
#include "json_samples.h"
#include "store_parse.h"

#define N(array) (sizeof(array) / sizeof *(array))

/* The format that maintainers see in diffs; it is an interface. */
static const char formatted[] =
	"{\n"
	"  \"schema\": 1,\n"
	"  \"scenario\": \"redis-get\",\n"
	"  \"class\": \"x86_64-intel-xeon-8370c-4cpu-sw\",\n"
	"  \"machine\": {\n"
	"    \"arch\": \"x86_64\",\n"
	"    \"cpu\": \"Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz\",\n"
	"    \"part\": \"intel-xeon-8370c-4cpu\",\n"
	"    \"cpus\": 4,\n"
	"    \"tier\": \"sw\",\n"
	"    \"hypervisor\": \"microsoft\",\n"
	"    \"kernel\": \"6.8.0-1021-azure\"\n"
	"  },\n"
	"  \"settings\": {\n"
	"    \"command\": [\"/bin/sh\", \"-c\", \"./prog --name \\\"a\\\\b\\\" | wc\"],\n"
	"    \"setup\": \"./make-data.sh\\n./more.sh\\t\",\n"
	"    \"prepare\": \"sync\",\n"
	"    \"environment\": [\"LANG=C\", \"GREETING=gr\xc3\xbc\xc3\x9f dich \xe2\x82\xac \xf0\x9f\x90\xa7\"],\n"
	"    \"events\": [\"cache-misses\"],\n"
	"    \"cpus\": \"0-1\",\n"
	"    \"aslr_off\": true,\n"
	"    \"services\": [\"redis: redis-server --port \\\"${port}\\\"\"],\n"
	"    \"load\": \"redis-benchmark -p ${port}\",\n"
	"    \"metrics\": [\"p99 ms p99=([0-9.]+) lower\"],\n"
	"    \"window_s\": 2.5\n"
	"  },\n"
	"  \"sessions\": [\n"
	"    {\n"
	"      \"date\": \"2026-11-20T10:05:54Z\",\n"
	"      \"commit\": \"a1b2c3d\",\n"
	"      \"by\": \"Ada <ada@example.org>\",\n"
	"      \"reason\": \"the parser checks its input now\",\n"
	"      \"pawl\": \"0.1.0\",\n"
	"      \"perf\": \"6.8.12\",\n"
	"      \"kernel\": \"6.8.0-1021-azure\",\n"
	"      \"executable\": \"build-id:0123abcd\",\n"
	"      \"simulator\": \"valgrind-3.22.0, glibc 2.39\",\n"
	"      \"measurement\": \"0123456789abcdef0123456789abcdef\",\n"
	"      \"notes\": [\"steal 0.3 % of CPU time\"],\n"
	"      \"busy\": [\"other processes used 1.9 of 4 CPUs while measuring\"],\n"
	"      \"metrics\": {\n"
	"        \"task-clock\": [61.2, 61.3, 61.4, 61.5, 61.6],\n"
	"        \"instructions\": [1040123456, 1040123457, 1040123458, 1040123459, 1040123460],\n"
	"        \"branch-miss-rate\": [0.333333, 0.25, 0.2, 0.166667, 0.142857],\n"
	"        \"r01c4/config=0x1,umask=2/\": [0, 1, 2, 3, 4]\n"
	"      }\n"
	"    }\n"
	"  ],\n"
	"  \"profile\": {\n"
	"    \"event\": \"cpu-clock\",\n"
	"    \"frequency\": 997,\n"
	"    \"call_graph\": \"dwarf\",\n"
	"    \"normaliser\": 3,\n"
	"    \"samples\": 8600,\n"
	"    \"lost\": 12,\n"
	"    \"weight\": 8625877400,\n"
	"    \"runs\": [4000, 4600],\n"
	"    \"symbols\": [\n"
	"      {\"symbol\": \"<std::vec<T> as \\\"D\\\">::drop::h0123456789abcdef\", \"key\": \"<std::vec<T> as "
	"\\\"D\\\">::drop\", \"dso\": \"redis-server\", \"samples\": 5500, \"total_samples\": 5503, \"weight\": 5516549500, "
	"\"total_weight\": 5519558527, \"runs\": [3000, 2500]},\n"
	"      {\"symbol\": \"gr\xc3\xbc\xc3\x9f\", \"dso\": \"redis-server\", \"samples\": 3093, \"total_samples\": 3096, "
	"\"weight\": 3102306837, \"total_weight\": 3105315864, \"runs\": [993, 2100]}\n"
	"    ],\n"
	"    \"rest_samples\": 7,\n"
	"    \"dsos\": [\n"
	"      {\"name\": \"redis-server\", \"samples\": 8593, \"weight\": 8618856337},\n"
	"      {\"name\": \"[kernel]\", \"samples\": 7, \"weight\": 7021063}\n"
	"    ]\n"
	"  }\n"
	"}\n";

TEST(writes_what_a_diff_shows)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	sample_baseline(&baseline);
	baseline.n_sessions--;
	text = baseline_format(&baseline);
	assert_string_equal(text, formatted);
}

static void assert_reads_back(const struct baseline *baseline)
{
	CLEANUP(baseline_release) struct baseline back = { 0 };
	CLEANUP(free_ptr) char *text = baseline_format(baseline), *again = NULL;

	read_baseline(baseline, &back);
	again = baseline_format(&back);
	assert_string_equal(text, again);
}

TEST(reads_back_what_may_be_missing)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	struct baseline_session *session;

	sample_baseline(&baseline);
	baseline.settings = (struct settings){ 0 };
	baseline.machine.hypervisor = NULL;
	session = &baseline.sessions[0];
	session->commit = NULL;
	session->busy = (struct strv)STRV_INIT;
	session->by = NULL;
	session->reason = NULL;
	session->perf = NULL;
	session->kernel = NULL;
	session->executable = session->simulator = NULL;
	session->measurement = NULL;
	session->notes = (struct strv)STRV_INIT;
	assert_reads_back(&baseline);
}

TEST(keeps_ten_sessions)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };

	sample_baseline(&baseline);
	for (int i = 0; i < SESSIONS_KEPT - 2; i++)
		sample_session(&baseline, "2026-11-22T00:00:00Z", 1 + i);
	assert_int_equal(baseline.n_sessions, SESSIONS_KEPT);
	assert_reads_back(&baseline);
}

/* A written series is never empty and holds only values that JSON can represent. */
TEST(leaves_out_what_cannot_be_written)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 }, back = { 0 };

	sample_baseline(&baseline);
	baseline_add_value(&baseline, &baseline.sessions[0], metric_find("ipc"), INFINITY);
	baseline_add_value(&baseline, &baseline.sessions[0], metric_find("task-clock"), INFINITY);
	read_baseline(&baseline, &back);
	assert_null(series_find(&back.sessions[0].series, metric_find("ipc")));
	assert_int_equal(series_find(&back.sessions[0].series, metric_find("task-clock"))->n, 5);
}

/* Otherwise the next update would change sessions that it did not touch. */
TEST(this_repository_s_own_are_as_they_would_be_written)
{
	glob_t paths = { 0 };

	assert_int_equal(glob("baselines/*/*.json", 0, NULL, &paths), 0);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(baseline_release) struct baseline baseline = { 0 };
		CLEANUP(free_ptr) char *again = NULL;
		struct error err = ERROR_INIT;

		assert_int_equal(file_read(paths.gl_pathv[i], JSON_LARGEST, &text, &err), 0);
		MUST(baseline_parse(text.buf, text.len, paths.gl_pathv[i], &baseline, &err));
		again = baseline_format(&baseline);
		if (strcmp(again, text.buf))
			fail_msg("%s would be written otherwise", paths.gl_pathv[i]);
	}
	globfree(&paths);
}

TEST(refuses_what_is_wrong)
{
	static const struct wrong cases[] = {
		{ "\"schema\": 1,", "", "$: the key \"schema\" is missing" },
		{ "\"schema\": 1", "\"schema\": \"1\"", "$.schema: expected a whole number, found a string" },
		{ "\"schema\": 1", "\"schema\": 2, \"novelty\": 7",
		  "$.schema: schema 2 is newer than this pawl " PAWL_VERSION " reads; use pawl 0.1.0, which wrote it" },
		{ "\"schema\": 1", "\"schema\": 0", "$.schema: schema 0 is unknown; this pawl " PAWL_VERSION " reads schema 1" },
		{ "\"scenario\":", "\"scenaro\":", "$.scenaro: unknown key; did you mean \"scenario\"?" },
		{ "\"redis-get\"", "\"../etc\"",
		  "$.scenario: expected a scenario's name: at most 100 letters, digits and . _ - with no dot first, "
		  "found '../etc'" },
		{ "\"redis-get\"", "null", "$.scenario: expected a string, found null" },
		{ "4cpu-sw\"", "4cpu-hw\"",
		  "$.class: the machine's arch, part and tier make the class 'x86_64-intel-xeon-8370c-4cpu-sw', "
		  "found 'x86_64-intel-xeon-8370c-4cpu-hw'" },
		{ "\"class\": \"x86_64-intel-xeon-8370c-4cpu-sw\",", "", "$: the key \"class\" is missing" },
		{ "\"arch\": \"x86_64\"", "\"arch\": \"x86/64\"",
		  "$.machine.arch: expected at most 128 letters, digits and . _ - with no dot first, found 'x86/64'" },
		{ "\"part\": \"intel-xeon-8370c-4cpu\"", "\"part\": \"\"",
		  "$.machine.part: expected at most 128 letters, digits and . _ - with no dot first, found ''" },
		{ "\"cpus\": 4", "\"cpus\": 1e9", "$.machine.cpus: expected a whole number from 0 to 65536, found 1000000000" },
		{ "\"cpus\": 4,", "", "$.machine: the key \"cpus\" is missing" },
		{ "\"cpus\": 4", "\"cpuss\": 4", "$.machine.cpuss: unknown key; did you mean \"cpus\"?" },
		{ "\"tier\": \"sw\"", "\"tier\": \"soft\"",
		  "$.machine.tier: expected one of hw, hw-user, sw, sw-user, sim, none, found 'soft'" },
		{ "\"aslr_off\": true", "\"aslr_off\": \"yes\"", "$.settings.aslr_off: expected true or false, found a string" },
		{ "\"aslr_off\"", "\"aslr\"", "$.settings.aslr: unknown key; expected one of command, setup, prepare, "
		  "environment, events, cpus, aslr_off, services, load, metrics, window_s" },
		{ "\"window_s\": 2.5", "\"window_s\": \"5s\"", "$.settings.window_s: expected a number or null, found a string" },
		{ "\"services\": [\"redis", "\"services\": [7, \"redis", "$.settings.services[0]: expected a string, found a number" },
		{ "[\"LANG=C\",", "[5,", "$.settings.environment[0]: expected a string, found a number" },
		{ "2026-11-20T10:05:54Z", "yesterday",
		  "$.sessions[0].date: expected a date in UTC such as 2026-11-20T10:05:54Z, found 'yesterday'" },
		{ "2026-11-20T10:05:54Z", "2026-11-20T10:05:54Zx",
		  "$.sessions[0].date: expected a date in UTC such as 2026-11-20T10:05:54Z, found '2026-11-20T10:05:54Zx'" },
		{ "\"reason\"", "\"raeson\"", "$.sessions[0].raeson: unknown key; did you mean \"reason\"?" },
		{ "\"pawl\": \"0.1.0\",", "", "$.sessions[0]: the key \"pawl\" is missing" },
		{ "[61.2, 61.3, 61.4, 61.5, 61.6]", "[]",
		  "$.sessions[0].metrics.task-clock: expected an array with at least one number" },
		{ "[61.2, 61.3, 61.4, 61.5, 61.6]", "61.2",
		  "$.sessions[0].metrics.task-clock: expected an array with at least one number" },
		{ "61.3", "null", "$.sessions[0].metrics.task-clock[1]: expected a number, found null" },
		{ "61.3", "-1", "$.sessions[0].metrics.task-clock[1]: expected a number that is not negative, found -1" },
		{ "\"task-clock\"", "\"task\\u001bclock\"", "$.sessions[0].metrics[\"task\\u001bclock\"]: a metric's name holds "
		  "no control characters, found 'task\x1b" "clock'" },
		{ "\"task-clock\"", "\"\"", "$.sessions[0].metrics[\"\"]: a metric's name has 1 to 300 characters, found 0" },
		{ "\"notes\": [", "\"metrics\": [", "$.sessions[0]: the key \"metrics\" occurs twice in one object" },
		{ "\"notes\": [", "\"notes\": {}, \"x\": [", "$.sessions[0].x: unknown key; expected one of date, commit, by, "
		  "reason, pawl, perf, kernel, executable, simulator, measurement, notes, busy, metrics" },
		{ "\"0123456789abcdef0123456789abcdef\"", "\"0123456789ABCDEF0123456789abcdef\"",
		  "$.sessions[0].measurement: expected 32 hexadecimal digits, found '0123456789ABCDEF0123456789abcdef'" },
		{ "\"0123456789abcdef0123456789abcdef\"", "\"0123\"",
		  "$.sessions[0].measurement: expected 32 hexadecimal digits, found '0123'" },
	};

	CHECK_REFUSED(try_baseline, formatted, cases);
}

/* A baseline of an earlier version is read without the metrics that are gone. */
TEST(leaves_out_metrics_that_are_gone)
{
	CLEANUP(free_ptr) char *text = replaced(formatted, "\"task-clock\": [61.2", "\"offcpu-time\": [3, 4], \"offcpu-share:[lock]\": [0.5], \"task-clock\": [61.2");
	CLEANUP(free_ptr) char *again = NULL;
	CLEANUP(baseline_release) struct baseline out = { 0 };
	struct error err = ERROR_INIT;

	MUST(baseline_parse(text, strlen(text), "b.json", &out, &err));
	assert_int_equal(out.gone.n, 2);
	assert_string_equal(out.gone.items[0], "offcpu-time");
	assert_string_equal(out.gone.items[1], "offcpu-share:[lock]");
	again = baseline_format(&out);
	assert_string_equal(again, formatted);
}

TEST(refuses_other_shapes)
{
	assert_refused(try_baseline, "[]", "$: expected an object, found an array");
	assert_refused(try_baseline, "7", "$: expected an object, found a number");
	assert_refused(try_baseline, "", "expected a value, found the end of the file");
	assert_refused(try_baseline, "{\"schema\": 3, \"sessions\": {}}",
		       "$.schema: schema 3 is newer than this pawl " PAWL_VERSION " reads; use a newer pawl");
}

TEST(bounds_sessions)
{
	CLEANUP(strbuf_release) struct strbuf many = STRBUF_INIT;
	const char *start = strstr(formatted, "\"sessions\": [") + strlen("\"sessions\": [");
	const char *end = strstr(formatted, "\n  ],\n  \"profile\"");

	strbuf_add(&many, formatted, (size_t)(start - formatted));
	strbuf_adds(&many, "]}");
	assert_refused(try_baseline, many.buf, "$.sessions: expected an array of 1 to 10 sessions");
	strbuf_truncate(&many, (size_t)(start - formatted));
	for (int i = 0; i <= SESSIONS_KEPT; i++) {
		if (i)
			strbuf_addc(&many, ',');
		strbuf_add(&many, start, (size_t)(end - start));
	}
	strbuf_adds(&many, "]}");
	assert_refused(try_baseline, many.buf, "$.sessions: expected an array of 1 to 10 sessions");
}

TEST(bounds_metrics)
{
	CLEANUP(strbuf_release) struct strbuf metrics = STRBUF_INIT;
	CLEANUP(free_ptr) char *text = NULL, *longer = NULL;
	struct error err = ERROR_INIT;

	for (int i = 0; i <= METRICS_MAX; i++)
		strbuf_addf(&metrics, "\"m%d\": [1],", i);
	strbuf_adds(&metrics, "\"task-clock\"");
	text = replaced(formatted, "\"task-clock\"", metrics.buf);
	assert_refused(try_baseline, text, "$.sessions[0].metrics.m1280: more than 1280 metrics");
	strbuf_reset(&metrics);
	strbuf_addc(&metrics, '"');
	strbuf_pad(&metrics, 'x', 301);
	strbuf_addc(&metrics, '"');
	longer = replaced(formatted, "\"task-clock\"", metrics.buf);
	assert_int_equal(try_baseline(longer, &err), -1);
	/* The path in front of it is cut. */
	assert_non_null(strstr(err.msg, ": a metric's name has 1 to 300 characters, found 301"));
}

TEST(tells_the_place_of_broken_text)
{
	CLEANUP(free_ptr) char *text = replaced(formatted, "\"cpus\": 4,", "\"cpus\": 4;");
	struct error err = ERROR_INIT;

	assert_int_equal(try_baseline(text, &err), -1);
	assert_string_equal(err.msg, "expected valid JSON, found ';'");
	assert_int_equal(err.at.line, 9);
	assert_int_equal(err.at.column, 14);
}
