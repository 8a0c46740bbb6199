/*
 * For doctor*.c: what the checks look at, gathered once, and the checks themselves in groups. What
 * can be told from values alone is apart, as *_finding(), so that it can be tested.
 */
#ifndef PAWL_MEASURE_DOCTOR_CHECKS_H
#define PAWL_MEASURE_DOCTOR_CHECKS_H

#include <stdbool.h>

#include "measure/doctor.h"
#include "measure/noise.h"
#include "measure/rig.h"

struct doctor {
	const char *out_dir;
	const struct machine *machine;
	struct rig rig;
	struct error perf_error;	/* why there is no perf, ERR_NONE when there is */
	struct error probe_error;	/* why perf cannot count, ERR_NONE when it can */
	char *os_release, *status;	/* texts of /etc/os-release and /proc/self/status, never NULL */
	char *container;		/* its kind, or NULL */
	struct noise before, after;	/* around some milliseconds of computing */
};

struct doctor_check {
	const char *key;
	void (*examine)(const struct doctor *doctor, const char *key, struct findings *out);
};

/* Each ends with a NULL key. */
extern const struct doctor_check doctor_perf_checks[], doctor_cpu_checks[], doctor_place_checks[];

/* REMEDY may be NULL. */
void findings_add(struct findings *findings, const char *check, enum finding_level level, const char *remedy,
		  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* True when this process has the capability of that number. */
bool doctor_capable(const struct doctor *doctor, unsigned capability);
/* CAP_PERFMON, or CAP_SYS_ADMIN, which it was split from: perf_event_paranoid does not bind them. */
bool doctor_perf_capable(const struct doctor *doctor);

#define REMEDY_PARANOID "sudo sysctl kernel.perf_event_paranoid=1"

void doctor_paranoid_finding(long long level, bool perf_capable, const char *key, struct findings *out);
void doctor_kptr_finding(long long restrict_level, bool syslog_capable, const char *key, struct findings *out);
/* SYS is 0 or the errno of perf_event_open(). */
void doctor_permission_finding(int sys, bool seccomp, const char *container, bool counts, const char *key,
			       struct findings *out);
void doctor_space_finding(unsigned long long free_bytes, bool files_left, const char *path, const char *key,
			  struct findings *out);

#endif
