/*
 * Rows and values of `perf stat -x`, over recordings of perf 5.10, 6.1, 6.12 and 7.2 (a virtual
 * machine without hardware counters) and of 6.1 and 6.12 on an emulated one that has them.
 */
#include "unit.h"

#include <glob.h>
#include <locale.h>

#include "measure/perf/perf_csv.h"
#include "model/events.h"
#include "model/measured.h"
#include "read_file.h"

#define N(array) (sizeof(array) / sizeof *(array))
#define SW "tests/fixtures/perf-stat/"
#define HW_61 "tests/fixtures/perf-stat-hw/bookworm-perf6.1-full/"
#define HW_612 "tests/fixtures/perf-stat-hw/trixie-perf6.12-full/"

/* Returns the output of perf VERSION ("perf72") under the heading "-- OPTIONS" of the matrix. */
static struct strbuf read_matrix(const char *version, const char *options)
{
	CLEANUP(strbuf_release) struct strbuf all = read_file(SW "matrix-4-versions.txt.xz"), heading = STRBUF_INIT;
	struct strbuf text = STRBUF_INIT;
	const char *start, *end;

	strbuf_addf(&heading, "%s\n", version);
	for (start = all.buf; (start = strstr(start, "##### ")); start += 6)
		if (!strncmp(start + (strncmp(start + 6, "../bin/", 7) ? 6 : 13), heading.buf, heading.len))
			break;
	strbuf_reset(&heading);
	strbuf_addf(&heading, "\n-- %s\n", options);
	start = start ? strstr(start, heading.buf) : NULL;
	if (!start)
		fail_msg("the matrix has no '%s' of %s", options, version);
	start += heading.len;
	end = strstr(start, "\n-- ") ?: strchr(start, '\0');
	strbuf_add(&text, start, (size_t)(end - start));
	return text;
}

static struct perf_rows parse(const char *text, size_t len, char separator)
{
	struct perf_rows rows = { 0 };
	struct error err = ERROR_INIT;
	/* The copy has no terminator, so that sanitizers detect reads beyond its end. */
	char *copy = xcopy(text, len);

	if (perf_csv_parse(copy, len, separator, &rows, &err))
		fail_msg("%s in:\n%.*s", err.msg, (int)len, text);
	free(copy);
	return rows;
}

struct expected {
	const char *event;
	double value;		/* meaningless unless WHY is MISSING_NOT */
	enum missing why;
};

static void check_values(const struct perf_rows *rows, const char *what, const struct expected *expected)
{
	for (; expected->event; expected++) {
		enum missing why = MISSING_HYBRID;
		double value = perf_rows_value(rows, expected->event, &why);

		if (why != expected->why || (why ? !isnan(value) : value != expected->value))
			fail_msg("%s: %s: expected %.17g (%d), found %.17g (%d: %s)", what, expected->event,
				 expected->value, expected->why, value, why, missing_reason(why));
	}
}

