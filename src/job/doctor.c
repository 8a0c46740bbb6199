#include "job/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/process/cgroup.h"
#include "measure/process/proc.h"
#include "model/metrics/numbers.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

/* -------- findings */

void findings_add(struct findings *findings, enum finding_level level, const char *remedy, const char *fmt, ...)
{
	struct strbuf what = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&what, fmt, args);
	va_end(args);
	VEC_GROW(findings->items, findings->n, findings->cap);
	findings->items[findings->n++] = (struct finding){ .level = level, .what = strbuf_take(&what), .remedy = xstrdup(remedy) };
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

static const char *words_of(int sys)
{
	return strerrordesc_np(sys) ?: "unknown error";
}

/* -------- perf and its permissions */

static void check_perf(const struct doctor_facts *f, struct findings *out)
{
	const struct perf_tool *perf = &f->session.perf;

	if (!perf->path)
		findings_add(out, FINDING_PROBLEM, NULL, "%s", f->no_perf.msg);
	else
		findings_add(out, FINDING_OK, NULL, "perf %s (%s) runs on kernel %s%s%s", perf->version, perf->path,
			     f->machine.kernel,
			     perf->note ? "; " : "", perf->note ?: "");
}

static void check_permission(const struct doctor_facts *f, struct findings *out)
{
	/* perf may have file capabilities that pawl lacks. */
	enum finding_level level = f->machine.tier != TIER_NONE ? FINDING_WARNING : FINDING_PROBLEM;
	const char *remedy = REMEDY_PARANOID;
	int sys = f->event_errno;

	if (f->container)
		remedy = "start the container with --cap-add=PERFMON --security-opt seccomp=unconfined";
	else if (f->seccomp)
		remedy = "run pawl outside of the sandbox, or permit perf_event_open in its seccomp filter";
	if (!sys)
		findings_add(out, FINDING_OK, NULL, "perf_event_open works%s",
			     f->seccomp ? ", within a seccomp filter" : "");
	else if (sys == ENOSYS)
		findings_add(out, level, "use a kernel built with CONFIG_PERF_EVENTS, outside of sandboxes such as gVisor",
			     "the kernel has no perf_event_open");
	else if (sys == EPERM || sys == EACCES)
		findings_add(out, level, remedy, "perf_event_open is refused%s by the kernel's settings%s (%s)",
			     f->seccomp ? " by a seccomp filter or" : "", f->container ? " in this container" : "",
			     words_of(sys));
	else
		findings_add(out, level, NULL, "perf_event_open fails: %s", words_of(sys));
}

/* Levels 3 and 4 are Debian's, Ubuntu's and Android's; plain kernels treat them as 2. */
static void check_paranoid(const struct doctor_facts *f, struct findings *out)
{
	static const char *const meanings[] = {
		"everything is permitted to everybody",
		"everything but raw tracepoints is permitted to everybody",
		"everybody may measure their own processes, kernel work included",
		"ordinary users measure their own code only: what the kernel does for it is not counted",
		"ordinary users may not measure at all on kernels that know this level (Debian, Ubuntu)",
	};
	long long level = f->paranoid.value;

	if (!f->paranoid.known)
		findings_add(out, FINDING_WARNING, "use a kernel built with CONFIG_PERF_EVENTS",
			     "there is no kernel.perf_event_paranoid: this kernel, or a sandbox, has no perf events");
	else if (f->perf_capable)
		findings_add(out, FINDING_OK, NULL,
			     "kernel.perf_event_paranoid is %lld, which does not bind root or CAP_PERFMON", level);
	else
		findings_add(out, level > 1 ? FINDING_WARNING : FINDING_OK, level > 1 ? REMEDY_PARANOID : NULL,
			     "kernel.perf_event_paranoid is %lld: %s", level,
			     meanings[level < 0 ? 0 : level < 3 ? level + 1 : 4]);
}

static void check_pmu(const struct doctor_facts *f, struct findings *out)
{
	const struct machine *machine = &f->machine;

	if (!f->session.perf.path)
		findings_add(out, FINDING_WARNING, NULL, "what can be counted is not known without perf");
	else if (machine->tier == TIER_NONE)
		findings_add(out, FINDING_PROBLEM, machine->tier_remedy, "perf cannot count: %s", f->no_tier.msg);
	else if (machine->tier == TIER_HW)
		findings_add(out, FINDING_OK, NULL, "tier hw: hardware counters, kernel and user");
	else
		findings_add(out, FINDING_WARNING, machine->tier_remedy, "tier %s: %s", tier_names[machine->tier],
			     machine->tier_reason ?: "not all can be counted");
}

