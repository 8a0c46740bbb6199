/* Checks of the CPUs: their clock, who shares them, who is busy on them. */
#include "base/cleanup.h"
#include "measure/doctor_checks.h"
#include "measure/files.h"
#include "measure/power.h"

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

const struct doctor_check doctor_cpu_checks[] = {
	{ "governor", check_governor },
	{ "turbo", check_turbo },
	{ "smt", check_smt },
	{ "clock", check_clock },
	{ "load", check_load },
	{ "steal", check_steal },
	{ NULL, NULL },
};
