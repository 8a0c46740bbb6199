/*
 * Which CPU this is, from the text of /proc/cpuinfo. Only what stays the same from boot to boot
 * is used: the machine class is made of it, and CPUs that run at different speeds must not
 * share one.
 */
#ifndef PAWL_MEASURE_MACHINE_CPUINFO_H
#define PAWL_MEASURE_MACHINE_CPUINFO_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The model in words. x86 names itself; arm64 gives numbers, which become names such as
 * "Neoverse-N1", or "arm-0x41-0xd99" when unknown; several kinds of core are joined by " + ".
 * SYS_VENDOR is the firmware's (DMI), or NULL: at Amazon the same core is called Graviton.
 * "unknown" when the text says nothing. For free().
 */
char *cpuinfo_model(const char *text, const char *sys_vendor);

/*
 * The model as a slug. Names that virtual machines give to many CPUs ("Intel(R) Xeon(R)
 * Processor") get family and model appended: "intel-xeon-f6m167". For free().
 */
char *cpuinfo_slug(const char *text, const char *sys_vendor);

/*
 * The machine part of the class: the slug with the number of CPUs, "amd-epyc-7763-64-4cpu"; or
 * OVERRIDE made a slug when it is given and not empty. At most 64 characters. For free().
 */
char *cpuinfo_part(const char *text, const char *sys_vendor, unsigned cpus, const char *override);

/* True when x86's "flags" line has FLAG. */
bool cpuinfo_flag(const char *text, const char *flag);
bool cpuinfo_is_x86(const char *text);

/* Whose virtual machine this is, from what the CPU, the firmware and the kernel say. */

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

/* The text of /etc/os-release, which tells distributions apart. */

/* The value of KEY ("PRETTY_NAME", "ID", ...) without its quotes; NULL when missing or empty. For free(). */
char *os_release_value(const char *text, const char *key);

/* True when NAME ("debian") is the ID, or among those of ID_LIKE. */
bool os_release_is_like(const char *text, const char *name);

/* The command that installs PACKAGES: "sudo apt-get install git", or "install git" when not known. For free(). */
char *os_release_install_command(const char *text, const char *packages);
/* The same for perf, whose package goes by many names; KERNEL is uname's release. For free(). */
char *os_release_install_perf(const char *text, const char *kernel);

/* Which container this process is in, and which control group. */

struct container_clues {
	bool docker_file, podman_file;	/* /.dockerenv, /run/.containerenv */
	const char *variable;		/* $container, or NULL */
	const char *init_cgroup;	/* /proc/1/cgroup, or NULL */
};

/* "docker", "podman", "lxc", "kubernetes", ...; NULL outside of any. For free(). */
char *container_name(const struct container_clues *clues);

/*
 * The path of the unified hierarchy in /proc/self/cgroup ("0::/user.slice"); NULL when there is
 * none, or it lies outside what this namespace shows. For free().
 */
char *cgroup_unified_path(const char *text);

#endif
