/*
 * Can this machine measure well, and if not, the command that mends it. The facts are gathered once; each check looks at
 * some of them, yields at most one finding, and changes nothing. Takes half a second or so.
 */
#ifndef PAWL_JOB_DOCTOR_H
#define PAWL_JOB_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/machine/machine.h"
#include "measure/perf/session.h"
#include "measure/process/child.h"
#include "model/machine.h"

/* A problem makes measuring impossible; a warning makes it worse, or leaves something out. */
enum finding_level { FINDING_OK, FINDING_WARNING, FINDING_PROBLEM };

struct finding {
	const char *check;	/* a stable key: "perf", "paranoid", "pmu", "governor", ... */
	enum finding_level level;
	char *what;		/* one line: what was found */
	char *remedy;		/* the command or step that mends it, or NULL */
};

struct findings {
	struct finding *items;
	size_t n, cap;
};

void findings_release(struct findings *findings);
/* REMEDY may be NULL. */
void findings_add(struct findings *findings, enum finding_level level, const char *remedy, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A number of a file of /proc or /sys. */
struct fact {
	bool known;
	long long value;
};

struct doctor_facts {
	struct machine machine;		/* TIER_NONE where perf cannot count */
	struct session session;		/* of its perf: path NULL, there is none */
	struct error no_perf, no_tier;	/* why there is none, or it cannot count */
	struct fact paranoid, kptr, watchdog, smt;
	bool perf_capable, syslog_capable;	/* what binds others does not bind this process */
	int event_errno;		/* of perf_event_open() for our own time; 0: it works */
	bool seccomp;
	char *container;		/* its kind, or NULL */
	struct strv governors;
	int turbo;			/* as power_turbo() says */
	const char *turbo_file;
	char *clock_source;		/* "" unknown */
	struct noise before, after;	/* around some milliseconds of computing */
	char *cgroup;			/* the folder of our own, or NULL */
	int cgroup_errno;		/* why nothing may be made there; 0: it may */
	char *out_dir;			/* of the results, or the nearest above it that exists */
	bool out_is_dir;
	int out_errno, space_errno;	/* why nothing can be written there; why its space is not known */
	bool files_left;
	unsigned long long free_bytes;
	char *valgrind, *git;		/* paths, or NULL */
	char *os_release;		/* the text of /etc/os-release */
};

/* All checks. */
void doctor_judge(const struct doctor_facts *facts, struct findings *out);
/*
 * Gathers the facts and judges them. OUT_DIR is where results go, for the check of free space. KEEPER has been started.
 * MACHINE_OUT is as session_open() would find it, for machine_release(). Fails only when interrupted.
 */
int doctor_examine(struct keeper *keeper, const char *out_dir, struct machine *machine_out, struct findings *out,
		   struct error *err);

#endif
