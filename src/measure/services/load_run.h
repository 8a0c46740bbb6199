/*
 * The load of an attached target: a child that drives it during a measured window and reports the amount of work.
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

struct plan;
struct scenario;

struct load_run {
	const struct plan *plan;
	struct child child;
	struct line_watch watch;	/* for text that must not occur in its output */
	bool stopped;		/* pawl ended it, so its status is not its own */
	uint64_t outlasted_ns;	/* how long it ran on before that */
};

/* Starts the load, held. CPUS is a list; NULL: all CPUs pawl may use. */
int load_run_start(struct keeper *keeper, const struct plan *plan, const char *cpus, struct load_run *out, struct error *err);
/* Asks the load to end PATIENCE_NS after SINCE_NS, the window's end. ERR_TARGET if a line matches load.fail, or it fails. */
int load_run_finish(struct keeper *keeper, struct load_run *load, uint64_t since_ns, uint64_t patience_ns,
		    struct error *err);
/* Writes its work to OUT->work, for a window of WINDOW_S seconds. ERR_TARGET if a load with `work:` reports none. */
int load_run_work(const struct load_run *load, double window_s, struct measured *out, struct error *err);
void load_run_dispose(struct keeper *keeper, struct load_run *load);

/* Reads the scenario's custom metrics from TEXT, the output of a target or load, into OUT. */
int custom_metrics_read(const struct scenario *scenario, const struct strbuf *text, struct measured *out, struct error *err);
/* Returns how much output to keep for custom metrics: JSON and benchmarks must be complete. */
size_t custom_metrics_keep(const struct scenario *scenario);

#endif
