/*
 * The measuring machine: the stable facts that make numbers comparable (its class), the events it can count (its
 * tier), and temporary conditions that deserve a note.
 */
#ifndef PAWL_MODEL_MACHINE_H
#define PAWL_MODEL_MACHINE_H

#include <stdbool.h>

#include "base/mem.h"
#include "base/text.h"

/* Ability to count events, best first. */
enum tier {
	TIER_HW,	/* hardware counters, kernel and user */
	TIER_HW_USER,	/* hardware counters, user only */
	TIER_SW,	/* no hardware counters */
	TIER_SW_USER,	/* nor kernel events: perf_event_paranoid 2 */
	TIER_SIM,	/* simulated by valgrind */
	TIER_NONE,	/* perf cannot count at all */
};

extern const char *const tier_names[];	/* "hw-user", ...; NULL-terminated */
/* True if instructions, branches and cycles can be counted. */
bool tier_has_hardware(enum tier tier);

/* Kinds of samples that perf takes. */
enum sampled {
	SAMPLED_CPU,		/* CPU time: cycles where they can be counted, else clock ticks */
	SAMPLED_CLOCK,		/* CPU time: clock ticks, as the cycle counter of some machines never interrupts */
	SAMPLED_FAULTS,		/* page faults */
	SAMPLED_SWITCHES,	/* moments in which a thread leaves the CPU, which are events of the kernel */
};

/* Returns perf's event for WHAT on a machine of TIER; NULL if it cannot be sampled there. */
const char *tier_event(enum tier tier, enum sampled what);

/* The arena owns the texts. */
struct machine {
	struct arena arena;
	const char *arch;		/* from uname: x86_64, aarch64 */
	const char *cpu;		/* model name from the kernel */
	const char *part;		/* the machine part of the class: intel-xeon-8370c-4cpu, or PAWL_MACHINE */
	unsigned cpus;		/* online */
	enum tier tier;
	const char *kernel, *os;
	const char *perf_path, *perf_version;
	const char *hypervisor;	/* kvm, microsoft, ...; NULL on bare metal */
	const char *tier_reason;	/* reason why the tier is not better, or NULL */
	const char *tier_remedy;	/* command that improves it, or NULL */
	unsigned counters;	/* hardware events counted at once without multiplexing; 0: unknown */
	struct strv notes;	/* the machine was busy, throttled, governed for power, ... */
};

void machine_release(struct machine *machine);
void machine_copy(struct machine *out, const struct machine *from);

/* Returns the class, as "x86_64-intel-xeon-8370c-4cpu-sw"; for free(). */
char *machine_class(const struct machine *machine);
/*
 * Returns CPU in lower case letters, digits, dots and single hyphens: "Intel(R) Xeon(R) 8370C CPU @ 2.80GHz" becomes
 * "intel-xeon-8370c".
 */
char *machine_cpu_slug(const char *cpu);

#endif
