#include "measure/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "measure/machine/machine.h"
#include "measure/perf/perf.h"
#include "measure/process/process.h"

/* What the checks look at, gathered once. */
struct doctor {
	const char *out_dir;
	const struct machine *machine;
	struct session session;
	struct error perf_error;	/* why there is no perf, ERR_NONE when there is */
	struct error probe_error;	/* why perf cannot count, ERR_NONE when it can */
	char *os_release, *status;	/* texts of /etc/os-release and /proc/self/status, never NULL */
	char *container;		/* its kind, or NULL */
	struct noise before, after;	/* around some milliseconds of computing */
};

/* -------- findings */

void findings_add(struct findings *findings, const char *check, enum finding_level level, const char *remedy,
		  const char *fmt, ...)
{
	struct strbuf what = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&what, fmt, args);
	va_end(args);
	VEC_GROW(findings->items, findings->n, findings->cap);
	findings->items[findings->n++] = (struct finding){
		.check = check,
		.level = level,
		.what = strbuf_take(&what),
		.remedy = xstrdup(remedy),
	};
}

void findings_release(struct findings *findings)
{
	for (size_t i = 0; i < findings->n; i++) {
		free(findings->items[i].what);
		free(findings->items[i].remedy);
	}
	free(findings->items);
	*findings = (struct findings){ 0 };
}

enum finding_level findings_worst(const struct findings *findings)
{
	enum finding_level worst = FINDING_OK;

	for (size_t i = 0; i < findings->n; i++)
		if (findings->items[i].level > worst)
			worst = findings->items[i].level;
	return worst;
}

/* -------- perf, and what the kernel permits it */

/* True when this process has the capability of that number. */
static bool doctor_capable(const struct doctor *doctor, unsigned capability)
{
	uint64_t effective;

	return proc_status_number(doctor->status, "CapEff", 16, &effective) && (effective >> capability & 1);
}