TEST(reads_recordings)
{
	static const struct { const char *path; char separator; size_t n; struct expected values[20]; } cases[] = {
		{ SW "perf510-x,.out", ',', 4, {
			{ "task-clock", 93.58, 0 }, { "page-faults", 48, 0 }, { "context-switches", 25, 0 },
			{ "cs", 25, 0 }, { "cycles", 0, MISSING_UNSUPPORTED }, { "instructions", 0, MISSING_ROW } } },
		{ SW "perf-x,.out", ',', 4, {
			{ "task-clock", 97.62, 0 }, { "faults", 47, 0 }, { "context-switches", 25, 0 },
			{ "cpu-cycles", 0, MISSING_UNSUPPORTED }, { "cpu-clock", 0, MISSING_ROW } } },
		{ SW "perf612-x,.out", ',', 4, {
			{ "task-clock", 95.28, 0 }, { "page-faults", 48, 0 }, { "context-switches", 20, 0 },
			{ "cycles", 0, MISSING_UNSUPPORTED } } },
		{ SW "perf72-x,.out", ',', 4, {
			{ "task-clock", 96.53, 0 }, { "page-faults", 50, 0 }, { "context-switches", 28, 0 },
			{ "cycles", 0, MISSING_UNSUPPORTED } } },
		{ HW_61 "csv-semicolon.out", ';', 7, {
			{ "task-clock", 3.08, 0 }, { "cycles", 4409150, 0 }, { "instructions", 3084369, 0 },
			{ "branch-instructions", 884394, 0 }, { "branch-misses", 204799, 0 },
			{ "L1-dcache-load-misses", 24994, 0 }, { "L1-dcache-load", 0, MISSING_ROW } } },
		{ HW_612 "csv-semicolon.out", ';', 7, {
			{ "task-clock", 3.08, 0 }, { "cpu-cycles", 4409915, 0 }, { "branches", 882524, 0 },
			{ "L1-dcache-loads", 474478, 0 } } },
		{ HW_61 "mux-csv.out", ',', 18, {
			{ "task-clock", 48.19, 0 }, { "cycles", 0, MISSING_MULTIPLEXED },
			{ "LLC-load-misses", 0, MISSING_MULTIPLEXED }, { "bus-cycles", 0, MISSING_UNSUPPORTED } } },
		{ HW_61 "d-csv.out", ',', 12, {
			{ "cycles", 0, MISSING_MULTIPLEXED }, { "instructions", 4872182, 0 },
			{ "migrations", 0, 0 }, { "LLC-loads", 0, MISSING_MULTIPLEXED },
			{ "LLC-load-misses", 0, MISSING_NOT_COUNTED } } },
		{ HW_612 "short-mux-csv.out", ',', 18, {
			{ "L1-dcache-load-misses", 3739, 0 }, { "LLC-loads", 0, MISSING_NOT_COUNTED },
			{ "bus-cycles", 0, MISSING_UNSUPPORTED } } },
		{ HW_61 "ddd-csv.out", ',', 20, {
			{ "instructions", 4875046, 0 }, { "cycles", 0, MISSING_MULTIPLEXED },
			{ "iTLB-loads", 0, MISSING_NOT_COUNTED }, { "L1-dcache-prefetches", 0, MISSING_UNSUPPORTED } } },
		{ HW_612 "threads-csv.out", ',', 7, { { "task-clock", 6.54, 0 }, { "branches", 1106326, 0 } } },
		{ HW_612 "groups-csv.out", ',', 4, { { "cycles", 4416303, 0 }, { "branch-misses", 205094, 0 } } },
		/* "<not counted>" comes with 100.00 here */
		{ HW_61 "group-toobig-csv.out", ',', 7, {
			{ "cycles", 0, MISSING_NOT_COUNTED }, { "LLC-loads", 0, MISSING_UNSUPPORTED } } },
		{ HW_612 "named-csv.out", ',', 5, {
			{ "cycles/name=mycycles/", 716689, 0 }, { "mycycles", 716689, 0 }, { "cycles", 0, MISSING_ROW },
			{ "cpu-clock", 1.06, 0 }, { "cpu-migrations", 0, 0 } } },
		{ HW_612 "rawpmu-csv.out", ',', 5, {
			{ "armv8_pmuv3/cpu_cycles/", 1041554, 0 }, { "armv8_pmuv3/br_retired/", 0, 0 },
			{ "simpmu/branches/", 146771, 0 }, { "branches", 0, MISSING_ROW },
			{ "cpu_cycles", 0, MISSING_ROW } } },
		/* a bare event is never matched by its kernel half; perf falls back to user only */
		{ HW_612 "userkernel-csv.out", ',', 6, {
			{ "cycles:u", 824912, 0 }, { "cycles:k", 285536, 0 }, { "cycles", 824912, 0 },
			{ "instructions:k", 243637, 0 }, { "branch-misses", 481, 0 }, { "branches:k", 0, MISSING_ROW } } },
		{ HW_612 "unsupported-csv.out", ',', 4, {
			{ "bus-cycles", 0, MISSING_UNSUPPORTED }, { "cycles", 280210, 0 } } },
		/* "bash: Killed" of the shell precedes the rows */
		{ HW_61 "signal-csv.out", ',', 4, { { "instructions", 2422929, 0 } } },
		{ HW_612 "signal-csv.out", ',', 4, { { "instructions", 2226849, 0 } } },
		{ HW_61 "exit3-csv.out", ',', 4, { { "instructions", 267193, 0 } } },
		{ HW_61 "notfound-csv.out", ',', 0, { { "cycles", 0, MISSING_ROW } } },
		{ HW_612 "badevent-csv.out", ',', 0, { { "cycles", 0, MISSING_ROW } } },
		{ HW_612 "metriconly-csv.out", ',', 0, { { "cycles", 0, MISSING_ROW } } },
	};

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(strbuf_release) struct strbuf text = read_file(cases[i].path);
		CLEANUP(perf_rows_release) struct perf_rows rows = parse(text.buf, text.len, cases[i].separator);

		if (rows.n != cases[i].n)
			fail_msg("%s: expected %zu rows, found %zu", cases[i].path, cases[i].n, rows.n);
		check_values(&rows, cases[i].path, cases[i].values);
	}
}

