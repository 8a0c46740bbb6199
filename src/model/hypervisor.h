/* Whose virtual machine this is, from what the CPU, the firmware and the kernel say. */
#ifndef PAWL_MODEL_HYPERVISOR_H
#define PAWL_MODEL_HYPERVISOR_H

#include <stdbool.h>

/* Texts may be NULL where the machine has none. */
struct hypervisor_clues {
	bool x86;			/* then the CPU itself says whether it is virtual: */
	bool cpu_flag;			/* "hypervisor" among the flags */
	const char *signature;		/* CPUID leaf 0x40000000: "KVMKVMKVM" */
	const char *sys_vendor, *product_name;	/* DMI */
	const char *sys_type;		/* /sys/hypervisor/type */
	const char *device_tree;	/* hypervisor/compatible, else the model, in /proc/device-tree */
	const char *osrelease;
};

/* "kvm", "microsoft", "wsl", "unknown", ..., or NULL on bare metal. A container is not a hypervisor. */
const char *hypervisor_name(const struct hypervisor_clues *clues);

#endif
