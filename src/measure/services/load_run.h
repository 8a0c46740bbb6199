/*
 * The load of an attached target: a child that drives it while a window is measured, and tells how
 * much it did.
 *
 *	load_run_start() held -> child_release(&load->child) -> load_run_finish() -> load_run_work() -> load_run_dispose()
 */
#ifndef PAWL_MEASURE_SERVICES_LOAD_RUN_H
#define PAWL_MEASURE_SERVICES_LOAD_RUN_H

#include "measure/process/child.h"
#include "measure/process/output.h"
#include "model/measured.h"
#include "scenario/plan.h"

struct load_run {
	const struct plan *plan;
	struct child child;
	struct line_watch watch;	/* of what must not be in its output */
	bool watching;		/* watch is initialised */
	bool stopped;		/* it was told to end: its status is none of its own */
	uint64_t outlasted_ns;	/* how long it went on before that */
};

int load_run_start(struct keeper *keeper, const struct plan *plan, struct load_run *out, struct error *err);
/*
 * The window is over: let the load end by itself within PATIENCE_NS, then tell it to. A line that load.fail
 * matches, and a status of its own that is not 0, is an ERR_TARGET.
 */
int load_run_finish(struct keeper *keeper, struct load_run *load, uint64_t patience_ns, struct error *err);
/*
 * Its work into OUT->work, for a window of WINDOW_S seconds. A load with `work:` that tells none, or
 * that it did nothing, is an ERR_TARGET.
 */
int load_run_work(const struct load_run *load, double window_s, struct measured *out, struct error *err);
void load_run_dispose(struct keeper *keeper, struct load_run *load);

/* The scenario's printed metrics in TEXT, a target's or a load's output, into OUT->figures. */
int figures_read(const struct scenario *scenario, const struct strbuf *text, struct measured *out, struct error *err);
/* How much of the output is kept for them: JSON must be whole. */
size_t figures_keep(const struct scenario *scenario);

#endif