TEST(reads_all_four_versions_alike)
{
	static const char hardware[] = "-x, -e cycles,instructions,branches,branch-misses,cache-misses,"
				       "L1-dcache-load-misses";
	static const struct { const char *version, *options; size_t n; struct expected values[7]; } cases[] = {
		{ "perf510", "-x, -e cpu-clock:u,cpu-clock:k,page-faults:uk", 3, {
			{ "cpu-clock:u", 87.26, 0 }, { "cpu-clock:k", 87.26, 0 }, { "page-faults:uk", 50, 0 },
			{ "page-faults", 0, MISSING_ROW } } },
		{ "perf", "-x, -e cpu-clock:u,cpu-clock:k,page-faults:uk", 3, { { "page-faults:ku", 50, 0 } } },
		{ "perf612", "-x, -e cpu-clock:u,cpu-clock:k,page-faults:uk", 3, { { "cpu-clock", 85.73, 0 } } },
		{ "perf72", "-x, -e cpu-clock:u,cpu-clock:k,page-faults:uk", 3, { { "faults:uk", 48, 0 } } },
		{ "perf510", "-x, -e sched:sched_switch,raw_syscalls:sys_enter", 2, {
			{ "sched:sched_switch", 23, 0 }, { "raw_syscalls:sys_enter", 29, 0 } } },
		{ "perf", "-x, -e sched:sched_switch,raw_syscalls:sys_enter", 2, { { "sched:sched_switch", 20, 0 } } },
		{ "perf612", "-x, -e sched:sched_switch,raw_syscalls:sys_enter", 2, { { "sched:sched_switch", 25, 0 } } },
		{ "perf72", "-x, -e sched:sched_switch,raw_syscalls:sys_enter", 2, { { "sched:sched_switch", 26, 0 },
			{ "sched", 0, MISSING_ROW } } },
		{ "perf510", hardware, 6, { { "L1-dcache-load-misses", 0, MISSING_UNSUPPORTED } } },
		{ "perf", hardware, 6, { { "instructions", 0, MISSING_UNSUPPORTED } } },
		{ "perf612", hardware, 6, { { "cache-misses", 0, MISSING_UNSUPPORTED } } },
		/* "Error:", "No supported events found.": no rows */
		{ "perf72", hardware, 0, { { "cycles", 0, MISSING_ROW }, { "instructions", 0, MISSING_ROW } } },
		{ "perf72", "-x, -d", 0, { { "task-clock", 0, MISSING_ROW } } },
		/* a page of parser warnings, some with commas, then rows; hardware events left out */
		{ "perf612", "-x, -d", 4, {
			{ "task-clock", 85.56, 0 }, { "context-switches", 20, 0 }, { "cpu-migrations", 2, 0 },
			{ "page-faults", 50, 0 }, { "cycles", 0, MISSING_ROW } } },
		/* ",,,,": derived columns alone */
		{ "perf612", "-x, --topdown", 0, { { "cycles", 0, MISSING_ROW } } },
		/* perf's own times: not counted, omitted, or falsely 0 */
		{ "perf", "-x, -e duration_time,user_time,system_time,task-clock", 4, {
			{ "duration_time", 212476122, 0 }, { "system_time", 0, MISSING_NOT_COUNTED } } },
		{ "perf612", "-x, -e duration_time,user_time,system_time,task-clock", 3, {
			{ "user_time", 85894000, 0 }, { "system_time", 0, MISSING_ROW } } },
		{ "perf72", "-x, -e duration_time,user_time,system_time,task-clock", 4, {
			{ "duration_time", 0, MISSING_FALSE_ZERO }, { "user_time", 0, MISSING_FALSE_ZERO },
			{ "system_time", 0, MISSING_FALSE_ZERO }, { "task-clock", 85.63, 0 } } },
	};

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(strbuf_release) struct strbuf text = read_matrix(cases[i].version, cases[i].options);
		CLEANUP(perf_rows_release) struct perf_rows rows = parse(text.buf, text.len, ',');

		if (rows.n != cases[i].n)
			fail_msg("%s %s: expected %zu rows, found %zu", cases[i].version, cases[i].options, cases[i].n, rows.n);
		check_values(&rows, cases[i].version, cases[i].values);
	}
}