static void check_perf(const struct doctor *doctor, const char *key, struct findings *out)
{
	const struct perf_tool *perf = &doctor->session.perf;

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
	/* CAP_SYS_ADMIN is what CAP_PERFMON was split from: perf_event_paranoid binds neither. */
	enum { SYS_ADMIN = 21, PERFMON = 38 };
	long long level;

	if (file_read_number("/proc/sys/kernel/perf_event_paranoid", &level))
		doctor_paranoid_finding(level, doctor_capable(doctor, PERFMON) || doctor_capable(doctor, SYS_ADMIN), key, out);
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

	if (!doctor->session.perf.path)
		findings_add(out, key, FINDING_WARNING, NULL, "what can be counted is not known without perf");
	else if (machine->tier == TIER_NONE)
		findings_add(out, key, FINDING_PROBLEM, machine->tier_remedy, "perf cannot count: %s",
			     doctor->probe_error.msg);
	else if (machine->tier == TIER_HW)
		findings_add(out, key, FINDING_OK, NULL, "tier hw: hardware counters, kernel and user");
	else
		findings_add(out, key, FINDING_WARNING, machine->tier_remedy, "tier %s: %s", tier_names[machine->tier],
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

/* -------- the CPUs: their clock, who shares them, who is busy on them */

static void check_governor(const struct doctor *doctor, const char *key, struct findings *out)
{
	CLEANUP(strv_release) struct strv governors = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;
	bool fixed;

	(void)doctor;
	power_governors(&governors);
	fixed = governors.n == 1 && !strcmp(governors.items[0], "performance");
	for (size_t i = 0; i < governors.n; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", governors.items[i]);
	if (!governors.n)
		findings_add(out, key, FINDING_OK, NULL,
			     "no cpufreq governor: the clock rate is not the kernel's to set");
	else if (fixed)
		findings_add(out, key, FINDING_OK, NULL, "the cpufreq governor is performance");
	else
		findings_add(out, key, FINDING_WARNING,
			     "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
			     "the cpufreq governor is %s: clock rates vary", names.buf);
}

static void check_turbo(const struct doctor *doctor, const char *key, struct findings *out)
{
	CLEANUP(strbuf_release) struct strbuf remedy = STRBUF_INIT;
	const char *file = NULL;
	int turbo = power_turbo(&file);

	(void)doctor;
	if (turbo > 0) {
		strbuf_addf(&remedy, "echo %d | sudo tee %s", strstr(file, "no_turbo") ? 1 : 0, file);
		findings_add(out, key, FINDING_WARNING, remedy.buf,
			     "turbo is on: clock rates depend on heat and on the other cores");
	} else {
		findings_add(out, key, FINDING_OK, NULL, turbo ? "turbo cannot be seen from here" : "turbo is off");
	}
}

static void check_smt(const struct doctor *doctor, const char *key, struct findings *out)
{
	long long active;

	(void)doctor;
	if (!file_read_number("/sys/devices/system/cpu/smt/active", &active))
		return;
	if (active)
		findings_add(out, key, FINDING_WARNING, "echo off | sudo tee /sys/devices/system/cpu/smt/control",
			     "SMT is on: two CPUs share a core, and slow each other");
	else
		findings_add(out, key, FINDING_OK, NULL, "SMT is off, or not visible: no CPU shares its core");
}

static void check_clock(const struct doctor *doctor, const char *key, struct findings *out)
{
	static const char *const slow[] = { "hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit" };
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	(void)doctor;
	if (!file_read_fact("/sys/devices/system/clocksource/clocksource0/current_clocksource", &name))
		return;
	for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++)
		if (!strcmp(name.buf, slow[i])) {
			findings_add(out, key, FINDING_WARNING,
				     "boot with clocksource=tsc where dmesg does not call the TSC unstable",
				     "the clock source is %s: programs that read the time are slow", name.buf);
			return;
		}
	findings_add(out, key, FINDING_OK, NULL, "the clock source is %s", name.buf);
}

static void check_load(const struct doctor *doctor, const char *key, struct findings *out)
{
	double others = noise_others(&doctor->before, &doctor->after, 0);
	double load = doctor->before.load1, limit = NOISE_OTHERS_SHARE_MAX * doctor->machine->cpus;
	bool busy = others > limit || load > limit;

	findings_add(out, key, busy ? FINDING_WARNING : FINDING_OK,
		     busy ? "end or wait for what else runs (top shows it)" : NULL,
		     "other processes use %.1f of %u CPUs, load average %.1f", others, doctor->machine->cpus, load);
}

static void check_steal(const struct doctor *doctor, const char *key, struct findings *out)
{
	double now = noise_steal_pct(&doctor->before, &doctor->after);
	double ever = noise_steal_pct(&(struct noise){ 0 }, &doctor->after);
	bool much = now > NOISE_STEAL_PCT_MAX || ever > NOISE_STEAL_PCT_MAX;

	if (!doctor->machine->hypervisor && !much)
		return;
	findings_add(out, key, much ? FINDING_WARNING : FINDING_OK,
		     much ? "use a machine with CPUs of its own, and compare in pairs" : NULL,
		     "the hypervisor took %.1f %% of the CPU time in a short look, %.1f %% since boot (steal)",
		     now, ever);
}

/* -------- where pawl runs: machine, container, disk, and the tools it can use there */

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static void check_virtual(const struct doctor *doctor, const char *key, struct findings *out)
{
	const char *hypervisor = doctor->machine->hypervisor;

	if (!hypervisor)
		findings_add(out, key, FINDING_OK, NULL, "no hypervisor: this is the bare machine");
	else if (!strcmp(hypervisor, "wsl"))
		findings_add(out, key, FINDING_WARNING, "measure under Linux itself where times matter",
			     "Windows Subsystem for Linux: Windows takes its share of the CPUs unseen");
	else
		findings_add(out, key, FINDING_OK, NULL,
			     "a virtual machine (%s): times move with its neighbours, counts of work do not",
			     hypervisor);
}

static void check_container(const struct doctor *doctor, const char *key, struct findings *out)
{
	if (doctor->container)
		findings_add(out, key, FINDING_OK, NULL,
			     "inside a container (%s): sysctl settings are made on its host", doctor->container);
	else
		findings_add(out, key, FINDING_OK, NULL, "not inside a container");
}

/* The folder of our own cgroup in the unified hierarchy; NULL where there is none. For free(). */
static char *own_cgroup(void)
{
	static const char *const mounts[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = NULL;

	if (file_read_fact("/proc/self/cgroup", &text))
		path = cgroup_unified_path(text.buf);
	for (size_t i = 0; path && i < sizeof mounts / sizeof mounts[0]; i++) {
		CLEANUP(free_ptr) char *controllers = file_join(mounts[i], "cgroup.controllers");

		if (file_exists(controllers))
			return file_join(mounts[i], path + 1);
	}
	return NULL;
}

static void check_cgroup(const struct doctor *doctor, const char *key, struct findings *out)
{
	CLEANUP(free_ptr) char *folder = own_cgroup();

	(void)doctor;
	if (!folder)
		findings_add(out, key, FINDING_OK, NULL, "no unified cgroup hierarchy here; pawl does without");
	else if (faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0)
		findings_add(out, key, FINDING_OK, NULL, "pawl may make cgroups of its own below %s", folder);
	else
		findings_add(out, key, FINDING_OK, NULL, "pawl may make no cgroup below %s (%s); it does without",
			     folder, strerrordesc_np(errno) ?: "unknown error");
}

void doctor_space_finding(unsigned long long free_bytes, bool files_left, const char *path, const char *key,
			  struct findings *out)
{
	enum finding_level level = FINDING_OK;

	if (free_bytes < 64 * MIB || !files_left)
		level = FINDING_PROBLEM;
	else if (free_bytes < GIB)
		level = FINDING_WARNING;
	if (!files_left)
		findings_add(out, key, level, "remove files that are not needed, or give another --out",
			     "no file can be made in %s: all inodes are in use", path);
	else
		findings_add(out, key, level, level ? "make room, or give another --out" : NULL, "%.1f %s free in %s",
			     (double)free_bytes / (free_bytes < GIB ? MIB : GIB), free_bytes < GIB ? "MiB" : "GiB",
			     path);
}

/* The folder PATH itself, or the nearest above it that exists; for free(). */
static char *nearest_existing(const char *path)
{
	char *folder = file_absolute(path);

	while (!file_exists(folder) && strcmp(folder, "/")) {
		char *up = path_parent(folder);

		free(folder);
		folder = up;
	}
	return folder;
}

static void check_disk(const struct doctor *doctor, const char *key, struct findings *out)
{
	CLEANUP(free_ptr) char *folder = nearest_existing(doctor->out_dir);
	struct statvfs fs;

	if (!file_is_dir(folder))
		findings_add(out, key, FINDING_PROBLEM, "remove the file, or give another --out", "%s is no folder",
			     folder);
	else if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) < 0)
		findings_add(out, key, FINDING_PROBLEM, "give a folder that can be written with --out",
			     "nothing can be written in %s: %s", folder, strerrordesc_np(errno) ?: "unknown error");
	else if (statvfs(folder, &fs) < 0)
		findings_add(out, key, FINDING_WARNING, NULL, "the free space in %s is not known: %s", folder,
			     strerrordesc_np(errno) ?: "unknown error");
	else
		doctor_space_finding((unsigned long long)fs.f_bavail * fs.f_frsize, !fs.f_files || fs.f_favail,
				     folder, key, out);
}

/* A program that pawl can use when it is there. WITHOUT says what is left out else. */
static void check_tool(const struct doctor *doctor, const char *key, const char *without, struct findings *out)
{
	CLEANUP(free_ptr) char *path = file_find_program(key, NULL);
	CLEANUP(free_ptr) char *remedy = os_release_install_command(doctor->os_release, key);

	if (path)
		findings_add(out, key, FINDING_OK, NULL, "%s", path);
	else
		findings_add(out, key, FINDING_WARNING, remedy, "%s is not installed: %s", key, without);
}

static void check_valgrind(const struct doctor *doctor, const char *key, struct findings *out)
{
	check_tool(doctor, key, "instructions cannot be simulated where there are no hardware counters", out);
}

static void check_git(const struct doctor *doctor, const char *key, struct findings *out)
{
	check_tool(doctor, key, "results cannot name their commit, nor baselines be read from one", out);
}

/* -------- all of it */

static const struct {
	const char *key;
	void (*examine)(const struct doctor *doctor, const char *key, struct findings *out);
} checks[] = {
	{ "perf", check_perf },
	{ "permission", check_permission },
	{ "paranoid", check_paranoid },
	{ "pmu", check_pmu },
	{ "counters", check_counters },
	{ "kptr", check_kptr },
	{ "governor", check_governor },
	{ "turbo", check_turbo },
	{ "smt", check_smt },
	{ "clock", check_clock },
	{ "load", check_load },
	{ "steal", check_steal },
	{ "virtual", check_virtual },
	{ "container", check_container },
	{ "cgroup", check_cgroup },
	{ "disk", check_disk },
	{ "valgrind", check_valgrind },
	{ "git", check_git },
};

static char *text_of(const char *path)
{
	struct strbuf text = STRBUF_INIT;

	file_read_fact(path, &text);
	return strbuf_take(&text);
}

static char *find_container(void)
{
	CLEANUP(free_ptr) char *init_cgroup = text_of("/proc/1/cgroup");

	return container_name(&(struct container_clues){
		.docker_file = file_exists("/.dockerenv"),
		.podman_file = file_exists("/run/.containerenv"),
		.variable = getenv("container"),
		.init_cgroup = init_cgroup,
	});
}

/* Time can be stolen only from somebody who wants it: compute between the readings. */
static void look_at_noise(struct doctor *doctor)
{
	uint64_t end;

	noise_read(&doctor->before);
	for (end = doctor->before.at_ns + 200 * NS_PER_MS; clock_now_ns() < end;)
		;
	noise_read(&doctor->after);
}

/* As session_open() does, but without the lock, and going on where that gives up. */
static int open_session(struct doctor *doctor, struct keeper *keeper, struct machine *machine, struct error *err)
{
	struct session *session = &doctor->session;

	*session = (struct session){ .keeper = keeper, .lock_fd = -1 };
	signal(SIGPIPE, SIG_IGN);
	if (perf_tool_find(&session->perf, &doctor->perf_error) < 0) {
		machine->tier = TIER_NONE;
		machine->tier_reason = xstrdup("there is no perf to count with");
		return 0;
	}
	if (session_make_scratch(session, &doctor->probe_error) == 0 && probe_tier(session, machine, &doctor->probe_error) == 0)
		return 0;
	machine->tier = TIER_NONE;
	if (doctor->probe_error.kind == ERR_INTERRUPTED) {
		*err = doctor->probe_error;
		return -1;
	}
	return 0;
}

int doctor_examine(struct keeper *keeper, const char *out_dir, struct machine *machine_out, struct findings *out,
		   struct error *err)
{
	struct machine machine;
	struct doctor doctor = { .out_dir = out_dir, .machine = &machine };
	int ret;

	facts_read(&machine);
	ret = open_session(&doctor, keeper, &machine, err);
	if (ret == 0) {
		doctor.os_release = text_of("/etc/os-release");
		doctor.status = text_of("/proc/self/status");
		doctor.container = find_container();
		look_at_noise(&doctor);
		for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
			checks[i].examine(&doctor, checks[i].key, out);
		*machine_out = machine;
		machine = (struct machine){ 0 };
	}
	machine_release(&machine);
	session_close(&doctor.session);
	free(doctor.os_release);
	free(doctor.status);
	free(doctor.container);
	return ret;
}
