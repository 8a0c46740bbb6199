#include "measure/noise.h"

#include <glob.h>
#include <inttypes.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "measure/power.h"

/* What is worth a note although it does not make the machine busy. */
#define NOTED_STEAL_PCT 1.0
#define NOTED_OTHERS_SHARE 0.1
/* One tick is the kernel's rounding. */
#define LEAST_STEAL_TICKS 2
/* A tick is 10 ms: over a shorter time a few of them would read as CPUs that are not there. */
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
	out->idle_ticks = idle + iowait;
	out->steal_ticks = steal;
	out->total_ticks = out->busy_ticks + out->idle_ticks + steal;
	return true;
}

static double ticks_per_ms(void)
{
	return (double)sysconf(_SC_CLK_TCK) / 1000.0;
}

static uint64_t used_ticks(int who)
{
	struct rusage usage;
	double ms;

	getrusage(who, &usage);
	ms = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
	     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
	return (uint64_t)(ms * ticks_per_ms());
}

static uint64_t count_throttled(void)
{
	glob_t paths = { 0 };
	uint64_t sum = 0;

	glob("/sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/core_throttle_count", 0, NULL, &paths);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		long long count;

		if (file_read_number(paths.gl_pathv[i], &count) && count > 0)
			sum += (uint64_t)count;
	}
	globfree(&paths);
	return sum;
}

static void read_governor(struct noise *out)
{
	CLEANUP(strv_release) struct strv governors = STRV_INIT;

	power_governors(&governors);
	for (size_t i = 0; i < governors.n && !out->slow_governor; i++) {
		out->slow_governor = strcmp(governors.items[i], "performance") != 0;
		snprintf(out->governor, sizeof out->governor, "%s", governors.items[i]);
	}
}

void noise_read(struct noise *out)
{
	CLEANUP(strbuf_release) struct strbuf stat = STRBUF_INIT;

	*out = (struct noise){ .at_ns = clock_now_ns(), .load1 = -1 };
	if (file_read_fact("/proc/stat", &stat))
		noise_parse_stat(stat.buf, out);
	out->own_ticks = used_ticks(RUSAGE_SELF) + used_ticks(RUSAGE_CHILDREN);
	if (getloadavg(&out->load1, 1) != 1)
		out->load1 = -1;
	out->throttled = count_throttled();
	out->turbo = power_turbo(NULL) == 1;
	read_governor(out);
}

uint64_t noise_stolen_ticks(void)
{
	CLEANUP(strbuf_release) struct strbuf stat = STRBUF_INIT;
	struct noise noise = { 0 };

	if (file_read_fact("/proc/stat", &stat))
		noise_parse_stat(stat.buf, &noise);
	return noise.steal_ticks;
}

/* Counters of /proc/stat can step back a little when a CPU goes offline. */
static double rise(uint64_t before, uint64_t after)
{
	return after > before ? (double)(after - before) : 0.0;
}

double noise_others(const struct noise *before, const struct noise *after, double own_ms)
{
	double elapsed_ms = rise(before->at_ns, after->at_ns) / NS_PER_MS;
	double own_ticks = own_ms * ticks_per_ms() + rise(before->own_ticks, after->own_ticks);
	double others_ticks = rise(before->busy_ticks, after->busy_ticks) - own_ticks;

	if (elapsed_ms < LEAST_TIME_MS || others_ticks <= 0)
		return 0;
	return others_ticks / ticks_per_ms() / elapsed_ms;
}

double noise_steal_pct(const struct noise *before, const struct noise *after)
{
	double steal = rise(before->steal_ticks, after->steal_ticks);
	double busy = rise(before->busy_ticks, after->busy_ticks);

	return steal < LEAST_STEAL_TICKS ? 0 : 100.0 * steal / (steal + busy);
}

/* Appends what goes beyond the limits; true when something did. */
static bool describe(const struct noise *before, const struct noise *after, double own_ms, unsigned cpus,
		     double steal_pct_max, double others_share_max, struct strv *out)
{
	double others = noise_others(before, after, own_ms);
	double steal_pct = noise_steal_pct(before, after);
	size_t n = out->n;

	if (others > others_share_max * cpus)
		strv_pushf(out, "other processes used %.1f of %u CPU%s while measuring", others, cpus,
			   cpus == 1 ? "" : "s");
	if (steal_pct > steal_pct_max)
		strv_pushf(out, "the hypervisor took %.1f %% of the CPU time (steal)", steal_pct);
	return out->n > n;
}

bool noise_busy(const struct noise *before, const struct noise *after, double own_ms, unsigned cpus,
		struct strv *why_out)
{
	return describe(before, after, own_ms, cpus, NOISE_STEAL_PCT_MAX, NOISE_OTHERS_SHARE_MAX, why_out);
}

void noise_notes(const struct noise *before, const struct noise *after, double own_ms, unsigned cpus,
		 struct strv *notes_out)
{
	double throttled = rise(before->throttled, after->throttled);

	describe(before, after, own_ms, cpus, NOTED_STEAL_PCT, NOTED_OTHERS_SHARE, notes_out);
	if (before->load1 > cpus)
		strv_pushf(notes_out, "the load average was %.1f on %u CPU%s when measuring began", before->load1, cpus,
			   cpus == 1 ? "" : "s");
	if (throttled > 0)
		strv_pushf(notes_out, "the CPU was throttled %.0f time%s", throttled, throttled > 1 ? "s" : "");
	if (after->slow_governor)
		strv_pushf(notes_out, "the cpufreq governor is %s: clock rates vary", after->governor);
	if (after->turbo)
		strv_push(notes_out, "turbo is on: clock rates depend on heat and on the other cores");
}