TEST(keeps_rows_as_they_were)
{
	static const char text[] = "# started on Fri Nov 20 10:05:54 2026\n\n"
				   "93.58;msec;task-clock:u;93575857;100.00;0.606;CPUs utilized\n"
				   "  <not counted>;;cs [software];0;0.00;;\n"
				   "<not supported>;Joules;power/energy-pkg/;0;100.00\n"
				   "12;;cpu/event=0x3c,umask=0x0/u;18446744073709551615;37.5;;";
	CLEANUP(perf_rows_release) struct perf_rows rows = parse(text, sizeof text - 1, ';');

	assert_int_equal(rows.n, 4);
	assert_string_equal(rows.items[0].event, "task-clock:u");
	assert_true(rows.items[0].value == 93.58);
	assert_int_equal(rows.items[0].run_ns, 93575857);
	assert_true(rows.items[0].running_pct == 100);
	assert_int_equal(rows.items[1].state, ROW_NOT_COUNTED);
	assert_string_equal(rows.items[1].event, "cs [software]");
	assert_true(isnan(rows.items[1].value));
	assert_int_equal(rows.items[2].state, ROW_NOT_SUPPORTED);
	assert_string_equal(rows.items[2].event, "power/energy-pkg/");
	assert_int_equal(rows.items[3].state, ROW_COUNTED);
	assert_string_equal(rows.items[3].event, "cpu/event=0x3c,umask=0x0/u");
	assert_true(rows.items[3].run_ns == UINT64_MAX && rows.items[3].running_pct == 37.5);
}

TEST(skips_what_is_no_row)
{
	static const char *const texts[] = {
		"", "\n", "\n\n\n", "# started on Fri; Nov; 20; 10; 05; 54\n", "   # indented; a; b; c; d; e\n",
		"Error:\nNo supported events found.\n", ";;;;\n", ";;;;;0.27;stalled cycles per insn\n",
		"event syntax error: 'a;b'\n                     \\___ Bad event or PMU\n",
	};

	for (size_t i = 0; i < N(texts); i++) {
		CLEANUP(perf_rows_release) struct perf_rows rows = parse(texts[i], strlen(texts[i]), ';');

		assert_int_equal(rows.n, 0);
	}
}

static void expect_refusal(const char *text, size_t len, char separator, const char *line, const char *found)
{
	struct perf_row row = { .event = (char *)"untouched" };
	struct perf_rows rows = { .items = &row, .n = 1, .cap = 1 };
	struct error err = ERROR_INIT;

	if (perf_csv_parse(text, len, separator, &rows, &err) != -1)
		fail_msg("taken: %.*s", (int)len, text);
	assert_int_equal(err.kind, ERR_SYSTEM);
	if (!strstr(err.msg, line) || !strstr(err.msg, found))
		fail_msg("no '%s' or '%s' in: %s", line, found, err.msg);
	assert_true(rows.items == &row && rows.n == 1 && rows.cap == 1);
	assert_int_equal(perf_csv_parse(text, len, separator, &rows, NULL), -1);
}

TEST(refuses_damaged_rows)
{
	static const struct { const char *text, *line, *found; } cases[] = {
		{ "20,77;msec;task-clock;20767752;100,00", "line 1 ", "'20,77'" },
		{ "20.77;msec;task-clock;20767752;100,00", "line 1 ", "'100,00'" },
		{ "# c\n\n1;;cs;1;100.00\n1;;cs;1.5;100.00\n", "line 4 ", "'1.5'" },
		{ "1;;cs;1;100.00\n93.58;msec;task-cl", "line 2 ", "found 3" },
		{ "93", "line 1 ", "found 1" }, { "1;;cs;1;", "line 1 ", "''" }, { "1;;cs;;100.00", "line 1 ", "''" },
		{ "1;;;1;100.00", "line 1 ", "an event" },
		{ ";msec;task-clock;1;100.00", "line 1 ", "''" },
		{ ";;task-clock;1;100.00", "line 1 ", "''" },
		{ "<not measured>;;cs;1;100.00", "line 1 ", "'<not measured>'" },
		{ "CPU0;49;;cs;209759291;100.00;;", "line 1 ", "'CPU0'" },
		{ "nan;;cs;1;100.00", "line 1 ", "'nan'" },
		{ "inf;;cs;1;100.00", "line 1 ", "'inf'" },
		{ "-1;;cs;1;100.00", "line 1 ", "'-1'" },
		{ "1;;cs;1;-nan", "line 1 ", "'-nan'" }, { "1;;cs;1;-5", "line 1 ", "'-5'" },
		{ "1;;cs;-1;100.00", "line 1 ", "'-1'" },
		{ "1;;cs;000000000000000000000000000000000000001;100.00", "line 1 ", "nanoseconds" },
		{ "1;;cs;18446744073709551616;100.00", "line 1 ", "'18446744073709551616'" },
		{ "1e999;;cs;1;100.00", "line 1 ", "'1e999'" },
		{ "1 000;;cs;1;100.00", "line 1 ", "'1 000'" },
		{ "0x10;;cs;1;100.00", "line 1 ", "'0x10'" },
		{ "93580000;ns;task-clock;1;100.00", "line 1 ", "'ns'" },
		{ "0.09358;;cpu-clock:u;1;100.00", "line 1 ", "msec" },
		{ "0000000000000000000000000000000000000000000000000000000000000000000001;;cs;1;100.00",
		  "line 1 ", "'000000000000000000000000000000000000000000000000000000000000'" },
	};
	static const char nul_event[] = "1;;c\0s;1;100.00", nul_value[] = "1\0;;cs;1;100.00";

	for (size_t i = 0; i < N(cases); i++)
		expect_refusal(cases[i].text, strlen(cases[i].text), ';', cases[i].line, cases[i].found);
	expect_refusal(nul_event, sizeof nul_event - 1, ';', "line 1 ", "an event");
	expect_refusal(nul_value, sizeof nul_value - 1, ';', "line 1 ", "a count");
}

