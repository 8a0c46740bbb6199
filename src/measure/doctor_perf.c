/* Checks of perf, and of what the kernel permits it. */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "measure/doctor_checks.h"
#include "measure/files.h"
#include "model/proc_stat.h"

static void check_perf(const struct doctor *doctor, const char *key, struct findings *out)
{
	const struct perf_tool *perf = &doctor->rig.perf;

	if (!perf->path)
		findings_add(out, key, FINDING_PROBLEM, NULL, "%s", doctor->perf_error.msg);
	else
		findings_add(out, key, FINDING_OK, NULL, "perf %s (%s) runs on kernel %s%s%s", perf->version,
			     perf->path, doctor->machine->kernel, perf->note ? "; " : "", perf->note ?: "");
}

/* Levels 3 and 4 are Debian's, Ubuntu's and Android's; plain kernels treat them as 2. */
void doctor_paranoid_finding(long long level, bool perf_capable, const char *key, struct findings *out)
{
	static const char *const meanings[] = {
		"everything but raw tracepoints is permitted to everybody",
		"everybody may measure their own processes, kernel work included",
		"ordinary users measure their own code only: what the kernel does for it is not counted",
		"ordinary users may not measure at all on kernels that know this level (Debian, Ubuntu)",
	};
	const char *meaning = level < 0 ? "everything is permitted to everybody" : meanings[level < 3 ? level : 3];

	if (perf_capable)
		findings_add(out, key, FINDING_OK, NULL,
			     "kernel.perf_event_paranoid is %lld, which does not bind root or CAP_PERFMON",
			     level);
	else
		findings_add(out, key, level > 1 ? FINDING_WARNING : FINDING_OK, level > 1 ? REMEDY_PARANOID : NULL,
			     "kernel.perf_event_paranoid is %lld: %s", level, meaning);
}

static void check_paranoid(const struct doctor *doctor, const char *key, struct findings *out)
{
	long long level;

	if (file_read_number("/proc/sys/kernel/perf_event_paranoid", &level))
		doctor_paranoid_finding(level, doctor_perf_capable(doctor), key, out);
	else
		findings_add(out, key, FINDING_WARNING, "use a kernel built with CONFIG_PERF_EVENTS",
			     "there is no kernel.perf_event_paranoid: this kernel, or a sandbox, has no perf events");
}

void doctor_kptr_finding(long long restrict_level, bool syslog_capable, const char *key, struct findings *out)
{
	bool hidden = restrict_level > 1 || (restrict_level == 1 && !syslog_capable);

	findings_add(out, key, hidden ? FINDING_WARNING : FINDING_OK,
		     hidden ? "sudo sysctl kernel.kptr_restrict=0" : NULL, "kernel.kptr_restrict is %lld: %s",
		     restrict_level,
		     hidden ? "the kernel's functions have no names in profiles" : "kernel addresses are visible");
}

static void check_kptr(const struct doctor *doctor, const char *key, struct findings *out)
{
	enum { CAPABILITY_SYSLOG = 34 };
	long long level;

	if (file_read_number("/proc/sys/kernel/kptr_restrict", &level))
		doctor_kptr_finding(level, doctor_capable(doctor, CAPABILITY_SYSLOG), key, out);
}

/* 0, or the errno with which the kernel refuses the humblest of all events: our own time. */
static int try_event(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, (unsigned long)PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

void doctor_permission_finding(int sys, bool seccomp, const char *container, bool counts, const char *key,
			       struct findings *out)
{
	/* perf may have file capabilities that pawl has not. */
	enum finding_level level = counts ? FINDING_WARNING : FINDING_PROBLEM;
	const char *remedy = REMEDY_PARANOID;

	if (container)
		remedy = "start the container with --cap-add=PERFMON --security-opt seccomp=unconfined";
	else if (seccomp)
		remedy = "run pawl outside of the sandbox, or permit perf_event_open in its seccomp filter";
	if (!sys)
		findings_add(out, key, FINDING_OK, NULL, "perf_event_open works%s",
			     seccomp ? ", within a seccomp filter" : "");
	else if (sys == ENOSYS)
		findings_add(out, key, level,
			     "use a kernel built with CONFIG_PERF_EVENTS, outside of sandboxes such as gVisor",
			     "the kernel has no perf_event_open");
	else if (sys == EPERM || sys == EACCES)
		findings_add(out, key, level, remedy, "perf_event_open is refused%s%s%s (%s)",
			     seccomp ? " by a seccomp filter or" : "", " by the kernel's settings",
			     container ? " in this container" : "", strerrordesc_np(sys));
	else
		findings_add(out, key, level, NULL, "perf_event_open fails: %s",
			     strerrordesc_np(sys) ?: "unknown error");
}

static void check_permission(const struct doctor *doctor, const char *key, struct findings *out)
{
	uint64_t mode = 0;

	proc_status_number(doctor->status, "Seccomp", 10, &mode);
	doctor_permission_finding(try_event(), mode != 0, doctor->container, doctor->machine->tier != TIER_NONE,
				  key, out);
}

static void check_pmu(const struct doctor *doctor, const char *key, struct findings *out)
{
	const struct machine *machine = doctor->machine;

	if (!doctor->rig.perf.path)
		findings_add(out, key, FINDING_WARNING, NULL, "what can be counted is not known without perf");
	else if (machine->tier == TIER_NONE)
		findings_add(out, key, FINDING_PROBLEM, machine->tier_remedy, "perf cannot count: %s",
			     doctor->probe_error.msg);
	else if (machine->tier == TIER_HW)
		findings_add(out, key, FINDING_OK, NULL, "tier hw: hardware counters, kernel and user");
	else
		findings_add(out, key, FINDING_WARNING, machine->tier_remedy, "tier %s: %s", tier_name(machine->tier),
			     machine->tier_reason ?: "not all can be counted");
}

/* The NMI watchdog keeps a counter for itself. */
static void check_counters(const struct doctor *doctor, const char *key, struct findings *out)
{
	unsigned counters = doctor->machine->counters;
	long long watchdog = 0;

	if (!tier_has_hardware(doctor->machine->tier) || !counters)
		return;
	file_read_number("/proc/sys/kernel/nmi_watchdog", &watchdog);
	if (watchdog > 0)
		findings_add(out, key, FINDING_WARNING, "sudo sysctl kernel.nmi_watchdog=0",
			     "%u hardware events count at once, and the NMI watchdog holds a counter: "
			     "more events are counted in further runs", counters);
	else
		findings_add(out, key, FINDING_OK, NULL,
			     "%u hardware events count at once; more are counted in further runs", counters);
}

const struct doctor_check doctor_perf_checks[] = {
	{ "perf", check_perf },
	{ "permission", check_permission },
	{ "paranoid", check_paranoid },
	{ "pmu", check_pmu },
	{ "counters", check_counters },
	{ "kptr", check_kptr },
	{ NULL, NULL },
};
