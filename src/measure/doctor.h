/*
 * Can this machine measure well, and if not, the command that mends it. Each check looks at one
 * thing and yields at most one finding; none changes anything. Takes half a second or so.
 */
#ifndef PAWL_MEASURE_DOCTOR_H
#define PAWL_MEASURE_DOCTOR_H

#include <stddef.h>

#include "measure/keeper.h"
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
 * as rig_open() would find it (TIER_NONE where perf cannot count), for machine_release(). Fails
 * only when interrupted.
 */
int doctor_examine(struct keeper *keeper, const char *out_dir, struct machine *machine_out, struct findings *out,
		   struct error *err);
void findings_release(struct findings *findings);
/* The worst of all; FINDING_OK when there is none. */
enum finding_level findings_worst(const struct findings *findings);

#endif
