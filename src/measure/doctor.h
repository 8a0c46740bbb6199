/*
 * Can this machine measure well, and if not, the command that mends it. Each check looks at one
 * thing and yields at most one finding; none changes anything. Takes half a second or so.
 */
#ifndef PAWL_MEASURE_DOCTOR_H
#define PAWL_MEASURE_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/machine/machine.h"
#include "measure/perf/perf.h"
#include "measure/process/process.h"
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

/*
 * OUT_DIR is where results go, for the check of free space. KEEPER has been started. MACHINE_OUT is
 * as session_open() would find it (TIER_NONE where perf cannot count), for machine_release(). Fails
 * only when interrupted.
 */
int doctor_examine(struct keeper *keeper, const char *out_dir, struct machine *machine_out, struct findings *out,
		   struct error *err);
void findings_release(struct findings *findings);
/* The worst of all; FINDING_OK when there is none. */
enum finding_level findings_worst(const struct findings *findings);

/* What can be told from values alone, for tests; KEY is that of the check. */

/* REMEDY may be NULL. */
void findings_add(struct findings *findings, const char *check, enum finding_level level, const char *remedy,
		  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

void doctor_paranoid_finding(long long level, bool perf_capable, const char *key, struct findings *out);
void doctor_kptr_finding(long long restrict_level, bool syslog_capable, const char *key, struct findings *out);
/* SYS is 0 or the errno of perf_event_open(). */
void doctor_permission_finding(int sys, bool seccomp, const char *container, bool counts, const char *key,
			       struct findings *out);
void doctor_space_finding(unsigned long long free_bytes, bool files_left, const char *path, const char *key,
			  struct findings *out);

#endif
