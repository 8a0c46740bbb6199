#include "measure/machine/machine.h"

#include <glob.h>
#include <inttypes.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/process/processes.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* -------- facts */

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

/* -------- noise */

void power_governors(struct strv *out)
{
	glob_t paths = { 0 };

	glob("/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor", 0, NULL, &paths);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		CLEANUP(strbuf_release) struct strbuf governor = STRBUF_INIT;

		if (file_read_fact(paths.gl_pathv[i], &governor) && governor.len && !strv_has(out, governor.buf))
			strv_push(out, governor.buf);
	}
	globfree(&paths);
}

int power_turbo(const char **switch_out)
{
	static const struct {
		const char *path;
		long long off;
	} switches[] = {
		{ "/sys/devices/system/cpu/intel_pstate/no_turbo", 1 },
		{ "/sys/devices/system/cpu/cpufreq/boost", 0 },
	};

	for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
		long long value;

		if (!file_read_number(switches[i].path, &value))
			continue;
		if (switch_out)
			*switch_out = switches[i].path;
		return value != switches[i].off;
	}
	return -1;
}

#define NOTED_STEAL_PCT 1.0
#define NOTED_OTHERS_SHARE 0.1
/* One tick may be the kernel's rounding. */
#define LEAST_STEAL_TICKS 2
/* In a shorter time, a few ticks of 10 ms would be more CPUs than exist. */
#define LEAST_TIME_MS 200

bool noise_parse_stat(const char *text, struct noise *out)
{
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;

	/* User time includes the guests'. "cpu0" would match "cpu %u" too. */
	if (strncmp(text, "cpu ", 4) ||
	    sscanf(text + 4,
		   "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
		   &user, &nice, &system, &idle, &iowait, &irq, &softirq, &steal) != 8)
		return false;
	out->busy_ticks = user + nice + system + irq + softirq;
	out->steal_ticks = steal;
	return true;
}

static uint64_t used_ticks(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (uint64_t)(rusage_ms(&usage) / process_ticks_ms(1));
}

void noise_read(struct noise *out)
{
	CLEANUP(strbuf_release) struct strbuf stat = STRBUF_INIT;
	CLEANUP(strv_release) struct strv governors = STRV_INIT;
	glob_t paths = { 0 };

	*out = (struct noise){ .at_ns = clock_now_ns(), .turbo = power_turbo(NULL) == 1 };
	if (file_read_fact("/proc/stat", &stat))
		noise_parse_stat(stat.buf, out);
	out->own_ticks = used_ticks(RUSAGE_SELF) + used_ticks(RUSAGE_CHILDREN);
	if (getloadavg(&out->load1, 1) != 1)
		out->load1 = -1;
	glob("/sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/core_throttle_count", 0, NULL, &paths);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		long long count;

		if (file_read_number(paths.gl_pathv[i], &count) && count > 0)
			out->throttled += (uint64_t)count;
	}
	globfree(&paths);
	power_governors(&governors);
	for (size_t i = 0; i < governors.n && !out->governor[0]; i++)
		if (strcmp(governors.items[i], "performance"))
			snprintf(out->governor, sizeof out->governor, "%s", governors.items[i]);
}

uint64_t noise_stolen_ticks(void)
{
	CLEANUP(strbuf_release) struct strbuf stat = STRBUF_INIT;
	struct noise noise = { 0 };

	if (file_read_fact("/proc/stat", &stat))
		noise_parse_stat(stat.buf, &noise);
	return noise.steal_ticks;
}

/* Counters step back slightly when a CPU goes offline. */
static double rise(uint64_t before, uint64_t after)
{
	return after > before ? (double)(after - before) : 0.0;
}

double noise_others(const struct noise *before, const struct noise *after, double own_ms)
{
	double elapsed_ms = rise(before->at_ns, after->at_ns) / NS_PER_MS;
	double own_ticks = own_ms / process_ticks_ms(1) + rise(before->own_ticks, after->own_ticks);
	double others_ticks = rise(before->busy_ticks, after->busy_ticks) - own_ticks;

	if (elapsed_ms < LEAST_TIME_MS || others_ticks <= 0)
		return 0;
	return others_ticks * process_ticks_ms(1) / elapsed_ms;
}

double noise_steal_pct(const struct noise *before, const struct noise *after)
{
	double steal = rise(before->steal_ticks, after->steal_ticks);
	double busy = rise(before->busy_ticks, after->busy_ticks);

	return steal < LEAST_STEAL_TICKS ? 0 : 100.0 * steal / (steal + busy);
}

static void add_line(char *line, bool noted, bool is_busy, struct strv *notes, struct strv *busy)
{
	if (noted)
		strv_push(notes, line);
	if (is_busy)
		strv_push(busy, line);
	free(line);
}

void noise_describe(const struct noise *before, const struct noise *after, double own_ms, unsigned cpus, struct strv *notes,
		    struct strv *busy)
{
	double others = noise_others(before, after, own_ms), share = others / cpus;
	double steal_pct = noise_steal_pct(before, after);
	double throttled = rise(before->throttled, after->throttled);
	const char *plural = cpus == 1 ? "" : "s";

	add_line(text_printf("other processes used %.1f of %u CPU%s while measuring", others, cpus, plural),
		 share > NOTED_OTHERS_SHARE, share > NOISE_OTHERS_SHARE_MAX, notes, busy);
	add_line(text_printf("the hypervisor took %.1f %% of the CPU time (steal)", steal_pct),
		 steal_pct > NOTED_STEAL_PCT, steal_pct > NOISE_STEAL_PCT_MAX, notes, busy);
	if (before->load1 > cpus)
		strv_pushf(notes, "the load average was %.1f on %u CPU%s when measuring began", before->load1, cpus, plural);
	if (throttled > 0)
		strv_pushf(notes, "the CPU was throttled %.0f time%s", throttled, throttled > 1 ? "s" : "");
	if (after->governor[0])
		strv_pushf(notes, "the cpufreq governor is %s: clock rates vary", after->governor);
	if (after->turbo)
		strv_push(notes, "turbo is on: clock rates depend on heat and on the other cores");
}