/* Decimal commas, and the extra columns of -r and -I, are refused as a whole. */
TEST(refuses_other_layouts)
{
	static const char *const paths[] = {
		SW "perf510-x,-I30-deDE.out", SW "perf-x,-I30-deDE.out", SW "perf612-x,-I30-deDE.out", SW "perf72-x,-I30-deDE.out",
		SW "perf510-x,-r3.out", SW "perf-x,-r3.out", SW "perf612-x,-r3.out", SW "perf72-x,-r3.out",
		SW "perf510-x,-I30.out", SW "perf-x,-I30.out", SW "perf612-x,-I30.out", SW "perf72-x,-I30.out",
	};

	for (size_t i = 0; i < N(paths); i++) {
		CLEANUP(strbuf_release) struct strbuf text = read_file(paths[i]);

		expect_refusal(text.buf, text.len, ',', "line 3 ", "expected ");
	}
}

/* True if perf's OPTIONS add columns, which pawl never asks for. */
static bool has_more_columns(const char *options)
{
	static const char *const adding[] = { " -r ", " -I ", " -A ", " --per-" };

	for (size_t i = 0; i < N(adding); i++)
		if (strstr(options, adding[i]))
			return true;
	return false;
}

/* Asserts that each event of the option -e has a row. OPTIONS are quoted for a shell: "-e cycles\,instructions --". */
static void check_events(const char *path, const char *options, const struct perf_rows *rows)
{
	const char *list = strstr(options, " -e "), *end = list ? strstr(list, " --") : NULL;
	CLEANUP(free_ptr) char *events = NULL;
	char *rest;

	if (!end)
		return;
	rest = events = xstrndup(list + 4, (size_t)(end - list - 4));
	for (char *event; (event = strtok_r(rest, "\\,{}", &rest));) {
		enum missing why;

		perf_rows_value(rows, event, &why);
		if (why == MISSING_ROW)
			fail_msg("%s: no row of %s", path, event);
	}
}

static size_t check_recording(const char *path)
{
	CLEANUP(free_ptr) char *output = text_printf("%.*s.out", (int)strlen(path) - 4, path);
	CLEANUP(strbuf_release) struct strbuf options = read_file(path), text = read_file(output);
	char separator = strstr(options.buf, "-x\\;") ? ';' : ',';
	struct perf_rows rows;
	size_t n;

	if (has_more_columns(options.buf)) {
		expect_refusal(text.buf, text.len, separator, "line 1 ", "expected ");
		return 0;
	}
	rows = parse(text.buf, text.len, separator);
	n = rows.n;
	if (n)
		check_events(path, options.buf, &rows);
	perf_rows_release(&rows);
	return n;
}

