/*
 * Which CPU this is, from the text of /proc/cpuinfo. Only what stays the same from boot to boot
 * is used: the machine class is made of it, and CPUs that run at different speeds must not
 * share one.
 */
#ifndef PAWL_MODEL_CPUINFO_H
#define PAWL_MODEL_CPUINFO_H

#include <stdbool.h>

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

#endif
