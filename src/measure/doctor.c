#include "measure/doctor.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/clock.h"
#include "measure/doctor_checks.h"
#include "measure/facts.h"
#include "measure/files.h"
#include "measure/probe.h"
#include "model/container.h"
#include "model/proc_stat.h"

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

bool doctor_capable(const struct doctor *doctor, unsigned capability)
{
	uint64_t effective;

	return proc_status_number(doctor->status, "CapEff", 16, &effective) && (effective >> capability & 1);
}

bool doctor_perf_capable(const struct doctor *doctor)
{
	enum { SYS_ADMIN = 21, PERFMON = 38 };

	return doctor_capable(doctor, PERFMON) || doctor_capable(doctor, SYS_ADMIN);
}

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

/* As rig_open() does, but without the lock, and going on where that gives up. */
static int open_rig(struct doctor *doctor, struct keeper *keeper, struct machine *machine, struct error *err)
{
	struct rig *rig = &doctor->rig;

	*rig = (struct rig){ .keeper = keeper, .lock_fd = -1 };
	signal(SIGPIPE, SIG_IGN);
	if (perf_tool_find(&rig->perf, &doctor->perf_error) < 0) {
		machine->tier = TIER_NONE;
		machine->tier_reason = xstrdup("there is no perf to count with");
		return 0;
	}
	if (rig_make_scratch(rig, &doctor->probe_error) == 0 && probe_tier(rig, machine, &doctor->probe_error) == 0)
		return 0;
	machine->tier = TIER_NONE;
	if (doctor->probe_error.kind == ERR_INTERRUPTED) {
		*err = doctor->probe_error;
		return -1;
	}
	return 0;
}

static void examine_group(const struct doctor *doctor, const struct doctor_check *checks, struct findings *out)
{
	for (; checks->key; checks++)
		checks->examine(doctor, checks->key, out);
}

int doctor_examine(struct keeper *keeper, const char *out_dir, struct machine *machine_out, struct findings *out,
		   struct error *err)
{
	struct machine machine;
	struct doctor doctor = { .out_dir = out_dir, .machine = &machine };
	int ret;

	facts_read(&machine);
	ret = open_rig(&doctor, keeper, &machine, err);
	if (ret == 0) {
		doctor.os_release = text_of("/etc/os-release");
		doctor.status = text_of("/proc/self/status");
		doctor.container = find_container();
		look_at_noise(&doctor);
		examine_group(&doctor, doctor_perf_checks, out);
		examine_group(&doctor, doctor_cpu_checks, out);
		examine_group(&doctor, doctor_place_checks, out);
		*machine_out = machine;
		machine = (struct machine){ 0 };
	}
	machine_release(&machine);
	rig_close(&doctor.rig);
	free(doctor.os_release);
	free(doctor.status);
	free(doctor.container);
	return ret;
}
