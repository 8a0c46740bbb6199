#include "measure/machine/machine.h"

#include <sys/utsname.h>

#include "base/mem.h"
#include "measure/files/files.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* Returns NULL if the file is unreadable or empty; for free(). */
static char *fact(const char *path)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	return file_read_fact(path, &text) && text.len ? strbuf_take(&text) : NULL;
}

static const char *find_hypervisor(const char *cpuinfo, const char *sys_vendor, const char *osrelease)
{
	CLEANUP(free_ptr) char *product = fact("/sys/class/dmi/id/product_name");
	CLEANUP(free_ptr) char *sys_type = fact("/sys/hypervisor/type");
	CLEANUP(free_ptr) char *device_tree = fact("/proc/device-tree/hypervisor/compatible") ?:
						      fact("/proc/device-tree/compatible");
	bool virtual = cpuinfo_flag(cpuinfo, "hypervisor");
	char signature[13] = "";	/* the hypervisor's own name for itself */

#if defined(__x86_64__) || defined(__i386__)
	if (virtual) {
		unsigned eax, words[3];

		__cpuid(0x40000000, eax, words[0], words[1], words[2]);
		memcpy(signature, words, sizeof words);
	}
#endif
	return hypervisor_name(&(struct hypervisor_clues){
		.x86 = cpuinfo_is_x86(cpuinfo),
		.cpu_flag = virtual,
		.signature = signature,
		.sys_vendor = sys_vendor,
		.product_name = product,
		.sys_type = sys_type,
		.device_tree = device_tree,
		.osrelease = osrelease,
	});
}

void facts_read(struct machine *out)
{
	CLEANUP(free_ptr) char *cpuinfo = fact("/proc/cpuinfo") ?: xstrdup("");
	CLEANUP(free_ptr) char *sys_vendor = fact("/sys/class/dmi/id/sys_vendor");
	CLEANUP(free_ptr) char *release = fact("/etc/os-release") ?: fact("/usr/lib/os-release");
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned cpus = online > 0 ? (unsigned)online : 1;
	struct utsname host = { 0 };
	struct arena *arena = &out->arena;

	uname(&host);
	*out = (struct machine){ .cpus = cpus };
	out->arch = arena_strdup(arena, host.machine);
	out->cpu = arena_take(arena, cpuinfo_model(cpuinfo, sys_vendor));
	out->part = arena_take(arena, cpuinfo_part(cpuinfo, sys_vendor, cpus, getenv("PAWL_MACHINE")));
	out->kernel = arena_strdup(arena, host.release);
	out->os = arena_take(arena, (release ? os_release_value(release, "PRETTY_NAME") : NULL) ?: xstrdup(host.sysname));
	out->hypervisor = arena_strdup(arena, find_hypervisor(cpuinfo, sys_vendor, host.release));
}
