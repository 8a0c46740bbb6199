/*
 * One invocation of pawl: what was asked for, and the means that the process has. A command fills it from its command line, see
 * cmd_fill_request(). Nothing below a command knows options, or how they are spelled.
 *
 * The texts are the command line's, and are valid as long as the invocation is.
 */
#ifndef PAWL_JOB_REQUEST_H
#define PAWL_JOB_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/text.h"
#include "measure/git/git.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"

struct request {
	/* the command */
	bool calibrates;	/* measures task-clock, whatever is gated */
	bool judges;		/* decides whether a change made something worse, so it matters whose files judge */
	bool reads_ref;		/* takes a commit whose files judge */
	bool shows_all_faults;	/* goes on where pawl.yaml has one */
	struct strv words;	/* the whole command line, for the report */
	struct strv shaping;	/* the options among them that change what is measured or how it is judged, with their values */

	/* which scenarios, judged by what */
	struct strv tags;
	const char *shard, *baselines, *baseline_ref;

	/* how they are measured */
	const char *base, *base_ref;	/* of a confirmation; NULL: as pawl.yaml says */
	const char *pairs, *floor;	/* as they were written; NULL: as scenarios say */
	uint64_t runs, budget_ns, lock_wait_ns, seed, gates, attach;	/* 0: not given; ATTACH a process */
	bool no_profile, no_confirm, explain, no_explain, keep_env, show_output;

	/* what is said and left behind */
	const char *out, *output;
	bool strict, accept, json, quiet, color_out, color_err;	/* COLOR: standard output and error take colours */
	unsigned verbose;

	/* the means; the keeper runs only for a command that starts processes */
	struct keeper keeper;
	struct interrupt interrupt;
	struct git git;
	struct timespec started;	/* CLOCK_REALTIME */
};

#endif
