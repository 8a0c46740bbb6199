/* What a person sees while pawl measures: one line with the time left on a terminal, plain lines elsewhere. */
#ifndef PAWL_CMD_PROGRESS_H
#define PAWL_CMD_PROGRESS_H

#include "cmd/cmd.h"
#include "measure/runloop.h"

struct progress {
	const struct invocation *inv;
	size_t at, of;		/* scenario, from 1 */
	bool terminal;		/* standard error is one */
	bool github;		/* groups, inside GitHub Actions */
	enum loop_phase last;	/* plain lines: one a phase */
	bool open;		/* a line or group is begun */
	bool pairs;		/* it counts pairs: services start and warm up for each of them, which is told once */
	uint64_t shown_ns;	/* when the line was drawn last */
};

void progress_begin(struct progress *progress, const struct invocation *inv, size_t scenarios);
/* The next scenario starts. */
void progress_scenario(struct progress *progress, const char *name);
/* For struct live.progress. */
void progress_step(void *ctx, const struct loop_progress *step);
/* The scenario is over, with WORDS such as "10 runs". */
void progress_done(struct progress *progress, const char *name, const char *words);

#endif
