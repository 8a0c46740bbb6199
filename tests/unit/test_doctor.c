/* Findings of the doctor, and how they are shown. */
#include "unit.h"

#include <errno.h>

#include "cmd/cmd.h"
#include "job/doctor.h"
#include "store/store.h"

/*
 * Asserts that CHECK's finding on FACTS has LEVEL and contains WHAT and REMEDY. An empty REMEDY means no remedy at all.
 */
static void assert_finding(const struct doctor_facts *facts, const char *check, enum finding_level level, const char *what,
			   const char *remedy)
{
	CLEANUP(findings_release) struct findings findings = { 0 };
	const struct finding *finding = NULL;

	doctor_judge(facts, &findings);
	for (size_t i = 0; i < findings.n; i++)
		if (!strcmp(findings.items[i].check, check))
			finding = &findings.items[i];
	assert_non_null(finding);
	if (finding->level != level || !strstr(finding->what, what) ||
	    !finding->remedy != !*remedy || (finding->remedy && !strstr(finding->remedy, remedy)))
		fail_msg("level %d: %s -> %s", (int)finding->level, finding->what, finding->remedy ?: "(none)");
}

/* A machine with only these facts known. */
#define FACTS(...) \
	{ .machine.cpus = 2, .clock_source = (char *)"", .os_release = (char *)"", .out_dir = (char *)"/out", .out_is_dir = true, __VA_ARGS__ }
#define DOCKER .container = (char *)"docker"
#define COUNTS .machine.tier = TIER_SW
#define COUNTS_NOT .machine.tier = TIER_NONE

