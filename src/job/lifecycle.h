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

/* Progress while pawl measures: one line with the time left on a terminal, plain lines elsewhere. */
struct progress {
	const struct request *request;
	size_t at, of;		/* scenario, from 1 */
	bool terminal;		/* standard error is a terminal */
	bool brief;		/* prints only on a terminal */
	bool github;		/* inside GitHub Actions: one group per scenario */
	bool grouped;		/* a group is open */
	size_t groups;		/* the last scenario with a group */
	enum loop_phase last;
	bool open;		/* a line or group has begun */
	bool pairs;		/* counts pairs; services' start and warm-up are shown once, not per pair */
	bool confirming;	/* confirms scenarios that were measured alone */
	uint64_t shown_ns;	/* when the line was last drawn */
	struct scenario_result *scenario;	/* the scenario whose phases are timed, or NULL */
	const char *phase;	/* the current phase, or NULL */
	double *phase_s;	/* gets its seconds */
	uint64_t phase_ns;	/* when it began */
};

void progress_begin(struct progress *progress, const struct request *request, size_t scenarios);
/* Starts the next scenario. The time of its steps is added to SCENARIO's phases. */
void progress_scenario(struct progress *progress, struct scenario_result *scenario);
/* Continues SCENARIO without printing anything. */
void progress_resume(struct progress *progress, struct scenario_result *scenario);
/* Ends the current phase. With -v prints its seconds. */
void progress_pause(struct progress *progress);
/* Callback of struct system.progress. */
void progress_step(void *ctx, const struct loop_progress *step);
/* Ends the scenario, or a visit of it, with WORDS such as "10 runs"; NULL prints none. */
void progress_done(struct progress *progress, const char *name, const char *words);

/*
 * The steps of every measuring command:
 *
 *	lifecycle_begin()	the result: date, commit, command line
 *	lifecycle_open()	the lock, the session with its machine
 *	lifecycle_folder()	the folder for files: result.out_dir
 *	lifecycle_watch(), measuring, lifecycle_watched()	noise and elapsed time
 *	lifecycle_close()	the session
 *	judging
 *	lifecycle_finish()	result.json, reports, printed output; returns the exit status
 *	lifecycle_release()	in every case; it closes too
 */
struct lifecycle {
	struct request *request;
	struct result result;
	struct session session;
	struct progress progress;
	char *parent;		/* parent of the run's folder, to be pruned; NULL with --out */
	int interrupted;	/* the signal, which makes the result partial; or 0 */
	bool perf_optional;	/* works without perf if perf is missing */
	bool as_commands;	/* prints report_typed(), not a report on scenarios */
	bool without_files;	/* its folder does not outlast the session */
	bool silent;		/* prints no report: standard output is for something else */
	/* at lifecycle_watch() */
	struct noise before;
	struct strv others;	/* other pawls that were measuring */
	double own_ms;
	uint64_t start_ns;
};

/* Returns the address of the repository of the tree at ROOT on its forge, for free(); NULL if unknown. */
char *lifecycle_repository(struct request *request, const char *root);
/* Starts a new result in place of an earlier one. ROOT is the tree whose commit it names. */
void lifecycle_begin(struct lifecycle *run, struct request *request, enum result_mode mode, const char *root);
/* Waits for the lock as --lock-wait says. JUDGED, or NULL, has the scenarios that will be measured, OWN the results. */
int lifecycle_open(struct lifecycle *run, struct project *judged, const struct project *own, struct error *err);
/* With -v prints WHAT and the seconds since BEGAN_NS. */
void lifecycle_say(const struct request *request, const char *what, uint64_t began_ns);
void lifecycle_watch(struct lifecycle *run);
void lifecycle_watched(struct lifecycle *run);
void lifecycle_close(struct lifecycle *run);
/* Writes the files, without printing. */
int lifecycle_leave(const struct lifecycle *run, struct error *err);
/* Writes TEXT as file NAME of the run's folder. */
int lifecycle_write(const struct lifecycle *run, const char *name, const struct strbuf *text, struct error *err);
int lifecycle_finish(struct lifecycle *run, struct error *err);
void lifecycle_release(struct lifecycle *run);

#endif
