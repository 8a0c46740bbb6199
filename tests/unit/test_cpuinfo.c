#include "unit.h"

#include "measure/machine/machine.h"
#include "read_file.h"

/* -------- From recorded texts of /proc/cpuinfo to names and slugs */

TEST(recorded_machines_have_their_names)
{
	static const struct { const char *file, *sys_vendor, *model, *part; bool virtual; } cases[] = {
		{ "xeon-8370c", "Microsoft Corporation", "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz",
		  "intel-xeon-platinum-8370c-4cpu", true },
		{ "epyc-7763", NULL, "AMD EPYC 7763 64-Core Processor", "amd-epyc-7763-64-4cpu", true },
		{ "xeon-nameless", NULL, "Intel(R) Xeon(R) Processor", "intel-xeon-f6m167-4cpu", true },
		{ "xeon-model-85", NULL, "Intel(R) Xeon(R) CPU @ 2.80GHz", "intel-xeon-f6m85s7-4cpu", true },
		{ "qemu-virtual", NULL, "QEMU Virtual CPU version 2.5+", "qemu-2.5-f15m107-4cpu", true },
		{ "core2-e8400", NULL, "Intel(R) Core(TM)2 Duo CPU E8400 @ 3.00GHz", "intel-2-duo-e8400-4cpu", false },
		{ "neoverse-n1", NULL, "Neoverse-N1", "neoverse-n1-4cpu", false },
		{ "neoverse-n1", "Amazon EC2", "AWS Graviton2", "aws-graviton2-4cpu", false },
		{ "raspberry-pi-4", NULL, "Cortex-A72", "cortex-a72-4cpu", false },
		{ "raspberry-pi-32bit", NULL, "Cortex-A72", "cortex-a72-4cpu", false },
		{ "apple-m1", NULL, "Apple Icestorm-M1 + Apple Firestorm-M1",
		  "apple-icestorm-m1-apple-firestorm-m1-4cpu", false },
		{ "arm-unknown", NULL, "arm-0x70-0x662", "arm-0x70-0x662-4cpu", false },
		{ "riscv-u74", NULL, "sifive,u74-mc", "sifive-u74-mc-4cpu", false },
		{ "power9", NULL, "POWER9 (architected), altivec supported", "power9-architected-altivec-supported-4cpu",
		  false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(free_ptr) char *path = text_printf("tests/fixtures/cpuinfo/%s.txt.xz", cases[i].file);
		CLEANUP(strbuf_release) struct strbuf text = read_file(path);
		CLEANUP(free_ptr) char *model = cpuinfo_model(text.buf, cases[i].sys_vendor);
		CLEANUP(free_ptr) char *part = cpuinfo_part(text.buf, cases[i].sys_vendor, 4, NULL);

		assert_string_equal(model, cases[i].model);
		assert_string_equal(part, cases[i].part);
		assert_int_equal(cpuinfo_flag(text.buf, "hypervisor"), cases[i].virtual);
	}
}

/* x86 names. If the name does not identify the CPU, family and model are appended. */
TEST(names_without_a_number_get_one)
{
	static const struct { const char *name; bool appended; } cases[] = {
		{ "AMD EPYC Processor", true },
		{ "AMD EPYC Processor (with IBPB)", true },
		{ "AMD EPYC-Milan Processor", true }, { "AMD EPYC 64-Core Processor", true },
		{ "Intel Xeon Processor (Skylake, IBRS)", true },
		{ "Intel Core i7 9xx (Nehalem Class Core i7)", true },
		{ "Intel(R) Xeon(R) Processor @ 2.60GHz", true },
		{ "Common KVM processor", true }, { "DO-Regular", true }, { "AMD EPYC 7B12", false },
		{ "AMD EPYC 9R14 96-Core Processor", false },
		{ "AMD Ryzen 9 5950X 16-Core Processor", false },
		{ "Intel(R) Xeon(R) CPU E5-2690 v4 @ 2.60GHz", false },
		{ "INTEL(R) XEON(R) PLATINUM 8573C", false },
		{ "Intel(R) N100", false },
		{ "13th Gen Intel(R) Core(TM) i7-13700K", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[256];

		snprintf(text, sizeof text, "cpu family\t: 25\nmodel\t\t: 1\nmodel name\t: %s\nflags\t\t: fpu\n",
			 cases[i].name);
		CLEANUP(free_ptr) char *slug = cpuinfo_part(text, NULL, 4, NULL);

		if (!strstr(slug, "-f25m1") != !cases[i].appended)
			fail_msg("%s became %s", cases[i].name, slug);
	}
}

TEST(damaged_texts_are_unknown)
{
	static const char *const texts[] = { "", "\n\n", ":", "model name", "model name\t:", "model name\t: \n\nflags" };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		CLEANUP(free_ptr) char *model = cpuinfo_model(texts[i], NULL);
		CLEANUP(free_ptr) char *part = cpuinfo_part(texts[i], NULL, 2, "");

		assert_string_equal(model, "unknown");
		assert_string_equal(part, "unknown-2cpu");
	}
}

TEST(a_flag_is_a_whole_word_of_the_flags)
{
	static const char text[] = "model name\t: hypervisor\nflags\t\t: fpu my-hypervisor hypervisors lm\n";

	assert_true(cpuinfo_flag(text, "fpu"));
	assert_true(cpuinfo_flag(text, "lm"));
	assert_false(cpuinfo_flag(text, "hypervisor"));
	assert_false(cpuinfo_flag("Features\t: fp asimd\n", "fp"));
}

TEST(an_own_name_replaces_the_part)
{
	static const char model[] = "model name\t: Maker of a Model 1234 With a Name That Does Not End Before It Is Long\n";
	CLEANUP(free_ptr) char *own = cpuinfo_part(model, NULL, 4, "Big Runner/../../etc");
	CLEANUP(free_ptr) char *slashes = cpuinfo_part(model, NULL, 4, "../..");
	CLEANUP(free_ptr) char *plain = cpuinfo_part(model, NULL, 192, NULL);
	CLEANUP(free_ptr) char *cut = cpuinfo_part(model, NULL, 4,
		"a123456789-b123456789-c123456789-d123456789-e123456789-f12345678-g123456789");

	assert_string_equal(own, "big-runner-etc");
	assert_string_equal(slashes, "unknown");
	assert_string_equal(cut, "a123456789-b123456789-c123456789-d123456789-e123456789-f12345678");
	assert_int_equal(strlen(plain) <= 64, 1);
	assert_non_null(strstr(plain, "-192cpu"));
}

/* -------- The hypervisor, from clues that machines gave */

TEST(hypervisors_are_named)
{
	static const struct { struct hypervisor_clues clues; const char *name; } cases[] = {
		{ { .x86 = true }, NULL },
		{ { .x86 = true, .sys_vendor = "Amazon EC2", .product_name = "c5.metal" }, NULL },
		{ { .x86 = true, .cpu_flag = true }, "unknown" },
		{ { .x86 = true, .cpu_flag = true, .signature = "KVMKVMKVM" }, "kvm" },
		{ { .x86 = true, .cpu_flag = true, .signature = "Microsoft Hv", .sys_vendor = "QEMU",
			.product_name = "Standard PC (Q35 + ICH9, 2009)" }, "kvm" },
		{ { .x86 = true, .cpu_flag = true, .signature = "Microsoft Hv", .sys_vendor = "Microsoft Corporation",
			.product_name = "Virtual Machine" }, "microsoft" },
		{ { .x86 = true, .cpu_flag = true, .signature = "Microsoft Hv",
			.osrelease = "5.15.167.4-microsoft-standard-WSL2" }, "wsl" },
		{ { .x86 = true, .cpu_flag = true, .sys_vendor = "Amazon EC2", .product_name = "c5.large" }, "amazon" },
		{ { .sys_vendor = "Amazon EC2", .product_name = "c6g.metal" }, NULL },
		{ { .sys_vendor = "Microsoft Corporation", .product_name = "Virtual Machine" }, "microsoft" },
		{ { .sys_vendor = "Microsoft Corporation", .product_name = "Surface Pro X" }, NULL },
		{ { .device_tree = "linux,dummy-virt" }, "kvm" },
		{ { .device_tree = "raspberrypi,4-model-b" }, NULL },
		{ { .sys_type = "xen" }, "xen" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *name = hypervisor_name(&cases[i].clues);

		if (strcmp(name ?: "none", cases[i].name ?: "none"))
			fail_msg("case %zu: expected %s, found %s", i, cases[i].name ?: "none", name ?: "none");
	}
}

/* -------- Distributions and their package commands */

TEST(distributions_are_distinguished)
{
	static const char ubuntu[] = "PRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\nNAME=\"Ubuntu\"\nID=ubuntu\nID_LIKE=debian\n";
	static const char rocky[] = "NAME='Rocky Linux'\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\nVERSION=\n";
	CLEANUP(free_ptr) char *pretty = os_release_value(ubuntu, "PRETTY_NAME"), *id = os_release_value(rocky, "ID");

	assert_string_equal(pretty, "Ubuntu 24.04.1 LTS");
	assert_string_equal(id, "rocky");
	assert_null(os_release_value(rocky, "VERSION"));
	assert_null(os_release_value(rocky, "AME"));
}

TEST(packages_come_by_the_distributions_command)
{
	static const struct { const char *os_release, *tool, *perf; } cases[] = {
		{ "ID=debian\n", "sudo apt-get install git", "sudo apt-get install linux-perf" },
		{ "ID=raspbian\nID_LIKE=debian\n", "sudo apt-get install git", "sudo apt-get install linux-perf" },
		{ "ID=ubuntu\nID_LIKE=debian\n", "sudo apt-get install git",
		  "sudo apt-get install linux-tools-6.8.0-49-generic || sudo apt-get install linux-tools-generic" },
		{ "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", "sudo zypper install git", "sudo zypper install perf" },
		{ "ID=alpine\n", "sudo apk add git", "sudo apk add perf" },
		{ "ID=mine\n", "install git",
		  "install the distribution's package of perf, often called perf or linux-perf" },
		{ "", "install git", "install the distribution's package of perf, often called perf or linux-perf" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(free_ptr) char *tool = os_release_install_command(cases[i].os_release, "git");
		CLEANUP(free_ptr) char *perf = os_release_install_perf(cases[i].os_release, "6.8.0-49-generic");

		assert_string_equal(tool, cases[i].tool);
		assert_string_equal(perf, cases[i].perf);
	}
}

/* -------- Containers and cgroups, from texts of /proc */

TEST(containers_are_named)
{
	static const struct { struct container_clues clues; const char *name; } cases[] = {
		{ { 0 }, NULL },
		{ { .variable = "", .init_cgroup = "0::/init.scope\n" }, NULL },
		{ { .init_cgroup = "12:cpu:/\n0::/\n" }, NULL },
		{ { .docker_file = true, .init_cgroup = "0::/\n" }, "docker" },
		{ { .podman_file = true, .variable = "oci" }, "podman" },
		{ { .variable = "lxc", .init_cgroup = "0::/init.scope\n" }, "lxc" },
		{ { .variable = "systemd-nspawn" }, "systemd-nspawn" },
		{ { .init_cgroup = "9:memory:/docker/0123456789ab\n" }, "docker" },
		{ { .docker_file = true, .init_cgroup = "0::/kubepods.slice/kubepods-burstable.slice\n" }, "kubernetes" },
		{ { .init_cgroup = "1:name=systemd:/lxc/web\n" }, "lxc" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *name = container_name(&cases[i].clues);

		if (strcmp(name ? name : "none", cases[i].name ? cases[i].name : "none"))
			fail_msg("case %zu: found %s", i, name ? name : "none");
	}
}
