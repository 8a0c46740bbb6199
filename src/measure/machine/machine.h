/* This machine: what it is, and what else it is doing. Each section below is the file of its name. */
#ifndef PAWL_MEASURE_MACHINE_MACHINE_H
#define PAWL_MEASURE_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "measure/process/interrupt.h"
#include "model/machine.h"

/* -------- cpuinfo */

/*
 * Which CPU this is, from the text of /proc/cpuinfo. Only what stays the same from boot to boot
 * is used: the machine class is made of it, and CPUs that run at different speeds must not share one.
 */

/*
 * The model in words. x86 names itself; arm64 gives numbers, which become names such as
 * "Neoverse-N1", or "arm-0x41-0xd99" when unknown; several kinds of core are joined by " + ".
 * SYS_VENDOR is the firmware's (DMI), or NULL: at Amazon the same core is called Graviton.
 * "unknown" when the text says nothing. For free().
 */
char *cpuinfo_model(const char *text, const char *sys_vendor);

/*
 * The machine part of the class: the model as a slug with the number of CPUs, "amd-epyc-7763-64-4cpu"; or
 * OVERRIDE made a slug when it is given and not empty. Names that virtual machines give to many CPUs
 * ("Intel(R) Xeon(R) Processor") get family and model: "intel-xeon-f6m167-4cpu". At most 64 characters. For free().
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

/* The text of /etc/os-release. */

/* The value of KEY ("PRETTY_NAME", "ID", ...) without its quotes; NULL when missing or empty. For free(). */
char *os_release_value(const char *text, const char *key);

/* The command that installs PACKAGES: "sudo apt-get install git", or "install git" when not known. For free(). */
char *os_release_install_command(const char *text, const char *packages);
/* The same for perf, whose package goes by many names; KERNEL is uname's release. For free(). */
char *os_release_install_perf(const char *text, const char *kernel);

struct container_clues {
	bool docker_file, podman_file;	/* /.dockerenv, /run/.containerenv */
	const char *variable;		/* $container, or NULL */
	const char *init_cgroup;	/* /proc/1/cgroup, or NULL */
};

/* The container this process is in: "docker", "podman", "lxc", "kubernetes", ...; NULL outside of any. For free(). */
char *container_name(const struct container_clues *clues);

/* -------- facts */

/*
 * Fills arch, cpu, part, cpus, kernel, os and hypervisor, from /proc, /sys and uname; leaves the rest, which needs perf,
 * zero. PAWL_MACHINE replaces the machine part of the class.
 */
void facts_read(struct machine *out);

/* -------- noise */

/*
 * Passing conditions that spoil measurements: other load, stolen time, a governor that saves
 * power, throttling. Take a reading before and after measuring, and noise_describe() both.
 */

/* Ticks of /proc/stat's first line and others, all cumulative. */
struct noise {
	uint64_t at_ns;			/* CLOCK_MONOTONIC */
	uint64_t busy_ticks, steal_ticks;
	uint64_t own_ticks;		/* used by pawl itself and what it reaped itself */
	double load1;			/* load average over one minute, -1 unknown */
	uint64_t throttled;		/* core_throttle_count summed over CPUs */
	bool turbo;			/* known to be on */
	char governor[24];		/* of a CPU that is governed by something else than "performance"; "" */
};

/* Beyond these a machine is busy: stolen time in percent, and other processes' share of the CPUs. */
#define NOISE_STEAL_PCT_MAX 5.0
#define NOISE_OTHERS_SHARE_MAX 0.5

void noise_read(struct noise *out);
/* Only noise.steal_ticks, and fast: ticks that the hypervisor stole from any CPU since the machine started; 0 unknown. */
uint64_t noise_stolen_ticks(void);
/*
 * OWN_MS is the CPU time between the readings of what pawl started, perf and targets included. NOTES get what the
 * reader must know, BUSY why a baseline should be refused: one sentence a reason.
 */
void noise_describe(const struct noise *before, const struct noise *after, double own_ms, unsigned cpus, struct strv *notes,
		    struct strv *busy);

/*
 * A look at the machine before anything is measured: an ERR_SYSTEM with the load and the processes that have the CPUs when
 * others use more than NOISE_OTHERS_SHARE_MAX of them in every one of some looks, two seconds together. A quiet machine is
 * seen at the first.
 */
int noise_refuse_busy(unsigned cpus, struct interrupt *interrupt, struct error *err);

/* The ticks from /proc/stat's text; false, with OUT untouched, when its first line is not as expected. */
bool noise_parse_stat(const char *text, struct noise *out);
/* CPUs that others kept busy between the readings: 1.3 of 2. */
double noise_others(const struct noise *before, const struct noise *after, double own_ms);
/* Stolen time in percent of what the CPUs worked or wanted to: idle time is nobody's to steal. */
double noise_steal_pct(const struct noise *before, const struct noise *after);

/* Who decides the clock rate of the CPUs: the governor of cpufreq, and turbo. */

/* The governors in use, each once; none where the kernel has no say, as in most virtual machines. */
void power_governors(struct strv *out);

/* 1 on, 0 off, -1 unknown. *SWITCH_OUT (may be NULL) is the file that turns it off; static. */
int power_turbo(const char **switch_out);

#endif
