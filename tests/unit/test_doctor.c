/* Findings of the doctor, and how they are shown. */
#include "unit.h"

#include <errno.h>

#include "base/mem.h"
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
static struct doctor_facts some_facts(void)
{
	return (struct doctor_facts){
		.machine = { .cpus = 2 }, .clock_source = (char *)"", .os_release = (char *)"", .out_dir = (char *)"/out",
		.out_is_dir = true,
	};
}

TEST(paranoid_levels_are_explained)
{
	static const struct {
		struct fact level;
		bool capable;
		enum finding_level found;
		const char *what, *remedy;
	} cases[] = {
		{ { true, -1 }, false, FINDING_OK, "is -1: everything is permitted", "" },
		{ { true, 0 }, false, FINDING_OK, "raw tracepoints", "" },
		{ { true, 1 }, false, FINDING_OK, "kernel work included", "" },
		{ { true, 2 }, false, FINDING_WARNING, "their own code only", "sysctl kernel.perf_event_paranoid=1" },
		{ { true, 3 }, false, FINDING_WARNING, "may not measure at all", "sysctl kernel.perf_event_paranoid=1" },
		{ { true, 4 }, false, FINDING_WARNING, "may not measure at all", "sysctl kernel.perf_event_paranoid=1" },
		{ { true, 4 }, true, FINDING_OK, "is 4, which does not bind root", "" },
		{ { false, 0 }, true, FINDING_WARNING, "there is no kernel.perf_event_paranoid", "CONFIG_PERF_EVENTS" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct doctor_facts facts = some_facts();

		facts.paranoid = cases[i].level;
		facts.perf_capable = cases[i].capable;
		assert_finding(&facts, "paranoid", cases[i].found, cases[i].what, cases[i].remedy);
	}
}

TEST(kernel_pointers_are_explained)
{
	static const struct {
		long long level;
		bool capable;
		enum finding_level found;
		const char *what, *remedy;
	} cases[] = {
		{ 0, false, FINDING_OK, "is 0", "" },
		{ 1, true, FINDING_OK, "visible", "" },
		{ 1, false, FINDING_WARNING, "no names", "kptr_restrict=0" },
		{ 2, true, FINDING_WARNING, "no names", "kptr_restrict=0" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct doctor_facts facts = some_facts();

		facts.kptr = (struct fact){ true, cases[i].level };
		facts.syslog_capable = cases[i].capable;
		assert_finding(&facts, "kptr", cases[i].found, cases[i].what, cases[i].remedy);
	}
}

TEST(refusals_are_told_apart)
{
	static const struct {
		int sys;
		bool seccomp;
		const char *container;
		bool counts;
		enum finding_level found;
		const char *what, *remedy;
	} cases[] = {
		{ 0, false, NULL, true, FINDING_OK, "works", "" },
		{ 0, true, "docker", true, FINDING_OK, "within a seccomp filter", "" },
		{ EPERM, true, "docker", false, FINDING_PROBLEM, "seccomp filter or", "--cap-add=PERFMON" },
		{ EPERM, true, NULL, false, FINDING_PROBLEM, "seccomp filter or", "outside of the sandbox" },
		{ EACCES, false, NULL, false, FINDING_PROBLEM, "kernel's settings", "perf_event_paranoid=1" },
		{ EACCES, false, NULL, true, FINDING_WARNING, "kernel's settings", "perf_event_paranoid=1" },
		{ ENOSYS, true, "docker", false, FINDING_PROBLEM, "no perf_event_open", "CONFIG_PERF_EVENTS" },
		{ EMFILE, false, NULL, false, FINDING_PROBLEM, "Too many open files", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct doctor_facts facts = some_facts();

		facts.event_errno = cases[i].sys;
		facts.seccomp = cases[i].seccomp;
		facts.container = (char *)cases[i].container;
		facts.machine.tier = cases[i].counts ? TIER_SW : TIER_NONE;
		assert_finding(&facts, "permission", cases[i].found, cases[i].what, cases[i].remedy);
	}
}

TEST(space_runs_out_by_bytes_or_files)
{
	static const struct {
		unsigned long long bytes;
		bool files;
		enum finding_level found;
		const char *what, *remedy;
	} cases[] = {
		{ 5ull << 30, true, FINDING_OK, "5.00 GiB free in /out", "" },
		{ (1ull << 30) - 1, true, FINDING_WARNING, "1.00 GiB free", "--out" },
		{ 64ull << 20, true, FINDING_WARNING, "64.0 MiB free", "--out" },
		{ (64ull << 20) - 1, true, FINDING_PROBLEM, "64.0 MiB free", "--out" },
		{ 5ull << 30, false, FINDING_PROBLEM, "all inodes", "--out" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct doctor_facts facts = some_facts();

		facts.free_bytes = cases[i].bytes;
		facts.files_left = cases[i].files;
		assert_finding(&facts, "disk", cases[i].found, cases[i].what, cases[i].remedy);
	}
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
	CLEANUP(findings_release) struct findings findings = { 0 };
	CLEANUP(findings_release) struct findings fine = { 0 };
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
