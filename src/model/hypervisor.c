#include "model/hypervisor.h"

#include <stddef.h>

/* Firmware names first: KVM can show itself to Windows guests as Microsoft's in CPUID. */
static const struct {
	const char *vendor;	/* sys_vendor starts so */
	const char *product;	/* product_name contains this; NULL: any */
	const char *name;
} firmware[] = {
	{ "Microsoft Corporation", "Virtual Machine", "microsoft" },
	{ "QEMU", NULL, "kvm" },
	{ "Red Hat", "KVM", "kvm" },
	{ "VMware", NULL, "vmware" },
	{ "innotek GmbH", "VirtualBox", "virtualbox" },
	{ "Xen", NULL, "xen" },
	{ "Amazon EC2", NULL, "amazon" },
	{ "Google", "Google Compute Engine", "google" },
	{ "Parallels", NULL, "parallels" },
	{ "Apple Inc.", "Virtual", "apple" },
	{ "DigitalOcean", NULL, "kvm" },
	{ "Hetzner", "vServer", "kvm" },
	{ "Alibaba Cloud", NULL, "alibaba" },
	{ "OpenStack", NULL, "openstack" },
	{ "Bochs", NULL, "bochs" },
};

static const struct {
	const char *signature, *name;
} signatures[] = {
	{ "KVMKVMKVM", "kvm" },	   { "Microsoft Hv", "microsoft" }, { "VMwareVMware", "vmware" },
	{ "XenVMMXenVMM", "xen" }, { "VBoxVBoxVBox", "virtualbox" }, { "bhyve bhyve ", "bhyve" },
	{ "TCGTCGTCGTCG", "qemu" }, { "ACRNACRNACRN", "acrn" },	    { " lrpepyh  vr", "parallels" },
};

static bool starts_with(const char *text, const char *prefix)
{
	return text && !strncasecmp(text, prefix, strlen(prefix));
}

static bool contains(const char *text, const char *part)
{
	return text && strcasestr(text, part);
}

static const char *by_firmware(const struct hypervisor_clues *clues)
{
	for (size_t i = 0; i < sizeof firmware / sizeof *firmware; i++)
		if (starts_with(clues->sys_vendor, firmware[i].vendor) &&
		    (!firmware[i].product || contains(clues->product_name, firmware[i].product)))
			return firmware[i].name;
	return NULL;
}

static const char *by_signature(const struct hypervisor_clues *clues)
{
	for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
		if (starts_with(clues->signature, signatures[i].signature))
			return signatures[i].name;
	return NULL;
}

static const char *by_device_tree(const struct hypervisor_clues *clues)
{
	if (contains(clues->device_tree, "xen,xen"))
		return "xen";
	/* "linux,dummy-virt" is QEMU's machine on arm64. */
	return contains(clues->device_tree, "kvm") || contains(clues->device_tree, "linux,dummy-virt") ? "kvm" : NULL;
}

const char *hypervisor_name(const struct hypervisor_clues *clues)
{
	const char *name;

	if (contains(clues->osrelease, "microsoft-standard") || contains(clues->osrelease, "WSL"))
		return "wsl";
	if (starts_with(clues->sys_type, "xen"))
		return "xen";
	if (clues->x86 && !clues->cpu_flag)
		return NULL;
	if (contains(clues->product_name, ".metal"))
		return NULL;
	name = by_firmware(clues) ?: by_signature(clues) ?: by_device_tree(clues);
	return name ?: clues->x86 ? "unknown" : NULL;
}