/* The NMI watchdog keeps a counter for itself. */
static void check_counters(const struct doctor_facts *f, struct findings *out)
{
	unsigned counters = f->machine.counters;

	if (!tier_has_hardware(f->machine.tier) || !counters)
		return;
	if (f->watchdog.value > 0)
		findings_add(out, FINDING_WARNING, "sudo sysctl kernel.nmi_watchdog=0",
			     "%u hardware events count at once, and the NMI watchdog holds a counter: more events are counted in "
			     "further runs", counters);
	else
		findings_add(out, FINDING_OK, NULL,
			     "%u hardware events count at once; more are counted in further runs", counters);
}

static void check_kptr(const struct doctor_facts *f, struct findings *out)
{
	bool hidden = f->kptr.value > 1 || (f->kptr.value == 1 && !f->syslog_capable);

	if (f->kptr.known)
		findings_add(out, hidden ? FINDING_WARNING : FINDING_OK,
			     hidden ? "sudo sysctl kernel.kptr_restrict=0" : NULL,
			     "kernel.kptr_restrict is %lld: %s", f->kptr.value,
			     hidden ? "the kernel's functions have no names in profiles" : "kernel addresses are visible");
}

/* -------- the CPUs: clock, sharing, load */

static void check_governor(const struct doctor_facts *f, struct findings *out)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	strbuf_list(&names, &f->governors, SIZE_MAX);
	if (!f->governors.n)
		findings_add(out, FINDING_OK, NULL, "no cpufreq governor: the clock rate is not the kernel's to set");
	else if (!strcmp(names.buf, "performance"))
		findings_add(out, FINDING_OK, NULL, "the cpufreq governor is performance");
	else
		findings_add(out, FINDING_WARNING,
			     "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
			     "the cpufreq governor is %s: clock rates vary", names.buf);
}

static void check_turbo(const struct doctor_facts *f, struct findings *out)
{
	CLEANUP(free_ptr) char *remedy = NULL;

	if (f->turbo > 0) {
		remedy = text_printf("echo %d | sudo tee %s", strstr(f->turbo_file, "no_turbo") ? 1 : 0, f->turbo_file);
		findings_add(out, FINDING_WARNING, remedy,
			     "turbo is on: clock rates depend on heat and on the other cores");
	} else {
		findings_add(out, FINDING_OK, NULL, f->turbo ? "turbo cannot be seen from here" : "turbo is off");
	}
}

static void check_smt(const struct doctor_facts *f, struct findings *out)
{
	if (f->smt.known && f->smt.value)
		findings_add(out, FINDING_WARNING, "echo off | sudo tee /sys/devices/system/cpu/smt/control",
			     "SMT is on: two CPUs share a core, and slow each other");
	else if (f->smt.known)
		findings_add(out, FINDING_OK, NULL, "SMT is off, or not visible: no CPU shares its core");
}

static void check_clock(const struct doctor_facts *f, struct findings *out)
{
	static const char *const slow[] = { "hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit" };

	if (!*f->clock_source)
		return;
	for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++)
		if (!strcmp(f->clock_source, slow[i])) {
			findings_add(out, FINDING_WARNING,
				     "boot with clocksource=tsc where dmesg does not call the TSC unstable",
				     "the clock source is %s: programs that read the time are slow", f->clock_source);
			return;
		}
	findings_add(out, FINDING_OK, NULL, "the clock source is %s", f->clock_source);
}

static void check_load(const struct doctor_facts *f, struct findings *out)
{
	double others = noise_others(&f->before, &f->after, 0);
	double load = f->before.load1, limit = NOISE_OTHERS_SHARE_MAX * f->machine.cpus;
	bool busy = others > limit || load > limit;

	findings_add(out, busy ? FINDING_WARNING : FINDING_OK,
		     busy ? "end or wait for what else runs (top shows it)" : NULL,
		     "other processes use %.1f of %u CPUs, load average %.1f", others, f->machine.cpus, load);
}

static void check_steal(const struct doctor_facts *f, struct findings *out)
{
	double now = noise_steal_pct(&f->before, &f->after);
	double ever = noise_steal_pct(&(struct noise){ 0 }, &f->after);
	bool much = now > NOISE_STEAL_PCT_MAX || ever > NOISE_STEAL_PCT_MAX;

	if (f->machine.hypervisor || much)
		findings_add(out, much ? FINDING_WARNING : FINDING_OK,
			     much ? "use a machine with CPUs of its own, and compare in pairs" : NULL,
			     "the hypervisor took %.1f %% of the CPU time in a short look, %.1f %% since boot (steal)",
			     now, ever);
}

/* -------- the surroundings: machine, container, disk and tools */