/* Each recording stands beside its command. */
TEST(reads_every_recording_of_counters)
{
	size_t read = 0;
	glob_t found;

	assert_int_equal(glob("tests/fixtures/perf-stat-hw/*/*.cmd", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		read += check_recording(found.gl_pathv[i]) > 0;
	assert_int_equal(found.gl_pathc, 60);
	assert_int_equal(read, 40);
	globfree(&found);
}

/* -A adds a column. Messages of perf and its parser are no rows. */
TEST(reads_every_output_of_the_matrix)
{
	CLEANUP(strbuf_release) struct strbuf all = read_file(SW "matrix-4-versions.txt.xz");
	size_t read = 0, refused = 0;

	for (char *at = all.buf; (at = strstr(at, "\n-- -x, "));) {
		char *text = strchr(at + 1, '\n') + 1, *end = strstr(text - 1, "\n-- ") ?: strchr(text, '\0');
		size_t len = end > text ? (size_t)(end - text) : 0;

		if (!strncmp(at, "\n-- -x, -A ", strlen("\n-- -x, -A "))) {
			expect_refusal(text, len, ',', "line 1 ", "'CPU0'");
			refused++;
		} else {
			CLEANUP(perf_rows_release) struct perf_rows rows = parse(text, len, ',');

			read += rows.n > 0;
		}
		at = end;
	}
	assert_int_equal(refused, 4);
	assert_int_equal(read, 19);
}

/* perf 6.12 writes "cs [software]" in lists per CPU. */
TEST(knows_a_pmu_in_brackets)
{
	CLEANUP(strbuf_release) struct strbuf text = read_matrix("perf612", "-x, -A -a -e cs");
	CLEANUP(perf_rows_release) struct perf_rows rows = { 0 };
	char *row = strstr(text.buf, "CPU1,");

	assert_non_null(row);
	assert_non_null(strstr(row, "cs [software]"));
	rows = parse(row + 5, strlen(row + 5), ',');
	check_values(&rows, "perf612 -A", (const struct expected[]){ { "context-switches", 117, 0 }, { "cs", 117, 0 }, { 0 } });
}

TEST(every_beginning_is_safe)
{
	static const char *const paths[] = { SW "perf72-x,.out", HW_612 "d-csv.out", HW_61 "userkernel-csv.out" };
	static const char *const events[] = { "task-clock", "page-faults", "instructions", "cycles:k", "branches" };

	for (size_t i = 0; i < N(paths); i++) {
		CLEANUP(strbuf_release) struct strbuf text = read_file(paths[i]);
		CLEANUP(perf_rows_release) struct perf_rows whole = parse(text.buf, text.len, ',');

		for (size_t len = 0; len < text.len; len++) {
			CLEANUP(perf_rows_release) struct perf_rows rows = { 0 };
			char *copy = xcopy(text.buf, len);
			int failed = perf_csv_parse(copy, len, ',', &rows, NULL);

			free(copy);
			for (size_t e = 0; !failed && e < N(events); e++) {
				double value = perf_rows_value(&rows, events[e], NULL);

				if (!isnan(value) && value != perf_rows_value(&whole, events[e], NULL))
					fail_msg("%s cut at %zu: %s is %g", paths[i], len, events[e], value);
			}
		}
	}
}

TEST(names_events)
{
	static const struct { const char *event, *name, *core; } cases[] = {
		{ "instructions", "instructions", NULL },
		{ "instructions:u", "instructions", NULL },
		{ "instructions:k", "instructions", NULL },
		{ "page-faults:uk", "page-faults", NULL },
		{ "cycles:hk", "cycles", NULL }, { "cycles:ppu", "cycles:pp", NULL },
		{ "cycles:pp", "cycles:pp", NULL }, { "cycles:G", "cycles:G", NULL }, { "cycles:", "cycles:", NULL },
		{ ":u", ":u", NULL }, { "", "", NULL }, { "cs", "context-switches", NULL },
		{ "cs:u", "context-switches", NULL },
		{ "cs [software]", "context-switches", NULL },
		{ "cs:u [software]", "context-switches", NULL },
		{ "faults", "page-faults", NULL },
		{ "migrations", "cpu-migrations", NULL },
		{ "cpu-cycles", "cycles", NULL },
		{ "branch-instructions:u", "branches", NULL },
		{ "cpu_core/cycles/", "cycles", "cpu_core" },
		{ "cpu_core/cpu-cycles/", "cycles", "cpu_core" },
		{ "cpu_atom/instructions/u", "instructions", "cpu_atom" },
		{ "cpu_core/instructions:u/", "instructions", "cpu_core" },
		{ "cpu_atom/topdown-retiring/", "topdown-retiring", "cpu_atom" },
		{ "cpu_core/L1-dcache-load-misses/", "L1-dcache-load-misses", "cpu_core" },
		{ "cpu_core/event=0xc0,umask=0x1/", "cpu_core/event=0xc0,umask=0x1/", NULL },
		{ "cycles [cpu_atom]", "cycles", "cpu_atom" },
		{ "cycles:u [armv8_cortex_a53]", "cycles", "armv8_cortex_a53" },
		{ "armv8_cortex_a53/cycles/", "cycles", "armv8_cortex_a53" },
		{ "armv8_pmuv3/cpu_cycles/", "armv8_pmuv3/cpu_cycles/", NULL },
		{ "simpmu/branches/", "simpmu/branches/", NULL },
		{ "arm_dsu_0/cycles/", "arm_dsu_0/cycles/", NULL },
		{ "cycles [arm_dsu_0]", "cycles [arm_dsu_0]", NULL },
		{ "power/energy-pkg/", "power/energy-pkg/", NULL },
		{ "cpu/cycles/", "cycles", NULL },
		{ "cpu/instructions/u", "instructions", NULL },
		{ "cpu/mem-loads/", "cpu/mem-loads/", NULL },
		{ "cpu/event=0x3c,umask=0x0/", "cpu/event=0x3c,umask=0x0/", NULL },
		{ "cpu/event=0x3c,umask=0x0/u", "cpu/event=0x3c,umask=0x0/", NULL },
		{ "cpu/event=0x3c,name=mine/", "mine", NULL },
		{ "cpu/event=0x3c,name=/", "cpu/event=0x3c,name=/", NULL },
		{ "cpu/event=0x3c,myname=x/", "cpu/event=0x3c,myname=x/", NULL },
		{ "cpu/", "cpu/", NULL }, { "//", "//", NULL }, { "r01c4", "r01c4", NULL },
		{ "r01c4:u", "r01c4", NULL },
		{ "L1-dcache-load-misses", "L1-dcache-load-misses", NULL },
		{ "L1-dcache-load-misses:u", "L1-dcache-load-misses", NULL },
		{ "inst_retired.any:u", "inst_retired.any", NULL },
		{ "sched:sched_switch", "sched:sched_switch", NULL },
		{ "sched:sched_switch:u", "sched:sched_switch", NULL },
		{ "syscalls:sys_enter_read", "syscalls:sys_enter_read", NULL },
		{ "kvm:kvm_hypercall", "kvm:kvm_hypercall", NULL },
		{ "probe:bug", "probe:bug", NULL },
		{ "a [b", "a [b", NULL }, { "a] [b", "a] [b", NULL }, { "a [b] c", "a [b] c", NULL },
	};

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(event_name_release) struct event_name name = EVENT_NAME_INIT;

		event_name_parse(cases[i].event, &name);
		if (strcmp(name.name, cases[i].name) || !name.core != !cases[i].core || (name.core && strcmp(name.core, cases[i].core)))
			fail_msg("'%s': expected %s of %s, found %s of %s", cases[i].event, cases[i].name,
				 cases[i].core ?: "no core", name.name, name.core ?: "no core");
	}
}

TEST(trusts_no_doubtful_value)
{
	static const struct { const char *text; struct expected values[6]; } cases[] = {
		/* share of the time */
		{ "5;;cycles;1;99.00", { { "cycles", 5, 0 } } },
		{ "5;;cycles;1;98.99", { { "cycles", 0, MISSING_MULTIPLEXED } } },
		{ "5;;cycles;1;0.00", { { "cycles", 0, MISSING_MULTIPLEXED } } },
		/* zeros without meaning */
		{ "0;;context-switches:u;1;100.00\n0;;cpu-migrations:u;1;100.00\n9;;page-faults:u;1;100.00",
		  { { "context-switches", 0, MISSING_FALSE_ZERO }, { "cs:u", 0, MISSING_FALSE_ZERO },
			{ "cpu-migrations", 0, MISSING_FALSE_ZERO }, { "page-faults", 9, 0 } } },
		{ "0;;cs [software];1;100.00\n0;;migrations;1;100.00\n3;;cs:k;1;100.00\n4;;cs:uk;1;100.00",
		  { { "context-switches", 0, 0 }, { "cpu-migrations", 0, 0 }, { "cs:k", 3, 0 }, { "cs:uk", 4, 0 } } },
		{ "0;;duration_time;1;100.00", { { "duration_time", 0, MISSING_FALSE_ZERO } } },
		/* core types */
		{ "70;;cpu_core/instructions/;9;100.00\n<not counted>;;cpu_atom/instructions/;0;0.00",
		  { { "instructions", 70, 0 }, { "cpu_core/instructions/", 70, 0 },
			{ "cpu_atom/instructions/", 0, MISSING_NOT_COUNTED } } },
		{ "<not counted>;;cpu_atom/instructions/u;0;0.00\n70;;cpu_core/instructions/u;9;99.20",
		  { { "instructions", 70, 0 }, { "instructions:u", 70, 0 }, { "instructions:k", 0, MISSING_ROW } } },
		{ "2;;cpu_atom/instructions/;9;0.80\n70;;cpu_core/instructions/;9;99.20",
		  { { "instructions", 70, 0 }, { "cpu_atom/instructions/", 0, MISSING_MULTIPLEXED } } },
		{ "70;;cpu_core/cycles/;9;60.00\n30;;cpu_atom/cycles/;9;40.00",
		  { { "cycles", 0, MISSING_HYBRID }, { "cpu-cycles", 0, MISSING_HYBRID } } },
		{ "70;;cpu_core/cycles/;9;98.50\n30;;cpu_atom/cycles/;9;1.50", { { "cycles", 0, MISSING_HYBRID } } },
		{ "70;;cycles [armv8_cortex_a53];9;50.00\n30;;cycles [armv8_cortex_a72];9;50.00",
		  { { "cycles", 0, MISSING_HYBRID } } },
		{ "70;;cpu_core/cycles/;9;60.00\n<not counted>;;cpu_atom/cycles/;0;0.00",
		  { { "cycles", 0, MISSING_MULTIPLEXED } } },
		{ "70;;cpu_core/cycles/;9;100.00\n<not supported>;;cpu_atom/cycles/;0;100.00", { { "cycles", 70, 0 } } },
		{ "<not counted>;;cpu_core/cycles/;0;100.00\n<not supported>;;cpu_atom/cycles/;0;100.00",
		  { { "cycles", 0, MISSING_NOT_COUNTED } } },
		{ "<not supported>;;cpu_core/cycles/;0;100.00\n<not supported>;;cpu_atom/cycles/;0;100.00",
		  { { "cycles", 0, MISSING_UNSUPPORTED } } },
		{ "70;;cpu_core/cycles/;9;100.00\n71;;cpu_core/cycles/;9;100.00", { { "cycles", 70, 0 } } },
		/* an exact match of the event wins over a substitute */
		{ "1;;cycles:u;9;100.00\n2;;cycles;9;100.00\n3;;cpu_core/cycles/;9;100.00",
		  { { "cycles", 2, 0 }, { "cycles:u", 1, 0 }, { "cpu_core/cycles/", 3, 0 } } },
		{ "2;;cycles;9;99.50\n1;;cycles:u;9;100.00", { { "cycles", 2, 0 } } },
		{ "2;;cycles;9;100.00\n3;;cpu_atom/cycles/;9;100.00", { { "cpu_core/cycles/", 0, MISSING_ROW } } },
		{ "5;;mine;9;100.00", { { "cycles/name=mine/", 5, 0 }, { "cycles/name=mine/u", 5, 0 } } },
		{ "5;;cycles:k;9;100.00", { { "cycles", 0, MISSING_ROW }, { "cycles:u", 0, MISSING_ROW } } },
		{ "5;;cycles;9;100.00", { { "cycles:u", 0, MISSING_ROW }, { "cycles:pp", 0, MISSING_ROW } } },
		{ "5;;cycles:ppu;9;100.00", { { "cycles:pp", 5, 0 }, { "cycles", 0, MISSING_ROW } } },
		{ "5;;cpu/event=0x3c,umask=0x0/u;9;100.00\n6;;syscalls:sys_enter_read;9;100.00\n7;;r01c4:u;9;100.00",
		  { { "cpu/event=0x3c,umask=0x0/", 5, 0 }, { "syscalls:sys_enter_read", 6, 0 }, { "r01c4", 7, 0 },
			{ "syscalls:sys_enter", 0, MISSING_ROW } } },
		{ "5;;cs;9;100.00\n6;;context-switches;9;100.00", { { "cs", 5, 0 }, { "context-switches", 5, 0 } } },
	};

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(perf_rows_release) struct perf_rows rows = parse(cases[i].text, strlen(cases[i].text), ';');

		check_values(&rows, cases[i].text, cases[i].values);
	}
}