TEST(facts_become_findings)
{
	static const struct {
		const char *check; struct doctor_facts facts; enum finding_level found; const char *what, *remedy;
	} cases[] = {
		{ "paranoid", FACTS(.paranoid = { true, -1 }), FINDING_OK, "is -1: everything is permitted", "" },
		{ "paranoid", FACTS(.paranoid = { true, 0 }), FINDING_OK, "raw tracepoints", "" },
		{ "paranoid", FACTS(.paranoid = { true, 1 }), FINDING_OK, "kernel work included", "" },
		{ "paranoid", FACTS(.paranoid = { true, 2 }), FINDING_WARNING, "their own code only", "sysctl kernel.perf_event_paranoid=1" },
		{ "paranoid", FACTS(.paranoid = { true, 3 }), FINDING_WARNING, "may not measure at all", "sysctl kernel.perf_event_paranoid=1" },
		{ "paranoid", FACTS(.paranoid = { true, 4 }), FINDING_WARNING, "may not measure at all", "sysctl kernel.perf_event_paranoid=1" },
		{ "paranoid", FACTS(.paranoid = { true, 4 }, .perf_capable = true), FINDING_OK, "is 4, which does not bind root", "" },
		{ "paranoid", FACTS(.perf_capable = true), FINDING_WARNING, "there is no kernel.perf_event_paranoid", "CONFIG_PERF_EVENTS" },
		{ "kptr", FACTS(.kptr = { true, 0 }), FINDING_OK, "is 0", "" },
		{ "kptr", FACTS(.kptr = { true, 1 }, .syslog_capable = true), FINDING_OK, "visible", "" },
		{ "kptr", FACTS(.kptr = { true, 1 }), FINDING_WARNING, "no names", "kptr_restrict=0" },
		{ "kptr", FACTS(.kptr = { true, 2 }, .syslog_capable = true), FINDING_WARNING, "no names", "kptr_restrict=0" },
		{ "permission", FACTS(COUNTS), FINDING_OK, "works", "" },
		{ "permission", FACTS(COUNTS, DOCKER, .seccomp = true), FINDING_OK, "within a seccomp filter", "" },
		{ "permission", FACTS(COUNTS_NOT, DOCKER, .seccomp = true, .event_errno = EPERM), FINDING_PROBLEM, "seccomp filter or", "--cap-add=PERFMON" },
		{ "permission", FACTS(COUNTS_NOT, .seccomp = true, .event_errno = EPERM), FINDING_PROBLEM, "seccomp filter or", "outside of the sandbox" },
		{ "permission", FACTS(COUNTS_NOT, .event_errno = EACCES), FINDING_PROBLEM, "kernel's settings", "perf_event_paranoid=1" },
		{ "permission", FACTS(COUNTS, .event_errno = EACCES), FINDING_WARNING, "kernel's settings", "perf_event_paranoid=1" },
		{ "permission", FACTS(COUNTS_NOT, DOCKER, .seccomp = true, .event_errno = ENOSYS), FINDING_PROBLEM, "no perf_event_open", "CONFIG_PERF_EVENTS" },
		{ "permission", FACTS(COUNTS_NOT, .event_errno = EMFILE), FINDING_PROBLEM, "Too many open files", "" },
		{ "disk", FACTS(.free_bytes = 5ull << 30, .files_left = true), FINDING_OK, "5.00 GiB free in /out", "" },
		{ "disk", FACTS(.free_bytes = (1ull << 30) - 1, .files_left = true), FINDING_WARNING, "1.00 GiB free", "--out" },
		{ "disk", FACTS(.free_bytes = 64ull << 20, .files_left = true), FINDING_WARNING, "64.0 MiB free", "--out" },
		{ "disk", FACTS(.free_bytes = (64ull << 20) - 1, .files_left = true), FINDING_PROBLEM, "64.0 MiB free", "--out" },
		{ "disk", FACTS(.free_bytes = 5ull << 30), FINDING_PROBLEM, "all inodes", "--out" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_finding(&cases[i].facts, cases[i].check, cases[i].found, cases[i].what, cases[i].remedy);
}

static void a_sample(struct findings *out, bool problem)
{
	static const char *const checks[] = { "perf", "pmu", "disk" };

	findings_add(out, FINDING_OK, NULL, "perf %s", "6.1");
	findings_add(out, FINDING_WARNING, "do this", "tier sw\x1b[2J");
	if (problem)
		findings_add(out, FINDING_PROBLEM, NULL, "full");
	for (size_t i = 0; i < out->n; i++)
		out->items[i].check = checks[i];
}

TEST(text_is_aligned_and_harmless)
{
	CLEANUP(findings_release) struct findings findings = { 0 }, fine = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	a_sample(&findings, true);
	assert_int_equal(doctor_report(&findings, NULL, false, false, &text), 3);
	assert_string_equal(text.buf,
			    "ok       perf        perf 6.1\n"
			    "warning  pmu         tier sw\\x1b[2J\n"
			    "                     -> do this\n"
			    "problem  disk        full\n"
			    "\n"
			    "This machine cannot measure: 1 problem, 1 warning.\n");
	strbuf_reset(&text);
	doctor_report(&findings, NULL, false, true, &text);
	assert_non_null(strstr(text.buf, "\x1b[1;31mproblem\x1b[0m  disk"));
	a_sample(&fine, false);
	assert_int_equal(doctor_report(&fine, NULL, false, false, &text), 0);
	assert_true(strbuf_ends_with(&text, "\nThis machine can measure: 1 warning.\n"));
}

TEST(json_has_its_keys)
{
	CLEANUP(findings_release) struct findings findings = { 0 };
	struct machine machine = { .arch = "x86_64", .part = "p-2cpu", .cpus = 2, .tier = TIER_SW };
	struct error err = ERROR_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	cJSON *root, *item;

	a_sample(&findings, true);
	assert_int_equal(doctor_report(&findings, &machine, true, false, &text), 3);
	root = json_parse(text.buf, text.len, "doctor.json", &err);
	if (!root)
		fail_msg("%s", err.msg);
	assert_int_equal(cJSON_GetObjectItem(root, "schema")->valueint, 1);
	assert_int_equal(cJSON_GetObjectItem(root, "status")->valueint, 3);
	item = cJSON_GetObjectItem(root, "machine");
	assert_string_equal(cJSON_GetObjectItem(item, "class")->valuestring, "x86_64-p-2cpu-sw");
	assert_string_equal(cJSON_GetObjectItem(item, "tier")->valuestring, "sw");
	item = cJSON_GetObjectItem(root, "findings");
	assert_int_equal(cJSON_GetArraySize(item), 3);
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetArrayItem(item, 0), "remedy")));
	item = cJSON_GetArrayItem(item, 1);
	assert_string_equal(cJSON_GetObjectItem(item, "check")->valuestring, "pmu");
	assert_string_equal(cJSON_GetObjectItem(item, "level")->valuestring, "warning");
	assert_string_equal(cJSON_GetObjectItem(item, "what")->valuestring, "tier sw\x1b[2J");
	assert_string_equal(cJSON_GetObjectItem(item, "remedy")->valuestring, "do this");
	cJSON_Delete(root);
}

/* On any machine, every check has at most one finding, and a failed perf is a problem but does not stop the rest. */
TEST(a_machine_without_perf_is_examined_to_the_end)
{
	CLEANUP(findings_release) struct findings findings = { 0 };
	CLEANUP(machine_release) struct machine machine = { 0 };
	struct error err = ERROR_INIT;
	struct keeper keeper = { 0 };

	assert_int_equal(keeper_start(&keeper, NULL, &err), 0);
	setenv("PAWL_PERF", "/nonexistent/perf", 1);
	assert_int_equal(doctor_examine(&keeper, "/nonexistent/below", &machine, &findings, &err), 0);
	unsetenv("PAWL_PERF");
	keeper_stop(&keeper);
	assert_int_equal(machine.tier, TIER_NONE);
	assert_true(findings.n > 8);
	assert_string_equal(findings.items[0].check, "perf");
	assert_int_equal(findings.items[0].level, FINDING_PROBLEM);
	assert_non_null(strstr(findings.items[0].what, "/nonexistent/perf"));
	for (size_t i = 0; i < findings.n; i++)
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(findings.items[i].check, findings.items[j].check);
}