static void check_virtual(const struct doctor_facts *f, struct findings *out)
{
	const char *hypervisor = f->machine.hypervisor;

	if (!hypervisor)
		findings_add(out, FINDING_OK, NULL, "no hypervisor: this is the bare machine");
	else if (!strcmp(hypervisor, "wsl"))
		findings_add(out, FINDING_WARNING, "measure under Linux itself where times matter",
			     "Windows Subsystem for Linux: Windows takes its share of the CPUs unseen");
	else
		findings_add(out, FINDING_OK, NULL,
			     "a virtual machine (%s): times move with its neighbours, counts of work do not",
			     hypervisor);
}

static void check_container(const struct doctor_facts *f, struct findings *out)
{
	if (f->container)
		findings_add(out, FINDING_OK, NULL, "inside a container (%s): sysctl settings are made on its host",
			     f->container);
	else
		findings_add(out, FINDING_OK, NULL, "not inside a container");
}

static void check_cgroup(const struct doctor_facts *f, struct findings *out)
{
	if (!f->cgroup)
		findings_add(out, FINDING_OK, NULL, "no unified cgroup hierarchy here; pawl does without");
	else if (!f->cgroup_errno)
		findings_add(out, FINDING_OK, NULL, "pawl may make cgroups of its own below %s", f->cgroup);
	else
		findings_add(out, FINDING_OK, NULL, "pawl may make no cgroup below %s (%s); it does without", f->cgroup,
			     words_of(f->cgroup_errno));
}

static void check_disk(const struct doctor_facts *f, struct findings *out)
{
	bool small = f->free_bytes < GIB, none = f->free_bytes < 64 * MIB;

	if (!f->out_is_dir)
		findings_add(out, FINDING_PROBLEM, "remove the file, or give another --out", "%s is not a folder",
			     f->out_dir);
	else if (f->out_errno)
		findings_add(out, FINDING_PROBLEM, "give a folder that can be written with --out",
			     "nothing can be written in %s: %s",
			     f->out_dir, words_of(f->out_errno));
	else if (f->space_errno)
		findings_add(out, FINDING_WARNING, NULL, "the free space in %s is not known: %s", f->out_dir,
			     words_of(f->space_errno));
	else if (!f->files_left)
		findings_add(out, FINDING_PROBLEM, "remove files that are not needed, or give another --out",
			     "no file can be made in %s: all inodes are in use", f->out_dir);
	else
		findings_add(out, none ? FINDING_PROBLEM : small ? FINDING_WARNING : FINDING_OK,
			     small ? "make room, or give another --out" : NULL, "%s free in %s",
			     format_value((double)f->free_bytes, UNIT_BYTES).s, f->out_dir);
}

static void check_tool(const struct doctor_facts *f, const char *name, const char *path, const char *without,
		       struct findings *out)
{
	CLEANUP(free_ptr) char *remedy = os_release_install_command(f->os_release, name);

	if (path)
		findings_add(out, FINDING_OK, NULL, "%s", path);
	else
		findings_add(out, FINDING_WARNING, remedy, "%s is not installed: %s", name, without);
}

static void check_valgrind(const struct doctor_facts *f, struct findings *out)
{
	check_tool(f, "valgrind", f->valgrind, "instructions cannot be simulated where there are no hardware counters",
		   out);
}

static void check_git(const struct doctor_facts *f, struct findings *out)
{
	check_tool(f, "git", f->git, "results cannot name their commit, nor baselines be read from one", out);
}

static const struct {
	const char *key;
	void (*examine)(const struct doctor_facts *facts, struct findings *out);
} checks[] = {
	{ "perf", check_perf }, { "permission", check_permission }, { "paranoid", check_paranoid },
	{ "pmu", check_pmu }, { "counters", check_counters }, { "kptr", check_kptr },
	{ "governor", check_governor }, { "turbo", check_turbo }, { "smt", check_smt },
	{ "clock", check_clock }, { "load", check_load }, { "steal", check_steal },
	{ "virtual", check_virtual }, { "container", check_container }, { "cgroup", check_cgroup },
	{ "disk", check_disk }, { "valgrind", check_valgrind }, { "git", check_git },
};

void doctor_judge(const struct doctor_facts *facts, struct findings *out)
{
	for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
		size_t before = out->n;

		checks[i].examine(facts, out);
		if (out->n > before)
			out->items[before].check = checks[i].key;
	}
}

/* -------- the facts */

static char *text_of(const char *path)
{
	struct strbuf text = STRBUF_INIT;

	file_read_fact(path, &text);
	return strbuf_take(&text);
}

static struct fact number_of(const char *path)
{
	struct fact fact = { 0 };

	fact.known = file_read_number(path, &fact.value);
	return fact;
}

