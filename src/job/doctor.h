/*
 * Checks whether this machine can measure well, and names the command that fixes each problem. The facts are gathered
 * once. Each check reads some of them, yields at most one finding, and changes nothing. All of it takes about half a
 * second.
 */
#ifndef PAWL_JOB_DOCTOR_H
#define PAWL_JOB_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/machine/machine.h"
#include "measure/perf/session.h"
#include "measure/process/child.h"
#include "model/machine.h"

/* A problem makes measuring impossible. A warning makes it worse, or leaves something out. */
enum finding_level { FINDING_OK, FINDING_WARNING, FINDING_PROBLEM };

struct finding {
	const char *check;	/* a stable key: "perf", "paranoid", "pmu", "governor", ... */
	enum finding_level level;
	char *what;		/* one line: what was found */
	char *remedy;		/* the command or step that fixes it, or NULL */
};

struct findings {
	struct finding *items;
	size_t n, cap;
};

void findings_release(struct findings *findings);
/* REMEDY may be NULL. */
void findings_add(struct findings *findings, enum finding_level level, const char *remedy, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A number from a file of /proc or /sys. */
struct fact {
	bool known;
	long long value;
};

struct doctor_facts {
	struct machine machine;		/* TIER_NONE if perf cannot count */
	struct session session;		/* its perf has path NULL if perf is missing */
	struct error no_perf, no_tier;	/* why perf is missing, and why it cannot count */
	struct fact paranoid, kptr, watchdog, smt;
	bool perf_capable, syslog_capable;	/* this process is exempt from what binds others */
	int event_errno;		/* of perf_event_open() for this process's own time; 0: it works */
	bool seccomp;
	char *container;		/* its kind, or NULL */
	struct strv governors;
	int turbo;			/* as power_turbo() says */
	const char *turbo_file;
	char *clock_source;		/* "" unknown */
	struct noise before, after;	/* around 200 ms of computing */
	char *cgroup;			/* this process's own folder, or NULL */
	int cgroup_errno;		/* why pawl may make no cgroup there; 0: it may */
	char *out_dir;			/* for results, or its nearest parent that exists */
	bool out_is_dir;
	int out_errno, space_errno;	/* why nothing can be written there, and why its space is unknown; 0: neither */
	bool files_left;
	unsigned long long free_bytes;
	char *valgrind, *git;		/* paths, or NULL */
	char *os_release;		/* the text of /etc/os-release */
};

/* Runs all checks on FACTS. */
void doctor_judge(const struct doctor_facts *facts, struct findings *out);
/*
 * Gathers the facts and runs all checks. OUT_DIR is where results go, for the check of free space. KEEPER has been
 * started. MACHINE_OUT is what session_open() would find, for machine_release(). Fails only if interrupted.
 */
int doctor_examine(struct keeper *keeper, const char *out_dir, struct machine *machine_out, struct findings *out,
		   struct error *err);

#endif
