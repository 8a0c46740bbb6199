/* Names of tiers, and the machine class within which numbers are comparable. */
#include "unit.h"

#include "model/machine.h"

TEST(tiers_have_names)
{
	static const struct { enum tier tier; const char *name; bool hardware; } cases[] = {
		{ TIER_HW, "hw", true }, { TIER_HW_USER, "hw-user", true }, { TIER_SW, "sw", false },
		{ TIER_SW_USER, "sw-user", false }, { TIER_SIM, "sim", false }, { TIER_NONE, "none", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_string_equal(tier_names[cases[i].tier], cases[i].name);
		assert_int_equal(tier_has_hardware(cases[i].tier), cases[i].hardware);
	}
}

TEST(tiers_sample_what_they_can)
{
	static const struct { enum tier tier; const char *cpu, *clock, *faults, *switches; } cases[] = {
		{ TIER_HW, "cycles", "cpu-clock", "page-faults", "context-switches" },
		{ TIER_HW_USER, "cycles:u", "cpu-clock:u", "page-faults:u", NULL },
		{ TIER_SW, "cpu-clock", "cpu-clock", "page-faults", "context-switches" },
		{ TIER_SW_USER, "cpu-clock:u", "cpu-clock:u", "page-faults:u", NULL },
		{ TIER_SIM, NULL, NULL, NULL, NULL }, { TIER_NONE, NULL, NULL, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *const expected[] = { cases[i].cpu, cases[i].clock, cases[i].faults, cases[i].switches };

		for (enum sampled what = SAMPLED_CPU; what <= SAMPLED_SWITCHES; what++) {
			const char *event = tier_event(cases[i].tier, what);

			if (!event != !expected[what] || (event && strcmp(event, expected[what])))
				fail_msg("tier %s, %d: %s", tier_names[cases[i].tier], what, event ?: "nothing");
		}
	}
}

TEST(the_class_is_made_of_what_stays)
{
	static const struct { struct machine machine; const char *expected; } cases[] = {
		{ { .arch = "x86_64", .part = "intel-xeon-8370c-4cpu", .tier = TIER_SW },
		  "x86_64-intel-xeon-8370c-4cpu-sw" },
		{ { .arch = "aarch64", .part = "neoverse-n1-2cpu", .tier = TIER_HW_USER, .cpus = 99,
			.kernel = "6.8", .hypervisor = "kvm", .perf_version = "6.1" },
		  "aarch64-neoverse-n1-2cpu-hw-user" },
		{ { .tier = TIER_NONE }, "unknown-unknown-none" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *class = machine_class(&cases[i].machine);

		assert_string_equal(class, cases[i].expected);
	}
}

TEST(slugs_keep_what_distinguishes_cpus)
{
	static const struct { const char *cpu, *expected; } cases[] = {
		{ "Intel(R) Xeon(R) 8370C CPU @ 2.80GHz", "intel-xeon-8370c" },
		{ "Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz", "intel-i7-8700k" },
		{ "AMD EPYC 7763 64-Core Processor", "amd-epyc-7763-64" },
		{ "QEMU Virtual CPU version 2.5+", "qemu-2.5" },
		{ "a.b. .c", "a.b-c" },
		{ "  --Neoverse-N1--  ", "neoverse-n1" },
		{ "Gr\xc3\xbc\xc3\x9f/../x", "gr-x" }, { "CPU @ 3GHz", "unknown" }, { "", "unknown" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *slug = machine_cpu_slug(cases[i].cpu);

		assert_string_equal(slug, cases[i].expected);
	}
}

TEST(a_copy_is_whole_and_its_own)
{
	CLEANUP(machine_release) struct machine m = {
		.arch = "x86_64", .cpu = "c", .part = "p", .cpus = 4, .tier = TIER_SW_USER,
		.kernel = "k", .os = "o", .perf_path = "pp", .perf_version = "pv",
		.hypervisor = "h", .tier_reason = "tr", .tier_remedy = "tm", .counters = 6,
	};
	CLEANUP(machine_release) struct machine copy;

	NOTE(&m, "busy");
	machine_copy(&copy, &m);
	machine_release(&m);
	assert_null(m.arch);
	assert_string_equal(copy.arch, "x86_64");
	assert_string_equal(copy.cpu, "c");
	assert_string_equal(copy.part, "p");
	assert_int_equal(copy.cpus, 4);
	assert_int_equal(copy.tier, TIER_SW_USER);
	assert_string_equal(copy.kernel, "k");
	assert_string_equal(copy.os, "o");
	assert_string_equal(copy.perf_path, "pp");
	assert_string_equal(copy.perf_version, "pv");
	assert_string_equal(copy.hypervisor, "h");
	assert_string_equal(copy.tier_reason, "tr");
	assert_string_equal(copy.tier_remedy, "tm");
	assert_int_equal(copy.counters, 6);
	assert_string_equal(copy.notes.items[0], "busy");
}