/* Returns 0, or the errno with which the kernel refuses the simplest event, the process's own time. */
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

static void read_process(struct doctor_facts *f)
{
	/* CAP_PERFMON was split from CAP_SYS_ADMIN. perf_event_paranoid binds neither. */
	enum { SYS_ADMIN = 21, SYSLOG = 34, PERFMON = 38 };
	CLEANUP(free_ptr) char *status = text_of("/proc/self/status"), *init_cgroup = text_of("/proc/1/cgroup");
	uint64_t capabilities = 0, seccomp = 0;

	proc_status_number(status, "CapEff", 16, &capabilities);
	proc_status_number(status, "Seccomp", 10, &seccomp);
	f->perf_capable = (capabilities >> PERFMON | capabilities >> SYS_ADMIN) & 1;
	f->syslog_capable = capabilities >> SYSLOG & 1;
	f->seccomp = seccomp != 0;
	f->event_errno = try_event();
	f->container = container_name(&(struct container_clues){
		.docker_file = file_exists("/.dockerenv"),
		.podman_file = file_exists("/run/.containerenv"),
		.variable = getenv("container"),
		.init_cgroup = init_cgroup,
	});
	f->cgroup = cgroup_own_folder();
	if (f->cgroup && faccessat(AT_FDCWD, f->cgroup, W_OK, AT_EACCESS) < 0)
		f->cgroup_errno = errno;
}

static void read_disk(struct doctor_facts *f, const char *out_dir)
{
	struct statvfs fs;

	f->out_dir = file_absolute(out_dir);
	while (!file_exists(f->out_dir) && strcmp(f->out_dir, "/")) {
		char *up = path_parent(f->out_dir);

		free(f->out_dir);
		f->out_dir = up;
	}
	f->out_is_dir = file_is_dir(f->out_dir);
	if (faccessat(AT_FDCWD, f->out_dir, W_OK | X_OK, AT_EACCESS) < 0)
		f->out_errno = errno;
	if (statvfs(f->out_dir, &fs) < 0) {
		f->space_errno = errno;
		return;
	}
	f->files_left = !fs.f_files || fs.f_favail;
	f->free_bytes = (unsigned long long)fs.f_bavail * fs.f_frsize;
}

/* Like session_open(), but takes no lock, and continues where that fails. */
static int open_session(struct doctor_facts *f, struct keeper *keeper, struct error *err)
{
	f->session = (struct session){ .keeper = keeper, .lock_fd = -1 };
	facts_read(&f->machine);
	if (perf_tool_find(keeper, &f->session.perf, &f->no_perf) < 0) {
		f->machine.tier = TIER_NONE;
		f->machine.tier_reason = "there is no perf to count with";
		return 0;
	}
	if (session_make_scratch(&f->session, &f->no_tier) == 0 &&
	    session_probe(&f->session, &f->machine, &f->no_tier) == 0)
		return 0;
	f->machine.tier = TIER_NONE;
	if (f->no_tier.kind != ERR_INTERRUPTED)
		return 0;
	return error_copy(err, &f->no_tier);
}

static void gather(struct doctor_facts *f, const char *out_dir)
{
	read_process(f);
	read_disk(f, out_dir);
	f->paranoid = number_of("/proc/sys/kernel/perf_event_paranoid");
	f->kptr = number_of("/proc/sys/kernel/kptr_restrict");
	f->watchdog = number_of("/proc/sys/kernel/nmi_watchdog");
	f->smt = number_of("/sys/devices/system/cpu/smt/active");
	f->clock_source = text_of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
	f->os_release = text_of("/etc/os-release");
	power_governors(&f->governors);
	f->turbo = power_turbo(&f->turbo_file);
	f->valgrind = file_find_program("valgrind", NULL);
	f->git = file_find_program("git", NULL);

	/* Time can be stolen only from a process that wants it, so compute between the readings. */
	noise_read(&f->before);
	while (clock_now_ns() < f->before.at_ns + 200 * NS_PER_MS)
		;
	noise_read(&f->after);
}

int doctor_examine(struct keeper *keeper, const char *out_dir, struct machine *machine_out, struct findings *out,
		   struct error *err)
{
	struct doctor_facts f = { 0 };
	int ret = open_session(&f, keeper, err);

	if (ret == 0) {
		gather(&f, out_dir);
		doctor_judge(&f, out);
		*machine_out = f.machine;
	} else {
		machine_release(&f.machine);
	}
	session_close(&f.session);
	free(f.container);
	strv_release(&f.governors);
	free(f.clock_source);
	free(f.cgroup);
	free(f.out_dir);
	free(f.valgrind);
	free(f.git);
	free(f.os_release);
	return ret;
}