TEST(explains_every_reason)
{
	assert_string_equal(missing_reason(MISSING_NOT), "");
	for (enum missing a = MISSING_ROW; a <= MISSING_FALSE_ZERO; a++) {
		assert_true(strlen(missing_reason(a)) > 10);
		for (enum missing b = MISSING_ROW; b < a; b++)
			assert_string_not_equal(missing_reason(a), missing_reason(b));
	}
}

TEST(takes_many_rows)
{
	enum { MANY = 100000 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(perf_rows_release) struct perf_rows rows = { 0 };

	for (int i = 0; i < MANY; i++)
		strbuf_addf(&text, "%d;;r%x;97619298;100.00;;\n", i, i);
	rows = parse(text.buf, text.len, ';');
	assert_int_equal(rows.n, MANY);
	assert_true(perf_rows_value(&rows, "r1869f", NULL) == MANY - 1);
	perf_rows_release(&rows);
	assert_null(rows.items);
	strbuf_reset(&text);
	strbuf_pad(&text, ';', 1000000);
	assert_int_equal(parse(text.buf, text.len, ';').n, 0);
}

/* Needs a locale with a decimal comma; without one the test cannot fail. */
TEST(ignores_the_locale)
{
	static const char *const locales[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8" };
	CLEANUP(strbuf_release) struct strbuf text = read_file(SW "perf72-x,.out");
	CLEANUP(perf_rows_release) struct perf_rows rows = { 0 };
	size_t i = 0;

	while (i < N(locales) && !setlocale(LC_ALL, locales[i]))
		i++;
	if (i == N(locales)) {
		print_message("skipped: no locale with a decimal comma is installed\n");
		strbuf_release(&text);
		skip();
	}
	rows = parse(text.buf, text.len, ',');
	assert_true(perf_rows_value(&rows, "task-clock", NULL) == 96.53);
	expect_refusal("20,77;msec;task-clock;1;100.00", 30, ';', "line 1 ", "'20,77'");
	setlocale(LC_ALL, "C");
}
