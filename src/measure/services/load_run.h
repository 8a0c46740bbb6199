/*
 * The load of an attached target: a child that drives it while a window is measured, and reports how much it did.
 *
 * 	load_run_start() held -> child_release(&load->child) -> load_run_finish() -> load_run_work() -> load_run_dispose()
 */
#ifndef PAWL_MEASURE_SERVICES_LOAD_RUN_H
#define PAWL_MEASURE_SERVICES_LOAD_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/process/child.h"
#include "measure/process/output.h"

struct error;
struct measured;
struct plan;
struct scenario;
struct strbuf;

struct load_run {
	const struct plan *plan;
	struct child child;
	struct line_watch watch;	/* of what must not be in its output */
	bool watching;		/* watch is initialised */
	bool stopped;		/* it was ended: its status is none of its own */
	uint64_t outlasted_ns;	/* how long it went on before that */
};

/* CPUS is a list, or NULL: wherever pawl may run. */
int load_run_start(struct keeper *keeper, const struct plan *plan, const char *cpus, struct load_run *out, struct error *err);
/*
 * The window has been over since SINCE_NS: let the load end by itself within PATIENCE_NS of that, then ask it to. A line
 * that load.fail matches, and a status of its own that is not 0, is an ERR_TARGET.
 */
int load_run_finish(struct keeper *keeper, struct load_run *load, uint64_t since_ns, uint64_t patience_ns,
		    struct error *err);
/*
 * Its work into OUT->work, for a window of WINDOW_S seconds. A load with `work:` that reports none, or
 * that it did nothing, is an ERR_TARGET.
 */
int load_run_work(const struct load_run *load, double window_s, struct measured *out, struct error *err);
void load_run_dispose(struct keeper *keeper, struct load_run *load);

/* The scenario's custom metrics in TEXT, a target's or a load's output, into OUT. */
int custom_metrics_read(const struct scenario *scenario, const struct strbuf *text, struct measured *out, struct error *err);
/* How much of the output is kept for them: JSON must be whole. */
size_t custom_metrics_keep(const struct scenario *scenario);

#endif
