/*
 * One invocation of pawl: what was asked for, and the resources of the process. The table of options writes into it, see
 * cmd/options.c. Code below commands does not know options or their spelling.
 *
 * The texts belong to the command line, and are valid as long as the invocation is.
 */
#ifndef PAWL_JOB_PROJECT_REQUEST_H
#define PAWL_JOB_PROJECT_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/text.h"
#include "measure/git/git.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"

/* Exit statuses that make git bisect run skip a commit, or end the search. */
enum { STATUS_BISECT_SKIP = 125, STATUS_BISECT_STOP = 128 };

struct request {
	/* the command, which sets these */
	bool calibrates;	/* measures task-clock, whatever the gates are on */
	bool judges;		/* decides whether a change made something worse, so it matters whose files judge */
	bool shows_all_faults;	/* continues after a fault in pawl.yaml */
	struct strv words;	/* the whole command line, for the report */
	struct strv shaping;	/* the options among them, with values, that affect measuring or judging */

	/* scenarios, and what judges them */
	struct strv tags;
	char *shard, *judge;

	/* comparing in pairs */
	char *base, *head;	/* each a commit or a folder, as written */
	struct strv expect;	/* claims */
	uint64_t min_runs, max_runs;	/* for commands; 0: not given */
	char *export_json, *export_markdown;	/* for commands */
	bool bisect, measure_identical;

	/* measuring */
	const char *pairs;	/* as written; NULL: as scenarios say */
	uint64_t runs, budget_ns, lock_wait_ns, seed, attach;	/* 0: not given; ATTACH a process */
	bool counts;		/* judge only gates on counts, by one run of each side */
	bool no_profile, no_confirm, explain, no_explain, keep_env, show_output;

	/* output */
	char *out, *output;
	bool strict, accept, json, quiet, color_out;	/* COLOR_OUT: standard output takes colours */
	unsigned verbose;

	/* resources; the keeper runs only for a command that starts processes */
	struct keeper keeper;
	struct interrupt interrupt;
	struct git git;
	struct timespec started;	/* CLOCK_REALTIME */
};

#endif
