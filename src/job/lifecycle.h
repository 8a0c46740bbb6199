#ifndef PAWL_JOB_LIFECYCLE_H
#define PAWL_JOB_LIFECYCLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "measure/machine/machine.h"
#include "measure/perf/session.h"
#include "measure/run/loop.h"
#include "model/result.h"

struct error;
struct project;
struct request;

/* What a person sees while pawl measures: one line with the time left on a terminal, plain lines elsewhere. */
struct progress {
	const struct request *request;
	size_t at, of;		/* scenario, from 1 */
	bool terminal;		/* standard error is one */
	bool brief;		/* only there */
	bool github;		/* groups, inside GitHub Actions, one a scenario */
	bool grouped;		/* one is open */
	size_t groups;		/* the last scenario that had its group */
	enum loop_phase last;	/* plain lines: one a phase */
	bool open;		/* a line or group is begun */
	bool pairs;		/* it counts pairs: services start and warm up for each of them, which is shown once */
	bool confirming;	/* of scenarios that have been measured alone */
	uint64_t shown_ns;	/* when the line was drawn last */
	struct scenario_result *scenario;	/* whose phases get their seconds; or NULL */
	const char *phase;	/* what has begun, or NULL */
	double *phase_s;	/* where its seconds go */
	uint64_t phase_ns;	/* when it began */
};

void progress_begin(struct progress *progress, const struct request *request, size_t scenarios);
/* The next scenario starts: its steps' time is added to SCENARIO's phases. */
void progress_scenario(struct progress *progress, struct scenario_result *scenario);
/* The same for one that goes on, without a word. */
void progress_resume(struct progress *progress, struct scenario_result *scenario);
/* What was begun last is over; with -v its seconds are printed. */
void progress_pause(struct progress *progress);
/* For struct system.progress. */
void progress_step(void *ctx, const struct loop_progress *step);
/* The scenario is over, with WORDS such as "10 runs". */
void progress_done(struct progress *progress, const char *name, const char *words);

/*
 * What every measuring command does around its scenarios:
 *
 *	lifecycle_begin()	the result: when, of which commit, by which command
 *	lifecycle_open()	the lock, the session with its machine
 *	lifecycle_folder()	where files are left behind: result.out_dir
 *	lifecycle_watch(), measuring, lifecycle_watched()	the noise, and how long it took
 *	lifecycle_close()	the session
 *	judging
 *	lifecycle_finish()	result.json, the reports, and what is printed: the exit status
 *	lifecycle_release()	in any case; it closes too
 */
struct lifecycle {
	struct request *request;
	struct result result;
	struct session session;
	struct progress progress;
	char *parent;		/* of the run's folder, to be pruned; NULL with --out */
	int interrupted;	/* signal, or 0: the result is partial */
	bool perf_optional;	/* where there is no perf it is done without */
	bool as_commands;	/* what is printed is report_typed(), not a report on scenarios */
	/* at lifecycle_watch() */
	struct noise before;
	struct strv others;	/* pawls that measured */
	double own_ms;
	uint64_t start_ns;
};

/* ROOT is the tree whose commit it is. In place of the result before it, where there is one. */
void lifecycle_begin(struct lifecycle *run, struct request *request, enum result_mode mode, const char *root);
/* Waits for the lock as --lock-wait says. PROJECT has what is measured; NULL: nothing of it is known yet. */
int lifecycle_open(struct lifecycle *run, struct project *project, struct error *err);
/* --out, else a new one in the folder of PROJECT's runs, of which the newest are kept. */
int lifecycle_folder(struct lifecycle *run, const struct project *project, struct error *err);
/* With -v: WHAT, and the seconds that it took since BEGAN_NS. */
void lifecycle_say(const struct request *request, const char *what, uint64_t began_ns);
void lifecycle_watch(struct lifecycle *run);
void lifecycle_watched(struct lifecycle *run);
void lifecycle_close(struct lifecycle *run);
/* The files alone. */
int lifecycle_leave(const struct lifecycle *run, struct error *err);
/* TEXT as the file NAME of the folder. */
int lifecycle_write(const struct lifecycle *run, const char *name, const struct strbuf *text, struct error *err);
int lifecycle_finish(struct lifecycle *run, struct error *err);
void lifecycle_release(struct lifecycle *run);

#endif
