/*
 * A load: a child that drives a target during a window and reports its work.
 *
 *	load_run_start() held -> child_release(&load->child) -> load_run_finish() -> load_run_work() -> load_run_dispose()
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
	struct line_watch watch;	/* for what must not be in its output */
	bool stopped;		/* by pawl, so its status is not its own */
	uint64_t outlasted_ns;	/* before that */
};

/* Starts the load, held. CPUS is a list; NULL: pawl's. */
int load_run_start(struct keeper *keeper, const struct plan *plan, const char *cpus, struct load_run *out, struct error *err);
/*
 * Asks the load to end PATIENCE_NS after SINCE_NS, the window's end. ERR_TARGET if it fails, or a line matches
 * load.fail.
 */
int load_run_finish(struct keeper *keeper, struct load_run *load, uint64_t since_ns, uint64_t patience_ns,
		    struct error *err);
/* Writes its work in a window of WINDOW_S. ERR_TARGET if `work:` finds none. */
int load_run_work(const struct load_run *load, double window_s, struct measured *out, struct error *err);
void load_run_dispose(struct keeper *keeper, struct load_run *load);

/* TEXT is the output of a target or load. */
int custom_metrics_read(const struct scenario *scenario, const struct strbuf *text, struct measured *out, struct error *err);
/* Returns the bytes of output that custom metrics need; 0: the usual. */
size_t custom_metrics_keep(const struct scenario *scenario);

#endif
