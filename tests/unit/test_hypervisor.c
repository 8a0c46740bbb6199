/* Whose virtual machine this is, from clues that machines gave. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "measure/machine/machine.h"

static void hypervisors_are_named(void **state)
{
	static const struct {
		struct hypervisor_clues clues;
		const char *name;
	} cases[] = {
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

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *name = hypervisor_name(&cases[i].clues);

		if (strcmp(name ?: "none", cases[i].name ?: "none"))
			fail_msg("case %zu: expected %s, found %s", i, cases[i].name ?: "none", name ?: "none");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hypervisors_are_named),
	};

	return cmocka_run_group_tests_name("hypervisor", tests, NULL, NULL);
}
