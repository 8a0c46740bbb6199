/* This machine: its hardware, system and current load. cpuinfo.c has the first section, which is pure. */
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
 * Identifies the CPU from the text of /proc/cpuinfo, for the machine class: by values that survive a reboot, so that CPUs
 * of different speeds do not share a class.
 */

/*
 * Returns the model in words, "unknown" if the text has none; for free(). arm64 has numbers, which become "Neoverse-N1", or
 * "arm-0x41-0xd99"; kinds of core are joined by " + ". SYS_VENDOR is the firmware's, or NULL: Amazon has its own names.
 */
char *cpuinfo_model(const char *text, const char *sys_vendor);

/*
 * Returns the machine part of the class, at most 64 characters: "amd-epyc-7763-64-4cpu", or OVERRIDE as a slug. Names that
 * virtual machines give to many CPUs get family and model: "intel-xeon-f6m167-4cpu". For free().
 */
char *cpuinfo_part(const char *text, const char *sys_vendor, unsigned cpus, const char *override);

/* True if x86's "flags" line has FLAG. */
bool cpuinfo_flag(const char *text, const char *flag);
bool cpuinfo_is_x86(const char *text);

/* Identifies the hypervisor from the CPU, the firmware and the kernel. */

/* Texts may be NULL if the machine lacks them. */
struct hypervisor_clues {
	bool x86;			/* the CPU itself shows if it is virtual, with the next two: */
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

/* Returns the value of KEY ("PRETTY_NAME", "ID", ...) without its quotes; NULL if missing or empty. For free(). */
char *os_release_value(const char *text, const char *key);

/* Returns the command that installs PACKAGES: "sudo apt-get install git", or "install git" if unknown. For free(). */
char *os_release_install_command(const char *text, const char *packages);
/* The same for perf, whose package has many names. KERNEL is uname's release. For free(). */
char *os_release_install_perf(const char *text, const char *kernel);

struct container_clues {
	bool docker_file, podman_file;	/* /.dockerenv, /run/.containerenv */
	const char *variable;		/* $container, or NULL */
	const char *init_cgroup;	/* /proc/1/cgroup, or NULL */
};

/* Returns the container of this process: "docker", "kubernetes", ...; NULL outside of any. For free(). */
char *container_name(const struct container_clues *clues);

/* -------- facts */

/* Fills in what does not need perf, and zeroes the rest. PAWL_MACHINE replaces the machine part of the class. */
void facts_read(struct machine *out);

/* -------- noise */

/* Passing conditions that spoil measurements. Take a reading before and after measuring, for noise_describe(). */

/* Ticks of /proc/stat's first line and other counters, all cumulative. */
struct noise {
	uint64_t at_ns;			/* CLOCK_MONOTONIC */
	uint64_t busy_ticks, steal_ticks;
	uint64_t own_ticks;		/* used by pawl and the children it reaped */
	double load1;			/* load average over one minute; -1: unknown */
	uint64_t throttled;		/* core_throttle_count summed over CPUs */
	bool turbo;			/* known to be on */
	char governor[24];		/* of a CPU whose governor is not "performance"; "": none */
};

/* A machine is busy beyond these: stolen time in percent, and other processes' share of the CPUs. */
#define NOISE_STEAL_PCT_MAX 5.0
#define NOISE_OTHERS_SHARE_MAX 0.5

void noise_read(struct noise *out);
/* Returns only noise.steal_ticks, quickly: ticks that the hypervisor stole from any CPU since boot; 0: unknown. */
uint64_t noise_stolen_ticks(void);
/*
 * OWN_MS is the CPU time of pawl's children between the readings. NOTES get remarks, BUSY those by which times count for
 * little.
 */
void noise_describe(const struct noise *before, const struct noise *after, double own_ms, unsigned cpus, struct strv *notes,
		    struct strv *busy);

/* Reads the ticks from /proc/stat's text. False, with OUT untouched, if its first line is malformed. */
bool noise_parse_stat(const char *text, struct noise *out);
/* Returns the number of CPUs that others kept busy between the readings, such as 1.3 (of 2). */
double noise_others(const struct noise *before, const struct noise *after, double own_ms);
/* Returns stolen time as a percentage of the time the CPUs worked or wanted to. Idle time cannot be stolen. */
double noise_steal_pct(const struct noise *before, const struct noise *after);

/* Control of the CPU clock rate: the cpufreq governor, and turbo. */

/* Lists the governors in use, each once. Empty if the kernel has no control, as in most virtual machines. */
void power_governors(struct strv *out);

/* Returns 1 on, 0 off, -1 unknown. *SWITCH_OUT (may be NULL) is the file that turns it off; static. */
int power_turbo(const char **switch_out);

#endif
